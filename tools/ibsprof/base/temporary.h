/* SPDX-License-Identifier: BSD-2-Clause */
/* Unnamed files, which are gone when they are closed. */
#ifndef TOOLS_IBSPROF_TEMPORARY_H
#define TOOLS_IBSPROF_TEMPORARY_H

#include <stdio.h>

/* Makes an empty file in TMPDIR, or else in /tmp, for writing and reading. Returns NULL with errno set. */
FILE *temporary_open(void);

#endif
