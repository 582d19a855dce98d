/* SPDX-License-Identifier: BSD-2-Clause */
/* The MSR by which a guest tells the map of own code that it is about to run (VPMU_MSR_CODE). */
#ifndef VPMU_SHIM_OWN_CODE_H
#define VPMU_SHIM_OWN_CODE_H

#include "vpmu/shim/shim.h"

/* Takes memory for one map. Called by firmware, before the guest starts. */
bool own_code_prepare(uint64_t image_base);

/* Reads as 0. VPMU_GP: what is written is not the address of such a table, or the map cannot be used. */
enum vpmu_access own_code_access(struct shim *shim, bool write, uint64_t *value);

#endif
