/* SPDX-License-Identifier: BSD-2-Clause */
/* The files of exact counts: of a core's measured part, and of its other parts (enum vpmu_part) if they ran. */
#ifndef VPMU_SHIM_TRUTHS_H
#define VPMU_SHIM_TRUTHS_H

#include "vpmu/shim/firmware/efi.h"

#include "vpmu/shim/shim.h"

/* Writes truth.csv, for another core truth-N.csv; truth-reference.csv or truth-N-reference.csv; and the same with
 * "other". Says which it cannot write. */
void truths_write(EFI_HANDLE device, struct shim *shim);

#endif
