/* SPDX-License-Identifier: BSD-2-Clause */
/* * ELF files made by as and ld: which symbol names an address, where functions end, source lines, entries of the
 * procedure linkage table; and where the file of an object is searched. */
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/program.h"
#include "tools/ibsprof/symbols/elf_file.h"
#include "tools/ibsprof/symbols/object.h"
#include "tools/ibsprof/symbols/object_find.h"

static struct objects opened;

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static struct elf_file *open_elf(const char *path)
{
    const char *problem;
    struct elf_file *file = elf_file_open(path, &problem);

    if (file == NULL)
        fail_msg("%s: %s", path, problem);
    return file;
}

/* ---------------------------------------------------------------- functions */

#define FUNCTION(name_, bind_, size_)                                                                                  \
    bind_ " " name_ "\n.type " name_ ", @function\n.size " name_ ", " size_ "\n" name_ ":\n"

/* The groups have several names for one address, 16 bytes apart; the table has the name that is to be used. */
static const char groups[] = ".text\n"
                             ".type unsized, @function\nunsized:\n" FUNCTION(
                                 "sized", ".local", "4") ".p2align 4,0x90\nnop\n.p2align 4,0x90\n"             /**/
    FUNCTION("weak_name", ".weak", "4") FUNCTION("strong", ".local", "4") "nop\n.p2align 4,0x90\n"             /**/
    FUNCTION("a_local_name", ".local", "4") FUNCTION("a_global", ".globl", "4") "nop\n.p2align 4,0x90\n"       /**/
    FUNCTION("__two_before", ".globl", "4") FUNCTION("_one", ".globl", "4") "nop\n.p2align 4,0x90\n"           /**/
    FUNCTION("short", ".globl", "4") FUNCTION("longer", ".globl", "4") "nop\n.p2align 4,0x90\n"                /**/
    FUNCTION("the_first", ".local", "4") FUNCTION("thesecond", ".local", "4") "nop\n.p2align 4,0x90\n"         /**/
                                                                              "label:\nnop\n.p2align 4,0x90\n" /**/
    FUNCTION("long_one", ".local", "64") "nop\n.p2align 4,0x90\n" FUNCTION(
        "after", ".local",
        "1") "nop\n.p2align 4,0x90\n" /**/
             ".globl hid\n.hidden hid\nhid:\n.globl inside\n.internal inside\ninside:\n.type thing, "
             "@object\nthing:\nnop\n.p2align 4,0x90\n" FUNCTION(
                 "last", ".local",
                 "0") "nop\n.p2align 4,0x90\n"
                      ".set absolute, 0x401000\n.weak nowhere\n.data\n.globl datum\ndatum:\n.quad nowhere\n" FUNCTION(
                          "in_data", ".local", "4");

static void functions(void **state)
{
    static const struct elf_function wanted[] = {
        {0x401000, 4, "sized"},     {0x401010, 4, "strong"},    {0x401020, 4, "a_global"}, {0x401030, 4, "_one"},
        {0x401040, 4, "longer"},    {0x401050, 4, "the_first"}, {0x401060, 16, "label"}, /* up to the next symbol */
        {0x401070, 16, "long_one"},                         /* cut where the next function begins */
        {0x401080, 1, "after"},     {0x4010a0, 16, "last"}, /* up to the end of the section */
    };
    struct elf_file *file = open_elf(program_of("groups", groups, "", "-Ttext=0x401000 -e 0"));
    const struct elf_function *got;
    uint64_t value = 0;
    size_t count;

    for (int again = 0; again < 2; again++) {
        got = elf_file_functions(file, &count);
        assert_int_equal(count, COUNT(wanted));
        for (size_t i = 0; i < count; i++) {
            assert_string_equal(got[i].name, wanted[i].name);
            assert_int_equal(got[i].start, wanted[i].start);
            assert_int_equal(got[i].size, wanted[i].size);
        }
    }
    /* Finds a symbol of any kind by name, unless the symbol is absolute or defined elsewhere. */
    assert_true(elf_file_symbol(file, "thing", &value));
    assert_int_equal(value, 0x401090);
    assert_true(elf_file_symbol(file, "weak_name", &value));
    assert_int_equal(value, 0x401010);
    value = 7;
    assert_false(elf_file_symbol(file, "nowhere", &value));
    assert_false(elf_file_symbol(file, "absolute", &value));
    assert_false(elf_file_symbol(file, "nothing", &value));
    assert_false(elf_file_symbol(file, "", &value)); /* the name of sections */
    assert_int_equal(value, 7);
    elf_file_close(file);
}

/* Variables are found in all sections that are loaded and not executed, one for each address; those of threads are left
 * out. */
static void variables(void **state)
{
    static const struct elf_function wanted[] = {
        {0x402000, 4, "space::name"}, {0x403000, 8, "sized"}, {0x403008, 4, "cut"},
        {0x40300c, 4, "label"},       {0x403010, 16, "zero"},
    };
    struct elf_file *file = open_elf(program_of(
        "variables",
        ".text\n" FUNCTION(
            "f", ".globl",
            "1") "nop\n.section .rodata,\"a\"\n.type _ZN5space4nameE, @object\n_ZN5space4nameE: .long 1\n"
                 ".size _ZN5space4nameE, 4\n.section .tdata,\"awT\"\n.type of_threads, @object\nof_threads: .quad "
                 "1\n.size "
                 "of_threads, 8\n"
                 ".data\n.type sized, @object\n.weak other\nother:\nsized: .quad 1\n.size sized, 8\n.type cut, "
                 "@object\ncut: .long 1\n"
                 ".size cut, 100\nlabel: .long 1\n.bss\n.type zero, @object\nzero: .zero 16\n.size zero, 100\n",
        "", "-Ttext=0x401000 --section-start=.rodata=0x402000 -Tdata=0x403000 --section-start=.tdata=0x404000 -e 0"));
    const struct elf_function *got;
    size_t count;

    for (int again = 0; again < 2; again++) {
        got = elf_file_variables(file, &count);
        for (size_t i = 0; i < count && i < COUNT(wanted); i++) {
            assert_string_equal(got[i].name, wanted[i].name);
            assert_int_equal(got[i].start, wanted[i].start);
            assert_int_equal(got[i].size, wanted[i].size);
        }
        assert_int_equal(count, COUNT(wanted));
    }
    elf_file_close(file);
}

/* A size that exceeds its section is cut at the section's end. */
static void past_the_section(void **state)
{
    struct elf_file *file = open_elf(program_of(
        "past",
        ".section .text.a,\"ax\"\n" FUNCTION("f", ".local", "100") "nop\n.section .more,\"ax\"\n.p2align 4\n" FUNCTION(
            "g", ".local", "0") "nop\nnop\n",
        "", "-Ttext=0x401000 -e 0 --section-start=.more=0x401040"));
    const struct elf_function *got;
    size_t count;

    got = elf_file_functions(file, &count);
    assert_int_equal(count, 2);
    assert_int_equal(got[0].size, 1);
    assert_int_equal(got[1].start, 0x401040);
    assert_int_equal(got[1].size, 2);
    elf_file_close(file);
}

/* A library without .symtab has .dynsym, and entries that jump into other libraries. */
static void dynamic_symbols(void **state)
{
    static const char code[] = ".text\n" FUNCTION(
        "shown", ".globl", "12") "call other@plt\ncall third@plt\nret\n" FUNCTION("not_shown", ".local", "1") "nop\n";
    static const char *const options[] = {"-shared -s", "-shared -s -z ibtplt", "-shared -s -z now"};

    for (size_t i = 0; i < COUNT(options); i++) {
        const char *path = program_of("shared.so", code, "", options[i]);
        struct elf_file *file = open_elf(path);
        const struct elf_function *got;
        size_t count;
        unsigned entries = 0, shown = 0;
        char command[400], line[400];
        FILE *listing;

        got = elf_file_functions(file, &count);
        assert_false(elf_file_has_symbols(file));
        assert_true(elf_file_has_code(file));
        for (size_t k = 0; k < count; k++) {
            shown += strcmp(got[k].name, "shown") == 0;
            entries += strstr(got[k].name, "@plt") != NULL;
            assert_string_not_equal(got[k].name, "not_shown");
        }
        assert_int_equal(shown, 1);
        assert_int_equal(entries, 2);
        /* The entries are where objdump shows them. */
        snprintf(command, sizeof(command), "objdump -d %s", path);
        listing = popen(command, "r");
        while (fgets(line, sizeof(line), listing)) {
            unsigned long long address;
            char name[300];

            if (sscanf(line, "%llx <%299[^>]>:", &address, name) != 2 || (name[0] != 'o' && name[0] != 't'))
                continue;
            for (size_t k = 0; k < count; k++)
                if (strcmp(got[k].name, name) == 0) {
                    assert_int_equal(got[k].start, address);
                    entries--;
                }
        }
        pclose(listing);
        assert_int_equal(entries, 0);
        elf_file_close(file);
    }
}

/* ---------------------------------------------------------------- places */

/* Turns PT_LOAD of each segment into PT_NOTE. */
static void unload(const char *name)
{
    FILE *file = fopen(files_path(name), "r+b");
    Elf64_Ehdr header;
    Elf64_Phdr segment;

    assert_int_equal(fread(&header, sizeof(header), 1, file), 1);
    for (unsigned i = 0; i < header.e_phnum; i++) {
        fseek(file, (long)(header.e_phoff + i * sizeof(segment)), SEEK_SET);
        assert_int_equal(fread(&segment, sizeof(segment), 1, file), 1);
        segment.p_type = segment.p_type == PT_LOAD ? PT_NOTE : segment.p_type;
        fseek(file, -(long)sizeof(segment), SEEK_CUR);
        assert_int_equal(fwrite(&segment, sizeof(segment), 1, file), 1);
    }
    fclose(file);
}

static void places(void **state)
{
    static const struct {
        uint64_t offset, address; /* 0: none */
    } rows[] = {{0, 0x400000},      {0x10b, 0x40010b},  {0x10c, 0}, {0xfff, 0},
                {0x1000, 0x401000}, {0x1042, 0x401042}, {0x1043, 0}};
    static const struct {
        uint64_t address, size;
        bool there;
    } code[] = {{0x401000, 1, true},     {0x401000, 0x43, true},       {0x401000, 0x44, false}, {0x401042, 1, true},
                {0x401042, 2, false},    {0x401043, 1, false},         {0x400fff, 1, false},    {0x401020, 0x23, true},
                {0x401020, 0x24, false}, {0x401020, UINT64_MAX, false}};
    struct elf_file *file = open_elf(program_make("program.elf"));
    const uint8_t *id;
    uint64_t address;

    for (size_t i = 0; i < COUNT(rows); i++) {
        address = 0;
        assert_int_equal(elf_file_address(file, rows[i].offset, &address), rows[i].address != 0);
        assert_int_equal(address, rows[i].address);
    }
    elf_file_close(file);
    /* Without PT_LOAD these segments name no address. */
    unload("program.elf");
    file = open_elf(files_path("program.elf"));
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_false(elf_file_address(file, rows[i].offset, &address));
    for (size_t i = 0; i < COUNT(code); i++)
        assert_int_equal(elf_file_code(file, code[i].address, code[i].size) != NULL, code[i].there);
    assert_memory_equal(elf_file_code(file, 0x401016, 3), "\x8b\x04\x8e", 3);
    assert_int_equal(elf_file_build_id(file, &id), 20);
    assert_memory_equal(id, program_id, 20);
    assert_true(elf_file_has_code(file) && elf_file_has_symbols(file));
    elf_file_close(file);
    file = open_elf(program_of("bare", ".text\nnop\n", "", "-Ttext=0x401000 -e 0"));
    assert_int_equal(elf_file_build_id(file, &id), 0);
    elf_file_close(file);
}

/* Own code that is not linked is where ibsboot loads it, and has the identity that a run gives it. */
static void own_code(void **state)
{
    static const char text[] = ".globl run\nrun: call *address(%rip)\nret\n.section .text.more,\"ax\"\nmore: ret\n"
                               ".data\n.globl address\naddress: .quad more\n";
    static const struct elf_range all = {0, 0x1000};
    struct elf_file *file = open_elf(program_of("own.o", text, "-g", NULL));
    const struct elf_function *functions;
    struct elf_line *rows;
    const uint8_t *id;
    uint64_t address;
    size_t count;

    (void)state;
    functions = elf_file_functions(file, &count);
    assert_int_equal(count, 2);
    assert_string_equal(functions[0].name, "run");
    assert_int_equal(functions[0].start, 0x40);
    assert_string_equal(functions[1].name, "more");
    assert_true(elf_file_address(file, 0x41, &address));
    assert_int_equal(address, 0x41);
    assert_false(elf_file_address(file, 0x3f, &address));
    assert_memory_equal(elf_file_code(file, 0x40, 2), "\xff\x15", 2);
    assert_memory_equal(elf_file_code(file, functions[1].start, 1), "\xc3", 1);
    assert_true(elf_file_symbol(file, "address", &address));
    assert_int_equal(address & ~0xfffull, 0x1000); /* data begin a page */
    assert_int_equal(elf_file_build_id(file, &id), 20);
    assert_memory_equal(id, "ibsboot code", 12);
    rows = elf_file_lines(file, &all, 1, &count);
    assert_int_equal(rows[0].address, 0x40);
    assert_int_equal(rows[0].line, 2);
    free(rows);
    elf_file_close(file);
    file = open_elf(program_of("own.elf", text, "", "-shared -Bsymbolic"));
    assert_int_equal(elf_file_build_id(file, &id), 20);
    assert_memory_equal(id, "ibsboot code", 12);
    elf_file_close(file);
}

static void problems(void **state)
{
    static const char nop[] = ".text\nnop\n";
    char path[300];
    const char *problem = NULL;
    struct {
        const char *path, *problem;
    } rows[] = {
        {"/nowhere/at/all", "cannot be opened"},
        {"/dev/null", "is not a file"},
        {NULL, "is not an ELF file for x86-64"},                        /* text */
        {NULL, "is not linked, so that its addresses have no meaning"}, /* an object file */
        {NULL, "is not an ELF file for x86-64"},                        /* of another machine */
        {NULL, "is not an ELF file for x86-64"},                        /* an archive */
    };

    rows[2].path = strdup(files_write("text", "nothing\n", 8));
    rows[3].path = strdup(program_of("object.o", nop, "", NULL));
    rows[4].path = strdup(program_of("small", nop, "--32", "-m elf_i386 -e 0"));
    rows[5].path = strdup(files_write("lib.a", "!<arch>\n", 8));
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_null(elf_file_open(rows[i].path, &problem));
        assert_string_equal(problem, rows[i].problem);
        if (i >= 2)
            free((char *)rows[i].path);
    }
    snprintf(path, sizeof(path), "%s", files_path("folder/x"));
    *strrchr(path, '/') = '\0';
    assert_null(elf_file_open(path, &problem));
    assert_string_equal(problem, "is not a file");
    /* The pipe has no writer: opening it would block. */
    snprintf(path, sizeof(path), "%s", files_path("pipe"));
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_null(elf_file_open(path, &problem));
    assert_string_equal(problem, "is not a file");
}

/* ---------------------------------------------------------------- lines */

static void check_lines(struct elf_file *file, const struct elf_range *ranges, size_t range_count,
                        const struct elf_line *wanted, size_t count)
{
    size_t got_count;
    struct elf_line *got = elf_file_lines(file, ranges, range_count, &got_count);

    for (size_t i = 0; i < count && i < got_count; i++) {
        if (got[i].address != wanted[i].address || (wanted[i].file != NULL && got[i].line != wanted[i].line))
            fail_msg("line %d at %llx is line %d at %llx", got[i].line, (unsigned long long)got[i].address,
                     wanted[i].line, (unsigned long long)wanted[i].address);
        assert_int_equal(got[i].file == NULL, wanted[i].file == NULL);
        if (got[i].file)
            assert_string_equal(got[i].file, wanted[i].file);
    }
    assert_int_equal(got_count, count);
    free(got);
}

static void lines(void **state)
{
    static const struct elf_line hot[] = {{0x401010, "made/hot.c", 10}, {0x401011, "made/hot.c", 11},
                                          {0x401016, "made/hot.c", 13}, {0x401019, "made/hot.c", 13},
                                          {0x40101b, "made/hot.c", 12}, {0x40101f, "made/hot.c", 14}};
    static const struct elf_line cold[] = {
        {0x401030, "work/cold.c", 7}, {0x401031, "work/cold.c", 8}, {0x401033, NULL, 0}};
    struct elf_file *file = open_elf(program_make("program.elf"));
    size_t count;

    check_lines(file, &(struct elf_range){0x401010, 0x401021}, 1, hot, COUNT(hot));
    check_lines(file, &(struct elf_range){0x401030, 0x401033}, 1, cold, COUNT(cold));
    /* A row that began before the range is in force there; there are two ranges; an empty range has no row. */
    check_lines(file, &(struct elf_range){0x401017, 0x401018}, 1, &hot[2], 1);
    check_lines(file, &(struct elf_range){0x401018, 0x40101a}, 1, &hot[2], 2);
    check_lines(file, (struct elf_range[]){{0x401010, 0x401011}, {0x401020, 0x401021}}, 2,
                (struct elf_line[]){hot[0], hot[5]}, 2);
    check_lines(file, &(struct elf_range){0x401040, 0x401043}, 1, NULL, 0);
    assert_null(elf_file_lines(file, NULL, 0, &count));
    assert_int_equal(count, 0);
    elf_file_close(file);
    file = open_elf(program_of("plain", groups, "", "-Ttext=0x401000 -e 0"));
    assert_null(elf_file_lines(file, &(struct elf_range){0x401000, 0x401100}, 1, &count));
    assert_int_equal(count, 0);
    elf_file_close(file);
}

/* The units are as a compiler would write them: one has ranges, and one does not say where it is. Names begin with
 * "./"; of two rows at one address the last is in force; a sequence ends where the next one begins. */
static const char units[] =
    ".text\n.Ltext:\n.file 1 \"././a.c\"\n"
    ".loc 1 1\nnop\n.loc 1 2\n.loc 1 3\nnop\n.Lend_a:\n"
    ".section .text.b,\"ax\"\n.Lb:\n.file 2 \"b.c\"\n.loc 2 9\nnop\n.loc 2 70000\nnop\n.Lend_b:\n"
    ".section .text.c,\"ax\"\n.loc 1 5\nnop\n"
    ".section .debug_abbrev,\"\",@progbits\n.Labbrev:\n"
    ".uleb128 1,0x11\n.byte 0\n.uleb128 0x10,0x17,0x11,1,0x55,0x17,0,0\n" /* low pc, ranges */
    ".uleb128 2,0x11\n.byte 0\n.uleb128 0x10,0x17,0,0\n.uleb128 0\n"
    ".section .debug_ranges,\"\",@progbits\n.Lranges:\n.quad .Ltext,.Lend_a,.Lb,.Lend_b,0,0\n"
    ".section .debug_line,\"\",@progbits\n.Lline:\n"
    ".section .debug_info,\"\",@progbits\n.long .L1e-.L1\n.L1:.value 4\n.long .Labbrev\n.byte 8\n.uleb128 1\n.long "
    ".Lline\n"
    ".quad 0\n.long .Lranges\n.L1e:\n";

static void units_and_sequences(void **state)
{
    static const struct elf_line wanted[] = {{0x401000, "a.c", 1}, {0x401001, "a.c", 3},     {0x401002, NULL, 0},
                                             {0x401002, "b.c", 9}, {0x401003, "b.c", 70000}, {0x401004, NULL, 0},
                                             {0x401004, "a.c", 5}, {0x401005, NULL, 0}};
    struct elf_file *file = open_elf(program_of("units", units, "", "-Ttext=0x401000 -e 0"));

    check_lines(file, &(struct elf_range){0x401000, 0x401002}, 1, wanted, 3);
    check_lines(file, &(struct elf_range){0x401002, 0x401004}, 1, wanted + 2, 4);
    /* .text.c is in no range of the unit, so the unit is not searched for it. */
    check_lines(file, &(struct elf_range){0x401004, 0x401005}, 1, NULL, 0);
    check_lines(file, &(struct elf_range){0x401003, 0x401005}, 1, wanted + 4, 4);
    elf_file_close(file);
}

/* ---------------------------------------------------------------- code maps */

static void code_maps(void **state)
{
    static const struct {
        uint32_t rva, length, line;
        uint16_t func, file;
        const char *text;
    } wanted[] = {
        {0x401010, 1, 10, 0, 0, "push rbp"},
        {0x401011, 5, 11, 0, 0, "mov ecx, 0x64"},
        {0x401016, 3, 13, 0, 0, "mov eax, dword ptr [rsi+rcx*4]"},
        {0x401019, 2, 13, 0, 0, "add dword ptr [rdi], eax"},
        {0x40101b, 2, 12, 0, 0, "dec ecx"},
        {0x40101d, 2, 12, 0, 0, "jne 401016"},
        {0x40101f, 1, 14, 0, 0, "pop rbp"},
        {0x401020, 1, 14, 0, 0, "ret"},
        {0x401030, 1, 7, 1, 1, "nop"},
        {0x401031, 2, 8, 1, 1, "jmp 401010"},
        {0x401040, 1, 0, 2, 0xffff, "nop"},
        {0x401041, 2, 0, 2, 0xffff, "iretq"},
    };
    static const uint64_t rvas[] = {0x40100f, 0x401042, 0x401043}; /* between functions, in the last one, after it */
    struct object *object = object_get(&opened, NULL, program_make("program.elf"), NULL, 0);
    const struct codemap *map = object_codemap(object, rvas, 3);
    struct codemap *part;

    /* The map has all of the workloads, and other code that was hit. */
    assert_int_equal(map->insn_count, COUNT(wanted));
    assert_int_equal(map->func_count, 3);
    assert_int_equal(map->file_count, 2);
    assert_int_equal(map->text_rva, 0x401010);
    assert_int_equal(map->text_size, 0x33);
    for (size_t i = 0; i < COUNT(wanted); i++) {
        const struct codemap_insn *insn = &map->insns[i];

        assert_int_equal(insn->rva, wanted[i].rva);
        assert_int_equal(insn->length, wanted[i].length);
        assert_int_equal(insn->line, wanted[i].line);
        assert_int_equal(insn->func, wanted[i].func);
        assert_int_equal(insn->file, wanted[i].file);
        assert_string_equal(map->strings + insn->text, wanted[i].text);
    }
    assert_string_equal(map->strings + map->funcs[1].name, "cold");
    assert_string_equal(map->strings + map->files[1], "work/cold.c");
    assert_int_equal(map->funcs[1].rva, 0x401030);
    assert_int_equal(map->funcs[1].size, 3);
    /* The map can have some of the functions, in the same form. */
    part = program_part(map, 0x401011, 0x401040);
    assert_int_equal(part->func_count, 1);
    assert_int_equal(part->insn_count, 2);
    assert_int_equal(part->insns[0].rva, 0x401030);
    assert_int_equal(part->insns[0].func, 0);
    codemap_part_free(part);
    part = program_part(map, 0x401030, 0x401041);
    assert_int_equal(part->func_count, 2);
    assert_int_equal(part->insn_count, 4);
    assert_int_equal(part->insns[3].func, 1);
    codemap_part_free(part);
    codemap_part_free(NULL);
    /* The old map stays valid when a new one is made. */
    assert_int_equal(object_codemap(object, NULL, 0)->func_count, 2);
    assert_int_equal(map->func_count, 3);
    assert_string_equal(map->strings + map->insns[11].text, "iretq");
    /* FNV-1a with 64 bits gives the offset basis for no byte, and for "a nop", by hand: (basis ^ 0x90) * prime. */
    assert_int_equal(object_code_hash(object, 0x401030, 0), 0xcbf29ce484222325);
    assert_int_equal(object_code_hash(object, 0x401030, 1), (0xcbf29ce484222325 ^ 0x90) * 0x100000001b3);
    assert_int_equal(object_code_hash(object, 0x401042, 2), 0);
    objects_free(&opened);
}

/* There are bytes that are no instruction, a line number beyond 16 bits, and many functions, files and texts. */
static void odd_code(void **state)
{
    enum { FUNCTIONS = 400 };
    char *code = malloc(FUNCTIONS * 200), *at = code;
    static const uint64_t all[] = {0x401000, 0x401001};
    struct object *object =
        object_get(&opened, NULL,
                   program_of("odd", ".text\n" FUNCTION("f", ".local", "4") ".byte 0x06, 0x90, 0x0f, 0x0b\n", "",
                              "-Ttext=0x401000 -e 0"),
                   NULL, 0);
    const struct codemap *map = object_codemap(object, all, 2);
    uint64_t rvas[FUNCTIONS];

    assert_int_equal(map->func_count, 1);
    assert_int_equal(map->insn_count, 3);
    assert_string_equal(map->strings + map->insns[0].text, "(bad)");
    assert_int_equal(map->insns[0].length, 1);
    assert_int_equal(map->insns[1].rva, 0x401001);
    assert_string_equal(map->strings + map->insns[2].text, "ud2");
    at += sprintf(at, ".text\n");
    for (int i = 0; i < FUNCTIONS; i++) {
        at += sprintf(at, ".type f%d, @function\nf%d: mov $%d, %%eax\n.size f%d, 5\n", i, i, 1000 + i, i);
        rvas[i] = 0x401000 + 5 * (uint64_t)i;
    }
    object = object_get(&opened, NULL, program_of("many", code, "", "-Ttext=0x401000 -e 0"), NULL, 0);
    free(code);
    map = object_codemap(object, rvas, FUNCTIONS);
    assert_int_equal(map->func_count, FUNCTIONS);
    assert_int_equal(map->insn_count, FUNCTIONS);
    for (int i = 0; i < FUNCTIONS; i++) {
        char text[40];

        snprintf(text, sizeof(text), "mov eax, 0x%x", 1000 + i);
        assert_string_equal(map->strings + map->insns[i].text, text);
        snprintf(text, sizeof(text), "f%d", i);
        assert_string_equal(map->strings + map->funcs[map->insns[i].func].name, text);
    }
    /* Equal texts are stored once: "", 400 names and 400 instructions, of at most 16 bytes. */
    assert_true(map->strings[0] == '\0');
    objects_free(&opened);
}

/* The functions of an object are found by address. */
static void functions_of_an_object(void **state)
{
    static const struct {
        uint64_t rva, start, size;
        const char *name; /* NULL: none */
    } rows[] = {
        {0x401000, 0x401000, 8, "_start"},
        {0x401007, 0x401000, 8, "_start"},
        {0x401008, 0, 0, NULL},
        {0x401010, 0x401010, 17, "hot"},
        {0x401020, 0x401010, 17, "hot"},
        {0x401021, 0, 0, NULL},
        {0x401042, 0x401040, 3, "handler"},
        {0x401043, 0, 0, NULL},
        {0x400fff, 0, 0, NULL},
    };
    struct object *object = object_get(&opened, NULL, program_make("program.elf"), NULL, 0);
    uint64_t start, size;
    const char *name;

    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_int_equal(program_function(object, rows[i].rva, &start, &size, &name), rows[i].name != NULL);
        if (rows[i].name == NULL)
            continue;
        assert_int_equal(start, rows[i].start);
        assert_int_equal(size, rows[i].size);
        assert_string_equal(name, rows[i].name);
    }
    assert_true(object_workloads(object, &start, &size));
    assert_int_equal(start, 0x401010);
    assert_int_equal(size, 0x401040);
    object = object_get(&opened, NULL, program_of("other", groups, "", "-Ttext=0x401000 -e 0"), NULL, 0);
    assert_false(object_workloads(object, &start, &size));
    objects_free(&opened);
}

static void special_names(void **state)
{
    static const char *const special[] = {"",         "[vdso]",    "//anon",           "/dev/zero",
                                          "/memfd:x", "/SYSV0000", "anon_inode:[perf]"};
    static const char *const files[] = {"x",    "/x",    "/device",    "/memfdx",     "/memf",
                                        "/SYS", "/SYSX", "anon_inod:", "anon_inodes", "/home/[x]"};

    for (size_t i = 0; i < COUNT(special); i++)
        assert_true(object_name_is_special(special[i]));
    for (size_t i = 0; i < COUNT(files); i++)
        assert_false(object_name_is_special(files[i]));
}

/* Objects with the same name and build-id are shared. */
static void shared_objects(void **state)
{
    static const uint8_t one[20] = {1}, two[20] = {2};
    struct object *a = object_get(&opened, NULL, "/nowhere/x", one, 20),
                  *b = object_get(&opened, NULL, "/nowhere/x", two, 20),
                  *c = object_get(&opened, NULL, "/nowhere/x", NULL, 0),
                  *d = object_get(&opened, NULL, "/nowhere/y", one, 20),
                  *e = object_get(&opened, NULL, "/nowhere/x", one, 8);

    assert_true(a != b && a != c && a != d && b != c && a != e);
    assert_ptr_equal(object_get(&opened, NULL, "/nowhere/x", one, 20), a);
    assert_ptr_equal(object_get(&opened, NULL, "/nowhere/x", one, 0), c);
    assert_ptr_equal(object_get(&opened, NULL, "/nowhere/x", NULL, 20), c);
    assert_ptr_equal(object_get(&opened, NULL, "/nowhere/x", one, 21), c);
    assert_int_equal(a->build_id_size, 20);
    assert_memory_equal(a->build_id, one, 20);
    assert_string_equal(a->why_not, "no ELF file found");
    objects_free(&opened);
}

/* ---------------------------------------------------------------- where it is looked for */

#define HEX "02030405060708090a0b0c0d0e0f1011121314"

static void copy(const char *from, const char *to)
{
    char command[1200];

    snprintf(command, sizeof(command), "cp %s %s", from, files_path(to));
    assert_int_equal(system(command), 0);
}

/* Returns where the file was found, relative to the tests' folder; NULL: nowhere. */
static const char *found(const struct object_search *search, const char *name, const uint8_t *id, size_t id_size)
{
    static char path[600];
    char folder[100];
    struct object_files files;

    object_find(&files, search, name, id, id_size);
    snprintf(path, sizeof(path), "%s", files.path ? files.path : files.why_not);
    if (files.symbols != files.code)
        elf_file_close(files.symbols);
    elf_file_close(files.code);
    free(files.path);
    snprintf(folder, sizeof(folder), "build/unit/ibsprof-files/%d/", (int)getpid());
    return strstr(path, folder) ? strstr(path, folder) + strlen(folder) : path;
}

static void by_build_id(void **state)
{
    static const char *const places[] = {
        "ids/.build-id/01/" HEX "/elf",  "ids/.build-id/01/" HEX, "ids/.build-id/01/" HEX ".debug",
        "ids/.build-id/01/" HEX "/vdso", "ids/01/" HEX "/elf",    "ids/01/" HEX,
        "ids/01/" HEX ".debug"};
    char dirs[2][300], home[300], *old = strdup(getenv("HOME") ? getenv("HOME") : "");
    const char *const list[] = {dirs[0], dirs[1], NULL};
    struct object_search search = {.debug_dirs = list}, nowhere = {.symfs = NULL};

    setenv("HOME", "/nowhere", 1);
    for (size_t i = 0; i < COUNT(places); i++) {
        files_remove_all();
        snprintf(dirs[0], sizeof(dirs[0]), "%s", files_path("other"));
        snprintf(dirs[1], sizeof(dirs[1]), "%s", files_path("ids"));
        program_make("made.elf");
        copy(files_path("made.elf"), places[i]);
        unlink(files_path("made.elf"));
        assert_string_equal(found(&search, "/gone/program.elf", program_id, 20), places[i]);
        assert_string_equal(found(&search, "/gone/program.elf", program_id, 1), "no ELF file found");
        assert_string_equal(found(&search, "/gone/program.elf", program_id, 0), "no ELF file found");
        assert_string_equal(found(&nowhere, "/gone/program.elf", program_id, 20), "no ELF file found");
    }
    /* The folder is perf's own cache. A part of the build-id suffices if the file says no more. */
    files_remove_all();
    program_make("made.elf");
    snprintf(home, sizeof(home), "%s", files_path("home"));
    setenv("HOME", home, 1);
    copy(files_path("made.elf"), "home/.debug/.build-id/01/" HEX "/elf");
    assert_string_equal(found(&nowhere, "/gone/program.elf", program_id, 20), "home/.debug/.build-id/01/" HEX "/elf");
    copy(files_path("made.elf"), "home/.debug/.build-id/01/0203/elf");
    assert_string_equal(found(&nowhere, "/gone/program.elf", program_id, 3), "home/.debug/.build-id/01/0203/elf");
    unsetenv("HOME");
    assert_string_equal(found(&nowhere, "/gone/program.elf", program_id, 20), "no ELF file found");
    setenv("HOME", old, 1);
    free(old);
}

static void by_name(void **state)
{
    static const uint8_t other[20] = {9};
    char symfs[300], beside[400];
    struct object_search search = {.symfs = NULL}, near = {.symfs = NULL};

    files_remove_all();
    program_make("made.elf");
    /* The file is below --symfs, by its whole name, then by the last part of the name. */
    snprintf(symfs, sizeof(symfs), "%s", files_path("root"));
    search.symfs = symfs;
    copy(files_path("made.elf"), "root/program.elf");
    assert_string_equal(found(&search, "/usr/bin/program.elf", NULL, 0), "root/program.elf");
    copy(files_path("made.elf"), "root/usr/bin/program.elf");
    assert_string_equal(found(&search, "/usr/bin/program.elf", NULL, 0), "root//usr/bin/program.elf");
    assert_string_equal(found(&search, "/usr/bin/program.elf", other, 20), "the file found has a different build-id");
    assert_string_equal(found(&search, "/usr/bin/program.elf", program_id, 20), "root//usr/bin/program.elf");
    assert_string_equal(found(&search, "/usr/bin/", NULL, 0), "no ELF file found");
    /* The file is where its name says. */
    assert_string_equal(found(&near, files_path("made.elf"), NULL, 0), "made.elf");
    /* The file is beside the input, or in one of five folders above it, but not in the sixth. */
    files_write("0/1/2/3/4/5/6/perf.data", "", 0);
    snprintf(beside, sizeof(beside), "%s", files_path("0/1/2/3/4/5/6"));
    near.beside = beside;
    copy(files_path("made.elf"), "0/program.elf");
    assert_string_equal(found(&near, "/gone/program.elf", NULL, 0), "no ELF file found");
    copy(files_path("made.elf"), "0/1/program.elf");
    assert_string_equal(found(&near, "/gone/program.elf", NULL, 0), "0/1/program.elf");
    files_write("a/b/c/d/perf.data", "", 0);
    snprintf(beside, sizeof(beside), "%s", files_path("a/b/c/d"));
    copy(files_path("made.elf"), "a/b/program.elf");
    assert_string_equal(found(&near, "/gone/program.elf", NULL, 0), "a/b/program.elf");
    copy(files_path("made.elf"), "a/b/c/program.elf");
    assert_string_equal(found(&near, "/gone/program.elf", NULL, 0), "a/b/c/program.elf");
    copy(files_path("made.elf"), "a/b/c/d/program.elf");
    assert_string_equal(found(&near, "/gone/program.elf", NULL, 0), "a/b/c/d/program.elf");
    snprintf(beside, sizeof(beside), "%s", files_path("a/b/c/d/perf.data"));
    assert_string_equal(found(&near, "program.elf", NULL, 0), "a/b/c/d/program.elf");
    snprintf(beside, sizeof(beside), "/");
    assert_string_equal(found(&near, "/gone/program.elf", NULL, 0), "no ELF file found");
    /* A name without a folder is also searched in the working directory's build folder. */
    near.beside = "/nowhere";
    assert_string_equal(found(&near, "ibsboot.elf", NULL, 0), "build/ibsboot.elf");
    assert_string_equal(found(&near, "/ibsboot.elf", NULL, 0), "no ELF file found");
    near.beside = "/"; /* even if there is an input */
    assert_string_equal(found(&near, "ibsboot.elf", NULL, 0), "build/ibsboot.elf");
    assert_string_equal(found(&near, "[heap]", NULL, 0), "it is not a file");
}

/* Code and symbols come from two files with one build-id; symbols alone are useless. */
static void debugging_information(void **state)
{
    char ids[300], command[1500], home[] = "/nowhere", *old = strdup(getenv("HOME") ? getenv("HOME") : "");
    const char *const list[] = {ids, NULL};
    struct object_search search = {.debug_dirs = list};
    struct object_files files;
    const char *names[] = {"hot", "cold"};
    struct object *object;
    uint64_t start, size;
    const char *name;

    setenv("HOME", home, 1);
    files_remove_all();
    snprintf(ids, sizeof(ids), "%s", files_path("ids"));
    snprintf(command, sizeof(command), "%s", program_make("made.elf"));
    copy(command, "ids/01/" HEX ".debug");
    snprintf(command, sizeof(command), "objcopy --only-keep-debug %s %s", files_path("made.elf"),
             files_path("ids/01/" HEX ".debug"));
    assert_int_equal(system(command), 0);
    assert_string_equal(found(&search, "/gone/program.elf", program_id, 20),
                        "only its debugging information was found");
    snprintf(command, sizeof(command), "objcopy --strip-all %s %s", files_path("made.elf"), files_path("program.elf"));
    assert_int_equal(system(command), 0);
    object_find(&files, &search, files_path("program.elf"), program_id, 20);
    assert_non_null(files.code);
    assert_non_null(files.symbols);
    assert_true(files.code != files.symbols);
    assert_true(elf_file_has_code(files.code) && !elf_file_has_symbols(files.code));
    assert_true(elf_file_has_symbols(files.symbols) && !elf_file_has_code(files.symbols));
    assert_int_equal(strcmp(files.path, files_path("program.elf")), 0);
    elf_file_close(files.code);
    elf_file_close(files.symbols);
    free(files.path);
    /* The object has the code of one file and the names of the other. */
    object = object_get(&opened, &search, files_path("program.elf"), program_id, 20);
    assert_true(program_function(object, 0x401016, &start, &size, &name));
    assert_string_equal(name, names[0]);
    assert_int_equal(object_codemap(object, (const uint64_t[]){0x401030}, 1)->insn_count, 10);
    assert_int_not_equal(object_code_hash(object, 0x401010, 17), 0);
    /* A file that was recorded without its build-id also does, by its own build-id. */
    object = object_get(&opened, &search, files_path("program.elf"), NULL, 0);
    assert_true(program_function(object, 0x401016, &start, &size, &name));
    objects_free(&opened);
    /* The stripped code is found first, then the whole file, which adds the symbols. */
    copy(files_path("program.elf"), "ids/.build-id/01/" HEX "/elf");
    copy(files_path("made.elf"), "ids/01/" HEX ".debug");
    object_find(&files, &search, "/gone/program.elf", program_id, 20);
    assert_non_null(strstr(files.path, "ids/.build-id/01/" HEX "/elf"));
    assert_true(files.code != files.symbols && elf_file_has_symbols(files.symbols));
    elf_file_close(files.code);
    elf_file_close(files.symbols);
    free(files.path);
    setenv("HOME", old, 1);
    free(old);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions),
        cmocka_unit_test(variables),
        cmocka_unit_test(past_the_section),
        cmocka_unit_test(dynamic_symbols),
        cmocka_unit_test(places),
        cmocka_unit_test(own_code),
        cmocka_unit_test(problems),
        cmocka_unit_test(lines),
        cmocka_unit_test(units_and_sequences),
        cmocka_unit_test(code_maps),
        cmocka_unit_test(odd_code),
        cmocka_unit_test(functions_of_an_object),
        cmocka_unit_test(special_names),
        cmocka_unit_test(shared_objects),
        cmocka_unit_test(by_build_id),
        cmocka_unit_test(by_name),
        cmocka_unit_test(debugging_information),
    };

    return cmocka_run_group_tests(tests, NULL, files_end);
}
