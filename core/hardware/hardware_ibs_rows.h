/* SPDX-License-Identifier: BSD-2-Clause */
/* Questions about IBS; core/hardware/hardware_rows.h says what the fields are. */
/* clang-format off */
HARDWARE(curcnt_shortens, 95, MACHINE,
         "Does an IbsOpCurCnt that software writes shorten the interval (CPUID 8000_001Bh bit 3)?",
         "interval = MaxCnt x 16 - CurCnt on revision C and later (AMD BKDG 31116 MSRC001_1033; Linux arch/x86/events/amd/ibs.c "
         "does not rely on it)",
         "samples of `alu-independent` at the same period with `random=yes` and `random=no`: as many; if the write is "
         "ignored, `random=yes` has a fifth fewer",
         "drivers/pmu/ibs.c randomise_op; vpmu/model/pmu/ibs_unit.c ibs_write_op_ctl",
         "`curcnt-ignored`; 9 % fewer samples")
HARDWARE(ibs_uc_wc, 1, MACHINE,
         "Are IbsOpData3 bits 13/14 WC/UC (AMD64 APM vol. 2 section 13.3, Linux, oprofile since 2010) or UC/WC (oprofile "
         "2009, perfmon2, CodeXL `HdMsr.h`)?",
         "13 = WC, 14 = UC",
         "loads of the local APIC's page under op sampling: F20D must count them, F20E must not",
         "core/family/ibs_regs.h IBS_DC_UC_MEM_ACC, IBS_DC_WC_MEM_ACC",
         "`odd-fields`; a load that F20E counts")
HARDWARE(ibs_dst_proc, 2, MACHINE,
         "Does IbsOpData2[4] NbIbsReqDstProc = 1 mean remote (so all but perfmon2's sample program)?",
         "yes",
         "on one node no load of `pointer-chase` that a node answered may have the bit set (F241 is 0)",
         "core/family/ibs_regs.h IBS_NB_DST_PROC",
         "`odd-fields`; a load with the bit set")
HARDWARE(fetch_counter, 3, MACHINE,
         "Does the fetch counter count attempted fetches (APM) or completed ones (CodeAnalyst, the 2007 paper)?",
         "the model counts completed fetches; the tables do not depend on this",
         "fetch samples x period of `branch-always`: a pass completes 19 fetches, and 17 fetches are killed, so 19 or 36",
         "vpmu/model/pmu/ibs_unit.c ibs_fetch: which fetches are counted",
         "36 fetches a pass")
HARDWARE(mispredicted_return, 4, MACHINE,
         "F108, mispredicted returns: do bits 34 and 36 mark them (oprofile), or bit 33?",
         "bits 34 and 36",
         "op samples of `call-depth`: F108 by bits 34 and 36, and by bit 33",
         "core/ibs/derived_rows.h F108",
         "a return by bits 34 and 36 alone")
HARDWARE(rip_invalid, 5, SUMMARY,
         "Is IbsOpData[38] RipInvalid on Family 10h?",
         "no: the bit is reserved, and ignored (oprofile masks it)",
         "bit 38 of IbsOpData in every op sample",
         "core/family/ibs_regs.h IBS_OP_RIP_INVALID; tools/ibsprof/read/ibs_layout.c",
         "bit 38 in one sample")
HARDWARE(data3_bit19, 6, MACHINE,
         "What does IbsOpData3[19] read on revision B, and do the page sizes of L2 DTLB hits add up on all revisions?",
         "bit 19 reads 0; they add up",
         "op samples of `tlb-reach`: F215 + F216 + F217 = F204, and bit 19 on revision B",
         "vpmu/model/params.h TLBS_10H; core/ibs/derived_rows.h F217",
         "bit 19 in one sample")
HARDWARE(fetch_upper_bits, 7, MACHINE,
         "What does IbsFetchLinAd[63:48] read (CodeAnalyst's UBTS 228876)?",
         "bit 47, sign-extended",
         "MSR C001_1031 as read after the last fetch sample",
         "core/family/ibs_regs.h ibs_canonical",
         "bit 48 set alone")
HARDWARE(curcnt_after_sample, 8, MACHINE,
         "Does IbsOpCurCnt have random low bits after each sample, or after aborted ops only?",
         "unknown; software writes random bits in both cases",
         "CurCnt of every op sample as the handler read it: number of different values of bits 6:0, and the highest value of "
         "the other bits",
         "vpmu/model/pmu/ibs_unit.c op_sample; drivers/pmu/ibs.c randomise_op",
         "`odd-reads`; CurCnt 0 in each sample")
HARDWARE(late_nmi, 9, MACHINE,
         "Erratum 420: how many NMIs come after the two-step stop of op sampling while the entry is open?",
         "at most one, from a sample that was under way (Linux arch/x86/events/amd/ibs.c, IBS_STOPPED). A session masks the "
         "entry before the second step, and waits up to 50 us for this NMI",
         "64 stops, between the beginning of an interval and some time after its end, with the entry open: NMIs in the 5 us "
         "after the second step",
         "drivers/pmu/ibs.c ibs_stop; drivers/session/sampling.c late_ticks",
         "`storm`; two NMIs after a stop")
HARDWARE(cycle_tags_wait, 13, MACHINE,
         "Counting cycles: if the op that waits at dispatch is due for a tag while the back end stalls, is it tagged later, "
         "or is the chance lost?",
         "tagged later: the 2007 paper has more samples than its loop has lines (paper.md); `fstp` is not explained",
         "samples x period at `count=cycles` of `pointer-chase` in the L3, plus the cycles from tag to retirement, against "
         "event 076h (equal: tags wait; far fewer: chances are lost)",
         "vpmu/model/pmu/ibs_unit.c ibs_line_slow; --lose-stalled",
         "`slow-cycles`; half as many cycles")
HARDWARE(line_ops_equal, 17, MACHINE,
         "Are the ops of one dispatch line sampled equally when cycles are counted?",
         "equally",
         "samples of each instruction of `alu-independent` at `count=cycles`: chi-square per degree of freedom",
         "vpmu/model/pmu/ibs_unit.c ibs_op_tagged",
         "only each third op has samples")
HARDWARE(misslat_without_walk, 18, MACHINE,
         "Does IbsDcMissLat exclude the page walk?",
         "excluded",
         "median DcMissLat of `pointer-chase` with 4 KB and with 2 MB pages: the same",
         "vpmu/model/pipeline/loadstore.c; tests/boot/coverage.md",
         "`walk-in-latency`; 30 cycles more")
HARDWARE(miss_in_flight, 19, MACHINE,
         "Does a second access to a line in flight set both IbsDcMiss and IbsDcMabHit?",
         "yes",
         "op samples of `stream-read`: loads with IbsDcMabHit, and how many of these have IbsDcMiss",
         "vpmu/model/caches/cache.c; core/ibs/derived_rows.h F206, F210",
         "a load with IbsDcMabHit alone")
HARDWARE(read_only_registers, 20, MACHINE,
         "Does writing IbsFetchLinAd, IbsFetchPhysAd or C001_103A raise #GP?",
         "yes in the model; ibsboot never writes them",
         "each is written with the value that it reads",
         "vpmu/model/pmu/regs.c vpmu_wrmsr",
         "`odd-reads`; C001_1031 accepts the write")
HARDWARE(revision_b_counter, 21, MACHINE,
         "Does a write to IbsOpCtl on revision B restart its hidden counter?",
         "yes, at 0",
         "revision B only: samples x period against event 0C1h or 076h",
         "vpmu/model/pmu/ibs_unit.c ibs_write_op_ctl",
         "half as many cycles")
HARDWARE(loop_head, 22, MACHINE,
         "Is the fetch of a loop's head almost never sampled, because the fetch before it is killed?",
         "yes, as in the paper's fetch table",
         "fetch samples of `alu-independent`: the share of the fetch block with the loop's head, one of nine blocks",
         "vpmu/model/pipeline/frontend.c TAKEN_BUBBLE; docs/paper.md",
         "6 of 102 samples")
HARDWARE(fetch_cnt_reads_max, 83, MACHINE,
         "What does IbsFetchCnt read in a fetch sample?",
         "IbsFetchMaxCnt (Linux `arch/x86/events/amd/ibs.c`, get_ibs_fetch_count, takes the fetches since the last sample "
         "from it); with IbsRandEn the lower 4 bits are not shown",
         "IbsFetchCnt against IbsFetchMaxCnt in every fetch sample",
         "vpmu/model/pmu/ibs_unit.c fetch_sample",
         "`odd-reads`; 0 in two samples")
HARDWARE(maxcnt_zero_stops, 91, MACHINE,
         "Does writing MaxCnt = 0 stop op sampling, with the enable bit set and CurCnt unchanged?",
         "yes; CurCnt is written as it was read, as in Linux",
         "IbsOpCtl with MaxCnt = 0 and the enable bit set for 50 us: is Val set, and how many NMIs come in this time and in "
         "the 50 us after it",
         "drivers/pmu/ibs.c stop_counting",
         "`storm`; Val set")
HARDWARE(erratum_420_ends, 90, SUMMARY,
         "Erratum 420: do its NMIs end by themselves?",
         "yes: they end once the entries are masked, after 64 in a row",
         "`nmi.storm` over all sessions of the check; in some of them the entry is open while sampling is stopped (rows 9 and "
         "91)",
         "drivers/pmu/nmi.h NMI_STORM; vpmu/model/params.h ERRATUM_420_NMIS",
         "`storm`; storms in two sessions")
HARDWARE(ctl_bits_hold, 96, MACHINE,
         "Which bits of IbsFetchCtl and IbsOpCtl hold what is written?",
         "IbsFetchCtl: MaxCnt, RandEn and IbsFetchCnt; IbsOpCtl: MaxCnt, and on revision C and later CntCtl and all 20 bits "
         "of CurCnt (AMD BKDG 31116)",
         "ones are written with the enable bits clear, and read back",
         "core/family/ibs_regs.h; vpmu/model/pmu/ibs_unit.c; vpmu/model/params.c cnt_ctl, rdwr_cur_cnt",
         "`curcnt-ignored`; RandEn does not hold")
HARDWARE(val_is_edge, 97, MACHINE,
         "Is the NMI of IBS an edge: does a Val bit that stays set send no second NMI?",
         "an edge: one NMI for each sample (no source says so; Linux clears Val in each handler)",
         "an op is sampled within 100 us, with the entry open, and its Val is left set: number of NMIs",
         "drivers/pmu/nmi.c; vpmu/model/pmu/ibs_unit.c",
         "`val-level`; two NMIs from one Val")
HARDWARE(fetch_rearm, 98, MACHINE,
         "Does one write of IbsFetchCtl with the enable bit set restart the fetch counter at 0?",
         "yes; not on Families 16h to 18h, which need two (Linux arch/x86/events/amd/ibs.c, fetch_count_reset_broken)",
         "IbsFetchCnt (bits 19:4 of the count) while the counter runs, and right after the write: not 0, then 0",
         "drivers/pmu/nmi.c take_ibs: one write, or two; core/family/ibs_errata_rows.h FETCH_REARM",
         "`rearm-otherwise`; the count continues")
HARDWARE(write_back, 99, MACHINE,
         "Do the IBS registers accept what was read from them?",
         "yes: C001_1030, 1033 to 1039 without #GP, and they read the same (AMD APM vol. 2 section 13.3)",
         "each is read, written and read",
         "vpmu/model/pmu/regs.c; drivers/machine/restore.c",
         "`odd-reads`; C001_1039 reads differently")
/* clang-format on */
