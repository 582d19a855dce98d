/*
 * Loads and stores: translation, data cache ports and banks, the store queue and forwarding from it.
 */
#ifndef VPMU_LOADSTORE_H
#define VPMU_LOADSTORE_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/vpmu/model/ibs_unit.h"
#include "tests/vpmu/model/pipeline.h"

struct vpmu;

/* One access of one op. 'bits' are those of IbsOpData3. */
struct access {
    uint64_t linear, physical;
    uint64_t bits;
    uint64_t ready; /* loads: cycle in which the data is there */
    uint32_t latency;
    uint8_t source; /* enum cache_source */
    bool remote;    /* it came from another node */
};

/* True when the access has bytes on both sides of a boundary of 1 << shift bytes. */
static inline bool lsu_crosses(uint64_t linear, uint32_t size, unsigned shift)
{
    return ((linear ^ (linear + size - 1)) >> shift) != 0;
}

/* A load whose address is known in the given cycle. */
void lsu_load(struct vpmu *vpmu, struct access *access, uint32_t size, uint64_t cycle);
/* The store of an op; translated: its load has been through the TLB and the cache already. */
void lsu_store(struct vpmu *vpmu, struct access *access, uint32_t size, uint64_t cycle, bool translated);
/* A store enters the queue; data: cycle in which it can be forwarded, retired: cycle in which it leaves for the cache.
 */
void lsu_queue(struct pipeline *pipe, uint64_t linear, uint32_t size, uint64_t data, uint64_t retired);

#endif
