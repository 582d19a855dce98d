/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints the findings of docs/exact.md on shares: a sentence for each kind of sampling. */
#include <stdio.h>
#include <string.h>

#include "core/base/wrap.h"
#include "core/family/ibs_regs.h"
#include "tools/ibsprof/read/run_ini.h"
#include "tools/ibsprof/report/json/report_parts.h"

enum { LINE = 79, TEXT = 256 };

enum kind { BY_OPS, ONCE, BY_CYCLES, COUNTERS, TIMER, KINDS };

static const char late[] = "; most samples are at the instruction after the waiting one";

static const struct {
    const char *name, *and; /* and: what a reader must also know */
} kinds[] = {
    [BY_OPS] = {"op samples, counted in ops,", ""},
    [ONCE] = {"op samples, one per pass,", ""},
    [BY_CYCLES] = {"op samples, counted in cycles,", "; cycles are not ops"},
    [COUNTERS] = {"counter samples (0C0, 076)", late},
    [TIMER] = {"timer samples", late},
};

static const struct {
    enum kind kind;
    unsigned within, codes;
} found[] = {
#define FOUND(kind, title, within, codes) {kind, within, codes},
#include "tools/ibsprof/report/json/report_found_rows.h"
#undef FOUND
};

static void sentence(char text[TEXT], enum kind kind)
{
    unsigned within = 0, codes = 0;

    for (unsigned i = 0; i < sizeof(found) / sizeof(found[0]); i++)
        if (found[i].kind == kind) {
            within += found[i].within;
            codes += found[i].codes;
        }
    snprintf(text, TEXT, "On the virtual PMU, shares of %s were within chance of exact counts in %u of %u runs%s.",
             kinds[kind].name, within, codes, kinds[kind].and);
}

static void print(struct out *out, unsigned of)
{
    char text[TEXT];

    for (enum kind kind = 0; kind < KINDS; kind++)
        if (of & 1u << kind) {
            sentence(text, kind);
            wrap_text(out, text, 0, 4, LINE);
        }
}

/* Returns a bit for each kind of samples in an ibsboot run; fetches have no comparison. */
static unsigned kinds_of(const struct input_facts *facts)
{
    static const uint8_t other[SAMPLE_KINDS] = {[SAMPLE_PMC] = 1u << COUNTERS, [SAMPLE_TIMER] = 1u << TIMER};
    const char *once = run_value(facts, "once", false);
    unsigned of = 0;

    for (uint32_t i = 0; !facts->is_linux && i < facts->event_count; i++)
        if (facts->events[i].kind != SAMPLE_OP)
            of |= other[facts->events[i].kind];
        else if (once && strcmp(once, "yes") == 0)
            of |= 1u << ONCE;
        else
            of |= 1u << (facts->events[i].config & IBS_OP_CNT_CTL ? BY_OPS : BY_CYCLES);
    return of;
}

void report_found_ops(struct out *out, const struct input_facts *facts)
{
    print(out, kinds_of(facts) & (1u << BY_OPS | 1u << ONCE | 1u << BY_CYCLES));
}

void report_found_counters(struct out *out, const struct pmc_profile *profile)
{
    bool timer = pmc_profile_timer(profile) >= 0;

    print(out, (profile->event_count > timer ? 1u << COUNTERS : 0) | (timer ? 1u << TIMER : 0));
}

void report_found_json(struct json *json, const struct input_facts *facts)
{
    unsigned of = kinds_of(facts);
    char text[TEXT];

    if (!of)
        return;
    json_key_array(json, "found");
    for (enum kind kind = 0; kind < KINDS; kind++)
        if (of & 1u << kind) {
            sentence(text, kind);
            json_text(json, text);
        }
    json_end(json);
}
