/* 'ibsprof compare' of noise runs. */
#ifndef TOOLS_IBSPROF_COMPARE_MANY_H
#define TOOLS_IBSPROF_COMPARE_MANY_H

#include "tools/ibsprof/noise/noise_compare.h"
#include "tools/ibsprof/read/run_list.h"

enum { COMPARE_TEXT, COMPARE_CSV, COMPARE_JSON, COMPARE_HTML };

/* -1: these are no noise runs; else the exit status, with the verdict in *ret_verdict when it was written. */
int compare_noise(const struct run_list sides[NOISE_SIDES], const struct noise_compare_options *options, int format,
                  const char *output, enum stat_verdict *ret_verdict);

#endif
