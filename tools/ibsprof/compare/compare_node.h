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
    bool known;             /* in each run of the side; otherwise nothing else is set */
    double mean, low, high; /* shares: 0..1; other figures unchanged. One run: low and high are NAN */
    double spread;          /* standard deviation between runs; NAN: one run */
    double repeats;         /* the same over repeats within a run, the largest of the node's events' and of the runs',
                               as a part of the event's mean; 0: runs were not repeated */
    double reliability;     /* the least of all runs */
    uint32_t flagged;       /* number of runs that exceed its threshold */
};

struct compare_node {
    struct compare_node_side side[SIDES];
    double difference, low, high; /* B less A */
    double p_value, q;
    double margin;
    bool judged; /* known, from at least two runs, on both sides; rows of IBS samples also need some spread */
    bool equivalent;
    enum stat_verdict verdict;
};

/* Computes mean and spread of values[runs], at least one; sets 'known'. */
void compare_node_sum_up(struct compare_node_side *side, const double *values, uint32_t runs);

/* Computes the difference of two known sides, and, if node->judged, intervals and p. least_variance: minimum for each
 * side's mean. The verdict is set once q is known. */
void compare_node_judge(struct compare_node *node, const double least_variance[SIDES], const uint32_t runs[SIDES],
                        double margin, double level);

/* Computes q and verdicts of the judged nodes among nodes[count], and counts verdicts in 'tally'. Returns the number of
 * judged nodes. */
uint32_t compare_nodes_conclude(struct compare_node *nodes, uint32_t count, double level, uint32_t tally[VERDICTS]);

/* Format of a node's figures. */
struct compare_node_form {
    const char *name, *unit;
    unsigned depth; /* level in a tree; 0: top */
    double scale;   /* factor to figures */
    int digits;     /* decimals */
};

static inline bool compare_node_known(const struct compare_node *node)
{
    return node->side[SIDE_A].known && node->side[SIDE_B].known;
}

/* Prints the name, then the figures of both sides. repeats: prints the spread over repeats instead of verdicts. */
void compare_node_text(FILE *to, const struct compare_node *node, const struct compare_node_form *form, bool repeats,
                       bool colour);

/* Writes a row with compare_csv's columns: 'column', the name, the unit; n is the number of runs. */
void compare_node_csv(FILE *to, const struct compare_node *node, const char *column,
                      const struct compare_node_form *form, const uint32_t runs[SIDES]);

/* Writes the keys a and b, and, if both are known, difference, p, q, margin and verdict, to the open object. */
void compare_node_json(struct json *json, const struct compare_node *node);

#endif
