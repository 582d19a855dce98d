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

/* The word without blanks around it, in place. */
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

/* "send" or "send ...": what follows the command; else NULL. */
static const char *after(const char *word, const char *command)
{
    for (; *command; word++, command++)
        if (str_lower(*word) != *command)
            return NULL;
    return *word == ' ' || !*word ? word : NULL;
}

static const char *first_word(const char *text)
{
    while (*text == ' ')
        text++;
    return text;
}

static const char *sent(const char *word)
{
    return after(word, "send");
}

static void write_nowhere(struct out *out, const char *text, size_t length)
{
    (void)out;
    (void)text;
    (void)length;
}

/* Answers what is neither a command nor a setting by the nearest of either. */
static void unknown(struct out *out, const struct options *options, const char *line)
{
    const struct settings_row *key = NULL;
    struct nearest nearest;
    size_t length = 0;

    while (line[length] && line[length] != ' ')
        length++;
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

/* Returns false when it was not understood, which is said. 'quiet': a command that shows something does not, but for
 * that. */
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

/* A batch file's lines, one after the other. */
struct batch {
    struct console *console;
    struct options *options;
    const struct prompt_actions *actions;
    struct out *problems;
    bool checking; /* nothing is run, sent or shown */
};

static bool batch_line(const struct batch *batch, const char *word)
{
    const struct prompt_actions *actions = batch->actions;

    if (str_equal(word, "run")) {
        if (batch->checking)
            return actions->check(actions->context, batch->problems);
        actions->run(actions->context);
        return true;
    }
    if (sent(word))
        return batch->checking || actions->send(actions->context, sent(word));
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
        out_printf(&refusal.out, "batch: nothing of it was run\n");
        actions->refused(actions->context, &refusal);
        return false;
    }
    batch.checking = false;
    return batch_lines(&batch, text, size);
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
    for (bool quits = false; !quits;) {
        char *word;

        console_new_page(console);
        prompt_line(console, options, &history, &line);
        word = trimmed(line);
        console->paging = options->pager;
        if (str_equal(word, "run"))
            actions->run(actions->context);
        else if (str_equal(word, "again"))
            actions->again(actions->context);
        else if (sent(word))
            (void)actions->send(actions->context, sent(word));
        else if (str_equal(word, "screen"))
            quits = screen_do(console, options, actions) == SCREEN_QUIT;
        else if (str_equal(word, "profiles"))
            profiles_list(console);
        else if (after(word, "profile"))
            (void)profiles_run(console, options, actions, first_word(after(word, "profile")));
        else if (str_equal(word, "help"))
            commands_help(&console->out);
        else if (str_equal(word, "quit") || str_equal(word, "exit"))
            quits = true;
        else if (*word)
            (void)other(console, &console->out, options, word, false);
        console->paging = false;
    }
    return true;
}
