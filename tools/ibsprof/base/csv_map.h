/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Makes a code map from a run's CSV (profile.csv, pmc.csv), which has a row for every instruction of the workload's
 * sampled functions, with function, source line and text (core/profile/csv.h). It replaces the ELF file of a run that
 * was copied without it.
 */
#ifndef TOOLS_IBSPROF_CSV_MAP_H
#define TOOLS_IBSPROF_CSV_MAP_H

#include <stdbool.h>
#include <stdio.h>

#include "core/ibs/codemap.h"
#include "tools/ibsprof/base/csv_file.h"

enum { CSV_MAP_FIELDS = 5 }; /* rva, function, file, line, instruction */

struct csv_map {
    struct codemap map; /* valid after csv_map_finish() */
    struct codemap_insn *insns;
    struct codemap_func *funcs;
    uint32_t *files, *names; /* names: function name of each instruction */
    char *strings;
    uint32_t insn_count, insn_room, file_count, string_size, string_room;
};

/* Returns whether the file has these columns and at least one more. */
bool csv_map_has(const struct csv_file *csv);

/* Adds a row. Returns NULL, or the error. */
const char *csv_map_add(struct csv_map *map, char *const fields[]);

/* Reads all rows of profile.csv or pmc.csv. Returns false if the file is neither, or damaged. */
bool csv_map_read(struct csv_map *map, FILE *file);

/* Adds the rows of another map, except for those already present. */
void csv_map_copy(struct csv_map *map, const struct csv_map *from);

/* Fills map->map; no row can be added afterwards. */
void csv_map_finish(struct csv_map *map);
void csv_map_free(struct csv_map *map);

#endif
