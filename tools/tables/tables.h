/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TOOLS_TABLES_TABLES_H
#define TOOLS_TABLES_TABLES_H

/* Prints the text of a cell: one line, with Markdown's cell separators escaped. Joins words broken at "-
 * ". */
void tables_cell(const char *text);

/* Prints the counter events of Family 10h, a table for each unit. */
void tables_events(void);

/* Prints the events of later families: a part for processors with the same events, with a table for each unit. */
void tables_events_later(void);

/* Prints which configurations of counters each family can run, without which events, or why not. */
void tables_configs(void);

#endif
