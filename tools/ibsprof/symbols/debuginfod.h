/* SPDX-License-Identifier: BSD-2-Clause */
/* Files from the servers of DEBUGINFOD_URLS, by elfutils' client library. Nothing is asked, nor loaded, without it. */
#ifndef TOOLS_IBSPROF_DEBUGINFOD_H
#define TOOLS_IBSPROF_DEBUGINFOD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the path of the file of a build-id in the client's own cache, which is asked first: the program itself, or
 * its debugging information. Free it; NULL: no server has it, or none is named. */
char *debuginfod_file(const uint8_t *build_id, size_t size, bool debug);

#endif
