/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The cost of the NMI handlers: for each kind of sample, how many NMIs, instructions from the handler's first to its
 * IRETQ, and which MSRs it read and wrote.
 */
#ifndef VPMU_SHIM_HANDLER_H
#define VPMU_SHIM_HANDLER_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/out.h"

/* Names what was waiting when the NMI was delivered: IbsFetchVal, IbsOpVal, both or none; a counter's overflow, the
 * end of the timer's count, or several of these. */
enum handler_kind {
    HANDLER_NONE,
    HANDLER_FETCH,
    HANDLER_OP,
    HANDLER_BOTH,
    HANDLER_COUNTER,
    HANDLER_TIMER,
    HANDLER_SEVERAL,
    HANDLER_KINDS
};

enum { HANDLER_MSRS = 24, HANDLER_PATHS = 48 };

struct handler_msr {
    uint32_t msr;
    uint64_t reads, writes;
};

/* A way through the handler: all NMIs of a kind that took so many instructions. The sample decides the way, the
 * handler's code its length. */
struct handler_path {
    uint64_t instructions, samples;
};

struct handler_cost {
    uint64_t samples;
    uint64_t instructions, minimum, maximum; /* stepped instructions; 0 when handlers were not stepped */
    struct handler_msr msrs[HANDLER_MSRS];
    unsigned msr_count;
    struct handler_path paths[HANDLER_PATHS];
    unsigned path_count; /* further ones are only in the sums */
};

struct handler_costs {
    struct handler_cost kinds[HANDLER_KINDS];
    enum handler_kind kind; /* of the handler that is running */
    uint64_t instructions;  /* stepped in this handler so far */
};

/* causes: from vpmu_nmi_causes(). */
void handler_begin(struct handler_costs *costs, bool fetch_valid, bool op_valid, unsigned causes);
void handler_access(struct handler_costs *costs, uint32_t msr, bool write);
void handler_end(struct handler_costs *costs);

/* Writes rows kind,what,msr,count,per_sample; the header row names the units. */
void handler_write_csv(const struct handler_costs *costs, struct out *out);
/* Prints the costs: a line per kind that occurred and one with its MSR accesses. */
void handler_print(const struct handler_costs *costs);

#endif
