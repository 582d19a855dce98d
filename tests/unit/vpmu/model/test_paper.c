/* SPDX-License-Identifier: BSD-2-Clause */
/* The figures of AMD's paper (bench/paper/published.c) stand in its text copy where the tables say, and agree with the
 * paper's program. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/test.h"
#include "bench/paper/samples.h"

enum { ITERATIONS = 1000 }; /* millions: 1000 x 1000 x 1000 */

/* Returns whether a figure without a copy of its row is in a column or a sentence, or follows from others: killed
 * fetches are those not attempted. */
static bool is_covered(enum published_table table, const struct published_row *row, unsigned column)
{
    if (row->figures[column] == NONE || published_elsewhere(table, row->address, column))
        return true;
    return table == FETCHES && column == FETCH_KILLED && published_elsewhere(table, row->address, FETCH_ALL) &&
           published_elsewhere(table, row->address, FETCH_ATTEMPTED);
}

TEST(test_figures_are_the_digits_of_the_copy)
{
    for (unsigned t = 0; t < PUBLISHED_TABLES; t++) {
        for (unsigned i = 0; i < published[t].count; i++) {
            const struct published_row *row = &published[t].rows[i];
            const char *wrong = *row->copy != '\0' ? published_row_wrong(t, row) : NULL;

            if (wrong != NULL)
                fail_msg("%s, %lX: %s %s", published[t].name, row->address, row->copy, wrong);
            for (unsigned column = 0; *row->copy == '\0' && column < published[t].columns; column++)
                if (!is_covered(t, row, column))
                    fail_msg("%s, %lX: no digits for %ld", published[t].name, row->address, row->figures[column]);
        }
    }
    for (unsigned i = 0; i < published_column_count; i++)
        assert_ptr_equal(published_column_wrong(&published_columns[i]), NULL);
    for (unsigned i = 0; i < published_sentence_count; i++)
        assert_ptr_equal(published_sentence_wrong(&published_sentences[i]), NULL);
}

/* The digits at the end of the table of loads and stores were once taken for the op table's row of jmp. */
TEST(test_digits_of_another_table_are_refused)
{
    static const char *const copies[] = {"33720", "|3372|0|", "|3372|0|Unlike", "0x4011cfjmp00401191|3372|0|Unlike"};

    for (unsigned i = 0; i < 4; i++) {
        struct published_row jmp = {0x4011CF, {3372, NONE, 0}, copies[i], ""};

        assert_non_null(published_row_wrong(OP_SAMPLES, &jmp));
    }
}

static void expect_wrong(const char *reason, const char *copy, long first, long second, long third, long fourth)
{
    struct published_row row = {0x4011CC, {first, second, third, fourth}, copy, ""};
    const char *wrong = published_row_wrong(LOADS_AND_STORES, &row);

    if (reason == NULL)
        assert_ptr_equal(wrong, NULL);
    else
        assert_string_equal(wrong, reason);
}

TEST(test_a_reading_is_held_against_its_digits)
{
    char endless[300];

    expect_wrong(NULL, "0x4011ccfstp|4|12203|9|1|", 4, 12203, 9, 1);
    expect_wrong(NULL, "|4|12203|9|1|0x4011cf", 4, 12203, 9, 1);
    expect_wrong(NULL, "|4| 12,203|9|one|0x4011cf", 4, 12203, 9, 1);
    expect_wrong(NULL, "|412203|9|1|0x4011cf", NONE, NONE, 9, 1);
    expect_wrong(NULL, "|4|122|0x4011cf", 4, NONE, NONE, NONE);
    expect_wrong("has another figure", "|4|12203|9|1|0x4011cf", 4, 12203, 9, 2);
    expect_wrong("has another figure", "|4|12203|9|1|0x4011cf", 41, 2203, 9, 1);
    expect_wrong("has another figure", "|4|12|0x4011cf", 4, NONE, NONE, NONE); /* two digits for three figures */
    expect_wrong("has another figure", "|4|12a|0x4011cf", 4, NONE, NONE, NONE);
    expect_wrong("has too few figures", "|4|12203|9|0x4011cf", 4, 12203, 9, 1);
    expect_wrong("has too few figures", "|4|12203|0x4011cf", 4, 12203, NONE, NONE);
    expect_wrong("has too many figures", "|4|12203|9|1|0|0x4011cf", 4, 12203, 9, 1);
    expect_wrong("is not of this row and table", "|4|12203|9|1|", 4, 12203, 9, 1);
    expect_wrong("is not of this row and table", "|4|12203|9|1| 0x4011cf", 4, 12203, 9, 1);
    expect_wrong("is not of this row and table", "|4|12203|9|1|0x4011cc", 4, 12203, 9, 1); /* its own address */
    expect_wrong("is not of this row and table", "004011CC|4|12203|9|1|", 4, 12203, 9,
                 1); /* the address in another notation */
    expect_wrong("is not of this row and table", "0x4011cf|4|12203|9|1|", 4, 12203, 9,
                 1); /* the next address before it */
    expect_wrong("is not of this row and table", "7 0x4011cc|4|12203|9|1|", 4, 12203, 9,
                 1); /* not at the beginning of the copy */
    expect_wrong("has no marks", "412203910x4011cf", 4, 12203, 9, 1);
    expect_wrong("has no marks", "4122039|10x4011cf", 4, 12203, 9, 1);
    memset(endless, ' ', sizeof(endless));
    endless[sizeof(endless) - 1] = '\0';
    expect_wrong("has no marks", endless, 4, 12203, 9, 1);
}

static const char *accesses_wrong(const char *copy, long last)
{
    struct published_column column = {OP_SAMPLES, 14, OP_ACCESSES, 1, false, last, copy};

    return published_column_wrong(&column);
}

TEST(test_a_column_is_held_against_its_digits)
{
    struct published_column fetched = {FETCHES, 5, FETCH_ALL, 5, false, 0x4011DA, "|5|5|0|5|5|0|0|0|0|0|0|0|0|0|0|0|"};

    assert_ptr_equal(accesses_wrong("|12207|40|", 0x4011CF), NULL);
    assert_ptr_equal(accesses_wrong("IBS 07|40|3|0|2|", 0x4011DA), NULL);
    assert_string_equal(accesses_wrong("|12207|40|", 0x4011D1), "has another figure");
    assert_string_equal(accesses_wrong("|12207|4|30|", 0x4011D1), "has another figure");
    assert_string_equal(accesses_wrong("|6|0|2731|", 0x4011AC), "has another figure"); /* 4011A3 is not legible */
    assert_string_equal(accesses_wrong("12207 40", 0x4011CF), "has no marks");
    /* The copy has more figures than the table has rows; and one is left of a row of five figures. */
    assert_string_equal(accesses_wrong("|32508|3379|", 0x401197), "has another figure");
    assert_string_equal(published_column_wrong(&fetched), "has another figure");
    fetched.copy = "|5|0|5|5|0|0|0|0|0|0|0|0|0|0|0|";
    assert_ptr_equal(published_column_wrong(&fetched), NULL);
    /* Only rows with samples are compared. */
    fetched.columns = 1;
    fetched.copy = "|3955|5|";
    assert_string_equal(published_column_wrong(&fetched), "has another figure");
    fetched.sampled = true;
    assert_ptr_equal(published_column_wrong(&fetched), NULL);
}

static const char *sentence_wrong(const char *copy, unsigned column, long address, long figure)
{
    struct published_sentence sentence = {8, OP_SAMPLES, address, column, figure, copy};

    return published_sentence_wrong(&sentence);
}

TEST(test_a_sentence_is_held_against_the_table)
{
    assert_ptr_equal(sentence_wrong("are |3,379| branches", OP_BRANCHES, 0x4011A1, 3379), NULL);
    assert_ptr_equal(sentence_wrong("only |two|", PUBLISHED_COLUMNS, 0x4011A1, 2), NULL);
    assert_string_equal(sentence_wrong("only |two|", PUBLISHED_COLUMNS, 0x4011A1, 3), "has another figure");
    assert_string_equal(sentence_wrong("only |seven|", PUBLISHED_COLUMNS, 0x4011A1, 7), "has another figure");
    assert_string_equal(sentence_wrong("only |minus|", PUBLISHED_COLUMNS, 0x4011A1, -1), "has another figure");
    assert_string_equal(sentence_wrong("are |3,379| branches", OP_BRANCHES, 0x4011B5, 3379),
                        "is not what the table has");
    assert_string_equal(sentence_wrong("are |3,379| branches", OP_BRANCHES, 0x4011A0, 3379),
                        "is not what the table has");
    assert_string_equal(sentence_wrong("are |3,379|0| branches", OP_BRANCHES, 0x4011A1, 3379), "has not two marks");
    assert_string_equal(sentence_wrong("are 3,379 branches", OP_BRANCHES, 0x4011A1, 3379), "has not two marks");
}

TEST(test_columns_and_sentences_have_no_figures_but_theirs)
{
    assert_true(published_elsewhere(OP_SAMPLES, 0x4011A1, OP_BRANCHES));  /* a sentence */
    assert_true(published_elsewhere(OP_SAMPLES, 0x4011A6, OP_ACCESSES));  /* the first of a column */
    assert_true(published_elsewhere(OP_SAMPLES, 0x4011F2, OP_ACCESSES));  /* and the last of the column */
    assert_false(published_elsewhere(OP_SAMPLES, 0x4011A3, OP_ACCESSES)); /* before the column's rest begins */
    assert_false(published_elsewhere(OP_SAMPLES, 0x4011E9, OP_ALL));
    assert_false(published_elsewhere(COUNTER_SAMPLES, 0x4011E0, OP_ALL));
    assert_true(published_elsewhere(FETCHES, 0x4011E0, FETCH_ATTEMPTED));
    assert_true(published_elsewhere(FETCHES, 0x4011E0, FETCH_ABORTED));
    assert_false(published_elsewhere(FETCHES, 0x401197, FETCH_ATTEMPTED)); /* this row has no samples */
    assert_false(published_elsewhere(FETCHES, 0x401191, FETCH_KILLED));
}

/* Writes a made-up text with every copy on its page. */
static void write_pages(char *text, const char *left_out)
{
    *text = '\0';
    for (unsigned page = 1; page <= PUBLISHED_PAGES; page++) {
        for (unsigned t = 0; t < PUBLISHED_TABLES; t++)
            for (unsigned i = 0; i < published[t].count; i++)
                if (published[t].page == page && published[t].rows[i].copy != left_out)
                    sprintf(text + strlen(text), "%s\n", published[t].rows[i].copy);
        for (unsigned i = 0; i < published_column_count; i++)
            if (published_columns[i].page == page && published_columns[i].copy != left_out)
                sprintf(text + strlen(text), "%s\n", published_columns[i].copy);
        for (unsigned i = 0; i < published_sentence_count; i++)
            if (published_sentences[i].page == page && published_sentences[i].copy != left_out &&
                (i == 0 || published_sentences[i].copy != published_sentences[i - 1].copy))
                sprintf(text + strlen(text), "%s\n", published_sentences[i].copy);
        sprintf(text + strlen(text), "Page %u of %u\n", page, PUBLISHED_PAGES);
    }
}

static unsigned found_missing(const char *text)
{
    static char plain[1 << 16];
    unsigned length = 0;

    for (; *text != '\0'; text++)
        if (*text != '|')
            plain[length++] = *text;
    plain[length] = '\0';
    return published_not_in(plain);
}

TEST(test_every_copy_is_looked_for_on_its_page)
{
    static char text[1 << 16];
    const char *fetch = published_find(FETCHES, 0x4011C0)->copy;

    assert_ptr_equal(published_find(FETCHES, 0x4011C1), NULL);
    write_pages(text, NULL);
    assert_int_equal(found_missing(text), 0);
    write_pages(text, fetch);
    assert_int_equal(found_missing(text), 1);
    sprintf(text + strlen(text), "%s", fetch); /* there, but after the last page */
    assert_int_equal(found_missing(text), 1);
    write_pages(text, published_columns[3].copy);
    assert_int_equal(found_missing(text), 1);
    write_pages(text, published_sentences[2].copy);
    assert_int_equal(found_missing(text), 1);
    write_pages(text, NULL);
    memmove(text + strlen(fetch) + 1, text, strlen(text) + 1); /* also on page 1, which is the wrong page */
    memcpy(text, fetch, strlen(fetch) + 1);
    text[strlen(fetch)] = '\n';
    assert_int_equal(found_missing(text), 0);
    assert_int_equal(found_missing("Page 1 of 14"), published_not_in(""));
}

TEST(test_loads_and_stores_are_those_of_the_op_table)
{
    const struct published *rows = &published[LOADS_AND_STORES];

    for (unsigned i = 0; i < rows->count; i++) {
        const long *figures = rows->rows[i].figures;

        if (figures[ACCESS_LOADS] != NONE)
            assert_int_equal(figures[ACCESS_LOADS] + figures[ACCESS_STORES],
                             published_find(OP_SAMPLES, rows->rows[i].address)->figures[OP_ACCESSES]);
    }
}

/* The digits at jmp can be divided in several ways; the ways that have the op table's loads and stores have these
 * figures. */
TEST(test_the_figures_of_jmp_fit_the_op_table)
{
    const struct published_row *jmp = published_find(LOADS_AND_STORES, 0x4011CF);
    static const long readings[][4] = {{3, 3, 7, 20}, {3, 3, 72, 0}, {3, 37, 2, 0}, {33, 7, 2, 0}};
    unsigned fit = 0;

    for (unsigned i = 0; i < 4; i++) {
        if (readings[i][0] + readings[i][1] != published_find(OP_SAMPLES, 0x4011CF)->figures[OP_ACCESSES])
            continue;
        fit++;
        assert_int_equal(readings[i][2], jmp->figures[ACCESS_MISSES]);
        assert_int_equal(readings[i][3], jmp->figures[ACCESS_WALKS]);
    }
    assert_int_equal(fit, 2); /* so the division of loads and stores is open */
    assert_int_equal(jmp->figures[ACCESS_LOADS], NONE);
    assert_int_equal(jmp->figures[ACCESS_STORES], NONE);
}

/* If the figure of all ops is lost, accesses are used instead, but only for instructions that load or store. */
TEST(test_samples_of_an_op)
{
    assert_int_equal(paper_samples(published_find(OP_SAMPLES, 0x4011B5)), 1295);
    assert_int_equal(paper_samples(published_find(OP_SAMPLES, 0x4011CC)), 12207);
    assert_int_equal(paper_samples(published_find(OP_SAMPLES, 0x4011CF)), NONE); /* not the 40 of its accesses */
    assert_int_equal(paper_samples(published_find(OP_SAMPLES, 0x4011A6)), NONE);
    assert_int_equal(paper_samples(published_find(OP_SAMPLES, 0x4011D1)), NONE); /* outside of the loop */
    assert_int_equal(paper_samples(&(struct published_row){0x401191, {7, 0, 7}, "", ""}), 7);
    assert_int_equal(paper_samples(&(struct published_row){0x40118F, {7, 7, 0}, "", ""}), NONE);
    assert_int_equal(paper_samples(&(struct published_row){0x401192, {7, 0, 7}, "", ""}),
                     NONE); /* not an instruction */
}

TEST(test_fetches_agree_with_each_other)
{
    for (unsigned i = 0; i < published[FETCHES].count; i++) {
        const long *figures = published[FETCHES].rows[i].figures;

        assert_int_equal(figures[FETCH_ATTEMPTED], figures[FETCH_COMPLETED] + figures[FETCH_ABORTED]);
        if (figures[FETCH_ALL] != NONE)
            assert_int_equal(figures[FETCH_ALL], figures[FETCH_KILLED] + figures[FETCH_ATTEMPTED]);
    }
}

/* Checks that samples times the period are the events of an iteration, within half a percent: a third of that is four
 * standard errors of the smallest sum, if samples came by chance. */
static void expect_each_iteration(long samples, long events)
{
    long each = samples * (PUBLISHED_PERIOD / 1000) / ITERATIONS; /* thousandths of an event */

    assert_in_range(each, events * 995, events * 1005);
}

TEST(test_sums_are_those_of_the_program)
{
    long instructions = 0, accesses = 0, fetches = 0;

    for (unsigned i = 0; i < published[COUNTER_SAMPLES].count; i++) {
        instructions += published[COUNTER_SAMPLES].rows[i].figures[COUNTER_INSTRUCTIONS];
        accesses += published[COUNTER_SAMPLES].rows[i].figures[COUNTER_ACCESSES];
    }
    for (unsigned i = 0; i < published[FETCHES].count; i++) {
        const long *figures = published[FETCHES].rows[i].figures;

        fetches += figures[FETCH_ALL] == NONE ? figures[FETCH_ATTEMPTED] : figures[FETCH_ALL];
    }
    expect_each_iteration(instructions, 16);
    expect_each_iteration(accesses, 11);
    expect_each_iteration(fetches, 3);
}

RUN_TESTS(NULL, NULL)
