/* SPDX-License-Identifier: BSD-2-Clause */
/* Events that General Exploration counts: Family 10h's events as rows, and lists. */
#include "core/explore/explore_slots.h"
#include "core/explore/explore_tokens.h"

/* clang-format off */
const struct explore_event explore_events[EXPLORE_EVENTS] = {
    [EXPLORE_C]   = {0x076, 0x00, 0, "cycles, the sentinel"},
    [EXPLORE_C0]  = {0x0C0, 0x00, 0, "CPI, IPC, ops per instruction"},
    [EXPLORE_U]   = {0x0C1, 0x00, 0, "retiring"},
    [EXPLORE_R1]  = {0x0C1, 0x00, 1, "cycles that retire one or more"},
    [EXPLORE_R2]  = {0x0C1, 0x00, 2, "cycles that retire two or more"},
    [EXPLORE_R3]  = {0x0C1, 0x00, 3, "cycles that retire three"},
    [EXPLORE_C2]  = {0x0C2, 0x00, 0, "mispredict ratio"},
    [EXPLORE_C3]  = {0x0C3, 0x00, 0, "bad speculation"},
    [EXPLORE_CC]  = {0x0CC, 0x07, 0, "FastPath doubles"},
    [EXPLORE_CF]  = {0x0CF, 0x00, 0, "check: instructions that were interrupts"},
    [EXPLORE_D0]  = {0x0D0, 0x00, 0, "front end"},
    [EXPLORE_D1]  = {0x0D1, 0x00, 0, "back end"},
    [EXPLORE_D2]  = {0x0D2, 0x00, 0, "bad speculation"},
    [EXPLORE_D3]  = {0x0D3, 0x00, 0, "cause of stalls"},
    [EXPLORE_D4]  = {0x0D4, 0x00, 0, "cause of stalls"},
    [EXPLORE_D5]  = {0x0D5, 0x00, 0, "cause of stalls"},
    [EXPLORE_D6]  = {0x0D6, 0x00, 0, "cause of stalls"},
    [EXPLORE_D7]  = {0x0D7, 0x00, 0, "cause of stalls"},
    [EXPLORE_D8]  = {0x0D8, 0x00, 0, "cause of stalls"},
    [EXPLORE_D9]  = {0x0D9, 0x00, 0, "cause of stalls"},
    [EXPLORE_DA]  = {0x0DA, 0x00, 0, "cause of stalls"},
    [EXPLORE_40]  = {0x040, 0x00, 0, "check: accesses"},
    [EXPLORE_41]  = {0x041, 0x00, 0, "check: misses"},
    [EXPLORE_42]  = {0x042, 0x1F, 0, "where data comes from"}, /* with the northbridge, unlike oprofile's default */
    [EXPLORE_43]  = {0x043, 0x1F, 0, "where data comes from"},
    [EXPLORE_45]  = {0x045, 0x07, 0, "DTLB misses"},
    [EXPLORE_46]  = {0x046, 0x07, 0, "DTLB misses"},
    [EXPLORE_68]  = {0x068, 0x00, 0, "mean latency of misses"},
    [EXPLORE_69]  = {0x069, 0x00, 0, "mean latency of misses"},
    [EXPLORE_82]  = {0x082, 0x00, 0, "instruction cache misses"},
    [EXPLORE_83]  = {0x083, 0x00, 0, "instruction cache misses"},
    [EXPLORE_84]  = {0x084, 0x00, 0, "ITLB misses"},
    [EXPLORE_85]  = {0x085, 0x03, 0, "ITLB misses"},
    [EXPLORE_4E0] = {0x4E0, 0xF7, 0, "where data comes from"},
    [EXPLORE_4E1] = {0x4E1, 0xF7, 0, "where data comes from"},
};
/* clang-format on */
_Static_assert((int)EXPLORE_EVENTS <= (int)EVENT_LIST_MAX, "one list");

const struct explore_method *explore_of(enum event_set set)
{
    static const struct explore_method *const methods[] = {&explore_10h,         &explore_slots_6,
                                                           &explore_slots_8,     &explore_tokens_zen,
                                                           &explore_tokens_zen2, &explore_tokens_zen3};

    for (unsigned i = 0; i < sizeof(methods) / sizeof(methods[0]); i++)
        if (methods[i]->sets >> set & 1)
            return methods[i];
    return NULL;
}

void explore_add(struct event_list *list, const struct explore_method *method, unsigned event, enum event_set set,
                 char revision)
{
    const struct explore_event *wanted = &method->event[event];
    struct event_spec spec = {.event = event_by_select(set, wanted->select),
                              .mask = wanted->mask,
                              .count_mask = wanted->count_mask,
                              .mask_given = !method->fitted,
                              .user = true,
                              .kernel = true};

    if (!spec.event)
        return;
    event_fit(&spec, revision);
    list->spec[list->count++] = spec;
}

void explore_method_list(struct event_list *list, const struct explore_method *method, enum event_set set,
                         char revision)
{
    list->count = 0;
    for (unsigned i = 0; i < method->events; i++)
        explore_add(list, method, i, set, revision);
}

int explore_event_of(const struct explore_method *method, uint32_t select, uint8_t mask, uint8_t count_mask)
{
    for (unsigned i = 0; i < method->events; i++) {
        const struct explore_event *event = &method->event[i];

        if (event->select == select && event->count_mask == count_mask && (method->fitted || event->mask == mask))
            return (int)i;
    }
    return -1;
}

void explore_take(struct explore_input *input, unsigned event, const struct counts_result *result)
{
    struct explore_count *count = &input->count[event];

    count->total = result->mean;
    count->state = result->state;
    count->reliability_ppm = result->reliability_ppm;
    count->cv_ppm = result->cv_ppm;
}

void explore_expect(struct explore_input *input, uint64_t instructions, uint64_t workers)
{
    input->expected_known = true;
    input->expected = (instructions - COUNTS_EMPTY_INSTRUCTIONS) * workers;
}
