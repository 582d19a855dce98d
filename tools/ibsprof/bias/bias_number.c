/* SPDX-License-Identifier: BSD-2-Clause */
/* Computes how many IBS op samples, counted in ops, a run should have: shares alone do not show missing samples. */
#include <math.h>
#include <string.h>

#include "tools/ibsprof/bias/bias.h"

enum {
    /* Ops of the handler that count for the next interval: its WRMSR, the registers that it restores, and IRET.
     * Thirteen on the virtual PMU (docs/exact.md); more is room for silicon's IRET. */
    HANDLER_OPS = 64,
    DEVIATIONS = 4, /* number of standard deviations that chance exceeds once in 16,000, on either side */
};

static bool is_set(const struct bias_run *run, const char *setting, const char *to)
{
    const char *value = run_value(&run->run.facts, setting, false);

    return value && strcmp(value, to) == 0;
}

/* Returns whether filters of later families remove samples (app/kinds/ibs.c). */
static bool is_filtered(const struct bias_run *run)
{
    return is_set(run, "l3_miss_only", "yes") ||
           (run_value(&run->run.facts, "load_latency", false) && !is_set(run, "load_latency", "0"));
}

/* The first interval of a pass ends anywhere within the mean one (drivers/pmu/ibs.c, draw_first()), so a pass has as
 * many samples as mean intervals fit, and 1/12 is the variance of where it begins; each further interval adds its own.
 */
bool bias_number(const struct bias *bias, uint32_t at, uint32_t way, struct bias_number *ret)
{
    const struct bias_run *run = &bias->run[at];
    double period = (double)run_number(&run->run.facts, FACT_IBS_OP_PERIOD);
    double range = (double)run_number(&run->run.facts, FACT_IBS_OP_RANDOM_RANGE);
    double passes = (double)run_number(&run->run.facts, FACT_IBS_REPEATS), least, chance;

    *ret = (struct bias_number){0};
    if (run->way[way].by != BIAS_IBS_OPS || run->once || run->failed || run->lost > 0 || is_filtered(run) ||
        !is_set(run, "random", "yes") || period <= HANDLER_OPS || passes < 1)
        return false;
    for (uint32_t i = 0; i <= bias->exact.insns; i++)
        ret->samples += run->way[way].samples[i];
    least = passes * bias->exact.ops / period;
    chance = DEVIATIONS * sqrt(passes / 12 + least * range * range / (12 * period * period));
    ret->least = fmax(0, least - chance);
    ret->most = least * period / (period - HANDLER_OPS) + chance;
    ret->missing = ret->samples < ret->least ? 1 - ret->samples / ret->least : 0;
    ret->surplus = ret->samples > ret->most ? ret->samples / ret->most - 1 : 0;
    return true;
}
