/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/report/tables/report_asked.h"

#include <stdio.h>
#include <string.h>

#include "tools/ibsprof/base/terminal.h"
#include "tools/ibsprof/views/views.h"

const char *report_ask_file(struct report_asked *asked, const char *path)
{
    if (asked->file_count == REPORT_FILES)
        return "may be given 16 times";
    asked->files[asked->file_count++] = path;
    return NULL;
}

const char *report_ask_view(struct report_asked *asked, const char *name)
{
    if (asked->name_count == REPORT_VIEWS)
        return "may be given 128 times";
    asked->names[asked->name_count++] = name;
    return NULL;
}

/* Adds all views whose names begin like this, if their events were counted. */
static void add_all(struct report_options *options, const char *begin)
{
    const struct view *view;

    options->all_views = true;
    for (unsigned i = 0; (view = views_at(options->own_views, i)); i++)
        if (strncmp(view->name, begin, strlen(begin)) == 0 && options->view_count < REPORT_VIEWS)
            options->views[options->view_count++] = view;
}

bool report_asked_find(const struct report_asked *asked, const char *run, bool usual, struct views *views,
                       struct report_options *options)
{
    bool good = true;

    options->own_views = views;
    for (unsigned i = 0; i < asked->file_count; i++)
        good &= views_load(views, asked->files[i]);
    if (usual || asked->name_count > 0)
        views_load_usual(views, run);
    for (unsigned i = 0; i < asked->name_count && good; i++) {
        const struct view *view = views_find(views, asked->names[i]);

        if (strcmp(asked->names[i], "all") == 0) {
            add_all(options, "");
        } else if (strcmp(asked->names[i], "all_data") == 0) {
            good = report_all_data(views, run);
            add_all(options, "all_data_");
        } else if (view) {
            options->views[options->view_count++] = view;
        } else if (strcmp(asked->names[i], "list") != 0) {
            complain("report: --view is a name that 'ibsprof report --view=list' lists, not '%s'", asked->names[i]);
            good = false;
        }
    }
    return good;
}

static bool has(const struct report_asked *asked, const char *name)
{
    for (unsigned i = 0; i < asked->name_count; i++)
        if (strcmp(asked->names[i], name) == 0)
            return true;
    return false;
}

bool report_asked_list(const struct report_asked *asked)
{
    return has(asked, "list");
}

bool report_asked_all_data(const struct report_asked *asked)
{
    return has(asked, "all_data");
}

void report_list_views(const struct views *views)
{
    const struct view *view;

    for (unsigned i = 0; (view = views_at(views, i)); i++)
        printf("%-24s%s: %s\n", view->name, view->title, view->what);
    printf("%-24s%s\n", "all_data", "All data: every event that was collected, in tables with a few columns");
    printf("%-24s%s\n", "exploration", "General Exploration: its tree, or CPI and rows by what --by says");
}

const char *report_view_word(unsigned n)
{
    static const char *const others[] = {"all_data", "exploration", "all", "list"};
    unsigned compiled = 0;

    while (view_at(compiled))
        compiled++;
    if (n < compiled)
        return view_at(n)->name;
    return n - compiled < sizeof(others) / sizeof(others[0]) ? others[n - compiled] : NULL;
}
