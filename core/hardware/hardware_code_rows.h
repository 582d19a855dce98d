/* SPDX-License-Identifier: BSD-2-Clause */
/* Questions about branches, fetch and execution; core/hardware/hardware_rows.h says what the fields are. */
/* clang-format off */
HARDWARE(macro_ops, 14, PERSON,
         "Macro-ops per instruction, where GCC's tables and the optimisation guide leave it open",
         "tools/codemap/family10h.c",
         "shares at `count=ops` within a basic block",
         "tools/codemap/family10h.c",
         "")
HARDWARE(decode_paths, 23, PERSON,
         "Decode paths marked 'M' in tools/codemap/family10h.c come from memory of AMD 40546 appendix C, those marked 'G' from "
         "GCC's athlon.md; VectorPath instructions are given 3 macro-ops",
         "lower bound",
         "op samples per instruction",
         "tools/codemap/family10h.c",
         "")
HARDWARE(mispredict_cycles, 48, MACHINE,
         "`branch-random`: (0D0 + 0D2) / 0C3 is 10 to 13 cycles; does 0D0 count while the wrong path is dispatched",
         "the model counts a refill of 12 after the branch has executed; the wait before it is neither 0D0 nor 0D1",
         "(0D0h + 0D2h) / 0C3h of `branch-random`",
         "vpmu/model/params.h MISPREDICT_PENALTY; core/explore/explore_formulas.c",
         "13.01 cycles for a branch")
HARDWARE(code_walk, 49, MACHINE,
         "`code-walk`: instruction cache misses per piece",
         "1 with `pieces=24`, 0 with 16",
         "081h for each piece of `code-walk` with 24 and with 16 pieces",
         "vpmu/model/params.h L1_WAYS; vpmu/model/caches/cache.c",
         "a miss in ten pieces of 16")
HARDWARE(divide_and_width, 51, MACHINE,
         "`divide-chain` and `alu-independent`",
         "26 cycles per division; 2.95 instructions per cycle, on revision B 2",
         "076h for each division of `divide-chain`; 0C0h / 076h of `alu-independent`",
         "vpmu/model/params.c params_latency; vpmu/model/params.h DISPATCH_WIDTH",
         "2.00 instructions a cycle")
HARDWARE(branch_history, 71, MACHINE,
         "`branch-pattern`: the smallest `period` whose every end is mispredicted",
         "between 5 and 16 (history of 12, half of it used by the loop's branch: choice)",
         "0C3h of `branch-pattern`, period from 4 to 20",
         "vpmu/model/params.h GHB_HISTORY_BITS; vpmu/model/pipeline/predict.c",
         "no period's ends mispredicted")
HARDWARE(return_stack, 72, MACHINE,
         "`call-depth`: the returns beyond 24 are mispredicted; 088h and 089h",
         "so in the model; on silicon 088h and 089h count wrong paths too",
         "0C9h, 088h and 089h of `call-depth` at depths 24, 25 and 40",
         "vpmu/model/params.h RETURN_STACK; core/events/events_ic.c 088h, 089h",
         "no miss at a depth of 25")
HARDWARE(indirect_targets, 73, MACHINE,
         "`jump-indirect` targets=4: does the target array use past targets",
         "no: all are mispredicted",
         "0CAh of `jump-indirect` and `call-indirect`, four targets each",
         "vpmu/model/pipeline/predict.c; vpmu/model/params.h INDIRECT_ENTRIES",
         "each call mispredicted")
HARDWARE(itlb_reach, 74, MACHINE,
         "`code-pages` with code_pages=4k: L1 ITLB misses per piece; after the switch of page tables no global page of the "
         "firmware's stays in the ITLB",
         "1 with pieces=40, 0 with 24 and with 2 MB pages",
         "084h for each piece of `code-pages` with code_pages=4k, 40 and 24 pieces",
         "vpmu/model/params.h TLBS_10H; drivers/cpu/paging.c",
         "0.95 misses for each of 40 pieces")
HARDWARE(dispatch_lines, 85, MACHINE,
         "Where lines end: do ops of a line end in the same aligned 16 bytes? Revisions C and E too?",
         "revision B: yes, C and E: any three ops; by rows without counter samples in the 2007 paper (paper.md)",
         "0C1h / 076h of `alu-independent`: 3 ops a cycle, or 2",
         "vpmu/model/pipeline/dispatch.c; vpmu/model/params.h DISPATCH_WIDTH",
         "2.00 ops a cycle")
/* clang-format on */
