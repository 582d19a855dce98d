/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TOOLS_TABLES_TABLES_H
#define TOOLS_TABLES_TABLES_H

/* Text in a cell: one line, without what Markdown would take for the cell's end. Words broken at "-\n" are joined. */
void tables_cell(const char *text);

/* The counter events of Family 10h, a table for each unit. */
void tables_events(void);

/* Prints the events of later families: a part for the processors that share events, in it a table for each unit. */
void tables_events_later(void);

/* Prints the configurations of counters on each family: runs, without what, or not, for which reason. */
void tables_configs(void);

#endif
