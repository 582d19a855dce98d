/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs for archives, writers that are killed, and a PostgreSQL server for the test. */
#ifndef TESTS_UNIT_IBSPROF_ARCHIVED_H
#define TESTS_UNIT_IBSPROF_ARCHIVED_H

#include "tests/unit/ibsprof/tool.h"
#include "tools/ibsprof/archive/archive.h"

#define ARCHIVED_MAP "rva,function,file,line,instruction,"

/* Writes a file in the tests' folder. */
void archived_put(const char *folder, const char *name, const char *text);

/* Makes two runs of one machine, a copy of one of them, one of another machine, and an unfinished one. */
void archived_make_runs(const char *folder);

/* Runs "ibsprof archive VERB PLACE [OPERAND] [OPTION]"; the operand is a name in the tests' folder; NULL: none. */
struct tool_result archived_run(const char *verb, const char *place, const char *operand, const char *option);

/* Return the number, or the text, that is the result of a statement. */
int64_t archived_number(struct archive *archive, const char *sql);
void archived_holds(struct archive *archive, const char *sql, const char *wanted);

/* Asserts that a statement's four columns are NULL, 5, the text "x" and the bytes 1 and 2. */
void archived_has_types(struct archive *archive, const char *sql);

/* Adds 60 runs to this place by four writers, one of which is killed twelve times, and asserts that each is there
 * exactly once. */
void archived_stress(const char *place);

/* Starts a server in a temporary folder, as a user without rights. Returns the place of its database; NULL: PostgreSQL
 * is not installed. */
const char *archived_server_start(void);
void archived_server_stop(void);

#endif
