/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where a view's figures come from: one interface over the profile of IBS samples and that of counter samples. For
 * view*.c, and the host's other forms of tables.
 */
#ifndef CORE_VIEW_DATA_H
#define CORE_VIEW_DATA_H

#include "core/view/view.h"

/* A row's samples, by enum derived or by the events of the counters' profile. */
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

/* Returns false, with a line that says why, if the view cannot be printed from these samples. One of the profiles is
 * NULL. */
bool view_data_init(struct view_data *data, const struct view *view, const struct profile *profile,
                    const struct pmc_profile *pmc, struct out *problem);

/* Returns whether each value of the row is 0. Most rows of instructions are empty, and this is far quicker than their
 * sum. */
bool view_data_empty(const struct view_data *data, enum profile_level level, uint32_t index);

/* Adds up the samples of one row of a level. */
void view_data_sum(const struct view_data *data, enum profile_level level, uint32_t index,
                   uint64_t values[VIEW_VALUES]);

/* Returns an operand's samples. */
uint64_t view_data_samples(const struct view_data *data, uint16_t operand, const uint64_t *values);

/* The figure of a column in a row: left * scale / right; VIEW_COUNT has right 1. right 0: no figure. */
struct view_figure {
    uint64_t left, right;
};
struct view_figure view_data_figure(const struct view_data *data, unsigned column, const uint64_t *values);

/* Returns an operand's name: "IBS DC miss", "Data cache misses". */
const char *view_data_name(const struct view_data *data, uint16_t operand);

/* Returns the row with the most samples of an operand, the lowest of equals; -1 when all are 0. */
int32_t view_data_hottest(const struct view_data *data, enum profile_level level, uint16_t operand);

/* Returns whether the row has as many samples of an operand as the hottest one, which has 'most', but for chance
 * (stats_alike). Sums of cycles, whose spread is unknown, must be equal. */
bool view_data_hot(const struct view_data *data, uint16_t operand, uint64_t most, const uint64_t *values);

/* Counts such rows. */
uint32_t view_data_hot_rows(const struct view_data *data, enum profile_level level, uint16_t operand, uint64_t most);

#endif
