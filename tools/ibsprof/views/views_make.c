/* SPDX-License-Identifier: BSD-2-Clause */
/* One view of a file: its keys, columns and formulas. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/run/settings.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/views/views_inside.h"

enum { TITLE_LINES = 3, TITLE_WIDTH = 9 };

/* ---------------------------------------------------------------- keys */

#define TEXT .type = SETTINGS_STRING, .initial = "", .max = VIEWS_TEXT_MAX, .help = ""
#define COLUMN(n_)                                                                                                     \
    {                                                                                                                  \
        .key = "column_" #n_, TEXT                                                                                     \
    }
static const struct settings_row keys[] = {
    {.key = "title", TEXT},
    {.key = "note", TEXT},
    {.key = "sort", TEXT},
    COLUMN(1),
    COLUMN(2),
    COLUMN(3),
    COLUMN(4),
    COLUMN(5),
    COLUMN(6),
    COLUMN(7),
    COLUMN(8),
    COLUMN(9),
    COLUMN(10),
};
enum { KEYS = sizeof(keys) / sizeof(keys[0]), KEY_SORT = 2, KEY_COLUMN = 3 };
_Static_assert(KEYS == KEY_COLUMN + VIEW_COLUMNS, "a key for each column that a view may have");

static bool read_keys(struct views_section *section)
{
    struct settings_row rows[KEYS];
    const struct settings settings = {.rows = rows, .count = KEYS};

    memcpy(rows, keys, sizeof(rows));
    rows[0].value = section->title;
    rows[1].value = section->note;
    rows[KEY_SORT].value = section->sort;
    for (unsigned i = 0; i < VIEW_COLUMNS; i++)
        rows[KEY_COLUMN + i].value = section->columns[i];
    (void)settings_defaults(&settings);
    return settings_parse_text(&settings, section->file, section->text, section->size, section->problems) == 0;
}

/* Returns the line of a key, or, without it, of the section. */
static unsigned line_of(const struct views_section *section, const char *key)
{
    const struct settings_row row = {.key = key};
    const struct settings one = {.rows = &row, .count = 1};
    unsigned number = 1, found = section->line;

    for (const char *at = section->text; at < section->text + section->size; number++) {
        const char *end = memchr(at, '\n', section->size - (size_t)(at - section->text)), *equals;
        size_t length = end ? (size_t)(end - at) : section->size - (size_t)(at - section->text);
        const char *next = at + length + 1;

        while (length > 0 && (*at == ' ' || *at == '\t'))
            at++, length--;
        equals = memchr(at, '=', length);
        while (equals && equals > at && (equals[-1] == ' ' || equals[-1] == '\t'))
            equals--;
        if (equals && settings_find(&one, at, (size_t)(equals - at)))
            found = number;
        at = next;
    }
    return found;
}

struct out *views_problem(const struct views_section *section, const char *key)
{
    out_printf(section->problems, "%s:%u: ", section->file, key ? line_of(section, key) : section->line);
    return section->problems;
}

/* ---------------------------------------------------------------- columns */

/* Breaks a name into at most three lines, as narrow as its words allow. */
static void in_lines(const char *name, char *title)
{
    for (size_t width = TITLE_WIDTH;; width++) {
        size_t column = 0, used = 0;
        unsigned lines = 1;

        for (const char *at = name; *at && used < VIEWS_TITLE_SIZE - 1;) {
            size_t word = strcspn(at, " ");

            if (column > 0 && column + 1 + word > width) {
                title[used++] = '\n';
                column = 0;
                lines++;
            } else if (column > 0) {
                title[used++] = ' ';
                column++;
            }
            for (; word > 0 && used < VIEWS_TITLE_SIZE - 1; word--, column++)
                title[used++] = *at++;
            at += strspn(at, " ");
        }
        title[used] = '\0';
        if (lines <= TITLE_LINES)
            return;
    }
}

/* Returns an operand: one derived event, or the timer, is built in; any other sum becomes the view's own. */
static uint16_t operand_of(struct user_view *user, const struct views_sum *sum)
{
    struct view_own *own;
    unsigned index;

    if (sum->count == 1 && sum->terms[0] < VIEW_COUNTER(0, 0))
        return (uint16_t)sum->terms[0];
    index = user->view.own_count++;
    own = &user->own[index];
    user->sums[index] = *sum;
    *own = (struct view_own){user->own_names[index], user->sums[index].terms, (uint8_t)sum->count};
    return (uint16_t)(VIEW_OWN + index);
}

/* Returns the decimals: rates, which are small, need more than means and percents. */
static uint8_t decimals_of(const struct views_formula *formula)
{
    uint32_t first = formula->left.terms[0];
    bool cycles = first < DERIVED_COUNT && derived_events[first].unit == DERIVED_CYCLES;

    return formula->kind == VIEW_COUNT ? 0 : formula->scale == 100 ? 1 : formula->scale == 1 && !cycles ? 4 : 2;
}

static void name_own(struct user_view *user)
{
    struct out_memory memory;

    for (unsigned i = 0; i < user->view.own_count; i++) {
        out_memory_init(&memory, user->own_names[i], VIEWS_TITLE_SIZE);
        views_write_operand(&user->view, (uint16_t)(VIEW_OWN + i), &memory.out);
    }
}

static bool add_column(const struct views_section *section, struct user_view *user, unsigned number)
{
    const char *key = keys[KEY_COLUMN + number].key, *text = section->columns[number];
    struct view_column *column = &user->view.columns[user->view.column_count];
    size_t length = strcspn(text, ":");
    char name[VIEWS_TEXT_MAX + 1], why[400];
    struct views_formula formula;
    struct out_memory memory;

    while (length > 0 && text[length - 1] == ' ' && text[strcspn(text, ":")])
        length--;
    snprintf(name, sizeof(name), "%.*s", (int)length, text);
    if (length == 0 || length > VIEWS_TITLE_SIZE / 2 || text[strcspn(text, ":")] == '\0') {
        out_printf(views_problem(section, key), "a column is NAME: FORMULA, as in 'DC misses: F206'\n");
        return false;
    }
    out_memory_init(&memory, why, sizeof(why));
    if (!views_formula_parse(text + strcspn(text, ":") + 1, &formula, &memory.out)) {
        out_printf(views_problem(section, key), "column '%s': %s\n", name, why);
        return false;
    }
    in_lines(name, user->titles[user->view.column_count]);
    *column = (struct view_column){.title = user->titles[user->view.column_count],
                                   .kind = (uint8_t)formula.kind,
                                   .decimals = decimals_of(&formula),
                                   .scale = formula.scale};
    column->left = operand_of(user, &formula.left);
    if (formula.kind == VIEW_RATIO)
        column->right = operand_of(user, &formula.right);
    if (section->sort[0] && strcmp(section->sort, name) == 0)
        user->view.sort = (uint8_t)(user->view.column_count + 1);
    user->view.column_count++;
    return true;
}

/* ---------------------------------------------------------------- a view */

/* Sets the population, whose samples decide whether a row is empty: all ops, fetches, or any event of the columns. */
static void set_population(struct user_view *user)
{
    static const char *const counts[] = {[SAMPLE_FETCH] = "fetches sampled",
                                         [SAMPLE_OP] = "ops sampled",
                                         [SAMPLE_PMC] = "interrupts of counters",
                                         [SAMPLE_TIMER] = "interrupts of the timer"};
    struct view *view = &user->view;
    uint8_t sums = view->own_count;
    enum sample_kind kind;
    bool killed = false;
    unsigned count = 0;

    view->population = view->columns[0].left;
    kind = view_kind(view);
    view->what = counts[kind];
    for (unsigned i = 0; i < view->column_count; i++)
        killed |= view->columns[i].left <= DERIVED_F001_FETCH_KILLED;
    if (kind == SAMPLE_OP)
        view->population = DERIVED_F100_OP_ALL;
    if (kind == SAMPLE_FETCH)
        view->population = killed ? DERIVED_F000_FETCH_ALL : DERIVED_F002_FETCH_ATTEMPTED;
    if (kind != SAMPLE_PMC)
        return;
    user->population = must_alloc((size_t)sums * VIEWS_TERMS, sizeof(*user->population));
    for (unsigned i = 0; i < sums; i++) {
        memcpy(user->population + count, user->sums[i].terms, user->sums[i].count * sizeof(*user->population));
        count += user->sums[i].count;
    }
    user->own[sums] = (struct view_own){user->own_names[sums], user->population, (uint8_t)count};
    view->own_count++;
    view->population = (uint16_t)(VIEW_OWN + sums);
}

static bool fill_view(const struct views_section *section, struct user_view *user)
{
    struct view *view = &user->view;
    struct out_memory memory;
    bool good = true;
    char why[400];

    for (unsigned i = 0; i < VIEW_COLUMNS; i++)
        good &= section->columns[i][0] == '\0' || add_column(section, user, i);
    if (good && view->column_count == 0) {
        out_printf(views_problem(section, NULL), "[%s] has no column; 'column_1 = NAME: FORMULA' is one\n",
                   section->name);
        return false;
    }
    if (good && section->sort[0] && !view->sort) {
        out_printf(views_problem(section, "sort"), "no column has the name '%s'\n", section->sort);
        return false;
    }
    if (!good)
        return false;
    set_population(user);
    name_own(user);
    view->mark = view->columns[view->sort ? view->sort - 1 : 0].left;
    out_memory_init(&memory, why, sizeof(why));
    if (!view_check(view, &memory.out))
        out_printf(views_problem(section, NULL), "%s", why);
    return memory.needed == 0;
}

struct user_view *views_make(struct views_section *section)
{
    struct user_view *user = must_new(user);
    bool good = read_keys(section);

    snprintf(user->name, sizeof(user->name), "%s", section->name);
    snprintf(user->title, sizeof(user->title), "%s", section->title[0] ? section->title : section->name);
    snprintf(user->note, sizeof(user->note), "%s", section->note);
    user->view =
        (struct view){.name = user->name, .title = user->title, .level = PROFILE_INSTRUCTIONS, .own = user->own};
    user->view.footnote = user->note[0] ? user->note : NULL;
    if (good && fill_view(section, user))
        return user;
    free(user->population);
    free(user);
    return NULL;
}
