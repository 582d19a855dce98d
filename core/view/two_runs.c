/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/view/two_runs.h"

#include "core/base/mem.h"
#include "core/base/stats.h"
#include "core/base/str.h"

enum {
    MILLION = 1000000,
    RARE = 5,          /* expected samples if the shares are equal: fewer have no normal distribution */
    MARGIN_PPM = 5000, /* half a point, or */
    MARGIN_PART = 20,  /* a twentieth of A's share */
    Z_ONE_SIDED = 164, /* hundredths; 5 % */
    Z_TWO_SIDED = 196,
    Z_NEVER = MILLION,
};

/* Returns the hundredths of standard errors that chance exceeds for any of so many equal shares in 5 of 100 cases: the
 * normal distribution's quantile of 1 - 0.05 / (2 count), as Bonferroni has it. */
static unsigned quantile(uint32_t count)
{
    static const struct {
        uint32_t count;
        unsigned z;
    } rows[] = {{1, 196}, {2, 224}, {5, 258}, {10, 281}, {20, 302}, {50, 329}, {100, 348}, {200, 366}};

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (count <= rows[i].count)
            return rows[i].z;
    return 391; /* up to 540 */
}

bool two_runs_shares(const struct figures *a, const struct figures *b)
{
    return str_equal(a->workload, b->workload) && a->what[0] && str_equal(a->what, b->what) &&
           a->samples > a->outside && b->samples > b->outside;
}

/* Takes one side's instructions, except those that the other has already. */
static void take(struct two_runs *two, unsigned side)
{
    const struct figures *figures = two->side[side];
    bool whole = !two->side[!side]->left;

    for (uint32_t r = 0; r < figures->rows; r++) {
        const struct figures_row *row = &figures->row[r];
        struct two_runs_share *share = two->share;

        while (share < two->share + two->count && share->insn != row->insn)
            share++;
        if (share == two->share + two->count) {
            *share = (struct two_runs_share){.insn = row->insn, .rva = row->rva};
            share->kept[!side] = whole;
            two->count++;
        }
        share->x[side] = row->samples;
        share->kept[side] = true;
    }
}

/* Returns 1.96 sqrt(p (1 - p) / a + q (1 - q) / b) with the shares p and q (Wald's interval of a difference). */
static uint32_t interval(const struct two_runs *two, const struct two_runs_share *share)
{
    uint64_t variance = 0;

    for (unsigned side = 0; side < 2; side++)
        variance += (uint64_t)share->ppm[side] * (MILLION - share->ppm[side]) / two->n[side];
    return (uint32_t)(stats_isqrt(variance) * Z_TWO_SIDED / 100);
}

/* Works out sqrt(p (1 - p) (1 / a + 1 / b)) with the share p of both together. */
static void work_out(const struct two_runs *two, struct two_runs_share *share)
{
    uint64_t a = two->n[0], b = two->n[1], x = share->x[0] + share->x[1], n = a + b;

    for (unsigned side = 0; side < 2; side++)
        share->ppm[side] = (uint32_t)stats_mul_div(share->x[side], MILLION, two->n[side]);
    share->interval_ppm = interval(two, share);
    share->error_ppm = stats_isqrt(stats_mul_div(stats_mul_div(x * (n - x), MILLION, n), MILLION, a * b));
}

static bool too_few(const struct two_runs *two, const struct two_runs_share *share)
{
    bool all = share->rare && two->count == 1; /* which are equal, whatever they are */
    uint64_t x = share->x[0] + share->x[1], least = two->n[0] < two->n[1] ? two->n[0] : two->n[1];

    return all || (share->kept[0] && share->kept[1] && x * least < RARE * (two->n[0] + two->n[1]));
}

/* Puts the rare ones together at the end. */
static void combine(struct two_runs *two)
{
    struct two_runs_share all = {.kept = {true, true}};
    uint32_t count = 0;

    for (uint32_t i = 0; i < two->count; i++) {
        const struct two_runs_share *share = &two->share[i];

        if (!too_few(two, share)) {
            two->share[count++] = *share;
            continue;
        }
        all.rare++;
        all.x[0] += share->x[0];
        all.x[1] += share->x[1];
    }
    if (all.rare)
        two->share[count++] = all;
    two->count = count;
}

static uint32_t size_of(const struct two_runs_share *share)
{
    return share->rare ? 0 : share->ppm[0] + share->ppm[1];
}

static void sort(struct two_runs *two)
{
    for (uint32_t i = 1; i < two->count; i++) {
        struct two_runs_share share = two->share[i];
        uint32_t to = i;

        for (; to && size_of(&two->share[to - 1]) < size_of(&share); to--)
            two->share[to] = two->share[to - 1];
        two->share[to] = share;
    }
}

static enum two_runs_verdict judge(const struct two_runs_share *share, unsigned z)
{
    uint64_t a = share->ppm[0], b = share->ppm[1], distance = a > b ? a - b : b - a;
    uint64_t margin = a / MARGIN_PART > MARGIN_PPM ? a / MARGIN_PART : MARGIN_PPM;
    bool significant = 100 * distance > (uint64_t)z * share->error_ppm;
    bool within = 100 * distance + (uint64_t)Z_ONE_SIDED * share->error_ppm < 100 * margin;

    if (significant)
        return within ? TWO_RUNS_BOTH : TWO_RUNS_DIFFERENT;
    return within ? TWO_RUNS_EQUIVALENT : TWO_RUNS_INCONCLUSIVE;
}

static bool same_samples(const struct two_runs *two)
{
    if (two->side[0]->samples != two->side[1]->samples || two->side[0]->us != two->side[1]->us)
        return false;
    for (uint32_t i = 0; i < two->count; i++)
        if (two->share[i].x[0] != two->share[i].x[1])
            return false;
    return true;
}

void two_runs_judge(struct two_runs *two, const struct figures *a, const struct figures *b)
{
    unsigned z;

    two->side[0] = a;
    two->side[1] = b;
    two->count = two->judged = 0;
    memset(two->of, 0, sizeof(two->of));
    for (unsigned side = 0; side < 2; side++)
        two->n[side] = two->side[side]->samples - two->side[side]->outside;
    take(two, 0);
    take(two, 1);
    two->copies = same_samples(two);
    combine(two);
    for (uint32_t i = 0; i < two->count; i++) {
        work_out(two, &two->share[i]);
        two->judged += two->share[i].kept[0] && two->share[i].kept[1] && !too_few(two, &two->share[i]);
    }
    sort(two);
    z = quantile(two->judged);
    for (uint32_t i = 0; i < two->count; i++) {
        struct two_runs_share *share = &two->share[i];

        if (!share->kept[0] || !share->kept[1])
            share->verdict = TWO_RUNS_NOT_KEPT;
        else if (share->rare && two->count == 1)
            share->verdict = TWO_RUNS_INCONCLUSIVE;
        else
            share->verdict = judge(share, too_few(two, share) ? Z_NEVER : z);
        two->of[share->verdict]++;
    }
    two->verdict = two->copies                   ? TWO_RUNS_INCONCLUSIVE
                   : two->of[TWO_RUNS_DIFFERENT] ? TWO_RUNS_DIFFERENT
                   : two->of[TWO_RUNS_INCONCLUSIVE] || two->of[TWO_RUNS_NOT_KEPT] || !two->judged
                       ? TWO_RUNS_INCONCLUSIVE
                   : two->of[TWO_RUNS_BOTH] ? TWO_RUNS_BOTH
                                            : TWO_RUNS_EQUIVALENT;
}
