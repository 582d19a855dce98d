/* SPDX-License-Identifier: BSD-2-Clause */
/* The MSR by which a guest gives the map of own code that it is about to run (VPMU_MSR_CODE). */
#ifndef VPMU_SHIM_OWN_CODE_H
#define VPMU_SHIM_OWN_CODE_H

#include "core/ibs/codemap.h"
#include "vpmu/shim/shim.h"

/* All cores run the same code: one copy of its map, which stays until the exact counts have been written. */
struct own_code {
    uint8_t *bytes;
    uint64_t image_base; /* of the image's own map */
    struct codemap map;
    uint64_t base, elf_hash;
    uint32_t crc;
    bool known;
    bool used[WORLD_CORES]; /* this core's model uses it */
};

/* Takes memory for one map. Called by firmware, before the guest starts. */
bool own_code_prepare(uint64_t image_base);

/* Reads as 0. VPMU_GP: the written value is not the address of such a table, or the map cannot be used. */
enum vpmu_access own_code_access(struct shim *shim, bool write, uint64_t *value);

#endif
