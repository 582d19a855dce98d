/* SPDX-License-Identifier: BSD-2-Clause */
/* The JSON of a profile: rows, what is left out, regions of addresses, sources, counters. tests/host/pages/html.sh
 * tests with another reader that it is JSON, and that its sums are right for whole files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/family/ibs_regs.h"
#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/fake_input.h"
#include "tools/ibsprof/counters/counts_csv.h"
#include "tools/ibsprof/report/json/report_json.h"
#include "tools/ibsprof/read/run_folder.h"
#include "tools/ibsprof/symbols/source.h"

enum { UNMAPPED = 0x10000 };

static void add_op(struct fake_input *fake, uint64_t rip, uint64_t address)
{
    struct sample_record record = {.kind = SAMPLE_OP};

    record.tsc = fake->count * 100;
    record.reg[IBS_OP_RIP] = rip;
    if (address) {
        record.reg[IBS_OP_DATA3] = IBS_LD_OP | IBS_DC_LIN_ADDR_VALID;
        record.reg[IBS_OP_DCLINAD] = address;
    }
    fake_input_ibs(fake, 1, &record)->time = record.tsc;
}

static char *json_of(struct fake_input *fake, const struct report_json_options *options)
{
    struct profile_options how = {0};
    char error[200], *text;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    struct run_profile *profile = run_profile_read(&fake->input, &how, error, sizeof(error));
    struct json json;

    assert_non_null(profile);
    json_init(&json, to);
    report_json_write(&json, profile, options);
    assert_true(json_finish(&json));
    fclose(to);
    run_profile_free(profile);
    fake_input_free(fake);
    return text;
}

static void has(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("%s\nis not in\n%s", part, text);
}

/* Indices are those of enum derived: F100 is 13, and so on. */
static void test_rows(void **state)
{
    struct fake_input *fake = fake_input_make(false);
    char *text;

    add_op(fake, UNMAPPED, 0);
    add_op(fake, UNMAPPED, 0);
    add_op(fake, UNMAPPED + 1, 0);
    add_op(fake, 0xffffffff81000010, 0);
    text = json_of(fake, &report_json_all);
    has(text, "{\"object\":-1,\"name\":null,\"start\":\"0x0\",\"size\":0,\"workload\":");
    has(text, "\"first_row\":0,\"rows\":[[\"0x10000\",null,-1,[13,2]],[\"0x10001\",null,-1,[13,1]],"
              "[\"0xffffffff81000010\",null,-1,[13,1]]],\"sources\":[]}");
    has(text, "\"op\":{\"all\":4,\"outside\":");
    free(text);
}

static void test_rows_left_out(void **state)
{
    const struct report_json_options two = {.rows_max = 2, .listed_max = 0};
    struct fake_input *fake = fake_input_make(false);
    char *text;

    for (unsigned place = 0; place < 5; place++)
        for (unsigned i = 0; i <= place; i++)
            add_op(fake, UNMAPPED + place, 0);
    text = json_of(fake, &two);
    has(text, "\"rows\":[[\"0x10003\",null,-1,[13,4]],[\"0x10004\",null,-1,[13,5]]],\"sources\":[],"
              "\"rest_rows\":3,\"rest\":[[13,6]]}");
    free(text);
}

static void test_regions(void **state)
{
    struct fake_input *fake = fake_input_make(false);
    char *text;

    add_op(fake, UNMAPPED, 0x7fff0000);
    add_op(fake, UNMAPPED + 1, 0xffff888000000010);
    add_op(fake, UNMAPPED, 0x7fff0040);
    add_op(fake, UNMAPPED, 0x800f0040);
    add_op(fake, UNMAPPED, 0xffff888000000000);
    text = json_of(fake, &report_json_all);
    has(text, "\"regions\":[{\"base\":\"0x7fff0000\",\"span\":64,\"points\":2},"
              "{\"base\":\"0x800f0040\",\"span\":0,\"points\":1},"
              "{\"base\":\"0xffff888000000000\",\"span\":16,\"points\":2}]");
    has(text,
        "\"region\":[0,2,0,1,2],\n\"offset\":[0,16,64,0,0],\n\"time_step\":[0,100,100,100,100],\n\"row\":[0,1,0,0,0]");
    free(text);
}

/* The samples of another event are listed beside those of IBS, with what they stand for. */
static void test_events(void **state)
{
    struct fake_input *fake = fake_input_make(true);
    char *text;

    fake_input_clock(fake, 1, UNMAPPED)->period = 1000;
    fake_input_clock(fake, 1, UNMAPPED)->period = 500;
    text = json_of(fake, &report_json_all);
    has(text, "[\"0x10000\",null,-1,[],[2,2,1500]]");
    has(text, "{\"name\":\"cpu-clock\",\"kind\":\"clock\",\"operand\":\"timer\"");
    has(text, "\"samples\":2,\"weight\":1500,\"periods_vary\":false,\"weighted\":false}");
    has(text, "\"name\":\"timer\",\"title\":\"Time-based profile\"");
    free(text);
}

/* A function listed completely has instructions without samples, and their source lines. */
static void test_listing(void **state)
{
    struct objects opened = {0};
    struct object *object = object_get(&opened, NULL, "build/ibsboot.elf", NULL, 0);
    struct fake_input *fake = fake_input_make(false);
    uint64_t start, end;
    char *text;

    assert_non_null(object->path);
    assert_true(object_workloads(object, &start, &end));
    fake_input_map(fake, 1, 0x40000000 + start, end - start, start, "build/ibsboot.elf");
    add_op(fake, 0x40000000 + start, 0);
    text = json_of(fake, &report_json_all);
    has(text, "\"name\":\"multiply_matrices\"");
    has(text, "[0,\"push rbp\",0,[13,1]],[1,\"mov rbp, rsp\",0],[4,\"sub rsp, ");
    has(text, "\"sources\":[[\"workloads/matmul/matmul_classic.c\",");
    has(text, "for (long i = 0; i \\u003c rows; i++) {\"]");
    free(text);
    objects_free(&opened);
}

static void test_source_lines(void **state)
{
    struct source *source = source_new();
    const char *file = "tests/unit/ibsprof/report/test_report_json.c";

    assert_string_equal(source_line(source, NULL, file, 4), "#include <setjmp.h>");
    assert_string_equal(source_line(source, NULL, file, 3) + 1,
                        "* tests with another reader that it is JSON, and that its sums are right for whole files. */");
    assert_string_equal(source_line(source, "/no/a/b.elf", file, 4), "#include <setjmp.h>");
    assert_string_equal(source_line(source, "build/unit/ibsprof/x", "unit/../../Makefile", 3), "#");
    assert_null(source_line(source, NULL, file, 0));
    assert_null(source_line(source, NULL, file, 100000));
    assert_null(source_line(source, NULL, "no/such.c", 1));
    assert_null(source_line(source, NULL, "/dev/zero", 1)); /* not a regular file */
    source_free(source);
}

static void test_counts_csv(void **state)
{
    static const char head[] =
        "select,mask,count_mask,event,state,repeats,mean,min,max,cv_ppm,overhead,residue,reliability_ppm\n";
    static const struct {
        const char *line;
        bool good;
        unsigned count;
    } rows[] = {
        {"076,00,0,CPU_CLK_UNHALTED,counted,10,252970,252917,253067,146,179,8,999546\n", true, 1},
        {"0d4,00,0,X,not modelled,,,,,,,,\n", true, 1},
        {"0d4,00,0,X,not counted,,,,,,,,\n", true, 1},
        {"0d4,00,0,X,counted,,,,,,,,\n", false, 0},
        {"0d4,00,0,X,guessed,1,1,1,1,1,1,1,1\n", false, 0},
        {"076,00,0,CPU_CLK_UNHALTED,counted,10,252970,252917,253067,146,179,8,1000001\n", false, 0},
        {"076,00,0,CPU_CLK_UNHALTED,counted,10,252970,252917,253067,146,179,8,999546,7\n", false, 0},
        {"1076,00,0,X,not counted,,,,,,,,\n", false, 0},
        {"076\n", false, 0},
        {"076,00,0\n", false, 0},
        {"076,00,0,X\n", false, 0},
        {"076,00,0,X,not counted\n", false, 0},
        {"076,00,0,X,counted\n", false, 0},
        {"076,00,0,X,not counted,,,,,,,,", false, 0}, /* cut off */
    };
    struct counts_csv *counts = calloc(1, sizeof(*counts));

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char text[1000];

        snprintf(text, sizeof(text), "%s%s", head, rows[i].line);
        (void)files_write("counts/counts.csv", text, strlen(text));
        assert_int_equal(counts_csv_open(counts, files_path("counts")), rows[i].good);
        assert_int_equal(counts->count, rows[i].count);
        if (i == 0) {
            struct explore_input input = {.method = &explore_10h};

            assert_int_equal(counts->row[0].result.mean, 252970);
            assert_int_equal(counts->row[0].result.cv_ppm, 146);
            assert_int_equal(counts_csv_explore(counts, &input), 1);
            assert_int_equal(input.count[EXPLORE_C].total, 252970);
        }
    }
    {
        /* An event that is there twice counts once, the first time, and events that the method lacks are ignored. */
        struct explore_input input = {.method = &explore_10h};
        char text[1000];

        snprintf(text, sizeof(text), "%s%s%s%s", head, rows[0].line,
                 "076,00,0,CPU_CLK_UNHALTED,counted,10,7,7,7,0,0,0,1000000\n",
                 "1fe,55,0,X,counted,10,9,9,9,0,0,0,1000000\n");
        (void)files_write("counts/counts.csv", text, strlen(text));
        assert_true(counts_csv_open(counts, files_path("counts")));
        assert_int_equal(counts->count, 3);
        assert_int_equal(counts_csv_explore(counts, &input), 1);
        assert_int_equal(input.count[EXPLORE_C].total, 252970);
    }
    free(counts);
}

static void write_file(const char *folder, const char *name, const char *text)
{
    char path[200];
    FILE *to;

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    to = fopen(path, "w");
    assert_non_null(to);
    fputs(text, to);
    fclose(to);
}

/* The run has files beside the samples: counter samples by instruction, and totals. */
static void test_counter_files(void **state)
{
    char folder[] = "/tmp/ibsprof-report-XXXXXX", path[200];
    struct fake_input *fake = fake_input_make(false);
    char *text;

    assert_non_null(mkdtemp(folder));
    write_file(folder, "pmc.csv",
               "# MODEL: what a run on the virtual PMU begins with\n"
               "rva,function,file,line,instruction,041 DATA_CACHE_MISSES [samples],045 L1_DTLB_MISS_AND_L2_DTLB_HIT "
               "[samples],timer [samples]\n"
               "0x1000,f,a.c,1,push rbp,0,,0\n"
               "0x1001,f,a.c,1,\"mov rbp, \"\"rsp\"\"\",7,,0\n"
               "0x1004,f,a.c,1,cut off,7\n"
               ",(outside the map),,,,0,,3\n"); /* the turn of 045 never came */
    write_file(folder, "counts.csv",
               "# MODEL: the same\n"
               "select,mask,count_mask,event,state,repeats,mean,min,max,cv_ppm,overhead,residue,reliability_ppm\n"
               "076,00,0,CPU_CLK_UNHALTED,counted,2,1000,999,1001,146,17,3,999546\n");
    fake->input.facts.format = INPUT_RUN;
    fake->input.facts.path = folder;
    text = json_of(fake, &report_json_all);
    has(text, "\"counter_samples\":{\"events\":[\"041 DATA_CACHE_MISSES [samples]\",\"045 L1_DTLB_MISS_AND_L2_DTLB_HIT "
              "[samples]\",\"timer [samples]\"],\n\"rows\":[[\"0x1001\",\"f\",\"mov rbp, \\\"rsp\\\"\",7,null,0],"
              "[\"\",\"(outside the map)\",\"\",0,null,3]]}");
    has(text, "\"counters\":{\"counts\":[{\"select\":118,\"mask\":0,\"count_mask\":0,\"event\":\"CPU_CLK_UNHALTED\","
              "\"state\":\"counted\",\"repeats\":2,\"mean\":1000,\"min\":999,\"max\":1001,\"cv_ppm\":146,\"overhead\":"
              "17,\"residue\":3,"
              "\"reliability_ppm\":999546}]}");
    free(text);
    snprintf(path, sizeof(path), "rm -r %s", folder);
    assert_int_equal(system(path), 0);
}

static void test_run_files(void **state)
{
    char folder[] = "/tmp/ibsprof-[run]-XXXXXX", path[300];

    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof(path), "mkdir -p '%s/runs/0001-a'", folder);
    assert_int_equal(system(path), 0);
    write_file(folder, "runs/0001-a/counts.csv", "");
    write_file(folder, "runs/0001-a/perf.data", "");
    write_file(folder, "runs/0001-a/run.ini", "");
    const char *const there[] = {"", "/runs", "/runs/0001-a", "/runs/0001-a/", "/runs/0001-a/perf.data"};
    for (unsigned i = 0; i < sizeof(there) / sizeof(there[0]); i++) {
        FILE *file;

        snprintf(path, sizeof(path), "%s%s", folder, there[i]);
        file = run_folder_open(path, "counts.csv");
        assert_non_null(file);
        fclose(file);
        assert_null(run_folder_open(path, "pmc.csv"));
    }
    snprintf(path, sizeof(path), "%s/runs/0001-a/other.data", folder); /* a file in a run, but not its samples */
    assert_null(run_folder_open(path, "counts.csv"));
    /* With two runs it is unknown which one is meant. */
    snprintf(path, sizeof(path), "cp -r '%s/runs/0001-a' '%s/runs/0002-a'", folder, folder);
    assert_int_equal(system(path), 0);
    assert_null(run_folder_open(folder, "counts.csv"));
    snprintf(path, sizeof(path), "rm -r '%s'", folder);
    assert_int_equal(system(path), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),       cmocka_unit_test(test_rows_left_out), cmocka_unit_test(test_regions),
        cmocka_unit_test(test_events),     cmocka_unit_test(test_listing),       cmocka_unit_test(test_source_lines),
        cmocka_unit_test(test_counts_csv), cmocka_unit_test(test_counter_files), cmocka_unit_test(test_run_files),
    };

    return cmocka_run_group_tests(tests, NULL, files_end);
}
