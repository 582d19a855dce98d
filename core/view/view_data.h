/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where a view's figures come from: one interface over the profile of IBS samples and that of counter samples. For what
 * writes tables: view*.c, and the host's other forms of them.
 */
#ifndef CORE_VIEW_DATA_H
#define CORE_VIEW_DATA_H

#include "core/view/view.h"

/* Samples of a row by enum derived, or by the events of the counters' profile. */
enum { VIEW_VALUES = (int)DERIVED_COUNT > (int)PMC_PROFILE_EVENTS ? (int)DERIVED_COUNT : (int)PMC_PROFILE_EVENTS };

struct view_data {
    const struct view *view;
    const struct levels *levels;
    const struct profile *profile; /* IBS samples; or */
    const struct pmc_profile *pmc; /* counter samples: the other one is NULL */
    const uint32_t *order;         /* as in struct view_options */
    uint64_t total[VIEW_VALUES];
    uint64_t outside[VIEW_VALUES];
};

/* False, with a line that says why, when the view cannot be printed of these samples. One of the profiles is NULL. */
bool view_data_init(struct view_data *data, const struct view *view, const struct profile *profile,
                    const struct pmc_profile *pmc, struct out *problem);

/* The row has no sample: each of its values is 0. Most rows of instructions are so, and this is far quicker than their
 * sum. */
bool view_data_empty(const struct view_data *data, enum profile_level level, uint32_t index);

/* The values of one row of a level: samples. */
void view_data_sum(const struct view_data *data, enum profile_level level, uint32_t index,
                   uint64_t values[VIEW_VALUES]);

/* An operand's samples. */
uint64_t view_data_samples(const struct view_data *data, uint16_t operand, const uint64_t *values);

/* The figure of a column in a row: left * scale / right; of VIEW_COUNT left, and right is 1. right 0: there is none. */
struct view_figure {
    uint64_t left, right;
};
struct view_figure view_data_figure(const struct view_data *data, unsigned column, const uint64_t *values);

/* "IBS DC miss", "Data cache misses". */
const char *view_data_name(const struct view_data *data, uint16_t operand);

/* The row with the most samples of an operand, or -1 when all are 0. The lowest of equals. */
int32_t view_data_hottest(const struct view_data *data, enum profile_level level, uint16_t operand);

/* The row has as many samples of an operand as the hottest one, which has 'most', but for chance (stats_alike). Of sums
 * of cycles, whose spread the profile does not have: exactly as many. */
bool view_data_hot(const struct view_data *data, uint16_t operand, uint64_t most, const uint64_t *values);

/* The number of such rows. */
uint32_t view_data_hot_rows(const struct view_data *data, enum profile_level level, uint16_t operand, uint64_t most);

#endif
