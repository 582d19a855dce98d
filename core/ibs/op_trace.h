/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A trace of ops: op n of the workload was tagged in pass after pass, so its samples tell how long each op of a
 * sequence took, and what came of it.
 *
 * IBS measures durations, and no time that ops have in common. The axis here is the earliest one that agrees with all
 * of them: ops are tagged in program order and retire in program order, and each takes as long as was measured,
 *
 *   tag(n)    = max(tag(n - 1), retire(n - 1) - duration(n)), tag(first) = 0
 *   retire(n) = tag(n) + duration(n)
 *
 * So no sequence of these durations can be over sooner; a real one may have waited longer.
 */
#ifndef CORE_OP_TRACE_H
#define CORE_OP_TRACE_H

#include "core/ibs/codemap.h"
#include "core/ibs/ibs_field.h"

/* Differences between samples of the same op. */
enum op_trace_differs {
    OP_TRACE_ADDRESS = 1, /* the instruction; or the address of its operand */
    OP_TRACE_OUTCOME = 2, /* branch, caches, TLBs, source */
    OP_TRACE_LATENCY = 4,
};

struct op_trace_op {
    uint32_t passes, samples;    /* passes that tagged it; those in which it retired. 0: it is lost */
    uint32_t differs;            /* enum op_trace_differs, of any sample and the first */
    int32_t insn;                /* instruction of the code map, by the first sample; -1: none */
    uint32_t macro_op;           /* its number in the instruction, from 1 on */
    uint16_t least, most;        /* cycles from tag to retirement */
    uint64_t ticks;              /* least TSC ticks from the pass's start to the handler */
    uint64_t tag, retire;        /* cycles on the earliest axis; lost op: the tag before it */
    struct sample_record record; /* the first sample; bits that are not valid are 0 */
};

/* Adds the sample of a pass that tagged this op; NULL if it has none. */
void op_trace_add(struct op_trace_op *op, const struct ibs_machine *machine, const struct sample_record *record,
                  uint64_t ticks);

/* Finds each op's instruction and macro-op, and its place on the axis. 'base': the address of the map's RVA 0. */
void op_trace_place(struct op_trace_op *ops, uint32_t count, const struct codemap *map, uint64_t base);

/* Returns whether op b can follow op a, by the code map, the way of a branch, and the number of macro-ops; true where
 * that is unknown (indirect branches, no map). */
bool op_trace_follows(const struct codemap *map, const struct op_trace_op *a, const struct op_trace_op *b);

/* Returns "", "taken", "not taken", with "mispredicted " before it. */
const char *op_trace_branch(const struct op_trace_op *op);
/* Returns "", "load", "store", "both". */
const char *op_trace_access(const struct op_trace_op *op);
/* Returns "", "hit", "miss". */
const char *op_trace_dc(const struct op_trace_op *op);
/* Returns "", "hit", "L1M L2H", "L1M L2M". */
const char *op_trace_dtlb(const struct op_trace_op *op);
/* Returns the source of a load's data; "": not known, or the data cache or the L2. */
const char *op_trace_source(const struct op_trace_op *op, const struct ibs_machine *machine);
/* Returns "", "address", "outcome", "latency", or several with a space between. */
const char *op_trace_differs_text(uint32_t differs);

#endif
