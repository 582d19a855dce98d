/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/noise/noise_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/terminal.h"

bool noise_files_read(struct noise_files *files, const struct run_list *list)
{
    char error[1024];

    *files = (struct noise_files){.file = must_alloc(list->count, sizeof(*files->file))};
    for (uint32_t i = 0; i < list->count; i++) {
        enum noise_file_state state;

        if (access(list->path[i], F_OK) != 0) { /* before it is taken for a run of another kind */
            complain("%s: %s", list->path[i], strerror(errno));
            return false;
        }
        state = noise_file_read(&files->file[files->count], list->path[i], error, sizeof(error));
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
