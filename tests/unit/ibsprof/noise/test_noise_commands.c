/* SPDX-License-Identifier: BSD-2-Clause */
/* * Noise runs with 'ibsprof report' and 'ibsprof compare': files as ibsboot and the Linux twin write them, and the
 * whole texts about them. The files below expected/ were checked by hand against these figures; those of the comparison
 * against scipy 1.10 (the distributions' own functions). */
#include <math.h>
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
#include "tools/ibsprof/noise/noise_compare.h"

/* ---------------------------------------------------------------- files */

/* Two regimes of a run on silicon, at 2 GHz. */
static const char ini[] = "config = \"noise\"\n\n#: figures = silicon\n#: machine.name = made by a test\n"
                          "#: machine.tsc_khz = 2000000\n#: noise.duration_ms = 10000\n"
                          "#: noise.firmware.duration_ns = 10000000000\n#: noise.firmware.reads = 400000000\n"
                          "#: noise.firmware.usual_ps = 20500\n#: noise.firmware.largest_ns = 9000\n"
                          "#: noise.firmware.not_kept = 2\n#: noise.firmware.blind_ns = 70\n"
                          "#: noise.firmware.nine.threshold_ns = 185\n#: noise.firmware.nine.detours = 6\n"
                          "#: noise.firmware.nine.milli_per_second = 600\n#: noise.firmware.nine.lost_ppb = 1700\n"
                          "#: noise.firmware.microsecond.threshold_ns = 1000\n"
                          "#: noise.firmware.microsecond.detours = 4\n"
                          "#: noise.firmware.microsecond.milli_per_second = 400\n"
                          "#: noise.firmware.microsecond.lost_ppb = 1650\n"
                          "#: noise.firmware.detours: unknown = 3\n#: noise.firmware.detours: SMI = 2\n"
                          "#: noise.firmware.detours: P-state change = 1\n"
                          "#: noise.firmware.bin.0 = 1\n#: noise.firmware.bin.9 = 1\n#: noise.firmware.bin.12 = 3\n"
                          "#: noise.firmware.bin.14 = 1\n#: noise.firmware.bin.64 = 9\n"
                          "#: noise.firmware.period.0 = 2500000000 ns, 3 of 4, HZ 0\n"
                          "#: noise.firmware.period.1 = 4000000 ns, 2 of 5, HZ 250\n"
                          "#: noise.firmware.period.2 = nonsense\n"
                          "#: noise.firmware.quanta = 500\n#: noise.firmware.quanta.least_ticks = 20000\n"
                          "#: noise.firmware.quanta.most_ticks = 20500\n#: noise.firmware.quanta.lost_ppb = 1800\n"
                          "#: noise.firmware.quanta.late.4 = 2\n#: noise.firmware.quanta.late.8 = 1\n"
                          "#: noise.alone.duration_ns = 10000000000\n#: noise.alone.reads = 400000001\n"
                          "#: noise.alone.usual_ps = 20000\n#: noise.alone.largest_ns = 210\n"
                          "#: noise.alone.nine.threshold_ns = 180\n#: noise.alone.nine.detours = 1\n"
                          "#: noise.alone.nine.milli_per_second = 100\n#: noise.alone.nine.lost_ppb = 19\n"
                          "#: noise.alone.microsecond.threshold_ns = 1000\n#: noise.alone.microsecond.detours = 0\n"
                          "#: noise.alone.microsecond.milli_per_second = 0\n"
                          "#: noise.alone.microsecond.fewer_micro_per_second = 300000\n"
                          "#: noise.other.duration_ns = 1\n";

static const char csv[] = "regime,start_ns,length_ns,cause\nfirmware,1000,2000,SMI\nfirmware,5000,2500,unknown\n"
                          "firmware,100000,9000,P-state change\nfirmware,200000,190,\nalone,77,210,unknown\n";

/* Is written by the Linux twin, at 1 GHz. */
static const char twin_ini[] =
    "#: machine.tsc_khz = 1000000\n#: noise.linux.duration_ns = 5000000000\n#: noise.linux.reads = 200000000\n"
    "#: noise.linux.usual_ps = 25000\n#: noise.linux.nine.threshold_ns = 225\n#: noise.linux.nine.detours = 8\n"
    "#: noise.linux.nine.milli_per_second = 1600\n#: noise.linux.nine.lost_ppb = 9000\n"
    "#: noise.linux.microsecond.threshold_ns = 1000\n#: noise.linux.microsecond.detours = 5\n"
    "#: noise.linux.microsecond.milli_per_second = 1000\n#: noise.linux.microsecond.lost_ppb = 8800\n"
    "#: noise.linux.largest_ns = 7000\n#: noise.linux.not_kept = 3\n#: noise.linux.bin.0 = 1\n"
    "#: noise.linux.bin.10 = 4\n#: noise.linux.bin.12 = 3\n#: noise.linux.period.0 = 4000000 ns, 3 of 4, HZ 250\n"
    "#: noise.linux.period.1 = 3000000 ns, 1 of 2, HZ 0\n#: noise.linux.quanta = 100\n"
    "#: noise.linux.quanta.least_ticks = 10000\n#: noise.linux.quanta.most_ticks = 13000\n"
    "#: noise.linux.quanta.lost_ppb = 4000\n#: noise.linux.quanta.late.11 = 1\n";
static const char twin_csv[] = "regime,start_ns,length_ns,cause\nlinux,10,6000,\nlinux,30,7000,\nlinux,50,1000,\n";

/* Has no fixed work, and few other facts. */
static const char bare_ini[] =
    "#: machine.tsc_khz = 1000000\n#: noise.linux.duration_ns = 5000000000\n#: noise.linux.reads = 1\n"
    "#: noise.linux.usual_ps = 25000\n#: noise.linux.microsecond.threshold_ns = 1000\n"
    "#: noise.linux.microsecond.fewer_micro_per_second = 600000\n#: noise.linux.largest_ns = 700\n";

static char ours[300], theirs[300], bare_twin[300];

static int begin(void **state)
{
    files_write("one/run.ini", ini, sizeof(ini) - 1);
    files_write("one/noise.csv", csv, sizeof(csv) - 1);
    snprintf(ours, sizeof(ours), "%s", files_path("one"));
    files_write("twin/run.ini", twin_ini, sizeof(twin_ini) - 1);
    files_write("twin/noise.csv", twin_csv, sizeof(twin_csv) - 1);
    snprintf(theirs, sizeof(theirs), "%s", files_path("twin"));
    files_write("bare_twin/run.ini", bare_ini, sizeof(bare_ini) - 1);
    files_write("bare_twin/noise.csv", "regime,start_ns,length_ns,cause\nlinux,30,700,\n", 47);
    snprintf(bare_twin, sizeof(bare_twin), "%s", files_path("bare_twin"));
    return 0;
}

/* Returns the JSON between the marks of a page. */
static const char *data_of(const char *page, const char *id)
{
    static char text[65536];
    char mark[100];
    const char *from, *to;

    snprintf(mark, sizeof(mark), "<script type=\"application/json\" id=\"%s\">\n", id);
    from = strstr(page, mark);
    assert_non_null(from);
    from += strlen(mark);
    to = strstr(from, "</script>\n");
    assert_non_null(to);
    assert_non_null(strstr(to, "</body>\n</html>\n"));
    snprintf(text, sizeof(text), "%.*s", (int)(to - from), from);
    return text;
}

/* ---------------------------------------------------------------- report */

static void reports(void **state)
{
    struct tool_result page;

    tool_writes(tool_run(&command_report, ours, theirs, bare_twin, NULL), "noise/noise.txt");
    tool_writes(tool_run(&command_report, "--csv", ours, theirs, bare_twin, NULL), "noise/noise.csv");
    tool_writes(tool_run(&command_report, "--json", ours, theirs, bare_twin, NULL), "noise/noise.json");
    page = tool_run(&command_report, "--html", ours, theirs, bare_twin, NULL);
    assert_int_equal(page.status, EXIT_DONE);
    assert_non_null(strstr(page.out, "<title>Noise: ibsprof report</title>"));
    expect_file(data_of(page.out, "noise"), "noise/noise.json");
    /* The operand is one run, or a file in the run. */
    tool_writes(tool_run(&command_report, theirs, NULL), "noise/noise-twin.txt");
}

static void report_says_model(void **state)
{
    char text[sizeof(ini)], *figures;
    struct tool_result got;

    memcpy(text, ini, sizeof(ini));
    figures = strstr(text, "silicon");
    memcpy(figures, "a model", 7);
    files_write("model/run.ini", text, sizeof(ini) - 1);
    files_write("model/noise.csv", csv, sizeof(csv) - 1);
    got = tool_run(&command_report, theirs, files_path("model"), NULL);
    assert_non_null(strstr(got.out, "\nMODEL: figures of ibsboot come from a virtual machine, not from silicon.\n"));
    got = tool_run(&command_report, "--json", files_path("model"), NULL);
    assert_non_null(strstr(got.out, "\"is_model\":true"));
    got = tool_run(&command_compare, theirs, files_path("model"), NULL);
    assert_non_null(strstr(got.out, "WARNING: MODEL: ibsboot ran in a virtual machine: this compares two systems\n"));
    /* The CSV says it of both sides. */
    got = tool_run(&command_compare, "--csv", theirs, files_path("model"), NULL);
    assert_true(strncmp(got.out, "# MODEL: figures of ibsboot come from a virtual machine, not from silicon.\nfigure,",
                        82) == 0);
    got = tool_run(&command_report, "--csv", theirs, files_path("model"), NULL);
    assert_true(
        strncmp(got.out, "# MODEL: figures of ibsboot come from a virtual machine, not from silicon.\nfile,", 80) == 0);
}

/* A millisecond, the virtual PMU's default, is too short for rates. */
static void too_short(void **state)
{
    static const char warning[] =
        "WARNING: 1 ms in a regime is too short for meaningful rates: choose a longer noise_ms=.\n";
    char text[sizeof(ini)], *duration;

    memcpy(text, ini, sizeof(ini));
    duration = strstr(text, "duration_ns = 10000000000");
    memcpy(duration, "duration_ns = 1000000    ", 25);
    files_write("short/run.ini", text, sizeof(ini) - 1);
    files_write("short/noise.csv", csv, sizeof(csv) - 1);
    assert_non_null(strstr(tool_run(&command_report, theirs, files_path("short"), NULL).out, warning));
    assert_null(strstr(tool_run(&command_report, ours, NULL).out, "too short"));
}

/* There are more detours than a page shows: the page has every second one, and the longest. */
static void many_detours(void **state)
{
    enum { COUNT = 20002 };
    char *text = malloc(COUNT * 40), *at = text;
    struct tool_result got;
    unsigned commas = 0;

    at += sprintf(at, "regime,start_ns,length_ns,cause\n");
    for (int i = 0; i < COUNT; i++)
        at += sprintf(at, "alone,%d,%d,\n", i, i == 10001 ? 5000 : 300);
    files_write("many/run.ini", ini, sizeof(ini) - 1);
    files_write("many/noise.csv", text, (size_t)(at - text));
    free(text);
    got = tool_run(&command_report, "--json", files_path("many"), NULL);
    assert_non_null(strstr(got.out, "\"detours_kept\":20002}"));
    at = strstr(strstr(got.out, "\"name\":\"alone\""), "\"detours\":[");
    assert_non_null(strstr(at, "10000,300,0,10001,5000,0,10002,300,0,"));
    for (at = strchr(at, '['); *at != ']'; at++)
        commas += *at == ',';
    assert_int_equal(commas + 1, 3 * (COUNT / 2 + 1));
}

static void report_mistakes(void **state)
{
    char other[300];

    tool_expect(tool_run(&command_report, "--folded", ours, NULL), EXIT_USAGE, "",
                "ibsprof: noise runs have no stacks: --format is text, csv, json or html\n");
    tool_expect(tool_run(&command_report, "-o", "/nowhere/at/all", ours, NULL), EXIT_OUTPUT, "",
                "ibsprof: /nowhere/at/all: cannot be written: No such file or directory\n");
    tool_expect(tool_run(&command_report, "-o", "/dev/full", ours, NULL), EXIT_OUTPUT, "",
                "ibsprof: /dev/full: cannot be written: No space left on device\n");
    snprintf(other, sizeof(other), "%s", files_write("other.txt", "nothing\n", 8));
    for (int i = 0; i < 2; i++)
        tool_expect(tool_run(&command_report, i ? ours : other, i ? other : ours, NULL), EXIT_USAGE, "",
                    "ibsprof: some of these are noise runs, others are not: report them separately\n");
    tool_expect(tool_run(&command_compare, ours, other, NULL), EXIT_INPUT, "",
                "ibsprof: compare: some of these are noise runs, others are not\n");
    tool_expect(tool_run(&command_compare, ours, "/not/there", NULL), EXIT_INPUT, "",
                "ibsprof: /not/there: No such file or directory\n");
    tool_expect(tool_run(&command_report, ours, "/not/there", NULL), EXIT_INPUT, "",
                "ibsprof: /not/there: No such file or directory\n");
}

/* The folders are no noise runs, or damaged ones. */
static void damaged(void **state)
{
    struct noise_file none;
    char message[100] = "";

    /* The operand is a folder without noise.csv, a file, or nothing. */
    files_write("some/run.ini", ini, sizeof(ini) - 1);
    assert_int_equal(noise_file_read(&none, files_path("some"), message, sizeof(message)), NOISE_FILE_OTHER);
    assert_int_equal(noise_file_read(&none, files_path("some/run.ini"), message, sizeof(message)), NOISE_FILE_OTHER);
    assert_int_equal(noise_file_read(&none, files_path("nothing"), message, sizeof(message)), NOISE_FILE_OTHER);
    assert_string_equal(message, "");
    /* The folder has noise.csv and no figures, or lacks one of the figures that are necessary. */
    static const char *const inis[] = {NULL,
                                       "",
                                       "#: machine.tsc_khz = 1\n",
                                       "#: noise.alone.duration_ns = 1\n",
                                       "#: machine.tsc_khz = 1\n#: noise.alone.duration_ns = 0\n",
                                       "#: machine.tsc_khz = 1\n#: noise.nothing.duration_ns = 1\n"};
    for (size_t i = 0; i < sizeof(inis) / sizeof(inis[0]); i++) {
        struct noise_file file;
        char folder[300], error[400] = "", wanted[400];

        snprintf(folder, sizeof(folder), "%s", files_path("bad"));
        files_write("bad/noise.csv", "regime,start_ns,length_ns,cause\n", 32);
        if (inis[i])
            files_write("bad/run.ini", inis[i], strlen(inis[i]));
        assert_int_equal(noise_file_read(&file, folder, error, sizeof(error)), NOISE_FILE_DAMAGED);
        snprintf(wanted, sizeof(wanted), "%s: run.ini beside noise.csv has no noise figures", folder);
        assert_string_equal(error, wanted);
    }
    tool_expect(tool_run(&command_report, files_path("bad"), NULL), EXIT_INPUT, "",
                "ibsprof: FILES/bad: run.ini beside noise.csv has no noise figures\n");
    tool_expect(tool_run(&command_compare, ours, files_path("bad"), NULL), EXIT_INPUT, "",
                "ibsprof: FILES/bad: run.ini beside noise.csv has no noise figures\n");
}

/* ---------------------------------------------------------------- compare */

/* Makes a run of ten seconds on the bare machine, or under Linux, with detours of these lengths in ns, and the loss of
 * quanta. */
static void make_run(const char *name, bool is_linux, const unsigned *detours, unsigned count, unsigned lost_ppb,
                     unsigned largest, unsigned quantum_ppb)
{
    static const char *const format =
        "#: machine.tsc_khz = 1000000\n%s#: noise.{}.duration_ns = 10000000000\n"
        "#: noise.{}.microsecond.threshold_ns = 1000\n#: noise.{}.microsecond.detours = %u\n"
        "#: noise.{}.microsecond.lost_ppb = %u\n#: noise.{}.largest_ns = %u\n#: noise.{}.quanta = 10\n"
        "#: noise.{}.quanta.least_ticks = 1000\n#: noise.{}.quanta.most_ticks = %u\n"
        "#: noise.{}.quanta.lost_ppb = %u\n";
    const char *regime = is_linux ? "linux" : "alone";
    char text[8192], path[100], named[2048] = "",
                                more[300] = "#: noise.firmware.duration_ns = 10000000000\n"
                                            "#: noise.firmware.largest_ns = 5\n";
    size_t used;

    for (const char *at = format, *next; *at; at = next + 2) {
        next = strstr(at, "{}");
        strncat(named, at, next ? (size_t)(next - at) : strlen(at));
        if (next == NULL)
            break;
        strcat(named, regime);
    }
    if (is_linux)
        snprintf(more, sizeof(more),
                 "#: noise.linux.reads = 1\n#: noise.linux.usual_ps = 1\n"
                 "#: noise.linux.microsecond.milli_per_second = %u\n"
                 "#: noise.linux.period.0 = 4000000 ns, 9 of 9, HZ 250\n",
                 100 * count);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    used = (size_t)snprintf(text, sizeof(text), named, more, count, lost_ppb, largest,
                            is_linux ? 1000 + quantum_ppb / 100 : 1002, quantum_ppb);
#pragma GCC diagnostic pop
    snprintf(path, sizeof(path), "%s/run.ini", name);
    files_write(path, text, used);
    used = (size_t)snprintf(text, sizeof(text), NOISE_CSV_HEADER "%s,0,%u,\n", regime, is_linux ? 999 : 150);
    for (unsigned i = 0; i < count; i++)
        used += (size_t)snprintf(text + used, sizeof(text) - used, "%s,%u,%u,%s\n", regime, i + 1, detours[i],
                                 is_linux ? "" : "SMI");
    snprintf(path, sizeof(path), "%s/noise.csv", name);
    files_write(path, text, used);
}

/* Makes three runs on each side: bare/1 to 3 and linux/1 to 3. */
static void make_sides(void)
{
    static const unsigned two[] = {3000, 2000}, one[] = {4000};
    unsigned many[40];

    for (int i = 0; i < 40; i++)
        many[i] = 2000;
    make_run("bare/1", false, two, 2, 500, 3000, 100);
    make_run("bare/2", false, two, 0, 0, 150, 200);
    make_run("bare/3", false, one, 1, 400, 4000, 150);
    make_run("linux/1", true, many, 20, 4000, 2000, 4000);
    make_run("linux/2", true, many, 40, 8000, 2000, 5000);
    many[29] = 9000;
    make_run("linux/3", true, many, 30, 6700, 9000, 6500);
}

/* Makes a run as 'ini', on a machine with these registers. */
static void make_set_up(const char *name, const char *registers)
{
    char text[sizeof(ini) + 400], path[100];
    int used = snprintf(text, sizeof(text), "%s%s", ini, registers);

    snprintf(path, sizeof(path), "%s/run.ini", name);
    files_write(path, text, (size_t)used);
    snprintf(path, sizeof(path), "%s/noise.csv", name);
    files_write(path, csv, sizeof(csv) - 1);
}

/* The processors' settings come before the measurements; settings that were not read on a side, or that change by
 * themselves, are ignored. */
static void set_up_otherwise(void **state)
{
    static const char warning[] = "WARNING: The processors were not set up alike: HWCR (caching of page tables,\n"
                                  "    rate of the TSC, boost), LVT_LINT1 (interrupt of a wire: mostly the\n"
                                  "    chipset's NMI). This may cause differences in noise. The values are below\n"
                                  "    the sides.\n";
    static const char values[] = "\nHow the processors were set up\n"
                                 "  silicon.HWCR                     A: 0x1000010            B: 0x10\n"
                                 "  silicon.LVT_LINT1                A: 0x400, 0x10400       B: 0x400\n";
    char first[300], second[300], third[300];
    struct tool_result got;

    make_set_up("set/1", "#: silicon.HWCR = 0x1000010\n#: silicon.LVT_LINT1 = 0x400\n#: silicon.PAT = 0x7\n");
    make_set_up("set/2", "#: silicon.HWCR = 0x1000010\n#: silicon.LVT_LINT1 = 0x10400\n"
                         "#: silicon.COFVID_STATUS = 0x1\n");
    make_set_up("set/3", "#: silicon.HWCR = 0x10\n#: silicon.LVT_LINT1 = 0x400\n#: silicon.COFVID_STATUS = 0x2\n");
    snprintf(first, sizeof(first), "%s", files_path("set/1"));
    snprintf(second, sizeof(second), "%s", files_path("set/2"));
    snprintf(third, sizeof(third), "%s", files_path("set/3"));
    got = tool_run(&command_compare, first, second, "--", third, NULL);
    assert_non_null(strstr(got.out, warning));
    assert_non_null(strstr(got.out, values));
    assert_true(strstr(got.out, warning) < strstr(got.out, "\nA: ibsboot"));
    assert_true(strstr(got.out, values) < strstr(got.out, "\nValue ("));
    got = tool_run(&command_compare, "--json", first, "--", third, NULL);
    assert_non_null(strstr(got.out, "\"set_up\":[{\"key\":\"silicon.HWCR\",\"a\":\"0x1000010\",\"b\":\"0x10\"}]"));
    got = tool_run(&command_compare, "--json", second, "--", third, NULL);
    assert_non_null(strstr(got.out, "\"set_up\":[{\"key\":\"silicon.HWCR\",\"a\":\"0x1000010\",\"b\":\"0x10\"},\n"
                                    "{\"key\":\"silicon.LVT_LINT1\",\"a\":\"0x10400\",\"b\":\"0x400\"}]"));
    got = tool_run(&command_compare, first, "--", first, NULL);
    assert_null(strstr(got.out, "set up"));
    got = tool_run(&command_compare, first, "--", theirs, NULL); /* Linux has no snapshot */
    assert_null(strstr(got.out, "set up"));
    got = tool_run(&command_report, second, third, NULL);
    assert_non_null(
        strstr(got.out, "\nWARNING: The processors were not set up alike: HWCR (caching of page tables,\n"));
    got = tool_run(&command_report, first, first, NULL);
    assert_null(strstr(got.out, "set up"));
}

static void compares(void **state)
{
    char bare[300], linux_runs[300];
    struct tool_result page;

    make_sides();
    snprintf(bare, sizeof(bare), "%s", files_path("bare"));
    snprintf(linux_runs, sizeof(linux_runs), "%s", files_path("linux"));
    tool_writes(tool_run(&command_compare, bare, linux_runs, NULL), "noise/noise-compare.txt");
    tool_writes(tool_run(&command_compare, "--csv", bare, linux_runs, NULL), "noise/noise-compare.csv");
    tool_writes(tool_run(&command_compare, "--format=json", bare, linux_runs, NULL), "noise/noise-compare.json");
    page = tool_run(&command_compare, "--html", bare, linux_runs, NULL);
    assert_int_equal(page.status, EXIT_DONE);
    assert_non_null(strstr(page.out, "<title>Noise: ibsprof compare</title>"));
    expect_file(data_of(page.out, "comparison"), "noise/noise-compare.json");
    tool_writes(tool_run(&command_compare, bare, bare, NULL), "noise/noise-compare-same.txt");
    /* The exit status tells the verdict. */
    assert_int_equal(tool_run(&command_compare, "--fail-if=different", bare, linux_runs, NULL).status, EXIT_VERDICT);
    assert_int_equal(tool_run(&command_compare, "--fail-if=equivalent,both", bare, linux_runs, NULL).status, EXIT_DONE);
    assert_int_equal(tool_run(&command_compare, "--fail-if=equivalent", bare, bare, NULL).status, EXIT_VERDICT);
    tool_expect(tool_run(&command_compare, "-o", "/nowhere/at/all", bare, bare, NULL), EXIT_OUTPUT, "",
                "ibsprof: /nowhere/at/all: cannot be written: No such file or directory\n");
    tool_expect(tool_run(&command_compare, "-o", "/dev/full", "--fail-if=equivalent", bare, bare, NULL), EXIT_OUTPUT,
                "", "ibsprof: /dev/full: cannot be written: No space left on device\n");
}

/* With one run a side, one has no detour in ten seconds and the other one of 4 us. */
static void few_detours(void **state)
{
    static const unsigned one[] = {4000};
    char none[300], some[300];

    make_run("few/none", false, one, 0, 0, 150, 100);
    make_run("few/some", false, one, 1, 400, 4000, 150);
    snprintf(none, sizeof(none), "%s", files_path("few/none"));
    snprintf(some, sizeof(some), "%s", files_path("few/some"));
    tool_writes(tool_run(&command_compare, "--csv", none, some, NULL), "noise/noise-compare-few.csv");
    tool_writes(tool_run(&command_compare, "--csv", some, none, NULL), "noise/noise-compare-few-back.csv");
    tool_writes(tool_run(&command_compare, "--csv", none, none, NULL), "noise/noise-compare-none.csv");
    tool_writes(tool_run(&command_compare, "--json", none, some, NULL), "noise/noise-compare-few.json");
}

static void regimes(void **state)
{
    char bare[300], linux_runs[300];
    struct tool_result got;

    make_sides();
    snprintf(bare, sizeof(bare), "%s", files_path("bare"));
    snprintf(linux_runs, sizeof(linux_runs), "%s", files_path("linux"));
    got = tool_run(&command_compare, "--regime=firmware,alone", bare, bare, NULL);
    assert_non_null(strstr(got.out, "\nA: ibsboot, firmware's interrupts on, 3 runs, 30 s, 0 detours\n"));
    assert_non_null(strstr(got.out, "\nB: ibsboot, everything off, 3 runs, 30 s, 3 detours\n"));
    got = tool_run(&command_compare, "--regime=firmware", bare, bare, NULL);
    assert_non_null(strstr(got.out, "\nB: ibsboot, firmware's interrupts on, 3 runs, 30 s, 0 detours\n"));
    tool_expect(tool_run(&command_compare, "--regime=masked", linux_runs, bare, NULL), EXIT_INPUT, "",
                "ibsprof: FILES/bare/1: it has no regime 'masked'\n");
    for (int i = 0; i < 4; i++) {
        static const char *const wrong[] = {"--regime=none", "--regime=alone,", "--regime=,alone",
                                            "--regime=alone,alone,alone"};
        char error[200];

        snprintf(error, sizeof(error),
                 "ibsprof: compare: --regime is firmware, masked or alone, or two of these with a comma, not '%s'\n",
                 wrong[i] + strlen("--regime="));
        tool_expect(tool_run(&command_compare, wrong[i], bare, bare, NULL), EXIT_USAGE, "", error);
    }
}

/* The margins are those with which the verdicts are made. */
static void margins(void **state)
{
    char bare[300], linux_runs[300];

    make_sides();
    snprintf(bare, sizeof(bare), "%s", files_path("bare"));
    snprintf(linux_runs, sizeof(linux_runs), "%s", files_path("linux"));
    tool_writes(
        tool_run(&command_compare, "--level=90", "--margin=0.001", "--margin-relative=50", linux_runs, bare, NULL),
        "noise/noise-compare-margins.txt");
    /* The larger margin counts: 1 a second or half of A's 3; 1e-5 or half of 6.2e-6 (and of less); 1 us or half of
     * 9. */
    tool_writes(tool_run(&command_compare, "--csv", "--margin=0.001", "--margin-relative=50", linux_runs, bare, NULL),
                "noise/noise-compare-margins.csv");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reports),          cmocka_unit_test(report_says_model), cmocka_unit_test(many_detours),
        cmocka_unit_test(report_mistakes),  cmocka_unit_test(damaged),           cmocka_unit_test(compares),
        cmocka_unit_test(set_up_otherwise), cmocka_unit_test(few_detours),       cmocka_unit_test(regimes),
        cmocka_unit_test(margins),          cmocka_unit_test(too_short),
    };

    return cmocka_run_group_tests(tests, begin, files_end);
}
