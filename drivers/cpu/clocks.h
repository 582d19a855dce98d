/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Measures how far two cores' TSCs are apart: one core asks, the other answers with its own TSC, which was read
 * between the question and the answer's arrival. The exchange that took the shortest time is the most exact.
 */
#ifndef DRIVERS_CLOCKS_H
#define DRIVERS_CLOCKS_H

#include <stdbool.h>
#include <stdint.h>

/* Memory that both cores reach at the same address; all zero before. */
struct clocks {
    uint32_t asked, answered; /* numbers of questions */
    uint32_t ended;           /* the asking core has finished, or gave up */
    uint64_t stamp;           /* the answer */
    /* Results of the asking core: */
    bool known;
    int64_t ahead;  /* ticks by which the answering core's TSC is ahead */
    uint64_t width; /* ticks of that exchange: 'ahead' is right to half of them */
};

/* Asks, on one core, that many times, and waits for at most so many ticks in all. */
void clocks_ask(struct clocks *clocks, uint32_t times, uint64_t ticks);
/* Answers, on the other core, until the first has ended, for at most so many ticks. */
void clocks_answer(struct clocks *clocks, uint64_t ticks);

#endif
