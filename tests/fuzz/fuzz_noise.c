/* SPDX-License-Identifier: BSD-2-Clause */
/* ibsprof's reader of noise runs on any bytes: run.ini, a zero byte, and noise.csv. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/ibsprof/noise/noise_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char folder[] = "/tmp/fuzz-noise-XXXXXX";

static void write_file(const char *name, const uint8_t *data, size_t size)
{
    char path[64];
    FILE *file;

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    file = fopen(path, "wb");
    if (file == NULL || fwrite(data, 1, size, file) != size || fclose(file) != 0)
        abort();
}

static void remove_folder(void)
{
    static const char *const names[] = {"run.ini", "noise.csv"};
    char path[64];

    for (unsigned i = 0; i < 2; i++) {
        snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
        unlink(path);
    }
    rmdir(folder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *middle = size ? memchr(data, 0, size) : NULL;
    static bool made;
    struct noise_file file;
    size_t first = middle ? (size_t)(middle - data) : size;
    char error[600] = "";
    enum noise_file_state state;

    if (!made && mkdtemp(folder) == NULL)
        abort();
    if (!made)
        atexit(remove_folder);
    made = true;
    write_file("run.ini", data, first);
    write_file("noise.csv", middle ? middle + 1 : data, middle ? size - first - 1 : 0);
    state = noise_file_read(&file, folder, error, sizeof(error));
    if ((state == NOISE_FILE_DAMAGED) != (error[0] != '\0'))
        abort();
    if (state == NOISE_FILE_READ)
        noise_file_free(&file);
    return 0;
}
