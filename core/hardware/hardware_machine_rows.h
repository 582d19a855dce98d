/* SPDX-License-Identifier: BSD-2-Clause */
/* Questions about the processor, its firmware, and other systems; core/hardware/hardware_rows.h says what the fields
 * are. */
/* clang-format off */
HARDWARE(f3x1cc_mirrored, 10, MACHINE,
         "Does CF8/CFC with NB_CFG[46] reach F3x1CC on every node, and does C001_103A mirror it at once?",
         "yes; written and read back on every node",
         "a session with IBS: if a node or the MSR differs, it uses the firmware's entry, or ends with an error",
         "drivers/pmu/lvt.c assign; vpmu/model/pmu/regs.c",
         "F3x1CC keeps its old value")
HARDWARE(model_known, 15, MACHINE,
         "Is the model number one of 0, 1, 3 and 7, whose revisions are unknown?",
         "no; such a revision is printed as '?'",
         "CPUID 1 EAX",
         "drivers/machine/machine.c revision_of",
         "a model without a known revision")
HARDWARE(page_1g_types, 16, PERSON,
         "Do 1 GB pages work over memory of more than one MTRR type?",
         "they are mapped; only the arena is accessed",
         "a machine with more than one memory type in a gigabyte",
         "drivers/cpu/paging.c",
         "")
HARDWARE(f3x1cc_sticks, 29, MACHINE,
         "Does a write to F3x1CC hold while C001_103A is valid?",
         "yes; if not, the firmware's entry is used, as in Linux",
         "a session with IBS: the entry that it used is the one that was written",
         "drivers/pmu/lvt.c use_firmware",
         "the firmware's entry is used")
HARDWARE(gap_constant, 52, PERSON,
         "Are the gaps of the detour loop constant, so that the median equals the minimum?",
         "yes on this family; newer TSCs advance in steps of tens of ticks, so the threshold uses the median",
         "`ibsboot-workloads noise`",
         "noise/; core/noise/noise.c thresholds",
         "")
HARDWARE(linux_cnt_ctl, 53, PERSON,
         "Linux: does `perf record -C N -e ibs_op/cnt_ctl=1/ -R -d` work on Family 10h with the oldest kernel to be "
         "supported, and is `format/cnt_ctl` absent on revision B?",
         "tools/record-linux records this way, and falls back to cycles",
         "one recording on each revision",
         "tools/record-linux",
         "")
HARDWARE(linux_huge_pages, 54, PERSON,
         "Do `--pages=2m` and `1g` of the twin work with reserved huge pages (`vm.nr_hugepages`, 1 GB pages)?",
         "yes; the twin reports MAP_HUGETLB",
         "`ibsboot-workloads matmul-classic --pages=2m`",
         "tools/workloads",
         "")
HARDWARE(compare_same, 55, PERSON,
         "Are 10 runs equivalent to another 10 with the same settings?",
         "phi is near 1, and the verdict \"equivalent\"; a clearly larger phi means that something changes between runs "
         "(frames, SMIs, frequency)",
         "`ibsprof compare`",
         "tools/ibsprof/compare",
         "")
HARDWARE(erratum_717, 56, PERSON,
         "Family 15h models 00h to 0Fh, erratum 717: is IbsDcMabHit valid only with IbsDcMiss?",
         "`ibsprof export` assumes this, by AMD's Revision Guide (48063 rev. 3.18, p. 75); that all steppings have the "
         "erratum is an inference",
         "the rows that `ibsprof export` prints from a recording on such a machine",
         "core/family/family_15h.c",
         "")
HARDWARE(smi_event, 60, PERSON,
         "Does event 02Bh count a known SMI (a write to port B2h, or a USB keyboard under legacy emulation)?",
         "each SMI counts one; a detour during which the event counted is labelled SMI",
         "`config=noise` while keys are pressed",
         "drivers/pmu/witness.c",
         "")
HARDWARE(all_off, 61, PERSON,
         "How much time is lost in 10 minutes of the regime \"everything off\" (`noise_ms=600000`)?",
         "no detour of 1 us except SMIs",
         "lost fraction at most 1e-7",
         "drivers/machine/quiet.c; docs/noise.md",
         "")
HARDWARE(p_state, 62, MACHINE,
         "Which P-state and limit (MSRC001_0063, _0061, bits 2:0) and which HWCR[25] does a processor with boost have?",
         "state 0 is the fastest state without boost, so boost shows only in APERF/MPERF (Linux cpupower adds the number of "
         "boosted states)",
         "MSRC001_0061, _0062, _0063 and HWCR[25]",
         "drivers/pmu/witness.c",
         "`odd-reads`; MSRC001_0063 is missing")
HARDWARE(linux_handler_ops, 84, PERSON,
         "How many ops does Linux's NMI handler execute after it has armed the next sample?",
         "nearly half of its 960 in the model, with kernel 6.1",
         "`perf record -e ibs_op/cnt_ctl=1/ -c 1024` of the twin: samples times period, compared with `perf stat -e r0c1`",
         "docs/linux.md",
         "")
HARDWARE(cr4_and_banks, 92, MACHINE,
         "How does firmware leave CR4.PGE and CR4.MCE, and which machine-check banks hold an error?",
         "PGE is turned off around loads of CR3; banks are listed, not cleared",
         "CR4 at entry, and the banks that hold an error",
         "drivers/cpu/paging.c; drivers/cpu/machine_check.c",
         "`odd-reads`; a bank with an error")
HARDWARE(tlb_errata_bits, 111, MACHINE,
         "Are HWCR[3] TlbCacheDis, BU_CFG[1] TlbForceMemTypeUc and BU_CFG2[29] Smash1GPages set?",
         "no; yes on revision B (coreboot AMD_Errata298, defaults.h)",
         "MSRC001_0015, _1023, _102A",
         "core/explore/explore_formulas.c: 30 cycles a walk; vpmu/model/caches/tlb.c",
         "`revision-b-bits`; HWCR[3] set on revision C")
HARDWARE(erratum_721, 123, MACHINE,
         "MSRC001_1029[0]: has firmware applied the workaround for erratum 721 (a wrong stack pointer after a long series of "
         "pushes and calls, or of pops and returns)?",
         "set (AMD 41322; FreeBSD sys/x86/x86 init_amd and Haiku set it outside of hypervisors)",
         "MSRC001_1029 is read",
         "workloads/branches/call_depth.c: a run that ends with an exception",
         "`revision-b-bits`; bit 0 clear")
HARDWARE(saving_speed, 112, MACHINE,
         "How long does it take to write a file of 64 KB, and does the file have the right name and content?",
         "less than 1 s (USB stick), and it reads back the same",
         "hardware.csv is written with 64 KB of other content, read back, and written again",
         "app/base/sinks.c",
         "`--writes`; a second for 64 KB")
HARDWARE(sampling_in_smm, 113, PERSON,
         "Does IBS take samples in SMM, and is an NMI lost that comes during SMM?",
         "no, and no (driver and model both assume it)",
         "a run while keys of a USB keyboard are pressed: addresses outside of the code, `nmi.empty`, and whether sampling "
         "continues",
         "drivers/pmu/nmi.c",
         "")
HARDWARE(zen_ibs_on, 122, PERSON,
         "Family 17h models 00h-2Fh, 50h-5Eh with IBS off in the setup: does `zen_ibs_on=yes` bring samples; is an entry of "
         "the local vector table assigned in this case; which of the four registers does a BIOS set when it enables IBS?",
         "samples as with IBS on in the setup, from the entry in C001_103A; without an entry the run is refused "
         "(AMD_IBS_Toolkit driver/ibs-workarounds.c, driver/ibs-core.c; no output of such a machine is known)",
         "a run with `zen_ibs_on=yes`, SMT off, and one with IBS on in the setup: report.txt and `restored` of run.ini",
         "drivers/machine/zen_ibs.c; vpmu/model/pmu/silicon.c",
         "")
HARDWARE(one_step_stop, 114, DANGEROUS,
         "Do NMIs come after a stop of IBS in one step, of which erratum 420 warns?",
         "sometimes one; the model sends ERRATUM_420_NMIS each time",
         "1000 stops without the first step (MaxCnt = 0), guarded against storms",
         "core/family/ibs_errata_rows.h #420; vpmu/model/pmu/ibs_unit.c disabled",
         "two NMIs after a stop")
/* clang-format on */
