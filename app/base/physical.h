/* SPDX-License-Identifier: BSD-2-Clause */
/* Accesses physical memory of this machine, which the firmware maps one to one. */
#ifndef APP_PHYSICAL_H
#define APP_PHYSICAL_H

#include "core/platform/physical.h"

/* Refuses only ranges beyond the end of the address space: each address but the first comes from a table with a correct
 * checksum. */
extern const struct physical_memory physical_mapped;

#endif
