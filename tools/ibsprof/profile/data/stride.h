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
    uint64_t ops, time; /* progress of the stream */
    uint32_t stream;    /* thread on a core, each with progress of its own */
};

enum stride_kind {
    STRIDE_FEW,    /* too few pairs */
    STRIDE_NONE,   /* random, or a regular order that changes between samples */
    STRIDE_FIXED,  /* one address */
    STRIDE_STEADY, /* a stride of 'bytes' */
};

struct stride {
    enum stride_kind kind;
    int64_t bytes;
    bool either;           /* up or down: equally many pairs for both */
    uint32_t pairs, agree; /* number of compared pairs, and of those that agree */
    uint64_t divisor;      /* largest common divisor of nine in ten differences of all pairs; 0: no difference */
};

/* Estimates the stride of accesses sorted by time. period: ops between samples of a stream, which yields executions
 * between them. No stride is reported if it contradicts the load's share of samples. 0: not known. */
struct stride stride_of(const struct stride_access *accesses, uint32_t count, uint64_t period);

struct stride_reuse {
    uint32_t lines, pages; /* number of sampled lines and pages */
    uint64_t first, last;  /* lowest and highest address */
    double again;          /* share of samples in lines sampled before */
    double even;           /* the same share for samples spread evenly at random over the lines from first to last */
    double used;           /* estimated number of used lines, as above */
    double used_error;     /* standard deviation of 'used' */
    bool used_least;       /* too few pairs: 'used' is a lower limit (95 %) */
};

struct stride_reuse stride_reuse_of(const struct stride_access *accesses, uint32_t count);

#endif
