/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables of the views: golden files, and limits of their width. */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/core/check.h"

#include "core/base/heat.h"
#include "core/family/ibs_regs.h"
#include "core/view/view.h"

static char text[65536];

static const char *print(const char *view, struct profile *profile, enum profile_level level,
                         const struct view_options *options)
{
    struct out_memory memory;

    out_memory_init(&memory, text, sizeof(text));
    assert_non_null(view_find(view));
    view_print(&memory.out, view_find(view), profile, level, options);
    assert_true(memory.needed < sizeof(text));
    return text;
}

static size_t widest(void)
{
    size_t width = 0;

    for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
        width = strcspn(line, "\n") > width ? strcspn(line, "\n") : width;
    return width;
}

static void assert_width(size_t width)
{
    for (const char *line = text; *line; line = strchr(line, '\n') + 1)
        if (strcspn(line, "\n") > width)
            fail_msg("wider than %zu: %.*s", width, (int)strcspn(line, "\n"), line);
}

TEST(the_papers_tables)
{
    static const struct {
        const char *view;
        enum profile_level level;
        const char *golden;
    } rows[] = {
        {"ibs_fetch", PROFILE_INSTRUCTIONS, "ibs/ibs_fetch_instructions.txt"},
        {"ibs_op", PROFILE_INSTRUCTIONS, "ibs/ibs_op_instructions.txt"},
        {"ibs_ls", PROFILE_INSTRUCTIONS, "ibs/ibs_ls_instructions.txt"},
        {"ibs_dclat", PROFILE_INSTRUCTIONS, "ibs/ibs_dclat_instructions.txt"},
        {"ibs_fetch", PROFILE_LINES, "ibs/ibs_fetch_lines.txt"},
        {"ibs_op", PROFILE_LINES, "ibs/ibs_op_lines.txt"},
        {"ibs_op", PROFILE_FUNCTIONS, "ibs/ibs_op_functions.txt"},
        {"ibs_dclat", PROFILE_FUNCTIONS, "ibs/ibs_dclat_functions.txt"},
    };
    struct profile profile = small_profile();

    add_paper_run(&profile);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        print(rows[i].view, &profile, rows[i].level, NULL);
        assert_width(79);
        check_golden(rows[i].golden, text);
    }
}

TEST(in_the_papers_order)
{
    static const char *const order[] = {"ibs_fetch", "ibs_op", "ibs_ls", "ibs_dclat"};

    assert_true(view_count >= 4);
    for (unsigned i = 0; i < 4; i++)
        assert_string_equal(view_table[i].name, order[i]);
    assert_null(view_find("ibs"));
}

static size_t length_of_line(const char *with)
{
    const char *line = text;

    for (const char *next; (next = strchr(line, '\n')) && next < strstr(text, with);)
        line = next + 1;
    return strcspn(line, "\n");
}

/* The widest figure may be in the first row; a function with a hundredth of the samples is listed in full. */
TEST(rows_at_the_edge)
{
    const uint64_t miss = IBS_LD_OP | IBS_DC_LIN_ADDR_VALID | IBS_DC_MISS;

    for (unsigned others = 198; others <= 298; others += 100) {
        struct profile profile = small_profile();

        add_many(&profile, op_record(0, 0, 0, 0, miss | 65535ull << 32), 1);
        add_many(&profile, op_record(1, 0, 0, 0, 0), 1);
        add_many(&profile, op_record(SMALL_LOOP, 0, 0, IBS_NB_L3, miss | 10ull << 32), others);
        print("ibs_dclat", &profile, PROFILE_INSTRUCTIONS, NULL);
        assert_non_null(strstr(text, "65535.00"));
        assert_int_equal(length_of_line("65535.00"), length_of_line(" all samples"));
        print("ibs_op", &profile, PROFILE_INSTRUCTIONS, NULL);
        assert_int_equal(strstr(text, "1004 ret") != NULL, others == 198);
    }
    /* The first row may be the one with the most samples. */
    struct profile first = small_profile();

    add_many(&first, op_record(0, 0, 0, IBS_NB_L3, miss | 10ull << 32), 5);
    print("ibs_dclat", &first, PROFILE_FUNCTIONS, NULL);
    assert_non_null(strstr(text, "> has the most of"));
}

TEST(options_change_the_table)
{
    struct profile profile = small_profile();

    add_paper_run(&profile);
    print("ibs_op", &profile, PROFILE_INSTRUCTIONS, &(struct view_options){.width = 120, .no_footnote = true});
    assert_width(120);
    check_golden("ibs/ibs_op_wide.txt", text);
    /* Figures are never cut: a table that does not fit gets wider, with labels as short as possible. */
    print("ibs_ls", &profile, PROFILE_LINES, &(struct view_options){.width = 1, .no_footnote = true});
    assert_width(70);
    print("ibs_op", &profile, PROFILE_INSTRUCTIONS, &(struct view_options){.width = 70, .no_footnote = true});
    assert_width(70);
    assert_int_equal(widest(), 70);
    print("ibs_op", &profile, PROFILE_INSTRUCTIONS, &(struct view_options){.width = 255, .no_footnote = true});
    assert_width(200);
    assert_int_equal(widest(), 200);
}

/* Killed fetches belong to code that was fetched ahead and did not run. */
TEST(functions_with_killed_fetches_alone_have_no_rows)
{
    static const char *const views[] = {"ibs_fetch", "ibs_fetch_overall"};

    for (unsigned i = 0; i < 2; i++) {
        struct profile profile = small_profile();

        add_many(&profile, fetch_record(SMALL_CLEAR, 0, 0), 40);
        assert_non_null(strstr(print(views[i], &profile, PROFILE_INSTRUCTIONS, NULL), ": no samples\n"));
        add_many(&profile, fetch_record(SMALL_INSNS - 1, 0x100, IBS_FETCH_COMP), 7); /* outside of the map */
        assert_non_null(
            strstr(print(views[i], &profile, PROFILE_INSTRUCTIONS, NULL), ": only samples outside of the workloads\n"));
        assert_null(strstr(text, " clear"));
        print(views[i], &profile, PROFILE_FUNCTIONS, &(struct view_options){.outside = "not listed"});
        assert_non_null(strstr(text, " not listed"));
        add_many(&profile, fetch_record(SMALL_LOOP, 0, IBS_FETCH_COMP), 1);
        for (enum profile_level level = PROFILE_INSTRUCTIONS; level <= PROFILE_FUNCTIONS; level++) {
            print(views[i], &profile, level, NULL);
            assert_non_null(strstr(text, "mult"));
            assert_null(strstr(text, " clear"));
            assert_non_null(strstr(text, " all samples"));
        }
    }
}

/* The default is the paper's tables, and branches if a hundredth of those within the map was mispredicted. */
TEST(tables_by_default)
{
    struct profile profile = small_profile();
    const struct view *branches = view_find("ibs_op_branch");

    assert_true(view_by_default(view_find("ibs_dclat"), &profile));
    assert_false(view_by_default(view_find("ibs_op_return"), &profile));
    assert_false(view_by_default(branches, &profile));
    add_many(&profile, op_record(SMALL_RET, 0, IBS_OP_BRN_RET, 0, 0), 99);
    add_many(&profile, op_record(SMALL_INSNS - 1, 0x100, IBS_OP_BRN_RET | IBS_OP_BRN_MISP, 0, 0), 50); /* outside */
    assert_false(view_by_default(branches, &profile));
    add_many(&profile, op_record(SMALL_RET, 0, IBS_OP_BRN_RET | IBS_OP_BRN_MISP, 0, 0), 1);
    assert_true(view_by_default(branches, &profile));
    add_many(&profile, op_record(SMALL_RET, 0, IBS_OP_BRN_RET, 0, 0), 1);
    assert_false(view_by_default(branches, &profile));
}

TEST(no_samples_is_one_line)
{
    struct profile profile = small_profile();

    add_many(&profile, op_record(SMALL_FMUL, 0, 0, 0, 0), 3);
    assert_string_equal(print("ibs_fetch", &profile, PROFILE_INSTRUCTIONS, NULL), "IBS fetch profile: no samples\n");
    assert_string_equal(print("ibs_ls", &profile, PROFILE_FUNCTIONS, NULL), "IBS load/store breakdown: no samples\n");
    assert_int_equal(view_hottest(&profile, PROFILE_INSTRUCTIONS, DERIVED_F206_DC_MISS), -1);
}

/* In a run of hours figures grow and columns with them, and the line still fits the console. */
TEST(large_figures_fit)
{
    struct profile profile = small_profile();

    add_paper_run(&profile);
    for (int e = 0; e < DERIVED_COUNT; e++) {
        profile.total[e] *= 100000;
        for (uint32_t i = 0; i < SMALL_INSNS; i++)
            profile.rows[i * DERIVED_COUNT + e] *= 100000;
    }
    print("ibs_dclat", &profile, PROFILE_INSTRUCTIONS, NULL);
    assert_width(79);
    check_golden("ibs/ibs_dclat_large.txt", text);
}

TEST(the_hottest_is_the_first_of_the_largest)
{
    struct profile profile = small_profile();

    add_many(&profile, op_record(4, 0, 0, 0, 1), 2);
    add_many(&profile, op_record(9, 0, 0, 0, 1), 7);
    add_many(&profile, op_record(11, 0, 0, 0, 1), 7);
    assert_int_equal(view_hottest(&profile, PROFILE_INSTRUCTIONS, DERIVED_F201_LOAD), 9);
    assert_int_equal(view_hottest(&profile, PROFILE_FUNCTIONS, DERIVED_F201_LOAD), 1);

    add_many(&profile, op_record(SMALL_INSNS - 1, 0, 0, 0, 1), 1);
    print("ibs_op", &profile, PROFILE_LINES, NULL);
    assert_non_null(strstr(text, "> matmul_classic.c:40  multiply_matrices "));
    assert_non_null(strstr(text, "  (line not known)  clear "));
}

static unsigned marked(void)
{
    unsigned rows = 0;

    for (const char *line = strchr(text, '\n'); line; line = strchr(line + 1, '\n'))
        rows += line[1] == '>' && line[3] != 'h';
    return rows;
}

/* A line is shown only if its file and its number are known. */
TEST(lines_that_are_half_known)
{
    struct codemap_insn insns[SMALL_INSNS];
    struct codemap map = small_map;
    struct ibs_machine machine = ibs_machine_of(0x10, 4, 0x1F);
    struct derived_set set = derived_set_of(&machine);
    struct profile profile;

    memcpy(insns, small_map.insns, sizeof(insns));
    map.insns = insns;
    for (unsigned known = 0; known < 2; known++) {
        for (unsigned i = 0; i < SMALL_INSNS; i++) {
            insns[i].line = known ? 0 : 17;
            insns[i].file = known ? 0 : (uint16_t)map.file_count;
        }
        assert_true(profile_init(&profile, &map, SMALL_BASE, &set, small_memory, sizeof(small_memory)));
        add_many(&profile, op_record(SMALL_FMUL, 0, 0, 0, 0), 3);
        assert_non_null(strstr(print("ibs_op", &profile, PROFILE_LINES, NULL), "> (line not known)  setup "));
    }
}

/* Rows of instructions have heat; rows of other levels, heads and sums have none. */
TEST(heat)
{
    struct profile profile = small_profile();
    struct heat_text to;
    uint8_t steps[20];

    add_many(&profile, op_record(4, 0, 0, 0, 1), 30);
    add_many(&profile, op_record(9, 0, 0, 0, 1), 10);
    for (enum profile_level level = PROFILE_INSTRUCTIONS; level <= PROFILE_FUNCTIONS; level++) {
        uint32_t sum = 0;

        memset(steps, 0, sizeof(steps));
        heat_text_init(&to, text, sizeof(text), steps, sizeof(steps));
        view_print(&to.memory.out, view_find("ibs_op"), &profile, level, NULL);
        for (unsigned i = 0; i < sizeof(steps); i++)
            sum += steps[i] * (i + 1);
        assert_int_equal(sum, level == PROFILE_INSTRUCTIONS ? 8 * 8 + 13 * 4 : 0); /* two lines */
    }
}

/* Two thirds of the samples are a clear difference, 99 of 100 may be chance. For a sum of cycles only one row is the
 * hottest, since its samples are not independent numbers. */
TEST(what_chance_cannot_tell_apart)
{
    struct profile profile = small_profile();
    const uint64_t load = 1, miss = 0x81;

    add_many(&profile, op_record(4, 0, 0, 0, load), 990);
    add_many(&profile, op_record(9, 0, 0, 0, load), 1000);
    add_many(&profile, op_record(11, 0, 0, 0, load), 660);
    print("ibs_op", &profile, PROFILE_INSTRUCTIONS, NULL);
    assert_int_equal(marked(), 2);
    assert_non_null(strstr(
        text, "\n> have the most of this event: IBS all op samples.\nThese 2 rows differ by no more than chance.\n"));
    add_many(&profile, op_record(9, 0, 0, 0, load), 200);
    print("ibs_op", &profile, PROFILE_INSTRUCTIONS, NULL);
    assert_int_equal(marked(), 1);
    assert_non_null(strstr(text, "\n> has the most of this event: IBS all op samples.\n"));
    add_many(&profile, op_record(4, 0, 0, IBS_NB_L3, miss | 100ull << 32), 10);
    add_many(&profile, op_record(9, 0, 0, IBS_NB_L3, miss | 100ull << 32), 11);
    print("ibs_dclat", &profile, PROFILE_INSTRUCTIONS, NULL);
    assert_int_equal(marked(), 1);
}

RUN_TESTS(NULL, NULL)
