/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A figure of which each run has one value, over two sets of runs: the run is the unit of replication, as it is for
 * profiles.
 *
 *   mean and spread   over the runs of a side; the spread is their standard deviation
 *   difference        Welch's interval and test (B.L. Welch, Biometrika 34, 1947), q over all figures of a section
 *   equivalence       two one-sided tests, as stat_equivalent: the 1 - 2 alpha interval lies within the margin
 *
 * A mean is taken for no better known than its caller says (least_variance): runs of the virtual PMU may agree to the
 * last digit. One run on a side has no spread: nothing is judged.
 */
#ifndef TOOLS_IBSPROF_COMPARE_NODE_H
#define TOOLS_IBSPROF_COMPARE_NODE_H

#include "tools/ibsprof/base/json.h"
#include "tools/ibsprof/compare/compare.h"

struct compare_node_side {
    bool known;             /* in each of the side's runs; else nothing else is set */
    double mean, low, high; /* shares: 0..1; others as they are. One run: low and high are NAN */
    double spread;          /* standard deviation between runs; NAN: one run */
    double repeats;         /* the same over repeats within a run, the largest of the node's events' and of the runs',
                               as a part of the event's mean; 0: runs were not repeated */
    double reliability;     /* the least of the runs' */
    uint32_t flagged;       /* number of runs in which it is above its threshold */
};

struct compare_node {
    struct compare_node_side side[SIDES];
    double difference, low, high; /* B less A */
    double p_value, q;
    double margin;
    bool judged; /* known, with two runs or more, on both sides; of rows made of IBS samples, with some spread */
    bool equivalent;
    enum stat_verdict verdict;
};

/* Mean and spread of values[runs], at least one; both known from now on. */
void compare_node_sum_up(struct compare_node_side *side, const double *values, uint32_t runs);

/* Computes the difference of two sides that are known, and, if node->judged, intervals and p. least_variance: of each
 * side's mean. The verdict is set once q is known. */
void compare_node_judge(struct compare_node *node, const double least_variance[SIDES], const uint32_t runs[SIDES],
                        double margin, double level);

/* Computes q of the judged nodes among nodes[count], and their verdicts, which 'tally' counts. Returns how many there
 * are. */
uint32_t compare_nodes_conclude(struct compare_node *nodes, uint32_t count, double level, uint32_t tally[VERDICTS]);

/* How the figures of a node are written. */
struct compare_node_form {
    const char *name, *unit;
    unsigned depth; /* in a tree; 0: its top */
    double scale;   /* figures are multiplied by this */
    int digits;     /* behind the point */
};

static inline bool compare_node_known(const struct compare_node *node)
{
    return node->side[SIDE_A].known && node->side[SIDE_B].known;
}

/* Two lines: the name, and the figures of both sides. repeats: without verdicts, print the spread over repeats. */
void compare_node_text(FILE *to, const struct compare_node *node, const struct compare_node_form *form, bool repeats,
                       bool colour);

/* A row with compare_csv's columns: 'column', the name, the unit; n is the number of runs. */
void compare_node_csv(FILE *to, const struct compare_node *node, const char *column,
                      const struct compare_node_form *form, const uint32_t runs[SIDES]);

/* The keys a, b, and, where both are known, difference, p, q, margin and verdict, in the object that is open. */
void compare_node_json(struct json *json, const struct compare_node *node);

#endif
