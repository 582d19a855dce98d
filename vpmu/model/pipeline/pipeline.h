/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Dispatch, execution and retirement, one pass over the macro-ops in program order: for each op the cycles in which it
 * is dispatched, has its operands, completes and retires follow from those of earlier ops.
 */
#ifndef VPMU_PIPELINE_H
#define VPMU_PIPELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "vpmu/model/pipeline/insn.h"
#include "vpmu/model/params.h"

enum {
    PORT_RING = 64, /* cycles for which the use of the data cache ports is remembered */
    GRANULE_SHIFT = 2,
    GRANULES = 512,
    SORTED_RING = 16, /* a power of two: more than the entries of a station and of LS1 */
    READY_ENTRIES = 64,
    NEVER_WRITTEN = 62, /* no register: always ready */
    NEVER_READ = 63,
    NO_WINDOW = 1 << 8, /* not in insn_info.window */
};

/* Names the units to which micro-ops in a reservation station issue. */
enum station_unit { UNIT_ADDRESS, UNIT_INTEGER, STATION_UNITS };

struct truth_row;

struct store {
    uint64_t linear;
    uint64_t data;    /* cycle in which the data is there */
    uint64_t address; /* cycle in which its address is known; 0: no load passes it */
    uint64_t retire;  /* cycle in which it leaves the queue for the cache: it has retired, and owns its line */
    uint32_t size;
};

/* Entries that ops hold: each is free from cycle 'until' on. */
struct queue {
    uint64_t until[LS2_ENTRIES];
    uint32_t next; /* the one that was taken longest ago */
};
/* Keeps entries in the order in which they become free, from 'first' on, as ops take them in program order: one that
 * is free at dispatch is free for all later ops, so it does not matter which one is taken. */
struct sorted_queue {
    uint64_t until[SORTED_RING];
};

struct pipeline {
    uint64_t cycle;                            /* dispatch cycle of the current line */
    uint64_t from;                             /* first cycle in which that line waited for dispatch */
    uint32_t slots;                            /* ops in the line */
    uint32_t line;                             /* its place in line_retire */
    uint16_t window;                           /* where its instructions end; NO_WINDOW: no further op joins it */
    struct truth_row *members[DISPATCH_WIDTH]; /* of each op */
    uint64_t line_retire[ROB_LINES];

    /* stations.h */
    uint64_t patience; /* holdings of the line's ops are not entered if they issue by this cycle */
    uint64_t crowded;  /* from this cycle on, reservation stations and LS1 have room for any line */
    struct sorted_queue ls1, station[DISPATCH_WIDTH];  /* by the op's place in its line */
    uint32_t ls1_first, station_first[DISPATCH_WIDTH]; /* outside of them: their size is a power of two */
    struct queue ls2;
    uint64_t fp[FP_LINES]; /* each is free from that cycle on */
    uint32_t fp_line;      /* that of the latest line with floating-point ops */

    /* For the rules of struct vpmu_config about accesses and issue; 0 without them. */
    uint64_t looked_up;                             /* when the latest access looked up the cache */
    uint64_t walk_begin, walk_over;                 /* of the latest page walk */
    uint64_t issued[DISPATCH_WIDTH][STATION_UNITS]; /* when the latest micro-op of the lane issued */

    uint64_t wrong_until; /* cycle in which the latest mispredicted branch sent the fetcher to the right path */

    uint64_t abort; /* cycle in which the latest mispredicted branch retires: nothing is dispatched before */
    uint64_t retire_cycle;
    uint32_t retire_count;
    uint32_t commits;                           /* ops in 'committing' */
    struct truth_row *committing[RETIRE_WIDTH]; /* row of each op that retires in retire_cycle: commit.h */
    uint64_t access_cycle;                      /* counted steps: cycle of the latest access of the data cache */
    uint64_t ready[READY_ENTRIES];              /* by CODEMAP_DEP_*: cycle in which the value can be used */

    struct port_use {
        uint64_t cycle;
        uint32_t linear; /* its lower bits */
        uint32_t count;
    } port[PORT_RING];

    uint64_t units[EXEC_UNITS][PORT_RING]; /* cycles in which each unit is in use */

    uint32_t store_count; /* all stores so far */
    uint64_t stores_gone; /* cycle in which the latest leaves the queue */
    uint64_t unknown;     /* cycle before which the address of one of them is not known; 0: no load passes one */
    uint64_t fence;       /* cycle before which no load begins: the latest locked store leaves in it */
    struct store stores[STORE_QUEUE]; /* number n is at n % STORE_QUEUE */
    /* Where loads look first: the latest store to a granule of four bytes, or to another one with the same hash. */
    struct granule {
        uint64_t retire;           /* the store's */
        const struct store *store; /* its place in 'stores'; another one there has another address, or would be the
                                      granule's latest, too */
    } granules[GRANULES];
};

#endif
