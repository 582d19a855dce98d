/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the ELF file of an object by name and build-id. Only for object.c. */
#ifndef TOOLS_IBSPROF_OBJECT_FIND_H
#define TOOLS_IBSPROF_OBJECT_FIND_H

#include "tools/ibsprof/symbols/elf_file.h"
#include "tools/ibsprof/symbols/object.h"

struct object_files {
    struct elf_file *code;    /* NULL: none */
    struct elf_file *symbols; /* 'code', or a file of debugging information with the same build-id */
    char *path;               /* path of 'code'; to be freed */
    char why_not[200];        /* reason if 'code' is NULL */
};

void object_find(struct object_files *files, const struct object_search *search, const char *name,
                 const uint8_t *build_id, size_t build_id_size);

#endif
