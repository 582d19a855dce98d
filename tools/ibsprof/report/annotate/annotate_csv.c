/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes functions as CSV; the contract is in annotate.h. */
#include <inttypes.h>
#include <stdio.h>

#include "core/profile/csv.h"
#include "tools/ibsprof/report/annotate/annotate_listing.h"
#include "tools/ibsprof/report/lists/report_columns.h"
#include "tools/ibsprof/symbols/source.h"

struct csv {
    struct out *out;
    const struct annotate_listing *listing;
    const struct annotate_options *options;
};

/* row,object,function,rva,file,line,text; NULL and 0 mean that the row has no such value. */
struct label {
    const char *row, *file, *text;
    bool has_rva;
    uint64_t rva;
    uint32_t line;
};

void annotate_csv_header(struct out *out, const struct run_profile *profile, const struct annotate_options *options)
{
    out_printf(out, "row,object,function,rva,file,line,text,");
    report_measure_title(out, profile, &options->measure);
    out_printf(out, ",share of the function [%%],X200 IBS load DC miss [samples],F219/X200 mean [cycles]");
    for (unsigned i = 0; i < options->more_count; i++) {
        out_printf(out, ",");
        report_measure_title(out, profile, &options->more[i]);
    }
    out_printf(out, "\n");
}

static void real(struct out *out, uint64_t part, uint64_t whole, double scale)
{
    out_printf(out, ",");
    if (whole > 0)
        out_real(out, "%.15g", (double)part * scale / (double)whole);
}

static void text_field(struct out *out, const char *text)
{
    out_printf(out, ",");
    csv_field(out, text ? text : "");
}

/* Writes a row; cell NULL: a line without code has no figures. */
static void write_row(const struct csv *csv, const struct label *label, const struct annotate_cell *cell)
{
    const struct annotate_listing *listing = csv->listing;
    struct out *out = csv->out;

    out_printf(out, "%s", label->row);
    text_field(out, listing->profile->objects[listing->object]->name);
    text_field(out, listing->map->strings + listing->map->funcs[listing->func].name);
    out_printf(out, ",");
    if (label->has_rva)
        out_printf(out, "0x%" PRIx64, label->rva);
    text_field(out, label->file);
    out_printf(out, ",");
    if (label->line)
        out_printf(out, "%" PRIu32, label->line);
    text_field(out, label->text);
    if (!cell) {
        for (unsigned i = 0; i < 4 + csv->options->more_count; i++)
            out_printf(out, ",");
        out_printf(out, "\n");
        return;
    }
    out_printf(out, ",%" PRIu64, cell->value);
    real(out, cell->value, listing->total.value, 100);
    out_printf(out, ",%" PRIu64, cell->missed);
    real(out, cell->cycles, cell->missed, 1);
    for (unsigned i = 0; i < csv->options->more_count; i++)
        out_printf(out, ",%" PRIu64, cell->more[i]);
    out_printf(out, "\n");
}

static void write_lines(const struct csv *csv)
{
    const struct annotate_listing *listing = csv->listing;
    struct annotate_lines lines;
    struct source *source;

    if (!annotate_lines_make(&lines, listing))
        return;
    source = source_new();
    source_look_in(source, csv->options->source_dir);
    for (uint32_t number = lines.low; number <= lines.high; number++) {
        const struct annotate_cell *cell = &lines.cells[number - lines.low];
        const char *text = source_line(source, listing->profile->objects[listing->object]->path, lines.file, number);

        if (annotate_line_is_shown(&lines, number, text))
            write_row(csv, &(struct label){.row = "line", .file = lines.file, .line = number, .text = text},
                      cell->code ? cell : NULL);
    }
    if (lines.elsewhere.code)
        write_row(csv, &(struct label){.row = "inlined"}, &lines.elsewhere);
    source_free(source);
    annotate_lines_free(&lines);
}

static void write_instructions(const struct csv *csv)
{
    const struct codemap *map = csv->listing->map;

    for (uint32_t i = csv->listing->first; i < csv->listing->end; i++) {
        const struct codemap_insn *insn = &map->insns[i];

        write_row(csv,
                  &(struct label){.row = "instruction",
                                  .has_rva = true,
                                  .rva = insn->rva,
                                  .file = insn->file < map->file_count ? map->strings + map->files[insn->file] : NULL,
                                  .line = insn->line,
                                  .text = map->strings + insn->text},
                  &csv->listing->insns[i - csv->listing->first]);
    }
}

/* Without code, writes samples by address. */
static void write_addresses(const struct csv *csv)
{
    const struct annotate_listing *listing = csv->listing;

    for (uint32_t i = 0; i < listing->profile->place_count; i++) {
        const struct profile_place *place = &listing->profile->places[i];
        struct annotate_cell cell = annotate_cell_of(csv->options, place);

        if (place->object == listing->object && place->func == (int32_t)listing->func && cell.value > 0)
            write_row(csv, &(struct label){.row = "address", .has_rva = true, .rva = place->rva}, &cell);
    }
}

void annotate_csv(struct out *out, const struct run_profile *profile, uint32_t object, uint32_t func,
                  const struct annotate_options *options)
{
    struct annotate_listing listing;
    const struct csv csv = {out, &listing, options};

    annotate_listing_make(&listing, profile, object, func, options);
    write_row(&csv,
              &(struct label){
                  .row = "function", .has_rva = true, .rva = profile_function_start(profile, object, (int32_t)func)},
              &listing.total);
    if (listing.end == listing.first) {
        write_addresses(&csv);
    } else {
        write_lines(&csv);
        write_instructions(&csv);
    }
    annotate_listing_free(&listing);
}
