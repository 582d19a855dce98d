/* SPDX-License-Identifier: BSD-2-Clause */
/* The calls of a session's parts, each of which an exception, or the time limit, may leave. For
 * drivers/session/session.c. */
#ifndef DRIVERS_SESSION_CALLS_H
#define DRIVERS_SESSION_CALLS_H

#include "drivers/session/session.h"
#include "drivers/session/session_workspace.h"

/* One run in progress; on the firmware's stack. */
struct run {
    const struct session_plan *plan;
    struct session_result *result;
    struct workspace *workspace;
    enum session_phase phase;
};

/* Keeps the first error; later ones are its consequences. Returns false if there is none. */
bool session_failed(struct run *run, enum session_error error, uint64_t detail);

/* Calls part of a run so that an exception in it ends only that part. Returns true when there was none. */
bool session_guarded(struct run *run, uint64_t stack_top, void (*function)(void *, uint64_t), void *argument,
                     uint64_t value);

/* Returns the end of the workload's stack. */
uint64_t session_stack_top(const struct run *run);

/* Calls the workload, or a part around it, on its own stack, the top of the arena. Returns true when it returned, or
 * there is none. */
bool session_call(struct run *run, enum session_phase phase, session_body *body, void *argument);

/* Calls the measured part, as the plan has it: counted, limited, or step by step. Returns true when it has returned.
 */
bool session_call_body(struct run *run);

#endif
