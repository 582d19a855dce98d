/* SPDX-License-Identifier: BSD-2-Clause */
/* Draws the list of settings: the workload with its parameters first, then all others in the order of their table. */
#ifndef APP_SCREEN_LIST_H
#define APP_SCREEN_LIST_H

#include "app/prompt/face.h"
#include "app/settings/options.h"

enum { SCREEN_TOLD_MAX = 400 };

struct screen_list {
    const struct options *options;
    struct face_list list;
    uint8_t row[SETTINGS_ROWS_MAX]; /* row numbers of the options' table */
    char told[SCREEN_TOLD_MAX + 1]; /* cost of the run, or why it is impossible */
    bool can;                       /* the run is possible */
};

/* Finds the rows for the present workload; keeps the choice if that row still exists. */
void screen_list_find(struct screen_list *screen_list);

static inline const struct settings_row *screen_list_chosen(const struct screen_list *screen_list)
{
    return &screen_list->options->row[screen_list->row[screen_list->list.chosen]];
}

/* Draws the list, the explanation of the chosen row, and 'told'. */
void screen_list_draw(struct screen_list *screen_list, struct face *face);

/* Returns the row of the screen in which a value is typed. */
unsigned screen_list_typing(const struct face *face);

#endif
