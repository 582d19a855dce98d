/* SPDX-License-Identifier: BSD-2-Clause */
/* Files of views; their form is in views.h. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/views/views_inside.h"

/* Returns a line's length without its end; *ret_next is the next line. */
static size_t line_at(const char *at, const char *end, const char **ret_next)
{
    const char *newline = memchr(at, '\n', (size_t)(end - at));

    *ret_next = newline ? newline + 1 : end;
    return (size_t)((newline ? newline : end) - at);
}

/* Returns the line's first non-blank character; '\0': none. */
static char first_of(const char *line, size_t length)
{
    while (length > 0 && (*line == ' ' || *line == '\t' || *line == '\r'))
        line++, length--;
    return (char)(length > 0 ? *line : '\0');
}

/* Returns the name in "[dc_thousand]", and its length; NULL: the line does not begin with '['. */
static const char *section_name(const char *line, size_t size, size_t *length)
{
    const char *end;

    if (first_of(line, size) != '[')
        return NULL;
    end = memchr(line, ']', size);
    line = (const char *)memchr(line, '[', size) + 1;
    *length = end && end > line ? (size_t)(end - line) : 0;
    return line;
}

static bool is_name(const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!islower((unsigned char)name[i]) && !isdigit((unsigned char)name[i]) && name[i] != '_')
            return false;
    return length > 0 && length <= VIEWS_NAME_MAX && islower((unsigned char)name[0]);
}

static bool has(const struct views *views, const char *name)
{
    for (unsigned i = 0; i < views->count; i++)
        if (strcmp(views->view[i]->name, name) == 0)
            return true;
    return false;
}

static bool is_taken(const char *name)
{
    static const char *const words[] = {"all", "list", "all_data", "exploration"};

    for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (strcmp(words[i], name) == 0)
            return true;
    return view_find(name) != NULL;
}

/* Adds a section, whose text has only its keys, on the same lines as in the file. */
static bool add_section(struct views *views, struct views_section *section, const char *body, size_t size)
{
    unsigned before = section->line;
    char *text = must_alloc(before + size, 1);
    struct user_view *user;

    memset(text, '\n', before);
    if (size > 0)
        memcpy(text + before, body, size);
    section->text = text;
    section->size = before + size;
    user = views_make(section);
    free(text);
    if (user && has(views, user->name)) {
        free(user->population);
        free(user);
    } else if (user) {
        views->view[views->count++] = user;
    }
    return user != NULL;
}

/* Reads the section whose [NAME] precedes 'body'. */
static bool read_section(struct views *views, struct views_section *section, const char *name, size_t length,
                         const char *body, size_t size)
{
    char called[VIEWS_NAME_MAX + 1] = "";

    if (!is_name(name, length)) {
        out_printf(views_problem(section, NULL),
                   "a view's name has at most %d characters of a-z, 0-9 and _, as in [my_view]\n", VIEWS_NAME_MAX);
        return false;
    }
    memcpy(called, name, length);
    section->name = called;
    if (is_taken(called)) {
        out_printf(views_problem(section, NULL), "there is already a view with the name [%s]\n", called);
        return false;
    }
    if (views->count == VIEWS_MAX) {
        out_printf(views_problem(section, NULL), "there are more than %d views\n", VIEWS_MAX);
        return false;
    }
    return add_section(views, section, body, size);
}

bool views_parse(struct views *views, const char *name, const char *text, size_t size, struct out *problems)
{
    const char *end = text + size, *at = text, *next, *after, *found, *body;
    unsigned number = 1;
    bool good = true;

    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
        at += 3;
    for (; at < end; at = next, number++) {
        struct views_section section = {.file = name, .problems = problems, .line = number};
        size_t length = line_at(at, end, &next), ignored, called = 0;
        char first = first_of(at, length);

        if (first == '\0' || first == '#' || first == ';')
            continue;
        found = section_name(at, length, &called);
        if (!found) {
            out_printf(views_problem(&section, NULL),
                       "stands before the first [NAME]; each view begins with a line [NAME]\n");
            return false;
        }
        for (body = next; next < end; next = after, number++) {
            length = line_at(next, end, &after);
            if (section_name(next, length, &ignored))
                break;
        }
        good &= read_section(views, &section, found, called, body, (size_t)(next - body));
    }
    return good;
}

void views_free(struct views *views)
{
    for (unsigned i = 0; i < views->count; i++) {
        free(views->view[i]->population);
        free(views->view[i]);
    }
    *views = (struct views){0};
}

const struct view *views_view(const struct user_view *user)
{
    return &user->view;
}
