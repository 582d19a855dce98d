/* SPDX-License-Identifier: BSD-2-Clause */
/* The rows of General Exploration's trees: limits, texts, and what 'config explore' prints of them. */
#include <ctype.h>
#include <string.h>

#include "tests/unit/core/check.h"

#include "core/explore/explore_slots.h"
#include "core/explore/explore_tokens.h"
#include "core/view/view.h"

static char text[32768];

/* Checks that each "Fxxx" or "Xxxx" in a text is a derived event, and each '...' the title of a view. */
static void check_proof(const char *proof)
{
    for (const char *p = proof; *p; p++) {
        char title[80] = "", code[5] = "";
        bool found = false;

        if ((*p == 'F' || *p == 'X') && isdigit((unsigned char)p[1])) {
            memcpy(code, p, 4);
            for (int i = 0; i < DERIVED_COUNT; i++)
                found |= strcmp(derived_events[i].code, code) == 0;
            if (!found)
                fail_msg("%s: no such derived event", code);
            p += 3;
        } else if (*p == '\'') {
            const char *end = strchr(p + 1, '\'');

            assert_non_null(end);
            memcpy(title, p + 1, (size_t)(end - p - 1));
            for (unsigned i = 0; i < view_count; i++)
                found |= strcmp(view_table[i].title, title) == 0;
            if (!found)
                fail_msg("%s: no such view", title);
            p = end;
        }
    }
}

/* Requires a sentence of each row, which names the events of a share or a ratio by their numbers. */
static void check_meaning(const struct explore_node_row *row)
{
    size_t length;

    assert_non_null(row->means);
    length = strlen(row->means);
    assert_true(length > 20 && row->means[length - 1] == '.');
    if (row->unit == EXPLORE_UNIT_SHARE || row->unit == EXPLORE_UNIT_RATIO)
        assert_non_null(strpbrk(row->means, "0123456789"));
}

static void check_rows(const struct explore_method *method)
{
    for (unsigned i = 0; i < method->rows; i++) {
        const struct explore_node_row *row = &method->row[i];

        assert_non_null(row->name);
        assert_true(strlen(row->name) + 2 * (row->level - 1u) <= 34);
        assert_true(strlen(row->unit_text) <= 10);
        assert_true(row->parent == EXPLORE_ROOT || row->parent < i); /* parents are computed and flagged first */
        assert_int_equal(row->level, row->parent == EXPLORE_ROOT ? 1 : method->row[row->parent].level + 1);
        assert_int_equal(row->unobservable, row->inputs == 0);
        assert_true(row->raw == EXPLORE_EVENTS || row->raw < method->events);
        check_meaning(row);
        if (row->limit_ppm == EXPLORE_NO_LIMIT) {
            assert_null(row->try_this);
            assert_null(row->proof);
            continue;
        }
        assert_int_equal(row->unit, EXPLORE_UNIT_SLOTS);
        assert_non_null(row->try_this);
        check_proof(row->proof);
    }
}

/* Level 1 of the front end cannot tell that code is too large: a loop of a few instructions can be front-end bound,
 * too. */
static void check_front_end(const struct explore_method *method)
{
    bool found = false;

    for (unsigned i = 0; i < method->rows; i++) {
        const struct explore_node_row *row = &method->row[i];

        if (strcmp(row->name, "Front-end bound") == 0) {
            found = true;
            assert_null(strstr(row->try_this, "smaller"));
            assert_int_equal(strncmp(row->try_this, "The rows below say", 18), 0);
        }
    }
    assert_true(found);
}

/* Checks the rows of each method: the one with slots is for Zen 4 and later, the one with tokens for Zen to Zen 3. */
TEST(rows_are_sound)
{
    check_rows(&explore_10h);
    assert_int_equal(explore_10h.slots, 3);
    check_rows(&explore_slots_6);
    check_rows(&explore_slots_8);
    check_rows(&explore_tokens_zen);
    check_front_end(&explore_10h);
    check_front_end(&explore_slots_6);
    for (enum event_set set = EVENT_SET_NONE; set < EVENT_SETS; set++)
        assert_ptr_equal(explore_of(set), set == EVENT_SET_10H || set == EVENT_SET_12H     ? &explore_10h
                                          : set == EVENT_SET_ZEN                           ? &explore_tokens_zen
                                          : set == EVENT_SET_ZEN2                          ? &explore_tokens_zen2
                                          : set == EVENT_SET_ZEN3                          ? &explore_tokens_zen3
                                          : set == EVENT_SET_ZEN4                          ? &explore_slots_6
                                          : set == EVENT_SET_ZEN5 || set == EVENT_SET_ZEN6 ? &explore_slots_8
                                                                                           : NULL);
}

static void check_printed(const struct explore_method *method, const char *golden)
{
    struct out_memory memory;

    out_memory_init(&memory, text, sizeof(text));
    explore_print_rows(&memory.out, method);
    assert_true(memory.needed < sizeof(text));
    for (const char *line = text; *line; line = strchr(line, '\n') + 1)
        if (strchr(line, '\n') - line > 79)
            fail_msg("longer than 79: %.*s", (int)(strchr(line, '\n') - line), line);
    check_golden(golden, text);
}

TEST(each_row_is_printed_in_words)
{
    check_printed(&explore_10h, "explore/explore_rows.txt");
    check_printed(&explore_slots_8, "explore/explore_rows_8.txt");
    check_printed(&explore_tokens_zen2, "explore/explore_rows_tokens.txt");
}

/* Prints all numbers of the tables, so that no number changes unnoticed. */
static void numbers(struct out *out, const struct explore_method *method)
{
    out_printf(out, "== %s: %u slots, IBS %u, fitted %u\n", method->title, method->slots, method->ibs, method->fitted);
    for (unsigned i = 0; i < method->events; i++)
        out_printf(out, "event %u: %03x, mask %x, count mask %x\n", i, method->event[i].select, method->event[i].mask,
                   method->event[i].count_mask);
    for (unsigned i = 0; i < method->rows; i++) {
        const struct explore_node_row *row = &method->row[i];

        out_printf(out, "row %u: unit %u, level %u, parent %u, raw %u, unobservable %u, limit %u, inputs %lx\n", i,
                   row->unit, row->level, row->parent, row->raw, row->unobservable, row->limit_ppm, row->inputs);
    }
    for (unsigned i = 0; i < method->checks; i++) {
        const struct explore_check_row *row = &method->check[i];

        out_printf(out, "check %u: %lx, %lx, max %u, expected %u, slots %u %u, relation %u, tolerance %u %u\n", i,
                   row->left, row->right, row->left_is_max, row->needs_expected, row->left_slots, row->right_slots,
                   row->relation, row->tolerance_ppm, row->cycles_ppm);
    }
    for (unsigned i = 0; i < method->sections; i++)
        out_printf(out, "section at %u\n", method->section[i].first);
}

TEST(each_number)
{
    static const struct explore_method *const methods[] = {&explore_10h,         &explore_slots_6,
                                                           &explore_slots_8,     &explore_tokens_zen,
                                                           &explore_tokens_zen2, &explore_tokens_zen3};
    struct out_memory memory;

    out_memory_init(&memory, text, sizeof(text));
    for (unsigned i = 0; i < sizeof(methods) / sizeof(methods[0]); i++)
        numbers(&memory.out, methods[i]);
    assert_true(memory.needed < sizeof(text));
    check_golden("explore/explore_numbers.txt", text);
}

RUN_TESTS(NULL, NULL)
