/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/prompt/prompt.h"

#include "app/prompt/options_check.h"
#include "app/prompt/profiles.h"
#include "app/prompt/prompt_line.h"
#include "app/prompt/screen.h"
#include "app/prompt/show.h"
#include "core/base/mem.h"
#include "core/base/nearest.h"
#include "core/base/str.h"

enum prompt_how prompt_wanted(struct console *console, unsigned seconds)
{
    int key = KEY_NONE;

    if (!console->fw->keys)
        return PROMPT_NOT_WANTED;
    out_printf(&console->out, "\nAny key for the prompt, Enter for the screen; running in %u s ", seconds);
    for (unsigned i = 0; i < seconds && key == KEY_NONE; i++) {
        key = console_key(console, 1000);
        if (key == KEY_NONE)
            out_printf(&console->out, ".");
    }
    out_printf(&console->out, "\n");
    return key == KEY_NONE ? PROMPT_NOT_WANTED : key == KEY_ENTER ? PROMPT_SCREEN : PROMPT_LINES;
}

/* Returns the word without surrounding blanks, in place. */
static char *trimmed(char *line)
{
    size_t end = 0;

    while (*line == ' ')
        line++;
    for (size_t i = 0; line[i]; i++)
        if (line[i] != ' ')
            end = i + 1;
    line[end] = '\0';
    return line;
}

static bool has_equals(const char *text)
{
    for (; *text; text++)
        if (*text == '=')
            return true;
    return false;
}

static void write_nowhere(struct out *out, const char *text, size_t length)
{
    (void)out;
    (void)text;
    (void)length;
}

/* Answers a line that is neither a command nor a setting with the nearest of either. */
static void unknown(struct out *out, const struct options *options, const char *line)
{
    const struct settings_row *key = NULL;
    struct nearest nearest;
    enum command command;
    size_t length = 0;

    while (line[length] && line[length] != ' ')
        length++;
    command = command_find(line, length);
    if (command < COMMANDS && command_table[command].must) {
        out_printf(out, "%s NAME: the name is missing; '%ss' lists them\n", command_table[command].word,
                   command_table[command].word);
        return;
    }
    nearest_begin(&nearest, line, length);
    commands_nearest(&nearest);
    for (unsigned i = 0; i < options->settings.count; i++)
        if (nearest_try(&nearest, options->row[i].key, strlen(options->row[i].key)))
            key = &options->row[i];
    out_printf(out, "unknown command '%s'; 'help' lists the commands", line);
    if (key) {
        out_printf(out, "; a setting is written %s=VALUE; allowed is ", key->key);
        settings_write_allowed(key, out);
    } else {
        nearest_print(&nearest, out);
    }
    out_printf(out, "\n");
}

/* Returns false, after a line, if the word was not understood. 'quiet': commands that print only check their
 * arguments. */
static bool other(struct console *console, struct out *problems, struct options *options, const char *word, bool quiet)
{
    struct out nowhere = {.write = write_nowhere};
    enum show_result shown = show_command(quiet ? &nowhere : &console->out, options, word);

    if (quiet && shown == SHOW_NOTHING)
        (void)show_command(problems, options, word);
    if (shown != SHOW_NO_COMMAND)
        return shown == SHOW_DONE;
    if (has_equals(word))
        return options_change(options, word, problems);
    unknown(problems, options, word);
    return false;
}

/* Lines of a batch file, in order. */
struct batch {
    struct console *console;
    struct options *options;
    const struct prompt_actions *actions;
    struct out *problems;
    bool checking; /* do not run, send or show anything */
};

static bool batch_line(const struct batch *batch, const char *word)
{
    const struct prompt_actions *actions = batch->actions;
    const char *argument;

    switch (command_of(word, &argument)) {
    case COMMAND_RUN:
        if (batch->checking)
            return actions->check(actions->context, batch->problems);
        actions->run(actions->context);
        return true;
    case COMMAND_SEND:
        return batch->checking || actions->send(actions->context, argument);
    default:
        break;
    }
    return !*word || *word == '#' || other(batch->console, batch->problems, batch->options, word, batch->checking);
}

static bool batch_lines(const struct batch *batch, const char *text, size_t size)
{
    for (size_t at = 0; at < size; at++) {
        char line[PROMPT_LINE_MAX + 1];
        size_t n = 0;
        char *word;

        for (; at < size && text[at] != '\n'; at++)
            if (text[at] != '\r' && n++ < PROMPT_LINE_MAX)
                line[n - 1] = text[at];
        if (n > PROMPT_LINE_MAX) {
            out_printf(batch->problems, "batch: a line of %zu characters, more than %u\n", n, PROMPT_LINE_MAX);
            return false;
        }
        line[n] = '\0';
        word = trimmed(line);
        if (!batch_line(batch, word)) {
            out_printf(batch->problems, "batch: ended at this line: %s\n", word);
            return false;
        }
    }
    return true;
}

bool prompt_batch(struct console *console, struct options *options, const struct prompt_actions *actions,
                  const char *text, size_t size)
{
    struct refusal refusal;
    struct options before;
    struct batch batch = {console, options, actions, &refusal.out, .checking = true};
    bool good;

    refusal_begin(&refusal, &console->out);
    options_copy(&before, options);
    good = batch_lines(&batch, text, size);
    options_copy(options, &before);
    if (!good) {
        out_printf(&refusal.out, "batch: none of its lines was run\n");
        actions->refused(actions->context, &refusal);
        return false;
    }
    batch.checking = false;
    return batch_lines(&batch, text, size);
}

/* Executes a line. Returns false if it ends the prompt. */
static bool do_line(struct console *console, struct options *options, const struct prompt_actions *actions,
                    const char *word)
{
    const char *argument;

    switch (command_of(word, &argument)) {
    case COMMAND_RUN:
        actions->run(actions->context);
        return true;
    case COMMAND_AGAIN:
        actions->again(actions->context);
        return true;
    case COMMAND_SEND:
        (void)actions->send(actions->context, argument);
        return true;
    case COMMAND_SCREEN:
        return screen_do(console, options, actions) != SCREEN_QUIT;
    case COMMAND_PROFILE:
        (void)profiles_run(console, options, actions, argument);
        return true;
    case COMMAND_PROFILES:
        profiles_list(console);
        return true;
    case COMMAND_HELP:
        commands_help(&console->out);
        return true;
    case COMMAND_QUIT:
    case COMMAND_EXIT:
        return false;
    default:
        if (*word)
            (void)other(console, &console->out, options, word, false);
        return true;
    }
}

bool prompt_loop(struct console *console, struct options *options, const struct prompt_actions *actions, bool screen)
{
    struct line_history history = {0};
    char line[PROMPT_LINE_MAX + 1];

    if (!console->fw->keys) {
        out_printf(&console->out, "No prompt: this firmware has no keyboard.\n");
        return false;
    }
    if (screen && screen_do(console, options, actions) == SCREEN_QUIT)
        return true;
    commands_help(&console->out);
    for (bool goes_on = true; goes_on;) {
        console_new_page(console);
        prompt_line(console, options, &history, &line);
        console->paging = options->pager;
        goes_on = do_line(console, options, actions, trimmed(line));
        console->paging = false;
    }
    return true;
}
