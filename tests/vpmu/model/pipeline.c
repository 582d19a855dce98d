#include "tests/vpmu/model/loadstore.h"
#include "tests/vpmu/model/state.h"

/* ---------------------------------------------------------------- dispatch */

/* The first of the cycles in which a cycle-mode tag can fall on the line that is dispatched in pipe->cycle. */
static uint64_t first_chance(const struct vpmu *vpmu)
{
    return vpmu->config.tag_stalled ? vpmu->pipe.from : vpmu->pipe.cycle;
}

/* A finished line: its cycles belong to its ops in equal parts. */
static void end_line(struct vpmu *vpmu)
{
    static const uint8_t sixths[DISPATCH_WIDTH + 1] = {0, 6, 3, 2};
    struct pipeline *pipe = &vpmu->pipe;
    uint64_t share = (pipe->cycle - first_chance(vpmu) + 1) * sixths[pipe->slots];

    for (uint32_t i = 0; i < pipe->slots; i++)
        vpmu->truth.rows[pipe->members[i]].dispatch_sixths += share;
    ibs_line_end(&vpmu->ibs);
}

static void begin_line(struct vpmu *vpmu, uint64_t available)
{
    struct pipeline *pipe = &vpmu->pipe;
    uint64_t next = pipe->cycle + 1, oldest;

    end_line(vpmu);
    pipe->from = available > next ? available : next;
    vpmu->truth.totals.decoder_empty += pipe->from - next;
    pipe->line = pipe->line + 1 == ROB_LINES ? 0 : pipe->line + 1;
    oldest = pipe->line_retire[pipe->line]; /* the line that has this place now must have retired */
    pipe->cycle = oldest >= pipe->from ? oldest + 1 : pipe->from;
    pipe->slots = 0;
    pipe->closed = false;
    ibs_line(&vpmu->ibs, first_chance(vpmu), pipe->cycle);
}

static inline void dispatch(struct vpmu *vpmu, uint32_t index, uint64_t available)
{
    struct pipeline *pipe = &vpmu->pipe;

    if (pipe->slots == DISPATCH_WIDTH || pipe->closed || available > pipe->cycle)
        begin_line(vpmu, available);
    pipe->members[pipe->slots++] = index;
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

void pipeline_drain(struct vpmu *vpmu)
{
    struct pipeline *pipe = &vpmu->pipe;

    end_line(vpmu);
    pipe->slots = 0;
    pipe->closed = true;
    if (pipe->cycle < pipe->retire_cycle)
        pipe->cycle = pipe->retire_cycle;
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

static uint64_t address_ready(const struct pipeline *pipe, const struct codemap_mem *mem, uint64_t cycle)
{
    if (mem->base < 16 && pipe->ready[mem->base] > cycle)
        cycle = pipe->ready[mem->base];
    if (mem->index < 16 && pipe->ready[mem->index] > cycle)
        cycle = pipe->ready[mem->index];
    return cycle;
}

static void count_access(struct truth_row *row, const struct access *access)
{
    uint64_t bits = access->bits;

    row->misaligned += (bits & VDATA3_MISALIGNED) != 0;
    if (bits & VDATA3_L1TLB_MISS) {
        row->l1m_l2h += (bits & VDATA3_L2TLB_MISS) == 0;
        row->l1m_l2m += (bits & VDATA3_L2TLB_MISS) != 0;
    }
    row->stores += (bits & VDATA3_STORE) != 0;
    if (bits & VDATA3_LOAD) {
        row->loads++;
        row->forwarded += (bits & VDATA3_FORWARDED) != 0;
        row->cancelled += (bits & VDATA3_CANCELLED) != 0;
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
        /* NbIbsReqSrc: 1 = L3, 3 = DRAM; an L2 hit did not reach the northbridge. NbIbsReqDstProc 0: there is one node.
         */
        sample->data2 = access->source == SOURCE_L3 ? 1 : access->source == SOURCE_DRAM ? 3 : 0;
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

/* Runs op number 'op' of the instruction. 'after': cycle in which the op before it completed. Returns when this one
 * does. */
static uint64_t run_op(struct vpmu *vpmu, const struct codemap_insn *insn, const struct insn_info *info, uint32_t op,
                       uint64_t available, uint64_t after, uint64_t branch)
{
    struct pipeline *pipe = &vpmu->pipe;
    uint32_t index = vpmu->pending.index;
    struct truth_row *row = &vpmu->truth.rows[index];
    bool last = op + 1 == info->ops, tagged;
    uint64_t issue, execute, retired;
    struct access access, *made = NULL;
    uint32_t store_size = 0;

    dispatch(vpmu, index, available);
    tagged = ibs_op_dispatched(&vpmu->ibs, pipe->cycle);
    issue = pipe->cycle + 1;
    execute = after > issue ? after : issue;

    for (uint32_t i = 0; i < info->mems; i++) {
        const struct codemap_mem *mem = &insn->mem[i];
        uint64_t cycle = address_ready(pipe, mem, issue);
        struct access second, *to;

        if (info->mem_op[i] != op)
            continue;
        to = made ? &second : &access;
        *to = (struct access){.linear = vpmu->pending.linear[i]};
        if (lsu_crosses(to->linear, mem->size, 4))
            to->bits |= VDATA3_MISALIGNED;
        if (insn->flags & CODEMAP_INSN_LOCK)
            to->bits |= VDATA3_LOCKED;
        if ((insn->flags & CODEMAP_INSN_NONTEMPORAL) && (mem->flags & CODEMAP_STORE))
            to->bits |= VDATA3_WC;
        if (mem->flags & CODEMAP_LOAD) {
            uint64_t data;

            lsu_load(vpmu, to, mem->size, cycle);
            data = to->ready + (info->fp ? FP_LOAD_EXTRA : 0);
            execute = data > execute ? data : execute;
        }
        if (mem->flags & CODEMAP_STORE) {
            lsu_store(vpmu, to, mem->size, cycle, (mem->flags & CODEMAP_LOAD) != 0);
            store_size = mem->size;
        }
        count_access(row, to);
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
    if (store_size && !(access.bits & VDATA3_WC))
        lsu_queue(pipe, access.linear, store_size, execute, retired);
    row->ops++;
    if (tagged) {
        fill_sample(vpmu, made, execute, retired, last ? branch : 0);
        if (!vpmu->ibs.line_tagged)
            ibs_op_retired(&vpmu->ibs);
    }
    return execute;
}

void pipeline_run(struct vpmu *vpmu, uint64_t next_rip)
{
    uint32_t index = vpmu->pending.index;
    bool outside = index == vpmu->config.map->insn_count;
    static const struct codemap_insn unknown = {.length = 1, .ops = 1};
    const struct codemap_insn *insn = outside ? &unknown : &vpmu->config.map->insns[index];
    const struct insn_info *info = &vpmu->info[index];
    struct truth_row *row = &vpmu->truth.rows[index];
    struct branch branch = {.kind = insn->branch, .rip = vpmu->pending.rip};
    enum branch_result result = BRANCH_RIGHT;
    uint64_t wrong_path = 0, available, bits = 0, complete = 0;

    branch.fall_through = branch.rip + insn->length;
    branch.target = next_rip;
    /* Outside of the map lengths are not known: an instruction has 1 to 15 bytes, all else is a jump. */
    branch.taken = outside ? next_rip - branch.rip - 1 >= 15 : next_rip != branch.fall_through && insn->branch;

    available = frontend_fetch(vpmu, branch.rip, insn->length);
    row->executions++;
    if (branch.kind) {
        result = predict(&vpmu->predictor, &branch, &wrong_path);
        row->branches++;
        row->taken += branch.taken;
        row->mispredicted += result == BRANCH_WRONG;
    }
    if (branch.kind || info->serial)
        bits = branch_bits(&branch, result, info->serial);
    if (info->vector)
        vpmu->pipe.closed = true;
    for (uint32_t op = 0; op < info->ops; op++)
        complete = run_op(vpmu, insn, info, op, available, complete, bits);
    if (info->vector || branch.taken)
        vpmu->pipe.closed = true;
    if (branch.kind || branch.taken)
        frontend_branch(vpmu, result, &branch, wrong_path, complete - info->latency);
    if (info->serial)
        pipeline_drain(vpmu);
    vpmu->truth.totals.steps++;
    vpmu->truth.totals.steps_outside += outside;
    vpmu->truth.totals.ops += info->ops;
    vpmu->truth.totals.cycles = vpmu->pipe.cycle;
}
