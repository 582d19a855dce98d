/* SPDX-License-Identifier: BSD-2-Clause */
/* Facts on sampled events in run.ini: periods, and how long each was counted. */
#include <stdlib.h>

#include "tools/ibsprof/counters/pmc_run.h"
#include "tools/ibsprof/read/run_ini.h"

enum { MILLION = 1000000 };
_Static_assert(EVENT_GROUPS_MAX <= 64, "a bit for each group");

/* Reads the ticks of each group, over all runs: "4000000 ticks, 2 slices". */
static void read_groups(const struct input_facts *facts, uint64_t ticks[EVENT_GROUPS_MAX])
{
    for (uint32_t i = 0; i < facts->setting_count; i++) {
        const struct input_setting *setting = &facts->settings[i];
        unsigned long group;

        if (!setting->fact || fact_find(setting->key) != FACT_GROUP_RUN)
            continue;
        group = strtoul(setting->key + sizeof("group.") - 1, NULL, 10);
        if (group < EVENT_GROUPS_MAX)
            ticks[group] += strtoull(setting->value, NULL, 10);
    }
}

/* Returns a bit for each group with the event: "0 3". */
static uint64_t groups_of(const char *text)
{
    uint64_t groups = 0;

    for (char *next; text && *text; text = next) {
        unsigned long group = strtoul(text, &next, 10);

        if (next == text)
            break;
        if (group < EVENT_GROUPS_MAX)
            groups |= 1ull << group;
    }
    return groups;
}

/* Sets how long an event was counted that took turns with others: the time of its groups, of that of all. */
static void set_active(struct pmc_profile_event *row, const uint64_t ticks[EVENT_GROUPS_MAX], uint64_t groups,
                       uint64_t active_ppm)
{
    uint64_t active = 0, possible = 0;

    for (unsigned group = 0; group < EVENT_GROUPS_MAX; group++) {
        possible += ticks[group];
        if (groups >> group & 1)
            active += ticks[group];
    }
    if (active_ppm == MILLION || active == 0) {
        row->active = active_ppm ? active_ppm : MILLION;
        row->possible = MILLION;
        return;
    }
    row->active = active;
    row->possible = possible;
}

void pmc_run_facts(struct pmc_run *run, const struct input_facts *facts)
{
    int timer = pmc_profile_timer(&run->profile);
    uint64_t ticks[EVENT_GROUPS_MAX] = {0}, timer_us = run_number(facts, FACT_TIMER_US);

    run->is_model = facts->is_model;
    run->elapsed_us = run_number(facts, FACT_ELAPSED);
    read_groups(facts, ticks);
    for (unsigned e = 0; e < run->profile.event_count; e++) {
        struct pmc_profile_event *row = &run->profile.event[e];

        if (run_fact(facts, FACT_EVENT_PERIOD, e))
            row->period = run_number(facts, FACT_EVENT_PERIOD, e);
        if (run_fact(facts, FACT_EVENT_RUNS, e))
            row->runs = (uint32_t)run_number(facts, FACT_EVENT_RUNS, e);
        set_active(row, ticks, groups_of(run_fact(facts, FACT_EVENT_GROUPS, e)),
                   run_number(facts, FACT_EVENT_ACTIVE, e));
    }
    if (timer >= 0 && timer_us) {
        run->profile.event[timer].period = timer_us;
        run->profile.event[timer].runs = 1;
    }
}
