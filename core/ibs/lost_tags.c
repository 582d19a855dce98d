/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/ibs/lost_tags.h"

#include "core/base/stats.h"

bool lost_tags_work_out(struct lost_tags *lost, uint64_t cycles, uint64_t in_flight, uint64_t samples, uint32_t period)
{
    *lost = (struct lost_tags){0};
    if (!samples || in_flight >= cycles)
        return false;
    lost->intervals = stats_mul_div(cycles - in_flight, 1, period);
    lost->lost = lost->intervals > samples ? lost->intervals - samples : 0;
    lost->in_flight_ppm = (uint32_t)stats_mul_div(in_flight, 1000000, cycles);
    return true;
}

void lost_tags_print(struct out *out, const struct lost_tags *lost)
{
    out_printf(out, "NOTE: a tagged op was in flight in ");
    out_ratio(out, lost->in_flight_ppm, 1000000, 100, 1, 0);
    out_printf(out,
               " %% of the cycles, which are not counted.\n"
               "      Of some %lu intervals in the rest, up to %lu (",
               lost->intervals, lost->lost);
    out_ratio(out, lost->lost, lost->intervals, 100, 1, 0);
    out_printf(out, " %%) gave no sample:\n"
                    "      there was no op to tag, for example when fetches or mispredicted branches\n      delay the "
                    "code. Then this code has too few samples.\n");
}
