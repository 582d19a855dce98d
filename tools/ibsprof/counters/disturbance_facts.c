/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/counters/disturbance_facts.h"

#include <string.h>

#include "tools/ibsprof/read/run_ini.h"

bool disturbance_read(struct disturbance *ret, const struct input_facts *facts)
{
    static const char not_known[] = "not known: ";
    const char *verdict = run_fact(facts, FACT_SAMPLING_VERDICT), *clock, *time;

    *ret = (struct disturbance){0};
    if (verdict == NULL)
        return false;
    if (strncmp(verdict, not_known, sizeof(not_known) - 1) == 0)
        ret->why = verdict + sizeof(not_known) - 1;
    ret->undisturbed_us = run_number(facts, FACT_SAMPLING_UNDISTURBED_US);
    ret->sampled_us = run_number(facts, FACT_SAMPLING_SAMPLED_US);
    time = run_fact(facts, FACT_SAMPLING_TIME);
    for (unsigned t = 0; time != NULL && t < DISTURBANCE_TIMES; t++)
        if (strcmp(time, disturbance_time_name(t)) == 0)
            ret->time = t;
    ret->interrupts = run_number(facts, FACT_SAMPLING_INTERRUPTS);
    clock = run_fact(facts, FACT_SAMPLING_CLOCK);
    ret->ticks = clock != NULL && strcmp(clock, "TSC") == 0;
    ret->passes = (uint32_t)run_number(facts, FACT_SAMPLING_PASSES);
    for (unsigned row = 0; row < DISTURBANCE_ROWS; row++) {
        const char *name = disturbance_fact(row);

        ret->counted[row] = run_fact(facts, FACT_SAMPLING_SAMPLED, name) != NULL;
        ret->undisturbed[row] = run_number(facts, FACT_SAMPLING_UNDISTURBED, name);
        ret->sampled[row] = run_number(facts, FACT_SAMPLING_SAMPLED, name);
        ret->handler[row] = run_number(facts, FACT_SAMPLING_HANDLER, name);
        ret->samples[row] = run_number(facts, FACT_SAMPLING_SAMPLES, name);
        ret->weight[row] = run_number(facts, FACT_SAMPLING_WEIGHT, name);
    }
    return true;
}
