/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/model/hostile.h"

#include "vpmu/model/words.h"

const struct hostile_row hostile_table[HOSTILE_SWITCHES] = {
    [HOSTILE_STORM] =
        {"storm",
         "when sampling stops, by whatever steps, NMIs without a sample follow each other until the entry "
         "of the local vector table is masked",
         "erratum 420: \"an interrupt that cannot be cleared\" (Linux arch/x86/events/amd/ibs.c)"},
    [HOSTILE_STORM_STAYS] =
        {"storm-stays",
         "as storm, and the request survives masking: the NMIs come again as soon as the entry is opened again",
         "erratum 420: \"an interrupt that cannot be cleared\""},
    [HOSTILE_TIMER_NMI] = {"no-timer-nmi",
                           "the APIC timer's entry of the local vector table takes message type NMI and reads back so, "
                           "and no NMI is delivered",
                           "AMD's PPR for family 17h, \"Generalized LVT\": the entries with message types are 330h to "
                           "360h and 500h to 530h"},
    [HOSTILE_TIMER_ENDS] = {"timer-ends",
                            "the APIC timer delivers eight NMIs after its entry of the local vector table was written, "
                            "and no more",
                            "none known: a test of the timer at the start of a session says nothing of its end"},
    [HOSTILE_SVR_OFF] =
        {"svr-off",
         "the local APIC of each core is switched off by software (0F0h bit 8), so entries of the local "
         "vector table stay masked",
         "AMD APM vol. 2 section 16.4.6; INIT leaves it so, and EDK II sets cores up again after INIT"},
    [HOSTILE_BARE_CORE] = {"bare-core", "cores other than the boot core have FCW 0040h, CR0.TS, and no CR4.OSFXSR",
                           "the state after reset; UEFI promises more for the boot core alone (specification 2.3.4)"},
    [HOSTILE_MACHINE_CHECK] =
        {"machine-check", "a machine check (#MC) comes in the measured part, with the status of erratum 383 in bank 0",
         "AMD 41322, erratum 383: a handler that does not clear the banks has the next one shut "
         "the processor down"},
    [HOSTILE_MP_REFUSES] =
        {"mp-refuses", "MP Services start no core: EFI_UNSUPPORTED",
         "UEFI PI specification vol. 2 section 13.4: so must calls that do not wait be answered after "
         "ReadyToBoot"},
    [HOSTILE_MP_FREEZES] =
        {"mp-freezes",
         "asked to start a core that is not idle yet, MP Services answer EFI_NOT_READY, and so from then on",
         "EDK II of 2014, UefiCpuPkg CpuMp.c: StartupThisAP stops the check of all cores, and does not start it again"},
    [HOSTILE_MP_LOSES] =
        {"mp-loses",
         "MP Services say that they have started core 1, and it never begins; started without them, it "
         "does",
         "none known: a core that firmware has parked may not wake by its way"},
    [HOSTILE_LVT_TAKEN] = {"lvt-taken",
                           "entries 1 to 3 of the extended local vector table are in use, as fixed interrupts",
                           "firmware may route thresholds of memory and links there (AMD BKDG 31116, APIC500 to 530)"},
    [HOSTILE_LVTPC_OPEN] = {"lvtpc-open", "the counters' entry of the local vector table is not masked by delivery",
                            "Linux arch/x86/events/amd/core.c: on AMD \"the Mask (M) bit is not set\""},
    [HOSTILE_STUCK_VALID] = {"stuck-valid",
                             "IBS's Val bits stay set whatever is written, so that each engine takes one sample",
                             "none known: the driver relies on one write that clears Val and begins to count"},
    [HOSTILE_CURCNT] = {"curcnt-ignored",
                        "what is written to IbsOpCurCnt is ignored: each interval is MaxCnt * 16, on revision C too",
                        "none known: what CPUID 8000_001Bh bit 3 promises is tested on no silicon here"},
    [HOSTILE_MEMORY_UC] = {"memory-uc",
                           "the MTRRs of each core say UC for all memory; the model's caches go on all the same",
                           "firmware has left memory without an MTRR, or above TOP_MEM2: AMD APM vol. 2 section 7.7"},
    [HOSTILE_CORE_MTRRS] = {"core-mtrrs", "as memory-uc, on cores other than the boot core",
                            "Linux arch/x86/kernel/cpu/mtrr/generic.c, mtrr_state_warn: \"probably your BIOS does not "
                            "setup all CPUs\""},
    [HOSTILE_NO_L3] = {"no-l3", "there is no L3: CPUID 8000_0006h EDX is 0, and what leaves an L2 goes to memory",
                       "Athlon II, Sempron: AMD 41322, models 5 and 6"},
    [HOSTILE_TSC_SLOW] = {"tsc-slow",
                          "the TSC counts at half of P0's rate; HWCR[24] and CPUID 8000_0007h EDX[8] are clear",
                          "Linux arch/x86/kernel/cpu/amd.c: \"TSC doesn't count with P0 frequency!\""},
    [HOSTILE_REVISION_B] = {"revision-b-bits",
                            "HWCR[3], BU_CFG[1] and BU_CFG2[29] are set, MSRC001_1029[0] is clear, and nothing else is "
                            "changed",
                            "coreboot src/cpu/amd/family_10h-family_15h, AMD_Errata298 and Smash1GPages; FreeBSD "
                            "init_amd sets the last one (erratum 721)"},
    [HOSTILE_PML4_FULL] =
        {"pml4-full",
         "the firmware's page tables map all of their addresses: each of the 512 entries of the first is "
         "present",
         "EDK II MdeModulePkg/Core/DxeIplPeim/X64/VirtualMemory.c maps what the CPU's hand-off block says: 48 bits on "
         "Ryzen, 52 on EPYC"},
    [HOSTILE_LVT_NONE] =
        {"lvt-none", "after Family 10h: firmware has assigned IBS no entry of the local vector table (C001_103A is 0)",
         "Linux arch/x86/events/amd/ibs.c, setup_APIC_ibs: \"IBS APIC setup failed\""},
    [HOSTILE_RIP_INVALID] =
        {"rip-invalid", "after Family 10h: one op sample in eight, at random, has IbsRipInvalid and another address",
         "Linux arch/x86/events/amd/ibs.c drops the address of such samples"},
    [HOSTILE_IBS_OFF] = {"ibs-off",
                         "after Family 10h, from 17h on: CPUID 8000_0001h ECX[10] is clear until C001_1005[42] is set; "
                         "IBS cannot be enabled until C001_1029[19] and C001_1020[54] are set and C001_0296[22, 14, 6] "
                         "clear, too",
                         "AMD_IBS_Toolkit driver/ibs-workarounds.c: firmware may leave IBS off"},
    [HOSTILE_GLOBAL_OFF] = {"global-off",
                            "after Family 10h, counters of version 2: PerfCntrGlobalCtl is 0 when the program starts",
                            "none known: after a reset it may be either"},
    [HOSTILE_BRANCHES] =
        {"branch-records",
         "after Family 10h: firmware has left the recording of branches on, from Zen 4 on with a selection, and every "
         "eighth record is of a wrong path; on Zen 3 with five records of its own",
         "Linux arch/x86/events/amd/lbr.c, PERF_BR_SPEC_WRONG_PATH"},
    [HOSTILE_CPPC_IGNORED] =
        {"cppc-ignored", "after Family 10h, from Zen 4 on: what is written to CPPC's request (C001_02B3) is ignored",
         "none known: Linux drivers/cpufreq/amd-pstate.c does not read back what it writes"},
    [HOSTILE_ENERGY_FAULTS] =
        {"energy-faults",
         "after Family 10h, from Zen on: CPUID says that energy is counted, and C001_0299 to 029B raise #GP",
         "Linux arch/x86/events/rapl.c, rapl_check_hw_unit: \"protect rdmsr() to handle virtualization\""},
    [HOSTILE_LEFT_ON] = {"left-on",
                         "after Family 10h, from Zen on: firmware has left on the core's watchdog (C001_0074[0]), "
                         "memory encryption and "
                         "SEV-SNP (C001_0010[23, 24])",
                         "switches of firmware's setup: core/platform/silicon.c has the sources"},
    [HOSTILE_LOST_BITS] = {"lost-bits",
                           "after Family 10h: one bit of each control and count that the driver writes reads 0: core "
                           "counters 1 and 3, the global control, L3, data fabric, memory controllers, branch records, "
                           "boost, IbsFetchCtl and IbsOpCtl",
                           "none known: which bits there are is from Linux' drivers, which read none of them back"},
    [HOSTILE_CPUID_SILENT] =
        {"cpuid-silent",
         "after Family 10h: CPUID does not tell all that is there: IbsBrTarget, IbsFetchCtlExtd and fusion, the L3's "
         "counters, CPPC, all but four core counters and one of memory; C001_103D is there untold",
         "none known: a hypervisor, or microcode, may clear bits of CPUID"},
    [HOSTILE_GLOBAL_DEAF] =
        {"global-deaf",
         "after Family 10h, counters of version 2: PerfCntrGlobalCtl stops no counter, and PerfCntrGlobalStatusClr "
         "leaves counter 0's bit",
         "none known: what Linux arch/x86/events/amd/core.c, amd_pmu_v2_handle_irq, relies on"},
    [HOSTILE_ODD_READS] =
        {"odd-reads",
         "after Family 10h: registers read otherwise than they were left: counters by their old numbers, IbsFetchCnt "
         "and IbsOpCurCnt of a sample, the P-state, RAPL's unit, CPPC's levels, the timer's count after its end, the "
         "number of extended entries, MC0_STATUS; C001_1031 can be written, and C001_1039 keeps something else",
         "none known: each is what a driver relies on"},
    [HOSTILE_ODD_FIELDS] =
        {"odd-fields",
         "after Family 10h: of the samples of each kind one in sixteen, at random, has a field that contradicts "
         "another one: a taken branch that is no branch, a latency of a hit, an address of no access ...",
         "errata of IBS are such: AMD_IBS_Toolkit, Linux tools/perf/util/amd-sample-raw.c"},
    [HOSTILE_SOURCES_WRONG] =
        {"sources-wrong",
         "after Family 10h: IbsOpData2 says the L3 where memory had the data, and memory for every "
         "third load that the L3 answered",
         "none known: the values changed with Zen 4 (Linux arch/x86/include/asm/amd/ibs.h)"},
    [HOSTILE_WALK_IN_LATENCY] = {"walk-in-latency",
                                 "after Family 10h: IbsDcMissLat has the cycles of the look-up in the second DTLB or "
                                 "of the page walk in it, and "
                                 "they are four times as many",
                                 "AMD APM vol. 2 section 13.3.3 does not say"},
    [HOSTILE_FILTERS_LEAK] =
        {"filters-leak", "after Family 10h: one in four of the samples that a filter should drop passes",
         "Linux arch/x86/events/amd/ibs.c, perf_ibs_handle_irq, drops such samples of load latency"},
    [HOSTILE_LVTPC_MASKED] =
        {"lvtpc-masked", "after Family 10h: the counters' entry of the local vector table is masked by delivery",
         "Intel's do: Linux arch/x86/events/intel/core.c, intel_pmu_handle_irq, opens the entry again"},
    [HOSTILE_NOT_INTERRUPTS] = {"not-interrupts", "after Family 10h: the event of interrupts counts no NMI",
                                "AMD's event says \"interrupts taken\", and not which"},
    [HOSTILE_ENTRIES_DIFFER] =
        {"entries-differ",
         "after Family 10h: firmware has assigned IBS another entry of the local vector table on cores other than the "
         "boot core",
         "Linux arch/x86/events/amd/ibs.c, get_ibs_lvt_offset, reads each core's own"},
    [HOSTILE_SLOW_CYCLES] = {"slow-cycles",
                             "after Family 10h: IBS takes twice as many cycles for an op interval that counts cycles",
                             "none known: no manual says whose cycles are counted"},
    [HOSTILE_TSC_APART] = {"tsc-apart",
                           "after Family 10h: the TSC of cores other than the boot core is 100,000 ticks ahead",
                           "Linux arch/x86/kernel/tsc_sync.c tries for that: firmware may have set them apart"},
    [HOSTILE_REARM_OTHERWISE] = {"rearm-otherwise",
                                 "after Family 10h: a write of IbsFetchCtl while it counts, with the enable bit kept, "
                                 "does the other thing: the count goes on where it should start at 0, and starts where "
                                 "it should go on",
                                 "the families differ in this: AMD_IBS_Toolkit driver/ibs-interrupt.c"},
    [HOSTILE_OFF_OPENS] = {"off-opens",
                           "after Family 10h: an entry of the extended local vector table that is written while the "
                           "local APIC is off by software stays open",
                           "none known: AMD APM vol. 2 section 16.4.6 says that all entries are masked"},
    [HOSTILE_SLOW_NMI] = {"slow-nmi", "after Family 10h: each NMI takes 6,000 ticks of the TSC more",
                          "a hypervisor or firmware in System Management Mode may take part in NMIs"},
    [HOSTILE_VAL_LEVEL] = {"val-level",
                           "after Family 10h: the NMI of IBS comes again whenever its handler returns, while a Val bit "
                           "stays set",
                           "none known: no manual says whether the request is an edge or a level"},
    [HOSTILE_LATE_OVERFLOW] = {"late-overflow",
                               "after Family 10h: the NMI of a counter comes 1.5 us after its overflow, whether the "
                               "counter has been stopped meanwhile or not",
                               "Linux arch/x86/events/amd/core.c, amd_pmu_adjust_nmi_window: NMIs of overflows may be "
                               "late"},
    [HOSTILE_INVERT_ALWAYS] = {"invert-always",
                               "after Family 10h: PERF_CTL's Inv compares with a count mask of 0, too: fewer than 0 "
                               "events are in no cycle, and nothing is counted",
                               "none known: AMD BKDG 31116, PERF_CTL, has Inv for other masks alone"},
    [HOSTILE_TIMER_SLOWS] = {"timer-slows",
                             "after Family 10h: the APIC timer counts at a third of its rate while its entry says "
                             "periodic",
                             "none known; in C1E it stands still (Linux arch/x86/kernel/process.c, "
                             "X86_BUG_AMD_APIC_C1E)"},
    [HOSTILE_BOOT_ID] = {"boot-id", "after Family 10h: the boot core's id in CPUID is not that in its APIC",
                         "coreboot src/cpu/amd, LIFT_BSP_APIC_ID: firmware lifts the boot core's in the APIC"},
    [HOSTILE_LVT_STICKS] = {"lvt-sticks",
                            "after Family 10h: firmware has opened LINT1's entry of the local vector table as NMI, and "
                            "once masked it stays so",
                            "none known: what config=noise relies on"},
    [HOSTILE_NMI_REASON] = {"nmi-reason", "port 61h says that IOCHK has asked for an NMI, and nothing clears that",
                            "Linux arch/x86/kernel/nmi.c, io_check_error: the line may stay set"},
};

bool hostile_parse(const char *text, uint64_t *ret_set)
{
    uint64_t set = 0;

    while (*text) {
        size_t length = 0;

        for (unsigned i = 0; i < HOSTILE_SWITCHES && !length; i++) {
            length = word_match(text, hostile_table[i].name, '+');
            if (length)
                set |= 1ull << i;
        }
        if (!length)
            return false;
        text += length;
        text += *text == '+' && text[1];
    }
    *ret_set = set;
    return true;
}
