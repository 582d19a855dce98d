/* SPDX-License-Identifier: BSD-2-Clause */
/* Code that a process made: the text that names its functions, where the text is searched, and a report with it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/perfdata/perfdata_format.h"
#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/made_linux.h"
#include "tests/unit/ibsprof/tool.h"
#include "tools/ibsprof/symbols/object.h"
#include "tools/ibsprof/symbols/perf_map.h"

enum { USER = 2, MADE = 70001, OTHER = 70002 };
#define CODE 0x7f0000010000ull

static struct kallsyms *read_text(const char *text)
{
    return perf_map_read(files_write("perf.map", text, strlen(text)));
}

static void functions(void **state)
{
    static const struct {
        uint64_t start, size;
        const char *name;
    } wanted[] = {
        {0x1000, 0x80, "first with blanks"},   /* up to the next function */
        {0x1080, 0x10, "again"},               /* the later of two lines for one address */
        {0x2000, 0x100, "LazyCompile:~a b:1"}, /* the function's own size if there is room */
        {0xffffffffffffff00, 0xff, "last"},
    };
    struct kallsyms *list = read_text("2000 100 LazyCompile:~a b:1\n"
                                      "1000 100 first with blanks\n"
                                      "1080 40 before\n"
                                      "no line\n\n3000\n3000 \n3000 10\n3000 10 \nx 10 a\n3000 x a\n"
                                      "3000 0 empty\n"
                                      "ffffffffffffff00 101 over the end\n"
                                      "1080 10 again\n"
                                      "0xffffffffffffff00 ff last");

    assert_non_null(list);
    assert_int_equal(list->count, 4);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(list->functions[i].start, wanted[i].start);
        assert_int_equal(list->functions[i].size, wanted[i].size);
        assert_string_equal(list->functions[i].name, wanted[i].name);
    }
    kallsyms_free(list);
    assert_null(read_text("nothing\n"));
    assert_null(read_text(""));
    assert_null(perf_map_read(files_path("none")));
}

static void memory(void **state)
{
    static const char *const are[] = {"//anon",    "/dev/zero (deleted)",     "/anon_hugepage (deleted)",
                                      "[stack:7]", "/SYSV00000000 (deleted)", "[heap]"};
    static const char *const are_not[] = {"[vdso]", "/usr/bin/node", "/memfd:x", "anon", "/dev/shm/x", ""};

    for (unsigned i = 0; i < 6; i++) {
        assert_true(perf_map_is_memory(are[i]));
        assert_false(perf_map_is_memory(are_not[i]));
    }
}

static void expect_path(const char *beside, uint32_t pid, const char *wanted)
{
    char *got = perf_map_path(beside, pid);

    if (wanted)
        assert_string_equal(got, wanted);
    else
        assert_null(got);
    free(got);
}

static void paths(void **state)
{
    char in_tmp[64], away[64];

    files_write("folder/perf-70001.map", "1 1 a", 5);
    files_write("folder/perf.data", "", 0);
    expect_path(files_path("folder/perf.data"), MADE, files_path("folder/perf-70001.map"));
    expect_path(files_path("folder"), MADE, files_path("folder/perf-70001.map"));
    expect_path(files_path("folder/perf.data"), 7000, NULL);
    expect_path("perf.data", MADE, NULL);
    /* In /tmp the map must be a file, not a link to one. */
    snprintf(in_tmp, sizeof(in_tmp), "/tmp/perf-%u.map", 4000000000u + (unsigned)getpid() % 1000000);
    snprintf(away, sizeof(away), "/tmp/perf-%u.away", (unsigned)getpid());
    FILE *file = fopen(in_tmp, "w");
    assert_non_null(file);
    fclose(file);
    expect_path("perf.data", 4000000000u + (unsigned)getpid() % 1000000, in_tmp);
    assert_int_equal(rename(in_tmp, away), 0);
    assert_int_equal(symlink(away, in_tmp), 0);
    expect_path("perf.data", 4000000000u + (unsigned)getpid() % 1000000, NULL);
    remove(in_tmp);
    remove(away);
}

/* Two processes make code, and one of them names it; data and a mapped file are left alone. */
static void report(void **state)
{
    static const struct linux_event events[] = {{LINUX_SOFTWARE, 0, 1000000, 0, 0, "cpu-clock"}};
    static const char map[] = "7f0000010100 40 hot\n7f0000010140 40 cold\n7f0000000000 10 below\n";
    static const struct linux_facts facts = {"box", "6.1.0", "6.1", "x86_64", "AMD", "AuthenticAMD,16,10,3",
                                             NULL,  0,       NULL};
    static const uint64_t addresses[] = {0x100, 0x13f, 0x140, 0x180, 0x400000, 0x0};
    const char *path;

    linux_begin(events, 1);
    for (uint32_t pid = MADE; pid <= OTHER; pid++) {
        linux_map2(pid, CODE + 0x400000, 0x1000, 0, "//anon", USER, 5, (const uint8_t *)"", 0);
        linux_map2(pid, CODE, 0x1000, 0, "//anon", USER, 5, (const uint8_t *)"", 0);
        linux_map2(pid, CODE + 0x800000, 0x1000, 0, "//anon", USER, 3, (const uint8_t *)"", 0);
        for (unsigned i = 0; i < sizeof(addresses) / sizeof(addresses[0]); i++)
            linux_sample((struct linux_sample){
                .pid = pid, .tid = pid, .ip = CODE + addresses[i], .time = 1000 + i, .period = 1, .misc = USER});
        linux_sample((struct linux_sample){
            .pid = pid, .tid = pid, .ip = CODE + 0x800000, .time = 2000, .period = 1, .misc = USER});
    }
    path = linux_write("made/perf.data", &facts);
    files_write("made/perf-70001.map", map, strlen(map));
    tool_expect(tool_run(&command_report, "--by=function", "--csv", path, NULL), 0,
                "object,rva,function,file,line,mode,workload,cpu-clock [samples]\n"
                "//anon,0x7f0000010000,,,,user,1,8\n"
                "[JIT] tid 70001,0x7f0000010000,,,,user,1,3\n"
                "[JIT] tid 70001,0x7f0000010100,hot,,,user,1,2\n"
                "[JIT] tid 70001,0x7f0000010140,cold,,,user,1,1\n",
                "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(functions), cmocka_unit_test(memory), cmocka_unit_test(paths),
                                       cmocka_unit_test(report)};

    return cmocka_run_group_tests(tests, NULL, files_end);
}
