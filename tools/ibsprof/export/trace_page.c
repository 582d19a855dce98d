/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/export/trace_page.h"

#include "tools/ibsprof/html/html.h"

static void put_op(struct json *json, const struct konata_op *op)
{
    json_object(json);
    json_key_uint(json, "op", op->number);
    json_key_text(json, "label", op->label);
    json_key_text(json, "details", op->details);
    json_key_uint(json, "tag", op->tag);
    json_key_uint(json, "completion", op->completion);
    json_key_uint(json, "retire", op->retire);
    json_key_bool(json, "lost", op->lost);
    json_end(json);
}

static void put_trace(struct json *json, const void *what)
{
    const struct trace_file *file = what;

    json_head(json, "ibsprof-trace", 1);
    json_key_text(json, "comment", file->comment);
    json_key_array(json, "ops");
    for (unsigned i = 0; i < file->count; i++)
        put_op(json, &file->op[i]);
    json_end(json);
    json_end(json);
}

bool export_trace_page(FILE *to, const struct trace_file *file)
{
    return html_page(to, "Trace of ops", "trace.js", "trace", put_trace, file);
}
