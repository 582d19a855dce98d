/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/report/lists/report_loads.h"

#include <inttypes.h>

#include "core/base/str.h"
#include "core/profile/csv.h"
#include "tools/ibsprof/base/json.h"
#include "tools/ibsprof/base/search.h"
#include "tools/ibsprof/base/shown.h"
#include "tools/ibsprof/profile/data/loads.h"
#include "tools/ibsprof/report/lists/report_columns.h"

enum { LOADS_JSON_VERSION = 1 };

/* Indexed by enum stride_kind. */
static const char *const kind_names[] = {"too few", "none seen", "one address", "steady"};

static const char *kind_name(const struct stride *stride)
{
    return stride->either ? "steady, up or down" : kind_names[stride->kind];
}

struct list {
    const struct run_profile *profile;
    const struct loads *loads;
};

/* Function, line and instruction of a row; "" and 0 if not known. */
struct names {
    const char *module, *function, *file, *instruction;
    uint64_t offset, rva;
    uint32_t line;
};

/* Returns the sampled place of the instruction; NULL: none. */
static const struct profile_place *place_of(const struct run_profile *profile, const struct object *object,
                                            uint64_t rva)
{
    const struct profile_place *places = profile->places;
    uint32_t of = 0, at;

    while (of < profile->object_count && profile->objects[of] != object)
        of++;
    at = (uint32_t)search_first(profile->place_count, i,
                                places[i].object > of || (places[i].object == of && places[i].rva >= rva));
    return at < profile->place_count && places[at].object == of && places[at].rva == rva ? &places[at] : NULL;
}

static void find_names(const struct list *list, const struct load_row *row, struct names *names)
{
    const struct frame *frame = &list->loads->frames.frame[row->frame];
    const struct object *object = frames_object(&list->loads->frames, frame);
    const struct profile_place *place = object ? place_of(list->profile, object, frame->rva) : NULL;
    const struct codemap *map = place && place->insn >= 0 ? list->profile->maps[place->object] : NULL;
    const struct codemap_insn *insn = map ? &map->insns[place->insn] : NULL;
    bool has_line = insn && insn->file < map->file_count && insn->line > 0;

    *names = (struct names){.module = object ? object->name : "",
                            .function = frame->function ? frame->function : "",
                            .file = has_line ? map->strings + map->files[insn->file] : "",
                            .instruction = insn ? map->strings + insn->text : "",
                            .offset = frame->offset,
                            .rva = frame->rva,
                            .line = has_line ? insn->line : 0};
}

/* ---------------------------------------------------------------- text */

static void text_name(struct out *out, const struct names *names)
{
    if (names->function[0])
        out_printf(out, "%s+0x%" PRIx64, names->function, names->offset);
    else
        out_printf(out, "0x%" PRIx64 "  %s", names->rva, str_basename(names->module));
    if (names->line)
        out_printf(out, "  %s:%u", str_basename(names->file), names->line);
    out_printf(out, "%s%s\n", names->instruction[0] ? "  " : "", names->instruction);
}

static void text_stride(struct out *out, const struct stride *stride)
{
    if (stride->kind == STRIDE_STEADY)
        out_printf(out, stride->either ? "  +- %4" PRId64 : "%9" PRId64,
                   stride->either && stride->bytes < 0 ? -stride->bytes : stride->bytes);
    else
        out_printf(out, "%9s", stride->kind == STRIDE_FIXED ? "fixed" : stride->kind == STRIDE_NONE ? "none" : "few");
    if (stride->agree)
        out_printf(out, "%6u of%5u", stride->agree, stride->pairs);
    else
        out_printf(out, "%14s", "-");
    if (stride->divisor && stride->kind != STRIDE_FIXED)
        out_printf(out, "%9" PRIu64, stride->divisor);
    else
        out_printf(out, "%9s", "-");
}

static void text_used(struct out *out, const struct stride_reuse *reuse)
{
    if (!reuse->used_least) {
        out_real(out, "%10.0f", reuse->used);
        out_real(out, " +-%.0f %%", 100 * reuse->used_error / reuse->used);
    } else if (reuse->used > 0) {
        out_real(out, "  >%7.0f", reuse->used);
    }
}

static void text_row(struct out *out, const struct list *list, const struct load_row *row)
{
    struct names names;

    find_names(list, row, &names);
    text_name(out, &names);
    out_printf(out, "%8u", row->count);
    text_stride(out, &row->stride);
    out_printf(out, "%8u%8u", row->reuse.lines, row->reuse.pages);
    text_used(out, &row->reuse);
    out_printf(out, "\n");
}

static void write_text(struct out *out, const struct list *list, const struct report_options *options)
{
    const struct loads *loads = list->loads;
    uint32_t left_out = 0;
    bool drawn = false;

    out_printf(out, "\nLoads by instruction: loads sampled\n");
    report_rule(out, options->width, '=');
    out_printf(out, "%8s%9s%14s%9s%8s%8s%11s\n", "Samples", "Stride", "agree", "Divisor", "Lines", "Pages",
               "Lines used");
    report_rule(out, options->width, '-');
    for (uint32_t i = 0; i < loads->count; i++)
        if ((double)loads->rows[i].count * 100 < options->min_percent * (double)loads->all)
            left_out++;
        else {
            text_row(out, list, &loads->rows[i]);
            drawn |= loads->rows[i].drawn;
        }
    report_rule(out, options->width, '-');
    out_printf(out, "Stride: bytes from one execution to the next. agree: nearby pairs of samples\nwith this stride; "
                    "none: fewer than a third, as for random addresses, or samples\ntoo far apart. Divisor: divides 9 "
                    "in 10 of the differences between samples.\nLines, Pages: sampled. Lines used: estimated from "
                    "pairs of samples in one line,\nif all lines are used equally often, with standard deviation; >: "
                    "at least\n(95 %%). A visit shorter than the interval between samples is never seen twice.\n");
    if (drawn)
        out_printf(out, "A load with more than %d pairs of samples has that many of them, drawn evenly.\n",
                   STRIDE_PAIRS);
    if (left_out)
        out_printf(out, "%u more loads have less (--limit=PERCENT, or --csv for all).\n", left_out);
    if (loads->without)
        out_printf(out, "%" PRIu64 " loads have no valid address.\n", loads->without);
}

/* ---------------------------------------------------------------- CSV, JSON */

static void write_csv(struct out *out, const struct list *list)
{
    out_printf(out,
               "module,rva,function,file,line,instruction,loads [samples],stride kind,stride [bytes],pairs,pairs that "
               "agree,divisor [bytes],lines,pages,first,last,line again,line again if even,lines used,error of "
               "lines used\n");
    for (uint32_t i = 0; i < list->loads->count; i++) {
        const struct load_row *row = &list->loads->rows[i];
        const struct stride_reuse *reuse = &row->reuse;
        struct names names;

        find_names(list, row, &names);
        csv_field(out, names.module);
        out_printf(out, ",0x%" PRIx64 ",", names.rva);
        csv_field(out, names.function);
        out_printf(out, ",");
        csv_field(out, names.file);
        out_printf(out, names.line ? ",%u," : ",,", names.line);
        csv_field(out, names.instruction);
        out_printf(out, ",%u,%s,", row->count, kind_name(&row->stride));
        if (row->stride.kind == STRIDE_STEADY || row->stride.kind == STRIDE_FIXED)
            out_printf(out, "%" PRId64, row->stride.bytes);
        out_printf(out, ",%u,%u,%" PRIu64 ",%u,%u,0x%" PRIx64 ",0x%" PRIx64 ",", row->stride.pairs, row->stride.agree,
                   row->stride.divisor, reuse->lines, reuse->pages, reuse->first, reuse->last);
        out_real(out, "%.15g", reuse->again);
        out_printf(out, ",");
        out_real(out, "%.15g", reuse->even);
        out_printf(out, ",");
        out_real(out, "%.15g", reuse->used);
        out_printf(out, ",");
        if (!reuse->used_least)
            out_real(out, "%.15g", reuse->used_error);
        out_printf(out, "\n");
    }
}

static void json_row(struct json *json, const struct list *list, const struct load_row *row)
{
    const struct stride *stride = &row->stride;
    const struct stride_reuse *reuse = &row->reuse;
    bool known = stride->kind == STRIDE_STEADY || stride->kind == STRIDE_FIXED;
    struct names names;

    find_names(list, row, &names);
    json_object(json);
    json_key_text(json, "module", names.module);
    json_key_hex(json, "rva", names.rva);
    json_key_text(json, "function", names.function);
    json_key_text(json, "file", names.file);
    json_key_uint(json, "line", names.line);
    json_key_text(json, "instruction", names.instruction);
    json_key_uint(json, "samples", row->count);
    json_key_text(json, "stride_kind", kind_name(stride));
    if (known)
        json_key_int(json, "stride", stride->bytes);
    json_key_uint(json, "pairs", stride->pairs);
    json_key_uint(json, "agree", stride->agree);
    json_key_uint(json, "divisor", stride->divisor);
    json_key_uint(json, "lines", reuse->lines);
    json_key_uint(json, "pages", reuse->pages);
    json_key_hex(json, "first", reuse->first);
    json_key_hex(json, "last", reuse->last);
    json_key_real(json, "again", reuse->again);
    json_key_real(json, "again_if_even", reuse->even);
    json_key_real(json, "lines_used", reuse->used);
    if (!reuse->used_least)
        json_key_real(json, "lines_used_error", reuse->used_error);
    json_end(json);
}

static void write_json(FILE *to, const struct list *list)
{
    struct json json;

    json_init(&json, to);
    json_head(&json, "ibsprof loads", LOADS_JSON_VERSION);
    json_key_text(&json, "file", shown(list->profile->facts->path));
    json_key_text(&json, "figures", input_figures(list->profile->facts));
    json_key_uint(&json, "without_address", list->loads->without);
    json_key_array(&json, "rows");
    for (uint32_t i = 0; i < list->loads->count; i++)
        json_row(&json, list, &list->loads->rows[i]);
    json_end(&json);
    json_end(&json);
    (void)json_finish(&json); /* output_close tells what could not be written */
}

void report_loads(struct out_file *out, enum form form, const struct run_profile *profile,
                  const struct object_search *search, const struct report_options *options)
{
    struct loads *loads = loads_read(profile, options->input, search, LOADS_ROOM);
    struct list list = {profile, loads};

    if (form == FORM_JSON) {
        write_json(out->file, &list);
    } else if (form == FORM_CSV) {
        if (input_figures(profile->facts))
            out_printf(&out->out, "# %s\n", input_figures(profile->facts));
        write_csv(&out->out, &list);
    } else {
        report_head(&out->out, profile);
        write_text(&out->out, &list, options);
    }
    loads_free(loads);
}
