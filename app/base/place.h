/* SPDX-License-Identifier: BSD-2-Clause */
/* On which node memory is taken: the setting 'memory'. */
#ifndef APP_PLACE_H
#define APP_PLACE_H

#include "app/base/pool.h"
#include "drivers/machine/machine.h"

enum place_how {
    PLACE_AUTO,   /* on the core's own node if there is room, else wherever there is */
    PLACE_LOCAL,  /* on the core's own node */
    PLACE_REMOTE, /* on the next node that has memory */
    PLACE_NODE,   /* on a node that is named */
};

struct place {
    enum place_how how;
    uint32_t node;
};

/* Reads "auto", "local", "remote", or a node's number. False after a line in 'problems': none of these, or it means
 * nothing on this machine. */
bool place_read(struct place *place, const char *text, const struct nodes *nodes, struct out *problems);

/* The node for the workload's memory of a core on 'node'. NODE_UNKNOWN: wherever there is room. */
int place_of(const struct place *place, const struct nodes *nodes, int node);

/* Returns whether a core on 'node' can have what was asked for; false after a line in 'problems'. */
bool place_possible(const struct place *place, const struct nodes *nodes, uint32_t core, int node,
                    struct out *problems);

/* A block of memory for each of several cores. */
struct place_need {
    const char *what;
    size_t size, alignment;
    bool must; /* on its node or not at all */
};

/* Holds what one core gets. */
struct place_block {
    int node; /* to be taken there; NODE_UNKNOWN: anywhere */
    void *memory;
};

/* Takes memory for each of the blocks, on its node, zeroed. False after a line in 'problems'. */
bool place_take(struct pool *pool, const struct nodes *nodes, const struct place_need *need, struct place_block *blocks,
                unsigned count, struct out *problems);

/* Returns whether the setting 'memory' can be read, on whatever machine; prints the line that says it cannot. */
bool place_understood(const char *text);
void place_refuse(struct out *out, const char *text);

#endif
