/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/model/pipeline/loadstore.h"

struct lsu_port lsu_take_port_slow(struct vpmu *vpmu, uint64_t cycle, uint64_t linear)
{
    struct lsu_port port = {.cycle = cycle};

    for (;; port.cycle++) {
        struct port_use *use = &vpmu->pipe.port[port.cycle & (PORT_RING - 1)];
        bool used = use->cycle == port.cycle, full = used && use->count == DC_PORTS;

        if (full)
            continue;
        lsu_use_port(use, port.cycle, linear); /* the second load has taken the port, although it waits for the bank */
        if (!used || lsu_banks_differ(use, linear))
            return port;
        port.bits = VDATA3_LOAD_BANK;
        if (vpmu->config.free & FREE_BANKS)
            return port;
    }
}

static bool overlaps(const struct store *store, uint64_t linear, uint32_t size)
{
    return store->linear < linear + size && linear < store->linear + store->size;
}

/* Searches from the youngest. Stores leave the queue in order: all stores older than one that has left have left, too.
 */
const struct store *lsu_store_of(const struct vpmu *vpmu, uint64_t linear, uint32_t size, uint64_t cycle)
{
    const struct pipeline *pipe = &vpmu->pipe;

    for (uint32_t age = 0; age < STORE_QUEUE; age++) {
        const struct store *store = &pipe->stores[(pipe->store_count - age) & (STORE_QUEUE - 1)];

        if (store->retire < cycle)
            return NULL;
        if (overlaps(store, linear, size))
            return store;
    }
    return NULL;
}

/* Restarts the pipeline at a load that has passed a store to its bytes, once the address of this store is known: what
 * was dispatched from the load on is the path that it gave wrong data. Such a restart costs what a mispredicted branch
 * does (Linux' amdzen1 to amdzen3, ex_ret_brn_resync). Choice: the load is dispatched and tagged once, and the path
 * goes on without waiting for older ops. */
static void restart(struct vpmu *vpmu, uint64_t known)
{
    frontend_restart(vpmu, known + 1);
    vpmu->pipe.wrong_until = known + 1;
    vpmu->signals.resyncs++;
}

uint64_t lsu_pass(struct vpmu *vpmu, uint64_t rip, uint64_t linear, uint32_t size, uint64_t cycle)
{
    const struct store *store = lsu_store_of(vpmu, linear, size, cycle);
    bool *waits = predict_waits(&vpmu->predictor, rip), waited = *waits;

    *waits = store && store->address > cycle;
    if (waited || (*waits && vpmu->config.free & FREE_PREDICTION))
        return vpmu->config.free & FREE_FORWARDING ? cycle : vpmu->pipe.unknown;
    if (!*waits)
        return cycle;
    restart(vpmu, store->address);
    return vpmu->front.earliest + FRONT_DEPTH + 1;
}

uint64_t lsu_cancel(struct vpmu *vpmu, const struct store *store, uint64_t linear, uint32_t size)
{
    vpmu->signals.cancelled[store->linear != linear ? CANCEL_ADDRESS
                            : store->size < size    ? CANCEL_SIZE
                                                    : CANCEL_MISALIGNED]++;
    return store->retire + 1 + FORWARD_LATENCY - L1_LATENCY;
}

static enum page_size size_of(unsigned shift)
{
    return shift == 30 ? PAGE_1G : shift == 21 ? PAGE_2M : PAGE_4K;
}

struct lsu_translation lsu_translate_missed(struct vpmu *vpmu, uint64_t linear)
{
    static const uint32_t l2_hit[PAGE_SIZES] = {0, VDATA3_L2HIT_2M, VDATA3_L2HIT_1G};
    struct translation found;
    struct lsu_translation result = {.bits = VDATA3_L1TLB_MISS};

    tlbs_data_missed(&vpmu->tlbs, &vpmu->caches, &vpmu->config, linear, &found);
    result.physical = found.level == TLB_FAULT ? PHYSICAL_NONE : found.physical;
    result.cycles = found.cycles;
    if (found.level == TLB_L2) {
        vpmu->signals.dtlb_l2_hits[size_of(found.shift)]++;
        result.bits |= l2_hit[size_of(found.shift)];
    } else {
        vpmu->signals.dtlb_walks[size_of(found.shift)] += found.level == TLB_WALK;
        result.bits |= VDATA3_L2TLB_MISS;
    }
    return result;
}

struct dc_result lsu_look_up_slow(struct vpmu *vpmu, uint64_t physical, uint64_t cycle, bool store)
{
    struct dc_result result = {.ready = cycle + L1_LATENCY};

    if (physical != PHYSICAL_NONE)
        caches_data(&vpmu->caches, physical, cycle, store, &result);
    return result;
}

/* ---------------------------------------------------------------- accesses of any kind */

/* Returns the cycles for which a walk waits that could begin in the given cycle, with walks one after the other. */
static uint32_t walk_waits(struct pipeline *pipe, uint64_t cycle, uint32_t cycles)
{
    pipe->walk_begin = later(cycle, pipe->walk_over);
    pipe->walk_over = pipe->walk_begin + cycles;
    return (uint32_t)(pipe->walk_begin - cycle);
}

static void translate(struct vpmu *vpmu, struct access *access, uint64_t *cycle)
{
    static const uint32_t l1_hit[PAGE_SIZES] = {0, VDATA3_L1HIT_2M, VDATA3_L1HIT_1G};
    struct lsu_translation translation = lsu_translate(vpmu, access->linear);

    access->physical = translation.physical;
    access->bits |= translation.bits | VDATA3_LIN_VALID;
    if (translation.physical != PHYSICAL_NONE)
        access->bits |= VDATA3_PHY_VALID;
    if (!(translation.bits & VDATA3_L1TLB_MISS))
        access->bits |= l1_hit[vpmu->tlbs.recent.size];
    if (vpmu->config.walks != WALKS_OVERLAP && (translation.bits & VDATA3_L2TLB_MISS))
        translation.cycles += walk_waits(&vpmu->pipe, *cycle, translation.cycles);
    if (vpmu->config.free & FREE_DTLB)
        translation.cycles = 0;
    access->refill = translation.cycles;
    access->page = vpmu->tlbs.recent.size;
    *cycle += translation.cycles;
}

static struct dc_result look_up(struct vpmu *vpmu, struct access *access, uint64_t cycle, bool store)
{
    struct dc_result result = lsu_look_up(vpmu, access->physical, cycle, store);

    if (store)
        access->owned = lsu_owned(result, cycle);
    else if (vpmu->config.free & FREE_L1 && result.ready == cycle + L1_LATENCY)
        result.ready = cycle;
    return result;
}

static void use(struct access *access, struct dc_result result)
{
    access->ready = result.ready;
    if (!result.miss)
        return;
    access->bits |= lsu_miss_bits(result);
    access->latency = result.latency;
    access->source = result.source;
    access->remote = result.remote;
}

/* Looks up the upper part of an access that crosses a line: IBS reports the lower part alone, but the data is complete
 * with the later of the two. */
static void look_up_upper(struct vpmu *vpmu, struct access *access, uint32_t size, uint64_t cycle, bool store)
{
    struct access upper = {.linear = (access->linear + size - 1) & ~((1ull << LINE_SHIFT) - 1)};

    translate(vpmu, &upper, &cycle);
    use(&upper, look_up(vpmu, &upper, cycle, store));
    access->ready = later(access->ready, upper.ready);
    access->owned = later(access->owned, upper.owned);
}

static uint64_t take_port(struct vpmu *vpmu, struct access *access, uint64_t cycle)
{
    struct lsu_port port = lsu_take_port(vpmu, cycle, access->linear);

    access->bits |= port.bits;
    return port.cycle;
}

uint64_t lsu_lock(const struct pipeline *pipe, uint64_t cycle)
{
    return later(cycle, later(pipe->retire_cycle, pipe->stores_gone) + 1);
}

void lsu_load(struct vpmu *vpmu, uint64_t rip, struct access *access, uint32_t size, uint64_t cycle, uint32_t extra)
{
    bool misaligned = access->bits & VDATA3_MISALIGNED, locked = access->bits & VDATA3_LOCKED;
    bool waits = !(vpmu->config.free & FREE_FORWARDING);
    uint64_t begin = cycle = later(cycle, vpmu->pipe.fence), walked;
    const struct store *store;
    struct dc_result found;

    access->bits |= VDATA3_LOAD;
    translate(vpmu, access, &cycle);
    walked = cycle - begin;
    cycle = take_port(vpmu, access, cycle);
    access->looked_up = cycle - walked;
    if (misaligned && !(vpmu->config.free & FREE_BANKS)) /* one more access (CodeXL event description 047h) */
        cycle = take_port(vpmu, access, cycle + 1);
    if (!locked && vpmu->pipe.unknown > cycle)
        cycle = lsu_pass(vpmu, rip, access->linear, size, cycle);
    store = locked ? NULL : lsu_store_of(vpmu, access->linear, size, cycle); /* none is in the queue: lsu_lock() */
    if (store && !lsu_forwards(store, access->linear, size, misaligned)) {
        uint64_t again = lsu_cancel(vpmu, store, access->linear, size);

        access->bits |= VDATA3_CANCELLED;
        cycle = waits ? again : cycle;
        store = NULL;
    }
    found = look_up(vpmu, access, cycle, locked); /* the line is requested as for its store */
    access->extra = found.ready == cycle ? 0 : (uint8_t)extra;
    if (store && waits)
        access->bits |= lsu_take_bytes(store, cycle, extra, &found);
    else if (store && !found.miss)
        access->bits |= VDATA3_FORWARDED;
    use(access, found);
    if (locked && !(vpmu->config.free & FREE_LOCKS))
        access->ready += LOCK_CYCLES - L1_LATENCY - LOCK_REST;
    access->waited = walked || access->bits & VDATA3_MISS;
    if (lsu_crosses(access->linear, size, 1 << LINE_SHIFT))
        look_up_upper(vpmu, access, size, cycle, false);
}

/* Looks up the store's line. Its wait is reported nowhere: IbsDcMissLat is not valid for stores. */
void lsu_store(struct vpmu *vpmu, struct access *access, uint32_t size, uint64_t cycle, bool translated)
{
    access->bits |= VDATA3_STORE;
    if (!translated)
        translate(vpmu, access, &cycle);
    if (access->bits & VDATA3_WC) /* streaming store: to the write-combining buffer, past the caches */
        return;
    if (!translated)
        use(access, look_up(vpmu, access, cycle, true));
    else if (access->bits & VDATA3_PHY_VALID)
        access->owned = caches_modify(&vpmu->caches, access->physical, access->ready);
    if (lsu_crosses(access->linear, size, 1 << LINE_SHIFT))
        look_up_upper(vpmu, access, size, cycle, true);
}
