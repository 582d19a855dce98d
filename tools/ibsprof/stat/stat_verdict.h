/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From intervals and p-values to verdicts.
 */
#ifndef TOOLS_IBSPROF_STAT_VERDICT_H
#define TOOLS_IBSPROF_STAT_VERDICT_H

#include "tools/ibsprof/stat/stat_prop.h"

/* "Not significant" is not "the same": equality within a margin is a separate claim, with its own test. */
enum stat_verdict {
    VERDICT_DIFFERENT,    /* significant, and not shown to be within the margin */
    VERDICT_EQUIVALENT,   /* within the margin, and no significant difference */
    VERDICT_BOTH,         /* a real difference, and it is within the margin: tiny */
    VERDICT_INCONCLUSIVE, /* neither: more samples are needed */
    VERDICT_ONE_RUN,      /* of a whole comparison: a side is one run, so nothing is shown of the sides */
    VERDICTS,
};
extern const char *const stat_verdict_names[VERDICTS + 1]; /* NULL after the last */
const char *stat_verdict_name(enum stat_verdict verdict);

/* Within the margin: |p_b - p_a| < absolute, or |p_b - p_a| < relative * p_a, whichever is larger at a's share. */
struct stat_margin {
    double absolute; /* 0.005: half a percentage point */
    double relative; /* 0.05: 5 % of a's share */
};

/* The margin of a rate, 'widest' being that of shares. A point of a share is the same amount of the workload whichever
 * instruction has it; a point of a miss rate is nothing where half of the loads miss, and everything where one in a
 * hundred does. So the absolute margin is a tenth of the rate of both sides together: never more than the widest, and
 * never less than 0.05 % of all samples, of which 'part' (above 0) are the rate's, as a rate of 0 could not be shown to
 * be equal to anything. */
struct stat_margin stat_rate_margin(struct stat_margin widest, const struct stat_estimate *a,
                                    const struct stat_estimate *b, double part);

/* Returns the larger of the two, in the unit of p. */
double stat_margin_at(struct stat_margin margin, const struct stat_estimate *a);

/* Two one-sided tests at 'alpha' each (D.J. Schuirmann, J. Pharmacokinet. Biopharm. 15, 1987): true when both reject.
 * 'difference' was made at level 1 - alpha. The absolute margin is judged by its 1 - 2 alpha interval, the relative one
 * by the contrasts p_b - (1 +- m) p_a. */
bool stat_equivalent(const struct stat_estimate *a, const struct stat_estimate *b,
                     const struct stat_difference *difference, struct stat_margin margin, double alpha);

/* By how much both sides' numbers of samples must grow for stat_equivalent to hold with 'power', if there is no
 * difference at all. Below 1: there were enough. */
double stat_samples_factor(const struct stat_estimate *a, const struct stat_estimate *b, struct stat_margin margin,
                           double alpha, double power);

enum stat_verdict stat_judge(bool significant, bool equivalent);

/* Benjamini and Hochberg's q for each p (J. R. Stat. Soc. B 57, 1995): rejecting all with q <= 0.05 keeps the expected
 * share of false ones among them at 5 %. */
void stat_fdr(const double *p, double *ret_q, uint32_t count);

#endif
