/* SPDX-License-Identifier: BSD-2-Clause */
/* Noise runs in a list of runs. */
#ifndef TOOLS_IBSPROF_NOISE_FILES_H
#define TOOLS_IBSPROF_NOISE_FILES_H

#include "tools/ibsprof/noise/noise_file.h"
#include "tools/ibsprof/read/run_folder.h"

struct noise_files {
    struct noise_file *file;
    uint32_t count;
};

/* Reads the noise runs of the list, and skips others. Returns false, after a complaint, if one is damaged. */
bool noise_files_read(struct noise_files *files, const struct run_list *list);
void noise_files_free(struct noise_files *files);

#endif
