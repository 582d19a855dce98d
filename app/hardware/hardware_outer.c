/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Questions about counters outside of the cores, power and clocks of a Zen (core/hardware/hardware_outer_rows.h).
 * drivers/pmu/outer.c and drivers/machine/power.c have the sources of registers and bits.
 */
#include "app/hardware/hardware.h"

#include "core/family/branch_regs.h"
#include "core/family/pmc_regs.h"
#include "drivers/cpu/apic.h"
#include "drivers/cpu/cpu.h"

#define L3_17H        0xFF0F00000000FFFFull /* threads, slices, event, as in drivers/pmu/outer.c */
#define L3_19H        0x0300C0000000FFFFull
#define FABRIC        0x3807ull
#define MEMORY        0x10Aull
#define MERGED        0xF000000FFull
#define LEAF_FEATURES 0x80000001u
#define LEAF_POWER    0x80000007u /* EDX[14]: RAPL */
#define LEAF_SIZES    0x80000008u /* EBX[27]: CPPC */

enum {
    MSR_L3 = 0xC0010230,
    MSR_FABRIC = 0xC0010240,
    MSR_MEMORY = 0xC0010800,
    MSR_ENERGY_UNIT = 0xC0010299,
    ENERGIES = 3,
    MSR_CPPC_LEVELS = 0xC00102B0,
    MSR_CPPC_REQUEST = 0xC00102B3,
    MSR_HWCR = 0xC0010015,
    TSC_AT_P0 = 24,
    UNIT_LEAST = 10,
    UNIT_MOST = 20,
    ENTRIES = 4,
};

static struct cpu_cpuid leaf_of(uint32_t leaf)
{
    struct cpu_cpuid r;

    cpu_cpuid(leaf, 0, &r);
    return r;
}

struct tried {
    struct hardware *hardware;
    uint32_t msr, count, there;
    uint64_t mask, value;
};

static void try_bits(void *argument, uint64_t arena)
{
    struct tried *tried = argument;
    const struct trial trial = hardware_trial(tried->hardware);

    (void)arena;
    tried->value = trial_hold(&trial, tried->msr, tried->mask, tried->mask);
}

static void ask_holds(struct hardware *hardware, uint32_t msr, uint64_t mask)
{
    struct tried tried = {.hardware = hardware, .msr = msr, .mask = mask};

    if (hardware_session(hardware, &(struct session_program){0}, try_bits, &tried))
        hardware_found(hardware, !tried.value, "%x loses %lx of %lx", msr, tried.value, mask);
}

#define HOLDS(id, msr, mask)                                                                                           \
    void hardware_ask_##id(struct hardware *hardware)                                                                  \
    {                                                                                                                  \
        ask_holds(hardware, msr, mask);                                                                                \
    }

HOLDS(l3_control_holds, MSR_L3, hardware->run->machine->row->outer == IBS_OUTER_17H ? L3_17H : L3_19H)
HOLDS(l3_count_holds, MSR_L3 + 1, PMC_COUNTER_MASK)
HOLDS(fabric_control_holds, MSR_FABRIC, FABRIC)
HOLDS(fabric_count_holds, MSR_FABRIC + 1, PMC_COUNTER_MASK)
HOLDS(memory_control_holds, MSR_MEMORY, MEMORY)
HOLDS(memory_count_holds, MSR_MEMORY + 1, PMC_COUNTER_MASK)
HOLDS(merge_event_holds, pmc_ctl_at(&hardware->run->machine->pmc, 1), MERGED)
HOLDS(branch_selection_holds, MSR_LBR_SELECT, LBR_SELECT_MASK)

void hardware_ask_outer_told(struct hardware *hardware)
{
    uint32_t ecx = leaf_of(LEAF_FEATURES).ecx;

    hardware_found(hardware, (ecx >> 28 & 1) && (ecx >> 24 & 1), "L3 %u, data fabric %u", ecx >> 28 & 1, ecx >> 24 & 1);
}

void hardware_ask_memory_counters_told(struct hardware *hardware)
{
    struct cpu_cpuid r = leaf_of(CPUID_LEAF_PMC);
    uint32_t counters = r.ebx >> 16 & 0x3F, units = 0;

    for (uint32_t active = r.ecx; active; active &= active - 1)
        units++;
    hardware_found(hardware, units && counters >= 2 * units, "%u counters for %u controllers", counters, units);
}

/* ---------------------------------------------------------------- power */

static void read_some(void *argument, uint64_t arena)
{
    struct tried *tried = argument;
    uint64_t value;

    (void)arena;
    for (uint32_t i = 0; i < tried->count; i++) {
        if (!trial_read(tried->msr + i, &value))
            continue;
        tried->value = tried->there++ ? tried->value : value;
    }
}

/* Reads several registers; the value is that of the first readable one. */
static bool read_from(struct hardware *hardware, struct tried *tried, uint32_t msr, uint32_t count)
{
    *tried = (struct tried){.hardware = hardware, .msr = msr, .count = count};
    return hardware_session(hardware, &(struct session_program){0}, read_some, tried);
}

void hardware_ask_energy_as_told(struct hardware *hardware)
{
    bool told = leaf_of(LEAF_POWER).edx >> 14 & 1;
    struct tried tried;

    if (read_from(hardware, &tried, MSR_ENERGY_UNIT, ENERGIES))
        hardware_found(hardware, tried.there == (told ? ENERGIES : 0), "CPUID says that they %s, and %u can be read",
                       told ? "exist" : "do not exist", tried.there);
}

void hardware_ask_energy_unit(struct hardware *hardware)
{
    struct tried tried;

    if (!read_from(hardware, &tried, MSR_ENERGY_UNIT, 1))
        return;
    tried.value = tried.value >> 8 & 0x1F;
    if (tried.there)
        hardware_found(hardware, tried.value >= UNIT_LEAST && tried.value <= UNIT_MOST, "2^-%lu J", tried.value);
    else
        hardware_cannot(hardware, "C001_0299 raises an exception");
}

static bool cppc_told(void)
{
    return leaf_of(LEAF_SIZES).ebx >> 27 & 1;
}

void hardware_ask_cppc_as_told(struct hardware *hardware)
{
    bool told = cppc_told();
    struct tried tried;

    if (read_from(hardware, &tried, MSR_CPPC_LEVELS, 1))
        hardware_found(hardware, told == (tried.there != 0), "CPUID says that they %s, and C001_02B0 %s",
                       told ? "exist" : "do not exist", tried.there ? "can be read" : "raises an exception");
}

/* Reads CPPC's levels. Returns false after hardware_cannot(). */
static bool levels_read(struct hardware *hardware, struct tried *tried)
{
    if (!cppc_told()) {
        hardware_cannot(hardware, "CPUID does not report CPPC by MSRs");
        return false;
    }
    if (!read_from(hardware, tried, MSR_CPPC_LEVELS, 1))
        return false;
    if (!tried->there)
        hardware_cannot(hardware, "C001_02B0 raises an exception");
    return tried->there;
}

void hardware_ask_cppc_levels_in_order(struct hardware *hardware)
{
    struct tried tried;
    uint64_t lowest, nominal, highest;

    if (!levels_read(hardware, &tried))
        return;
    lowest = tried.value & 0xFF;
    nominal = tried.value >> 16 & 0xFF;
    highest = tried.value >> 24 & 0xFF;
    hardware_found(hardware, lowest && lowest < nominal && nominal <= highest, "lowest %lu, nominal %lu, highest %lu",
                   lowest, nominal, highest);
}

static void try_request(void *argument, uint64_t arena)
{
    struct tried *tried = argument;
    const struct trial trial = hardware_trial(tried->hardware);

    (void)arena;
    tried->value = trial_hold(&trial, MSR_CPPC_REQUEST, tried->mask, 0xFFFFFF);
}

void hardware_ask_cppc_request_holds(struct hardware *hardware)
{
    struct tried tried;

    if (!levels_read(hardware, &tried))
        return;
    tried.mask = 0x010101 * (tried.value >> 24 & 0xFF);
    if (hardware_session(hardware, &(struct session_program){0}, try_request, &tried))
        hardware_found(hardware, !tried.value, "%lx written, %lx differs", tried.mask, tried.value);
}

/* ---------------------------------------------------------------- clocks, interrupts */

void hardware_ask_tsc_at_p0(struct hardware *hardware)
{
    struct tried tried;

    if (!read_from(hardware, &tried, MSR_HWCR, 1))
        return;
    if (tried.there)
        hardware_found(hardware, tried.value >> TSC_AT_P0 & 1, "HWCR is %lx", tried.value);
    else
        hardware_cannot(hardware, "HWCR raises an exception");
}

void hardware_ask_clock_of_p0(struct hardware *hardware)
{
    const struct machine *machine = hardware->run->machine;
    uint32_t mhz = silicon_p0_mhz(&machine->silicon);

    if (mhz)
        hardware_found(hardware, silicon_agrees(&machine->silicon, machine->tsc_khz), "P0 %u MHz, TSC %lu kHz", mhz,
                       (uint64_t)machine->tsc_khz);
    else
        hardware_cannot(hardware, "the register of P0 has no clock");
}

static void read_entries(void *argument, uint64_t arena)
{
    struct tried *tried = argument;
    const struct trial trial = hardware_trial(tried->hardware);

    (void)arena;
    tried->there = trial.apic != 0;
    tried->count = trial.apic ? apic_extended_lvts(trial.apic) : 0;
}

void hardware_ask_extended_entries(struct hardware *hardware)
{
    struct tried tried = {.hardware = hardware};

    if (!hardware_session(hardware, &(struct session_program){0}, read_entries, &tried))
        return;
    if (tried.there)
        hardware_found(hardware, tried.count == ENTRIES, "%u entries", tried.count);
    else
        hardware_cannot(hardware, "the local APIC is not mapped in memory");
}
