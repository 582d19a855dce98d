/*
 * Accesses to data for plots. Stacks, arrays and the kernel's memory lie terabytes apart, so the addresses are cut into
 * regions wherever nothing was touched for a megabyte, or more where there would be very many regions; points have a
 * region and an offset in it.
 */
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/report/report_parts.h"

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

/* Writes the regions and notes each point's. */
static void write_regions(struct json *json, const struct profile_point *points, const struct profile_point **order,
                          uint32_t count, uint32_t *region, uint64_t *base)
{
    uint64_t gap = region_gap(order, count);
    uint32_t regions = 0, first = 0;

    json_key_uint(json, "region_gap", gap);
    json_key(json, "regions");
    json_array(json);
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0 && order[i]->addr - order[i - 1]->addr >= gap) {
            write_region(json, order[first]->addr, order[i - 1]->addr, i - first);
            regions++;
            first = i;
        }
        region[order[i] - points] = regions;
        base[order[i] - points] = order[first]->addr;
    }
    if (count > 0)
        write_region(json, order[first]->addr, order[count - 1]->addr, count - first);
    json_end(json);
}

void report_points(struct json *json, const struct run_profile *profile, const uint32_t *row_of_place)
{
    static const char *const columns[] = {"region", "offset", "time_step", "row", "latency", "source", "flags"};
    const struct profile_point *points = profile->points;
    uint32_t count = profile->point_count;
    const struct profile_point **order = must_alloc(count, sizeof(*order));
    uint32_t *region = must_alloc(count, sizeof(*region));
    uint64_t *base = must_alloc(count, sizeof(*base));

    for (uint32_t i = 0; i < count; i++)
        order[i] = &points[i];
    json_key(json, "points");
    json_object(json);
    json_key_uint(json, "seen", profile->points_seen);
    json_key_uint(json, "count", count);
    qsort(order, count, sizeof(*order), by_address);
    write_regions(json, points, order, count, region, base);
    qsort(order, count, sizeof(*order), by_time);
    for (unsigned column = 0; column < sizeof(columns) / sizeof(columns[0]); column++) {
        uint64_t time = profile->first_time;

        json_key(json, columns[column]);
        json_array(json);
        for (uint32_t i = 0; i < count; i++) {
            const struct profile_point *point = order[i];
            size_t index = (size_t)(point - points);

            switch (column) {
            case 0:
                json_uint(json, region[index]);
                break;
            case 1:
                json_uint(json, point->addr - base[index]);
                break;
            case 2: /* since the point before; the first: since samples.first_time */
                json_uint(json, point->time >= time ? point->time - time : 0);
                time = point->time;
                break;
            case 3:
                if (point->place < profile->place_count && row_of_place[point->place] != UINT32_MAX)
                    json_uint(json, row_of_place[point->place]);
                else
                    json_int(json, -1);
                break;
            case 4:
                json_uint(json, point->latency);
                break;
            case 5:
                json_uint(json, point->source);
                break;
            default:
                json_uint(json, (point->store ? 1u : 0) | (point->tlb_miss ? 2u : 0));
            }
        }
        json_end(json);
    }
    json_end(json);
    free(order);
    free(region);
    free(base);
}
