/* SPDX-License-Identifier: BSD-2-Clause */
/* Roots, quotients and chance in integers. */
#ifndef CORE_STATS_H
#define CORE_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns floor(sqrt(x)). */
uint32_t stats_isqrt(uint64_t x);

/* Returns a * b / c rounded to the nearest, with a product of full length; UINT64_MAX if the result does not fit or c
 * is 0. */
uint64_t stats_mul_div(uint64_t a, uint64_t b, uint64_t c);

/* Returns whether two numbers of samples differ by no more than equal ones do by chance in 95 of 100 cases: by at most
 * 1.96 times the square root of their sum (Poisson). */
bool stats_alike(uint64_t a, uint64_t b);

/* Returns whether chance reaches this chi-square, in thousandths, less than once in a million times: it is above df +
 * 2 sqrt(14 df) + 28 (B. Laurent and P. Massart, Annals of Statistics 28, 2000, lemma 1). */
bool stats_chi2_certain(uint64_t chi2_milli, uint64_t df);

/* Returns sqrt((chi2 - df) / samples) in millionths: the root mean square deviation from the expectation, relative to
 * it, whatever the number of samples; 0 when chi2 <= df. */
uint32_t stats_dispersion_ppm(uint64_t chi2_milli, uint64_t df, uint64_t samples);

#endif
