/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/explore/explore_doubts.h"

#include "core/base/wrap.h"

enum { LINE = 79 };

void explore_doubts_begin(struct explore_result *result, const struct held_result *held, uint64_t loads)
{
    result->held = held->sums.ops != 0;
    if (!result->held)
        return;
    result->held_loads_ppm = (uint32_t)stats_mul_div(loads, PPM, held->sums.ops);
    result->misaligned_ppm = held->loads ? (uint32_t)stats_mul_div(held->misaligned, PPM, held->loads) : 0;
    result->flight = stats_mul_div(held->in_flight, PPM, held->ops);
    result->flight_least = held->shortest;
}

bool explore_doubts_loads(const struct explore_result *result)
{
    return !result->held || result->held_loads_ppm >= DOUBTS_KIND;
}

bool explore_doubts_others(const struct explore_result *result)
{
    return !result->held || result->held_loads_ppm <= PPM - DOUBTS_KIND;
}

bool explore_doubts_flight(const struct explore_result *result, uint32_t cycles)
{
    return !result->held || result->flight >= times((uint64_t)result->flight_least + cycles, PPM);
}

void explore_tell_shares(struct out *out, const char *before, int64_t first, const char *between, int64_t second,
                         const char *after)
{
    char text[400];
    struct out_memory memory;

    out_memory_init(&memory, text, sizeof(text));
    out_printf(&memory.out, "%s", before);
    out_ratio(&memory.out, (uint64_t)(first > 0 ? first : 0), PPM, 100, 1, 0);
    out_printf(&memory.out, " %% %s", between);
    out_ratio(&memory.out, (uint64_t)(second > 0 ? second : 0), PPM, 100, 1, 0);
    out_printf(&memory.out, " %%%s", after);
    wrap_text(out, text, 0, 0, LINE);
}

void explore_tell_mispredicts(struct out *out, int64_t slots, int64_t refill)
{
    enum { LEAST = 150000 /* as the row's own threshold, ppm */ };
    char text[400];
    struct out_memory memory;

    if (slots <= LEAST)
        return;
    out_memory_init(&memory, text, sizeof(text));
    out_printf(&memory.out, "The wait of a mispredicted branch for its operands is in 'Bad speculation': a right "
                            "prediction may save less");
    if (refill > 0) {
        out_printf(&memory.out, ", down to about the refill, ");
        out_ratio(&memory.out, (uint64_t)refill, PPM, 100, 1, 0);
        out_printf(&memory.out, " %% of the slots");
    }
    out_printf(&memory.out, ", and a shorter chain before the branch as much as the rest. Empty slots of the wrong "
                            "path are in the front end's bandwidth, and may disappear as well.");
    wrap_text(out, text, 0, 0, LINE);
}
