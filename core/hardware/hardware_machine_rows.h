/* SPDX-License-Identifier: BSD-2-Clause */
/* Questions about the processor, its firmware, and other systems; core/hardware/hardware_rows.h says what the fields
 * are. */
/* clang-format off */
HARDWARE(f3x1cc_mirrored, 10, MACHINE,
         "CF8/CFC with NB_CFG[46] reaches F3x1CC on every node, and C001_103A mirrors it at once",
         "written and read back on every node",
         "a session with IBS: it takes the firmware's entry, or ends with an error, where a node or the MSR differs",
         "drivers/pmu/lvt.c assign; vpmu/model/pmu/regs.c",
         "F3x1CC keeps what it had")
HARDWARE(model_known, 15, MACHINE,
         "Model numbers 0, 1, 3 and 7 (revision unknown)",
         "printed as '?'",
         "CPUID 1 EAX",
         "drivers/machine/machine.c revision_of",
         "a model of no revision")
HARDWARE(page_1g_types, 16, PERSON,
         "1 GB pages over memory of more than one MTRR type",
         "mapped; only the arena is accessed",
         "a machine with more than one memory type in a gigabyte",
         "drivers/cpu/paging.c",
         "")
HARDWARE(f3x1cc_sticks, 29, MACHINE,
         "A write to F3x1CC does not stick, but C001_103A is valid",
         "the firmware's entry is used, as Linux does",
         "a session with IBS: the entry that was used is the one that was written",
         "drivers/pmu/lvt.c use_firmware",
         "the firmware's entry serves")
HARDWARE(gap_constant, 52, PERSON,
         "Are the gaps of the detour loop constant: does the median equal the minimum?",
         "yes on this family; newer TSCs step by tens of ticks, so the threshold uses the median",
         "`ibsboot-workloads noise`",
         "noise/; core/noise/noise.c thresholds",
         "")
HARDWARE(linux_cnt_ctl, 53, PERSON,
         "Linux: `perf record -C N -e ibs_op/cnt_ctl=1/ -R -d` on Family 10h, with the oldest kernel to be supported; is "
         "`format/cnt_ctl` absent on revision B",
         "tools/record-linux records so and falls back to cycles",
         "one recording on each revision",
         "tools/record-linux",
         "")
HARDWARE(linux_huge_pages, 54, PERSON,
         "Huge pages reserved (`vm.nr_hugepages`, 1 GB pages): `--pages=2m` and `1g` of the twin",
         "reports MAP_HUGETLB",
         "`ibsboot-workloads matmul-classic --pages=2m`",
         "tools/workloads",
         "")
HARDWARE(compare_same, 55, PERSON,
         "Compare 10 runs with another 10 of the same setting",
         "phi near 1 and \"equivalent\"; a clearly larger phi means that something changes between runs (frames, SMIs, "
         "frequency)",
         "`ibsprof compare`",
         "tools/ibsprof/compare",
         "")
HARDWARE(erratum_717, 56, PERSON,
         "Family 15h models 00h to 0Fh, erratum 717: IbsDcMabHit only with IbsDcMiss",
         "so in `ibsprof export`, by AMD's Revision Guide (48063 rev. 3.18, p. 75); that all steppings have it is an inference",
         "its rows of a recording on such a machine",
         "core/family/family_15h.c",
         "")
HARDWARE(smi_event, 60, PERSON,
         "Event 02Bh with a known SMI (write port B2h, or a USB keyboard under legacy emulation)",
         "each SMI counts one; a detour during which it counted is labelled SMI",
         "`config=noise` with a keyboard, keys pressed",
         "drivers/pmu/witness.c",
         "")
HARDWARE(all_off, 61, PERSON,
         "Regime \"everything off\" for 10 minutes: `noise_ms=600000`",
         "no detour of 1 us except SMIs",
         "lost fraction at most 1e-7",
         "drivers/machine/quiet.c; docs/noise.md",
         "")
HARDWARE(p_state, 62, MACHINE,
         "P-state, limit (MSRC001_0063, _0061, bits 2:0) and HWCR[25] on a processor with boost",
         "state 0 is the fastest state that is not boosted, so boosting shows only in APERF/MPERF (Linux cpupower adds the "
         "number of boosted states)",
         "MSRC001_0061, _0062, _0063 and HWCR[25]",
         "drivers/pmu/witness.c",
         "`odd-reads`; no MSRC001_0063")
HARDWARE(linux_handler_ops, 84, PERSON,
         "Ops that Linux's NMI handler executes after arming the next sample",
         "nearly half of 960 in the model, kernel 6.1",
         "`perf record -e ibs_op/cnt_ctl=1/ -c 1024` of the twin: samples times period against `perf stat -e r0c1`",
         "docs/linux.md",
         "")
HARDWARE(cr4_and_banks, 92, MACHINE,
         "CR4.PGE and CR4.MCE at entry; machine-check banks that boot left",
         "PGE off around loads of CR3; banks are listed, not cleared",
         "CR4 at entry, and the banks that held an error",
         "drivers/cpu/paging.c; drivers/cpu/machine_check.c",
         "`odd-reads`; a bank with an error")
HARDWARE(tlb_errata_bits, 111, MACHINE,
         "HWCR[3] TlbCacheDis, BU_CFG[1] TlbForceMemTypeUc, BU_CFG2[29] Smash1GPages",
         "clear; set on revision B (coreboot AMD_Errata298, defaults.h)",
         "MSRC001_0015, _1023, _102A",
         "core/explore/explore_formulas.c: 30 cycles a walk; vpmu/model/caches/tlb.c",
         "`revision-b-bits`; HWCR[3] set on revision C")
HARDWARE(erratum_721, 123, MACHINE,
         "MSRC001_1029[0]: has firmware applied the workaround of erratum 721 (a wrong stack pointer after a long series of pushes "
         "and calls, or of pops and returns)",
         "set (AMD 41322; FreeBSD sys/x86/x86 init_amd and Haiku set it outside of hypervisors)",
         "the register",
         "workloads/branches/call_depth.c: a run that ends with an exception",
         "`revision-b-bits`; bit 0 clear")
HARDWARE(saving_speed, 112, MACHINE,
         "Time for writing a file of 64 KB, and is its name the right one after",
         "less than 1 s (USB stick), and it is read back the same",
         "hardware.csv is written with 64 KB of something else, read back, and written again",
         "app/base/sinks.c",
         "`--writes`; a second for 64 KB")
HARDWARE(sampling_in_smm, 113, PERSON,
         "Does IBS sample in SMM; is an NMI lost that falls into one?",
         "no; it is not (both driver and model take it for granted)",
         "a run while keys of a USB keyboard are pressed: addresses outside of the code, `nmi.empty`, and sampling goes on",
         "drivers/pmu/nmi.c",
         "")
HARDWARE(zen_ibs_on, 122, PERSON,
         "Family 17h models 00h-2Fh, 50h-5Eh with IBS off in the setup: does `zen_ibs_on=yes` bring samples; is an entry of the "
         "local vector table assigned all the same; which of the four registers does a BIOS set that enables IBS",
         "samples as with IBS on in the setup, from the entry in C001_103A; without an entry the run is refused "
         "(AMD_IBS_Toolkit driver/ibs-workarounds.c, driver/ibs-core.c; no print of such a machine is known)",
         "a run with `zen_ibs_on=yes`, SMT off, and one with IBS on in the setup: report.txt and `restored` of run.ini",
         "drivers/machine/zen_ibs.c; vpmu/model/pmu/silicon.c",
         "")
HARDWARE(one_step_stop, 114, DANGEROUS,
         "NMIs after a stop of IBS in one step, which erratum 420 warns of",
         "one NMI at times; the model sends ERRATUM_420_NMIS each time",
         "1000 stops without the first step (MaxCnt = 0), with the guard against storms on",
         "core/family/ibs_errata_rows.h #420; vpmu/model/pmu/ibs_unit.c disabled",
         "two NMIs after a stop")
/* clang-format on */
