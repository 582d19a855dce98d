/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/app/fake_trial.h"

#include <string.h>

#include "core/family/ibs_regs.h"
#include "drivers/cpu/cpu.h"

struct fake_trial fake_trial;

void fake_trial_init(void)
{
    fake_trial = (struct fake_trial){
        .overflow = {.ok = true, .nmis = 1, .masked = true, .stops = 40},
        .ibs = {.ok = true, .stopped_ctl = IBS_OP_EN, .held_nmis = 1, .held_val = true},
        .timer = {.ok = true, .holds = true, .nmis = 1},
        .two_steps = {.most = 1, .all = 3},
        .one_step = {.most = 1, .all = 9},
        .fetch = {.ok = true, .before = 2},
        .global = {.ok = true, .after = true, .cleared = true, .on = 1000},
        .apic_off = true,
        .apic_off_entry = 0x10400,
        .written_back = {{MSR_IBS_FETCH_LINAD, 13}, {MSR_IBS_FETCH_PHYSAD, 13}, {MSR_IBS_CONTROL, 13}},
    };
}

static void note(const struct trial *trial)
{
    fake_trial.nmi = trial->nmi;
    fake_trial.apic = trial->apic;
}

bool trial_read(uint32_t msr, uint64_t *value)
{
    uint32_t vector = cpu_rdmsr_safe(msr, value);

    if (vector)
        *value = vector;
    return !vector;
}

#define FIND(list, number)                                                                                             \
    for (unsigned i = 0; i < FAKE_TRIALS; i++)                                                                         \
        if (fake_trial.list[i].msr == (number))                                                                        \
            return fake_trial.list[i].result;                                                                          \
    return 0

static uint64_t written_back(uint32_t msr)
{
    FIND(written_back, msr);
}

uint32_t trial_write_back(uint32_t msr)
{
    return (uint32_t)written_back(msr);
}

uint64_t trial_hold(const struct trial *trial, uint32_t msr, uint64_t value, uint64_t mask)
{
    note(trial);
    fake_trial.held[fake_trial.holds++ % FAKE_TRIALS] = value & mask;
    FIND(lost, msr);
}

static uint64_t unstable(uint32_t msr)
{
    FIND(unstable, msr);
}

uint32_t trial_unstable(uint32_t msr, uint32_t times)
{
    fake_trial.reads += times;
    return (uint32_t)unstable(msr);
}

void trial_overflow(const struct trial *trial, struct trial_overflow *ret)
{
    note(trial);
    *ret = fake_trial.overflow;
}

void trial_global(const struct trial *trial, struct trial_global *ret)
{
    note(trial);
    *ret = fake_trial.global;
}

void trial_ibs(const struct trial *trial, struct trial_ibs *ret)
{
    note(trial);
    *ret = fake_trial.ibs;
}

void trial_fetch_restart(const struct trial *trial, struct trial_fetch *ret)
{
    note(trial);
    *ret = fake_trial.fetch;
}

void trial_two_steps(const struct trial *trial, uint32_t times, struct trial_stops *ret)
{
    note(trial);
    fake_trial.stops = times;
    *ret = fake_trial.two_steps;
}

void trial_one_step(const struct trial *trial, uint32_t times, struct trial_stops *ret)
{
    note(trial);
    fake_trial.stops = times;
    *ret = fake_trial.one_step;
}

void trial_timer(const struct trial *trial, struct trial_timer *ret)
{
    note(trial);
    *ret = fake_trial.timer;
}

bool trial_apic_off(const struct trial *trial, uint32_t *ret_entry)
{
    note(trial);
    *ret_entry = fake_trial.apic_off_entry;
    return fake_trial.apic_off;
}

void trial_read_apic(const struct trial *trial, uint32_t times)
{
    note(trial);
    fake_trial.apic_reads = times;
}
