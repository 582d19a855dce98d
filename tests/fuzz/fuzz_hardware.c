/* SPDX-License-Identifier: BSD-2-Clause */
/* ibsprof's reader of hardware.csv on any bytes. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tools/ibsprof/hardware/hardware_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char path[] = "/tmp/fuzz-hardware-XXXXXX";

static void remove_file(void)
{
    unlink(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bool made;
    struct hardware_file file;
    char error[600] = "";
    FILE *to;
    int fd;

    if (!made && (fd = mkstemp(path)) < 0)
        abort();
    if (!made)
        atexit(remove_file);
    made = true;
    to = fopen(path, "wb");
    if (!to || fwrite(data, 1, size, to) != size || fclose(to) != 0)
        abort();
    if (hardware_file_read(&file, path, error, sizeof(error)) == (error[0] != '\0'))
        abort();
    for (uint32_t i = 0; i < file.rows; i++)
        if (hardware_file_find(&file, file.row[i].id) != &file.row[i])
            abort();
    hardware_file_free(&file);
    return 0;
}
