/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Cores that run at the same time: who waits for whom, and until when.
 *
 * Member 0, the boot core, leads. Each member says how far it has come; the leader opens the next step when all have
 * come there. A member that lets the leader wait for longer than its patience is given up: it is told so when it comes
 * after all, and what it has recorded is not looked at.
 *
 * Nothing here needs the firmware or interrupts. One cache line for each member: who waits writes nowhere.
 */
#ifndef DRIVERS_GANG_H
#define DRIVERS_GANG_H

#include <stdbool.h>
#include <stdint.h>

enum { GANG_MEMBERS = 64 }; /* Family 10h: at most 8 nodes of 6 cores */

/* Without a time limit: all do the same work, so a core that has not ended it after this many times what the first one
 * took, and the slack, never will. */
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
    uint64_t body;     /* and more for the end of the measured part; 0: what the first to end took tells, see below */
    uint64_t slack;    /* without 'body': TSC ticks besides */
    uint64_t took;     /* TSC ticks of the measured part that took the least of those that have ended; 0: none has */

    uint32_t open;  /* enum gang_step: members may go so far; GANG_LEFT: the leader has given up itself */
    uint32_t entry; /* of the extended LVT, as the leader chose it */
    struct gang_member member[GANG_MEMBERS];
};

void gang_init(struct gang *gang, uint32_t members, bool ibs, uint64_t patience, uint64_t body);

/* This member has come to a step. Returns when it may go on: true; false: it must not, because it was given up, or the
 * leader has left early. gang may be NULL: alone. */
bool gang_reach(struct gang *gang, uint32_t member, enum gang_step step);

/* This member has ended its measured part, which took this many of its TSC ticks. Before GANG_DONE. */
void gang_worked(struct gang *gang, uint64_t ticks);

/* This member is on its way out. The leader waits until no member samples any more, then lets all go. */
void gang_leave(struct gang *gang, uint32_t member);

/* What the leader knows of a member, while it runs and after. */
enum gang_step gang_step_of(const struct gang *gang, uint32_t member);
/* Where it was when it was given up. */
const char *gang_step_text(uint32_t step);

#endif
