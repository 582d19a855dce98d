#include "app/report_noise.h"

#include "app/measure_noise.h"
#include "app/report.h"
#include "app/report_certificate.h"

void report_noise_settings(struct out *out, const struct run *run)
{
    const struct run_noise *noise = &run->noise;

    report_heading(out, "Run");
    out_printf(out,
               "Measured      %s: %s\n"
               "Regimes       %u of %llu ms; a detour is a gap of 9 usual ones, or 1 us\n"
               "Fixed work    %llu times %llu multiplications\n",
               run->task.name, run->task.title, NOISE_REGIMES, (unsigned long long)noise->duration_ms,
               (unsigned long long)noise->quanta, (unsigned long long)noise->work);
    if (noise->masked >= 0)
        out_printf(out, "Masked        %d entries of the local vector table, besides interrupts\n", noise->masked);
    else
        out_printf(out, "Masked        interrupts only: the local vector table cannot be reached\n");
}

/* What the processor itself counted during the detour loop. */
static void report_counted(struct out *out, const struct run_noise_regime *regime)
{
    for (unsigned what = WITNESS_SMIS; what <= WITNESS_STRAYS; what++) {
        if (regime->witness.why_not[what])
            out_printf(out, "     %s: not available: %s\n", witness_name((enum witness_what)what),
                       regime->witness.why_not[what]);
        else
            out_printf(out, "     %s: %llu\n", witness_name((enum witness_what)what),
                       (unsigned long long)(regime->last.value[what] - regime->first.value[what]));
    }
    report_certificate_clock(out, &regime->witness, &regime->first, &regime->last,
                             regime->last.value[WITNESS_APERF] - regime->first.value[WITNESS_APERF],
                             regime->last.value[WITNESS_MPERF] - regime->first.value[WITNESS_MPERF]);
}

void report_noise(struct out *out, const struct run *run)
{
    const struct run_noise *noise = &run->noise;

    for (unsigned i = 0; i < NOISE_REGIMES; i++) {
        const struct run_noise_regime *regime = &noise->regime[i];

        report_heading(out, measure_noise_title((enum noise_regime)i));
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
