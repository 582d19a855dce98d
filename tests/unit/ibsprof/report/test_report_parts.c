/* SPDX-License-Identifier: BSD-2-Clause */
/* Parts of reports on profiles made by hand: regions of addresses, which rows are left out, names of rows and
 * events. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/family/ibs_regs.h"
#include "core/view/view.h"
#include "tests/unit/first_set.h"
#include "tests/unit/ibsprof/fake_input.h"
#include "tests/unit/ibsprof/measure_find.h"
#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/program.h"
#include "tests/unit/ibsprof/tool.h"
#include "tools/ibsprof/report/annotate/annotate.h"
#include "tools/ibsprof/profile/view_profile.h"
#include "tools/ibsprof/profile/measure.h"
#include "tools/ibsprof/report/json/report_choose.h"
#include "tools/ibsprof/report/json/report_json.h"
#include "tools/ibsprof/report/json/report_parts.h"
#include "tools/ibsprof/report/json/report_sums.h"
#include "tools/ibsprof/profile/rows.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* ---------------------------------------------------------------- points */

static const char *points_of(const struct run_profile *profile, const uint32_t *row_of_place)
{
    struct json json;
    FILE *to;

    tool_begin(&to);
    json_init(&json, to);
    json_object(&json);
    report_points(&json, profile, row_of_place);
    json_end(&json);
    assert_true(json_finish(&json));
    return tool_end(to);
}

/* A gap of a megabyte separates regions, and one byte less does not. The order is that of time, and of the points at
 * equal times. */
static void points(void **state)
{
    const uint64_t far = 0x10000000;
    struct profile_point made[] = {
        {50, far + 0x100000, 0, 7, SOURCE_L2, false, false},
        {20, far, 1, 300, SOURCE_DRAM, true, false},
        {20, far + 0x300000 - 1, 2, 0, SOURCE_L1, false, true}, /* 0x1fffff above the first */
        {30, far + 0x200000 - 1, 3, 0xFFFF, SOURCE_REMOTE_DRAM, true, true},
    };
    const struct run_profile profile = {
        .points = made, .point_count = 4, .points_seen = 99, .first_time = 12, .place_count = 3};
    const uint32_t rows[] = {10, UINT32_MAX, 12, 13};

    expect_text(points_of(&profile, rows), "{\"points\":{\"seen\":99,\n\"count\":4,\n\"region_gap\":1048576,\n"
                                           "\"regions\":[{\"base\":\"0x10000000\",\"span\":0,\"points\":1},"
                                           "{\"base\":\"0x10100000\",\"span\":1048575,\"points\":2},"
                                           "{\"base\":\"0x102fffff\",\"span\":0,\"points\":1}],\n"
                                           "\"region\":[0,2,1,1],\n"
                                           "\"offset\":[0,0,1048575,0],\n"
                                           "\"time_step\":[8,0,10,20],\n"
                                           "\"row\":[-1,12,-1,10],\n"
                                           "\"latency\":[300,0,65535,7],\n"
                                           "\"source\":[5,0,6,1],\n"
                                           "\"flags\":[1,2,3,0]}}\n");
}

/* With more than 64 regions gaps are doubled until there are no more than 64. */
static void many_regions(void **state)
{
    static const struct {
        unsigned count;
        uint64_t step, gap;
        unsigned regions;
    } rows[] = {
        {64, 1 << 20, 1 << 20, 64}, {65, 1 << 20, 2 << 20, 1},  {65, 2 << 20, 4 << 20, 1},
        {200, 3 << 20, 4 << 20, 1}, {64, 9 << 20, 1 << 20, 64}, {0, 0, 1 << 20, 0},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct profile_point *made = calloc(rows[i].count + 1, sizeof(*made));
        const struct run_profile profile = {.points = made, .point_count = rows[i].count, .place_count = 1};
        const char *at, *end;
        char gap[40];
        unsigned regions = 0;

        for (unsigned k = 0; k < rows[i].count; k++)
            made[k] = (struct profile_point){.addr = 0x1000 + k * rows[i].step, .time = 1000 - k};
        at = points_of(&profile, (const uint32_t[]){0});
        snprintf(gap, sizeof(gap), "\"region_gap\":%llu,", (unsigned long long)rows[i].gap);
        if (strstr(at, gap) == NULL)
            fail_msg("row %zu: %s", i, at);
        end = strstr(at, "]");
        while ((at = strstr(at, "\"base\"")) != NULL && at < end) {
            regions++;
            at++;
        }
        assert_int_equal(regions, rows[i].regions);
        free(made);
    }
}

/* ---------------------------------------------------------------- names */

static void operands(void **state)
{
    static const struct {
        struct input_event event;
        const char *text;
    } rows[] = {
        {{.kind = SAMPLE_TIMER, .type = 4, .config = 0x76}, "timer"},
        {{.kind = SAMPLE_PMC, .type = 4, .config = 0x76}, "E076"},
        {{.kind = SAMPLE_PMC, .type = 4, .config = 0x41}, "E041"},
        {{.kind = SAMPLE_PMC, .type = 4, .config = 0x141}, "E041:01"},       /* another unit mask */
        {{.kind = SAMPLE_PMC, .type = 4, .config = 0x100000041}, "E141:00"}, /* 141h */
        {{.kind = SAMPLE_PMC, .type = 4, .config = 0x40041}, ""},            /* edges */
        {{.kind = SAMPLE_PMC, .type = 4, .config = 0x800041}, ""},           /* inverted */
        {{.kind = SAMPLE_PMC, .type = 4, .config = 0x1000041}, ""},          /* a count mask */
        {{.kind = SAMPLE_PMC, .type = 4, .config = 0x80000041}, ""},
        {{.kind = SAMPLE_PMC, .type = 0, .config = 0x41}, ""},
        {{.kind = SAMPLE_OP, .type = 4, .config = 0x41}, ""},
        {{.kind = SAMPLE_FETCH, .type = 4, .config = 0x41}, ""},
    };
    char text[REPORT_OPERAND_SIZE];

    for (size_t i = 0; i < COUNT(rows); i++) {
        report_operand(text, EVENT_SET_NONE, &rows[i].event);
        assert_string_equal(text, rows[i].text);
    }
    /* Every meaning is tried, with its mask. */
    for (unsigned i = 0; i < EVENT_MEANINGS; i++) {
        const struct input_event event = {.kind = SAMPLE_PMC,
                                          .type = 4,
                                          .config = (event_meaning_of(EVENT_SET_10H, i)->select & 0xFF) |
                                                    event_meaning_of(EVENT_SET_10H, i)->mask << 8 |
                                                    (uint64_t)(event_meaning_of(EVENT_SET_10H, i)->select >> 8) << 32};
        char wanted[8];

        report_operand(text, EVENT_SET_NONE, &event);
        snprintf(wanted, sizeof(wanted), "E%03X", event_meaning_of(EVENT_SET_10H, i)->select);
        assert_string_equal(text, wanted);
    }
    /* On Zen 2 misses of both DTLBs are 045:F0, and 046 is another event. */
    report_operand(text, EVENT_SET_ZEN2, &(struct input_event){.kind = SAMPLE_PMC, .type = 4, .config = 0xF045});
    assert_string_equal(text, "E046");
    report_operand(text, EVENT_SET_ZEN2, &(struct input_event){.kind = SAMPLE_PMC, .type = 4, .config = 0x0746});
    assert_string_equal(text, "E046:07");
}

/* The default is ops, then fetches, then the event with the most samples. */
static void measures(void **state)
{
    static const struct input_event events[] = {{.name = "a"}, {.name = "b"}, {.name = "F100"}};
    static const struct input_event ibs[] = {{.name = "ibs_op//", .kind = SAMPLE_OP},
                                             {.name = "ibs_fetch//", .kind = SAMPLE_FETCH}};
    const struct input_facts facts = {.events = events, .event_count = 3}, none = {.event_count = 0};
    const struct input_facts both = {.events = ibs, .event_count = 2};
    uint64_t samples[] = {5, 7, 7}, counts[DERIVED_COUNT] = {[DERIVED_F206_DC_MISS] = 66};
    struct run_profile profile = {.facts = &facts, .event_samples = samples, .samples = {1, 1}};
    struct measure measure;

    profile.totals[DERIVED_F206_DC_MISS] = 600;
    assert_int_equal(measure_default(&profile).derived, DERIVED_F100_OP_ALL);
    profile.samples[SAMPLE_OP] = 0;
    measure = measure_default(&profile);
    assert_int_equal(measure.derived, DERIVED_F002_FETCH_ATTEMPTED); /* killed fetches never determine the order */
    assert_string_equal(measure.name, "IBS fetch attempted");
    assert_string_equal(measure.unit, "samples");
    profile.samples[SAMPLE_FETCH] = 0;
    measure = measure_default(&profile);
    assert_int_equal(measure.derived, -1);
    assert_int_equal(measure.event, 1);
    assert_string_equal(measure.name, "b");
    assert_string_equal(measure.unit, "samples");
    samples[0] = 8;
    assert_int_equal(measure_default(&profile).event, 0);
    samples[2] = 9;
    assert_int_equal(measure_default(&profile).event, 2);
    assert_int_equal(measure_of(&measure, counts, samples), 7);
    assert_int_equal(measure_total(&measure, &profile), 7);
    /* An event of the file is found before a derived one. */
    assert_true(measure_find(&profile, "F100", &measure));
    assert_int_equal(measure.derived, -1);
    assert_int_equal(measure.event, 2);
    profile.facts = &none;
    assert_int_equal(measure_default(&profile).derived, DERIVED_F100_OP_ALL);
    assert_false(measure_find(&profile, "a", &measure));
    assert_false(measure_find(&profile, "f206", &measure)); /* without samples of IBS */
    profile.facts = &both;
    assert_true(measure_find(&profile, "f206", &measure));
    assert_int_equal(measure.derived, DERIVED_F206_DC_MISS);
    assert_int_equal(measure_of(&measure, counts, samples), 66);
    assert_int_equal(measure_total(&measure, &profile), 600);
    assert_false(measure_find(&profile, "", &measure));
    for (int i = 0; i < DERIVED_FIRST; i++) {
        const struct derived_event *event = &derived_events[i];
        const char *const words[] = {event->code, event->abbreviation, event->name, event->symbol};

        for (size_t w = 0; w < COUNT(words); w++) {
            if (words[w][0] == '\0')
                continue;
            assert_true(measure_find(&profile, words[w], &measure));
            assert_int_equal(measure.derived, i);
        }
    }
}

/* The main object has the most samples of the workload; of equal ones the first. */
static void main_objects(void **state)
{
    static const struct input_event events[2];
    const struct input_facts facts = {.events = events, .event_count = 2};
    uint64_t counts[][2] = {{3, 1}, {9, 9}, {2, 3}, {0, 0}, {50, 0}, {1, 0}};
    struct profile_place places[] = {{.object = 0, .workload = true, .events = counts[0]},
                                     {.object = 0, .workload = false, .events = counts[1]},
                                     {.object = 1, .workload = true, .events = counts[2]},
                                     {.object = 2, .workload = true, .events = counts[3]},
                                     {.object = PROFILE_NO_OBJECT, .workload = true, .events = counts[4]},
                                     {.object = 0, .workload = true, .events = counts[5]}};
    struct run_profile profile = {.facts = &facts, .object_count = 3, .places = places, .place_count = 5};

    assert_int_equal(main_object(&profile), 1); /* 5 against 4 */
    profile.place_count = 6;
    assert_int_equal(main_object(&profile), 0); /* 5 each */
    profile.places = places + 3;
    profile.place_count = 2;
    assert_int_equal(main_object(&profile), PROFILE_NO_OBJECT);
}

/* ---------------------------------------------------------------- rows */

enum { UNMAPPED = 0x10000 };

static struct run_profile *read_profile(struct fake_input *fake)
{
    struct profile_options how = {0};
    char error[200];
    struct run_profile *profile = run_profile_read(&fake->input, &how, error, sizeof(error));

    assert_non_null(profile);
    return profile;
}

static void op(struct fake_input *fake, unsigned times, uint8_t mode, uint64_t rip)
{
    struct sample_record record = {.kind = SAMPLE_OP, .reg = {[IBS_OP_RIP] = rip}};

    while (times-- > 0)
        fake_input_ibs(fake, 1, &record)->mode = mode;
}

static void ticks(struct fake_input *fake, unsigned times, uint64_t ip, uint64_t period)
{
    while (times-- > 0)
        fake_input_clock(fake, 1, ip)->period = period;
}

/* The function hot has eight instructions and cold has two: a budget of 80 and 2 bytes. */
static void listed_functions(void **state)
{
    static const struct {
        uint32_t listed_max;
        bool hot, cold;
    } rows[] = {{10, true, true}, {9, true, false}, {8, true, false}, {7, false, false}, {0, false, false}};
    struct fake_input *fake = fake_input_make(true);
    struct run_profile *profile;

    fake_input_map(fake, 1, PROGRAM_TEXT, 0x1000, PROGRAM_OFFSET, program_make("program.elf"));
    op(fake, 2, MODE_USER, 0x401016);
    ticks(fake, 2, 0x401016, 9); /* four together, more than cold's three */
    op(fake, 3, MODE_USER, 0x401030);
    op(fake, 1, MODE_USER, UNMAPPED);
    profile = read_profile(fake);
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct report_json_options options = {.rows_max = UINT32_MAX, .listed_max = rows[i].listed_max};
        struct report_choice choice;

        report_choose(&choice, profile, &options);
        assert_int_equal(choice.count, 3);
        assert_int_equal(choice.least, 0);
        assert_int_equal(choice.function[0].samples, 4);
        assert_int_equal(choice.function[0].insns, 8);
        assert_int_equal(choice.function[0].listed, rows[i].hot);
        assert_int_equal(choice.function[1].samples, 3);
        assert_int_equal(choice.function[1].insns, 2);
        assert_int_equal(choice.function[1].listed, rows[i].cold);
        assert_int_equal(choice.function[2].insns, 0);
        assert_int_equal(choice.function[2].func, -1);
        assert_int_equal(choice.function[2].object, PROFILE_NO_OBJECT);
        report_choice_free(&choice);
    }
    assert_int_equal(report_first_insn(profile->maps[0], 0), 0);
    assert_int_equal(report_first_insn(profile->maps[0], 1), 8);
    assert_null(report_map(profile, PROFILE_NO_OBJECT));
    assert_ptr_equal(report_map(profile, 0), profile->maps[0]);
    run_profile_free(profile);
    fake_input_free(fake);
}

static char *json_of(struct fake_input *fake, const struct report_json_options *options)
{
    struct run_profile *profile = read_profile(fake);
    char *text;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    struct json json;

    json_init(&json, to);
    report_json_write(&json, profile, options);
    assert_true(json_finish(&json));
    fclose(to);
    run_profile_free(profile);
    fake_input_free(fake);
    return text;
}

static void has(char *text, const char *part)
{
    char *functions = strstr(text, "\"functions\"");

    if (strstr(text, part) == NULL)
        fail_msg("%s\nis not in\n%.900s", part, functions ? functions : text);
    free(text);
}

/* The smallest row that is written has one sample more than the largest one left out. Rows left out are added up, with
 * their events and what they stand for. */
static void rest(void **state)
{
    const struct report_json_options two = {.rows_max = 2, .listed_max = 0}, three = {.rows_max = 3, .listed_max = 0};

    for (int i = 0; i < 2; i++) {
        struct fake_input *fake = fake_input_make(true);

        op(fake, 5, MODE_USER, UNMAPPED);
        op(fake, 1, MODE_USER, UNMAPPED + 1);
        ticks(fake, 2, UNMAPPED + 1, 100);
        op(fake, 2, MODE_KERNEL, UNMAPPED + 2);
        ticks(fake, 1, UNMAPPED + 3, 7);
        has(json_of(fake, i == 0 ? &two : &three),
            i == 0 ? "\"rows\":[[\"0x10000\",null,-1,[13,5]],[\"0x10001\",null,-1,[13,1],[2,2,200]]],\"sources\":[],"
                     "\"rest_rows\":2,\"rest\":[[13,2],[2,1,7]]}"
                   : "\"rows\":[[\"0x10000\",null,-1,[13,5]],[\"0x10001\",null,-1,[13,1],[2,2,200]],"
                     "[\"0x10002\",null,-1,[13,2]]],\"sources\":[],\"rest_rows\":1,\"rest\":[[],[2,1,7]]}");
    }
}

/* The rows with the most samples are written, wherever they are. */
static void rows_of_any_order(void **state)
{
    static const unsigned counts[] = {1, 5, 2, 3};
    const struct report_json_options two = {.rows_max = 2, .listed_max = 0};
    struct fake_input *fake = fake_input_make(true);

    for (unsigned i = 0; i < COUNT(counts); i++)
        op(fake, counts[i], MODE_USER, UNMAPPED + i);
    has(json_of(fake, &two), "\"rows\":[[\"0x10001\",null,-1,[13,5]],[\"0x10003\",null,-1,[13,3]]],\"sources\":[],"
                             "\"rest_rows\":2,\"rest\":[[13,3]]}");
}

/* A row has its own latencies. */
static void latencies(void **state)
{
    struct fake_input *fake = fake_input_make(false);
    struct sample_record record = {.kind = SAMPLE_OP};

    record.reg[IBS_OP_RIP] = UNMAPPED;
    record.reg[IBS_OP_DATA3] = IBS_LD_OP | IBS_DC_MISS | 7ull << 32;
    fake_input_ibs(fake, 1, &record);
    record.reg[IBS_OP_DATA3] = IBS_LD_OP | IBS_DC_MISS | 9ull << 32;
    fake_input_ibs(fake, 1, &record);
    fake_input_ibs(fake, 1, &record);
    op(fake, 1, MODE_USER, UNMAPPED + 1);
    has(json_of(fake, &report_json_all), ",[],[7,1,9,2]],[\"0x10001\",null,-1,[13,1]]]");
}

/* With more events than places have room for there is no profile. */
static void too_many_events(void **state)
{
    struct fake_input *fake = fake_input_make(false);
    struct profile_options how = {0};
    struct input_event *events = calloc(UINT16_MAX + 1, sizeof(*events));
    char error[200] = "";

    for (unsigned i = 0; i <= UINT16_MAX; i++)
        events[i] = (struct input_event){.name = "e", .kind = SAMPLE_PMC};
    fake->input.facts.events = events;
    fake->input.facts.event_count = UINT16_MAX;
    run_profile_free(run_profile_read(&fake->input, &how, error, sizeof(error)));
    assert_string_equal(error, "");
    fake->input.facts.event_count = UINT16_MAX + 1;
    assert_null(run_profile_read(&fake->input, &how, error, sizeof(error)));
    assert_string_equal(error, "fake: more events than ibsprof counts (65535)");
    free(events);
    fake_input_free(fake);
}

/* An address in two modes is one row; rows of a function are offsets in it. */
static void one_row(void **state)
{
    const struct report_json_options few = {.rows_max = UINT32_MAX, .listed_max = 0};
    struct fake_input *fake = fake_input_make(false);

    fake_input_map(fake, 1, PROGRAM_TEXT, 0x1000, PROGRAM_OFFSET, program_make("program.elf"));
    op(fake, 2, MODE_USER, 0x401016);
    op(fake, 3, MODE_HYPERVISOR, UNMAPPED);
    op(fake, 4, MODE_USER, UNMAPPED);
    op(fake, 1, MODE_USER, UNMAPPED + 1);
    has(json_of(fake, &few), "\"functions\":[{\"object\":0,\"name\":\"hot\",\"start\":\"0x401010\",\"size\":17,"
                             "\"workload\":true,\"first_row\":0,\"rows\":[[6,\"mov eax, dword ptr [rsi+rcx*4]\",0,"
                             "[13,2]]],\"sources\":[[\"made/hot.c\",13,null]]},\n"
                             "{\"object\":-1,\"name\":null,\"start\":\"0x0\",\"size\":0,\"workload\":true,"
                             "\"first_row\":1,\"rows\":[[\"0x10000\",null,-1,[13,7]],[\"0x10001\",null,-1,[13,1]]],"
                             "\"sources\":[]}]");
}

/* ---------------------------------------------------------------- a function without code */

/* The kernel's functions come from a copy of /proc/kallsyms, which has names and no bytes: samples are still
 * counted. */
static void annotated_without_code(void **state)
{
    static const struct codemap_func funcs[] = {{.rva = 0x10, .size = 0x20, .name = 0},
                                                {.rva = 0x30, .size = 8, .name = 5}};
    static const struct codemap map = {.func_count = 2, .funcs = funcs, .strings = "idle\0sleep"};
    static const struct codemap *maps[] = {&map};
    struct object kernel = {.name = "[kernel.kallsyms]_text", .base = 0xffffffff81000000}, *objects[] = {&kernel};
    const struct input_event events[] = {{.name = "cpu-clock", .kind = SAMPLE_TIMER}};
    const struct input_facts facts = {.events = events, .event_count = 1};
    uint64_t counts[] = {100, 36, 7, 0, 500}, samples[] = {8019};
    struct profile_place places[] = {
        {.rva = kernel.base + 0x10, .insn = -1, .func = 0, .events = &counts[0], .event_weights = &counts[0]},
        {.rva = kernel.base + 0x2f, .insn = -1, .func = 0, .events = &counts[1], .event_weights = &counts[1]},
        {.rva = kernel.base + 0x30, .insn = -1, .func = 1, .events = &counts[2], .event_weights = &counts[2]},
        /* One place has another event, and one is in another file. */
        {.rva = kernel.base + 0x11, .insn = -1, .func = 0, .events = &counts[3], .event_weights = &counts[3]},
        {.object = 1, .rva = 0x12, .insn = -1, .func = 0, .events = &counts[4], .event_weights = &counts[4]}};
    const struct run_profile profile = {.facts = &facts,
                                        .objects = objects,
                                        .maps = maps,
                                        .object_count = 1,
                                        .places = places,
                                        .place_count = 5,
                                        .event_samples = samples,
                                        .event_weights = samples};
    struct annotate_options options = {.measure = measure_default(&profile), .width = 79};
    struct out_file out;
    FILE *to;

    tool_begin(&to);
    out_file_init(&out, to, false);
    annotate_function(&out.out, &profile, 0, 0, &options);
    expect_text(tool_end(to),
                "idle  [kernel.kallsyms]_text, ffffffff81000010..ffffffff81000030: cpu-clock, 136 of 8019\n"
                "===============================================================================\n"
                "(no code here: no file contains its bytes)\n"
                "samples  share heat  address\n"
                "    100  73.5% ####  ffffffff81000010\n"
                "     36  26.5% ###   ffffffff8100002f\n");
    kernel.path = "vmlinux";
    tool_begin(&to);
    out_file_init(&out, to, false);
    annotate_function(&out.out, &profile, 0, 0, &options);
    assert_non_null(strstr(tool_end(to), "(no code here: the file found does not contain it)\n"));
    kernel.path = NULL;
    /* For loads that missed the row has their number and mean latency. */
    places[0].counts[DERIVED_X200_LOAD_DC_MISS] = 4;
    places[0].counts[DERIVED_F219_DC_LOAD_LATENCY] = 4 * 162;
    tool_begin(&to);
    out_file_init(&out, to, false);
    annotate_function(&out.out, &profile, 0, 0, &options);
    expect_text(strstr(tool_end(to), "samples  share"), "samples  share heat missed  mean  address\n"
                                                        "    100  73.5% ####      4 162.0  ffffffff81000010\n"
                                                        "     36  26.5% ###                ffffffff8100002f\n");
    tool_begin(&to);
    out_file_init(&out, to, false);
    annotate_csv(&out.out, &profile, 0, 0, &options);
    expect_text(tool_end(to), "function,[kernel.kallsyms]_text,idle,0xffffffff81000010,,,,136,100,4,162\n"
                              "address,[kernel.kallsyms]_text,idle,0xffffffff81000010,,,,100,73.5294117647059,4,162\n"
                              "address,[kernel.kallsyms]_text,idle,0xffffffff8100002f,,,,36,26.4705882352941,0,\n");
}

/* ---------------------------------------------------------------- views */

static const char *views_of(const struct run_profile *profile)
{
    struct json json;
    FILE *to;

    tool_begin(&to);
    json_init(&json, to);
    json_object(&json);
    report_views(&json, profile, NULL);
    json_end(&json);
    assert_true(json_finish(&json));
    return tool_end(to);
}

/* There are tables of the events that were counted, even if they never occurred, and no tables of events that were not
 * counted. */
static void views_of_what_was_counted(void **state)
{
    const struct input_event events[] = {{.name = "clocks", .kind = SAMPLE_PMC, .type = 4, .config = 0x76},
                                         {.name = "instructions", .kind = SAMPLE_PMC, .type = 4, .config = 0xC0},
                                         {.name = "misses", .kind = SAMPLE_PMC, .type = 4, .config = 0x41},
                                         {.name = "accesses", .kind = SAMPLE_PMC, .type = 4, .config = 0x40}};
    struct input_facts facts = {.events = events, .event_count = 2};
    uint64_t samples[] = {100, 50, 0, 3};
    const struct run_profile profile = {.facts = &facts, .set = *first_set(), .event_samples = samples};
    const char *text = views_of(&profile);

    assert_non_null(strstr(text, "\"name\":\"ipc_assess\""));
    assert_null(strstr(text, "br_assess"));
    assert_null(strstr(text, "triage_assess"));
    assert_null(strstr(text, "dc_assess"));
    assert_null(strstr(text, "ibs_"));
    facts.event_count = 4;
    assert_non_null(strstr(views_of(&profile), "\"name\":\"dc_assess\""));
    /* Without a sample of its population a table is left out. */
    samples[0] = samples[1] = 0;
    assert_null(strstr(views_of(&profile), "\"name\":\"ipc_assess\""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points),
        cmocka_unit_test(many_regions),
        cmocka_unit_test(operands),
        cmocka_unit_test(measures),
        cmocka_unit_test(listed_functions),
        cmocka_unit_test(rest),
        cmocka_unit_test(one_row),
        cmocka_unit_test(main_objects),
        cmocka_unit_test(rows_of_any_order),
        cmocka_unit_test(latencies),
        cmocka_unit_test(too_many_events),
        cmocka_unit_test(annotated_without_code),
        cmocka_unit_test(views_of_what_was_counted),
    };

    return cmocka_run_group_tests(tests, NULL, files_end);
}
