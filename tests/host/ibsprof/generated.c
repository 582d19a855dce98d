/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/host/ibsprof/generated.h"

#include <stdlib.h>

bool generated_info(struct perfdata_info *ret_info, char **words)
{
    static uint8_t build_id[20];

    for (unsigned i = 0; i < sizeof(build_id); i++)
        if (sscanf(words[0] + 2 * i, "%2hhx", &build_id[i]) != 1)
            return false;
    *ret_info = (struct perfdata_info){
        .vendor = "AuthenticAMD",
        .family = 16,
        .model = 4,
        .stepping = 2,
        .caps = 0x1f,
        .cores = 1,
        .tsc_khz = TSC_KHZ,
        .tsc0 = 1000000,
        .image_base = IMAGE_BASE,
        .text_rva = (uint32_t)strtoul(words[1], NULL, 16),
        .text_size = (uint32_t)strtoul(words[2], NULL, 16),
        .text_offset = (uint32_t)strtoul(words[3], NULL, 16),
        .build_id = build_id,
        .elf_name = "ibsboot.elf",
        .version = "test",
    };
    return true;
}

static int write_data(void *file, const void *data, size_t size)
{
    return fwrite(data, 1, size, file) == size ? 0 : -1;
}

FILE *generated_file(const char *folder, const char *name)
{
    char path[4096];
    FILE *file;

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    file = fopen(path, "wb");
    if (file == NULL) {
        perror(path);
        exit(1);
    }
    return file;
}

void generated_perfdata(FILE *file, const struct perfdata_info *info, const struct sample_record *records, size_t count)
{
    if (file == NULL || perfdata_write(info, records, count, write_data, file) != 0 || fclose(file) != 0) {
        fprintf(stderr, "%s: perf.data cannot be written\n", info->command);
        exit(1);
    }
}
