/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How far two cores' TSCs are apart: one core asks, the other answers with its own TSC, which was read between the
 * question and the answer's arrival. The exchange that took the shortest time says it most exactly.
 */
#ifndef DRIVERS_CLOCKS_H
#define DRIVERS_CLOCKS_H

#include <stdbool.h>
#include <stdint.h>

/* In memory that both cores reach at the same address; all zero before. */
struct clocks {
    uint32_t asked, answered; /* numbers of questions */
    uint32_t ended;           /* the asking core has what it wants, or gave up */
    uint64_t stamp;           /* the answer */
    /* Results of the asking core: */
    bool known;
    int64_t ahead;  /* ticks by which the answering core's TSC is ahead */
    uint64_t width; /* ticks of that exchange: 'ahead' is right to half of them */
};

/* On one core: asks that many times, and waits for at most so many ticks in all. */
void clocks_ask(struct clocks *clocks, uint32_t times, uint64_t ticks);
/* On the other, at the same time: answers until the first has ended, for at most so many ticks. */
void clocks_answer(struct clocks *clocks, uint64_t ticks);

#endif
