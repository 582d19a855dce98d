#include "tests/unit/app/fake_session.h"

#include <string.h>

#include "core/codemap.h"
#include "core/ibs_regs.h"
#include "drivers/vpmu_query.h"

struct fake_session fake_session;
static uint64_t fake_image_base;

void fake_session_init(uint64_t image_base)
{
    memset(&fake_session, 0, sizeof(fake_session));
    fake_image_base = image_base;
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
    fake_session.run_body = true;
    fake_session.op_samples = 5000;
    fake_session.fetch_samples = 1000;
    fake_session.timer_samples = 500;
    fake_session.otherwise = 1000000;
    fake_session.culprit = -1;
}

size_t session_workspace_size(void)
{
    return 4096;
}

struct session_live session_live(const void *workspace)
{
    (void)workspace;
    return (struct session_live){&fake_session.live_nmis, &fake_session.live_interrupts};
}

enum session_error session_check(const struct session_plan *plan)
{
    (void)plan;
    return fake_session.check_error;
}

enum session_error session_probe(struct machine *machine, void *workspace, uint64_t tsc_khz)
{
    (void)workspace;
    (void)tsc_khz;
    *machine = fake_session.machine;
    return fake_session.probe_error;
}

/* Round the map's instructions, so that shares are those of macro-op counts only by chance: enough for tests of text.
 */
static void make(struct ibs_record *record, enum ibs_kind kind, uint64_t i)
{
    const struct codemap_insn *insn = &image_codemap.insns[i % image_codemap.insn_count];
    uint64_t rip = fake_image_base + insn->rva;

    *record = (struct ibs_record){.tsc = 1000 + i * 100, .kind = kind};
    if (kind == IBS_KIND_FETCH) {
        record->reg[IBS_FETCH_CTL] = IBS_FETCH_EN | IBS_FETCH_VAL | IBS_FETCH_COMP | IBS_FETCH_PHY_VALID | 0x40;
        record->reg[IBS_FETCH_LINAD] = rip;
        return;
    }
    record->reg[IBS_OP_CTL] = IBS_OP_EN | IBS_OP_VAL | IBS_OP_CNT_CTL | 0x40;
    record->reg[IBS_OP_RIP] = rip;
    record->reg[IBS_OP_DATA] = 20ull << 16 | 5;
    if (insn->mems) {
        record->reg[IBS_OP_DATA3] = IBS_LD_OP | IBS_DC_LIN_ADDR_VALID | IBS_DC_PHY_ADDR_VALID;
        record->reg[IBS_OP_DCLINAD] = 0x1000 + i * 64;
    }
}

/* An op sample of the culprit missed the data cache and both DTLBs. */
static void miss(struct ibs_record *record, uint64_t i)
{
    if (fake_session.culprit < 0 || (int32_t)(i % image_codemap.insn_count) != fake_session.culprit ||
        record->kind != IBS_KIND_OP)
        return;
    record->reg[IBS_OP_DATA3] = IBS_LD_OP | IBS_DC_LIN_ADDR_VALID | IBS_DC_PHY_ADDR_VALID | IBS_DC_MISS |
                                IBS_DC_L1TLB_MISS | IBS_DC_L2TLB_MISS | 50ull << 32;
}

static struct ibs_record *next(const struct session_plan *plan, struct session_result *result)
{
    return result->samples == plan->capacity ? NULL : &plan->records[result->samples++];
}

static void sample_ibs(const struct session_plan *plan, struct session_result *result)
{
    for (uint64_t i = 0; i < fake_session.op_samples + fake_session.fetch_samples; i++) {
        enum ibs_kind kind = i < fake_session.op_samples ? IBS_KIND_OP : IBS_KIND_FETCH;
        struct ibs_record *record;

        if (kind == IBS_KIND_OP ? !plan->ibs.op : !plan->ibs.fetch)
            continue;
        record = next(plan, result);
        if (record) {
            make(record, kind, i);
            if (kind == IBS_KIND_OP && i < fake_session.elsewhere)
                record->reg[IBS_OP_RIP] = 0x1000;
            record->cpu = plan->cpu;
            miss(record, i);
        }
        *(kind == IBS_KIND_OP ? record ? &result->counts.op : &result->counts.lost_op
          : record            ? &result->counts.fetch
                              : &result->counts.lost_fetch) += 1;
    }
}

static uint64_t happens(const struct session_plan *plan, const struct pmc_event *event)
{
    bool empty = !plan->prepare;
    uint64_t total = fake_session.otherwise, overhead = 0;

    for (unsigned i = 0; i < FAKE_COUNTS && fake_session.count[i].total; i++) {
        if (fake_session.count[i].select == event->select && fake_session.count[i].count_mask == event->count_mask) {
            total = fake_session.count[i].total;
            overhead = fake_session.count[i].overhead;
        }
    }
    for (unsigned i = 0; fake_session.not_modelled[i]; i++)
        if (fake_session.not_modelled[i] == event->select)
            return 0;
    return (empty ? 0 : total + fake_session.drift * fake_session.runs) + overhead;
}

static uint64_t group_tsc(const struct session_plan *plan, unsigned group)
{
    uint64_t sum = 0;

    for (unsigned g = 0; g < PMC_GROUPS_MAX; g++)
        sum += fake_session.group_tsc[g];
    return sum ? fake_session.group_tsc[group] : 1200000 / plan->pmc.groups;
}

/* One event of one group for its part of the time. */
static void run_counter(const struct session_plan *plan, struct session_result *result, unsigned group,
                        unsigned counter)
{
    unsigned index = plan->pmc.group[group].event[counter];
    const struct pmc_event *event = &plan->pmc.event[index];
    struct pmc_count *count = &result->pmc.group[group].counter[counter];
    uint64_t possible = 0;

    for (unsigned g = 0; g < plan->pmc.groups; g++)
        possible += group_tsc(plan, g);
    count->tsc = group_tsc(plan, group);
    count->total = happens(plan, event) * count->tsc / possible;
    for (uint64_t i = 0; plan->pmc.mode == PMC_SAMPLING && event->period && i < count->total / event->period; i++) {
        struct ibs_record *record = next(plan, result);

        count->overflows++;
        *(record ? &count->samples : &count->lost) += 1;
        *(record ? &result->counts.pmc : &result->counts.lost_pmc) += 1;
        if (record)
            *record = (struct ibs_record){
                .tsc = 1000 + i,
                .kind = IBS_KIND_PMC,
                .reg = {[PMC_RIP] = fake_image_base + image_codemap.insns[i % image_codemap.insn_count].rva,
                        [PMC_EVENT] = index}};
    }
    result->pmc.event[index].total += count->total;
    result->pmc.event[index].samples += count->samples;
    result->pmc.event[index].lost += count->lost;
    result->pmc.event[index].tsc += count->tsc;
}

static void run_counters(const struct session_plan *plan, struct session_result *result)
{
    for (unsigned g = 0; plan->pmc.mode != PMC_OFF && g < plan->pmc.groups; g++) {
        result->pmc.group[g].tsc = group_tsc(plan, g);
        result->pmc.group[g].slices = 1;
        for (unsigned c = 0; c < plan->pmc.group[g].events; c++)
            run_counter(plan, result, g, c);
    }
}

static void sample_time(const struct session_plan *plan, struct session_result *result)
{
    for (uint64_t i = 0; plan->timer.period && i < fake_session.timer_samples; i++) {
        struct ibs_record *record = next(plan, result);

        *(record ? &result->counts.timer : &result->counts.lost_timer) += 1;
        if (record)
            *record = (struct ibs_record){
                .tsc = 1000 + i,
                .kind = IBS_KIND_TIMER,
                .reg = {[TIMER_RIP] = fake_image_base + image_codemap.insns[i % image_codemap.insn_count].rva}};
    }
}

static void read_controls(uint64_t ctl[PMC_COUNTERS])
{
    for (unsigned n = 0; n < PMC_COUNTERS; n++)
        (void)cpu_rdmsr_safe(MSR_PERF_CTL(n), &ctl[n]);
}

void session_run(const struct session_plan *plan, struct session_result *result)
{
    if (fake_session.runs < FAKE_PASSES)
        fake_session.pass[fake_session.runs] =
            (struct fake_pass){plan->ibs, plan->pmc, plan->timer, .empty = !plan->prepare};
    fake_session.plan = *plan;
    fake_session.runs++;
    *result = fake_session.result;
    if (fake_session.runs == fake_session.fail_at)
        result->error = SESSION_MSR_FAULT;
    result->tsc_start = 1000;
    result->tsc_stop = 1000000;
    if (fake_session.run_body) {
        uint64_t arena = (uint64_t)(uintptr_t)plan->paging.physical;

        if (plan->prepare)
            plan->prepare(plan->argument, arena);
        if (plan->begin)
            plan->begin(plan->argument, arena);
        read_controls(fake_session.pmc_ctl);
        if (plan->body)
            plan->body(plan->argument, arena);
        if (plan->end && !result->faulted)
            plan->end(plan->argument, arena);
        if (plan->finish && !result->faulted)
            plan->finish(plan->argument, arena);
        read_controls(fake_session.pmc_ctl_after);
    }
    sample_ibs(plan, result);
    run_counters(plan, result);
    sample_time(plan, result);
    if (result->restore.count > fake_session.result.restore.count) { /* the callbacks have put something there */
        restore_undo(&result->restore);
        (void)restore_failures(&result->restore);
    }
}

bool vpmu_is_model(const struct machine *machine)
{
    return machine->hypervisor && !strcmp(machine->hypervisor_signature, "ibsbootvPMU");
}

bool vpmu_counts(const struct machine *machine, uint32_t select, uint32_t unit_mask)
{
    (void)unit_mask;
    for (unsigned i = 0; vpmu_is_model(machine) && fake_session.not_modelled[i]; i++)
        if (fake_session.not_modelled[i] == select)
            return false;
    return true;
}

uint64_t vpmu_tsc_khz(const struct machine *machine)
{
    return vpmu_is_model(machine) ? fake_session.tsc_khz : 0;
}
