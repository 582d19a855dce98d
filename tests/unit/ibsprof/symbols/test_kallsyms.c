/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel's functions: the result that perf gets from /proc/kallsyms, moved to the kernel's place, and only for the
 * right kernel. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/program.h"
#include "tools/ibsprof/symbols/kallsyms.h"

static struct objects opened;

static const char text[] = "0000000000000000 A fixed_percpu_data\n"
                           "ffffffff81000000 T _stext\n"
                           "ffffffff81000000 T _text\n"
                           "ffffffff81000000 t first\n"
                           "ffffffff81000040 t $local\n"
                           "ffffffff81000080 t second\n"
                           "not a line\n"
                           "ffffffff81000100 r a_constant\n"
                           "ffffffff81000180 W weak\n"
                           "ffffffff810001c0 D data\n"
                           "ffffffffa0001010 t in_module\t[one]\n"
                           "ffffffffa0001050 t next_in_module\t[one]\n"
                           "ffffffffa0003000 t other\t[two]";

static struct kallsyms *parse(const char *from, uint64_t reference)
{
    return kallsyms_parse(strdup(from), "_text", reference);
}

static void functions_are_those_of_perf(void **state)
{
    static const struct elf_function wanted[] = {
        {0xffffffff81000000, 0x80, "first"}, /* the last name of an address */
        {0xffffffff81000080, 0x100, "second"},   {0xffffffff81000180, 0x40, "weak"},
        {0xffffffff810001c0, 0x1e40, "data"}, /* the next symbol belongs to a module: up to the end of the next page */
        {0xffffffffa0001010, 0x40, "in_module"}, {0xffffffffa0001050, 0x1fb0, "next_in_module"},
        {0xffffffffa0003000, 0x1000, "other"},
    };
    enum { WANTED = sizeof(wanted) / sizeof(wanted[0]) };

    for (uint64_t moved = 0; moved <= 0x12000000; moved += 0x12000000) {
        struct kallsyms *kallsyms = parse(text, 0xffffffff81000000 + moved);

        assert_non_null(kallsyms);
        assert_int_equal(kallsyms->count, WANTED);
        for (size_t i = 0; i < WANTED; i++) {
            assert_string_equal(kallsyms->functions[i].name, wanted[i].name);
            assert_int_equal(kallsyms->functions[i].start, wanted[i].start + moved);
            assert_int_equal(kallsyms->functions[i].size, wanted[i].size);
        }
        kallsyms_free(kallsyms);
    }
}

static void check(const char *from, uint64_t reference, const struct elf_function *wanted, size_t count)
{
    struct kallsyms *kallsyms = parse(from, reference);

    assert_non_null(kallsyms);
    assert_int_equal(kallsyms->count, count);
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(kallsyms->functions[i].name, wanted[i].name);
        assert_int_equal(kallsyms->functions[i].start, wanted[i].start);
        assert_int_equal(kallsyms->functions[i].size, wanted[i].size);
    }
    kallsyms_free(kallsyms);
}

/* The symbols of code, data and bss are used, and weak ones, local or not, and no others (tools/perf/util/symbol.c,
 * symbol_type__filter). */
static void types(void **state)
{
    static const struct elf_function wanted[] = {
        {0xffffffff81000000, 0x10, "_text"}, {0xffffffff81000010, 0x10, "b"}, {0xffffffff81000020, 0x10, "B"},
        {0xffffffff81000030, 0x10, "d"},     {0xffffffff81000040, 0x10, "w"}, {0xffffffff81000050, 0x1fb0, "t"}};

    check("ffffffff81000000 T _text\nffffffff81000010 b b\nffffffff81000020 B B\nffffffff81000030 d d\n"
          "ffffffff81000038 R r\nffffffff81000039 V v\nffffffff8100003a A a\nffffffff8100003b U u\n"
          "ffffffff81000040 w w\nffffffff81000050 t t\nffffffff81000060 t $x\n",
          0xffffffff81000000, wanted, 6);
}

/* Symbols may have any order; of equal addresses the last one in the file counts; symbols below the kernel's place are
 * ignored. */
static void order(void **state)
{
    static const struct elf_function wanted[] = {
        {0xffffffff81000000, 0x30, "_text"}, {0xffffffff81000030, 0x40, "z"}, {0xffffffff81000070, 0x1f90, "y"}};

    check("ffffffff81000070 t y\nffffffff81000030 t first\nffffffff81000030 t second\nffffffff81000000 T _text\n"
          "ffffffff7fffffff t below\nffffffff81000030 t third\nffffffff81000030 t z\n0000000000000010 t percpu\n",
          0xffffffff81000000, wanted, 3);
}

/* The last symbol of a module, or of all, ends with the page after its own, unless another symbol comes before. */
static void ends(void **state)
{
    static const struct elf_function wanted[] = {
        {0xffffffff81000000, 0x1000, "_text"},
        {0xffffffffa0000fff, 0x1001, "one"},   /* on the last byte of a page: up to the end of the next one */
        {0xffffffffa0003000, 0x800, "two"},    /* a symbol of another module comes before that end */
        {0xffffffffa0003800, 0x1800, "three"}, /* another symbol of the same module */
        {0xffffffffa0005000, 0x1000, "last"}};
    /* A symbol that would end behind the last address is ignored. */
    static const struct elf_function at_the_end[] = {{0xffffffff81000000, 0x7effe000, "_text"},
                                                     {0xffffffffffffe000, 0x1000, "near"}};

    check("ffffffff81000000 T _text\nffffffffa0000fff t one\t[a]\nffffffffa0003000 t two\t[b]\n"
          "ffffffffa0003800 t three\t[a]\nffffffffa0005000 t last\t[a]\n",
          0xffffffff81000000, wanted, 5);
    check("ffffffff81000000 T _text\nffffffffffffe000 t near\nfffffffffffff000 t nearer\n", 0xffffffff81000000,
          at_the_end, 2);
}

/* The symbol that tells by how much all were moved is the kernel's own, the first one, of any type. */
static void reference_symbol(void **state)
{
    static const struct elf_function wanted[] = {{0xffffffff82000000, 0x1000, "_text"},
                                                 {0xffffffffa1000000, 0x1000, "_text"}};

    check("ffffffffa0000000 t _text\t[one]\nffffffff81000000 r _text\nffffffff81000000 T _text\n"
          "ffffffff81000800 r _text\n",
          0xffffffff82000000, wanted, 2);
}

/* There are many symbols, for which room is made as they come. */
static void many(void **state)
{
    enum { COUNT = 10000 };
    char *lines = malloc(COUNT * 40ul), *at = lines;
    struct kallsyms *kallsyms;

    for (int i = 0; i < COUNT; i++)
        at += sprintf(at, "%llx T %s%d\n", 0xffffffff81000000ull + 16ull * (unsigned)i, i ? "f" : "_text", i);
    *strstr(lines, "_text0\n") = '\n'; /* a line that is too short */
    kallsyms = kallsyms_parse(lines, "f1", 0xffffffff91000010);
    assert_int_equal(kallsyms->count, COUNT - 1);
    assert_string_equal(kallsyms->functions[COUNT - 2].name, "f9999");
    assert_int_equal(kallsyms->functions[COUNT - 2].start, 0xffffffff91000000 + 16 * (COUNT - 1));
    kallsyms_free(kallsyms);
}

/* perf's own folder is searched after those of --debug-dir; without HOME there is none. */
static void found_at_home(void **state)
{
    static const uint8_t id[] = {0xab, 0xcd, 0xef};
    static const struct object_search nowhere = {.symfs = NULL};
    const char *const dirs[] = {"/nowhere", NULL};
    const struct object_search elsewhere = {.debug_dirs = dirs};
    char home[200], *old = strdup(getenv("HOME") ? getenv("HOME") : "");
    struct kallsyms *kallsyms;

    snprintf(home, sizeof(home), "%s", files_write("home/.debug/.build-id/ab/cdef/kallsyms", text, sizeof(text) - 1));
    *strstr(home, "/.debug") = '\0';
    setenv("HOME", home, 1);
    for (int i = 0; i < 2; i++) {
        kallsyms = kallsyms_find(i ? &elsewhere : &nowhere, id, sizeof(id), "_text", 0xffffffff81000000);
        assert_non_null(kallsyms);
        kallsyms_free(kallsyms);
    }
    assert_null(kallsyms_find(&nowhere, id, 1, "_text", 0xffffffff81000000));
    assert_null(kallsyms_find(&nowhere, id, 21, "_text", 0xffffffff81000000));
    unsetenv("HOME");
    assert_null(kallsyms_find(&nowhere, id, sizeof(id), "_text", 0xffffffff81000000));
    setenv("HOME", old, 1);
    free(old);
    files_remove_all();
}

/* Without a copy the running kernel's own symbols are used, if the kernel is the same. If they may not be read, nothing
 * can be tested. */
static void of_the_running_kernel(void **state)
{
    static const struct object_search nowhere = {.symfs = NULL};
    uint8_t notes[4096], id[20];
    uint64_t here = 0, second = 0;
    char line[400], name[200], type;
    FILE *file = fopen("/sys/kernel/notes", "rb");
    size_t size = file ? fread(notes, 1, sizeof(notes), file) : 0, at = 0;
    struct kallsyms *kallsyms;

    if (file)
        fclose(file);
    while (at + 36 <= size && memcmp(notes + at, "\4\0\0\0\24\0\0\0\3\0\0\0GNU", 16) != 0)
        at += 4;
    file = fopen("/proc/kallsyms", "r");
    while (file && (here == 0 || second == 0) && fgets(line, sizeof(line), file)) {
        unsigned long long value;

        if (sscanf(line, "%llx %c %199s", &value, &type, name) == 3 && strcmp(name, "_text") == 0)
            here = value;
        else if (here != 0 && value > here && (type == 't' || type == 'T') && strchr(line, '\t') == NULL)
            second = value;
    }
    if (file)
        fclose(file);
    if (at + 36 > size || here == 0 || second == 0)
        skip();
    memcpy(id, notes + at + 16, sizeof(id));
    kallsyms = kallsyms_find(&nowhere, id, sizeof(id), "_text", here);
    assert_non_null(kallsyms);
    assert_int_equal(kallsyms->functions[0].start, here);
    assert_true(kallsyms->count > 1000);
    kallsyms_free(kallsyms);
    id[19] ^= 1;
    assert_null(kallsyms_find(&nowhere, id, sizeof(id), "_text", here));
}

static void what_says_nothing_is_not_used(void **state)
{
    static const char *const texts[] = {
        "",
        "\n\n",
        "0000000000000000 T _text\n0000000000000000 t hidden\n",     /* for users without permission */
        "ffffffff81000000 T elsewhere\nffffffff81000080 t second\n", /* _text is missing */
        "ffffffff81000000",
        "ffffffff81000000 ",
        "ffffffff81000000 T",
        "ffffffff81000000 T ",
        "\t\t\t",
        "T T T",
    };

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        assert_null(parse(texts[i], 0xffffffff81000000));
    assert_null(parse(text, 0));
    assert_null(parse(text, 0x1000)); /* not a kernel's address */
}

/* perf has two layouts; the file of another kernel is not used. */
static void found_by_build_id(void **state)
{
    static const uint8_t id[] = {0xab, 0xcd, 0xef}, other[] = {0xab, 0xcd, 0xee};
    static const char *const places[] = {"ids/.build-id/ab/cdef/kallsyms", "ids/[kernel.kallsyms]/abcdef/kallsyms"};

    for (int i = 0; i < 2; i++) {
        char folder[200];
        struct kallsyms *kallsyms;

        files_remove_all();
        snprintf(folder, sizeof(folder), "%s", files_write(places[i], text, sizeof(text) - 1));
        *strstr(folder, "/ids/") = '\0';
        strcat(folder, "/ids");
        const struct object_search search = {.debug_dirs = (const char *[]){folder, NULL}};

        assert_null(kallsyms_find(&search, other, sizeof(other), "_text", 0xffffffff81000000));
        kallsyms = kallsyms_find(&search, id, sizeof(id), "_text", 0xffffffff81000000);
        assert_non_null(kallsyms);
        assert_int_equal(kallsyms->count, 7);
        kallsyms_free(kallsyms);
    }
    files_remove_all();
}

/* The kernel as an object has a code map with the functions that were hit, from its base on. */
static void an_object_has_them(void **state)
{
    static const uint8_t id[] = {0xab, 0xcd, 0xef};
    static const uint64_t rvas[] = {0xffffffff81000010, 0xffffffff81000190};
    char folder[200];
    uint64_t start, size;
    const char *name;

    snprintf(folder, sizeof(folder), "%s", files_write("ids/.build-id/ab/cdef/kallsyms", text, sizeof(text) - 1));
    *strstr(folder, "/.build-id") = '\0';
    const struct object_search search = {.debug_dirs = (const char *[]){folder, NULL}};
    struct object *object = object_get(&opened, &search, "[kernel.kallsyms]_text", id, sizeof(id));
    const struct codemap *map;

    assert_int_equal(object->base, 0);
    assert_false(program_function(object, rvas[0], &start, &size, &name));
    object_use_kallsyms(&opened, object, &search, id, sizeof(id), "_text", 0xffffffff81000000);
    assert_true(program_function(object, rvas[1], &start, &size, &name));
    assert_int_equal(start, 0xffffffff81000180);
    assert_string_equal(name, "weak");
    map = object_codemap(object, rvas, 2);
    assert_int_equal(map->func_count, 2);
    assert_int_equal(map->insn_count, 0);
    assert_int_equal(object->base + map->funcs[0].rva, 0xffffffff81000000);
    assert_string_equal(map->strings + map->funcs[1].name, "weak");
    assert_null(object->path);

    /* The file is read once, also for modules; symbols at other addresses after another boot are found there. */
    files_write("ids/.build-id/ab/cdef/kallsyms", "", 0);
    static const uint64_t in_module = 0xffffffffa0001020, moved = 0xffffffff93000190;
    struct object *module = object_get(&opened, &search, "[one]", NULL, 0);

    object_use_kallsyms(&opened, module, &search, id, sizeof(id), "_text", 0xffffffff81000000);
    map = object_codemap(module, &in_module, 1);
    assert_int_equal(map->func_count, 1);
    assert_string_equal(map->strings + map->funcs[0].name, "in_module");
    files_write("ids/.build-id/ab/cdef/kallsyms", text, sizeof(text) - 1);
    object_use_kallsyms(&opened, object, &search, id, sizeof(id), "_text", 0xffffffff93000000);
    map = object_codemap(object, &moved, 1);
    assert_int_equal(map->func_count, 1);
    assert_string_equal(map->strings + map->funcs[0].name, "weak");
    objects_free(&opened);
    files_remove_all();
}

/* A kernel's build-id has at most 20 bytes: with 21 there is none, and the object has no names. */
static void the_longest_build_id(void **state)
{
    static const uint8_t id[21] = {0xab, 0xcd};
    static const uint64_t rva = 0xffffffff81000190;
    char folder[200], name[100] = "ids/.build-id/ab/cd";

    memset(name + strlen(name), '0', 36);
    strcat(name, "/kallsyms");
    snprintf(folder, sizeof(folder), "%s", files_write(name, text, sizeof(text) - 1));
    *strstr(folder, "/.build-id") = '\0';
    const struct object_search search = {.debug_dirs = (const char *[]){folder, NULL}};
    struct object *object = object_get(&opened, &search, "[kernel.kallsyms]_text", NULL, 0);

    object_use_kallsyms(&opened, object, &search, id, 21, "_text", 0xffffffff81000000);
    assert_int_equal(object->base, 0);
    object_use_kallsyms(&opened, object, &search, id, 20, "_text", 0xffffffff81000000);
    assert_int_equal(object_codemap(object, &rva, 1)->func_count, 1);
    objects_free(&opened);
    files_remove_all();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_are_those_of_perf),
        cmocka_unit_test(types),
        cmocka_unit_test(order),
        cmocka_unit_test(ends),
        cmocka_unit_test(reference_symbol),
        cmocka_unit_test(many),
        cmocka_unit_test(found_at_home),
        cmocka_unit_test(of_the_running_kernel),
        cmocka_unit_test(what_says_nothing_is_not_used),
        cmocka_unit_test(found_by_build_id),
        cmocka_unit_test(the_longest_build_id),
        cmocka_unit_test(an_object_has_them),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
