/* SPDX-License-Identifier: BSD-2-Clause */
#include "drivers/pmu/witness.h"

#include <stddef.h>

#include "core/family/ibs_regs.h"
#include "drivers/cpu/cpu.h"
#include "drivers/pmu/pmc.h"
#include "drivers/machine/vpmu_query.h"

/* Linux arch/x86/include/asm/msr-index.h (MSR_IA32_MPERF, MSR_IA32_APERF, MSR_K7_HWCR_CPB_DIS_BIT), tools/power/
 * cpupower/utils/helpers/amd.c and drivers/cpufreq/powernow-k8.h (limit and status: the P-state is in bits 2:0). */
#define MSR_MPERF         0xE7u
#define MSR_APERF         0xE8u
#define MSR_HWCR          0xC0010015u
#define HWCR_CPB_DIS_BIT  25
#define MSR_PSTATE_LIMIT  0xC0010061u
#define MSR_PSTATE_STATUS 0xC0010063u
#define PSTATE_BITS       7u

/* Linux arch/x86/kernel/cpu/scattered.c. */
#define CPUID_POWER      6u          /* ECX bit 0: APERF and MPERF */
#define CPUID_ADVANCED   0x80000007u /* EDX bit 7: hardware P-states, bit 9: core performance boost */
#define ADVANCED_PSTATES (1u << 7)
#define ADVANCED_BOOST   (1u << 9)

/* BKDG 31116, performance monitor events. 0E9h: bit 1 of the mask I/O to memory, 5 to and 7 from this node (CodeAnalyst
 * gh-events.xml); the first ones get a counter where not all do. */
static const struct {
    uint8_t what;
    uint8_t mask;
    uint16_t select;
    bool of_node; /* by logic that its cores share */
} counted[WITNESS_COUNTED] = {{WITNESS_SMIS, 0, 0x02B, false},
                              {WITNESS_INTERRUPTS, 0, 0 /* by family: select_of() */, false},
                              {WITNESS_CLOCKS, 0, 0x076, false},
                              {WITNESS_DMA, 0xA2, 0x0E9, true}};

/* Returns the row of a counted value; WITNESS_COUNTED: no counter counts it. */
static unsigned row_of(unsigned what)
{
    unsigned row = 0;

    while (row < WITNESS_COUNTED && counted[row].what != what)
        row++;
    return row;
}

static uint32_t msr_of(enum witness_what what)
{
    static const uint32_t msr[WITNESS_ROWS] = {[WITNESS_APERF] = MSR_APERF,
                                               [WITNESS_MPERF] = MSR_MPERF,
                                               [WITNESS_PSTATE] = MSR_PSTATE_STATUS,
                                               [WITNESS_LIMIT] = MSR_PSTATE_LIMIT,
                                               [WITNESS_BOOST_OFF] = MSR_HWCR};
    return msr[what];
}

/* ---------------------------------------------------------------- what there is */

static uint32_t ctl_msr(const struct witness *witness, unsigned row)
{
    return pmc_ctl_at(&witness->pmc, witness->counter[row]);
}

static uint32_t ctr_msr(const struct witness *witness, unsigned row)
{
    return pmc_ctr_at(&witness->pmc, witness->counter[row]);
}

static uint64_t ctl(const struct witness *witness, unsigned row)
{
    return witness->keep[row] |
           pmc_ctl(witness->select[row], counted[row].mask, 0, PMC_CTL_USR | PMC_CTL_OS | PMC_CTL_EN);
}

/* Returns the family's event, or 0 if none is known. DMA is counted by the northbridge of the family whose other
 * registers are known. */
static uint16_t select_of(const struct machine *machine, unsigned row)
{
    if (counted[row].what == WITNESS_INTERRUPTS)
        return machine->row->interrupts;
    return counted[row].of_node && !machine_registers_known(machine) ? 0 : counted[row].select;
}

/* Takes a free counter for the event. Returns why not, or NULL. */
static const char *open_counter(struct witness *witness, unsigned row, const struct machine *machine,
                                unsigned *counters, struct restore_log *log)
{
    unsigned n = 0;
    uint64_t now;

    if (!machine_pmc_usable(machine))
        return "no counters that this program can use";
    witness->select[row] = select_of(machine, row);
    if (!witness->select[row])
        return "this family has no known event for this";
    if (!vpmu_counts(machine, witness->select[row], counted[row].mask))
        return "the virtual PMU does not model it";
    while (n < machine->pmc.count && !(*counters & 1u << n))
        n++;
    if (n == machine->pmc.count)
        return "the counters are in use";
    *counters &= ~(1u << n);
    witness->counter[row] = (uint8_t)n;
    /* Undone in reverse: a counter is stopped before its count is put back. */
    if (restore_save(log, RESTORE_MSR, ctr_msr(witness, row), 0, PMC_COUNTER_MASK, "PERF_CTR for the noise certificate",
                     &witness->saved_ctr[row]) ||
        restore_save(log, RESTORE_MSR, ctl_msr(witness, row), 0, ~0ull, "PERF_CTL for the noise certificate",
                     &witness->saved_ctl[row]))
        return "the counter cannot be read";
    witness->keep[row] = witness->saved_ctl[row] & PMC_CTL_PRESERVE;
    if (cpu_wrmsr_safe(ctr_msr(witness, row), 0) || cpu_wrmsr_safe(ctl_msr(witness, row), ctl(witness, row)) ||
        cpu_rdmsr_safe(ctl_msr(witness, row), &now) || now != ctl(witness, row))
        return "the counter does not hold what is written to it";
    return NULL;
}

static const char *open_msr(uint32_t msr, bool there, const char *absent)
{
    uint64_t value;

    if (!there)
        return absent;
    return cpu_rdmsr_safe(msr, &value) ? "reading it raises an exception" : NULL;
}

void witness_open(struct witness *witness, const struct machine *machine, unsigned counters, struct restore_log *log,
                  struct session_live live)
{
    struct cpu_cpuid power = {0}, advanced = {0};

    *witness = (struct witness){.pmc = machine->pmc, .nmis = live.nmis, .strays = live.interrupts};
    counters &= ~live.counters;
    if (machine->max_leaf >= CPUID_POWER)
        cpu_cpuid(CPUID_POWER, 0, &power);
    if (machine->amd && machine->max_extended_leaf >= CPUID_ADVANCED)
        cpu_cpuid(CPUID_ADVANCED, 0, &advanced);
    witness->why_not[WITNESS_APERF] = open_msr(MSR_APERF, power.ecx & 1, "CPUID 6 has none");
    witness->why_not[WITNESS_MPERF] = open_msr(MSR_MPERF, power.ecx & 1, "CPUID 6 has none");
    uint64_t detail;
    if (pmc_open_global(&machine->pmc, log, &detail))
        counters = 0; /* none counts without it */
    for (unsigned row = 0; row < WITNESS_COUNTED; row++) {
        const char **why_not = &witness->why_not[counted[row].what];

        if (counted[row].what == WITNESS_CLOCKS && !witness->why_not[WITNESS_APERF] && !witness->why_not[WITNESS_MPERF])
            *why_not = certificate_not_told; /* those two say it */
        else if (counted[row].of_node && live.shares & OUTER_SHARED_NODE)
            *why_not = "another core counts it";
        else
            *why_not = open_counter(witness, row, machine, &counters, log);
    }
    if (witness->why_not[WITNESS_CLOCKS])
        witness->why_not[WITNESS_TSC] = certificate_not_told;
    witness->why_not[WITNESS_PSTATE] =
        open_msr(MSR_PSTATE_STATUS, advanced.edx & ADVANCED_PSTATES, "CPUID 8000_0007 has none");
    witness->why_not[WITNESS_LIMIT] =
        open_msr(MSR_PSTATE_LIMIT, advanced.edx & ADVANCED_PSTATES, "CPUID 8000_0007 has none");
    witness->why_not[WITNESS_BOOST_OFF] =
        open_msr(MSR_HWCR, advanced.edx & ADVANCED_BOOST, "CPUID 8000_0007: no boost");
    outer_open(&witness->outer, machine, live.shares, log, witness->why_not);
    witness_begin(witness);
}

void witness_reopen(struct witness *witness)
{
    static const char firmware[] = "the firmware's handlers do not count";

    witness->why_not[WITNESS_NMIS] = witness->why_not[WITNESS_STRAYS] = firmware;
    for (unsigned what = WITNESS_L3; what <= WITNESS_ENERGY; what++)
        witness->why_not[what] = certificate_not_told;
    for (unsigned row = 0; row < WITNESS_COUNTED; row++) {
        if (witness->why_not[counted[row].what])
            continue;
        cpu_wrmsr(ctr_msr(witness, row), 0);
        cpu_wrmsr(ctl_msr(witness, row), ctl(witness, row));
    }
    witness_begin(witness);
}

void witness_close(const struct witness *witness)
{
    for (unsigned row = 0; row < WITNESS_COUNTED; row++) {
        if (witness->why_not[counted[row].what])
            continue;
        cpu_wrmsr(ctl_msr(witness, row), witness->saved_ctl[row]);
        cpu_wrmsr(ctr_msr(witness, row), witness->saved_ctr[row]);
    }
}

/* ---------------------------------------------------------------- reading */

static uint64_t read_one(const struct witness *witness, unsigned what)
{
    uint64_t value;

    if (witness->why_not[what])
        return 0;
    switch (what) {
    case WITNESS_SMIS:
    case WITNESS_INTERRUPTS:
    case WITNESS_CLOCKS:
    case WITNESS_DMA:
        return cpu_rdmsr(ctr_msr(witness, row_of(what))) & PMC_COUNTER_MASK;
    case WITNESS_TSC: /* with the reading itself */
        return 0;
    case WITNESS_NMIS:
        return witness->nmis ? *(const volatile uint64_t *)witness->nmis : 0;
    case WITNESS_STRAYS:
        return witness->strays ? *(const volatile uint32_t *)witness->strays : 0;
    default:
        value = cpu_rdmsr(msr_of((enum witness_what)what));
        if (what == WITNESS_PSTATE || what == WITNESS_LIMIT)
            return value & PSTATE_BITS;
        return what == WITNESS_BOOST_OFF ? value >> HWCR_CPB_DIS_BIT & 1 : value;
    }
}

void witness_read(const struct witness *witness, struct witness_reading *reading)
{
    reading->tsc = cpu_rdtsc();
    for (unsigned what = 0; what < WITNESS_ROWS; what++)
        reading->value[what] = what >= WITNESS_L3 && what <= WITNESS_ENERGY ? 0 : read_one(witness, what);
    outer_read(&witness->outer, witness->why_not, reading->value);
    reading->value[WITNESS_TSC] = witness->why_not[WITNESS_TSC] ? 0 : reading->tsc;
}

void witness_begin(struct witness *witness)
{
    witness_read(witness, &witness->last);
}

enum noise_cause witness_ask(void *context)
{
    /* In this order: an interrupt may follow an SMI, and NMIs are interrupts. */
    static const uint8_t order[][2] = {{WITNESS_SMIS, NOISE_SMI},
                                       {WITNESS_NMIS, NOISE_NMI},
                                       {WITNESS_STRAYS, NOISE_INTERRUPT},
                                       {WITNESS_INTERRUPTS, NOISE_INTERRUPT},
                                       {WITNESS_PSTATE, NOISE_PSTATE}};
    struct witness *witness = context;
    enum noise_cause cause = NOISE_UNKNOWN;

    for (unsigned i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
        uint64_t now = read_one(witness, order[i][0]);

        if (now != witness->last.value[order[i][0]] && cause == NOISE_UNKNOWN)
            cause = (enum noise_cause)order[i][1];
        witness->last.value[order[i][0]] = now;
    }
    return cause;
}
