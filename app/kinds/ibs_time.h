/* SPDX-License-Identifier: BSD-2-Clause */
/* Estimates the time of instructions from op samples, if ops were counted and a reference has the cycles. */
#ifndef APP_KINDS_IBS_TIME_H
#define APP_KINDS_IBS_TIME_H

#include "app/run/kind.h"

/* Takes memory if the plan allows an estimate. Returns false after a line in 'problems'. */
bool ibs_time_prepare(struct run *run, struct out *problems);
/* Adds an op sample at an instruction, or -1 outside of the map; the caller leaves out the handler's. */
void ibs_time_add(struct run *run, int32_t insn, const struct sample_record *record);
/* Computes the estimate after the last sample. */
void ibs_time_estimate(struct run *run);

/* Prints, after an empty line, the table, or that there is no estimate; prints nothing if none was wanted. */
void ibs_time_print(struct out *out, const struct run *run);
bool ibs_time_known(const struct run *run);
void ibs_time_csv(struct out *out, const struct run *run);

#endif
