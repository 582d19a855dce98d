/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/profile/aliasing.h"

#include "core/base/mem.h"
#include "core/base/stats.h"

enum {
    EXPECTED_MIN = 5,            /* Cochran's rule: smallest expected count for chi-square */
    DISPERSION_MIN_PPM = 250000, /* below this a deviation is no aliasing */
};

/* Sums of one block. */
struct block {
    uint32_t first, last;
    uint64_t samples; /* at the instructions that are tested */
    uint32_t ops;     /* of them */
    uint32_t insns;
    uint32_t least_ops;
};

/* Returns whether the code map knows the instruction's number of macro-ops. */
static bool is_tested(const struct codemap_insn *insn)
{
    return insn->ops > 0 && insn->path != CODEMAP_PATH_VECTOR && !(insn->flags & CODEMAP_INSN_REP);
}

bool aliasing_block_starts(const struct codemap *map, uint32_t insn)
{
    const struct codemap_insn *here = &map->insns[insn];

    if (insn == 0 || map->insns[insn - 1].func != here->func || map->insns[insn - 1].branch != CODEMAP_BR_NONE)
        return true;
    for (uint32_t i = 0; i < map->insn_count; i++)
        if (map->insns[i].target == here->rva)
            return true;
    return false;
}

static uint64_t samples_at(const struct profile *profile, uint32_t insn)
{
    return profile_row(profile, insn)[DERIVED_F100_OP_ALL];
}

static bool any_samples(const struct profile *profile, uint32_t from, uint32_t end)
{
    for (uint32_t i = from; i < end; i++)
        if (samples_at(profile, i))
            return true;
    return false;
}

static struct block collect(const struct profile *profile, uint32_t first)
{
    const struct codemap *map = profile->map;
    struct block block = {.first = first, .last = first, .least_ops = UINT32_MAX};

    for (uint32_t i = first; i < map->insn_count; i++) {
        if (i > first && aliasing_block_starts(map, i))
            break;
        block.last = i;
        if (!is_tested(&map->insns[i]))
            continue;
        block.samples += samples_at(profile, i);
        block.ops += map->insns[i].ops;
        block.insns++;
        if (map->insns[i].ops < block.least_ops)
            block.least_ops = map->insns[i].ops;
    }
    return block;
}

/* Returns (o - e)^2 / e in thousandths, e = samples * ops / all ops of the block. Two factors, |o - e| and |o - e| /
 * e, in fixed point; the product needs more than 64 bits. Counts below 2^32, ops below 2^8 per instruction. */
static uint64_t deviation_milli(const struct block *block, uint64_t observed, uint32_t ops)
{
    uint64_t scaled = observed * block->ops, expected = block->samples * ops;
    uint64_t difference = scaled > expected ? scaled - expected : expected - scaled;
    uint64_t absolute = (difference << 10) / block->ops, relative = (difference << 20) / expected;

    return (uint64_t)(((unsigned __int128)absolute * relative * 1000) >> 30);
}

static uint64_t chi2_milli(const struct profile *profile, const struct block *block)
{
    uint64_t chi2 = 0;

    for (uint32_t i = block->first; i <= block->last; i++)
        if (is_tested(&profile->map->insns[i]))
            chi2 += deviation_milli(block, samples_at(profile, i), profile->map->insns[i].ops);
    return chi2;
}

static uint32_t count_silent(const struct profile *profile, const struct block *block)
{
    uint32_t silent = 0;

    for (uint32_t i = block->first; i <= block->last; i++)
        silent += is_tested(&profile->map->insns[i]) && samples_at(profile, i) == 0;
    return silent;
}

static void remember_worst(struct aliasing *result, const struct profile *profile, const struct block *block)
{
    const struct codemap_insn *insns = profile->map->insns;
    bool found = false;

    result->worst_first = block->first;
    result->worst_last = block->last;
    result->worst_samples = block->samples;
    result->worst_silent = count_silent(profile, block);
    for (uint32_t i = block->first; i <= block->last; i++) {
        if (!is_tested(&insns[i]))
            continue;
        if (found && samples_at(profile, i) * insns[result->worst_top].ops <= result->worst_top_samples * insns[i].ops)
            continue;
        found = true;
        result->worst_top = i;
        result->worst_top_samples = samples_at(profile, i);
    }
}

void aliasing_check(struct aliasing *result, const struct profile *profile, bool ops_counted)
{
    uint32_t end = 0; /* of the function */
    uint64_t worst = 0;
    struct block block;

    memset(result, 0, sizeof(*result));
    result->ops_counted = ops_counted;
    for (uint32_t i = 0; i < profile->map->insn_count; i = block.last + 1) {
        uint64_t chi2;

        if (i >= end) {
            end = codemap_function_end(profile->map, i);
            if (!any_samples(profile, i, end)) { /* most; where blocks start need not be found out */
                block.last = end - 1;
                continue;
            }
        }
        block = collect(profile, i);
        if (block.insns < 2 || block.samples * block.least_ops < (uint64_t)EXPECTED_MIN * block.ops)
            continue;
        chi2 = chi2_milli(profile, &block);
        result->samples += block.samples;
        result->blocks++;
        result->insns += block.insns;
        result->silent += count_silent(profile, &block);
        result->chi2_milli += chi2;
        if (result->blocks == 1 || chi2 > worst) {
            worst = chi2;
            remember_worst(result, profile, &block);
        }
    }
    result->df = result->insns - result->blocks;
    result->dispersion_ppm = stats_dispersion_ppm(result->chi2_milli, result->df, result->samples);
    result->aliased = ops_counted && result->dispersion_ppm >= DISPERSION_MIN_PPM &&
                      stats_chi2_certain(result->chi2_milli, result->df);
}

static const char *function_name(const struct codemap *map, uint32_t insn)
{
    return map->strings + map->funcs[map->insns[insn].func].name;
}

void aliasing_print(struct out *out, const struct aliasing *result, const struct profile *profile)
{
    const struct codemap *map = profile->map;

    if (result->blocks == 0) {
        out_printf(out, "Too few op samples within basic blocks to judge the sampling.\n");
        return;
    }
    out_printf(out, "%sOp samples within basic blocks: dispersion ", result->aliased ? "WARNING: " : "");
    out_ratio(out, result->dispersion_ppm, 1000000, 100, 1, 0);
    out_printf(out, " %%, chi2/df ");
    out_ratio(out, result->chi2_milli, result->df * 1000ull, 1, 2, 0);
    out_printf(out, "\n(%lu samples, %u instructions in %u block%s, %u of them never sampled).\n", result->samples,
               result->insns, result->blocks, result->blocks == 1 ? "" : "s", result->silent);
    if (!result->ops_counted) {
        out_printf(out, "Core clocks were counted: ops that wait at dispatch are sampled more often.\n");
        return;
    }
    if (!result->aliased) {
        out_printf(out, "Every op of a block was sampled about equally often, as it must be.\n");
        return;
    }
    out_printf(out, "Each op of a block executes equally often, but samples differ: the sampling\nperiod "
                    "aliases with the loop. These shares are wrong; switch randomisation on.\n");
    out_printf(out, "Block %xh..%xh of %.40s:\n", map->insns[result->worst_first].rva,
               map->insns[result->worst_last].rva, function_name(map, result->worst_first));
    out_ratio(out, result->worst_top_samples, result->worst_samples, 100, 1, 0);
    out_printf(out, " %% of its samples at %xh, %u instructions never sampled.\n", map->insns[result->worst_top].rva,
               result->worst_silent);
}
