/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Events of the floating-point unit from Zen on. Sources: Linux tools/perf/pmu-events/arch/x86/amdzen1 to amdzen6,
 * floating-point.json; symbols are its names without what names a mask. The smallest periods are a choice, Family 10h's
 * of alike events: no source has any. The halves of the masks of 00Ah to 00Dh and 00Fh are numbers, not sets of bits:
 * the remark lists them. 003h takes two counters on all of them, as in Linux (core/family/pmc_regs.h).
 */
#include "core/events/events_rows.h"

#define LOW_NUMBER(what)       what ", a number", what ", a number", what ", a number", what ", a number"
#define TWO_NUMBERS(low, high) MASK(0xFF, 0xFF), .bits = {LOW_NUMBER(low), LOW_NUMBER(high)}
#define FP_KINDS                                                                                                       \
    "A half is 1 add, 2 sub, 3 mul, 4 mac, 5 div, 6 sqrt, 7 cmp, 8 cvt, 9 blend, A mov, B shuffle, C bfloat, D "       \
    "logical, "                                                                                                        \
    "E other, F all."
#define INT_KINDS                                                                                                      \
    "A half is 1 add, 2 sub, 3 mul, 4 mac, 5 aes, 6 sha, 7 cmp, 8 cvt (Zen 4: clm), 9 shift, A mov, B shuffle, C "     \
    "vnni "                                                                                                            \
    "(Zen 4: pack), D logical, E other, F all."
#define FLOPS(fifth)                                                                                                   \
    "additions, subtractions", "multiplications", "divisions, square roots", "multiply-adds, two each", fifth
#define FLOP_TYPE "type, a number", "type, a number", "type, a number"
#define PAIR                                                                                                           \
    "Up to 64 are added in a cycle, so it takes two counters: an even one, and the next with event FFF (merge)."

/* clang-format off */
EVENT_ROWS = {
    {EVENT_OF(EVENT_IN(ZEN), 0x000, EVENT_FP, "fpu_pipe_assignment",
        "Ops assigned to the pipes of the floating-point unit", "FP pipe ops", 500),
     MASK(0x0F, 0xFF), .bits = {"pipe 0", "pipe 1", "pipe 2", "pipe 3", "pipe 0, ops of two pipes",
         "pipe 1, ops of two pipes", "pipe 2, ops of two pipes", "pipe 3, ops of two pipes"},
     .flags = EVENT_FREQUENT | EVENT_SPECULATIVE},
    {EVENT_OF(EVENT_IN(ZEN2) | EVENT_IN(ZEN3), 0x000, EVENT_FP, "fpu_pipe_assignment",
        "Ops assigned to the pipes of the floating-point unit", "FP pipe ops", 500),
     MASK(0x0F, 0x0F), .bits = {"pipe 0", "pipe 1", "pipe 2", "pipe 3"},
     .flags = EVENT_FREQUENT | EVENT_SPECULATIVE},
    {EVENT_OF(EVENT_IN(ZEN), 0x001, EVENT_FP, "fp_sched_empty",
        "Cycles in which the floating-point scheduler is empty", "FP sched empty", 500),
     .flags = EVENT_FREQUENT},
    {EVENT_OF(EVENT_IN(ZEN), 0x002, EVENT_FP, "fp_retx87_fp_ops",
        "Retired x87 operations", "Ret x87 ops", 500),
     MASK(0x07, 0x07), .bits = {"additions, subtractions", "multiplications", "divisions, square roots"}},
    {EVENT_OF(ZEN_FROM_4, 0x002, EVENT_FP, "fp_ret_x87_fp_ops",
        "Retired x87 operations", "Ret x87 ops", 500),
     MASK(0x07, 0x07), .bits = {"additions, subtractions", "multiplications", "divisions, square roots"}},
    {EVENT_OF(EVENT_IN(ZEN), 0x003, EVENT_FP, "fp_ret_sse_avx_ops",
        "Retired SSE and AVX floating-point operations", "Ret FLOPs", 500),
     MASK(0xFF, 0xFF), .bits = {"single, additions, subtractions", "single, multiplications",
         "single, divisions, square roots", "single, multiply-adds, two each", "double, additions, subtractions",
         "double, multiplications", "double, divisions, square roots", "double, multiply-adds, two each"},
     .flags = EVENT_FREQUENT, .pair = true, .remark = PAIR},
    {EVENT_OF(EVENT_IN(ZEN2) | EVENT_IN(ZEN3), 0x003, EVENT_FP, "fp_ret_sse_avx_ops",
        "Retired SSE and AVX floating-point operations", "Ret FLOPs", 500),
     MASK(0x0F, 0xFF), .bits = {FLOPS(ALL_ALONE), ALL_ALONE, ALL_ALONE, ALL_ALONE},
     .flags = EVENT_FREQUENT, .pair = true, .remark = PAIR},
    {EVENT_OF(EVENT_IN(ZEN4), 0x003, EVENT_FP, "fp_ret_sse_avx_ops",
        "Retired SSE and AVX floating-point operations", "Ret FLOPs", 500),
     MASK(0x1F, 0x1F), .bits = {FLOPS("multiply-adds of bfloat16")},
     .flags = EVENT_FREQUENT, .pair = true, .remark = PAIR},
    {EVENT_OF(ZEN_5_6, 0x003, EVENT_FP, "fp_ret_sse_avx_ops",
        "Retired SSE and AVX floating-point operations", "Ret FLOPs", 500),
     MASK(0x0F, 0xEF), .bits = {FLOPS(NULL), FLOP_TYPE}, .mask_none = true,
     .flags = EVENT_FREQUENT, .pair = true,
     .remark = "Bits E0 are 20 bfloat16, 40 scalar single, 60 packed single, 80 scalar double, A0 packed double, on "
         "Zen 6 half as well; 00 all. " PAIR},
    {EVENT_OF(ZEN_TO_3, 0x004, EVENT_FP, "fp_num_mov_elim_scal_op",
        "Moves eliminated and scalar operations optimized", "Moves eliminated", 500),
     MASK(0x0F, 0x0F), .bits = {"SSE moves", "SSE moves eliminated", "operations that could be optimized",
         "operations optimized"}, .flags = EVENT_SPECULATIVE},
    {EVENT_OF(EVENT_IN(ZEN), 0x005, EVENT_FP, "fp_retired_ser_ops",
        "Retired ops that serialize", "Ret serializing ops", 500),
     MASK(0x0F, 0x0F), .bits = {"SSE, executed at the bottom", "SSE, control word mispredicted",
         "x87, executed at the bottom", "x87, control word mispredicted"}},
    {EVENT_OF(EVENT_IN(ZEN2) | EVENT_IN(ZEN3) | EVENT_IN(ZEN4), 0x005, EVENT_FP, "fp_retired_ser_ops",
        "Retired ops that serialize", "Ret serializing ops", 500),
     MASK(0x0F, 0x0F), .bits = {"x87, control word mispredicted", "x87, executed at the bottom",
         "SSE and AVX, control word mispredicted", "SSE and AVX, executed at the bottom"}},
    {EVENT_OF(ZEN_4_5, 0x008, EVENT_FP, "fp_ops_retired_by_width",
        "Retired floating-point ops, by width", "FP ops by width", 500),
     MASK(0x3F, 0x3F), .bits = {"x87", "MMX", "scalar", "128 bits", "256 bits", "512 bits"},
     .flags = EVENT_FREQUENT},
    {EVENT_OF(EVENT_IN(ZEN6), 0x008, EVENT_FP, "fp_ops_ret_by_width",
        "Retired floating-point ops, by width", "FP ops by width", 500),
     MASK(0x3F, 0x3F), .bits = {"x87", "MMX", "scalar", "128 bits", "256 bits", "512 bits"},
     .flags = EVENT_FREQUENT},
    {EVENT_OF(ZEN_4_5, 0x00A, EVENT_FP, "fp_ops_retired_by_type",
        "Retired floating-point ops, by type", "FP ops by type", 500),
     TWO_NUMBERS("scalar", "vector"), .flags = EVENT_FREQUENT, .remark = FP_KINDS},
    {EVENT_OF(EVENT_IN(ZEN6), 0x00A, EVENT_FP, "fp_ops_ret_by_type",
        "Retired floating-point ops, by type", "FP ops by type", 500),
     TWO_NUMBERS("scalar", "vector"), .flags = EVENT_FREQUENT, .remark = FP_KINDS},
    {EVENT_OF(ZEN_4_5, 0x00B, EVENT_FP, "sse_avx_ops_retired",
        "Retired integer ops of MMX, SSE and AVX, by type", "Vector ops by type", 500),
     TWO_NUMBERS("MMX", "SSE and AVX"), .flags = EVENT_FREQUENT, .remark = INT_KINDS},
    {EVENT_OF(EVENT_IN(ZEN6), 0x00B, EVENT_FP, "fp_sse_avx_ops_ret",
        "Retired integer ops of MMX, SSE and AVX, by type", "Vector ops by type", 500),
     TWO_NUMBERS("MMX", "SSE and AVX"), .flags = EVENT_FREQUENT, .remark = INT_KINDS},
    {EVENT_OF(ZEN_4_5, 0x00C, EVENT_FP, "fp_pack_ops_retired",
        "Retired packed floating-point ops, by type", "Packed FP ops", 500),
     TWO_NUMBERS("128 bits", "256 bits"), .flags = EVENT_FREQUENT, .remark = FP_KINDS},
    {EVENT_OF(EVENT_IN(ZEN6), 0x00C, EVENT_FP, "fp_pack_ops_ret",
        "Retired packed floating-point ops, by type", "Packed FP ops", 500),
     TWO_NUMBERS("128 bits", "256 bits"), .flags = EVENT_FREQUENT, .remark = FP_KINDS},
    {EVENT_OF(ZEN_4_5, 0x00D, EVENT_FP, "packed_int_op_type",
        "Retired packed integer ops, by type", "Packed int ops", 500),
     TWO_NUMBERS("128 bits", "256 bits"), .flags = EVENT_FREQUENT, .remark = INT_KINDS},
    {EVENT_OF(EVENT_IN(ZEN6), 0x00D, EVENT_FP, "fp_pack_int_ops_ret",
        "Retired packed integer ops, by type", "Packed int ops", 500),
     TWO_NUMBERS("128 bits", "256 bits"), .flags = EVENT_FREQUENT, .remark = INT_KINDS},
    {EVENT_OF(EVENT_IN(ZEN), 0x00E, EVENT_FP, "fp_disp_faults",
        "Faults of floating-point dispatch", "FP dispatch faults", 500),
     MASK(0x0E, 0x0E), .bits = {[1] = "fill of XMM", "fill of YMM", "spill of YMM"},
     .remark = "Linux' list for Zen has mask 0E alone, as sse_avx_stalls; the bits are those of Zen 2."},
    {EVENT_OF(EVENT_IN(ZEN2) | EVENT_IN(ZEN3) | ZEN_FROM_4, 0x00E, EVENT_FP, "fp_disp_faults",
        "Faults of floating-point dispatch", "FP dispatch faults", 500),
     MASK(0x0F, 0x0F), .bits = {"fill of x87", "fill of XMM", "fill of YMM", "spill of YMM"}},
    {EVENT_OF(EVENT_IN(ZEN6), 0x00F, EVENT_FP, "fp_pack_512b_ops_ret",
        "Retired packed ops of 512 bits, by type", "512-bit ops", 500),
     TWO_NUMBERS("floating point", "integer"), .flags = EVENT_FREQUENT,
     .remark = "Floating point: " FP_KINDS " Integer: 5 aes, 6 sha, 9 shift, C vnni, the others alike."},
    {EVENT_OF(EVENT_IN(ZEN6), 0x013, EVENT_FP, "fp_nsq_read_stalls",
        "Cycles in which the non-scheduling queue is not read", "FP NSQ stalls", 500),
     MASK(0x0E, 0x0E), .bits = {[1] = "floating-point register file", "mask register file", "scheduler queue"},
     .flags = EVENT_FREQUENT},
};
/* clang-format on */
