/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/report/annotate/annotate_listing.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/heat.h"
#include "tools/ibsprof/profile/event_names.h"
#include "tools/ibsprof/symbols/source.h"

/*
 *  samples  share heat missed  mean  workloads/matmul/matmul_classic.c
 *     3260  81.6% ####     14 129.9    62 |                 sum = sum + ...
 *
 *  samples  share heat missed  mean  line address instruction
 *      204   5.1% #        12 149.5           1072 fld dword ptr [rcx+rax*4+8]
 */
enum { WIDTH = 7, MORE_WIDTH = 8, HOT_PERCENT = 10, WARM_PERCENT = 2 };

#define RED    "\033[1;31m"
#define YELLOW "\033[33m"
#define PLAIN  "\033[0m"

struct listing {
    struct out *out;
    const struct annotate_listing *data;
    const struct annotate_options *options;
    int width, more_width[ANNOTATE_MORE]; /* of the first column, and of those beside it */
};

/* ---------------------------------------------------------------- one line of text */

/* Returns the heading of an additional column. */
static const char *code_of(const struct listing *listing, unsigned more, char *text, size_t size)
{
    const struct measure *measure = &listing->options->more[more];
    const struct input_facts *facts = listing->data->profile->facts;

    return event_names_code(facts,
                            measure->derived >= 0 ? facts->event_count + (uint32_t)measure->derived
                                                  : measure->event % facts->event_count,
                            text, size);
}

static void print_head(const struct listing *listing, const char *what)
{
    char code[100];

    out_printf(listing->out, "%*s  share %-*s", listing->width, listing->options->measure.unit, HEAT_WIDTH, "heat");
    if (listing->data->misses)
        out_printf(listing->out, " missed  mean");
    for (unsigned i = 0; i < listing->options->more_count; i++)
        out_printf(listing->out, "%*.*s", listing->more_width[i], listing->more_width[i] - 1,
                   code_of(listing, i, code, sizeof(code)));
    out_printf(listing->out, "  %s\n", what);
}

static const char *colour_of(const struct listing *listing, const struct annotate_cell *cell)
{
    uint64_t hundred = cell->value * 100;

    if (!listing->options->colour || cell->value == 0)
        return "";
    if (hundred >= HOT_PERCENT * listing->data->total.value)
        return RED;
    return hundred >= WARM_PERCENT * listing->data->total.value ? YELLOW : "";
}

static void print_cell(const struct listing *listing, const struct annotate_cell *cell)
{
    struct out *out = listing->out;
    uint64_t total = listing->data->total.value;
    unsigned steps = heat_steps(cell->value, total);

    out_printf(out, "%s", colour_of(listing, cell));
    if (cell->value) {
        out_printf(out, "%*" PRIu64, listing->width, cell->value);
        out_ratio(out, cell->value, total, 100, 1, 6);
        out_printf(out, "%% ");
    } else {
        out_printf(out, "%*s", listing->width + 8, "");
    }
    for (unsigned i = 0; i < HEAT_WIDTH; i++)
        out_printf(out, "%c", 2 * i < steps ? '#' : ' ');
    if (listing->data->misses && cell->missed) {
        out_printf(out, "%7" PRIu64, cell->missed);
        /* A column of six, blank first: large figures lose their decimal to keep the blank. */
        out_ratio(out, cell->cycles, cell->missed, 1, 20 * cell->cycles < 19999 * cell->missed ? 1 : 0, 6);
    } else if (listing->data->misses) {
        out_printf(out, "%13s", "");
    }
    for (unsigned i = 0; i < listing->options->more_count; i++)
        if (cell->more[i])
            out_printf(out, "%*" PRIu64, listing->more_width[i], cell->more[i]);
        else
            out_printf(out, "%*s", listing->more_width[i], "");
}

static unsigned used_width(const struct listing *listing)
{
    unsigned width = (unsigned)listing->width + 8 + HEAT_WIDTH + (listing->data->misses ? 13 : 0) + 2;

    for (unsigned i = 0; i < listing->options->more_count; i++)
        width += (unsigned)listing->more_width[i];
    return width;
}

static void print_text(const struct listing *listing, const char *text, unsigned used)
{
    unsigned room = listing->options->width > used + 10 ? listing->options->width - used : 10, column = 0;

    for (; *text && column < room; text++) {
        if (*text == '\t') {
            do
                out_printf(listing->out, " ");
            while (++column % 8 != 0 && column < room);
            continue;
        }
        /* Control characters of a source file must not reach the terminal. */
        out_printf(listing->out, "%c", (unsigned char)*text < ' ' || *text == 0x7f ? '?' : *text);
        column += ((unsigned char)*text & 0xC0) != 0x80; /* not a following byte of UTF-8 */
    }
}

static void end_line(const struct listing *listing, const struct annotate_cell *cell)
{
    out_printf(listing->out, "%s\n", colour_of(listing, cell)[0] ? PLAIN : "");
}

/* ---------------------------------------------------------------- source */

static void print_source(const struct listing *listing)
{
    const struct annotate_listing *data = listing->data;
    struct annotate_lines lines;
    struct source *source;
    bool found = false;

    if (!annotate_lines_make(&lines, data)) {
        out_printf(listing->out, "(no source lines: built without -g)\n\n");
        return;
    }
    source = source_new();
    source_look_in(source, listing->options->source_dir);
    print_head(listing, lines.file);
    for (uint32_t number = lines.low; number <= lines.high; number++) {
        const struct annotate_cell *cell = &lines.cells[number - lines.low];
        const char *text = source_line(source, data->profile->objects[data->object]->path, lines.file, number);

        found |= text != NULL;
        if (!annotate_line_is_shown(&lines, number, text))
            continue;
        print_cell(listing, cell);
        out_printf(listing->out, " %5u%s", number, text ? " | " : "");
        if (text)
            print_text(listing, text, used_width(listing) + 7);
        end_line(listing, cell);
    }
    if (lines.elsewhere.value) {
        print_cell(listing, &lines.elsewhere);
        out_printf(listing->out, "  from other files (inlined)");
        end_line(listing, &lines.elsewhere);
    }
    if (!found)
        out_printf(listing->out, "(source not found: --source-dir=DIR says where it is)\n");
    out_printf(listing->out, "\n");
    source_free(source);
    annotate_lines_free(&lines);
}

/* ---------------------------------------------------------------- instructions */

static void print_instructions(const struct listing *listing)
{
    uint32_t file = UINT32_MAX, line = 0;

    print_head(listing, "line address instruction");
    for (uint32_t i = listing->data->first; i < listing->data->end; i++) {
        const struct codemap_insn *insn = &listing->data->map->insns[i];
        const struct annotate_cell *cell = &listing->data->insns[i - listing->data->first];

        print_cell(listing, cell);
        if (insn->line > 0 && (insn->file != file || insn->line != line))
            out_printf(listing->out, " %5u", insn->line);
        else
            out_printf(listing->out, " %5s", "");
        file = insn->file;
        line = insn->line;
        out_printf(listing->out, " %6x ", insn->rva);
        print_text(listing, listing->data->map->strings + insn->text, used_width(listing) + 12);
        end_line(listing, cell);
    }
}

/* Without code, prints samples by address. */
static void print_addresses(const struct listing *listing)
{
    out_printf(listing->out, "(no code here: %s)\n",
               listing->data->profile->objects[listing->data->object]->path ? "the file found does not contain it"
                                                                            : "no file contains its bytes");
    print_head(listing, "address");
    for (uint32_t i = 0; i < listing->data->profile->place_count; i++) {
        const struct profile_place *place = &listing->data->profile->places[i];
        struct annotate_cell cell = annotate_cell_of(listing->options, place);

        if (place->object != listing->data->object || place->func != (int32_t)listing->data->func || cell.value == 0)
            continue;
        print_cell(listing, &cell);
        out_printf(listing->out, "  %" PRIx64, place->rva);
        end_line(listing, &cell);
    }
}

/* Returns the columns for the digits of a column's greatest value, at least 'least'. */
static int width_for(uint64_t value, int least)
{
    int digits = snprintf(NULL, 0, "%" PRIu64, value);

    return digits > least ? digits : least;
}

void annotate_function(struct out *out, const struct run_profile *profile, uint32_t object, uint32_t func,
                       const struct annotate_options *options)
{
    struct annotate_listing data;
    struct listing listing = {.out = out, .data = &data, .options = options};
    const struct codemap *map = profile->maps[object];
    uint64_t start = profile_function_start(profile, object, (int32_t)func);
    char code[100];

    annotate_listing_make(&data, profile, object, func, options);
    listing.width = width_for(data.total.value, WIDTH);
    for (unsigned i = 0; i < options->more_count; i++)
        listing.more_width[i] = width_for(data.total.more[i], MORE_WIDTH - 1) + 1;
    out_printf(out, "%s  %s, %" PRIx64 "..%" PRIx64 ": %s, %" PRIu64 " of %" PRIu64 "\n",
               map->strings + map->funcs[func].name, profile->objects[object]->name, start,
               start + map->funcs[func].size, options->measure.name, data.total.value,
               measure_total(&options->measure, profile));
    for (unsigned i = 0; i < options->more_count; i++)
        out_printf(out, "%s: %s, %" PRIu64 " of %" PRIu64 " %s\n", code_of(&listing, i, code, sizeof(code)),
                   options->more[i].name, data.total.more[i], measure_total(&options->more[i], profile),
                   options->more[i].unit);
    for (unsigned i = 0; i < options->width; i++)
        out_printf(out, "=");
    out_printf(out, "\n");
    if (data.end == data.first) {
        print_addresses(&listing);
    } else {
        print_source(&listing);
        print_instructions(&listing);
    }
    annotate_listing_free(&data);
}
