/* SPDX-License-Identifier: BSD-2-Clause */
/* Changes by sampling, as ibsprof reads and shows them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tools/ibsprof/counters/disturbance_facts.h"
#include "tools/ibsprof/report/json/report_parts.h"

static struct input_setting settings[] = {
    {"sampling", "unchanged", true},
    {"sampling.undisturbed_us", "400", true},
    {"sampling.sampled_us", "500", true},
    {"sampling.time", "modelled", true},
    {"sampling.interrupts", "250", true},
    {"sampling.passes", "2", true},
    {"sampling.clock", "TSC", true},
    {"sampling.cycles.undisturbed", "1000000", true},
    {"sampling.cycles.sampled", "1010000", true},
    {"sampling.cycles.handler", "160", true},
    {"sampling.cycles.samples", "0", true},
    {"sampling.dc_misses.undisturbed", "20000", true},
    {"sampling.dc_misses.sampled", "19000", true},
    {"sampling.dc_misses.handler", "32000", true},
    {"sampling.dc_misses.samples", "24", true},
    {"sampling.dc_misses.weight", "4096", true},
    {"sampling.l2.undisturbed", "18000", true},
    {"sampling.l2.sampled", "17000", true},
    {"sampling.l2.handler", "0", true},
    {"sampling.l2.samples", "0", true},
};

static struct input_facts facts = {.settings = settings, .setting_count = sizeof(settings) / sizeof(settings[0])};
static struct run_profile profile = {.facts = &facts};

static char text[4096];

static const char *shown(void (*show)(struct out *, const struct run_profile *))
{
    struct out_memory memory;

    out_memory_init(&memory, text, sizeof(text));
    show(&memory.out, &profile);
    return text;
}

static void as_it_was_written(void **state)
{
    struct disturbance of;

    assert_true(disturbance_read(&of, &facts));
    assert_null(of.why);
    assert_int_equal(of.interrupts, 250);
    assert_int_equal(of.weight[DISTURBANCE_DC_MISSES], 4096);
    assert_int_equal(of.passes, 2);
    assert_true(of.ticks);
    assert_int_equal(of.samples[DISTURBANCE_DC_MISSES], 24);
    assert_true(of.counted[DISTURBANCE_L2] && !of.counted[DISTURBANCE_WALKS]);
    assert_string_equal(shown(report_disturbance_verdict),
                        "PASS sampling changed no more than the samples' uncertainty: cycles (TSC) +1.0\n"
                        "    %.\n");
    assert_string_equal(shown(report_disturbance_table),
                        "\nWhat sampling changed, in one pass: * more than its samples leave open (95 %)\n"
                        "===============================================================================\n"
                        " Event                    undisturbed      sampled    handler    change open, %\n"
                        "-------------------------------------------------------------------------------\n"
                        " cycles (TSC)                 1000000      1010000        160    +1.0 %     1.0\n"
                        " DC misses                      20000        19000      32000         ?   110.4\n"
                        " lines from the L2              18000        17000          0    -5.6 %       -\n"
                        "-------------------------------------------------------------------------------\n"
                        " Elapsed: 400 us, sampled 500 us, handler 19.2 % in the model's cycles\n");
}

static void json_is(const char *expected)
{
    char *made = NULL;
    size_t size;
    FILE *to = open_memstream(&made, &size);
    struct json json;

    json_init(&json, to);
    json_object(&json);
    report_disturbance_json(&json, &profile);
    json_end(&json);
    assert_true(json_finish(&json));
    fclose(to);
    size = 0;
    for (const char *at = made; *at; at++) /* line breaks do not matter */
        if (*at != '\n')
            made[size++] = *at;
    made[size] = 0;
    assert_string_equal(made, expected);
    free(made);
}

static void for_programs(void **state)
{
    json_is("{\"sampling\":{\"verdict\":\"unchanged\",\"text\":\"PASS sampling changed no more than the samples' "
            "uncertainty: "
            "cycles (TSC) +1.0 "
            "%.\",\"undisturbed_us\":400,\"sampled_us\":500,\"time\":\"modelled\",\"interrupts\":250,\"clock\":\"TSC\","
            "\"rows\":["
            "{\"event\":\"cycles\",\"undisturbed\":1000000,\"sampled\":1010000,\"handler\":160,\"open\":10010,"
            "\"large\":false,"
            "\"hidden\":false},"
            "{\"event\":\"DC misses\",\"undisturbed\":20000,\"sampled\":19000,\"handler\":32000,\"open\":22070,"
            "\"large\":false,\"hidden\":true},"
            "{\"event\":\"lines from the L2\",\"undisturbed\":18000,\"sampled\":17000,\"handler\":0,\"open\":null,"
            "\"large\":false,\"hidden\":false}]}}");
    settings[8].value = "2000000";
    assert_string_equal(shown(report_disturbance_verdict),
                        "WARNING: sampling changed the workload by more than the samples' uncertainty:\n"
                        "    cycles (TSC) +100.0 %.\n");
    settings[8].value = "1010000";
}

static void without(void **state)
{
    settings[0].value = "not known: no counter";
    assert_string_equal(shown(report_disturbance_verdict), "NOTE: the effect of sampling is not known: no counter.\n");
    assert_string_equal(shown(report_disturbance_table), "\nWhat sampling changed: not known: no counter\n");
    facts.setting_count = 1;
    json_is(
        "{\"sampling\":{\"verdict\":\"not known\",\"text\":\"NOTE: the effect of sampling is not known: no "
        "counter.\","
        "\"undisturbed_us\":0,\"sampled_us\":0,\"time\":\"elapsed\",\"interrupts\":0,\"clock\":\"076\",\"rows\":[]}}");
    facts.setting_count = 0;
    assert_string_equal(shown(report_disturbance_verdict), "");
    assert_string_equal(shown(report_disturbance_table), "");
    json_is("{}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_it_was_written), cmocka_unit_test(for_programs),
                                       cmocka_unit_test(without)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
