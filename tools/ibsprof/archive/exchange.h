/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An archive as a folder of CSV files, for other programs (DuckDB, ClickHouse, Spark) and for another archive:
 * schema.json says what is in them, figures/machine=KEY/figures.csv has the figures of one machine, and contents/ the
 * runs' own files by their SHA-256. The same runs give the same files, byte for byte, whatever database they are in.
 */
#ifndef TOOLS_IBSPROF_ARCHIVE_EXCHANGE_H
#define TOOLS_IBSPROF_ARCHIVE_EXCHANGE_H

#include "tools/ibsprof/archive/add.h"

enum { EXCHANGE_COLUMNS = 17 };

struct exchange_table {
    const char *name, *path; /* of its file; partitioned: "%s" is the value of the first column, which the file lacks */
    bool partitioned;
    const char *columns[EXCHANGE_COLUMNS + 1];
    uint32_t numbers; /* a bit for each column that is a whole number */
    const char *select;
};
enum { EXCHANGE_MACHINES, EXCHANGE_SNAPSHOTS, EXCHANGE_RUNS, EXCHANGE_FILES, EXCHANGE_FIGURES, EXCHANGE_TABLES };
extern const struct exchange_table exchange_tables[EXCHANGE_TABLES];

/* Writes into a folder that is made, or is empty. False after a complaint. */
bool archive_export(struct archive *archive, const char *folder);

/* Adds the runs of such a folder. A run whose files are not those that its digest is of is refused. False as above. */
bool archive_import(struct archive *archive, const char *folder, struct add_sums *sums);

#endif
