/* SPDX-License-Identifier: BSD-2-Clause */
/* The user's own views: formulas, files with every possible mistake, and where files are searched. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/made_run.h"
#include "tests/unit/ibsprof/program.h"
#include "tests/unit/ibsprof/tool.h"
#include "tools/ibsprof/views/views.h"

#define VALID                                                                                                          \
    "; valid are derived events (F206, 'IBS DC miss'), counter events (041, 046:07, DATA_CACHE_MISSES, 'DC misses') "  \
    "and timer"

/* A formula is read, and written again as in the heading of a CSV; or has a problem. */
static void formulas(void **state)
{
    static const struct {
        const char *text, *back, *problem;
        unsigned scale;
    } rows[] = {
        {"F206", "F206", NULL, 1},
        {" f206 ", "F206", NULL, 1},
        {"'IBS DC miss'", "F206", NULL, 1},
        {"timer", "timer", NULL, 1},
        {"041", "041", NULL, 1},
        {"0x41", "041", NULL, 1},
        {"046:7", "046:07", NULL, 1},
        {"data_cache_misses", "041", NULL, 1},
        {"'DC misses' / 'Retired instructions'", "041/0C0", NULL, 1},
        {"F203+F204+F205", "F203+F204+F205", NULL, 1},
        {"( F204 + F205 )", "F204+F205", NULL, 1},
        {"F206/all", "F206/all F206", NULL, 100},
        {"(F204+F205) / ALL", "(F204+F205)/all (F204+F205)", NULL, 100},
        {"F206 / F200 %", "F206/F200", NULL, 100},
        {"F206 / F200 * 1", "F206/F200", NULL, 1},
        {"F206 / F200 * 10000", "F206/F200", NULL, 10000},
        {"F204+F205 / F200 + F103 * 1000", "(F204+F205)/(F200+F103)", NULL, 1000},
        {"", NULL, "an event is missing at the end" VALID, 1},
        {"F206 /", NULL, "an event is missing at the end" VALID, 1},
        {"/ F206", NULL, "an event is missing before '/ F206'" VALID, 1},
        {"F206 + ", NULL, "an event is missing at the end" VALID, 1},
        {"F999", NULL, "no event 'F999'" VALID, 1},
        {"'DC miss", NULL, "a quote is not closed", 1},
        {"(F206", NULL, "a parenthesis is not closed", 1},
        {"F206)", NULL, "')' does not fit; a formula is SUM, SUM / all, SUM / SUM, SUM / SUM % or SUM / SUM * NUMBER",
         1},
        {"F206 / F200 / F100", NULL,
         "'/ F100' does not fit; a formula is SUM, SUM / all, SUM / SUM, SUM / SUM % or SUM / SUM * NUMBER", 1},
        {"F206 %", NULL, "'%' does not fit; a formula is SUM, SUM / all, SUM / SUM, SUM / SUM % or SUM / SUM * NUMBER",
         1},
        {"F206 / F200 * 0", NULL, "'*' takes a whole number from 1 to 10000", 1},
        {"F206 / F200 * 10001", NULL, "'*' takes a whole number from 1 to 10000", 1},
        {"F206 / F200 * x", NULL, "'*' takes a whole number from 1 to 10000", 1},
        {"041:k", NULL, "'041:k' has modifiers; a view takes only an event and its mask, as in 046:07", 1},
        {"F206+F219", NULL, "'F219': a sum adds samples or cycles, not both", 1},
        {"F100+F100+F100+F100+F100+F100+F100+F100+F100+F100+F100+F100+F100", NULL, "a sum has at most 12 events", 1},
        {"F206 / allx", NULL, "no event 'allx'" VALID, 1},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char why[400] = "", back[400] = "";
        struct views_formula formula;
        struct out_memory memory;
        bool good;

        out_memory_init(&memory, why, sizeof(why));
        good = views_formula_parse(rows[i].text, &formula, &memory.out);
        assert_string_equal(why, rows[i].problem ? rows[i].problem : "");
        assert_int_equal(good, rows[i].problem == NULL);
        if (!good)
            continue;
        {
            const struct view_own own[] = {{"", formula.left.terms, (uint8_t)formula.left.count},
                                           {"", formula.right.terms, (uint8_t)formula.right.count}};
            const struct view view = {.own = own, .own_count = 2};
            const struct view_column column = {.kind = (uint8_t)formula.kind, .left = VIEW_OWN, .right = VIEW_OWN + 1};

            out_memory_init(&memory, back, sizeof(back));
            views_write_formula(&view, &column, &memory.out);
            assert_string_equal(back, rows[i].back);
            assert_int_equal(formula.scale, rows[i].scale);
            /* Both columns of a sum must be as in the views of later families. */
            if (formula.kind == VIEW_RATIO) {
                const struct view_column sum = {
                    .kind = VIEW_SUM, .left = VIEW_OWN, .plus = DERIVED_F206_DC_MISS, .right = VIEW_OWN + 1};
                char wanted[400];

                snprintf(wanted, sizeof(wanted), "(%.*s+F206)%s",
                         (int)strcspn(rows[i].back + (*rows[i].back == '('), "/)"),
                         rows[i].back + (*rows[i].back == '('), strchr(rows[i].back, '/'));
                out_memory_init(&memory, back, sizeof(back));
                views_write_formula(&view, &sum, &memory.out);
                assert_string_equal(back, wanted);
            }
        }
    }
}

/* ---------------------------------------------------------------- files */

static char problems[4000];

static struct views parsed(const char *text, bool good)
{
    struct views views = {0};
    struct out_memory memory;

    out_memory_init(&memory, problems, sizeof(problems));
    assert_int_equal(views_parse(&views, "my.ini", text, strlen(text), &memory.out), good);
    return views;
}

static void a_view(void **state)
{
    struct views views =
        parsed("\xEF\xBB\xBF# mine\r\n\n [dc] \r\ntitle = \"Data, cache\"\r\nnote = A note. # not of it\n"
               "SORT = per 1000\ncolumn-1 = \"Ops: F100\"\ncolumn_3 = per 1000: F206/F100*1000\n"
               "column_2 = \"A rather long name of mine: (F204+F205) / F200 %\"\n"
               "[fetches]\ncolumn_1 = Killed: F001\n[counted]\ncolumn_1 = CPI: 076/0C0\n"
               "column_2 = \"Cycles: 076\"\n[t]\nnote = A\ncolumn_10=T:timer\n",
               true);
    const struct view *view;

    assert_string_equal(problems, "");
    assert_int_equal(views.count, 4);
    view = views_view(views.view[0]);
    assert_string_equal(view->name, "dc");
    assert_string_equal(view->title, "Data, cache");
    assert_string_equal(view->footnote, "A note.");
    assert_string_equal(view->what, "ops sampled");
    assert_int_equal(view->population, DERIVED_F100_OP_ALL);
    assert_int_equal(view->level, PROFILE_INSTRUCTIONS);
    assert_int_equal(view->column_count, 3);
    assert_int_equal(view->sort, 3); /* columns are in the order of their numbers */
    assert_int_equal(view->mark, DERIVED_F206_DC_MISS);
    assert_string_equal(view->columns[1].title, "A rather\nlong name\nof mine");
    assert_int_equal(view->columns[1].decimals, 1);
    assert_int_equal(view->columns[2].scale, 1000);
    assert_int_equal(view->columns[2].decimals, 2);
    view = views_view(views.view[1]);
    assert_string_equal(view->title, "fetches"); /* its name, without a title */
    assert_int_equal(view->population, DERIVED_F000_FETCH_ALL);
    view = views_view(views.view[2]);
    assert_int_equal(view->columns[0].decimals, 4);
    assert_int_equal(view->population, VIEW_OWN + 3); /* any event of a column will do */
    assert_int_equal(view->own[3].count, 3);
    assert_null(view->footnote);
    view = views_view(views.view[3]);
    assert_int_equal(view->population, VIEW_TIMER);
    assert_string_equal(view->footnote, "A");
    views_free(&views);
}

static void problems_of_files(void **state)
{
    static const struct {
        const char *text, *problem;
    } rows[] = {
        {"x = 1\n", "my.ini:1: stands before the first [NAME]; each view begins with a line [NAME]\n"},
        {"\n# c\n[a]\n", "my.ini:3: [a] has no column; 'column_1 = NAME: FORMULA' is one\n"},
        {"[a]\n\ncolumn_1 = \"x: F999\"\n", "my.ini:3: column 'x': no event 'F999'" VALID "\n"},
        {"[b]\ncolumn_1 = x: F100\n[a]\ncolumn_1 = x: F100\n  column_2\t= \"y: F1\"\n",
         "my.ini:5: column 'y': no event 'F1'" VALID "\n"},
        {"[a]\ncolumn_1 = F100\n", "my.ini:2: a column is NAME: FORMULA, as in 'DC misses: F206'\n"},
        {"[a]\ncolumn_1 = \": F100\"\n", "my.ini:2: a column is NAME: FORMULA, as in 'DC misses: F206'\n"},
        {"[a]\ncolumn_1 = x: F100\nsort = y\n", "my.ini:3: no column has the name 'y'\n"},
        {"[A]\ncolumn_1 = x: F100\n",
         "my.ini:1: a view's name has at most 31 characters of a-z, 0-9 and _, as in [my_view]\n"},
        {"[a-b]\ncolumn_1 = x: F100\n",
         "my.ini:1: a view's name has at most 31 characters of a-z, 0-9 and _, as in [my_view]\n"},
        {"[1a]\ncolumn_1 = x: F100\n",
         "my.ini:1: a view's name has at most 31 characters of a-z, 0-9 and _, as in [my_view]\n"},
        {"[a_name_of_thirty-one_characters]\ncolumn_1 = x: F100\n",
         "my.ini:1: a view's name has at most 31 characters of a-z, 0-9 and _, as in [my_view]\n"},
        {"[a_name_of_32_characters_in_words]\ncolumn_1 = x: F100\n",
         "my.ini:1: a view's name has at most 31 characters of a-z, 0-9 and _, as in [my_view]\n"},
        {"[]\n", "my.ini:1: a view's name has at most 31 characters of a-z, 0-9 and _, as in [my_view]\n"},
        {"[a\n]\n", "my.ini:1: a view's name has at most 31 characters of a-z, 0-9 and _, as in [my_view]\n"},
        {"[ibs_op]\ncolumn_1 = x: F100\n", "my.ini:1: there is already a view with the name [ibs_op]\n"},
        {"[all]\ncolumn_1 = x: F100\n", "my.ini:1: there is already a view with the name [all]\n"},
        {"[a]\ncolumn_1 = x: F100\ncolumn_2 = y: 041\n",
         "my.ini:1: a: IBS op and counter samples belong into separate tables: y\n"},
        {"[a]\ncolumn_1 = x: F100/041\n", "my.ini:1: a: IBS op and counter samples must not be combined: x\n"},
        {"[a]\ncolumn_1 = x: F100+F000\n", "my.ini:1: a: IBS fetch and IBS op samples must not be combined: x\n"},
        {"[a]\ncolumn_1 = x: F100\ncolumn_1 = \"y\n",
         "my.ini:3: the quotes are wrong; a value may stand in one pair of double quotes\n"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct views views = parsed(rows[i].text, false);

        assert_string_equal(problems, rows[i].problem);
        views_free(&views);
    }
    {
        struct views views = parsed("[a]\ncolumn_1 = x: F9\n[b]\ncolumn_1 = x: F100\n", false);

        assert_int_equal(views.count, 1); /* the other views are good */
        views_free(&views);
    }
}

/* ---------------------------------------------------------------- the command */

static char run[300];

static void text_file(const char *name, const char *text)
{
    files_write(name, text, strlen(text));
}

static void command(void **state)
{
    char mine[300];
    struct tool_result got;

    text_file("mine.ini", "[per_op]\ntitle = \"By thousand\"\nsort = \"By thousand\"\ncolumn_1 = Ops: F100\n"
                          "column_2 = \"By thousand: (F201+F202) / F100 * 1000\"\n");
    snprintf(mine, sizeof(mine), "--views=%s", files_path("mine.ini"));
    tool_expect(
        tool_run(&command_report, mine, "--view=per_op", "--by=function", "--csv", run, NULL), EXIT_DONE,
        "row,rva,function,file,line,instruction,Ops (F100) [samples],By thousand ((F201+F202)/F100) [per 1000]\n"
        "function,0x401030,cold,,,,4,500\nfunction,0x401010,hot,,,,6,333.333333333333\nall,,,,,,10,400\n",
        "");
    got = tool_run(&command_report, mine, "--view=per_op", "--by=function", run, NULL);
    assert_true(strstr(got.out, "401030 cold") < strstr(got.out, "401010 hot")); /* sorted */
    assert_non_null(strstr(got.out, "333.33\n"));
    got = tool_run(&command_report, mine, "--json", run, NULL); /* and so does the page */
    assert_non_null(strstr(got.out, "\"name\":\"per_op\",\"title\":\"By thousand\""));
    assert_non_null(strstr(got.out, "\"left\":\"F201+F202\",\"right\":\"F100\""));
    tool_expect(tool_run(&command_report, "--view=per_op", run, NULL), EXIT_USAGE, "",
                "ibsprof: report: --view is a name that 'ibsprof report --view=list' lists, not 'per_op'\n");
    tool_expect(tool_run(&command_report, "--views=/nowhere.ini", "--view=list", NULL), EXIT_USAGE, "",
                "ibsprof: /nowhere.ini: cannot be read: No such file or directory\n");
    text_file("bad.ini", "[a]\ncolumn_1 = \"x: F999\"\n");
    snprintf(mine, sizeof(mine), "--views=%s", files_path("bad.ini"));
    tool_expect(tool_run(&command_report, mine, run, NULL), EXIT_USAGE, "",
                "ibsprof: FILES/bad.ini:2: column 'x': no event 'F999'" VALID "\n");
}

/* Files are beside the run, above it, and in the user's folder; of equal names the nearest counts. */
static void usual_places(void **state)
{
    struct tool_result got;
    char config[4096];

    text_file("config/ibsprof/views/a.ini", "[mine]\ncolumn_1 = Ops: F100\n[near]\ncolumn_1 = Far: F100\n");
    text_file("config/ibsprof/views/b.txt", "[other]\ncolumn_1 = Ops: F100\n");
    assert_non_null(realpath(files_path("config"), config));
    setenv("XDG_CONFIG_HOME", config, 1);
    got = tool_run(&command_report, "--view=list", NULL);
    assert_non_null(strstr(got.out, "\nmine                    mine: ops sampled\n"));
    assert_null(strstr(got.out, "\nother "));
    text_file("run/views.ini", "[near]\ncolumn_1 = Near: F100\n");
    text_file("views.ini", "[above]\ncolumn_1 = Ops: F100\n");
    got = tool_run(&command_report, "--view=near", "--csv", "--by=function", run, NULL);
    assert_non_null(strstr(got.out, "Near (F100)"));
    assert_int_equal(tool_run(&command_report, "--view=above", run, NULL).status, EXIT_DONE);
    assert_int_equal(tool_run(&command_report, "--view=mine", run, NULL).status, EXIT_DONE);
    /* An error in a file of views is reported, and the other files are used. */
    text_file("views.ini", "[above]\ncolumn_1 = Ops: F999\n");
    got = tool_run(&command_report, "--view=mine", run, NULL);
    assert_int_equal(got.status, EXIT_DONE);
    assert_non_null(strstr(got.err, "/views.ini:2: column 'Ops': no event 'F999'" VALID "\n"));
    /* Without that variable, or with a value that is no absolute path, the folder is below the home. */
    text_file("home/.config/ibsprof/views/a.ini", "[home]\ncolumn_1 = Ops: F100\n");
    assert_non_null(realpath(files_path("home"), config));
    setenv("HOME", config, 1);
    for (unsigned i = 0; i < 2; i++) {
        if (i == 0)
            unsetenv("XDG_CONFIG_HOME");
        else
            setenv("XDG_CONFIG_HOME", "config", 1);
        got = tool_run(&command_report, "--view=list", NULL);
        assert_non_null(strstr(got.out, "\nhome                    home: ops sampled\n"));
        assert_null(strstr(got.out, "\nmine "));
    }
    unsetenv("HOME");
    assert_null(strstr(tool_run(&command_report, "--view=list", NULL).out, "\nhome "));
    setenv("XDG_CONFIG_HOME", "/nowhere", 1);
}

static int begin(void **state)
{
    setenv("XDG_CONFIG_HOME", "/nowhere", 1);
    made_run_begin();
    made_run_op(4, (struct made_op){.at = 0x401010, .data = 20 << 16});
    made_run_op(2, (struct made_op){.at = 0x401016, .data = 20 << 16, .data3 = IBS_LD_OP});
    made_run_op(2, (struct made_op){.at = 0x401030, .data = 20 << 16});
    made_run_op(2, (struct made_op){.at = 0x401030, .data = 20 << 16, .data3 = IBS_ST_OP});
    snprintf(run, sizeof(run), "%s", made_run_write("run", "workload = loop\n"));
    program_make("program.elf");
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formulas), cmocka_unit_test(a_view),       cmocka_unit_test(problems_of_files),
        cmocka_unit_test(command),  cmocka_unit_test(usual_places),
    };

    return cmocka_run_group_tests(tests, begin, files_end);
}
