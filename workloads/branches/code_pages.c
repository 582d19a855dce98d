/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Little pieces of code, each on its own page: what it costs when code does not stay in the instruction TLB.
 *
 * 40 pieces jump to one another in turn. Family 10h's first instruction TLB has 32 entries for 4 KB pages and 16 for 2
 * MB pages, the second one 512 for 4 KB pages (AMD Software Optimization Guide 40546, appendix A). By 4 KB pages
 * (code_pages=4k, and always under Linux) up to 30 pieces stay in the first one; of 40, in turn, none does. With 2 MB
 * pages, which firmware mostly uses, all are on one page. In the instruction cache the pieces' lines conflict as those
 * of code-walk do, with either page size.
 */
#include "workloads/pieces.h"
#include "workloads/result.h"

enum { PIECES = 40, PIECE_OPS = 18 };

/* A piece begins in the last line of a page and runs on into the next one, where it jumps to the end of that. So each
 * page is entered by a sequential fetch, the kind that IBS samples: the fetch of a jump's target hardly ever is. The
 * space between the pieces is filled with int3. */
#define PIECE(number, end)                                                                                             \
    __asm__(".pushsection .text\n\t.balign 64, 0xcc\n\t.fill 4032 - 64, 1, 0xcc\n\t.popsection");                      \
    __attribute__((no_reorder)) WORKLOAD_ASM static void code_pages_##number(void)                                     \
    {                                                                                                                  \
        __asm__(".rept 4\n\t"                                                                                          \
                "add $" #number ", %rax\n\t"                                                                           \
                "rol $5, %rax\n\t"                                                                                     \
                "xor $" #number ", %rdx\n\t"                                                                           \
                "rol $7, %rdx\n\t"                                                                                     \
                ".endr");                                                                                              \
        __asm__("add $1, %r8\n\t" end);                                                                                \
    }

__asm__(".pushsection .text\n\t.balign 4096, 0xcc\n\tint3\n\t.popsection");

#define JUMP(number, next) PIECE(number, "jmp code_pages_" #next)

/* clang-format off */
JUMP(0, 1) JUMP(1, 2) JUMP(2, 3) JUMP(3, 4) JUMP(4, 5) JUMP(5, 6) JUMP(6, 7) JUMP(7, 8)
JUMP(8, 9) JUMP(9, 10) JUMP(10, 11) JUMP(11, 12) JUMP(12, 13) JUMP(13, 14) JUMP(14, 15) JUMP(15, 16)
JUMP(16, 17) JUMP(17, 18) JUMP(18, 19) JUMP(19, 20) JUMP(20, 21) JUMP(21, 22) JUMP(22, 23) JUMP(23, 24)
JUMP(24, 25) JUMP(25, 26) JUMP(26, 27) JUMP(27, 28) JUMP(28, 29) JUMP(29, 30) JUMP(30, 31) JUMP(31, 32)
JUMP(32, 33) JUMP(33, 34) JUMP(34, 35) JUMP(35, 36) JUMP(36, 37) JUMP(37, 38) JUMP(38, 39) PIECE(39, "ret")
    /* clang-format on */

    WORKLOAD_ASM static void code_pages(void *arena, const uint32_t *params)
{
    __asm__(PIECES_FIRST("code_pages_39"));
    __asm__(PIECES_ROUND);
    __asm__(PIECES_RESULT);
}

static bool check(const void *arena, const uint32_t *params, struct workload_check *ret_check)
{
    uint64_t a = 0, b = 0, c = 0;

    for (uint32_t round = 0; round < params[PARAM_ROUNDS]; round++) {
        for (uint32_t i = PIECES - params[PARAM_PIECES]; i < PIECES; i++) {
            for (uint32_t turn = 0; turn < 4; turn++) {
                a = rotate(a + i, 5);
                b = rotate(b ^ i, 7);
            }
            c++;
        }
    }
    return result_is(arena, a ^ b ^ c, ret_check);
}

WORKLOAD(pages) = {
    .name = "code-pages",
    .title = "pieces of code from page to page, in turn",
    .shows = "with code_pages=4k and more than 30 pieces, each one misses Family 10h's first-level instruction TLB",
    .group = WORKLOAD_ABOUT_FRONT_END,
    .kernel = "code_pages",
    .unit = "pieces",
    .unit_ops = PIECE_OPS,
    .params = {{"rounds", 1, 1000000000, 3000, "times that all pieces are executed"},
               {"pieces", 1, PIECES, PIECES, "pieces of code, each crossing from one page to the next"}},
    .arena_size = result_size,
    .prepare = result_clear,
    .run = code_pages,
    .check = check,
    .work = pieces_work,
    .expected = {PIECES_EXPECTED(PIECE_OPS)},
};
