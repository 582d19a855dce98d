/* SPDX-License-Identifier: BSD-2-Clause */
/* ELF files: what is found where, what they contain, and that damaged files do no harm. */
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

#include "core/base/rng.h"
#include "tests/unit/ibsprof/program.h"
#include "tools/ibsprof/symbols/demangle.h"
#include "tools/ibsprof/symbols/elf_file.h"
#include "tools/ibsprof/symbols/object.h"

static struct objects opened;

static const char *const image = "build/ibsboot.elf";
static char folder[] = "/tmp/ibsprof-object-XXXXXX";

static int make_folder(void **state)
{
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    char command[100];

    objects_free(&opened);
    snprintf(command, sizeof(command), "rm -rf %s", folder);
    return system(command);
}

static char *read_image(size_t *ret_size)
{
    FILE *file = fopen(image, "rb");
    char *bytes;

    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *ret_size = (size_t)ftell(file);
    rewind(file);
    bytes = malloc(*ret_size);
    assert_int_equal(fread(bytes, 1, *ret_size, file), *ret_size);
    fclose(file);
    return bytes;
}

static void write_file(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

static void knows_the_image(void **state)
{
    struct object *object = object_get(&opened, NULL, image, NULL, 0);
    uint64_t start, end, function, size, rva;
    const struct codemap *map;
    const char *name;

    assert_string_equal(object->path, image);
    assert_null(object->why_not);
    assert_true(object_workloads(object, &start, &end));
    assert_true(program_function(object, start, &function, &size, &name));
    assert_int_equal(function, start);
    assert_true(program_function(object, start + size - 1, &function, &size, &name));
    assert_int_equal(function, start);
    assert_false(program_function(object, 0, &function, &size, &name));
    assert_true(object_address(object, start, &rva)); /* linked so that offsets in the file are addresses */
    assert_int_equal(rva, start);
    map = object_codemap(object, NULL, 0);
    assert_true(map->insn_count > 100);
    for (uint32_t i = 1; i < map->insn_count; i++) {
        assert_true(map->insns[i].rva > map->insns[i - 1].rva);
        if (map->insns[i].func == map->insns[i - 1].func)
            assert_int_equal(map->insns[i].rva, map->insns[i - 1].rva + map->insns[i - 1].length);
    }
    assert_string_equal(map->strings + map->files[map->insns[0].file], "workloads/matmul/matmul_classic.c");
    assert_int_not_equal(object_code_hash(object, start, 16), 0);
    assert_int_not_equal(object_code_hash(object, start, 16), object_code_hash(object, start + 1, 16));
    assert_int_equal(object_code_hash(object, 0x7fffffff, 16), 0);
    assert_ptr_equal(object_get(&opened, NULL, image, NULL, 0), object);
}

/* The ELF file saved with a run names all code as the complete one does: functions, lines, instructions and bytes. */
static void knows_as_much_from_a_run(void **state)
{
    enum { EVERY = 16, PLACES = 40000 };
    struct object *object[2] = {object_get(&opened, NULL, image, NULL, 0),
                                object_get(&opened, NULL, "build/ibsboot-run.elf", NULL, 0)};
    const struct codemap *map[2];
    uint64_t at[2][2], *rvas = malloc(PLACES * sizeof(*rvas));
    uint32_t named = 0;

    for (int i = 0; i < 2; i++) {
        assert_true(object_workloads(object[i], &at[i][0], &at[i][1]));
        for (uint32_t place = 0; place < PLACES; place++)
            rvas[place] = (uint64_t)EVERY * place;
        map[i] = object_codemap(object[i], rvas, PLACES);
    }
    assert_memory_equal(at[0], at[1], sizeof(at[0]));
    assert_int_equal(map[0]->func_count, map[1]->func_count);
    assert_int_equal(map[0]->insn_count, map[1]->insn_count);
    for (uint32_t i = 0; i < map[0]->func_count; i++) {
        const struct codemap_func *a = &map[0]->funcs[i], *b = &map[1]->funcs[i];

        assert_string_equal(map[0]->strings + a->name, map[1]->strings + b->name);
        assert_int_equal(object_code_hash(object[0], a->rva, a->size), object_code_hash(object[1], b->rva, b->size));
    }
    for (uint32_t i = 0; i < map[0]->insn_count; i++) {
        const struct codemap_insn *a = &map[0]->insns[i], *b = &map[1]->insns[i];

        assert_int_equal(a->rva, b->rva);
        assert_int_equal(a->line, b->line);
        assert_string_equal(map[0]->strings + a->text, map[1]->strings + b->text);
        if (a->file != UINT16_MAX && b->file != UINT16_MAX)
            assert_string_equal(map[0]->strings + map[0]->files[a->file], map[1]->strings + map[1]->files[b->file]);
        named += a->line > 0;
    }
    assert_true(map[0]->func_count > 500 && named > 50000);
    free(rvas);
}

static void maps_only_what_was_hit(void **state)
{
    struct object *object = object_get(&opened, NULL, "/proc/self/exe", NULL, 0);
    uint64_t start, size, rvas[1];
    const struct codemap *map;
    const char *name;
    size_t count;
    const struct elf_function *functions;
    const char *problem;
    struct elf_file *file = elf_file_open("/proc/self/exe", &problem);

    assert_non_null(file);
    functions = elf_file_functions(file, &count);
    rvas[0] = 0;
    for (size_t i = 0; i < count; i++)
        if (strcmp(functions[i].name, "maps_only_what_was_hit") == 0)
            rvas[0] = functions[i].start + 5;
    assert_true(rvas[0] != 0);
    assert_true(program_function(object, rvas[0], &start, &size, &name));
    assert_string_equal(name, "maps_only_what_was_hit");
    map = object_codemap(object, rvas, 1);
    assert_int_equal(map->func_count, 1);
    assert_string_equal(map->strings + map->funcs[0].name, "maps_only_what_was_hit");
    assert_true(map->insn_count > 20);
    assert_non_null(strstr(map->strings + map->files[map->insns[0].file], "test_object.c"));
    elf_file_close(file);
}

/* Names are demangled as by perf, and other names stay unchanged. */
static void demangles(void **state)
{
    static const struct {
        const char *name, *plain;
    } rows[] = {
        {"_ZN5space4nameEi", "space::name"},
        {"_ZNSt6vectorIiSaIiEE9push_backERKi", "std::vector<int, std::allocator<int> >::push_back"},
        {"_Z3addIdET_S0_S0_", "add<double>"},
        {"_ZN5ThingC2Ev", "Thing::Thing"},
        {"_ZThn16_N5Thing4pokeEv", "non-virtual thunk to Thing::poke()"},
        {"_Z", NULL},
        {"main", NULL},
        {"_Zebra", NULL},
        {"", NULL},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char *plain = demangle(rows[i].name);

        assert_int_equal(plain != NULL, rows[i].plain != NULL);
        if (plain)
            assert_string_equal(plain, rows[i].plain);
        free(plain);
    }
}

void named_as_in_cpp(void) __asm__("_ZN5tests5namedEv");
void named_as_in_cpp(void)
{
    __asm__ volatile("");
}

static void maps_have_demangled_names(void **state)
{
    struct object *object = object_get(&opened, NULL, "/proc/self/exe", NULL, 0);
    const char *problem;
    struct elf_file *file = elf_file_open("/proc/self/exe", &problem);
    const struct codemap *map;
    uint64_t rva = 0;

    assert_true(elf_file_symbol(file, "_ZN5tests5namedEv", &rva));
    map = object_codemap(object, &rva, 1);
    assert_int_equal(map->func_count, 1);
    assert_string_equal(map->strings + map->funcs[0].name, "tests::named");
    elf_file_close(file);
}

/* The object names all entries that objdump names, and no others. */
static void names_plt_entries(void **state)
{
    FILE *listing = popen("objdump -d -j .plt -j .plt.got -j .plt.sec /proc/$PPID/exe 2>/dev/null", "r");
    const char *problem;
    struct elf_file *file = elf_file_open("/proc/self/exe", &problem);
    const struct elf_function *functions;
    size_t count, entries = 0, seen = 0;
    char line[1000];

    assert_non_null(listing);
    functions = elf_file_functions(file, &count);
    for (size_t i = 0; i < count; i++)
        entries += strstr(functions[i].name, "@plt") != NULL;
    while (fgets(line, sizeof(line), listing)) {
        unsigned long long address;
        char name[900];
        size_t i = 0;

        if (sscanf(line, "%llx <%899[^>]>:", &address, name) != 2 || strstr(name, "@plt") == NULL || name[0] == '*' ||
            strstr(name, "@plt-"))
            continue;
        while (i < count && functions[i].start != address)
            i++;
        if (i == count)
            fail_msg("%llx %s is not there", address, name);
        assert_string_equal(functions[i].name, name);
        assert_in_range(functions[i].size, 6, 16);
        seen++;
    }
    pclose(listing);
    assert_in_range(seen, 20, 10000);
    assert_int_equal(seen, entries);
    elf_file_close(file);
}

/* A file is found by build-id in folders as perf and distributions have them; a file with another build-id is
 * refused. */
static void is_found_by_build_id(void **state)
{
    const char *problem, *dirs[] = {folder, NULL};
    struct elf_file *file = elf_file_open(image, &problem);
    struct object_search search = {.debug_dirs = dirs};
    const uint8_t *id;
    uint8_t other[20] = {1};
    char path[200], hex[50];
    struct object *object;
    size_t size, bytes_size;
    char *bytes = read_image(&bytes_size);

    assert_non_null(file);
    size = elf_file_build_id(file, &id);
    assert_int_equal(size, 20);
    for (size_t i = 0; i < size; i++)
        sprintf(hex + 2 * i, "%02x", id[i]);
    snprintf(path, sizeof(path), "mkdir -p %s/.build-id/%.2s/%s", folder, hex, hex + 2);
    assert_int_equal(system(path), 0);
    snprintf(path, sizeof(path), "%s/.build-id/%.2s/%s/elf", folder, hex, hex + 2);
    write_file(path, bytes, bytes_size);
    object = object_get(&opened, &search, "/gone/ibsboot.elf", id, size);
    assert_string_equal(object->path, path);
    object = object_get(&opened, &search, image, other, sizeof(other));
    assert_null(object->path);
    assert_string_equal(object->why_not, "the file found has a different build-id");
    object = object_get(&opened, &search, "/gone/ibsboot.elf", other, sizeof(other));
    assert_string_equal(object->why_not, "no ELF file found");
    /* Only the vDSO is kept by perf, of all memory that was mapped without a file. */
    assert_string_equal(object_get(&opened, &search, "[vdso]", id, size)->path, path);
    assert_string_equal(object_get(&opened, &search, "[heap]", id, size)->why_not, "it is not a file");
    object = object_get(&opened, &search, "[vdso]", NULL, 0);
    assert_string_equal(object->why_not, "it is not a file");
    free(bytes);
    elf_file_close(file);
}

/* Any file in a folder that was named is found, whatever its name; files that are no ELF files are ignored. */
static void is_found_in_a_folder(void **state)
{
    char path[400], within[250];
    const char *problem, *dirs[] = {within, NULL};
    struct elf_file *file = elf_file_open(image, &problem);
    struct object_search search = {.debug_dirs = dirs};
    const uint8_t *id;
    uint8_t other[20] = {2};
    size_t size, bytes_size;
    char *bytes = read_image(&bytes_size);

    assert_non_null(file);
    size = elf_file_build_id(file, &id);
    snprintf(within, sizeof(within), "%s/within", folder);
    snprintf(path, sizeof(path), "mkdir -p %s/folder", within);
    assert_int_equal(system(path), 0);
    snprintf(path, sizeof(path), "%s/notes", within);
    write_file(path, "\177EL", 3);
    snprintf(path, sizeof(path), "%s/of yesterday", within);
    write_file(path, bytes, bytes_size);
    assert_string_equal(object_get(&opened, &search, "/gone/in-a-folder.elf", id, size)->path, path);
    assert_null(object_get(&opened, &search, "/gone/in-a-folder.elf", other, sizeof(other))->path);
    free(bytes);
    elf_file_close(file);
}

static void use(const char *path)
{
    struct object *object = object_get(&opened, NULL, path, NULL, 0);
    uint64_t rvas[200], start;
    const struct codemap *map;

    for (uint64_t i = 0; i < 200; i++) {
        rvas[i] = 0x1000 + i * 0x61;
        (void)object_address(object, rvas[i] * 7, &start);
        (void)object_code_hash(object, rvas[i], 0x200);
    }
    map = object_codemap(object, rvas, 200);
    for (uint32_t i = 0; i < map->insn_count; i++)
        assert_true(map->insns[i].func < map->func_count);
    objects_free(&opened);
}

/* Bytes are changed at random, more often in the headers and tables than elsewhere; files are cut short, or are no ELF
 * files. */
static void damaged_files_do_no_harm(void **state)
{
    char path[100];
    size_t size;
    char *bytes = read_image(&size), *copy = malloc(size);
    struct rng rng;

    rng_seed(&rng, 5);
    snprintf(path, sizeof(path), "%s/damaged", folder);
    for (int round = 0; round < 60; round++) {
        size_t length = round % 5 == 4 ? rng_below(&rng, (uint32_t)size) : size;

        memcpy(copy, bytes, size);
        for (uint32_t n = 1 + rng_below(&rng, 30); n > 0; n--) {
            size_t within = rng_below(&rng, 3) == 0 ? size : rng_below(&rng, 2) ? 0x300 : size;
            size_t at = rng_below(&rng, (uint32_t)within);

            if (within == size && rng_below(&rng, 2)) /* section headers are at the end of the file */
                at = size - 1 - rng_below(&rng, 0x1000);
            copy[at] = (char)rng_next(&rng);
        }
        unlink(path);
        write_file(path, copy, length);
        use(path);
    }
    write_file(path, "", 0);
    use(path);
    write_file(path, "\177ELF", 4);
    use(path);
    use(folder);
    use("/dev/zero");
    free(bytes);
    free(copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_the_image),           cmocka_unit_test(knows_as_much_from_a_run),
        cmocka_unit_test(maps_only_what_was_hit),    cmocka_unit_test(demangles),
        cmocka_unit_test(maps_have_demangled_names), cmocka_unit_test(names_plt_entries),
        cmocka_unit_test(is_found_by_build_id),      cmocka_unit_test(is_found_in_a_folder),
        cmocka_unit_test(damaged_files_do_no_harm),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
