/* SPDX-License-Identifier: BSD-2-Clause */
/* Lists of samples by address as text; the contract is in report_address_rows.h. */
#include <inttypes.h>
#include <string.h>

#include "core/base/str.h"
#include "tools/ibsprof/report/lists/report_address_rows.h"
#include "tools/ibsprof/report/lists/report_columns.h"

enum { FIGURE_WIDTH = 9, SHARE_WIDTH = 7 };

static void text_figures(struct out *out, const struct list *list, const struct row *row)
{
    for (unsigned i = 0; i < list->kind->column_count; i++)
        if (list->kind->columns[i].of >= 0)
            out_ratio(out, row->part[i], row->whole[i], 1, 2, FIGURE_WIDTH);
        else
            out_printf(out, "%*" PRIu64, FIGURE_WIDTH, row->part[i]);
    out_printf(out, "\n");
}

/* Returns the number of columns before the figures. */
static int name_width(const struct list *list, const struct report_options *options)
{
    int rest = (int)options->width - (int)list->kind->column_count * FIGURE_WIDTH - SHARE_WIDTH;

    if (!list->objects)
        return ADDRESS_WIDTH;
    return rest > ADDRESS_WIDTH ? rest : ADDRESS_WIDTH;
}

/* Prints an object's name, on a separate line if it is long, and its share of the samples. */
static void text_object(struct out *out, const struct list *list, const struct row *row, int width)
{
    const char *module = row->object.module ? str_basename(row->object.module) : "";
    const char *name = row->object.module ? row->object.name : str_basename(row->object.name);
    int rest = width - (int)strlen(name) - (*module ? (int)strlen(module) + 2 : 0);

    out_printf(out, "%s%s%s", name, *module ? "  " : "", module);
    if (rest < 0)
        out_printf(out, "\n");
    out_printf(out, "%*s", rest < 0 ? width : rest, "");
    out_ratio(out, row->samples, list->all.samples, 100, 1, SHARE_WIDTH);
}

/* Prints the bytes that each core used, for lines that several cores used. */
static void text_parts(struct out *out, const struct list *list)
{
    const struct row *part = list->parts;

    if (address_cores(&list->row) < 2)
        return;
    for (uint32_t i = 0; i < list->part_count; i++) {
        out_printf(out, "  +%-2u core %-*u", (unsigned)(part[i].address), ADDRESS_WIDTH + CORES_WIDTH - 11,
                   part[i].cpu);
        text_figures(out, list, &part[i]);
    }
}

static void text_notes(struct out *out, const struct list *list, uint32_t left_out, bool false_sharing)
{
    if (left_out)
        out_printf(out, "%u more rows have less (--limit=PERCENT, or --csv for all).\n", left_out);
    if (list->without)
        out_printf(out, "%" PRIu64 " loads and stores have no valid address.\n", list->without);
    if (list->kind->parts)
        out_printf(out, "O. cache: loads that another core's cache on the node answered.\n");
    if (list->objects)
        out_printf(out,
                   "Sorted by misses. Share: of the loads and stores with an address.\n"
                   "O. cache: loads that another core's cache answered%s.\n",
                   list->all.answered[ANSWER_NEAR] ? ", or the L3" : "");
    if (false_sharing)
        out_printf(out, "* False sharing: several cores used the line, at least one stored to it, and no\n  two of "
                        "them used the same address.\n");
}

void address_write_text(struct out *out, struct list *list, const struct report_options *options)
{
    int width = name_width(list, options);
    uint32_t left_out = 0;
    bool false_sharing = false;

    out_printf(out, "\n%s: %s\n", list->kind->title,
               list->by_word                         ? "accesses sampled"
               : list->kind->samples == SAMPLE_FETCH ? "fetches sampled"
                                                     : "ops sampled");
    report_rule(out, options->width, '=');
    out_printf(out, "%-*s", width, list->objects ? "Object" : "Address");
    if (list->objects)
        out_printf(out, "%*s", SHARE_WIDTH, "Share");
    if (list->kind->parts)
        out_printf(out, "%*s", CORES_WIDTH, "Cores");
    for (unsigned i = 0; i < list->kind->column_count; i++)
        out_printf(out, "%*s", FIGURE_WIDTH, list->kind->columns[i].title);
    out_printf(out, "\n");
    report_rule(out, options->width, '-');
    while (address_next(list)) {
        const struct row *row = &list->row;

        if ((double)row->samples * 100 < options->min_percent * (double)list->all.samples) {
            left_out++;
            continue;
        }
        if (list->objects)
            text_object(out, list, row, width);
        else
            out_printf(out, "%-*" PRIx64, width, row->address);
        if (list->kind->parts) {
            bool is_false = address_is_false_sharing(list);

            false_sharing |= is_false;
            out_printf(out, "%*u%c", CORES_WIDTH - 1, address_cores(row), is_false ? '*' : ' ');
        }
        text_figures(out, list, row);
        text_parts(out, list);
    }
    report_rule(out, options->width, '-');
    out_printf(out, "%-*s", width + (list->kind->parts ? CORES_WIDTH : 0) + (list->objects ? SHARE_WIDTH : 0),
               "all of them");
    text_figures(out, list, &list->all);
    text_notes(out, list, left_out, false_sharing);
}
