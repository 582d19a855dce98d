/*
 * Little pieces of code, each on a page of its own: what it costs when code does not stay in the instruction TLB.
 *
 * 40 pieces jump to one another in turn. Family 10h's first instruction TLB has 32 entries for 4 KB pages and 16 for 2
 * MB pages, the second one 512 for 4 KB pages (AMD Software Optimization Guide 40546, appendix A). By 4 KB pages
 * (code_pages=4k, and always under Linux) up to 30 pieces stay in the first one; of 40, in turn, none does. By 2 MB
 * pages, which firmware mostly has, all are on one. In the instruction cache the pieces' lines are as much in each
 * other's way as those of code-walk, by either size of pages.
 */
#include "workloads/workload.h"

enum {
    PARAM_ROUNDS = 0,
    PARAM_PIECES = 1,
    PIECES = 40,
    PIECE_OPS = 18,
    ROUND_OPS = 3, /* the call and the loop around it */
};

struct pages {
    uint64_t result;
};

/* A piece begins in the last line of a page and runs on into the next one, where it jumps to the end of that. So each
 * page is come to by a fetch behind another one, and those are what IBS samples: the fetch of a jump's target hardly
 * ever is. What is between the pieces is filled with int3. */
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

/* clang-format off */
PIECE(0, "jmp code_pages_1") PIECE(1, "jmp code_pages_2") PIECE(2, "jmp code_pages_3") PIECE(3, "jmp code_pages_4")
PIECE(4, "jmp code_pages_5") PIECE(5, "jmp code_pages_6") PIECE(6, "jmp code_pages_7") PIECE(7, "jmp code_pages_8")
PIECE(8, "jmp code_pages_9") PIECE(9, "jmp code_pages_10") PIECE(10, "jmp code_pages_11") PIECE(11, "jmp code_pages_12")
PIECE(12, "jmp code_pages_13") PIECE(13, "jmp code_pages_14") PIECE(14, "jmp code_pages_15") PIECE(15, "jmp code_pages_16")
PIECE(16, "jmp code_pages_17") PIECE(17, "jmp code_pages_18") PIECE(18, "jmp code_pages_19") PIECE(19, "jmp code_pages_20")
PIECE(20, "jmp code_pages_21") PIECE(21, "jmp code_pages_22") PIECE(22, "jmp code_pages_23") PIECE(23, "jmp code_pages_24")
PIECE(24, "jmp code_pages_25") PIECE(25, "jmp code_pages_26") PIECE(26, "jmp code_pages_27") PIECE(27, "jmp code_pages_28")
PIECE(28, "jmp code_pages_29") PIECE(29, "jmp code_pages_30") PIECE(30, "jmp code_pages_31") PIECE(31, "jmp code_pages_32")
PIECE(32, "jmp code_pages_33") PIECE(33, "jmp code_pages_34") PIECE(34, "jmp code_pages_35") PIECE(35, "jmp code_pages_36")
PIECE(36, "jmp code_pages_37") PIECE(37, "jmp code_pages_38") PIECE(38, "jmp code_pages_39") PIECE(39, "ret")
    /* clang-format on */

    /* A round begins with the piece that leaves as many as are wanted, and ends with the last one's ret. */
    WORKLOAD_ASM static void code_pages(void *arena, const uint32_t *params)
{
    __asm__("mov (%rsi), %ecx\n\t"
            "mov 4(%rsi), %eax\n\t"
            "shl $12, %eax\n\t"
            "lea code_pages_39+4096(%rip), %r10\n\t"
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
    struct pages *pages = arena;

    (void)params;
    pages->result = 0;
}

static uint64_t rotate(uint64_t value, unsigned bits)
{
    return value << bits | value >> (64 - bits);
}

static bool check(const void *arena, const uint32_t *params, struct workload_check *ret_check)
{
    const struct pages *pages = arena;
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
    ret_check->expected = a ^ b ^ c;
    ret_check->got = pages->result;
    return ret_check->expected == ret_check->got;
}

static size_t arena_size(const uint32_t *params)
{
    (void)params;
    return sizeof(struct pages);
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

WORKLOAD(pages) = {
    .name = "code-pages",
    .title = "pieces of code from page to page, in turn",
    .shows = "with code_pages=4k and more than 30 pieces each one misses the first instruction TLB",
    .group = WORKLOAD_ABOUT_FRONT_END,
    .kernel = "code_pages",
    .unit = "pieces",
    .unit_ops = PIECE_OPS,
    .params = {{"rounds", 1, 1000000000, 3000, "times that all pieces are walked"},
               {"pieces", 1, PIECES, PIECES, "of code, each from one page to the next"}},
    .arena_size = arena_size,
    .prepare = prepare,
    .run = code_pages,
    .check = check,
    .work = work,
    .instructions = instructions,
    .expected = {{0x0C2, 0x00, branches}, {0x0C4, 0x00, taken}, {0x0C8, 0x00, returns}, {0x040, 0x00, accesses}},
};
