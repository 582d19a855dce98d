/* SPDX-License-Identifier: BSD-2-Clause */
#include "drivers/pmu/outer.h"

#include "core/family/pmc_regs.h"
#include "drivers/cpu/cpu.h"

/* Registers and bits: Linux arch/x86/events/amd/uncore.c, rapl.c, kernel/cpu/amd.c (early_init_amd), asm/msr-index.h,
 * asm/perf_event.h. Events: tools/perf/pmu-events/arch/x86, amdzen1 to amdzen6 (l3_lookup_state, l3_misses,
 * dram_channel_data_controller_0 to _3, umc_cas_cmd). */
#define CPUID_EXT_ECX_FABRIC (1u << 24) /* Fn8000_0001 ECX: PERFCTR_NB */
#define CPUID_EXT_ECX_L3     (1u << 28) /* PERFCTR_LLC */
#define CPUID_ADVANCED       0x80000007u
#define ADVANCED_ENERGY      (1u << 14)            /* EDX: RAPL */
#define MSR_ENERGY_UNIT      0xC0010299u           /* 12:8 */
#define ALL_17H              0xFF0F000000000000ull /* all threads, 63:56, and slices, 51:48 */
#define ALL_19H              0x0300C00000000000ull /* threads, 57:56, of all cores, 47, and all slices, 46 */
#define ENABLE               PMC_CTL_EN
#define ENABLE_MEMORY        (1ull << 31)

enum { LINE = 64, MICRO = 1000000, CONTROLLERS_SHIFT = 16, CONTROLLERS_MASK = 0x3F };

enum unit { UNIT_L3, UNIT_FABRIC, UNIT_MEMORY };

/* The counters in use: the control of each; its count is the next register. */
static const struct {
    uint8_t families; /* enum ibs_outer, or-ed */
    uint8_t unit;
    uint8_t what;
    uint8_t each;
    uint32_t ctl;
    uint64_t select; /* as it is written */
} rows[] = {
    {IBS_OUTER_17H, UNIT_L3, WITNESS_L3, 1, 0xC0010230, ALL_17H | ENABLE | 0xFF04},
    {IBS_OUTER_17H, UNIT_L3, WITNESS_L3_MISSES, 1, 0xC0010232, ALL_17H | ENABLE | 0x0104},
    {IBS_OUTER_19H | IBS_OUTER_UMC, UNIT_L3, WITNESS_L3, 1, 0xC0010230, ALL_19H | ENABLE | 0xFF04},
    {IBS_OUTER_19H | IBS_OUTER_UMC, UNIT_L3, WITNESS_L3_MISSES, 1, 0xC0010232, ALL_19H | ENABLE | 0x0104},
    {IBS_OUTER_17H | IBS_OUTER_19H, UNIT_FABRIC, WITNESS_DRAM, LINE, 0xC0010240, ENABLE | 0x3807},
    {IBS_OUTER_17H | IBS_OUTER_19H, UNIT_FABRIC, WITNESS_DRAM, LINE, 0xC0010242, ENABLE | 0x3847},
    {IBS_OUTER_17H | IBS_OUTER_19H, UNIT_FABRIC, WITNESS_DRAM, LINE, 0xC0010244, ENABLE | 0x3887},
    {IBS_OUTER_17H | IBS_OUTER_19H, UNIT_FABRIC, WITNESS_DRAM, LINE, 0xC0010246, ENABLE | 0x38C7},
    {IBS_OUTER_UMC, UNIT_MEMORY, WITNESS_DRAM_READ, LINE, 0xC0010800, ENABLE_MEMORY | 0x10A},
    {IBS_OUTER_UMC, UNIT_MEMORY, WITNESS_DRAM_WRITTEN, LINE, 0xC0010802, ENABLE_MEMORY | 0x20A},
};

/* Registers that count by themselves: of a core, and of all in its socket (Linux arch/x86/events/rapl.c,
 * rapl_pmu_is_pkg_scope). */
static const struct {
    uint8_t what;
    uint8_t shared;
    uint32_t msr;
} energies[OUTER_ENERGIES] = {{WITNESS_ENERGY_CORE, 0, 0xC001029A},
                              {WITNESS_ENERGY, OUTER_SHARED_PROCESSOR, 0xC001029B}};

/* ---------------------------------------------------------------- counters */

/* Units by CPUID: how many there are, and the registers from one to the next. */
struct there {
    uint32_t units, stride;
    const char *absent;
};

static struct there there_is(const struct machine *machine, enum unit unit)
{
    struct cpu_cpuid r;
    uint32_t counters;
    struct there there = {.absent = "CPUID 8000_0001 has none"};

    if (unit != UNIT_MEMORY) {
        there.units = machine->extended_ecx & (unit == UNIT_L3 ? CPUID_EXT_ECX_L3 : CPUID_EXT_ECX_FABRIC) ? 1 : 0;
        return there;
    }
    there.absent = "CPUID 8000_0022 has none";
    if (machine->max_extended_leaf < CPUID_LEAF_PMC)
        return there;
    cpu_cpuid(CPUID_LEAF_PMC, 0, &r);
    counters = r.ebx >> CONTROLLERS_SHIFT & CONTROLLERS_MASK;
    for (uint32_t active = r.ecx; active; active &= active - 1)
        there.units++;
    if (!(r.eax & 1) || !there.units || counters / there.units < 2 || there.units > OUTER_CONTROLLERS)
        return (struct there){.absent = there.absent};
    there.stride = counters / there.units * 2;
    return there;
}

/* Starts a counter; returns why not, or NULL. */
static const char *start(uint32_t ctl, uint64_t select, struct restore_log *log)
{
    uint64_t now;

    if (cpu_rdmsr_safe(ctl, &now))
        return "reading it raises an exception";
    if (now & (ENABLE | ENABLE_MEMORY))
        return "the firmware uses it";
    /* Undone in reverse: a counter is stopped before its count is put back. */
    if (restore_save(log, RESTORE_MSR, ctl + 1, 0, PMC_COUNTER_MASK, "count outside of the cores", NULL) ||
        restore_save(log, RESTORE_MSR, ctl, 0, ~0ull, "control of a count outside of the cores", NULL))
        return "the counter cannot be read";
    if (cpu_wrmsr_safe(ctl + 1, 0) || cpu_wrmsr_safe(ctl, select) || cpu_rdmsr_safe(ctl, &now) || now != select)
        return "the counter does not hold what is written to it";
    return NULL;
}

static const char *start_units(struct outer *outer, unsigned row, const struct there *there, struct restore_log *log)
{
    const char *why_not = there->units ? NULL : there->absent;

    for (uint32_t n = 0; n < there->units && !why_not; n++) {
        uint32_t ctl = rows[row].ctl + n * there->stride;

        why_not = start(ctl, rows[row].select, log);
        outer->counter[outer->counters++] = (struct outer_counter){ctl + 1, rows[row].what, rows[row].each};
    }
    return why_not;
}

/* ---------------------------------------------------------------- energy */

static bool has_energy(const struct machine *machine)
{
    struct cpu_cpuid r;

    if (machine->max_extended_leaf < CPUID_ADVANCED)
        return false;
    cpu_cpuid(CPUID_ADVANCED, 0, &r);
    return r.edx & ADVANCED_ENERGY;
}

static const char *open_energy(struct outer *outer, unsigned n, bool there)
{
    uint64_t unit, first;

    if (!there)
        return "CPUID 8000_0007 has none";
    if (cpu_rdmsr_safe(MSR_ENERGY_UNIT, &unit) || cpu_rdmsr_safe(energies[n].msr, &first))
        return "reading it raises an exception";
    outer->energy_unit = unit >> 8 & 0x1F;
    outer->energy_first[n] = (uint32_t)first;
    return NULL;
}

static uint64_t microjoules(const struct outer *outer, unsigned n)
{
    uint32_t passed = (uint32_t)cpu_rdmsr(energies[n].msr) - outer->energy_first[n];

    return (uint64_t)passed * MICRO >> outer->energy_unit;
}

/* ---------------------------------------------------------------- both */

void outer_open(struct outer *outer, const struct machine *machine, unsigned shared, struct restore_log *log,
                const char *why_not[WITNESS_ROWS])
{
    unsigned families = machine->row ? machine->row->outer : IBS_OUTER_NONE;

    *outer = (struct outer){0};
    for (unsigned what = WITNESS_L3; what <= WITNESS_ENERGY; what++)
        why_not[what] = certificate_not_told;
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const char **why = &why_not[rows[i].what];
        bool first = *why == certificate_not_told;
        struct there there;

        if (!(rows[i].families & families) ||
            shared & (rows[i].unit == UNIT_L3 ? OUTER_SHARED_COMPLEX : OUTER_SHARED_NODE))
            continue;
        there = there_is(machine, rows[i].unit);
        if (first || !*why) /* all of a sum, or none */
            *why = start_units(outer, i, &there, log);
    }
    bool energy = families && has_energy(machine);
    for (unsigned n = 0; n < OUTER_ENERGIES; n++)
        if (families && !(shared & energies[n].shared))
            why_not[energies[n].what] = open_energy(outer, n, energy);
}

void outer_read(const struct outer *outer, const char *const why_not[WITNESS_ROWS], uint64_t value[WITNESS_ROWS])
{
    for (unsigned what = WITNESS_L3; what <= WITNESS_ENERGY; what++)
        value[what] = 0;
    for (uint32_t i = 0; i < outer->counters; i++) {
        const struct outer_counter *counter = &outer->counter[i];

        if (!why_not[counter->what])
            value[counter->what] += (cpu_rdmsr(counter->count) & PMC_COUNTER_MASK) * counter->each;
    }
    for (unsigned n = 0; n < OUTER_ENERGIES; n++)
        if (!why_not[energies[n].what])
            value[energies[n].what] = microjoules(outer, n);
}
