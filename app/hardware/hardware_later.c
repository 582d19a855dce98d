/* SPDX-License-Identifier: BSD-2-Clause */
/* Questions about registers of families after Family 10h (core/hardware/hardware_later_rows.h). */
#include "app/hardware/hardware.h"

#include "core/family/branch_regs.h"
#include "core/family/ibs_regs.h"
#include "core/family/pmc_regs.h"
#include "drivers/cpu/apic.h"
#include "drivers/cpu/cpu.h"
#include "drivers/pmu/pmc.h"

enum {
    HWCR = 0xC0010015,
    HWCR_CPB_DIS = 1 << 25,      /* Linux asm/msr-index.h, MSR_K7_HWCR_CPB_DIS */
    OP_DATA4 = 0xC001103D,       /* Linux asm/msr-index.h, MSR_AMD64_IBSOPDATA4 */
    COUNTERS_MOST = 16,          /* EBX[3:0] of CPUID 8000_0022h */
    LEGACY_PATTERN = 0x5AA51234, /* choice: a few bits of each byte */
    CLOCKS_LEAST = 1000,         /* in 50 us: with less the counter stands still */
};

void hardware_ask_caps_of_row(struct hardware *hardware)
{
    const struct machine *machine = hardware->run->machine;
    uint32_t known = machine->row ? machine->row->caps_known : 0;

    if (known)
        hardware_found(hardware, (machine->ibs_caps & known) == known, "EAX %x, known of the family %x",
                       machine->ibs_caps, known);
    else
        hardware_cannot(hardware, "no machine of the family is known to have reported it");
}

struct tried {
    struct hardware *hardware;
    uint64_t a, b;
    unsigned n;
    uint32_t msr;
};

static void try_filters(void *argument, uint64_t arena)
{
    struct tried *tried = argument;
    const struct trial trial = hardware_trial(tried->hardware);
    uint64_t op = IBS_OP_L3MISSONLY;

    (void)arena;
    if (tried->hardware->run->machine->ibs_caps & IBS_CAP_LDLAT)
        op |= IBS_OP_LDLAT_EN | IBS_OP_LDLAT_THRSH;
    tried->a = trial_hold(&trial, MSR_IBS_FETCH_CTL, IBS_FETCH_L3MISSONLY, IBS_FETCH_L3MISSONLY);
    tried->b = trial_hold(&trial, MSR_IBS_OP_CTL, op, op);
}

void hardware_ask_filter_bits_hold(struct hardware *hardware)
{
    struct tried tried = {.hardware = hardware};

    if (hardware_session(hardware, &(struct session_program){0}, try_filters, &tried))
        hardware_found(hardware, !tried.a && !tried.b, "lost bits: IbsFetchCtl %lx, IbsOpCtl %lx", tried.a, tried.b);
}

static void try_long_counts(void *argument, uint64_t arena)
{
    struct tried *tried = argument;
    const struct trial trial = hardware_trial(tried->hardware);

    (void)arena;
    tried->a = trial_hold(&trial, MSR_IBS_OP_CTL, IBS_OP_MAX_CNT_EXT | IBS_OP_CUR_CNT_EXT,
                          IBS_OP_MAX_CNT_EXT | IBS_OP_CUR_CNT_EXT);
}

void hardware_ask_counts_of_27_bits(struct hardware *hardware)
{
    struct tried tried = {.hardware = hardware};

    if (hardware_session(hardware, &(struct session_program){0}, try_long_counts, &tried))
        hardware_found(hardware, !tried.a, "lost bits: IbsOpCtl %lx", tried.a);
}

static void read_told(void *argument, uint64_t arena)
{
    struct tried *tried = argument;

    (void)arena;
    tried->n = trial_read(tried->msr, &tried->a);
}

/* Answers whether the register exists exactly if CPUID 8000_001Bh EAX has the bit. */
static void ask_as_told(struct hardware *hardware, uint32_t msr, uint32_t cap)
{
    struct tried tried = {.hardware = hardware, .msr = msr};
    bool told = hardware->run->machine->ibs_caps & cap;

    if (hardware_session(hardware, &(struct session_program){0}, read_told, &tried))
        hardware_found(hardware, told == (tried.n != 0), "CPUID says that it %s, and it %s",
                       told ? "exists" : "does not exist", tried.n ? "can be read" : "raises an exception");
}

void hardware_ask_op_data4_as_told(struct hardware *hardware)
{
    ask_as_told(hardware, OP_DATA4, IBS_CAP_OPDATA4);
}

void hardware_ask_fetch_extd_as_told(struct hardware *hardware)
{
    ask_as_told(hardware, MSR_IBS_FETCH_EXTD, IBS_CAP_FETCHCTLEXTD);
}

void hardware_ask_branch_target_as_told(struct hardware *hardware)
{
    ask_as_told(hardware, MSR_IBS_BR_TARGET, IBS_CAP_BRNTRGT);
}

static void try_global_bits(void *argument, uint64_t arena)
{
    struct tried *tried = argument;
    const struct trial trial = hardware_trial(tried->hardware);
    uint64_t all = (1ull << tried->hardware->run->machine->pmc.count) - 1;

    (void)arena;
    tried->a = trial_hold(&trial, MSR_PMC_GLOBAL_CTL, all, all);
}

void hardware_ask_global_bits_hold(struct hardware *hardware)
{
    struct tried tried = {.hardware = hardware};

    if (hardware_session(hardware, &(struct session_program){0}, try_global_bits, &tried))
        hardware_found(hardware, !tried.a, "lost bits: %lx", tried.a);
}

static void read_entry(void *argument, uint64_t arena)
{
    struct tried *tried = argument;
    const struct trial trial = hardware_trial(tried->hardware);

    (void)arena;
    tried->n = trial.apic ? apic_extended_lvts(trial.apic) : 0;
    if (!trial_read(MSR_IBS_CONTROL, &tried->a))
        tried->a = 0;
}

void hardware_ask_firmware_entry(struct hardware *hardware)
{
    struct tried tried = {.hardware = hardware};

    if (hardware_session(hardware, &(struct session_program){0}, read_entry, &tried))
        hardware_found(hardware, (tried.a & IBS_CTL_LVT_VALID) && (tried.a & IBS_CTL_LVT_OFFSET) < tried.n,
                       "C001_103A is %lx, for %u entries", tried.a, tried.n);
}

void hardware_ask_firmware_entries_agree(struct hardware *hardware)
{
    const struct hardware_cores *cores = hardware_cores(hardware);
    unsigned differ = 0, last = 0;

    if (!cores)
        return;
    for (unsigned i = 1; i < hardware->run->passes.cores; i++) {
        if (cores->core[i].control == cores->core[0].control)
            continue;
        differ++;
        last = i;
    }
    hardware_found(hardware, !differ, "%u of %u other cores differ: %lx, boot core %lx", differ,
                   hardware->run->passes.cores - 1, cores->core[last].control, cores->core[0].control);
}

void hardware_ask_counters_by_cpuid(struct hardware *hardware)
{
    struct cpu_cpuid r;

    cpu_cpuid(CPUID_LEAF_PMC, 0, &r);
    hardware_found(hardware, r.ebx % COUNTERS_MOST == hardware->run->machine->row->pmc.count,
                   "CPUID says %u, the family's row %u", r.ebx % COUNTERS_MOST, hardware->run->machine->row->pmc.count);
}

static void try_counters(void *argument, uint64_t arena)
{
    struct tried *tried = argument;
    const struct trial trial = hardware_trial(tried->hardware);
    const struct ibs_pmc *pmc = &tried->hardware->run->machine->pmc;

    (void)arena;
    for (unsigned c = 0; c < pmc->count; c++) {
        uint64_t lost = trial_hold(&trial, pmc_ctr_at(pmc, c), PMC_COUNTER_MASK, PMC_COUNTER_MASK);

        tried->a |= lost;
        tried->n += lost != 0;
    }
}

void hardware_ask_each_counter_holds(struct hardware *hardware)
{
    struct tried tried = {.hardware = hardware};

    if (hardware_session(hardware, &(struct session_program){0}, try_counters, &tried))
        hardware_found(hardware, !tried.n, "%u of %u counters lose bits: %lx", tried.n,
                       hardware->run->machine->pmc.count, tried.a);
}

static void try_legacy(void *argument, uint64_t arena)
{
    struct tried *tried = argument;
    const struct trial trial = hardware_trial(tried->hardware);
    const struct ibs_pmc *pmc = &tried->hardware->run->machine->pmc;

    (void)arena;
    for (unsigned c = 0; c < PMC_LEGACY; c++) {
        uint32_t msr = pmc_ctr_at(pmc, c);
        uint64_t before, old;

        if (restore_save(trial.log, RESTORE_MSR, msr, 0, PMC_COUNTER_MASK, "tried", &before) ||
            cpu_wrmsr_safe(msr, LEGACY_PATTERN + c) || !trial_read(MSR_PERF_CTR(c), &old) || old != LEGACY_PATTERN + c)
            tried->n++;
    }
}

void hardware_ask_legacy_counters(struct hardware *hardware)
{
    struct tried tried = {.hardware = hardware};

    if (hardware_session(hardware, &(struct session_program){0}, try_legacy, &tried))
        hardware_found(hardware, !tried.n, "%u of %u read differently", tried.n, PMC_LEGACY);
}

static void try_global(void *argument, uint64_t arena)
{
    struct hardware *hardware = argument;
    const struct trial trial = hardware_trial(hardware);

    (void)arena;
    trial_global(&trial, hardware->scratch);
}

static bool global_tried(struct hardware *hardware, struct trial_global *ret)
{
    hardware->scratch = ret;
    if (!hardware_session(hardware, &(struct session_program){0}, try_global, hardware))
        return false;
    if (!ret->ok)
        hardware_cannot(hardware, "counter or APIC cannot be used");
    return ret->ok;
}

void hardware_ask_global_status(struct hardware *hardware)
{
    struct trial_global ret;

    if (global_tried(hardware, &ret))
        hardware_found(hardware, !ret.before && ret.after && ret.cleared, "bit 0: %u before, %u after, %u when cleared",
                       ret.before, ret.after, !ret.cleared);
}

void hardware_ask_global_control(struct hardware *hardware)
{
    struct trial_global ret;

    if (global_tried(hardware, &ret))
        hardware_found(hardware, ret.on >= CLOCKS_LEAST && !ret.off, "%lu clocks with the bit set, %lu with it clear",
                       ret.on, ret.off);
}

static void try_boost(void *argument, uint64_t arena)
{
    struct tried *tried = argument;
    const struct trial trial = hardware_trial(tried->hardware);

    (void)arena;
    tried->a = trial_hold(&trial, HWCR, HWCR_CPB_DIS, HWCR_CPB_DIS);
}

void hardware_ask_boost_bit_holds(struct hardware *hardware)
{
    const struct machine *machine = hardware->run->machine;
    struct tried tried = {.hardware = hardware};

    if (!machine->boost || (machine->hypervisor && !hardware->model))
        hardware_cannot(hardware, machine->boost ? "a hypervisor owns the register" : "this processor has no boost");
    else if (hardware_session(hardware, &(struct session_program){0}, try_boost, &tried))
        hardware_found(hardware, !tried.a, "HWCR[25] %s", tried.a ? "does not hold" : "holds");
}

void hardware_ask_tsc_invariant(struct hardware *hardware)
{
    const struct machine *machine = hardware->run->machine;

    if (machine->tsc_told)
        hardware_found(hardware, machine->tsc_invariant, "8000_0007h EDX[8] is %u", machine->tsc_invariant);
    else
        hardware_cannot(hardware, "there is no leaf 8000_0007h");
}

static void read_branches(void *argument, uint64_t arena)
{
    struct tried *tried = argument;

    (void)arena;
    tried->n = trial_read(MSR_DBG_EXTN_CFG, &tried->a);
}

void hardware_ask_branch_records_off(struct hardware *hardware)
{
    struct tried tried = {.hardware = hardware};
    uint64_t on = hardware->run->machine->branch_sampling ? DBG_EXTN_SAMPLING : DBG_EXTN_BRANCHES;

    if (hardware_session(hardware, &(struct session_program){0}, read_branches, &tried))
        hardware_found(hardware, tried.n && !(tried.a & on),
                       tried.n ? "C000_010F is %lx" : "C000_010F raises exception %lu", tried.a);
}
