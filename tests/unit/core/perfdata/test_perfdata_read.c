/* SPDX-License-Identifier: BSD-2-Clause */
/* The perf.data reader on other programs' files: other orders of fields, other events, and every kind of damage. */
#include <string.h>

#include "core/perfdata/perfdata_format.h"
#include "core/perfdata/perfdata_read.h"
#include "tests/unit/core/check.h"
#include "tests/unit/put.h"

static uint8_t room[32768];
static struct put_file file = {room, sizeof(room), 0};

struct event {
    uint32_t type;
    uint64_t sample_type;
    uint64_t period;
    uint64_t id;
};

enum { HEADER = 104, ATTRS_AT = 0x18, DATA_AT = 0x28, FEATURES_AT = 0x48, ENTRY = 128 + 16 };

/* Writes header, ids, and attributes of 128 bytes as newer kernels have; the records follow. */
static void begin(const struct event *events, size_t count)
{
    put_nothing();
    put64(PERFDATA_MAGIC);
    put64(HEADER);
    put64(ENTRY);
    file.size = HEADER;
    for (size_t i = 0; i < count; i++)
        put64(events[i].id);
    set64(ATTRS_AT, file.size);
    set64(ATTRS_AT + 8, count * ENTRY);
    for (size_t i = 0; i < count; i++) {
        size_t at = file.size;
        put32(events[i].type);
        put32(128);
        put64(0);
        put64(events[i].period);
        put64(events[i].sample_type);
        file.size = at + 128;
        put64(HEADER + 8 * i);
        put64(8);
    }
    set64(DATA_AT, file.size);
}

/* Writes the features ARCH and PMU_MAPPINGS: 11 is ibs_op, 10 is ibs_fetch. */
static void end(void)
{
    uint64_t data_at;
    memcpy(&data_at, file.bytes + DATA_AT, 8);
    set64(DATA_AT + 8, file.size - data_at);
    set64(FEATURES_AT, 1ull << PERFDATA_FEATURE_ARCH | 1ull << PERFDATA_FEATURE_PMU_MAPPINGS);
    uint64_t at = file.size + 32;
    put64(at);
    put64(4 + 8);
    put64(at + 12);
    put64(0); /* the place is set below */
    put32(8);
    put("x86_64\0", 8);
    put32(3);
    put32(4);
    put32(4);
    put("cpu", 4);
    put32(11);
    put32(8);
    put("ibs_op\0", 8);
    put32(10);
    put32(12);
    put("ibs_fetch\0\0", 12);
    set64((size_t)at - 8, file.size - at - 12);
}

static enum perfdata_error next_sample(struct perfdata_reader *reader, struct perfdata_item *item)
{
    enum perfdata_error error;
    do {
        error = perfdata_next(reader, item);
    } while (error == PERFDATA_OK && item->kind == PERFDATA_ITEM_OTHER);
    return error;
}

TEST(test_fields_in_the_order_of_the_abi)
{
    const struct event events[] = {{11,
                                    PERFDATA_SAMPLE_IP | PERFDATA_SAMPLE_TID | PERFDATA_SAMPLE_TIME |
                                        PERFDATA_SAMPLE_ADDR | PERFDATA_SAMPLE_ID | PERFDATA_SAMPLE_STREAM_ID |
                                        PERFDATA_SAMPLE_CPU | PERFDATA_SAMPLE_PERIOD | PERFDATA_SAMPLE_CALLCHAIN |
                                        PERFDATA_SAMPLE_RAW,
                                    1000, 77}};
    struct perfdata_reader reader;
    struct perfdata_item item;
    begin(events, 1);
    size_t at = put_record(PERFDATA_RECORD_SAMPLE, 0);
    put64(0x1234); /* ip */
    put32(5);      /* pid, tid */
    put32(6);
    put64(99);     /* time */
    put64(0xabcd); /* addr */
    put64(77);     /* id */
    put64(77);     /* stream */
    put32(3);      /* cpu */
    put32(0);
    put64(1008); /* period */
    put64(2);    /* call chain */
    put64(0x1);
    put64(0x2);
    put32(4 + 9 * 8); /* raw data: one register more than Family 10h has */
    put32(0x7ff);
    for (uint64_t i = 0; i < 9; i++)
        put64(0x100 + i);
    put_record_end(at);
    end();
    assert_int_equal(perfdata_open(&reader, file.bytes, file.size), PERFDATA_OK);
    assert_string_equal(reader.arch, "x86_64");
    assert_null(reader.cpuid);
    assert_int_equal(next_sample(&reader, &item), PERFDATA_OK);
    assert_int_equal(item.kind, PERFDATA_ITEM_SAMPLE);
    assert_int_equal(item.ip, 0x1234);
    assert_int_equal(item.pid, 5);
    assert_int_equal(item.tid, 6);
    assert_int_equal(item.time, 99);
    assert_int_equal(item.addr, 0xabcd);
    assert_int_equal(item.cpu, 3);
    assert_int_equal(item.period, 1008);
    assert_int_equal(item.caps, 0x7ff);
    assert_int_equal(item.register_count, 9);
    for (unsigned i = 0; i < IBS_OP_REGS; i++)
        assert_int_equal(item.record.reg[i], 0x100 + i);
    assert_int_equal(next_sample(&reader, &item), PERFDATA_OK);
    assert_int_equal(item.kind, PERFDATA_ITEM_END);
}

/* Linux writes 7 and 3 registers on Family 10h, and an event may have no PERIOD. */
TEST(test_samples_of_linux)
{
    const uint64_t type = PERFDATA_SAMPLE_IDENTIFIER | PERFDATA_SAMPLE_IP | PERFDATA_SAMPLE_RAW;
    const struct event events[] = {{4, type, 1, 1}, {10, type, 65536, 2}, {11, type, 4096, 3}};
    struct perfdata_reader reader;
    struct perfdata_item item;
    begin(events, 3);
    for (uint64_t id = 1; id <= 3; id++) {
        size_t at = put_record(PERFDATA_RECORD_SAMPLE, 0);
        unsigned registers = id == 3 ? 7 : 3;
        put64(id);
        put64(0x1000 + id);
        put32(4 + 8 * registers);
        put32(7);
        for (unsigned i = 0; i < registers; i++)
            put64(id * 16 + i);
        put_record_end(at);
    }
    size_t lost = put_record(PERFDATA_RECORD_LOST_SAMPLES, 0);
    put64(12);
    put_record_end(lost);
    end();
    assert_int_equal(perfdata_open(&reader, file.bytes, file.size), PERFDATA_OK);
    assert_int_equal(next_sample(&reader, &item), PERFDATA_OK); /* the event of "cpu" */
    assert_int_equal(item.record.kind, SAMPLE_PMC);
    assert_int_equal(item.event, 0);
    assert_int_equal(item.record.reg[PMC_RIP], 0x1001);
    assert_int_equal(item.caps, 0);
    assert_int_equal(next_sample(&reader, &item), PERFDATA_OK);
    assert_int_equal(item.record.kind, SAMPLE_FETCH);
    assert_int_equal(item.period, 65536);
    assert_int_equal(item.record.reg[2], 34);
    assert_int_equal(next_sample(&reader, &item), PERFDATA_OK);
    assert_int_equal(item.record.kind, SAMPLE_OP);
    assert_int_equal(item.period, 4096);
    assert_int_equal(item.record.reg[6], 54);
    assert_int_equal(next_sample(&reader, &item), PERFDATA_OK);
    assert_int_equal(item.kind, PERFDATA_ITEM_LOST);
    assert_int_equal(item.lost, 12);
}

static void simple_file(void)
{
    const struct event events[] = {{11, PERFDATA_SAMPLE_IDENTIFIER | PERFDATA_SAMPLE_IP | PERFDATA_SAMPLE_RAW, 1, 1}};
    begin(events, 1);
    size_t at = put_record(PERFDATA_RECORD_SAMPLE, 0);
    put64(1);
    put64(0x1000);
    put32(4 + 8 * 7);
    put32(0x1f);
    for (unsigned i = 0; i < 7; i++)
        put64(i);
    put_record_end(at);
    end();
}

/* Where and why reading the last file failed. */
static uint64_t failed_at;
static const char *failed_why;

static enum perfdata_error read_all(size_t size)
{
    struct perfdata_reader reader;
    struct perfdata_item item;
    enum perfdata_error error = perfdata_open(&reader, file.bytes, size);
    do {
        failed_at = reader.error_at;
        failed_why = reader.why;
        if (error != PERFDATA_OK)
            return error;
        error = perfdata_next(&reader, &item);
    } while (error != PERFDATA_OK || item.kind != PERFDATA_ITEM_END);
    return error;
}

/* A file is readable only with all its events; from the first record on the reader returns the records that are there,
 * and then the error. */
TEST(test_every_truncation_is_an_error)
{
    enum { RECORD = HEADER + 8 + ENTRY, END = RECORD + 88 };
    simple_file();
    assert_int_equal(read_all(file.size), PERFDATA_OK);
    for (size_t size = 0; size < file.size; size++) {
        enum perfdata_error error = read_all(size);
        if (error != (size < 8 ? PERFDATA_NOT_PERFDATA : size < RECORD ? PERFDATA_TRUNCATED : PERFDATA_CUT))
            fail_msg("the first %zu of %zu bytes: %s", size, file.size, perfdata_error_text(error));
        if (size >= 8 && size < HEADER)
            assert_int_equal(failed_at, size);
        if (error == PERFDATA_CUT)
            assert_int_equal(failed_at, size < END ? RECORD : END);
    }
}

/* If a file was cut short, all whole records are read, and those features that are there. */
TEST(test_what_is_there_of_a_cut_file)
{
    enum { RECORD = HEADER + 8 + ENTRY, END = RECORD + 88, ARCH = END + 32 };
    simple_file();
    for (size_t size = RECORD; size <= file.size; size++) {
        struct perfdata_reader reader;
        struct perfdata_item item;
        assert_int_equal(perfdata_open(&reader, file.bytes, size), PERFDATA_OK);
        assert_int_equal(reader.cut, size < file.size);
        assert_int_equal(reader.end, size < END ? size : END);
        assert_int_equal(reader.features_missing, size == file.size ? 0 : size < ARCH + 12 ? 2 : 1);
        assert_int_equal(reader.arch != NULL, size >= ARCH + 12);
        assert_int_equal(reader.events[0].pmu_name != NULL, size == file.size);
        assert_int_equal(perfdata_next(&reader, &item), size < END ? PERFDATA_CUT : PERFDATA_OK);
        assert_int_equal(item.kind, size < END ? PERFDATA_ITEM_END : PERFDATA_ITEM_SAMPLE);
        assert_int_equal(reader.at, size < RECORD + 8 ? RECORD : END); /* or the place where the cut record would end */
    }
}

TEST(test_damage)
{
    enum { RECORD = HEADER + 8 + ENTRY, END = RECORD + 88 };
    static const struct {
        size_t at;
        uint64_t value;
        enum perfdata_error error;
        size_t about; /* offset of the byte that the error is about */
    } rows[] = {
        {0, 0x1122334455667788, PERFDATA_NOT_PERFDATA, 0},
        {0, 0x50455246494C4532, PERFDATA_UNSUPPORTED, 0}, /* "2ELIFREP": big-endian */
        {0, 0x454C494646524550, PERFDATA_UNSUPPORTED, 0}, /* "PERFFILE": the old format */
        {8, 16, PERFDATA_UNSUPPORTED, 8},                 /* piped */
        {16, 0, PERFDATA_DAMAGED, 16},                    /* size of an entry */
        {16, 79, PERFDATA_DAMAGED, 16},
        {16, 80, PERFDATA_DAMAGED, 16}, /* does not divide the section */
        {16, UINT64_MAX, PERFDATA_DAMAGED, 16},
        {ATTRS_AT, UINT64_MAX, PERFDATA_TRUNCATED, ATTRS_AT},
        {ATTRS_AT + 8, UINT64_MAX, PERFDATA_TRUNCATED, ATTRS_AT},
        {DATA_AT, UINT64_MAX - 4, PERFDATA_TRUNCATED, DATA_AT},
        {DATA_AT + 8, 1ull << 63, PERFDATA_DAMAGED, END}, /* bytes behind the records are no record */
        {FEATURES_AT, UINT64_MAX, PERFDATA_CUT, END},     /* 64 features, and two entries */
        {HEADER + 8 + 128, UINT64_MAX, PERFDATA_TRUNCATED, HEADER + 8 + 128},     /* place of the ids */
        {HEADER + 8 + 128 + 8, UINT64_MAX, PERFDATA_TRUNCATED, HEADER + 8 + 128}, /* their size */
        {HEADER + 8 + 128 + 8, 0, PERFDATA_OK, 0},                                /* no ids, and only one event */
        {HEADER, 2, PERFDATA_DAMAGED, RECORD},                                    /* another id */
        {HEADER + 8 + 24, PERFDATA_SAMPLE_IDENTIFIER | 1 << 25, PERFDATA_UNSUPPORTED, 24},
        {HEADER + 8 + 24, PERFDATA_SAMPLE_IDENTIFIER | PERFDATA_SAMPLE_IP | PERFDATA_SAMPLE_CALLCHAIN,
         PERFDATA_TRUNCATED, RECORD},
        {RECORD, 9, PERFDATA_DAMAGED, RECORD},                 /* size 0 */
        {RECORD, 9 | 7ull << 48, PERFDATA_DAMAGED, RECORD},    /* smaller than the record's header */
        {RECORD, 9 | 8ull << 48, PERFDATA_DAMAGED, RECORD},    /* no room for an id */
        {RECORD, 9 | 20ull << 48, PERFDATA_TRUNCATED, RECORD}, /* or for the address */
        {RECORD, 9 | 0xffffull << 48, PERFDATA_TRUNCATED, RECORD},
        {RECORD, 9 | 89ull << 48, PERFDATA_TRUNCATED, RECORD}, /* one byte over the end */
        {RECORD, 71 | 88ull << 48, PERFDATA_UNSUPPORTED, RECORD},
        {RECORD, 81 | 88ull << 48, PERFDATA_UNSUPPORTED, RECORD},
        {RECORD, 83 | 88ull << 48, PERFDATA_UNSUPPORTED, RECORD},
        {RECORD, 82 | 88ull << 48, PERFDATA_OK, 0},
        {RECORD, 70 | 88ull << 48, PERFDATA_OK, 0},
        {RECORD + 24, UINT64_MAX, PERFDATA_TRUNCATED, RECORD}, /* size of the raw data */
        {RECORD + 24, 0, PERFDATA_OK, 0},                      /* no registers: the sample has none */
        {RECORD + 24, 2, PERFDATA_OK, 0},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        simple_file();
        set64(rows[i].at, rows[i].value);
        if (read_all(file.size) != rows[i].error) {
            fail_msg("row %zu: %s, not %s", i, perfdata_error_text(read_all(file.size)),
                     perfdata_error_text(rows[i].error));
        }
        if (rows[i].error != PERFDATA_OK) {
            assert_int_equal(failed_at, rows[i].about);
            assert_int_equal(failed_why == NULL,
                             rows[i].error == PERFDATA_NOT_PERFDATA || rows[i].error == PERFDATA_CUT);
        }
    }
}

/* The records are too short for their types, or have impossible values. Each is cut after every byte. */
TEST(test_short_records)
{
    static const struct {
        uint16_t type, misc;
        size_t size; /* of the fields that the record must have; 0: any size will do */
        const char *fields;
        enum perfdata_error error;
    } rows[] = {
        {1, 0, 34, "11112222333333334444444455555555n", PERFDATA_TRUNCATED}, /* MMAP and a name */
        {10, 0, 66, "11112222333333334444444455555555aaaaaaaabbbbbbbbccccccccddddeeeen",
         PERFDATA_TRUNCATED},                                       /* MMAP2 */
        {3, 0, 10, "11112222n", PERFDATA_TRUNCATED},                /* COMM */
        {7, 0, 24, "111122223333444455555555", PERFDATA_TRUNCATED}, /* FORK */
        {4, 0, 24, "111122223333444455555555", PERFDATA_TRUNCATED}, /* EXIT */
        {2, 0, 16, "1111111122222222", PERFDATA_TRUNCATED},         /* LOST */
        {13, 0, 8, "11111111", PERFDATA_TRUNCATED},                 /* LOST_SAMPLES */
        {5, 0, 24, "111111112222222233333333", PERFDATA_TRUNCATED}, /* THROTTLE */
        {6, 0, 24, "111111112222222233333333", PERFDATA_TRUNCATED}, /* UNTHROTTLE */
        {68, 0, 0, "", PERFDATA_OK},
    };
    const struct event event = {11, PERFDATA_SAMPLE_IP, 1, 1};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        for (size_t size = 0; size <= rows[i].size; size++) {
            begin(&event, 1);
            size_t at = put_record(rows[i].type | (uint32_t)0, 0);
            put(rows[i].fields, size);
            put_record_end(at);
            end();
            enum perfdata_error wanted = size == rows[i].size ? PERFDATA_OK : rows[i].error;
            if (read_all(file.size) != wanted)
                fail_msg("type %u, %zu bytes: %s", rows[i].type, size, perfdata_error_text(read_all(file.size)));
            if (wanted != PERFDATA_OK) {
                assert_int_equal(failed_at, at);
                assert_non_null(failed_why);
            }
        }
    }
}

/* MMAP2 says its access rights and has a build-id of up to 20 bytes. MMAP is executable unless it maps data. */
TEST(test_maps)
{
    static const struct {
        uint16_t type, misc;
        uint8_t id_size;
        enum perfdata_error error;
        uint32_t protection;
    } rows[] = {
        {1, 2, 0, PERFDATA_OK, 5},
        {1, 2 | 1 << 13, 0, PERFDATA_OK, 1},
        {10, 2, 21, PERFDATA_OK, 7},
        {10, 2 | 1 << 14, 20, PERFDATA_OK, 7},
        {10, 2 | 1 << 14, 0, PERFDATA_OK, 7},
        {10, 2 | 1 << 14, 21, PERFDATA_DAMAGED, 0},
        {10, 2 | 1 << 14, 255, PERFDATA_DAMAGED, 0},
    };
    const struct event event = {11, PERFDATA_SAMPLE_IP, 1, 1};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct perfdata_reader reader;
        struct perfdata_item item;
        begin(&event, 1);
        size_t at = put_record(rows[i].type, 0);
        memcpy(file.bytes + at + 4, &rows[i].misc, 2);
        put32(3);
        put32(4);
        put64(0x1000);
        put64(0x2000);
        put64(0x3000);
        if (rows[i].type == 10) {
            put32(rows[i].id_size);
            put("abcdefghijklmnopqrst", 20);
            put32(7);
            put32(1);
        }
        put("/bin/x\0", 8);
        put_record_end(at);
        end();
        assert_int_equal(perfdata_open(&reader, file.bytes, file.size), PERFDATA_OK);
        assert_int_equal(perfdata_next(&reader, &item), rows[i].error);
        if (rows[i].error != PERFDATA_OK) {
            assert_int_equal(reader.error_at, at);
            continue;
        }
        assert_int_equal(item.kind, PERFDATA_ITEM_MAP);
        assert_int_equal(item.pid, 3);
        assert_int_equal(item.tid, 4);
        assert_int_equal(item.map.start, 0x1000);
        assert_int_equal(item.map.length, 0x2000);
        assert_int_equal(item.map.page_offset, 0x3000);
        assert_int_equal(item.map.protection, rows[i].protection);
        assert_int_equal(item.map.flags, rows[i].type == 10);
        assert_string_equal(item.map.name, "/bin/x");
        bool has_id = rows[i].misc >> 14 & 1;
        assert_int_equal(item.map.build_id != NULL, has_id);
        assert_int_equal(item.map.build_id_size, has_id ? rows[i].id_size : 0);
    }
}

/* Records are read at places from the first record to the end, and nowhere else. */
TEST(test_places_of_records)
{
    struct perfdata_reader reader;
    struct perfdata_item item;
    simple_file();
    assert_int_equal(perfdata_open(&reader, file.bytes, file.size), PERFDATA_OK);
    uint64_t begin_at = reader.begin, end_at = reader.end;
    assert_int_equal(perfdata_read_at(&reader, begin_at - 1, &item), PERFDATA_TRUNCATED);
    assert_int_equal(reader.error_at, begin_at - 1);
    assert_int_equal(item.kind, PERFDATA_ITEM_END);
    assert_int_equal(perfdata_read_at(&reader, begin_at, &item), PERFDATA_OK);
    assert_int_equal(item.at, begin_at);
    assert_int_equal(item.size, end_at - begin_at);
    assert_int_equal(item.raw_size, 4 + 8 * 7);
    assert_int_equal(reader.at, begin_at); /* the reader's place stays */
    assert_int_equal(perfdata_read_at(&reader, end_at, &item), PERFDATA_OK);
    assert_int_equal(item.kind, PERFDATA_ITEM_END);
    assert_int_equal(item.event, UINT32_MAX);
    for (uint64_t at = end_at - 7; at < end_at; at++) {
        uint32_t type, size;
        uint64_t time;
        assert_int_equal(perfdata_read_at(&reader, at, &item), PERFDATA_TRUNCATED);
        assert_int_equal(perfdata_peek(&reader, at, &type, &size, &time), PERFDATA_TRUNCATED);
    }
    assert_int_equal(perfdata_read_at(&reader, end_at + 1, &item), PERFDATA_TRUNCATED);
    assert_int_equal(perfdata_read_at(&reader, UINT64_MAX, &item), PERFDATA_TRUNCATED);
}

/* perf writes the size of the records when it ends. If it did not, all that follows the header's parts are records. */
TEST(test_recording_that_did_not_end)
{
    enum { RECORD = HEADER + 8 + ENTRY, END = RECORD + 88 };
    struct perfdata_reader reader;
    struct perfdata_item item;
    simple_file();
    set64(DATA_AT + 8, 0);
    assert_int_equal(perfdata_open(&reader, file.bytes, END), PERFDATA_OK);
    assert_int_equal(reader.end, END);
    assert_int_equal(reader.features_missing, 2);
    assert_int_equal(perfdata_next(&reader, &item), PERFDATA_OK);
    assert_int_equal(item.kind, PERFDATA_ITEM_SAMPLE);
    assert_int_equal(perfdata_next(&reader, &item), PERFDATA_CUT);
    /* The file ends within the first record's header. */
    assert_int_equal(perfdata_open(&reader, file.bytes, RECORD + 7), PERFDATA_OK);
    assert_int_equal(perfdata_next(&reader, &item), PERFDATA_CUT);
    /* Files without records: with features, or with nothing at all. */
    for (int features = 0; features < 2; features++) {
        const struct event event = {11, PERFDATA_SAMPLE_IP, 1, 1};
        begin(&event, 1);
        end();
        set64(FEATURES_AT + 8 * features, 0);
        assert_int_equal(perfdata_open(&reader, file.bytes, features ? file.size : RECORD), PERFDATA_OK);
        assert_int_equal(perfdata_next(&reader, &item), PERFDATA_OK);
        assert_int_equal(item.kind, PERFDATA_ITEM_END);
        assert_int_equal(reader.events[0].pmu_name != NULL, features);
    }
}

static enum perfdata_error first_record(void)
{
    struct perfdata_reader reader;
    struct perfdata_item item;
    assert_int_equal(perfdata_open(&reader, file.bytes, file.size), PERFDATA_OK);
    return perfdata_next(&reader, &item);
}

TEST(test_sizes_that_stay_within_the_file)
{
    enum { RECORD = HEADER + 8 + ENTRY };
    simple_file();
    assert_int_equal(first_record(), PERFDATA_OK);
    /* a record that reaches into the features behind the records */
    set64(RECORD, 9 | (uint64_t)(8 + 16 + 64 + 8) << 48);
    assert_int_equal(first_record(), PERFDATA_TRUNCATED);
    /* a call chain whose size in bytes is 0 in 64 bits */
    simple_file();
    set64(HEADER + 8 + 24, PERFDATA_SAMPLE_IDENTIFIER | PERFDATA_SAMPLE_IP | PERFDATA_SAMPLE_CALLCHAIN);
    set64(RECORD + 24, 1ull << 61);
    assert_int_equal(first_record(), PERFDATA_TRUNCATED);
}

TEST(test_too_many_events)
{
    struct event events[PERFDATA_EVENTS_MAX + 1] = {{0}};
    struct perfdata_reader reader;
    begin(events, PERFDATA_EVENTS_MAX);
    end();
    assert_int_equal(perfdata_open(&reader, file.bytes, file.size), PERFDATA_OK);
    assert_int_equal(perfdata_event_of_id(&reader, 1), -1); /* searched for in all events, and no further */
    begin(events, PERFDATA_EVENTS_MAX + 1);
    end();
    assert_int_equal(perfdata_open(&reader, file.bytes, file.size), PERFDATA_UNSUPPORTED);
}

/* The caller's memory has room for as many events as the header announces. */
TEST(test_many_events)
{
    enum { MANY = 200 };
    static struct event many[MANY];
    static struct perfdata_file_event events[MANY];
    static struct perfdata_layout layouts[MANY];
    struct perfdata_reader reader;

    for (unsigned i = 0; i < MANY; i++)
        many[i] = (struct event){11, PERFDATA_SAMPLE_IDENTIFIER | PERFDATA_SAMPLE_IP, 1 + i % 7, 1000 + i};
    begin(many, MANY);
    end();
    assert_int_equal(perfdata_announced(file.bytes, file.size), MANY);
    memset(events, 0xff, sizeof(events));
    assert_int_equal(perfdata_open_many(&reader, file.bytes, file.size, events, layouts, MANY), PERFDATA_OK);
    assert_int_equal(reader.event_count, MANY);
    assert_ptr_equal(reader.events, events);
    for (unsigned i = 0; i < MANY; i++) {
        assert_int_equal(events[i].period, 1 + i % 7);
        assert_true(layouts[i].ip > 0);
        assert_null(events[i].name);
        assert_int_equal(perfdata_event_of_id(&reader, 1000 + i), i);
    }
    assert_int_equal(perfdata_event_of_id(&reader, 1000 + MANY), -1);
    assert_int_equal(perfdata_open_many(&reader, file.bytes, file.size, events, layouts, MANY - 1),
                     PERFDATA_UNSUPPORTED);
}

/* The number of events in the header is compared with the size of the file. */
TEST(test_events_announced)
{
    simple_file();
    uint32_t announced = perfdata_announced(file.bytes, file.size);
    assert_true(announced > 0 && announced < 9);
    assert_int_equal(perfdata_announced(file.bytes, 39), 0);
    assert_int_equal(perfdata_announced(file.bytes, 0), 0);
    set64(16, 79); /* smaller than an attribute */
    assert_int_equal(perfdata_announced(file.bytes, file.size), 0);
    set64(16, 0);
    assert_int_equal(perfdata_announced(file.bytes, file.size), 0);
    set64(16, 80);
    set64(32, file.size);
    assert_int_equal(perfdata_announced(file.bytes, file.size), file.size / 80);
    set64(32, 80 * 1000000); /* the header of a larger file, and no more of it */
    assert_int_equal(perfdata_announced(file.bytes, 80 * 1000000), 1000000);
    set64(32, file.size + 1);
    assert_int_equal(perfdata_announced(file.bytes, file.size), 0);
    set64(32, UINT64_MAX);
    assert_int_equal(perfdata_announced(file.bytes, file.size), 0);
}

/* perf gives an event an id for each core. */
TEST(test_several_ids)
{
    const struct event events[] = {{11, PERFDATA_SAMPLE_IDENTIFIER, 1, 5},
                                   {11, PERFDATA_SAMPLE_IDENTIFIER, 1, 6},
                                   {11, PERFDATA_SAMPLE_IDENTIFIER, 1, 7}};
    struct perfdata_reader reader;
    begin(events, 3);
    set64(HEADER + 3 * 8 + 128 + 8, 16); /* the first event has two of them */
    set64(HEADER + 3 * 8 + ENTRY + 128, HEADER + 16);
    end();
    assert_int_equal(perfdata_open(&reader, file.bytes, file.size), PERFDATA_OK);
    assert_int_equal(perfdata_event_of_id(&reader, 5), 0);
    assert_int_equal(perfdata_event_of_id(&reader, 6), 0);
    assert_int_equal(perfdata_event_of_id(&reader, 7), 1);
    assert_int_equal(perfdata_event_of_id(&reader, 8), -1);
}

/* Events are found by ids that share one place in the cache, one after the other and repeatedly, and ids of no event as
 * well. */
TEST(test_ids_with_one_place)
{
    enum { IDS = 3 };
    struct event events[IDS];
    struct perfdata_reader reader;

    for (unsigned i = 0; i < IDS; i++)
        events[i] = (struct event){11, PERFDATA_SAMPLE_IDENTIFIER, 1, 5 + i * PERFDATA_ID_CACHE};
    begin(events, IDS);
    end();
    assert_int_equal(perfdata_open(&reader, file.bytes, file.size), PERFDATA_OK);
    for (unsigned n = 0; n < 3 * (IDS + 1); n++) {
        unsigned i = n * 3 % (IDS + 1); /* the last id belongs to no event */

        assert_int_equal(perfdata_event_of_id(&reader, 5 + i * PERFDATA_ID_CACHE), i < IDS ? (int)i : -1);
        assert_int_equal(perfdata_event_of_id(&reader, 5 + i * PERFDATA_ID_CACHE), i < IDS ? (int)i : -1);
    }
}

/* Each of a file's first eight characters counts. */
TEST(test_magic_numbers)
{
    static const struct {
        char text[9];
        enum perfdata_error error;
    } rows[] = {{"PERFILE2", PERFDATA_OK}, {"2ELIFREP", PERFDATA_UNSUPPORTED}, {"PERFFILE", PERFDATA_UNSUPPORTED}};
    struct perfdata_reader reader;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        simple_file();
        memcpy(file.bytes, rows[i].text, 8);
        assert_int_equal(perfdata_open(&reader, file.bytes, file.size), rows[i].error);
        for (unsigned at = 0; at < 8; at++) {
            memcpy(file.bytes, rows[i].text, 8);
            file.bytes[at] ^= 0x40;
            assert_int_equal(perfdata_open(&reader, file.bytes, file.size), PERFDATA_NOT_PERFDATA);
        }
    }
}

/* A feature sets its own fields and no others, whatever the feature contains. */
TEST(test_features_are_read_apart)
{
    static const unsigned bits[] = {
        PERFDATA_FEATURE_HOSTNAME,    PERFDATA_FEATURE_OSRELEASE,   PERFDATA_FEATURE_VERSION,
        PERFDATA_FEATURE_ARCH,        PERFDATA_FEATURE_CPUDESC,     PERFDATA_FEATURE_CPUID,
        PERFDATA_FEATURE_BUILD_ID,    PERFDATA_FEATURE_CMDLINE,     PERFDATA_FEATURE_NUMA_TOPOLOGY,
        PERFDATA_FEATURE_NRCPUS,      PERFDATA_FEATURE_SAMPLE_TIME, PERFDATA_FEATURE_EVENT_DESC,
        PERFDATA_FEATURE_PMU_MAPPINGS};
    enum { KINDS = sizeof(bits) / sizeof(bits[0]), WITH_FIELDS = KINDS - 2 };
    for (unsigned i = 0; i < KINDS; i++) {
        const struct event event = {0x636261, PERFDATA_SAMPLE_IP, 1,
                                    1}; /* the type of the feature is "abc", at the place where mappings have one */
        struct perfdata_reader reader;
        begin(&event, 1);
        set64(FEATURES_AT, 1ull << bits[i]);
        put64(file.size + 16);
        put64(64);
        for (unsigned n = 0; n < 8; n++) { /* strings of four bytes, or any numbers */
            put32(4);
            put("abc", 4);
        }
        assert_int_equal(perfdata_open(&reader, file.bytes, file.size), PERFDATA_OK);
        const bool is_set[WITH_FIELDS] = {reader.hostname,       reader.os_release,   reader.version,
                                          reader.arch,           reader.cpu_name,     reader.cpuid,
                                          reader.build_ids.size, reader.command.size, reader.nodes.size,
                                          reader.cpus_available, reader.first_time};
        for (unsigned field = 0; field < WITH_FIELDS; field++)
            if (is_set[field] != (field == i))
                fail_msg("feature %u: field %u", bits[i], field);
        assert_int_equal(reader.events[0].pmu_name != NULL, bits[i] == PERFDATA_FEATURE_PMU_MAPPINGS);
    }
}

/* Without any event the format of samples is unknown. */
TEST(test_sample_without_events)
{
    struct perfdata_reader reader;
    struct perfdata_item item;
    begin(NULL, 0);
    size_t at = put_record(PERFDATA_RECORD_SAMPLE, 0);
    put64(0x1000);
    put_record_end(at);
    end();
    assert_int_equal(perfdata_open(&reader, file.bytes, file.size), PERFDATA_OK);
    assert_int_equal(perfdata_next(&reader, &item), PERFDATA_DAMAGED);
    assert_int_equal(reader.error_at, at);
}

TEST(test_error_texts)
{
    static const char *const texts[] = {
        "no error",
        "not a perf.data file",
        "the file ends too early, or a part of it reaches over its end",
        "the file is damaged: a field has an impossible value",
        "the file was cut short",
        "piped, compressed or AUX data, or too many events",
    };
    for (enum perfdata_error error = PERFDATA_OK; error <= PERFDATA_UNSUPPORTED; error++)
        assert_string_equal(perfdata_error_text(error), texts[error]);
}

RUN_TESTS(NULL, NULL)
