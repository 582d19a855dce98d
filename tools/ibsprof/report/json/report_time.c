/* SPDX-License-Identifier: BSD-2-Clause */
/* Estimated time: "time" of the JSON, and the text. */
#include "tools/ibsprof/counters/time_file.h"
#include "tools/ibsprof/report/json/report_parts.h"

/* Only a whole run has an estimate: its parts have no cycles of their own. */
bool report_time_read(struct time_file *file, const struct run_profile *profile)
{
    return !profile->facts->is_linux && !(profile->only && (profile->only->core_text || profile->only->node_text)) &&
           time_file_read(file, profile->facts->path);
}

void report_time_text(struct out *out, const struct run_profile *profile)
{
    struct time_file file;

    if (!report_time_read(&file, profile))
        return;
    out_printf(out, "\n");
    time_share_print(out, &file.share, &file.map.map);
    time_file_free(&file);
}

static void part_json(struct json *json, const struct time_share_part *part, uint32_t samples)
{
    json_key_uint(json, "ppm", part->share);
    json_key_uint(json, "low", part->low);
    json_key_uint(json, "high", part->high);
    json_key_uint(json, "samples", samples);
}

void report_time_json(struct json *json, const struct run_profile *profile)
{
    struct time_file file;
    const struct codemap *map;

    if (!report_time_read(&file, profile))
        return;
    map = &file.map.map;
    json_key_object(json, "time");
    json_key_object(json, "front_end");
    part_json(json, &file.share.front, 0);
    json_end(json);
    json_key_object(json, "outside");
    part_json(json, &file.rows[map->insn_count].part, file.rows[map->insn_count].work.count);
    json_end(json);
    json_key_array(json, "rows");
    for (uint32_t i = 0; i < map->insn_count; i++) {
        json_object(json);
        json_key_uint(json, "address", map->insns[i].rva);
        json_key_text(json, "function", map->strings + map->funcs[map->insns[i].func].name);
        json_key_text(json, "instruction", map->strings + map->insns[i].text);
        part_json(json, &file.rows[i].part, file.rows[i].work.count);
        json_end(json);
    }
    json_end(json);
    json_end(json);
    time_file_free(&file);
}
