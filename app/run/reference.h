/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The reference of a sampled run: the workload is counted without sampling, and again while it is sampled in the same
 * way with counters that stop in the handler. core/profile/disturbance.h computes from both what sampling changed.
 */
#ifndef APP_REFERENCE_H
#define APP_REFERENCE_H

#include "app/run/run.h"

/* Measures without sampling, before the passes whose samples are kept. ticks: cycles are TSC ticks while the counters
 * ran, because some sampled pass has no counter for cycles. */
void reference_undisturbed(struct run *run, bool ticks);

/* Returns the number of passes of reference_undisturbed(), with preparatory ones of reference_sampled() and
 * reference_kept(). *ret_sampled: passes of either with this program. */
unsigned reference_passes(const struct run *run, bool ticks, const struct session_program *program,
                          const struct event_group *own, unsigned *ret_sampled);

/* Measures with this sampling program, and discards the samples. own: events of the task's list that are sampled, and
 * their counters; the remaining counters count other events, in as many passes as needed. NULL: no events, or groups
 * that take turns, which leave no counter. more: combines several programs; each row keeps the larger change. */
void reference_sampled(struct run *run, const struct session_program *program, const struct event_group *own,
                       bool more);

/* Measures with this program of IBS in passes whose samples are kept, each with its own random intervals; adds their
 * number to *kept. */
void reference_kept(struct run *run, const struct session_program *program, unsigned *kept);

/* Measures the time of sampling, after the last pass whose samples are kept. stepped: a model steps its handler,
 * because IBS stays on. */
void reference_time(struct run *run, bool stepped);

/* Returns the row that counts this event; DISTURBANCE_ROWS: none. */
unsigned reference_row(const struct run *run, const struct event_spec *spec);

/* Searches in at most five steps for the shortest periods that change nothing beyond one standard error of what the
 * samples tell (disturbance_calm()). sampled() measures with the present periods; longer() doubles them, or returns
 * false if they cannot grow. */
void reference_search(struct run *run, void (*sampled)(struct run *), bool (*longer)(struct run *));

#endif
