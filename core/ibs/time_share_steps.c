/* SPDX-License-Identifier: BSD-2-Clause */
/* The estimate itself, of all samples or of those without one group. docs/measuring.md has the formulas. */
#include "core/base/stats.h"
#include "core/ibs/time_share.h"

enum {
    UNIT = TIME_SHARE_UNIT,
    MIDDLE_PERCENT = 60,  /* of a row's samples, the share least in flight, which gives its middle: the rest are late
                             with earlier ops */
    SURE = UNIT * 3 / 10, /* less in flight than the row before by this: a line begins */
    LONG = 10 * UNIT,     /* in flight: dispatch may have waited */
    CAP = 2,              /* cycles of an op that is no load, beyond its line's */
    CAP_LEADS = 3,        /* of one without a known row before: from its dispatch on */
    WITHIN = 307,         /* 0.3: weight of an op within a line */
    FLOWING = 51,         /* 0.05: of one whose line did not wait */
    TENTH = 6,            /* of the middle, which is 60 % */
    OFTEN = 20,           /* one in so many */
    NEVER = 50,           /* fewer than one in so many */
};

static bool counts(const struct time_share_sample *sample, unsigned without)
{
    return sample->group != without;
}

/* ---------------------------------------------------------------- how long ops are in flight */

struct middle {
    uint64_t mean, error2;
    bool steady; /* except the least tenth of the samples, no two are more than a cycle apart */
};

/* Finds the middle of the samples that count; with fall_through only of those that were not a taken branch. */
static struct middle middle_of(const struct time_share *of, const struct time_share_work *work, unsigned without,
                               uint32_t samples, bool fall_through)
{
    uint64_t kept = ((uint64_t)samples * MIDDLE_PERCENT + 99) / 100, left = kept, sum = 0, squares = 0, spread;
    uint32_t least = 0, most = 0;
    struct middle middle = {0};

    for (uint32_t i = work->first; left; i++) {
        const struct time_share_sample *sample = &of->samples[i];

        if (!counts(sample, without) || (fall_through && sample->taken))
            continue;
        most = sample->in_flight;
        if (left >= kept - kept / TENTH)
            least = most;
        sum += sample->in_flight;
        squares += (uint64_t)sample->in_flight * sample->in_flight;
        left--;
    }
    middle.steady = most - least <= 1;
    middle.mean = sum * UNIT / kept;
    spread = squares * UNIT - sum * middle.mean;
    if (kept > 1)
        middle.error2 = spread / (kept - 1) * UNIT / kept;
    return middle;
}

static void count_row(const struct time_share *of, struct time_share_work *work, unsigned without)
{
    work->samples = work->ready = work->missed = work->mispredicted = 0;
    work->branches = work->taken = work->stores = 0;
    for (uint32_t i = work->first; i < work->first + work->count; i++) {
        const struct time_share_sample *sample = &of->samples[i];

        if (!counts(sample, without))
            continue;
        work->samples++;
        work->ready += sample->waited == of->least;
        work->missed += sample->missed;
        work->mispredicted += sample->mispredicted;
        work->branches += sample->branch;
        work->taken += sample->taken;
        work->stores += sample->store;
    }
}

/* Returns the samples of one op for each execution; calls and returns have two ops, of which the branch counts. */
static uint32_t executed(const struct time_share_work *work)
{
    return work->branches ? work->branches : work->samples;
}

/* Returns whether a row is executed without the row before it more often than after it, and not by chance alone (two
 * standard errors). */
static bool comes_alone(uint64_t times, uint64_t falls)
{
    return 2 * falls < times && (times - falls) * (times - falls) > 4 * (times + falls);
}

/* Returns the cycles that a row's samples can have taken by themselves, all together. */
static uint64_t own_cycles(const struct time_share *of, const struct time_share_work *work, unsigned without)
{
    uint32_t most = work->leads ? CAP_LEADS : CAP, more = work->leads && work->flows ? 2 : 1;
    uint64_t sum = 0;

    for (uint32_t i = work->first; i < work->first + work->count; i++) {
        const struct time_share_sample *sample = &of->samples[i];
        uint32_t runs = sample->in_flight, own;

        if (!counts(sample, without) || sample->waited != of->least)
            continue;
        runs = runs > sample->waited ? runs - sample->waited : 0;
        if (sample->service)
            own = runs < sample->service ? runs : sample->service;
        else
            own = (runs > 2 ? runs - 2 : 0) + more;
        sum += sample->service || own < most ? own : most;
    }
    return sum * UNIT;
}

/* Works out the row's known advance, and the room for more, after the row before it if that is known. line: ops in the
 * line before it. Returns them with it. */
static uint32_t measure(struct time_share *of, struct time_share_row *row, const struct time_share_work *previous,
                        unsigned without, uint32_t line)
{
    struct time_share_work *work = &row->work;
    struct middle middle = middle_of(of, work, without, work->samples, false), from = {0};
    uint32_t falls = previous ? executed(previous) - previous->taken : 0, weight = UNIT;
    uint64_t known = 0, own, error, least;

    work->leads = !row->follows || !falls || comes_alone(executed(work), falls);
    if (!work->leads)
        from = middle_of(of, previous, without, falls, true);
    error = stats_isqrt(middle.error2 + from.error2);
    least = 2 * error > SURE ? 2 * error : SURE;
    work->begins = work->leads || middle.mean + least < from.mean || line + 1 > TIME_SHARE_WIDTH;
    work->flows = middle.mean < LONG;
    work->steady = middle.steady;
    if (!work->leads) {
        known = middle.mean + (work->begins ? UNIT : 0);
        known = known > from.mean + error ? known - from.mean - error : 0;
        known = known * executed(work) / work->samples; /* all ops of an instruction together */
    }
    own = own_cycles(of, work, without) / work->samples;
    if (work->ready * NEVER < work->samples && known > UNIT)
        known = UNIT;
    if (work->flows && !work->leads && work->missed * OFTEN <= work->samples)
        weight = FLOWING;
    else if (!work->begins)
        weight = WITHIN;
    if (2 * work->stores > work->samples && known > CAP * UNIT)
        known = CAP * UNIT;
    work->advance = known;
    work->room = own > known ? (own - known) * weight / UNIT : 0;
    return work->begins ? 1 : line + 1;
}

/* ---------------------------------------------------------------- all together */

struct sums {
    uint64_t samples, mispredicted;
    uint64_t advance, room, waiting; /* of all samples; the last: room of those that are long in flight */
};

static void divide(uint64_t *advance, uint64_t part, uint64_t of, uint64_t whole)
{
    *advance += whole ? stats_mul_div(part, of, whole) : 0;
}

/* Makes the advances add up to the cycles. Returns the excess over all that ops can have taken. */
static uint64_t fit(struct time_share *of, const struct sums *sums, uint64_t cycles)
{
    uint64_t rest = cycles > sums->advance ? cycles - sums->advance : 0;
    bool waiting = sums->waiting * OFTEN * 5 / 2 >= sums->samples * UNIT;

    for (uint32_t i = 0; i < of->row_count; i++) {
        struct time_share_work *work = &of->rows[i].work;

        if (!work->samples)
            continue;
        if (sums->advance >= cycles)
            work->advance = stats_mul_div(work->advance, cycles, sums->advance);
        else if (rest <= sums->room)
            divide(&work->advance, work->room, rest, sums->room);
        else if (waiting && !work->flows)
            divide(&work->advance, work->room, rest - sums->room + sums->waiting, sums->waiting);
        else
            work->advance += work->room;
    }
    return rest > sums->room && !waiting ? rest - sums->room : 0;
}

/* ---------------------------------------------------------------- the cycles in which ops retire */

/* Returns the part of the row's samples that retire in the cycle of the op before. */
static uint64_t together(const struct time_share_work *work)
{
    return work->advance < UNIT ? UNIT - work->advance : 0;
}

struct heads {
    uint64_t together; /* of rows without a known row before */
    uint64_t place[2]; /* of the ops before these, taken branches: first and second of their cycle */
};

static struct heads heads_of(const struct time_share *of)
{
    struct heads heads = {.place = {UNIT / 3, UNIT / 3}};
    uint64_t sum = 0, samples = 0;

    for (uint32_t i = 0; i < of->row_count; i++) {
        const struct time_share_work *work = &of->rows[i].work;

        if (!work->samples || !work->leads)
            continue;
        sum += together(work) * work->samples;
        samples += work->samples;
    }
    heads.together = samples ? sum / samples : 0;
    return heads;
}

/* Places each op among the ops of its cycle; then once more with the places of taken branches. */
static void place(struct time_share *of, struct heads *heads)
{
    for (unsigned turn = 0; turn < 2; turn++) {
        uint64_t sum[2] = {0}, taken = 0;

        for (uint32_t i = 0; i < of->row_count; i++) {
            struct time_share_work *work = &of->rows[i].work;
            const uint64_t *last = heads->place;

            if (!work->samples)
                continue;
            if (!work->leads)
                last = of->rows[i - 1].work.place;
            work->place[1] = together(work) * last[0] / UNIT;
            work->place[2] = together(work) * last[1] / UNIT;
            work->place[0] = UNIT - work->place[1] - work->place[2];
            taken += work->taken;
            for (unsigned n = 0; n < 2; n++)
                sum[n] += work->place[n] * work->taken;
        }
        for (unsigned n = 0; taken && n < 2; n++)
            heads->place[n] = sum[n] / taken;
    }
}

/* Returns the part of a row's successors that retire in the same cycle. */
static uint64_t next_together(const struct time_share *of, uint32_t row, const struct heads *heads)
{
    const struct time_share_work *work = &of->rows[row].work;
    uint64_t falls = heads->together, taken = 0;

    if (row + 1 < of->row_count && work[0].samples) {
        const struct time_share_work *next = &of->rows[row + 1].work;

        falls = next->samples && !next->leads ? together(next) : falls;
    }
    if (work->branches)
        taken = (uint64_t)work->taken * UNIT / work->branches;
    return (taken * heads->together + (UNIT - taken) * falls) / UNIT;
}

/* Works out each op's part of the cycle in which it retires: 1, 1/2 or 1/3. One that waited is taken to be one of
 * three, unless the times in flight, always the same, say with which it retires. */
static void share_cycles(struct time_share *of)
{
    struct heads heads = heads_of(of);

    place(of, &heads);
    for (uint32_t i = 0; i < of->row_count; i++) {
        struct time_share_work *work = &of->rows[i].work;
        uint64_t next, after, part;

        if (!work->samples)
            continue;
        next = next_together(of, i, &heads);
        after = i + 1 < of->row_count ? next_together(of, i + 1, &heads) : heads.together;
        part = work->place[0] * ((UNIT - next) + next * (UNIT - after) / UNIT / 2 + next * after / UNIT / 3) +
               work->place[1] * ((UNIT - next) / 2 + next / 3) + work->place[2] * UNIT / 3;
        work->alone = part / UNIT;
        if (!work->steady)
            work->alone = (work->alone * work->ready + UNIT / 3 * (work->samples - work->ready)) / work->samples;
    }
}

/* Returns the waits before a row's ops: all but a cycle of their advances. */
static uint64_t waits_of(const struct time_share_work *work)
{
    return work->advance > UNIT ? (work->advance - UNIT) * work->samples : 0;
}

/* Gives each row its cycles: the waits before its ops, its part of the cycles in which they retire, and refills. Waits
 * are fewer than the cycles: advances add up to those. */
static void give(struct time_share *of, uint64_t cycles, uint64_t refill)
{
    uint64_t retiring = cycles, alone = 0;

    for (uint32_t i = 0; i < of->row_count; i++) {
        retiring -= waits_of(&of->rows[i].work);
        alone += of->rows[i].work.alone * of->rows[i].work.samples;
    }
    for (uint32_t i = 0; i < of->row_count; i++) {
        struct time_share_work *work = &of->rows[i].work;

        work->value = waits_of(work);
        divide(&work->value, work->alone * work->samples, retiring, alone);
        work->value += work->mispredicted * refill;
    }
}

uint64_t time_share_values(struct time_share *of, unsigned without, uint64_t cycles, uint64_t ops, uint64_t *ret_front)
{
    struct sums sums = {0};
    uint64_t all, refill = (uint64_t)TIME_SHARE_REFILL * UNIT, own;
    uint32_t line = 0;

    for (uint32_t i = 0; i < of->row_count; i++) {
        count_row(of, &of->rows[i].work, without);
        sums.samples += of->rows[i].work.samples;
        sums.mispredicted += of->rows[i].work.mispredicted;
    }
    for (uint32_t i = 0; i < of->row_count; i++) {
        struct time_share_work *work = &of->rows[i].work;

        if (!work->samples)
            continue;
        line = measure(of, &of->rows[i], i ? &of->rows[i - 1].work : NULL, without, line);
        sums.advance += work->advance * work->samples;
        sums.room += work->room * work->samples;
        sums.waiting += work->flows ? 0 : work->room * work->samples;
    }
    all = stats_mul_div(cycles, sums.samples * UNIT, ops);
    own = sums.mispredicted * refill;
    if (all < own + sums.samples * UNIT / TIME_SHARE_WIDTH)
        own = refill = 0;
    *ret_front = fit(of, &sums, all - own);
    share_cycles(of);
    give(of, all - own - *ret_front, refill);
    return all;
}
