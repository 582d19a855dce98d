/* SPDX-License-Identifier: BSD-2-Clause */
/* * Runs of one workload over a parameter in 'ibsprof report': the latency of the load that waits longest. The files
 * below expected/ were checked by hand; the table has the contents of each run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/made_run.h"
#include "tests/unit/ibsprof/tool.h"
#include "tools/ibsprof/symbols/elf_file.h"
#include "tools/ibsprof/report/sweep/report_sweep.h"

enum { CHASE = 0x401016, OTHER = 0x401019 };

/* The answers to 20 sampled loads of the chase: hits, and loads from a source with a latency. */
struct answers {
    unsigned hits;
    struct {
        unsigned loads, cycles;
        uint64_t source;
    } from[3];
};

/* Percentiles are the third, eleventh and nineteenth of 20 in ascending order; of 10 the second, sixth and tenth. */
static const struct made {
    const char *folder, *kb, *memory;
    struct answers answers;
} runs[] = {
    {"sweep/4",
     "1024",
     "local",
     {0, {{2, 45, IBS_NB_L3}, {17, 160, IBS_NB_DRAM}, {1, 300, IBS_NB_DRAM}}}}, /* 160 160 160 */
    {"sweep/1", "16", "local", {20, {{0}}}},                                    /* 0 0 0 */
    {"sweep/3",
     "512",
     "local",
     {0, {{5, 15, IBS_NB_NONE}, {13, 48, IBS_NB_L3}, {2, 150, IBS_NB_DRAM}}}},         /* 15 48 150 */
    {"sweep/2", "256", "local", {3, {{15, 14, IBS_NB_NONE}, {2, 40, IBS_NB_L3}}}},     /* 0 14 40 */
    {"sweep/5", "2048", "local", {0, {{8, 170, IBS_NB_DRAM}, {2, 90, IBS_NB_CACHE}}}}, /* 90 170 170 */
    {"sweep/7", "1024", "remote", {0, {{10, 230, IBS_NB_DRAM | IBS_NB_DST_PROC}}}},    /* 230 230 230 */
    {"sweep/6", "0.5", "remote", {4, {{6, 80, IBS_NB_OTHER}}}},                        /* 0 80 80 */
};

static void make(const struct made *run, const char *workload)
{
    char ini[300];

    made_run_begin();
    /* Another instruction has more loads but waits less in all, though longer in single loads; others have no loads;
     * and there is a fetch. */
    made_run_op(1,
                (struct made_op){.at = OTHER, .data2 = IBS_NB_DRAM, .data3 = IBS_LD_OP | IBS_DC_MISS | 999ull << 32});
    made_run_op(40, (struct made_op){.at = OTHER, .data3 = IBS_LD_OP});
    made_run_op(30, (struct made_op){.at = 0x401011});
    made_run_op(30, (struct made_op){.at = 0x40101b, .data3 = IBS_ST_OP});
    made_run_fetch(3, (struct made_fetch){.at = CHASE});
    made_run_op(
        run->answers.hits,
        (struct made_op){.at = CHASE, .data3 = IBS_LD_OP | 77ull << 32}); /* for a hit the value means nothing */
    for (int i = 0; i < 3; i++)
        made_run_op(run->answers.from[i].loads,
                    (struct made_op){.at = CHASE,
                                     .data2 = run->answers.from[i].source,
                                     .data3 = IBS_LD_OP | IBS_DC_MISS | (uint64_t)run->answers.from[i].cycles << 32});
    snprintf(ini, sizeof(ini),
             "workload = %s\nmemory = %s\n#: figures = silicon\n#: machine.name = P\n#: workload.kb = %s\n"
             "#: workload.hops = 1000\n#: workload.work = %s\n#: workload.check = %s\n#: workload.unit = hops\n",
             workload, run->memory, run->kb, run->kb, run->kb);
    made_run_write(run->folder, ini);
}

static const char *folder_of(unsigned i)
{
    return files_path(runs[i].folder);
}

static int begin(void **state)
{
    for (unsigned i = 0; i < sizeof(runs) / sizeof(runs[0]); i++)
        make(&runs[i], "pointer-chase");
    return 0;
}

static void sweeps(void **state)
{
    char all[300];
    struct tool_result page;
    const char *data;

    snprintf(all, sizeof(all), "%s", files_path("sweep"));
    tool_writes(tool_run(&command_report, all, NULL), "counters/sweep.txt");
    tool_writes(tool_run(&command_report, "--csv", all, NULL), "counters/sweep.csv");
    tool_writes(tool_run(&command_report, "--json", all, NULL), "counters/sweep.json");
    tool_writes(tool_run(&command_report, "--against=kb", all, NULL), "counters/sweep.txt");
    page = tool_run(&command_report, "--html", all, NULL);
    assert_non_null(strstr(page.out, "<title>ibsprof report</title>"));
    data = strstr(page.out, "<script type=\"application/json\" id=\"sweep\">\n");
    assert_non_null(data);
    *strstr(data, "</script>") = '\0';
    expect_file(strchr(data, '\n') + 1, "counters/sweep.json");
    /* A single curve has no name. */
    tool_writes(tool_run(&command_report, folder_of(0), folder_of(1), NULL), "counters/sweep-two.txt");
}

static void mistakes(void **state)
{
    char all[300];

    snprintf(all, sizeof(all), "%s", files_path("sweep"));
    tool_expect(tool_run(&command_report, "--folded", all, NULL), EXIT_USAGE, "",
                "ibsprof: folded stacks take a single run\n");
    tool_expect(
        tool_run(&command_report, folder_of(0), "/dev/null", NULL), EXIT_INPUT, "",
        "ibsprof: /dev/null is a pipe, and several runs are read more than once: give the run's folder or file\n");
    tool_expect(tool_run(&command_report, "--against=hops", all, NULL), EXIT_INPUT, "",
                "ibsprof: the runs have no parameter 'hops' that differs\n");
    tool_expect(tool_run(&command_report, "--against=work", all, NULL), EXIT_INPUT, "",
                "ibsprof: the runs have no parameter 'work' that differs\n");
    tool_expect(tool_run(&command_report, folder_of(0), folder_of(0), NULL), EXIT_INPUT, "",
                "ibsprof: several runs, but no parameter of the workload differs; 'compare' takes equal runs\n");
    tool_expect(tool_run(&command_report, folder_of(0), files_path("none"), NULL), EXIT_INPUT, "",
                "ibsprof: FILES/none: No such file or directory\n");
    tool_expect(tool_run(&command_report, "-o", "/nowhere/at/all", all, NULL), EXIT_OUTPUT, "",
                "ibsprof: /nowhere/at/all: cannot be written: No such file or directory\n");
    tool_expect(tool_run(&command_report, "-o", "/dev/full", all, NULL), EXIT_OUTPUT, "",
                "ibsprof: /dev/full: cannot be written: No space left on device\n");
    make(&(struct made){"another", "1", "local", {10, {{0}}}}, "strided");
    tool_expect(tool_run(&command_report, folder_of(0), files_path("another"), NULL), EXIT_INPUT, "",
                "ibsprof: the workload of FILES/sweep/4 is pointer-chase, that of FILES/another is strided: several "
                "runs must have the same "
                "workload\n");
    made_run_begin();
    made_run_op(3, (struct made_op){.at = CHASE, .data3 = IBS_ST_OP});
    made_run_write("stores", "workload = pointer-chase\n#: workload.kb = 7\n");
    tool_expect(tool_run(&command_report, folder_of(0), files_path("stores"), NULL), EXIT_INPUT, "",
                "ibsprof: FILES/stores: no samples of the load at 1016h, which waits longest in these runs\n");
}

/* Chooses the parameter of runs that have one load each. */
static void parameters(void **state)
{
    static const struct {
        const char *first, *second, *against, *found, *error; /* found NULL: the error is expected */
    } rows[] = {
        {"#: workload.a = 1\n", "#: workload.a = 2\n", NULL, "a", NULL},
        {"#: workload.a = 1\n", "", NULL, "a", NULL},
        {"#: workload.a = 1\n#: workload.b = 1\n", "#: workload.a = 1\n#: workload.b = 2\n", NULL, "b", NULL},
        {"#: workload.a = 1\n#: workload.b = 1\n", "#: workload.a = 2\n#: workload.b = 2\n", NULL, NULL,
         "several parameters of the runs differ: choose one with --against=NAME"},
        {"#: workload.a = 1\n#: workload.b = 1\n", "#: workload.a = 2\n#: workload.b = 2\n", "b", "b", NULL},
        {"#: workload.a = 1\n#: workload.kb = 1\n", "#: workload.a = 2\n#: workload.kb = 2\n", NULL, "kb", NULL},
        {"#: workload.kb = 1\n#: workload.a = 1\n", "#: workload.kb = 2\n#: workload.a = 2\n", NULL, "kb", NULL},
        {"#: workload.a = 1\n", "#: workload.a = 2\n", "c", NULL, "the runs have no parameter 'c' that differs"},
        {"workload.a = 1\n#: other.a = 1\n", "workload.a = 2\n#: other.a = 2\n", NULL, NULL,
         "several runs, but no parameter of the workload differs; 'compare' takes equal runs"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct run_list list = {0};
        struct sweep *sweep;
        char complaint[300];

        for (int second = 0; second < 2; second++) {
            made_run_begin();
            made_run_op(1, (struct made_op){.at = CHASE, .data3 = IBS_LD_OP});
            run_list_add(&list, made_run_write(second ? "two" : "one", second ? rows[i].second : rows[i].first));
        }
        if (rows[i].found != NULL) {
            sweep = sweep_read(&list, rows[i].against);
            assert_non_null(sweep);
            assert_string_equal(sweep->against, rows[i].found);
            sweep_free(sweep);
        } else {
            const char *against[] = {list.path[0], list.path[1], "--against", rows[i].against, NULL};

            snprintf(complaint, sizeof(complaint), "ibsprof: %s\n", rows[i].error);
            if (rows[i].against == NULL)
                against[2] = NULL;
            tool_expect(tool_run_words(&command_report, against), EXIT_INPUT, "", complaint);
        }
        run_list_free(&list);
    }
}

/* Each setting alone makes separate curves, and so do all of them together. */
static void curves(void **state)
{
    static const char *const settings[] = {"memory = remote\n", "pages = 2m\nframes = shuffled\n",
                                           "cores = 2\nmemory = local\n"};
    static const char *const names[] = {"memory = remote, pages = ?, frames = ?, cores = ?",
                                        "memory = ?, pages = 2m, frames = shuffled, cores = ?",
                                        "memory = local, pages = ?, frames = ?, cores = 2"};
    struct run_list list = {0};
    struct sweep *sweep;
    char ini[200];

    for (int i = 0; i < 3; i++) {
        char folder[20];

        made_run_begin();
        made_run_op(1, (struct made_op){.at = CHASE, .data3 = IBS_LD_OP});
        snprintf(ini, sizeof(ini), "workload = a%%sb\n#: machine.name = 9%%d\n%s#: workload.a = %d\n", settings[i], i);
        snprintf(folder, sizeof(folder), "curve%d", i);
        run_list_add(&list, made_run_write(folder, ini));
    }
    sweep = sweep_read(&list, NULL);
    assert_non_null(sweep);
    assert_string_equal(sweep->workload, "a%sb");
    assert_string_equal(sweep->cpu, "9%d");
    assert_int_equal(sweep->series_count, 3);
    for (int i = 0; i < 3; i++)
        assert_string_equal(sweep->series[i], names[i]);
    sweep_free(sweep);
    run_list_free(&list);
}

struct counting {
    unsigned complaints, mapped; /* number of complaints; most files of runs that were mapped during one */
};

/* Counts mapped files of runs while a complaint is written. */
static ssize_t count_maps(void *context, const char *text, size_t size)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    struct counting *counting = context;
    unsigned found = 0;
    char line[1000];

    assert_non_null(maps);
    while (fgets(line, sizeof(line), maps))
        found += strstr(line, "/perf.data") != NULL;
    fclose(maps);
    counting->mapped = found > counting->mapped ? found : counting->mapped;
    counting->complaints++;
    return (ssize_t)size;
}

/* A thousand runs need the memory of one: no run stays open while the next is read. */
static void one_at_a_time(void **state)
{
    enum { RUNS = 20 };
    struct run_list list = {0};
    struct counting counting = {0, 0};
    FILE *before = stderr, *stream = fopencookie(&counting, "w", (cookie_io_functions_t){.write = count_maps});

    assert_non_null(stream);
    for (int i = 0; i < RUNS; i++) {
        char folder[20], ini[80];

        made_run_begin();
        /* The last run lacks the load, which is reported when all have been read. */
        made_run_op(3, (struct made_op){.at = CHASE, .data3 = i < RUNS - 1 ? IBS_LD_OP : IBS_ST_OP});
        snprintf(folder, sizeof(folder), "many/%02d", i);
        snprintf(ini, sizeof(ini), "workload = pointer-chase\n#: workload.kb = %d\n", i + 1);
        run_list_add(&list, made_run_write(folder, ini));
    }
    setvbuf(stream, NULL, _IOLBF, 0);
    stderr = stream;
    assert_null(sweep_read(&list, NULL));
    stderr = before;
    fclose(stream);
    assert_in_range(counting.complaints, 1, 100);
    assert_in_range(counting.mapped, 0, 1);
    run_list_free(&list);
}

/* If many instructions have loads, the one that waits longest counts, even if it comes late. */
static void longest_load(void **state)
{
    struct run_list list = {0};
    struct sweep *sweep;

    for (int run = 0; run < 2; run++) {
        char folder[20], ini[60];

        made_run_begin();
        for (uint64_t k = 0; k < 1500; k++)
            made_run_op(1, (struct made_op){.at = 0x1000 + 4096 * k, .data3 = IBS_LD_OP | IBS_DC_MISS | 50ull << 32});
        for (uint64_t k = 0; k < 1500; k += 3)
            made_run_op(1, (struct made_op){.at = 0x1000 + 4096 * k, .data3 = IBS_LD_OP | IBS_DC_MISS | 60ull << 32});
        made_run_op(2, (struct made_op){.at = 0x1000 + 4096 * 900, .data3 = IBS_LD_OP | IBS_DC_MISS | 65535ull << 32});
        snprintf(folder, sizeof(folder), "busy%d", run);
        snprintf(ini, sizeof(ini), "#: workload.a = %d\n", run);
        run_list_add(&list, made_run_write(folder, ini));
    }
    sweep = sweep_read(&list, NULL);
    assert_non_null(sweep);
    assert_int_equal(sweep->points[0].loads, 4);
    assert_int_equal(sweep->points[0].cycles[0], 50);
    assert_int_equal(sweep->points[0].cycles[1], 65535);
    assert_int_equal(sweep->points[0].cycles[2], 65535);
    assert_int_equal(sweep->points[0].by_source[SOURCE_L2], 4);
    assert_int_equal(sweep->points[0].median_of[SOURCE_L2], 65535);
    sweep_free(sweep);
    run_list_free(&list);
}

/* One instruction is used in all runs: if the image was loaded elsewhere, if another has more samples, and if it hits.
 * For a step whose median is a hit, the share that missed is shown. */
static void same_load(void **state)
{
    enum { MOVED = 0x100000 };
    struct run_list list = {0};
    struct sweep *sweep;

    for (uint64_t run = 0; run < 3; run++) {
        const uint64_t move = run == 1 ? MOVED : 0;
        char folder[20], ini[60];

        made_run_begin();
        made_info.image_base += move;
        made_run_op(9, (struct made_op){.at = OTHER + move, .data3 = IBS_LD_OP});
        made_run_op(run == 2 ? 5 : 3, (struct made_op){.at = CHASE + move, .data3 = IBS_LD_OP});
        made_run_op(run == 2 ? 0 : 2,
                    (struct made_op){.at = CHASE + move, .data3 = IBS_LD_OP | IBS_DC_MISS | 20ull << 32});
        made_run_op(run == 0, (struct made_op){.at = 0x40101d, .data3 = IBS_LD_OP | IBS_DC_MISS | 60ull << 32});
        snprintf(folder, sizeof(folder), "same%d", (int)run);
        snprintf(ini, sizeof(ini), "#: workload.a = %d\n", run < 2 ? (int)run : 200);
        run_list_add(&list, made_run_write(folder, ini));
    }
    sweep = sweep_read(&list, NULL);
    assert_non_null(sweep);
    assert_int_equal(sweep->load, 0x1016); /* 80 cycles in all runs; the other load 60 in the first */
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(sweep->points[i].loads, 5);
    assert_int_equal(sweep->level_count, 1);
    assert_int_equal(sweep->levels[0].median, 0);
    assert_true(sweep->levels[0].missed > 0.266 && sweep->levels[0].missed < 0.267); /* 4 of 15 */
    assert_non_null(strstr(tool_run(&command_report, list.path[0], list.path[1], list.path[2], NULL).out,
                           "\n  0 to 200: L1, most loads hit, 26.7 % missed\n"));
    sweep_free(sweep);
    run_list_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sweeps),    cmocka_unit_test(mistakes),      cmocka_unit_test(parameters),
        cmocka_unit_test(curves),    cmocka_unit_test(one_at_a_time), cmocka_unit_test(longest_load),
        cmocka_unit_test(same_load),
    };

    return cmocka_run_group_tests(tests, begin, files_end);
}
