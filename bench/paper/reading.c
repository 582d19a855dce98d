/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks that the figures stand in the copy where the tables say. */
#include "bench/paper/published.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { PARTS = 80, LENGTH = 256 };

/* A copy, cut at its marks: the text before the figures, the figures, and the text after them. */
struct parts {
    char text[LENGTH], *part[PARTS];
    unsigned figures;
};

static bool cut(const char *copy, struct parts *ret_parts)
{
    unsigned count = 0;
    char *mark;

    if (strlen(copy) >= LENGTH)
        return false;
    strcpy(ret_parts->text, copy);
    ret_parts->part[count++] = ret_parts->text;
    while ((mark = strchr(ret_parts->part[count - 1], '|')) != NULL && count < PARTS) {
        *mark = '\0';
        ret_parts->part[count++] = mark + 1;
    }
    ret_parts->figures = count - 2;
    return count > 2;
}

static const char *figure(const struct parts *parts, unsigned index)
{
    const char *text = parts->part[1 + index];

    return *text == ' ' ? text + 1 : text;
}

/* The digits, also with a comma between thousands, or the word. */
static bool says(const char *text, long figure)
{
    static const char *const words[] = {"zero", "one", "two", "three", "four", "five", "six"};
    char digits[32], decimal[32];
    unsigned length = 0;

    for (unsigned i = 0; text[i] != '\0' && length < sizeof(digits) - 1; i++)
        if (text[i] != ',')
            digits[length++] = text[i];
    digits[length] = '\0';
    snprintf(decimal, sizeof(decimal), "%ld", figure);
    return strcmp(digits, decimal) == 0 || (figure >= 0 && figure <= 6 && strcmp(text, words[figure]) == 0);
}

static bool is_number(const char *text, unsigned least_digits)
{
    unsigned digits = 0;

    for (; isdigit(*text); text++)
        digits++;
    return *text == '\0' && digits >= least_digits;
}

const struct published_row *published_find(enum published_table table, long address)
{
    for (unsigned i = 0; i < published[table].count; i++)
        if (published[table].rows[i].address == address)
            return &published[table].rows[i];
    return NULL;
}

/* The first instruction after the address: appendix B has all of them. */
static long next_instruction(long address)
{
    const struct published *all = &published[COUNTER_SAMPLES];

    for (unsigned i = 0; i < all->count; i++)
        if (all->rows[i].address > address)
            return all->rows[i].address;
    return NONE;
}

/* The row's own address before the figures, or that of the next row right after them, as the table writes addresses. */
static bool is_there(const struct published *table, long address, const struct parts *parts)
{
    char own[16], next[16];

    snprintf(own, sizeof(own), table->notation, address);
    snprintf(next, sizeof(next), table->notation, next_instruction(address));
    return strstr(parts->part[0], own) == parts->part[0] ||
           strncmp(parts->part[parts->figures + 1], next, strlen(next)) == 0;
}

const char *published_row_wrong(enum published_table table, const struct published_row *row)
{
    struct parts parts;
    unsigned part = 0;

    if (!cut(row->copy, &parts))
        return "has no marks";
    if (!is_there(&published[table], row->address, &parts))
        return "is not of this row and table";
    for (unsigned i = 0; i < published[table].columns; part++) {
        unsigned together = 0;

        if (part == parts.figures)
            return "has too few figures";
        while (i < published[table].columns && row->figures[i] == NONE)
            together++, i++;
        if (together ? !is_number(figure(&parts, part), together) : !says(figure(&parts, part), row->figures[i++]))
            return "has another figure";
    }
    return part == parts.figures ? NULL : "has too many figures";
}

static bool belongs(const struct published_column *column, const struct published_row *row)
{
    if (!column->sampled)
        return true;
    for (unsigned i = 0; i < published[column->table].columns; i++)
        if (row->figures[i] > 0)
            return true;
    return false;
}

/* Counts backwards, because the beginnings are lost. Returns whether all figures agree; *ret_first is the row of the
 * first one. */
static bool follow(const struct published_column *column, const struct parts *parts, long *ret_first)
{
    const struct published *table = &published[column->table];
    unsigned part = parts->figures;

    for (unsigned i = table->count; i > 0 && part > 0; i--) {
        const struct published_row *row = &table->rows[i - 1];

        if (row->address > column->last || !belongs(column, row))
            continue;
        for (unsigned n = column->columns; n > 0; n--)
            if (part == 0 || !says(figure(parts, --part), row->figures[column->first_column + n - 1]))
                return false;
        *ret_first = row->address;
    }
    return part == 0;
}

const char *published_column_wrong(const struct published_column *column)
{
    struct parts parts;
    long first;

    if (!cut(column->copy, &parts))
        return "has no marks";
    return follow(column, &parts, &first) ? NULL : "has another figure";
}

const char *published_sentence_wrong(const struct published_sentence *sentence)
{
    const struct published_row *row = published_find(sentence->table, sentence->address);
    struct parts parts;

    if (!cut(sentence->copy, &parts) || parts.figures != 1)
        return "has not two marks";
    if (!says(figure(&parts, 0), sentence->figure))
        return "has another figure";
    if (sentence->column < PUBLISHED_COLUMNS && (row == NULL || row->figures[sentence->column] != sentence->figure))
        return "is not what the table has";
    return NULL;
}

bool published_elsewhere(enum published_table table, long address, unsigned column)
{
    const struct published_row *row = published_find(table, address);

    for (unsigned i = 0; i < published_column_count; i++) {
        const struct published_column *rows = &published_columns[i];
        struct parts parts;
        long first = 0;

        if (rows->table == table && column >= rows->first_column && column < rows->first_column + rows->columns &&
            address <= rows->last && belongs(rows, row) && cut(rows->copy, &parts) && follow(rows, &parts, &first) &&
            address >= first)
            return true;
    }
    for (unsigned i = 0; i < published_sentence_count; i++)
        if (published_sentences[i].table == table && published_sentences[i].address == address &&
            published_sentences[i].column == column)
            return true;
    return false;
}

/* ---------------------------------------------------------------- in the text */

/* Returns whether the page has the copy once, marks left out. Each page ends with its number. */
static bool on_page(const char *paper, unsigned page, const char *copy)
{
    char plain[LENGTH], end[32];
    const char *from = paper, *to, *found;
    unsigned length = 0;

    for (; *copy != '\0' && length < LENGTH - 1; copy++)
        if (*copy != '|')
            plain[length++] = *copy;
    plain[length] = '\0';
    if (page > 1) {
        snprintf(end, sizeof(end), "Page %u of %u", page - 1, PUBLISHED_PAGES);
        if ((from = strstr(paper, end)) == NULL)
            return false;
    }
    snprintf(end, sizeof(end), "Page %u of %u", page, PUBLISHED_PAGES);
    if ((to = strstr(from + 1, end)) == NULL)
        return false;
    found = strstr(from + 1, plain);
    return found != NULL && found < to && strstr(found + 1, plain) == NULL;
}

static unsigned look(const char *paper, unsigned page, const char *copy)
{
    if (*copy == '\0' || on_page(paper, page, copy))
        return 0;
    printf("not on page %u: %s\n", page, copy);
    return 1;
}

unsigned published_not_in(const char *paper)
{
    unsigned missing = 0;

    for (unsigned t = 0; t < PUBLISHED_TABLES; t++)
        for (unsigned i = 0; i < published[t].count; i++)
            missing += look(paper, published[t].page, published[t].rows[i].copy);
    for (unsigned i = 0; i < published_column_count; i++)
        missing += look(paper, published_columns[i].page, published_columns[i].copy);
    for (unsigned i = 0; i < published_sentence_count; i++)
        missing += look(paper, published_sentences[i].page, published_sentences[i].copy);
    return missing;
}
