/* SPDX-License-Identifier: BSD-2-Clause */
/* Rooflines as ibsprof reads them from facts and shows them. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/test.h"
#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/tool.h"
#include "tools/ibsprof/counters/roofline_facts.h"
#include "tools/ibsprof/report/json/report_parts.h"

#define PEAKS                                                                                                          \
    {"roofline.operations.operations", "8000000", true}, {"roofline.operations.bytes", "64", true},                    \
        {"roofline.operations.ns", "2000000", true}, {"roofline.memory.operations", "1000000", true},                  \
        {"roofline.memory.bytes", "30000000", true},                                                                   \
    {                                                                                                                  \
        "roofline.memory.ns", "3000000", true                                                                          \
    }

static const struct input_setting whole[] = {PEAKS,
                                             {"roofline.workload.operations", "300000", true},
                                             {"roofline.workload.bytes", "3000000", true},
                                             {"roofline.workload.ns", "1000000", true}};
static const struct input_setting without[] = {PEAKS,
                                               {"roofline.workload.operations", "not available: as it is", true},
                                               {"roofline.workload.ns", "1000000", true}};
static const struct input_setting none[] = {PEAKS, {"roofline.workload.ns", "1000000", false}};

static struct input_facts facts_of(const struct input_setting *settings, uint32_t count)
{
    return (struct input_facts){.settings = settings, .setting_count = count};
}
#define FACTS(list) facts_of(list, sizeof(list) / sizeof((list)[0]))

static const char *json_of(const struct input_facts *facts)
{
    const struct run_profile profile = {.facts = facts};
    struct json json;
    FILE *to;

    tool_begin(&to);
    json_init(&json, to);
    json_object(&json);
    report_roofline_json(&json, &profile);
    json_end(&json);
    assert_true(json_finish(&json));
    return tool_end(to);
}

static const char *text_of(const struct input_facts *facts)
{
    static char text[2000];
    const struct run_profile profile = {.facts = facts};
    struct out_memory memory;

    out_memory_init(&memory, text, sizeof(text));
    report_roofline_text(&memory.out, &profile);
    return text;
}

TEST(as_it_was_written)
{
    const struct input_facts facts = FACTS(whole);
    struct roofline_counts counts[ROOFLINE_LOOPS];
    struct roofline roofline;

    assert_true(roofline_read(counts, &roofline, &facts));
    assert_ptr_equal(roofline.of, counts);
    assert_int_equal(counts[ROOFLINE_WORKLOAD].operations, 300000);
    assert_int_equal(counts[ROOFLINE_WORKLOAD].bytes, 3000000);
    assert_int_equal(counts[ROOFLINE_WORKLOAD].ns, 1000000);
    assert_int_equal(counts[ROOFLINE_OPERATIONS].operations, 8000000);
    assert_int_equal(counts[ROOFLINE_MEMORY].bytes, 30000000);
    assert_int_equal(counts[ROOFLINE_MEMORY].ns, 3000000);
    assert_int_equal(roofline.share_ppm, 300000);
    assert_string_equal(json_of(&facts),
                        "{\"roofline\":{\"loops\":[{\"loop\":\"workload\",\"operations\":300000,\"no_operations\":null,"
                        "\"bytes\":3000000,\"no_bytes\":null,\"ns\":1000000,\"operations_s\":300000000,"
                        "\"bytes_s\":3000000000,\"intensity_ppm\":100000},"
                        "{\"loop\":\"operations\",\"operations\":8000000,\"no_operations\":null,"
                        "\"bytes\":64,\"no_bytes\":null,\"ns\":2000000,\"operations_s\":4000000000,"
                        "\"bytes_s\":32000,\"intensity_ppm\":125000000000},"
                        "{\"loop\":\"memory\",\"operations\":1000000,\"no_operations\":null,"
                        "\"bytes\":30000000,\"no_bytes\":null,\"ns\":3000000,\"operations_s\":333333333,"
                        "\"bytes_s\":10000000000,\"intensity_ppm\":33333}],\n"
                        "\"bound\":\"memory\",\n\"roof_s\":1000000000,\n\"share_ppm\":300000,\n"
                        "\"ridge_ppm\":400000}}\n");
    assert_int_equal(strncmp(text_of(&facts), "\nRoofline  ", 11), 0);
    assert_non_null(strstr(text_of(&facts), "\nThe roof is the peak of memory, 1.000 GFLOP/s"));
}

/* A count has a reason instead, and a fact is missing. */
TEST(what_was_not_counted)
{
    const struct input_facts facts = FACTS(without);
    const char *json = json_of(&facts);

    assert_non_null(strstr(json, "\"operations\":null,\"no_operations\":\"as it is\",\"bytes\":null,"
                                 "\"no_bytes\":\"the file does not say\",\"ns\":1000000,\"operations_s\":null,"
                                 "\"bytes_s\":null,\"intensity_ppm\":null}"));
    assert_non_null(strstr(json, "\"bound\":null,\n\"roof_s\":null,\n\"share_ppm\":null,\n\"ridge_ppm\":400000"));
    assert_non_null(strstr(text_of(&facts), "FLOP: not counted, as it is. Bytes: not counted, the file does not say."));
}

TEST(under_the_operations)
{
    struct input_setting settings[sizeof(whole) / sizeof(whole[0])];
    struct input_facts facts;

    memcpy(settings, whole, sizeof(whole));
    facts = FACTS(settings);
    settings[6].value = "3000000";
    assert_non_null(
        strstr(json_of(&facts), "\"bound\":\"operations\",\n\"roof_s\":4000000000,\n\"share_ppm\":750000,"));
}

TEST(other_runs)
{
    const struct input_facts facts = FACTS(none);
    struct roofline_counts counts[ROOFLINE_LOOPS];
    struct roofline roofline;

    assert_false(roofline_read(counts, &roofline, &facts));
    assert_string_equal(json_of(&facts), "{}\n");
    assert_string_equal(text_of(&facts), "");
}

RUN_TESTS(NULL, NULL)
