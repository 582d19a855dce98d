/* SPDX-License-Identifier: BSD-2-Clause */
/* The program's tables as Markdown, for docs/refresh: tables
 * settings|workloads|events|derived|views|facts|hostile|hardware|selftest|trace. A table is a row of pages[]. */
#include "app/options.h"
#include "app/selftest.h"
#include "core/events.h"
#include "core/facts.h"
#include "core/hardware.h"
#include "core/view.h"
#include "drivers/trace.h"
#include "vpmu/model/hostile.h"

#include <stdio.h>
#include <string.h>

/* Text in a cell: one line, without what Markdown would take for the cell's end. Words broken at "-\n" are joined. */
static void cell(const char *text)
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
    cell(text);
}

/* The settings without the workloads' parameters, which come last. */
static void settings(void)
{
    static struct options options;

    if (!options_init(&options))
        return;
    puts("| key | default | allowed | |\n|---|---|---|---|");
    for (unsigned i = 0; i < options.settings.count - options.params.count; i++) {
        const struct settings_row *row = &options.settings.rows[i];
        bool text = *row->initial != '\0';

        printf("| `%s` | %s%s%s | ", row->key, text ? "`" : "", row->initial, text ? "`" : "");
        allowed(row);
        printf(" | ");
        cell(row->help);
        puts(" |");
    }
}

static void workloads(void)
{
    puts("| workload | what it is | parameters: default, range |\n|---|---|---|");
    for (const struct workload *const *w = __start_workload_rows; w < __stop_workload_rows; w++) {
        printf("| `%s` | ", (*w)->name);
        cell((*w)->title);
        printf(" |");
        for (unsigned i = 0; i < WORKLOAD_PARAMS_MAX && (*w)->params[i].name; i++) {
            const struct workload_param *param = &(*w)->params[i];

            printf("%s `%s` %u, %u to %u: ", i ? "<br>" : "", param->name, param->fallback, param->min, param->max);
            cell(param->help);
        }
        puts(" |");
    }
}

static void event_mask(const struct event *event)
{
    if (event->flags & EVENT_MASK_INDEX) {
        printf("a number from 0 to %u", event->mask_legal);
        return;
    }
    for (unsigned bit = 0; bit < EVENT_MASK_BITS; bit++) {
        if (!event->bits[bit])
            continue;
        printf("%s`%02X` ", (event->mask_legal & ((1u << bit) - 1)) ? "<br>" : "", 1u << bit);
        cell(event->bits[bit]);
        if (event->mask_since_c & 1u << bit)
            printf(" (C and later)");
    }
    if (event->mask_legal)
        printf("<br>default `%02X`", event->mask_default);
}

static void event_notes(const struct event *event)
{
    static const struct {
        uint8_t flag;
        const char *text;
    } notes[] = {
        {EVENT_SPECULATIVE, "Counts ops that never retire, too."},
        {EVENT_NODE, "Counted once per node."},
        {EVENT_CORE_SELECT, "Erratum 437: mask bits 7 to 4 must all be set."},
        {EVENT_INTERRUPTS, "Includes exceptions and interrupts."},
        {EVENT_DOUBTFUL, "Its documentation contradicts itself: not to be relied upon."},
        {EVENT_MASK_GROUPS, "Both halves of the mask need a bit."},
    };

    for (size_t i = 0; i < sizeof(notes) / sizeof(notes[0]); i++)
        if (event->flags & notes[i].flag)
            printf("%s ", notes[i].text);
    if (event->remark)
        cell(event->remark);
}

static void events(void)
{
    for (unsigned unit = 0; unit < EVENT_UNITS; unit++) {
        struct event_table table = event_table((enum event_unit)unit);

        printf("%s### %s: %s\n\n", unit ? "\n" : "", table.unit, table.what);
        puts("| code | symbol, name | mask | revisions | smallest period | |\n|---|---|---|---|---|---|");
        for (unsigned i = 0; i < table.count; i++) {
            const struct event *event = &table.rows[i];

            printf("| `%03X` | `%s`<br>", event->select, event->symbol);
            cell(event->name);
            printf(" | ");
            event_mask(event);
            printf(event->since == event->last ? " | %c" : " | %c to %c", event->since, event->last);
            printf(" | %u | ", event->period_min);
            event_notes(event);
            puts(" |");
        }
    }
}

static void derived(void)
{
    puts("| code | name | samples of | counts | since revision | oprofile's symbol |\n|---|---|---|---|---|---|");
    for (unsigned i = 0; i < DERIVED_COUNT; i++) {
        const struct derived_event *event = &derived_events[i];

        printf("| `%s` | ", event->code);
        cell(event->name);
        printf(" | %s | %s | ", event->kind == SAMPLE_FETCH ? "fetches" : "ops", derived_unit_name(event));
        if (event->later)
            printf("later families | %s |\n", event->symbol);
        else
            printf("%c | %s |\n", event->since, event->symbol);
    }
}

static void operand(uint16_t operand)
{
    unsigned index = operand & VIEW_INDEX;

    if (operand & VIEW_TIMER)
        printf("timer");
    else if (operand & VIEW_PMC)
        printf("%03X:%02X", view_events[index].select, view_events[index].mask);
    else
        printf("%s", derived_events[index].code);
}

static void column(const struct view_column *column)
{
    cell(column->title);
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
        cell(view->title);
        printf(" | %s | ", view->what);
        for (unsigned c = 0; c < view->column_count; c++) {
            printf("%s", c ? "<br>" : "");
            column(&view->columns[c]);
        }
        printf(" | ");
        cell(view->footnote ? view->footnote : "");
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
        cell(hostile_table[i].what);
        printf(" | ");
        cell(hostile_table[i].source);
        puts(" |");
    }
}

/* The questions to a machine, part by part. */
static void hardware(void)
{
    static const char *const by[] = {"config=hardware",        "config=hardware, several cores",
                                     "config=hardware",        "config=hardware, with dangerous=yes",
                                     "by hand, several cores", "by hand"};

    for (unsigned part = 0; part < HARDWARE_PARTS; part++) {
        printf("%s### %s\n\n", part ? "\n" : "", hardware_part_name(part));
        puts("| # | question | expected, by which source | how it is checked | another answer changes |\n"
             "|---|---|---|---|---|");
        for (unsigned i = 0; i < HARDWARE_ROWS; i++) {
            const struct hardware_row *row = &hardware_rows[i];

            if (row->part != part)
                continue;
            printf("| %u | ", row->number);
            cell(row->question);
            printf(" | ");
            cell(row->expected);
            printf(" | **%s** (`%s`): ", by[row->by], row->id);
            cell(row->check);
            printf(" | ");
            cell(row->changes);
            puts(" |");
        }
    }
}

static void selftest(void)
{
    static const struct {
        const char *name, *question;
        uint32_t parts;
    } rows[] = {
#define SELFTEST_ROW(name, parts, question, judge) {name, question, parts},
#include "app/selftest_rows.h"
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
        cell(row->what);
        puts(" |");
    }
}

static const struct {
    const char *name;
    void (*print)(void);
} pages[] = {
    {"settings", settings}, {"workloads", workloads}, {"events", events},     {"derived", derived},   {"views", views},
    {"facts", facts},       {"hostile", hostile},     {"hardware", hardware}, {"selftest", selftest}, {"trace", steps},
};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 2 && i < sizeof(pages) / sizeof(pages[0]); i++) {
        if (strcmp(argv[1], pages[i].name) == 0) {
            pages[i].print();
            return fflush(stdout) || ferror(stdout);
        }
    }
    fputs("usage: tables settings|workloads|events|derived|views|facts|hostile|hardware|selftest|trace\n", stderr);
    return 2;
}
