/* SPDX-License-Identifier: BSD-2-Clause */
/* Differences of the sides besides the profile, and reasons to doubt a comparison. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/family/ibs_regs.h"
#include "tools/ibsprof/compare/compare.h"
#include "tools/ibsprof/compare/compare_count.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/read/run_ini.h"

/* ---------------------------------------------------------------- values of a side */

enum { VALUES_SHOWN = 4, VALUE_MAX = 200 };

/* Names what may differ. */
enum value {
    VALUE_SYSTEM,
    VALUE_CPU,
    VALUE_SIGNATURE,
    VALUE_FIGURES,
    VALUE_WORKLOAD,
    VALUE_PERIOD,
    VALUE_INTERVAL,
    VALUE_SETTING, /* from run.ini, by key */
    VALUE_FACT,    /* from run.ini, by key */
};

static const struct input_event *counted(const struct comparison *c, const struct input_facts *facts)
{
    for (uint32_t i = 0; i < facts->event_count; i++)
        if (sample_is_ibs(c->kind) ? facts->events[i].kind == c->kind : strcmp(facts->events[i].name, c->event) == 0)
            return &facts->events[i];
    return NULL;
}

/* Returns what the period of an event counts. */
static const char *unit_of(const struct input_event *event)
{
    switch (event->kind) {
    case SAMPLE_OP:
        return (event->config & IBS_OP_CNT_CTL) != 0 ? "ops" : "cycles";
    case SAMPLE_FETCH:
        return "fetches";
    case SAMPLE_TIMER:
        return "ns";
    default:
        return "events";
    }
}

/* Returns a run's value; false: it has none. */
static bool value_of(const struct comparison *c, const struct input_facts *facts, enum value value, const char *key,
                     char text[VALUE_MAX])
{
    const struct input_event *event = counted(c, facts);
    const char *known = NULL;

    switch (value) {
    case VALUE_SYSTEM:
        snprintf(text, VALUE_MAX, "%s%s", facts->is_linux ? "Linux " : "none",
                 facts->is_linux && facts->release ? facts->release : "");
        return facts->format == INPUT_RUN || facts->format == INPUT_PERFDATA;
    case VALUE_CPU:
        known = facts->cpu_name;
        break;
    case VALUE_SIGNATURE:
        snprintf(text, VALUE_MAX, "%Xh/%u/%u", facts->family, facts->model, facts->stepping);
        return facts->family != 0;
    case VALUE_FIGURES:
        known = input_figures(facts) ? "model or hypervisor" : "silicon";
        break;
    case VALUE_WORKLOAD:
        known = facts->workload;
        break;
    case VALUE_PERIOD:
        if (event)
            snprintf(text, VALUE_MAX, "%" PRIu64 " %s", event->period ? event->period : event->frequency,
                     event->period ? unit_of(event) : "Hz");
        return event && (event->period || event->frequency);
    case VALUE_INTERVAL:
        if (event && event->kind == SAMPLE_OP)
            known = (event->config & IBS_OP_CNT_CTL) != 0 ? "dispatched ops" : "cycles";
        break;
    case VALUE_SETTING:
    case VALUE_FACT:
        known = run_value(facts, key, value == VALUE_FACT);
        snprintf(text, VALUE_MAX, "%s", known ? known : "");
        return known;
    }
    snprintf(text, VALUE_MAX, "%s", known ? known : "");
    return text[0] != '\0';
}

/* Returns the different values of a side's runs, separated by commas; NULL: no run has one. */
static char *values_of(const struct comparison *c, uint32_t side, enum value value, const char *key)
{
    char shown[VALUES_SHOWN][VALUE_MAX], all[sizeof(shown) + VALUES_SHOWN * 2];
    uint32_t count = 0, more = 0;
    size_t length = 0;

    for (uint32_t run = 0; run < c->run_count[side]; run++) {
        char text[VALUE_MAX];
        uint32_t i = 0;

        if (!value_of(c, c->runs[side][run].profile->facts, value, key, text))
            continue;
        while (i < count && strcmp(shown[i], text) != 0)
            i++;
        if (i < count)
            continue;
        if (count < VALUES_SHOWN)
            strcpy(shown[count++], text);
        else
            more++;
    }
    if (count == 0)
        return NULL;
    for (uint32_t i = 0; i < count; i++)
        length += (size_t)sprintf(all + length, "%s%s", i > 0 ? ", " : "", shown[i]);
    return must_text("%s%s", all, more > 0 ? ", ..." : "");
}

static void add_setting(struct comparison *c, enum value value, const char *name)
{
    char *a = values_of(c, SIDE_A, value, name), *b = values_of(c, SIDE_B, value, name);

    if (a && b && strcmp(a, b) != 0) {
        *must_add(c->settings, c->setting_count) = (struct compare_setting){.name = must_copy(name), .a = a, .b = b};
        return;
    }
    free(a);
    free(b);
}

/* ---------------------------------------------------------------- warnings */

/* After the write that arms the next sample, the rest of the handler runs before the workload. Its ops count in the
 * interval: 14 of ibsboot's; Linux 6.1's intervals are some 500 ops short (docs/linux.md). From this period on that is
 * at most 0.5 %, the margin of work. */
enum { WORK_PERIOD_LEAST = 100000 };

/* Samples times period exceeds the workload's own ops by what handlers add to each interval. This cancels only between
 * sides with the same handler and the same period; otherwise short periods would prove false differences. */
static void leave_work_out(struct comparison *c)
{
    double shortest = INFINITY;

    if (!c->work_unit || (!compare_setting_of(c, "period") && !compare_setting_of(c, "operating system")))
        return;
    for (uint32_t side = 0; side < SIDES; side++)
        for (uint32_t run = 0; run < c->run_count[side]; run++)
            shortest = fmin(shortest, compare_work_of(c, c->runs[side][run].profile) / c->exposure[side][run]);
    if (shortest >= WORK_PERIOD_LEAST || !isfinite(shortest))
        return;
    c->work_unit = NULL;
    compare_note(c, false,
                 "Figures per unit of work are omitted: the sides differ in handler or period, and at a period of %.0f "
                 "each interval includes the ops that the handler executes after arming the next sample. From a period "
                 "of %d on this is below the margin. Shares and rates are not affected.",
                 shortest, WORK_PERIOD_LEAST);
}

static void warn(struct comparison *c)
{
    bool work_known = c->work_unit;

    for (uint32_t side = 0; side < SIDES; side++) {
        char name = side == SIDE_A ? 'A' : 'B';

        for (uint32_t run = 0; run < c->run_count[side]; run++)
            if (c->runs[side][run].partial)
                compare_note(c, true, "%s is cut off: only its records before that point are compared.",
                             c->runs[side][run].path);
        if (c->lost[side] > 0)
            compare_note(
                c, true,
                "LOST: %" PRIu64
                " samples of side %c were dropped because they were not read in time. This happens where samples come "
                "fastest, so the share of the hottest code is too small, by an amount that no interval here covers.",
                c->lost[side], name);
        if (c->throttled[side] > 0)
            compare_note(c, true,
                         "THROTTLE: the kernel stopped sampling on side %c %" PRIu64
                         " times because there were too many "
                         "interrupts. Code that ran during this time is missing, the busiest phases first: shares are "
                         "biased by an amount that no interval here covers. A longer period avoids this.",
                         name, c->throttled[side]);
    }
    if (compare_setting_of(c, "interval counts"))
        compare_note(c, true,
                     "One side counted ops between samples and the other cycles: shares of executed ops and shares of "
                     "dispatch time are different quantities, whatever the verdict.");
    leave_work_out(c);
    if (compare_setting_of(c, "period") && c->work_unit)
        compare_note(
            c, false,
            "The sampling periods differ: shares can be compared, and figures per unit of work take the period "
            "into account.");
    if (compare_setting_of(c, "figures from"))
        compare_note(c, true,
                     "One side's figures come from a model and not from silicon: its miss rates and latencies come "
                     "from the model.");
    if (!work_known)
        compare_note(c, false,
                     "The work done is not known on both sides in the same unit: only shares and rates are compared. A "
                     "share can change although the cost does not, and vice versa.");
}

/* Returns whether run.ini has the parameter's value itself: a setting of 0 stands for the workload's default. */
static bool is_parameter(const struct input_facts *facts, const char *key)
{
    char fact[VALUE_MAX];

    snprintf(fact, sizeof(fact), "workload.%.100s", key);
    return run_value(facts, fact, true) != NULL;
}

void compare_sides(struct comparison *c)
{
    for (uint32_t side = 0; side < SIDES; side++)
        for (uint32_t run = 0; run < c->run_count[side] && !c->figures[side]; run++)
            c->figures[side] = input_figures(c->runs[side][run].profile->facts);
    add_setting(c, VALUE_SYSTEM, "operating system");
    add_setting(c, VALUE_CPU, "processor");
    add_setting(c, VALUE_SIGNATURE, "family/model/stepping");
    add_setting(c, VALUE_FIGURES, "figures from");
    add_setting(c, VALUE_WORKLOAD, "workload");
    add_setting(c, VALUE_PERIOD, "period");
    add_setting(c, VALUE_INTERVAL, "interval counts");
    compare_silicon(c);
    for (uint32_t run = 0; run < c->run_count[SIDE_A]; run++) {
        const struct input_facts *facts = c->runs[SIDE_A][run].profile->facts;

        for (uint32_t i = 0; i < facts->setting_count; i++) {
            const struct input_setting *setting = &facts->settings[i];

            if (compare_setting_of(c, setting->key) || (setting->fact && !fact_is(setting->key, FACT_MEASURED)) ||
                (!setting->fact && is_parameter(facts, setting->key)) || strcmp(setting->key, "machine.name") == 0 ||
                strcmp(setting->key, "machine.tsc_khz") == 0)
                continue;
            add_setting(c, setting->fact ? VALUE_FACT : VALUE_SETTING, setting->key);
        }
    }
    warn(c);
}
