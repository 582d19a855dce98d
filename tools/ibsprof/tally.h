/*
 * Samples that are alike, counted together: the same place, the same event, and the same values of all bits that
 * derived events look at. Of the latencies, sums. For profile*.c only.
 *
 * This is what makes reading a long file cheap: one look-up in a table per sample, and core/derived.h's table of events
 * is gone through once for each row at the end.
 */
#ifndef TOOLS_IBSPROF_TALLY_H
#define TOOLS_IBSPROF_TALLY_H

#include <stddef.h>

#include "core/record.h"
#include "tools/ibsprof/profile.h"

/* The latencies: which of ops, and the one of fetches. */
enum tally_sum { TALLY_TAG_TO_RET, TALLY_COMP_TO_RET, TALLY_MISS_LAT, TALLY_SUMS, TALLY_FETCH_LAT = TALLY_TAG_TO_RET };

struct tally_key {
    uint64_t offset;  /* spaces_place.offset, */
    uint32_t file;    /* .file */
    uint32_t bits;    /* of the registers: tally_bits */
    uint16_t event;   /* index into input_facts.events */
    uint8_t mode;     /* enum input_mode */
    uint8_t chosen;   /* spaces_place.chosen */
    uint8_t miss_bin; /* latency_bin of DcMissLat + 1 for loads that missed; 0 otherwise */
    uint8_t kind;     /* enum ibs_kind */
    uint16_t cpu;
};

struct tally_row {
    struct tally_key key;
    uint64_t count; /* 0: the row is free */
    uint64_t weight;
    uint64_t sums[TALLY_SUMS]; /* enum tally_sum, cycles */
};

struct tally {
    struct tally_row *rows; /* open addressing: room, a power of two */
    size_t room, used;
};

void tally_init(struct tally *tally);
void tally_free(struct tally *tally);

/* The row of these samples, made where there was none. Valid until the next call. */
struct tally_row *tally_find(struct tally *tally, const struct tally_key *key);

/* The bits of IBS registers that derived events look at, and a record that has these bits and no others. Samples with
 * the same bits pass the same gates. Other kinds have none. */
uint32_t tally_bits(const struct ibs_record *record);
void tally_record(struct ibs_record *record, uint8_t kind, uint32_t bits);

/* Adds what the row's samples count for: the same as derived_add for each of them. */
void tally_expand(const struct tally_row *row, uint64_t counts[DERIVED_COUNT]);

#endif
