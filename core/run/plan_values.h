/* SPDX-License-Identifier: BSD-2-Clause */
/* Lists of values in a plan: "4k | 2m", "4..16384 x2". */
#ifndef CORE_PLAN_VALUES_H
#define CORE_PLAN_VALUES_H

#include "core/base/out.h"
#include "core/run/settings_line.h"

/* Counts the values, up to 'most' + 1. Returns 0 if *ret_wrong is a bad range or an empty value. */
unsigned plan_values_count(struct settings_span value, unsigned most, struct settings_span *ret_wrong);

/* Writes the n-th value, from 0 on. */
void plan_values_write(struct settings_span value, unsigned n, struct out *out);

#endif
