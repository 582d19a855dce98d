/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Samples that are alike, counted together: the same place, the same event, and the same values of all bits that
 * derived events look at. Of the latencies, sums. For profile*.c only.
 *
 * This is what makes reading a long file cheap: one look-up in a table per sample, and core/ibs/derived.h's table of
 * events is gone through once for each row at the end.
 */
#ifndef TOOLS_IBSPROF_TALLY_H
#define TOOLS_IBSPROF_TALLY_H

#include <stdbool.h>
#include <stddef.h>

#include "core/ibs/record.h"
#include "tools/ibsprof/profile/profile.h"

/* Names the sums of latencies, for ops and for fetches. */
enum tally_sum {
    TALLY_TAG_TO_RET,
    TALLY_COMP_TO_RET,
    TALLY_MISS_LAT,
    TALLY_SUMS,
    TALLY_FETCH_LAT = TALLY_TAG_TO_RET,
    TALLY_ITLB_LAT = TALLY_COMP_TO_RET, /* IbsItlbRefillLat on later families */
};

/*
 * 32 bits of an op:  31..26 IbsOpData[37:32]   25..20 IbsOpData2[5:0]   19..0 IbsOpData3[19:0]
 * of a fetch:        13..0 IbsFetchCtl[63:50]
 * and of an op of a later family, in the key's origin:  7..6 IbsOpData[40:39]   5..0 IbsOpData3[25:20]
 *
 * tests/unit/ibsprof/profile/test_tally.c holds against the table of derived events that no gate looks at any other
 * bit.
 */
#define TALLY_OP_DATA       (0x3Full << 32)
#define TALLY_OP_DATA2      0x3Full
#define TALLY_OP_DATA3      0xFFFFFull
#define TALLY_FETCH_CTL     (0x3FFFull << 50)
#define TALLY_OP_DATA_MORE  (3ull << 39)
#define TALLY_OP_DATA3_MORE (0x3Full << 20)

/* Packs the event and other distinguishing properties of a row into one word. */
struct tally_origin {
    uint64_t event : 16;    /* index into input_facts.events */
    uint64_t kind : 3;      /* enum sample_kind */
    uint64_t mode : 3;      /* enum input_mode */
    uint64_t more : 8;      /* tally_op_more() */
    uint64_t chosen : 1;    /* spaces_place.chosen */
    uint64_t source : 4;    /* enum data_source of loads that missed */
    uint64_t miss_bin : 11; /* latency_bin of DcMissLat + 1 for loads that missed; 0 otherwise */
    uint64_t cpu : 16;      /* 65535 also stands for all higher numbers */
};
_Static_assert(LATENCY_BINS < 1 << 11 && SOURCES <= 1 << 4, "they have room");

/* First bits of its fields. Keys are built with shifts: compilers write bit-fields to memory in parts and then read the
 * whole word, for which the processor waits. test_tally.c compares these with the struct. */
enum {
    TALLY_KIND = 16,
    TALLY_MODE = 19,
    TALLY_MORE = 22,
    TALLY_CHOSEN = 30,
    TALLY_SOURCE = 31,
    TALLY_MISS_BIN = 35,
    TALLY_CPU = 46
};
static inline uint64_t tally_origin_word(uint32_t event, uint32_t kind, uint8_t mode, bool chosen, uint32_t cpu)
{
    return (uint64_t)event | (uint64_t)kind << TALLY_KIND | (uint64_t)(mode & 7) << TALLY_MODE |
           (uint64_t)chosen << TALLY_CHOSEN | (uint64_t)(cpu < UINT16_MAX ? cpu : UINT16_MAX) << TALLY_CPU;
}
static inline uint64_t tally_miss_word(uint32_t cycles, enum data_source source)
{
    return (uint64_t)(latency_bin(cycles) + 1) << TALLY_MISS_BIN | (uint64_t)source << TALLY_SOURCE;
}

/* Key of three words, compared for every sample. */
struct tally_key {
    uint64_t offset;  /* spaces_place.offset */
    uint64_t content; /* bits of registers from tally_op_bits(); above them spaces_place.file */
    union {
        struct tally_origin origin;
        uint64_t origin_word;
    };
};
_Static_assert(sizeof(struct tally_key) == 24, "three words");

static inline uint64_t tally_content(uint32_t file, uint32_t bits)
{
    return (uint64_t)file << 32 | bits;
}
static inline uint32_t tally_key_file(const struct tally_key *key)
{
    return (uint32_t)(key->content >> 32);
}
static inline uint32_t tally_key_bits(const struct tally_key *key)
{
    return (uint32_t)key->content;
}

struct tally_row {
    struct tally_key key;
    uint64_t count; /* 0: the row is free */
    uint64_t weight;
    uint64_t sums[TALLY_SUMS]; /* enum tally_sum, cycles */
};

_Static_assert(sizeof(struct tally_row) == 64, "a row is a cache line");

struct tally {
    struct tally_row *rows; /* open addressing; 'room' is a power of two */
    size_t room, used;
    uint32_t shift;   /* shift of hashes: 64 - log2(room) */
    uint64_t *refill; /* by row: sums of IbsTlbRefillLat; NULL: not on this processor */
};

void tally_init(struct tally *tally, bool refill);
void tally_free(struct tally *tally);

static inline size_t tally_home(const struct tally *tally, const struct tally_key *key)
{
    uint64_t hash =
        key->offset * 0x9e3779b97f4a7c15u + key->content * 0xc2b2ae3d27d4eb4fu + key->origin_word * 0x165667b19e3779f9u;

    return (size_t)(hash >> tally->shift);
}

static inline bool tally_is_key(const struct tally_key *a, const struct tally_key *b)
{
    return ((a->offset ^ b->offset) | (a->content ^ b->content) | (a->origin_word ^ b->origin_word)) == 0;
}

/* Makes room for so many more rows. */
void tally_reserve(struct tally *tally, size_t rows);

/* For tally_find(): searches beyond the row's home. */
struct tally_row *tally_search(struct tally *tally, struct tally_key key);

/* Returns the row of these samples, a new one if needed; valid until the next call. The caller adds to its count. */
static inline struct tally_row *tally_find(struct tally *tally, struct tally_key key)
{
    struct tally_row *row = &tally->rows[tally_home(tally, &key)];

    return tally_is_key(&row->key, &key) && row->count ? row : tally_search(tally, key);
}

/* Return the bits of IBS registers that derived events look at; tally_record() makes a record with only these bits.
 * Samples with equal bits pass the same gates. Other kinds have no such bits. */
static inline uint32_t tally_op_bits(uint64_t data, uint64_t data2, uint64_t data3)
{
    return (uint32_t)((data & TALLY_OP_DATA) >> 6) | (uint32_t)(data2 & TALLY_OP_DATA2) << 20 |
           (uint32_t)(data3 & TALLY_OP_DATA3);
}
static inline uint32_t tally_op_more(uint64_t data, uint64_t data3)
{
    return (uint32_t)((data & TALLY_OP_DATA_MORE) >> 33) | (uint32_t)((data3 & TALLY_OP_DATA3_MORE) >> 20);
}
static inline uint32_t tally_fetch_bits(uint64_t ctl)
{
    return (uint32_t)((ctl & TALLY_FETCH_CTL) >> 50);
}
void tally_record(struct sample_record *record, uint8_t kind, uint32_t bits, uint32_t more);

/* Adds the events of the row's samples on the set's processor, as derived_add() for each of them. */
void tally_expand(const struct tally *tally, const struct tally_row *row, const struct derived_set *set,
                  uint64_t counts[DERIVED_COUNT]);

#endif
