/* SPDX-License-Identifier: BSD-2-Clause */
#include "drivers/trace/trace.h"

const struct trace_row trace_table[TRACE_STEPS] = {
#define TRACE_ROW(name, code, last, what) [TRACE_##name] = {code, last, what},
#include "drivers/trace/trace_rows.h"
#undef TRACE_ROW
};
