/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Derives verdicts from intervals and p-values.
 */
#ifndef TOOLS_IBSPROF_STAT_VERDICT_H
#define TOOLS_IBSPROF_STAT_VERDICT_H

#include "tools/ibsprof/stat/stat_prop.h"

/* "Not significant" is not "the same": equality within a margin is a separate claim, with its own test. */
enum stat_verdict {
    VERDICT_DIFFERENT,    /* significant, and not shown to be within the margin */
    VERDICT_EQUIVALENT,   /* within the margin, and no significant difference */
    VERDICT_BOTH,         /* a real difference, but within the margin: tiny */
    VERDICT_INCONCLUSIVE, /* neither: more samples are needed */
    VERDICT_ONE_RUN,      /* for a whole comparison: a side is a single run, so nothing is shown about the sides */
    VERDICTS,
};
extern const char *const stat_verdict_names[VERDICTS + 1]; /* NULL after the last */
const char *stat_verdict_name(enum stat_verdict verdict);

/* Within the margin means |p_b - p_a| < absolute, or |p_b - p_a| < relative * p_a, whichever is larger at a's share. */
struct stat_margin {
    double absolute; /* 0.005: half a percentage point */
    double relative; /* 0.05: 5 % of a's share */
};

/* Returns the margin of a rate; 'widest' is that of shares. A point of a share is the same amount of work for any
 * instruction; a point of a miss rate is negligible if half of the loads miss, and large if one in a hundred does. So
 * the absolute margin is a tenth of the rate of both sides together: at most the widest, and at least 0.05 % of all
 * samples, of which the rate has 'part' (above 0), since nothing could be shown to equal a rate of 0. */
struct stat_margin stat_rate_margin(struct stat_margin widest, const struct stat_estimate *a,
                                    const struct stat_estimate *b, double part);

/* Returns the larger of both margins, in the unit of p. */
double stat_margin_at(struct stat_margin margin, const struct stat_estimate *a);

/* Makes two one-sided tests at 'alpha' each (D.J. Schuirmann, J. Pharmacokinet. Biopharm. 15, 1987), and returns
 * whether both reject. 'difference' was made at level 1 - alpha. Its 1 - 2 alpha interval decides on the absolute
 * margin, the contrasts p_b - (1 +- m) p_a on the relative one. */
bool stat_equivalent(const struct stat_estimate *a, const struct stat_estimate *b,
                     const struct stat_difference *difference, struct stat_margin margin, double alpha);

/* Returns the factor by which both sides' numbers of samples must grow for stat_equivalent() to hold with 'power', if
 * there is no difference. Below 1: there were enough. */
double stat_samples_factor(const struct stat_estimate *a, const struct stat_estimate *b, struct stat_margin margin,
                           double alpha, double power);

enum stat_verdict stat_judge(bool significant, bool equivalent);

/* Computes Benjamini and Hochberg's q for each p (J. R. Stat. Soc. B 57, 1995): rejecting all with q <= 0.05 limits the
 * expected share of false rejections to 5 %. */
void stat_fdr(const double *p, double *ret_q, uint32_t count);

#endif
