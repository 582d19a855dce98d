/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Meanings as rows: the event of each, by processors. Sources are those of the tables of events (events_*.c); the
 * choice among a processor's events is that of Linux tools/perf/pmu-events/arch/x86/amdzen1 to amdzen6,
 * recommended.json, where there is one: all_data_cache_accesses 029:07, l2_request_g1.all_no_prefetch 060:F9, from Zen
 * 5 on F1, l2_cache_req_stat.ic_dc_miss_in_l2 064:09, l1_data_cache_fills_all 044, l1_dtlb_misses 045:FF,
 * l2_dtlb_misses 045:F0, l2_itlb_misses 085, ic_tag_hit_miss 18E:1F and 18E:18. Up to Zen 3 ls_dc_accesses, 040, is
 * nearer to Family 10h's 040 and taken (amdzen1 to amdzen3, memory.json).
 */
#include "core/events/meaning.h"

#include "core/base/mem.h"
#include "core/base/wrap.h"
#include "core/events/events_rows.h"

enum { LINE = 79, SENTENCE = 400 };

#define F10_12     (EVENT_IN(10H) | EVENT_IN(12H))
#define CAT_15     (CAT_ALL | F15_ALL)
#define EARLY      (F10_12 | CAT_15)
#define ALL        (EARLY | ZEN_ALL)
#define ZEN_1_2    (EVENT_IN(ZEN) | EVENT_IN(ZEN2))
#define ZEN_3_4    (EVENT_IN(ZEN3) | EVENT_IN(ZEN4))
#define ZEN_FROM_3 (EVENT_IN(ZEN3) | ZEN_FROM_4)
#define IS(name)   MEANING_##name
#define NONE       0, 0

#define DISPATCHED  "ops that are dispatched to the load/store unit, those that never access the cache as well"
#define DEMAND      "misses that allocate a buffer, without prefetches"
#define TARGET      "taken branches of which the target was mispredicted"
#define NO_PREFETCH "without prefetches into the L2, which Family 10h's counts as well"
#define OP_CACHE    "ops that come from the op cache are not fetched from the instruction cache"

/* clang-format off */
const struct event_meaning_row event_meaning_rows[] = {
    {IS(DC_ACCESSES), EARLY | ZEN_TO_3, 0x040, 0x00, NULL},
    {IS(DC_ACCESSES), ZEN_FROM_4, 0x029, 0x07, DISPATCHED},
    {IS(DC_MISSES), F10_12 | CAT_ALL, 0x041, 0x00, NULL},
    {IS(DC_MISSES), F15_ALL, 0x041, 0x01, "streaming stores to a line as well"},
    {IS(DC_MISSES), ZEN_1_2, 0x041, 0x03, DEMAND},
    {IS(DC_MISSES), ZEN_3_4, 0x041, 0x3F, DEMAND},
    {IS(DC_MISSES), ZEN_5_6, 0x041, 0x07, DEMAND},
    {IS(DC_REFILLS), F10_12 | CAT_ALL, 0x042, 0x1F, NULL},
    {IS(DC_REFILLS), F15_TO_1F, 0x042, 0x0B, NULL},
    {IS(DC_REFILLS), F15_FROM_30, 0x042, 0x1B, NULL},
    {IS(DC_REFILLS), EVENT_IN(ZEN), NONE, "Linux' list of its events has none"},
    {IS(DC_REFILLS), EVENT_IN(ZEN2), 0x043, 0x5B, "refills that a program waits for, without prefetches"},
    {IS(DC_REFILLS), EVENT_IN(ZEN3), 0x044, 0x5F, NULL},
    {IS(DC_REFILLS), ZEN_FROM_4, 0x044, 0xDF, NULL},
    {IS(DTLB_L2_HITS), F10_12 | F15_ALL, 0x045, 0x07, NULL},
    {IS(DTLB_L2_HITS), CAT_ALL, 0x045, 0x00, NULL},
    {IS(DTLB_L2_HITS), ZEN_ALL, 0x045, 0x0F, NULL},
    {IS(DTLB_WALKS), F10_12 | F15_ALL, 0x046, 0x07, NULL},
    {IS(DTLB_WALKS), CAT_ALL, 0x046, 0x0C, NULL},
    {IS(DTLB_WALKS), ZEN_ALL, 0x045, 0xF0, NULL},
    {IS(MISALIGNED), F10_12 | F15_ALL | EVENT_IN(14H), 0x047, 0x00, NULL},
    {IS(MISALIGNED), EVENT_IN(16H), 0x047, 0x03, NULL},
    {IS(MISALIGNED), ZEN_1_2, 0x047, 0x00, "loads alone"},
    {IS(MISALIGNED), ZEN_FROM_3, 0x047, 0x03, "loads alone, over the end of a line or page"},
    {IS(CYCLES), ALL, 0x076, 0x00, NULL},
    {IS(L2_REQUESTS), F10_12 | F15_ALL, 0x07D, 0x07, NULL},
    {IS(L2_REQUESTS), EVENT_IN(14H), 0x07D, 0x03, "no mask bit for page table walks"},
    /* Linux arch/x86/include/asm/msr-index.h, MSR_F16H_L2I_PERF_CTL. */
    {IS(L2_REQUESTS), EVENT_IN(16H), NONE, "its L2 has counters of its own, outside of the cores"},
    {IS(L2_REQUESTS), ZEN_TO_3 | EVENT_IN(ZEN4), 0x060, 0xF9, NO_PREFETCH},
    {IS(L2_REQUESTS), ZEN_5_6, 0x060, 0xF1, NO_PREFETCH},
    {IS(L2_MISSES), F10_12 | F15_ALL, 0x07E, 0x07, NULL},
    {IS(L2_MISSES), EVENT_IN(14H), 0x07E, 0x03, "no mask bit for page table walks"},
    {IS(L2_MISSES), EVENT_IN(16H), NONE, "its L2 has counters of its own, outside of the cores"},
    {IS(L2_MISSES), ZEN_ALL, 0x064, 0x09, NO_PREFETCH},
    {IS(L2_FILLS), F10_12, 0x07F, 0x03, NULL},
    {IS(L2_FILLS), F15_ALL, 0x07F, 0x03, "lines written back that were not modified as well"},
    {IS(L2_FILLS), EVENT_IN(14H), 0x07F, 0x03, NULL},
    {IS(L2_FILLS), EVENT_IN(16H), NONE, "its L2 has counters of its own, outside of the cores"},
    {IS(L2_FILLS), ZEN_TO_3 | EVENT_IN(ZEN4), NONE, "Linux' lists of their events have none"},
    {IS(L2_FILLS), ZEN_5_6, 0x165, 0xDE, "fills alone"},
    {IS(IC_FETCHES), EARLY, 0x080, 0x00, NULL},
    {IS(IC_FETCHES), ZEN_TO_3, 0x080, 0x00, OP_CACHE},
    {IS(IC_FETCHES), EVENT_IN(ZEN4), 0x18E, 0x1F, OP_CACHE},
    {IS(IC_FETCHES), EVENT_IN(ZEN5), NONE, "its event counts too much, erratum 1583"},
    {IS(IC_FETCHES), EVENT_IN(ZEN6), NONE, "Linux' list of its events has none"},
    {IS(IC_MISSES), EARLY | ZEN_TO_3, 0x081, 0x00, NULL},
    {IS(IC_MISSES), EVENT_IN(ZEN4), 0x18E, 0x18, NULL},
    {IS(IC_MISSES), EVENT_IN(ZEN5), NONE, "its event counts too much, erratum 1583"},
    {IS(IC_MISSES), EVENT_IN(ZEN6), 0x29C, 0xDF, "fills of the instruction cache"},
    {IS(ITLB_L2_HITS), F10_12 | F15_ALL | EVENT_IN(16H) | ZEN_ALL, 0x084, 0x00, NULL},
    {IS(ITLB_L2_HITS), EVENT_IN(14H), NONE, "CodeXL's list of its events has none"},
    {IS(ITLB_WALKS), F10_12 | CAT_ALL, 0x085, 0x03, NULL},
    {IS(ITLB_WALKS), F15_ALL | EVENT_IN(ZEN2), 0x085, 0x07, NULL},
    {IS(ITLB_WALKS), EVENT_IN(ZEN), 0x085, 0x00, NULL},
    {IS(ITLB_WALKS), ZEN_FROM_3, 0x085, 0x0F, NULL},
    {IS(INSTRUCTIONS), ALL, 0x0C0, 0x00, NULL},
    {IS(BRANCHES), ALL, 0x0C2, 0x00, NULL},
    {IS(MISPREDICTED), ALL, 0x0C3, 0x00, NULL},
    {IS(TAKEN), ALL, 0x0C4, 0x00, NULL},
    {IS(RETURNS), ALL, 0x0C8, 0x00, NULL},
    {IS(RETURNS_MISPREDICTED), ALL, 0x0C9, 0x00, NULL},
    {IS(INDIRECT_MISPREDICTED), F10_12 | F15_TO_1F | ZEN_ALL, 0x0CA, 0x00, NULL},
    {IS(INDIRECT_MISPREDICTED), F15_FROM_30 | CAT_ALL, 0x0CA, 0x00, TARGET},
};
/* clang-format on */
const unsigned event_meaning_row_count = sizeof(event_meaning_rows) / sizeof(event_meaning_rows[0]);

const char *event_meaning_name(enum event_meaning meaning)
{
#define NAME(name, text) text,
    static const char *const names[EVENT_MEANINGS] = {MEANING_NAMES(NAME)};

    return names[meaning];
}

const struct event_meaning_row *event_meaning_of(enum event_set set, enum event_meaning meaning)
{
    for (unsigned i = 0; i < event_meaning_row_count; i++)
        if (event_meaning_rows[i].meaning == meaning && (event_meaning_rows[i].sets >> set & 1))
            return &event_meaning_rows[i];
    return NULL;
}

/* Returns whether the mask is this one, or revision B's default, which lacks a bit. */
static bool is_mask(const struct event_spec *spec, uint8_t mask)
{
    return spec->mask == mask ||
           (mask == spec->event->mask_default && spec->mask == event_default_mask(spec->event, 'B'));
}

bool event_means(const struct event_spec *spec, enum event_meaning meaning)
{
    if (spec->count_mask || spec->edge || spec->invert)
        return false;
    for (unsigned i = 0; i < event_meaning_row_count; i++) {
        const struct event_meaning_row *row = &event_meaning_rows[i];

        if (row->meaning == meaning && row->select == spec->event->select && (row->sets & spec->event->sets) &&
            is_mask(spec, row->mask))
            return true;
    }
    return false;
}

void event_list_add(struct event_list *list, enum event_meaning meaning, uint64_t period)
{
    const struct event_meaning_row *row = event_meaning_of(list->set, meaning);
    const struct event *event = row && row->select ? event_by_select(list->set, row->select) : NULL;
    struct event_spec spec = {.event = event, .user = true, .kernel = true, .period = period};

    if (!event) {
        list->missing |= 1u << meaning;
        return;
    }
    list->meant |= 1u << meaning;
    spec.mask = row->mask;
    spec.mask_given = spec.mask != event->mask_default; /* a default one is fitted to the revision */
    if (list->count < EVENT_LIST_MAX && event_list_find(list, &spec) < 0)
        list->spec[list->count++] = spec;
}

/* ---------------------------------------------------------------- for people */

static void print_note(struct out *out, const char *prefix, const char *text)
{
    int indent = (int)strlen(prefix);

    out_printf(out, "%s", prefix);
    wrap_text(out, text, indent, indent, LINE);
}

static void print_missing(struct out *out, const struct event_list *list, const char *prefix)
{
    char text[SENTENCE];
    struct out_memory memory;
    const char *before = NULL;

    out_memory_init(&memory, text, sizeof(text));
    out_printf(&memory.out, "not counted on %s: ", event_set_name(list->set));
    for (unsigned m = 0; m < EVENT_MEANINGS; m++) {
        const struct event_meaning_row *row = event_meaning_of(list->set, (enum event_meaning)m);

        if (!(list->missing >> m & 1) || !row)
            continue;
        if (before && before != row->remark)
            out_printf(&memory.out, " (%s)", before);
        out_printf(&memory.out, "%s%s", before ? ", " : "", event_meaning_name((enum event_meaning)m));
        before = row->remark;
    }
    out_printf(&memory.out, " (%s).", before ? before : "no table of its events");
    print_note(out, prefix, text);
}

void event_list_notes(struct out *out, const struct event_list *list, const char *prefix)
{
    if (list->missing)
        print_missing(out, list, prefix);
    for (unsigned m = 0; m < EVENT_MEANINGS; m++) {
        const struct event_meaning_row *row = event_meaning_of(list->set, (enum event_meaning)m);
        char text[SENTENCE];
        struct out_memory memory;

        if (!(list->meant >> m & 1) || !row || !row->remark)
            continue;
        out_memory_init(&memory, text, sizeof(text));
        out_printf(&memory.out, "%s (%03X:%02X): %s.", event_meaning_name((enum event_meaning)m), row->select,
                   row->mask, row->remark);
        print_note(out, prefix, text);
    }
}
