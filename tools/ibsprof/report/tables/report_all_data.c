/* SPDX-License-Identifier: BSD-2-Clause */
/* --view=all_data: every event that was collected, in views of a few columns each; the contract is in report_asked.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/counters/pmc_run.h"
#include "tools/ibsprof/report/tables/report_asked.h"
#include "tools/ibsprof/views/views.h"
#include "tools/ibsprof/profile/no_source.h"

enum { COLUMNS = 7 };

/* One kind of samples, whose columns fill one view after the other. */
struct writer {
    FILE *to;
    const char *name, *title;
    unsigned columns, parts;
};

static void add_column(struct writer *writer, const char *name, const char *formula)
{
    if (writer->columns % COLUMNS == 0) {
        writer->parts++;
        fprintf(writer->to, "[all_data_%s_%u]\ntitle = \"All data: %s (%u)\"\n", writer->name, writer->parts,
                writer->title, writer->parts);
    }
    fprintf(writer->to, "column_%u = \"%s: %s\"\n", writer->columns % COLUMNS + 1, name, formula);
    writer->columns++;
}

static void add_derived(FILE *to, enum sample_kind kind, const char *name, const char *title)
{
    struct writer writer = {.to = to, .name = name, .title = title};

    for (unsigned i = 0; i < DERIVED_COUNT; i++) {
        const struct derived_event *event = &derived_events[i];
        const char *shorter =
            strncmp(event->abbreviation, "IBS ", 4) == 0 ? event->abbreviation + 4 : event->abbreviation;
        char *text;

        if (event->kind != kind)
            continue;
        text = must_text("%s %s", event->code, shorter);
        add_column(&writer, text, event->code);
        free(text);
    }
}

static void add_counters(FILE *to, const struct pmc_profile *profile)
{
    struct writer writer = {.to = to, .name = "counters", .title = "counters"};

    for (unsigned i = 0; i < profile->event_count; i++) {
        const struct pmc_profile_event *event = &profile->event[i];
        const struct event_spec *spec = &event->spec;
        char code[16], *text;

        if (!spec->event || !pmc_profile_counted(event) || spec->edge || spec->invert || spec->count_mask)
            continue;
        snprintf(code, sizeof(code), "%03X:%02X", spec->event->select, spec->mask);
        text = must_text("%03X %s", spec->event->select, spec->event->abbreviation);
        add_column(&writer, text, code);
        free(text);
    }
}

static void add_timer(FILE *to, const struct pmc_profile *profile)
{
    struct writer writer = {.to = to, .name = "timer", .title = "timer"};

    if (pmc_profile_timer(profile) >= 0)
        add_column(&writer, "Timer samples", "timer");
}

bool report_all_data(struct views *views, const char *run)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = must_have(open_memstream(&text, &size));
    struct pmc_run counters;
    bool good;

    add_derived(to, SAMPLE_FETCH, "fetch", "IBS fetches");
    add_derived(to, SAMPLE_OP, "op", "IBS ops");
    if (run && pmc_run_read(&counters, run) == PMC_RUN_READ) {
        add_counters(to, &counters.profile);
        add_timer(to, &counters.profile);
        pmc_run_free(&counters);
    }
    fclose(to);
    good = views_add(views, "all_data", text, size);
    free(text);
    return good;
}
