/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sets of counter events: which processors share a list. A row of core/family/family_*.c names its set, a row of
 * core/events/events_*.c the sets that have it. From Zen on the split is that of Linux, tools/perf/pmu-events/arch/x86/
 * mapfile.csv; before Zen that of CodeXL's files, Events/Public.
 */
#ifndef CORE_EVENT_SET_H
#define CORE_EVENT_SET_H

enum event_set {
    EVENT_SET_NONE, /* no table: its counter events cannot be named */
    EVENT_SET_10H,
    EVENT_SET_ZEN,  /* Family 17h models 00h-2Fh */
    EVENT_SET_ZEN2, /* 17h models 30h on */
    EVENT_SET_ZEN3, /* 19h models 00h-0Fh, 20h-5Fh */
    EVENT_SET_ZEN4, /* 19h models 10h-1Fh, 60h on */
    EVENT_SET_ZEN5, /* 1Ah, without those of Zen 6 */
    EVENT_SET_ZEN6, /* 1Ah models 50h-5Fh, 80h-AFh, C0h-CFh */
    EVENT_SET_15H,  /* 15h models 00h-0Fh */
    EVENT_SET_15H_10,
    EVENT_SET_15H_30,
    EVENT_SET_15H_60,
    EVENT_SET_14H,
    EVENT_SET_16H,
    EVENT_SET_12H, /* most of its rows are Family 10h's */
    EVENT_SETS,
};

/* A set as a bit of event.sets. */
#define EVENT_IN(set) (1u << EVENT_SET_##set)

#endif
