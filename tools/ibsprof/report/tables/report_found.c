/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints what docs/bias.md found of shares: a sentence for each kind of sampling. */
#include <stdio.h>
#include <string.h>

#include "core/base/wrap.h"
#include "core/family/ibs_regs.h"
#include "tools/ibsprof/read/run_ini.h"
#include "tools/ibsprof/report/tables/report_text.h"

enum { LINE = 79 };

enum kind { BY_OPS, ONCE, BY_CYCLES, COUNTERS, TIMER };

static const char late[] = "; most samples are at the instruction after the one that waits";

static const struct {
    const char *name, *and; /* and: what a reader must know beside the figures */
} kinds[] = {
    [BY_OPS] = {"op samples, counted in ops,", ""},
    [ONCE] = {"op samples, one a pass,", ""},
    [BY_CYCLES] = {"op samples, counted in cycles,", "; cycles are no ops"},
    [COUNTERS] = {"counter samples (0C0, 076)", late},
    [TIMER] = {"timer samples", late},
};

static const struct {
    enum kind kind;
    unsigned within, codes;
} found[] = {
#define FOUND(kind, title, within, codes) {kind, within, codes},
#include "tools/ibsprof/report/tables/report_found_rows.h"
#undef FOUND
};

static void print(struct out *out, enum kind kind)
{
    unsigned within = 0, codes = 0;
    char text[256];

    for (unsigned i = 0; i < sizeof(found) / sizeof(found[0]); i++)
        if (found[i].kind == kind) {
            within += found[i].within;
            codes += found[i].codes;
        }
    snprintf(text, sizeof(text),
             "On the virtual PMU, shares of %s were within chance of exact counts in %u of %u codes%s.",
             kinds[kind].name, within, codes, kinds[kind].and);
    wrap_text(out, text, 0, 4, LINE);
}

void report_found_ops(struct out *out, const struct input_facts *facts)
{
    const char *once = run_value(facts, "once", false);

    for (uint32_t i = 0; !facts->is_linux && i < facts->event_count; i++)
        if (facts->events[i].kind == SAMPLE_OP && once && strcmp(once, "yes") == 0)
            print(out, ONCE);
        else if (facts->events[i].kind == SAMPLE_OP)
            print(out, facts->events[i].config & IBS_OP_CNT_CTL ? BY_OPS : BY_CYCLES);
}

void report_found_counters(struct out *out, const struct pmc_profile *profile)
{
    int timer = pmc_profile_timer(profile);

    if (profile->event_count > (timer >= 0))
        print(out, COUNTERS);
    if (timer >= 0)
        print(out, TIMER);
}
