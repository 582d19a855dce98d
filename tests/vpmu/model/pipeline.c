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

/* ---------------------------------------------------------------- memory accesses */

/* One access of one op. 'bits' are those of IbsOpData3. */
struct access {
    uint64_t linear, physical;
    uint64_t bits;
    uint64_t ready; /* loads: cycle in which the data is there */
    uint32_t latency;
    uint8_t source; /* enum cache_source */
};

/* The first cycle from 'cycle' on with a free port. Two loads of one cycle must not use the same bank of different
 * lines: 8 banks of 8 bytes, bits 5:3, index bits 14:6 (SOG-K8 section 5.9; no document for this family's 128-bit banks
 * was found). */
static uint64_t take_port(struct pipeline *pipe, uint64_t cycle, uint64_t linear, uint64_t *bits)
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

static const struct store *store_at(const struct pipeline *pipe, uint64_t granule, uint32_t *age)
{
    uint32_t at = (uint32_t)granule & (GRANULES - 1);

    if (pipe->granules[at].granule != granule)
        return NULL;
    *age = pipe->store_count - pipe->granules[at].store;
    return *age <= STORE_QUEUE ? &pipe->stores[pipe->granules[at].store & (STORE_QUEUE - 1)] : NULL;
}

/* The youngest store in the queue, at the given cycle, that has bytes of the load. */
static const struct store *older_store(const struct pipeline *pipe, uint64_t linear, uint32_t size, uint64_t cycle)
{
    uint64_t last = (linear + size - 1) >> 3;
    const struct store *found = NULL;
    uint32_t best = STORE_QUEUE + 1, age = 0;

    for (uint64_t granule = linear >> 3; granule <= last; granule++) {
        const struct store *store = store_at(pipe, granule, &age);

        if (store && age < best && store->retire >= cycle && store->linear < linear + size &&
            linear < store->linear + store->size) {
            found = store;
            best = age;
        }
    }
    return found;
}

static void translate_access(struct vpmu *vpmu, struct access *access, uint64_t *cycle)
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
        access->bits |= translation.shift == 21 ? VDATA3_L1HIT_2M : translation.shift == 30 ? VDATA3_L1HIT_1G : 0;
        break;
    case TLB_L2:
        access->bits |= VDATA3_L1TLB_MISS;
        access->bits |= translation.shift == 21 ? VDATA3_L2HIT_2M : translation.shift == 30 ? VDATA3_L2HIT_1G : 0;
        break;
    default:
        access->bits |= VDATA3_L1TLB_MISS | VDATA3_L2TLB_MISS;
        break;
    }
}

static void look_up(struct vpmu *vpmu, struct access *access, uint64_t cycle)
{
    struct dc_result result;

    access->ready = cycle + L1_LATENCY;
    if (!(access->bits & VDATA3_PHY_VALID))
        return;
    caches_data(&vpmu->caches, access->physical, cycle, &result);
    access->ready = result.ready;
    if (result.miss) {
        access->bits |= VDATA3_MISS | (result.mab_hit ? VDATA3_MAB_HIT : 0);
        access->latency = result.latency;
        access->source = result.source;
    }
}

/* The upper part of an access that crosses a line: IBS reports the lower part alone, but the data is there with the
 * later one. */
static void look_up_upper(struct vpmu *vpmu, struct access *access, uint32_t size, uint64_t cycle)
{
    struct access upper = {.linear = (access->linear + size - 1) & ~((1ull << LINE_SHIFT) - 1)};

    translate_access(vpmu, &upper, &cycle);
    look_up(vpmu, &upper, cycle);
    if (upper.ready > access->ready)
        access->ready = upper.ready;
}

static bool crosses(uint64_t linear, uint32_t size, unsigned shift)
{
    return ((linear ^ (linear + size - 1)) >> shift) != 0;
}

static void load(struct vpmu *vpmu, struct access *access, uint32_t size, uint64_t cycle)
{
    const struct store *store;

    access->bits |= VDATA3_LOAD;
    translate_access(vpmu, access, &cycle);
    cycle = take_port(&vpmu->pipe, cycle, access->linear, &access->bits);
    if (access->bits & VDATA3_MISALIGNED) /* one more access (CodeXL event description 047h) */
        cycle = take_port(&vpmu->pipe, cycle + 1, access->linear, &access->bits);
    store = older_store(&vpmu->pipe, access->linear, size, cycle);
    /* Cancelled: another first byte, a smaller store, or misaligned (F10h event 02Ah); the load waits until the store
     * has left the queue for the cache. */
    if (store && (store->linear != access->linear || store->size < size || (access->bits & VDATA3_MISALIGNED))) {
        access->bits |= VDATA3_CANCELLED;
        cycle = store->retire + 1;
        store = NULL;
    }
    look_up(vpmu, access, cycle);
    if (crosses(access->linear, size, LINE_SHIFT))
        look_up_upper(vpmu, access, size, cycle);
    if (store) {
        access->bits |= VDATA3_FORWARDED;
        access->ready = (store->data > cycle ? store->data : cycle) + L1_LATENCY;
    }
}

static void queue_store(struct pipeline *pipe, uint64_t linear, uint32_t size, uint64_t data, uint64_t retired)
{
    uint32_t number = ++pipe->store_count;

    pipe->stores[number & (STORE_QUEUE - 1)] = (struct store){linear, data, retired, size};
    for (uint64_t granule = linear >> 3; granule <= (linear + size - 1) >> 3; granule++) {
        pipe->granules[granule & (GRANULES - 1)].granule = granule;
        pipe->granules[granule & (GRANULES - 1)].store = number;
    }
}

/* Looks the store's line up; what it waits for is nobody's latency (IbsDcMissLat is not valid for stores). */
static void store_access(struct vpmu *vpmu, struct access *access, uint32_t size, uint64_t cycle, bool translated)
{
    access->bits |= VDATA3_STORE;
    if (!translated)
        translate_access(vpmu, access, &cycle);
    if (access->bits & VDATA3_WC) /* streaming store: to the write-combining buffer, past the caches */
        return;
    if (!translated)
        look_up(vpmu, access, cycle);
    if (crosses(access->linear, size, LINE_SHIFT))
        look_up_upper(vpmu, access, size, cycle);
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
    uint64_t mask = VDATA3_L2HIT_1G | (VDATA3_L2HIT_1G - 1);

    sample->rip = vpmu->pending.rip;
    sample->data =
        saturated(retired - complete) | (saturated(retired - vpmu->ibs.tag_cycle) << VDATA_TAG_SHIFT) | branch;
    sample->data2 = 0;
    sample->data3 = 0;
    sample->dc_linear = sample->dc_physical = 0;
    if (!access)
        return;
    if (!vpmu->params->l2_dtlb_1g)
        mask >>= 1; /* revision B: bit 19 is reserved */
    sample->data3 = access->bits & mask;
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
        if (crosses(to->linear, mem->size, 4))
            to->bits |= VDATA3_MISALIGNED;
        if (insn->flags & CODEMAP_INSN_LOCK)
            to->bits |= VDATA3_LOCKED;
        if ((insn->flags & CODEMAP_INSN_NONTEMPORAL) && (mem->flags & CODEMAP_STORE))
            to->bits |= VDATA3_WC;
        if (mem->flags & CODEMAP_LOAD) {
            uint64_t data;

            load(vpmu, to, mem->size, cycle);
            data = to->ready + (info->fp ? FP_LOAD_EXTRA : 0);
            execute = data > execute ? data : execute;
        }
        if (mem->flags & CODEMAP_STORE) {
            store_access(vpmu, to, mem->size, cycle, (mem->flags & CODEMAP_LOAD) != 0);
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
        queue_store(pipe, access.linear, store_size, execute, retired);
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
