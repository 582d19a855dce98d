/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/kinds/noise.h"
#include "app/report/report_certificate.h"
#include "app/base/sentence.h"
#include "core/base/stats.h"
#include "core/run/facts.h"

static const char *regime_name(enum noise_regime regime)
{
    static const char *const names[NOISE_REGIMES] = {"firmware", "masked", "alone"};

    return names[regime];
}

static const char *regime_title(enum noise_regime regime)
{
    static const char *const titles[NOISE_REGIMES] = {
        "As in the firmware: with its interrupts on",
        "Interrupts off",
        "Everything off: interrupts, local vector table, watchdog; our tables",
    };

    return titles[regime];
}

/* ---------------------------------------------------------------- the report */

void noise_settings(struct out *out, const struct run *run)
{
    const struct noise *noise = run->own;

    out_printf(out,
               "Regimes       %u of %lu ms; a detour is a gap of 9 usual gaps, or of 1 us\n"
               "Fixed work    %lu times %lu multiplications\n",
               NOISE_REGIMES, noise->duration_ms, noise->quanta, noise->work);
    if (noise->masked >= 0)
        out_printf(out, "Masked        %d entries of the local vector table, besides interrupts\n", noise->masked);
    else
        out_printf(out, "Masked        interrupts only: the local vector table cannot be reached\n");
}

/* Reports what the processor itself counted during the detour loop. */
static void report_counted(struct out *out, const struct noise_in_regime *regime)
{
    for (unsigned what = WITNESS_SMIS; what <= WITNESS_STRAYS; what++) {
        if (regime->witness.why_not[what])
            out_printf(out, "     %s: not available: %s\n", witness_name((enum witness_what)what),
                       regime->witness.why_not[what]);
        else
            out_printf(out, "     %s: %lu\n", witness_name((enum witness_what)what),
                       regime->last.value[what] - regime->first.value[what]);
    }
    report_certificate_clock(out, &regime->witness, &regime->first, &regime->last);
}

void noise_tables(struct out *out, const struct run *run)
{
    const struct noise *noise = run->own;

    for (unsigned i = 0; i < NOISE_REGIMES; i++) {
        const struct noise_in_regime *regime = &noise->regime[i];

        heading(out, regime_title((enum noise_regime)i));
        if (!regime->done) {
            out_printf(out, "Not measured.\n");
            continue;
        }
        if (i == NOISE_FIRMWARE && !regime->interrupts_on)
            out_printf(out, "NOTE: the firmware called this program with interrupts off.\n");
        noise_print(out, &regime->result);
        report_counted(out, regime);
        noise_print_quanta(out, &regime->quanta, (uint32_t)run->machine->tsc_khz);
    }
}

/* ---------------------------------------------------------------- files */

static void regime_facts(struct out *out, const char *name, const struct noise_in_regime *regime)
{
    noise_write_facts(out, name, &regime->result, &regime->trace);
    for (enum witness_what what = WITNESS_SMIS; what <= WITNESS_STRAYS; what++) {
        if (regime->witness.why_not[what])
            fact_not_available(out, FACT_NOISE_COUNTED, regime->witness.why_not[what], name, witness_name(what));
        else
            fact_number(out, FACT_NOISE_COUNTED, regime->last.value[what] - regime->first.value[what], name,
                        witness_name(what));
    }
    noise_write_quanta_facts(out, name, &regime->quanta);
}

void noise_facts(struct out *out, const struct run *run)
{
    const struct noise *noise = run->own;

    fact_number(out, FACT_NOISE_DURATION, noise->duration_ms);
    fact_number(out, FACT_NOISE_WORK, noise->work);
    if (noise->masked >= 0)
        fact_number(out, FACT_NOISE_MASKED, (uint64_t)noise->masked);
    for (unsigned i = 0; i < NOISE_REGIMES; i++)
        if (noise->regime[i].done)
            regime_facts(out, regime_name((enum noise_regime)i), &noise->regime[i]);
}

void noise_csv(struct out *out, const struct run *run)
{
    const struct noise *noise = run->own;

    out_printf(out, NOISE_CSV_HEADER);
    for (unsigned i = 0; i < NOISE_REGIMES; i++)
        if (noise->regime[i].done)
            noise_write_rows(out, regime_name((enum noise_regime)i), &noise->regime[i].trace,
                             (uint32_t)run->machine->tsc_khz);
}
