/* SPDX-License-Identifier: BSD-2-Clause */
/* The paths that the program accepts: files that cannot be read, folders of runs, sticks, run.ini beside perf.data; and
 * the words of its messages. */
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
#include "tests/unit/ibsprof/made_run.h"
#include "tests/unit/ibsprof/tool.h"
#include "tools/ibsprof/read/input.h"
#include "tools/ibsprof/read/run_folder.h"

int ibsprof_main(int argc, char **argv);
#pragma push_macro("main") /* the Makefile gives this name to the test's own */
#undef main
#define main ibsprof_main
#include "tools/ibsprof/main.c"
#pragma pop_macro("main")

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void text_file(const char *name, const char *text)
{
    files_write(name, text, strlen(text));
}

/* Returns the message of opening a path that cannot be opened; "FILES" in it is the tests' folder. */
static const char *error_of(const char *path)
{
    char error[1024];
    FILE *to;
    struct input *input = input_open(path, error, sizeof(error));

    tool_begin(&to);
    if (input == NULL)
        fputs(error, to);
    input_close(input);
    return tool_end(to);
}

/* Writes a complete run with this run.ini. */
static void run(const char *folder, const char *ini)
{
    made_run_begin();
    made_run_op(3, (struct made_op){.at = 0x401010});
    made_run_write(folder, ini);
}

static void files(void **state)
{
    text_file("empty", "");
    text_file("text", "nothing that is known\n");
    expect_text(error_of("/no/such/file"), "/no/such/file: No such file or directory");
    expect_text(error_of(files_path("empty")), "FILES/empty: the file is empty");
    expect_text(error_of(files_path("text")), "FILES/text: neither perf.data nor a raw file of the AMD IBS Toolkit");
    expect_text(error_of("/dev/null"), "/dev/null: this pipe is empty");
}

/* Returns the paths to which one path expands, each after a blank; "FILES" is the tests' folder. */
static const char *list_of(const char *path)
{
    struct run_list list = {0};
    FILE *to;

    run_list_add(&list, path);
    tool_begin(&to);
    for (uint32_t i = 0; i < list.count; i++)
        fprintf(to, " %s", list.path[i]);
    run_list_free(&list);
    return tool_end(to);
}

static void lists_of_runs(void **state)
{
    static const char *const names[] = {"plain", "odd[a]*?", "b\\c"};

    for (size_t i = 0; i < COUNT(names); i++) {
        char name[100], wanted[400];

        snprintf(name, sizeof(name), "lists/%s/runs/0002-b", names[i]);
        run(name, "n = 1\n");
        snprintf(name, sizeof(name), "lists/%s/runs/0001-a", names[i]);
        run(name, "n = 1\n");
        expect_text(list_of(files_path(name)), strcat(strcpy(wanted, " FILES/"), name)); /* a run expands to itself */
        snprintf(name, sizeof(name), "lists/%s", names[i]);
        snprintf(wanted, sizeof(wanted), " FILES/%s/runs/0001-a FILES/%s/runs/0002-b", name, name);
        expect_text(list_of(files_path(name)), wanted);
        strcat(name, "/runs");
        expect_text(list_of(files_path(name)), wanted);
    }
    run("lists/stick/ibsboot/runs/0001-a", "n = 1\n");
    run("lists/stick/ibsboot/runs/0002-b", "n = 1\n");
    expect_text(list_of(files_path("lists/stick")),
                " FILES/lists/stick/ibsboot/runs/0001-a FILES/lists/stick/ibsboot/runs/0002-b");
    /* Any other path expands to itself. */
    expect_text(list_of(files_path("lists")), " FILES/lists");
    expect_text(list_of("no/such/file"), " no/such/file");
}

/* Returns whether this process has mapped a file of the tests' folder. */
static bool mapped(void)
{
    static char maps[1 << 20];
    FILE *file = fopen("/proc/self/maps", "r");
    size_t size = fread(maps, 1, sizeof(maps) - 1, file);

    fclose(file);
    maps[size] = '\0';
    return strstr(maps, "/ibsprof-files/") != NULL;
}

static void memory_is_given_back(void **state)
{
    char error[1024];
    struct input *input;

    run("mapped", NULL);
    input = input_open(files_path("mapped"), error, sizeof(error));
    assert_true(mapped());
    input_close(input);
    assert_false(mapped());
}

static void folders(void **state)
{
    run("run", "n = 1\n");
    expect_text(error_of(files_path("run")), "");
    run("plain", NULL);
    expect_text(error_of(files_path("plain")), "");
    unlink(files_path("run/perf.data"));
    expect_text(error_of(files_path("run")),
                "FILES/run: this run has no perf.data: it took no samples, its results are in report.txt");
    for (int i = 0; i < 4; i++) {
        static const char *const kinds[] = {"op", "fetch", "pmc", "timer"};
        char ini[60], wanted[200];

        snprintf(ini, sizeof(ini), "n = 1\n#: samples.%s = 4000000%d\n", kinds[i], i);
        text_file("run/run.ini", ini);
        snprintf(wanted, sizeof(wanted),
                 "FILES/run: perf.data is lost: run.ini says that this run took 4000000%d samples; copy the folder "
                 "again, its tables are in report.txt",
                 i);
        expect_text(error_of(files_path("run")), wanted);
    }
    text_file("run/run.ini", "n = 1\n#: samples.op = 0\n");
    text_file("run/hardware.csv", "");
    expect_text(error_of(files_path("run")),
                "FILES/run: this run has no perf.data: it took no samples, 'ibsprof hardware' "
                "reads its answers in hardware.csv");
    text_file("run/latency.csv", "");
    expect_text(error_of(files_path("run")),
                "FILES/run: this run has no perf.data: it took no samples, its lists are in latency.csv");
    text_file("run/pairs.csv", "");
    expect_text(error_of(files_path("run")), "FILES/run: this run has no perf.data: it took no samples, its pairs of "
                                             "cores are in pairs.csv");
    text_file("run/counts.csv", "");
    expect_text(error_of(files_path("run")), "FILES/run: this run has no perf.data: it took no samples, its counts are "
                                             "in counts.csv");
    text_file("run/noise.csv", "");
    expect_text(error_of(files_path("run")), "FILES/run: this is a noise run: it took no samples, its detours are in "
                                             "noise.csv, its tables in report.txt");
    /* as by perf record --threads */
    text_file("threads/data", "");
    expect_text(error_of(files_path("threads")), "FILES/threads/data: the file is empty");
    mkdir(files_path("threads/runs"), 0777);
    expect_text(error_of(files_path("threads")), "FILES/threads: no perf.data and no runs in this folder");
    /* The operand is a stick, its folder, or the folder of runs itself. Hidden folders, and folders that are no runs,
     * do not count. */
    run("stick/ibsboot/runs/0001-a", "n = 1\n");
    text_file("stick/ibsboot/runs/.hidden/run.ini", "");
    text_file("stick/ibsboot/runs/readme.txt", "");
    text_file("stick/ibsboot/runs/0000-broken/perf.data", "");
    expect_text(error_of(files_path("stick")), "");
    expect_text(error_of(files_path("stick/ibsboot")), "");
    expect_text(error_of(files_path("stick/ibsboot/runs")), "");
    text_file("stick/ibsboot/runs/0002-b/run.ini", "");
    expect_text(error_of(files_path("stick")), "FILES/stick: 2 runs are in FILES/stick/ibsboot/runs: name one of them");
    text_file("stick/ibsboot/runs/0003-c/run.ini", "");
    expect_text(error_of(files_path("stick/ibsboot/runs")),
                "FILES/stick/ibsboot/runs: 3 runs are in FILES/stick/ibsboot/runs: name one of them");
    /* The order is "ibsboot/runs", "runs", and the folder itself. */
    run("both/runs/0001-a", "n = 1\n");
    mkdir(files_path("both/ibsboot/x"), 0777);
    expect_text(error_of(files_path("both")), "");
    run("both/0001-b", "n = 1\n");
    expect_text(error_of(files_path("both")), "");
}

/* ---------------------------------------------------------------- run.ini */

static void settings(void **state)
{
    static const char ini[] = "\n# a comment = none\n  ; another = none\nplain=1\n  spaced  =  two words  \r\n"
                              "quoted = \"a # b ; c\" # said\nopen = \"no end\n"
                              "comment = value # behind it\nglued = value#not;one\nonly = # nothing\n"
                              "semicolon = x ; y\ntwo = a = b\nnothing here\n"
                              "#: figures = silicon\n#:n = 5 # kept\n#: \"q\" = \"r\"\nempty =\n"
                              "last = 1";
    static const struct input_setting wanted[] = {
        {"plain", "1", false},        {"spaced", "two words", false}, {"quoted", "a # b ; c", false},
        {"open", "\"no end", false},  {"comment", "value", false},    {"glued", "value#not;one", false},
        {"only", "", false},          {"semicolon", "x", false},      {"two", "a = b", false},
        {"figures", "silicon", true}, {"n", "5 # kept", true},        {"\"q\"", "\"r\"", true},
        {"empty", "", false},         {"last", "1", false},
    };
    char error[1024];
    struct input *input;
    const struct input_facts *facts;

    run("ini", ini);
    input = input_open(files_path("ini"), error, sizeof(error));
    assert_non_null(input);
    facts = input_facts(input);
    assert_int_equal(facts->setting_count, COUNT(wanted));
    for (size_t i = 0; i < COUNT(wanted); i++) {
        assert_string_equal(facts->settings[i].key, wanted[i].key);
        assert_string_equal(facts->settings[i].value, wanted[i].value);
        assert_int_equal(facts->settings[i].fact, wanted[i].fact);
    }
    assert_false(facts->is_model);
    assert_int_equal(facts->format, INPUT_RUN);
    input_close(input);
}

/* Facts of the machine come from run.ini, otherwise from the file; numbers may have either base. */
static void facts_of_a_run(void **state)
{
    static const char ini[] = "workload = w\n#: workload = not this\nmachine.name = nor this\n"
                              "#: machine.vendor = V\n#: machine.name = N\n#: machine.family = 0x15\n"
                              "#: machine.model = 2\n#: machine.stepping = 3\n#: machine.ibs_caps = 0xff\n"
                              "#: machine.tsc_khz = 2000000\n#: workload.work = 50000000000\n"
                              "#: workload.unit = turns\n#: figures = silicon, they say\n";
    char error[1024];
    struct input *input;
    const struct input_facts *facts;

    for (int beside = 0; beside < 2; beside++) {
        run("facts", ini);
        input = input_open(files_path(beside ? "facts/perf.data" : "facts"), error, sizeof(error));
        assert_non_null(input);
        facts = input_facts(input);
        assert_int_equal(facts->format, beside ? INPUT_PERFDATA : INPUT_RUN);
        assert_string_equal(facts->workload, "w");
        assert_string_equal(facts->vendor, "V");
        assert_string_equal(facts->cpu_name, "N");
        assert_int_equal(facts->family, 0x15);
        assert_int_equal(facts->model, 2);
        assert_int_equal(facts->stepping, 3);
        assert_int_equal(facts->ibs_caps, 0xff);
        assert_int_equal(facts->tsc_khz, 2000000);
        assert_true(facts->work == 50000000000);
        assert_string_equal(facts->work_unit, "turns");
        assert_true(facts->is_model); /* only "silicon" means silicon */
        assert_string_equal(input_figures(facts),
                            "MODEL: all figures come from ibsboot's virtual PMU (a model), not from silicon.");
        input_close(input);
    }
    /* A run without run.ini has the file's own facts. */
    run("bare", NULL);
    input = input_open(files_path("bare"), error, sizeof(error));
    assert_non_null(input);
    facts = input_facts(input);
    assert_string_equal(facts->vendor, made_info.vendor);
    assert_string_equal(facts->cpu_name, made_info.cpu_name);
    assert_int_equal(facts->family, made_info.family);
    assert_int_equal(facts->model, made_info.model);
    assert_int_equal(facts->stepping, made_info.stepping);
    assert_int_equal(facts->setting_count, 0);
    assert_string_equal(facts->workload, made_info.comm);
    assert_false(facts->is_model);
    assert_null(input_figures(facts));
    input_close(input);
}

/* At most one byte less than 1 MiB is read. */
static void large_settings(void **state)
{
    const size_t most = (1 << 20) - 1;
    char *ini = malloc(most + 2);

    memset(ini, '#', most + 1);
    run("large", "");
    files_write("large/run.ini", ini, most);
    expect_text(error_of(files_path("large")), "");
    files_write("large/run.ini", ini, most + 1);
    expect_text(error_of(files_path("large")), "FILES/large: run.ini beside it is not text, or larger than 1 MiB");
    free(ini);
}

/* ---------------------------------------------------------------- the program */

static const char *word;

static int program(int argc, char **argv)
{
    char name[] = "ibsprof", help[] = "--help", copy[100], *words[] = {name, copy, NULL, NULL};

    (void)argc, (void)argv;
    snprintf(copy, sizeof(copy), "%s", word ? word : "");
    if (word != NULL && strcmp(word, "info") == 0)
        words[2] = help;
    return ibsprof_main(word == NULL ? 1 : words[2] ? 3 : 2, words);
}

static void the_program(void **state)
{
    static const struct command all = {"ibsprof", "", program, false};
    static const char usage_text[] =
        "usage: ibsprof COMMAND [OPTION...] FILE...\n\n"
        "Reads runs of ibsboot (folders, perf.data, IBSRUNS.TAR:NUMBER) and perf.data files of Linux' perf.\n\n"
        "  runs       list the runs of a folder, show properties, note, rename, delete\n"
        "  info       describe a file: machine, settings, events, counts, losses\n"
        "  report     show tables of a run: text, CSV, JSON, HTML, folded stacks\n"
        "  annotate   functions with source lines and instructions\n"
        "  export     samples as CSV, JSON lines, perf.data or folded stacks\n"
        "  compare    compare two sets of runs: differences, and how certain they are\n"
        "  hardware   answers of machines to config=hardware, side by side\n"
        "  plan       check a plan, and list its runs\n"
        "  receive    runs from a serial port or a boot server, as folders\n"
        "  codemap    make the listing of own code, which ibsboot shows\n"
        "  snippet    make own code of a few instructions, and print the cost of each\n"
        "  bias       how far samples are from exact counts, and from chance\n"
        "  archive    keep runs of many machines in a database, and query it\n\n"
        "'ibsprof COMMAND --help' explains a command; 'ibsprof --version' prints the version.\n";
    static const char *const helps[] = {"--help", "-h", "help"};

    for (size_t i = 0; i < COUNT(helps); i++) {
        word = helps[i];
        tool_expect(tool_run(&all, NULL), EXIT_DONE, usage_text, "");
    }
    word = NULL;
    tool_expect(tool_run(&all, NULL), EXIT_USAGE, "", usage_text);
    word = "--version";
    tool_expect(tool_run(&all, NULL), EXIT_DONE, "ibsprof N\n", "");
    word = "xyzzy";
    tool_expect(tool_run(&all, NULL), EXIT_USAGE, "", "ibsprof: no command 'xyzzy'; 'ibsprof --help' lists them\n");
    word = "reprot";
    tool_expect(tool_run(&all, NULL), EXIT_USAGE, "",
                "ibsprof: no command 'reprot'; did you mean 'report'? 'ibsprof --help' lists them\n");
    word = "info";
    {
        struct tool_result got = tool_run(&all, NULL);

        expect_file(got.out, "usage/usage-info.txt");
        assert_int_equal(got.status, EXIT_DONE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files),          cmocka_unit_test(lists_of_runs), cmocka_unit_test(memory_is_given_back),
        cmocka_unit_test(folders),        cmocka_unit_test(settings),      cmocka_unit_test(facts_of_a_run),
        cmocka_unit_test(large_settings), cmocka_unit_test(the_program),
    };

    return cmocka_run_group_tests(tests, NULL, files_end);
}
