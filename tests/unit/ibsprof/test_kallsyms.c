/* The kernel's functions: what perf makes of /proc/kallsyms, moved to where the kernel was, and only of the right
 * kernel. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/ibsprof/files.h"
#include "tools/ibsprof/kallsyms.h"

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
        {0xffffffff81000000, 0x80, "first"}, /* the last one of an address */
        {0xffffffff81000080, 0x100, "second"},   {0xffffffff81000180, 0x40, "weak"},
        {0xffffffff810001c0, 0x1e40, "data"}, /* the next one is of a module: to the end of the page behind */
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

static void what_says_nothing_is_not_used(void **state)
{
    static const char *const texts[] = {
        "",
        "\n\n",
        "0000000000000000 T _text\n0000000000000000 t hidden\n",     /* to those who may not know */
        "ffffffff81000000 T elsewhere\nffffffff81000080 t second\n", /* where is _text? */
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
    assert_null(parse(text, 0x1000)); /* no place of a kernel */
}

/* perf's two layouts; another kernel's is not taken. */
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

/* As an object: its code map holds the functions that were hit, from its base on. */
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
    struct object *object = object_get(&search, "[kernel.kallsyms]_text", id, sizeof(id));
    const struct codemap *map;

    assert_int_equal(object->base, 0);
    assert_false(object_function(object, rvas[0], &start, &size, &name));
    object_use_kallsyms(object, &search, id, sizeof(id), "_text", 0xffffffff81000000);
    assert_true(object_function(object, rvas[1], &start, &size, &name));
    assert_int_equal(start, 0xffffffff81000180);
    assert_string_equal(name, "weak");
    map = object_codemap(object, rvas, 2);
    assert_int_equal(map->func_count, 2);
    assert_int_equal(map->insn_count, 0);
    assert_int_equal(object->base + map->funcs[0].rva, 0xffffffff81000000);
    assert_string_equal(map->strings + map->funcs[1].name, "weak");
    assert_null(object->path);

    /* Read once, for the modules too; and what lies elsewhere after another start is found there. */
    files_write("ids/.build-id/ab/cdef/kallsyms", "", 0);
    static const uint64_t in_module = 0xffffffffa0001020, moved = 0xffffffff93000190;
    struct object *module = object_get(&search, "[one]", NULL, 0);

    object_use_kallsyms(module, &search, id, sizeof(id), "_text", 0xffffffff81000000);
    map = object_codemap(module, &in_module, 1);
    assert_int_equal(map->func_count, 1);
    assert_string_equal(map->strings + map->funcs[0].name, "in_module");
    files_write("ids/.build-id/ab/cdef/kallsyms", text, sizeof(text) - 1);
    object_use_kallsyms(object, &search, id, sizeof(id), "_text", 0xffffffff93000000);
    map = object_codemap(object, &moved, 1);
    assert_int_equal(map->func_count, 1);
    assert_string_equal(map->strings + map->funcs[0].name, "weak");
    objects_free();
    files_remove_all();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_are_those_of_perf),
        cmocka_unit_test(what_says_nothing_is_not_used),
        cmocka_unit_test(found_by_build_id),
        cmocka_unit_test(an_object_has_them),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
