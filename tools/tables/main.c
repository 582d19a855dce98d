/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes the program's tables as Markdown, for docs/refresh: tables NAME. A table is a row of pages[]. */
#include "app/settings/options.h"
#include "app/selftest/selftest.h"
#include "core/hardware/hardware.h"
#include "core/run/facts.h"
#include "core/view/view.h"
#include "drivers/trace/trace.h"
#include "tools/tables/tables.h"
#include "vpmu/model/hostile.h"

#include <stdio.h>
#include <string.h>

void tables_cell(const char *text)
{
    for (; *text; text++)
        if (text[0] == '-' && text[1] == '\n')
            text++;
        else if (*text == '|')
            fputs("\\|", stdout);
        else
            putchar(*text == '\n' ? ' ' : *text);
}

static void allowed(const struct settings_row *row)
{
    char text[256];
    struct out_memory memory;

    out_memory_init(&memory, text, sizeof(text));
    settings_write_allowed(row, &memory.out);
    tables_cell(text);
}

/* Prints the settings without the workloads' parameters, which come last. */
static void settings(void)
{
    struct options options;

    if (!options_init(&options))
        return;
    puts("| key | default | allowed | |\n|---|---|---|---|");
    for (unsigned i = 0; i < options.settings.count - options.params.count; i++) {
        const struct settings_row *row = &options.settings.rows[i];
        bool text = *row->initial != '\0';

        printf("| `%s` | %s%s%s | ", row->key, text ? "`" : "", row->initial, text ? "`" : "");
        allowed(row);
        printf(" | ");
        tables_cell(row->help);
        puts(" |");
    }
}

static void workloads(void)
{
    struct out_memory memory;
    char range[80];

    puts("| workload | what it is | parameters: default, range |\n|---|---|---|");
    for (const struct workload *const *w = __start_workload_rows; w < __stop_workload_rows; w++) {
        printf("| `%s` | ", (*w)->name);
        tables_cell((*w)->title);
        printf(" |");
        for (unsigned i = 0; i < WORKLOAD_PARAMS_MAX && (*w)->params[i].name; i++) {
            const struct workload_param *param = &(*w)->params[i];

            out_memory_init(&memory, range, sizeof(range));
            params_write_range(&memory.out, *w, i);
            printf("%s `%s` %u, %s: ", i ? "<br>" : "", param->name, param->fallback, range);
            tables_cell(param->help);
        }
        puts(" |");
    }
}

static void derived(void)
{
    puts("| code | name | of | oprofile's symbol |\n|---|---|---|---|");
    for (unsigned i = 0; i < DERIVED_COUNT; i++) {
        const struct derived_event *event = &derived_events[i];

        printf("| `%s` | ", event->code);
        tables_cell(event->name);
        printf(" | %s%s", event->unit == DERIVED_CYCLES ? "cycles of " : "",
               event->kind == SAMPLE_FETCH ? "fetches" : "ops");
        if (event->later)
            printf("; later families");
        else if (event->since != 'B')
            printf("; revision %c on", event->since);
        printf(" | %s |\n", event->symbol);
    }
}

static void operand(uint16_t operand)
{
    unsigned index = operand & VIEW_INDEX;

    if (operand & VIEW_TIMER)
        printf("timer");
    else if (operand & VIEW_PMC)
        printf("%03X:%02X", event_meaning_of(EVENT_SET_10H, index)->select,
               event_meaning_of(EVENT_SET_10H, index)->mask);
    else
        printf("%s", derived_events[index].code);
}

static void column(const struct view_column *column)
{
    tables_cell(column->title);
    printf(" = ");
    if (column->kind == VIEW_SUM)
        putchar('(');
    operand(column->left);
    if (column->kind == VIEW_SUM) {
        printf(" + ");
        operand(column->plus);
        putchar(')');
    }
    if (column->kind == VIEW_SHARE)
        printf(" / all");
    else if (column->kind != VIEW_COUNT) {
        printf(" / ");
        operand(column->right);
    }
}

static void views(void)
{
    const struct view *view;

    puts("| view | title | counts | columns | |\n|---|---|---|---|---|");
    for (unsigned i = 0; (view = view_at(i)); i++) {
        printf("| `%s` | ", view->name);
        tables_cell(view->title);
        printf(" | %s | ", view->what);
        for (unsigned c = 0; c < view->column_count; c++) {
            printf("%s", c ? "<br>" : "");
            column(&view->columns[c]);
        }
        printf(" | ");
        tables_cell(view->footnote ? view->footnote : "");
        puts(" |");
    }
}

static void print(struct out *out, const char *text, size_t length)
{
    fwrite(text, 1, length, stdout);
}

static void facts(void)
{
    struct out out = {print};

    fact_print_table(&out);
}

static void hostile(void)
{
    puts("| switch | what the virtual machine does then | why silicon may |\n|---|---|---|");
    for (unsigned i = 0; i < HOSTILE_SWITCHES; i++) {
        printf("| `%s` | ", hostile_table[i].name);
        tables_cell(hostile_table[i].what);
        printf(" | ");
        tables_cell(hostile_table[i].source);
        puts(" |");
    }
}

/* Lists the questions to a machine, part by part. */
/* Leaves to hardware_turned what is expected of a machine that answers by itself; its file and screen say it, too. */
static void hardware(void)
{
    static const char *const by[] = {
        "", "", "", ", with dangerous=yes", ", **by hand** on several cores", ", **by hand**"};

    for (unsigned part = 0; part < HARDWARE_PARTS; part++) {
        printf("%s### %s\n\n", part ? "\n" : "", hardware_part_name(part));
        for (unsigned i = 0; i < HARDWARE_ROWS; i++) {
            const struct hardware_row *row = &hardware_rows[i];

            if (row->part != part)
                continue;
            printf("- %u, `%s`%s: %s", row->number, row->id, by[row->by], row->question);
            if (row->by >= HARDWARE_BY_CORES)
                printf("; %s; expected: %s", row->check, row->expected);
            puts("");
        }
    }
}

/* Prints how a question is answered, the consequences of another answer, and what causes one in a test. */
static void hardware_turned(void)
{
    puts("| # | question | expected, by which source | how it is checked | another answer changes | turned in tests by "
         "|\n|---|---|---|---|---|---|");
    for (unsigned i = 0; i < HARDWARE_ROWS; i++) {
        const struct hardware_row *row = &hardware_rows[i];

        printf("| %u | `%s` | ", row->number, row->id);
        tables_cell(row->expected);
        printf(" | ");
        tables_cell(row->check);
        printf(" | ");
        tables_cell(row->changes);
        printf(" | ");
        tables_cell(row->turned);
        puts(" |");
    }
}

static void selftest(void)
{
    static const struct {
        const char *name, *question;
        uint32_t parts;
    } rows[] = {
#define SELFTEST_ROW(name, parts, question, judge) {name, question, parts},
#include "app/selftest/selftest_rows.h"
#undef SELFTEST_ROW
    };

    puts("| check | what holds when it passes | what may not be relied upon when it fails |\n|---|---|---|");
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char text[100] = "anything";
        struct out_memory memory;

        if (rows[i].parts != SELFTEST_ALL) {
            out_memory_init(&memory, text, sizeof(text));
            selftest_parts(&memory.out, rows[i].parts);
        }
        printf("| `%s` | %s | %s |\n", rows[i].name, rows[i].question, text);
    }
}

static void steps(void)
{
    puts("| code | what is being done |\n|---|---|");
    for (unsigned i = 0; i < TRACE_STEPS; i++) {
        const struct trace_row *row = &trace_table[i];

        printf(row->last > row->code ? "| `%02X` to `%02X` | " : "| `%02X` | ", row->code, row->last);
        tables_cell(row->what);
        puts(" |");
    }
}

static const struct {
    const char *name;
    void (*print)(void);
} pages[] = {
    {"settings", settings},
    {"workloads", workloads},
    {"events", tables_events},
    {"events_later", tables_events_later},
    {"configs", tables_configs},
    {"derived", derived},
    {"views", views},
    {"facts", facts},
    {"hostile", hostile},
    {"hardware", hardware},
    {"hardware_turned", hardware_turned},
    {"selftest", selftest},
    {"trace", steps},
};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 2 && i < sizeof(pages) / sizeof(pages[0]); i++) {
        if (strcmp(argv[1], pages[i].name) == 0) {
            pages[i].print();
            return fflush(stdout) || ferror(stdout);
        }
    }
    fputs("usage: tables", stderr);
    for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++)
        fprintf(stderr, "%c%s", i ? '|' : ' ', pages[i].name);
    fputs("\n", stderr);
    return 2;
}
