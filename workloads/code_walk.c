/*
 * Little pieces of code in many places: what it costs when code does not stay in the instruction cache.
 *
 * 24 pieces, each a cache line on a page of its own, jump to one another in turn. Family 10h's instruction cache has 64
 * KB in two ways: of the lines that lie a multiple of 32 KB apart it keeps two. So up to 16 pieces stay; of 24, which
 * stretch over 96 KB, three share each place, and each is driven out before its next turn and comes back from the L2.
 * Jumps are direct and few enough for the branch target buffer, so nothing is mispredicted, and the pieces are too far
 * apart for a prefetcher of the next line.
 */
#include "workloads/workload.h"

enum {
    PARAM_ROUNDS = 0,
    PARAM_PIECES = 1,
    PIECES = 24,
    PIECE_OPS = 7,
    ROUND_OPS = 3, /* the call and the loop around it */
};

struct walk {
    uint64_t result;
};

/* The number goes into the sums, so that a piece that is left out or comes twice shows. A piece fits into one fetch of
 * 32 bytes. What is between the pieces is filled with int3, and there is much of it: an attribute 'aligned' would fill
 * it with jumps. */
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

/* clang-format off */
PIECE(00, "jmp code_walk_01") PIECE(01, "jmp code_walk_02") PIECE(02, "jmp code_walk_03") PIECE(03, "jmp code_walk_04")
PIECE(04, "jmp code_walk_05") PIECE(05, "jmp code_walk_06") PIECE(06, "jmp code_walk_07") PIECE(07, "jmp code_walk_08")
PIECE(08, "jmp code_walk_09") PIECE(09, "jmp code_walk_10") PIECE(10, "jmp code_walk_11") PIECE(11, "jmp code_walk_12")
PIECE(12, "jmp code_walk_13") PIECE(13, "jmp code_walk_14") PIECE(14, "jmp code_walk_15") PIECE(15, "jmp code_walk_16")
PIECE(16, "jmp code_walk_17") PIECE(17, "jmp code_walk_18") PIECE(18, "jmp code_walk_19") PIECE(19, "jmp code_walk_20")
PIECE(20, "jmp code_walk_21") PIECE(21, "jmp code_walk_22") PIECE(22, "jmp code_walk_23") PIECE(23, "ret")
    /* clang-format on */

    /* A round begins with the piece that leaves as many as are wanted, and ends with the last one's ret. Behind the
     * pieces, so that it is not at the start of a page, where they are. */
    WORKLOAD_ASM static void code_walk(void *arena, const uint32_t *params)
{
    __asm__("mov (%rsi), %ecx\n\t"
            "mov 4(%rsi), %eax\n\t"
            "shl $12, %eax\n\t"
            "lea code_walk_23+4096(%rip), %r10\n\t"
            "sub %rax, %r10\n\t"
            "xor %eax, %eax\n\t"
            "xor %edx, %edx\n\t"
            "xor %r8d, %r8d");
    __asm__("1: call *%r10\n\t"
            "sub $1, %ecx\n\t"
            "jnz 1b");
    __asm__("xor %rdx, %rax\n\t"
            "xor %r8, %rax\n\t"
            "mov %rax, (%rdi)\n\t"
            "ret");
}

static void prepare(void *arena, const uint32_t *params)
{
    struct walk *walk = arena;

    (void)params;
    walk->result = 0;
}

static uint64_t rotate(uint64_t value, unsigned bits)
{
    return value << bits | value >> (64 - bits);
}

static bool check(const void *arena, const uint32_t *params, struct workload_check *ret_check)
{
    const struct walk *walk = arena;
    uint64_t a = 0, b = 0, c = 0;

    for (uint32_t round = 0; round < params[PARAM_ROUNDS]; round++) {
        for (uint32_t i = PIECES - params[PARAM_PIECES]; i < PIECES; i++) {
            uint64_t number = i / 10 * 16 + i % 10; /* decimal digits, read as hexadecimal ones */

            a = rotate(a + number, 5);
            b = rotate(b ^ number, 7);
            c = rotate(c - number, 11);
        }
    }
    ret_check->expected = a ^ b ^ c;
    ret_check->got = walk->result;
    return ret_check->expected == ret_check->got;
}

static size_t arena_size(const uint32_t *params)
{
    (void)params;
    return sizeof(struct walk);
}

static uint64_t work(const uint32_t *params)
{
    return (uint64_t)params[PARAM_ROUNDS] * params[PARAM_PIECES];
}

static uint64_t instructions(const uint32_t *params)
{
    return work(params) * PIECE_OPS + (uint64_t)params[PARAM_ROUNDS] * ROUND_OPS + 12;
}

static uint64_t branches(const uint32_t *params)
{
    return work(params) + 2 * (uint64_t)params[PARAM_ROUNDS] + 1;
}

static uint64_t taken(const uint32_t *params)
{
    return branches(params) - 1;
}

static uint64_t returns(const uint32_t *params)
{
    return (uint64_t)params[PARAM_ROUNDS] + 1;
}

static uint64_t accesses(const uint32_t *params)
{
    return 2 * (uint64_t)params[PARAM_ROUNDS] + 4;
}

WORKLOAD(walk) = {
    .name = "code-walk",
    .title = "pieces of code on 24 pages, one line each, in turn",
    .shows = "front-end bound: with more than 16 pieces the code drives itself out of the instruction cache",
    .group = WORKLOAD_ABOUT_FRONT_END,
    .kernel = "code_walk",
    .unit = "pieces",
    .unit_ops = PIECE_OPS,
    .params = {{"rounds", 1, 1000000000, 6000, "times that all pieces are walked"},
               {"pieces", 1, PIECES, PIECES, "of code, 4 KB apart; 16 fit into the instruction cache"}},
    .arena_size = arena_size,
    .prepare = prepare,
    .run = code_walk,
    .check = check,
    .work = work,
    .instructions = instructions,
    .expected = {{0x0C2, 0x00, branches}, {0x0C4, 0x00, taken}, {0x0C8, 0x00, returns}, {0x040, 0x00, accesses}},
};
