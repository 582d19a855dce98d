/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The reference of a sampled run: its workload counted without sampling, and again while it is sampled in the same way
 * with counters that stand still in the handler. core/profile/disturbance.h makes of both what sampling changed.
 */
#ifndef APP_REFERENCE_H
#define APP_REFERENCE_H

#include "app/run/run.h"

/* Measures without sampling, before the passes whose samples are kept. ticks: cycles are those of the TSC in which the
 * counters ran, because some sampled pass leaves no counter for them. */
void reference_undisturbed(struct run *run, bool ticks);

/* Returns how many passes reference_undisturbed() makes, with those that first go before reference_sampled() or
 * reference_kept(); *ret_sampled: how many either of these makes under this program. */
unsigned reference_passes(const struct run *run, bool ticks, const struct session_program *program,
                          const struct event_group *own, unsigned *ret_sampled);

/* Measures under this program, which samples; the samples are not kept. own: which events of the task's list are
 * sampled, on which counters; others are counted on those that are left, in as many passes as that takes. NULL: none,
 * or groups that take turns, beside which nothing else is counted. more: of several programs, each row has the larger
 * change. */
void reference_sampled(struct run *run, const struct session_program *program, const struct event_group *own,
                       bool more);

/* Measures under this program of IBS in passes whose samples are kept, each with intervals of its own by its number;
 * adds their number to *kept. */
void reference_kept(struct run *run, const struct session_program *program, unsigned *kept);

/* After the last pass whose samples are kept: its time. stepped: a model steps its handler, because IBS stays on. */
void reference_time(struct run *run, bool stepped);

/* The row that is this event's count, or DISTURBANCE_ROWS. */
unsigned reference_row(const struct run *run, const struct event_spec *spec);

/* Searches for the shortest periods that change nothing beyond one standard error of what the samples tell
 * (disturbance_calm()), in five steps: sampled() measures with the present ones, longer() doubles them, and returns
 * false where they stay. */
void reference_search(struct run *run, void (*sampled)(struct run *), bool (*longer)(struct run *));

#endif
