/* SPDX-License-Identifier: BSD-2-Clause */
/* The perf.data reader, compared with a writer of its own: every field of a sample alone and in random combinations,
 * every size of perf_event_attr, the identity after other records, values of counters, maps, processes, losses. The
 * writer follows the comment on PERF_RECORD_SAMPLE in Linux include/uapi/linux/perf_event.h and uses none of the
 * reader's numbers. */
#include <stdlib.h>
#include <string.h>

#include "core/perfdata/perfdata_plain.h"
#include "core/perfdata/perfdata_read.h"
#include "tests/unit/core/check.h"
#include "tests/unit/put.h"

static uint8_t room[32768];
static struct put_file file = {room, sizeof(room), 0};

static uint64_t seed = 1;
static uint64_t random64(void)
{
    uint64_t z = seed += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* The bits are numbered as in the kernel's header. */
enum {
    IP = 0,
    TID,
    TIME,
    ADDR,
    READ,
    CALLCHAIN,
    ID,
    CPU,
    PERIOD,
    STREAM_ID,
    RAW,
    BRANCH_STACK,
    REGS_USER,
    STACK_USER,
    WEIGHT,
    DATA_SRC,
    IDENTIFIER,
    TRANSACTION,
    REGS_INTR,
    PHYS_ADDR,
    AUX,
    CGROUP,
    DATA_PAGE_SIZE,
    CODE_PAGE_SIZE,
    WEIGHT_STRUCT,
    BITS
};
#define HAS(bit) (event->sample_type >> (bit)&1)

struct event {
    uint32_t type;
    uint32_t attr_size;
    uint64_t config, period, sample_type, read_format, flags, branch, user, intr, id;
};

enum { SAMPLE_ID_ALL = 1 << 18, FREQ = 1 << 10, DATA_AT = 40 };

static void begin(const struct event *events, size_t count)
{
    size_t entry = events[0].attr_size + 16;

    put_nothing();
    put("PERFILE2", 8);
    put64(104);
    put64(entry);
    put64(104 + 8 * count);
    put64(entry * count);
    file.size = 104;
    for (size_t i = 0; i < count; i++)
        put64(events[i].id);
    for (size_t i = 0; i < count; i++) {
        const struct event *event = &events[i];
        size_t at = file.size;
        struct {
            uint32_t type, size;
            uint64_t config, period, sample_type, read_format, flags, wakeup, config1, config2, branch, user;
            uint32_t stack, clock;
            uint64_t intr, rest[4];
        } attr = {event->type,
                  event->attr_size,
                  event->config,
                  event->period,
                  event->sample_type,
                  event->read_format,
                  event->flags,
                  0,
                  0,
                  0,
                  event->branch,
                  event->user,
                  0,
                  0,
                  event->intr,
                  {0}};

        put(&attr, sizeof(attr));
        file.size = at + event->attr_size;
        memset(file.bytes + file.size, 0, sizeof(attr));
        put64(104 + 8 * i);
        put64(8);
    }
    uint64_t at = file.size;
    memcpy(file.bytes + DATA_AT, &at, 8);
}

static void end(void)
{
    uint64_t at, size;

    memcpy(&at, file.bytes + DATA_AT, 8);
    size = file.size - at;
    memcpy(file.bytes + DATA_AT + 8, &size, 8);
}

static void put_words(unsigned count, const uint64_t *words)
{
    for (unsigned i = 0; i < count; i++)
        put64(words[i]);
}

/* The fields of a sample that the writer makes. */
struct sample {
    uint64_t ip, time, addr, id, stream, period, weight, data_src, transaction, phys, cgroup, data_page, code_page;
    uint32_t pid, tid, cpu;
    uint64_t values[6], value_ids[6];
    uint32_t value_count;
    uint64_t frames[7];
    uint32_t frame_count;
    uint32_t raw_size; /* bytes */
    uint8_t raw[128];
};

static struct sample random_sample(const struct event *event)
{
    struct sample sample;
    uint8_t *bytes = (uint8_t *)&sample;

    for (size_t i = 0; i < sizeof(sample); i++)
        bytes[i] = (uint8_t)random64();
    sample.id = event->id;
    sample.value_count = event->read_format & 8 ? (uint32_t)(random64() % 7) : 1;
    sample.frame_count = (uint32_t)(random64() % 8);
    sample.raw_size = (uint32_t)(4 + 8 * (random64() % 12));
    return sample;
}

static void put_read(const struct event *event, const struct sample *sample)
{
    bool group = event->read_format & 8;

    if (group)
        put64(sample->value_count);
    else
        put64(sample->values[0]);
    if (event->read_format & 1)
        put64(111);
    if (event->read_format & 2)
        put64(222);
    for (uint32_t i = 0; i < sample->value_count; i++) {
        if (group)
            put64(sample->values[i]);
        if (event->read_format & 4)
            put64(sample->value_ids[i]);
        if (event->read_format & 16)
            put64(333);
    }
}

static void put_registers(uint64_t mask)
{
    bool none = random64() % 4 == 0;

    put64(none ? 0 : 2);
    for (int i = 0; i < __builtin_popcountll(mask) && !none; i++)
        put64(random64());
}

static void put_blob(bool filled) /* Writes a blob: its size, its bytes, and how many of them are used. */
{
    uint64_t size = 8 * (random64() % 9);

    put64(size);
    for (uint64_t i = 0; i < size / 8; i++)
        put64(random64());
    if (filled && size)
        put64(size);
}

static void put_sample(const struct event *event, const struct sample *sample)
{
    size_t at = put_record(9, 0x4000 | 2);

    if (HAS(IDENTIFIER))
        put64(sample->id);
    if (HAS(IP))
        put64(sample->ip);
    if (HAS(TID)) {
        put32(sample->pid);
        put32(sample->tid);
    }
    if (HAS(TIME))
        put64(sample->time);
    if (HAS(ADDR))
        put64(sample->addr);
    if (HAS(ID))
        put64(sample->id);
    if (HAS(STREAM_ID))
        put64(sample->stream);
    if (HAS(CPU)) {
        put32(sample->cpu);
        put32(99);
    }
    if (HAS(PERIOD))
        put64(sample->period);
    if (HAS(READ))
        put_read(event, sample);
    if (HAS(CALLCHAIN)) {
        put64(sample->frame_count);
        put(sample->frames, 8 * sample->frame_count);
    }
    if (HAS(RAW)) {
        put32(sample->raw_size);
        put(sample->raw, sample->raw_size);
    }
    if (HAS(BRANCH_STACK)) {
        uint64_t count = random64() % 5;

        put64(count);
        if (event->branch >> 17 & 1)
            put64(7);
        for (uint64_t i = 0; i < count * (event->branch >> 19 & 1 ? 4 : 3); i++)
            put64(random64());
    }
    if (HAS(REGS_USER))
        put_registers(event->user);
    if (HAS(STACK_USER))
        put_blob(true);
    if (HAS(WEIGHT) || HAS(WEIGHT_STRUCT))
        put64(sample->weight);
    if (HAS(DATA_SRC))
        put64(sample->data_src);
    if (HAS(TRANSACTION))
        put64(sample->transaction);
    if (HAS(REGS_INTR))
        put_registers(event->intr);
    if (HAS(PHYS_ADDR))
        put64(sample->phys);
    if (HAS(CGROUP))
        put64(sample->cgroup);
    if (HAS(DATA_PAGE_SIZE))
        put64(sample->data_page);
    if (HAS(CODE_PAGE_SIZE))
        put64(sample->code_page);
    if (HAS(AUX))
        put_blob(false);
    put_record_end(at);
}

#define SAME(value, bit, wanted)                                                                                       \
    do {                                                                                                               \
        uint64_t value_is = (value), value_should = HAS(bit) ? (uint64_t)(wanted) : 0;                                 \
        if (value_is != value_should)                                                                                  \
            fail_msg("sample_type %llx: %s is %llx, not %llx", (unsigned long long)event->sample_type, #value,         \
                     (unsigned long long)value_is, (unsigned long long)value_should);                                  \
    } while (0)

/* Checks that the fast reader finds the same sample, and that it leaves samples with fields at no fixed place to the
 * other reader. */
static void check_plain(struct perfdata_reader *reader, const struct perfdata_item *item, const struct event *event,
                        const struct sample *sample)
{
    /* The time must be at the same place in all events. */
    const uint64_t to_time = 1 << IDENTIFIER | 1 << IP | 1 << TID, first = reader->events[0].sample_type;
    bool same_place = (first >> TIME & 1) == HAS(TIME) &&
                      __builtin_popcountll(first & to_time) == __builtin_popcountll(event->sample_type & to_time);
    bool wanted = (same_place || !((first | event->sample_type) >> TIME & 1)) &&
                  !(HAS(READ) || HAS(BRANCH_STACK) || HAS(REGS_USER) || HAS(STACK_USER) || HAS(REGS_INTR) || HAS(AUX));
    uint64_t at = item->at, time = 0;
    struct perfdata_plain plain[2];
    bool all_plain = true;

    assert_int_equal(perfdata_read_plain(reader, item->at, item->at + 1, UINT64_MAX, plain, 2), wanted);
    if (wanted) {
        SAME(plain->ip, IP, sample->ip);
        SAME(plain->pid, TID, sample->pid);
        SAME(plain->tid, TID, sample->tid);
        SAME(plain->time, TIME, sample->time);
        assert_int_equal(plain->cpu, HAS(CPU) ? sample->cpu : PERFDATA_NO_CPU);
        assert_int_equal(plain->period, item->period ? item->period : 1);
        assert_int_equal(plain->event, item->event);
        assert_int_equal(plain->mode, item->mode);
        assert_true(plain->exact);
        assert_int_equal(plain->size, item->size);
        assert_null(plain->registers);
    }
    if (!same_place)
        return;
    perfdata_pass_ascending(reader, &at, item->at + 1, &time, &all_plain);
    SAME(at - item->at, TIME, item->size);
    SAME(time, TIME, sample->time);
    if (HAS(TIME))
        assert_int_equal(all_plain, wanted && !HAS(CALLCHAIN));
}

static void check_sample(struct perfdata_reader *reader, const struct perfdata_item *item, const struct event *event,
                         const struct sample *sample)
{
    assert_int_equal(item->kind, PERFDATA_ITEM_SAMPLE);
    assert_int_equal(item->mode, 2);
    SAME(item->ip, IP, sample->ip);
    SAME(item->pid, TID, sample->pid);
    SAME(item->tid, TID, sample->tid);
    SAME(item->time, TIME, sample->time);
    SAME(item->addr, ADDR, sample->addr);
    SAME(item->stream_id, STREAM_ID, sample->stream);
    assert_int_equal(item->cpu, HAS(CPU) ? sample->cpu : PERFDATA_NO_CPU);
    assert_int_equal(item->exact, item->misc >> 14 & 1);
    assert_int_equal(item->period, HAS(PERIOD) ? sample->period : event->period);
    assert_int_equal(item->id, HAS(ID) || HAS(IDENTIFIER) ? sample->id : 0);
    SAME(item->callchain_count, CALLCHAIN, sample->frame_count);
    if (HAS(CALLCHAIN))
        assert_memory_equal(item->callchain, sample->frames, 8 * sample->frame_count);
    SAME(item->raw_size, RAW, sample->raw_size);
    if (HAS(RAW))
        assert_memory_equal(item->raw, sample->raw, sample->raw_size);
    SAME(item->data_src, DATA_SRC, sample->data_src);
    SAME(item->transaction, TRANSACTION, sample->transaction);
    SAME(item->phys_addr, PHYS_ADDR, sample->phys);
    SAME(item->cgroup, CGROUP, sample->cgroup);
    SAME(item->data_page_size, DATA_PAGE_SIZE, sample->data_page);
    SAME(item->code_page_size, CODE_PAGE_SIZE, sample->code_page);
    if (HAS(WEIGHT_STRUCT)) {
        assert_int_equal(item->weight, (uint32_t)sample->weight);
        assert_int_equal(item->weight2, (uint16_t)(sample->weight >> 32));
        assert_int_equal(item->weight3, (uint16_t)(sample->weight >> 48));
    } else {
        SAME(item->weight, WEIGHT, sample->weight);
    }
    SAME(item->value_count, READ, sample->value_count);
    for (uint32_t i = 0; i < item->value_count; i++) {
        uint64_t id, value;

        perfdata_value(reader, item, i, &id, &value);
        assert_int_equal(value, sample->values[i]);
        assert_int_equal(id, event->read_format & 4 ? sample->value_ids[i] : 0);
    }
    check_plain(reader, item, event, sample);
}

static void write_and_read(const struct event *event)
{
    static struct perfdata_reader reader;
    struct sample sample = random_sample(event);
    struct perfdata_item item;

    begin(event, 1);
    put_sample(event, &sample);
    size_t size = file.size;
    end();
    assert_int_equal(perfdata_open(&reader, file.bytes, file.size), PERFDATA_OK);
    assert_int_equal(perfdata_next(&reader, &item), PERFDATA_OK);
    check_sample(&reader, &item, event, &sample);
    assert_int_equal(perfdata_next(&reader, &item), PERFDATA_OK);
    assert_int_equal(item.kind, PERFDATA_ITEM_END);
    /* A sample without its last 8 bytes is refused, whichever field the bytes belong to. */
    if (item.at == 0 && event->sample_type != 0) {
        file.size = size - 8;
        end();
        uint16_t less = (uint16_t)(file.size - reader.begin);
        memcpy(file.bytes + reader.begin + 6, &less, 2);
        assert_int_equal(perfdata_open(&reader, file.bytes, file.size), PERFDATA_OK);
        struct perfdata_plain plain;
        assert_int_equal(perfdata_read_plain(&reader, reader.begin, UINT64_MAX, UINT64_MAX, &plain, 1), 0);
        assert_int_not_equal(perfdata_next(&reader, &item), PERFDATA_OK);
        assert_int_equal(reader.error_at, reader.begin);
        assert_non_null(reader.why);
    }
}

/* WEIGHT and WEIGHT_STRUCT exclude each other. */
static uint64_t possible(uint64_t sample_type)
{
    return sample_type >> WEIGHT_STRUCT & 1 ? sample_type & ~(1ull << WEIGHT) : sample_type;
}

TEST(test_each_field_alone)
{
    for (unsigned bit = 0; bit < BITS; bit++)
        for (unsigned times = 0; times < 20; times++) {
            struct event event = {.type = 1,
                                  .attr_size = 112,
                                  .period = 1234,
                                  .sample_type = 1ull << bit,
                                  .read_format = random64() & 31,
                                  .branch = random64() & (1 << 17 | 1 << 19),
                                  .user = random64() & random64(),
                                  .intr = random64() & random64(),
                                  .id = 5};
            write_and_read(&event);
        }
}

TEST(test_random_combinations)
{
    /* The sizes are those of an attribute that has all masks; branch_sample_type came with 80 bytes, registers with 96
     * and 104. */
    static const uint32_t sizes[] = {104, 112, 120, 128, 136, 200};

    for (unsigned times = 0; times < 20000; times++) {
        struct event event = {.type = 1,
                              .attr_size = sizes[random64() % 6],
                              .period = random64(),
                              .sample_type = possible(random64() & ((1ull << BITS) - 1)),
                              .read_format = random64() & 31,
                              .branch = random64() & (1 << 17 | 1 << 19),
                              .user = random64() & random64(),
                              .intr = random64() & random64(),
                              .id = random64() | 1};
        write_and_read(&event);
    }
}

TEST(test_short_attributes)
{
    static const struct {
        uint32_t size;
        uint64_t without; /* fields that this version did not have */
    } rows[] = {
        {64, 1ull << BRANCH_STACK | 1ull << REGS_USER | 1ull << STACK_USER | 1ull << REGS_INTR},
        {72, 1ull << BRANCH_STACK | 1ull << REGS_USER | 1ull << STACK_USER | 1ull << REGS_INTR},
        {80, 1ull << REGS_USER | 1ull << STACK_USER | 1ull << REGS_INTR},
        {96, 1ull << REGS_INTR},
    };

    for (unsigned times = 0; times < 4000; times++) {
        unsigned row = times % 4;
        struct event event = {.type = 1,
                              .attr_size = rows[row].size,
                              .sample_type = possible(random64() & ((1ull << BITS) - 1)) & ~rows[row].without,
                              .branch = rows[row].size > 72 ? random64() & (1 << 17 | 1 << 19) : 0,
                              .read_format = random64() & 31,
                              .user = random64(),
                              .id = 9};
        write_and_read(&event);
    }
}

/* Fields that are newer than the reader are refused, not guessed. */
TEST(test_unknown_bits)
{
    static struct perfdata_reader reader;
    struct event event = {.type = 1, .attr_size = 112, .sample_type = 1ull << BITS};

    begin(&event, 1);
    end();
    assert_int_equal(perfdata_open(&reader, file.bytes, file.size), PERFDATA_UNSUPPORTED);
    event.sample_type = 1 << READ;
    event.read_format = 32;
    begin(&event, 1);
    end();
    assert_int_equal(perfdata_open(&reader, file.bytes, file.size), PERFDATA_UNSUPPORTED);
    event.sample_type = 1 << IP; /* without counts the fields that depend on them are not looked at */
    begin(&event, 1);
    end();
    assert_int_equal(perfdata_open(&reader, file.bytes, file.size), PERFDATA_OK);
}

/* Events are told apart by IDENTIFIER whatever their fields are, by ID only if the ID is at one place in all
 * samples. */
TEST(test_several_events)
{
    static struct perfdata_reader reader;
    struct perfdata_item item;

    for (unsigned times = 0; times < 3000; times++) {
        bool identifier = times & 1;
        struct event events[5];
        uint64_t common = random64() & (1 << IP | 1 << TID | 1 << TIME | 1 << ADDR | 1 << STREAM_ID | 1 << CPU);

        for (unsigned i = 0; i < 5; i++) {
            uint64_t others = possible(random64() & ((1ull << BITS) - 1));

            events[i] =
                (struct event){.type = i, .attr_size = 128, .id = 1000 + 64 * i, .user = random64(), .period = i};
            events[i].sample_type = identifier ? others | 1 << IDENTIFIER
                                               : (others & ~(uint64_t)(1 << IP | 1 << TID | 1 << TIME | 1 << ADDR |
                                                                       1 << STREAM_ID | 1 << CPU | 1 << IDENTIFIER)) |
                                                     common | 1 << ID;
            events[i].read_format = random64() & 31;
        }
        begin(events, 5);
        struct sample samples[10];
        for (unsigned i = 0; i < 10; i++) {
            samples[i] = random_sample(&events[i % 5]);
            put_sample(&events[i % 5], &samples[i]);
        }
        end();
        assert_int_equal(perfdata_open(&reader, file.bytes, file.size), PERFDATA_OK);
        for (unsigned i = 0; i < 10; i++) {
            assert_int_equal(perfdata_next(&reader, &item), PERFDATA_OK);
            assert_int_equal(item.event, i % 5);
            check_sample(&reader, &item, &events[i % 5], &samples[i]);
        }
    }
}

/* Records that perf adds itself have the id 0, which no event has: they belong to the first event (perf's
 * evlist__id2evsel). Any other unknown id is damage. */
TEST(test_id_zero_is_the_first_events)
{
    static struct perfdata_reader reader;
    const struct event events[2] = {
        {.attr_size = 64, .sample_type = 1 << IDENTIFIER | 1 << IP, .period = 11, .id = 40},
        {.attr_size = 64, .sample_type = 1 << IDENTIFIER | 1 << IP, .period = 12, .id = 41}};
    const uint64_t ids[] = {41, 0, 40, 7};
    struct perfdata_item item;

    begin(events, 2);
    for (unsigned i = 0; i < 4; i++) {
        size_t at = put_record(9, 2);

        put_words(2, (uint64_t[]){ids[i], 0x1000});
        put_record_end(at);
    }
    end();
    assert_int_equal(perfdata_open(&reader, file.bytes, file.size), PERFDATA_OK);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(perfdata_next(&reader, &item), PERFDATA_OK);
        assert_int_equal(item.event, ids[i] == 41);
        assert_int_equal(item.id, ids[i]);
        assert_int_equal(item.period, ids[i] == 41 ? 12 : 11);
    }
    uint64_t last = reader.at;
    assert_int_equal(perfdata_next(&reader, &item), PERFDATA_DAMAGED);
    assert_int_equal(reader.error_at, last);

    struct perfdata_plain plain[4];
    assert_int_equal(perfdata_read_plain(&reader, reader.begin, UINT64_MAX, UINT64_MAX, plain, 4), 3);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(plain[i].event, ids[i] == 41);
}

/* The only event of a file may have no ids: samples belong to this event whatever id they contain. */
TEST(test_only_event_without_ids)
{
    static struct perfdata_reader reader;
    struct event event = {.attr_size = 64, .sample_type = 1 << IDENTIFIER | 1 << IP, .id = 40, .flags = SAMPLE_ID_ALL};
    const uint64_t none = 0;
    struct perfdata_plain plain[4];
    struct perfdata_item item;

    for (unsigned has_ids = 0; has_ids < 2; has_ids++) {
        begin(&event, 1);
        if (!has_ids)
            memcpy(file.bytes + file.size - 8, &none, 8);
        for (uint64_t id = 77; id < 79; id++) {
            size_t at = put_record(9, 2);
            put_words(2, (uint64_t[]){id, 0x1000});
            put_record_end(at);
        }
        end();
        assert_int_equal(perfdata_open(&reader, file.bytes, file.size), PERFDATA_OK);
        assert_int_equal(perfdata_next(&reader, &item), has_ids ? PERFDATA_DAMAGED : PERFDATA_OK);
        if (!has_ids)
            assert_int_equal(item.event, 0);
        assert_int_equal(perfdata_read_plain(&reader, reader.begin, UINT64_MAX, UINT64_MAX, plain, 4), has_ids ? 0 : 2);
    }

    /* Lost samples belong to the only event, too. */
    begin(&event, 1);
    memcpy(file.bytes + file.size - 8, &none, 8);
    size_t lost = put_record(2, 0);
    put_words(2, (uint64_t[]){77, 9});
    put_words(1, (uint64_t[]){77});
    put_record_end(lost);
    end();
    assert_int_equal(perfdata_open(&reader, file.bytes, file.size), PERFDATA_OK);
    assert_int_equal(perfdata_next(&reader, &item), PERFDATA_OK);
    assert_int_equal(item.lost, 9);
    assert_int_equal(item.event, 0);

    /* Samples without any id belong to the only event, and so do records that are no samples. */
    event.sample_type = 1 << IP | 1 << TIME;
    begin(&event, 1);
    size_t at = put_record(9, 2);
    put_words(2, (uint64_t[]){0x1000, 5});
    put_record_end(at);
    at = put_record(3, 0);
    put_words(3, (uint64_t[]){1, 'a', 6});
    put_record_end(at);
    end();
    assert_int_equal(perfdata_open(&reader, file.bytes, file.size), PERFDATA_OK);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(perfdata_next(&reader, &item), PERFDATA_OK);
        assert_int_equal(item.event, 0);
        assert_int_equal(item.time, 5 + i);
    }
}

/* The numbers of entries make sizes in bytes that are 0, or small, in 64 bits. */
TEST(test_numbers_that_overflow)
{
    static struct perfdata_reader reader;
    static const struct {
        unsigned bit;
        uint64_t format, count;
    } rows[] = {
        {READ, 8, 1ull << 61},
        {READ, 8 | 4, 1ull << 60},
        {READ, 8 | 4, (1ull << 60) + 1},
        {READ, 8 | 4 | 16, 1ull << 61},
        {CALLCHAIN, 0, 1ull << 61},
        {CALLCHAIN, 0, (1ull << 61) + 1},
        {BRANCH_STACK, 0, 1ull << 61},
        {READ, 8, UINT64_MAX},
        {CALLCHAIN, 0, UINT64_MAX},
        {BRANCH_STACK, 0, UINT64_MAX},
        {READ, 8, 3},
        {CALLCHAIN, 0, 3},
    };

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct event event = {
            .attr_size = 112, .sample_type = 1ull << rows[i].bit, .read_format = rows[i].format, .id = 1};
        struct perfdata_item item;
        size_t at;

        begin(&event, 1);
        at = put_record(9, 2);
        put_words(3, (uint64_t[]){rows[i].count, 1, 2});
        put_record_end(at);
        end();
        assert_int_equal(perfdata_open(&reader, file.bytes, file.size), PERFDATA_OK);
        if (perfdata_next(&reader, &item) != PERFDATA_TRUNCATED)
            fail_msg("row %u", i);
    }
}

TEST(test_events_that_cannot_be_told_apart)
{
    static struct perfdata_reader reader;
    const struct event rows[][2] = {
        {{.attr_size = 64, .sample_type = 1 << IDENTIFIER, .id = 1},
         {.attr_size = 64, .sample_type = 1 << IP, .id = 2}},
        {{.attr_size = 64, .sample_type = 1 << ID, .id = 1}, {.attr_size = 64, .sample_type = 1 << IP, .id = 2}},
        {{.attr_size = 64, .sample_type = 1 << ID, .id = 1},
         {.attr_size = 64, .sample_type = 1 << ID | 1 << IP, .id = 2}},
        {{.attr_size = 64, .sample_type = 1 << ID, .id = 1},
         {.attr_size = 64, .sample_type = 1 << ID | 1 << CPU, .id = 2}},
    };

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        begin(rows[i], 2);
        end();
        assert_int_equal(perfdata_open(&reader, file.bytes, file.size), PERFDATA_DAMAGED);
    }
}

/* Writes the identity at the end of records that are no samples. */
static void put_trailer(const struct event *event)
{
    if (HAS(TID)) {
        put32(71);
        put32(72);
    }
    if (HAS(TIME))
        put64(73);
    if (HAS(ID))
        put64(event->id);
    if (HAS(STREAM_ID))
        put64(75);
    if (HAS(CPU)) {
        put32(76);
        put32(0);
    }
    if (HAS(IDENTIFIER))
        put64(event->id);
}

TEST(test_other_records)
{
    static struct perfdata_reader reader;
    struct perfdata_item item;

    for (unsigned times = 0; times < 2000; times++) {
        uint64_t sample_type = random64() & ((1ull << WEIGHT_STRUCT) - 1);
        const struct event events[2] = {
            {.attr_size = 112, .sample_type = sample_type | 1 << IDENTIFIER, .flags = SAMPLE_ID_ALL, .id = 50},
            {.attr_size = 112, .sample_type = sample_type | 1 << IDENTIFIER, .flags = SAMPLE_ID_ALL, .id = 60}};
        uint32_t which = times >> 1 & 1;
        const struct event *event = &events[which];
        bool build_id = times & 1;
        size_t at;

        begin(events, 2);
        at = put_record(1, 0x2000 | 1); /* MMAP of data */
        put_words(4, (uint64_t[]){0x200000001, 0x1000, 0x2000, 0x3000});
        put("[vdso]\0", 8);
        put_trailer(event);
        put_record_end(at);
        at = put_record(10, build_id ? 0x4002 : 2); /* MMAP2 */
        put_words(4, (uint64_t[]){0x200000001, 0x1000, 0x2000, 0x3000});
        put("\x14\0\0\0abcdefghijklmnopqrst", 24);
        put_words(1, (uint64_t[]){0x200000005});
        put("/bin/a.out\0\0\0\0\0", 16);
        put_trailer(event);
        put_record_end(at);
        at = put_record(3, 0x2000); /* COMM */
        put_words(1, (uint64_t[]){0x200000001});
        put("a.out\0\0", 8);
        put_trailer(event);
        put_record_end(at);
        for (uint32_t type = 4; type <= 7; type += 3) { /* EXIT, FORK */
            at = put_record(type, 0);
            put_words(3, (uint64_t[]){0x200000001, 0x400000003, 77});
            put_trailer(event);
            put_record_end(at);
        }
        at = put_record(2, 0); /* LOST */
        put_words(2, (uint64_t[]){50, 9});
        put_trailer(event);
        put_record_end(at);
        at = put_record(13, 0); /* LOST_SAMPLES */
        put_words(1, (uint64_t[]){8});
        put_trailer(event);
        put_record_end(at);
        for (uint32_t type = 5; type <= 6; type++) { /* THROTTLE, UNTHROTTLE */
            at = put_record(type, 0);
            put_words(3, (uint64_t[]){78, 50, 51});
            put_trailer(event);
            put_record_end(at);
        }
        at = put_record(14, 0); /* SWITCH: nothing but the identity */
        put_trailer(event);
        put_record_end(at);
        at = put_record(68, 0); /* FINISHED_ROUND */
        put_record_end(at);
        at = put_record(200, 0); /* not known */
        put64(1);
        put_record_end(at);
        end();
        assert_int_equal(perfdata_open(&reader, file.bytes, file.size), PERFDATA_OK);

        uint64_t time = HAS(TIME) ? 73 : 0;
        assert_int_equal(perfdata_next(&reader, &item), PERFDATA_OK);
        assert_int_equal(item.kind, PERFDATA_ITEM_MAP);
        assert_int_equal(item.mode, 1);
        assert_int_equal(item.pid, 1);
        assert_int_equal(item.tid, 2);
        assert_int_equal(item.time, time);
        assert_int_equal(item.event, which);
        assert_int_equal(item.map.protection, 1);
        assert_string_equal(item.map.name, "[vdso]");
        assert_null(item.map.build_id);
        assert_int_equal(perfdata_next(&reader, &item), PERFDATA_OK);
        assert_int_equal(item.kind, PERFDATA_ITEM_MAP);
        assert_int_equal(item.map.start, 0x1000);
        assert_int_equal(item.map.length, 0x2000);
        assert_int_equal(item.map.page_offset, 0x3000);
        assert_int_equal(item.map.protection, 5);
        assert_int_equal(item.map.flags, 2);
        assert_int_equal(item.map.build_id_size, build_id ? 20 : 0);
        if (build_id)
            assert_memory_equal(item.map.build_id, "abcdefghijklmnopqrst", 20);
        assert_string_equal(item.map.name, "/bin/a.out");
        assert_int_equal(perfdata_next(&reader, &item), PERFDATA_OK);
        assert_int_equal(item.kind, PERFDATA_ITEM_COMM);
        assert_int_equal(item.time, time);
        assert_string_equal(item.text, "a.out");
        assert_int_equal(perfdata_next(&reader, &item), PERFDATA_OK);
        assert_int_equal(item.kind, PERFDATA_ITEM_EXIT);
        assert_int_equal(item.time, 77);
        assert_int_equal(perfdata_next(&reader, &item), PERFDATA_OK);
        assert_int_equal(item.kind, PERFDATA_ITEM_FORK);
        assert_int_equal(item.pid, 1);
        assert_int_equal(item.parent_pid, 2);
        assert_int_equal(item.tid, 3);
        assert_int_equal(item.parent_tid, 4);
        assert_int_equal(perfdata_next(&reader, &item), PERFDATA_OK);
        assert_int_equal(item.kind, PERFDATA_ITEM_LOST);
        assert_int_equal(item.lost, 9);
        assert_int_equal(item.event, 0); /* the record's own id decides */
        assert_int_equal(perfdata_next(&reader, &item), PERFDATA_OK);
        assert_int_equal(item.kind, PERFDATA_ITEM_LOST);
        assert_int_equal(item.lost, 8);
        assert_int_equal(item.event, which);
        assert_int_equal(perfdata_next(&reader, &item), PERFDATA_OK);
        assert_int_equal(item.kind, PERFDATA_ITEM_THROTTLE);
        assert_int_equal(item.time, 78);
        assert_int_equal(item.id, 50);
        assert_int_equal(item.stream_id, 51);
        assert_int_equal(item.event, 0);
        assert_int_equal(perfdata_next(&reader, &item), PERFDATA_OK);
        assert_int_equal(item.kind, PERFDATA_ITEM_UNTHROTTLE);
        assert_int_equal(item.id, 50);
        assert_int_equal(perfdata_next(&reader, &item), PERFDATA_OK);
        assert_int_equal(item.kind, PERFDATA_ITEM_OTHER);
        assert_int_equal(item.type, 14);
        assert_int_equal(item.pid, HAS(TID) ? 71 : 0);
        assert_int_equal(item.tid, HAS(TID) ? 72 : 0);
        assert_int_equal(item.time, time);
        assert_int_equal(item.id, event->id);
        assert_int_equal(item.stream_id, HAS(STREAM_ID) ? 75 : 0);
        assert_int_equal(item.cpu, HAS(CPU) ? 76 : 0);
        assert_int_equal(item.event, which);
        for (unsigned i = 0; i < 2; i++) {
            assert_int_equal(perfdata_next(&reader, &item), PERFDATA_OK);
            assert_int_equal(item.kind, PERFDATA_ITEM_OTHER);
        }
        assert_int_equal(perfdata_next(&reader, &item), PERFDATA_OK);
        assert_int_equal(item.kind, PERFDATA_ITEM_END);
    }
}

/* A record that is too short for an identity has none, and bytes before it are not taken for one. */
TEST(test_identities_of_any_length)
{
    static struct perfdata_reader reader;
    const struct event event = {
        .attr_size = 64, .sample_type = 1 << TID | 1 << TIME | 1 << CPU, .flags = SAMPLE_ID_ALL, .id = 50};

    for (unsigned words = 0; words <= 4; words++) {
        struct perfdata_item item;

        begin(&event, 1);
        size_t at = put_record(14, 0); /* SWITCH */
        put_words(words, (uint64_t[]){0x200000001, 73, 76, 77});
        put_record_end(at);
        end();
        assert_int_equal(perfdata_open(&reader, file.bytes, file.size), PERFDATA_OK);
        assert_int_equal(perfdata_next(&reader, &item), PERFDATA_OK);
        assert_int_equal(item.kind, PERFDATA_ITEM_OTHER);
        assert_int_equal(item.pid, words == 3 ? 1 : words == 4 ? 73 : 0); /* the last three words */
        assert_int_equal(item.tid, words == 3 ? 2 : 0);
        assert_int_equal(item.time, words == 3 ? 73 : words == 4 ? 76 : 0);
        assert_int_equal(item.cpu, words == 3 ? 76 : words == 4 ? 77 : 0);
    }
}

/* Without IDENTIFIER the id of a record stands at the place of ID: in front of STREAM_ID and CPU. */
TEST(test_identity_by_id)
{
    static struct perfdata_reader reader;
    struct perfdata_item item;

    for (unsigned fields = 0; fields < 16; fields++) {
        uint64_t type = 1 << ID | (fields & 1 ? 1 << TID : 0) | (fields & 2 ? 1 << TIME : 0) |
                        (fields & 4 ? 1 << STREAM_ID : 0) | (fields & 8 ? 1 << CPU : 0);
        const struct event events[2] = {{.attr_size = 64, .sample_type = type, .flags = SAMPLE_ID_ALL, .id = 50},
                                        {.attr_size = 64, .sample_type = type, .flags = SAMPLE_ID_ALL, .id = 60}};
        const struct event *event = &events[1];

        begin(events, 2);
        size_t at = put_record(3, 0);
        put_words(2, (uint64_t[]){0x200000001, 'a'});
        put_trailer(event);
        put_record_end(at);
        at = put_record(64, 0); /* perf's own records have no identity */
        put_trailer(event);
        put_record_end(at);
        end();
        assert_int_equal(perfdata_open(&reader, file.bytes, file.size), PERFDATA_OK);
        assert_int_equal(perfdata_next(&reader, &item), PERFDATA_OK);
        assert_int_equal(item.kind, PERFDATA_ITEM_COMM);
        assert_int_equal(item.event, 1);
        assert_int_equal(item.id, 60);
        assert_int_equal(item.pid, 1);
        assert_int_equal(item.tid, 2);
        assert_int_equal(item.time, HAS(TIME) ? 73 : 0);
        assert_int_equal(item.stream_id, HAS(STREAM_ID) ? 75 : 0);
        assert_int_equal(item.cpu, HAS(CPU) ? 76 : 0);
        assert_int_equal(perfdata_next(&reader, &item), PERFDATA_OK);
        assert_int_equal(item.kind, PERFDATA_ITEM_OTHER);
        assert_int_equal(item.event, UINT32_MAX);
        assert_int_equal(item.id | item.pid | item.time | item.stream_id | item.cpu, 0);
    }
}

/* Zeros of the identity do not end a name that has no end itself. */
TEST(test_text_ends_before_the_identity)
{
    static struct perfdata_reader reader;
    const struct event event = {
        .attr_size = 64, .sample_type = 1 << IDENTIFIER | 1 << TIME, .flags = SAMPLE_ID_ALL, .id = 5};
    struct perfdata_item item;

    for (unsigned ended = 0; ended < 2; ended++) {
        begin(&event, 1);
        size_t at = put_record(3, 0);
        put_words(1, (uint64_t[]){1});
        put(ended ? "a name\0\0" : "12345678", 8);
        put_words(2, (uint64_t[]){9, 5});
        put_record_end(at);
        end();
        assert_int_equal(perfdata_open(&reader, file.bytes, file.size), PERFDATA_OK);
        assert_int_equal(perfdata_next(&reader, &item), ended ? PERFDATA_OK : PERFDATA_TRUNCATED);
        if (!ended)
            assert_int_equal(reader.error_at, reader.begin);
    }
}

/* Registers have Linux' numbers, and a copy of the stack follows: perf record --call-graph dwarf stores both for a
 * program. */
TEST(test_user_registers_and_stack)
{
    static struct perfdata_reader reader;
    const struct event event = {.type = 1,
                                .attr_size = 112,
                                .sample_type = 1 << REGS_USER | 1 << STACK_USER,
                                .user = 1ull << 0 | 1ull << 5 | 1ull << 7 | 1ull << 63,
                                .id = 5};
    static const struct {
        uint64_t abi, size, filled, wanted;
    } rows[] = {{2, 16, 8, 8}, {2, 16, 16, 16}, {2, 16, 17, 16}, {1, 16, 0, 0}, {2, 0, 0, 0}, {0, 16, 8, 8}};

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct perfdata_item item;
        uint64_t value = 1;
        bool there = rows[i].abi != 0;

        begin(&event, 1);
        size_t at = put_record(9, 2);
        put64(rows[i].abi);
        if (there)
            put_words(4, (uint64_t[]){100, 105, 107, 163});
        put64(rows[i].size);
        put_words(rows[i].size / 8, (uint64_t[]){11, 12});
        if (rows[i].size > 0)
            put64(rows[i].filled);
        put_record_end(at);
        end();
        assert_int_equal(perfdata_open(&reader, file.bytes, file.size), PERFDATA_OK);
        assert_int_equal(perfdata_next(&reader, &item), PERFDATA_OK);
        assert_int_equal(item.user_abi, rows[i].abi);
        assert_int_equal(item.user_stack_size, rows[i].wanted);
        if (rows[i].size > 0)
            assert_memory_equal(item.user_stack, ((uint64_t[]){11, 12}), 16);
        for (unsigned number = 0; number < 70; number++) {
            bool has = there && number < 64 && event.user >> number & 1;

            value = 1;
            assert_int_equal(perfdata_user_register(&item, number, &value), has);
            assert_int_equal(value, has ? 100 + number : 1);
        }
    }
}

/* IBS samples have their registers after the caps word, and only whole registers count. The record has those of Family
 * 10h, and one more if caps says so. */
TEST(test_short_raw_data)
{
    static struct perfdata_reader reader;
    const struct event event = {.type = 7, .attr_size = 64, .sample_type = 1 << RAW, .id = 5};
    static const struct {
        uint8_t pmu;
        uint32_t caps, recorded;
    } rows[] = {{PERFDATA_PMU_IBS_OP, 0x1f, 7},    {PERFDATA_PMU_IBS_OP, 0x3f, 8},
                {PERFDATA_PMU_IBS_OP, 0x21f, 7},   {PERFDATA_PMU_IBS_FETCH, 0x1f, 3},
                {PERFDATA_PMU_IBS_FETCH, 0x3f, 3}, {PERFDATA_PMU_IBS_FETCH, 0x21f, 4}};
    struct perfdata_item item;

    for (uint32_t n = 0; n < 6 * (4 + 8 * 12); n++) {
        uint32_t bytes = n / 6, caps = rows[n % 6].caps, recorded = rows[n % 6].recorded;
        uint32_t whole = bytes < 4 ? 0 : (bytes - 4) / 8;
        begin(&event, 1);
        size_t at = put_record(9, 2);
        put32(bytes);
        put32(caps);
        put_words(12, (uint64_t[]){11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22});
        put_record_end(at);
        end();
        assert_int_equal(perfdata_open(&reader, file.bytes, file.size), PERFDATA_OK);
        reader.events[0].pmu = rows[n % 6].pmu;
        assert_int_equal(perfdata_next(&reader, &item), PERFDATA_OK);
        assert_int_equal(item.raw_size, bytes);
        assert_int_equal(item.caps, bytes >= 4 ? caps : 0);
        assert_int_equal(item.register_count, whole < PERFDATA_RAW_REGS ? whole : PERFDATA_RAW_REGS);
        for (uint32_t i = 0; i < PERFDATA_RAW_REGS; i++)
            assert_int_equal(item.registers[i], i < whole ? 11 + i : 0);
        for (uint32_t i = 0; i < sizeof(item.record.reg) / sizeof(item.record.reg[0]); i++)
            assert_int_equal(item.record.reg[i], i < whole && i < recorded ? 11 + i : 0);
    }
}

/* The word caps says which IBS registers follow Family 10h's, so two files of one length may have different
 * registers. */
TEST(test_registers_by_caps)
{
    static const struct {
        enum sample_kind kind;
        uint32_t caps;
        int target, data4, extd;
    } rows[] = {
        {SAMPLE_OP, 0x07, -1, -1, -1},    {SAMPLE_OP, 0x1f, -1, -1, -1},    {SAMPLE_OP, 0xff, 7, -1, -1},
        {SAMPLE_OP, 0x7ff, 7, 8, -1},     {SAMPLE_OP, 0x3ff, 7, -1, -1},    {SAMPLE_OP, 0x41f, -1, 7, -1},
        {SAMPLE_FETCH, 0xff, -1, -1, -1}, {SAMPLE_FETCH, 0x3ff, -1, -1, 3}, {SAMPLE_FETCH, 0x7ff, -1, -1, 3},
    };

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        assert_int_equal(perfdata_extra_index(rows[i].kind, rows[i].caps, PERFDATA_EXTRA_BRTARGET), rows[i].target);
        assert_int_equal(perfdata_extra_index(rows[i].kind, rows[i].caps, PERFDATA_EXTRA_OPDATA4), rows[i].data4);
        assert_int_equal(perfdata_extra_index(rows[i].kind, rows[i].caps, PERFDATA_EXTRA_FETCHCTLEXTD), rows[i].extd);
    }
}

TEST(test_no_such_extra)
{
    for (int kind = 0; kind < SAMPLE_KINDS; kind++)
        assert_int_equal(perfdata_extra_index((enum sample_kind)kind, ~0u, (enum perfdata_extra)99), -1);
}

/* Peeking agrees with complete reading; records that perf adds have no time. */
TEST(test_peek)
{
    static struct perfdata_reader reader;
    struct perfdata_item item;

    for (unsigned times = 0; times < 2000; times++) {
        struct event event = {.type = 1,
                              .attr_size = 112,
                              .sample_type = possible(random64() & ((1ull << BITS) - 1)),
                              .user = random64(),
                              .intr = random64(),
                              .flags = SAMPLE_ID_ALL,
                              .id = 3};
        struct sample sample = random_sample(&event);
        uint32_t type, size;
        uint64_t time;

        begin(&event, 1);
        put_sample(&event, &sample);
        size_t at = put_record(3, 0);
        put_words(2, (uint64_t[]){1, 'a'});
        put_trailer(&event);
        put_record_end(at);
        put_record_end(put_record(68, 0)); /* PERF_RECORD_FINISHED_ROUND */
        end();
        assert_int_equal(perfdata_open(&reader, file.bytes, file.size), PERFDATA_OK);
        for (unsigned i = 0; i < 3; i++) {
            uint64_t place = reader.at;

            time = 1234;
            assert_int_equal(perfdata_next(&reader, &item), PERFDATA_OK);
            assert_int_equal(perfdata_peek(&reader, place, &type, &size, &time), PERFDATA_OK);
            assert_int_equal(type, item.type);
            assert_int_equal(size, item.size);
            assert_int_equal(time, item.time);
            assert_int_equal(item.at, place);
        }
    }
}

/* Samples with call chains are read one by one, also after a sample of an event without call chains. */
TEST(test_call_chains_among_plain_samples)
{
    static struct perfdata_reader reader;
    const struct event events[2] = {
        {.attr_size = 64, .sample_type = 1 << IDENTIFIER | 1 << IP | 1 << TIME, .id = 4},
        {.attr_size = 64, .sample_type = 1 << IDENTIFIER | 1 << IP | 1 << TIME | 1 << CALLCHAIN, .id = 8}};

    struct perfdata_plain plain[4];

    for (unsigned chains = 0; chains < 2; chains++) {
        uint64_t at, time = 0;
        bool all_plain = true;

        begin(events, 2);
        for (unsigned i = 0; i < 4; i++) {
            struct sample sample = random_sample(&events[i & chains]);

            sample.time = 10 * i;
            put_sample(&events[i & chains], &sample);
        }
        end();
        assert_int_equal(perfdata_open(&reader, file.bytes, file.size), PERFDATA_OK);
        at = reader.begin;
        perfdata_pass_ascending(&reader, &at, UINT64_MAX, &time, &all_plain);
        assert_int_equal(at, reader.end);
        assert_int_equal(time, 30);
        assert_int_equal(all_plain, !chains);
        for (uint64_t until = 0; until <= 30; until += 5) /* no later sample, with a call chain or without */
            assert_int_equal(perfdata_read_plain(&reader, reader.begin, reader.end, until, plain, 4), until / 10 + 1);
    }
}

/* A record that is too short for the identity of its event has none, rather than the id 0, which is the first
 * event's. */
TEST(test_no_room_for_an_identity)
{
    static struct perfdata_reader reader;
    const struct event events[2] = {{.attr_size = 64, .sample_type = 1 << IDENTIFIER, .flags = SAMPLE_ID_ALL, .id = 3},
                                    {.attr_size = 64, .sample_type = 1 << IDENTIFIER, .flags = SAMPLE_ID_ALL, .id = 4}};

    for (unsigned words = 0; words < 2; words++) {
        struct perfdata_item item;
        size_t record;

        begin(events, 2);
        record = put_record(63, 0); /* a type that the kernel does not have yet */
        put_words(words, (uint64_t[]){4});
        put_record_end(record);
        end();
        assert_int_equal(perfdata_open(&reader, file.bytes, file.size), PERFDATA_OK);
        assert_int_equal(perfdata_next(&reader, &item), PERFDATA_OK);
        assert_int_equal(item.event, words ? 1 : UINT32_MAX);
    }
}

/* A file without features ends with its last sample, however short the sample is: nothing after it is read, which the
 * sanitizers would see, and the fast reader finds what the other one finds. */
TEST(test_samples_at_the_end_of_memory)
{
    static const uint64_t types[] = {1 << RAW, 1 << CALLCHAIN, 1 << TIME, 1 << IDENTIFIER | 1 << RAW};
    static struct perfdata_reader reader;

    for (unsigned i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        for (unsigned size = 0; size <= 24; size++) {
            const struct event event = {.attr_size = 64, .sample_type = types[i], .id = 1};
            const uint32_t words[6] = {types[i] >> IDENTIFIER & 1 ? 1 : 0, 0, 1, 0, 0, 0};
            struct perfdata_plain plain;
            struct perfdata_item item;
            uint64_t time = 0, at;
            uint8_t *exact;
            size_t record;

            begin(&event, 1);
            record = put_record(9, 2);
            put(words, size);
            put_record_end(record);
            end();
            exact = malloc(file.size);
            assert_non_null(exact);
            memcpy(exact, file.bytes, file.size);
            assert_int_equal(perfdata_open(&reader, exact, file.size), PERFDATA_OK);
            at = reader.begin;
            if (perfdata_read_at(&reader, at, &item) == PERFDATA_OK)
                assert_int_equal(perfdata_read_plain(&reader, at, UINT64_MAX, UINT64_MAX, &plain, 1), 1);
            else
                assert_int_equal(perfdata_read_plain(&reader, at, UINT64_MAX, UINT64_MAX, &plain, 1), 0);
            perfdata_pass_ascending(&reader, &at, UINT64_MAX, &time, &(bool){true});
            assert_int_equal(at, types[i] == 1 << TIME && size >= 8 ? reader.end : reader.begin);
            free(exact);
        }
    }
}

/* Data that follow an incomplete header are not read, either. */
TEST(test_part_of_a_header)
{
    enum { DATA_SIZE_AT = 48 }; /* in the file's header */
    static struct perfdata_reader reader;
    const struct event event = {.attr_size = 64, .sample_type = 1 << TIME, .id = 1};

    for (uint64_t left = 1; left < 8; left++) {
        struct perfdata_plain plain;
        uint64_t time = 0, at, begins;
        uint8_t *exact;

        begin(&event, 1);
        put_record_end(put_record(9, 2));
        end();
        begins = file.size - 8;
        exact = malloc(begins + left);
        assert_non_null(exact);
        memcpy(exact, file.bytes, begins + left);
        memcpy(exact + DATA_SIZE_AT, &left, sizeof(left));
        assert_int_equal(perfdata_open(&reader, exact, begins + left), PERFDATA_OK);
        assert_int_equal(reader.begin, begins);
        at = begins;
        perfdata_pass_ascending(&reader, &at, UINT64_MAX, &time, &(bool){true});
        assert_int_equal(at, begins);
        assert_int_equal(perfdata_read_plain(&reader, at, UINT64_MAX, UINT64_MAX, &plain, 1), 0);
        free(exact);
    }
}

RUN_TESTS(NULL, NULL)
