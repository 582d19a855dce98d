/* SPDX-License-Identifier: BSD-2-Clause */
/* Chooses the node on which memory is taken: the setting 'memory'. */
#ifndef APP_PLACE_H
#define APP_PLACE_H

#include "app/base/pool.h"
#include "drivers/machine/machine.h"

enum place_how {
    PLACE_AUTO,   /* the core's own node if it has room, otherwise any node */
    PLACE_LOCAL,  /* the core's own node */
    PLACE_REMOTE, /* the next node that has memory */
    PLACE_NODE,   /* the node with this number */
};

struct place {
    enum place_how how;
    uint32_t node;
};

/* Reads "auto", "local", "remote", or a node's number. Returns false after a line in 'problems' if the text is none of
 * these, or does not apply to this machine. */
bool place_read(struct place *place, const char *text, const struct nodes *nodes, struct out *problems);

/* Returns the node for the workload's memory of a core on 'node'; NODE_UNKNOWN: any node with room. */
int place_of(const struct place *place, const struct nodes *nodes, int node);

/* Returns whether a core on 'node' can have the memory that was asked for; if not, a line in 'problems' says why. */
bool place_possible(const struct place *place, const struct nodes *nodes, uint32_t core, int node,
                    struct out *problems);

/* Describes one block of memory, of which each of several cores gets one. */
struct place_need {
    const char *what;
    size_t size, alignment;
    bool must; /* fail if the wanted node has no room */
};

/* Holds the block of one core. */
struct place_block {
    int node; /* wanted node; NODE_UNKNOWN: any */
    void *memory;
};

/* Takes zeroed memory for each block, on its node. Returns false after a line in 'problems'. */
bool place_take(struct pool *pool, const struct nodes *nodes, const struct place_need *need, struct place_block *blocks,
                unsigned count, struct out *problems);

/* Returns whether the setting 'memory' can be read, on any machine; place_refuse() prints why not. */
bool place_understood(const char *text);
void place_refuse(struct out *out, const char *text);

#endif
