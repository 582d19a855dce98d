/* SPDX-License-Identifier: BSD-2-Clause */
/* Questions about caches, TLBs and memory; core/hardware/hardware_rows.h says what the fields are. */
/* clang-format off */
HARDWARE(l1d_index, 12, MACHINE,
         "L1D index: by physical address above bit 12 (then frame order changes the miss ratio), or by linear address (then it "
         "does not)",
         "the model indexes by physical address",
         "041h of `strided` over 64 KB, a line in each page, with `frames=contiguous` and `shuffled`",
         "vpmu/model/params.h L1_SETS; docs/paper.md",
         "20 of 1000 miss in shuffled frames")
HARDWARE(source_l2, 24, MACHINE,
         "perf.data's data source: a load miss without NB status is called L2, with a MAB hit LFB",
         "perfdata_mem.c",
         "op samples of `pointer-chase` in the L2: load misses without NB status, against 042h:1E of 041h",
         "core/perfdata/perfdata_mem.c",
         "6.1 % of the misses not by 042h:1E")
HARDWARE(explore_constants, 30, MACHINE,
         "General Exploration: 15 cycles for an L2 hit, 55 for an L3 hit, 140 for memory (its 12 for a mispredict are row 48's, its 30 "
         "for a walk row 106's; its 3 for an L2 TLB hit are an assumption)",
         "within a third of these (thresholds of toplev for a 4-wide core are another matter)",
         "cycles per hop of `pointer-chase` in L2, L3 and memory",
         "core/explore/explore_formulas.c; core/explore/explore_places.c",
         "36 cycles in the L3")
HARDWARE(hop_cycles, 50, MACHINE,
         "`pointer-chase`: cycles per hop at `kb=32`, 256, 4096, 16384",
         "3, 15, 55 and that of memory; `pages=2m` removes the walks",
         "076h per hop of `pointer-chase` with 2 MB pages at 32, 256, 4096 and 16384 KB",
         "vpmu/model/params.h L1_LATENCY, L2_LATENCY, L3_LATENCY, DRAM_NS",
         "70 cycles in the L3")
HARDWARE(misslat_medians, 58, MACHINE,
         "`pointer-chase pages=2m`, 32 KB to 12 MB: medians of DcMissLat at L2, L3 and memory",
         "12, 52 and 162 in the model",
         "median DcMissLat of the same walks",
         "vpmu/model/params.h L2_LATENCY, L3_LATENCY, DRAM_NS; docs/workloads.md",
         "16 cycles at the L2")
HARDWARE(modified_line_latency, 69, CORES,
         "Latency from another core's cache, modified lines",
         "110 cycles in the model",
         "`cores=0,1 workload=false-sharing padding=8`: IbsDcMissLat where NbIbsReqSrc is 2",
         "vpmu/model/params.h CORE_LATENCY",
         "")
HARDWARE(clean_lines, 70, CORES,
         "Does another core's cache supply clean lines (exclusive, shared)?",
         "no: modified and owned ones only, else L3 or memory",
         "`cores=all workload=true-sharing`, and reads of shared data: NbIbsReqSrc 2 with state S or E",
         "vpmu/model/caches/coherence.c",
         "")
HARDWARE(banks, 75, MACHINE,
         "`bank-conflict stride=` 8, 16, 32, 64, 128: bank width and rule of IbsDcLdBnkCon; does IbsDcStBnkCon ever read 1",
         "8-byte banks as in the K8 guide (AMD 25112); stores have no conflicts in the model",
         "op samples of `bank-conflict` at each stride: share of F209, and of F20A",
         "vpmu/model/pipeline/loadstore.c; core/ibs/derived_rows.h F209, F20A",
         "a store with IbsDcStBnkCon")
HARDWARE(streaming_stores, 76, MACHINE,
         "Streaming stores (`stream-write streaming=2`): does 040h count them",
         "not counted as accesses of the data cache",
         "040h of `stream-write` with streaming=1 and 2",
         "vpmu/model/pipeline/loadstore.c; core/events/events_dc.c 040h, 041h",
         "040h counts one in twenty")
HARDWARE(forward_reasons, 77, MACHINE,
         "`store-forward`: are the reasons 02Ah:01, 02 and 04 mutually exclusive; does a cancelled load count twice in 040h",
         "exclusive; once",
         "02Ah:01, 02, 04 and 07 of `store-forward` whose load is wider than the store",
         "vpmu/model/pipeline/loadstore.c CANCEL_*; core/events/events_ls.c 02Ah",
         "040h 3.00 a pass")
HARDWARE(tlb_steps, 78, MACHINE,
         "`tlb-reach`: steps at 48 and 512 pages; between 513 and 640 the second level's sets",
         "as the model has them",
         "045h and 046h for each hop of `tlb-reach` at 48, 49, 512, 576 and 640 pages",
         "vpmu/model/params.h TLBS_10H",
         "045h in 100 of 1000 hops at 48 pages")
HARDWARE(prefetch_stride, 79, MACHINE,
         "`strided stride=128`: does the prefetcher detect a stride of two lines",
         "no: all miss",
         "041h / 040h of `strided` with stride=128",
         "vpmu/model/caches/cache.c STREAM_HISTORY",
         "a tenth hits")
HARDWARE(dst_proc_of_cache, 80, CORES,
         "NbIbsReqDstProc with source 2 (another cache): the node of the supplier or the home of the address",
         "the supplier's",
         "false sharing over two nodes with `memory=0`",
         "vpmu/model/caches/coherence.c",
         "")
HARDWARE(hop_latency, 81, CORES,
         "`memory=remote` against `memory=local`: latency of a hop between nodes",
         "90 cycles in the model (30 ns)",
         "medians of DcMissLat of `pointer-chase`",
         "vpmu/model/params.h HOP_NS",
         "")
HARDWARE(event_1e0, 82, CORES,
         "1E0h: are write-backs and lines supplied by a cache included; does 0E9h:98 of a node equal 0E9h:68 of the other",
         "both as in docs/model.md",
         "`cores=` one of each node, `config=count`",
         "vpmu/model/caches/outer_cache.c; core/events/events_nb.c 1E0h",
         "")
HARDWARE(l2_dtlb_replacement, 86, MACHINE,
         "L2 DTLB, 4 KB entries: least recently used, or at random?",
         "revision B: at random, by the 2007 paper's 76.8 %; C and E: least recently used",
         "046h for each hop of `tlb-reach` at 640 pages: 1 or nearly if the least recently used entry goes, else less",
         "vpmu/model/params.c l2_dtlb_random",
         "revision B: each hop walks")
HARDWARE(walk_through_l2, 106, MACHINE,
         "Do page-walk entries come through the L2, at its speed?",
         "yes; on revision B HWCR[3] and BU_CFG[1] make walks uncached (coreboot AMD_Errata298)",
         "`tlb-reach` over 2048 pages with 4 KB and with 2 MB pages: more cycles for each walk (046h)",
         "vpmu/model/caches/tlb.c; vpmu/model/params.h L2_LATENCY",
         "no cycle more with 4 KB pages")
HARDWARE(arena_write_back, 107, SUMMARY,
         "Is the workload's memory write-back?",
         "yes: MTRRs above TOM are a known class of BIOS defects",
         "the type by MTRRs, and F20D and F20E of all op samples of the check: none",
         "drivers/cpu/paging.c: entry 0 of PAT; vpmu/model/pipeline/loadstore.c",
         "`memory-uc`; F20D counts one op")
HARDWARE(no_stale_translation, 108, MACHINE,
         "Do new page tables leave no old translation behind (erratum 383)?",
         "none: CR4.PGE is off around loads of CR3",
         "a session with `code_pages=4k`: no #MC, and MC0_STATUS after it holds no error",
         "drivers/cpu/paging.c paging_load",
         "MC0_STATUS holds an error")
HARDWARE(l3_present, 109, MACHINE,
         "Is there an L3 (models 5 and 6 of revision C have none)?",
         "CPUID 8000_0006h EDX[31:18] is not 0, and `pointer-chase` over 4 MB is served by it",
         "both",
         "core/events/events_l3.c; app/report/report.c",
         "`no-l3`; CPUID has none")
/* clang-format on */
