/* SPDX-License-Identifier: BSD-2-Clause */
#include "drivers/cpu/session_error.h"

const char *session_error_text(enum session_error error)
{
    static const char *const texts[SESSION_ERRORS] = {
        [SESSION_OK] = "no error",
        [SESSION_NO_IBS] = "this processor has no IBS that this program can use",
        [SESSION_NO_WORKSPACE] = "no memory, or memory not 4096-byte aligned, for descriptor tables and stacks",
        [SESSION_NO_RING] = "no memory for samples",
        [SESSION_FETCH_PERIOD_LOW] = "the fetch period is below 16",
        [SESSION_FETCH_PERIOD_HIGH] = "the fetch period is above 1048560 (0xffff0)",
        [SESSION_OP_PERIOD_LOW] = "the op period is below 144 (0x90)",
        [SESSION_OP_PERIOD_HIGH] = "the op period is above 1048560 (0xffff0)",
        [SESSION_OP_PERIOD_HIGH_RANDOM] =
            "the op period is above 1046512 (0xff7f0), which leaves no room to randomise it",
        [SESSION_OP_PERIOD_EXT] = "the op period is above 134217712 (0x7fffff0)",
        [SESSION_OP_PERIOD_EXT_RANDOM] =
            "the op period is above 134215664 (0x7fff7f0), which leaves no room to randomise it",
        [SESSION_PERIOD_NIBBLE] = "a period is not a multiple of 16",
        [SESSION_OP_EXACT] = "a first op interval of an exact length needs an IbsOpCurCnt that may be written (CPUID "
                             "8000_001Bh EAX[3]), intervals that are not random, and a period at least as long",
        [SESSION_NO_FETCH_SAMPLING] = "CPUID 8000_001Bh says that fetch sampling is not there",
        [SESSION_NO_OP_SAMPLING] = "CPUID 8000_001Bh says that op sampling is not there",
        [SESSION_NO_OP_COUNTING] = "this processor cannot count dispatched ops (CPUID 8000_001Bh EAX[4]; Family 10h: "
                                   "from revision C on), only "
                                   "cycles",
        [SESSION_ARENA_ALIGNMENT] = "the arena does not begin at a multiple of 2 MB",
        [SESSION_ARENA_SIZE] = "the arena is too small, too large or not a multiple of 4096 bytes",
        [SESSION_NO_1G_PAGES] = "this processor has no 1 GB pages",
        [SESSION_SHUFFLE_1G] = "1 GB pages cannot be shuffled",
        [SESSION_PAGE_MEMORY] = "not enough memory, or memory not 4096-byte aligned, for page tables",
        [SESSION_NO_PMC] =
            "this processor has no performance counters that this program can use (AMD's from family 10h on)",
        [SESSION_PMC_EVENTS] = "no counter event, or more than 48",
        [SESSION_PMC_GROUPS] = "no group of counter events, or more than 8",
        [SESSION_PMC_GROUP_SIZE] = "a group has no event, or more than there are counters",
        [SESSION_PMC_GROUP_EVENT] = "a group names an event that is not in the list",
        [SESSION_PMC_GROUP_TWICE] = "a group has the same event twice",
        [SESSION_PMC_MERGE] = "a counter is merged (event 0xfff) and has an even number",
        [SESSION_PMC_SELECT] = "an event select is above 0xfff",
        [SESSION_PMC_COUNT_MASK] =
            "a count mask is above what this family counts: 3 on families 10h to 14h and 16h, 127 on the others",
        [SESSION_PMC_PRIVILEGE] = "an event counts neither user nor system code",
        [SESSION_PMC_PERIOD_HIGH] = "a counter's period is above 2^46",
        [SESSION_PMC_COUNTING_GROUPS] = "counting without interrupts allows one group at a time",
        [SESSION_PMC_SLICE] = "several groups need a time slice",
        [SESSION_TIMER_PERIOD_LOW] = "the timer's period is below 10 microseconds",
        [SESSION_TIMER_PERIOD_HIGH] = "the timer's period is above 1 second",
        [SESSION_SLICE_SHORT] = "the time slice is below 10 microseconds",
        [SESSION_SLICE_LONG] = "the time slice is above 1 second",
        [SESSION_SLICE_BELOW_TIMER] = "the time slice is shorter than the timer's period, at whose ticks it ends",
        [SESSION_LIMIT_HIGH] = "the time limit is above a day",
        [SESSION_NO_TSC_RATE] = "the rate of the time-stamp counter, which sets the timer, is not known",
        [SESSION_NO_PSTATES] =
            "there are no P-states that this program can choose (Family 10h's and Zen's, by CPUID 8000_0007h EDX[7]): "
            "pstate=firmware",
        [SESSION_NO_BOOST] = "there is no boost that this program can switch (AMD's, by CPUID 8000_0007h EDX[9]): "
                             "boost=firmware",
        [SESSION_NO_ERRATUM_721] = "only Families 10h and 12h have erratum 721: erratum_721=firmware",
        [SESSION_ERRATUM_721] = "DE_CFG (C001_1029) bit 0 does not keep what is written to it: erratum_721=firmware",
        [SESSION_MSR_FAULT] = "a model-specific register raised an exception",
        [SESSION_GDT] =
            "the firmware's segment selectors lie outside the part of its descriptor table that this program can copy",
        [SESSION_FIVE_LEVEL_PAGING] = "the firmware runs with five-level paging",
        [SESSION_NO_PML4_SLOT] = "the firmware's page tables and its memory map use each 512 GB of the lower half, or "
                                 "the memory map cannot be read: there is no address for the workload's memory",
        [SESSION_APIC_DISABLED] = "the local APIC is switched off",
        [SESSION_APIC_X2APIC] = "the local APIC is in x2APIC mode",
        [SESSION_NO_EXTENDED_LVT] = "the local APIC has no extended interrupt entries besides entry 0",
        [SESSION_NO_FREE_LVT] = "extended interrupt entries 1 to 3 of the local APIC are all taken",
        [SESSION_NO_NODES] = "no Family 10h northbridge (1022:1203) on PCI bus 0",
        [SESSION_F3X1CC] = "northbridge register F3x1CC (IBS control) does not keep what is written to it",
        [SESSION_IBS_CONTROL] = "MSR C001_103A (IbsControl) does not show what was written to F3x1CC",
        [SESSION_LVT_WRITE] = "the extended interrupt entry does not keep what is written to it",
        [SESSION_IBS_ENABLE] = "an IBS control register does not keep what is written to it",
        [SESSION_PMC_ENABLE] = "a performance counter's control register does not keep what is written to it",
        [SESSION_LVTPC] = "the APIC's entry for performance counters (340h) does not keep what is written to it",
        [SESSION_LVT_TIMER] = "the APIC's entry for its timer (320h) does not keep what is written to it: no NMI",
        [SESSION_TIMER_RATE] = "the APIC's timer does not count, or faster than 2 GHz",
        [SESSION_NO_TICK] =
            "neither the APIC's timer nor the overflow of a free counter delivers an NMI, and so no tick",
        [SESSION_PSTATE] = "there is no P-state with this number, or it was not reached within a millisecond",
        [SESSION_BOOST] = "HWCR bit 25 (boost) does not keep what is written to it",
        [SESSION_NO_L3_MISS_FILTER] =
            "this processor cannot restrict samples to L3 misses (CPUID 8000_001Bh EAX[11]): l3_miss_only=no",
        [SESSION_NO_LATENCY_FILTER] =
            "this processor cannot restrict samples to slow loads (CPUID 8000_001Bh EAX[12]): load_latency=0",
        [SESSION_LOAD_LATENCY] = "load_latency is not a multiple of 128 cycles up to 2048",
        [SESSION_NO_FIRMWARE_LVT] = "the firmware assigned IBS no free interrupt entry (MSR C001_103A), and only for "
                                    "Family 10h is it published how a program does this: try another version of the "
                                    "BIOS, with IBS on if its setup has this switch",
        [SESSION_IBS_SWITCH_UNKNOWN] = "how to switch IBS on is published only for Family 17h models 00h to 2Fh and "
                                       "50h to 5Eh, and is not possible in a virtual machine",
        [SESSION_IBS_SWITCH_SMT] = "each core has two threads, and may lock up if one switches IBS on while the other "
                                   "runs: switch SMT off in the BIOS setup",
        [SESSION_IBS_SWITCH] = "a register does not hold the bits that switch IBS on, or CPUID still does not show IBS",
        [SESSION_STORM_BEFORE] =
            "NMIs followed each other before sampling, from opening an entry of the local APIC until masking it: a "
            "request of an earlier run is still pending (see erratum 420); switch the machine off and on",
        [SESSION_USB] =
            "a USB controller still requests SMIs (bus, device and function: bits 15:8, 7:3, 2:0), or there "
            "are too many of them: usb_legacy=firmware",
        [SESSION_NO_BRANCHES] =
            "this processor has no branch records (CPUID 8000_0022h EAX[1], Zen 4 and later; on Zen 3 8000_0008h "
            "EBX[31]): branches=no",
        [SESSION_BRANCH_EVENT] =
            "Zen 3 records branches only after a counter's overflow: branches=yes needs config=events and one event, "
            "events=0C4 (retired taken branches) with a period above 16",
        [SESSION_BRANCHES] = "a register of the branch records does not keep what is written to it: branches=no",
        [SESSION_NO_CPPC] =
            "there is no CPPC by MSRs, or firmware has not switched it on (C001_02B0, C001_02B1 bit 0): cppc=firmware",
        [SESSION_CPPC_LEVEL] = "the level is not between the lowest and the highest of CPPC in C001_02B0",
        [SESSION_CPPC] = "MSR C001_02B3 (CPPC) does not keep what is written to it: cppc=firmware",
        [SESSION_STORM] = "NMIs without a sample followed each other until their entries of the APIC were masked",
        [SESSION_TICKS_ENDED] = "the ticks ended before the measured part did: no NMI came for the last interval",
        [SESSION_GANG] = "the boot core failed to begin, or no longer waited for this core",
        [SESSION_LIMIT] = "the workload did not end within the time limit",
        [SESSION_FAULT] = "an exception ended the run",
        [SESSION_STATE] = "own code changed the processor's state, which was restored",
        [SESSION_RESTORE] = "a register reads differently than before the run",
    };
    if ((unsigned)error >= SESSION_ERRORS || !texts[error])
        return "unknown error";
    return texts[error];
}
