/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * AMD's top-down method, on processors that count dispatch slots (from Zen 4 on): events, rows and checks of
 * core/explore/explore.h by their numbers.
 *
 * Source: Linux tools/perf/pmu-events/arch/x86/amdzen4, amdzen5 and amdzen6, pipeline.json, after AMD's PPRs. With N
 * slots per cycle (6, from Zen 5 on 8), C = 076h, U = 0C1h, F = 1A0h:01, resyncs R = 096h (Zen 4) or 09Fh:01:
 *
 *   level 1   front end F/NC + bad speculation (0AAh:07 - U)/NC + back end 1A0h:1E/NC + other thread 1A0h:60/NC +
 *             retiring U/NC
 *   front     latency N * (F with count mask N)/NC: cycles in which the front end supplies nothing; bandwidth: the rest
 *   bad       mispredicts: 0C3h/(0C3h + R) of it; restarts: the rest
 *   back      memory 0D6h:A2/0D6h:02 of it, the part of the cycles without retirement in which the oldest op waits that
 *             waits for a load, here at most 0D6h:A2/C, less the part of locked ops' own waits (core/ibs/held.h);
 *             processor: the rest
 *   retiring  microcode 1C2h/NC; fast path: the rest
 *
 * Nothing makes the five of level 1 add up: they come from different counters. The rest of 100 % is a row of its own
 * here, "not attributed", and a check asks that it is small.
 *
 * AMD publishes no thresholds. Rows with the meaning of one of toplev's have toplev's for Ivy Bridge (pmu-tools
 * ivb_client_ratios.py), as Family 10h's; that of the other thread is a choice. Microcode's holds at any rate of
 * retirement, as there.
 */
#ifndef CORE_EXPLORE_SLOTS_H
#define CORE_EXPLORE_SLOTS_H

#include "core/explore/explore.h"

enum explore_slots_event {
    SLOTS_C = EXPLORE_C,
    SLOTS_C0,
    SLOTS_U,
    SLOTS_FRONT,
    SLOTS_BACK,
    SLOTS_OTHER, /* the other thread */
    SLOTS_DISPATCHED,
    SLOTS_FRONT_ALL, /* cycles in which all slots lack an op */
    SLOTS_C2,
    SLOTS_C3,
    SLOTS_RESYNC,
    SLOTS_WAIT,      /* cycles without retirement: the oldest op is not complete */
    SLOTS_WAIT_LOAD, /* of these: it waits for a load */
    SLOTS_MICROCODE,
    SLOTS_INTERRUPTS,
    SLOTS_EVENTS,
};

enum explore_slots_row {
    SLOTS_CPI,
    SLOTS_CPI_IDEAL,
    SLOTS_IPC,
    SLOTS_RETIRING, /* level 1; each followed by its children */
    SLOTS_RETIRING_MICROCODE,
    SLOTS_RETIRING_FAST,
    SLOTS_OPS_PER_INSN,
    SLOTS_BAD,
    SLOTS_BAD_MISPREDICTS,
    SLOTS_BAD_RESTARTS,
    SLOTS_BAD_RATIO,
    SLOTS_FRONT_BOUND,
    SLOTS_FRONT_LATENCY,
    SLOTS_FRONT_BANDWIDTH,
    SLOTS_BACK_BOUND,
    SLOTS_BACK_MEMORY,
    SLOTS_BACK_CORE,
    SLOTS_OTHER_THREAD,
    SLOTS_REST,
    SLOTS_ROWS,
};

enum explore_slots_check {
    SLOTS_CHECK_SUM,       /* F + 1A0h:1E + 1A0h:60 + 0AAh:07 = NC */
    SLOTS_CHECK_LATENCY,   /* N * (F with count mask N) <= F */
    SLOTS_CHECK_OPS,       /* U <= 0AAh:07 */
    SLOTS_CHECK_MICROCODE, /* 1C2h <= U */
    SLOTS_CHECK_BRANCHES,  /* 0C3h <= 0C2h */
    SLOTS_CHECK_WAIT,      /* 0D6h:02 <= C */
    SLOTS_CHECK_WAIT_LOAD, /* 0D6h:A2 <= 0D6h:02 */
    SLOTS_CHECK_EXPECTED,
    SLOTS_CHECKS,
};

extern const struct explore_method explore_slots_6, explore_slots_8;

/* Events of processors with 6 and with 8 slots; for explore_slots.c. */
extern const struct explore_event explore_slots_events_6[SLOTS_EVENTS], explore_slots_events_8[SLOTS_EVENTS];
extern const struct explore_node_row explore_slots_tree[SLOTS_ROWS];
extern const struct explore_check_row explore_slots_checks[SLOTS_CHECKS];

#endif
