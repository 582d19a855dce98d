/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/profile/tally.h"

#include <stdlib.h>
#include <string.h>

#include "core/family/ibs_regs.h"
#include "tools/ibsprof/base/must.h"

enum { ROOM_FIRST_LOG2 = 12 };

static void make_rows(struct tally *tally)
{
    size_t size = tally->room * sizeof(*tally->rows);

    tally->rows = must_have(aligned_alloc(sizeof(*tally->rows), size));
    memset(tally->rows, 0, size);
}

void tally_init(struct tally *tally, bool refill)
{
    *tally = (struct tally){.room = (size_t)1 << ROOM_FIRST_LOG2, .shift = 64 - ROOM_FIRST_LOG2};
    make_rows(tally);
    if (refill)
        tally->refill = must_alloc(tally->room, sizeof(*tally->refill));
}

void tally_free(struct tally *tally)
{
    free(tally->rows);
    free(tally->refill);
}

static struct tally_row *place_of(const struct tally *tally, const struct tally_key *key)
{
    size_t at = tally_home(tally, key);

    while (tally->rows[at].count && !tally_is_key(&tally->rows[at].key, key))
        at = (at + 1) & (tally->room - 1);
    return &tally->rows[at];
}

static void grow_rows(struct tally *tally)
{
    struct tally old = *tally;

    tally->room *= 2;
    tally->shift--;
    make_rows(tally);
    if (old.refill)
        tally->refill = must_alloc(tally->room, sizeof(*tally->refill));
    for (size_t i = 0; i < old.room; i++) {
        struct tally_row *row;

        if (!old.rows[i].count)
            continue;
        row = place_of(tally, &old.rows[i].key);
        *row = old.rows[i];
        if (old.refill)
            tally->refill[row - tally->rows] = old.refill[i];
    }
    tally_free(&old);
}

void tally_reserve(struct tally *tally, size_t rows)
{
    while (2 * (tally->used + rows) > tally->room)
        grow_rows(tally);
}

struct tally_row *tally_search(struct tally *tally, struct tally_key key)
{
    struct tally_row *row = place_of(tally, &key);

    if (row->count)
        return row;
    if (2 * tally->used >= tally->room) {
        grow_rows(tally);
        row = place_of(tally, &key);
    }
    tally->used++;
    row->key = key;
    return row;
}

void tally_record(struct sample_record *record, uint8_t kind, uint32_t bits, uint32_t more)
{
    *record = (struct sample_record){.kind = kind};
    if (kind == SAMPLE_FETCH) {
        record->reg[IBS_FETCH_CTL] = (uint64_t)bits << 50;
    } else if (kind == SAMPLE_OP) {
        record->reg[IBS_OP_DATA] = (uint64_t)(bits >> 26) << 32 | ((uint64_t)more << 33 & TALLY_OP_DATA_MORE);
        record->reg[IBS_OP_DATA2] = bits >> 20 & TALLY_OP_DATA2;
        record->reg[IBS_OP_DATA3] = (bits & TALLY_OP_DATA3) | ((uint64_t)more << 20 & TALLY_OP_DATA3_MORE);
    }
}

/* Returns the sum that an event of cycles adds. */
static uint64_t sum_of(const struct tally *tally, const struct tally_row *row, const struct derived_event *event)
{
    if (event->kind == SAMPLE_FETCH)
        return row->sums[event->field_reg == IBS_FETCH_EXTD ? TALLY_ITLB_LAT : TALLY_FETCH_LAT];
    if (event->field_reg == IBS_OP_DATA3 && event->field_shift == 48)
        return tally->refill ? tally->refill[row - tally->rows] : 0;
    if (event->field_reg == IBS_OP_DATA3)
        return row->sums[TALLY_MISS_LAT];
    return row->sums[event->field_shift ? TALLY_TAG_TO_RET : TALLY_COMP_TO_RET];
}

void tally_expand(const struct tally *tally, const struct tally_row *row, const struct derived_set *set,
                  uint64_t counts[DERIVED_COUNT])
{
    uint8_t events[DERIVED_COUNT];
    struct sample_record record;
    unsigned count;

    tally_record(&record, row->key.origin.kind, tally_key_bits(&row->key), row->key.origin.more);
    count = derived_find(set, &record, events);
    for (unsigned i = 0; i < count; i++) {
        const struct derived_event *event = &derived_events[events[i]];

        counts[events[i]] += event->unit == DERIVED_CYCLES ? sum_of(tally, row, event) : row->count;
    }
}
