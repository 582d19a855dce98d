/* SPDX-License-Identifier: BSD-2-Clause */
/* 'ibsprof compare' of noise runs. */
#ifndef TOOLS_IBSPROF_COMPARE_MANY_H
#define TOOLS_IBSPROF_COMPARE_MANY_H

#include "tools/ibsprof/base/terminal.h"
#include "tools/ibsprof/noise/noise_compare.h"
#include "tools/ibsprof/read/run_folder.h"

/* Compares noise runs. Returns false if these are no noise runs; otherwise sets *ret_verdict, or *ret_code after a
 * complaint. */
bool compare_noise(const struct run_list sides[NOISE_SIDES], const struct noise_compare_options *options,
                   enum form form, const char *output, enum stat_verdict *ret_verdict, enum exit_code *ret_code);

#endif
