/* SPDX-License-Identifier: BSD-2-Clause */
/* Physical memory of this machine as firmware maps it: one to one. */
#ifndef APP_PHYSICAL_H
#define APP_PHYSICAL_H

#include "core/platform/physical.h"

/* Refuses only what passes the end of the address space: each address but the first is from a table whose checksum is
 * right. */
extern const struct physical_memory physical_mapped;

#endif
