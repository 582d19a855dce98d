/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rows of the measurements for config=hardware: STEP(id, fields of struct hardware_step_row). Workloads are shorter on
 * a model.
 */
/* clang-format off */
#define PARAM(name, model, silicon) {#name, model, silicon}
#define TIGHT  .workload = "tight-loop", .param = {PARAM(iterations, 2000, 400000)}
#define ALU    .workload = "alu-independent", .param = {PARAM(iterations, 800, 200000)}
#define CHASE(hops_model, hops_silicon, size) .workload = "pointer-chase", \
        .param = {PARAM(hops, hops_model, hops_silicon), PARAM(kb, size, size)}
#define REACH(pages_) .workload = "tlb-reach", .param = {PARAM(hops, 4096, 409600), PARAM(reach, pages_, pages_)}
#define CALLS(depth_) .workload = "call-depth", .param = {PARAM(rounds, 100, 20000), PARAM(depth, depth_, depth_)}

/* Counters. */
STEP(TIGHT_FETCH, TIGHT, .event = {{0x076}, {0x0D3}, {0x087}, {0x0D0}})
STEP(TIGHT_FLAGS, TIGHT, .event = {{0x0C1}, {0x0C1, .invert = true}, {0x076, .edge = true}})
STEP(ALU_FETCH, ALU, .event = {{0x080}, {0x0C0}, {0x076}})
STEP(ALU_COUNT, ALU, .event = {{0x076}, {0x0C0}, {0x0C1}, {0x0CF}})
STEP(RETS, ALU, .event = {{0x0C2}, {0x0C4}, {0x0C8}, {0x040}})
STEP(DIVIDE, .workload = "divide-chain", .param = {PARAM(steps, 1000, 1000000)}, .event = {{0x076}, {0x0C0}, {0x0C1}, {0x0CF}})
STEP(RANDOM, .workload = "branch-random", .param = {PARAM(iterations, 2000, 200000)},
     .event = {{0x0C3}, {0x0D0}, {0x0D2}, {0x076}})
STEP(REFILLS, CHASE(2000, 200000, 4096), .event = {{0x042, 0x01}, {0x043, 0x1F}, {0x041}, {0x040}})
STEP(MISALIGNED, .workload = "misaligned", .param = {PARAM(passes, 2, 200)}, .event = {{0x040}, {0x047}, {0x0C0}, {0x076}})
STEP(STALLS_A, .workload = "matmul-classic", .param = {PARAM(n, 120, 600)}, .event = {{0x076}, {0x0D0}, {0x0D1}, {0x0D2}})
STEP(STALLS_B, .workload = "matmul-classic", .param = {PARAM(n, 120, 600)}, .event = {{0x0D3}, {0x0D5}, {0x0D6}, {0x0DA}})
STEP(STALLS_C, .workload = "matmul-classic", .param = {PARAM(n, 120, 600)}, .event = {{0x0D4}, {0x0D7}, {0x0D8}, {0x0D9}})
STEP(PREFETCHES, .workload = "stream-read", .param = {PARAM(kb, 256, 4096)}, .event = {{0x067, 0x01}, {0x067, 0x02}})
STEP(CORE_SELECT, CHASE(2000, 200000, 4096), .event = {{0x4E0, 0xF7}, {0x4E0, 0x17}})
STEP(EVENT_4ED, CHASE(2000, 200000, 4096), .event = {{0x4ED, 0xF7}, {0x4E1, 0xF7}})

/* Samples of one counter, while others only count. */
STEP(SAMPLED_OFTEN, TIGHT, .event = {{0x0C0, .period = 499}, {0x0CF}, {0x0C1}, {0x0C4}})
STEP(SAMPLED_SELDOM, TIGHT, .event = {{0x0C0, .period = 3989}, {0x0CF}, {0x0C1}, {0x0C4}})

/* Memory: pointer chases in each level, with large pages. */
STEP(HOP_L1, CHASE(4000, 400000, 32), .pages = PAGING_2M, .event = {{0x076}})
STEP(HOP_L2, CHASE(8000, 800000, 256), .pages = PAGING_2M, .event = {{0x076}, {0x042, 0x1E}, {0x041}})
STEP(HOP_L3, CHASE(4000, 400000, 4096), .pages = PAGING_2M, .event = {{0x076}})
STEP(HOP_DRAM, CHASE(4000, 400000, 16384), .beyond_l3 = true, .pages = PAGING_2M, .event = {{0x076}})
STEP(INDEX_CONTIGUOUS, .workload = "strided", .param = {PARAM(passes, 60, 6000), PARAM(kb, 64, 64), PARAM(stride, 4096, 4096)}, .event = {{0x041}, {0x040}})
STEP(INDEX_SHUFFLED, .workload = "strided", .param = {PARAM(passes, 60, 6000), PARAM(kb, 64, 64), PARAM(stride, 4096, 4096)}, .shuffled = true,
     .event = {{0x041}, {0x040}})
STEP(STRIDE_128, .workload = "strided", .param = {PARAM(passes, 1, 20), PARAM(kb, 1024, 4096), PARAM(stride, 128, 128)},
     .event = {{0x041}, {0x040}})
STEP(WRITE, .workload = "stream-write", .param = {PARAM(kb, 64, 4096)}, .event = {{0x040}, {0x041}})
STEP(WRITE_STREAMING, .workload = "stream-write", .param = {PARAM(kb, 64, 4096), PARAM(streaming, 2, 2)}, .event = {{0x040}, {0x041}})
STEP(FORWARD, .workload = "store-forward", .param = {PARAM(iterations, 500, 50000), PARAM(width, 4, 4)},
     .event = {{0x02A, 0x01}, {0x02A, 0x02}, {0x02A, 0x04}, {0x02A, 0x07}})
STEP(FORWARD_040, .workload = "store-forward", .param = {PARAM(iterations, 500, 50000), PARAM(width, 4, 4)}, .event = {{0x040}, {0x0C0}})
#define REACHED .event = {{0x076}, {0x045, 0x01}, {0x046, 0x01}, {0x0C0}}
STEP(REACH_48, REACH(48), REACHED)
STEP(REACH_49, REACH(49), REACHED)
STEP(REACH_512, REACH(512), REACHED)
STEP(REACH_576, REACH(576), REACHED)
STEP(REACH_640, REACH(640), REACHED)
STEP(REACH_2048, REACH(2048), REACHED)
STEP(REACH_2048_LARGE, REACH(2048), .pages = PAGING_2M, .event = {{0x076}, {0x045, 0x02}, {0x046, 0x02}, {0x0C0}})
#undef REACHED

/* Branches and fetch. */
STEP(WALK_24, .workload = "code-walk", .param = {PARAM(rounds, 100, 20000), PARAM(pieces, 24, 24)}, .event = {{0x081}, {0x0C0}})
STEP(WALK_16, .workload = "code-walk", .param = {PARAM(rounds, 100, 20000), PARAM(pieces, 16, 16)}, .event = {{0x081}, {0x0C0}})
STEP(CODE_40, .workload = "code-pages", .param = {PARAM(rounds, 60, 10000), PARAM(pieces, 40, 40)}, .code_4k = true,
     .event = {{0x084}, {0x0C0}})
STEP(CODE_24, .workload = "code-pages", .param = {PARAM(rounds, 60, 10000), PARAM(pieces, 24, 24)}, .code_4k = true,
     .event = {{0x084}, {0x0C0}})
STEP(CALLS_24, CALLS(24), .event = {{0x0C9}, {0x088}, {0x089}})
STEP(CALLS_25, CALLS(25), .event = {{0x0C9}, {0x088}, {0x089}})
STEP(CALLS_40, CALLS(40), .event = {{0x0C9}, {0x088}, {0x089}})
STEP(JUMPS, .workload = "jump-indirect", .param = {PARAM(iterations, 2000, 200000)}, .event = {{0x0CA}, {0x0C0}})
STEP(CALLS_INDIRECT, .workload = "call-indirect", .param = {PARAM(iterations, 2000, 200000)}, .event = {{0x0CA}, {0x0C0}})
#define PATTERN(n) STEP(PATTERN_##n, .workload = "branch-pattern", .param = {PARAM(iterations, 3000, 300000), PARAM(period, n, n)}, \
        .event = {{0x0C3}, {0x0C0}})
PATTERN(4)
PATTERN(5)
PATTERN(6)
PATTERN(7)
PATTERN(8)
PATTERN(9)
PATTERN(10)
PATTERN(11)
PATTERN(12)
PATTERN(13)
PATTERN(14)
PATTERN(15)
PATTERN(16)
PATTERN(18)
PATTERN(20)
#undef PATTERN

/* IBS. */
STEP(OP_FIXED, ALU, .op_period = 208)
STEP(OP_RANDOM, ALU, .op_period = 208, .random = true)
STEP(OP_ALU_CYCLES, .workload = "alu-independent", .param = {PARAM(iterations, 4000, 400000)}, .op_period = 160, .random = true,
     .cycles = true)
STEP(OP_CALLS, .workload = "call-depth", .param = {PARAM(rounds, 300, 60000), PARAM(depth, 32, 32)}, .op_period = 144, .random = true)
STEP(OP_TLB, .workload = "tlb-reach", .param = {PARAM(hops, 12288, 409600), PARAM(reach, 500, 500)}, .op_period = 144, .random = true)
/* 4608 pages of 4 KB exceed every L2 DTLB: Zen 5's has 4096 entries. */
STEP(OP_WALKS, .workload = "tlb-reach", .param = {PARAM(hops, 12288, 409600), PARAM(reach, 4608, 4608)}, .op_period = 144, .random = true)
STEP(OP_CYCLES, CHASE(4000, 400000, 4096), .pages = PAGING_2M, .op_period = 1008, .cycles = true)
STEP(OP_L2, CHASE(8000, 1600000, 256), .pages = PAGING_2M, .op_period = 144, .random = true)
STEP(OP_L3, CHASE(8000, 1600000, 4096), .pages = PAGING_2M, .op_period = 144, .random = true)
STEP(OP_L3_4K, CHASE(8000, 1600000, 4096), .op_period = 144, .random = true)
STEP(OP_DRAM, CHASE(24000, 1600000, 16384), .beyond_l3 = true, .pages = PAGING_2M, .op_period = 144, .random = true)
STEP(OP_STREAM, .workload = "stream-read", .param = {PARAM(kb, 1024, 16384)}, .op_period = 144, .random = true)
#define BANK(stride_) STEP(OP_BANK_##stride_, .workload = "bank-conflict", \
        .param = {PARAM(iterations, 8000, 800000), PARAM(stride, stride_, stride_)}, .op_period = 144, .random = true)
BANK(8)
BANK(16)
BANK(32)
BANK(64)
BANK(128)
#undef BANK
STEP(FETCH_TAKEN, .workload = "branch-always", .param = {PARAM(iterations, 400, 40000)}, .fetch_period = 112, .random = true)
STEP(FETCH_ALU, ALU, .fetch_period = 16, .random = true)
STEP(OP_BEYOND_L3, CHASE(24000, 1600000, 16384), .beyond_l3 = true, .pages = PAGING_2M, .op_period = 144, .random = true, .l3_miss_only = true)
STEP(OP_SLOW, CHASE(24000, 1600000, 16384), .beyond_l3 = true, .pages = PAGING_2M, .op_period = 144, .random = true, .load_latency = 128)
STEP(FETCH_BEYOND_L3, ALU, .fetch_period = 16, .random = true, .l3_miss_only = true)

/* A time limit and nothing else. */
STEP(LIMITED, ALU, .limited = true)
#undef PARAM
#undef TIGHT
#undef ALU
#undef CHASE
#undef REACH
#undef CALLS
/* clang-format on */
