/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The reference of a sampled run: its workload counted without sampling, and again while it is sampled in the same way
 * with counters that stand still in the handler. core/disturbance.h makes of both what sampling changed.
 */
#ifndef APP_REFERENCE_H
#define APP_REFERENCE_H

#include "app/run.h"

/* Measures without sampling, before the passes whose samples are kept. */
void reference_undisturbed(struct run *run);

/* Measures under this program, which samples; the samples are not kept. */
void reference_sampled(struct run *run, const struct session_program *program);

#endif
