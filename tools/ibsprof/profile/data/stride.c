/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/profile/data/stride.h"

#include <math.h>
#include <stdlib.h>

#include "tools/ibsprof/base/must.h"

enum { PAIRS_LEAST = 8, AGREE_LEAST = 4, AGREE_PART = 3, LINE = 64, PAGE = 4096 };

/* Probability that a pair agrees with another one by chance, and of a false stride. */
static const double BY_CHANCE = 0.1, WRONG = 0.01;

struct stride_pair {
    int64_t bytes;
    uint64_t ops, time;
};

struct pair {
    int64_t bytes;
    uint64_t ops, apart; /* apart: ops or time */
    double rate;         /* bytes / apart */
};

static int by_apart(const void *left, const void *right)
{
    const struct pair *a = left, *b = right;

    return a->apart < b->apart ? -1 : a->apart > b->apart;
}

static int by_rate(const void *left, const void *right)
{
    const struct pair *a = left, *b = right;

    return a->rate < b->rate ? -1 : a->rate > b->rate;
}

static uint64_t magnitude(int64_t bytes)
{
    return bytes < 0 ? -(uint64_t)bytes : (uint64_t)bytes;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/* Returns the largest common divisor of two differences that divides nine in ten; 0: all are 0. The tried ones are
 * spread over all: of very many pairs, the first ones are all equally far apart, and so differ by the same bytes. */
static uint64_t divisor_of(const struct pair *pairs, uint32_t count)
{
    enum { TRIED = 64 };
    uint64_t best = 0, before = 0;
    uint32_t differ = 0, step, number = 0;

    for (uint32_t i = 0; i < count; i++)
        differ += pairs[i].bytes != 0;
    step = differ / TRIED + 1;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t divisor = common_divisor(magnitude(pairs[i].bytes), before);
        uint32_t have = 0;

        if (pairs[i].bytes == 0 || number++ % step != 0)
            continue;
        before = magnitude(pairs[i].bytes);
        if (divisor <= best)
            continue;
        for (uint32_t k = 0; k < count; k++)
            have += pairs[k].bytes != 0 && magnitude(pairs[k].bytes) % divisor == 0;
        if (10ull * have >= 9ull * differ)
            best = divisor;
    }
    return best;
}

/* Returns the probability that at least 'agree' of 'count' do so by BY_CHANCE. */
static double chance_of(uint32_t agree, uint32_t count)
{
    double sum = 0;

    for (uint32_t k = agree; k <= count; k++)
        sum += exp(lgamma(count + 1.0) - lgamma(k + 1.0) - lgamma(count - k + 1.0) + k * log(BY_CHANCE) +
                   (count - k) * log(1 - BY_CHANCE));
    return sum;
}

/* Finds the largest group of pairs, sorted by rate, with one direction and rate; *ret_begin is its first. */
static uint32_t most_alike(const struct pair *pairs, uint32_t count, bool up, uint32_t *ret_begin)
{
    uint32_t most = 0, begin = 0, end = 0;

    for (uint32_t i = 0; i < count; i++) {
        double width = fabs(pairs[i].rate) * STRIDE_TOLERANCE;

        while (pairs[begin].rate < pairs[i].rate - width)
            begin++;
        while (end < count && pairs[end].rate <= pairs[i].rate + width)
            end++;
        if (end - begin > most && pairs[i].bytes != 0 && (pairs[i].bytes > 0) == up) {
            most = end - begin;
            *ret_begin = begin;
        }
    }
    return most;
}

/* Returns ops between samples of the load while it runs: the mean without gaps for other work. */
static double ops_apart(const struct pair *sorted, uint32_t count)
{
    enum { LONG = 8 }; /* with random samples one gap in 250 exceeds so many medians */
    uint64_t median = sorted[count / 2].ops;
    double ops = 0;
    uint32_t kept = 0;

    for (uint32_t i = 0; i < count && sorted[i].ops <= LONG * median; i++, kept++)
        ops += (double)sorted[i].ops;
    return ops / kept;
}

/* Returns whether the pairs imply as many executions per op as the load's share of samples does. Intervals of ibsboot
 * differ by up to a fifth from their mean, and the nearest pairs are used. */
static bool fits_executions(const struct pair *pairs, uint32_t count, uint64_t divisor, double executions)
{
    double bytes = 0, ops = 0;

    for (uint32_t i = 0; i < count; i++) {
        bytes += (double)magnitude(pairs[i].bytes);
        ops += (double)pairs[i].ops;
    }
    return bytes / (double)divisor > executions * ops * 0.7 && bytes / (double)divisor < executions * ops * 1.3;
}

/* Takes the most frequent rate of pairs, sorted by rate, upwards or downwards. */
static bool find_rate(struct stride *stride, const struct pair *pairs, uint32_t count, bool up, double executions)
{
    uint32_t begin = 0, agree = most_alike(pairs, count, up, &begin);
    uint64_t divisor;

    if (agree < AGREE_LEAST || AGREE_PART * agree < count || count * chance_of(agree, count) > WRONG)
        return false;
    divisor = divisor_of(pairs + begin, agree);
    if (divisor == 0 || (executions > 0 && !fits_executions(pairs + begin, agree, divisor, executions)))
        return false;
    stride->kind = STRIDE_STEADY;
    stride->bytes = up ? (int64_t)divisor : -(int64_t)divisor;
    stride->pairs = count;
    stride->agree = agree;
    return true;
}

/* Tries the nearest pairs: all, then half of them, and so on, until a third agrees. A load that restarts after two
 * intervals of samples seems to go up as often as down. */
static void find_steady(struct stride *stride, const struct pair *all, uint32_t all_count, double executions)
{
    struct pair *pairs = must_alloc(all_count, sizeof(*pairs));
    uint32_t count = all_count;

    for (uint32_t i = 0; i < all_count; i++)
        pairs[i] = all[i];
    qsort(pairs, all_count, sizeof(*pairs), by_rate);
    for (uint32_t part = all_count; part >= PAIRS_LEAST && stride->kind != STRIDE_STEADY; part /= 2) {
        struct stride other = *stride;
        uint32_t kept = 0;
        bool up, down;

        /* All that are equally far stay: it is not known which are nearer. */
        for (uint32_t i = 0; i < count; i++)
            if (pairs[i].apart <= all[part - 1].apart)
                pairs[kept++] = pairs[i];
        count = kept;
        up = find_rate(stride, pairs, count, true, executions);
        down = find_rate(&other, pairs, count, false, executions);
        if (down && (!up || other.agree > stride->agree))
            *stride = other;
        stride->either = up && down;
    }
    free(pairs);
}

static uint32_t make_pairs(struct pair *pairs, const struct stride_pairs *from, bool by_ops)
{
    uint32_t made = 0;

    for (uint32_t i = 0; i < from->count; i++) {
        const struct stride_pair *pair = &from->pair[i];
        uint64_t apart = by_ops ? pair->ops : pair->time;

        if (apart > 0)
            pairs[made++] = (struct pair){pair->bytes, pair->ops, apart, (double)pair->bytes / (double)apart};
    }
    qsort(pairs, made, sizeof(*pairs), by_apart);
    return made;
}

void stride_begin(struct stride_pairs *pairs)
{
    pairs->count = 0;
    pairs->seen = 0;
    rng_seed(&pairs->rng, 1);
}

void stride_add(struct stride_pairs *pairs, const struct stride_access *before, const struct stride_access *access)
{
    const struct stride_pair pair = {(int64_t)(access->address - before->address), access->ops - before->ops,
                                     access->time - before->time};
    uint32_t at = pairs->count;

    if (before->stream != access->stream)
        return;
    pairs->seen++;
    if (at < STRIDE_PAIRS) {
        *must_add(pairs->pair, pairs->count) = pair;
        return;
    }
    /* Each is among those kept with the same probability (reservoir). */
    at = pairs->seen <= UINT32_MAX ? rng_below(&pairs->rng, (uint32_t)pairs->seen) : UINT32_MAX;
    if (at < STRIDE_PAIRS)
        pairs->pair[at] = pair;
}

struct stride stride_of(const struct stride_pairs *from, uint64_t period)
{
    struct pair *pairs = must_alloc(from->count, sizeof(*pairs));
    struct stride stride = {.kind = STRIDE_FEW};
    uint32_t fixed = 0;

    stride.pairs = make_pairs(pairs, from, true);
    if (stride.pairs < PAIRS_LEAST) {
        free(pairs);
        return stride;
    }
    stride.kind = STRIDE_NONE;
    stride.divisor = divisor_of(pairs, stride.pairs);
    for (uint32_t i = 0; i < stride.pairs; i++)
        fixed += pairs[i].bytes == 0;
    if (10ull * fixed >= 9ull * stride.pairs) {
        stride.kind = STRIDE_FIXED;
        stride.agree = fixed;
    } else {
        double executions = period ? (double)period / ops_apart(pairs, stride.pairs) : 0;

        find_steady(&stride, pairs, make_pairs(pairs, from, false), executions);
        if (stride.kind == STRIDE_NONE)
            find_steady(&stride, pairs, make_pairs(pairs, from, true), executions);
    }
    free(pairs);
    return stride;
}

/* Sets 'used' from the number of pairs of samples in one line. */
static void set_used(struct stride_reuse *reuse, double samples, double shared)
{
    /* Upper limits of the expected number, by the observed pairs (Poisson, 95 %). */
    static const double most[] = {3.00, 4.74, 6.30, 7.75, 9.15, 10.51, 11.84, 13.15, 14.43, 15.71};
    const unsigned known = sizeof(most) / sizeof(most[0]);
    double pairs = samples * (samples - 1) / 2;

    if (shared < known) {
        reuse->used = pairs / most[(unsigned)shared];
        reuse->used_least = true;
        return;
    }
    reuse->used = pairs / shared;
    reuse->used_error = reuse->used * sqrt((1 - 1 / reuse->used) / shared);
}

void stride_line_add(struct stride_lines *lines, uint64_t address)
{
    struct stride_reuse *reuse = &lines->reuse;
    bool new_line = lines->count == 0 || address / LINE != reuse->last / LINE;

    if (lines->count == 0)
        reuse->first = address;
    lines->same = new_line ? 0 : lines->same + 1;
    lines->shared += (double)lines->same;
    reuse->lines += new_line;
    reuse->pages += lines->count == 0 || address / PAGE != reuse->last / PAGE;
    reuse->last = address;
    lines->count++;
}

struct stride_reuse stride_reuse_of(const struct stride_lines *lines)
{
    struct stride_reuse reuse = lines->reuse;
    double count = (double)lines->count, span = (double)(reuse.last / LINE - reuse.first / LINE + 1);

    reuse.again = 1 - (double)reuse.lines / count;
    reuse.even = 1 + span / count * expm1(count * log1p(-1 / span));
    set_used(&reuse, count, lines->shared);
    return reuse;
}
