/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Cores that run at the same time: which waits for which, and for how long.
 *
 * Member 0, the boot core, leads. Each member reports its step; the leader opens the next step when all have
 * reached it. A member that keeps the leader waiting for longer than its patience is abandoned: it is told so when it
 * comes after all, and what it has recorded is not read.
 *
 * Nothing here needs the firmware or interrupts. One cache line per member: a waiting member does not write.
 */
#ifndef DRIVERS_GANG_H
#define DRIVERS_GANG_H

#include <stdbool.h>
#include <stdint.h>

/* Without a time limit: all do the same work, so a core that takes longer than this many times what the first one
 * took, and the slack, never ends. */
enum { GANG_SLOWEST = 100 };

enum gang_step {
    GANG_AWAY,  /* not heard of yet */
    GANG_NODES, /* the registers that exist once per node are set: members may set up their own */
    GANG_READY, /* set up, memory filled: the measured part begins when all are */
    GANG_DONE,  /* the measured part is over, and nothing samples any more */
    GANG_LEFT,  /* not in the session any more, or on its way out after an error */
    GANG_GIVEN_UP,
};

struct gang_member {
    uint32_t step; /* enum gang_step; written by the member, but for GANG_GIVEN_UP */
    uint32_t given_up_at;
    uint8_t unused[56];
} __attribute__((aligned(64)));

struct gang {
    uint32_t members;  /* including the leader; 1: no waiting */
    bool ibs;          /* some member samples by IBS: the leader sets up the nodes for it */
    uint64_t patience; /* TSC ticks that the leader waits for the others */
    uint64_t body;     /* added for the end of the measured part; 0: derived from the first member to end */
    uint64_t slack;    /* without 'body': additional TSC ticks */
    uint64_t took;     /* TSC ticks of the shortest measured part that has ended; 0: none has */

    uint32_t open;  /* enum gang_step: up to which members may proceed; GANG_LEFT: the leader itself has given up */
    uint32_t entry; /* of the extended LVT, as the leader chose it */
    struct gang_member *member;
};

/* Prepares a gang. member: memory for as many, for as long as any of them runs. */
void gang_init(struct gang *gang, struct gang_member *member, uint32_t members, bool ibs, uint64_t patience,
               uint64_t body);

/* Reports that this member has reached a step. Returns true when it may continue; false when it must not, because it
 * was abandoned or the leader has left early. gang may be NULL: alone. */
bool gang_reach(struct gang *gang, uint32_t member, enum gang_step step);

/* Reports the TSC ticks of this member's measured part. Before GANG_DONE. */
void gang_worked(struct gang *gang, uint64_t ticks);

/* Reports that this member leaves. The leader waits until no member samples any more, then lets all go. */
void gang_leave(struct gang *gang, uint32_t member);

/* Returns what the leader knows about a member, during the run and after it. */
enum gang_step gang_step_of(const struct gang *gang, uint32_t member);
/* Returns the text for the step at which a member was abandoned. */
const char *gang_step_text(uint32_t step);

#endif
