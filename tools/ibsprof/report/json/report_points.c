/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Accesses to data for plots. Stacks, arrays and the kernel's memory are terabytes apart, so addresses are split into
 * regions at every megabyte without accesses, or at larger gaps if there would be very many regions; points have a
 * region and an offset in it.
 */
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/report/json/report_parts.h"

#include <stdlib.h>

enum { REGION_GAP = 1 << 20, REGIONS_MAX = 64 };

static int by_address(const void *left, const void *right)
{
    const struct profile_point *a = *(const struct profile_point *const *)left;
    const struct profile_point *b = *(const struct profile_point *const *)right;

    return a->addr < b->addr ? -1 : a->addr > b->addr;
}

static int by_time(const void *left, const void *right)
{
    const struct profile_point *a = *(const struct profile_point *const *)left;
    const struct profile_point *b = *(const struct profile_point *const *)right;

    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    return a < b ? -1 : a > b;
}

static void write_region(struct json *json, uint64_t base, uint64_t last, uint32_t points)
{
    json_object(json);
    json_key_hex(json, "base", base);
    json_key_uint(json, "span", last - base);
    json_key_uint(json, "points", points);
    json_end(json);
}

static uint64_t region_gap(const struct profile_point **order, uint32_t count)
{
    uint64_t gap = REGION_GAP;

    for (; gap < UINT64_MAX / 2; gap *= 2) {
        uint32_t regions = 1;

        for (uint32_t i = 1; i < count; i++)
            regions += order[i]->addr - order[i - 1]->addr >= gap;
        if (regions <= REGIONS_MAX)
            break;
    }
    return gap;
}

/* Points in order, with their regions. */
struct points {
    const struct run_profile *profile;
    const struct profile_point **order;
    uint32_t *region; /* indexed as profile->points; so is 'base' */
    uint64_t *base;   /* address of the region's start */
    const uint32_t *row_of_place;
};

static size_t index_of(const struct points *p, uint32_t i)
{
    return (size_t)(p->order[i] - p->profile->points);
}

/* Writes the regions and sets each point's; the points are sorted by address. */
static void write_regions(struct json *json, struct points *p)
{
    uint32_t count = p->profile->point_count, regions = 0, first = 0;
    uint64_t gap = region_gap(p->order, count);

    json_key_uint(json, "region_gap", gap);
    json_key_array(json, "regions");
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0 && p->order[i]->addr - p->order[i - 1]->addr >= gap) {
            write_region(json, p->order[first]->addr, p->order[i - 1]->addr, i - first);
            regions++;
            first = i;
        }
        p->region[index_of(p, i)] = regions;
        p->base[index_of(p, i)] = p->order[first]->addr;
    }
    if (count > 0)
        write_region(json, p->order[first]->addr, p->order[count - 1]->addr, count - first);
    json_end(json);
}

/* ---------------------------------------------------------------- columns */

enum column { REGION, OFFSET, TIME_STEP, ROW, LATENCY, SOURCE, FLAGS, COLUMNS };
static const char *const columns[COLUMNS] = {"region", "offset", "time_step", "row", "latency", "source", "flags"};

/* Computes the values of point i in the order; ROW: -1 if its place is not listed. */
static void find_values(const struct points *p, uint32_t i, uint64_t values[COLUMNS])
{
    const struct profile_point *point = p->order[i];
    /* Time since the preceding point; for the first, since samples.first_time. */
    uint64_t before = i > 0 ? p->order[i - 1]->time : p->profile->first_time;
    bool listed = point->place < p->profile->place_count && p->row_of_place[point->place] != UINT32_MAX;

    values[REGION] = p->region[index_of(p, i)];
    values[OFFSET] = point->addr - p->base[index_of(p, i)];
    values[TIME_STEP] = point->time >= before ? point->time - before : 0;
    values[ROW] = listed ? p->row_of_place[point->place] : UINT64_MAX;
    values[LATENCY] = point->latency;
    values[SOURCE] = point->source;
    values[FLAGS] = (point->store ? 1u : 0) | (point->tlb_miss ? 2u : 0);
}

void report_points(struct json *json, const struct run_profile *profile, const uint32_t *row_of_place)
{
    uint32_t count = profile->point_count;
    struct points p = {.profile = profile,
                       .order = must_alloc(count, sizeof(*p.order)),
                       .region = must_alloc(count, sizeof(*p.region)),
                       .base = must_alloc(count, sizeof(*p.base)),
                       .row_of_place = row_of_place};

    for (uint32_t i = 0; i < count; i++)
        p.order[i] = &profile->points[i];
    json_key_object(json, "points");
    json_key_uint(json, "seen", profile->points_seen);
    json_key_uint(json, "count", count);
    qsort(p.order, count, sizeof(*p.order), by_address);
    write_regions(json, &p);
    qsort(p.order, count, sizeof(*p.order), by_time);
    for (unsigned column = 0; column < COLUMNS; column++) {
        json_key_array(json, columns[column]);
        for (uint32_t i = 0; i < count; i++) {
            uint64_t values[COLUMNS];

            find_values(&p, i, values);
            if (column == ROW)
                json_int(json, (int64_t)values[column]);
            else
                json_uint(json, values[column]);
        }
        json_end(json);
    }
    json_end(json);
    free(p.order);
    free(p.region);
    free(p.base);
}
