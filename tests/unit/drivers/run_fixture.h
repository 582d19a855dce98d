/* SPDX-License-Identifier: BSD-2-Clause */
/* A run of session_run() on the fake processor: setup for all tests, and comparison with the earlier state. */
#ifndef TESTS_UNIT_DRIVERS_RUN_FIXTURE_H
#define TESTS_UNIT_DRIVERS_RUN_FIXTURE_H

#include "fake_cpu.h"

#include "drivers/session/session.h"

enum { MODEL_B = 2, MODEL_C = 4, MODEL_D = 8, CAPACITY = 8, ARENA = 0x800000, ARENA_BYTES = 0x400000 };

extern struct machine machine;
extern struct session_plan plan;
extern struct session_result result;
extern struct fake before;
extern struct sample_record records[CAPACITY + 1];
extern void *workspace;
extern unsigned calls[3]; /* number of calls of prepare, body and finish */

/* Callbacks that log their names. body() also checks where it was called. */
void body(void *argument, uint64_t arena);

/* Plans a run of both kinds of IBS sampling with fixed intervals. */
void set_up(uint32_t model, unsigned nodes);

/* Saves the machine in 'before' and runs the plan. */
void run(void);

/* Returns whether the firmware finds everything unchanged. Data registers of IBS may hold the last sample. */
bool same_as_before(void);

/* Raises an exception at the first, second, ... access, until a run of the plan that arrange() makes has none. The
 * exception may come anywhere: in a probe of the LVT, a write that starts sampling, the handler in the middle of a
 * sample, a read-back. */
void fault_at_each_access(void (*arrange)(void));

/* Set up and release the group of tests. */
int run_allocate(void **state);
int run_release(void **state);

#endif
