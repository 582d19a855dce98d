/* SPDX-License-Identifier: BSD-2-Clause */
/* Questions about the counters; core/hardware/hardware_rows.h says what the fields are. */
/* clang-format off */
HARDWARE(counters_48_bits, 28, MACHINE,
         "Do counters read back 48 bits, with bit 47 clear after an overflow?",
         "yes, as perfmon2 and CodeAnalyst's driver assume",
         "a counter is written with ones and read; totals of counter samples against samples x period",
         "core/family/pmc_regs.h PMC_COUNTER_MASK; drivers/pmu/pmc.h pmc_elapsed",
         "`odd-reads`, `late-overflow`; a third more than samples x period")
HARDWARE(stall_identities, 31, MACHINE,
         "Are D0 + D1 at most 1.02 C, and D1 at most 1.02 times the sum of D2 to DA?",
         "yes; checked after each exploration",
         "0D0h, 0D1h and 0D2h to 0DAh of `matmul-classic`",
         "core/ibs/identities.c; core/explore/explore_formulas.c",
         "0D1h 2.2 % above the sum of its causes")
HARDWARE(event_4ed, 32, MACHINE,
         "Does 4EDh count on revision E (the documentation of revision D has it)?",
         "unknown; it is refused except on D",
         "revision E only: 4EDh of `pointer-chase` beside 4E1h",
         "core/events/events_l3.c 4EDh",
         "4EDh counts three")
HARDWARE(ht_masks, 33, PERSON,
         "HyperTransport 0F6h to 0F8h, 1F9h: does mask 37h select what is sent and 08h idle cycles (likwid), or do 2Fh and "
         "10h? oprofile's default BFh contains both",
         "37h",
         "each bit alone, on a busy link and on an idle one",
         "core/events/events_nb.c 0F6h to 0F8h",
         "")
HARDWARE(refills_agree, 34, MACHINE,
         "Does 042h with mask bit 0 count the same as 043h with all bits?",
         "yes: the event's remark says so, and the model has an identity for it",
         "042h:01 and 043h:1F of `pointer-chase` in one pass",
         "core/events/events_dc.c 042h; core/ibs/identities.c",
         "042h:01 2.1 % above 043h:1F")
HARDWARE(prefetches_067, 35, MACHINE,
         "Does 067h (data prefetches) stay at 0, or count cancelled and attempted prefetches?",
         "marked as doubtful, and not modelled",
         "067h:01 and 067h:02 of `stream-read`",
         "core/events/events_l2.c 067h: EVENT_DOUBTFUL",
         "067h:02 counts one")
HARDWARE(event_08c_smc, 36, PERSON,
         "Does 08Ch have mask bits 2 and 3 (self-modifying code, in later documentation)?",
         "not offered",
         "code that writes itself",
         "core/events/events_ic.c 08Ch",
         "")
HARDWARE(masks_1g_revision_b, 37, PERSON,
         "Do 045h, 046h and 04Dh have mask bit 2 (1 GB) on revision B?",
         "not 045h; 046h and 04Dh do",
         "`pages=1g` on a machine of revision B",
         "core/events/events_dc.c 045h, 046h, 04Dh",
         "")
HARDWARE(nmis_in_0cf, 38, MACHINE,
         "Do NMIs count in 0CFh (interrupts taken)?",
         "each counts one in the model",
         "counter samples of 0C0h with 0CFh in the same pass: 0CFh against NMIs",
         "drivers/pmu/witness.c; vpmu/model/step.c",
         "`not-interrupts`; 0CFh counts three fewer than the NMIs")
HARDWARE(misaligned_in_040, 39, MACHINE,
         "040h: does a misaligned access count one more? (A 16-byte access counts two, but no workload shows this alone.)",
         "yes in the model",
         "040h and 047h of `misaligned`, compared with the counts in the workload's row",
         "vpmu/model/pipeline/loadstore.c; core/events/events_dc.c 040h",
         "040h does not count the crossings")
HARDWARE(event_080_unit, 40, MACHINE,
         "Does 080h count a 32-byte fetch as two (16-byte reads), or as one?",
         "two",
         "080h for each pass of `alu-independent`, 249 bytes",
         "vpmu/model/pipeline/frontend.c; core/events/events_ic.c 080h",
         "080h counts 8 in a pass")
HARDWARE(event_087, 41, MACHINE,
         "Does 087h also count while the decoder has enough bytes, unlike 0D0h?",
         "yes in the model",
         "087h and 0D0h of `tight-loop`: 087h large, 0D0h near 0",
         "vpmu/model/pipeline/frontend.c no_fetch",
         "087h in 12 of 1000 cycles")
HARDWARE(event_0d2, 42, PERSON,
         "0D2h on a mispredicted branch that waits for a cache miss: does it count from the correct path's arrival to "
         "retirement?",
         "yes in the model; 0D0h counts the refill before that",
         "a division or a miss, followed by a random branch that does not depend on it",
         "vpmu/model/pipeline/dispatch.c",
         "")
HARDWARE(nmi_adds, 43, PERSON,
         "What does an NMI add to 0C0h to 0C4h and 0CFh: one instruction, one op, one taken and one mispredicted branch?",
         "yes in the model; the ops of its microcode are not known",
         "slope of the totals over the number of samples, minus what the handler executes by its listing, from its entry to "
         "the write that stops the counters",
         "vpmu/model/step.c; core/ibs/identities.c",
         "")
HARDWARE(core_select_437, 44, MACHINE,
         "What do 4E0h to 4E2h count with only some of mask bits 7:4 set (erratum 437)?",
         "refused; not modelled",
         "4E0h of `pointer-chase` with mask F7h and with one core bit",
         "core/events/events_l3.c and core/events/events.h EVENT_CORE_SELECT",
         "one core bit counts as much as all")
HARDWARE(invert_edge, 45, MACHINE,
         "What do invert with count mask 0, and edge on 076h, do?",
         "invert has no effect; edge counts 0 in the model",
         "0C1h:i and 076h:e of `tight-loop`",
         "core/family/pmc_regs.h; vpmu/model/pmu/pmc_unit.c",
         "`invert-always`; 0C1h:i 1.1 % below 0C1h")
HARDWARE(skid, 46, PERSON,
         "How large is the skid: which share of 041h and of 0C0h is at each instruction of the paper's loop?",
         "8 to 39 cycles until the core sees the interrupt, uniformly distributed (our choice)",
         "`config=skid`",
         "vpmu/model/params.h INTERRUPT_DELAY, INTERRUPT_SPREAD",
         "")
HARDWARE(drain_0d3, 47, MACHINE,
         "How much does stopping a counter add to 0D3h, while the workload's ops in flight drain?",
         "not subtracted; 20 cycles in the model",
         "0D3h of `tight-loop`, and of an empty region",
         "core/profile/counts.c; vpmu/model/pipeline/dispatch.c",
         "0D3h counts 101 cycles more than for the empty region")
HARDWARE(empty_ret, 57, MACHINE,
         "What does the subtracted empty region count? Its `ret` is in 0C2h, 0C4h, 0C8h and 040h",
         "one each; the virtual PMU only counts instructions for code outside of the map",
         "the four events for the empty region",
         "app/kinds/shared/events.c events_of_nothing",
         "0C8h does not count the return")
HARDWARE(interrupts_are_nmis, 59, MACHINE,
         "Does 0CFh equal the number of NMIs over several passes, too (the certificate relies on it)?",
         "yes in the model: \"interrupts taken\" equals NMIs handled; if not, the certificate's line shows 0 taken",
         "as row 38, at another period",
         "drivers/pmu/witness.c; app/report/report_certificate.c",
         "`not-interrupts`; 0CFh stays 0")
HARDWARE(perf_ctl_stable, 103, MACHINE,
         "Does PERF_CTL always read the same, bits 21 and 36 to 39 included?",
         "yes (driver and model both assume it)",
         "each of the four is read 1000 times",
         "drivers/pmu/witness.c: it compares 64 bits; core/family/pmc_regs.h PMC_CTL_PRESERVE",
         "`odd-reads`; 15 reads differ")
HARDWARE(tsc_is_core_clock, 104, MACHINE,
         "Does the TSC run at the rate of the core clocks (076h)?",
         "yes in the highest P-state without boost; with HWCR[24] clear the TSC follows the P-state (Linux bsp_init_amd: "
         "\"TSC doesn't count with P0 frequency!\")",
         "076h of `divide-chain` against TSC ticks, within 2 %, and HWCR[24]",
         "vpmu/model/pmu/local_apic.c vpmu_tsc: one clock; app/main.c",
         "`tsc-slow`; 0.51 clocks for a tick")
HARDWARE(errata_events, 105, PERSON,
         "Do 4E3h, 0CCh, 1D4h and 1D5h, 1E2h to 1E7h miscount, by errata 387, 393, 421 and 550?",
         "not known: the pages of AMD 41322 were not available",
         "read AMD 41322, then count the event on a workload whose count is known",
         "core/events/events_*.c: a remark for each",
         "")
HARDWARE(paper_loop_waits, 118, PERSON,
         "What holds up dispatch in the 2007 paper's loop: how many cycles of an iteration do 0D5h, 0D6h, 0D7h and 0D8h "
         "count, and where are the samples of `fld` and `fstp`?",
         "in the model 0D5h alone; `fstp` is not explained. 3 to 9 cycles of 0D8h that are gone with 2 MB pages would mean "
         "that look-ups wait in LS1 for a page walk, and explain it. 0D6h instead would mean that the stations issue their "
         "ops in order",
         "`workload=matmul-classic events=0D5,0D6,0D7,0D8,046`, then `config=ibs count=cycles`; both with `pages=4k` and "
         "`pages=2m`",
         "vpmu/model/pipeline/stations.c; vpmu/model/caches/tlb.c: walks",
         "")
/* clang-format on */
