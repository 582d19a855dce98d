/* Code maps of a run's CSV files: rows in any order, of several runs, and files that are none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tools/ibsprof/csv_map.h"
#include "tools/ibsprof/object.h"

#define HEAD "rva,function,file,line,instruction,F100 [samples]\n"

static bool read_text(struct csv_map *map, const char *text)
{
    FILE *file = fmemopen((char *)text, strlen(text), "r");
    bool good = csv_map_read(map, file);

    fclose(file);
    return good;
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
    assert_int_equal(map.map.insns[1].length, 1); /* the next one is too far away to tell */
    assert_int_equal(map.map.insns[2].file, UINT16_MAX);
    assert_int_equal(map.map.func_count, 2);
    assert_string_equal(map.map.strings + map.map.funcs[0].name, "hot");
    assert_int_equal(map.map.funcs[0].size, 3);
    assert_int_equal(map.map.funcs[1].rva, 0x30);
    assert_int_equal(map.map.insns[2].func, 1);
    csv_map_free(&map);
}

/* Two runs of one image that sampled other functions: an object has those of both, and what was made before stays. */
static void of_two_runs(void **state)
{
    static const char *const texts[] = {HEAD "0x10,hot,a.c,7,ret,5\n",
                                        HEAD "0x10,hot,a.c,7,ret,1\n0x20,cold,a.c,9,nop,1\n"};
    struct object *object = object_get(NULL, "gone-for-csv.elf", NULL, 0);
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
    objects_free();
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
        cmocka_unit_test(map_of_rows),
        cmocka_unit_test(of_two_runs),
        cmocka_unit_test(no_map),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
