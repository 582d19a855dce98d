#include "tests/unit/app/fake_session.h"

#include <string.h>

#include "core/codemap.h"
#include "core/ibs_regs.h"

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
        .nodes = 1,
        .page_1g = true,
        .tsc_khz = 2000000,
    };
    fake_session.run_body = true;
    fake_session.op_samples = 5000;
    fake_session.fetch_samples = 1000;
}

size_t session_workspace_size(void)
{
    return 4096;
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

/* Round the map's instructions, so that shares are those of macro-op counts only by chance: enough for tests of text. */
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

void session_run(const struct session_plan *plan, struct session_result *result)
{
    fake_session.plan = *plan;
    fake_session.runs++;
    *result = fake_session.result;
    result->tsc_start = 1000;
    result->tsc_stop = 1000000;
    if (fake_session.run_body) {
        uint64_t arena = (uint64_t)(uintptr_t)plan->paging.physical;

        plan->prepare(plan->argument, arena);
        plan->body(plan->argument, arena);
        if (!result->faulted)
            plan->finish(plan->argument, arena);
    }
    for (uint64_t i = 0; i < fake_session.op_samples + fake_session.fetch_samples; i++) {
        enum ibs_kind kind = i < fake_session.op_samples ? IBS_KIND_OP : IBS_KIND_FETCH;
        uint64_t *recorded = kind == IBS_KIND_OP ? &result->counts.op : &result->counts.fetch;
        uint64_t *lost = kind == IBS_KIND_OP ? &result->counts.lost_op : &result->counts.lost_fetch;

        if (result->samples == plan->capacity) {
            ++*lost;
            continue;
        }
        make(&plan->records[result->samples++], kind, i);
        ++*recorded;
    }
}
