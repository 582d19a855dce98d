/* SPDX-License-Identifier: BSD-2-Clause */
/* Samples by module; the contract is in report_text.h. */
#include <inttypes.h>

#include "tools/ibsprof/report/lists/report_lists.h"

static void add_place(struct list_row *row, const struct run_profile *profile, const struct profile_place *place)
{
    uint32_t events = profile->facts->event_count;

    for (int event = 0; event < DERIVED_COUNT; event++)
        row->counts[event] += place->counts[event];
    for (uint32_t event = 0; event < events; event++) {
        row->events[event] += place->events[event];
        row->events[events + event] += profile->event_varies ? place->event_weights[event] : 0;
    }
}

/* Places ascend by object. An object that is the workload's in only one process has two rows. */
struct list report_module_list(const struct run_profile *profile, const struct report_options *options)
{
    struct list list = {0};
    uint32_t of[2] = {0, 0}, object = 0; /* index of the row plus one, by workload */

    for (uint32_t i = 0; i < profile->place_count; i++) {
        const struct profile_place *place = &profile->places[i];

        if (i == 0 || place->object != object)
            of[0] = of[1] = 0;
        object = place->object;
        if (of[place->workload] == 0) {
            list_add(&list, profile, profile_object(profile, place))->workload = place->workload;
            of[place->workload] = list.count;
        }
        add_place(&list.rows[of[place->workload] - 1], profile, place);
    }
    list_sort(&list, options);
    return list;
}

void report_modules(struct out *out, const struct run_profile *profile, const struct report_options *options)
{
    struct list list = report_module_list(profile, options);

    list_text(out, profile, &list, options);
    list_free(&list);
}

void report_modules_csv(struct out *out, const struct run_profile *profile, const struct report_options *options)
{
    struct list list = report_module_list(profile, options);

    list_csv(out, profile, &list);
    list_free(&list);
}
