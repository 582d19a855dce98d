/* SPDX-License-Identifier: BSD-2-Clause */
/* Questions about branches, fetch and execution; core/hardware/hardware_rows.h says what the fields are. */
/* clang-format off */
HARDWARE(macro_ops, 14, PERSON,
         "How many macro-ops does an instruction have where GCC's tables and the optimisation guide leave it open?",
         "tools/codemap/family10h.c",
         "op samples of each instruction at `count=ops`, compared within a basic block",
         "tools/codemap/family10h.c",
         "")
HARDWARE(decode_paths, 23, PERSON,
         "Are the decode paths in tools/codemap/family10h.c right? Those marked 'M' were written from memory of AMD 40546 "
         "appendix C, those marked 'G' come from GCC's athlon.md; VectorPath instructions are given 3 macro-ops",
         "3 macro-ops are a lower bound",
         "op samples per instruction",
         "tools/codemap/family10h.c",
         "")
HARDWARE(mispredict_cycles, 48, MACHINE,
         "`branch-random`: is (0D0h + 0D2h) / 0C3h between 10 and 13 cycles, and does 0D0h count while the wrong path is "
         "dispatched?",
         "the model counts a refill of 12 after the branch has executed; the wait before it is neither 0D0 nor 0D1",
         "(0D0h + 0D2h) / 0C3h of `branch-random`",
         "vpmu/model/params.h MISPREDICT_PENALTY; core/explore/explore_formulas.c",
         "13.01 cycles for a branch")
HARDWARE(code_walk, 49, MACHINE,
         "`code-walk`: how many instruction cache misses does a piece have?",
         "1 with `pieces=24`, 0 with 16",
         "081h for each piece of `code-walk` with 24 and with 16 pieces",
         "vpmu/model/params.h L1_WAYS; vpmu/model/caches/cache.c",
         "a miss in ten pieces of 16")
HARDWARE(divide_and_width, 51, MACHINE,
         "How long does `divide-chain` take for a division, and how wide is `alu-independent`?",
         "26 cycles per division; 2.95 instructions per cycle, and 2 on revision B",
         "076h for each division of `divide-chain`; 0C0h / 076h of `alu-independent`",
         "vpmu/model/params.c params_latency; vpmu/model/params.h DISPATCH_WIDTH",
         "2.00 instructions per cycle")
HARDWARE(branch_history, 71, MACHINE,
         "`branch-pattern`: which is the smallest `period` at which every end of the pattern is mispredicted?",
         "between 5 and 16 (our choice: a history of 12 branches, half of them the loop's own)",
         "0C3h of `branch-pattern`, with periods from 4 to 20",
         "vpmu/model/params.h GHB_HISTORY_BITS; vpmu/model/pipeline/predict.c",
         "every period's end predicted")
HARDWARE(return_stack, 72, MACHINE,
         "`call-depth`: are returns beyond a depth of 24 mispredicted, and what do 088h and 089h count?",
         "mispredicted in the model; on silicon 088h and 089h also count on wrong paths",
         "0C9h, 088h and 089h of `call-depth` at depths 24, 25 and 40",
         "vpmu/model/params.h RETURN_STACK; core/events/events_ic.c 088h, 089h",
         "no miss at a depth of 25")
HARDWARE(indirect_targets, 73, MACHINE,
         "`jump-indirect` targets=4: does the target array use past targets?",
         "no: all are mispredicted",
         "0CAh of `jump-indirect` and `call-indirect`, four targets each",
         "vpmu/model/pipeline/predict.c; vpmu/model/params.h INDIRECT_ENTRIES",
         "every call mispredicted")
HARDWARE(itlb_reach, 74, MACHINE,
         "`code-pages` with code_pages=4k: how many L1 ITLB misses does a piece have? After the switch of page tables no "
         "global page of the firmware may stay in the ITLB",
         "1 with pieces=40, 0 with 24 and with 2 MB pages",
         "084h for each piece of `code-pages` with code_pages=4k, 40 and 24 pieces",
         "vpmu/model/params.h TLBS_10H; drivers/cpu/paging.c",
         "0.95 misses for each of 40 pieces")
HARDWARE(dispatch_lines, 85, MACHINE,
         "Does a dispatch line contain only ops of one aligned block of 16 bytes, on revision B and on C and E?",
         "yes on revision B; on C and E a line has any three ops (rows without counter samples in the 2007 paper, paper.md)",
         "0C1h / 076h of `alu-independent`: 3 ops per cycle, or 2",
         "vpmu/model/pipeline/dispatch.c; vpmu/model/params.h DISPATCH_WIDTH",
         "2.00 ops per cycle")
/* clang-format on */
