/* SPDX-License-Identifier: BSD-2-Clause */
/* Lists of cores, nodes from a run's facts, and the noise certificate's verdicts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/first_set.h"
#include "tests/unit/ibsprof/tool.h"
#include "tools/ibsprof/counters/certificate.h"
#include "tools/ibsprof/profile/cores.h"
#include "tools/ibsprof/read/input.h"
#include "tools/ibsprof/report/json/report_parts.h"
#include "tools/ibsprof/report/tables/report_text.h"

static void lists(void **state)
{
    static const struct {
        const char *text, *cores; /* NULL: refused; otherwise a bit string for the first ten cores */
    } rows[] = {{"0", "0"},      {"2-4", "234"}, {"0,2-3,9", "0239"}, {"3,1", "13"},  {"", NULL},
                {"-1", NULL},    {"1-", NULL},   {"1,", NULL},        {",1", NULL},   {"4-2", NULL},
                {"all", NULL},   {"1 2", NULL},  {"1024", NULL},      {"9999", NULL}, {"0-1023", "0123456789"},
                {"1-2-3", NULL}, {"+1", NULL},   {"1-+2", NULL},      {"1- 2", NULL}};
    struct core_choice choice;
    struct core_nodes nodes = {0};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char got[11] = "";

        choice = (struct core_choice){.core_text = rows[i].text};
        assert_int_equal(core_list_read(&choice.cores, rows[i].text), rows[i].cores != NULL);
        for (uint32_t cpu = 0; rows[i].cores && cpu < 10; cpu++)
            if (core_chosen(&choice, cpu, &nodes))
                got[strlen(got)] = (char)('0' + cpu);
        if (rows[i].cores)
            assert_string_equal(got, rows[i].cores);
    }
}

/* All lists use one condition: an event of the file, and a chosen core that the sample names. */
static void samples(void **state)
{
    struct input_event events[] = {{.kind = SAMPLE_OP}, {.kind = SAMPLE_OP, .no_cpu = true}};
    const struct input_facts facts = {.events = events, .event_count = 2};
    struct core_choice choice = {.core_text = "2"};
    struct core_nodes nodes = {0};

    assert_true(core_list_read(&choice.cores, "2"));
    assert_true(core_sample_chosen(&choice, &nodes, &facts, 0, 2));
    assert_false(core_sample_chosen(&choice, &nodes, &facts, 0, 3));
    assert_false(core_sample_chosen(&choice, &nodes, &facts, 1, 2)); /* the sample's core is unknown */
    assert_false(core_sample_chosen(&choice, &nodes, &facts, 2, 2)); /* there is no such event */
    assert_true(core_sample_chosen(NULL, &nodes, &facts, 0, 5000));
    assert_true(core_sample_chosen(NULL, &nodes, &facts, 1, 0));
    assert_false(core_sample_chosen(NULL, &nodes, &facts, 2, 0));
}

/* "DC miss" is F206 out of F200, loads and stores, as in the image's table. */
static void columns(void **state)
{
    struct profile_core core = {.cpu = 2, .node = 1, .samples = {[SAMPLE_OP] = 100}};
    const struct input_facts facts = {0};
    const struct run_profile profile = {.facts = &facts, .set = *first_set(), .cores = &core, .core_count = 1};
    struct out_memory memory;
    char text[8000];

    core.counts[DERIVED_F200_LOAD_STORE] = 40;
    core.counts[DERIVED_F206_DC_MISS] = 10;
    core.counts[DERIVED_F201_LOAD] = 20;
    core.counts[DERIVED_X200_LOAD_DC_MISS] = 1;
    core.counts[DERIVED_F243_NB_LOCAL_CACHE] = 2;
    out_memory_init(&memory, text, sizeof(text));
    report_cores(&memory.out, &profile);
    assert_non_null(
        strstr(text, "\ncore 2 node 1       100  100.0        0    25.0      -   10.0      -     0    0\n"));
    core.ccx = 5;
    out_memory_init(&memory, text, sizeof(text));
    report_cores(&memory.out, &profile);
    assert_non_null(strstr(text, "\ncore 2 node 1/4     100  100.0 "));
    out_memory_init(&memory, text, sizeof(text));
    report_cores_csv(&memory.out, &profile);
    assert_int_equal(strncmp(text, "core,node,core complex,op samples,", 34), 0);
    assert_non_null(strstr(text, "\n2,1,4,100,0,"));
    assert_non_null(strstr(text, "\n,1,,100,0,"));
    {
        FILE *to;
        struct json json;

        tool_begin(&to);
        json_init(&json, to);
        json_object(&json);
        report_cores_json(&json, &profile);
        json_end(&json);
        assert_true(json_finish(&json));
        assert_non_null(strstr(tool_end(to), "{\"core\":2,\"node\":1,\"ccx\":4,\"fetch\":{"));
    }
    core.samples[SAMPLE_OP] = 0;
    core.samples[SAMPLE_FETCH] = 100;
    out_memory_init(&memory, text, sizeof(text));
    report_cores(&memory.out, &profile);
    assert_non_null(strstr(text, "\ncore 2 node 1/4        100           0     100.0\n"));
}

static void nodes_of_facts(void **state)
{
    struct input_setting settings[] = {{"core.0.node", "0", true},  {"core.3.node", "1", true},
                                       {"core.3.ccx", "7", true},   {"core.2.node", "1", false},
                                       {"core.1.nodes", "1", true}, {"core.70000.node", "1", true}};
    struct input_facts facts = {.settings = settings, .setting_count = 6};
    struct core_choice choice = {.node_text = "1"};
    struct core_nodes nodes;

    core_nodes_read(&nodes, &facts);
    assert_true(nodes.known);
    assert_int_equal(core_node(&nodes, 3), 1);
    assert_int_equal(core_ccx(&nodes, 3), 8);
    assert_int_equal(core_ccx(&nodes, 0), 0);
    assert_int_equal(core_ccx(&nodes, 70000), 0);
    assert_int_equal(core_node(&nodes, 2), 0); /* a setting does not count as a fact */
    assert_int_equal(core_node(&nodes, 1), 0);
    assert_int_equal(core_node(&nodes, 70000), 0);
    assert_true(core_list_read(&choice.nodes, "1"));
    assert_true(core_chosen(&choice, 3, &nodes));
    assert_false(core_chosen(&choice, 0, &nodes));
    facts.setting_count = 0;
    core_nodes_read(&nodes, &facts);
    assert_false(nodes.known);
    /* Other facts do not tell nodes. */
    settings[5] = (struct input_setting){"machine.cores", "5", true};
    facts.settings = settings + 5;
    facts.setting_count = 1;
    core_nodes_read(&nodes, &facts);
    assert_false(nodes.known);
    assert_int_equal(core_node(&nodes, 0), 0);
    facts.settings = settings;
    facts.setting_count = 0;
    /* The list in perf.data is used if run.ini has none. */
    facts.nodes[0] = (struct input_node){0, "0-1,4"};
    facts.nodes[1] = (struct input_node){1, ""};
    facts.nodes[2] = (struct input_node){2, "2-3"};
    facts.node_count = 3;
    core_nodes_read(&nodes, &facts);
    assert_true(nodes.known);
    assert_int_equal(core_node(&nodes, 3), 2);
    assert_int_equal(core_node(&nodes, 4), 0);
    facts.setting_count = 2;
    core_nodes_read(&nodes, &facts);
    assert_int_equal(core_node(&nodes, 3), 1);
}

/* ---------------------------------------------------------------- certificate */

enum { FACTS = 12 };

/* Expects the verdict and the text of the line 'what'; one kind of samples was taken. */
static void verdict_is(const char *const facts[][2], unsigned count, const char *what, enum certificate_verdict verdict,
                       const char *value)
{
    struct input_setting settings[FACTS] = {0};
    struct input_event op = {.kind = SAMPLE_OP};
    struct input_facts input = {.settings = settings, .setting_count = count, .events = &op, .event_count = 1};
    struct certificate *certificate;
    bool found = false;

    for (unsigned i = 0; i < count; i++)
        settings[i] = (struct input_setting){facts[i][0], facts[i][1], true};
    certificate = certificate_read(&input);
    assert_non_null(certificate);
    for (uint32_t i = 0; i < certificate->line_count; i++) {
        if (strcmp(certificate->lines[i].row.what, what) != 0)
            continue;
        assert_int_equal(certificate->lines[i].row.verdict, verdict);
        assert_string_equal(certificate->lines[i].row.value, value);
        found = true;
    }
    assert_true(found);
    certificate_free(certificate);
}

#define P "certificate."
static void verdicts(void **state)
{
    static const struct {
        const char *const facts[4][2];
        const char *what;
        enum certificate_verdict verdict;
        const char *value;
    } rows[] = {
        {{{P "samples.elsewhere", "0"}, {P "samples.edges", "2"}},
         "samples on neither workload nor profiler",
         CERTIFICATE_PASS,
         "0; on the code that starts and stops the measurement: 2"},
        {{{P "samples.elsewhere", "1"}, {P "samples.edges", "2"}},
         "samples on neither workload nor profiler",
         CERTIFICATE_FAIL,
         "1; on the code that starts and stops the measurement: 2"},
        {{{P "passes", "1"}, {P "smis", "0"}}, "SMIs", CERTIFICATE_PASS, "0"},
        {{{P "passes", "1"}, {P "smis", "3"}}, "SMIs", CERTIFICATE_NOTE, "3"},
        {{{P "passes", "1"}, {P "smis", "not available: why"}}, "SMIs", CERTIFICATE_NONE, "not available: why"},
        {{{P "passes", "1"}, {P "interrupts", "9"}, {P "nmis", "9"}},
         "interrupts",
         CERTIFICATE_PASS,
         "9 taken, 9 NMIs handled"},
        {{{P "passes", "1"}, {P "interrupts", "10"}, {P "nmis", "9"}},
         "interrupts",
         CERTIFICATE_NOTE,
         "10 taken, 9 NMIs handled"},
        {{{P "passes", "1"}, {"nmi.empty", "1"}},
         "NMIs without a sample",
         CERTIFICATE_NOTE,
         "1, and 0 late; from the chipset: 0"},
        {{{P "passes", "1"}, {"nmi.empty", "0"}, {"nmi.foreign", "2"}},
         "NMIs without a sample",
         CERTIFICATE_NOTE,
         "0, and 0 late; from the chipset: 2"},
        {{{P "passes", "1"}, {P "pstate", "2, 2"}}, "P-state", CERTIFICATE_PASS, "2 at the start, 2 at the end"},
        {{{P "passes", "1"}, {P "pstate", "2, 1"}}, "P-state", CERTIFICATE_NOTE, "2 at the start, 1 at the end"},
        {{{P "passes", "1"}, {P "aperf", "3"}, {P "mperf", "2"}},
         "clock (APERF/MPERF)",
         CERTIFICATE_NONE,
         "1500000 ppm of the nominal one"},
        {{{P "passes", "1"}, {P "gaps", "0"}, {P "looked_us", "10000"}},
         "gaps around the measured part",
         CERTIFICATE_PASS,
         "0; looked for in 10000 us, 0 readings of the TSC; none, so fewer than 300 per second (95 %)"},
        {{{P "passes", "1"}, {P "gaps", "2"}, {P "looked_us", "20"}, {P "gaps: SMI", "2"}},
         "gaps around the measured part",
         CERTIFICATE_NOTE,
         "2; of them 2 SMI; looked for in 20 us, 0 readings of the TSC"},
        {{{P "core.3.passes", "1"}, {P "core.3.smis", "1"}}, "SMIs", CERTIFICATE_NOTE, "1"},
        {{{P "passes", "0"}}, "none", CERTIFICATE_NONE, "no pass was completed"},
        {{{P "instructions_surplus", "not available: why"}},
         "retired instructions",
         CERTIFICATE_NONE,
         "not available: why"},
        {{{P "instructions_surplus", "-4"}},
         "retired instructions in excess of the workload's",
         CERTIFICATE_NOTE,
         "-4"},
        {{{P "instructions_surplus", "98"}},
         "retired instructions in excess of the workload's",
         CERTIFICATE_NOTE,
         "98"},
        {{{P "instructions_surplus", "0"}}, "retired instructions in excess of the workload's", CERTIFICATE_PASS, "0"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        unsigned count = 0;

        while (count < 4 && rows[i].facts[count][0])
            count++;
        verdict_is(rows[i].facts, count, rows[i].what, rows[i].verdict, rows[i].value);
    }
}

static void gaps(void **state)
{
    static struct input_setting settings[] = {
        {P "passes", "2", true},      {P "gaps", "2", true},
        {P "gap_ns", "12", true},     {P "gap.0", "228 ns, TSC 815531574, before pass 0, NMI", true},
        {P "gap.1", "garbage", true}, {P "gap.2", "30 ns, TSC 9, behind pass 1, P-state change", true},
        {P "looked_us", "20", true},  {"tsc.start", "7", true},
    };
    struct input_facts facts = {.settings = settings, .setting_count = 8};
    struct certificate *certificate = certificate_read(&facts);
    const struct certificate_core *core;

    assert_int_equal(certificate->core_count, 1);
    core = &certificate->cores[0];
    assert_int_equal(core->gaps_shown, 2);
    assert_int_equal(core->gap[0].ns, 228);
    assert_int_equal(core->gap[0].tsc, 815531574);
    assert_false(core->gap[0].after);
    assert_int_equal(core->gap[1].cause, NOISE_PSTATE);
    assert_true(core->gap[1].after);
    assert_int_equal(core->gap[1].pass, 1);
    assert_int_equal(certificate_bound_milli(core), 0);
    assert_int_equal(core->tsc_start, 7);
    assert_int_equal(certificate_worst(certificate), CERTIFICATE_NOTE);
    certificate_free(certificate);
    facts.setting_count = 0;
    assert_null(certificate_read(&facts));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lists),    cmocka_unit_test(samples),
                                       cmocka_unit_test(columns),  cmocka_unit_test(nodes_of_facts),
                                       cmocka_unit_test(verdicts), cmocka_unit_test(gaps)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
