/* SPDX-License-Identifier: BSD-2-Clause */
/* Says of a run that was received whether it is complete, or what is missing and the commands that ask for it again. */
#ifndef TOOLS_IBSPROF_RECEIVED_H
#define TOOLS_IBSPROF_RECEIVED_H

#include <stdio.h>

#include "tools/ibsprof/receive/collect.h"

void received_print(FILE *to, const struct received_run *run, const char *folder);

#endif
