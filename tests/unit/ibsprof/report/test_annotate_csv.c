/* SPDX-License-Identifier: BSD-2-Clause */
/* 'ibsprof annotate' as CSV: the lines of the text in the same order, and in each cell the figure that the text
 * rounds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/made_run.h"
#include "tests/unit/ibsprof/program.h"
#include "tests/unit/ibsprof/tool.h"
#include "tools/ibsprof/base/csv_file.h"

enum { VALUE = 7, SHARE, MISSED, MEAN, MORE, FIELDS = 12 };

static char run[300];

/* Makes loads that miss at two instructions, and stores at one; some latencies exceed a thousand cycles. */
static int begin(void **state)
{
    static const uint64_t at[] = {0x401010, 0x401016, 0x401019, 0x40101f, 0x401030};

    static const char source[] =
        "/* 1 */\n\n\n\n\n\n\n\n\nint hot(int *a) { /* \"a\", b */\n\tint n = 100;\n\n    a++;\n";

    made_run_begin();
    for (unsigned i = 0; i < 400; i++) {
        bool load = i % 5 == 1 || i % 5 == 3, missed = load && i % 3 == 0;

        made_run_op(1, (struct made_op){.at = at[i % 5],
                                        .data = 20 << 16 | 5,
                                        .data3 = (load         ? IBS_LD_OP
                                                  : i % 5 == 2 ? IBS_ST_OP
                                                               : 0) |
                                                 (missed ? IBS_DC_MISS | (uint64_t)(7 * i) << 32 : 0)});
    }
    snprintf(run, sizeof(run), "%s", made_run_write("run", "workload = loop\n#: figures = model\n"));
    program_make("program.elf");
    files_write("source/made/hot.c", source, sizeof(source) - 1);
    return 0;
}

/* Cuts the text of these columns from a line: a figure, or an empty string. */
static const char *cut(const char *line, unsigned at, unsigned width, char text[16])
{
    snprintf(text, 16, "%.*s", (int)width, line + at);
    while (*text == ' ')
        text++;
    return text;
}

/* Checks that the text shows the CSV's figure, rounded to these decimals; the text leaves out figures that are 0 or
 * missing. */
static void same(const char *shown, const char *cell, unsigned decimals)
{
    double unit = pow(10, decimals), value = strtod(cell, NULL);
    char wanted[40];

    if (shown[0] == '\0') {
        assert_true(cell[0] == '\0' || value == 0);
        return;
    }
    assert_string_not_equal(cell, "");
    snprintf(wanted, sizeof(wanted), "%.*f", (int)decimals, floor(value * unit + 0.5 + 1e-9) / unit);
    assert_string_equal(shown, wanted);
}

static unsigned compared;
static bool has_misses; /* whether the listing has the two columns of misses */

static void same_row(const char *line, char *const *cells)
{
    char text[16];

    same(cut(line, 0, 7, text), cells[VALUE], 0);
    if (line[14] == '%')
        same(cut(line, 7, 6, text), cells[SHARE], 1);
    if (has_misses) {
        same(cut(line, 19, 7, text), cells[MISSED], 0);
        same(cut(line, 26, 6, text), cells[MEAN], strchr(cut(line, 26, 6, text), '.') ? 1 : 0);
    } else {
        same("", cells[MISSED], 0);
        assert_string_equal(cells[MEAN], "");
    }
    same(cut(line, has_misses ? 32 : 19, 8, text), cells[MORE], 0);
    compared++;
}

/* Returns the next line of a listing: after a head, with a line number or an address. */
static char *next_line(char **rest)
{
    static bool inside;

    for (char *line; (line = strsep(rest, "\n"));)
        if (strncmp(line, "samples ", 8) == 0)
            inside = true, has_misses = strstr(line, " missed ") != NULL;
        else if (line[0] == '\0')
            inside = false;
        else if (inside && line[0] != '(') /* "(source not found" */
            return line;
    return NULL;
}

static void csv_is_the_text(void **state)
{
    static char text[20000], csv[20000];
    char source[300], *rest = text, *line;
    struct csv_file file;
    FILE *from;

    snprintf(source, sizeof(source), "--source-dir=%s", files_path("source"));
    snprintf(
        text, sizeof(text), "%s",
        tool_run(&command_annotate, source, "--event=F100", "--event=F202", "--limit=0", "--width=400", run, NULL).out);
    snprintf(csv, sizeof(csv), "%s",
             tool_run(&command_annotate, "--csv", source, "--event=F100", "--event=F202", "--limit=0", "--width=400",
                      run, NULL)
                 .out);
    from = fmemopen(csv, strlen(csv), "r");
    assert_true(csv_begin(&file, from));
    assert_string_equal(file.comment,
                        "# MODEL: all figures come from ibsboot's virtual PMU (a model), not from silicon.");
    assert_int_equal(file.columns, FIELDS);
    while (csv_next(&file)) {
        if (strcmp(file.field[0], "function") == 0) {
            assert_string_equal(file.field[SHARE], "100");
            continue;
        }
        line = next_line(&rest);
        assert_non_null(line);
        same_row(line, file.field);
        if (file.field[6][0] && !strchr(file.field[6], '\t'))
            assert_non_null(strstr(line, file.field[6]));
    }
    assert_null(file.problem);
    assert_null(next_line(&rest)); /* the text has no further line */
    csv_end(&file);
    fclose(from);
    assert_true(compared >= 15);
}

static void expected(void **state)
{
    const char *columns[3];
    struct tool_result got;
    char source[300];

    snprintf(source, sizeof(source), "--source-dir=%s", files_path("source"));
    got = tool_run(&command_annotate, "--event=F100", "--event=F100", "--event=F100", "--event=F100", "--event=F100",
                   "--event=F100", "--event=F100", run, NULL);
    assert_int_equal(got.status, EXIT_USAGE);
    assert_non_null(strstr(got.err, "may be given six times"));
    got = tool_run(&command_annotate, "--csv", source, "--event=F201", "--event=F206", run, "hot", NULL);
    expect_file(got.out, "annotate/annotate.csv");
    assert_string_equal(got.err, "");
    assert_int_equal(got.status, EXIT_DONE);
    /* There is a column for each event that is named after the first. */
    got = tool_run(&command_annotate, "--csv", source, "--event=F201", "--event=F206", "--event=F202", "--event=F100",
                   run, "hot", NULL);
    for (unsigned i = 0; i < 3; i++) {
        assert_non_null(columns[i] = strstr(got.out, (const char *[]){",F206 ", ",F202 ", ",F100 "}[i]));
        assert_true(columns[i] < strchr(strstr(got.out, "\nrow,") + 1, '\n') && (!i || columns[i] > columns[i - 1]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv_is_the_text),
        cmocka_unit_test(expected),
    };

    return cmocka_run_group_tests(tests, begin, files_end);
}
