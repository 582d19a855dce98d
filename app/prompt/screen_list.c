/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/prompt/screen_list.h"

#include "core/base/mem.h"
#include "core/base/str.h"
#include "core/base/wrap.h"

/* Rows below the list: a line, the setting's meaning, a line, 'told', the keys. */
enum { EXPLAINED = 6, TOLD = 3, BELOW = 1 + EXPLAINED + 1 + TOLD + 1, KEY = 14, VALUE = 22, TEXT_MAX = 800 };

static bool is_param(const struct options *options, const struct settings_row *row)
{
    return row >= options->params.row;
}

void screen_list_find(struct screen_list *screen_list)
{
    const struct options *options = screen_list->options;
    const struct workload *workload = params_find_workload(options->workload);
    struct face_list *list = &screen_list->list;
    unsigned chosen = list->count ? screen_list->row[list->chosen] : 0;

    list->count = 0;
    for (unsigned i = 0; i < options->settings.count; i++) {
        if (is_param(options, &options->row[i]))
            break;
        screen_list->row[list->count++] = (uint8_t)i;
        for (unsigned k = 0; workload && options->row[i].value == options->workload && k < WORKLOAD_PARAMS_MAX; k++) {
            const char *name = workload->params[k].name;

            if (name)
                screen_list->row[list->count++] =
                    (uint8_t)(settings_find(&options->settings, name, strlen(name)) - options->row);
        }
    }
    list->chosen = 0;
    for (unsigned i = 0; i < list->count; i++)
        if (screen_list->row[i] == chosen)
            list->chosen = i;
}

/* Writes the effective value, and returns whether it is the default. */
static bool write_value(const struct options *options, const struct settings_row *row, char *value, size_t size)
{
    const struct workload *workload = params_find_workload(options->workload);
    struct out_memory text;

    out_memory_init(&text, value, size);
    settings_write_value(row, &text.out);
    if (!is_param(options, row) || !str_equal(value, "0"))
        return str_equal(value, row->initial);
    out_memory_init(&text, value, size);
    if (workload)
        out_printf(&text.out, "%u", workload->params[params_index(workload, row->key)].fallback);
    return true;
}

/* Returns the meaning; for a parameter the workload's own text, because others may have a parameter of that name. */
static const char *help_of(const struct options *options, const struct settings_row *row)
{
    const struct workload *workload = params_find_workload(options->workload);

    return is_param(options, row) && workload ? workload->params[params_index(workload, row->key)].help : row->help;
}

static void draw_row(const struct screen_list *screen_list, struct screen *screen, unsigned at, unsigned n)
{
    const struct options *options = screen_list->options;
    const struct settings_row *row = &options->row[screen_list->row[n]];
    const char *text = help_of(options, row);
    bool chosen = n == screen_list->list.chosen;
    char value[OPTIONS_TEXT_MAX + 1];
    bool initial = write_value(options, row, value, sizeof(value));
    unsigned column, room, help = 0;

    column = screen_text(screen, at, 0, PAINT_PLAIN, "%c%3u%c%-*s %-*.*s%s ", chosen ? '>' : ' ', n + 1,
                         initial ? ' ' : '*', KEY, row->key, VALUE, VALUE, value, strlen(value) > VALUE ? ">" : " ");
    room = screen->columns - column;
    while (text[help] && text[help] != '\n')
        help++;
    if (help <= room) {
        (void)screen_text(screen, at, column, PAINT_FAINT, "%.*s", (int)help, text);
    } else {
        for (help = room - 3; help && text[help] != ' '; help--)
            ;
        (void)screen_text(screen, at, column, PAINT_FAINT, "%.*s...", (int)help, text);
    }
    if (chosen)
        screen_paint(screen, at, 0, screen->columns, PAINT_CHOSEN);
}

/* Draws a line across the screen, with a text in it. */
static void draw_line(struct screen *screen, unsigned row, const char *text, const char *more)
{
    unsigned column = screen_text(screen, row, 0, PAINT_FAINT, "-- %s%s ", text, more);

    while (column < screen->columns)
        column = screen_text(screen, row, column, PAINT_FAINT, "-");
}

static void draw_wrapped(struct screen *screen, unsigned row, unsigned rows, enum paint paint, const char *text)
{
    struct screen_block block;

    screen_block_begin(&block, screen, row, row + rows, paint);
    wrap_text(&block.out, text, 0, 0, (int)screen->columns);
}

/* Writes the output of 'show' on a setting, for one screen. */
static void explain(const struct options *options, const struct settings_row *row, char *text, size_t size)
{
    const struct workload *workload = params_find_workload(options->workload);
    struct out_memory memory;

    out_memory_init(&memory, text, size);
    for (const char *c = help_of(options, row); *c; c++)
        out_printf(&memory.out, "%c", *c == '\n' ? ' ' : *c);
    out_printf(&memory.out, "\nAllowed: ");
    if (is_param(options, row) && workload)
        params_write_range(&memory.out, workload, (unsigned)params_index(workload, row->key));
    else
        settings_write_allowed(row, &memory.out);
    if (!is_param(options, row))
        out_printf(&memory.out, "; default: %s", row->initial[0] ? row->initial : "none");
    out_printf(&memory.out, ".");
}

unsigned screen_list_typing(const struct face *face)
{
    return face->screen->rows - BELOW;
}

void screen_list_draw(struct screen_list *screen_list, struct face *face)
{
    struct screen *screen = face->screen;
    struct face_list *list = &screen_list->list;
    const struct settings_row *row = screen_list_chosen(screen_list);
    unsigned line = screen->rows - BELOW;
    char value[OPTIONS_TEXT_MAX + 4] = " = ", text[TEXT_MAX];

    list->rows = line - 1;
    face_list_scroll(list);
    screen_clear(screen);
    for (unsigned i = 0; i < list->rows && list->top + i < list->count; i++)
        draw_row(screen_list, screen, 1 + i, list->top + i);
    (void)write_value(screen_list->options, row, value + 3, sizeof(value) - 3);
    draw_line(screen, line, row->key, value);
    explain(screen_list->options, row, text, sizeof(text));
    draw_wrapped(screen, line + 1, EXPLAINED, PAINT_PLAIN, text);
    draw_line(screen, line + 1 + EXPLAINED, "Enter runs: ", screen_list->options->config);
    draw_wrapped(screen, line + 2 + EXPLAINED, TOLD, screen_list->can ? PAINT_PLAIN : PAINT_WARNING, screen_list->told);
    face_frame(face, "settings", "arrows, number  e: change  d: default  r: results  ?: more  p: prompt  q: quit");
    face_show(face, 1 + list->chosen - list->top);
}
