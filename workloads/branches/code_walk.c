/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Little pieces of code in many places: what it costs when code does not stay in the instruction cache.
 *
 * 24 pieces, each a cache line on its own page, jump to one another in turn. Family 10h's instruction cache has 64
 * KB in two ways: of the lines that are a multiple of 32 KB apart it keeps two. So up to 16 pieces stay; of 24, which
 * stretch over 96 KB, three share each place, and each is driven out before its next turn and comes back from the L2.
 * Jumps are direct and few enough for the branch target buffer, so nothing is mispredicted, and the pieces are too far
 * apart for a prefetcher of the next line.
 */
#include "workloads/pieces.h"
#include "workloads/result.h"

enum { PIECES = 24, PIECE_OPS = 7 };

/* The number goes into the sums, so that a piece that is skipped or run twice shows. A piece fits into one fetch of
 * 32 bytes. The space between the pieces, which is large, is filled with int3: an attribute 'aligned' would fill it
 * with jumps. */
#define PIECE(number, end)                                                                                             \
    __asm__(".pushsection .text\n\t.balign 4096, 0xcc\n\t.popsection");                                                \
    __attribute__((no_reorder)) WORKLOAD_ASM static void code_walk_##number(void)                                      \
    {                                                                                                                  \
        __asm__("add $0x" #number ", %rax\n\t"                                                                         \
                "rol $5, %rax\n\t"                                                                                     \
                "xor $0x" #number ", %rdx\n\t"                                                                         \
                "rol $7, %rdx\n\t"                                                                                     \
                "sub $0x" #number ", %r8\n\t"                                                                          \
                "rol $11, %r8\n\t" end);                                                                               \
    }

#define JUMP(number, next) PIECE(number, "jmp code_walk_" #next)

/* clang-format off */
JUMP(00, 01) JUMP(01, 02) JUMP(02, 03) JUMP(03, 04) JUMP(04, 05) JUMP(05, 06)
JUMP(06, 07) JUMP(07, 08) JUMP(08, 09) JUMP(09, 10) JUMP(10, 11) JUMP(11, 12)
JUMP(12, 13) JUMP(13, 14) JUMP(14, 15) JUMP(15, 16) JUMP(16, 17) JUMP(17, 18)
JUMP(18, 19) JUMP(19, 20) JUMP(20, 21) JUMP(21, 22) JUMP(22, 23) PIECE(23, "ret")
    /* clang-format on */

    /* After the pieces, so that it is not at the start of a page, where they are. */
    WORKLOAD_ASM static void code_walk(void *arena, const uint32_t *params)
{
    __asm__(PIECES_FIRST("code_walk_23"));
    __asm__(PIECES_ROUND);
    __asm__(PIECES_RESULT);
}

static bool check(const void *arena, const uint32_t *params, struct workload_check *ret_check)
{
    uint64_t a = 0, b = 0, c = 0;

    for (uint32_t round = 0; round < params[PARAM_ROUNDS]; round++) {
        for (uint32_t i = PIECES - params[PARAM_PIECES]; i < PIECES; i++) {
            uint64_t number = i / 10 * 16 + i % 10; /* decimal digits, read as hexadecimal ones */

            a = rotate(a + number, 5);
            b = rotate(b ^ number, 7);
            c = rotate(c - number, 11);
        }
    }
    return result_is(arena, a ^ b ^ c, ret_check);
}

WORKLOAD(walk) = {
    .name = "code-walk",
    .title = "pieces of code on 24 pages, one line each, in turn",
    .shows = "front-end bound: with more than 16 pieces the code evicts itself from the instruction cache",
    .group = WORKLOAD_ABOUT_FRONT_END,
    .kernel = "code_walk",
    .unit = "pieces",
    .unit_ops = PIECE_OPS,
    .params = {{"rounds", 1, 1000000000, 6000, "times that all pieces are executed"},
               {"pieces", 1, PIECES, PIECES, "pieces of code, 4 KB apart; 16 fit into Family 10h's instruction cache"}},
    .arena_size = result_size,
    .prepare = result_clear,
    .run = code_walk,
    .check = check,
    .work = pieces_work,
    .expected = {PIECES_EXPECTED(PIECE_OPS)},
};
