/* SPDX-License-Identifier: BSD-2-Clause */
/* Traces of ops: app/kinds/trace.c measures them, trace_report.c prints and saves them. */
#ifndef APP_KINDS_TRACE_H
#define APP_KINDS_TRACE_H

#include "app/run/run.h"
#include "core/ibs/op_trace.h"

enum {
    TRACE_BEFORE_MAX = 2048, /* most ops between the start of IBS and the workload's first op */
};

enum trace_end {
    TRACE_WHOLE,     /* all wanted ops */
    TRACE_OVER,      /* the workload ended first */
    TRACE_DEAF,      /* no op was sampled after the start */
    TRACE_NOT_FOUND, /* the workload's first op was not sampled */
    TRACE_BROKEN,    /* a pass failed */
};

struct trace_run {
    struct ibs_plan plan;
    struct ibs_machine machine;
    struct op_trace_op *op;
    uint32_t from, wanted, repeats; /* from settings */
    uint32_t before;                /* ops between the start of IBS and the workload's first op */
    uint32_t count;                 /* ops traced */
    uint32_t lost, differ;          /* traced ops without a sample, and ops that did not repeat */
    uint32_t known, breaks; /* consecutive pairs of known ops; pairs among them that the program cannot execute */
    uint32_t records;       /* capacity, for all passes */
    enum trace_end end;
};

static inline const struct trace_run *trace_run_of(const struct run *run)
{
    return run->own;
}

/* Functions of the kind's row (app/run/kind.h). */
void trace_settings(struct out *out, const struct run *run);
void trace_tables(struct out *out, const struct run *run);
void trace_checks(struct out *out, const struct run *run);
void trace_facts(struct out *out, const struct run *run);
void trace_csv(struct out *out, const struct run *run);

#endif
