/* SPDX-License-Identifier: BSD-2-Clause */
/* Noise runs: their report, files and facts, on any processor; and the certificate of other runs. */
#include <stdio.h>
#include <string.h>

/* The first line of each file that comes from the virtual PMU. */
#define MODEL_LINE "# MODEL: all figures come from ibsboot's virtual PMU (a model), not from silicon.\n"

#include "app/settings/params.h"
#include "app/kinds/noise.h"
#include "drivers/pmu/pmc.h"
#include "tests/unit/app/fake_loops.h"
#include "tests/unit/app/fixture.h"
#include "tests/unit/drivers/fake_cpu.h"

#define NOISE "menu=no config=noise noise_ms=20 noise_quanta=10 noise_work=100 "

APP_TEST(three_regimes_are_measured)
{
    static const char *const order[] = {
        "Measured      noise: What takes time from a program\n",
        "Regimes       3 of 20 ms",
        "Fixed work    10 times 100 multiplications\n",
        "As in the firmware: with its interrupts on\n",
        "Noise, selfish detour: 0.",
        "Noise, fixed work quantum: 10 quanta of",
        "Interrupts off\n",
        "Noise, selfish detour: 0.",
        "Everything off: interrupts, local vector table, watchdog; our tables\n",
        "Noise, selfish detour: 0.",
        "     NMIs: 0\n",
        "PASS restored",
        "Saved to \\ibsboot\\runs\\0001-noise\n",
    };
    const char *csv;

    assert_int_equal(start(NOISE), 0);
    assert_in_order(order, sizeof(order) / sizeof(order[0]));
    assert_not_shown("result of");
    assert_not_shown("Noise certificate");
    assert_lines_fit();
    assert_int_equal(fact("0001-noise", "noise.duration_ms"), 20);
    assert_true(fact("0001-noise", "noise.alone.duration_ns") >= 20000000);
    assert_true(fact("0001-noise", "noise.masked.reads") > 1000);
    assert_true(fact("0001-noise", "noise.firmware.quanta") == 10);
    csv = file_text("\\ibsboot\\runs\\0001-noise\\noise.csv");
    assert_memory_equal(strchr(csv, '\n') + 1, "regime,start_ns,length_ns,cause\n", 32);
    /* There is one session, without a workload, which neither samples nor counts. */
    assert_int_equal(fake_session.runs, 1);
    assert_int_equal(fake_session.pass[0].pmc.mode, PMC_OFF);
    assert_false(fake_session.pass[0].ibs.op || fake_session.pass[0].ibs.fetch || fake_session.pass[0].timer.period);
}

/* Each detour is counted, whether it is kept or not, and so is its cause. */
APP_TEST(detours_that_are_not_kept_are_counted)
{
    long long kept, not_kept, nine, us;

    assert_int_equal(start(NOISE "noise_detours=1"), 0);
    kept = 0;
    for (const char *at = file_text("\\ibsboot\\runs\\0001-noise\\noise.csv"); (at = strstr(at, "alone,")); at++)
        kept++;
    not_kept = fact("0001-noise", "noise.alone.not_kept");
    nine = fact("0001-noise", "noise.alone.nine.detours");
    us = fact("0001-noise", "noise.alone.microsecond.detours");
    assert_in_range(kept, 0, 1);
    assert_int_equal(kept + not_kept, nine > us ? nine : us);
}

APP_TEST(any_processor_will_do)
{
    fake_session.machine.amd = fake_session.machine.ibs = false;
    fake_family(&fake_session.machine);
    fake_session.machine.family = 6;
    fake_session.machine.hypervisor = false;
    assert_int_equal(start(NOISE), 0);
    assert_shown("SMIs: not available: no counters that this program can use\n");
    assert_int_equal(start("menu=no config=noise,ibs"), 1); /* the second configuration needs IBS */
    assert_shown("no usable IBS");
}

/* A machine that cannot be sampled still has a prompt, at which other runs can be chosen. */
APP_TEST(the_prompt_of_any_processor)
{
    fake_session.machine.amd = fake_session.machine.ibs = false;
    fake_family(&fake_session.machine);
    fake_session.machine.hypervisor = false;
    fake_fw.keys = "config=noise\nquit\n";
    assert_int_equal(start("save=no"), 1);
    assert_shown("no usable IBS");
    assert_shown("config=noise still runs here: it needs neither IBS nor counters.\n");
    assert_shown("ibsboot> config=noise\n");
    assert_shown("ibsboot> quit\n");
}

/* If the session fails nothing is measured, and each regime says so. */
APP_TEST(a_noise_run_restores)
{
    fake_session.result.restore = (struct restore_log){
        .row = {{.what = "CR3", .kind = RESTORE_CR3, .before = 1, .after = 2, .undone = true}}, .count = 1};
    assert_int_equal(start(NOISE), 1);
    assert_shown("FAIL CR3 was 1, is 2 (core 0)\n");
    assert_string_equal(saved_fact("0001-noise", "restored.0"), "CR3, 0x1, 0x2, DIFFERENT");
}

/* Default durations are long on silicon, and short where each instruction is stepped. */
APP_TEST(regimes_by_default)
{
    assert_int_equal(start("menu=no save=no config=noise"), 0);
    assert_shown("Regimes       3 of 1 ms;");
    assert_shown("Fixed work    20 times 500 multiplications\n");
    assert_non_null(strstr(fake_loops.trace, "64 gaps, "));
    assert_non_null(strstr(fake_loops.trace, "detours for 31250 ticks, from 1, "));
    assert_non_null(strstr(fake_loops.trace, "detours for 2000000 ticks, from 180, "));
    assert_non_null(strstr(fake_loops.trace, "20 quanta of 500, "));
    fake_loops_init();
    fake_firmware_clear(&fake_fw);
    fake_session.machine.hypervisor = false;
    assert_int_equal(start("menu=no save=no config=noise"), 0);
    assert_shown("Regimes       3 of 10000 ms;");
    assert_shown("Fixed work    10000 times 20000 multiplications\n");
    assert_non_null(strstr(fake_loops.trace, "4096 gaps, "));
    assert_non_null(strstr(fake_loops.trace, "detours for 312500000 ticks, from 1, "));
    assert_non_null(strstr(fake_loops.trace, "detours for 20000000000 ticks, from 180, "));
    assert_non_null(strstr(fake_loops.trace, "10000 quanta of 20000, "));
    /* A single quantum needs less memory than the gaps. */
    assert_int_equal(start("menu=no save=no config=noise noise_quanta=1 noise_detours=1"), 0);
}

/* Detours come each millisecond, like the tick of a kernel with HZ=1000. */
APP_TEST(detours_with_a_period)
{
    for (unsigned i = 0; i < 39; i++)
        fake_loops.detour[0][i] = (struct fake_detour){2000000 * (i + 1), 4000, NOISE_INTERRUPT};
    assert_int_equal(start("menu=no config=noise noise_ms=40"), 0);
    assert_string_equal(saved_fact("0001-noise", "noise.alone.period.0"), "1000000 ns, 39 of 40, HZ 1000");
    assert_string_equal(saved_fact("0001-noise", "noise.alone.period.1"), "");
}

APP_TEST(nothing_was_unmasked)
{
    fake_session.machine.apic_msr = FAKE_APIC | 0x900; /* with one entry, the timer's, which is masked */
    assert_int_equal(start(NOISE), 0);
    assert_shown("\nMasked        0 entries of the local vector table, besides interrupts\n");
    assert_int_equal(fact("0001-noise", "noise.masked"), 0);
    fake_session.machine.apic_msr = 0;
    assert_int_equal(start(NOISE), 0);
    assert_int_equal(fact("0002-noise", "noise.masked"), -1);
}

/* Each regime keeps its own detours, as many as there is room for. */
APP_TEST(detours_of_each_regime)
{
    for (unsigned loop = 0; loop < NOISE_REGIMES; loop++)
        for (unsigned i = 0; i < 3; i++)
            fake_loops.detour[loop][i] = (struct fake_detour){1000 * (i + 1), 200 + 200 * loop + 2 * i, NOISE_UNKNOWN};
    assert_int_equal(start(NOISE "noise_detours=2"), 0);
    assert_string_equal(file_text("\\ibsboot\\runs\\0001-noise\\noise.csv"),
                        MODEL_LINE "regime,start_ns,length_ns,cause\n"
                                   "firmware,500,300,unknown\nfirmware,1000,301,unknown\n"
                                   "masked,500,200,unknown\nmasked,1000,201,unknown\n"
                                   "alone,500,100,unknown\nalone,1000,101,unknown\n");
    assert_int_equal(fact("0001-noise", "noise.masked.not_kept"), 1);
    assert_int_equal(fact("0001-noise", "noise.masked.largest_ns"), 202);
}

APP_TEST(a_noise_session_fails)
{
    fake_session.fail_at = 1;
    assert_int_equal(start(NOISE), 1);
    assert_shown_times("\nNot measured.\n", 3);
    assert_shown("The run failed: ");
    assert_string_equal(file_text("\\ibsboot\\runs\\0001-noise\\noise.csv"),
                        MODEL_LINE "regime,start_ns,length_ns,cause\n");
    assert_int_equal(fact("0001-noise", "noise.alone.reads"), -1);
    assert_int_equal(fact("0001-noise", "workload.check"), 0);
    assert_lines_fit();
}

APP_TEST(what_is_wrong_is_said)
{
    assert_int_equal(start(NOISE "events=041"), 1);
    assert_shown("config = noise: its events cannot be chosen");
    fake_session.machine.tsc_khz = 0;
    fake_fw.tsc_stands = true;
    assert_int_equal(start(NOISE), 1);
    assert_shown("the TSC's rate is not known");
    assert_int_equal(fake_session.runs, 0);
}

/* ---------------------------------------------------------------- the certificate */

APP_TEST(a_run_has_a_certificate)
{
    assert_int_equal(start("menu=no n=20"), 0);
    assert_shown("\nNoise certificate\n");
    assert_shown("PASS samples on neither workload nor profiler: 0\n");
    assert_shown("PASS stray interrupts: 0\n");
    assert_shown("retired instructions: not available:\n     the workload's row states no count\n");
    assert_shown("clock (APERF/MPERF): not available: CPUID 6 has none\n");
    assert_shown("PASS SMIs: 0\n");
    assert_shown("PASS interrupts: 0 taken, 0 NMIs handled\n");
    assert_lines_fit();
    assert_int_equal(fact("0001-matmul-classic-ibs", "certificate.passes"), 1);
    assert_int_equal(fact("0001-matmul-classic-ibs", "certificate.smis"), 0);
    assert_int_equal(fact("0001-matmul-classic-ibs", "certificate.samples.elsewhere"), 0);
    assert_true(fact("0001-matmul-classic-ibs", "certificate.reads") > 10);
    /* The counters are restored before the result is checked: a model would otherwise continue stepping. */
    assert_int_equal(fake_session.pmc_ctl[0], 0x43002B);
    for (unsigned n = 0; n < PMC_LEGACY; n++) {
        assert_int_equal(fake_session.pmc_ctl_after[n], 0);
        assert_int_equal(fake_msr(MSR_PERF_CTL(n))->value, 0);
    }
}

/* The report gives the reason why the workload's own count of instructions says nothing. */
APP_TEST(no_surplus_is_known)
{
    static const struct {
        const char *options, *why;
    } rows[] = {
        {"config=count events=0C0 " SMALL, "the workload's row states no count"},
        {"config=count events=0C0 cores=all workload=pointer-chase hops=9 kb=4", "several cores share the counter"},
        {"config=tbp workload=pointer-chase hops=9 kb=4", "only totals exclude the NMI handler (config=count)"},
        {"config=count events=0C1 workload=pointer-chase hops=9 kb=4",
         "only totals exclude the NMI handler (config=count)"},
        {"config=count events=0C0:u workload=pointer-chase hops=9 kb=4",
         "only totals exclude the NMI handler (config=count)"},
    };

    fake_fw.cores = 2;
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char options[160], shown[160];

        fake_firmware_clear(&fake_fw);
        fake_files_clear(&fake_fw);
        snprintf(options, sizeof(options), "menu=no %s", rows[i].options);
        assert_int_equal(start(options), 0);
        snprintf(shown, sizeof(shown), "\n     retired instructions: not available:\n     %s\n", rows[i].why);
        assert_shown(shown);
    }
}

/* The time limit ends the third pass: the certificate covers the two complete passes, and says so. */
APP_TEST(counters_that_are_left)
{
    static const struct {
        const char *options;
        bool hypervisor;
        const char *last; /* the counters while the last pass looks for gaps; NULL: it does not */
    } rows[] = {
        {"config=ibs", false, "counters 0=2b 1=cf 2=76 3=e9\n"},
        {"config=ibs", true, "counters 0=2b 1=cf 2=76 3=e9\n"},
        {"config=tbp", false, "counters 0=2b 1=cf 2=76 3=e9\n"},
        {"config=tbp", true, NULL},
        {"limit_ms=5", false, "counters 0=2b 1=cf 2=76 3=e9\n"},
        {"limit_ms=5", true, NULL},
        {"config=events periods=given events=041", false, "counters 1=2b 2=cf 3=76\n"},
        {"config=events periods=given events=041", true, NULL},
        {"config=events periods=given events=041,0C2", false, "counters 2=2b 3=cf\n"},
        {"config=events periods=given events=041,0C2,0C3", false, "counters 3=2b\n"},
        {"config=events periods=given events=041,0C2,0C3,0C4", false, "counters off\n"},
        {"config=events periods=given sharing=multiplex events=041,0C2,0C3,0C4,0C5", false, "counters off\n"},
        {"config=count events=076", false, "counters 1=2b 2=cf 3=76\n"},
        {"config=count events=076", true, NULL},
    };

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char options[160];
        const char *trace = fake_loops.trace;

        fake_loops_init();
        fake_session.machine.hypervisor = rows[i].hypervisor;
        snprintf(options, sizeof(options), "menu=no save=no %s " SMALL, rows[i].options);
        assert_int_equal(start(options), 0);
        if (rows[i].last ? strlen(trace) < strlen(rows[i].last) ||
                               strcmp(trace + strlen(trace) - strlen(rows[i].last), rows[i].last)
                         : *trace)
            fail_msg("row %u: %s", i, trace);
    }
}

/* Without the TSC's rate gaps have no length, and the report says so. */
APP_TEST(without_a_rate)
{
    fake_session.machine.hypervisor = false;
    fake_session.machine.tsc_khz = 0;
    fake_fw.tsc_stands = true;
    assert_int_equal(start("menu=no limit_ms=0 " SMALL),
                     0); /* the limit needs the rate on silicon, too, and is left out */
    fake_session.machine.hypervisor = true;
    memcpy(fake_session.machine.hypervisor_signature, "KVMKVMKVM", 10);
    assert_int_equal(start("menu=no " SMALL), 0);
    assert_shown("\n     gaps: not available: the TSC's rate is not known\n");
    assert_int_equal(fake_loops.trace_length, 0);
}

/* Times are exact to the nanosecond, even for billions of them. */
APP_TEST(long_times)
{
    fake_session.machine.hypervisor = false;
    fake_loops.gap = 200000000;
    fake_loops.detour[0][0] = (struct fake_detour){4000000000, 6000000000, NOISE_UNKNOWN};
    assert_int_equal(start("menu=no " SMALL), 0);
    assert_int_equal(fact("0001-tight-loop-ibs", "certificate.gap_ns"), 900000000);
    assert_int_equal(fact("0001-tight-loop-ibs", "certificate.gap.0"), 3000000000);
    assert_shown("NOTE gaps of 900000000 ns or more around the measured part: 1\n     of them 1 unknown\n");
    fake_loops_init();
    fake_loops.gap = 200000000;
    fake_loops.detour[0][0] = (struct fake_detour){4000000000, 6000000000, NOISE_UNKNOWN};
    assert_int_equal(start("menu=no config=noise noise_ms=4000 noise_work=1 noise_quanta=1"), 0);
    assert_int_equal(fact("0002-noise", "noise.alone.largest_ns"), 3000000000);
    assert_non_null(
        strstr(file_text("\\ibsboot\\runs\\0002-noise\\noise.csv"), "\nalone,2000000000,3000000000,unknown\n"));
    assert_int_equal(fact("0002-noise", "noise.alone.duration_ns"), 4000000000);
}

/* Each of the two registers has its own reason. */
APP_TEST(half_a_clock)
{
    static const uint32_t registers[] = {0xE7, 0xE8};

    fake_session.machine.max_leaf = 6;
    fake_set_leaf(6, 0, 0, 1, 0);
    fake_session.aperf = fake_session.mperf = 1000000000;
    for (unsigned i = 0; i < 2; i++)
        fake_add_msr(registers[i], 0, ~0ull);
    assert_int_equal(start("menu=no save=no " SMALL), 0);
    assert_shown("     clock (APERF/MPERF): 1000000 ppm of the nominal one, 2000 MHz\n");
    for (unsigned i = 0; i < 2; i++) {
        fake_remove_msr(registers[i]);
        fake_firmware_clear(&fake_fw);
        assert_int_equal(start("menu=no save=no " SMALL), 0);
        assert_shown("     clock (APERF/MPERF): not available: reading it raises an exception\n");
        fake_add_msr(registers[i], 0, ~0ull);
    }
}

/* The report has the five longest gaps of both sides and of all passes, and of two that are equal the earlier one. */
APP_TEST(the_longest_gaps)
{
    static const uint64_t ticks[4][4] = {{400, 2000, 600}, {600, 800}, {2000}, {200, 1000}};
    const char *folder = "0001-tight-loop-count";

    fake_session.machine.hypervisor = false;
    for (unsigned loop = 0; loop < 4; loop++)
        for (unsigned i = 0; i < 4 && ticks[loop][i]; i++)
            fake_loops.detour[loop][i] = (struct fake_detour){1000 * (i + 1), ticks[loop][i], NOISE_UNKNOWN};
    assert_int_equal(start("menu=no config=count events=0C0 repeats=1 " SMALL), 0);
    assert_int_equal(fact(folder, "certificate.gaps"), 5);
    assert_int_equal(fact(folder, "certificate.gap.4"), 200);
    assert_int_equal(start("menu=no config=count events=0C0 repeats=2 " SMALL), 0);
    assert_int_equal(fake_loops.loops, 2 + 6);
    fake_loops.loops = 0;
    assert_int_equal(start("menu=no config=count events=0C0 repeats=2 " SMALL), 0);
    folder = "0003-tight-loop-count";
    assert_int_equal(fact(folder, "certificate.gaps"), 8);
    assert_non_null(strstr(saved_fact(folder, "certificate.gap.0"), ", before pass 0, unknown"));
    assert_int_equal(fact(folder, "certificate.gap.0"), 1000);
    assert_non_null(strstr(saved_fact(folder, "certificate.gap.1"), ", before pass 1, unknown"));
    assert_int_equal(fact(folder, "certificate.gap.1"), 1000);
    assert_non_null(strstr(saved_fact(folder, "certificate.gap.2"), ", after pass 1, unknown"));
    assert_int_equal(fact(folder, "certificate.gap.2"), 500);
    assert_int_equal(fact(folder, "certificate.gap.3"), 400);
    assert_int_equal(fact(folder, "certificate.gap.4"), 300);
    assert_non_null(strstr(saved_fact(folder, "certificate.gap.4"), ", before pass 0, unknown"));
    assert_string_equal(saved_fact(folder, "certificate.gap.5"), "");
    assert_shown(" ns after pass 2, TSC ");
    /* A loop keeps its first 64 gaps: the eighth of these is the longest. */
    fake_loops.loops = 0;
    for (unsigned i = 0; i < 9; i++)
        fake_loops.detour[0][i] = (struct fake_detour){1000 * (i + 1), i == 7 ? 8000 : 200, NOISE_UNKNOWN};
    assert_int_equal(start("menu=no config=count events=0C0 repeats=2 " SMALL), 0);
    assert_int_equal(fact("0004-tight-loop-count", "certificate.gap.0"), 4000);
}

APP_TEST(of_the_passes_that_ended)
{
    fake_session.fail_at = 5; /* 1 and 2 warm up; 3 and 4 are over nothing */
    fake_session.fail_error = SESSION_LIMIT;
    assert_int_equal(start("menu=no config=count events=0C0 repeats=2 " SMALL), 1);
    assert_shown("\nNOTE of 2 passes 1 were completed; only these are covered here\n");
    assert_int_equal(fact("0001-tight-loop-count", "certificate.passes"), 1);
    assert_shown("FAIL result of tight-loop: expected ");
    assert_shown("     right in 1 of 2 passes\n");
    fake_firmware_clear(&fake_fw);
    fake_session.fail_at = 0;
    assert_int_equal(start("menu=no config=count events=0C0 repeats=2 " SMALL), 0);
    assert_not_shown("were completed");
    assert_shown("     right in 3 of 3 passes\n");
}

APP_TEST(samples_of_somebody_else_fail)
{
    fake_session.elsewhere = 3;
    (void)start("menu=no n=20 fetch=no");
    assert_shown("FAIL samples on neither workload nor profiler: 3\n");
    assert_int_equal(fact("0001-matmul-classic-ibs", "certificate.samples.elsewhere"), 3);
}

APP_TEST(instructions_too_many_are_noted)
{
    const struct workload *workload = params_find_workload("divide-chain");
    uint32_t params[WORKLOAD_PARAMS_MAX];
    const struct params defaults = {0};
    struct out_memory nowhere;
    char text[1];

    out_memory_init(&nowhere, text, sizeof(text));
    assert_true(params_of(&defaults, workload, params, &nowhere.out));
    /* All instructions except the ret, which is also in the overhead, and seven more. */
    fake_session.count[0] =
        (struct fake_count){.select = 0x0C0, .total = workload_count(workload, 0, params) - 1 + 7, .overhead = 20};
    assert_int_equal(start("menu=no config=count workload=divide-chain events=0C0"), 0);
    assert_shown("NOTE retired instructions in excess of the workload's: 7\n");
    assert_int_equal(fact("0001-divide-chain-count", "certificate.instructions_surplus"), 7);
    assert_shown("interrupts: not available: the counters are in use\n");
    assert_shown("gaps: not available: without counting, the virtual PMU shows host time\n");
}

APP_TEST(silicon_counts_beside_a_counting_run)
{
    fake_session.machine.hypervisor = false;
    assert_int_equal(start("menu=no config=count workload=tight-loop iterations=1000 events=0C0 repeats=1"), 0);
    assert_shown("PASS SMIs: 0\n"); /* two of the four SMIs fall into the run */
    assert_int_equal(fake_session.pmc_ctl[0], 0);
    assert_int_equal(fake_session.pmc_ctl[1], 0);
    assert_int_equal(fake_session.pmc_ctl[2], 0x43002B);
    assert_int_equal(fake_session.pmc_ctl[3], 0x4300CF);
    assert_shown("gaps of ");
    assert_true(fact("0001-tight-loop-count", "certificate.looked_us") >= 1000);
}

RUN_TESTS(fixture_load, NULL)
