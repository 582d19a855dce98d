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
 *
 * Memory does not depend on the number of samples: of more than STRIDE_PAIRS pairs, so many are drawn evenly, and
 * addresses are counted in ascending order.
 */
#ifndef TOOLS_IBSPROF_STRIDE_H
#define TOOLS_IBSPROF_STRIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/rng.h"

#define STRIDE_TOLERANCE 0.1
enum { STRIDE_PAIRS = 1 << 17 };

struct stride_access {
    uint64_t address;
    uint64_t ops, time; /* progress of the stream */
    uint32_t stream;    /* thread on a core, each with progress of its own */
    uint32_t load;      /* the load's number, for the caller */
};

/* Pairs of successive accesses of a load in one stream. Zeroed: none, of another load. */
struct stride_pairs {
    struct stride_pair *pair; /* to be freed; the memory may be used for the next load */
    uint32_t count;
    uint64_t seen; /* so many pairs, of which 'count' are kept */
    struct rng rng;
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

/* Begins the next load, with the memory of the last one. */
void stride_begin(struct stride_pairs *pairs);

/* Adds an access and the one before it, unless they are of two streams. To be called in the order of streams and their
 * progress. */
void stride_add(struct stride_pairs *pairs, const struct stride_access *before, const struct stride_access *access);

/* Estimates the stride. period: ops between samples of a stream, which yields executions between them. No stride is
 * reported if it contradicts the load's share of samples. 0: not known. */
struct stride stride_of(const struct stride_pairs *pairs, uint64_t period);

struct stride_reuse {
    uint32_t lines, pages; /* number of sampled lines and pages */
    uint64_t first, last;  /* lowest and highest address */
    double again;          /* share of samples in lines sampled before */
    double even;           /* the same share for samples spread evenly at random over the lines from first to last */
    double used;           /* estimated number of used lines, as above */
    double used_error;     /* standard deviation of 'used' */
    bool used_least;       /* too few pairs: 'used' is a lower limit (95 %) */
};

/* Sums of a load's addresses. Zeroed: none. */
struct stride_lines {
    struct stride_reuse reuse;
    uint64_t count, same; /* number of addresses; of them before the last one in its line */
    double shared;        /* pairs in one line */
};

/* Adds an address, the lowest first. */
void stride_line_add(struct stride_lines *lines, uint64_t address);

/* Returns what at least one address says. */
struct stride_reuse stride_reuse_of(const struct stride_lines *lines);

#endif
