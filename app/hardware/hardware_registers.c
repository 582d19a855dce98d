/* SPDX-License-Identifier: BSD-2-Clause */
/* Questions about the registers of IBS and its interrupt, without a workload (drivers/pmu/trial.h). */
#include "app/hardware/hardware.h"

#include "core/family/ibs_regs.h"

enum {
    LONG_PERIOD = 0xFFFF0,
    UC_READS = 4000,
    UC_PERIOD = 160,
    GENERAL_PROTECTION = 13,
    THRESHOLDS = 3,
    TWO_STEP_STOPS = 64,
    ONE_STEP_STOPS = 1000,
};

/* Sets up IBS op as usual, but with a period that gives almost no samples. */
static const struct session_program ibs = {.ibs = {.op = true, .op_period = LONG_PERIOD}};
static const struct session_program both = {
    .ibs = {.op = true, .op_period = LONG_PERIOD, .fetch = true, .fetch_period = LONG_PERIOD}};

static void try_ibs(void *argument, uint64_t arena)
{
    struct trial_ibs *ret = ((struct hardware *)argument)->scratch;
    const struct trial trial = hardware_trial(argument);

    (void)arena;
    trial_ibs(&trial, ret);
}

static bool ibs_tried(struct hardware *hardware, struct trial_ibs *ret)
{
    hardware->scratch = ret;
    if (!hardware_session(hardware, &ibs, try_ibs, hardware))
        return false;
    if (!ret->ok)
        hardware_cannot(hardware, "IbsOpCtl cannot be read");
    return ret->ok;
}

void hardware_ask_maxcnt_zero_stops(struct hardware *hardware)
{
    struct trial_ibs ret;

    if (!ibs_tried(hardware, &ret))
        return;
    if (ret.storm)
        hardware_found(hardware, false, "NMIs came one after the other until the entry was masked");
    else
        hardware_found(hardware, !(ret.stopped_ctl & IBS_OP_VAL) && !ret.stopped_nmis, "IbsOpCtl %lx, %u NMIs",
                       (uint64_t)(ret.stopped_ctl & ~IBS_OP_CUR_CNT), ret.stopped_nmis);
}

void hardware_ask_val_is_edge(struct hardware *hardware)
{
    struct trial_ibs ret;

    if (!ibs_tried(hardware, &ret))
        return;
    if (ret.storm)
        hardware_cannot(hardware, "an earlier stop sends NMIs one after the other until the entry is masked");
    else if (ret.held_val)
        hardware_found(hardware, ret.held_nmis == 1, "%u NMIs in 100 us", ret.held_nmis);
    else
        hardware_cannot(hardware, "no op was sampled in 100 us");
}

static void try_fetch(void *argument, uint64_t arena)
{
    struct hardware *hardware = argument;
    const struct trial trial = hardware_trial(hardware);

    (void)arena;
    trial_fetch_restart(&trial, hardware->scratch);
}

void hardware_ask_fetch_rearm(struct hardware *hardware)
{
    struct trial_fetch ret;

    hardware->scratch = &ret;
    if (!hardware_session(hardware, &both, try_fetch, hardware))
        return;
    if (!ret.ok || !ret.before)
        hardware_cannot(hardware, ret.ok ? "the fetch counter did not run" : "IbsFetchCtl raises an exception");
    else
        hardware_found(hardware, !ret.after == !(hardware->run->machine->errata & IBS_E_FETCH_REARM),
                       "IbsFetchCnt read %x before, %x after", ret.before, ret.after);
}

struct held {
    struct hardware *hardware;
    uint64_t fetch, op;
};

static void try_bits(void *argument, uint64_t arena)
{
    struct held *held = argument;
    const struct trial trial = hardware_trial(held->hardware);
    uint64_t op = IBS_OP_MAX_CNT;

    (void)arena;
    if (held->hardware->run->machine->ibs_caps & IBS_CAP_OPCNT)
        op |= IBS_OP_CNT_CTL;
    if (held->hardware->run->machine->ibs_caps & IBS_CAP_RDWR_OPCNT)
        op |= IBS_OP_CUR_CNT;
    held->fetch = trial_hold(&trial, MSR_IBS_FETCH_CTL, IBS_FETCH_MAX_CNT | IBS_FETCH_CNT | IBS_FETCH_RAND_EN,
                             IBS_FETCH_MAX_CNT | IBS_FETCH_CNT | IBS_FETCH_RAND_EN);
    held->op = trial_hold(&trial, MSR_IBS_OP_CTL, op, op);
}

void hardware_ask_ctl_bits_hold(struct hardware *hardware)
{
    struct held held = {.hardware = hardware};

    if (hardware_session(hardware, &(struct session_program){0}, try_bits, &held))
        hardware_found(hardware, !held.fetch && !held.op, "lost bits: IbsFetchCtl %lx, IbsOpCtl %lx", held.fetch,
                       held.op);
}

static void try_write_back(void *argument, uint64_t arena)
{
    struct hardware *hardware = argument;
    uint32_t *first = hardware->scratch; /* MSR, result */

    (void)arena;
    first[0] = first[1] = 0;
    for (uint32_t msr = MSR_IBS_FETCH_CTL; msr <= MSR_IBS_DC_PHYSAD && !first[1]; msr++) {
        if (msr == MSR_IBS_FETCH_LINAD || msr == MSR_IBS_FETCH_PHYSAD)
            continue;
        first[0] = msr;
        first[1] = trial_write_back(msr);
    }
}

void hardware_ask_write_back(struct hardware *hardware)
{
    uint32_t first[2];

    hardware->scratch = first;
    if (!hardware_session(hardware, &(struct session_program){0}, try_write_back, hardware))
        return;
    if (!first[1])
        hardware_found(hardware, true, "C001_1030, 1033 to 1039");
    else
        hardware_found(hardware, false, "MSR %x: %s %u", first[0],
                       first[1] == TRIAL_CHANGED ? "reads differently," : "exception", first[1]);
}

static void try_read_only(void *argument, uint64_t arena)
{
    static const uint32_t msrs[] = {MSR_IBS_FETCH_LINAD, MSR_IBS_FETCH_PHYSAD, MSR_IBS_CONTROL};
    struct hardware *hardware = argument;
    uint32_t *vector = hardware->scratch;

    (void)arena;
    for (unsigned i = 0; i < 3; i++)
        vector[i] = trial_write_back(msrs[i]);
}

void hardware_ask_read_only_registers(struct hardware *hardware)
{
    uint32_t v[3];

    hardware->scratch = v;
    if (hardware_session(hardware, &(struct session_program){0}, try_read_only, hardware))
        hardware_found(hardware, v[0] == GENERAL_PROTECTION && v[1] == GENERAL_PROTECTION && v[2] == GENERAL_PROTECTION,
                       "exceptions of C001_1031, 1032, 103A: %u, %u, %u", v[0], v[1], v[2]);
}

/* An MC4_MISC register. */
struct threshold {
    bool there; /* reading it raises no exception */
    uint64_t value;
};

static void read_thresholds(void *argument, uint64_t arena)
{
    static const uint32_t msrs[THRESHOLDS] = {0x413, 0xC0000408, 0xC0000409};
    struct threshold *threshold = ((struct hardware *)argument)->scratch;

    (void)arena;
    for (unsigned i = 0; i < THRESHOLDS; i++)
        threshold[i].there = trial_read(msrs[i], &threshold[i].value);
}

/* Returns the threshold's entry; -1: none. */
static int entry_of(const struct threshold *threshold)
{
    return threshold->there && threshold->value >> 63 ? (int)(threshold->value >> 52 & 0xF) : -1;
}

void hardware_ask_threshold_entries(struct hardware *hardware)
{
    struct threshold threshold[THRESHOLDS];
    bool taken = false;

    hardware->scratch = threshold;
    if (!hardware_session(hardware, &ibs, read_thresholds, hardware))
        return;
    for (unsigned i = 0; i < THRESHOLDS; i++)
        taken |= entry_of(&threshold[i]) == (int)hardware->result.lvt_offset;
    hardware_found(hardware, !taken, "IBS has entry %u; memory, links, L3: %d, %d, %d (-1: none)",
                   hardware->result.lvt_offset, entry_of(&threshold[0]), entry_of(&threshold[1]),
                   entry_of(&threshold[2]));
}

static void read_apic(void *argument, uint64_t arena)
{
    const struct trial trial = hardware_trial(argument);

    (void)arena;
    trial_read_apic(&trial, UC_READS);
}

void hardware_ask_ibs_uc_wc(struct hardware *hardware)
{
    const struct session_program program = {.ibs = {.op = true, .op_period = UC_PERIOD}};
    const struct sample_record *record = hardware->place.records;
    uint64_t uncached = 0, combined = 0, loads = 0;

    if (hardware->model) {
        hardware_cannot(hardware, "the model follows loads of the workloads alone");
        return;
    }
    if (!hardware_session(hardware, &program, read_apic, hardware))
        return;
    for (uint64_t i = 0; i < hardware->result.samples; i++) {
        loads += derived_applies(&derived_events[DERIVED_F201_LOAD], &record[i]);
        uncached += derived_applies(&derived_events[DERIVED_F20D_UC_ACCESS], &record[i]);
        combined += derived_applies(&derived_events[DERIVED_F20E_WC_ACCESS], &record[i]);
    }
    if (hardware_enough(hardware, loads))
        hardware_found(hardware, uncached > loads / 4 && !combined, "of %lu loads F20D %lu, F20E %lu", loads, uncached,
                       combined);
}

void hardware_ask_erratum_420_ends(struct hardware *hardware)
{
    hardware_found(hardware, !hardware->storms, "%lu storms in %u sessions", hardware->storms, hardware->sessions);
}

static void try_two_steps(void *argument, uint64_t arena)
{
    struct hardware *hardware = argument;
    const struct trial trial = hardware_trial(hardware);

    (void)arena;
    trial_two_steps(&trial, TWO_STEP_STOPS, hardware->scratch);
}

void hardware_ask_late_nmi(struct hardware *hardware)
{
    struct trial_stops ret;

    hardware->scratch = &ret;
    if (!hardware_session(hardware, &ibs, try_two_steps, hardware))
        return;
    if (ret.storm)
        hardware_found(hardware, false, "NMIs came one after the other until the entry was masked");
    else
        hardware_found(hardware, ret.most <= 1, "%u NMIs after %u stops, at most %u after one", ret.all, TWO_STEP_STOPS,
                       ret.most);
}

static void try_one_step(void *argument, uint64_t arena)
{
    struct hardware *hardware = argument;
    const struct trial trial = hardware_trial(hardware);

    (void)arena;
    trial_one_step(&trial, ONE_STEP_STOPS, hardware->scratch);
}

void hardware_ask_one_step_stop(struct hardware *hardware)
{
    struct trial_stops ret;

    hardware->scratch = &ret;
    if (hardware_session(hardware, &ibs, try_one_step, hardware))
        hardware_found(hardware, ret.most <= 1, "%u NMIs after %u stops, at most %u after one", ret.all, ONE_STEP_STOPS,
                       ret.most);
}
