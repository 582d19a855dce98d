/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/prompt/screen.h"

#include "app/base/pool.h"
#include "app/prompt/complete.h"
#include "app/prompt/options_check.h"
#include "app/prompt/screen_list.h"
#include "app/prompt/show.h"
#include "core/base/duration.h"
#include "core/base/mem.h"
#include "core/base/str.h"

/* Checking a run takes the run's memory, so it waits until the user has stopped typing. */
enum { STOPPED_MS = 400, FOREVER_MS = 60000, SECOND_MS = 1000, EXPLAINED_BYTES = 64 << 10 };

struct shown {
    struct face face;
    struct screen_list list;
    struct options *options;
    const struct prompt_actions *actions;
    bool told; /* list.told is for the present settings */
    struct line line;
    struct line_history values; /* earlier values, for the arrow up; the last is the present one */
};

/* ---------------------------------------------------------------- what the run takes */

static void tell(struct shown *shown)
{
    const struct prompt_actions *actions = shown->actions;
    uint64_t khz = actions->machine->tsc_khz;
    struct plan_cost cost = {0};
    char problems[SCREEN_TOLD_MAX + 1], time[DURATION_MAX];
    struct out_memory memory, text;

    out_memory_init(&memory, problems, sizeof(problems));
    out_memory_init(&text, shown->list.told, sizeof(shown->list.told));
    shown->list.can = actions->expect(actions->context, &memory.out, &cost);
    shown->told = true;
    if (!shown->list.can) {
        out_printf(&text.out, "This cannot run: %s", problems);
        return;
    }
    duration_write(&time, khz ? cost.ops / khz : 0);
    if (!khz || !cost.ops)
        out_printf(&text.out, "Time: not known before the run");
    else if (cost.ops / khz < SECOND_MS)
        out_printf(&text.out, "Time: less than a second at one op per cycle");
    else
        out_printf(&text.out, "Time: at least about %s, at one op per cycle", time);
    out_printf(&text.out, ". Samples: ");
    if (cost.samples)
        out_printf(&text.out, "about %lu", cost.samples);
    else
        out_printf(&text.out, "few, or not known before the run");
    out_printf(&text.out, ". Files: about %lu KB", cost.bytes >> 10);
    out_printf(&text.out, shown->options->save ? "." : "; save=no: they are not saved.");
}

static void changed(struct shown *shown)
{
    shown->told = false;
    shown->list.can = true;
    shown->list.told[0] = '\0';
    screen_list_find(&shown->list);
}

/* ---------------------------------------------------------------- settings are changed */

/* Sets a value; a problem replaces the cost of the run. */
static void set(struct shown *shown, const struct settings_row *row, const char *value, unsigned length)
{
    char words[2 * OPTIONS_TEXT_MAX];
    struct out_memory text, problems;
    bool good;

    out_memory_init(&text, words, sizeof(words));
    out_printf(&text.out, "%s=\"%.*s\"", row->key, (int)length, value);
    changed(shown);
    out_memory_init(&problems, shown->list.told, sizeof(shown->list.told));
    good = options_change(shown->options, words, &problems.out);
    if (good) {
        changed(shown);
        return;
    }
    shown->list.can = false;
    shown->told = true;
}

/* Inserts what is certain of a word. */
static void complete_typed(void *argument, struct line *line, struct out *out)
{
    struct shown *shown = argument;
    struct complete found;
    char before[LINE_MAX + 1];
    size_t length;

    memcpy(before, line->text, line->at);
    before[line->at] = '\0';
    complete_value(shown->options, screen_list_chosen(&shown->list), before, &found);
    length = strlen(found.text);
    if (found.count == 1 && length && found.text[length - 1] == ' ')
        found.text[length - 1] = '\0';
    if (found.count)
        (void)line_replace(line, found.before, found.text, out);
}

static void type_value(struct shown *shown)
{
    const struct settings_row *row = screen_list_chosen(&shown->list);
    char asks[SETTINGS_KEY_MAX + 8];
    struct out_memory text;

    out_memory_init(&text, asks, sizeof(asks));
    out_printf(&text.out, "   %s = ", row->key);
    shown->values = (struct line_history){.count = 1};
    out_memory_init(&text, shown->values.line[0], sizeof(shown->values.line[0]));
    settings_write_value(row, &text.out);
    line_begin(&shown->line, shown->face.screen->columns - (unsigned)strlen(asks), &shown->values);
    if (face_ask(&shown->face, screen_list_typing(&shown->face), asks, &shown->line, complete_typed, shown) &&
        shown->line.length)
        set(shown, row, shown->line.text, shown->line.length);
}

/* Takes the next word, or lets the user type a value that is not a word. */
static void step(struct shown *shown, int step)
{
    const struct settings_row *row = screen_list_chosen(&shown->list);
    struct settings_span word;

    if (complete_next(shown->options, row, step, &word))
        set(shown, row, word.at, (unsigned)word.length);
    else
        type_value(shown);
}

/* ---------------------------------------------------------------- what there is besides */

/* Shows the output of the prompt's commands on the chosen setting. */
static void explain(struct shown *shown)
{
    const struct options *options = shown->options;
    const struct settings_row *row = screen_list_chosen(&shown->list);
    struct firmware *fw = shown->face.console->fw;
    char *text = fw->allocate(fw, EXPLAINED_BYTES, POOL_PAGE), command[OPTIONS_TEXT_MAX + 8];
    struct out_memory memory, words;
    const char *at = options->config;
    char name[OPTIONS_TEXT_MAX + 1];

    if (!text)
        return;
    out_memory_init(&words, command, sizeof(command));
    if (row->value == options->workload)
        out_printf(&words.out, "list all");
    else if (row->value == options->config && options_next_config(&at, name))
        out_printf(&words.out, "config %s", name);
    else if (row->value == options->events)
        out_printf(&words.out, "events");
    else if (row >= options->params.row)
        out_printf(&words.out, "list %s", options->workload);
    else
        out_printf(&words.out, "show");
    out_memory_init(&memory, text, EXPLAINED_BYTES);
    if (row->value == options->config)
        (void)show_command(&memory.out, options, "configs");
    if (row->value == options->config)
        out_printf(&memory.out, "\n");
    (void)show_command(&memory.out, options, command);
    face_read(&shown->face, command, text, strlen(text), NULL);
    fw->release(fw, text, EXPLAINED_BYTES);
}

/* Runs what is set; the last report follows. */
static void run(struct shown *shown)
{
    struct console *console = shown->face.console;
    struct results *results = shown->actions->results;
    unsigned before = results->count + results->left;
    const struct result *last;
    int key;

    face_leave(&shown->face);
    results->instead = true;
    shown->actions->run(shown->actions->context);
    results->instead = false;
    out_printf(&console->out, "\n-- any key for the screen --");
    do
        key = face_key(&shown->face, FOREVER_MS);
    while (key == KEY_NONE);
    face_return(&shown->face);
    changed(shown);
    if (results->count + results->left == before || key == 'q')
        return;
    last = &results->row[results->count - 1];
    if (last->text)
        screen_result_read(&shown->face, last);
}

/* Handles a key of the list. Returns false if it leaves the list, with *ret_end. */
static bool take(struct shown *shown, int key, enum screen_end *ret_end)
{
    const struct settings_row *row = screen_list_chosen(&shown->list);

    if (face_list_take(&shown->list.list, key))
        return true;
    switch (key) {
    case KEY_ENTER:
        if (!shown->told)
            tell(shown);
        if (shown->list.can)
            run(shown);
        return true;
    case KEY_LEFT:
        step(shown, -1);
        return true;
    case KEY_RIGHT:
    case ' ':
        step(shown, 1);
        return true;
    case 'e':
        type_value(shown);
        return true;
    case 'd':
        set(shown, row, row->initial, (unsigned)strlen(row->initial));
        return true;
    case 'r':
        screen_results(&shown->face, shown->actions->results);
        return true;
    case '?':
        explain(shown);
        return true;
    case 'p':
    case KEY_ESCAPE:
    case 'q':
        *ret_end = key == 'q' ? SCREEN_QUIT : SCREEN_PROMPT;
        return false;
    default:
        return true;
    }
}

enum screen_end screen_do(struct console *console, struct options *options, const struct prompt_actions *actions)
{
    struct firmware *fw = console->fw;
    struct shown *shown = fw->allocate(fw, sizeof(*shown), POOL_PAGE);
    enum screen_end end = SCREEN_PROMPT;
    bool goes_on = true;

    if (!shown) {
        out_printf(&console->out, "No screen: there is not enough memory.\n");
        return end;
    }
    shown->options = options;
    shown->actions = actions;
    shown->list.options = options;
    console->paging = false;
    if (face_open(&shown->face, console, actions->machine)) {
        changed(shown);
        while (goes_on) {
            int key;

            screen_list_draw(&shown->list, &shown->face);
            key = face_key(&shown->face, shown->told ? FOREVER_MS : STOPPED_MS);
            if (key == KEY_NONE && !shown->told)
                tell(shown);
            else if (key != KEY_NONE)
                goes_on = take(shown, key, &end);
        }
        face_close(&shown->face);
    }
    fw->release(fw, shown, sizeof(*shown));
    return end;
}
