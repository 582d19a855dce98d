/* SPDX-License-Identifier: BSD-2-Clause */
/* Formulas of columns, to and from text; the grammar is in views.h. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tools/ibsprof/views/views.h"

enum { WORD_MAX = 100, SCALE_MAX = 10000 };

#define VALID                                                                                                          \
    "valid are derived events (F206, 'IBS DC miss'), counter events (041, 046:07, DATA_CACHE_MISSES, 'DC misses') "    \
    "and timer"

struct reader {
    const char *at;
    struct out *problem;
};

static void skip_blanks(struct reader *reader)
{
    while (*reader->at == ' ' || *reader->at == '\t')
        reader->at++;
}

/* Skips the next character if it is this one. */
static bool take(struct reader *reader, char c)
{
    skip_blanks(reader);
    if (*reader->at != c)
        return false;
    reader->at++;
    return true;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == ':';
}

/* Reads a name: a word, or text in single quotes. */
static bool take_name(struct reader *reader, char name[WORD_MAX])
{
    size_t length = 0;
    bool quoted = take(reader, '\'');

    skip_blanks(reader);
    while (quoted ? *reader->at && *reader->at != '\'' : is_word(*reader->at)) {
        if (length < WORD_MAX - 1)
            name[length++] = *reader->at;
        reader->at++;
    }
    name[length] = '\0';
    if (quoted && !take(reader, '\'')) {
        out_printf(reader->problem, "a quote is not closed");
        return false;
    }
    if (length > 0)
        return true;
    out_printf(reader->problem, "an event is missing %s%.40s%s; " VALID, *reader->at ? "before '" : "at the end",
               reader->at, *reader->at ? "'" : "");
    return false;
}

/* ---------------------------------------------------------------- names of events */

static bool is_derived(const struct derived_event *event, const char *name)
{
    return strcasecmp(name, event->code) == 0 || strcasecmp(name, event->name) == 0 ||
           strcasecmp(name, event->abbreviation) == 0 || (event->symbol[0] && strcasecmp(name, event->symbol) == 0);
}

static bool find_counter(const char *name, struct event_spec *spec)
{
    if (event_parse(EVENT_SET_10H, name, strlen(name), spec, NULL))
        return true;
    for (unsigned i = 0; i < event_count(EVENT_SET_10H); i++) {
        const struct event *event = event_at(EVENT_SET_10H, i);

        if (strcasecmp(name, event->name) != 0 && strcasecmp(name, event->abbreviation) != 0)
            continue;
        *spec = (struct event_spec){.event = event, .mask = event->mask_default, .user = true, .kernel = true};
        return true;
    }
    return false;
}

static bool find_term(struct reader *reader, const char *name, uint32_t *term)
{
    struct event_spec spec;

    for (unsigned i = 0; i < DERIVED_COUNT; i++)
        if (is_derived(&derived_events[i], name)) {
            *term = i;
            return true;
        }
    if (strcasecmp(name, "timer") == 0) {
        *term = VIEW_TIMER;
        return true;
    }
    if (!find_counter(name, &spec)) {
        out_printf(reader->problem, "no event '%s'; " VALID, name);
        return false;
    }
    if (spec.user != spec.kernel || spec.edge || spec.invert || spec.count_mask || spec.period) {
        out_printf(reader->problem, "'%s' has modifiers; a view takes only an event and its mask, as in 046:07", name);
        return false;
    }
    *term = VIEW_COUNTER(spec.event->select, spec.mask);
    return true;
}

/* ---------------------------------------------------------------- formulas */

static bool counts_cycles(uint32_t term)
{
    return term < DERIVED_COUNT && derived_events[term].unit == DERIVED_CYCLES;
}

static bool take_sum(struct reader *reader, struct views_sum *sum)
{
    bool open = take(reader, '(');
    char name[WORD_MAX];

    sum->count = 0;
    do {
        if (sum->count == VIEWS_TERMS) {
            out_printf(reader->problem, "a sum has at most %d events", VIEWS_TERMS);
            return false;
        }
        if (!take_name(reader, name) || !find_term(reader, name, &sum->terms[sum->count]))
            return false;
        if (counts_cycles(sum->terms[sum->count]) != counts_cycles(sum->terms[0])) {
            out_printf(reader->problem, "'%s': a sum adds samples or cycles, not both", name);
            return false;
        }
        sum->count++;
    } while (take(reader, '+'));
    if (open && !take(reader, ')')) {
        out_printf(reader->problem, "a parenthesis is not closed");
        return false;
    }
    return true;
}

/* Reads "all" after the '/'. */
static bool take_all(struct reader *reader)
{
    skip_blanks(reader);
    if (strncasecmp(reader->at, "all", 3) != 0 || is_word(reader->at[3]))
        return false;
    reader->at += 3;
    return true;
}

static bool take_scale(struct reader *reader, uint16_t *scale)
{
    unsigned long number;
    char *end;

    *scale = 1;
    if (take(reader, '%')) {
        *scale = 100;
        return true;
    }
    if (!take(reader, '*'))
        return true;
    skip_blanks(reader);
    number = isdigit((unsigned char)*reader->at) ? strtoul(reader->at, &end, 10) : 0;
    if (number < 1 || number > SCALE_MAX) {
        out_printf(reader->problem, "'*' takes a whole number from 1 to %d", SCALE_MAX);
        return false;
    }
    reader->at = end;
    *scale = (uint16_t)number;
    return true;
}

bool views_formula_parse(const char *text, struct views_formula *formula, struct out *problem)
{
    struct reader reader = {text, problem};
    struct views_formula read = {.kind = VIEW_COUNT, .scale = 1};

    if (!take_sum(&reader, &read.left))
        return false;
    if (take(&reader, '/')) {
        read.kind = take_all(&reader) ? VIEW_SHARE : VIEW_RATIO;
        read.scale = 100;
        if (read.kind == VIEW_RATIO && (!take_sum(&reader, &read.right) || !take_scale(&reader, &read.scale)))
            return false;
    }
    skip_blanks(&reader);
    if (*reader.at) {
        out_printf(problem,
                   "'%.40s' does not fit; a formula is SUM, SUM / all, SUM / SUM, SUM / SUM %% or SUM / SUM * NUMBER",
                   reader.at);
        return false;
    }
    *formula = read;
    return true;
}

/* ---------------------------------------------------------------- back to text */

static void write_term(uint32_t term, struct out *out)
{
    if (term < DERIVED_COUNT)
        out_printf(out, "%s", derived_events[term].code);
    else if (term == VIEW_TIMER)
        out_printf(out, "timer");
    else if (term < VIEW_COUNTER(0, 0))
        out_printf(out, "%03X", event_meaning_of(EVENT_SET_10H, (enum event_meaning)(term & VIEW_INDEX))->select);
    else if (term & 0xFF)
        out_printf(out, "%03X:%02X", term >> 8 & 0xFFF, term & 0xFF);
    else
        out_printf(out, "%03X", term >> 8 & 0xFFF);
}

static const struct view_own *own_of(const struct view *view, uint16_t operand)
{
    return (operand & ~VIEW_INDEX) == VIEW_OWN ? &view->own[operand & VIEW_INDEX] : NULL;
}

void views_write_operand(const struct view *view, uint16_t operand, struct out *out)
{
    const struct view_own *own = own_of(view, operand);

    if (!own) {
        write_term(operand, out);
        return;
    }
    for (unsigned i = 0; i < own->count; i++) {
        out_printf(out, i > 0 ? "+" : "");
        write_term(own->terms[i], out);
    }
}

static void write_part(const struct view *view, uint16_t operand, struct out *out)
{
    const struct view_own *own = own_of(view, operand);
    bool several = own && own->count > 1;

    out_printf(out, several ? "(" : "");
    views_write_operand(view, operand, out);
    out_printf(out, several ? ")" : "");
}

void views_write_formula(const struct view *view, const struct view_column *column, struct out *out)
{
    if (column->kind == VIEW_COUNT) {
        views_write_operand(view, column->left, out);
        return;
    }
    if (column->kind == VIEW_SUM) {
        out_printf(out, "(");
        views_write_operand(view, column->left, out);
        out_printf(out, "+");
        views_write_operand(view, column->plus, out);
        out_printf(out, ")");
    } else {
        write_part(view, column->left, out);
    }
    out_printf(out, column->kind == VIEW_SHARE ? "/all " : "/");
    write_part(view, column->kind == VIEW_SHARE ? column->left : column->right, out);
}
