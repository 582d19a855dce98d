/* SPDX-License-Identifier: BSD-2-Clause */
/* ibsprof's reader of time.csv on any bytes. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tools/ibsprof/counters/time_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char folder[] = "/tmp/fuzz-time-XXXXXX", path[sizeof(folder) + sizeof("/time.csv")];

static void remove_folder(void)
{
    unlink(path);
    rmdir(folder);
}

static void check_part(const struct time_share_part *part)
{
    if (part->share > TIME_SHARE_MILLION || part->low > TIME_SHARE_MILLION || part->high > TIME_SHARE_MILLION)
        abort();
}

/* Requires shares of at most all, and a map whose instructions are in order. */
static void check(const struct time_file *file)
{
    const struct codemap *map = &file->map.map;

    check_part(&file->share.front);
    if (file->share.row_count != map->insn_count + 1)
        abort();
    for (uint32_t i = 0; i < file->share.row_count; i++)
        check_part(&file->rows[i].part);
    for (uint32_t i = 1; i < map->insn_count; i++)
        if (map->insns[i].rva <= map->insns[i - 1].rva)
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bool made;
    struct time_file file;
    FILE *to;

    if (!made && mkdtemp(folder) == NULL)
        abort();
    if (!made)
        atexit(remove_folder);
    made = true;
    snprintf(path, sizeof(path), "%s/time.csv", folder);
    to = fopen(path, "wb");
    if (!to || fwrite(data, 1, size, to) != size || fclose(to) != 0)
        abort();
    if (!time_file_read(&file, folder))
        return 0;
    check(&file);
    time_file_free(&file);
    return 0;
}
