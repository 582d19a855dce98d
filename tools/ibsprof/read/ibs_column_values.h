/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Columns of ibs_columns.c whose value is not just a register's field as a number: a function each. The caller has
 * checked that the field exists and is valid, except for the source with its node and state.
 */
#ifndef TOOLS_IBSPROF_IBS_COLUMN_VALUES_H
#define TOOLS_IBSPROF_IBS_COLUMN_VALUES_H

#include "tools/ibsprof/read/ibs_columns.h"

#define PUT(name) char *put_##name(const struct ibs_layout *layout, const struct perfdata_item *sample, char *to)

/* Columns of both kinds of samples. */
PUT(time);
PUT(cpu);
PUT(tid);
PUT(pid);
PUT(kernel);

/* Columns of ops. */
PUT(op_max_cnt);
PUT(source);
PUT(node);
PUT(state);
PUT(mab);
PUT(width);
PUT(dc_page_size);
PUT(phys_addr);
PUT(target);
PUT(ld_resync);

/* Columns of fetches. */
PUT(fetch_phys_addr);
PUT(fetch_max_cnt);
PUT(page_size);
PUT(itlb_latency);

/* Writes text without NUL; returns its end. */
char *put_text(char *to, const char *text);

#endif
