/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs that a program generates: the origin of their samples, and their files. */
#ifndef TESTS_HOST_IBSPROF_GENERATED_H
#define TESTS_HOST_IBSPROF_GENERATED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "core/perfdata/perfdata.h"

enum { IMAGE_BASE = 0x3e000000, TSC_KHZ = 3000000 };

/* Fills in a Family 10h processor and the image of four words: BUILD_ID TEXT_RVA TEXT_SIZE TEXT_OFFSET, in hexadecimal.
 * Returns false if the build-id has not 40 digits. */
bool generated_info(struct perfdata_info *ret_info, char **words);

/* Opens a file of a folder for writing, or ends the program. */
FILE *generated_file(const char *folder, const char *name);

/* Writes perf.data and closes the file, or ends the program; NULL: the file could not be opened. */
void generated_perfdata(FILE *file, const struct perfdata_info *info, const struct sample_record *records,
                        size_t count);

#endif
