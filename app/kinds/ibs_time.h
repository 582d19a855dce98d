/* SPDX-License-Identifier: BSD-2-Clause */
/* Estimated time of instructions, where ops were counted and a reference has the cycles. */
#ifndef APP_KINDS_IBS_TIME_H
#define APP_KINDS_IBS_TIME_H

#include "app/run/kind.h"

/* Takes the memory if the plan allows an estimate; false after a line in 'problems'. */
bool ibs_time_prepare(struct run *run, struct out *problems);
/* An op sample, at the instruction or, -1, outside of the map; not the handler's. */
void ibs_time_add(struct run *run, int32_t insn, const struct sample_record *record);
/* All samples are there. */
void ibs_time_estimate(struct run *run);

/* After an empty line the table, or that there is no estimate; nothing where none was to be made. */
void ibs_time_print(struct out *out, const struct run *run);
bool ibs_time_known(const struct run *run);
void ibs_time_csv(struct out *out, const struct run *run);

#endif
