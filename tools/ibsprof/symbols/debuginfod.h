/* SPDX-License-Identifier: BSD-2-Clause */
/* Gets files from the servers of DEBUGINFOD_URLS by elfutils' client library, which is not loaded without that
 * variable. */
#ifndef TOOLS_IBSPROF_DEBUGINFOD_H
#define TOOLS_IBSPROF_DEBUGINFOD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the path of a build-id's file in the client's cache, which is tried before the servers: the program, or its
 * debugging information. To be freed; NULL: no server has it, or none is named. */
char *debuginfod_file(const uint8_t *build_id, size_t size, bool debug);

#endif
