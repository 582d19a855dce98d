/* SPDX-License-Identifier: BSD-2-Clause */
/* Questions about caches, TLBs and memory; core/hardware/hardware_rows.h says what the fields are. */
/* clang-format off */
HARDWARE(l1d_index, 12, MACHINE,
         "Is the L1D indexed by physical address above bit 12 (then the order of frames changes the miss ratio), or by linear "
         "address (then it does not)?",
         "by physical address in the model",
         "041h of `strided` over 64 KB, one line in each page, with `frames=contiguous` and `shuffled`",
         "vpmu/model/params.h L1_SETS; docs/paper.md",
         "20 of 1000 miss with shuffled frames")
HARDWARE(source_l2, 24, MACHINE,
         "perf.data's data source: is a load miss without NB status from the L2, and one with a MAB hit from a line fill "
         "buffer (LFB)?",
         "yes (perfdata_mem.c)",
         "op samples of `pointer-chase` in the L2: load misses without NB status, against the ratio of 042h:1E to 041h",
         "core/perfdata/perfdata_mem.c",
         "042h:1E does not count 6.1 % of the misses")
HARDWARE(explore_constants, 30, MACHINE,
         "General Exploration: does an L2 hit take 15 cycles, an L3 hit 55, and memory 140? (For the 12 of a mispredict see "
         "row 48, for the 30 of a walk row 106; the 3 of an L2 TLB hit are an assumption.)",
         "within a third of these (toplev has other thresholds, for a core that is 4 wide)",
         "cycles per hop of `pointer-chase` in L2, L3 and memory",
         "core/explore/explore_formulas.c; core/explore/explore_places.c",
         "36 cycles in the L3")
HARDWARE(hop_cycles, 50, MACHINE,
         "`pointer-chase`: how many cycles does a hop take at `kb=32`, 256, 4096 and 16384?",
         "3, 15, 55, and memory's latency; `pages=2m` removes the walks",
         "076h per hop of `pointer-chase` with 2 MB pages at 32, 256, 4096 and 16384 KB",
         "vpmu/model/params.h L1_LATENCY, L2_LATENCY, L3_LATENCY, DRAM_NS",
         "70 cycles in the L3")
HARDWARE(misslat_medians, 58, MACHINE,
         "`pointer-chase pages=2m`, 32 KB to 12 MB: what are the medians of DcMissLat at L2, L3 and memory?",
         "12, 52 and 162 in the model",
         "median DcMissLat of these walks",
         "vpmu/model/params.h L2_LATENCY, L3_LATENCY, DRAM_NS; docs/workloads.md",
         "16 cycles at the L2")
HARDWARE(modified_line_latency, 69, CORES,
         "What is the latency of modified lines from another core's cache?",
         "110 cycles in the model",
         "`cores=0,1 workload=false-sharing padding=8`: IbsDcMissLat where NbIbsReqSrc is 2",
         "vpmu/model/params.h CORE_LATENCY",
         "")
HARDWARE(clean_lines, 70, CORES,
         "Does another core's cache supply clean lines (exclusive, shared)?",
         "no: only modified and owned lines; others come from the L3 or memory",
         "`cores=all workload=true-sharing`, and reads of shared data: whether NbIbsReqSrc 2 comes with state S or E",
         "vpmu/model/caches/coherence.c",
         "")
HARDWARE(banks, 75, MACHINE,
         "`bank-conflict` with `stride=` 8, 16, 32, 64 and 128: how wide is a bank, when is IbsDcLdBnkCon set, and is "
         "IbsDcStBnkCon ever set?",
         "banks of 8 bytes, as in the K8 guide (AMD 25112); stores have no conflicts in the model",
         "op samples of `bank-conflict` at each stride: share of F209, and of F20A",
         "vpmu/model/pipeline/loadstore.c; core/ibs/derived_rows.h F209, F20A",
         "a store with IbsDcStBnkCon set")
HARDWARE(streaming_stores, 76, MACHINE,
         "Does 040h count streaming stores (`stream-write streaming=2`)?",
         "no: they are not accesses of the data cache",
         "040h of `stream-write` with streaming=1 and 2",
         "vpmu/model/pipeline/loadstore.c; core/events/events_dc.c 040h, 041h",
         "040h counts one in twenty")
HARDWARE(forward_reasons, 77, MACHINE,
         "`store-forward`: are the reasons 02Ah:01, 02 and 04 mutually exclusive, and does a cancelled load count twice in "
         "040h?",
         "they are exclusive; it counts once",
         "02Ah:01, 02, 04 and 07 of `store-forward` whose load is wider than the store",
         "vpmu/model/pipeline/loadstore.c CANCEL_*; core/events/events_ls.c 02Ah",
         "040h counts 3.00 in a pass")
HARDWARE(tlb_steps, 78, MACHINE,
         "`tlb-reach`: do misses rise at 48 and at 512 pages, and how do the second level's sets fill between 513 and 640 "
         "pages?",
         "as the model has them",
         "045h and 046h for each hop of `tlb-reach` at 48, 49, 512, 576 and 640 pages",
         "vpmu/model/params.h TLBS_10H",
         "045h in 100 of 1000 hops at 48 pages")
HARDWARE(prefetch_stride, 79, MACHINE,
         "`strided stride=128`: does the prefetcher detect a stride of two lines",
         "no: all accesses miss",
         "041h / 040h of `strided` with stride=128",
         "vpmu/model/caches/cache.c STREAM_HISTORY",
         "a tenth of the accesses hit")
HARDWARE(dst_proc_of_cache, 80, CORES,
         "NbIbsReqDstProc with source 2 (another cache): is this the supplier's node, or the home node of the address?",
         "the supplier's",
         "false sharing over two nodes with `memory=0`",
         "vpmu/model/caches/coherence.c",
         "")
HARDWARE(hop_latency, 81, CORES,
         "How long does a hop between nodes take (`memory=remote` against `memory=local`)?",
         "90 cycles in the model (30 ns)",
         "medians of DcMissLat of `pointer-chase`",
         "vpmu/model/params.h HOP_NS",
         "")
HARDWARE(event_1e0, 82, CORES,
         "1E0h: are write-backs and lines that a cache supplies included, and does 0E9h:98 of one node equal 0E9h:68 of the "
         "other?",
         "both as in docs/model.md",
         "`cores=` one core of each node, `config=count`",
         "vpmu/model/caches/outer_cache.c; core/events/events_nb.c 1E0h",
         "")
HARDWARE(l2_dtlb_replacement, 86, MACHINE,
         "Does the L2 DTLB replace the least recently used of its 4 KB entries, or a random one?",
         "a random one on revision B, by the 76.8 % of the 2007 paper; the least recently used one on C and E",
         "046h for each hop of `tlb-reach` at 640 pages: 1 or nearly 1 if the least recently used entry is replaced, else less",
         "vpmu/model/params.c l2_dtlb_random",
         "revision B: a walk in each hop")
HARDWARE(walk_through_l2, 106, MACHINE,
         "Do page walks read their entries through the L2, at its speed?",
         "yes; on revision B HWCR[3] and BU_CFG[1] make walks uncached (coreboot AMD_Errata298)",
         "`tlb-reach` over 2048 pages, with 4 KB and with 2 MB pages: additional cycles for each walk (046h)",
         "vpmu/model/caches/tlb.c; vpmu/model/params.h L2_LATENCY",
         "no additional cycle with 4 KB pages")
HARDWARE(arena_write_back, 107, SUMMARY,
         "Is the workload's memory write-back?",
         "yes: MTRRs above TOM are a known class of BIOS defects",
         "the memory type by MTRRs, and F20D and F20E of all op samples of the check: both 0",
         "drivers/cpu/paging.c: entry 0 of PAT; vpmu/model/pipeline/loadstore.c",
         "`memory-uc`; F20D counts one op")
HARDWARE(no_stale_translation, 108, MACHINE,
         "Do new page tables leave no old translation behind (erratum 383)?",
         "none: CR4.PGE is off around loads of CR3",
         "a session with `code_pages=4k`: no #MC, and no error in MC0_STATUS afterwards",
         "drivers/cpu/paging.c paging_load",
         "MC0_STATUS holds an error")
HARDWARE(l3_present, 109, MACHINE,
         "Is there an L3 (models 5 and 6 of revision C have none)?",
         "yes: CPUID 8000_0006h EDX[31:18] is not 0, and the L3 serves `pointer-chase` over 4 MB",
         "both",
         "core/events/events_l3.c; app/report/report.c",
         "`no-l3`; CPUID reports none")
/* clang-format on */
