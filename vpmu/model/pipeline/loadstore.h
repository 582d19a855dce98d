/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Loads and stores: translation, data cache ports, data cache, store-to-load forwarding. The common path is inline;
 * rare cases are in loadstore.c.
 */
#ifndef VPMU_LOADSTORE_H
#define VPMU_LOADSTORE_H

#include "vpmu/model/pipeline/stations.h"

/* Returns whether the access has bytes on both sides of a multiple of 'boundary' bytes, a power of two. */
INLINED bool lsu_crosses(uint64_t linear, uint32_t size, uint32_t boundary)
{
    return (linear & (boundary - 1)) + size > boundary;
}

/* ---------------------------------------------------------------- translation and data cache */

struct lsu_translation {
    uint64_t physical; /* PHYSICAL_NONE: not mapped */
    uint32_t bits;     /* of IbsOpData3, beyond those of a hit in the L1 DTLB */
    uint32_t cycles;   /* beyond a hit in the L1 DTLB */
};

enum {
    LOCK_REST = 3
}; /* of a locked instruction of one op after its data: the addition, and from there to retirement */

#define PHYSICAL_NONE UINT64_MAX /* in no line of any cache */

/* Finds a page in the L1 DTLB; returns false if it is not there. */
INLINED bool lsu_find_page(struct vpmu *vpmu, uint64_t linear, uint64_t *physical)
{
    if (!tlbs_recent(&vpmu->tlbs, linear, physical)) {
        if (!tlbs_find_recent(&vpmu->tlbs, linear))
            return false;
        (void)tlbs_recent(&vpmu->tlbs, linear, physical);
    }
    vpmu->signals.dtlb_hits[vpmu->tlbs.recent.size]++;
    return true;
}
/* Translates what the L1 DTLB does not have. */
struct lsu_translation lsu_translate_missed(struct vpmu *vpmu, uint64_t linear);
INLINED struct lsu_translation lsu_translate(struct vpmu *vpmu, uint64_t linear)
{
    struct lsu_translation result = {0};

    return lsu_find_page(vpmu, linear, &result.physical) ? result : lsu_translate_missed(vpmu, linear);
}

struct dc_result lsu_look_up_slow(struct vpmu *vpmu, uint64_t physical, uint64_t cycle, bool store);
INLINED struct dc_result lsu_look_up(struct vpmu *vpmu, uint64_t physical, uint64_t cycle, bool store)
{
    struct dc_result result = {.ready = cycle + L1_LATENCY};

    if (!caches_plain_hit(&vpmu->caches, physical, cycle, store))
        return lsu_look_up_slow(vpmu, physical, cycle, store);
    return result;
}

INLINED uint32_t lsu_miss_bits(struct dc_result result)
{
    return result.mab_hit ? VDATA3_MISS | VDATA3_MAB_HIT : result.miss ? VDATA3_MISS : 0;
}

/* ---------------------------------------------------------------- ports */

struct lsu_port {
    uint64_t cycle;
    uint64_t bits; /* VDATA3_LOAD_BANK: there was a conflict */
};

/* Returns whether a load may use the same cycle's other port. Two loads of one cycle must not use the same bank of
 * different lines: 8 banks of 8 bytes, bits 5:3, index bits 14:6 (SOG-K8 section 5.9; no document for this family's
 * 128-bit banks was found). */
INLINED bool lsu_banks_differ(const struct port_use *use, uint64_t linear)
{
    uint32_t different = use->linear ^ (uint32_t)linear;

    return (different & 0x38) != 0 || (different & 0x7FC0) == 0;
}
INLINED bool lsu_port_shared(const struct port_use *use, uint64_t linear)
{
    return use->count < DC_PORTS && lsu_banks_differ(use, linear);
}

INLINED void lsu_use_port(struct port_use *use, uint64_t cycle, uint64_t linear)
{
    if (use->cycle == cycle)
        use->count = DC_PORTS;
    else
        *use = (struct port_use){cycle, (uint32_t)linear, 1};
}

/* Takes the first free port from 'cycle' on. */
struct lsu_port lsu_take_port_slow(struct vpmu *vpmu, uint64_t cycle, uint64_t linear);
INLINED struct lsu_port lsu_take_port(struct vpmu *vpmu, uint64_t cycle, uint64_t linear)
{
    struct port_use *use = &vpmu->pipe.port[cycle & (PORT_RING - 1)];

    if (use->cycle == cycle && !lsu_port_shared(use, linear))
        return lsu_take_port_slow(vpmu, cycle, linear);
    lsu_use_port(use, cycle, linear);
    return (struct lsu_port){.cycle = cycle};
}

/* ---------------------------------------------------------------- the store queue */

/* Returns the youngest store that is in the queue in the given cycle and overlaps the load, or NULL. */
const struct store *lsu_store_of(const struct vpmu *vpmu, uint64_t linear, uint32_t size, uint64_t cycle);

/* Returns whether the granules suffice for a naturally aligned load of at most eight bytes: no store in the queue can
 * overlap it except *store, which has the same address; NULL: none. */
INLINED bool lsu_one_store_at_most(const struct pipeline *pipe, uint64_t linear, uint32_t size, uint64_t cycle,
                                   const struct store **store)
{
    uint64_t number = linear >> GRANULE_SHIFT;
    const struct granule *first = &pipe->granules[number & (GRANULES - 1)], *last = first;

    *store = NULL;
    if (size > 1 << GRANULE_SHIFT) {
        last = &pipe->granules[(number + 1) & (GRANULES - 1)];
        if (last->retire != first->retire || last->store != first->store)
            return pipe->stores_gone < cycle;
    }
    if (first->retire < cycle)
        return true;
    *store = first->store;
    return first->store->linear == linear && first->store->size >= size;
}

/* Returns the cycle in which a load that could look up the cache in the given one does so, while addresses of older
 * stores are not known. */
uint64_t lsu_pass(struct vpmu *vpmu, uint64_t rip, uint64_t linear, uint32_t size, uint64_t cycle);

/* Forwarding needs the same first byte, a store as large as the load, and an aligned load (F10h event 02Ah). */
INLINED bool lsu_forwards(const struct store *store, uint64_t linear, uint32_t size, bool misaligned)
{
    return store->linear == linear && store->size >= size && !misaligned;
}

/* Returns the cycle in which a forwarded load has its data; extra: that of a load of its kind from the cache
 * (load_extra), which FORWARD_LATENCY includes. */
INLINED uint64_t lsu_forwarded(const struct store *store, uint64_t cycle, uint32_t extra)
{
    return later(store->data, cycle) + FORWARD_LATENCY - extra;
}

/* Takes a load's bytes from a store of the queue, after its look-up of the cache in the given cycle. They are
 * forwarded while the line is one's own; otherwise the load waits until the store has got the line and left (SOG-K8
 * section 5.5: a load that may not read the buffer waits until the store is in the data cache). Returns bits of
 * IbsOpData3. */
INLINED uint32_t lsu_take_bytes(const struct store *store, uint64_t cycle, uint32_t extra, struct dc_result *found)
{
    uint64_t stored = store->retire + 1 + L1_LATENCY;

    if (USUALLY(!found->miss)) {
        found->ready = lsu_forwarded(store, cycle, extra);
        return VDATA3_FORWARDED;
    }
    if (stored > found->ready) {
        found->latency += (uint32_t)(stored - found->ready);
        found->ready = stored;
    }
    return 0;
}

/* Returns the cycle in which a load looks up the cache after a failed forwarding: it waits until the store has left
 * the queue, and then takes as long as with forwarding (choice; SOG-K8 section 5.5: "up to tens of clock cycles"). */
uint64_t lsu_cancel(struct vpmu *vpmu, const struct store *store, uint64_t linear, uint32_t size);

/* Returns the cycle in which a store leaves the queue: its op has retired, the line is owned, and older stores have
 * left. */
INLINED uint64_t lsu_leaves(const struct pipeline *pipe, uint64_t retired, uint64_t owned)
{
    return later(later(retired, owned), pipe->stores_gone);
}

/* Puts a store into the queue whose address is known in the given cycle; data: cycle in which it can be forwarded. */
INLINED void lsu_queue(struct vpmu *vpmu, uint64_t linear, uint32_t size, uint64_t address, uint64_t data,
                       uint64_t leaves)
{
    struct pipeline *pipe = &vpmu->pipe;
    struct store *store = &pipe->stores[++pipe->store_count & (STORE_QUEUE - 1)];
    struct granule latest = {leaves, store};
    uint64_t granule = linear >> GRANULE_SHIFT, last = (linear + size - 1) >> GRANULE_SHIFT;

    if (!vpmu->params->loads_pass)
        address = 0;
    *store = (struct store){linear, data, address, leaves, size};
    pipe->unknown = later(pipe->unknown, address);
    pipe->stores_gone = leaves;
    pipe->granules[granule & (GRANULES - 1)] = latest;
    while (granule < last)
        pipe->granules[++granule & (GRANULES - 1)] = latest;
}

/* ---------------------------------------------------------------- accesses of any kind */

/* One access of one op. 'bits' are those of IbsOpData3. */
struct access {
    uint64_t linear, physical;
    uint64_t bits;
    uint64_t looked_up; /* cycle in which it first looked up the cache and the TLB */
    uint64_t ready;     /* loads: cycle in which the data is there */
    uint64_t owned;     /* stores: cycle from which the line is owned, 0: at once */
    uint32_t latency;
    uint32_t refill; /* cycles beyond a hit in the L1 DTLB */
    uint16_t size;
    uint8_t page;   /* enum page_size */
    uint8_t source; /* enum cache_source */
    uint8_t extra;  /* loads: cycles from 'ready' to use */
    bool remote;    /* the line came from another node */
    bool waited;    /* loads: for the TLB or the cache */
};

/* Returns the cycle from which the line of a store that has looked it up is owned; 0: at once. */
INLINED uint64_t lsu_owned(struct dc_result found, uint64_t cycle)
{
    return found.ready > cycle + L1_LATENCY ? found.ready : 0;
}

/* Makes a load whose address is known in the given cycle; extra: as in lsu_forwarded(). */
void lsu_load(struct vpmu *vpmu, uint64_t rip, struct access *access, uint32_t size, uint64_t cycle, uint32_t extra);
/* Returns the cycle in which a locked load begins whose address is known in the given cycle: its op is the oldest one,
 * and no store is in the queue. */
uint64_t lsu_lock(const struct pipeline *pipe, uint64_t cycle);
/* Makes the store of an op; translated: the op's load has looked up the TLB and the cache already. */
void lsu_store(struct vpmu *vpmu, struct access *access, uint32_t size, uint64_t cycle, bool translated);

#endif
