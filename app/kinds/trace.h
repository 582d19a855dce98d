/* SPDX-License-Identifier: BSD-2-Clause */
/* Traces of ops: what app/kinds/trace.c measures, and trace_report.c prints and saves. */
#ifndef APP_KINDS_TRACE_H
#define APP_KINDS_TRACE_H

#include "app/run/run.h"
#include "core/ibs/op_trace.h"

enum {
    TRACE_BEFORE_MAX = 2048, /* ops from the start of IBS to the workload's first, at most */
};

enum trace_end {
    TRACE_WHOLE,     /* all ops that were wanted */
    TRACE_OVER,      /* the workload has no more */
    TRACE_DEAF,      /* no op of the start was sampled */
    TRACE_NOT_FOUND, /* the workload's first op was not */
    TRACE_BROKEN,    /* a pass failed */
};

struct trace_run {
    struct ibs_plan plan;
    struct ibs_machine machine;
    struct op_trace_op *op;
    uint32_t from, wanted, repeats; /* settings */
    uint32_t before;                /* ops between the start of IBS and the workload's first */
    uint32_t count;                 /* ops that were traced */
    uint32_t lost, differ;          /* of these */
    uint32_t known, breaks;         /* of two that follow one another; of these the program cannot have */
    uint32_t records;               /* room for those of all passes */
    enum trace_end end;
};

static inline const struct trace_run *trace_run_of(const struct run *run)
{
    return run->own;
}

/* The row's functions (app/run/kind.h). */
void trace_settings(struct out *out, const struct run *run);
void trace_tables(struct out *out, const struct run *run);
void trace_checks(struct out *out, const struct run *run);
void trace_facts(struct out *out, const struct run *run);
void trace_csv(struct out *out, const struct run *run);

#endif
