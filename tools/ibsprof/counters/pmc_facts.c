/* What run.ini says about sampled events: periods, and how long each was counted (app/save_pmc.c). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/counters/pmc_run.h"
#include "tools/ibsprof/read/run_folder.h"

enum { MILLION = 1000000, LINE_BYTES = 1024 };
_Static_assert(EVENT_GROUPS_MAX <= 64, "a bit for each group");

struct facts {
    uint64_t ticks[EVENT_GROUPS_MAX];    /* of each group, over all runs */
    uint64_t groups[PMC_PROFILE_EVENTS]; /* of each event: a bit for each group that holds it */
    uint64_t active_ppm[PMC_PROFILE_EVENTS];
    uint64_t timer_us;
};

static void event_fact(struct facts *facts, struct pmc_profile *profile, unsigned event, const char *key,
                       const char *value)
{
    if (event >= profile->event_count)
        return;
    if (strcmp(key, "period") == 0)
        profile->event[event].period = strtoull(value, NULL, 10);
    else if (strcmp(key, "runs") == 0)
        profile->event[event].runs = (uint32_t)strtoul(value, NULL, 10);
    else if (strcmp(key, "active_ppm") == 0)
        facts->active_ppm[event] = strtoull(value, NULL, 10);
    else if (strcmp(key, "groups") == 0)
        for (char *next; *value; value = next) {
            unsigned long group = strtoul(value, &next, 10);

            if (next == value)
                break;
            if (group < EVENT_GROUPS_MAX)
                facts->groups[event] |= 1ull << group;
        }
}

static void take_fact(struct facts *facts, struct pmc_run *run, const char *line)
{
    const char *value = strstr(line, " =");
    char key[32];
    unsigned event, group, number;
    uint64_t ticks;

    if (value == NULL)
        return;
    value += 2 + (value[2] == ' ');
    if (sscanf(line, "#: event.%u.%31[a-z_]", &event, key) == 2)
        event_fact(facts, &run->profile, event, key, value);
    else if (sscanf(line, "#: group.%u.run.%u = %" SCNu64, &group, &number, &ticks) == 3 && group < EVENT_GROUPS_MAX)
        facts->ticks[group] += ticks;
    else if (strncmp(line, "#: timer.us =", 13) == 0)
        facts->timer_us = strtoull(value, NULL, 10);
    else if (strncmp(line, "#: figures =", 12) == 0)
        run->is_model = strncmp(value, "silicon", 7) != 0;
}

/* An event that was not counted all the time took turns with others: the time of its groups among that of all. */
static void set_active(const struct facts *facts, struct pmc_profile_event *row, unsigned event)
{
    uint64_t active = 0, possible = 0;

    for (unsigned group = 0; group < EVENT_GROUPS_MAX; group++) {
        possible += facts->ticks[group];
        if (facts->groups[event] >> group & 1)
            active += facts->ticks[group];
    }
    if (facts->active_ppm[event] == MILLION || active == 0) {
        row->active = facts->active_ppm[event] ? facts->active_ppm[event] : MILLION;
        row->possible = MILLION;
        return;
    }
    row->active = active;
    row->possible = possible;
}

void pmc_run_facts(struct pmc_run *run, const char *path)
{
    int timer = pmc_profile_timer(&run->profile);
    struct facts facts = {0};
    char line[LINE_BYTES];
    FILE *file = run_folder_open(path, "run.ini");

    while (file != NULL && fgets(line, sizeof(line), file) != NULL)
        take_fact(&facts, run, line);
    if (file != NULL)
        fclose(file);
    for (unsigned e = 0; e < run->profile.event_count; e++)
        set_active(&facts, &run->profile.event[e], e);
    if (timer >= 0 && facts.timer_us) {
        run->profile.event[timer].period = facts.timer_us;
        run->profile.event[timer].runs = 1;
    }
}
