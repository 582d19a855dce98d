/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The MSR by which a guest reports memory that it has filled (VPMU_MSR_PREPARED). 12 MB are some 190,000 lines, each
 * looked up in all caches: the plugin runs that natively.
 */
#ifndef VPMU_SHIM_PREPARED_H
#define VPMU_SHIM_PREPARED_H

#include "vpmu/shim/shim.h"

/* Reads as 0. VPMU_GP: the value written is not the address of such a table. */
enum vpmu_access prepared_access(struct shim *shim, bool write, uint64_t *value);

/* Called by the plugin. */
uint32_t prepared_work(uint32_t core, uint64_t rip, uint64_t gpr[16]);

#endif
