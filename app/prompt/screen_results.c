/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/prompt/screen.h"

#include "app/base/pool.h"
#include "core/base/mem.h"
#include "core/view/two_runs.h"

enum {
    BESIDE = 26,               /* columns beside the name: the number before it, time and verdict after it */
    COMPARED_BYTES = 64 << 10, /* more than the instructions of any two runs need */
};

/* Marked results: A, the first, and B. */
struct marks {
    unsigned count, row[2];
};

static void mark(struct marks *marks, unsigned row)
{
    for (unsigned i = 0; i < marks->count; i++) {
        if (marks->row[i] != row)
            continue;
        marks->row[0] = marks->row[1 - i];
        marks->count--;
        return;
    }
    if (marks->count == 2)
        marks->row[0] = marks->row[--marks->count];
    marks->row[marks->count++] = row;
}

static char mark_of(const struct marks *marks, unsigned row)
{
    for (unsigned i = 0; i < marks->count; i++)
        if (marks->row[i] == row)
            return (char)('A' + i);
    return ' ';
}

static void draw(const struct results *results, const struct face_list *list, const struct marks *marks,
                 struct face *face)
{
    struct screen *screen = face->screen;
    int name = (int)screen->columns - BESIDE < RESULTS_NAME_MAX ? (int)screen->columns - BESIDE : RESULTS_NAME_MAX;

    screen_clear(screen);
    if (!results->count)
        (void)screen_text(screen, 1, 0, PAINT_PLAIN, "There has been no run yet.");
    for (unsigned i = 0; i < list->rows && list->top + i < results->count; i++) {
        unsigned n = list->top + i;
        const struct result *row = &results->row[n];
        enum paint paint = row->good && row->saved ? PAINT_PLAIN : PAINT_BAD;

        (void)screen_text(screen, 1 + i, 0, paint, "%c%3u%c %-*.*s %4lu.%lu s  %s", n == list->chosen ? '>' : ' ',
                          n + 1, mark_of(marks, n), name, name, row->name, row->ms / 1000, row->ms % 1000 / 100,
                          !row->good    ? "FAILED"
                          : !row->saved ? "NOT SAVED"
                                        : "good");
        if (n == list->chosen)
            screen_paint(screen, 1 + i, 0, screen->columns, PAINT_CHOSEN);
    }
    if (results->left)
        (void)screen_text(screen, screen->rows - 2, 0, PAINT_FAINT, "Older results, only in their folders: %u",
                          results->left);
    face_frame(face, "results of this boot",
               marks->count == 2 ? "arrows: choose  Enter: report  m: mark  c: compare A, B  q: back"
                                 : "arrows, number: choose  Enter: report  m: mark two  q: back");
    face_show(face, 1 + list->chosen - list->top);
}

void screen_result_read(struct face *face, const struct result *result)
{
    static const char no_text[] = "There was no memory for this report.\n";

    face_read(face, result->name, result->text ? result->text : no_text,
              result->text ? result->length : sizeof(no_text) - 1, result->heat);
}

/* Shows two results side by side. */
static void compare(struct face *face, const struct result *a, const struct result *b)
{
    static const char what[] = "A and B compared", no_memory[] = "There is no memory to compare them.\n";
    struct firmware *fw = face->console->fw;
    struct two_runs *two = NULL;
    struct out_memory memory;
    char *text = NULL;

    if (a->figures && b->figures)
        two = fw->allocate(fw, sizeof(*two), POOL_PAGE);
    if (two)
        text = fw->allocate(fw, COMPARED_BYTES, POOL_PAGE);
    if (text) {
        out_memory_init(&memory, text, COMPARED_BYTES);
        out_printf(&memory.out, "A: %s\nB: %s\n\n", a->name, b->name);
        two_runs_print(&memory.out, two, a->figures, b->figures);
        face_read(face, what, text, strlen(text), NULL);
        fw->release(fw, text, COMPARED_BYTES);
    } else {
        face_read(face, what, no_memory, sizeof(no_memory) - 1, NULL);
    }
    if (two)
        fw->release(fw, two, sizeof(*two));
}

void screen_results(struct face *face, const struct results *results)
{
    struct face_list list = {.count = results->count, .rows = face->screen->rows - 3};
    struct marks marks = {0};

    (void)face_list_take(&list, KEY_END);
    for (;;) {
        int key;

        draw(results, &list, &marks, face);
        key = face_key(face, 60000);
        if (key == KEY_ESCAPE || key == 'q')
            return;
        if (face_list_take(&list, key) || !results->count)
            continue;
        if (key == KEY_ENTER)
            screen_result_read(face, &results->row[list.chosen]);
        else if (key == 'm')
            mark(&marks, list.chosen);
        else if (key == 'c' && marks.count == 2)
            compare(face, &results->row[marks.row[0]], &results->row[marks.row[1]]);
    }
}
