/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * codemap: walks the workload code of the linked image and writes the code map (core/ibs/codemap.h).
 *
 *   codemap emit FILE.elf                 the map as C source, on standard output
 *   codemap list FILE.elf                 a listing: address, length, text, function, source line
 *   codemap list --range A:B FILE         the same of any ELF file, hexadecimal addresses A to B; A:0 is all of .text
 *   codemap check FILE.elf                does the map inside the image belong to the code inside the image?
 *
 * Status 0: done. 1: the file is not as it should be. 2: wrong usage.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/ibs/codemap.h"
#include "tools/codemap/emit.h"
#include "tools/codemap/image.h"

static int usage(void)
{
    fprintf(stderr, "usage: codemap emit|list|check FILE.elf, or codemap list --range START:END FILE\n");
    return 2;
}

static int list_range(const char *range, const char *path)
{
    char *colon, *rest;
    uint64_t start = strtoull(range, &colon, 16);
    if (*colon != ':')
        return usage();
    uint64_t end = strtoull(colon + 1, &rest, 16);
    if (*rest != '\0' || rest == colon + 1)
        return usage();
    struct image image;
    image_open_range(&image, path, start, end);
    list_sweep(&image);
    return 0;
}

int main(int argc, char **argv)
{
    struct image image;
    if (argc == 5 && strcmp(argv[1], "list") == 0 && strcmp(argv[2], "--range") == 0)
        return list_range(argv[3], argv[4]);
    if (argc != 3)
        return usage();
    if (strcmp(argv[1], "emit") == 0) {
        image_open_workloads(&image, argv[2]);
        emit_map(&image);
    } else if (strcmp(argv[1], "list") == 0) {
        image_open_workloads(&image, argv[2]);
        list_functions(&image);
    } else if (strcmp(argv[1], "check") == 0) {
        image_open_workloads(&image, argv[2]);
        check_map(&image);
    } else {
        return usage();
    }
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "codemap: standard output cannot be written\n");
        return 1;
    }
    return 0;
}
