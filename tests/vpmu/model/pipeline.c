#include "tests/vpmu/model/loadstore.h"
#include "tests/vpmu/model/state.h"

/* ---------------------------------------------------------------- dispatch */

/* The first of the cycles in which a cycle-mode tag can fall on the line that is dispatched in pipe->cycle. */
static uint64_t first_chance(const struct vpmu *vpmu)
{
    return vpmu->config.tag_stalled ? vpmu->pipe.from : vpmu->pipe.cycle;
}

static inline void count_span(struct span *span, uint64_t cycles)
{
    span->cycles += cycles;
    span->times++;
}

/* A finished line: its cycles belong to its ops in equal parts. */
static void end_line(struct vpmu *vpmu)
{
    static const uint8_t sixths[DISPATCH_WIDTH + 1] = {0, 6, 3, 2};
    struct pipeline *pipe = &vpmu->pipe;
    uint64_t share = (pipe->cycle - first_chance(vpmu) + 1) * sixths[pipe->slots];

    for (uint32_t i = 0; i < pipe->slots; i++)
        pipe->members[i]->dispatch_sixths += share;
    ibs_line_end(&vpmu->ibs);
}

/* Nothing came from the decoder between 'next' and the line that begins. But until a mispredicted branch is executed,
 * the decoder has ops of the wrong path to dispatch, which are not modelled. */
static void count_empty(struct vpmu *vpmu, uint64_t next)
{
    struct pipeline *pipe = &vpmu->pipe;
    uint64_t since = pipe->wrong_until > next ? pipe->wrong_until : next;

    if (pipe->from <= since)
        return;
    vpmu->truth.totals.decoder_empty += pipe->from - since;
    vpmu->signals.empties++;
}

static void begin_line(struct vpmu *vpmu, uint64_t available)
{
    struct pipeline *pipe = &vpmu->pipe;
    uint64_t next = pipe->cycle + 1, oldest;

    end_line(vpmu);
    pipe->from = available > next ? available : next;
    count_empty(vpmu, next);
    pipe->line = pipe->line + 1 == ROB_LINES ? 0 : pipe->line + 1;
    oldest = pipe->line_retire[pipe->line]; /* the line that has this place now must have retired */
    pipe->cycle = pipe->from;
    /* Behind a mispredicted branch the pipe must have drained: by then there is a free line, too. */
    if (pipe->abort >= pipe->from) {
        pipe->cycle = pipe->abort + 1;
        count_span(&vpmu->signals.aborting, pipe->cycle - pipe->from);
    } else if (oldest >= pipe->from) {
        pipe->cycle = oldest + 1;
        count_span(&vpmu->signals.rob_full, pipe->cycle - pipe->from);
    }
    pipe->slots = 0;
    pipe->closed = false;
    ibs_line(&vpmu->ibs, first_chance(vpmu), pipe->cycle);
}

static inline void dispatch(struct vpmu *vpmu, struct truth_row *row, uint64_t available)
{
    struct pipeline *pipe = &vpmu->pipe;

    if (pipe->slots == DISPATCH_WIDTH || pipe->closed || available > pipe->cycle)
        begin_line(vpmu, available);
    pipe->members[pipe->slots++] = row;
}

static inline uint64_t retire(struct pipeline *pipe, uint64_t complete)
{
    if (complete + 1 > pipe->retire_cycle) {
        pipe->retire_cycle = complete + 1;
        pipe->retire_count = 1;
    } else if (pipe->retire_count == RETIRE_WIDTH) {
        pipe->retire_cycle++;
        pipe->retire_count = 1;
    } else {
        pipe->retire_count++;
    }
    pipe->line_retire[pipe->line] = pipe->retire_cycle;
    return pipe->retire_cycle;
}

void pipeline_drain(struct vpmu *vpmu, struct span *stall)
{
    struct pipeline *pipe = &vpmu->pipe;

    end_line(vpmu);
    pipe->slots = 0;
    pipe->closed = true;
    if (pipe->cycle < pipe->retire_cycle) {
        count_span(stall, pipe->retire_cycle - pipe->cycle);
        pipe->cycle = pipe->retire_cycle;
    }
    pipe->from = pipe->cycle + 1; /* an empty line: no share of any cycle */
    frontend_restart(vpmu, pipe->cycle);
}

/* ---------------------------------------------------------------- one macro-op */

static inline uint64_t latest(const struct pipeline *pipe, uint64_t registers, uint64_t cycle)
{
    for (; registers; registers &= registers - 1) {
        uint64_t ready = pipe->ready[__builtin_ctzll(registers)];

        cycle = ready > cycle ? ready : cycle;
    }
    return cycle;
}

static inline uint64_t address_ready(const struct pipeline *pipe, const struct insn_mem *mem, uint64_t cycle)
{
    if (mem->base < 16 && pipe->ready[mem->base] > cycle)
        cycle = pipe->ready[mem->base];
    if (mem->index < 16 && pipe->ready[mem->index] > cycle)
        cycle = pipe->ready[mem->index];
    return cycle;
}

/* What most accesses have; the rest is looked at only when there is more. */
#define USUAL_BITS (VDATA3_LOAD | VDATA3_STORE | VDATA3_LIN_VALID | VDATA3_PHY_VALID)

static void count_unusual(struct truth *truth, struct truth_row *row, const struct access *access)
{
    uint64_t bits = access->bits;

    row->misaligned += (bits & VDATA3_MISALIGNED) != 0;
    if (bits & VDATA3_L1TLB_MISS) {
        row->l1m_l2h += (bits & VDATA3_L2TLB_MISS) == 0;
        row->l1m_l2m += (bits & VDATA3_L2TLB_MISS) != 0;
    }
    if (bits & VDATA3_LOAD) {
        row->forwarded += (bits & VDATA3_FORWARDED) != 0;
        row->cancelled += (bits & VDATA3_CANCELLED) != 0;
        truth->bank_conflicts[row - truth->rows] += (bits & VDATA3_LOAD_BANK) != 0;
    }
    if (bits & VDATA3_MISS) {
        row->mab_hits += (bits & VDATA3_MAB_HIT) != 0;
        if (bits & VDATA3_LOAD) {
            row->load_misses++;
            row->miss_cycles += access->latency;
        } else {
            row->store_misses++;
        }
    }
}

static inline void count_access(struct truth *truth, struct truth_row *row, const struct access *access)
{
    if (access->bits & VDATA3_LOAD)
        row->loads++;
    if (access->bits & VDATA3_STORE)
        row->stores++;
    if (access->bits & ~USUAL_BITS)
        count_unusual(truth, row, access);
}

/* For the performance events of the data cache. 'cycle': when the address was known. */
static inline void signal_access(struct vpmu *vpmu, const struct insn_mem *mem, const struct access *access,
                                 uint64_t cycle)
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
    signals->dc_accesses += accesses * ((mem->size > 8 ? 2 : 1) + misaligned);
}

static uint64_t saturated(uint64_t cycles)
{
    return cycles < 0xFFFF ? cycles : 0xFFFF;
}

static void fill_sample(struct vpmu *vpmu, const struct access *access, uint64_t complete, uint64_t retired,
                        uint64_t branch)
{
    struct op_sample *sample = &vpmu->ibs.candidate;

    sample->rip = vpmu->pending.rip;
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
        sample->dc_physical = access->physical & VPHYS_MASK;
    if ((access->bits & VDATA3_LOAD) && (access->bits & VDATA3_MISS)) {
        sample->data3 |= saturated(access->latency) << VDATA3_LAT_SHIFT;
        /* NbIbsReqSrc: 1 = L3, 2 = another core's cache, 3 = DRAM; an L2 hit did not reach the northbridge.
         * Bit 4, NbIbsReqDstProc: 1 = another node had it. Bit 5, NbIbsReqCacheHitSt: 0 = modified, 1 = owned. */
        static const uint8_t northbridge[CACHE_SOURCES] = {
            [SOURCE_L3] = 1, [SOURCE_DRAM] = 3, [SOURCE_MODIFIED] = 2, [SOURCE_OWNED] = 2 | 1 << 5};
        sample->data2 = northbridge[access->source] | (access->remote ? VDATA2_REMOTE : 0);
    }
}

/* IbsOpData 37:32 of an instruction's last op. */
static uint64_t branch_bits(const struct branch *branch, enum branch_result result, bool serial)
{
    uint64_t bits = serial ? VDATA_RESYNC : 0;

    if (branch->kind == CODEMAP_BR_NONE)
        return bits;
    bits |= VDATA_BRANCH | (branch->taken ? VDATA_TAKEN : 0) | (result == BRANCH_WRONG ? VDATA_MISP : 0);
    if (branch->kind == CODEMAP_BR_RETURN)
        bits |= VDATA_RETURN | (result == BRANCH_WRONG ? VDATA_MISP_RETURN : 0);
    return bits;
}

/* Runs op number 'op' of the instruction, 'last' when there is none behind it. 'after': cycle in which the op before it
 * completed. Returns when this one does. Inlined, because most instructions have one op and the compiler then knows. */
static inline __attribute__((always_inline)) uint64_t run_op(struct vpmu *vpmu, const struct insn_info *info,
                                                             uint32_t op, bool last, uint64_t available, uint64_t after,
                                                             uint64_t branch, bool counted)
{
    struct pipeline *pipe = &vpmu->pipe;
    struct truth_row *row = vpmu->pending.row;
    bool tagged;
    uint64_t issue, execute, retired;
    struct access access, *made = NULL;
    uint64_t store_linear = 0;
    uint32_t stored = 0;

    dispatch(vpmu, row, available);
    tagged = ibs_op_dispatched(&vpmu->ibs, pipe->cycle);
    issue = pipe->cycle + 1;
    execute = after > issue ? after : issue;

    for (uint32_t i = 0; i < info->mems; i++) {
        const struct insn_mem *mem = &info->mem[i];
        uint64_t cycle;
        struct access second, *to;

        if (mem->op != op && !(op == 0 && last))
            continue;
        cycle = address_ready(pipe, mem, issue);
        to = made ? &second : &access; /* IBS has room for one: the first */
        to->linear = vpmu->pending.linear[i];
        to->bits = mem->bits;
        to->latency = 0;
        if (lsu_crosses(to->linear, mem->size, 4))
            to->bits |= VDATA3_MISALIGNED;
        if (mem->flags & CODEMAP_LOAD) {
            uint64_t data;

            lsu_load(vpmu, to, mem->size, cycle);
            data = to->ready + info->load_extra;
            execute = data > execute ? data : execute;
        }
        if (mem->flags & CODEMAP_STORE) {
            lsu_store(vpmu, to, mem->size, cycle, (mem->flags & CODEMAP_LOAD) != 0);
            stored = to->bits & VDATA3_WC ? 0 : mem->size;
            store_linear = to->linear;
        }
        count_access(&vpmu->truth, row, to);
        if (counted)
            signal_access(vpmu, mem, to, cycle);
        made = &access;
    }

    execute = latest(pipe, info->reads, execute);
    if (last) {
        execute += info->latency;
        for (uint64_t writes = info->writes; writes; writes &= writes - 1) {
            uint32_t reg = (uint32_t)__builtin_ctzll(writes);

            /* A push leaves the rest of the x87 stack as it was: what is ready last counts. */
            if (reg != CODEMAP_DEP_X87 || execute > pipe->ready[reg])
                pipe->ready[reg] = execute;
        }
    } else {
        execute++;
    }
    retired = retire(pipe, execute);
    if (counted)
        pmc_op_retired(&vpmu->pmc, pipe->retire_count, retired);
    if (stored)
        lsu_queue(pipe, store_linear, stored, execute, retired);
    if (tagged) {
        fill_sample(vpmu, made, execute, retired, last ? branch : 0);
        if (!vpmu->ibs.line_tagged)
            ibs_op_retired(&vpmu->ibs);
    }
    return execute;
}

static void signal_branch(struct signals *signals, const struct branch *branch, enum branch_result result)
{
    bool wrong = result == BRANCH_WRONG;

    signals->branches++;
    signals->taken += branch->taken;
    signals->mispredicted += wrong;
    signals->taken_mispredicted += branch->taken && wrong;
    if (branch->kind == CODEMAP_BR_RETURN) {
        signals->returns++;
        signals->returns_mispredicted += wrong;
    } else if (branch->kind == CODEMAP_BR_JUMP_INDIRECT || branch->kind == CODEMAP_BR_CALL_INDIRECT) {
        signals->indirect_mispredicted += wrong;
    }
}

/* A return out of the map to a call that nobody told of: the processor's return stack has it, this one cannot. */
static bool returns_outside(const struct vpmu *vpmu, const struct branch *branch)
{
    return branch->kind == CODEMAP_BR_RETURN && vpmu->predictor.depth == 0 &&
           codemap_find(vpmu->config.map, branch->target - vpmu->config.image_base) < 0;
}

/* Branches, serialising instructions, several ops, and what is outside of the map. */
static void run_special(struct vpmu *vpmu, const struct insn_info *info, uint64_t next_rip, uint64_t available,
                        bool counted)
{
    bool outside = vpmu->pending.index == vpmu->config.map->insn_count;
    struct truth_row *row = vpmu->pending.row;
    struct branch branch = {.kind = info->branch,
                            .rip = vpmu->pending.rip,
                            .fall_through = vpmu->pending.rip + info->length,
                            .target = next_rip};
    enum branch_result result = BRANCH_RIGHT;
    uint64_t wrong_path = 0, complete = 0, bits;

    /* Outside of the map lengths are not known: an instruction has 1 to 15 bytes, all else is a jump. */
    branch.taken = outside ? next_rip - branch.rip - 1 >= 15 : next_rip != branch.fall_through && branch.kind;
    if (branch.kind) {
        if (!returns_outside(vpmu, &branch))
            result = predict(&vpmu->predictor, &branch, &wrong_path);
        row->branches++;
        row->taken += branch.taken;
        row->mispredicted += result == BRANCH_WRONG;
        if (counted)
            signal_branch(&vpmu->signals, &branch, result);
    }
    bits = branch_bits(&branch, result, info->serial);
    if (info->vector)
        vpmu->pipe.closed = true;
    for (uint32_t op = 0; op < info->ops; op++) {
        complete = run_op(vpmu, info, op, op + 1 == info->ops, available, complete, bits, counted);
        if (counted && info->paired && op == 0)
            vpmu->signals.doubles[vpmu->pipe.slots - 1]++;
    }
    if (info->vector || branch.taken)
        vpmu->pipe.closed = true;
    if (result == BRANCH_WRONG)
        vpmu->pipe.abort = vpmu->pipe.retire_cycle;
    if (branch.kind || branch.taken)
        frontend_branch(vpmu, result, &branch, wrong_path, complete - info->latency);
    if (result == BRANCH_WRONG)
        vpmu->pipe.wrong_until = vpmu->front.earliest;
    if (info->serial)
        pipeline_drain(vpmu, &vpmu->signals.serial);
}

void pipeline_run(struct vpmu *vpmu, uint64_t next_rip)
{
    const struct insn_info *info = vpmu->pending.info;
    uint64_t available = frontend_fetch(vpmu, vpmu->pending.rip, info->length);

    vpmu->pending.row->executions++;
    if (info->special)
        run_special(vpmu, info, next_rip, available, false);
    else
        run_op(vpmu, info, 0, true, available, 0, 0, false);
}

static void signal_fp(struct signals *signals, const struct insn_info *info)
{
    signals->fp_insns[info->fp.set - 1]++;
    if (info->fp.kind == FP_KIND_NONE)
        return;
    if (info->fp.set == FP_X87) {
        signals->x87[info->fp.kind]++;
    } else {
        signals->sse_uops[info->fp.kind] += info->ops;
        signals->sse_flops[info->fp.kind] += info->fp.flops;
    }
}

void pipeline_run_counted(struct vpmu *vpmu, uint64_t next_rip)
{
    const struct insn_info *info = vpmu->pending.info;
    uint64_t available = frontend_fetch(vpmu, vpmu->pending.rip, info->length);

    vpmu->pending.row->executions++;
    if (info->special)
        run_special(vpmu, info, next_rip, available, true);
    else
        run_op(vpmu, info, 0, true, available, 0, 0, true);
    vpmu->signals.instructions += !(info->repeats && next_rip == vpmu->pending.rip);
    vpmu->signals.ops += info->ops;
    if (info->fp.set)
        signal_fp(&vpmu->signals, info);
}
