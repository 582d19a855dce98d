/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A code map made of a run's own CSV (profile.csv, pmc.csv): a row per instruction of every function of the workload
 * that has samples, with function, source line and text (core/profile/csv.h). It stands in for the ELF file where a run
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
    struct codemap map; /* after csv_map_finish */
    struct codemap_insn *insns;
    struct codemap_func *funcs;
    uint32_t *files, *names; /* names: of the function of each instruction */
    char *strings;
    uint32_t insn_count, insn_room, file_count, string_size, string_room;
};

/* Are these the columns of such a file, and one more at least? */
bool csv_map_has(const struct csv_file *csv);

/* One row. NULL, or what is wrong with it. */
const char *csv_map_add(struct csv_map *map, char *const fields[]);

/* All rows of profile.csv or pmc.csv. False: it is none of these, or damaged. */
bool csv_map_read(struct csv_map *map, FILE *file);

/* The rows of another map too; those that are there already are left alone. */
void csv_map_copy(struct csv_map *map, const struct csv_map *from);

/* Fills map->map. No rows can be added afterwards. */
void csv_map_finish(struct csv_map *map);
void csv_map_free(struct csv_map *map);

#endif
