/* SPDX-License-Identifier: BSD-2-Clause */
/* * A recording of Linux with several files, the kernel and another event beside IBS: its profile, place by place, and
 * each report completely. The files below expected/ were checked by hand against make_input. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/family/ibs_regs.h"
#include "tests/unit/ibsprof/fake_input.h"
#include "tests/unit/ibsprof/measure_find.h"
#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/program.h"
#include "tests/unit/ibsprof/tool.h"
#include "tools/ibsprof/report/annotate/annotate.h"
#include "tools/ibsprof/export/folded.h"
#include "tools/ibsprof/report/json/report_json.h"
#include "tools/ibsprof/report/tables/report_text.h"

enum { LIBRARY = 0x30000000, WORK = 100, OTHER = 200 };
#define KERNEL 0xffffffff81000000u

static struct fake_input *fake;
static struct run_profile *profile;

static void ops(unsigned times, uint32_t pid, uint32_t cpu, uint8_t mode, uint64_t rip, uint64_t data3)
{
    struct sample_record record = {.kind = SAMPLE_OP, .cpu = cpu};

    record.reg[IBS_OP_RIP] = rip;
    record.reg[IBS_OP_DATA] = 10 << 16 | 2;
    record.reg[IBS_OP_DATA3] = data3;
    record.reg[IBS_OP_DCLINAD] = 0x1000 * rip;
    while (times-- > 0) {
        struct perfdata_item *sample = fake_input_ibs(fake, pid, &record);

        sample->mode = mode;
        sample->cpu = cpu;
        sample->period = 4000;
        sample->time = 1000 * fake->count;
    }
}

static void ticks(unsigned times, uint32_t pid, uint32_t cpu, uint8_t mode, uint64_t ip, uint64_t period)
{
    while (times-- > 0) {
        struct perfdata_item *sample = fake_input_clock(fake, pid, ip);

        sample->mode = mode;
        sample->cpu = cpu;
        sample->period = period;
        sample->time = 1000 * fake->count;
    }
}

static void comm(uint32_t pid, const char *name)
{
    struct perfdata_item *item = fake_input_add(fake, PERFDATA_ITEM_COMM);

    item->pid = item->tid = pid;
    item->text = name;
}

/* Makes samples in program.elf at its own addresses, for two processes; in a library that does not exist; in the
 * kernel; and where nothing is mapped. */
static void make_input(void)
{
    static char program[300];

    snprintf(program, sizeof(program), "%s", program_make("program.elf"));
    fake = fake_input_make(true);
    fake->input.facts.release = "6.1.0-test";
    fake->input.facts.command = "perf record ./program";
    fake->input.facts.cpu_name = "made by a test";
    fake->input.facts.format = INPUT_PERFDATA;
    comm(WORK, "program");
    comm(OTHER, "else");
    fake_input_map(fake, WORK, PROGRAM_TEXT, 0x1000, PROGRAM_OFFSET, program);
    fake_input_map(fake, OTHER, PROGRAM_TEXT, 0x1000, PROGRAM_OFFSET, program);
    fake_input_map(fake, WORK, LIBRARY, 0x10000, 0x5000, "/usr/lib/lib;gone.so");
    fake_input_map(fake, UINT32_MAX, KERNEL, 0x100000, KERNEL, "[kernel.kallsyms]_text")->mode = MODE_KERNEL;
    ops(30, WORK, 0, MODE_USER, 0x401016, IBS_LD_OP | IBS_DC_LIN_ADDR_VALID);
    ops(10, WORK, 3, MODE_USER, 0x401016, IBS_LD_OP | IBS_DC_LIN_ADDR_VALID | IBS_DC_MISS | 1500ull << 32);
    ops(8, WORK, 0, MODE_USER, 0x40101d, 0);
    ops(2, WORK, 0, MODE_USER, 0x401020, 0);  /* the last instruction of hot, */
    ops(1, WORK, 0, MODE_USER, 0x401021, 0);  /* and the instruction after it */
    ops(3, OTHER, 0, MODE_USER, 0x401030, 0); /* another process of the same file */
    ops(6, WORK, 3, MODE_USER, LIBRARY + 0x10, 0);
    ops(4, WORK, 0, MODE_KERNEL, KERNEL + 0x123, 0);
    ops(1, WORK, 0, MODE_USER, 0x1234, 0);
    ops(1, WORK, 0, MODE_HYPERVISOR, 0x401030, 0);
    ticks(5, WORK, 0, MODE_USER, 0x401016, 1000);
    ticks(2, WORK, 0, MODE_USER, 0x401016, 500);
    ticks(3, WORK, 3, MODE_KERNEL, KERNEL + 0x123, 1000);
    ticks(1, OTHER, 3, MODE_USER, 0x401030, 1000);
    /* There are 66 ops and 11 ticks; the workload is --comm=program: 57 ops. */
}

static int begin(void **state)
{
    struct profile_options options = {.comm = "program"};
    char error[200];

    make_input();
    profile = run_profile_read(&fake->input, &options, error, sizeof(error));
    assert_non_null(profile);
    assert_string_equal(error, "");
    return 0;
}

static int end(void **state)
{
    run_profile_free(profile);
    fake_input_free(fake);
    files_remove_all();
    return 0;
}

/* ---------------------------------------------------------------- places */

static void places(void **state)
{
    static const struct {
        uint32_t object;
        uint64_t rva;
        uint8_t mode;
        bool workload;
        const char *function;
        uint64_t ops, clock, weight, clock_weight, missed;
    } wanted[] = {
        {0, 0x401016, MODE_USER, true, "hot", 40, 7, 160000, 6000, 10},
        {0, 0x40101d, MODE_USER, true, "hot", 8, 0, 32000, 0, 0},
        {0, 0x401020, MODE_USER, true, "hot", 2, 0, 8000, 0, 0},
        {0, 0x401021, MODE_USER, true, NULL, 1, 0, 4000, 0, 0},
        {0, 0x401030, MODE_USER, false, "cold", 3, 1, 12000, 1000, 0},
        {0, 0x401030, MODE_HYPERVISOR, false, "cold", 1, 0, 4000, 0, 0},
        {1, 0x5010, MODE_USER, true, NULL, 6, 0, 24000, 0, 0},
        {2, KERNEL + 0x123, MODE_KERNEL, false, NULL, 4, 3, 16000, 3000, 0},
        {PROFILE_NO_OBJECT, 0x1234, MODE_USER, true, NULL, 1, 0, 4000, 0, 0},
    };

    assert_int_equal(profile->place_count, sizeof(wanted) / sizeof(wanted[0]));
    for (uint32_t i = 0; i < profile->place_count; i++) {
        const struct profile_place *place = &profile->places[i];

        assert_int_equal(place->object, wanted[i].object);
        assert_int_equal(place->rva, wanted[i].rva);
        assert_int_equal(place->mode, wanted[i].mode);
        assert_int_equal(place->workload, wanted[i].workload);
        if (wanted[i].function == NULL)
            assert_null(profile_function(profile, place));
        else
            assert_string_equal(profile_function(profile, place), wanted[i].function);
        assert_int_equal(place->counts[DERIVED_F100_OP_ALL], wanted[i].ops);
        assert_int_equal(place->events[1], wanted[i].ops);
        assert_int_equal(place->events[2], wanted[i].clock);
        assert_int_equal(place->weighted[SAMPLE_OP], wanted[i].weight);
        assert_int_equal(place->weighted[SAMPLE_FETCH], 0);
        assert_int_equal(place->event_weights[1], wanted[i].weight);
        assert_int_equal(place->event_weights[2], wanted[i].clock_weight);
        assert_int_equal(place->latency != NULL, wanted[i].missed > 0);
        if (place->latency)
            assert_int_equal(place->latency[latency_bin(1500)], wanted[i].missed);
    }
    assert_string_equal(profile_object(profile, &profile->places[8]), "[unknown]");
    assert_string_equal(profile_object(profile, &profile->places[6]), "/usr/lib/lib;gone.so");
    assert_int_equal(profile->samples[SAMPLE_OP], 66);
    assert_int_equal(profile->outside[SAMPLE_OP], 8);
    assert_int_equal(profile->event_samples[2], 11);
    assert_int_equal(profile->event_weights[1], 264000);
    assert_int_equal(profile->event_weights[2], 10000);
    assert_int_equal(profile->latency[SOURCE_L2][latency_bin(1500)], 10);
}

static void cores(void **state)
{
    static const struct {
        uint32_t cpu;
        uint64_t ops, outside, others, missed;
    } wanted[] = {{0, 50, 8, 7, 0}, {3, 16, 0, 4, 10}};

    assert_int_equal(profile->core_count, 2);
    for (int i = 0; i < 2; i++) {
        const struct profile_core *core = &profile->cores[i];

        assert_int_equal(core->cpu, wanted[i].cpu);
        assert_int_equal(core->node, 0);
        assert_int_equal(core->samples[SAMPLE_OP], wanted[i].ops);
        assert_int_equal(core->samples[SAMPLE_FETCH], 0);
        assert_int_equal(core->outside[SAMPLE_OP], wanted[i].outside);
        assert_int_equal(core->others, wanted[i].others);
        assert_int_equal(core->counts[DERIVED_F100_OP_ALL], wanted[i].ops);
        assert_int_equal(core->latency[latency_bin(1500)], wanted[i].missed);
    }
}

/* Each access to data is at its own place. */
static void points(void **state)
{
    assert_int_equal(profile->points_seen, 40);
    assert_int_equal(profile->point_count, 40);
    for (uint32_t i = 0; i < 40; i++) {
        assert_int_equal(profile->points[i].place, 0);
        assert_int_equal(profile->points[i].addr, 0x401016000);
        assert_int_equal(profile->points[i].latency, i < 30 ? 0 : 1500);
        assert_int_equal(profile->points[i].source, i < 30 ? SOURCE_L1 : SOURCE_L2);
    }
}

/* ---------------------------------------------------------------- reports */

static const char *text_of(const struct report_options *options)
{
    struct out_file out;
    FILE *to;

    tool_begin(&to);
    out_file_init(&out, to, false);
    assert_true(report_text(&out, profile, options));
    return tool_end(to);
}

static void texts(void **state)
{
    struct report_options options = {.level = -1, .width = 79, .min_percent = 0.5};

    options.measure = measure_default(profile);
    assert_string_equal(options.measure.name, "IBS all op samples");
    expect_file(text_of(&options), "linux/linux.txt");
    options.level = PROFILE_FUNCTIONS;
    options.min_percent = 5; /* cold, and code without symbols, have less than that */
    expect_file(text_of(&options), "linux/linux-function.txt");
    assert_true(measure_find(profile, "cpu-clock", &options.measure));
    options.level = PROFILE_LINES;
    options.min_percent = 0;
    expect_file(text_of(&options), "linux/linux-clock.txt");
}

/* A file is chosen by its whole name or the end of its path, not by a part of a name. */
static void objects(void **state)
{
    struct report_options options = {.level = PROFILE_FUNCTIONS, .width = 79, .min_percent = 0};
    struct out_file out;
    FILE *to;

    options.measure = measure_default(profile);
    options.views[0] = view_find("ibs_op");
    options.view_count = 1;
    options.object = "program.elf";
    expect_file(text_of(&options), "linux/linux-object.txt");
    options.object = profile->objects[0]->name;
    expect_file(text_of(&options), "linux/linux-object.txt");
    for (int i = 0; i < 3; i++) {
        static const char *const wrong[] = {"gram.elf", "/program.elf", "lib;gone.so"}; /* the last has no ELF file */

        options.object = wrong[i];
        to = tmpfile();
        out_file_init(&out, to, false);
        assert_false(report_text(&out, profile, &options));
        fclose(to);
    }
}

static void csv(void **state)
{
    struct out_file out;
    FILE *to;

    tool_begin(&to);
    out_file_init(&out, to, false);
    report_csv(&out.out, profile);
    expect_file(tool_end(to), "linux/linux.csv");
}

static void json(void **state)
{
    FILE *to;
    const char *text = TOOL_WRITES(to, assert_true(report_json(to, profile, NULL, NULL)));

    expect_file(strstr(text, "\"objects\":"), "linux/linux.json");
    assert_non_null(
        strstr(text, "{\"core\":3,\"node\":0,\"fetch\":{\"all\":0,\"outside\":0},\"op\":{\"all\":16,\"outside\":0},"
                     "\"others\":4,\"counts\":["));
    assert_non_null(strstr(text, "\"cpus\":[[0,0,50],\n[3,0,16]],\n"));
}

/* Frames must not contain their separators. */
static void folded(void **state)
{
    struct measure measure = measure_default(profile);
    FILE *to;

    expect_file(TOOL_WRITES(to, assert_true(export_folded(to, profile, &measure, true))), "linux/linux.folded");
    expect_file(TOOL_WRITES(to, assert_true(export_folded(to, profile, &measure, false))), "linux/linux-all.folded");
    assert_true(measure_find(profile, "cpu-clock", &measure));
    expect_file(TOOL_WRITES(to, assert_true(export_folded(to, profile, &measure, false))), "linux/linux-clock.folded");
    to = fopen("/dev/full", "w");
    setvbuf(to, NULL, _IONBF, 0);
    assert_false(export_folded(to, profile, &measure, false));
    fclose(to);
}

static void annotated(void **state)
{
    struct annotate_options options = {.width = 79};
    struct out_file out;
    FILE *to;

    assert_true(measure_find(profile, "cpu-clock", &options.measure));
    tool_begin(&to);
    out_file_init(&out, to, false);
    annotate_function(&out.out, profile, 0, 0, &options);
    expect_file(tool_end(to), "linux/linux-annotate.txt");
}

/* ---------------------------------------------------------------- nothing, and only a little */

static struct run_profile *again(struct fake_input *input)
{
    struct profile_options options = {.comm = NULL};
    char error[200];

    return run_profile_read(&input->input, &options, error, sizeof(error));
}

static void no_samples(void **state)
{
    struct fake_input *none = fake_input_make(true);
    struct run_profile *empty = again(none), *saved = profile;
    struct report_options options = {.level = -1, .width = 79};

    options.measure = measure_default(empty);
    profile = empty;
    expect_text(text_of(&options), "fake\nWorkload  the file names none: everything in user mode (--comm=NAME "
                                   "chooses)\nSamples   0 of cpu-clock\n\nno samples\n");
    profile = saved;
    run_profile_free(empty);
    fake_input_free(none);
}

/* The ELF file of one of our runs is missing: all mapped code is the workload's, and code outside the maps is not. */
static void without_an_elf_file(void **state)
{
    struct fake_input *bare = fake_input_make(false), *saved = fake;
    struct run_profile *read;

    fake = bare;
    bare->input.facts.is_linux = false;
    fake_input_map(bare, 1, 0x10000, 0x1000, 0x200, "nowhere.elf");
    ops(3, 1, 0, MODE_USER, 0x10010, 0);
    ops(2, 1, 0, MODE_USER, 0x20010, 0);
    read = again(bare);
    assert_int_equal(read->place_count, 2);
    assert_int_equal(read->places[0].rva, 0x210);
    assert_true(read->places[0].workload);
    assert_int_equal(read->places[0].func, -1);
    assert_false(read->places[1].workload);
    assert_int_equal(read->outside[SAMPLE_OP], 2);
    run_profile_free(read);
    fake_input_free(bare);
    fake = saved;
}

/* An address behind the end of the file that was found means that the file is a different one, so the address stays
 * unknown. */
static void behind_the_file(void **state)
{
    struct fake_input *longer = fake_input_make(false), *saved = fake;
    struct run_profile *read;

    fake = longer;
    fake_input_map(longer, 1, 0x10000, 0x10000, PROGRAM_OFFSET, profile->objects[0]->name);
    ops(3, 1, 0, MODE_USER, 0x10000 + PROGRAM_SIZE - 1, 0);
    ops(2, 1, 0, MODE_USER, 0x10000 + PROGRAM_SIZE, 0);
    read = again(longer);
    assert_int_equal(read->place_count, 2);
    assert_int_equal(read->places[0].object, 0);
    assert_int_equal(read->places[0].rva, 0x401041); /* the instruction that holds the last byte */
    assert_int_equal(read->places[1].object, PROFILE_NO_OBJECT);
    assert_int_equal(read->places[1].rva, PROGRAM_OFFSET + PROGRAM_SIZE);
    run_profile_free(read);
    fake_input_free(longer);
    fake = saved;
}

/* Samples are of several cores, in any order, and there are losses. */
static void many_cores(void **state)
{
    static const uint32_t cpus[] = {7, 2, 65534, 2, 0, 5, 70000};
    static const uint32_t wanted[] = {0, 2, 5, 7, 65534, 65535};
    struct fake_input *input = fake_input_make(false), *saved = fake;
    struct run_profile *read;

    fake = input;
    for (unsigned i = 0; i < 7; i++)
        ops(1, 1, cpus[i], MODE_USER, 0x10, 0);
    fake_input_add(input, PERFDATA_ITEM_LOST)->lost = 5;
    fake_input_add(input, PERFDATA_ITEM_LOST)->lost = 2;
    fake_input_add(input, PERFDATA_ITEM_THROTTLE);
    fake_input_add(input, PERFDATA_ITEM_UNTHROTTLE);
    fake_input_add(input, PERFDATA_ITEM_OTHER);
    fake_input_add(input, PERFDATA_ITEM_OTHER);
    read = again(input);
    assert_int_equal(read->core_count, 6);
    for (unsigned i = 0; i < 6; i++) {
        assert_int_equal(read->cores[i].cpu, wanted[i]);
        assert_int_equal(read->cores[i].samples[SAMPLE_OP], wanted[i] == 2 ? 2 : 1);
    }
    assert_int_equal(read->lost, 7);
    assert_int_equal(read->throttled, 1);
    assert_int_equal(read->records_other, 2);
    struct report_options options = {.level = -1, .width = 79};
    struct run_profile *whole = profile;
    const char *text;

    options.measure = measure_default(read);
    profile = read;
    text = text_of(&options);
    profile = whole;
    assert_non_null(strstr(text, "\nLOST      7 samples or records: the profile is not complete\n"));
    assert_non_null(
        strstr(text, "\nTHROTTLED 1 times: the kernel stopped sampling for a while, so shares are biased\n"));
    run_profile_free(read);
    fake_input_free(input);
    fake = saved;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places),
        cmocka_unit_test(cores),
        cmocka_unit_test(points),
        cmocka_unit_test(texts),
        cmocka_unit_test(objects),
        cmocka_unit_test(csv),
        cmocka_unit_test(json),
        cmocka_unit_test(folded),
        cmocka_unit_test(annotated),
        cmocka_unit_test(no_samples),
        cmocka_unit_test(without_an_elf_file),
        cmocka_unit_test(behind_the_file),
        cmocka_unit_test(many_cores),
    };

    return cmocka_run_group_tests(tests, begin, end);
}
