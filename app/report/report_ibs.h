/* SPDX-License-Identifier: BSD-2-Clause */
/* The part of the machine report that says what IBS can do. */
#ifndef APP_REPORT_IBS_H
#define APP_REPORT_IBS_H

#include "core/base/out.h"
#include "drivers/machine/machine.h"

void report_ibs(struct out *out, const struct machine *machine);

#endif
