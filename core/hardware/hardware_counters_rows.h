/* SPDX-License-Identifier: BSD-2-Clause */
/* Questions about the counters; core/hardware/hardware_rows.h says what the fields are. */
/* clang-format off */
HARDWARE(counters_48_bits, 28, MACHINE,
         "Counters read back 48 bits, bit 47 clear after an overflow",
         "as perfmon2 and CodeAnalyst's driver have it",
         "a counter is written with ones and read; totals of counter samples against samples x period",
         "core/family/pmc_regs.h PMC_COUNTER_MASK; drivers/pmu/pmc.h pmc_elapsed",
         "`odd-reads`, `late-overflow`; a third more than samples x period")
HARDWARE(stall_identities, 31, MACHINE,
         "D0 + D1 <= 1.02 C and D1 <= 1.02 of the sum of D2..DA",
         "checked after each exploration",
         "0D0h, 0D1h and 0D2h to 0DAh of `matmul-classic`",
         "core/ibs/identities.c; core/explore/explore_formulas.c",
         "0D1h 2.2 % above the sum of its causes")
HARDWARE(event_4ed, 32, MACHINE,
         "4EDh on revision E (documentation of revision D has it)",
         "refused except on D",
         "revision E only: 4EDh of `pointer-chase` beside 4E1h",
         "core/events/events_l3.c 4EDh",
         "4EDh counts three")
HARDWARE(ht_masks, 33, PERSON,
         "HyperTransport 0F6h to 0F8h, 1F9h: mask 37h for what is sent and 08h for idle (likwid), or 2Fh and 10h; oprofile's "
         "default BFh has both",
         "37h",
         "each bit alone on a link that is busy and on one that is idle",
         "core/events/events_nb.c 0F6h to 0F8h",
         "")
HARDWARE(refills_agree, 34, MACHINE,
         "042h mask bit 0 counts the same as 043h with all bits",
         "stated in the event's remark, an identity in the model",
         "042h:01 and 043h:1F of `pointer-chase` in one pass",
         "core/events/events_dc.c 042h; core/ibs/identities.c",
         "042h:01 2.1 % above 043h:1F")
HARDWARE(prefetches_067, 35, MACHINE,
         "067h (data prefetches): always 0, or cancelled and attempted ones",
         "marked doubtful, not modelled",
         "067h:01 and 067h:02 of `stream-read`",
         "core/events/events_l2.c 067h: EVENT_DOUBTFUL",
         "067h:02 counts one")
HARDWARE(event_08c_smc, 36, PERSON,
         "08Ch mask bits 2 and 3 (self-modifying code, in later documentation)",
         "not offered",
         "code that writes itself",
         "core/events/events_ic.c 08Ch",
         "")
HARDWARE(masks_1g_revision_b, 37, PERSON,
         "045h, 046h, 04Dh: mask bit 2 (1 GB) on revision B",
         "045: absent; 046 and 04D: present",
         "`pages=1g` on a revision B",
         "core/events/events_dc.c 045h, 046h, 04Dh",
         "")
HARDWARE(nmis_in_0cf, 38, MACHINE,
         "Do NMIs count in 0CFh (interrupts taken)?",
         "one each in the model",
         "counter samples of 0C0h with 0CFh in the same pass: 0CFh against NMIs",
         "drivers/pmu/witness.c; vpmu/model/step.c",
         "`not-interrupts`; 0CFh three below the NMIs")
HARDWARE(misaligned_in_040, 39, MACHINE,
         "040h: does a misaligned access add one (a 16-byte access counts two, which no workload has alone)",
         "so in the model",
         "040h and 047h of `misaligned` against the numbers of its row",
         "vpmu/model/pipeline/loadstore.c; core/events/events_dc.c 040h",
         "040h without the crossings")
HARDWARE(event_080_unit, 40, MACHINE,
         "080h counts two for a 32-byte fetch (16-byte reads), or one",
         "two",
         "080h for each pass of `alu-independent`, 249 bytes",
         "vpmu/model/pipeline/frontend.c; core/events/events_ic.c 080h",
         "080h 8 for a pass")
HARDWARE(event_087, 41, MACHINE,
         "087h against 0D0h: 087h also counts while the decoder has enough bytes",
         "so in the model",
         "087h and 0D0h of `tight-loop`: 087h large, 0D0h near 0",
         "vpmu/model/pipeline/frontend.c no_fetch",
         "087h in 12 of 1000 cycles")
HARDWARE(event_0d2, 42, PERSON,
         "0D2h on a mispredicted branch that waits for a cache miss: from the correct path's arrival to retirement",
         "so in the model; 0D0h has the refill before that",
         "a division or a miss, and after it a random branch that does not need it",
         "vpmu/model/pipeline/dispatch.c",
         "")
HARDWARE(nmi_adds, 43, PERSON,
         "What an NMI adds to 0C0h to 0C4h and 0CFh: one instruction, op, taken and mispredicted branch each",
         "so in the model; its microcode's ops are not known",
         "slope of the totals over the number of samples, less what the listing has from the entry of the handler to the write "
         "that stops the counters",
         "vpmu/model/step.c; core/ibs/identities.c",
         "")
HARDWARE(core_select_437, 44, MACHINE,
         "4E0h to 4E2h with some of mask bits 7:4 (erratum 437)",
         "refused; not modelled",
         "4E0h of `pointer-chase` with mask F7h and with one core bit",
         "core/events/events_l3.c and core/events/events.h EVENT_CORE_SELECT",
         "one core bit counts as all do")
HARDWARE(invert_edge, 45, MACHINE,
         "Invert with count mask 0; edge on 076h",
         "no effect; 0 in the model",
         "0C1h:i and 076h:e of `tight-loop`",
         "core/family/pmc_regs.h; vpmu/model/pmu/pmc_unit.c",
         "`invert-always`; 0C1h:i 1.1 % below 0C1h")
HARDWARE(skid, 46, PERSON,
         "Skid: share of 041h and of 0C0h at each instruction of the paper's loop",
         "8 to 39 cycles until the core sees the interrupt, uniformly distributed (choice)",
         "`config=skid`",
         "vpmu/model/params.h INTERRUPT_DELAY, INTERRUPT_SPREAD",
         "")
HARDWARE(drain_0d3, 47, MACHINE,
         "What stopping a counter adds to 0D3h: the drain of what the workload has in flight",
         "not subtracted; 20 cycles in the model",
         "0D3h of `tight-loop`, and of nothing in its place",
         "core/profile/counts.c; vpmu/model/pipeline/dispatch.c",
         "101 cycles of 0D3h more than over nothing")
HARDWARE(empty_ret, 57, MACHINE,
         "What does the empty region that is subtracted count: its `ret` in 0C2h, 0C4h, 0C8h and 040h",
         "one each; the virtual PMU takes code outside of the map for instructions alone",
         "the four events over nothing",
         "app/kinds/shared/events.c events_of_nothing",
         "0C8h without the return")
HARDWARE(interrupts_are_nmis, 59, MACHINE,
         "Is 0CFh the number of NMIs over several passes too (the certificate relies on it)?",
         "yes in the model: \"interrupts taken\" equals NMIs handled; if it does not, the certificate's line shows 0 taken",
         "as row 38, at another period",
         "drivers/pmu/witness.c; app/report/report_certificate.c",
         "`not-interrupts`; 0CFh stays 0")
HARDWARE(perf_ctl_stable, 103, MACHINE,
         "Does PERF_CTL read the same each time, bits 21 and 36 to 39 too?",
         "yes (both driver and model take it for granted)",
         "each of the four read 1000 times",
         "drivers/pmu/witness.c: it compares 64 bits; core/family/pmc_regs.h PMC_CTL_PRESERVE",
         "`odd-reads`; 15 reads differ")
HARDWARE(tsc_is_core_clock, 104, MACHINE,
         "Does the TSC run at the rate of the core clocks (076h)?",
         "yes in the highest P-state without boost; HWCR[24] clear: the TSC follows the P-state (Linux bsp_init_amd: \"TSC "
         "doesn't count with P0 frequency!\")",
         "076h of `divide-chain` against TSC ticks, within 2 %; HWCR[24] with it",
         "vpmu/model/pmu/local_apic.c vpmu_tsc: one clock; app/main.c",
         "`tsc-slow`; 0.51 clocks for a tick")
HARDWARE(errata_events, 105, PERSON,
         "Errata 387, 393, 421, 550: do 4E3h, 0CCh, 1D4h and 1D5h, 1E2h to 1E7h miscount",
         "not known: the pages of AMD 41322 were not at hand",
         "AMD 41322, then the event on a workload whose count is known",
         "core/events/events_*.c: a remark for each",
         "")
HARDWARE(paper_loop_waits, 118, PERSON,
         "What holds up dispatch in the 2007 paper's loop: cycles of an iteration in 0D5h, 0D6h, 0D7h and 0D8h, and the "
         "samples of `fld` and `fstp`",
         "in the model 0D5h alone; `fstp` is not explained. 0D8h of 3 to 9 cycles that are gone with 2 MB pages: look-ups "
         "wait in LS1 for a page walk, which explains it. 0D6h in place of that: the stations' ops issue in order",
         "`workload=matmul-classic events=0D5,0D6,0D7,0D8,046`, then `config=ibs count=cycles`; both with `pages=4k` and "
         "`pages=2m`",
         "vpmu/model/pipeline/stations.c; vpmu/model/caches/tlb.c: walks",
         "")
/* clang-format on */
