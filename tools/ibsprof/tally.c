#include "tools/ibsprof/tally.h"

#include <stdlib.h>
#include <string.h>

#include "core/ibs_regs.h"
#include "tools/ibsprof/elf_file.h"

/*
 * 32 bits of an op:  31..26 IbsOpData[37:32]   25..20 IbsOpData2[5:0]   19..0 IbsOpData3[19:0]
 * of a fetch:        7..0 IbsFetchCtl[57:50]
 *
 * tests/unit/ibsprof/test_tally.c holds against the table of derived events that no gate looks at any other bit.
 */
#define OP_DATA_BITS  (0x3Full << 32)
#define OP_DATA2_BITS 0x3Full
#define OP_DATA3_BITS 0xFFFFFull
#define FETCH_BITS    (0xFFull << 50)

enum { ROOM_FIRST = 1 << 12 };

void tally_init(struct tally *tally)
{
    *tally = (struct tally){.room = ROOM_FIRST};
    tally->rows = must_alloc(tally->room, sizeof(*tally->rows));
}

void tally_free(struct tally *tally)
{
    free(tally->rows);
    *tally = (struct tally){0};
}

static uint64_t hash_of(const struct tally_key *key)
{
    uint64_t rest =
        (uint64_t)key->bits << 32 | (uint32_t)(key->file << 8 ^ key->miss_bin ^ key->mode << 6 ^ key->chosen << 7 ^
                                               (uint32_t)key->event << 20 ^ (uint32_t)key->cpu * 0x85ebca6bu);
    uint64_t hash = key->offset * 0x9e3779b97f4a7c15u ^ rest * 0xc2b2ae3d27d4eb4fu;

    return hash ^ hash >> 29;
}

static bool is_key(const struct tally_key *a, const struct tally_key *b)
{
    return a->offset == b->offset && a->bits == b->bits && a->file == b->file && a->miss_bin == b->miss_bin &&
           a->mode == b->mode && a->chosen == b->chosen && a->event == b->event && a->cpu == b->cpu;
}

static struct tally_row *place_of(const struct tally *tally, const struct tally_key *key)
{
    size_t at = hash_of(key) & (tally->room - 1);

    while (tally->rows[at].count && !is_key(&tally->rows[at].key, key))
        at = (at + 1) & (tally->room - 1);
    return &tally->rows[at];
}

static void grow(struct tally *tally)
{
    struct tally old = *tally;

    tally->room *= 2;
    tally->rows = must_alloc(tally->room, sizeof(*tally->rows));
    for (size_t i = 0; i < old.room; i++)
        if (old.rows[i].count)
            *place_of(tally, &old.rows[i].key) = old.rows[i];
    free(old.rows);
}

struct tally_row *tally_find(struct tally *tally, const struct tally_key *key)
{
    struct tally_row *row = place_of(tally, key);

    if (row->count)
        return row;
    if (2 * tally->used >= tally->room) {
        grow(tally);
        row = place_of(tally, key);
    }
    tally->used++;
    row->key = *key;
    return row;
}

uint32_t tally_bits(const struct ibs_record *record)
{
    if (record->kind == IBS_KIND_FETCH)
        return (uint32_t)((record->reg[IBS_FETCH_CTL] & FETCH_BITS) >> 50);
    if (record->kind != IBS_KIND_OP)
        return 0;
    return (uint32_t)((record->reg[IBS_OP_DATA] & OP_DATA_BITS) >> 6) |
           (uint32_t)(record->reg[IBS_OP_DATA2] & OP_DATA2_BITS) << 20 |
           (uint32_t)(record->reg[IBS_OP_DATA3] & OP_DATA3_BITS);
}

void tally_record(struct ibs_record *record, uint8_t kind, uint32_t bits)
{
    *record = (struct ibs_record){.kind = kind};
    if (kind == IBS_KIND_FETCH) {
        record->reg[IBS_FETCH_CTL] = (uint64_t)bits << 50;
    } else if (kind == IBS_KIND_OP) {
        record->reg[IBS_OP_DATA] = (uint64_t)(bits >> 26) << 32;
        record->reg[IBS_OP_DATA2] = bits >> 20 & OP_DATA2_BITS;
        record->reg[IBS_OP_DATA3] = bits & OP_DATA3_BITS;
    }
}

/* The sum that an event of cycles adds. */
static uint64_t sum_of(const struct tally_row *row, const struct derived_event *event)
{
    if (event->kind == IBS_KIND_FETCH)
        return row->sums[TALLY_FETCH_LAT];
    if (event->field_reg == IBS_OP_DATA3)
        return row->sums[TALLY_MISS_LAT];
    return row->sums[event->field_shift ? TALLY_TAG_TO_RET : TALLY_COMP_TO_RET];
}

void tally_expand(const struct tally_row *row, uint64_t counts[DERIVED_COUNT])
{
    struct ibs_record record;

    tally_record(&record, row->key.kind, row->key.bits);
    for (int i = 0; i < DERIVED_COUNT; i++) {
        if (!derived_applies(&derived_events[i], &record))
            continue;
        counts[i] += derived_events[i].unit == DERIVED_CYCLES ? sum_of(row, &derived_events[i]) : row->count;
    }
}
