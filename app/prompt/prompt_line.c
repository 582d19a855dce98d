/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/prompt/prompt_line.h"

#include "app/prompt/complete.h"
#include "app/prompt/profiles.h"
#include "app/prompt/show.h"
#include "core/base/mem.h"

static const char asks[] = "ibsboot> ";

/* Prints characters of a line; backspaces do not count as columns of the console. */
struct echo {
    struct out out;
    struct firmware *fw;
};

static void print(struct out *out, const char *text, size_t length)
{
    struct firmware *fw = ((struct echo *)out)->fw;

    fw->print(fw, text, length);
}

/* Shows the possible words, and the line again below them. */
static void list(struct console *console, const struct options *options, const char *profiles, struct line *line,
                 struct out *echo)
{
    char before[LINE_MAX + 1];

    memcpy(before, line->text, line->at);
    before[line->at] = '\0';
    print(echo, "\n", 1);
    console_new_page(console);
    console->paging = options->pager;
    complete_list(options, profiles, before, console->fw->columns, &console->out);
    console_new_page(console);
    print(echo, asks, sizeof(asks) - 1);
    line_show(line, echo);
}

/* Inserts what is certain; if nothing is, shows what is possible. */
static void complete(struct console *console, const struct options *options, struct line *line, struct out *echo)
{
    struct complete found;
    char before[LINE_MAX + 1], words[PROFILES_WORDS];
    const char *profiles = NULL, *argument;

    memcpy(before, line->text, line->at);
    before[line->at] = '\0';
    if (command_of(before, &argument) == COMMAND_PROFILE && argument[-1] == ' ') {
        profiles_words(console->fw, &words);
        profiles = words;
    }
    complete_word(options, profiles, before, &found);
    if (found.count > 1 && strlen(found.text) == found.before)
        list(console, options, profiles, line, echo);
    else if (found.count)
        (void)line_replace(line, found.before, found.text, echo);
}

void prompt_line(struct console *console, const struct options *options, struct line_history *history,
                 char (*ret_text)[LINE_MAX + 1])
{
    struct firmware *fw = console->fw;
    struct echo echo = {{print}, fw};
    enum line_result result = LINE_GOES_ON;
    unsigned used = sizeof(asks); /* and the last column stays empty */
    struct line line;

    line_begin(&line, fw->columns > used ? fw->columns - used : 1, history);
    print(&echo.out, asks, sizeof(asks) - 1);
    while (result != LINE_ENTERED) {
        int key = console_key(console, 60000);

        result = line_take(&line, key, &echo.out);
        if (key == KEY_TAB)
            complete(console, options, &line, &echo.out);
    }
    memcpy(*ret_text, line.text, sizeof(*ret_text));
    print(&echo.out, "\n", 1);
    console->column = 0;
}
