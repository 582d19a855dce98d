/* SPDX-License-Identifier: BSD-2-Clause */
/* Samples read by the fast reader: IBS registers, where it stops, and passing over ascending times.
 * test_perfdata_fields.c checks that plain samples of any sample_type have the same fields as with the other reader. */
#include <stdlib.h>
#include <string.h>

#include "core/base/rng.h"
#include "core/perfdata/perfdata.h"
#include "core/perfdata/perfdata_format.h"
#include "core/perfdata/perfdata_plain.h"
#include "tests/unit/core/check.h"

enum { COUNT = 500, FILE_ROOM = 1 << 18 };

static uint8_t bytes[FILE_ROOM];
static size_t file_size;
static struct perfdata_reader reader;

static int append(void *context, const void *data, size_t size)
{
    assert_true(file_size + size <= sizeof(bytes));
    memcpy(bytes + file_size, data, size);
    file_size += size;
    return 0;
}

/* Writes op and fetch samples with random registers: the first at time 'from', each 'apart' after the one before,
 * except for record 'late', which has 'time'. */
static void write_times(uint64_t from, uint64_t apart, uint32_t late, uint64_t time)
{
    static struct sample_record records[COUNT];
    struct perfdata_info info = {.vendor = "AuthenticAMD",
                                 .cpu_name = "",
                                 .caps = 0x1f,
                                 .cores = 1,
                                 .tsc_khz = 1000000, /* a tick is a ns */
                                 .image_base = 0x1000,
                                 .text_size = 0x1000,
                                 .elf_name = "x",
                                 .version = "",
                                 .command = "",
                                 .comm = "x",
                                 .event = {{.sampled = true, .period = 7}, {.sampled = true, .period = 9}}};
    struct rng rng;

    rng_seed(&rng, 5);
    for (uint32_t i = 0; i < COUNT; i++) {
        records[i] = (struct sample_record){.kind = rng_below(&rng, 2), .tsc = i == late ? time : from + apart * i};
        for (int r = 0; r < (records[i].kind == SAMPLE_OP ? IBS_OP_REGS : IBS_FETCH_REGS); r++)
            records[i].reg[r] = rng_next(&rng);
    }
    file_size = 0;
    assert_int_equal(perfdata_write(&info, records, COUNT, append, NULL), 0);
    assert_int_equal(perfdata_open(&reader, bytes, file_size), PERFDATA_OK);
}

/* Writes records whose times are 10, 20, 30 ... */
static void write_run(uint32_t late, uint64_t time)
{
    write_times(10, 10, late, time);
}

static uint64_t first_sample(void)
{
    struct perfdata_item item;
    uint64_t at;

    do {
        at = reader.at;
        assert_int_equal(perfdata_next(&reader, &item), PERFDATA_OK);
    } while (item.kind != PERFDATA_ITEM_SAMPLE);
    return at;
}

TEST(test_registers)
{
    static struct perfdata_plain samples[COUNT + 1];
    struct perfdata_item item;

    write_run(UINT32_MAX, 0);
    uint64_t at = first_sample();
    assert_int_equal(perfdata_read_plain(&reader, at, UINT64_MAX, UINT64_MAX, samples, COUNT + 1), COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_int_equal(perfdata_read_at(&reader, at, &item), PERFDATA_OK);
        assert_int_equal(samples[i].event, item.event);
        assert_int_equal(samples[i].time, item.time);
        assert_int_equal(samples[i].period, item.period);
        assert_int_equal(samples[i].ip, item.ip);
        assert_int_equal(samples[i].size, item.size);
        assert_non_null(samples[i].registers);
        assert_int_equal(samples[i].register_count, item.register_count);
        assert_memory_equal(samples[i].registers, item.record.reg,
                            8 * (item.record.kind == SAMPLE_OP ? IBS_OP_REGS : IBS_FETCH_REGS));
        at += item.size;
    }
}

TEST(test_where_it_stops)
{
    static struct perfdata_plain samples[COUNT];

    write_run(UINT32_MAX, 0);
    /* other records stand before the first sample */
    assert_int_equal(perfdata_read_plain(&reader, reader.begin, UINT64_MAX, UINT64_MAX, samples, COUNT), 0);
    uint64_t at = first_sample();
    assert_int_equal(perfdata_read_plain(&reader, at, UINT64_MAX, UINT64_MAX, samples, 3), 3);
    uint64_t fourth = at + samples[0].size + samples[1].size + samples[2].size;
    assert_int_equal(perfdata_read_plain(&reader, at, fourth, UINT64_MAX, samples, COUNT), 3);
    assert_int_equal(perfdata_read_plain(&reader, at, fourth + 1, UINT64_MAX, samples, COUNT), 4);
    assert_int_equal(perfdata_read_plain(&reader, at, UINT64_MAX, 30, samples, COUNT), 3);
    assert_int_equal(perfdata_read_plain(&reader, at, UINT64_MAX, 39, samples, COUNT), 3);
    assert_int_equal(perfdata_read_plain(&reader, at, UINT64_MAX, 1, samples, COUNT),
                     1); /* the first sample is read whatever its time */
    assert_int_equal(perfdata_read_plain(&reader, 0, UINT64_MAX, UINT64_MAX, samples, COUNT), 0);
    /* in turn: a record that reaches over the end, an id of no event, raw data that reach over the sample */
    uint64_t id;
    uint32_t raw;
    uint16_t size = UINT16_MAX;
    struct perfdata_item item;
    assert_int_equal(perfdata_read_at(&reader, fourth, &item), PERFDATA_OK);
    memcpy(bytes + fourth + 6, &size, 2);
    assert_int_equal(perfdata_read_plain(&reader, at, UINT64_MAX, UINT64_MAX, samples, COUNT), 3);
    size = (uint16_t)item.size;
    memcpy(bytes + fourth + 6, &size, 2);
    memcpy(&id, bytes + fourth + 8, 8);
    memset(bytes + fourth + 8, 0x77, 8);
    assert_int_equal(perfdata_read_plain(&reader, at, UINT64_MAX, UINT64_MAX, samples, COUNT), 3);
    memcpy(bytes + fourth + 8, &id, 8);
    uint8_t *raw_size = (uint8_t *)(uintptr_t)item.raw - 4;
    memcpy(&raw, raw_size, 4);
    raw = raw + 1024;
    memcpy(raw_size, &raw, 4);
    assert_int_equal(perfdata_read_plain(&reader, at, UINT64_MAX, UINT64_MAX, samples, COUNT), 3);
    raw = 4 + 8; /* the registers are incomplete */
    memcpy(raw_size, &raw, 4);
    assert_int_equal(perfdata_read_plain(&reader, at, UINT64_MAX, UINT64_MAX, samples, COUNT), 3);
    reader.begin = at + 1; /* bytes before the data are no sample, whatever they are */
    assert_int_equal(perfdata_read_plain(&reader, at, UINT64_MAX, UINT64_MAX, samples, COUNT), 0);
    reader.end = at + 1; /* nor are bytes behind the data */
    assert_int_equal(perfdata_read_plain(&reader, at + samples[0].size, UINT64_MAX, UINT64_MAX, samples, COUNT), 0);
}

/* Records are read from a copy of a part of the file, and are nowhere else: no byte outside the copy is read. */
TEST(test_copy)
{
    static struct perfdata_plain samples[COUNT], wanted[COUNT];
    enum { FROM = 3, TO = 40 };

    write_run(UINT32_MAX, 0);
    uint64_t begin = first_sample(), time = 0;
    assert_int_equal(perfdata_read_plain(&reader, begin, UINT64_MAX, UINT64_MAX, wanted, COUNT), COUNT);
    for (uint32_t i = 0; i < FROM; i++)
        begin += wanted[i].size;
    uint64_t end = begin, at = begin;
    for (uint32_t i = FROM; i < TO; i++)
        end += wanted[i].size;
    uint8_t *copy = malloc(end - begin), *whole = malloc(file_size);
    memcpy(whole, bytes, file_size);
    memcpy(copy, bytes + begin, end - begin);
    memset(bytes + begin, 0xff, end - begin);
    perfdata_read_copy(&reader, copy, begin, end);
    assert_int_equal(perfdata_read_plain(&reader, begin, UINT64_MAX, UINT64_MAX, samples, COUNT), TO - FROM);
    for (uint32_t i = 0; i < TO - FROM; i++) {
        const struct perfdata_plain *same = &wanted[FROM + i];

        assert_ptr_equal(samples[i].registers, copy + (same->registers - bytes - begin));
        samples[i].registers = same->registers;
        assert_memory_equal(&samples[i], same, sizeof(*same));
    }
    perfdata_pass_ascending(&reader, &at, UINT64_MAX, &time, NULL);
    assert_int_equal(at, end);
    assert_int_equal(time, 10 * TO);
    memcpy(bytes, whole, file_size);
    free(copy);
    free(whole);
    perfdata_read_copy(&reader, NULL, begin, end);
    assert_int_equal(perfdata_read_plain(&reader, begin, UINT64_MAX, UINT64_MAX, samples, COUNT), TO - FROM);
}

TEST(test_passing)
{
    static const struct {
        uint32_t late;
        uint64_t time;
        uint32_t passed;
        uint64_t last;
    } rows[] = {
        {UINT32_MAX, 0, COUNT, 10 * COUNT},
        {7, 5, 7, 70},
        {7, 70, COUNT, 10 * COUNT},
        {7, 69, 7, 70},
        {7, 1000, 8, 1000},
        {COUNT - 1, 1, COUNT - 1, 10 * (COUNT - 1)},
    };

    for (size_t row = 0; row < sizeof(rows) / sizeof(rows[0]); row++) {
        static struct perfdata_plain samples[COUNT];
        bool all_plain = true;

        write_run(rows[row].late, rows[row].time);
        uint64_t first = first_sample(), at = first, time = 0;
        assert_int_equal(perfdata_read_plain(&reader, first, UINT64_MAX, UINT64_MAX, samples, COUNT), COUNT);
        uint64_t wanted = first;
        for (uint32_t i = 0; i < rows[row].passed; i++)
            wanted += samples[i].size;
        perfdata_pass_ascending(&reader, &at, UINT64_MAX, &time, &all_plain);
        assert_int_equal(at, wanted);
        assert_int_equal(time, rows[row].last);
        assert_true(all_plain);
        at = first;
        time = 0;
        perfdata_pass_ascending(&reader, &at, first + 1, &time, NULL);
        assert_int_equal(at, first + samples[0].size);
        time = 1 << 20; /* an earlier sample had a later time */
        perfdata_pass_ascending(&reader, &at, UINT64_MAX, &time, NULL);
        assert_int_equal(at, first + samples[0].size);
    }
    /* All samples have one time except for one that is earlier, and which is noticed whatever the records in front of
     * it are like. */
    for (uint32_t late = 1; late < 60; late++) {
        static struct perfdata_plain samples[COUNT];

        write_times(50, 0, late, 49);
        uint64_t first = first_sample(), at = first, time = 0, wanted = first;
        assert_int_equal(perfdata_read_plain(&reader, first, UINT64_MAX, UINT64_MAX, samples, COUNT), COUNT);
        for (uint32_t i = 0; i < late; i++)
            wanted += samples[i].size;
        perfdata_pass_ascending(&reader, &at, UINT64_MAX, &time, NULL);
        assert_int_equal(at, wanted);
        assert_int_equal(time, 50);
    }
    /* A sample with an id of no event is passed over, but not as plain. */
    bool all_plain = true;
    write_run(UINT32_MAX, 0);
    uint64_t at = first_sample(), time = 0, none = 0x7777;
    struct perfdata_item item;
    assert_int_equal(perfdata_read_at(&reader, at, &item), PERFDATA_OK);
    memcpy(bytes + at + item.size + 8, &none, 8);
    perfdata_pass_ascending(&reader, &at, UINT64_MAX, &time, &all_plain);
    assert_int_equal(at, reader.end);
    assert_false(all_plain);
    /* A sample that reaches over the end is not looked at, so whether it is plain does not matter. */
    const uint32_t raw_too_large = UINT32_MAX;
    all_plain = true;
    write_run(UINT32_MAX, 0);
    at = first_sample();
    time = 0;
    assert_int_equal(perfdata_read_at(&reader, at, &item), PERFDATA_OK);
    uint64_t second = at + item.size;
    uint16_t too_large = (uint16_t)(reader.end - second + 8);
    assert_int_equal(perfdata_read_at(&reader, second, &item), PERFDATA_OK);
    memcpy(bytes + second + 6, &too_large, 2);
    memcpy((uint8_t *)(uintptr_t)item.raw - 4, &raw_too_large, 4);
    perfdata_pass_ascending(&reader, &at, UINT64_MAX, &time, &all_plain);
    assert_int_equal(at, second);
    assert_true(all_plain);
}

RUN_TESTS(NULL, NULL)
