/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of formats, kinds and modes of samples in all outputs. */
#ifndef TOOLS_IBSPROF_INPUT_NAMES_H
#define TOOLS_IBSPROF_INPUT_NAMES_H

#include "tools/ibsprof/read/input.h"

const char *input_format_name(enum input_format format);
const char *input_kind_name(enum sample_kind kind); /* "fetch", "op", "counter" or "clock" */
const char *input_mode_name(uint8_t mode);          /* enum input_mode: "kernel"; "unknown" for other numbers */

/* Returns whether times are TSC ticks instead of nanoseconds. */
bool input_is_ticks(const struct input_facts *facts);

#endif
