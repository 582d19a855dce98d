/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/base/heat.h"
#include "core/base/wrap.h"
#include "core/ibs/time_share.h"
#include "core/profile/csv.h"
#include "core/view/view.h"

enum {
    ADDRESS = 6,
    TEXT = 34,
    LINE = 79,
    WHOLE = 100, /* functions with less than a hundredth of the cycles are one line */
};

static void rule(struct out *out, char c)
{
    for (int i = 0; i < LINE; i++)
        out_printf(out, "%c", c);
    out_printf(out, "\n");
}

/* Prints "  12.3 %   11.9 to  12.7 %" and samples. */
static void figures(struct out *out, const struct time_share_part *part, uint32_t samples, uint32_t all)
{
    out_ratio(out, part->share, TIME_SHARE_MILLION, 100, 1, 6);
    out_printf(out, " %%  ");
    out_ratio(out, part->low, TIME_SHARE_MILLION, 100, 1, 6);
    out_printf(out, " to ");
    out_ratio(out, part->high, TIME_SHARE_MILLION, 100, 1, 5);
    out_printf(out, " %%  ");
    out_ratio(out, samples, all, 100, 1, 5);
    out_printf(out, " %%\n");
}

/* Returns the row with the most time, or row_count. */
static uint32_t most_of(const struct time_share *of)
{
    uint32_t most = of->row_count;

    for (uint32_t i = 0; i + 1 < of->row_count; i++)
        if (of->rows[i].part.share && (most == of->row_count || of->rows[i].part.share > of->rows[most].part.share))
            most = i;
    return most;
}

struct function {
    uint32_t begin, end;
    uint64_t share;
    uint32_t samples;
};

static struct function function_at(const struct time_share *of, const struct codemap *map, uint32_t begin)
{
    struct function function = {.begin = begin, .end = codemap_function_end(map, begin)};

    for (uint32_t i = begin; i < function.end; i++) {
        function.share += of->rows[i].part.share;
        function.samples += of->rows[i].work.count;
    }
    return function;
}

static void print_function(struct out *out, const struct time_share *of, const struct codemap *map,
                           const struct function *function, uint32_t most)
{
    out_printf(out, " %-*s", ADDRESS + 2 + TEXT, map->strings + map->funcs[map->insns[function->begin].func].name);
    out_ratio(out, function->share, TIME_SHARE_MILLION, 100, 1, 6);
    out_printf(out, " %%%18s", "");
    out_ratio(out, function->samples, of->count, 100, 1, 7);
    out_printf(out, " %%\n");
    if (function->share * WHOLE < TIME_SHARE_MILLION)
        return;
    for (uint32_t i = function->begin; i < function->end; i++) {
        bool hot = of->rows[i].part.high >= of->rows[most].part.low && of->rows[i].work.count;

        if (!of->rows[i].work.count)
            continue;
        heat_row(out, of->rows[i].part.share, TIME_SHARE_MILLION);
        out_printf(out, "%c%*x ", hot ? '>' : ' ', ADDRESS, map->insns[i].rva);
        view_print_instruction(out, map->strings + map->insns[i].text, TEXT);
        out_printf(out, " ");
        figures(out, &of->rows[i].part, of->rows[i].work.count, of->count);
    }
    rule(out, '-');
}

void time_share_print(struct out *out, const struct time_share *of, const struct codemap *map)
{
    const struct time_share_row *outside = &of->rows[of->row_count - 1];
    uint32_t most = most_of(of);

    out_printf(out, "Estimated time by instruction: share of the cycles\n");
    rule(out, '=');
    out_printf(out, "%-*s%s\n", ADDRESS + 3 + TEXT, "", "  est.                        % of");
    out_printf(out, "%-*s%s\n", ADDRESS + 3 + TEXT, "Address Instruction", "  time      95 % interval      ops");
    rule(out, '-');
    for (uint32_t i = 0; i < map->insn_count;) {
        struct function function = function_at(of, map, i);

        if (function.samples)
            print_function(out, of, map, &function, most);
        i = function.end;
    }
    if (outside->work.count) {
        out_printf(out, " %-*s", ADDRESS + 2 + TEXT, "outside of the workloads");
        figures(out, &outside->part, outside->work.count, of->count);
    }
    out_printf(out, " %-*s", ADDRESS + 2 + TEXT, "front end: no op to retire");
    figures(out, &of->front, 0, of->count);
    wrap_text(out,
              "Est. time: the cycles in which an instruction retires, or in which later ones wait for this; estimated "
              "from the time of ops in flight, and from the cycles of the workload without sampling. The interval "
              "contains only chance. >: the most, apart from chance.",
              0, 0, LINE);
}

static void csv_part(struct out *out, const struct time_share_part *part, uint32_t samples)
{
    csv_time(out, part);
    out_printf(out, ",%u\n", samples);
}

void time_share_csv(struct out *out, const struct time_share *of, const struct codemap *map)
{
    out_printf(out, "rva,function,file,line,instruction" CSV_TIME_TITLES ",ops [samples]\n");
    for (uint32_t i = 0; i < map->insn_count; i++) {
        if (!of->rows[i].work.count)
            continue;
        csv_instruction(out, map, i);
        csv_part(out, &of->rows[i].part, of->rows[i].work.count);
    }
    out_printf(out, ",(outside the map),,,");
    csv_part(out, &of->rows[map->insn_count].part, of->rows[map->insn_count].work.count);
    out_printf(out, ",(front end),,,");
    csv_part(out, &of->front, 0);
}
