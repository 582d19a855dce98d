/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/prompt/screen.h"

enum { BESIDE = 26 /* columns beside the name: the number before it, time and verdict after it */ };

static void draw(const struct results *results, const struct face_list *list, struct face *face)
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

        (void)screen_text(screen, 1 + i, 0, paint, "%c%3u  %-*.*s %4lu.%lu s  %s", n == list->chosen ? '>' : ' ', n + 1,
                          name, name, row->name, row->ms / 1000, row->ms % 1000 / 100,
                          !row->good    ? "FAILED"
                          : !row->saved ? "NOT SAVED"
                                        : "good");
        if (n == list->chosen)
            screen_paint(screen, 1 + i, 0, screen->columns, PAINT_CHOSEN);
    }
    if (results->left)
        (void)screen_text(screen, screen->rows - 2, 0, PAINT_FAINT, "Older ones, in their folders alone: %u",
                          results->left);
    face_frame(face, "results of this boot", "arrows, number: choose   Enter: the report   q: back");
    face_show(face, 1 + list->chosen - list->top);
}

void screen_result_read(struct face *face, const struct result *result)
{
    static const char no_text[] = "There was no memory for this report.\n";

    face_read(face, result->name, result->text ? result->text : no_text,
              result->text ? result->length : sizeof(no_text) - 1, result->heat);
}

void screen_results(struct face *face, const struct results *results)
{
    struct face_list list = {.count = results->count, .rows = face->screen->rows - 3};

    (void)face_list_take(&list, KEY_END);
    for (;;) {
        const struct result *row = &results->row[list.chosen];
        int key;

        draw(results, &list, face);
        key = face_key(face, 60000);
        if (key == KEY_ESCAPE || key == 'q')
            return;
        if (!face_list_take(&list, key) && key == KEY_ENTER && results->count)
            screen_result_read(face, row);
    }
}
