/* SPDX-License-Identifier: BSD-2-Clause */
/* * Tables of views as CSV and JSON: the same rows as in the text, and in each cell the figure that the text rounds.
 * Every view is tried at every level, with samples of random bits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/profile/csv.h"
#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/made_run.h"
#include "tests/unit/ibsprof/program.h"
#include "tests/unit/ibsprof/tool.h"
#include "tools/ibsprof/base/csv_file.h"
#include "tools/ibsprof/profile/load.h"
#include "tools/ibsprof/report/tables/report_tables.h"
#include "tools/ibsprof/views/views.h"

static char run[300];
static struct views views;

static uint64_t any(void)
{
    static uint64_t state = 88172645463325252ull;

    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static void make_ibs(void)
{
    static const uint64_t at[] = {0x401010, 0x401011, 0x401016, 0x401019, 0x40101d, 0x401020, 0x401030, 0x401040, 0x77};

    made_run_begin();
    for (unsigned i = 0; i < 1500; i++) {
        uint64_t address = at[any() % (sizeof(at) / sizeof(at[0]))];

        made_run_op(1, (struct made_op){.at = address,
                                        .data = any() & 0x3FFFFFFFFF,
                                        .data2 = any() & 0x37,
                                        .data3 = any() & 0xFFFF000FFFFF,
                                        .address = any() & 0xFFFFFF});
        made_run_fetch(1, (struct made_fetch){.at = address, .ctl = any() & 0x7EFFFF00000000});
    }
}

/* Makes random samples for each counter event of the views, and for the timer; weights differ by period and time. */
static void make_counters(const char *folder)
{
    static const char *const rows[] = {"0x401010,hot,made/hot.c,10,push rbp",
                                       "0x401016,hot,made/hot.c,13,\"mov eax, dword ptr [rsi+rcx*4]\"",
                                       "0x401019,hot,made/hot.c,13,add dword ptr [rdi]",
                                       "0x401030,cold,work/cold.c,7,nop",
                                       "0x401031,cold,,,jmp 401010",
                                       ",(outside the map),,,"};
    char csv[8000] = "rva,function,file,line,instruction", ini[8000] = "#: timer.us = 500\n", name[100];

    for (unsigned e = 0; e < EVENT_MEANINGS; e++) {
        snprintf(csv + strlen(csv), sizeof(csv) - strlen(csv), ",%03X:%02X X [samples]",
                 event_meaning_of(EVENT_SET_10H, e)->select, event_meaning_of(EVENT_SET_10H, e)->mask);
        snprintf(ini + strlen(ini), sizeof(ini) - strlen(ini),
                 "#: event.%u.period = %u\n#: event.%u.active_ppm = %u\n#: event.%u.runs = 1\n", e, 1000 * (1 + e % 5),
                 e, 250000 * (1 + e % 4), e);
    }
    snprintf(csv + strlen(csv), sizeof(csv) - strlen(csv), ",timer [samples]\n");
    for (unsigned r = 0; r < sizeof(rows) / sizeof(rows[0]); r++) {
        snprintf(csv + strlen(csv), sizeof(csv) - strlen(csv), "%s", rows[r]);
        for (unsigned e = 0; e <= EVENT_MEANINGS; e++)
            snprintf(csv + strlen(csv), sizeof(csv) - strlen(csv), ",%u", (unsigned)(any() % 1000));
        strcat(csv, "\n");
    }
    snprintf(name, sizeof(name), "%s/pmc.csv", folder);
    files_write(name, csv, strlen(csv));
    snprintf(name, sizeof(name), "%s/run.ini", folder);
    files_write(name, ini, strlen(ini));
}

/* ---------------------------------------------------------------- a table in three forms */

static char text[200000], csv_text[200000], json_text_of[400000];

/* Returns the number of a table's rows between its rules, and their lines. */
static unsigned text_rows(char *lines[], unsigned most)
{
    unsigned count = 0, rules = 0, before_foot = 0;

    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        if (strspn(line, "-=") == strlen(line)) {
            rules++;
            continue;
        }
        if (rules < 2)
            continue;
        assert_true(count < most);
        lines[count++] = line;
        if (strncmp(line, " all samples", 12) == 0) /* the last row; footnotes follow */
            before_foot = count;
    }
    assert_int_not_equal(before_foot, 0);
    return before_foot;
}

/* Cuts off the last word of a line, and returns it. */
static char *last_word(char *line)
{
    char *blank;

    while (line[strlen(line) - 1] == ' ')
        line[strlen(line) - 1] = '\0';
    blank = strrchr(line, ' ');
    assert_non_null(blank);
    *blank = '\0';
    return blank + 1;
}

/* Writes a figure as the text shows it: rounded half up, '-' without a figure. */
static void rounded(const struct view_column *column, const char *figure, char to[60])
{
    double unit = pow(10, column->decimals);

    if (figure[0] == '\0')
        strcpy(to, "-");
    else if (column->kind == VIEW_COUNT)
        strcpy(to, figure);
    else
        snprintf(to, 60, "%.*f%s", column->decimals, floor(strtod(figure, NULL) * unit + 0.5 + 1e-9) / unit,
                 column->scale == 100 ? "%" : "");
}

static unsigned tables, cells;
static char heads[200000];
static size_t heads_length;
static bool linux_file;

/* Compares the figures of the JSON, in order, with those of the CSV. */
static const char *expect_json(const char *json, const char *figure)
{
    size_t length = strcspn(json, ",]");

    while (*json == ' ' || *json == '\n')
        json++, length--;
    if (figure[0] == '\0')
        assert_memory_equal(json, "null", 4);
    else
        assert_true(fabs(strtod(json, NULL) - strtod(figure, NULL)) <= fabs(strtod(figure, NULL)) * 1e-14);
    return json + length + 1;
}

/* Keeps the labels of rows, which are those of one view, and the columns of each view. */
static void keep_heads(const struct report_table *table, bool rows)
{
    const char *line = csv_text;

    for (unsigned n = 0; *line; n++, line = strchr(line, '\n') + 1) {
        const char *end = line + strcspn(line, "\n");

        if (n > 0 && !rows)
            break;
        for (unsigned comma = 0; rows && n > 0 && comma < table->view->column_count; comma += *--end == ',')
            continue;
        heads_length += (size_t)snprintf(heads + heads_length, sizeof(heads) - heads_length, "%s: %.*s\n",
                                         table->view->name, (int)(end - line), line);
        assert_true(heads_length < sizeof(heads));
    }
}

static void compare_table(void *context, const struct report_table *table)
{
    static char *lines[1000];
    struct out_memory out;
    struct csv_file csv = {0};
    const struct view *view = table->view;
    FILE *file = fmemopen(json_text_of, sizeof(json_text_of), "w");
    const char *json;
    struct json to;
    unsigned count;
    bool labels;

    out_memory_init(&out, text, sizeof(text));
    if (table->ibs)
        view_print(&out.out, view, table->ibs, table->level, &table->how);
    else
        view_print_pmc(&out.out, view, table->counters, table->level, &table->how);
    assert_true(out.needed < sizeof(text));
    out_memory_init(&out, csv_text, sizeof(csv_text));
    report_table_csv(&out.out, table, true);
    assert_true(out.needed < sizeof(csv_text));
    labels = strcmp(view->name, "ibs_fetch") == 0;
    if (table->ibs && (labels || table->level == PROFILE_INSTRUCTIONS))
        keep_heads(table, labels);
    json_init(&to, file);
    report_table_json(&to, table);
    assert_true(json_finish(&to));
    fclose(file);

    count = text_rows(lines, 1000);
    file = fmemopen(csv_text, strlen(csv_text), "r");
    assert_true(csv_begin(&csv, file));
    assert_int_equal(table->object != NULL, linux_file);
    assert_int_equal(csv.columns, 6 + (table->object != NULL) + view->column_count);
    json = strstr(json_text_of, "\"rows\":");
    for (unsigned row = 0; row < count; row++) {
        const char *first = NULL;

        assert_true(csv_next(&csv));
        json = strstr(json, "\"row\":\"") + 7;
        assert_memory_equal(json, csv.field[0], strlen(csv.field[0]));
        json = strstr(json, "\"values\":[") + 10;
        first = json;
        if (linux_file)
            assert_string_equal(csv.field[1], "program.elf");
        for (unsigned c = 0; c < view->column_count; c++)
            first = expect_json(first, csv.field[csv.columns - view->column_count + c]);
        for (unsigned c = view->column_count; c-- > 0; cells++) {
            char wanted[60];
            const char *got = last_word(lines[row]);

            rounded(&view->columns[c], csv.field[csv.columns - view->column_count + c], wanted);
            if (strcmp(got, wanted) != 0)
                fail_msg("%s, row %u, column %u: text %s, CSV %s", view->name, row, c, got, wanted);
        }
    }
    assert_false(csv_next(&csv)); /* no more rows than in the text */
    assert_null(csv.problem);
    assert_null(strstr(json, "\"row\":"));
    csv_end(&csv);
    fclose(file);
    tables++;
}

static void every_view(struct report_options *options)
{
    const struct view *view;

    options->width = 200;
    options->own_views = &views;
    views_free(&views);
    assert_true(views_load(&views, "docs/views.ini")); /* two of IBS samples, one of counters */
    for (unsigned i = 0; (view = views_at(&views, i)); i++)
        options->views[i] = view, options->view_count = i + 1;
}

static void of_ibs(const char *path)
{
    struct report_options options = {0};
    struct load_options how = {0};
    struct loaded loaded;

    every_view(&options);
    assert_true(load_run(&loaded, path, &how));
    for (options.level = PROFILE_INSTRUCTIONS; options.level <= PROFILE_FUNCTIONS; options.level++)
        assert_true(report_tables_ibs(loaded.profile, &options, compare_table, NULL));
    load_free(&loaded);
}

static void cells_of_ibs(void **state)
{
    tables = cells = 0;
    heads_length = 0;
    of_ibs(run);
    expect_file(heads, "report/table-heads.txt");
    assert_int_equal(tables, 3 * (view_count + view_count_ibs + 2));
    assert_true(cells > 2000);
}

/* Tables of a Linux file have the file's name before each row. */
static void cells_of_linux(void **state)
{
    char path[320];

    make_ibs();
    made_run_write("linux", NULL);
    program_make("linux/program.elf");
    snprintf(path, sizeof(path), "%s/perf.data", files_path("linux"));
    made_run_as_linux(path);
    tables = 0;
    linux_file = true;
    of_ibs(path);
    linux_file = false;
    assert_true(tables >= 3 * (view_count + view_count_ibs) - 3);
}

static void cells_of_counters(void **state)
{
    struct report_options options = {0};
    struct pmc_run counters;

    tables = cells = 0;
    make_counters("pmc");
    every_view(&options);
    assert_int_equal(pmc_run_read(&counters, files_path("pmc")), PMC_RUN_READ);
    for (options.level = PROFILE_INSTRUCTIONS; options.level <= PROFILE_FUNCTIONS; options.level++)
        assert_int_equal(report_tables_counters(&counters, &options, compare_table, NULL), view_count_pmc + 1);
    pmc_run_free(&counters);
    assert_int_equal(tables, 3 * (view_count_pmc + 1));
    assert_true(cells > 1000);
}

/* ---------------------------------------------------------------- the command */

static void commands(void **state)
{
    static const char csv[] = "rva,function,file,line,instruction,076 CPU_CLK_UNHALTED [samples],"
                              "0C0 RETIRED_INSTRUCTIONS [samples]\n"
                              "0x401010,hot,\"made,hot.c\",10,push rbp,30,12\n0x401030,cold,,,nop,1,0\n"
                              ",(outside the map),,,,5,3\n";
    static const char ini[] = "#: figures = model\n#: event.0.period = 1000\n#: event.0.active_ppm = 1000000\n"
                              "#: event.0.runs = 1\n#: event.1.period = 500\n#: event.1.active_ppm = 500000\n"
                              "#: event.1.runs = 1\n";
    const char *folder;

    files_write("small/pmc.csv", csv, sizeof(csv) - 1);
    files_write("small/run.ini", ini, sizeof(ini) - 1);
    folder = files_path("small");
    tool_expect(tool_run(&command_report, "--csv", "--view=ipc_assess", "--by=function", folder, NULL), EXIT_DONE,
                "# MODEL: all figures come from ibsboot's virtual PMU (a model), not from silicon.\n"
                "row,rva,function,file,line,instruction,Ret insn (0C0) [samples],CPU clocks (076) [samples],"
                "IPC (0C0/076),CPI (076/0C0)\n"
                "function,0x401010,hot,,,,12,30,0.4,2.5\n"
                "function,0x401030,cold,,,,0,1,0,\n"
                "outside,,,,,,3,5,0.6,1.66666666666667\n"
                "all,,,,,,15,36,0.416666666666667,2.4\n",
                "");
    tool_expect(tool_run(&command_report, "--csv", "--view=dc_focus", folder, NULL), EXIT_USAGE,
                "# MODEL: all figures come from ibsboot's virtual PMU (a model), not from silicon.\n",
                "ibsprof: FILES/small: no table 'dc_focus': its events were not counted\n");
    tool_expect(tool_run(&command_report, "--csv", "--view=all", folder, NULL), EXIT_USAGE, "",
                "ibsprof: report: --csv takes one --view at a time; 'ibsprof report --help' explains\n");
    expect_file(tool_run(&command_report, "--json", "--view=ipc_assess", "--by=line", folder, NULL).out,
                "counters/view.json");
    expect_file(tool_run(&command_report, "--csv", "--view=ibs_dclat", "--by=line", run, NULL).out,
                "counters/view.csv");
    tool_expect(tool_run(&command_report, "--csv", folder, NULL), EXIT_DONE, csv, ""); /* unchanged */
}

static int begin(void **state)
{
    make_ibs();
    snprintf(run, sizeof(run), "%s", made_run_write("run", "workload = \"loop\"\n#: figures = model\n"));
    program_make("program.elf");
    return 0;
}

static int end(void **state)
{
    views_free(&views);
    files_remove_all();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_of_ibs),
        cmocka_unit_test(cells_of_linux),
        cmocka_unit_test(cells_of_counters),
        cmocka_unit_test(commands),
    };

    return cmocka_run_group_tests(tests, begin, end);
}
