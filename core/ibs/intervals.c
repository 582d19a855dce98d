/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/ibs/intervals.h"

#include "core/base/mem.h"
#include "core/base/stats.h"
#include "core/family/ibs_regs.h"

enum { EXPECTED_MIN = 5 /* Cochran's rule: smallest expected count for chi-square */ };

size_t intervals_memory_size(const struct codemap *map)
{
    return ((size_t)map->insn_count + 1) * 2 * sizeof(uint32_t[2]);
}

void intervals_init(struct intervals *intervals, const struct codemap *map, void *memory, uint32_t mean)
{
    *intervals = (struct intervals){.row = memory, .rows = (map->insn_count + 1) * 2, .mean = mean};
    memset(memory, 0, intervals_memory_size(map));
}

void intervals_add(struct intervals *intervals, int32_t insn, const struct sample_record *record)
{
    uint64_t data3 = record->reg[IBS_OP_DATA3];
    bool is_long = ibs_op_max_cnt(record->reg[IBS_OP_CTL]) > intervals->mean, missed = data3 & IBS_DC_MISS;
    uint32_t row = insn < 0 ? intervals->rows - 2 : (uint32_t)insn * 2;

    if (!intervals->rows)
        return;
    intervals->row[row + missed][is_long]++;
    intervals->samples[is_long]++;
}

/* Returns whether each of its two counts is expected to be at least EXPECTED_MIN. */
static bool large_enough(const uint64_t samples[2], uint64_t count)
{
    uint64_t least = samples[0] < samples[1] ? samples[0] : samples[1];

    return least && count * least >= EXPECTED_MIN * (samples[0] + samples[1]);
}

/* Returns (o - e)^2 / e of both columns together, in thousandths: (o0 s1 - o1 s0)^2 / ((o0 + o1) s0 s1). Samples below
 * 2^31. */
static uint64_t chi2_milli(const uint64_t samples[2], uint64_t first, uint64_t second)
{
    uint64_t a = first * samples[1], b = second * samples[0], difference = a > b ? a - b : b - a;

    return stats_mul_div(stats_mul_div(difference, difference, first + second), 1000, samples[0] * samples[1]);
}

void intervals_check(struct intervals *intervals)
{
    const uint64_t *samples = intervals->samples;
    uint64_t rest[2] = {0, 0};
    uint32_t rows = 0;

    for (uint32_t i = 0; i < intervals->rows; i++) {
        const uint32_t *row = intervals->row[i];

        if (!large_enough(samples, (uint64_t)row[0] + row[1])) {
            rest[0] += row[0];
            rest[1] += row[1];
            continue;
        }
        intervals->chi2_milli += chi2_milli(samples, row[0], row[1]);
        rows++;
    }
    if (large_enough(samples, rest[0] + rest[1])) {
        intervals->chi2_milli += chi2_milli(samples, rest[0], rest[1]);
        rows++;
    }
    if (rows < 2)
        return;
    intervals->df = rows - 1;
    intervals->difference_ppm = 2 * stats_dispersion_ppm(intervals->chi2_milli, intervals->df, samples[0] + samples[1]);
    intervals->differ = stats_chi2_certain(intervals->chi2_milli, intervals->df);
}

const char *intervals_verdict(const struct intervals *intervals)
{
    return intervals->differ ? "different" : "alike";
}

void intervals_print(struct out *out, const struct intervals *intervals)
{
    if (!intervals->df)
        return;
    out_printf(out, "%sOp samples after short and long intervals: %s, chi2/df ", intervals->differ ? "WARNING: " : "",
               intervals_verdict(intervals));
    out_ratio(out, intervals->chi2_milli, intervals->df * 1000ull, 1, 2, 0);
    out_printf(out, "\n(%lu and %lu samples).\n", intervals->samples[0], intervals->samples[1]);
    if (!intervals->differ)
        return;
    out_printf(out, "They differ by ");
    out_ratio(out, intervals->difference_ppm, 1000000, 100, 1, 0);
    out_printf(out, " %%: effects of the interrupt before them are visible.\n"
                    "Shares are not those of the undisturbed workload: choose a longer op_period.\n");
}
