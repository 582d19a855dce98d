/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/profile/pmc_profile.h"

#include "core/base/mem.h"
#include "core/base/stats.h"

size_t pmc_profile_memory_size(const struct codemap *map, unsigned events)
{
    return (size_t)map->insn_count * events * sizeof(uint64_t) + levels_memory_size(map);
}

bool pmc_profile_init(struct pmc_profile *profile, const struct codemap *map, uint64_t image_base,
                      const struct event_list *list, uint32_t timer_us, void *memory, size_t size)
{
    unsigned listed = list ? list->count : 0, events = listed + (timer_us != 0);

    if (size < pmc_profile_memory_size(map, events) || (uintptr_t)memory % 8)
        return false;
    memset(profile, 0, sizeof(*profile));
    memset(memory, 0, size);
    profile->image_base = image_base;
    profile->set = list ? list->set : EVENT_SET_NONE;
    profile->event_count = events;
    for (unsigned i = 0; i < listed; i++) {
        const struct event_spec *spec = &list->spec[i];

        profile->event[i].spec = *spec;
        profile->event[i].period = spec->period ? spec->period : event_default_period(spec->event);
    }
    if (timer_us)
        profile->event[listed].period = timer_us;
    profile->rows = memory;
    levels_init(&profile->levels, map, profile->rows + (size_t)map->insn_count * events);
    return true;
}

/* ---------------------------------------------------------------- how long each event was counted */

void pmc_profile_ran(struct pmc_profile *profile, unsigned event, uint64_t active, uint64_t possible)
{
    struct pmc_profile_event *e = &profile->event[event];

    if (active == 0)
        return;
    e->active += active;
    e->possible += possible;
    e->runs++;
}

bool pmc_profile_counted(const struct pmc_profile_event *event)
{
    return event->runs > 0;
}

uint32_t pmc_profile_active_ppm(const struct pmc_profile_event *event)
{
    return pmc_profile_counted(event) ? (uint32_t)stats_mul_div(event->active, 1000000, event->possible) : 0;
}

uint64_t pmc_profile_estimate(const struct pmc_profile_event *event, uint64_t samples)
{
    if (!pmc_profile_counted(event))
        return 0;
    return stats_mul_div(stats_mul_div(samples, event->period, 1), event->possible, event->active * event->runs);
}

uint32_t pmc_profile_error_ppm(uint64_t samples)
{
    return samples ? stats_isqrt(1000000000000 / samples) : 1000000;
}

uint32_t pmc_profile_interval_ppm(uint64_t samples)
{
    uint64_t interval = (uint64_t)pmc_profile_error_ppm(samples) * 196 / 100;

    return interval < 1000000 ? (uint32_t)interval : 1000000;
}

/* ---------------------------------------------------------------- samples */

int pmc_profile_timer(const struct pmc_profile *profile)
{
    int last = (int)profile->event_count - 1;

    return last >= 0 && !profile->event[last].spec.event ? last : -1;
}

int pmc_profile_event(const struct pmc_profile *profile, uint32_t select, uint8_t mask)
{
    for (unsigned i = 0; i < profile->event_count; i++) {
        const struct event_spec *spec = &profile->event[i].spec;

        if (spec->event && spec->event->select == select && spec->mask == mask && !spec->count_mask && !spec->edge &&
            !spec->invert && pmc_profile_counted(&profile->event[i]))
            return (int)i;
    }
    return -1;
}

void pmc_profile_add(struct pmc_profile *profile, const struct sample_record *record)
{
    int timer = pmc_profile_timer(profile);
    uint64_t event;
    int32_t insn;

    if (record->kind == SAMPLE_FETCH || record->kind == SAMPLE_OP)
        return;
    event = record->kind == SAMPLE_PMC ? record->reg[PMC_EVENT] : (uint64_t)timer;
    if (record->kind > SAMPLE_TIMER || event >= profile->event_count ||
        (record->kind == SAMPLE_PMC && (int)event == timer)) {
        profile->unknown_records++;
        return;
    }
    insn = codemap_find(profile->levels.map, sample_address(record) - profile->image_base);
    profile->event[event].samples++;
    if (insn < 0)
        profile->event[event].outside++;
    else
        profile->rows[(size_t)insn * profile->event_count + event]++;
}

bool pmc_profile_empty(const struct pmc_profile *profile, uint32_t insn)
{
    for (unsigned event = 0; event < profile->event_count; event++)
        if (profile->rows[(size_t)insn * profile->event_count + event])
            return false;
    return true;
}

void pmc_profile_sum(const struct pmc_profile *profile, enum profile_level level, uint32_t index,
                     uint64_t counts[PMC_PROFILE_EVENTS])
{
    const struct levels *levels = &profile->levels;

    memset(counts, 0, PMC_PROFILE_EVENTS * sizeof(counts[0]));
    for (uint32_t i = levels_first(levels, level, index); i != LEVELS_END; i = levels_next(levels, level, i))
        for (unsigned event = 0; event < profile->event_count; event++)
            counts[event] += profile->rows[(size_t)i * profile->event_count + event];
}

uint64_t pmc_profile_sum_of(const struct pmc_profile *profile, enum profile_level level, uint32_t index, unsigned event)
{
    const struct levels *levels = &profile->levels;
    uint64_t sum = 0;

    for (uint32_t i = levels_first(levels, level, index); i != LEVELS_END; i = levels_next(levels, level, i))
        sum += profile->rows[(size_t)i * profile->event_count + event];
    return sum;
}

/* ---------------------------------------------------------------- what was measured */

static void print_event(struct out *out, const struct pmc_profile_event *event)
{
    char name[24];
    struct out_memory memory;

    out_memory_init(&memory, name, sizeof(name));
    if (event->spec.event)
        event_write(&event->spec, false, &memory.out);
    else
        out_printf(&memory.out, "timer (us)");
    out_printf(out, "%-15s %8lu", name, event->period);
    if (!pmc_profile_counted(event)) {
        out_printf(out, "  was not measured\n");
        return;
    }
    out_ratio(out, event->active, event->possible, 100, 1, 7);
    out_printf(out, "%% %4u %10lu %8lu %14lu", event->runs,
               stats_mul_div(event->period, event->possible, event->active), event->samples,
               pmc_profile_estimate(event, event->samples));
    if (event->samples)
        out_ratio(out, pmc_profile_interval_ppm(event->samples), 1000000, 100, 1, 6);
    else
        out_printf(out, "%6s", "-");
    out_printf(out, "%s\n", event->samples ? "%" : "");
}

void pmc_profile_print_events(struct out *out, const struct pmc_profile *profile)
{
    out_printf(out, "%-15s %8s %7s %4s %10s %8s %14s %6s\n", "Event", "Period", "Active", "Runs", "Weight", "Samples",
               "Events per run", "+-95%");
    for (unsigned i = 0; i < profile->event_count; i++)
        print_event(out, &profile->event[i]);
    out_printf(out, "Weight: period / active fraction. Events per run: samples * weight / runs.\n"
                    "+-95%%: half of the confidence interval of the sampling, 1.96/sqrt(samples).\n");
}
