/* SPDX-License-Identifier: BSD-2-Clause */
/* What differs between the sides besides the profile, and what makes a comparison doubtful. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/ibs_regs.h"
#include "tools/ibsprof/compare/compare.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/read/run_ini.h"

/* ---------------------------------------------------------------- values of a side */

typedef bool value_fn(const struct comparison *c, const struct input_facts *facts, const char *key, char *text,
                      size_t size);

enum { VALUES_SHOWN = 4 };

/* The different values of a side's runs, with commas; NULL when no run has one. */
static char *values_of(const struct comparison *c, uint32_t side, value_fn *value, const char *key)
{
    char shown[VALUES_SHOWN][200], all[sizeof(shown) + VALUES_SHOWN * 2];
    uint32_t count = 0, more = 0;
    size_t length = 0;

    for (uint32_t run = 0; run < c->run_count[side]; run++) {
        char text[200];
        uint32_t i = 0;

        if (!value(c, c->runs[side][run].profile->facts, key, text, sizeof(text)))
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

static void add_setting(struct comparison *c, value_fn *value, const char *key, const char *name)
{
    char *a = values_of(c, SIDE_A, value, key), *b = values_of(c, SIDE_B, value, key);

    if (!a || !b || strcmp(a, b) == 0) {
        free(a);
        free(b);
        return;
    }
    *must_add(c->settings, c->setting_count) = (struct compare_setting){.name = must_copy(name), .a = a, .b = b};
}

/* False: there is no value. */
static bool copy_value(const char *value, char *text, size_t size)
{
    if (value)
        snprintf(text, size, "%s", value);
    return value != NULL;
}

/* The same, and an empty one is none. */
static bool copy_text(const char *value, char *text, size_t size)
{
    return copy_value(value && value[0] != '\0' ? value : NULL, text, size);
}

static bool of_setting(const struct comparison *c, const struct input_facts *facts, const char *key, char *text,
                       size_t size)
{
    return copy_value(run_value(facts, key, false), text, size);
}

static bool of_fact(const struct comparison *c, const struct input_facts *facts, const char *key, char *text,
                    size_t size)
{
    return copy_value(run_value(facts, key, true), text, size);
}

static bool of_system(const struct comparison *c, const struct input_facts *facts, const char *key, char *text,
                      size_t size)
{
    if (facts->is_linux)
        snprintf(text, size, "Linux %s", facts->release ? facts->release : "");
    else
        snprintf(text, size, "none");
    return facts->format == INPUT_RUN || facts->format == INPUT_PERFDATA;
}

static bool of_cpu(const struct comparison *c, const struct input_facts *facts, const char *key, char *text,
                   size_t size)
{
    return copy_text(facts->cpu_name, text, size);
}

static bool of_signature(const struct comparison *c, const struct input_facts *facts, const char *key, char *text,
                         size_t size)
{
    snprintf(text, size, "%Xh/%u/%u", facts->family, facts->model, facts->stepping);
    return facts->family != 0;
}

static bool of_workload(const struct comparison *c, const struct input_facts *facts, const char *key, char *text,
                        size_t size)
{
    return copy_text(facts->workload, text, size);
}

static bool of_figures(const struct comparison *c, const struct input_facts *facts, const char *key, char *text,
                       size_t size)
{
    return copy_text(input_figures(facts) ? "model or hypervisor" : "silicon", text, size);
}

static const struct input_event *counted(const struct comparison *c, const struct input_facts *facts)
{
    for (uint32_t i = 0; i < facts->event_count; i++)
        if (c->kind == SAMPLE_OP || c->kind == SAMPLE_FETCH ? facts->events[i].kind == c->kind
                                                            : strcmp(facts->events[i].name, c->event) == 0)
            return &facts->events[i];
    return NULL;
}

static bool of_period(const struct comparison *c, const struct input_facts *facts, const char *key, char *text,
                      size_t size)
{
    const struct input_event *event = counted(c, facts);

    if (!event || (event->period == 0 && event->frequency == 0))
        return false;
    if (event->period != 0)
        snprintf(text, size, "%" PRIu64, event->period);
    else
        snprintf(text, size, "%" PRIu64 " Hz", event->frequency);
    return true;
}

static bool of_unit(const struct comparison *c, const struct input_facts *facts, const char *key, char *text,
                    size_t size)
{
    const struct input_event *event = counted(c, facts);

    if (!event || event->kind != SAMPLE_OP)
        return false;
    return copy_text((event->config & IBS_OP_CNT_CTL) != 0 ? "dispatched ops" : "cycles", text, size);
}

/* ---------------------------------------------------------------- warnings */

static bool listed(const struct comparison *c, const char *name)
{
    for (uint32_t i = 0; i < c->setting_count; i++)
        if (strcmp(c->settings[i].name, name) == 0)
            return true;
    return false;
}

/* After the write that arms the next sample a handler still runs until the workload goes on. Its ops are counted in
 * the interval: 14 of ibsboot's; Linux 6.1's intervals are some 500 ops short (docs/linux-on-vpmu.md). From this period
 * on that is at most 0.5 %, the margin of work. */
enum { WORK_PERIOD_LEAST = 100000 };

/* Samples times period is more than the workload's own ops by what handlers add to each interval. That cancels between
 * sides with the same handler and the same period only; else short periods would prove differences that are not there.
 */
static void leave_work_out(struct comparison *c)
{
    double shortest = INFINITY;

    if (!c->work_unit || (!listed(c, "period") && !listed(c, "operating system")))
        return;
    for (uint32_t side = 0; side < SIDES; side++)
        for (uint32_t run = 0; run < c->run_count[side]; run++)
            shortest = fmin(shortest, (double)c->runs[side][run].profile->facts->work / c->exposure[side][run]);
    if (shortest >= WORK_PERIOD_LEAST || !isfinite(shortest))
        return;
    c->work_unit = NULL;
    compare_note(
        c, false,
        "Figures per unit of work are left out: the sides have not the same handler and period, and at a period of "
        "%.0f what a handler runs after arming the next sample is a part of each interval. It is below the margin "
        "from a period of %d on. Shares and rates are not touched by it.",
        shortest, WORK_PERIOD_LEAST);
}

static void warn(struct comparison *c)
{
    bool work_known = c->work_unit;

    for (uint32_t side = 0; side < SIDES; side++) {
        char name = side == SIDE_A ? 'A' : 'B';

        for (uint32_t run = 0; run < c->run_count[side]; run++)
            if (c->runs[side][run].partial)
                compare_note(c, true, "%s breaks off: only what came before is compared.", c->runs[side][run].path);
        if (c->lost[side] > 0)
            compare_note(c, true,
                         "LOST: %" PRIu64
                         " samples of side %c were dropped because they were not read in time. That happens "
                         "where samples come fastest, so the hottest code is shown too small, by an amount that no "
                         "interval here covers.",
                         c->lost[side], name);
        if (c->throttled[side] > 0)
            compare_note(c, true,
                         "THROTTLE: the kernel stopped sampling on side %c %" PRIu64
                         " times because there were too many "
                         "interrupts. What ran meanwhile is missing, the busiest phases first: shares are biased by an "
                         "amount that no interval here covers. A longer period avoids it.",
                         name, c->throttled[side]);
    }
    if (listed(c, "interval counts"))
        compare_note(c, true,
                     "One side counted ops between samples and the other cycles: shares of executed ops and shares of "
                     "dispatch time are not the same quantity, whatever the verdict.");
    if (listed(c, "workload"))
        compare_note(c, true,
                     "The sides ran different workloads: shares of their instructions differ because they are not the "
                     "same program.");
    leave_work_out(c);
    if (listed(c, "period") && c->work_unit)
        compare_note(
            c, false,
            "The sampling periods differ: shares can be compared, and figures per unit of work take the period "
            "into account.");
    if (listed(c, "figures from"))
        compare_note(c, true,
                     "One side's figures come from a model and not from silicon: its miss rates and latencies are the "
                     "model's.");
    if (!work_known)
        compare_note(
            c, false,
            "Work done is not known on both sides in the same unit: only shares and rates are compared. A share "
            "can shift though the cost does not, and the other way round.");
}

void compare_sides(struct comparison *c)
{
    for (uint32_t side = 0; side < SIDES; side++)
        for (uint32_t run = 0; run < c->run_count[side] && !c->figures[side]; run++)
            c->figures[side] = input_figures(c->runs[side][run].profile->facts);
    add_setting(c, of_system, NULL, "operating system");
    add_setting(c, of_cpu, NULL, "processor");
    add_setting(c, of_signature, NULL, "family/model/stepping");
    add_setting(c, of_figures, NULL, "figures from");
    add_setting(c, of_workload, NULL, "workload");
    add_setting(c, of_period, NULL, "period");
    add_setting(c, of_unit, NULL, "interval counts");
    for (uint32_t run = 0; run < c->run_count[SIDE_A]; run++) {
        const struct input_facts *facts = c->runs[SIDE_A][run].profile->facts;

        for (uint32_t i = 0; i < facts->setting_count; i++) {
            const struct input_setting *setting = &facts->settings[i];

            if (listed(c, setting->key) || (setting->fact && !fact_is(setting->key, FACT_MEASURED)) ||
                strcmp(setting->key, "machine.name") == 0 || strcmp(setting->key, "machine.tsc_khz") == 0)
                continue;
            add_setting(c, setting->fact ? of_fact : of_setting, setting->key, setting->key);
        }
    }
    warn(c);
}
