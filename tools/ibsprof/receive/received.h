/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints whether a received run is complete, or what is missing and the commands that request it again. */
#ifndef TOOLS_IBSPROF_RECEIVED_H
#define TOOLS_IBSPROF_RECEIVED_H

#include <stdio.h>

#include "tools/ibsprof/receive/collect.h"

void received_print(FILE *to, const struct received_run *run, const char *folder);

#endif
