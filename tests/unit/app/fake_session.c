/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/app/fake_session.h"

#include <stdio.h>
#include <string.h>

#include "core/family/ibs_regs.h"
#include "core/ibs/codemap.h"
#include "drivers/machine/vpmu_query.h"
#include "drivers/pmu/branches.h"
#include "tests/unit/app/fake_memory.h"
#include "tests/unit/app/fixture.h"
#include "tests/unit/app/map.h"
#include "tests/unit/drivers/fake_cpu.h"

enum { MSR_MPERF = 0xE7, MSR_APERF = 0xE8, INTERRUPTS_TAKEN = 0xCF, CLOCKS = 0x76 };
enum { WORKSPACE = 3 * 4096, TSC_BEGIN = 1000, TSC_STEP = 100, TSC_RUN = 999000 };

struct fake_session fake_session;
static uint64_t fake_image_base;
static bool pass_over;  /* the next session is the first one of a pass */
static uint64_t passes; /* number of passes that are over */
static bool was_empty;  /* the last pass was an empty one */

void fake_session_init(uint64_t image_base)
{
    memset(&fake_session, 0, sizeof(fake_session));
    fake_image_base = image_base;
    pass_over = true;
    passes = 0;
    was_empty = false;
    fake_session.machine = (struct machine){
        .vendor = "AuthenticAMD",
        .name = "AMD Phenom(tm) fake",
        .amd = true,
        .family = 0x10,
        .model = 4,
        .stepping = 2,
        .revision = 'C',
        .ibs = true,
        .ibs_leaf = true,
        .ibs_caps = 0x1f,
        .hypervisor = true,
        .hypervisor_signature = "ibsbootvPMU",
        .cores = 1,
        .nodes = {.count = 1, .mask = 1, .of_processor = 1},
        .page_1g = true,
        .tsc_khz = 2000000,
    };
    fake_family(&fake_session.machine);
    fake_session.run_body = true;
    fake_session.op_samples = 5000;
    fake_session.fetch_samples = 1000;
    fake_session.timer_samples = 500;
    fake_session.otherwise = 1000000;
    fake_session.culprit = -1;
}

void fake_family(struct machine *machine)
{
    machine->row = machine->amd ? ibs_family_of(machine->family, machine->model) : NULL;
    machine->pmc = machine->row ? machine->row->pmc : (struct ibs_pmc){0};
}

void fake_time_passes(uint64_t ticks)
{
    fake.tsc += ticks;
}

size_t session_workspace_size(void)
{
    return WORKSPACE;
}

struct session_live session_live(const void *workspace)
{
    assert_true(fake_memory_taken((uint64_t)(uintptr_t)workspace, WORKSPACE));
    return (struct session_live){.nmis = &fake_session.live_nmis, .interrupts = &fake_session.live_interrupts};
}

struct nmi_context *session_nmi(void *workspace)
{
    assert_true(fake_memory_taken((uint64_t)(uintptr_t)workspace, WORKSPACE));
    return &fake_session.nmi;
}

static bool takes_samples(const struct session_program *program)
{
    return ibs_samples(&program->ibs) || program->timer.period || pmc_takes_samples(&program->pmc);
}

/* Checks the plan by the drivers' own rules, in the order of drivers/session/session.c. */
enum session_error session_check(const struct session_plan *plan)
{
    enum session_error error = fake_session.check_error;

    if (!error)
        error = ibs_resolve(&plan->program.ibs, plan->place.machine, NULL);
    if (!error)
        error = pmc_check(&plan->program.pmc, plan->place.machine);
    if (!error)
        error = timer_check(&plan->program.timer, pmc_turns(&plan->program.pmc), plan->place.machine);
    if (!error)
        error = power_check(&plan->place.power, plan->place.machine);
    if (!error && plan->place.branches && takes_samples(&plan->program))
        error = branches_check(plan->place.machine, &plan->program.pmc, ibs_samples(&plan->program.ibs));
    if (!error && (!plan->place.records || !plan->place.capacity))
        error = SESSION_NO_RING;
    if (!error)
        error = paging_check(&plan->place.paging, plan->place.machine->page_1g);
    if (!error && plan->place.paging.size <= SESSION_STACK_BYTES)
        error = SESSION_ARENA_SIZE;
    return error;
}

enum session_error session_probe(struct machine *machine, void *workspace)
{
    assert_true(fake_memory_taken((uint64_t)(uintptr_t)workspace, WORKSPACE));
    *machine = fake_session.machine;
    return fake_session.probe_error;
}

enum session_error session_switch_ibs(struct machine *machine, void *workspace, bool on)
{
    assert_true(fake_memory_taken((uint64_t)(uintptr_t)workspace, WORKSPACE));
    fake_session.switches++;
    if (fake_session.machine.ibs || (on && fake_session.switch_error))
        return on ? fake_session.switch_error : SESSION_OK;
    machine->ibs = machine->ibs_leaf = machine->ibs_switched = on;
    machine->ibs_caps = on ? 0x3FF : 0;
    return SESSION_OK;
}

/* ---------------------------------------------------------------- what it was asked to do, as text */

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void say(const char *format, ...)
{
    va_list args;
    int length;

    va_start(args, format);
    length = vsnprintf(fake_session.trace + fake_session.trace_length,
                       sizeof(fake_session.trace) - fake_session.trace_length, format, args);
    va_end(args);
    assert_true(length >= 0 && fake_session.trace_length + (size_t)length < sizeof(fake_session.trace));
    fake_session.trace_length += (size_t)length;
}

static void say_ibs(const struct ibs_plan *plan)
{
    if (plan->fetch)
        say("  IBS fetch each %u%s\n", plan->fetch_period, plan->random ? ", random" : "");
    if (plan->op_exact)
        say("  IBS op %u\n", plan->op_exact);
    else if (plan->op)
        say("  IBS op each %u %s%s, seed %llu\n", plan->op_period, plan->count_ops ? "ops" : "cycles",
            plan->random ? ", random" : "", (unsigned long long)plan->seed);
}

static void say_counters(const struct pmc_plan *plan)
{
    if (plan->mode == PMC_OFF)
        return;
    say("  counters %s, %u events, %u groups of %llu ticks%s, seed %llu\n",
        plan->mode == PMC_COUNTING ? "count" : "sample", plan->events, plan->groups, (unsigned long long)plan->slice,
        plan->random ? ", random" : "", (unsigned long long)plan->seed);
    for (unsigned g = 0; g < plan->groups; g++) {
        for (unsigned i = 0; i < plan->group[g].events; i++) {
            const struct pmc_event *event = &plan->event[plan->group[g].event[i]];

            say("%s%u=%03x:%02x%s%s%s%s", i ? " " : "    ", plan->group[g].event[i], event->select, event->unit_mask,
                event->user ? ":u" : "", event->os ? ":k" : "", event->edge ? ":e" : "", event->invert ? ":i" : "");
            if (event->count_mask)
                say(":c%u", event->count_mask);
            if (event->period)
                say("@%llu", (unsigned long long)event->period);
        }
        say("\n");
    }
}

static void say_plan(const struct session_plan *plan)
{
    const struct paging_plan *paging = &plan->place.paging;

    say("session %u on core %u%s:%s%s%s%s%s\n", fake_session.runs, plan->place.cpu, plan->place.gang ? "" : " alone",
        plan->calls.prepare ? " prepare" : "", plan->calls.begin ? " begin" : "", plan->calls.body ? " body" : "",
        plan->calls.end ? " end" : "", plan->calls.finish ? " finish" : "");
    say("  arena %llx, %llu bytes in %s pages, stack from %llu%s", (unsigned long long)paging->physical,
        (unsigned long long)paging->size,
        paging->kind == PAGING_4K   ? "4k"
        : paging->kind == PAGING_2M ? "2m"
                                    : "1g",
        (unsigned long long)plan->place.stack_top, paging->shuffle ? ", shuffled" : "");
    if (paging->shuffle)
        say(" by %llu", (unsigned long long)paging->seed);
    if (paging->code_size)
        say(", code %llx and %llx bytes", (unsigned long long)paging->code, (unsigned long long)paging->code_size);
    say(", tables %zu bytes, room for %u\n", paging->memory_size, plan->place.capacity);
    if (plan->place.gang && plan->place.member == 0)
        say("  leads %u%s, waits %llu, body %llu, slack %llu\n", plan->place.gang->members,
            plan->place.gang->ibs ? " with IBS" : "", (unsigned long long)plan->place.gang->patience,
            (unsigned long long)plan->place.gang->body, (unsigned long long)plan->place.gang->slack);
    else if (plan->place.gang)
        say("  member %u\n", plan->place.member);
    say_ibs(&plan->program.ibs);
    say_counters(&plan->program.pmc);
    if (plan->program.timer.period)
        say("  timer each %u us%s, seed %llu\n", plan->program.timer.period,
            plan->program.timer.random ? ", random" : "", (unsigned long long)plan->program.timer.seed);
    if (plan->program.step)
        say("  steps, %llu at most%s\n", (unsigned long long)plan->program.step->left,
            plan->program.step->state == SINGLE_STEP_NEW ? "" : ", from where it was");
    if (plan->program.timer.limit_ms)
        say("  limit %llu ms\n", (unsigned long long)plan->program.timer.limit_ms);
}

/* ---------------------------------------------------------------- memory of sessions at the same time */

enum { PIECES = 4 };

static struct piece {
    uint64_t address, size;
    bool arena;
} pieces[FAKE_CORES * PIECES];
static unsigned piece_count;

/* Checks that the session writes only to memory that the application took and that no other core uses; cores may share
 * an arena. */
static void claim(uint64_t address, uint64_t size, bool arena)
{
    assert_true(fake_memory_taken(address, size));
    for (unsigned i = 0; i < piece_count; i++) {
        const struct piece *other = &pieces[i];

        if (arena && other->arena && other->address == address && other->size == size)
            continue;
        if (address < other->address + other->size && other->address < address + size)
            fail_msg("two cores have %llx..%llx and %llx..%llx", (unsigned long long)address,
                     (unsigned long long)(address + size), (unsigned long long)other->address,
                     (unsigned long long)(other->address + other->size));
    }
    pieces[piece_count++] = (struct piece){address, size, arena};
}

static void claim_memory(const struct session_plan *plan)
{
    if (pass_over)
        piece_count = 0;
    pass_over = !plan->place.gang || plan->place.member == 0;
    assert_int_equal((uint64_t)(uintptr_t)plan->place.workspace % 4096, 0);
    assert_int_equal((uint64_t)(uintptr_t)plan->place.paging.memory % 4096, 0);
    claim((uint64_t)(uintptr_t)plan->place.workspace, WORKSPACE, false);
    claim((uint64_t)(uintptr_t)plan->place.paging.memory, plan->place.paging.memory_size, false);
    claim(plan->place.paging.physical, plan->place.paging.size, true);
    if (plan->program.ibs.fetch || plan->program.ibs.op || plan->program.pmc.mode == PMC_SAMPLING ||
        plan->program.timer.period)
        claim((uint64_t)(uintptr_t)plan->place.records, plan->place.capacity * sizeof(struct sample_record), false);
    if (plan->place.stacks)
        claim((uint64_t)(uintptr_t)plan->place.stacks, plan->place.capacity * sizeof(struct sample_stack), false);
    if (plan->place.branches)
        claim((uint64_t)(uintptr_t)plan->place.branches, plan->place.capacity * sizeof(struct sample_branches), false);
}

/* ---------------------------------------------------------------- samples */

static const struct fake_core *core_of(const struct session_plan *plan)
{
    return &fake_session.core[plan->place.cpu];
}

/* Makes the stack of a core's record n: n % 3 addresses, and each kind of end in turn. */
static void make_stack(const struct session_plan *plan, uint64_t n)
{
    struct sample_stack *stack = &plan->place.stacks[n];

    assert_true(plan->place.stack_depth > 0);
    *stack = (struct sample_stack){.rip = 0x10000 * (plan->place.cpu + 1) + n, .depth = n % 3, .end = n % 3};
    for (uint32_t i = 0; i < stack->depth; i++)
        stack->address[i] = stack->rip + 0x100 * (i + 1);
}

/* Makes the branches of a core's record n: three, whose addresses name core and record, and a fourth on a wrong
 * path. */
static void make_branches(const struct session_plan *plan, uint64_t n)
{
    struct sample_branches *branches = &plan->place.branches[n];

    memset(branches, 0x5a, sizeof(*branches)); /* what a processor with fewer records leaves */
    for (uint32_t i = 0; i < FAKE_TAKEN; i++) {
        branches->entry[i].from = (i == 1 ? 1ull << 63 : 0) | (0x10000 * (plan->place.cpu + 1) + 0x100 * n + i);
        branches->entry[i].to = (i == 3 ? 1ull : i == 4 ? 0ull : 3ull) << 62 | 0x4000;
    }
}

static struct sample_record *next(const struct session_plan *plan, struct session_result *result)
{
    if (plan->place.stacks && result->samples < plan->place.capacity)
        make_stack(plan, result->samples);
    if (plan->place.branches && result->samples < plan->place.capacity)
        make_branches(plan, result->samples);
    return result->samples == plan->place.capacity ? NULL : &plan->place.records[result->samples++];
}

/* Returns the address of sample i of its kind: in turn each of the map's instructions, after the first samples. */
static uint64_t address_of(uint64_t i)
{
    if (i < fake_session.elsewhere)
        return 0x1000 + i;
    i -= fake_session.elsewhere;
    if (i < fake_session.in_handler) /* the handler's first and last byte, in turn */
        return fake_image_base + MAP_HANDLER + (i % 2 ? MAP_HANDLER_SIZE - 1 : 0);
    i -= fake_session.in_handler;
    if (i < fake_session.edges)
        return fake_image_base + (i % 2 ? MAP_HANDLER + MAP_HANDLER_SIZE : MAP_TEXT + MAP_IMAGE_SIZE - 1);
    i -= fake_session.edges;
    if (fake_session.round && i >= fake_session.round)
        i = 0;
    return fake_image_base + image_codemap.insns[i % image_codemap.insn_count].rva;
}

/* Returns the TSC at the beginning of the measured part. */
static uint64_t begin_of(const struct session_plan *plan)
{
    return TSC_BEGIN + passes * fake_session.between + core_of(plan)->later;
}

static struct sample_record sample(const struct session_plan *plan, enum sample_kind kind, uint64_t i)
{
    return (struct sample_record){.tsc = begin_of(plan) + i * TSC_STEP, .kind = kind, .cpu = plan->place.cpu};
}

/* Makes an op sample of the culprit that missed the data cache and both DTLBs. */
static void miss(struct sample_record *record, uint64_t i)
{
    uint64_t lap = i / image_codemap.insn_count;

    record->reg[IBS_OP_DATA] = (100 + lap) << 16 | (fake_session.culprit_holds ? 5 : 10);
    record->reg[IBS_OP_DATA3] = IBS_LD_OP | IBS_DC_LIN_ADDR_VALID | IBS_DC_PHY_ADDR_VALID | IBS_DC_MISS |
                                IBS_DC_L1TLB_MISS | IBS_DC_L2TLB_MISS | (50 + lap) << 32;
    if (fake_session.served_count)
        record->reg[IBS_OP_DATA2] = fake_session.served[lap % fake_session.served_count];
}

static void make(struct sample_record *record, enum sample_kind kind, uint64_t i)
{
    uint64_t rip = address_of(i);
    int32_t insn = codemap_find(&image_codemap, rip - fake_image_base);

    if (kind == SAMPLE_FETCH) {
        record->reg[IBS_FETCH_CTL] = IBS_FETCH_EN | IBS_FETCH_VAL | IBS_FETCH_COMP | IBS_FETCH_PHY_VALID | 0x40;
        record->reg[IBS_FETCH_LINAD] = rip;
        return;
    }
    record->reg[IBS_OP_CTL] =
        IBS_OP_EN | IBS_OP_VAL | IBS_OP_CNT_CTL |
        ((fake_session.op_max_cnt ? fake_session.op_max_cnt : 0x40) + (fake_session.intervals_vary && i % 2));
    record->reg[IBS_OP_RIP] = rip;
    record->reg[IBS_OP_DATA] =
        20ull << 16 | (insn < 0 ? 25 : 5); /* an op outside the map had completed before the part began */
    if (insn < 0 || !image_codemap.insns[insn].mems)
        return;
    record->reg[IBS_OP_DATA3] = IBS_LD_OP | IBS_DC_LIN_ADDR_VALID | IBS_DC_PHY_ADDR_VALID | fake_session.load_bits;
    record->reg[IBS_OP_DCLINAD] = 0x1000 + i * 64;
    if (insn == MAP_STORE && fake_session.served_count) {
        record->reg[IBS_OP_DATA3] = IBS_ST_OP | IBS_DC_LIN_ADDR_VALID | IBS_DC_PHY_ADDR_VALID | IBS_DC_MISS;
        record->reg[IBS_OP_DATA2] = IBS_NB_CACHE; /* the source of a store means nothing */
    }
    if (insn == fake_session.culprit)
        miss(record, i);
}

/* Samples the n-th op since the start: the ops that start, rounds of the map's first function, its ret, and the ops
 * that stop. */
static void sample_exact(const struct session_plan *plan, struct session_result *result)
{
    uint32_t n = plan->program.ibs.op_exact, op = n - fake_session.op_before, jump = MAP_TURN - 1;
    uint32_t ops = fake_session.loops * MAP_TURN + 1;
    bool inside = n > fake_session.op_before && op <= ops, second = fake_session.runs % 2;
    struct sample_record *record;

    if (fake_session.op_before == UINT32_MAX || (inside && op == fake_session.op_lost) ||
        (fake_session.op_silent && n >= fake_session.op_before + fake_session.op_lost) ||
        !(record = next(plan, result)))
        return;
    *record = sample(plan, SAMPLE_OP, n);
    make(record, SAMPLE_OP, op == ops ? MAP_TURN : (op - 1) % MAP_TURN);
    result->counts.recorded[SAMPLE_OP]++;
    record->reg[IBS_OP_DATA] = (inside && op == fake_session.op_unsteady && second ? 23ull : 20ull) << 16 | 5;
    if (!inside)
        record->reg[IBS_OP_RIP] = 0x1000 + n;
    else if (op == ops || (op - 1) % MAP_TURN == jump)
        record->reg[IBS_OP_DATA] |= IBS_OP_BRN_RET | (op == ops - 1 ? IBS_OP_BRN_MISP : IBS_OP_BRN_TAKEN);
    if (inside && op == fake_session.op_unlike && second)
        miss(record, 0);
}

static void sample_ibs(const struct session_plan *plan, struct session_result *result)
{
    const struct fake_core *core = core_of(plan);
    uint64_t ops = core->own ? core->op_samples : fake_session.op_samples;
    uint64_t fetches = core->own ? core->fetch_samples : fake_session.fetch_samples;

    if (plan->program.ibs.op_exact) {
        sample_exact(plan, result);
        return;
    }
    for (uint64_t i = 0; i < ops + fetches; i++) {
        enum sample_kind kind = i < ops ? SAMPLE_OP : SAMPLE_FETCH;
        struct sample_record *record;

        if (kind == SAMPLE_OP ? !plan->program.ibs.op : !plan->program.ibs.fetch)
            continue;
        record = next(plan, result);
        if (record) {
            *record = sample(plan, kind, i - (fake_session.together && kind == SAMPLE_FETCH));
            make(record, kind, kind == SAMPLE_OP ? i : i - ops);
        }
        (record ? result->counts.recorded : result->counts.lost)[kind]++;
    }
}

/* ---------------------------------------------------------------- counters */

/* Returns whether the pass runs nothing, so that its result is not checked. */
static bool is_empty(const struct session_plan *plan)
{
    return !plan->calls.finish;
}

/* Returns whether the pass is the loop of a run's reference, if the test sets what the loop counts. */
static bool is_calm(const struct session_plan *plan)
{
    return fake_session.calm && is_empty(plan) && fake_session.part == VPMU_PART_OTHER;
}

/* Returns the period of IBS op, else of the timer, else the shortest period of a counter; 0: nothing samples. */
static uint64_t sampling_period(const struct session_plan *plan)
{
    const struct pmc_plan *pmc = &plan->program.pmc;
    uint64_t period = 0;

    if (plan->program.ibs.op || plan->program.ibs.fetch)
        return plan->program.ibs.op_period;
    for (unsigned g = 0; !plan->program.timer.period && g < pmc->groups; g++)
        for (unsigned i = 0; i < pmc->group[g].events; i++) {
            uint64_t own = pmc->event[pmc->group[g].event[i]].period;

            period = own && (!period || own < period) ? own : period;
        }
    return plan->program.timer.period ? plan->program.timer.period : period;
}

/* Returns what a counter gains beside the workload: the handler's part, and the part that sampling adds to one
 * event. */
static uint64_t disturbance(const struct session_plan *plan, uint32_t select)
{
    const struct nmi_counts *own = &core_of(plan)->counts;

    if (plan->program.pmc.mode != PMC_SAMPLING || !sampling_period(plan))
        return 0;
    return (own->nmi ? own : &fake_session.result.counts)->nmi * fake_session.handler +
           (is_calm(plan) || select != (fake_session.disturbs ? fake_session.disturbs : CLOCKS)
                ? 0
                : fake_session.disturbed / sampling_period(plan));
}

static uint64_t happens(const struct session_plan *plan, const struct pmc_event *event)
{
    bool empty = is_empty(plan);
    uint64_t total = fake_session.otherwise, overhead = 0;

    for (unsigned i = 0; i < FAKE_COUNTS && fake_session.count[i].total; i++) {
        const struct fake_count *count = &fake_session.count[i];

        if ((count->select & 0xFFFF) == event->select && count->count_mask == event->count_mask &&
            (!(count->select >> 16) || count->select >> 16 == event->unit_mask)) {
            total = count->total;
            overhead = count->overhead;
        }
    }
    if (fake_session.runs <= FAKE_FIRST && fake_session.first_totals[fake_session.runs - 1])
        total = fake_session.first_totals[fake_session.runs - 1];
    for (unsigned i = 0; fake_session.not_modelled[i]; i++)
        if (fake_session.not_modelled[i] == event->select)
            return 0;
    if (is_calm(plan))
        return fake_session.calm + disturbance(plan, event->select);
    overhead += disturbance(plan, event->select);
    if (empty && !was_empty)
        overhead += fake_session.settling;
    return (empty ? 0 : total + core_of(plan)->more + fake_session.drift * fake_session.runs) + overhead;
}

static uint64_t group_tsc(const struct session_plan *plan, unsigned group)
{
    uint64_t sum = 0;

    for (unsigned g = 0; g < PMC_GROUPS_MAX; g++)
        sum += fake_session.group_tsc[g];
    return sum ? fake_session.group_tsc[group] : 1200000 / plan->program.pmc.groups;
}

static struct turns turns_of(uint64_t total, unsigned group)
{
    uint64_t count = (fake_session.turns ? fake_session.turns : 100) + (group ? 0 : fake_session.first);
    uint64_t each = total / count;
    struct turns turns = {0};

    for (uint64_t i = 0; i < count; i++)
        turns_add(&turns, each + (i % 2 ? each * fake_session.unlike / 100 : 0));
    return turns;
}

/* Runs one event of one group for the group's part of the time. */
static void run_counter(const struct session_plan *plan, struct session_result *result, unsigned group,
                        unsigned counter)
{
    unsigned index = plan->program.pmc.group[group].event[counter];
    const struct pmc_event *event = &plan->program.pmc.event[index];
    struct pmc_count *count = &result->pmc.group[group].counter[counter];
    uint64_t possible = 0;

    for (unsigned g = 0; g < plan->program.pmc.groups; g++)
        possible += group_tsc(plan, g);
    count->tsc = group_tsc(plan, group);
    count->total = happens(plan, event) * count->tsc / possible;
    for (uint64_t i = 0; plan->program.pmc.mode == PMC_SAMPLING && event->period && i < count->total / event->period;
         i++) {
        struct sample_record *record = next(plan, result);

        count->overflows++;
        *(record ? &count->samples : &count->lost) += 1;
        (record ? result->counts.recorded : result->counts.lost)[SAMPLE_PMC]++;
        if (!record)
            continue;
        *record = sample(plan, SAMPLE_PMC, i);
        record->reg[PMC_RIP] = address_of(i);
        record->reg[PMC_EVENT] = index;
    }
    result->pmc.group[group].turns[counter] = turns_of(count->total, group);
    result->pmc.event[index].total += count->total;
    result->pmc.event[index].samples += count->samples;
    result->pmc.event[index].lost += count->lost;
    result->pmc.event[index].tsc += count->tsc;
}

static void run_counters(const struct session_plan *plan, struct session_result *result)
{
    for (unsigned g = 0; plan->program.pmc.mode != PMC_OFF && g < plan->program.pmc.groups; g++) {
        result->pmc.group[g].tsc = group_tsc(plan, g) + (g ? 0 : disturbance(plan, CLOCKS));
        result->pmc.group[g].slices = 1;
        for (unsigned c = 0; c < plan->program.pmc.group[g].events; c++)
            run_counter(plan, result, g, c);
    }
}

static void sample_time(const struct session_plan *plan, struct session_result *result)
{
    uint64_t samples = core_of(plan)->own ? core_of(plan)->timer_samples : fake_session.timer_samples;

    if (!plan->program.timer.period)
        return;
    result->timer = (struct timer_settings){.khz = 200000, .count = plan->program.timer.period * 200};
    if (fake_session.apic_khz)
        result->timer = (struct timer_settings){.by = TIMER_BY_APIC, .khz = fake_session.apic_khz};
    for (uint64_t i = 0; i < samples; i++) {
        struct sample_record *record = next(plan, result);

        (record ? result->counts.recorded : result->counts.lost)[SAMPLE_TIMER]++;
        if (!record)
            continue;
        *record = sample(plan, SAMPLE_TIMER, i);
        record->reg[TIMER_RIP] = address_of(i);
    }
}

/* ---------------------------------------------------------------- a session */

static void read_controls(uint64_t ctl[PMC_LEGACY])
{
    for (unsigned n = 0; n < PMC_LEGACY; n++)
        (void)cpu_rdmsr_safe(MSR_PERF_CTL(n), &ctl[n]);
}

static void add_to_msr(uint32_t number, uint64_t count)
{
    uint64_t value;

    if (count && !cpu_rdmsr_safe(number, &value))
        fake_msr(number)->value = value + count;
}

void fake_clocks_run(void)
{
    add_to_msr(MSR_MPERF, fake_session.mperf);
    add_to_msr(MSR_APERF, fake_session.aperf);
}

/* Advances clocks and interrupt counts by the workload's time. */
static void let_time_pass(void)
{
    uint64_t ctl;

    fake_clocks_run();
    fake_session.live_nmis += fake_session.interrupts;
    for (unsigned n = 0; n < PMC_LEGACY; n++)
        if (!cpu_rdmsr_safe(MSR_PERF_CTL(n), &ctl) && ctl & PMC_CTL_EN && (ctl & 0xFF) == INTERRUPTS_TAKEN)
            add_to_msr(MSR_PERF_CTR(n), fake_session.interrupts);
}

/* A core of those that run at the same time. */
struct member {
    struct session_plan plan;
    struct session_result *result;
};

/* Returns whether the stepped code has not returned yet. */
static bool is_stopped(const struct member *member)
{
    const struct single_step *step = member->plan.program.step;

    return step && step->state == SINGLE_STEP_STOPPED;
}

static bool ends_its_body(const struct member *member)
{
    return !member->result->faulted && member->result->error != SESSION_LIMIT && !is_stopped(member) &&
           core_of(&member->plan)->given_up_at != GANG_READY;
}

static void call(const struct member *member, session_body *part)
{
    if (part)
        part(member->plan.calls.argument, member->plan.place.paging.physical);
}

static bool never_ends(const struct session_plan *plan)
{
    return fake_session.endless_ms && plan->program.timer.limit_ms == fake_session.endless_ms;
}

/* Begins the next instruction of the map's first function: its loop, then its ret, then the place of return. */
static bool begin_next(struct single_step *step)
{
    enum { LOOP = 7, RBP = 5 };
    unsigned n = fake_session.stepped++, insn = n < LOOP * fake_session.loops ? n % LOOP : LOOP;
    uint64_t gpr[EXACT_GPRS] = {[RBP] = FAKE_ARENA + 64ull * (n / LOOP)};

    if (n > LOOP * fake_session.loops) {
        exact_end(&step->counts, 0);
        return false;
    }
    exact_step(&step->counts, fake_image_base + image_codemap.insns[insn].rva, gpr);
    return true;
}

/* Executes steps as drivers/trace/single_step.c does, up to the end of a part or of the code. */
static void run_steps(struct single_step *step, struct session_result *result)
{
    uint64_t begun = step->counts.steps;

    assert_int_not_equal(step->kernel, 0);
    assert_int_not_equal(step->left, 0);
    assert_int_equal(fake_session.part, VPMU_PART_OTHER); /* the model's counts cover undisturbed parts alone */
    fake_session.bitmaps = step->counts.bitmaps;
    if (step->state == SINGLE_STEP_NEW) {
        step->counts.arena = FAKE_ARENA;
        step->counts.bitmaps = fake_session.no_bitmaps ? 0 : step->counts.bitmaps;
        fake_session.stepped = 0;
        (void)begin_next(step);
    }
    step->state = fake_session.deaf ? SINGLE_STEP_DEAF : SINGLE_STEP_STOPPED;
    while (step->state == SINGLE_STEP_STOPPED && step->left) {
        if (!begin_next(step))
            step->state = SINGLE_STEP_DONE;
        step->left--;
    }
    if (fake_session.step_ticks)
        result->tsc_stop = result->tsc_start + (step->counts.steps - begun) * fake_session.step_ticks;
}

static void run_body(const struct member *member)
{
    const struct session_plan *plan = &member->plan;

    call(member, plan->calls.begin);
    read_controls(fake_session.pmc_ctl);
    if (plan->program.step)
        run_steps(plan->program.step, member->result);
    if (fake_session.body)
        fake_session.body(plan);
    else if (!never_ends(plan) && !is_stopped(member))
        call(member, plan->calls.body);
    let_time_pass();
    if (core_of(plan)->spoils)
        memset((void *)(uintptr_t)plan->place.paging.physical, 0xEE, plan->place.paging.size - SESSION_STACK_BYTES);
    if (ends_its_body(member))
        call(member, plan->calls.end);
}

/* Calls the parts of all cores: all are ready before one begins, and all have ended before one looks at its result. */
static void call_parts(const struct member *members, unsigned count)
{
    uint64_t flags = cpu_flags();

    cpu_cli();
    for (unsigned i = 0; i < count; i++)
        call(&members[i], members[i].plan.calls.prepare);
    for (unsigned i = 0; i < count; i++)
        run_body(&members[i]);
    for (unsigned i = 0; i < count; i++)
        if (ends_its_body(&members[i]))
            call(&members[i], members[i].plan.calls.finish);
    read_controls(fake_session.pmc_ctl_after);
    if (flags & CPU_FLAG_INTERRUPT)
        cpu_sti();
}

static void come_to_the_end(const struct session_plan *plan)
{
    struct gang *gang = plan->place.gang;
    unsigned away = 0;

    if (!gang)
        return;
    assert_in_range(plan->place.member, 0, gang->members - 1);
    if (plan->place.member) {
        gang->member[plan->place.member].given_up_at = core_of(plan)->given_up_at;
        gang->member[plan->place.member].step = core_of(plan)->given_up_at ? GANG_GIVEN_UP : GANG_LEFT;
    }
    for (uint32_t m = 1; !plan->place.member && m < gang->members; m++) {
        if (gang->member[m].step != GANG_AWAY)
            continue;
        away++;
        if (!fake_session.waits_for_ever)
            gang->member[m].step = GANG_GIVEN_UP;
    }
    if (!plan->place.member && away > (unsigned)__builtin_popcountll(fake_fw.dead))
        fail_msg("%u members are waited for that were not started", away);
}

static void script_result(const struct session_plan *plan, struct session_result *result)
{
    const struct fake_core *core = core_of(plan);

    *result = fake_session.result;
    if (core->restore.count)
        result->restore = core->restore;
    if (core->counts.nmi)
        result->counts = core->counts;
    result->spurious_interrupts += (uint32_t)core->spurious;
    if (core->error) {
        result->error = core->error;
        result->error_detail = core->error_detail;
    }
    if (fake_session.runs == fake_session.fail_at) {
        result->error = fake_session.fail_error ? fake_session.fail_error : SESSION_MSR_FAULT;
        result->error_detail = fake_session.fail_error ? 0 : 0xC0011033;
    }
    if (never_ends(plan))
        result->error = SESSION_LIMIT;
    (void)ibs_resolve(&plan->program.ibs, plan->place.machine, &result->settings);
    fake_time_passes(fake_session.slow);
    result->tsc_start = begin_of(plan);
    result->tsc_stop = begin_of(plan) + (never_ends(plan)     ? fake_session.endless_ms * plan->place.machine->tsc_khz
                                         : fake_session.ticks ? fake_session.ticks(plan)
                                                              : TSC_RUN);
    result->arena = FAKE_ARENA;
    result->apic_id = fake_session.id_of ? fake_session.id_of(plan->place.cpu) : plan->place.cpu;
    result->node = plan->place.machine->nodes.count > 1 ? nodes_of_core(plan->place.machine, result->apic_id) : 0;
    result->lvt_offset = plan->program.ibs.fetch || plan->program.ibs.op;
}

/* Prepares a session, and returns whether it reaches its measured part. */
static bool begin(const struct session_plan *plan, struct session_result *result)
{
    if (fake_session.runs < FAKE_PASSES)
        fake_session.pass[fake_session.runs] = (struct fake_pass){
            plan->program.ibs, plan->program.pmc, plan->program.timer, plan->place.cpu, .empty = is_empty(plan)};
    fake_session.plan = *plan;
    fake_session.runs++;
    say_plan(plan);
    claim_memory(plan);
    come_to_the_end(plan);
    *result = (struct session_result){.error = session_check(plan)};
    if (result->error)
        return false;
    script_result(plan, result);
    if (!result->error || result->faulted || result->error == SESSION_LIMIT || result->error == SESSION_RESTORE)
        return true;
    result->tsc_start = result->tsc_stop = 0;
    return false;
}

static void measure(const struct session_plan *plan, struct session_result *result)
{
    sample_ibs(plan, result);
    run_counters(plan, result);
    sample_time(plan, result);
    restore_undo(&result->restore);
    (void)restore_failures(&result->restore);
}

/* Runs the session. Sessions that run together are measured when the boot core's session, the last one, is called. */
void session_run(const struct session_plan *plan, struct session_result *result)
{
    static struct member members[FAKE_CORES];
    static unsigned count;

    if (pass_over)
        count = 0;
    if (fake_session.on_run)
        fake_session.on_run(plan);
    if (plan->place.silicon && !plan->place.silicon->read && core_of(plan)->silicon)
        *plan->place.silicon = *core_of(plan)->silicon;
    if (begin(plan, result))
        members[count++] = (struct member){*plan, result};
    if (plan->place.gang && plan->place.member)
        return;
    if (fake_session.run_body)
        call_parts(members, count);
    for (unsigned i = 0; i < count; i++)
        measure(&members[i].plan, members[i].result);
    passes++;
    was_empty = is_empty(plan);
}

/* ---------------------------------------------------------------- drivers/machine/vpmu_query.h */

bool vpmu_is_model(const struct machine *machine)
{
    return machine->hypervisor && !strcmp(machine->hypervisor_signature, "ibsbootvPMU");
}

bool vpmu_counts(const struct machine *machine, uint32_t select, uint32_t unit_mask)
{
    if (select == 0x0C1)
        fake_session.asked_mask |= unit_mask;
    for (unsigned i = 0; vpmu_is_model(machine) && fake_session.not_modelled[i]; i++)
        if (fake_session.not_modelled[i] == select)
            return false;
    return true;
}

uint64_t vpmu_tsc_khz(const struct machine *machine)
{
    return vpmu_is_model(machine) && fake_session.tsc_khz ? fake_session.tsc_khz : fake_session.machine.tsc_khz;
}

uint32_t vpmu_prepared_msr(const struct machine *machine)
{
    return vpmu_is_model(machine) ? 0x1234 : 0;
}

void vpmu_part(const struct machine *machine, enum vpmu_part part)
{
    struct fake_pass none, *pass = fake_session.runs <= FAKE_PASSES ? &fake_session.pass[fake_session.runs - 1] : &none;

    if (part == VPMU_PART_DROP) {
        assert_int_equal(fake_session.part, VPMU_PART_MEASURED);
        pass->drops = true;
        return;
    }
    fake_session.part = pass->part = part;
}

void vpmu_own_code(const struct machine *machine, const struct vpmu_own_code *code)
{
    (void)machine;
    fake_session.own_code = code;
    fake_session.own_code_told++;
}

void vpmu_forget(const struct machine *machine)
{
    (void)machine;
    fake_session.forgotten++;
}

void vpmu_filled_tell(struct vpmu_filled *filled, uint32_t msr)
{
    assert_int_equal(msr, 0x1234);
    fake_session.prepared_told = fake_session.prepared;
    filled->count = 0;
}

void vpmu_filled_add(struct vpmu_filled *filled, uint32_t msr, uint64_t linear, uint64_t bytes)
{
    assert_int_equal(filled->count, 0);
    assert_int_equal(msr, 0x1234);
    fake_session.prepared++;
    fake_session.prepared_at = linear;
    fake_session.prepared_bytes += bytes;
}

uint64_t vpmu_timer_khz(const struct machine *machine)
{
    (void)machine;
    return 0;
}

/* Returns the core's bit in the masks that a test reads; 0 if the masks have none for the core. */
static uint64_t bit(uint32_t apic_id)
{
    return apic_id < 64 ? 1ull << apic_id : 0;
}

void session_stop_core(const struct machine *machine, uint32_t apic_id)
{
    (void)machine;
    fake_session.stopped |= bit(apic_id);
}

/* ---------------------------------------------------------------- own start of cores */

enum startup_error startup_prepare(struct startup *startup, const struct startup_facts *facts, void *low)
{
    *startup = (struct startup){.low = low, .tsc_khz = facts->tsc_khz};
    fake_session.startup_facts = *facts;
    return fake_session.startup_error;
}

bool startup_reaches(const struct startup *startup, uint32_t apic_id)
{
    (void)startup;
    return fake_session.x2apic || apic_id < 0xFF;
}

uint32_t startup_own_id(const struct startup *startup)
{
    (void)startup;
    return fake_session.own_id;
}

enum startup_error startup_begin(const struct startup *startup, struct startup_core *core, uint32_t apic_id)
{
    assert_non_null(startup->low);
    assert_int_equal(core->alive, 0);
    fake_session.own_starts++;
    if (fake_session.silent & bit(apic_id))
        return STARTUP_SILENT;
    assert_false(fake_session.started & ~fake_session.stopped & bit(apic_id)); /* once */
    fake_session.started |= bit(apic_id);
    fake_session.stopped &= ~bit(apic_id);
    core->alive = 1;
    core->apic = apic_id;
    core->set = apic_id;
    core->wrong = apic_id / 2;
    return STARTUP_OK;
}

enum startup_error startup_wake(const struct startup *startup, struct startup_core *core, uint32_t apic_id)
{
    assert_true(core->resting);
    fake_session.stopped |= bit(apic_id);
    memset(core, 0, sizeof(*core));
    return startup_begin(startup, core, apic_id);
}

void startup_run(struct startup_core *core, void (*function)(void *argument), void *argument)
{
    assert_true(startup_ended(core));
    core->request++;
    function(argument);
    core->done += !(fake_session.never_returns & bit((uint32_t)core->apic));
}

bool startup_ended(const struct startup_core *core)
{
    return core->resting || core->done == core->request;
}

void startup_rest(struct startup_core *core)
{
    assert_true(startup_ended(core));
    core->resting = true;
}

bool startup_stop(const struct startup *startup, struct startup_core *core, uint32_t apic_id)
{
    (void)startup;
    assert_int_equal(core->apic, apic_id);
    fake_session.stopped |= bit(apic_id);
    core->wrong = fake_session.not_given_back;
    return startup_ended(core) && !(fake_session.survives_init & bit(apic_id));
}
