/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An archive as a folder of CSV files, for other programs (DuckDB, ClickHouse, Spark) and other archives: schema.json
 * describes them, figures/machine=KEY/figures.csv has the figures of one machine, and contents/ the runs' files by
 * SHA-256. The same runs give the same files, byte for byte, from any database.
 */
#ifndef TOOLS_IBSPROF_ARCHIVE_EXCHANGE_H
#define TOOLS_IBSPROF_ARCHIVE_EXCHANGE_H

#include "tools/ibsprof/archive/add.h"

enum { EXCHANGE_COLUMNS = 17 };

struct exchange_table {
    const char *name, *path; /* of the file; partitioned: "%s" is the value of the first column, which the file omits */
    bool partitioned;
    const char *columns[EXCHANGE_COLUMNS + 1];
    uint32_t numbers; /* a bit for each column of integers */
    const char *select;
};
enum { EXCHANGE_MACHINES, EXCHANGE_SNAPSHOTS, EXCHANGE_RUNS, EXCHANGE_FILES, EXCHANGE_FIGURES, EXCHANGE_TABLES };
extern const struct exchange_table exchange_tables[EXCHANGE_TABLES];

/* Writes into a new or empty folder. Returns false after a complaint. */
bool archive_export(struct archive *archive, const char *folder);

/* Adds the runs of such a folder; refuses a run whose files do not match its digest. Returns false after a
 * complaint. */
bool archive_import(struct archive *archive, const char *folder, struct add_sums *sums);

#endif
