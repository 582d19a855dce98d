/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by the reader of a file of views and the maker of a view. */
#ifndef TOOLS_IBSPROF_VIEWS_INSIDE_H
#define TOOLS_IBSPROF_VIEWS_INSIDE_H

#include <stddef.h>

#include "tools/ibsprof/views/views.h"

enum { VIEWS_TITLE_SIZE = 120, VIEWS_OWN_MAX = 2 * VIEW_COLUMNS + 1 };

/* A view with everything that it points to. */
struct user_view {
    struct view view;
    char name[VIEWS_NAME_MAX + 1], title[VIEWS_TEXT_MAX + 1], note[VIEWS_TEXT_MAX + 1];
    char titles[VIEW_COLUMNS][VIEWS_TITLE_SIZE]; /* in lines, as in core/view/view.h */
    struct view_own own[VIEWS_OWN_MAX];
    struct views_sum sums[VIEWS_OWN_MAX - 1]; /* two for each column */
    uint32_t *population;                     /* terms of the last sum */
    char own_names[VIEWS_OWN_MAX][VIEWS_TITLE_SIZE];
};

/* A view in a file, from its line [NAME] on. */
struct views_section {
    const char *file, *name;
    struct out *problems;
    unsigned line;
    const char *text; /* lines of the view, after as many empty lines as precede them in the file */
    size_t size;
    char title[VIEWS_TEXT_MAX + 1], note[VIEWS_TEXT_MAX + 1], sort[VIEWS_TEXT_MAX + 1];
    char columns[VIEW_COLUMNS][VIEWS_TEXT_MAX + 1];
};

/* Makes the view of a section. Returns NULL after reporting problems. */
struct user_view *views_make(struct views_section *section);

/* Returns where to write a problem, after "FILE:LINE: " with the line of the key; NULL: that of the section. */
struct out *views_problem(const struct views_section *section, const char *key);

#endif
