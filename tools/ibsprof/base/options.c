/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/base/options.h"

#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/nearest.h"
#include "core/base/wrap.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/out_file.h"

enum { OPTIONS_MAX = 40, WORDS_TEXT = 200, HELP_COLUMN = 26, HELP_WIDTH = 98, FIRST_CODE = 256 };

/* Rows of a command, including those of nested tables, in getopt's form. */
struct parser {
    const struct option_table *table;
    const struct option_row *rows[OPTIONS_MAX];
    char *settings[OPTIONS_MAX]; /* for each row: the struct of its 'place' */
    struct option longs[OPTIONS_MAX + 2];
    char letters[2 * OPTIONS_MAX + 2];
    unsigned count;
};

static const struct option_row help_row = {"help", 'h', NULL, OPTION_FLAG, 0, .help = "this text"};

static void add_rows(struct parser *parser, const struct option_row *rows, char *settings)
{
    for (; rows->name; rows++) {
        if (rows->kind == OPTION_TABLE) {
            add_rows(parser, rows->table, settings + rows->place);
            continue;
        }
        if (parser->count == OPTIONS_MAX)
            abort();
        parser->longs[parser->count] = (struct option){rows->name, rows->argument ? required_argument : no_argument,
                                                       NULL, FIRST_CODE + (int)parser->count};
        if (rows->letter)
            strcat(strncat(parser->letters, &rows->letter, 1), rows->argument ? ":" : "");
        parser->settings[parser->count] = settings;
        parser->rows[parser->count++] = rows;
    }
}

/* "text, csv or json" */
static const char *join_words(const char *const *words, char text[WORDS_TEXT])
{
    text[0] = '\0';
    for (unsigned i = 0; words[i]; i++) {
        strncat(text, i == 0 ? "" : words[i + 1] ? ", " : " or ", WORDS_TEXT - strlen(text) - 1);
        strncat(text, words[i], WORDS_TEXT - strlen(text) - 1);
    }
    return text;
}

/* ---------------------------------------------------------------- help and completion */

/* Prints words in lines of at most HELP_WIDTH columns; 'column' columns of the first are used. */
static void print_words(const char *text, int column, int indent)
{
    struct out_file out;

    out_file_init(&out, stdout, false);
    wrap_text(&out.out, text, column, indent, HELP_WIDTH);
}

/* A help text that begins with a line break is a list, whose lines are kept. */
static void print_row(const struct option_row *row)
{
    char words[WORDS_TEXT] = "", *help = must_copy(row->help);
    bool lines = row->help[0] == '\n';
    int column = printf(row->letter ? "  -%c, " : "      ", row->letter);
    char *text;

    column += printf("--%s%s%s", row->name, row->argument ? "=" : "", row->argument ? row->argument : "");
    if (column + 2 > HELP_COLUMN)
        column = printf("\n") - 1;
    printf("%*s", HELP_COLUMN - column, "");
    for (char *at = help; !lines && (at = strchr(at, '\n'));)
        *at = ' ';
    if (row->words && row->kind != OPTION_CALL)
        (void)join_words(row->words, words);
    if (lines) {
        printf("%s", words);
        for (char *line = help; (line = strchr(line, '\n')) != NULL;) {
            line++;
            printf("\n%*s%.*s", HELP_COLUMN, "", (int)strcspn(line, "\n"), line);
        }
        putchar('\n');
    } else {
        text = must_text("%s%s%s", words, words[0] && help[0] ? "; " : "", help);
        print_words(text, HELP_COLUMN, HELP_COLUMN);
        free(text);
    }
    free(help);
}

/* Prints paragraphs of running text; keeps the usage, and lines that begin with a blank. */
static void print_paragraphs(const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        bool running = text[0] != ' ' && text[0] != '\n' && strncmp(text, "usage:", 6) != 0;

        while (running && text[length] && text[length + 1] && text[length + 1] != ' ' && text[length + 1] != '\n')
            length += 1 + strcspn(text + length + 1, "\n");
        if (running) {
            char *words = must_text("%.*s", (int)length, text);

            for (char *at = words; (at = strchr(at, '\n'));)
                *at = ' ';
            print_words(words, 0, 0);
            free(words);
        } else {
            printf("%.*s\n", (int)length, text);
        }
        text += length + (text[length] != '\0');
    }
}

static void print_help(const struct parser *parser)
{
    print_paragraphs(parser->table->usage);
    putchar('\n');
    for (unsigned i = 0; i < parser->count; i++)
        print_row(parser->rows[i]);
    print_row(&help_row);
    if (parser->table->notes) {
        putchar('\n');
        print_paragraphs(parser->table->notes);
    }
}

/* Prints a text of the manual; breaks: keeps its lines. */
static void print_roff(const char *text, bool breaks)
{
    for (; *text; text++)
        fputs(*text == '-'    ? "\\-"
              : *text == '.'  ? "\\&."
              : *text == '\'' ? "\\(aq"
              : *text == '\n' ? breaks ? "\n.br\n" : "\n"
                              : (char[]){*text, '\0'},
              stdout);
}

/* Prints the options for the manual: roff, man(7). */
static void print_manual(const struct parser *parser)
{
    char words[WORDS_TEXT];

    for (unsigned i = 0; i < parser->count; i++) {
        const struct option_row *row = parser->rows[i];
        bool lines = row->help[0] == '\n';

        printf(row->letter ? ".TP\n.BR \\-%c \", \" " : ".TP\n.BR ", row->letter);
        print_roff("--", false);
        print_roff(row->name, false);
        printf(row->argument ? " =\\fI%s\\fR\n" : "\n", row->argument);
        if (row->words && row->kind != OPTION_CALL)
            printf("%s%s", join_words(row->words, words), row->help[0] == '\0' || lines ? "" : "; ");
        print_roff(row->help, lines);
        puts("");
    }
}

static const char *word_of(const struct option_row *row, unsigned n)
{
    return row->word ? row->word(n) : row->words ? row->words[n] : NULL;
}

/* Prints words for bash; name NULL: the options. */
static void print_completions(const struct parser *parser, const char *name)
{
    for (unsigned i = 0; i < parser->count; i++) {
        const struct option_row *row = parser->rows[i];

        if (!name)
            printf("--%s%s\n", row->name, row->argument ? "=" : "");
        else if (strcmp(name, row->name) == 0)
            for (unsigned k = 0; word_of(row, k); k++)
                puts(word_of(row, k));
    }
    if (!name)
        puts("--help");
}

/* ---------------------------------------------------------------- values */

static bool find_word(const struct option_row *row, const char *text, size_t length, int *ret)
{
    for (int i = 0; row->words[i]; i++)
        if (strlen(row->words[i]) == length && memcmp(row->words[i], text, length) == 0) {
            *ret = i;
            return true;
        }
    return false;
}

static bool add_words(const struct option_row *row, const char *text, uint32_t *set)
{
    for (;; text++) {
        size_t length = strcspn(text, ",");
        int word;

        if (!find_word(row, text, length, &word))
            return false;
        *set |= 1u << word;
        text += length;
        if (*text == '\0')
            return true;
    }
}

static bool read_number(const struct option_row *row, const char *text, double *ret)
{
    char *end;

    *ret = strtod(text, &end);
    return end != text && *end == '\0' && *ret >= row->least && *ret <= row->most &&
           (row->kind != OPTION_COUNT || *ret == (double)(uint32_t)*ret);
}

static bool is_folder(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Returns NULL, or the error of the argument. */
static const char *set_value(const struct option_row *row, void *place, char *argument, char wrong[WORDS_TEXT + 40])
{
    char words[WORDS_TEXT];
    double number;

    switch (row->kind) {
    case OPTION_FLAG:
        *(bool *)place = true;
        return NULL;
    case OPTION_TEXT:
        *(const char **)place = argument;
        return NULL;
    case OPTION_FOLDER:
        if (!is_folder(argument))
            return "takes an existing folder";
        if (row->call)
            return row->call(place, argument);
        *(const char **)place = argument;
        return NULL;
    case OPTION_NUMBER:
    case OPTION_COUNT:
        if (!read_number(row, argument, &number)) {
            snprintf(wrong, WORDS_TEXT, "takes a %snumber from %.10g to %.10g",
                     row->kind == OPTION_COUNT ? "whole " : "", row->least, row->most);
            return wrong;
        }
        if (row->kind == OPTION_COUNT)
            *(uint32_t *)place = (uint32_t)number;
        else
            *(double *)place = row->divisor != 0 ? number / row->divisor : number;
        return NULL;
    case OPTION_WORD:
    case OPTION_WORDS:
        if (row->kind == OPTION_WORD ? find_word(row, argument, strlen(argument), place)
                                     : add_words(row, argument, place))
            return NULL;
        snprintf(wrong, WORDS_TEXT + 40, "is %s", join_words(row->words, words));
        return wrong;
    case OPTION_VALUE:
        *(int *)place = row->value;
        return NULL;
    case OPTION_CALL:
        return row->call(place, argument);
    case OPTION_TABLE:
        break;
    }
    abort();
}

static bool set_option(const struct parser *parser, unsigned index, char *argument)
{
    const struct option_row *row = parser->rows[index];
    char text[WORDS_TEXT + 40];
    const char *wrong = set_value(row, parser->settings[index] + row->place, argument, text);

    if (wrong)
        complain("%s: --%s %s, not '%s'", parser->table->command, row->name, wrong, argument);
    return !wrong;
}

/* ---------------------------------------------------------------- a command line */

static unsigned row_of(const struct parser *parser, int code)
{
    unsigned i = 0;

    if (code >= FIRST_CODE)
        return (unsigned)(code - FIRST_CODE);
    while (i < parser->count && parser->rows[i]->letter != code)
        i++;
    return i;
}

/* Complains of a word on the command line for which getopt_long() returned ':' (no value) or '?'. */
static void refuse(const struct parser *parser, int code, const char *word)
{
    bool is_long = strncmp(word, "--", 2) == 0;
    size_t length = is_long ? strcspn(word, "=") : 0;
    unsigned row = optopt ? row_of(parser, optopt) : parser->count, alike = 0;
    struct nearest nearest;

    if (optopt && (is_long || code == ':')) {
        complain("%s: --%s takes %s value", parser->table->command,
                 row < parser->count ? parser->rows[row]->name : help_row.name, code == ':' ? "a" : "no");
        return;
    }
    if (!is_long) {
        complain("%s: no option '-%c'", parser->table->command, optopt);
        return;
    }
    nearest_begin(&nearest, word + 2, length - 2);
    for (unsigned i = 0; i < parser->count; i++) {
        const char *name = parser->rows[i]->name;

        (void)nearest_try(&nearest, name, strlen(name));
        alike += strncmp(name, word + 2, length - 2) == 0;
    }
    if (alike)
        complain("%s: several options begin with '%.*s'", parser->table->command, (int)length, word);
    else if (nearest.name)
        complain("%s: no option '%.*s'; did you mean '--%s'?", parser->table->command, (int)length, word, nearest.name);
    else
        complain("%s: no option '%.*s'; 'ibsprof %s --help' lists them", parser->table->command, (int)length, word,
                 parser->table->command);
}

bool options_read(const struct option_table *table, int *argc, char ***argv, void *settings, enum exit_code *ret_code)
{
    struct parser parser = {.table = table, .letters = ":h"};
    int code;

    add_rows(&parser, table->rows, settings);
    parser.longs[parser.count] = (struct option){"help", no_argument, NULL, 'h'};
    *ret_code = EXIT_DONE;
    if (*argc > 1 && strcmp((*argv)[1], "--complete") == 0) {
        print_completions(&parser, (*argv)[2]);
        return false;
    }
    if (*argc > 1 && strcmp((*argv)[1], "--manual") == 0) {
        print_manual(&parser);
        return false;
    }
    optind = 0; /* glibc: restart */
    opterr = 0; /* refuse() says it */
    while ((code = getopt_long(*argc, *argv, parser.letters, parser.longs, NULL)) != -1) {
        if (code == 'h') {
            print_help(&parser);
            return false;
        }
        if (code == '?' || code == ':')
            refuse(&parser, code, (*argv)[optind - 1]);
        else if (set_option(&parser, row_of(&parser, code), optarg))
            continue;
        *ret_code = EXIT_USAGE;
        return false;
    }
    *argc -= optind;
    *argv += optind;
    return true;
}

enum exit_code options_misused(const struct option_table *table, const char *what)
{
    complain("%s: %s; 'ibsprof %s --help' explains", table->command, what, table->command);
    return EXIT_USAGE;
}
