/* SPDX-License-Identifier: BSD-2-Clause */
/* Lists of samples by address as CSV and JSON; the contract is in report_address_rows.h. */
#include <inttypes.h>

#include "core/profile/csv.h"
#include "tools/ibsprof/base/out_file.h"
#include "tools/ibsprof/base/shown.h"
#include "tools/ibsprof/report/lists/report_address_rows.h"

enum { ADDRESSES_JSON_VERSION = 2 };

static void csv_title(struct out *out, const struct column *column, bool by_word)
{
    out_printf(out, ",");
    if (by_word || column->answers)
        out_printf(out, column->of >= 0 ? "%s" : "%s [samples]", column->title);
    else if (column->of >= 0)
        out_printf(out, "%s (%s/%s)", column->title, derived_events[column->event].code,
                   derived_events[column->of].code);
    else
        csv_event(out, column->event);
}

void address_write_csv(struct out *out, struct list *list)
{
    bool answers = list->kind->parts || list->kind->objects;

    if (list->kind->objects)
        out_printf(out, "object,module,");
    out_printf(out, list->kind->parts ? "address,last,cores,false sharing" : "address,last");
    for (unsigned i = 0; i < list->kind->column_count; i++)
        csv_title(out, &list->kind->columns[i], list->by_word);
    for (int answer = 0; answers && answer < ANSWERS; answer++)
        out_printf(out, ",from %s [samples]", access_answer_name((enum access_answer)answer));
    out_printf(out, answers ? ",modified elsewhere [samples]\n" : "\n");
    while (address_next(list)) {
        const struct row *row = &list->row;

        if (list->kind->objects) {
            csv_field(out, row->object.name);
            out_printf(out, ",");
            csv_field(out, row->object.module ? row->object.module : "");
            out_printf(out, ",");
        }
        out_printf(out, "0x%" PRIx64 ",0x%" PRIx64, row->address, row->last);
        if (list->kind->parts)
            out_printf(out, ",%u,%u", address_cores(row), address_is_false_sharing(list));
        for (unsigned i = 0; i < list->kind->column_count; i++) {
            out_printf(out, ",");
            if (list->kind->columns[i].of < 0)
                out_printf(out, "%" PRIu64, row->part[i]);
            else if (row->whole[i])
                out_real(out, "%.15g", (double)row->part[i] / (double)row->whole[i]);
        }
        for (int answer = 0; answers && answer < ANSWERS; answer++)
            out_printf(out, ",%" PRIu64, row->answered[answer]);
        if (answers)
            out_printf(out, ",%" PRIu64, row->modified);
        out_printf(out, "\n");
    }
}

static void json_values(struct json *json, const struct list *list, const struct row *row)
{
    json_key_array(json, "values");
    for (unsigned i = 0; i < list->kind->column_count; i++)
        if (list->kind->columns[i].of < 0)
            json_uint(json, row->part[i]);
        else if (row->whole[i])
            json_real(json, (double)row->part[i] / (double)row->whole[i]);
        else
            json_null(json);
    json_end(json);
}

/* By enum access_answer; then those that another cache had modified. */
static void json_answered(struct json *json, const struct row *row)
{
    json_key_array(json, "answered");
    for (int answer = 0; answer < ANSWERS; answer++)
        json_uint(json, row->answered[answer]);
    json_end(json);
    json_key_uint(json, "modified", row->modified);
}

static void json_parts(struct json *json, const struct list *list)
{
    const struct row *part = list->parts;

    json_key_uint(json, "cores", address_cores(&list->row));
    json_key_bool(json, "false_sharing", address_is_false_sharing(list));
    json_answered(json, &list->row);
    json_key_array(json, "parts");
    for (uint32_t i = 0; i < list->part_count; i++) {
        json_object(json);
        json_key_uint(json, "offset", part[i].address);
        json_key_uint(json, "core", part[i].cpu);
        json_values(json, list, &part[i]);
        json_answered(json, &part[i]);
        json_end(json);
    }
    json_end(json);
}

static void json_row(struct json *json, const struct list *list)
{
    const struct row *row = &list->row;

    json_object(json);
    if (list->kind->objects) {
        json_key_text(json, "object", row->object.name);
        json_key_text(json, "module", row->object.module);
    }
    json_key_hex(json, "address", row->address);
    json_key_hex(json, "last", row->last);
    json_values(json, list, row);
    if (list->kind->parts)
        json_parts(json, list);
    if (list->kind->objects)
        json_answered(json, row);
    json_end(json);
}

void address_write_rows(struct json *json, struct list *list)
{
    json_key_uint(json, "without_address", list->without);
    json_key_array(json, "columns");
    for (unsigned i = 0; i < list->kind->column_count; i++) {
        const struct column *column = &list->kind->columns[i];

        json_object(json);
        json_key_text(json, "title", column->title);
        json_key_text(json, "event", list->by_word || column->answers ? NULL : derived_events[column->event].code);
        json_key_text(json, "mean_of", column->of >= 0 && !list->by_word ? derived_events[column->of].code : NULL);
        json_end(json);
    }
    json_end(json);
    if (list->kind->parts || list->kind->objects) {
        json_key_array(json, "answers");
        for (int answer = 0; answer < ANSWERS; answer++)
            json_text(json, access_answer_name((enum access_answer)answer));
        json_end(json);
    }
    json_key_array(json, "rows");
    while (address_next(list))
        json_row(json, list);
    json_end(json);
}

void address_write_json(FILE *to, struct list *list, const struct run_profile *profile)
{
    struct json json;

    json_init(&json, to);
    json_head(&json, "ibsprof addresses", ADDRESSES_JSON_VERSION);
    json_key_text(&json, "file", shown(profile->facts->path));
    json_key_text(&json, "figures", input_figures(profile->facts));
    json_key_text(&json, "by", list->kind->name);
    address_write_rows(&json, list);
    json_end(&json);
    (void)json_finish(&json); /* output_close tells what could not be written */
}
