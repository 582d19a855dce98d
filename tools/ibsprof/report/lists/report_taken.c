/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/report/lists/report_taken.h"

#include <inttypes.h>
#include <stdio.h>

#include "core/base/str.h"
#include "core/profile/csv.h"
#include "tools/ibsprof/base/json.h"
#include "tools/ibsprof/base/shown.h"
#include "tools/ibsprof/base/terminal.h"
#include "tools/ibsprof/profile/stacks/taken.h"
#include "tools/ibsprof/report/lists/report_columns.h"

enum { COUNT_WIDTH = 10, SHARE_WIDTH = 9, PLACE_MAX = 300, TAKEN_JSON_VERSION = 1 };

/* Words for branches, and for blocks. */
static const struct words {
    const char *by, *title, *first, *last, *rows;
} words[] = {{"branch", "Taken branches", "from", "to", "branches"}, {"block", "Blocks", "begin", "end", "blocks"}};

struct list {
    const struct run_profile *profile;
    const struct report_options *options;
    const struct taken *taken;
    const struct words *words;
    bool blocks;
};

static const struct frame *frame_of(const struct list *list, uint32_t index)
{
    return &list->taken->frames.frame[index];
}

static const char *module_of(const struct list *list, const struct frame *frame)
{
    const struct object *object = frames_object(&list->taken->frames, frame);

    return object ? str_basename(object->name) : "";
}

/* ---------------------------------------------------------------- text */

static void put_place(const struct list *list, struct out *out, const struct frame *frame, int width, bool fill)
{
    char text[PLACE_MAX];

    if (frame->function)
        snprintf(text, sizeof(text), "%s+0x%" PRIx64, frame->function, frame->offset);
    else
        snprintf(text, sizeof(text), "0x%" PRIx64 " %s", frame->rva, module_of(list, frame));
    report_cut(out, text, width, fill);
}

/* Returns the columns of each of the two places of a row. */
static int place_width(const struct list *list)
{
    return ((int)list->options->width - COUNT_WIDTH - SHARE_WIDTH * (list->blocks ? 1 : 2) - 4) / 2;
}

static void put_rows(const struct list *list, struct out *out, uint32_t *left_out)
{
    const struct taken *taken = list->taken;
    int width = place_width(list);

    for (uint32_t i = 0; i < taken->row_count; i++) {
        const struct taken_row *row = &taken->rows[i];

        if ((double)row->count * 100 < list->options->min_percent * (double)taken->all) {
            ++*left_out;
            continue;
        }
        out_printf(out, "%*" PRIu64, COUNT_WIDTH, row->count);
        out_ratio(out, row->count, taken->all, 100, 2, SHARE_WIDTH);
        if (!list->blocks)
            out_ratio(out, row->mispredicted, row->told, 100, 2, SHARE_WIDTH);
        out_printf(out, "  ");
        put_place(list, out, frame_of(list, row->first), width, true);
        out_printf(out, "  ");
        put_place(list, out, frame_of(list, row->last), width, false);
        out_printf(out, "\n");
    }
}

static void write_text(const struct list *list, struct out *out)
{
    const struct taken *taken = list->taken;
    int width = place_width(list);
    uint32_t left_out = 0;

    out_printf(out, "\n%s by the records of samples\n", list->words->title);
    report_rule(out, list->options->width, '=');
    out_printf(out, "%*s%*s", COUNT_WIDTH, "Times", SHARE_WIDTH, "Percent");
    if (!list->blocks)
        out_printf(out, "%*s", SHARE_WIDTH, "Misp. %");
    out_printf(out, "  %-*s  %s\n", width, list->words->first, list->words->last);
    report_rule(out, list->options->width, '-');
    put_rows(list, out, &left_out);
    report_rule(out, list->options->width, '-');
    out_printf(out, "%*" PRIu64 "  all of them", COUNT_WIDTH, taken->all);
    if (!list->blocks && taken->told) {
        out_printf(out, ", ");
        out_ratio(out, taken->mispredicted, taken->told, 100, 2, 0);
        out_printf(out, "%% mispredicted");
    } else if (!list->blocks) {
        out_printf(out, "; the processor does not record predictions");
    }
    out_printf(out, "\n");
    if (taken->wrong_path)
        out_printf(out, "%*" PRIu64 "  records on wrong paths, left out\n", COUNT_WIDTH, taken->wrong_path);
    if (taken->broken)
        out_printf(out, "%*" PRIu64 "  blocks that are not shown: something came between two branches\n", COUNT_WIDTH,
                   taken->broken);
    if (left_out)
        out_printf(out, "%u more rows have less (--limit=PERCENT, or --csv for all).\n", left_out);
    if (list->blocks)
        out_printf(out, "Instructions of a block ran once. A sample's %u latest branches are left out.\n",
                   TAKEN_LATEST);
}

/* ---------------------------------------------------------------- CSV, JSON */

static void csv_place(const struct list *list, struct out *out, const struct frame *frame)
{
    out_printf(out, ",");
    csv_field(out, module_of(list, frame));
    out_printf(out, ",");
    csv_field(out, frame->function ? frame->function : "");
    out_printf(out, ",0x%" PRIx64 ",0x%" PRIx64, frame->offset, frame->rva);
}

static void write_csv(const struct list *list, struct out *out)
{
    const char *names[] = {list->words->first, list->words->last};

    out_printf(out, list->blocks ? "times" : "times,mispredicted");
    for (unsigned i = 0; i < 2; i++)
        out_printf(out, ",%s_module,%s_function,%s_offset,%s_address", names[i], names[i], names[i], names[i]);
    out_printf(out, "\n");
    for (uint32_t i = 0; i < list->taken->row_count; i++) {
        const struct taken_row *row = &list->taken->rows[i];

        out_printf(out, "%" PRIu64, row->count);
        if (!list->blocks && row->told)
            out_printf(out, ",%" PRIu64, row->mispredicted);
        else if (!list->blocks)
            out_printf(out, ",");
        csv_place(list, out, frame_of(list, row->first));
        csv_place(list, out, frame_of(list, row->last));
        out_printf(out, "\n");
    }
}

static void json_place(const struct list *list, struct json *json, const char *key, const struct frame *frame)
{
    json_key_object(json, key);
    json_key_text(json, "module", module_of(list, frame));
    json_key_text(json, "function", frame->function);
    json_key_hex(json, "offset", frame->offset);
    json_key_hex(json, "address", frame->rva);
    json_end(json);
}

static void write_json(const struct list *list, FILE *to)
{
    const struct taken *taken = list->taken;
    struct json json;

    json_init(&json, to);
    json_head(&json, "ibsprof taken", TAKEN_JSON_VERSION);
    json_key_text(&json, "file", shown(list->profile->facts->path));
    json_key_text(&json, "figures", input_figures(list->profile->facts));
    json_key_text(&json, "by", list->words->by);
    json_key_uint(&json, "all", taken->all);
    json_key_uint(&json, "wrong_path", taken->wrong_path);
    json_key_uint(&json, "broken", taken->broken);
    json_key_array(&json, list->words->rows);
    for (uint32_t i = 0; i < taken->row_count; i++) {
        json_object(&json);
        json_key_uint(&json, "times", taken->rows[i].count);
        if (!list->blocks)
            json_key_known(&json, "mispredicted", taken->rows[i].told, taken->rows[i].mispredicted);
        json_place(list, &json, list->words->first, frame_of(list, taken->rows[i].first));
        json_place(list, &json, list->words->last, frame_of(list, taken->rows[i].last));
        json_end(&json);
    }
    json_end(&json);
    json_end(&json);
    (void)json_finish(&json); /* output_close tells what could not be written */
}

bool report_taken(struct out_file *out, enum form form, const struct run_profile *profile,
                  const struct object_search *search, const struct report_options *options)
{
    struct list list = {.profile = profile, .options = options, .blocks = options->list == REPORT_BLOCKS};
    struct taken *taken;

    if (!taken_recorded(profile->facts)) {
        complain("%s: no branch records; 'perf record -b' makes them, or the setting branches on the image",
                 profile->facts->path);
        return false;
    }
    list.words = &words[list.blocks];
    list.taken = taken = taken_read(profile, options->input, search, list.blocks);
    if (form == FORM_CSV && input_figures(profile->facts))
        out_printf(&out->out, "# %s\n", input_figures(profile->facts));
    if (form == FORM_JSON) {
        write_json(&list, out->file);
    } else if (form == FORM_CSV) {
        write_csv(&list, &out->out);
    } else {
        report_head(&out->out, profile);
        write_text(&list, &out->out);
    }
    taken_free(taken);
    return true;
}
