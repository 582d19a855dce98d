/* SPDX-License-Identifier: BSD-2-Clause */
/* Counting equal samples together has the same result as counting each of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/base/rng.h"
#include "core/family/ibs_regs.h"
#include "tools/ibsprof/profile/profile_count.h"
#include "tools/ibsprof/profile/tally.h"

/* Returns a record in which every bit may be set, including the reserved ones. */
static struct sample_record random_record(struct rng *rng)
{
    struct sample_record record = {.kind = (uint32_t)rng_below(rng, 2)};

    for (int i = 0; i < 8; i++)
        record.reg[i] = rng_next(rng) & (rng_below(rng, 2) ? rng_next(rng) : UINT64_MAX);
    return record;
}

static uint32_t bits_of(const struct sample_record *record)
{
    if (record->kind == SAMPLE_FETCH)
        return tally_fetch_bits(record->reg[IBS_FETCH_CTL]);
    if (record->kind != SAMPLE_OP)
        return 0;
    return tally_op_bits(record->reg[IBS_OP_DATA], record->reg[IBS_OP_DATA2], record->reg[IBS_OP_DATA3]);
}

static uint32_t more_of(const struct sample_record *record)
{
    return record->kind == SAMPLE_OP ? tally_op_more(record->reg[IBS_OP_DATA], record->reg[IBS_OP_DATA3]) : 0;
}

static void bits_are_all_that_gates_look_at(void **state)
{
    for (int i = 0; i < DERIVED_COUNT; i++) {
        for (int t = 0; t < DERIVED_TESTS; t++) {
            const struct derived_test *test = &derived_events[i].gate[t];
            struct sample_record record = {.kind = derived_events[i].kind}, kept;

            record.reg[test->reg] = test->mask;
            tally_record(&kept, (uint8_t)record.kind, bits_of(&record), more_of(&record));
            assert_int_equal(kept.reg[test->reg], test->mask);
        }
    }
}

static void bits_come_back_alone(void **state)
{
    struct rng rng;

    rng_seed(&rng, 1);
    for (int i = 0; i < 10000; i++) {
        struct sample_record record = random_record(&rng), kept;

        tally_record(&kept, (uint8_t)record.kind, bits_of(&record), more_of(&record));
        assert_int_equal(bits_of(&kept), bits_of(&record));
        assert_int_equal(more_of(&kept), more_of(&record));
        for (int r = 0; r < 8; r++)
            assert_int_equal(kept.reg[r] & ~record.reg[r], 0);
    }
}

/* Words are composed as profile_count.c does, and read through the struct. */
static void words_are_those_of_the_struct(void **state)
{
    struct rng rng;

    rng_seed(&rng, 3);
    for (int i = 0; i < 10000; i++) {
        uint32_t event = rng_below(&rng, 1 << 16), kind = rng_below(&rng, 4), cpu = rng_below(&rng, 1 << 17);
        uint32_t more = rng_below(&rng, 1 << 8), cycles = rng_below(&rng, 1 << 16);
        uint8_t mode = (uint8_t)rng_below(&rng, 8);
        bool chosen = rng_below(&rng, 2);
        enum data_source source = (enum data_source)rng_below(&rng, SOURCES);
        struct tally_key key = {.origin_word = tally_origin_word(event, kind, mode, chosen, cpu) |
                                               (uint64_t)more << TALLY_MORE | tally_miss_word(cycles, source)};

        assert_int_equal(key.origin.event, event);
        assert_int_equal(key.origin.kind, kind);
        assert_int_equal(key.origin.mode, mode);
        assert_int_equal(key.origin.more, more);
        assert_int_equal(key.origin.chosen, chosen);
        assert_int_equal(key.origin.source, source);
        assert_int_equal(key.origin.miss_bin, latency_bin(cycles) + 1);
        assert_int_equal(key.origin.cpu, cpu < UINT16_MAX ? cpu : UINT16_MAX);
    }
}

static void sums_are_those(unsigned family, unsigned model, unsigned caps)
{
    struct ibs_machine machine = ibs_machine_of(family, model, caps);
    struct derived_set set = derived_set_of(&machine);
    uint64_t wanted[DERIVED_COUNT] = {0}, got[DERIVED_COUNT] = {0};
    struct tally tally;
    struct rng rng;

    rng_seed(&rng, 2);
    tally_init(&tally, true);
    for (int i = 0; i < 30000; i++) { /* more rows than there is room for at first */
        struct sample_record record = random_record(&rng);
        struct tally_key key = {.offset = rng_below(&rng, 10000),
                                .content = tally_content(0, bits_of(&record)),
                                .origin = {.event = record.kind, .kind = record.kind, .more = more_of(&record)}};
        struct tally_row *row = tally_find(&tally, key);

        derived_add(&set, wanted, &record);
        row->count++;
        if (record.kind == SAMPLE_FETCH) {
            row->sums[TALLY_FETCH_LAT] += ibs_fetch_lat(record.reg[IBS_FETCH_CTL]);
            row->sums[TALLY_ITLB_LAT] += record.reg[IBS_FETCH_EXTD] & 0xFFFF;
        } else {
            row->sums[TALLY_TAG_TO_RET] += ibs_op_tag_to_ret(record.reg[IBS_OP_DATA]);
            row->sums[TALLY_COMP_TO_RET] += ibs_op_comp_to_ret(record.reg[IBS_OP_DATA]);
            row->sums[TALLY_MISS_LAT] += ibs_dc_miss_lat(record.reg[IBS_OP_DATA3]);
            tally.refill[row - tally.rows] += record.reg[IBS_OP_DATA3] >> 48;
        }
    }
    for (size_t i = 0; i < tally.room; i++)
        if (tally.rows[i].count)
            tally_expand(&tally, &tally.rows[i], &set, got);
    for (int i = 0; i < DERIVED_COUNT; i++) {
        assert_int_equal(got[i], wanted[i]);
        assert_int_equal(wanted[i] > 0, set.has[i]);
    }
    tally_free(&tally);
}

static void sums_are_those_of_single_samples(void **state)
{
    sums_are_those(0x10, 4, 0x1F);
    sums_are_those(0x15, 0x30, 0xFF);
    sums_are_those(0x17, 0x71, 0x3FF);
    sums_are_those(0x19, 0x01, 0x3FF);
    sums_are_those(0x1A, 0x44, 0x81BFF);
    sums_are_those(0x1A, 0x50, 0x9FBFF);
}

/* Bits that a processor does not have do not make separate rows. */
static void other_bits_are_left_out(void **state)
{
    struct ibs_machine f10h = ibs_machine_of(0x10, 4, 0x1F), zen = ibs_machine_of(0x19, 0x10, 0x1BFF);
    struct count_place place;

    count_place_machine(&place, &f10h);
    assert_int_equal(place.more_data, 0);
    assert_int_equal(place.more_data3, 0);
    assert_false(place.itlb_latency);
    count_place_machine(&place, &zen);
    assert_int_equal(place.more_data, TALLY_OP_DATA_MORE);
    assert_int_equal(place.more_data3, TALLY_OP_DATA3_MORE);
    assert_true(place.itlb_latency);
}

/* Room is reserved at once, so that rows that come in the order of their hashes find their places free. */
static void room_is_reserved(void **state)
{
    struct tally tally;
    size_t room;

    tally_init(&tally, true);
    tally_reserve(&tally, 100000);
    room = tally.room;
    assert_true(room >= 200000);
    for (uint64_t i = 0; i < 100000; i++)
        tally_find(&tally, (struct tally_key){.offset = i})->count++;
    assert_int_equal(tally.room, room);
    assert_int_equal(tally.used, 100000);
    tally_reserve(&tally, 0);
    assert_int_equal(tally.room, room);
    tally_free(&tally);
}

struct key_fields {
    uint64_t offset;
    uint32_t bits, file;
    uint16_t event;
    uint8_t kind, mode;
    uint16_t bin;
    bool chosen;
    uint32_t cpu;
};

static struct tally_key key_of(const struct key_fields *of)
{
    return (struct tally_key){.offset = of->offset,
                              .content = tally_content(of->file, of->bits),
                              .origin = {.event = of->event,
                                         .kind = of->kind,
                                         .mode = of->mode,
                                         .chosen = of->chosen,
                                         .miss_bin = of->bin,
                                         .cpu = of->cpu}};
}

static void keys_differ_in_each_field(void **state)
{
    static const struct key_fields keys[] = {
        {1, 1, 1, 1, 1, 1, 1, false, 0},
        {2, 1, 1, 1, 1, 1, 1, false, 0},
        {1, 2, 1, 1, 1, 1, 1, false, 0},
        {1, 1, 2, 1, 1, 1, 1, false, 0},
        {1, 1, 1, 2, 1, 1, 1, false, 0},
        {1, 1, 1, 1, 2, 1, 1, false, 0},
        {1, 1, 1, 1, 1, 2, 1, false, 0},
        {1, 1, 1, 1, 1, 1, 2, false, 0},
        {1, 1, 1, 1, 1, 1, 1, true, 0},
        {UINT64_MAX, UINT32_MAX, UINT32_MAX, UINT16_MAX, 3, 7, LATENCY_BINS, true, UINT16_MAX},
        {1, 1, 1, 1, 1, 1, 1, false, 1},
    };
    enum { KEYS = sizeof(keys) / sizeof(keys[0]) };
    struct tally tally;

    tally_init(&tally, true);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < KEYS; i++) {
            struct tally_key key = key_of(&keys[i]);

            tally_find(&tally, key)->count++;
        }
    }
    assert_int_equal(tally.used, KEYS);
    for (int i = 0; i < KEYS; i++) {
        struct tally_key key = key_of(&keys[i]);

        assert_int_equal(tally_find(&tally, key)->count, 2);
        assert_int_equal(tally_key_file(&key), keys[i].file);
        assert_int_equal(tally_key_bits(&key), keys[i].bits);
        assert_int_equal(key.origin.event, keys[i].event);
        assert_int_equal(key.origin.kind, keys[i].kind);
        assert_int_equal(key.origin.mode, keys[i].mode);
        assert_int_equal(key.origin.miss_bin, keys[i].bin);
        assert_int_equal(key.origin.cpu, keys[i].cpu);
        assert_int_equal(key.origin.chosen, keys[i].chosen);
    }
    tally_free(&tally);
}

static void bins(void **state)
{
    for (uint32_t cycles = 0; cycles < 65536; cycles++) {
        uint32_t bin = latency_bin(cycles);

        assert_true(bin < LATENCY_BINS);
        assert_true(latency_bin_low(bin) <= cycles);
        assert_true(cycles < latency_bin_low(bin + 1));
    }
    assert_int_equal(latency_bin(1u << 20), latency_bin(65535));
    assert_int_equal(latency_bin(1023), 1023); /* one by one, then 64 an octave */
    assert_int_equal(latency_bin(4096) - latency_bin(2048), 64);
    assert_int_equal(latency_bin(65535), LATENCY_BINS - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_are_all_that_gates_look_at),
        cmocka_unit_test(bits_come_back_alone),
        cmocka_unit_test(words_are_those_of_the_struct),
        cmocka_unit_test(sums_are_those_of_single_samples),
        cmocka_unit_test(room_is_reserved),
        cmocka_unit_test(other_bits_are_left_out),
        cmocka_unit_test(keys_differ_in_each_field),
        cmocka_unit_test(bins),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
