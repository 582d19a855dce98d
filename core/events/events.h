/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The performance events as data: one row each; those of AMD Family 10h in events_<unit>.c, those of later families in
 * events_zen_<unit>.c and the like. A row says which sets of processors have the event (core/family/event_set.h);
 * several rows may have one number, for different sets.
 *
 * Sources for Family 10h: CodeAnalyst gh-events.xml (names, abbreviations, mask bits; made from BKDG 31116 rev. 3.20
 * to 3.28), oprofile events/x86-64/family10/{events,unit_masks} (symbols, default masks, smallest periods; from
 * rev. 3.48), CodeXL 0x10.xml (remarks), libpfm4 amd64_events_fam10h.h and likwid perfmon_k10_events.txt for
 * comparison. Where they disagree on a mask, the row's comment says which was taken.
 *
 * An event in text: "SYMBOL", "SYMBOL:mask", "0x41", "041:07", each with more parts after ':' and a period after '@':
 *
 *     RETIRED_UOPS:c=2:k@100000     076@250000     42:1f     046:7:u
 *
 *   mask  hexadecimal, one or two digits, with or without 0x. E alone is the modifier: write 0E.
 *   u, k  count at user level, at kernel level; neither: both. Code without an OS runs at kernel level.
 *   e     edge: count the rises of the condition instead of its cycles
 *   i     invert: with c=N, count the cycles with less than N
 *   c=N   count mask: count the cycles with at least N events, 1..3; later families 1..127
 */
#ifndef CORE_EVENTS_H
#define CORE_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/out.h"
#include "core/family/event_set.h"

enum event_unit {
    EVENT_FP, /* floating point */
    EVENT_LS, /* load/store and segments */
    EVENT_DC, /* data cache and DTLB */
    EVENT_L2, /* L2 cache and system interface */
    EVENT_IC, /* instruction cache and ITLB */
    EVENT_FR, /* fetch to retirement: execution */
    EVENT_NB, /* northbridge: memory controller, HyperTransport */
    EVENT_L3, /* L3 cache, in the northbridge */
    EVENT_UNITS,
};

enum event_flag {
    EVENT_NODE = 1,         /* counted once per node by logic that its cores share: one core per node may use it */
    EVENT_CORE_SELECT = 2,  /* mask bits 7:4 must all be set: erratum 437 */
    EVENT_SPECULATIVE = 4,  /* also counts ops that never retire */
    EVENT_MASK_INDEX = 8,   /* the mask is one number from 0 to mask_legal, not a set of bits */
    EVENT_FREQUENT = 16,    /* may happen in every cycle: long default period */
    EVENT_INTERRUPTS = 32,  /* includes exceptions and interrupts */
    EVENT_DOUBTFUL = 64,    /* contradicts its documentation, or that contradicts itself: unreliable */
    EVENT_MASK_GROUPS = 128 /* both halves of the mask must have a bit: what, and from or to where */
};

enum { EVENT_MASK_BITS = 8 };

struct event {
    uint16_t select;  /* EventSelect, 12 bits */
    uint8_t unit;     /* enum event_unit */
    uint8_t flags;    /* enum event_flag */
    uint16_t sets;    /* EVENT_IN(10H) | ... */
    uint8_t counters; /* a bit for each counter that can count it; 0: all */
    bool mask_none;   /* mask 00 counts as well, although there are bits */
    bool pair;        /* may add more than 15 in a cycle: takes an even counter and the next (core/family/pmc_regs.h) */
    bool as_first;    /* later family: has number, mask and meaning of Family 10h's event, whose views may use it */
    uint8_t mask_default;  /* mask of a name without one */
    uint8_t mask_legal;    /* all bits that have a meaning; EVENT_MASK_INDEX: the highest index */
    uint8_t mask_since_c;  /* legal bits that revision B lacks */
    uint8_t mask_modifier; /* bits that modify how the others count, and count nothing by themselves */
    uint8_t mask_alone;    /* bits that must not be combined with bits outside of this set (0: none) */
    char since;            /* first revision that has it: 'B', 'C' or 'D' */
    char last;             /* last one: 'E', or 'D' */
    uint32_t period_min;   /* smallest period for sampling */
    const char *symbol;    /* oprofile's */
    const char *name;      /* CodeAnalyst's */
    const char *abbreviation;
    const char *bits[EVENT_MASK_BITS]; /* meaning of each mask bit, NULL = reserved. EVENT_MASK_INDEX: not used */
    const char *remark;                /* one or two sentences, or NULL */
};

_Static_assert(EVENT_SETS <= 16, "event.sets has a bit for each");

extern const struct event_unit_text {
    const char *name; /* "FP" */
    const char *what; /* "floating point" */
} event_units[EVENT_UNITS];

/* Return the number of the set's rows; the row at an index, NULL beyond. Rows are in the order of units, ascending by
 * select. */
unsigned event_count(enum event_set set);
const struct event *event_at(enum event_set set, unsigned index);

/* Returns what messages call the set: "Family 10h", "Zen 2". */
const char *event_set_name(enum event_set set);

/* Find the set's row by EventSelect, or by symbol without regard to case; NULL if there is none. */
const struct event *event_by_select(enum event_set set, uint32_t select);
const struct event *event_by_symbol(enum event_set set, const char *text, size_t length);

/* An event as it is to be programmed. */
struct event_spec {
    const struct event *event;
    uint8_t mask;
    uint8_t count_mask; /* 0..event_count_mask_max */
    bool user, kernel;
    bool edge, invert;
    bool mask_given; /* false: mask is the default */
    uint64_t period; /* 0 = not given */
};

/* Returns whether the event is Family 10h's, or has its number, mask and meaning. */
static inline bool event_is_first(const struct event *event)
{
    return event->as_first || (event->sets & EVENT_IN(10H));
}

/* Returns the largest count mask that means something: 3 on Families 10h, 12h, 14h and 16h (core/family/pmc_regs.h),
 * 127 elsewhere (Linux arch/x86/events/amd/core.c: 8 bits, of which the top-down formulas of
 * tools/perf/pmu-events/arch/x86/amdzen5/pipeline.json use 8). */
unsigned event_count_mask_max(const struct event *event);

/* Returns a bit for each counter that can count the event; only even ones where it needs the next one, too. */
unsigned event_counters(const struct event *event);

/* Return mask_default without bits that the revision lacks; do so to a spec whose mask was not given. */
uint8_t event_default_mask(const struct event *event, char revision);
void event_fit(struct event_spec *spec, char revision);

/* Returns 250000 for frequent events and 25000 for others, as in CodeAnalyst's predefined configurations, but at least
 * the event's smallest period. */
uint64_t event_default_period(const struct event *event);

/* Reads one of the set's events. On failure returns false, writes one line without its end to 'problem' (may be NULL),
 * and leaves *spec alone. Revisions and limits are event_check's business. */
bool event_parse(enum event_set set, const char *text, size_t length, struct event_spec *spec, struct out *problem);

/* Returns whether the processor's revision has it, mask and modifiers are legal, and the period (unless 0) is within
 * its limits. On failure one line without its end says what is wrong and what is allowed. */
bool event_check(const struct event_spec *spec, char revision, struct out *problem);

/* Writes text that event_parse reads back: "DATA_CACHE_MISSES:00@25000" with full; else without period, and the mask
 * only if it matters: "041", "042:1F". */
void event_write(const struct event_spec *spec, bool full, struct out *out);

/* Returns whether event, mask and modifiers are the same; the period does not matter. */
bool event_same(const struct event_spec *a, const struct event_spec *b);

/* Returns PERF_CTL without En and Int. */
uint64_t event_ctl(const struct event_spec *spec);

/* ---------------------------------------------------------------- for people; lines of at most 79 columns */

/* Prints one line per event: select, default mask, symbol, abbreviation. filter: NULL or "" for all; a unit ("DC"); or
 * part of select, symbol or name, without regard to case. Returns the number of lines. */
unsigned events_list(struct out *out, enum event_set set, const char *filter);

/* Prints all that is known of one event. Revisions are Family 10h's; for other sets it says which have the event. */
void event_explain(struct out *out, enum event_set set, const struct event *event);

#endif
