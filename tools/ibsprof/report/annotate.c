/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/report/annotate.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/profile/event_names.h"
#include "tools/ibsprof/symbols/source.h"

/*
 *  samples  share heat missed  mean  workloads/matmul_classic.c
 *     3260  81.6% ####     14 129.9    62 |                 sum = sum + ...
 *
 *  samples  share heat missed  mean  line address instruction
 *      204   5.1% #        12 149.5           1072 fld dword ptr [rcx+rax*4+8]
 */
enum { HEAT_WIDTH = 4, MORE_WIDTH = 8, HOT_PERCENT = 10, WARM_PERCENT = 2, SOURCE_LINES_MAX = 400 };

#define RED    "\033[1;31m"
#define YELLOW "\033[33m"
#define PLAIN  "\033[0m"

/* What is shown of an instruction or a line. */
struct cell {
    uint64_t value;  /* of the measure */
    uint64_t missed; /* loads that missed, ... */
    uint64_t cycles; /* ... and their cycles */
    bool code;       /* there is code of this line */
    uint64_t more[ANNOTATE_MORE];
};

struct listing {
    struct out *out;
    const struct run_profile *profile;
    const struct annotate_options *options;
    const struct codemap *map;
    uint32_t func;
    uint32_t first, end; /* its instructions */
    struct cell *insns;  /* [end - first] */
    struct cell total;
    bool misses; /* there are loads that missed */
};

static void add_cell(struct cell *to, const struct cell *cell)
{
    to->value += cell->value;
    to->missed += cell->missed;
    to->cycles += cell->cycles;
    to->code = true;
    for (unsigned i = 0; i < ANNOTATE_MORE; i++)
        to->more[i] += cell->more[i];
}

static struct cell cell_of(const struct annotate_options *options, const struct profile_place *place)
{
    struct cell cell = {.value = measure_of(&options->measure, place->counts, place->events),
                        .missed = place->counts[DERIVED_X200_LOAD_DC_MISS],
                        .cycles = place->counts[DERIVED_F219_DC_LOAD_LATENCY]};

    for (unsigned i = 0; i < options->more_count; i++)
        cell.more[i] = measure_of(&options->more[i], place->counts, place->events);
    return cell;
}

static void collect(struct listing *listing, uint32_t object)
{
    for (uint32_t i = 0; i < listing->profile->place_count; i++) {
        const struct profile_place *place = &listing->profile->places[i];
        bool listed = place->insn >= (int32_t)listing->first && place->insn < (int32_t)listing->end;
        struct cell cell;

        if (place->object != object || (!listed && place->func != (int32_t)listing->func))
            continue;
        cell = cell_of(listing->options, place);
        if (listed)
            add_cell(&listing->insns[place->insn - (int32_t)listing->first], &cell);
        add_cell(&listing->total, &cell);
    }
    listing->misses = listing->total.missed > 0;
}

/* ---------------------------------------------------------------- one line of text */

/* The heading of a column beside the first. */
static const char *code_of(const struct listing *listing, unsigned more, char *text, size_t size)
{
    const struct measure *measure = &listing->options->more[more];
    const struct input_facts *facts = listing->profile->facts;

    return event_names_code(facts,
                            measure->derived >= 0 ? facts->event_count + (uint32_t)measure->derived
                                                  : measure->event % facts->event_count,
                            text, size);
}

static void print_head(const struct listing *listing, const char *what)
{
    char code[100];

    out_printf(listing->out, "%7s  share %-*s", listing->options->measure.unit, HEAT_WIDTH, "heat");
    if (listing->misses)
        out_printf(listing->out, " missed  mean");
    for (unsigned i = 0; i < listing->options->more_count; i++)
        out_printf(listing->out, "%*.*s", MORE_WIDTH, MORE_WIDTH - 1, code_of(listing, i, code, sizeof(code)));
    out_printf(listing->out, "  %s\n", what);
}

static const char *colour_of(const struct listing *listing, const struct cell *cell)
{
    uint64_t hundred = cell->value * 100;

    if (!listing->options->colour || cell->value == 0)
        return "";
    if (hundred >= HOT_PERCENT * listing->total.value)
        return RED;
    return hundred >= WARM_PERCENT * listing->total.value ? YELLOW : "";
}

static void print_cell(const struct listing *listing, const struct cell *cell)
{
    struct out *out = listing->out;
    uint64_t total = listing->total.value;
    int marks = total ? (int)((cell->value * 2 * HEAT_WIDTH + total - 1) / total) : 0;

    out_printf(out, "%s", colour_of(listing, cell));
    if (cell->value) {
        out_printf(out, "%7" PRIu64, cell->value);
        out_ratio(out, cell->value, total, 100, 1, 6);
        out_printf(out, "%% ");
    } else {
        out_printf(out, "%15s", "");
    }
    for (int i = 0; i < HEAT_WIDTH; i++) /* full from half of all on */
        out_printf(out, "%c", i < marks ? '#' : ' ');
    if (listing->misses && cell->missed) {
        out_printf(out, "%7" PRIu64, cell->missed);
        /* A column of six, blank first: the tenths go where they would take its place. */
        out_ratio(out, cell->cycles, cell->missed, 1, 20 * cell->cycles < 19999 * cell->missed ? 1 : 0, 6);
    } else if (listing->misses) {
        out_printf(out, "%13s", "");
    }
    for (unsigned i = 0; i < listing->options->more_count; i++)
        if (cell->more[i])
            out_printf(out, "%*" PRIu64, MORE_WIDTH, cell->more[i]);
        else
            out_printf(out, "%*s", MORE_WIDTH, "");
}

static unsigned used_width(const struct listing *listing)
{
    return 15 + HEAT_WIDTH + (listing->misses ? 13 : 0) + listing->options->more_count * MORE_WIDTH + 2;
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
        /* A source file may hold anything; a terminal is not to be driven by it. */
        out_printf(listing->out, "%c", (unsigned char)*text < ' ' || *text == 0x7f ? '?' : *text);
        column += ((unsigned char)*text & 0xC0) != 0x80; /* not a following byte of UTF-8 */
    }
}

static void end_line(const struct listing *listing, const struct cell *cell)
{
    out_printf(listing->out, "%s\n", colour_of(listing, cell)[0] ? PLAIN : "");
}

/* ---------------------------------------------------------------- source */

struct line_span {
    uint32_t low, high;
};

/* The file that most of the function's instructions come from; the lines of it. UINT16_MAX: none. */
static uint16_t main_file(const struct listing *listing, struct line_span *span)
{
    uint32_t *counts = must_alloc(listing->map->file_count, sizeof(*counts));
    uint16_t most = UINT16_MAX;

    for (uint32_t i = listing->first; i < listing->end; i++) {
        const struct codemap_insn *insn = &listing->map->insns[i];

        if (insn->file < listing->map->file_count && insn->line > 0)
            counts[insn->file]++;
    }
    for (uint32_t i = 0; i < listing->map->file_count; i++)
        if (counts[i] > 0 && (most == UINT16_MAX || counts[i] > counts[most]))
            most = (uint16_t)i;
    free(counts);
    *span = (struct line_span){UINT32_MAX, 0};
    for (uint32_t i = listing->first; i < listing->end; i++) {
        const struct codemap_insn *insn = &listing->map->insns[i];

        if (insn->file != most || insn->line == 0)
            continue;
        if (insn->line < span->low)
            span->low = insn->line;
        if (insn->line > span->high)
            span->high = insn->line;
    }
    return most;
}

static void print_source(const struct listing *listing, uint32_t object)
{
    struct line_span span;
    uint16_t file = main_file(listing, &span);
    struct source *source;
    struct cell *lines, elsewhere = {0};
    const char *name;
    bool found = false;

    if (file == UINT16_MAX) {
        out_printf(listing->out, "(no source lines: built without -g)\n\n");
        return;
    }
    name = listing->map->strings + listing->map->files[file];
    source = source_new();
    source_look_in(source, listing->options->source_dir);
    lines = must_alloc(span.high - span.low + 1, sizeof(*lines));
    for (uint32_t i = listing->first; i < listing->end; i++) {
        const struct codemap_insn *insn = &listing->map->insns[i];

        add_cell(insn->file == file && insn->line > 0 ? &lines[insn->line - span.low] : &elsewhere,
                 &listing->insns[i - listing->first]);
    }
    print_head(listing, name);
    /* Lines without code between lines with code are context; not when an inlined piece is far away in the file. */
    for (uint32_t number = span.low; number <= span.high; number++) {
        const struct cell *cell = &lines[number - span.low];
        const char *text = source_line(source, listing->profile->objects[object]->path, name, number);

        found |= text != NULL;
        if (!cell->code && (!text || span.high - span.low > SOURCE_LINES_MAX))
            continue;
        print_cell(listing, cell);
        out_printf(listing->out, " %5u%s", number, text ? " | " : "");
        if (text)
            print_text(listing, text, used_width(listing) + 7);
        end_line(listing, cell);
    }
    if (elsewhere.value) {
        print_cell(listing, &elsewhere);
        out_printf(listing->out, "  from other files (inlined)");
        end_line(listing, &elsewhere);
    }
    if (!found)
        out_printf(listing->out, "(source not found: --source-dir=DIR says where it is)\n");
    out_printf(listing->out, "\n");
    source_free(source);
    free(lines);
}

/* ---------------------------------------------------------------- instructions */

static void print_instructions(const struct listing *listing)
{
    uint32_t file = UINT32_MAX, line = 0;

    print_head(listing, "line address instruction");
    for (uint32_t i = listing->first; i < listing->end; i++) {
        const struct codemap_insn *insn = &listing->map->insns[i];
        const struct cell *cell = &listing->insns[i - listing->first];

        print_cell(listing, cell);
        if (insn->line > 0 && (insn->file != file || insn->line != line))
            out_printf(listing->out, " %5u", insn->line);
        else
            out_printf(listing->out, " %5s", "");
        file = insn->file;
        line = insn->line;
        out_printf(listing->out, " %6x ", insn->rva);
        print_text(listing, listing->map->strings + insn->text, used_width(listing) + 12);
        end_line(listing, cell);
    }
}

/* Without code: what was sampled, by address. */
static void print_addresses(const struct listing *listing, uint32_t object)
{
    out_printf(listing->out, "(no code here: the file found does not contain it)\n");
    print_head(listing, "address");
    for (uint32_t i = 0; i < listing->profile->place_count; i++) {
        const struct profile_place *place = &listing->profile->places[i];
        struct cell cell = cell_of(listing->options, place);

        if (place->object != object || place->func != (int32_t)listing->func || cell.value == 0)
            continue;
        print_cell(listing, &cell);
        out_printf(listing->out, "  %" PRIx64, place->rva);
        end_line(listing, &cell);
    }
}

void annotate_function(struct out *out, const struct run_profile *profile, uint32_t object, uint32_t func,
                       const struct annotate_options *options)
{
    struct listing listing = {
        .out = out, .profile = profile, .options = options, .map = profile->maps[object], .func = func};
    const struct codemap *map = listing.map;
    uint64_t start = profile_function_start(profile, object, func);
    char code[100];

    while (listing.first < map->insn_count && map->insns[listing.first].func != func)
        listing.first++;
    for (listing.end = listing.first; listing.end < map->insn_count && map->insns[listing.end].func == func;)
        listing.end++;
    listing.insns = must_alloc(listing.end - listing.first, sizeof(*listing.insns));
    collect(&listing, object);
    out_printf(out, "%s  %s, %" PRIx64 "..%" PRIx64 ": %s, %" PRIu64 " of %" PRIu64 "\n",
               map->strings + map->funcs[func].name, profile->objects[object]->name, start,
               start + map->funcs[func].size, options->measure.name, listing.total.value,
               measure_total(&options->measure, profile));
    for (unsigned i = 0; i < options->more_count; i++)
        out_printf(out, "%s: %s, %" PRIu64 " of %" PRIu64 "\n", code_of(&listing, i, code, sizeof(code)),
                   options->more[i].name, listing.total.more[i], measure_total(&options->more[i], profile));
    for (unsigned i = 0; i < options->width; i++)
        out_printf(out, "=");
    out_printf(out, "\n");
    if (listing.end == listing.first) {
        print_addresses(&listing, object);
    } else {
        print_source(&listing, object);
        print_instructions(&listing);
    }
    free(listing.insns);
}
