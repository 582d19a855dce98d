/* SPDX-License-Identifier: BSD-2-Clause */
/* Descriptions of files, and of a run's certificate: each format, record and verdict. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/tool.h"
#include "tools/ibsprof/counters/certificate.h"
#include "tools/ibsprof/read/input_names.h"
#include "tools/ibsprof/report/info/info.h"
#include "tools/ibsprof/base/json.h"
#include "tools/ibsprof/base/shown.h"
#include "tools/ibsprof/report/json/report_parts.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static struct input_event events[] = {
    {.name = "ibs_op//", .kind = SAMPLE_OP, .type = 11, .config = 0x80000, .period = 4000, .sample_type = 0x10587},
    {.name = "ibs_fetch//", .kind = SAMPLE_FETCH, .type = 10, .frequency = 99},
    {.name = "say \"hi\"", .kind = SAMPLE_PMC, .type = 4, .config = 0x41, .period = 1},
    {.name = "cpu-clock", .kind = SAMPLE_TIMER, .type = 1, .frequency = 1000},
};
static const struct input_setting settings[] = {
    {"pages", "4k", false},
    {"figures", "silicon", true},
    {"workload.check", "1", true},
    {"workload.n", "8", true},
    {"error", "0", true},
    {"restored.0", "CR3, same", true},
    {"nmi.all", "5", true},
    {"samples.op", "9", true},
    {"passes", "1", true},
    {"started", "now", true},
    {"config", "ibs", true},
    {"machine.hypervisor", "none", true},
    {"machine.firmware", "f", true},
    {"machine.nodes", "1", true},
    {"certificate.smis", "0", true},
    {"seed", "1", false},
    {"arena.physical", "0x1", true},
};

static struct info make(struct input_facts *facts)
{
    static uint64_t samples[4] = {1000, 20, 3, 7}, periods[4] = {4000000, 21, 4, 8}, lost[4] = {0, 5, 0, 0};

    *facts = (struct input_facts){.path = "dir/perf.data",
                                  .format = INPUT_PERFDATA,
                                  .file_size = 123456,
                                  .vendor = "AuthenticAMD",
                                  .cpu_name = "AMD \"X\"",
                                  .family = 0x10,
                                  .model = 0xa,
                                  .stepping = 3,
                                  .ibs_caps = 0xff,
                                  .hostname = "box",
                                  .release = "6.1.0",
                                  .arch = "x86_64",
                                  .version = "6.1",
                                  .command = "perf record x",
                                  .workload = "x",
                                  .is_linux = true,
                                  .work = 99,
                                  .work_unit = "turns",
                                  .tsc_khz = 2500000,
                                  .events = events,
                                  .event_count = COUNT(events),
                                  .settings = settings,
                                  .setting_count = COUNT(settings)};
    return (struct info){.facts = facts,
                         .items = {[PERFDATA_ITEM_SAMPLE] = 1030,
                                   [PERFDATA_ITEM_MAP] = 12,
                                   [PERFDATA_ITEM_COMM] = 4,
                                   [PERFDATA_ITEM_FORK] = 3,
                                   [PERFDATA_ITEM_EXIT] = 2,
                                   [PERFDATA_ITEM_THROTTLE] = 6,
                                   [PERFDATA_ITEM_OTHER] = 15},
                         .lost = 5,
                         .maps_with_build_id = 11,
                         .modes = {1, 29, 900, 0, 40, 60},
                         .types = {[1] = 2,
                                   [2] = 5,
                                   [3] = 4,
                                   [4] = 2,
                                   [5] = 6,
                                   [6] = 6,
                                   [7] = 3,
                                   [8] = 1,
                                   [9] = 1030,
                                   [10] = 10,
                                   [13] = 1,
                                   [17] = 7,
                                   [50] = 2,
                                   [68] = 5},
                         .event_samples = samples,
                         .event_periods = periods,
                         .event_lost = lost,
                         .first_time = 1500000000,
                         .last_time = 3750000001};
}

static void formats(void **state)
{
    static const struct {
        enum input_format format;
        bool is_linux, ticks;
        const char *text;
    } rows[] = {
        {INPUT_RUN, false, false, "a run of ibsboot"},
        {INPUT_RUN, true, false, "a recording of Linux' perf"},
        {INPUT_PERFDATA, false, false, "perf.data of ibsboot"},
        {INPUT_PERFDATA, true, false, "perf.data of Linux' perf"},
        {INPUT_TOOLKIT_OP, true, true, "raw op samples of AMD_IBS_Toolkit"},
        {INPUT_TOOLKIT_FETCH, true, true, "raw fetch samples of AMD_IBS_Toolkit"},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct input_facts facts;
        struct info info = make(&facts);
        char wanted[100];
        FILE *to;

        facts.format = rows[i].format;
        facts.is_linux = rows[i].is_linux;
        snprintf(wanted, sizeof(wanted), "dir/perf.data: %s, 123456 bytes\n", rows[i].text);
        assert_non_null(strstr(TOOL_WRITES(to, info_text(to, &info)), wanted));
        assert_int_equal(input_is_ticks(&facts), rows[i].ticks);
    }
}

/* The types of records in Linux include/uapi/linux/perf_event.h (enum perf_event_type),
 * tools/lib/perf/include/perf/event.h. */
static void records(void **state)
{
    static const char *const first[] = {"MMAP",         "LOST",      "COMM",
                                        "EXIT",         "THROTTLE",  "UNTHROTTLE",
                                        "FORK",         "READ",      "SAMPLE",
                                        "MMAP2",        "AUX",       "ITRACE_START",
                                        "LOST_SAMPLES", "SWITCH",    "SWITCH_CPU_WIDE",
                                        "NAMESPACES",   "KSYMBOL",   "BPF_EVENT",
                                        "CGROUP",       "TEXT_POKE", "AUX_OUTPUT_HW_ID"},
                             *const second[] = {"ATTR",           "EVENT_TYPE", "TRACING_DATA",  "BUILD_ID",
                                                "FINISHED_ROUND", "ID_INDEX",   "AUXTRACE_INFO", "AUXTRACE",
                                                "AUXTRACE_ERROR", "THREAD_MAP", "CPU_MAP",       "STAT_CONFIG",
                                                "STAT",           "STAT_ROUND", "EVENT_UPDATE",  "TIME_CONV",
                                                "FEATURE",        "COMPRESSED", "FINISHED_INIT"};

    struct input_facts facts;
    struct info info = make(&facts);
    char wanted[3000] = "\"records\":{";
    FILE *to;

    for (uint32_t type = 0; type < INFO_TYPES; type++) {
        const char *name = type >= 1 && type <= COUNT(first)         ? first[type - 1]
                           : type >= 64 && type < 64 + COUNT(second) ? second[type - 64]
                                                                     : NULL;
        size_t at = strlen(wanted);

        info.types[type] = 1;
        if (name)
            snprintf(wanted + at, sizeof(wanted) - at, "\"%s\":1%c", name, type + 1 < INFO_TYPES ? ',' : '}');
        else
            snprintf(wanted + at, sizeof(wanted) - at, "\"%u\":1%c", type, type + 1 < INFO_TYPES ? ',' : '}');
    }
    assert_non_null(strstr(TOOL_WRITES(to, info_json(to, &info)), wanted));
}

static void outputs(void **state)
{
    struct input_facts facts;
    struct info info = make(&facts);
    FILE *to;

    expect_file(TOOL_WRITES(to, info_text(to, &info)), "info/info-made.txt");
    expect_file(TOOL_WRITES(to, info_json(to, &info)), "info/info-made.json");
    facts.format = INPUT_TOOLKIT_FETCH;
    facts.is_model = true;
    facts.setting_count = 0;
    facts.work = facts.ibs_caps = 0;
    facts.vendor = facts.version = facts.cpu_name = "";
    info.lost = info.items[PERFDATA_ITEM_THROTTLE] = info.items[PERFDATA_ITEM_OTHER] = 0;
    info.error = "it broke";
    expect_file(TOOL_WRITES(to, info_text(to, &info)), "info/info-toolkit.txt");
    expect_file(TOOL_WRITES(to, info_json(to, &info)), "info/info-toolkit.json");
    info.items[PERFDATA_ITEM_SAMPLE] = 0;
    info.modes[2] = 0;
    facts.format = INPUT_RUN;
    facts.is_linux = false;
    facts.version = "1";
    facts.event_count = 0;
    expect_file(TOOL_WRITES(to, info_text(to, &info)), "info/info-empty.txt");
}

/* Expects the line about perf for a run's folder with the run's ELF file, or for the perf.data in it. */
static void expect_perf(const char *path, bool is_linux, const char *folder)
{
    struct input_facts facts;
    struct info info = make(&facts);
    char wanted[2200] = "";
    const char *text;
    FILE *to;

    facts.path = path;
    facts.is_linux = is_linux;
    if (folder)
        snprintf(wanted, sizeof(wanted), "\nfor perf      perf report --symfs=%s -i %s/perf.data\n", folder, folder);
    text = TOOL_WRITES(to, info_text(to, &info));
    if (folder && !strstr(text, wanted))
        fail_msg("%s is not in %s", wanted, text);
    if (!folder)
        assert_null(strstr(text, "for perf"));
}

static void perf_finds_the_symbols(void **state)
{
    char path[600], folder[600];

    snprintf(folder, sizeof(folder), "%s", files_path("run"));
    snprintf(path, sizeof(path), "%s", files_write("run/perf.data", "", 0));
    expect_perf(folder, false, NULL); /* without an ELF file */
    (void)files_write("run/ibsboot.elf", "", 0);
    expect_perf(folder, false, "FILES/run");
    expect_perf(path, false, "FILES/run");
    expect_perf(folder, true, NULL);
    expect_perf("/perf.data", false, NULL);
    (void)remove(path);
    expect_perf(folder, false, NULL); /* a run of counters */
    (void)files_write("its run/ibsboot.elf", "", 0);
    (void)files_write("its run/perf.data", "", 0);
    snprintf(folder, sizeof(folder), "%s", files_path("its run"));
    expect_perf(folder, false, "FOLDER");
    files_remove_all();
}

/* A run in an archive is in a temporary folder: it has to be extracted for perf. */
static void perf_reads_no_archive(void **state)
{
    struct input_facts facts;
    struct info info = make(&facts);
    char folder[600];
    const char *text;
    FILE *to;

    snprintf(folder, sizeof(folder), "%s", files_path("taken"));
    (void)files_write("taken/perf.data", "", 0);
    (void)files_write("taken/ibsboot.elf", "", 0);
    shown_add(folder, "X.TAR");
    facts.path = folder;
    facts.is_linux = false;
    text = TOOL_WRITES(to, info_text(to, &info));
    assert_non_null(strstr(text, "\nfor perf      take the run out of its archive first: tar -xf\n"));
    assert_null(strstr(text, "--symfs"));
    files_remove_all();
}

/* ---------------------------------------------------------------- the certificate */

/* The facts of a run with two cores, which has everything; and of a run with one core, on which nothing was
 * available. */
static const struct input_setting two_cores[] = {
    {"certificate.samples.elsewhere", "1", true},
    {"certificate.samples.edges", "4", true},
    {"certificate.instructions_surplus", "0", true},
    {"certificate.core.0.passes", "2", true},
    {"certificate.core.0.smis", "0", true},
    {"certificate.core.0.strays", "0", true},
    {"certificate.core.0.interrupts", "12", true},
    {"certificate.core.0.nmis", "12", true},
    {"core.0.nmi.empty", "3", true},
    {"core.0.nmi.late", "1", true},
    {"core.0.tsc.start", "1000", true},
    {"core.0.tsc.stop", "0x7d0", true},
    {"certificate.core.0.aperf", "30000", true},
    {"certificate.core.0.mperf", "20000", true},
    {"certificate.core.0.pstate", "1, 1", true},
    {"certificate.core.0.pstate_limit", "0, 2", true},
    {"certificate.core.0.boost_off", "1, 1", true},
    {"certificate.core.0.gaps", "6", true},
    {"certificate.core.0.looked_us", "5000", true},
    {"certificate.core.0.reads", "77", true},
    {"certificate.core.0.gap_ns", "180", true},
    {"certificate.core.0.gaps: SMI", "1", true},
    {"certificate.core.0.gaps: interrupt", "3", true},
    {"certificate.core.0.gaps: unknown", "2", true},
    {"certificate.core.0.gap.0", "900 ns, TSC 1234, before pass 0, SMI", true},
    {"certificate.core.0.gap.4", "200 ns, TSC 9999, after pass 1, P-state change", true},
    {"certificate.core.0.gap.5", "100 ns, TSC 1, behind pass 1, NMI", true},
    {"certificate.core.5.passes", "1", true},
    {"certificate.core.5.gaps", "0", true},
    {"certificate.core.5.looked_us", "1000000", true},
    {"certificate.core.6.passes", "0", true},
    {"certificate.core.6.smis", "9", true},
    {"certificate.core.7.passes.more", "1", true},
    {"certificate.core.8.passes", "1", false},
    {"nmi.foreign", "0", true},
};
static const struct input_setting unavailable[] = {
    {"certificate.passes", "1", true},
    {"certificate.smis", "not available: MSR", true},
    {"certificate.interrupts", "not available: event", true},
    {"certificate.aperf", "not available: CPUID", true},
    {"certificate.mperf", "5", true},
    {"certificate.pstate", "not available: no P-states", true},
    {"certificate.pstate_limit", "7", true},
    {"certificate.gaps", "not available: no time", true},
    {"certificate.looked_us", "50", true},
    {"certificate.instructions_surplus", "not available: config", true},
    {"nmi.empty", "2", true},
};

static const char *json_of(const struct input_setting *list, uint32_t count, const struct input_event *event)
{
    struct input_facts facts = {
        .settings = list, .setting_count = count, .events = event, .event_count = event ? 1 : 0};
    struct run_profile profile = {.facts = &facts};
    struct json json;
    FILE *to;

    tool_begin(&to);
    json_init(&json, to);
    json_object(&json);
    report_certificate_json(&json, &profile);
    json_end(&json);
    assert_true(json_finish(&json));
    return tool_end(to);
}

static void certificates(void **state)
{
    expect_file(json_of(two_cores, COUNT(two_cores), &events[0]), "info/certificate.json");
    expect_file(json_of(unavailable, COUNT(unavailable), NULL), "info/certificate-unavailable.json");
    expect_text(json_of(settings, 3, NULL), "{}\n");
}

static struct certificate_row row_of(const struct input_setting *list, uint32_t count, const struct input_event *of,
                                     uint32_t event_count, const char *what)
{
    struct input_facts facts = {.settings = list, .setting_count = count, .events = of, .event_count = event_count};
    struct certificate *certificate = certificate_read(&facts);
    struct certificate_row row = {.verdict = CERTIFICATE_FAIL};

    assert_non_null(certificate);
    for (uint32_t i = 0; i < certificate->line_count; i++)
        if (strcmp(certificate->lines[i].row.what, what) == 0)
            row = certificate->lines[i].row;
    certificate_free(certificate);
    return row;
}

/* An NMI without a sample is remarkable if each NMI should bring one: with one kind of IBS, without a time limit. */
static void empty_nmis(void **state)
{
    static const struct {
        enum sample_kind kinds[2];
        uint32_t count;
        const char *limit;
        enum certificate_verdict verdict;
    } rows[] = {
        {{SAMPLE_OP}, 1, NULL, CERTIFICATE_NOTE},
        {{SAMPLE_FETCH}, 1, NULL, CERTIFICATE_NOTE},
        {{SAMPLE_OP}, 1, "0", CERTIFICATE_NOTE},
        {{SAMPLE_OP}, 1, "1000", CERTIFICATE_NONE},
        {{SAMPLE_OP, SAMPLE_FETCH}, 2, NULL, CERTIFICATE_NONE},
        {{SAMPLE_PMC}, 1, NULL, CERTIFICATE_NONE},
        {{SAMPLE_TIMER}, 1, NULL, CERTIFICATE_NONE},
        {{0}, 0, NULL, CERTIFICATE_NONE},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct input_event of[2] = {{.kind = rows[i].kinds[0]}, {.kind = rows[i].kinds[1]}};
        struct input_setting list[] = {{"certificate.passes", "1", true},
                                       {"nmi.empty", "2", true},
                                       {"nmi.late", "4", true},
                                       {"limit_ms", rows[i].limit ? rows[i].limit : "1000", rows[i].limit == NULL}};
        struct certificate_row row = row_of(list, 4, of, rows[i].count, "NMIs without a sample");

        assert_int_equal(row.verdict, rows[i].verdict);
        assert_string_equal(row.value, "2, and 4 late; from the chipset: 0");
    }
}

static void worst(void **state)
{
    struct certificate_line lines[] = {
        {.row.verdict = CERTIFICATE_PASS}, {.row.verdict = CERTIFICATE_NOTE}, {.row.verdict = CERTIFICATE_NONE}};
    struct certificate certificate = {.lines = lines, .line_count = 3};

    assert_int_equal(certificate_worst(&certificate), CERTIFICATE_NOTE);
    lines[1].row.verdict = CERTIFICATE_FAIL;
    assert_int_equal(certificate_worst(&certificate), CERTIFICATE_FAIL);
    certificate.line_count = 1;
    assert_int_equal(certificate_worst(&certificate), CERTIFICATE_PASS);
    certificate.line_count = 0;
    assert_int_equal(certificate_worst(&certificate), CERTIFICATE_NONE);
    assert_string_equal(certificate_verdict_name(CERTIFICATE_NONE), "");
    assert_string_equal(certificate_verdict_name(CERTIFICATE_PASS), "PASS");
    assert_string_equal(certificate_verdict_name(CERTIFICATE_NOTE), "NOTE");
    assert_string_equal(certificate_verdict_name(CERTIFICATE_FAIL), "FAIL");
    certificate_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats),
        cmocka_unit_test(records),
        cmocka_unit_test(outputs),
        cmocka_unit_test(perf_finds_the_symbols),
        cmocka_unit_test(perf_reads_no_archive),
        cmocka_unit_test(certificates),
        cmocka_unit_test(empty_nmis),
        cmocka_unit_test(worst),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
