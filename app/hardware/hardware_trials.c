/* SPDX-License-Identifier: BSD-2-Clause */
/* Questions about the local APIC, the counters' registers, and registers that are only read (drivers/pmu/trial.h). */
#include "app/hardware/hardware.h"

#include "core/family/pmc_regs.h"
#include "drivers/cpu/apic.h"
#include "drivers/machine/quiet.h"

enum {
    READS = 1000,
    HWCR = 0xC0010015, /* bits 3 TlbCacheDis, 24 TscFreqSel, 25 CpbDis (BKDG 31116) */
    PSTATE_LIMIT = 0xC0010061,
    PSTATE_STATUS = 0xC0010063,
    DE_CFG = 0xC0011029,
    BU_CFG = 0xC0011023,
    BU_CFG2 = 0xC001102A,
    MC0_STATUS = 0x401,
    MACHINE_CHECK = 18,      /* the exception */
    LEAVES_OPEN_FROM = 0x15, /* the family: choice, as the model's */
    PORT_REASON = 0x61,      /* bits 7 SERR, 6 IOCHK: NMI reasons; 2, 3: disable these (Linux mach_traps.h) */
    PORT_CMOS = 0x70,        /* bit 7: NMIs of the chipset are off; unreadable on many chipsets */
    REASONS = 0xC0,
};

/* ---------------------------------------------------------------- the local APIC */

static void try_overflow(void *argument, uint64_t arena)
{
    struct hardware *hardware = argument;
    const struct trial trial = hardware_trial(hardware);

    (void)arena;
    trial_overflow(&trial, hardware->scratch);
}

static bool overflow_tried(struct hardware *hardware, struct trial_overflow *ret)
{
    hardware->scratch = ret;
    if (!hardware_session(hardware, &(struct session_program){0}, try_overflow, hardware))
        return false;
    if (!ret->ok || !ret->nmis)
        hardware_cannot(hardware, ret->ok ? "the overflow sent no NMI" : "counter or APIC cannot be used");
    return ret->ok && ret->nmis;
}

void hardware_ask_lvtpc_masked(struct hardware *hardware)
{
    bool masks = hardware->run->machine->family < LEAVES_OPEN_FROM;
    struct trial_overflow ret;

    if (overflow_tried(hardware, &ret))
        hardware_found(hardware, ret.masked == masks, "%s after its NMI", ret.masked ? "masked" : "not masked");
}

void hardware_ask_counter_nmi_late(struct hardware *hardware)
{
    struct trial_overflow ret;

    if (!overflow_tried(hardware, &ret))
        return;
    if (ret.stops)
        hardware_found(hardware, !ret.late, "%u later than 1 us after the stop; %u of 64 stops had one", ret.late,
                       ret.stops);
    else
        hardware_cannot(hardware, "no overflow came before its stop");
}

static void try_timer(void *argument, uint64_t arena)
{
    struct hardware *hardware = argument;
    const struct trial trial = hardware_trial(hardware);

    (void)arena;
    trial_timer(&trial, hardware->scratch);
}

static bool timer_tried(struct hardware *hardware, struct trial_timer *ret)
{
    hardware->scratch = ret;
    if (!hardware_session(hardware, &(struct session_program){0}, try_timer, hardware))
        return false;
    if (!ret->ok)
        hardware_cannot(hardware, "the APIC's registers cannot be reached");
    return ret->ok;
}

void hardware_ask_timer_nmi_holds(struct hardware *hardware)
{
    struct trial_timer ret;

    if (timer_tried(hardware, &ret))
        hardware_found(hardware, ret.holds && !ret.left, "%s, count %u after its end",
                       ret.holds ? "holds" : "does not hold", ret.left);
}

void hardware_ask_timer_nmi_arrives(struct hardware *hardware)
{
    struct trial_timer ret;

    if (timer_tried(hardware, &ret))
        hardware_found(hardware, ret.nmis == 1, "%u NMIs of one end, error status %x", ret.nmis, ret.status);
}

void hardware_ask_apic_timer_rate(struct hardware *hardware)
{
    const struct hardware_step *step = hardware_step(hardware, STEP_LIMITED);

    if (!step)
        return;
    if (step->timer.by != TIMER_BY_APIC)
        hardware_cannot(hardware, "the APIC's timer makes no ticks");
    else
        hardware_found(hardware, between(step->timer.khz, 200000, 980, 1020), "%lu kHz", step->timer.khz);
}

struct entries {
    struct hardware *hardware;
    int masked;
    uint32_t count, value[4], spurious;
};

static void read_entries(void *argument, uint64_t arena)
{
    struct entries *entries = argument;
    const struct trial trial = hardware_trial(entries->hardware);

    (void)arena;
    if (!trial.apic)
        return;
    entries->count = apic_extended_lvts(trial.apic);
    for (uint32_t i = 0; i < entries->count && i < 4; i++)
        entries->value[i] = apic_read(apic_extended_lvt(trial.apic, i));
}

void hardware_ask_extended_lvt_free(struct hardware *hardware)
{
    struct entries entries = {.hardware = hardware};
    unsigned free = 0;

    if (!hardware_session(hardware, &(struct session_program){0}, read_entries, &entries))
        return;
    for (uint32_t i = 1; i < entries.count && i < 4; i++)
        free += (entries.value[i] & (APIC_LVT_MASKED | APIC_LVT_TYPE)) == APIC_LVT_MASKED;
    hardware_found(hardware, free == 3, "%u entries: %x %x %x %x", entries.count, entries.value[0], entries.value[1],
                   entries.value[2], entries.value[3]);
}

/* Each session logs the register before it switches the APIC on. */
void hardware_ask_svr_boot_core(struct hardware *hardware)
{
    struct entries entries = {.hardware = hardware};

    if (!hardware_session(hardware, &(struct session_program){0}, read_entries, &entries))
        return;
    for (uint32_t i = 0; i < hardware->result.restore.count; i++) {
        const struct restore_row *row = &hardware->result.restore.row[i];

        if (row->kind != RESTORE_MMIO || (row->address & 0xFFF) != APIC_SPURIOUS)
            continue;
        hardware_found(hardware, row->before & APIC_SOFTWARE_ENABLE, "0F0h was %lx", row->before);
        return;
    }
    hardware_found(hardware, true, "0F0h needed no change");
}

static void mask_entries(void *argument, uint64_t arena)
{
    struct entries *entries = argument;

    (void)arena;
    entries->masked = quiet_mask_lvt(entries->hardware->run->machine, &entries->hardware->result.restore);
}

/* Here a session that fails to restore is the answer. */
void hardware_ask_lvt_restored(struct hardware *hardware)
{
    struct entries entries = {.hardware = hardware};

    if (!hardware_session(hardware, &(struct session_program){0}, mask_entries, &entries) &&
        hardware->result.error != SESSION_RESTORE)
        return;
    if (entries.masked <= 0)
        hardware_cannot(hardware, entries.masked ? "the local vector table cannot be reached" : "no entry is open");
    else
        hardware_found(hardware, !hardware->result.restore.failed, "%d entries masked, %u registers not as before",
                       entries.masked, hardware->result.restore.failed);
}

/* ---------------------------------------------------------------- counters */

struct held {
    struct hardware *hardware;
    uint64_t counter, unstable;
};

static void try_counter(void *argument, uint64_t arena)
{
    struct held *held = argument;
    const struct trial trial = hardware_trial(held->hardware);

    (void)arena;
    held->counter = trial_hold(&trial, MSR_PERF_CTR(0), PMC_COUNTER_MASK, UINT64_MAX);
    held->unstable = 0;
    for (unsigned c = 0; c < PMC_LEGACY; c++)
        held->unstable += trial_unstable(MSR_PERF_CTL(c), READS);
}

void hardware_ask_counters_48_bits(struct hardware *hardware)
{
    struct held held = {.hardware = hardware};
    const struct hardware_step *step = hardware_counted(hardware, STEP_SAMPLED_OFTEN);
    uint64_t sampled;

    if (!step || !hardware_session(hardware, &(struct session_program){0}, try_counter, &held))
        return;
    sampled = hardware_samples(step, SAMPLE_PMC) * hardware_step_rows[STEP_SAMPLED_OFTEN].event[0].period *
              (hardware->model ? 1 : HARDWARE_SILICON_PERIODS);
    hardware_found(hardware, !held.counter && between(sampled, step->count[0], 750, 1010),
                   "bits of ones that did not hold %lx; samples x period %lu, total %lu", held.counter, sampled,
                   step->count[0]);
}

void hardware_ask_perf_ctl_stable(struct hardware *hardware)
{
    struct held held = {.hardware = hardware};

    if (hardware_session(hardware, &(struct session_program){0}, try_counter, &held))
        hardware_found(hardware, !held.unstable, "%lu of %u reads differ", held.unstable, READS * PMC_LEGACY);
}

/* ---------------------------------------------------------------- registers that are only read */

struct reads {
    const uint32_t *msr;
    uint64_t value[4];
    bool there[4];
};

static void read_registers(void *argument, uint64_t arena)
{
    struct reads *reads = argument;

    (void)arena;
    for (unsigned i = 0; i < 4 && reads->msr[i]; i++)
        reads->there[i] = trial_read(reads->msr[i], &reads->value[i]);
}

void hardware_ask_tlb_errata_bits(struct hardware *hardware)
{
    static const uint32_t msrs[4] = {HWCR, BU_CFG, BU_CFG2};
    struct reads r = {.msr = msrs};
    bool old = hardware->run->machine->revision == 'B', set;

    if (hardware->run->machine->hypervisor && !hardware->model) {
        hardware_cannot(hardware, "a hypervisor owns these registers");
        return;
    }
    if (!hardware_session(hardware, &(struct session_program){0}, read_registers, &r))
        return;
    set = (r.value[0] >> 3 & 1) || (r.value[1] >> 1 & 1) || (r.value[2] >> 29 & 1);
    if (r.there[0] && r.there[1] && r.there[2])
        hardware_found(hardware, set == old, "HWCR[3] %lu, BU_CFG[1] %lu, BU_CFG2[29] %lu", r.value[0] >> 3 & 1,
                       r.value[1] >> 1 & 1, r.value[2] >> 29 & 1);
    else
        hardware_cannot(hardware, "a register raises exception %lu",
                        r.there[0] ? r.there[1] ? r.value[2] : r.value[1] : r.value[0]);
}

void hardware_ask_p_state(struct hardware *hardware)
{
    static const uint32_t msrs[4] = {PSTATE_STATUS, PSTATE_LIMIT, HWCR};
    struct reads r = {.msr = msrs};

    if (hardware->run->machine->hypervisor && !hardware->model) {
        hardware_cannot(hardware, "a hypervisor owns these registers");
        return;
    }
    if (!hardware_session(hardware, &(struct session_program){0}, read_registers, &r))
        return;
    hardware_found(hardware, r.there[0] && (r.value[0] & 7) == (r.value[1] & 7),
                   "state %lu, limit %lu; HWCR[25] %lu, HWCR[24] %lu", r.value[0] & 7, r.value[1] & 7,
                   r.value[2] >> 25 & 1, r.value[2] >> 24 & 1);
}

void hardware_ask_erratum_721(struct hardware *hardware)
{
    static const uint32_t msrs[4] = {DE_CFG};
    struct reads r = {.msr = msrs};

    if (hardware->run->machine->hypervisor && !hardware->model) {
        hardware_cannot(hardware, "a hypervisor owns the register");
        return;
    }
    if (!hardware_session(hardware, &(struct session_program){0}, read_registers, &r))
        return;
    if (r.there[0])
        hardware_found(hardware, r.value[0] & 1, "MSRC001_1029 is %lx", r.value[0]);
    else
        hardware_cannot(hardware, "MSRC001_1029 raises exception %lu", r.value[0]);
}

static void read_ports(void *argument, uint64_t arena)
{
    uint8_t *ports = ((struct hardware *)argument)->scratch;

    (void)arena;
    ports[0] = cpu_in8(PORT_REASON);
    ports[1] = cpu_in8(PORT_CMOS);
}

void hardware_ask_nmi_ports(struct hardware *hardware)
{
    uint8_t ports[2];

    hardware->scratch = ports;
    if (hardware_session(hardware, &(struct session_program){0}, read_ports, hardware))
        hardware_found(hardware, !(ports[0] & REASONS), "61h reads %x: SERR %s, IOCHK %s; 70h reads %x", ports[0],
                       ports[0] & 4 ? "off" : "on", ports[0] & 8 ? "off" : "on", ports[1]);
}

static bool since_boot(const struct machine_check *check)
{
    return check->count && check->bank[0].bank == 0;
}

/* A corrected error stays in the bank; an uncorrected one raises #MC, whose handler clears the bank. */
void hardware_ask_no_stale_translation(struct hardware *hardware)
{
    static const uint32_t msrs[4] = {MC0_STATUS};
    struct reads r = {.msr = msrs};

    if (!hardware_step(hardware, STEP_CODE_40)) {
        if (hardware->step[STEP_CODE_40].vector == MACHINE_CHECK)
            hardware_found(hardware, false, "with code_pages=4k %s", hardware->step[STEP_CODE_40].why);
        return;
    }
    if (since_boot(&hardware->run->machine->check)) {
        hardware_cannot(hardware, "bank 0 has held an error since boot: question 92");
        return;
    }
    if (!hardware_session(hardware, &(struct session_program){0}, read_registers, &r))
        return;
    hardware_found(hardware, r.there[0] && !(r.value[0] >> 63), "MC0_STATUS %lx after code_pages=4k", r.value[0]);
}
