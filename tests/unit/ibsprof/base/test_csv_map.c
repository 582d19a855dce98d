/* SPDX-License-Identifier: BSD-2-Clause */
/* Code maps from a run's CSV files: rows in any order, rows of several runs, and files that are no CSV of a run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tools/ibsprof/base/csv_map.h"
#include "tools/ibsprof/symbols/object.h"

static struct objects opened;

#define HEAD "rva,function,file,line,instruction,F100 [samples]\n"

static bool read_text(struct csv_map *map, const char *text)
{
    FILE *file = fmemopen((char *)text, strlen(text), "r");
    bool good = csv_map_read(map, file);

    fclose(file);
    return good;
}

/* Fields may be quoted, with quotes doubled in them (RFC 4180). */
static void cut(void **state)
{
    static const struct {
        const char *line;
        unsigned most, count;
        const char *fields[3];
    } rows[] = {{"", 3, 1, {""}},
                {"a", 1, 1, {"a"}},
                {"a,bc", 3, 2, {"a", "bc"}},
                {",", 3, 2, {"", ""}},
                {"\"x, y\",z", 3, 2, {"x, y", "z"}},
                {"a,\"\"\"b\"\"\"", 3, 2, {"a", "\"b\""}},
                {"\"\",\"\"", 3, 2, {"", ""}},
                {"a\"b,c", 3, 2, {"a\"b", "c"}}, /* the field does not begin with a quote */
                {"a,b,c", 3, 3, {"a", "b", "c"}},
                {"a,b,c", 2, 0, {NULL}},
                {"a,\"b", 3, 0, {NULL}},
                {"\"a\"b,c", 3, 0, {NULL}}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char line[40], *fields[3];

        snprintf(line, sizeof(line), "%s", rows[i].line);
        assert_int_equal(csv_cut(line, fields, rows[i].most), rows[i].count);
        for (unsigned k = 0; k < rows[i].count; k++)
            assert_string_equal(fields[k], rows[i].fields[k]);
    }
}

/* Instructions are as far apart as the longest instruction, or farther; names of functions are repeated; there are no
 * rows. */
static void ends_of_rows(void **state)
{
    struct csv_map map = {0}, none = {0};

    assert_true(read_text(&map, HEAD "0x10,a,x.c,1,nop,1\n0x1f,a,x.c,1,nop,1\n0x2f,b,x.c,2,nop,1\n0x30,a,,0,ret,1\n"
                                     "0x30,again,,0,nop,1\n0x31,a,,0,cut shor"));
    csv_map_finish(&map);
    assert_int_equal(map.map.insn_count, 4);
    assert_int_equal(map.map.insns[0].length, 15);
    assert_int_equal(map.map.insns[1].length, 1); /* 16 bytes are too long for an instruction */
    assert_int_equal(map.map.insns[3].length, 1);
    assert_int_equal(map.map.file_count, 1);
    assert_int_equal(map.map.func_count, 3); /* in the order of addresses: a, b, and a again */
    assert_int_equal(map.map.funcs[0].size, 0x10);
    assert_int_equal(map.map.funcs[1].rva, 0x2f);
    assert_int_equal(map.map.funcs[1].size, 1);
    assert_int_equal(map.map.funcs[2].rva, 0x30);
    assert_string_equal(map.map.strings + map.map.funcs[2].name, "a");
    assert_string_equal(map.map.strings + map.map.insns[3].text, "ret"); /* the first of equal addresses */
    assert_int_equal(map.map.insns[2].func, 1);
    csv_map_free(&map);
    assert_true(read_text(&none, HEAD));
    csv_map_finish(&none);
    assert_int_equal(none.map.insn_count, 0);
    assert_int_equal(none.map.func_count, 0);
    assert_string_equal(none.map.strings, "");
    csv_map_free(&none);
}

/* An address with several rows is there once. */
static void once(void **state)
{
    struct csv_map map = {0};

    assert_true(
        read_text(&map, HEAD "0x20,a,x.c,2,ret,1\n0x10,a,x.c,1,nop,1\n0x10,b,x.c,1,hlt,1\n0x10,c,x.c,1,ud2,1\n"));
    csv_map_finish(&map);
    assert_int_equal(map.map.insn_count, 2);
    assert_int_equal(map.map.insns[0].rva, 0x10);
    assert_int_equal(map.map.insns[1].rva, 0x20);
    assert_string_equal(map.map.strings + map.map.insns[0].text, "nop");
    assert_int_equal(map.map.func_count, 1);
    csv_map_free(&map);
}

static void map_of_rows(void **state)
{
    struct csv_map map = {0};

    assert_true(read_text(&map, "# MODEL: x\n" HEAD "0x30,cold,,,nop,0\n0x10,hot,a.c,7,\"mov eax, ebx\",5\n"
                                "0x12,hot,b.c,8,ret,0\n,(outside the map),,,,9\n"));
    csv_map_finish(&map);
    assert_int_equal(map.map.insn_count, 3);
    assert_int_equal(map.map.insns[0].rva, 0x10);
    assert_int_equal(map.map.insns[0].length, 2);
    assert_int_equal(map.map.insns[0].line, 7);
    assert_string_equal(map.map.strings + map.map.insns[0].text, "mov eax, ebx");
    assert_string_equal(map.map.strings + map.map.files[map.map.insns[1].file], "b.c");
    assert_int_equal(map.map.insns[1].length, 1); /* the next instruction is too far away to tell */
    assert_int_equal(map.map.insns[2].file, UINT16_MAX);
    assert_int_equal(map.map.func_count, 2);
    assert_string_equal(map.map.strings + map.map.funcs[0].name, "hot");
    assert_int_equal(map.map.funcs[0].size, 3);
    assert_int_equal(map.map.funcs[1].rva, 0x30);
    assert_int_equal(map.map.insns[2].func, 1);
    csv_map_free(&map);
}

/* Two runs of one image sampled different functions: an object has those of both, and its earlier map stays. */
static void of_two_runs(void **state)
{
    static const char *const texts[] = {HEAD "0x10,hot,a.c,7,ret,5\n",
                                        HEAD "0x10,hot,a.c,7,ret,1\n0x20,cold,a.c,9,nop,1\n"};
    struct object *object = object_get(&opened, NULL, "gone-for-csv.elf", NULL, 0);
    const struct codemap *maps[2];

    for (int i = 0; i < 2; i++) {
        FILE *file = fmemopen((char *)texts[1 - i], strlen(texts[1 - i]), "r");

        assert_true(object_use_csv(object, file));
        fclose(file);
        maps[i] = object_codemap(object, NULL, 0);
        assert_true(object->listed);
    }
    for (int i = 0; i < 2; i++) {
        assert_int_equal(maps[i]->insn_count, 2);
        assert_int_equal(maps[i]->func_count, 2);
        assert_int_equal(codemap_find(maps[i], 0x20), 1);
    }
    assert_string_equal(maps[0]->strings + maps[0]->funcs[1].name, "cold");
    objects_free(&opened);
}

static void no_map(void **state)
{
    static const char *const texts[] = {"x",
                                        "a,b,c,d,e,f\n",
                                        HEAD "0x10,hot\n",
                                        "rva,function,file,line,instruction\n",
                                        HEAD "0x100000000,hot,,,ret,1\n",
                                        HEAD "0x10,\"hot,,,ret,1\n"};

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct csv_map map = {0};

        assert_false(read_text(&map, texts[i]));
        csv_map_free(&map);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cut),         cmocka_unit_test(ends_of_rows), cmocka_unit_test(once),
        cmocka_unit_test(map_of_rows), cmocka_unit_test(of_two_runs),  cmocka_unit_test(no_map),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
