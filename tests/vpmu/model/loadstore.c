#include "tests/vpmu/model/loadstore.h"

#include "tests/vpmu/model/state.h"

/* The first cycle from 'cycle' on with a free port. Two loads of one cycle must not use the same bank of different
 * lines: 8 banks of 8 bytes, bits 5:3, index bits 14:6 (SOG-K8 section 5.9; no document for this family's 128-bit banks
 * was found). */
static inline uint64_t take_port(struct pipeline *pipe, uint64_t cycle, uint64_t linear, uint64_t *bits)
{
    for (;; cycle++) {
        uint32_t at = (uint32_t)cycle & (PORT_RING - 1);

        if (pipe->port[at].cycle != cycle) {
            pipe->port[at].cycle = cycle;
            pipe->port[at].linear = linear;
            pipe->port[at].count = 1;
            return cycle;
        }
        if (pipe->port[at].count == DC_PORTS)
            continue;
        pipe->port[at].count = DC_PORTS;
        if (((pipe->port[at].linear ^ linear) & 0x38) != 0 || ((pipe->port[at].linear ^ linear) & 0x7FC0) == 0)
            return cycle;
        *bits |= VDATA3_LOAD_BANK;
    }
}

static bool overlaps(const struct store *store, uint64_t linear, uint32_t size)
{
    return store->linear < linear + size && linear < store->linear + store->size;
}

/* Youngest first. */
static const struct store *search_stores(const struct pipeline *pipe, uint64_t linear, uint32_t size)
{
    for (uint32_t age = 0; age < STORE_QUEUE; age++) {
        const struct store *store = &pipe->stores[(pipe->store_count - age) & (STORE_QUEUE - 1)];

        if (overlaps(store, linear, size))
            return store;
    }
    return NULL;
}

/*
 * The youngest of the last STORE_QUEUE stores that has bytes of the load. The granule table answers nearly always: when
 * the latest store that fell on a slot is out of the queue, so are all before it. Only when a store in the queue has
 * hidden others, by the same slot or a part of the same granule, must the queue be searched.
 */
static inline const struct store *youngest_store(const struct pipeline *pipe, uint64_t linear, uint32_t size)
{
    const struct store *found = NULL;
    uint32_t best = STORE_QUEUE;

    for (uint64_t granule = linear >> GRANULE_SHIFT; granule <= (linear + size - 1) >> GRANULE_SHIFT; granule++) {
        uint32_t at = (uint32_t)granule & (GRANULES - 1), age = pipe->store_count - pipe->granules[at].store;
        const struct store *store = &pipe->stores[pipe->granules[at].store & (STORE_QUEUE - 1)];

        if (age >= STORE_QUEUE)
            continue;
        if (pipe->granules[at].granule != granule || !overlaps(store, linear, size))
            return search_stores(pipe, linear, size);
        if (age < best) {
            found = store;
            best = age;
        }
    }
    return found;
}

static enum page_size size_of(unsigned shift)
{
    return shift == 30 ? PAGE_1G : shift == 21 ? PAGE_2M : PAGE_4K;
}

static void translate_slow(struct vpmu *vpmu, struct access *access, uint64_t *cycle)
{
    struct translation translation;

    tlbs_data(&vpmu->tlbs, &vpmu->caches, &vpmu->config, access->linear, &translation);
    access->physical = translation.physical;
    access->bits |= VDATA3_LIN_VALID;
    if (translation.level != TLB_FAULT)
        access->bits |= VDATA3_PHY_VALID;
    *cycle += translation.cycles;
    switch (translation.level) {
    case TLB_L1:
        vpmu->signals.dtlb_hits[size_of(translation.shift)]++;
        access->bits |= translation.shift == 21 ? VDATA3_L1HIT_2M : translation.shift == 30 ? VDATA3_L1HIT_1G : 0;
        break;
    case TLB_L2:
        vpmu->signals.dtlb_l2_hits[size_of(translation.shift)]++;
        access->bits |= VDATA3_L1TLB_MISS;
        access->bits |= translation.shift == 21 ? VDATA3_L2HIT_2M : translation.shift == 30 ? VDATA3_L2HIT_1G : 0;
        break;
    default:
        vpmu->signals.dtlb_walks[size_of(translation.shift)] += translation.level == TLB_WALK;
        access->bits |= VDATA3_L1TLB_MISS | VDATA3_L2TLB_MISS;
        break;
    }
}

static inline void translate_access(struct vpmu *vpmu, struct access *access, uint64_t *cycle)
{
    if (tlbs_recent_4k(&vpmu->tlbs, access->linear, &access->physical)) {
        vpmu->signals.dtlb_hits[PAGE_4K]++;
        access->bits |= VDATA3_LIN_VALID | VDATA3_PHY_VALID;
    } else {
        translate_slow(vpmu, access, cycle);
    }
}

static inline void look_up(struct vpmu *vpmu, struct access *access, uint64_t cycle, bool store)
{
    struct dc_result result;

    access->ready = cycle + L1_LATENCY;
    if (!(access->bits & VDATA3_PHY_VALID) || caches_plain_hit(&vpmu->caches, access->physical, cycle, store))
        return;
    caches_data(&vpmu->caches, access->physical, cycle, store, &result);
    access->ready = result.ready;
    if (result.miss) {
        access->bits |= VDATA3_MISS | (result.mab_hit ? VDATA3_MAB_HIT : 0);
        access->latency = result.latency;
        access->source = result.source;
        access->remote = result.remote;
    }
}

/* The upper part of an access that crosses a line: IBS reports the lower part alone, but the data is there with the
 * later one. */
static void look_up_upper(struct vpmu *vpmu, struct access *access, uint32_t size, uint64_t cycle, bool store)
{
    struct access upper = {.linear = (access->linear + size - 1) & ~((1ull << LINE_SHIFT) - 1)};

    translate_access(vpmu, &upper, &cycle);
    look_up(vpmu, &upper, cycle, store);
    if (upper.ready > access->ready)
        access->ready = upper.ready;
}

void lsu_load(struct vpmu *vpmu, struct access *access, uint32_t size, uint64_t cycle)
{
    const struct store *store;

    access->bits |= VDATA3_LOAD;
    translate_access(vpmu, access, &cycle);
    cycle = take_port(&vpmu->pipe, cycle, access->linear, &access->bits);
    if (access->bits & VDATA3_MISALIGNED) /* one more access (CodeXL event description 047h) */
        cycle = take_port(&vpmu->pipe, cycle + 1, access->linear, &access->bits);
    store = youngest_store(&vpmu->pipe, access->linear, size);
    if (store && store->retire < cycle) /* it has left the queue for the cache */
        store = NULL;
    /* Cancelled: another first byte, a smaller store, or misaligned (F10h event 02Ah); the load waits until the store
     * has left the queue for the cache. */
    if (store && (store->linear != access->linear || store->size < size || (access->bits & VDATA3_MISALIGNED))) {
        access->bits |= VDATA3_CANCELLED;
        vpmu->signals.cancelled[store->linear != access->linear ? CANCEL_ADDRESS
                                : store->size < size            ? CANCEL_SIZE
                                                                : CANCEL_MISALIGNED]++;
        cycle = store->retire + 1;
        store = NULL;
    }
    look_up(vpmu, access, cycle, false);
    if (lsu_crosses(access->linear, size, LINE_SHIFT))
        look_up_upper(vpmu, access, size, cycle, false);
    if (store) {
        access->bits |= VDATA3_FORWARDED;
        access->ready = (store->data > cycle ? store->data : cycle) + L1_LATENCY;
    }
}

void lsu_queue(struct pipeline *pipe, uint64_t linear, uint32_t size, uint64_t data, uint64_t retired)
{
    uint32_t number = ++pipe->store_count;

    pipe->stores[number & (STORE_QUEUE - 1)] = (struct store){linear, data, retired, size};
    for (uint64_t granule = linear >> GRANULE_SHIFT; granule <= (linear + size - 1) >> GRANULE_SHIFT; granule++) {
        pipe->granules[granule & (GRANULES - 1)].granule = granule;
        pipe->granules[granule & (GRANULES - 1)].store = number;
    }
}

/* Looks the store's line up; what it waits for is nobody's latency (IbsDcMissLat is not valid for stores). */
void lsu_store(struct vpmu *vpmu, struct access *access, uint32_t size, uint64_t cycle, bool translated)
{
    access->bits |= VDATA3_STORE;
    if (!translated)
        translate_access(vpmu, access, &cycle);
    if (access->bits & VDATA3_WC) /* streaming store: to the write-combining buffer, past the caches */
        return;
    if (!translated)
        look_up(vpmu, access, cycle, true);
    else if (access->bits & VDATA3_PHY_VALID)
        caches_modify(&vpmu->caches, access->physical);
    if (lsu_crosses(access->linear, size, LINE_SHIFT))
        look_up_upper(vpmu, access, size, cycle, true);
}
