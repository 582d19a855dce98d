/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * All errata of IBS, of the counters beside it, and of the core, that change what is done or shown:
 * IBS_ERRATUM(flag, name, effect, action, source). Which processors have them is said by the rows of
 * core/family/family_*.c.
 */
/* clang-format off */
IBS_ERRATUM(420, "#420", "the IBS engine may raise an interrupt that cannot be cleared",
            "stop sampling in two writes: MaxCnt = 0 with the enable bit still set, then the enable bit",
            "AMD 41322 (Revision Guide for Family 10h) erratum 420; Linux arch/x86/events/amd/ibs.c")
IBS_ERRATUM(FETCH_LINAD, "UBTS 228876", "bits 63:48 of IbsFetchLinAd may not be canonical", "sign-extend bit 47",
            "CodeAnalyst 3.4.18 op_model_amd.c; CodeXL CaPerfTranslatorIbs.cpp")
IBS_ERRATUM(484, "#484", "the northbridge's data are wrong for write-combining accesses", "not shown for them",
            "AMD_IBS_Toolkit tools/ibs_decoder/ibs_decoder.c")
IBS_ERRATUM(717, "#717", "MabHit is right only with DcMiss; the branch target is unreliable",
            "MabHit without DcMiss is 0; the target is not shown",
            "AMD 48063 (Revision Guide for Family 15h models 00h-0Fh) rev. 3.18 p. 75")
IBS_ERRATUM(718, "#718", "bits of older samples stay set in IbsOpData3", "write 0 to it before op sampling starts again",
            "AMD_IBS_Toolkit driver/ibs-interrupt.c, driver/ibs-core.c")
IBS_ERRATUM(719, "#719", "the fetch counter's start value has no effect", "fetch periods are not randomised by software",
            "AMD_IBS_Toolkit include/ibs-uapi.h")
IBS_ERRATUM(FETCH_REARM, "fetch re-arm", "the fetch counter starts again only when the enable bit rises",
            "write IbsFetchCtl twice, first without the enable bit", "Linux arch/x86/events/amd/ibs.c, fetch_count_reset_broken")
IBS_ERRATUM(SPEC_LOCK_MAP, "SpecLockMap", "IBS is inaccurate unless firmware sets three registers",
            "said in the machine report; set by zen_ibs_on alone", "AMD_IBS_Toolkit driver/ibs-workarounds.c, issue 5")
IBS_ERRATUM(1197, "#1197", "IBS' state is wrong after CC6", "fetch samples with address 0 are not shown",
            "Linux commit 26db2e0c51fe, arch/x86/events/amd/ibs.c")
IBS_ERRATUM(1238, "#1238", "the instruction cache miss of a fetch cannot be relied on", "not shown",
            "Linux tools/perf/util/amd-sample-raw.c")
IBS_ERRATUM(1293, "#1293", "L2Miss, OpenMemReqs and IbsOpData2 are wrong with DcMissNoMabAlloc or a software prefetch",
            "not shown with these", "Linux tools/perf/util/amd-sample-raw.c")
IBS_ERRATUM(1347, "#1347", "fetch page sizes are coded 4 KB, 16 KB, 2 MB, 1 GB", "decoded so",
            "Linux tools/perf/util/amd-sample-raw.c")
IBS_ERRATUM(HIT_STATE, "CacheHitSt", "the state of the answering cache's line is not valid", "not shown",
            "Linux arch/x86/events/amd/ibs.c, perf_ibs_cache_hit_st_valid")
IBS_ERRATUM(1569, "#1569", "counter event 078h counts wrongly", "marked, in no configuration", "Linux mailing list, errata of Family 1Ah")
IBS_ERRATUM(1583, "#1583", "counter event 18Eh counts too much", "marked, in no configuration", "Linux mailing list, errata of Family 1Ah")
IBS_ERRATUM(1587, "#1587", "counter event 188h misses fetches that IBS tagged", "marked, in no configuration",
            "Linux mailing list, errata of Family 1Ah")
IBS_ERRATUM(1606, "#1606", "a load latency filter works only together with L3MissOnly", "both are set together",
            "Linux mailing list, errata of Family 1Ah; commit 898138efc990")
IBS_ERRATUM(721, "#721", "the stack pointer may be wrong after a long series of pushes and calls, or of pops and returns",
            "said where firmware does not set C001_1029[0]; set by erratum_721=on", "FreeBSD sys/amd64/amd64/initcpu.c, init_amd")
/* clang-format on */
