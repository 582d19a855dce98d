/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/report/report_groups.h"

enum { COLUMNS = 79, ENDLESS = 1 << 30, INDENT = 6, SUBJECT = 10 };

unsigned report_group(const struct run *run, unsigned i, report_alike *alike, struct cores_set *ret_set)
{
    const struct passes_core *first = &run->passes.core[i];
    unsigned count = 0;

    *ret_set = (struct cores_set){0};
    for (unsigned k = 0; k < run->passes.cores; k++) {
        const struct passes_core *other = &run->passes.core[k];

        if (k != i && !alike(first, other))
            continue;
        if (k < i)
            return 0;
        cores_set_add(ret_set, other->cpu);
        count++;
    }
    return count;
}

static void write_list(struct out *out, const struct cores_set *set, int used, int columns)
{
    const char *comma = "";

    for (uint32_t first = 0, last; first < CORES_MAX; first = last + 1) {
        struct out_memory range;
        char text[16];

        last = first;
        if (!cores_set_has(set, first))
            continue;
        while (cores_set_has(set, last + 1))
            last++;
        out_memory_init(&range, text, sizeof(text));
        out_printf(&range.out, "%u", first);
        if (last > first)
            out_printf(&range.out, "-%u", last);
        if (used + 2 + (int)range.needed > columns) {
            out_printf(out, "%s\n%*s", comma, INDENT, "");
            comma = "";
            used = INDENT;
        }
        out_printf(out, "%s%s", comma, text);
        used += (int)range.needed + 1;
        comma = ",";
    }
}

void report_core_list(struct out *out, const struct cores_set *set, int used)
{
    write_list(out, set, used, COLUMNS);
}

void report_core_line(struct out *out, const struct cores_set *set)
{
    write_list(out, set, 0, ENDLESS);
}

static bool is_long(const struct cores_set *set)
{
    struct out_memory list;
    char text[SUBJECT + 1];

    out_memory_init(&list, text, sizeof(text));
    report_core_list(&list.out, set, 0);
    return list.needed >= sizeof(text);
}

void report_core_names(struct out *out, const struct cores_set *set, unsigned count)
{
    if (is_long(set)) {
        out_printf(out, "%u cores", count);
        return;
    }
    out_printf(out, "%s ", count == 1 ? "core" : "cores");
    report_core_list(out, set, 0);
}

void report_long_list(struct out *out, const struct cores_set *set)
{
    if (!is_long(set))
        return;
    out_printf(out, "%*s", INDENT, "");
    report_core_list(out, set, INDENT);
    out_printf(out, "\n");
}
