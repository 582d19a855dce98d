/* SPDX-License-Identifier: BSD-2-Clause */
/* Files of views from hostile bytes: every view that is taken is sound, its formulas read back the same, and what is
 * wrong is told in whole printable lines. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/views/views.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
    if (!holds)
        abort();
}

static char last;

static void take(struct out *out, const char *text, size_t length)
{
    (void)out;
    for (size_t i = 0; i < length; i++)
        last = text[i];
}

static void reads_back(const struct view *view, const struct view_column *column)
{
    char text[1000], *all;
    struct views_formula formula;
    struct out_memory memory;
    struct out nowhere = {.write = take};

    out_memory_init(&memory, text, sizeof(text));
    views_write_formula(view, column, &memory.out);
    check(memory.needed < sizeof(text));
    all = strstr(text, "/all ");
    if (all)
        all[4] = '\0';
    check(views_formula_parse(text, &formula, &nowhere));
    check(formula.kind == column->kind);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct out problems = {.write = take};
    struct views views = {0};
    bool good;

    last = '\n';
    good = views_parse(&views, "fuzz", (const char *)data, size, &problems);
    check(last == '\n');
    for (unsigned i = 0; i < views.count; i++) {
        const struct view *view = views_view(views.view[i]);

        check(view_check(view, NULL));
        check(view->column_count > 0 && view->column_count <= VIEW_COLUMNS && view->sort <= view->column_count);
        for (unsigned c = 0; c < view->column_count; c++)
            reads_back(view, &view->columns[c]);
    }
    (void)good;
    views_free(&views);
    return 0;
}
