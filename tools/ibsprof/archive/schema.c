/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/archive/schema.h"

#include <stddef.h>

/* Times are texts of ISO 8601, digests are SHA-256 in hexadecimal. */
static const char *const version_1[] = {
    "CREATE TABLE machine (id {id}, key TEXT NOT NULL UNIQUE, name TEXT, vendor TEXT, family BIGINT, model BIGINT, "
    "stepping BIGINT, product TEXT, board TEXT, serial TEXT, hostname TEXT)",
    "CREATE TABLE snapshot (id {id}, digest TEXT NOT NULL UNIQUE, body TEXT NOT NULL)",
    "CREATE TABLE code (id {id}, object TEXT NOT NULL, function TEXT NOT NULL, place BIGINT NOT NULL, "
    "source TEXT NOT NULL, instruction TEXT NOT NULL, UNIQUE (function, place, instruction, object, source))",
    "CREATE TABLE event (id {id}, name TEXT NOT NULL UNIQUE)",
    "CREATE TABLE run (id {id}, digest TEXT NOT NULL UNIQUE, machine BIGINT NOT NULL REFERENCES machine, name TEXT, "
    "started TEXT, workload TEXT, config TEXT, firmware TEXT, kernel TEXT, figures TEXT, samples BIGINT, result TEXT, "
    "selftest TEXT, certificate TEXT, note TEXT, silicon BIGINT REFERENCES snapshot, "
    "settings BIGINT REFERENCES snapshot, facts BIGINT REFERENCES snapshot)",
    "CREATE TABLE figure (code BIGINT NOT NULL, event BIGINT NOT NULL, run BIGINT NOT NULL, count BIGINT NOT NULL, "
    "PRIMARY KEY (code, event, run)) {cluster}",
    "CREATE TABLE content (digest TEXT PRIMARY KEY, bytes {blob} NOT NULL)",
    "CREATE TABLE run_file (run BIGINT NOT NULL, name TEXT NOT NULL, digest TEXT NOT NULL, "
    "PRIMARY KEY (run, name)) {cluster}",
    NULL,
};

/* Sums of functions, and of the whole run: code with this place, and without function. */
static const char *const version_2[] = {
    "INSERT INTO code (function, place, instruction, object, source) SELECT DISTINCT function, " ARCHIVE_WHOLE
    ", '', object, '' FROM code WHERE function <> '' OR object <> ''",
    "INSERT INTO code (function, place, instruction, object, source) VALUES ('', " ARCHIVE_WHOLE ", '', '', '')",
    "INSERT INTO figure (code, event, run, count) SELECT whole.id, figure.event, figure.run, "
    "CAST(SUM(figure.count) AS BIGINT) FROM figure JOIN code ON code.id = figure.code JOIN code AS whole ON "
    "whole.place = " ARCHIVE_WHOLE " AND ((whole.function = code.function AND whole.object = code.object) OR "
    "(whole.function = '' AND whole.object = '')) WHERE code.place <> " ARCHIVE_WHOLE
    " GROUP BY whole.id, figure.event, figure.run",
    NULL,
};

/* Sums of an instruction are read from the key's index alone, also where a table is not kept in its order. */
static const char *const version_3[] = {"{cover}", NULL};

const char *const *const archive_steps[ARCHIVE_VERSION] = {version_1, version_2, version_3};

const struct archive_dictionary_row archive_dictionaries[ARCHIVE_DICTIONARIES] = {
    [ARCHIVE_MACHINES] = {10, 1,
                          "INSERT INTO machine (key, name, vendor, family, model, stepping, product, board, serial, "
                          "hostname) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING",
                          "SELECT id FROM machine WHERE key = $1"},
    [ARCHIVE_SNAPSHOTS] = {2, 1, "INSERT INTO snapshot (digest, body) VALUES ($1, $2) ON CONFLICT DO NOTHING",
                           "SELECT id FROM snapshot WHERE digest = $1"},
    [ARCHIVE_CODE] = {5, 5,
                      "INSERT INTO code (function, place, instruction, object, source) VALUES ($1, $2, $3, $4, $5) "
                      "ON CONFLICT DO NOTHING",
                      "SELECT id FROM code WHERE function = $1 AND place = $2 AND instruction = $3 AND object = $4 "
                      "AND source = $5"},
    [ARCHIVE_EVENTS] = {1, 1, "INSERT INTO event (name) VALUES ($1) ON CONFLICT DO NOTHING",
                        "SELECT id FROM event WHERE name = $1"},
};
