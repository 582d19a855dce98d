/* SPDX-License-Identifier: BSD-2-Clause */
/* Samples of counters and of the timer in perf.data: as perf's raw events and CPU clock, each with the number of events
 * it represents; written, and read back. */
#include <stdio.h>
#include <string.h>

#include "core/events/event_groups.h"
#include "core/family/ibs_regs.h"
#include "core/perfdata/perfdata.h"
#include "core/perfdata/perfdata_format.h"
#include "core/perfdata/perfdata_put.h"
#include "core/perfdata/perfdata_read.h"
#include "tests/unit/core/check.h"

static uint8_t bytes[128 * 1024];
static size_t size;

static int append(void *context, const void *data, size_t length)
{
    (void)context;
    assert_true(size + length <= sizeof(bytes));
    memcpy(bytes + size, data, length);
    size += length;
    return 0;
}

static const struct perfdata_counter counters[] = {
    {.sampled = true, .name = "DATA_CACHE_MISSES:00", .config = 0x30041, .period = 1000, .lost = 3},
    {.sampled = false, .name = "RETIRED_NEAR_RETURNS:00", .config = 0x300C8},
    /* PERF_CTL with En, Int, Usr and OS, edge, inverted, count mask 2, select 4E0h */
    {.sampled = true, .name = "L3:F7", .config = 4ull << 32 | 2ull << 24 | 0xD7F7E0, .period = 500, .lost = 4},
};
static const struct perfdata_counter timer = {.sampled = true, .name = "cpu-clock", .period = 1000000, .lost = 5};

static const struct sample_record records[] = {
    {.tsc = 1000, .kind = SAMPLE_PMC, .cpu = 1, .reg = {[PMC_RIP] = 0x7E001040, [PMC_EVENT] = 0}},
    {.tsc = 1002, .kind = SAMPLE_PMC, .reg = {[PMC_RIP] = 0x7E001044, [PMC_EVENT] = 2}},
    {.tsc = 1004,
     .kind = SAMPLE_PMC,
     .reg = {[PMC_RIP] = 0x7E001044, [PMC_EVENT] = 1}}, /* this event was not sampled */
    {.tsc = 1006, .kind = SAMPLE_PMC, .reg = {[PMC_RIP] = 0x7E001044, [PMC_EVENT] = 3}}, /* no such event */
    {.tsc = 1006, .kind = SAMPLE_PMC, .reg = {[PMC_RIP] = 0x7E001044, [PMC_EVENT] = UINT64_MAX}},
    {.tsc = 1008, .kind = SAMPLE_TIMER, .reg = {[TIMER_RIP] = 0x7E001048}},
    {.tsc = 1010, .kind = SAMPLE_OP, .reg = {[IBS_OP_RIP] = 0x7E00104C, [IBS_OP_DATA3] = 1}},
    {.tsc = 1012, .kind = SAMPLE_KINDS, .reg = {0x7E00104C}}, /* no such kind */
};
enum { RECORDS = sizeof(records) / sizeof(records[0]) };

static struct perfdata_info info(void)
{
    return (struct perfdata_info){
        .vendor = "AuthenticAMD",
        .cpu_name = "",
        .family = 16,
        .caps = 0x1f,
        .cores = 1,
        .tsc_khz = 2000000,
        .tsc0 = 1000,
        .elf_name = "ibsboot.elf",
        .version = "1",
        .command = "",
        .comm = "test",
        .counters = counters,
        .counter_count = 3,
        .timer = &timer,
    };
}

static void write_file(struct perfdata_reader *reader, const struct perfdata_info *with,
                       const struct sample_record *samples, size_t count)
{
    size = 0;
    assert_int_equal(perfdata_write(with, samples, count, append, NULL), 0);
    assert_int_equal(perfdata_open(reader, bytes, size), PERFDATA_OK);
}

/* Returns the next sample or loss. */
static struct perfdata_item next(struct perfdata_reader *reader)
{
    struct perfdata_item item;

    do {
        assert_int_equal(perfdata_next(reader, &item), PERFDATA_OK);
    } while (item.kind == PERFDATA_ITEM_COMM || item.kind == PERFDATA_ITEM_MAP);
    return item;
}

TEST(events_are_perf_s_own)
{
    static const struct {
        const char *name;
        uint32_t type;
        uint64_t config, period;
        enum sample_kind kind;
    } wanted[] = {
        {"cpu-clock", PERFDATA_TYPE_SOFTWARE, PERFDATA_SOFTWARE_CPU_CLOCK, 1000000, SAMPLE_TIMER},
        {"DATA_CACHE_MISSES:00", PERFDATA_TYPE_RAW, 0x41, 1000, SAMPLE_PMC},
        /* select and mask, edge, invert, count mask; no privilege, no En, no Int */
        {"L3:F7", PERFDATA_TYPE_RAW, 0x40284F7E0ull, 500, SAMPLE_PMC},
    };
    const struct perfdata_info with = info();
    struct perfdata_reader reader;

    write_file(&reader, &with, records, RECORDS);
    assert_int_equal(reader.event_count, 3);
    for (unsigned i = 0; i < 3; i++) {
        assert_string_equal(reader.events[i].name, wanted[i].name);
        assert_int_equal(reader.events[i].type, wanted[i].type);
        assert_int_equal(reader.events[i].config, wanted[i].config);
        assert_int_equal(reader.events[i].period, wanted[i].period);
        assert_int_equal(perfdata_kind(&reader.events[i]), wanted[i].kind);
        assert_int_equal(reader.events[i].sample_type & PERFDATA_SAMPLE_RAW, 0);
    }
}

/* Linux has two software events that are clocks (perf_event.h: enum perf_sw_ids); no event of another type is a
 * clock. */
TEST(two_events_are_clocks)
{
    for (uint32_t type = 0; type < 6; type++)
        for (uint64_t config = 0; config < 13; config++) {
            const struct perfdata_file_event event = {.type = type, .config = config};
            bool clock = type == 1 && config <= 1;

            assert_int_equal(perfdata_kind(&event), clock ? SAMPLE_TIMER : SAMPLE_PMC);
        }
}

/* Without -R, as in perf mem, perf record leaves out the raw data: samples of IBS then have addresses, but no registers
 * to decode. */
TEST(ibs_without_raw_data_is_a_counter)
{
    for (int raw = 0; raw < 2; raw++) {
        struct perfdata_file_event event = {.sample_type = raw ? PERFDATA_SAMPLE_RAW : 0, .pmu = PERFDATA_PMU_IBS_OP};

        assert_int_equal(perfdata_kind(&event), raw ? SAMPLE_OP : SAMPLE_PMC);
        event.pmu = PERFDATA_PMU_IBS_FETCH;
        assert_int_equal(perfdata_kind(&event), raw ? SAMPLE_FETCH : SAMPLE_PMC);
    }
}

/* Each possible event has a place of its own, where its samples are found. */
TEST(events_have_places)
{
    static const enum sample_kind kinds[] = {SAMPLE_OP, SAMPLE_FETCH, SAMPLE_TIMER, SAMPLE_PMC, SAMPLE_PMC};
    static const uint32_t events[] = {0, 0, 0, 0, 2}, places[] = {0, 1, 2, 3, 5};
    struct perfdata_info with = info();

    with.event[SAMPLE_OP].sampled = with.event[SAMPLE_FETCH].sampled = true;
    assert_int_equal(perfdata_source_count(&with), 5);
    for (uint32_t i = 0; i < 5; i++) {
        struct sample_record record = {.kind = kinds[i]};
        struct perfdata_source at, of;

        if (kinds[i] == SAMPLE_PMC)
            record.reg[PMC_EVENT] = events[i];
        assert_true(perfdata_source_at(&with, i, &at));
        assert_int_equal(at.kind, kinds[i]);
        assert_int_equal(at.place, places[i]);
        assert_true(perfdata_source_of(&with, &record, &of));
        assert_int_equal(of.place, places[i]);
        assert_int_equal(of.id, at.id);
        for (uint32_t other = 0; other < i; other++) {
            assert_true(perfdata_source_at(&with, other, &of));
            assert_int_not_equal(of.id, at.id);
        }
    }
    {
        struct perfdata_source none;

        assert_false(perfdata_source_at(&with, 5, &none));
        assert_false(
            perfdata_source_of(&with, &(struct sample_record){.kind = SAMPLE_PMC, .reg = {[PMC_EVENT] = 3}}, &none));
    }
}

/* Samples of counters have their fields also beside IBS ops, which have more fields. */
TEST(samples_say_where_and_how_much)
{
    static const struct {
        const char *event;
        enum sample_kind kind;
        uint64_t ip, time, cpu, period;
        bool exact;
    } wanted[] = {
        {"DATA_CACHE_MISSES:00", SAMPLE_PMC, 0x7E001040, 0, 1, 1000, false},
        {"L3:F7", SAMPLE_PMC, 0x7E001044, 1, 0, 500, false},
        {"cpu-clock", SAMPLE_TIMER, 0x7E001048, 4, 0, 1000000, false},
        {"ibs_op//", SAMPLE_OP, 0x7E00104C, 5, 0, 4096, true},
    };
    static const struct {
        const char *event;
        uint64_t count;
    } lost[] = {{"ibs_op//", 2}, {"cpu-clock", 5}, {"DATA_CACHE_MISSES:00", 3}, {"L3:F7", 4}};
    static const uint64_t callers = 0x7E001200;
    static struct sample_stack stacks[RECORDS];

    for (unsigned i = 0; i < RECORDS; i++)
        stacks[i] = (struct sample_stack){.rip = 0x7E001100, .depth = 1, .address = {callers}};
    for (unsigned mixed = 0; mixed < 2; mixed++) {
        struct perfdata_info with = info();
        struct perfdata_reader reader;
        struct perfdata_item item;

        with.event[SAMPLE_OP] = (struct perfdata_event){.sampled = mixed, .period = 4096, .lost = 2};
        with.stacks = mixed ? stacks : NULL; /* and with call chains */
        write_file(&reader, &with, records, RECORDS);
        for (unsigned i = 0; i < 3 + mixed; i++) {
            item = next(&reader);
            assert_int_equal(item.kind, PERFDATA_ITEM_SAMPLE);
            assert_string_equal(reader.events[item.event].name, wanted[i].event);
            assert_int_equal(item.record.kind, wanted[i].kind);
            assert_int_equal(item.ip, wanted[i].ip);
            assert_int_equal(item.time, wanted[i].time);
            assert_int_equal(item.cpu, wanted[i].cpu);
            assert_int_equal(item.period, wanted[i].period);
            assert_int_equal(item.mode, PERFDATA_MISC_USER);
            assert_int_equal((item.misc & PERFDATA_MISC_EXACT_IP) != 0, wanted[i].exact);
            assert_int_equal(item.callchain_count, mixed ? 3 : 0);
            assert_true(!mixed || memcmp(item.callchain + 16, &callers, 8) == 0);
        }
        for (unsigned i = !mixed; i < 4; i++) {
            item = next(&reader);
            assert_int_equal(item.kind, PERFDATA_ITEM_LOST);
            assert_string_equal(reader.events[item.event].name, lost[i].event);
            assert_int_equal(item.lost, lost[i].count);
        }
        assert_int_equal(next(&reader).kind, PERFDATA_ITEM_END);
    }
}

/* The PERIODs add up to what all samples stand for, and each is off by no more than the rounding. */
TEST(periods_add_up_to_the_total)
{
    static const struct {
        uint64_t samples, total, period;
        size_t written; /* number of samples written, if it is not the number announced */
    } rows[] = {
        {60, 640, 32, 0},                  /* a period of 32 in three runs: 10 2/3 */
        {60, 30, 0, 0},                    /* less than one event for a sample */
        {60, 60 * 250000ull, 250000, 0},   /* whole numbers */
        {60, 0xFFFFFFFFFFFFFFFFull, 1, 0}, /* no overflow */
        {1, 77, 77, 0},                    /* one sample */
        {0, 0, 32, 60},                    /* the number is not known: each sample has the period */
        {59, 59 * 4, 4, 60},               /* one sample more than announced */
        {0, 0, 0, 0},                      /* none */
    };

    for (unsigned r = 0; r < sizeof(rows) / sizeof(rows[0]); r++) {
        struct perfdata_counter two[2] = {{.sampled = true,
                                           .name = "a",
                                           .period = rows[r].period,
                                           .samples = rows[r].samples,
                                           .total = rows[r].total},
                                          {.sampled = true, .name = "b", .period = 5}};
        struct perfdata_info with = info();
        struct perfdata_reader reader;
        struct sample_record many[120] = {{0}};
        size_t count = rows[r].written ? rows[r].written : rows[r].samples;
        uint64_t sum[2] = {0}, least = UINT64_MAX, most = 0;

        with.counters = two;
        with.counter_count = 2;
        with.timer = NULL;
        for (unsigned i = 0; i < 2 * count; i++) /* the events take turns but do not share a count */
            many[i] = (struct sample_record){.tsc = i, .kind = SAMPLE_PMC, .reg = {[PMC_EVENT] = i % 2}};
        write_file(&reader, &with, many, 2 * count);
        for (unsigned i = 0; i < 2 * count; i++) {
            struct perfdata_item item = next(&reader);

            assert_int_equal(item.event, i % 2);
            sum[item.event] += item.period;
            if (item.event == 0) {
                least = item.period < least ? item.period : least;
                most = item.period > most ? item.period : most;
            }
        }
        assert_int_equal(next(&reader).kind, PERFDATA_ITEM_END);
        assert_int_equal(sum[1], 5 * count);
        if (rows[r].samples == 0)
            assert_int_equal(sum[0], rows[r].period * count);
        else
            assert_int_equal(sum[0], rows[r].total + (count - rows[r].samples) * rows[r].period);
        assert_true(count == 0 || most - least <= 1);
    }
}

/* Events are written as long as they have a place, each with samples; later events are left out, with their samples. */
TEST(more_events_than_fit_are_left_out)
{
    enum { MORE = PERFDATA_COUNTERS + 2 };
    static struct perfdata_counter many[MORE];
    static struct sample_record samples[MORE];
    char names[MORE][8];
    struct perfdata_info with = info();
    struct perfdata_reader reader;

    for (unsigned i = 0; i < MORE; i++) {
        snprintf(names[i], sizeof(names[i]), "e%u", i);
        many[i] = (struct perfdata_counter){.sampled = true, .name = names[i], .config = i, .period = i + 1};
        samples[i] = (struct sample_record){.tsc = i, .kind = SAMPLE_PMC, .reg = {[PMC_RIP] = i, [PMC_EVENT] = i}};
    }
    with.counters = many;
    with.counter_count = MORE;
    with.event[SAMPLE_OP].sampled = with.event[SAMPLE_FETCH].sampled = true;
    write_file(&reader, &with, samples, MORE);
    assert_int_equal(reader.event_count, PERFDATA_COUNTERS + 3);
    for (unsigned i = 0; i < reader.event_count; i++) { /* each with an id of its own */
        uint64_t id;

        assert_int_equal(reader.events[i].ids_size, 8);
        memcpy(&id, bytes + reader.events[i].ids, 8);
        assert_int_equal(perfdata_event_of_id(&reader, id), i);
    }
    for (unsigned i = 0; i < PERFDATA_COUNTERS; i++) {
        struct perfdata_item item = next(&reader);

        assert_int_equal(item.kind, PERFDATA_ITEM_SAMPLE);
        assert_string_equal(reader.events[item.event].name, names[i]);
        assert_int_equal(item.ip, i);
        assert_int_equal(item.period, i + 1);
    }
    assert_int_equal(next(&reader).kind, PERFDATA_ITEM_LOST); /* the timer's */
}

/* A file without any event has no samples, whatever records were given. */
TEST(without_events_there_are_no_samples)
{
    struct perfdata_info with = info();
    struct perfdata_reader reader;

    with.counter_count = 0;
    with.timer = NULL;
    write_file(&reader, &with, records, RECORDS);
    assert_int_equal(reader.event_count, 0);
    assert_int_equal(next(&reader).kind, PERFDATA_ITEM_END);
}

RUN_TESTS(NULL, NULL)
