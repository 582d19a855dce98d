/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * All derived events: DERIVED(code, identifier, kind, unit, name, abbreviation, oprofile's symbol, gate), for derived.h
 * and derived.c. A kind is FETCH or OP, or OP_C of revision C and later; the others of derived.c say which processors
 * have the event beside those whose registers have all bits of its gate. A unit is SAMPLES or CYCLES(register, lowest
 * bit of its 16-bit field). Without a gate every sample of the kind counts; derived.c has what gates are written with.
 */
/* clang-format off */
/* Fetch: IbsFetchCtl. */
DERIVED(F000, FETCH_ALL, FETCH, SAMPLES, "IBS all fetch samples", "IBS all fetch", "IBS_FETCH_ALL")
DERIVED(F001, FETCH_KILLED, FETCH, SAMPLES, "IBS fetch killed", "IBS fetch killed", "IBS_FETCH_KILLED",
        NOT_REACHED)
DERIVED(F002, FETCH_ATTEMPTED, FETCH, SAMPLES, "IBS fetch attempted", "IBS fetch attempt", "IBS_FETCH_ATTEMPTED",
        ATTEMPTED) /* oprofile's code counts every sample here */
DERIVED(F003, FETCH_COMPLETED, FETCH, SAMPLES, "IBS fetch completed", "IBS fetch comp", "IBS_FETCH_COMPLETED",
        FETCH_CTL(IBS_FETCH_COMP, 0))
DERIVED(F004, FETCH_ABORTED, FETCH, SAMPLES, "IBS fetch aborted", "IBS fetch abort", "IBS_FETCH_ABORTED",
        ATTEMPTED, FETCH_CTL(0, IBS_FETCH_COMP)) /* oprofile's code counts killed fetches too */
DERIVED(F005, ITLB_L1_HIT, FETCH, SAMPLES, "IBS L1 ITLB hit", "IBS L1 ITLB hit", "IBS_FETCH_ITLB_HITS",
        FETCH_CTL(IBS_FETCH_PHY_VALID, IBS_FETCH_L1TLB_MISS))
DERIVED(F006, ITLB_L1M_L2H, FETCH, SAMPLES, "IBS L1 ITLB miss, L2 ITLB hit", "IBS ITLB L1M L2H",
        "IBS_FETCH_L1_ITLB_MISSES_L2_ITLB_HITS", FETCH_CTL(IBS_FETCH_L1TLB_MISS, IBS_FETCH_L2TLB_MISS))
DERIVED(F007, ITLB_L1M_L2M, FETCH, SAMPLES, "IBS L1 ITLB miss, L2 ITLB miss", "IBS ITLB L1M L2M",
        "IBS_FETCH_L1_ITLB_MISSES_L2_ITLB_MISSES", FETCH_CTL(IBS_FETCH_L1TLB_MISS | IBS_FETCH_L2TLB_MISS, 0))
DERIVED(F008, IC_MISS, FETCH_IC, SAMPLES, "IBS instruction cache miss", "IBS IC miss", "IBS_FETCH_ICACHE_MISSES",
        FETCH_CTL(IBS_FETCH_IC_MISS, 0))
DERIVED(F009, IC_HIT, FETCH_IC, SAMPLES, "IBS instruction cache hit", "IBS IC hit", "IBS_FETCH_ICACHE_HITS",
        FETCH_CTL(IBS_FETCH_COMP, IBS_FETCH_IC_MISS))
DERIVED(F00A, FETCH_4K, FETCH, SAMPLES, "IBS 4K page translation", "IBS 4K page", "IBS_FETCH_4K_PAGE",
        FETCH_CTL(IBS_FETCH_PHY_VALID, IBS_FETCH_PG_SZ))
DERIVED(F00B, FETCH_2M, FETCH, SAMPLES, "IBS 2M page translation", "IBS 2M page", "IBS_FETCH_2M_PAGE",
        FETCH_CTL(IBS_FETCH_PHY_VALID | IBS_BIT(53), IBS_BIT(54)))
DERIVED(F00E, FETCH_LATENCY, FETCH, CYCLES(IBS_FETCH_CTL, 32), "IBS fetch latency", "IBS fetch lat",
        "IBS_FETCH_LATENCY", ATTEMPTED) /* oprofile's code adds the latency of killed fetches too */

/* Op: IbsOpData. */
DERIVED(F100, OP_ALL, OP, SAMPLES, "IBS all op samples", "IBS all ops", "IBS_OP_ALL")
DERIVED(F101, TAG_TO_RETIRE, OP, CYCLES(IBS_OP_DATA, 16), "IBS tag-to-retire cycles", "IBS tag-to-ret",
        "IBS_OP_TAG_TO_RETIRE")
DERIVED(F102, COMP_TO_RETIRE, OP, CYCLES(IBS_OP_DATA, 0), "IBS completion-to-retire cycles", "IBS comp-to-ret",
        "IBS_OP_COMP_TO_RET")
DERIVED(F103, BRANCH, OP, SAMPLES, "IBS branch op", "IBS BR", "IBS_OP_BRANCH_RETIRED", BRANCH(0))
DERIVED(F104, BRANCH_MISPREDICTED, OP, SAMPLES, "IBS mispredicted branch op", "IBS misp BR",
        "IBS_OP_MISPREDICTED_BRANCH", BRANCH(IBS_OP_BRN_MISP))
DERIVED(F105, BRANCH_TAKEN, OP, SAMPLES, "IBS taken branch op", "IBS taken BR", "IBS_OP_TAKEN_BRANCH",
        BRANCH(IBS_OP_BRN_TAKEN))
DERIVED(F106, BRANCH_TAKEN_MISPREDICTED, OP, SAMPLES, "IBS mispredicted taken branch op", "IBS misp taken BR",
        "IBS_OP_MISPREDICTED_BRANCH_TAKEN", BRANCH(IBS_OP_BRN_TAKEN | IBS_OP_BRN_MISP))
DERIVED(F107, RETURN, OP, SAMPLES, "IBS return op", "IBS RET", "IBS_OP_RETURNS", BRANCH(IBS_OP_RETURN))
DERIVED(F108, RETURN_MISPREDICTED, OP, SAMPLES, "IBS mispredicted return op", "IBS misp RET",
        "IBS_OP_MISPREDICTED_RETURNS", BRANCH(IBS_OP_RETURN | IBS_OP_BRN_MISP)) /* bit 36, not 33 (IbsOpMispReturn) */
DERIVED(F109, RESYNC, OP, SAMPLES, "IBS resync op", "IBS resync", "IBS_OP_RESYNC",
        SET(IBS_OP_DATA, IBS_OP_BRN_RESYNC, 0))

/* Load/store: IbsOpData3. */
DERIVED(F200, LOAD_STORE, OP, SAMPLES, "IBS all load/store ops", "IBS load/store", "IBS_OP_ALL_LOAD_STORE", LOAD_STORE)
DERIVED(F201, LOAD, OP, SAMPLES, "IBS load ops", "IBS load", "IBS_OP_LOAD", DC(IBS_LD_OP, 0))
DERIVED(F202, STORE, OP, SAMPLES, "IBS store ops", "IBS store", "IBS_OP_STORE", DC(IBS_ST_OP, 0))
DERIVED(F203, DTLB_L1_HIT, OP, SAMPLES, "IBS L1 DTLB hit", "IBS L1 DTLB hit", "IBS_OP_L1_DTLB_HITS", L1_PAGE(0, 0))
DERIVED(F204, DTLB_L1M_L2H, OP, SAMPLES, "IBS L1 DTLB miss, L2 DTLB hit", "IBS DTLB L1M L2H",
        "IBS_OP_L1_DTLB_MISS_L2_DTLB_HIT", L2_PAGE(0, 0))
DERIVED(F205, DTLB_L1M_L2M, OP, SAMPLES, "IBS L1 DTLB miss, L2 DTLB miss", "IBS DTLB L1M L2M", "IBS_OP_L1_L2_DTLB_MISS",
        DC(IBS_DC_LIN_ADDR_VALID | IBS_DC_L1TLB_MISS | IBS_DC_L2TLB_MISS, 0))
DERIVED(F206, DC_MISS, OP, SAMPLES, "IBS DC miss", "IBS DC miss", "IBS_OP_DATA_CACHE_MISS", DC(IBS_DC_MISS, 0))
DERIVED(F207, DC_HIT, OP, SAMPLES, "IBS DC hit", "IBS DC hit", "IBS_OP_DATA_HITS",
        DC(0, IBS_DC_MISS)) /* so also ops that never accessed the DC */
DERIVED(F208, MISALIGNED, OP, SAMPLES, "IBS misaligned access", "IBS misalign acc", "IBS_OP_MISALIGNED_DATA_ACC",
        DC(IBS_DC_MIS_ACC, 0))
DERIVED(F209, BANK_CONFLICT_LOAD, OP, SAMPLES, "IBS bank conflict on load op", "IBS bank conf load",
        "IBS_OP_BANK_CONF_LOAD", DC(IBS_DC_LD_BNK_CON, 0))
DERIVED(F20A, BANK_CONFLICT_STORE, OP, SAMPLES, "IBS bank conflict on store op", "IBS bank conf store",
        "IBS_OP_BANK_CONF_STORE", DC(IBS_DC_ST_BNK_CON, 0))
DERIVED(F20B, FORWARDED, OP, SAMPLES, "IBS store-to-load forwarded", "IBS forwarded", "IBS_OP_FORWARD",
        DC(IBS_LD_OP | IBS_DC_ST_TO_LD_FWD, 0))
DERIVED(F20C, FORWARD_CANCELLED, OP, SAMPLES, "IBS store-to-load forwarding cancelled", "IBS STLF cancelled",
        "IBS_OP_CANCELLED", DC(IBS_LD_OP | IBS_DC_ST_TO_LD_CAN, 0))
DERIVED(F20D, UC_ACCESS, OP, SAMPLES, "IBS UC memory access", "IBS UC mem acc", "IBS_OP_DCUC_MEM_ACC",
        DC(IBS_DC_UC_MEM_ACC, 0))
DERIVED(F20E, WC_ACCESS, OP, SAMPLES, "IBS WC memory access", "IBS WC mem acc", "IBS_OP_DCWC_MEM_ACC",
        DC(IBS_DC_WC_MEM_ACC, 0))
DERIVED(F20F, LOCKED, OP, SAMPLES, "IBS locked operation", "IBS locked op", "IBS_OP_LOCKED", DC(IBS_DC_LOCKED_OP, 0))
DERIVED(F210, MAB_HIT, OP_MAB, SAMPLES, "IBS MAB hit", "IBS MAB hit", "IBS_OP_MAB_HIT", DC(IBS_DC_MAB_HIT, 0))
DERIVED(F211, DTLB_L1_4K, OP, SAMPLES, "IBS L1 DTLB 4K page", "IBS L1 DTLB 4K", "IBS_OP_L1_DTLB_4K",
        L1_PAGE(0, IBS_DC_L1TLB_HIT_2M), NOT_EVEN(IBS_DC_L1TLB_HIT_1G))
DERIVED(F212, DTLB_L1_2M, OP, SAMPLES, "IBS L1 DTLB 2M page", "IBS L1 DTLB 2M", "IBS_OP_L1_DTLB_2M",
        L1_PAGE(IBS_DC_L1TLB_HIT_2M, 0)) /* the 1G bit is not tested */
DERIVED(F213, DTLB_L1_1G, OP, SAMPLES, "IBS L1 DTLB 1G page", "IBS L1 DTLB 1G", "IBS_OP_L1_DTLB_1G",
        L1_PAGE(IBS_DC_L1TLB_HIT_1G, IBS_DC_L1TLB_HIT_2M))
DERIVED(F215, DTLB_L2_4K, OP, SAMPLES, "IBS L2 DTLB 4K page", "IBS L2 DTLB 4K", "IBS_OP_L2_DTLB_4K",
        L2_PAGE(0, IBS_DC_L2TLB_HIT_2M), NOT_EVEN(IBS_DC_L2TLB_HIT_1G))
DERIVED(F216, DTLB_L2_2M, OP, SAMPLES, "IBS L2 DTLB 2M page", "IBS L2 DTLB 2M", "IBS_OP_L2_DTLB_2M",
        L2_PAGE(IBS_DC_L2TLB_HIT_2M, 0), NOT_EVEN(IBS_DC_L2TLB_HIT_1G))
DERIVED(F217, DTLB_L2_1G, OP_C, SAMPLES, "IBS L2 DTLB 1G page", "IBS L2 DTLB 1G", "IBS_OP_L2_DTLB_1G",
        L2_PAGE(IBS_DC_L2TLB_HIT_1G, IBS_DC_L2TLB_HIT_2M))
DERIVED(F219, DC_LOAD_LATENCY, OP, CYCLES(IBS_OP_DATA3, 32), "IBS DC miss load latency", "IBS DC load lat",
        "IBS_OP_DC_LOAD_LAT", DC(IBS_LD_OP | IBS_DC_MISS, 0))

/* Northbridge: IbsOpData2. There is no event for a remote L3: source 1 with the remote bit is in F241 only. */
DERIVED(F240, NB_LOCAL, OP_NB, SAMPLES, "IBS NB local", "IBS NB local", "IBS_OP_NB_LOCAL_ONLY", NB_LOCAL)
DERIVED(F241, NB_REMOTE, OP_NB, SAMPLES, "IBS NB remote", "IBS NB remote", "IBS_OP_NB_REMOTE_ONLY", NB_REMOTE)
DERIVED(F242, NB_LOCAL_L3, OP_NB_L3, SAMPLES, "IBS NB local L3", "IBS NB local L3", "IBS_OP_NB_LOCAL_L3",
        NB_LOCAL_FROM(IBS_NB_L3))
DERIVED(F243, NB_LOCAL_CACHE, OP_NB, SAMPLES, "IBS NB local core L1 or L2 cache", "IBS NB local cache",
        "IBS_OP_NB_LOCAL_CACHE", NB_LOCAL_FROM(IBS_NB_CACHE))
DERIVED(F244, NB_REMOTE_CACHE, OP_NB, SAMPLES, "IBS NB remote L1, L2 or L3 cache", "IBS NB remote cache",
        "IBS_OP_NB_REMOTE_CACHE", NB_REMOTE_FROM(IBS_NB_CACHE))
DERIVED(F245, NB_LOCAL_DRAM, OP_NB, SAMPLES, "IBS NB local DRAM", "IBS NB local DRAM", "IBS_OP_NB_LOCAL_DRAM",
        NB_LOCAL_FROM(IBS_NB_DRAM))
DERIVED(F246, NB_REMOTE_DRAM, OP_NB, SAMPLES, "IBS NB remote DRAM", "IBS NB remote DRAM", "IBS_OP_NB_REMOTE_DRAM",
        NB_REMOTE_FROM(IBS_NB_DRAM))
DERIVED(F247, NB_LOCAL_OTHER, OP_NB, SAMPLES, "IBS NB local APIC/MMIO/Config/PCI", "IBS NB local other",
        "IBS_OP_NB_LOCAL_OTHER", NB_LOCAL_FROM(IBS_NB_OTHER))
DERIVED(F248, NB_REMOTE_OTHER, OP_NB, SAMPLES, "IBS NB remote MMIO/Config/PCI", "IBS NB remote other",
        "IBS_OP_NB_REMOTE_OTHER", NB_REMOTE_FROM(IBS_NB_OTHER))
DERIVED(F249, NB_CACHE_MODIFIED, OP_NB, SAMPLES, "IBS NB cache Modified state", "IBS NB cache M",
        "IBS_OP_NB_CACHE_MODIFIED", NB(IBS_NB_CACHE_HIT_ST, IBS_NB_CACHE))
DERIVED(F24A, NB_CACHE_OWNED, OP_NB, SAMPLES, "IBS NB cache Owned state", "IBS NB cache O", "IBS_OP_NB_CACHE_OWNED",
        NB(IBS_NB_CACHE_HIT_ST, IBS_NB_CACHE_HIT_ST | IBS_NB_CACHE))
/* Named "cache latency", but every source counts: L3, other cores, DRAM, MMIO. */
DERIVED(F24B, NB_LOCAL_LATENCY, OP_NB, CYCLES(IBS_OP_DATA3, 32), "IBS NB local cache latency", "IBS NB local lat",
        "IBS_OP_NB_LOCAL_CACHE_LAT", NB_LOCAL)
DERIVED(F24C, NB_REMOTE_LATENCY, OP_NB, CYCLES(IBS_OP_DATA3, 32), "IBS NB remote cache latency", "IBS NB remote lat",
        "IBS_OP_NB_REMOTE_CACHE_LAT", NB_REMOTE)

/* Ours, after the 60 that CodeAnalyst offers. Cycles of branch ops: their averages. CodeAnalyst's branch views divide
 * F101 and F102 (all ops) by F100. */
DERIVED(X100, BRANCH_TAG_TO_RETIRE, OP, CYCLES(IBS_OP_DATA, 16), "tag-to-retire cycles of branch ops", "BR tag-to-ret",
        "", BRANCH(0))
DERIVED(X101, BRANCH_COMP_TO_RETIRE, OP, CYCLES(IBS_OP_DATA, 0), "completion-to-retire cycles of branch ops",
        "BR comp-to-ret", "", BRANCH(0))
/* Loads that missed the DC: the denominator of the true average DC miss latency. CodeAnalyst divides F219 (loads) by
 * F206 (loads and stores). */
DERIVED(X200, LOAD_DC_MISS, OP, SAMPLES, "loads that missed the DC", "load DC miss", "", DC(IBS_LD_OP | IBS_DC_MISS, 0))
DERIVED(X201, LIN_ADDR_VALID, OP, SAMPLES, "load/store ops with a valid linear address", "LS lin addr", "",
        DC(IBS_DC_LIN_ADDR_VALID, 0)) /* F203 + F204 + F205 */
DERIVED(X202, LOAD_DTLB_L1M_L2M, OP, SAMPLES, "loads that missed L1 and L2 DTLB", "load L1M L2M", "",
        DC(IBS_LD_OP | IBS_DC_LIN_ADDR_VALID | IBS_DC_L1TLB_MISS | IBS_DC_L2TLB_MISS, 0)) /* loads among F205 */
/* Cycles of loads and stores that missed the DC: X203 among F101, and X203 - X204 among F101 - F102, are the share of
 * such ops in the time to retirement and to completion. */
DERIVED(X203, DC_MISS_TAG_TO_RETIRE, OP, CYCLES(IBS_OP_DATA, 16),
        "tag-to-retire cycles of loads and stores that missed the DC", "DC miss tag-to-ret", "", DC(IBS_DC_MISS, 0))
DERIVED(X204, DC_MISS_COMP_TO_RETIRE, OP, CYCLES(IBS_OP_DATA, 0),
        "completion-to-retire cycles of loads and stores that missed the DC", "DC miss comp-to-ret", "", DC(IBS_DC_MISS, 0))
DERIVED(X240, NB_STATUS, OP_NB, SAMPLES, "loads with northbridge status", "load NB status", "",
        NB_STATUS) /* F240 + F241; the other loads among X200 hit the L2 */

/* Events of later families alone. F00F and F010 are CodeXL's codes (0x15.xml); the others are ours: AMD's profilers publish no
 * codes for them (uProf's guide 57368 names few, which are the symbols here). */
DERIVED(F00F, FETCH_L2_MISS, LATER_FETCH(0), SAMPLES, "IBS fetch L2 miss", "IBS fetch L2 miss", "",
        FETCH_CTL(IBS_FETCH_COMP | IBS_FETCH_L2_MISS, 0))
DERIVED(F010, ITLB_REFILL_LATENCY, LATER_FETCH(IBS_CAP_FETCHCTLEXTD), CYCLES(IBS_FETCH_EXTD, 0),
        "IBS ITLB refill latency", "IBS ITLB refill lat", "", FETCH_CTL(IBS_FETCH_COMP | IBS_FETCH_L1TLB_MISS, 0))
DERIVED(X010, FETCH_OC_MISS, LATER_FETCH(IBS_CAP_L3MISSONLY), SAMPLES, "fetches that missed the op cache",
        "fetch OC miss", "", FETCH_CTL(IBS_FETCH_OC_MISS, 0))
DERIVED(X011, FETCH_L3_MISS, LATER_FETCH(IBS_CAP_L3MISSONLY), SAMPLES, "fetches that missed the L3", "fetch L3 miss", "",
        FETCH_CTL(IBS_FETCH_COMP | IBS_FETCH_L2_MISS | IBS_FETCH_L3_MISS, 0))
DERIVED(X012, FETCH_ITLB_REFILL, LATER_FETCH(IBS_CAP_FETCHCTLEXTD), SAMPLES, "completed fetches that missed the L1 ITLB",
        "ITLB refills", "", FETCH_CTL(IBS_FETCH_COMP | IBS_FETCH_L1TLB_MISS, 0)) /* F010's denominator */
DERIVED(X110, MICROCODED, LATER_OP(0), SAMPLES, "ops from microcode", "microcode op", "",
        SET(IBS_OP_DATA, IBS_OP_MICROCODE, 0))
DERIVED(X111, FUSED, LATER_OP(IBS_CAP_OPBRNFUSE), SAMPLES, "fused branch ops", "fused BR", "", BRANCH(IBS_OP_BRN_FUSE))
DERIVED(X205, NO_MAB, LATER_NO_MAB, SAMPLES, "DC misses that no miss buffer was allocated for", "DC miss no MAB", "",
        DC(IBS_DC_MISS | IBS_DC_MAB_HIT, 0))
DERIVED(X206, L2_MISS, LATER_OP(0), SAMPLES, "loads and stores that missed the L2", "L2 miss", "",
        DC(IBS_DC_MISS | IBS_DC_L2_MISS, 0))
DERIVED(X207, LOAD_L2_MISS, LATER_OP(0), SAMPLES, "loads that missed the L2", "load L2 miss", "",
        DC(IBS_LD_OP | IBS_DC_MISS | IBS_DC_L2_MISS, 0))
DERIVED(X208, LOAD_L2_HIT, LATER_OP(0), SAMPLES, "loads that missed the DC and hit the L2", "load L2 hit",
        "IBS_LOAD_DC_L2_HIT", DC(IBS_LD_OP | IBS_DC_MISS, IBS_DC_L2_MISS))
DERIVED(X209, SOFTWARE_PREFETCH, LATER_OP(0), SAMPLES, "software prefetches", "SW prefetch", "", SET(IBS_OP_DATA3, IBS_DC_SW_PF, 0))
DERIVED(X20A, LOAD_DTLB_REFILL, LATER_OP(0), CYCLES(IBS_OP_DATA3, 48), "L1 DTLB refill latency of loads",
        "load DTLB refill lat", "IBS_LD_L1_DTLB_REFILL_LAT",
        DC(IBS_LD_OP | IBS_DC_LIN_ADDR_VALID | IBS_DC_L1TLB_MISS, 0))
DERIVED(X20B, LOAD_L1_DTLB_MISS, LATER_OP(0), SAMPLES_OF(IBS_OP_DATA3, 48), "loads that missed the L1 DTLB", "load L1 DTLB miss", "",
        DC(IBS_LD_OP | IBS_DC_LIN_ADDR_VALID | IBS_DC_L1TLB_MISS, 0)) /* X20A's denominator */
DERIVED(X20C, LOAD_UNCACHED, LATER_UC, SAMPLES, "uncacheable loads", "UC load", "",
        SET(IBS_OP_DATA3, IBS_LD_OP | IBS_DC_UC_MEM_ACC, 0)) /* they neither hit nor miss */
DERIVED(X211, PAGE_4K, LATER_OP(IBS_CAP_DTLB_PGSIZE), SAMPLES, "accesses to 4K pages", "4K page", "", PAGE_SIZE(0))
DERIVED(X212, PAGE_2M, LATER_OP(IBS_CAP_DTLB_PGSIZE), SAMPLES, "accesses to 2M pages", "2M page", "", PAGE_SIZE(1))
DERIVED(X213, PAGE_1G, LATER_OP(IBS_CAP_DTLB_PGSIZE), SAMPLES, "accesses to 1G pages", "1G page", "", PAGE_SIZE(2))
DERIVED(X221, WIDTH_1, LATER_OP(0), SAMPLES, "accesses of 1 byte", "1 byte", "", WIDTH(1))
DERIVED(X222, WIDTH_2, LATER_OP(0), SAMPLES, "accesses of 2 bytes", "2 bytes", "", WIDTH(2))
DERIVED(X223, WIDTH_4, LATER_OP(0), SAMPLES, "accesses of 4 bytes", "4 bytes", "", WIDTH(3))
DERIVED(X224, WIDTH_8, LATER_OP(0), SAMPLES, "accesses of 8 bytes", "8 bytes", "", WIDTH(4))
DERIVED(X225, WIDTH_16, LATER_OP(0), SAMPLES, "accesses of 16 bytes", "16 bytes", "", WIDTH(5))
DERIVED(X226, WIDTH_32, LATER_OP(0), SAMPLES, "accesses of 32 bytes", "32 bytes", "", WIDTH(6))
DERIVED(X227, WIDTH_64, LATER_OP(0), SAMPLES, "accesses of 64 bytes", "64 bytes", "", WIDTH(7))
/* clang-format on */
