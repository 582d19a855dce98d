/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Macros for the tables of views (view_table*.c).
 */
#ifndef CORE_VIEW_ROWS_H
#define CORE_VIEW_ROWS_H

#include "core/view/view.h"

/* clang-format off */
#define COLUMNS(...)                                                                                                   \
    .columns = {__VA_ARGS__}, .column_count = sizeof((struct view_column[]){__VA_ARGS__}) / sizeof(struct view_column)
#define VIEW_LEFT(kind_, title_, left_) .title = title_, .kind = kind_, .left = left_

/* Columns of IBS samples; operands are names of enum derived without DERIVED_. */
#define COUNT(title_, left_)           {VIEW_LEFT(VIEW_COUNT, title_, DERIVED_##left_)}
#define SHARE(title_, left_)           {VIEW_LEFT(VIEW_SHARE, title_, DERIVED_##left_), .decimals = 1, .scale = 100}
#define PERCENT(title_, left_, right_)                                                                                 \
    {VIEW_LEFT(VIEW_RATIO, title_, DERIVED_##left_), .right = DERIVED_##right_, .decimals = 1, .scale = 100}
#define AVERAGE(title_, left_, right_)                                                                                 \
    {VIEW_LEFT(VIEW_RATIO, title_, DERIVED_##left_), .right = DERIVED_##right_, .decimals = 2, .scale = 1}
#define SUM_PERCENT(title_, left_, plus_, right_)                                                                      \
    {VIEW_LEFT(VIEW_SUM, title_, DERIVED_##left_), .plus = DERIVED_##plus_, .right = DERIVED_##right_, .decimals = 1,  \
     .scale = 100}

/* Columns of counter samples; operands are meanings as in VIEW_<meaning>. A rate is per instruction, a ratio of related events in
 * percent (CodeAnalyst README_viewconfig.txt). */
#define SAMPLES(title_, left_)           {VIEW_LEFT(VIEW_COUNT, title_, VIEW_##left_)}
#define PER(title_, left_, right_)                                                                                     \
    {VIEW_LEFT(VIEW_RATIO, title_, VIEW_##left_), .right = VIEW_##right_, .decimals = 2, .scale = 1}
#define RATE(title_, left_)                                                                                            \
    {VIEW_LEFT(VIEW_RATIO, title_, VIEW_##left_), .right = VIEW_INSTRUCTIONS, .decimals = 4, .scale = 1}
#define SUM_RATE(title_, left_, plus_)                                                                                 \
    {VIEW_LEFT(VIEW_SUM, title_, VIEW_##left_), .plus = VIEW_##plus_, .right = VIEW_INSTRUCTIONS, .decimals = 4, .scale = 1}
#define RATIO(title_, left_, right_)                                                                                   \
    {VIEW_LEFT(VIEW_RATIO, title_, VIEW_##left_), .right = VIEW_##right_, .decimals = 1, .scale = 100}
/* clang-format on */

#endif
