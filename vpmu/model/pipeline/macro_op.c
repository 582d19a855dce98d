/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/model/pipeline/macro_op.h"

void op_count_unusual(struct truth *truth, struct truth_row *row, uint64_t bits, uint32_t latency)
{
    struct truth_rare *rare = &truth->rare[row - truth->rows];

    rare->misaligned += (bits & VDATA3_MISALIGNED) != 0;
    if (bits & VDATA3_L1TLB_MISS) {
        row->l1m_l2h += (bits & VDATA3_L2TLB_MISS) == 0;
        row->l1m_l2m += (bits & VDATA3_L2TLB_MISS) != 0;
    }
    if (bits & VDATA3_LOAD) {
        row->forwarded += (bits & VDATA3_FORWARDED) != 0;
        row->cancelled += (bits & VDATA3_CANCELLED) != 0;
        rare->bank_conflicts += (bits & VDATA3_LOAD_BANK) != 0;
    }
    if (bits & VDATA3_MISS) {
        row->mab_hits += (bits & VDATA3_MAB_HIT) != 0;
        if (bits & VDATA3_LOAD) {
            row->load_misses++;
            row->miss_cycles += latency;
        } else {
            row->store_misses++;
        }
    }
}

static void count_access(struct truth *truth, struct truth_row *row, const struct access *access)
{
    if (access->bits & VDATA3_LOAD)
        row->loads++;
    if (access->bits & VDATA3_STORE)
        row->stores++;
    if (access->bits & ~USUAL_BITS)
        op_count_unusual(truth, row, access->bits, access->latency);
}

/* Counts for the performance events of the data cache. 'cycle': when the address was known. */
static void signal_access(struct vpmu *vpmu, uint32_t size, const struct access *access, uint64_t cycle)
{
    struct signals *signals = &vpmu->signals;
    bool load = access->bits & VDATA3_LOAD, misaligned = access->bits & VDATA3_MISALIGNED;
    uint32_t accesses = (uint32_t)load + ((access->bits & VDATA3_STORE) != 0);

    vpmu->pipe.access_cycle = load ? access->ready - access->latency : cycle;
    if (access->bits & VDATA3_WC) {
        signals->streaming_stores++;
        return;
    }
    signals->misaligned += misaligned ? accesses : 0;
    signals->dc_accesses += accesses * ((size > 8 ? 2 : 1) + misaligned);
}

/* Returns the cycle in which all of the registers can be used, not before the given one. */
static uint64_t registers_ready(const struct pipeline *pipe, uint64_t registers, uint64_t cycle)
{
    for (; registers; registers &= registers - 1)
        cycle = later(cycle, pipe->ready[__builtin_ctzll(registers)]);
    return cycle;
}

/* Returns the cycle from which an operand's address is known. */
static uint64_t address_ready(const struct pipeline *pipe, const struct insn_mem *mem, uint64_t cycle)
{
    if (mem->base < 16)
        cycle = later(cycle, pipe->ready[mem->base]);
    if (mem->index < 16)
        cycle = later(cycle, pipe->ready[mem->index]);
    return cycle;
}

/* Returns the cycle in which an access begins: when its address is known, but for the rules of struct vpmu_config. */
static uint64_t access_allowed(const struct vpmu *vpmu, uint64_t cycle)
{
    const struct pipeline *pipe = &vpmu->pipe;

    if (vpmu->config.lookups_in_order)
        cycle = later(cycle, pipe->looked_up);
    if (vpmu->config.walks == WALKS_ALONE && cycle >= pipe->walk_begin)
        cycle = later(cycle, pipe->walk_over);
    return cycle;
}

/* Issues a micro-op of the last dispatched op in the cycle in which its operands are there, but for the rules of
 * struct vpmu_config. */
static uint64_t issue(struct vpmu *vpmu, enum station_unit unit, uint64_t cycle)
{
    struct pipeline *pipe = &vpmu->pipe;
    uint64_t *latest = &pipe->issued[pipe->slots - 1][vpmu->config.issue == ISSUE_LANES ? 0 : unit];

    if (vpmu->config.issue == ISSUE_ANY)
        return cycle;
    return *latest = later(*latest, cycle);
}

static void registers_written(struct pipeline *pipe, const struct insn_info *info, uint64_t cycle)
{
    for (uint64_t left = info->writes; left; left &= left - 1)
        pipe->ready[__builtin_ctzll(left)] = cycle;
    if (info->writes_x87)
        x87_written(pipe, cycle);
}

static uint64_t saturated(uint64_t cycles)
{
    return cycles < 0xFFFF ? cycles : 0xFFFF;
}

/* Returns the misses under way when this one began, without itself; for a hit on a line in flight, with that line's.
 */
static uint8_t open_misses(const struct vpmu *vpmu, const struct access *access)
{
    uint64_t begin = access->ready - access->latency;
    uint8_t open = 0;

    if (!(access->bits & VDATA3_MISS))
        return 0;
    for (uint32_t i = 0; i < MAB_COUNT; i++)
        open += vpmu->caches.mab[i] > begin;
    return open && !(access->bits & VDATA3_MAB_HIT) ? open - 1 : open;
}

/* Fills the registers that later families have. */
static void fill_facts(struct vpmu *vpmu, const struct announced *insn, const struct access *access)
{
    struct op_facts *facts = &vpmu->ibs.candidate.facts;

    *facts = (struct op_facts){.next = insn->other->rip, .vector = insn->info->vector};
    if (!access)
        return;
    facts->refill = access->refill;
    facts->size = access->size;
    facts->open = open_misses(vpmu, access);
    facts->page = access->page;
    facts->source = access->source;
    facts->remote = access->remote;
}

static void fill_sample(struct vpmu *vpmu, uint64_t rip, const struct access *access, uint64_t complete,
                        uint64_t retired, uint64_t branch)
{
    struct op_sample *sample = &vpmu->ibs.candidate;

    sample->rip = rip;
    sample->data =
        saturated(retired - complete) | (saturated(retired - vpmu->ibs.tag_cycle) << VDATA_TAG_SHIFT) | branch;
    sample->data2 = 0;
    sample->data3 = 0;
    sample->dc_linear = sample->dc_physical = 0;
    if (!access)
        return;
    sample->data3 = access->bits; /* bit 19 needs an L2 DTLB with 1 GB entries, which revision B has not */
    sample->dc_linear = access->linear;
    if (access->bits & VDATA3_PHY_VALID)
        sample->dc_physical = access->physical & vpmu->params->physical_mask;
    if ((access->bits & VDATA3_LOAD) && (access->bits & VDATA3_MISS)) {
        sample->data3 |= saturated(access->latency) << VDATA3_LAT_SHIFT;
        /* NbIbsReqSrc: 1 = L3, 2 = another core's cache, 3 = DRAM; an L2 hit did not reach the northbridge.
         * Bit 4, NbIbsReqDstProc: 1 = another node had it. Bit 5, NbIbsReqCacheHitSt: 0 = modified, 1 = owned. */
        static const uint8_t northbridge[CACHE_SOURCES] = {
            [SOURCE_L3] = 1, [SOURCE_DRAM] = 3, [SOURCE_MODIFIED] = 2, [SOURCE_OWNED] = 2 | VDATA2_OWNED};
        sample->data2 = northbridge[access->source] | (access->remote ? VDATA2_REMOTE : 0);
    }
}

static uint64_t execute(struct vpmu *vpmu, const struct announced *insn, uint32_t op, bool last, uint64_t after,
                        uint64_t branch, bool counted, bool tagged)
{
    const struct insn_info *info = insn->info;
    struct pipeline *pipe = &vpmu->pipe;
    bool depends = !(vpmu->config.free & FREE_DEPENDENCES), locks = !(vpmu->config.free & FREE_LOCKS);
    uint64_t next = pipe->cycle + 1, cycle = depends ? later(next, after) : next, retired;
    struct access_times times = NO_ACCESS, store_times = NO_ACCESS;
    struct access access, second, *made = NULL;
    const struct access *stored =
        NULL; /* goes into the queue, and from there to the cache or the write-combining buffers */

    for (uint32_t i = 0; i < info->mems; i++) {
        const struct insn_mem *mem = &info->mem[i];
        struct access *to = made ? &second : &access; /* IBS reports one access of an op: the first */
        bool store = mem->flags & CODEMAP_STORE;
        uint64_t known;

        if (mem->op != op && !(op == 0 && last))
            continue;
        times.address = issue(vpmu, UNIT_ADDRESS, depends ? address_ready(pipe, mem, next) : next);
        known = times.looks_up = access_allowed(vpmu, times.address);
        *to = (struct access){.linear = insn->linear[i], .bits = mem->bits, .size = mem->size};
        if (lsu_crosses(to->linear, mem->size, 16))
            to->bits |= VDATA3_MISALIGNED;
        if (mem->flags & CODEMAP_LOAD) {
            if (mem->bits & VDATA3_LOCKED) {
                known = locks ? lsu_lock(pipe, known) : known;
                combine_flush(&vpmu->caches, known);
            }
            lsu_load(vpmu, insn->rip, to, mem->size, known, info->load_extra);
            times.looks_up = to->looked_up;
            if (to->waited && !store)
                times.looks_up = ls2_enter(pipe, to->looked_up, to->ready);
            cycle = later(cycle, to->ready + to->extra);
        }
        if (store) {
            lsu_store(vpmu, to, mem->size, known, (mem->flags & CODEMAP_LOAD) != 0);
            stored = to;
            store_times = times;
            times = NO_ACCESS;
        }
        pipe->looked_up = later(pipe->looked_up, known);
        count_access(&vpmu->truth, info->row, to);
        if (counted)
            signal_access(vpmu, mem->size, to, known);
        made = &access;
    }
    if (depends)
        cycle = registers_ready(pipe, info->reads, cycle);
    if (info->holds == HELD_STATION)
        cycle = issue(vpmu, UNIT_INTEGER, cycle);
    if (last)
        cycle = unit_from(pipe, info, cycle);
    op_issues(pipe, info, times, cycle);
    if (last) {
        cycle += info->latency;
        registers_written(pipe, info, cycle);
    } else {
        cycle += !(vpmu->config.free & FREE_EXECUTION);
    }
    retired = op_retire(vpmu, info, cycle, counted);
    if (stored) {
        bool twice = (stored->bits & VDATA3_MISALIGNED) && !(vpmu->config.free & FREE_BANKS);
        uint64_t owned = vpmu->config.free & FREE_STORES ? 0 : stored->owned;
        uint64_t leaves = lsu_leaves(pipe, retired, owned) + twice;
        bool streams = stored->bits & VDATA3_WC;

        if (streams && (stored->bits & VDATA3_PHY_VALID))
            leaves = combine_store(&vpmu->caches, stored->physical, stored->size, leaves);
        store_enters(pipe, info, store_times, leaves);
        if (streams) /* no load gets its bytes */
            pipe->stores_gone = leaves;
        else
            lsu_queue(vpmu, stored->linear, stored->size, store_times.address, cycle, leaves);
        if (locks && stored->bits & VDATA3_LOCKED) {
            pipe->fence = leaves;
            caches_hold(&vpmu->caches, stored->physical, leaves);
        }
    }
    if (tagged) {
        fill_sample(vpmu, insn->rip, made, cycle, retired, last ? branch : 0);
        fill_facts(vpmu, insn, made);
        if (!vpmu->ibs.line_tagged)
            ibs_op_retired(&vpmu->ibs);
    }
    return cycle;
}

/* Executes a 'simple' instruction with an aligned operand and no tag. Mostly calls and returns: model_speed's
 * "ibs-calls" takes 333 host instructions a step with this function, 378 without. */
INLINED uint64_t execute_simple(struct vpmu *vpmu, const struct announced *insn, uint32_t op, bool last, uint64_t after,
                                bool counted)
{
    const struct insn_info *info = insn->info;
    struct pipeline *pipe = &vpmu->pipe;
    bool access = info->mems && info->mem[0].op == op, store = access && info->mem[0].flags == CODEMAP_STORE;
    uint64_t cycle = later(pipe->cycle + 1, after), owned = 0;
    struct access_times times = NO_ACCESS, loads = NO_ACCESS;

    if (access) {
        struct lsu_translation translation = lsu_translate(vpmu, insn->linear[0]);

        times.address = times.looks_up = op_address_ready(pipe, info);
        if (store) {
            owned = op_store(vpmu, insn, translation, times.address);
            info->row->stores++;
            if (counted)
                op_signal_usual(vpmu, times.address);
        } else {
            cycle = later(cycle, op_load(vpmu, insn, translation,
                                         op_take_port(vpmu, insn->linear[0], times.address, translation.cycles), &times,
                                         false, counted));
            loads = times;
        }
    }
    cycle =
        last ? op_complete(vpmu, info, loads, cycle, counted) : op_complete_inner(vpmu, info, loads, cycle, counted);
    if (store)
        op_queue(vpmu, info, insn->linear[0], times, cycle, owned);
    return cycle;
}

uint64_t op_run(struct vpmu *vpmu, const struct announced *insn, uint32_t op, uint64_t after, uint64_t branch,
                bool counted)
{
    const struct insn_info *info = insn->info;
    bool last = op + 1 == info->ops, tagged;

    dispatch(vpmu, info, op);
    tagged = ibs_op_counted(&vpmu->ibs) && ibs_op_tagged(&vpmu->ibs, vpmu->pipe.cycle);
    if (USUALLY(info->simple && !tagged) && !(insn->linear[0] & info->mem[0].unaligned))
        return execute_simple(vpmu, insn, op, last, after, counted);
    return execute(vpmu, insn, op, last, after, branch, counted, tagged);
}

uint64_t op_execute(struct vpmu *vpmu, const struct announced *insn, uint64_t branch, bool may_be_tagged, bool counted)
{
    bool tagged = may_be_tagged && ibs_op_tagged(&vpmu->ibs, vpmu->pipe.cycle);

    return execute(vpmu, insn, 0, true, 0, branch, counted, tagged);
}
