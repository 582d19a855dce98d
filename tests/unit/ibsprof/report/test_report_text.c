/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows, folded stacks, listings and the text around them, for a few samples in the image. */
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
#include "tools/ibsprof/report/annotate/annotate.h"
#include "tools/ibsprof/export/folded.h"
#include "tools/ibsprof/report/json/report_parts.h"
#include "tools/ibsprof/report/tables/report_text.h"
#include "tools/ibsprof/profile/rows.h"

static struct objects opened;

static const char *const image = "build/ibsboot.elf";
enum { BASE = 0x3e000000, HOT = 5 };

struct setup {
    struct fake_input *fake;
    struct run_profile *profile;
    const struct codemap *map;
    uint32_t load; /* address of an instruction that loads */
    char text[20000];
};

static void add_op(struct setup *setup, uint64_t rip, uint64_t data3, unsigned times)
{
    struct sample_record record = {.kind = SAMPLE_OP};

    record.reg[IBS_OP_RIP] = rip;
    record.reg[IBS_OP_DATA3] = data3;
    for (unsigned i = 0; i < times; i++)
        fake_input_ibs(setup->fake, 1, &record);
}

static int begin(void **state)
{
    struct setup *setup = calloc(1, sizeof(*setup));
    struct profile_options options = {0};
    const struct codemap *map = object_codemap(object_get(&opened, NULL, image, NULL, 0), NULL, 0);
    char error[200];

    setup->fake = fake_input_make(true);
    setup->fake->input.facts.is_linux = false;
    setup->fake->input.facts.is_model = true;
    while (map->insns[setup->load].mems == 0 || !(map->insns[setup->load].mem[0].flags & CODEMAP_LOAD))
        setup->load++;
    fake_input_map(setup->fake, 1, BASE + 0x1000, 0x60000, 0x1000, image);
    add_op(setup, BASE + map->insns[0].rva, 0, 2);
    add_op(setup, BASE + map->insns[setup->load].rva, IBS_LD_OP | IBS_DC_MISS | 100ull << 32, HOT);
    add_op(setup, 0x10, 0, 1);
    fake_input_clock(setup->fake, 1, BASE + map->insns[0].rva);
    setup->profile = run_profile_read(&setup->fake->input, &options, error, sizeof(error));
    setup->map = setup->profile->maps[0];
    *state = setup;
    return 0;
}

static int end(void **state)
{
    struct setup *setup = *state;

    run_profile_free(setup->profile);
    objects_free(&opened);
    fake_input_free(setup->fake);
    free(setup);
    return 0;
}

static void measures_have_names(void **state)
{
    struct setup *setup = *state;
    struct measure measure = measure_default(setup->profile);
    static const char *const names[] = {"F206", "f206", "IBS DC miss", "IBS_OP_DATA_CACHE_MISS"};

    assert_int_equal(measure.derived, DERIVED_F100_OP_ALL);
    assert_int_equal(measure_total(&measure, setup->profile), 2 + HOT + 1);
    for (unsigned i = 0; i < 4; i++) {
        assert_true(measure_find(setup->profile, names[i], &measure));
        assert_int_equal(measure.derived, DERIVED_F206_DC_MISS);
    }
    assert_int_equal(measure_total(&measure, setup->profile), HOT);
    assert_true(measure_find(setup->profile, "cpu-clock", &measure));
    assert_int_equal(measure_total(&measure, setup->profile), 1);
    assert_false(measure_find(setup->profile, "nothing", &measure));
    assert_false(measure_find(setup->profile, "", &measure));
}

static void rows_are_sorted_and_complete(void **state)
{
    struct setup *setup = *state;
    struct measure measure = measure_default(setup->profile);
    char name[100];

    for (int level = PROFILE_INSTRUCTIONS; level <= PROFILE_FUNCTIONS; level++) {
        struct rows *rows = rows_make(setup->profile, (enum profile_level)level, &measure, false);
        uint64_t sum = 0;

        for (uint32_t i = 0; i < rows->count; i++) {
            sum += rows->rows[i].counts[DERIVED_F100_OP_ALL];
            if (i > 0)
                assert_true(rows->rows[i].counts[DERIVED_F100_OP_ALL] <= rows->rows[i - 1].counts[DERIVED_F100_OP_ALL]);
        }
        assert_int_equal(sum, 2 + HOT + 1);
        row_name(setup->profile, &rows->rows[0], (enum profile_level)level, name, sizeof(name));
        if (level == PROFILE_FUNCTIONS)
            assert_string_equal(name, setup->map->strings + setup->map->funcs[0].name);
        if (level == PROFILE_LINES)
            assert_non_null(strstr(name, "matmul_classic.c:"));
        if (level == PROFILE_INSTRUCTIONS)
            assert_non_null(strstr(name, setup->map->strings + setup->map->insns[setup->load].text));
        rows_free(rows);
    }
    struct rows *rows = rows_make(setup->profile, PROFILE_FUNCTIONS, &measure, true);

    assert_int_equal(rows->count, 1); /* code where nothing was mapped does not belong to the workload */
    rows_free(rows);
}

static void folded_stacks(void **state)
{
    struct setup *setup = *state;
    const struct codemap_insn *first = &setup->map->insns[0], *load = &setup->map->insns[setup->load];
    const char *function = setup->map->strings + setup->map->funcs[0].name, *strings = setup->map->strings;
    struct measure measure = measure_default(setup->profile);
    char wanted[1000];
    FILE *file;

    for (int workload = 0; workload < 2; workload++) {
        size_t used =
            (size_t)snprintf(wanted, sizeof(wanted),
                             "# MODEL: all figures come from ibsboot's virtual PMU (a model), not from silicon.\n"
                             "%s;matmul_classic.c:%u;%x %s 2\n%s;matmul_classic.c:%u;%x %s %d\n",
                             function, first->line, first->rva, strings + first->text, function, load->line, load->rva,
                             strings + load->text, HOT);

        if (!workload)
            snprintf(wanted + used, sizeof(wanted) - used, "[unknown];10 1\n");
        memset(setup->text, 0, sizeof(setup->text));
        file = fmemopen(setup->text, sizeof(setup->text), "w");
        assert_true(export_folded(file, setup->profile, &measure, workload));
        fclose(file);
        assert_string_equal(setup->text, wanted);
    }
}

static void listing_has_counts_and_heat(void **state)
{
    struct setup *setup = *state;
    struct annotate_options options = {.width = 100};
    const struct codemap_insn *load = &setup->map->insns[setup->load];
    struct out_memory out;
    char wanted[200];
    size_t widest = 0;

    assert_true(measure_find(setup->profile, "F206", &options.measure));
    out_memory_init(&out, setup->text, sizeof(setup->text));
    annotate_function(&out.out, setup->profile, 0, 0, &options);
    assert_true(out.needed < sizeof(setup->text));
    snprintf(wanted, sizeof(wanted), "%7d 100.0%% ####%7d 100.0 ", HOT, HOT);
    assert_non_null(strstr(setup->text, wanted));
    snprintf(wanted, sizeof(wanted), " %x %s\n", load->rva, setup->map->strings + load->text);
    assert_non_null(strstr(setup->text, wanted));
    snprintf(wanted, sizeof(wanted), "IBS DC miss, %d of %d\n", HOT, HOT);
    assert_non_null(strstr(setup->text, wanted));
    assert_null(strstr(setup->text, "\033"));
    for (const char *line = setup->text; *line; line += strcspn(line, "\n") + 1)
        if (strcspn(line, "\n") > widest)
            widest = strcspn(line, "\n");
    assert_in_range(widest, 60, 100);
    options.colour = true;
    out_memory_init(&out, setup->text, sizeof(setup->text));
    annotate_function(&out.out, setup->profile, 0, 0, &options);
    assert_non_null(strstr(setup->text, "\033[1;31m"));
    assert_non_null(strstr(setup->text, "\033[0m\n"));
}

static void text_of(struct setup *setup, const struct report_options *options, bool colour)
{
    struct out_file out;
    FILE *file;

    memset(setup->text, 0, sizeof(setup->text));
    file = fmemopen(setup->text, sizeof(setup->text), "w");
    out_file_init(&out, file, colour);
    assert_true(report_text(&out, setup->profile, options));
    fclose(file);
    assert_true(strlen(setup->text) < sizeof(setup->text) - 1);
}

static void report_says_what_it_is(void **state)
{
    struct setup *setup = *state;
    struct report_options options = {.width = 79, .level = PROFILE_FUNCTIONS, .min_percent = 0};

    options.measure = measure_default(setup->profile);
    text_of(setup, &options, false);
    assert_non_null(strstr(setup->text, "MODEL: all figures come from"));
    assert_non_null(strstr(setup->text, "not of time.\n"));
    assert_non_null(strstr(setup->text, "IBS ops   8, 12.5 % of them outside of the workload\n"));
    assert_non_null(strstr(setup->text, "Samples   1 of cpu-clock\n"));
    assert_non_null(strstr(setup->text, "\n>       7   87.5%       1  100.0%  multiply_matrices"));
    assert_non_null(strstr(setup->text, "IBS op profile by function: ops sampled\n"));
    assert_null(strstr(setup->text, "IBS fetch profile")); /* the file has no such samples */
    for (const char *line = setup->text; *line; line += strcspn(line, "\n") + 1)
        assert_in_range(strcspn(line, "\n"), 0, 79);
    options.views[0] = view_find("ibs_dclat");
    options.view_count = 1;
    text_of(setup, &options, true);
    assert_null(strstr(setup->text, "IBS op profile"));
    assert_non_null(strstr(setup->text, "\n\033[1m>"));
    assert_non_null(strstr(setup->text, "\033[0m\n"));
}

static void lost_tags(void **state)
{
    struct setup *setup = *state;
    struct report_options options = {.width = 79, .level = PROFILE_FUNCTIONS};
    struct input_setting tags[] = {{"ibs.tags", "400", true}, {"ibs.tags.sampled", "390", true}};
    const struct input_facts *before = setup->profile->facts;
    struct input_facts facts = *before;

    options.measure = measure_default(setup->profile);
    facts.settings = tags;
    facts.setting_count = 2;
    setup->profile->facts = &facts;
    text_of(setup, &options, false);
    assert_non_null(strstr(setup->text, "\nTags      400 in a separate pass, 2.5 % of them lost to flushes\n"));
    tags[1].value = "401"; /* a tag from before the counter started */
    text_of(setup, &options, false);
    assert_non_null(strstr(setup->text, ", 0.0 % of them lost"));
    facts.setting_count = 0;
    text_of(setup, &options, false);
    assert_null(strstr(setup->text, "\nTags "));
    setup->profile->facts = before;
}

/* Each kind of sampling has its sentence; recordings of Linux have none. */
static void found_of_shares(void **state)
{
    static const char *const kinds[] = {"op samples, counted in ops,", "op samples, counted in cycles,",
                                        "op samples, one per pass,", "counter samples (0C0, 076)", "timer samples"};
    struct input_setting once = {"once", "yes", false};
    struct input_event event = {.kind = SAMPLE_OP, .config = IBS_OP_CNT_CTL};
    struct input_facts facts = {.event_count = 1, .events = &event, .settings = &once};
    struct pmc_profile counters = {.event_count = 2}; /* no event in their rows: the last one is the timer */
    struct out_memory memory;
    char text[1000], *at = text;

    (void)state;
    out_memory_init(&memory, text, sizeof(text));
    report_found_ops(&memory.out, &facts);
    event.config = 0;
    report_found_ops(&memory.out, &facts);
    facts.setting_count = 1;
    report_found_ops(&memory.out, &facts);
    facts.is_linux = true;
    report_found_ops(&memory.out, &facts);
    report_found_counters(&memory.out, &counters);
    for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        at = strstr(at, "On the virtual PMU, shares of ");
        assert_non_null(at);
        at += strlen("On the virtual PMU, shares of ");
        assert_memory_equal(at, kinds[i], strlen(kinds[i]));
    }
    assert_null(strstr(at, "shares of"));
    out_memory_init(&memory, text, sizeof(text));
    counters.event_count = 1; /* only the timer */
    report_found_counters(&memory.out, &counters);
    assert_null(strstr(text, "counter samples"));
    assert_non_null(strstr(text, "shares of timer samples"));
}

/* The JSON has the same sentences, each once; fetches and Linux have none. */
static void found_in_json(void **state)
{
    struct input_event events[] = {{.kind = SAMPLE_FETCH},
                                   {.kind = SAMPLE_PMC},
                                   {.kind = SAMPLE_PMC},
                                   {.kind = SAMPLE_OP},
                                   {.kind = SAMPLE_TIMER}};
    struct input_facts facts = {.event_count = 1, .events = events};
    struct json json;
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);

    (void)state;
    json_init(&json, file);
    json_object(&json);
    report_found_json(&json, &facts);
    facts.event_count = sizeof(events) / sizeof(events[0]);
    facts.is_linux = true;
    report_found_json(&json, &facts);
    fflush(file);
    assert_null(strstr(text, "found"));
    facts.is_linux = false;
    report_found_json(&json, &facts);
    json_end(&json);
    assert_true(json_finish(&json));
    fclose(file);
    assert_non_null(strstr(text, "\"found\""));
    assert_non_null(strstr(text, "shares of op samples, counted in cycles,"));
    assert_non_null(strstr(text, "shares of timer samples"));
    assert_non_null(strstr(text, "shares of counter samples (0C0, 076)"));
    assert_null(strstr(strstr(text, "counter samples") + 1, "counter samples"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measures_have_names),    cmocka_unit_test(rows_are_sorted_and_complete),
        cmocka_unit_test(folded_stacks),          cmocka_unit_test(listing_has_counts_and_heat),
        cmocka_unit_test(report_says_what_it_is), cmocka_unit_test(found_of_shares),
        cmocka_unit_test(found_in_json),          cmocka_unit_test(lost_tags),
    };

    return cmocka_run_group_tests(tests, begin, end);
}
