/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the ELF file of an object by its name and build-id. For object.c only. */
#ifndef TOOLS_IBSPROF_OBJECT_FIND_H
#define TOOLS_IBSPROF_OBJECT_FIND_H

#include "tools/ibsprof/symbols/elf_file.h"
#include "tools/ibsprof/symbols/object.h"

struct object_files {
    struct elf_file *code;    /* NULL: none */
    struct elf_file *symbols; /* of code, or of a file of debugging information with the same build-id */
    char *path;               /* of code; free it */
    char why_not[200];        /* when there is none */
};

void object_find(struct object_files *files, const struct object_search *search, const char *name,
                 const uint8_t *build_id, size_t build_id_size);

#endif
