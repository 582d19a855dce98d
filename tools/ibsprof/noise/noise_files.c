/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/noise/noise_files.h"

#include <stdlib.h>

#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/terminal.h"

bool noise_files_read(struct noise_files *files, const struct run_list *list)
{
    char error[1024];

    *files = (struct noise_files){.file = must_alloc(list->count, sizeof(*files->file))};
    for (uint32_t i = 0; i < list->count; i++) {
        enum noise_file_state state = noise_file_read(&files->file[files->count], list->path[i], error, sizeof(error));

        if (state == NOISE_FILE_DAMAGED) {
            complain("%s", error);
            return false;
        }
        files->count += state == NOISE_FILE_READ;
    }
    return true;
}

void noise_files_free(struct noise_files *files)
{
    for (uint32_t i = 0; i < files->count; i++)
        noise_file_free(&files->file[i]);
    free(files->file);
}
