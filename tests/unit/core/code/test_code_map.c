/* SPDX-License-Identifier: BSD-2-Clause */
/* Own code's map as a file: what is read back, what is refused, and the map of code without a file. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/code/code_map.h"
#include "tests/unit/test.h"
#include "tests/unit/core/made_code.h"

enum { INSNS = 3, FUNCS = 2, FILES = 1, STRINGS = 32 };

static struct made_map {
    struct code_map_header header;
    struct codemap_insn insn[INSNS];
    struct codemap_func func[FUNCS];
    uint32_t file[FILES];
    char strings[STRINGS];
} made;
_Static_assert(sizeof(made) % 8 == 0 && offsetof(struct made_map, insn) == 48, "no gaps but at the end");

enum { MADE_SIZE = offsetof(struct made_map, strings) + STRINGS };

static char said[300];
static struct codemap map;
static uint64_t hash;

static void make(void)
{
    memset(&made, 0, sizeof(made));
    memcpy(made.strings, "run\0check\0a.c\0nop\0ret", 22);
    made.insn[0] = (struct codemap_insn){.rva = 0x1000, .text = 14, .file = 0, .line = 3, .length = 1, .ops = 1};
    made.insn[1] = (struct codemap_insn){.rva = 0x1001,
                                         .text = 18,
                                         .file = 0xffff,
                                         .length = 3,
                                         .ops = 1,
                                         .mems = 1,
                                         .mem = {{.base = 16, .index = 255, .scale = 1, .flags = 3}}};
    made.insn[2] = (struct codemap_insn){.rva = 0x1010, .text = 18, .func = 1, .length = 15, .ops = 1};
    made.func[0] = (struct codemap_func){0x1000, 4, 0};
    made.func[1] = (struct codemap_func){0x1010, 15, 4};
    made.file[0] = 10;
    code_map_seal(
        &made,
        &(struct codemap){
            .insn_count = INSNS, .func_count = FUNCS, .file_count = FILES, .text_rva = 0x1000, .text_size = 0x1f},
        STRINGS, 0x1234);
}

/* The size of a map follows from its header, that of an ELF file from the place of its section headers, and no other
 * file has a known size. */
TEST(tells_sizes_by_headers)
{
    static uint8_t elf[256] = {0x7f, 'E', 'L', 'F'};

    make();
    assert_int_equal(code_size_by_header(&made, sizeof(made)), MADE_SIZE);
    assert_int_equal(code_size_by_header(&made, MADE_SIZE), MADE_SIZE);
    assert_int_equal(code_size_by_header(&made, MADE_SIZE - 1), 0);
    elf[40] = 128; /* e_shoff; e_shnum: two headers of 64 bytes (System V ABI, "ELF Header") */
    elf[60] = 2;
    assert_int_equal(code_size_by_header(elf, 256), 256);
    assert_int_equal(code_size_by_header(elf, 255), 0);
    assert_int_equal(code_size_by_header(elf, 127), 0);
    for (unsigned i = 0; i < 4; i++) {
        elf[i]++;
        assert_int_equal(code_size_by_header(elf, 256), 0);
        elf[i]--;
    }
}

/* A whole header tells the size, a part of one does not, and no byte behind the part is read, which the sanitizers
 * would see. */
TEST(tells_sizes_by_whole_headers_only)
{
    struct code_map_header alone = {.magic = "ibsmap"};
    uint8_t elf[64] = {0x7f, 'E', 'L', 'F', [40] = 64}; /* no section headers, behind this header */

    for (unsigned whole = 0; whole < 2; whole++) {
        size_t elf_size = whole ? sizeof(elf) : sizeof(elf) / 2, map_size = whole ? sizeof(alone) : sizeof(alone) / 2;
        uint8_t *elf_there = malloc(elf_size), *map_there = malloc(map_size);

        memcpy(elf_there, elf, elf_size);
        memcpy(map_there, &alone, map_size);
        assert_int_equal(code_size_by_header(elf_there, elf_size), whole ? elf_size : 0);
        assert_int_equal(code_size_by_header(map_there, map_size), whole ? map_size : 0);
        free(elf_there);
        free(map_there);
    }
}

static bool read_map(size_t size)
{
    static uint64_t *copy;
    struct out_memory problems;

    free(copy);
    copy = malloc(size ? size : 1);
    memcpy(copy, &made, size < sizeof(made) ? size : sizeof(made));
    out_memory_init(&problems, said, sizeof(said));
    return code_map_read(copy, size, &map, &hash, &problems.out);
}

TEST(reads_what_was_sealed)
{
    make();
    assert_int_equal(code_map_size(&made.header), MADE_SIZE);
    assert_true(read_map(MADE_SIZE));
    assert_string_equal(said, "");
    assert_int_equal(hash, 0x1234);
    assert_int_equal(map.insn_count, INSNS);
    assert_int_equal(codemap_find(&map, 0x1003), 1);
    assert_string_equal(map.strings + map.funcs[map.insns[2].func].name, "check");
    assert_string_equal(map.strings + map.files[map.insns[0].file], "a.c");
    assert_string_equal(map.strings + map.insns[1].text, "ret");
    assert_int_equal(map.text_rva, 0x1000);
    assert_int_equal(map.text_size, 0x1f);
}

#define SET(member, value)                                                                                             \
    {                                                                                                                  \
        offsetof(struct made_map, member), sizeof(made.member), value                                                  \
    }

/* Each change makes a map whose checksum is right but which contradicts itself. */
static const struct {
    size_t offset, size;
    uint64_t value;
} changes[] = {
    SET(insn[0].text, STRINGS),
    SET(insn[0].func, FUNCS),
    SET(insn[0].file, FILES),
    SET(insn[0].length, 0),
    SET(insn[2].length, 16),
    SET(insn[0].length, 2),
    SET(insn[0].path, 3),
    SET(insn[0].unit, 13),
    SET(insn[0].branch, 7),
    SET(insn[0].mems, 3),
    SET(insn[0].ops, 0),
    SET(insn[0].ops, 65),
    SET(insn[0].rva, 0xfff),
    SET(insn[2].rva, 0x1011),
    SET(insn[0].target, CODE_MEMORY_MAX),
    SET(insn[1].mem[0].base, 17),
    SET(insn[1].mem[0].index, 16),
    SET(insn[1].mem[0].scale, 3),
    SET(insn[1].mem[0].flags, 4),
    SET(insn[1].func, 1),
    SET(insn[1].rva, 0x1000),
    SET(func[0].name, STRINGS),
    SET(func[0].rva, CODE_MEMORY_MAX),
    SET(func[1].rva, 0xfff),
    SET(func[1].size, CODE_MEMORY_MAX),
    SET(file[0], STRINGS),
    SET(strings[STRINGS - 1], 'x'),
    SET(strings[1], '\n'),
    SET(strings[1], 0x1b),
    SET(strings[1], 0x7f),
};

static void seal_again(void)
{
    struct code_map_header header = made.header;

    code_map_seal(&made,
                  &(struct codemap){.insn_count = header.insn_count,
                                    .func_count = header.func_count,
                                    .file_count = header.file_count,
                                    .text_rva = header.text_rva,
                                    .text_size = header.text_size},
                  header.string_bytes, header.elf_hash);
}

TEST(refuses_what_contradicts_itself)
{
    for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
        make();
        memcpy((uint8_t *)&made + changes[i].offset, &changes[i].value, changes[i].size);
        seal_again();
        if (i == 19) /* the size of the next one is smaller then */
            made.insn[2].func = 0, seal_again();
        if (read_map(MADE_SIZE) || strncmp(said, "it contradicts itself", 21) != 0)
            fail_msg("change %zu: %s", i, said);
    }
}

TEST(refuses_what_is_damaged)
{
    make();
    for (size_t size = 0; size < MADE_SIZE; size++)
        assert_false(read_map(size));
    assert_string_equal(said, "it is damaged or cut short: make it again by 'ibsprof codemap'\n");
    assert_false(read_map(MADE_SIZE + 1));
    for (size_t i = 0; i < MADE_SIZE; i++) {
        make();
        ((uint8_t *)&made)[i] ^= 0x40;
        if (i >= offsetof(struct made_map, header.elf_hash) && i < offsetof(struct made_map, header.insn_count))
            continue; /* bytes of the ELF file's identity, which the map's reader compares */
        if (i >= offsetof(struct made_map, header.text_rva) && i < 48)
            continue;
        if (read_map(MADE_SIZE))
            fail_msg("byte %zu", i);
    }
    make();
    made.header.version = 1;
    assert_false(read_map(MADE_SIZE));
    assert_string_equal(said,
                        "it has version 1, but this program reads 2: make it by 'ibsprof codemap' of this version\n");
    make();
    made.header.insn_count = 0x8000000;
    assert_false(read_map(MADE_SIZE));
    made.strings[0] = 1;
    made.header.magic[0] = 'x';
    assert_false(read_map(MADE_SIZE));
    assert_string_equal(said, "it is not a code map: make it by 'ibsprof codemap'\n");
}

/* ---------------------------------------------------------------- without a listing */

static struct code code;
static struct made_code file;

static const struct codemap *plain(void)
{
    static void *memory;
    struct out_memory problems;

    out_memory_init(&problems, said, sizeof(said));
    assert_true(code_read(&file, sizeof(file), &code, &problems.out));
    free(memory);
    memory = malloc(code_plain_size(&code));
    code_plain_make(&code, memory, &map);
    return &map;
}

TEST(shows_addresses_without_a_map)
{
    const struct codemap *of;

    made_code(&file, 0);
    file.symbol[MADE_TABLE] = file.symbol[MADE_RUN]; /* a second name for the same address */
    file.symbol[MADE_RUN].value = 0x1004;
    file.symbol[MADE_TABLE].value = 0x1004;
    file.names[file.symbol[MADE_CHECK].name] = '\n';
    of = plain();
    assert_int_equal(of->func_count, 3);
    assert_int_equal(of->insn_count, 60);
    assert_int_equal(of->text_rva, 0x1004);
    assert_int_equal(of->text_size, 60);
    assert_int_equal(codemap_find(of, 0x1003), -1);
    assert_int_equal(codemap_find(of, 0x1040), -1);
    assert_string_equal(of->strings + of->insns[codemap_find(of, 0x1011)].text, "+0x1");
    assert_string_equal(of->strings + of->funcs[of->insns[codemap_find(of, 0x1011)].func].name, "prepare");
    assert_string_equal(of->strings + of->insns[codemap_find(of, 0x103f)].text, "+0x1f");
    assert_string_equal(of->strings + of->funcs[of->insns[codemap_find(of, 0x103f)].func].name, "?heck");
    assert_int_equal(of->funcs[0].size, 12);
}

/* Functions are listed in the order of their addresses, whatever their order in the file. */
TEST(sorts_functions)
{
    static const uint32_t order[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    static const char *const names[] = {"run", "prepare", "check"};

    for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
        const struct codemap *of;

        made_code(&file, 0);
        for (unsigned k = 0; k < 3; k++)
            file.symbol[MADE_RUN + k].value = 0x1000 + 16 * order[i][k];
        of = plain();
        assert_int_equal(of->func_count, 3);
        for (unsigned k = 0; k < 3; k++) {
            const struct codemap_func *func = &of->funcs[order[i][k]];

            assert_string_equal(of->strings + func->name, names[k]);
            assert_int_equal(func->rva, 0x1000 + 16 * order[i][k]);
            assert_int_equal(func->size, order[i][k] == 2 ? 32 : 16);
        }
    }
}

/* The most functions that fit, in descending order, with the others left out: all fit into memory of the size that was
 * announced. Each begins within a group, if there are groups, and all of them end at 7 bytes. */
TEST(takes_the_most_functions)
{
    enum { MOST = 1024, MORE = 1100, NAME = 70 };
    static const uint32_t sizes[] = {15359, 15360, 15361, 15362, CODE_TEXT_MAX};
    static struct {
        struct made_code file;
        struct elf_symbol symbol[MORE];
        char names[MORE * NAME];
    } large;

    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        struct elf_section *symbols = &large.file.section[MADE_SYMBOLS], *names = &large.file.section[MADE_NAMES];
        uint32_t end = 0x1000 + sizes[i], group = i < 2 ? 1 : i < 4 ? 2 : 128;
        struct out_memory problems;
        char name[NAME];
        void *memory;

        memset(&large, 0, sizeof(large));
        made_code(&large.file, 0);
        large.file.segment[1].memory_size = large.file.segment[2].memory_size = 0;
        large.file.segment[1].file_size = large.file.segment[2].file_size = 0;
        large.file.segment[0].memory_size = sizes[i];
        symbols->offset = offsetof(typeof(large), symbol);
        symbols->size = sizeof(large.symbol);
        names->offset = offsetof(typeof(large), names);
        names->size = sizeof(large.names);
        for (unsigned k = 0; k < MORE; k++) {
            large.symbol[k] =
                (struct elf_symbol){.name = k * NAME, .info = 0x12, .section = MADE_TEXT, .value = end - 7 * (k + 1)};
            snprintf(large.names + k * NAME, NAME, k ? "%066u" : "run", k);
        }
        out_memory_init(&problems, said, sizeof(said));
        if (!code_read(&large, sizeof(large), &code, &problems.out))
            fail_msg("%s", said);
        /* no more than an offset of eight megabytes, the longest, and the longest name need */
        assert_int_equal(code_plain_size(&code),
                         (sizes[i] / group + MOST) * (sizeof(struct codemap_insn) + sizeof("+0x7fffff")) +
                             MOST * (sizeof(struct codemap_func) + 64));
        memory = malloc(code_plain_size(&code));
        code_plain_make(&code, memory, &map);
        assert_int_equal(map.func_count, MOST);
        assert_int_equal(map.text_size, 7 * MOST);
        assert_int_equal(map.insn_count, MOST * ((7 + group - 1) / group));
        for (uint32_t k = 0; k < MOST; k++) {
            snprintf(name, sizeof(name), k == MOST - 1 ? "run" : "%063u", (MOST - 1 - k) / 1000);
            assert_string_equal(map.strings + map.funcs[k].name, name);
            assert_int_equal(map.funcs[k].rva, end - 7 * (MOST - k));
            assert_int_equal(map.funcs[k].size, 7);
        }
        for (uint32_t k = 0; k < map.insn_count; k++) {
            const struct codemap_insn *insn = &map.insns[k];

            snprintf(name, sizeof(name), "+0x%x", insn->rva - map.funcs[insn->func].rva);
            assert_string_equal(map.strings + insn->text, name);
            assert_int_equal(insn->rva + insn->length, k + 1 < map.insn_count ? map.insns[k + 1].rva : end);
        }
        free(memory);
    }
}

/* The most code that fits: bytes in groups, in memory of the size that was announced. */
TEST(groups_bytes_of_much_code)
{
    const struct codemap *of;

    made_code(&file, 0);
    file.segment[1].memory_size = file.segment[2].memory_size = 0;
    file.segment[1].file_size = file.segment[2].file_size = 0;
    file.segment[0].memory_size = CODE_TEXT_MAX;
    of = plain();
    assert_in_range(of->insn_count, 8000, CODE_MAP_INSNS_MAX);
    assert_int_equal(of->insns[of->insn_count - 1].rva - of->insns[of->insn_count - 2].rva, 128);
    assert_true(codemap_find(of, 0x1000 + CODE_TEXT_MAX - 1) >= 0);
    /* No group reaches beyond its function: run and prepare have 16 bytes. */
    assert_int_equal(of->insns[0].length, 16);
    assert_int_equal(of->insns[1].rva, 0x1010);
    assert_int_equal(of->insns[1].length, 16);
    for (uint32_t i = 0; i < of->insn_count; i++)
        assert_int_equal(of->insns[i].rva + of->insns[i].length,
                         i + 1 < of->insn_count ? of->insns[i + 1].rva : 0x1000 + CODE_TEXT_MAX);
}

/* ---------------------------------------------------------------- what is refused by a listing */

TEST(knows_what_changes_the_machine)
{
    static const char *const taken[] = {"rdtsc",       "cpuid",         "int3",         "popfq",    "rdpmc",
                                        "xgetbv",      "mov rax, cr0",  "mov ax, ds",   "",         "rep",
                                        "rep movsb",   "imul rax, rcx", "inc rax",      "ret",      "mov rax, 0x10",
                                        "insertps x0", "movss xmm0, x", "jmp rax",      "(bad)",    "intx",
                                        "repne scasb", "std",           "rdfsbase rax", "syscalls", "call run"};
    static const struct {
        const char *text, *why;
    } refused[] = {
        {"cli", "it changes the processor's state"},
        {"sti", "it changes the processor's state"},
        {"hlt", "it changes the processor's state"},
        {"lgdt tbyte ptr [rax]", "it changes the processor's state"},
        {"lidt tbyte ptr [rax]", "it changes the processor's state"},
        {"ltr ax", "it changes the processor's state"},
        {"lmsw ax", "it changes the processor's state"},
        {"invlpg byte ptr [rax]", "it changes the processor's state"},
        {"wbinvd", "it changes the processor's state"},
        {"iretq", "it changes the processor's state"},
        {"wrmsr", "it accesses system registers"},
        {"rdmsr", "it accesses system registers"},
        {"xsetbv", "it accesses system registers"},
        {"mov cr0, rax", "it accesses system registers"},
        {"mov cr4, rax", "it accesses system registers"},
        {"mov dr7, rax", "it accesses system registers"},
        {"mov ss, ax", "it changes a segment register"},
        {"pop gs", "it changes a segment register"},
        {"jmp fword ptr [rax]", "it changes a segment register"},
        {"syscall", "there is no system to call here"},
        {"sysenter", "there is no system to call here"},
        {"int 0x80", "there is no system to call here"},
        {"in al, 0x60", "it reaches devices"},
        {"out dx, al", "it reaches devices"},
        {"rep outsd", "it reaches devices"},
    };

    assert_null(code_forbidden(""));
    for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++)
        if (code_forbidden(taken[i]))
            fail_msg("%s", taken[i]);
    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
        if (!code_forbidden(refused[i].text) || strcmp(code_forbidden(refused[i].text), refused[i].why) != 0)
            fail_msg("%s", refused[i].text);
}

TEST(finds_the_first_that_is_refused)
{
    struct out_memory problems;

    made_code(&file, 0);
    (void)plain();
    make();
    assert_true(read_map(MADE_SIZE));
    out_memory_init(&problems, said, sizeof(said));
    assert_false(code_find_forbidden(&code, &map, &problems.out));
    assert_string_equal(said, "");
    memcpy(made.strings + 18, "sti", 3); /* for "ret", of the second and the third */
    seal_again();
    assert_true(read_map(MADE_SIZE));
    out_memory_init(&problems, said, sizeof(said));
    assert_true(code_find_forbidden(&code, &map, &problems.out));
    assert_string_equal(said, "run+0x1, sti: it changes the processor's state: leave it out\n");
}

RUN_TESTS(NULL, NULL)
