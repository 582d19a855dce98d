/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Estimates of all addresses of a load from those that were sampled. Samples are sparse: what is between two of them is
 * not known.
 *
 * Stride: of two samples one after the other, the address differs by as many strides as the load was executed in
 * between, while it does not begin anew. So their differences, divided by how far apart they are (ops or time), are
 * equal, which those of other orders are not; and the largest number that divides those differences is the stride. The
 * nearest pairs are taken of which a third agrees, within STRIDE_TOLERANCE. By chance a pair agrees with another one
 * less than once in 10 times: of addresses at random over a range, 5 % do.
 *
 * Lines: of N samples with C pairs of two in one line, a load that used all of its lines equally often would use
 * N(N-1)/2C lines (Simpson's index; E. H. Simpson, "Measurement of diversity", Nature 163, 1949); pairs are
 * independent then, and the error of C is that of a binomial distribution. A visit to a line that is shorter than the
 * interval of samples is never seen twice.
 */
#ifndef TOOLS_IBSPROF_STRIDE_H
#define TOOLS_IBSPROF_STRIDE_H

#include <stdbool.h>
#include <stdint.h>

#define STRIDE_TOLERANCE 0.1

struct stride_access {
    uint64_t address;
    uint64_t ops, time; /* how far the stream was */
    uint32_t stream;    /* a thread on a core: others do not tell how far this one was */
};

enum stride_kind {
    STRIDE_FEW,    /* too few pairs to tell */
    STRIDE_NONE,   /* random, or a regular order that is not seen between two samples */
    STRIDE_FIXED,  /* one address */
    STRIDE_STEADY, /* bytes */
};

struct stride {
    enum stride_kind kind;
    int64_t bytes;
    bool either;           /* up or down: as many pairs say the one as the other */
    uint32_t pairs, agree; /* pairs that were looked at, and those that agree */
    uint64_t divisor;      /* the largest that nine in ten of the differences of all pairs have; 0: no two differ */
};

/* Accesses in the order of time. period: ops between two samples of a stream, for the executions that a stride means:
 * it is none where they differ too much from the share of the samples that the load has. 0: they are not known. */
struct stride stride_of(const struct stride_access *accesses, uint32_t count, uint64_t period);

struct stride_reuse {
    uint32_t lines, pages; /* that were sampled */
    uint64_t first, last;  /* address */
    double again;          /* share of the samples whose line was sampled before */
    double even;           /* the same of as many samples evenly at random over the lines from first to last */
    double used;           /* lines, as above */
    double used_error;     /* standard deviation */
    bool used_least;       /* too few pairs: it is at least 'used' (95 %) */
};

struct stride_reuse stride_reuse_of(const struct stride_access *accesses, uint32_t count);

#endif
