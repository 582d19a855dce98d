/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/prompt/complete.h"

#include "app/prompt/show.h"
#include "app/run/kind.h"
#include "core/base/mem.h"
#include "core/base/str.h"
#include "core/family/event_set.h"

/* Says whose words are wanted. */
enum words { WORDS, KEYS, VALUES, WORKLOADS, CONFIGS, EVENTS, PROFILES, NO_WORDS };

struct cursor {
    const struct options *options;
    enum words words;
    const struct settings_row *row; /* of VALUES */
    const char *part;               /* what is typed of the word */
    unsigned length;
    const char *profiles; /* names with '|' between; NULL: none */
};

/* Receives a word of 'length' characters that begins with the typed text; 'end' follows it. */
typedef void each_word(void *argument, const char *word, unsigned length, char end);

struct search {
    const struct cursor *cursor;
    each_word *each;
    void *argument;
};

static bool begins(const char *word, unsigned length, const char *part, unsigned part_length)
{
    unsigned at = 0;

    while (at < part_length && at < length && str_lower(word[at]) == str_lower(part[at]))
        at++;
    return at == part_length;
}

static void try(const struct search *search, const char *word, size_t length, char end)
{
    if (begins(word, (unsigned)length, search->cursor->part, search->cursor->length))
        search->each(search->argument, word, (unsigned)length, end);
}

/* Tries each word of "a|b|c". */
static void try_each(const struct search *search, const char *words, char end)
{
    while (*words) {
        size_t length = 0;

        while (words[length] && words[length] != '|')
            length++;
        try(search, words, length, end);
        words += length + (words[length] == '|');
    }
}

static void try_workloads(const struct search *search)
{
    const struct workload *workload;

    for (unsigned n = 0; (workload = params_nth(n)); n++)
        try(search, workload->name, strlen(workload->name), ' ');
}

static void try_configs(const struct search *search)
{
    for (const struct kind *kind = kind_next(NULL); kind; kind = kind_next(kind))
        try(search, kind->name, strlen(kind->name), ' ');
    for (unsigned i = 0; i < config_count; i++)
        try(search, config_table[i].name, strlen(config_table[i].name), ' ');
}

static void try_events(const struct search *search)
{
    const struct options *options = search->cursor->options;
    enum event_set set = show_event_set(options);

    for (unsigned i = 0; i < event_count(set); i++)
        try(search, event_at(set, i)->symbol, strlen(event_at(set, i)->symbol), ' ');
}

static void try_keys(const struct search *search)
{
    const struct options *options = search->cursor->options;
    const struct workload *workload = params_find_workload(options->workload);

    for (unsigned i = 0; i < options->settings.count; i++) {
        const char *key = options->row[i].key;

        if (options_has_key(key) || (workload && params_index(workload, key) >= 0))
            try(search, key, strlen(key), '=');
    }
}

static void try_values(const struct search *search)
{
    const struct options *options = search->cursor->options;
    const struct settings_row *row = search->cursor->row;

    if (row->value == options->workload)
        try_workloads(search);
    else if (row->value == options->config)
        try_configs(search);
    else if (row->value == options->events)
        try_events(search);
    else if (row->type == SETTINGS_BOOL)
        try_each(search, "yes|no", ' ');
    else if (row->choices)
        try_each(search, row->choices, ' ');
}

static void search_words(const struct cursor *cursor, each_word *each, void *argument)
{
    const struct search search = {cursor, each, argument};

    switch (cursor->words) {
    case WORDS:
        for (unsigned i = 0; i < COMMAND_EXIT; i++)
            try(&search, command_table[i].word, strlen(command_table[i].word),
                command_table[i].takes == TAKES_NOTHING ? '\0' : ' ');
        try_keys(&search);
        break;
    case KEYS:
        try_keys(&search);
        break;
    case VALUES:
        try_values(&search);
        break;
    case WORKLOADS:
        try_workloads(&search);
        break;
    case CONFIGS:
        try_configs(&search);
        break;
    case EVENTS:
        try_events(&search);
        break;
    case PROFILES:
        if (cursor->profiles)
            try_each(&search, cursor->profiles, '\0');
        break;
    case NO_WORDS:
        break;
    }
}

/* ---------------------------------------------------------------- where the cursor is */

static enum words after_command(const char *line, size_t length)
{
    static const uint8_t words[] = {[TAKES_NOTHING] = KEYS,  [TAKES_WORKLOADS] = WORKLOADS, [TAKES_CONFIGS] = CONFIGS,
                                    [TAKES_EVENTS] = EVENTS, [TAKES_PROFILES] = PROFILES,   [TAKES_TEXT] = NO_WORDS};
    enum command command = command_find(line, length);

    return command < COMMANDS ? words[command_table[command].takes] : KEYS;
}

/* Moves behind the last comma, because some settings are lists. */
static void skip_list(struct cursor *cursor)
{
    for (unsigned i = cursor->length; i-- > 0;)
        if (cursor->part[i] == ',') {
            cursor->part += i + 1;
            cursor->length -= i + 1;
            return;
        }
}

static struct cursor find_cursor(const struct options *options, const char *profiles, const char *line)
{
    struct cursor cursor = {.options = options, .profiles = profiles};
    size_t end = strlen(line), begin = end, first = 0, equals = 0;

    while (begin && line[begin - 1] != ' ')
        begin--;
    while (line[first] == ' ')
        first++;
    cursor.part = line + begin;
    cursor.length = (unsigned)(end - begin);
    while (equals < cursor.length && cursor.part[equals] != '=')
        equals++;
    if (equals < cursor.length) {
        cursor.row = settings_find(&options->settings, cursor.part, equals);
        cursor.words = cursor.row ? VALUES : NO_WORDS;
        cursor.part += equals + 1;
        cursor.length -= (unsigned)equals + 1;
        skip_list(&cursor);
    } else if (first < begin) {
        size_t length = 0;

        while (line[first + length] && line[first + length] != ' ')
            length++;
        cursor.words = after_command(line + first, length);
    }
    return cursor;
}

/* ---------------------------------------------------------------- what is found */

struct common {
    struct complete *complete;
    unsigned length; /* length of the common beginning */
    char end;
};

static void note_common(void *argument, const char *word, unsigned length, char end)
{
    struct common *common = argument;
    struct complete *complete = common->complete;
    unsigned same = 0;

    if (length > LINE_MAX - 1)
        return;
    if (complete->count++ == 0) {
        memcpy(complete->text, word, length);
        common->length = length;
        common->end = end;
        return;
    }
    while (same < common->length && same < length && str_lower(complete->text[same]) == str_lower(word[same]))
        same++;
    common->length = same;
}

static void complete_at(const struct cursor *cursor, struct complete *ret_complete)
{
    struct common common = {.complete = ret_complete};

    *ret_complete = (struct complete){.before = cursor->length};
    search_words(cursor, note_common, &common);
    if (ret_complete->count == 1 && common.end)
        ret_complete->text[common.length++] = common.end;
    ret_complete->text[common.length] = '\0';
}

void complete_word(const struct options *options, const char *profiles, const char *line, struct complete *ret_complete)
{
    const struct cursor cursor = find_cursor(options, profiles, line);

    complete_at(&cursor, ret_complete);
}

void complete_value(const struct options *options, const struct settings_row *row, const char *text,
                    struct complete *ret_complete)
{
    struct cursor cursor = {options, VALUES, row, text, (unsigned)strlen(text), NULL};

    skip_list(&cursor);
    complete_at(&cursor, ret_complete);
}

struct columns {
    struct out *out;
    unsigned width, of_word, used;
    unsigned blanks; /* before the next word of the row */
};

static void note_width(void *argument, const char *word, unsigned length, char end)
{
    struct columns *columns = argument;

    (void)word;
    (void)end;
    if (length + 2 > columns->of_word)
        columns->of_word = length + 2;
}

static void print_word(void *argument, const char *word, unsigned length, char end)
{
    struct columns *columns = argument;

    (void)end;
    if (columns->used && columns->used + columns->blanks + 2 + length > columns->width) {
        out_printf(columns->out, "\n");
        columns->used = columns->blanks = 0;
    }
    out_printf(columns->out, "%*s  %.*s", (int)columns->blanks, "", (int)length, word);
    columns->used += columns->blanks + 2 + length;
    columns->blanks = columns->of_word - 2 - length;
}

void complete_list(const struct options *options, const char *profiles, const char *line, unsigned columns,
                   struct out *out)
{
    const struct cursor cursor = find_cursor(options, profiles, line);
    struct columns shown = {.out = out, .width = columns - 1};

    search_words(&cursor, note_width, &shown);
    search_words(&cursor, print_word, &shown);
    out_printf(out, "\n");
}

/* ---------------------------------------------------------------- one after the other */

struct neighbours {
    const char *value; /* the present value */
    struct settings_span first, last, before, after;
    bool found;
};

static void note_neighbour(void *argument, const char *word, unsigned length, char end)
{
    const struct settings_span span = {word, length};
    struct neighbours *near = argument;

    (void)end;
    if (str_is(word, length, near->value)) {
        near->before = near->last;
        near->found = true;
    } else if (near->found && !near->after.at) {
        near->after = span;
    }
    near->first = near->first.at ? near->first : span;
    near->last = span;
}

bool complete_next(const struct options *options, const struct settings_row *row, int step,
                   struct settings_span *ret_word)
{
    const struct cursor cursor = {options, row->type == SETTINGS_UINT ? NO_WORDS : VALUES, row, "", 0, NULL};
    char value[OPTIONS_TEXT_MAX + 1];
    struct neighbours near = {.value = value};
    struct out_memory text;

    out_memory_init(&text, value, sizeof(value));
    settings_write_value(row, &text.out);
    search_words(&cursor, note_neighbour, &near);
    if (!near.first.at)
        return false;
    if (step > 0)
        *ret_word = near.after.at ? near.after : near.first;
    else
        *ret_word = near.before.at ? near.before : near.last;
    return true;
}
