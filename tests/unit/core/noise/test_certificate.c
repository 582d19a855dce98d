/* SPDX-License-Identifier: BSD-2-Clause */
/* The noise certificate: the judgement of figures that were made up, and the same figures as facts. */
#include <string.h>

#include "tests/unit/core/check.h"

#include "core/noise/certificate.h"
#include "core/run/facts.h"

static char text[20000];
static struct out_memory memory;

static void print_row(struct certificate_sink *sink, const struct certificate_row *row)
{
    (void)sink;
    out_printf(&memory.out, "%-4s|%s|%s|\n", certificate_verdict_name(row->verdict), row->what, row->value);
}

static struct certificate_sink sink = {print_row};

static void judge(const char *title, const struct certificate_core *core, int written_as)
{
    out_printf(&memory.out, "%s\n", title);
    certificate_judge_core(core, &sink);
    certificate_write_core(&memory.out, core, written_as);
}

static struct certificate_core quiet(void)
{
    struct certificate_core core = {.core = 3,
                                    .begun = 2,
                                    .ended = 2,
                                    .sum = {[WITNESS_INTERRUPTS] = 12,
                                            [WITNESS_NMIS] = 12,
                                            [WITNESS_APERF] = 30000,
                                            [WITNESS_MPERF] = 20000,
                                            [WITNESS_CLOCKS] = 750,
                                            [WITNESS_TSC] = 1000,
                                            [WITNESS_DMA] = 17},
                                    .first = {[WITNESS_PSTATE] = 1, [WITNESS_LIMIT] = 2, [WITNESS_BOOST_OFF] = 1},
                                    .last = {[WITNESS_PSTATE] = 1, [WITNESS_LIMIT] = 2, [WITNESS_BOOST_OFF] = 1},
                                    .nmis_told = true,
                                    .each_brings = true,
                                    .late = 4,
                                    .gap_ns = 180,
                                    .looked_us = 70000,
                                    .reads = 7654321};

    for (unsigned what = WITNESS_L3; what <= WITNESS_ENERGY; what++)
        core.why_not[what] = certificate_not_told;
    return core;
}

/* Computes rates by the length of the measured parts; the processor's energy includes the core's. */
static void outside_of_the_cores(void)
{
    struct certificate_core core = quiet();

    core.tsc_khz = 3200000;
    core.sum[WITNESS_L3] = 1000;
    core.sum[WITNESS_L3_MISSES] = 100;
    core.sum[WITNESS_DRAM] = 123456;
    core.sum[WITNESS_DRAM_READ] = 64000;
    core.sum[WITNESS_DRAM_WRITTEN] = 6400;
    core.sum[WITNESS_ENERGY_CORE] = 34567;
    core.sum[WITNESS_ENERGY] = 1234567;
    for (unsigned what = WITNESS_L3; what <= WITNESS_ENERGY; what++)
        core.why_not[what] = NULL;
    judge("counts outside of the cores, no time", &core, 2);
    core.measured_us = 1000;
    core.why_not[WITNESS_DRAM] = core.why_not[WITNESS_L3_MISSES] = certificate_not_told;
    core.why_not[WITNESS_ENERGY] = "no bit";
    judge("counts outside of the cores", &core, FACT_ONLY_CORE);
    core.why_not[WITNESS_ENERGY] = NULL;
    core.why_not[WITNESS_ENERGY_CORE] = core.why_not[WITNESS_L3] = core.why_not[WITNESS_DRAM_READ] =
        core.why_not[WITNESS_DRAM_WRITTEN] = "no bit";
    judge("energy alone", &core, 0);
    core.why_not[WITNESS_ENERGY] = "no bit";
    judge("none", &core, 0);
}

/* Figures that are not reported are left out; the figures after them are printed. */
TEST(not_told)
{
    struct certificate_core core = quiet();
    int lines = 0;

    core.why_not[WITNESS_SMIS] = core.why_not[WITNESS_APERF] = core.why_not[WITNESS_LIMIT] = certificate_not_told;
    out_memory_init(&memory, text, sizeof(text));
    certificate_write_core(&memory.out, &core, FACT_ONLY_CORE);
    for (const char *line = text; *line; line = strchr(line, '\n') + 1)
        lines++;
    out_memory_init(&memory, text, sizeof(text));
    core = quiet();
    certificate_write_core(&memory.out, &core, FACT_ONLY_CORE);
    for (const char *line = text; *line; line = strchr(line, '\n') + 1)
        lines--;
    assert_true(lines == -3);
}

/* DMA requests are missing if they cannot be counted, whatever other figure is missing. */
TEST(dma_requests_of_their_own)
{
    for (unsigned what = 0; what < WITNESS_ROWS; what++) {
        struct certificate_core core = quiet();

        core.why_not[what] = "it is away";
        out_memory_init(&memory, text, sizeof(text));
        certificate_judge_core(&core, &sink);
        assert_non_null(strstr(text, what == WITNESS_DMA ? "    |DMA requests|not available: it is away|\n"
                                                         : "    |DMA requests|17|\n"));
    }
}

TEST(cores)
{
    struct certificate_core core = quiet();

    out_memory_init(&memory, text, sizeof(text));
    judge("quiet", &core, FACT_ONLY_CORE);
    core.begun = 5;
    core.sum[WITNESS_SMIS] = 1;
    core.sum[WITNESS_STRAYS] = 2;
    core.sum[WITNESS_INTERRUPTS] = 13;
    core.empty = 1;
    core.last[WITNESS_PSTATE] = 3;
    core.gaps = 9;
    core.by_cause[NOISE_SMI] = 1;
    core.by_cause[NOISE_UNKNOWN] = 8;
    core.gap[0] = (struct certificate_gap){91000, 995000, 0, false, NOISE_SMI};
    core.gap[1] = (struct certificate_gap){412, 26004000, 1, true, NOISE_UNKNOWN};
    core.gaps_shown = 2;
    judge("something of everything", &core, 3);
    outside_of_the_cores();
    core = quiet();
    core.each_brings = false;
    core.empty = 8;
    core.gap_ns = 0;
    core.sum[WITNESS_MPERF] = 0;
    judge("two kinds; no clock; a gap is not reported", &core, 0);
    core.empty = 0;
    core.foreign = 1;
    core.why_not[WITNESS_MPERF] = "no MSR";
    for (unsigned what = WITNESS_SMIS; what <= WITNESS_STRAYS; what++)
        core.why_not[what] = "QEMU";
    core.why_not[WITNESS_PSTATE] = core.why_not[WITNESS_LIMIT] = core.why_not[WITNESS_BOOST_OFF] = "no leaf";
    core.no_loop = "no time";
    judge("nothing is available", &core, FACT_ONLY_CORE);
    for (unsigned what = 0; what < WITNESS_ROWS; what++)
        core.why_not[what] = certificate_not_told;
    core.no_loop = certificate_not_told;
    core.nmis_told = false;
    out_printf(&memory.out, "nothing is told\n");
    certificate_judge_core(&core, &sink);
    core.ended = 0;
    judge("no pass", &core, 7);
    check_golden("certificate.txt", text);
}

static void run(const struct certificate_run *of)
{
    certificate_judge_run(of, &sink);
    if (of->why_no_count != certificate_not_told)
        certificate_write_run(&memory.out, of);
}

TEST(runs)
{
    out_memory_init(&memory, text, sizeof(text));
    run(&(struct certificate_run){.sampled = true, .edges = 4});
    run(&(struct certificate_run){.sampled = true, .elsewhere = 1, .surplus = -7});
    run(&(struct certificate_run){.why_no_count = "why"});
    run(&(struct certificate_run){.why_no_count = certificate_not_told});
    check_golden("certificate_run.txt", text);
}

TEST(bounds)
{
    struct certificate_core core = quiet();

    assert_int_equal(certificate_bound_milli(&core), 42857);
    core.gaps = 1;
    assert_int_equal(certificate_bound_milli(&core), 0);
    core.gaps = core.looked_us = 0;
    assert_int_equal(certificate_bound_milli(&core), 0);
    core.looked_us = 1;
    core.no_loop = "why";
    assert_int_equal(certificate_bound_milli(&core), 0);
}

RUN_TESTS(NULL, NULL)
