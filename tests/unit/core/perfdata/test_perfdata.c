/* SPDX-License-Identifier: BSD-2-Clause */
/* The perf.data writer, read back: sizes, order, times, periods, what is left out, and Family 10h's data source. */
#include <string.h>

#include "core/family/ibs_regs.h"
#include "core/perfdata/perfdata.h"
#include "core/perfdata/perfdata_format.h"
#include "core/perfdata/perfdata_read.h"
#include "tests/unit/core/check.h"

struct file {
    uint8_t bytes[64 * 1024];
    size_t size;
    size_t calls;
    size_t largest;
    size_t fail_at; /* the call that fails, counted from 1; 0 = none */
};

static int append(void *context, const void *data, size_t size)
{
    struct file *file = context;
    file->calls++;
    file->largest = size > file->largest ? size : file->largest;
    if (file->calls == file->fail_at)
        return -42;
    assert_true(size <= sizeof(file->bytes) - file->size);
    memcpy(file->bytes + file->size, data, size);
    file->size += size;
    return 0;
}

static struct ibs_machine machine; /* the machine in info() */

static const uint8_t build_id[20] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20};

static struct perfdata_info info(void)
{
    return (struct perfdata_info){
        .vendor = "AuthenticAMD",
        .cpu_name = "AMD Phenom(tm) II X6 1055T Processor",
        .family = 16,
        .model = 10,
        .caps = 0x1f,
        .cores = 6,
        .tsc_khz = 2000000,
        .tsc0 = 1000,
        .image_base = 0x7E000000,
        .text_rva = 0x1000,
        .text_size = 0x2000,
        .text_offset = 0x1000,
        .build_id = build_id,
        .elf_name = "ibsboot.elf",
        .version = "1",
        .command = "rows=1",
        .comm = "matmul-classic",
        .event = {{.sampled = true, .variant = true, .period = 65536},
                  {.sampled = true, .variant = true, .period = 4096}},
    };
}

static const struct sample_record records[] = {
    {.tsc = 3000,
     .kind = SAMPLE_OP,
     .cpu = 2,
     .reg = {0x1234560006186a, 0x7E001040, 0x780005, 3, 0xd500160081 | 1ull << 17, 0x4a62e0, 0x14a62e0}},
    {.tsc = 2001, .kind = SAMPLE_FETCH, .cpu = 1, .reg = {0x0217001200340100, 0x7E001021, 0x5000}},
    {.tsc = 9000, .kind = 7},                                                         /* no such kind */
    {.tsc = 500, .kind = SAMPLE_OP, .reg = {0x60009, 0x7E001044, 0, 0, 1, 0x4a62e0}}, /* IbsDcLinAd is not valid */
};
enum { RECORDS = sizeof(records) / sizeof(records[0]) };

static struct file file;

static void write_file(const struct perfdata_info *with, size_t count)
{
    memset(&file, 0, sizeof(file));
    assert_int_equal(perfdata_write(with, records, count, append, &file), 0);
}

/* The count limits the records: what follows them in memory is neither in the file nor in its span of time. */
static void test_records_end(void **state)
{
    static struct file one;
    struct perfdata_info with = info();
    struct sample_record more[3] = {records[0], records[1], records[0]};

    more[2].tsc = 1ull << 40;
    assert_int_equal(perfdata_write(&with, more, 2, append, &one), 0);
    more[2].tsc = 0;
    more[2].kind = SAMPLE_FETCH;
    memset(&file, 0, sizeof(file));
    assert_int_equal(perfdata_write(&with, more, 2, append, &file), 0);
    assert_int_equal(file.size, one.size);
    assert_memory_equal(file.bytes, one.bytes, one.size);
}

static struct perfdata_item item_of(struct perfdata_reader *reader, enum perfdata_item_kind kind)
{
    struct perfdata_item item;
    do {
        assert_int_equal(perfdata_next(reader, &item), PERFDATA_OK);
    } while (item.kind == PERFDATA_ITEM_COMM || item.kind == PERFDATA_ITEM_MAP);
    assert_int_equal(item.kind, kind);
    return item;
}

/* Own code's pieces are mapped after the image, each with the build-id of their file. */
static void map_own_code(unsigned pieces)
{
    static const uint8_t id[20] = {9, 8, 7};
    const struct perfdata_code code[] = {{"own.elf", id, 0x404000001000, 0x120, 0x1000},
                                         {"own.elf", pieces > 1 ? id : build_id, 0x404000003000, 0x40, 0x2f00}};
    struct perfdata_info with = info();
    struct perfdata_reader reader;
    struct perfdata_item item;
    unsigned maps = 0;

    with.code = code;
    with.code_count = pieces;
    write_file(&with, RECORDS);
    assert_int_equal(perfdata_open(&reader, file.bytes, file.size), PERFDATA_OK);
    while (perfdata_next(&reader, &item) == PERFDATA_OK && item.kind != PERFDATA_ITEM_SAMPLE) {
        if (item.kind != PERFDATA_ITEM_MAP)
            continue;
        assert_int_equal(item.map.start, maps ? code[maps - 1].address : 0x7E001000);
        assert_int_equal(item.map.length, maps ? code[maps - 1].size : 0x2000);
        assert_int_equal(item.map.page_offset, maps ? code[maps - 1].offset : 0x1000);
        assert_string_equal(item.map.name, maps ? "own.elf" : "ibsboot.elf");
        assert_int_equal(item.map.build_id_size, 20);
        assert_memory_equal(item.map.build_id, maps ? id : build_id, 20);
        maps++;
    }
    assert_int_equal(maps, pieces + 1);
    maps = 0;
    for (size_t i = 0; i + 20 <= file.size; i++)
        maps += memcmp(file.bytes + i, id, 20) == 0;
    assert_int_equal(maps, pieces + 1); /* and in the list of build-ids */
}

static void test_own_code_is_mapped(void **state)
{
    map_own_code(1);
    map_own_code(2);
}

static void test_what_is_written_is_read_back(void **state)
{
    struct perfdata_info with = info();
    struct perfdata_reader reader;
    struct perfdata_item item;

    write_file(&with, RECORDS);
    assert_int_equal(perfdata_open(&reader, file.bytes, file.size), PERFDATA_OK);
    assert_string_equal(reader.arch, "x86_64");
    assert_string_equal(reader.cpuid, "AuthenticAMD,16,10,0");
    assert_int_equal(reader.event_count, 2);
    assert_int_equal(reader.events[0].pmu, PERFDATA_PMU_IBS_OP);
    assert_int_equal(reader.events[0].config, 1 << 19);
    assert_int_equal(reader.events[0].period, 4096);
    assert_int_equal(reader.events[1].pmu, PERFDATA_PMU_IBS_FETCH);
    assert_int_equal(reader.events[1].config, 1ull << 57);

    item = item_of(&reader, PERFDATA_ITEM_SAMPLE);
    assert_int_equal(item.record.kind, SAMPLE_OP);
    assert_int_equal(item.time, 1000); /* 2000 ticks at 2 GHz */
    assert_int_equal(item.ip, 0x7E001040);
    assert_int_equal(item.addr, 0x4a62e0);
    assert_int_equal(item.cpu, 2);
    assert_int_equal(item.record.cpu, 2);
    assert_int_equal(item.record.tsc, item.time);
    assert_int_equal(item.period, 4096);
    assert_int_equal(item.caps, 0x1f);
    assert_int_equal(item.register_count, IBS_OP_REGS + 1); /* the zero that perf expects */
    assert_memory_equal(item.record.reg, records[0].reg, sizeof(records[0].reg));
    assert_int_equal(item.weight, 0xd5);  /* a load that missed: IbsDcMissLat */
    assert_int_equal(item.weight2, 0x78); /* IbsTagToRetCtr */
    assert_int_equal(item.weight3, 0);
    assert_int_equal(item.data_src, perfdata_data_src(&machine, &records[0]));

    item = item_of(&reader, PERFDATA_ITEM_SAMPLE);
    assert_int_equal(item.record.kind, SAMPLE_FETCH);
    assert_int_equal(item.time, 500); /* rounded down */
    assert_int_equal(item.ip, 0x7E001021);
    assert_int_equal(item.period, 65536);
    assert_int_equal(item.register_count, IBS_FETCH_REGS + 1);
    assert_memory_equal(item.record.reg, records[1].reg, sizeof(records[1].reg));

    item = item_of(&reader, PERFDATA_ITEM_SAMPLE); /* the record of no known kind is left out */
    assert_int_equal(item.ip, 0x7E001044);
    assert_int_equal(item.time, 0); /* the sample's time is before tsc0 */
    assert_int_equal(item.addr, 0); /* not valid */
    item_of(&reader, PERFDATA_ITEM_END);
    /* The span covers all samples in the file, whatever their order: here the earliest is the last, the latest the
     * first. */
    assert_int_equal(reader.first_time, 0);
    assert_int_equal(reader.last_time, 1000);
}

/* WEIGHT is the latency of a load that missed; for all other samples IbsDcMissLat means nothing. */
static void test_weight_of_load_misses_alone(void **state)
{
    static const struct {
        uint64_t data3;
        uint32_t weight;
    } rows[] = {
        {IBS_LD_OP | IBS_DC_MISS, 200},
        {IBS_LD_OP | IBS_ST_OP | IBS_DC_MISS, 200},
        {IBS_LD_OP, 0},
        {IBS_ST_OP | IBS_DC_MISS, 0},
        {IBS_DC_MISS, 0},
    };
    struct perfdata_info with = info();
    struct perfdata_reader reader;

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct sample_record record = records[0];
        record.reg[IBS_OP_DATA3] = rows[i].data3 | 200ull << 32;
        memset(&file, 0, sizeof(file));
        assert_int_equal(perfdata_write(&with, &record, 1, append, &file), 0);
        assert_int_equal(perfdata_open(&reader, file.bytes, file.size), PERFDATA_OK);
        assert_int_equal(item_of(&reader, PERFDATA_ITEM_SAMPLE).weight, rows[i].weight);
    }
}

/* With call chains each sample has one: the address that the NMI interrupted, and the return addresses. */
static void test_call_chains(void **state)
{
    static struct sample_stack stacks[RECORDS];
    struct perfdata_info with = info();
    struct perfdata_reader reader;
    unsigned samples = 0;

    for (unsigned i = 0; i < RECORDS; i++) {
        stacks[i] = (struct sample_stack){.rip = 0x7E001100 + i, .depth = 3 * i};
        for (unsigned k = 0; k < 3 * i; k++)
            stacks[i].address[k] = 0x7E001200 + 0x10 * i + k;
    }
    with.stacks = stacks;
    write_file(&with, RECORDS);
    assert_int_equal(perfdata_open(&reader, file.bytes, file.size), PERFDATA_OK);
    for (unsigned i = 0; i < RECORDS; i++) {
        uint64_t words[2 + SAMPLE_STACK_MAX];

        if (records[i].kind > SAMPLE_OP && records[i].kind != SAMPLE_FETCH)
            continue;
        struct perfdata_item item = item_of(&reader, PERFDATA_ITEM_SAMPLE);
        assert_int_equal(item.callchain_count, 2 + 3 * i);
        memcpy(words, item.callchain, 8 * item.callchain_count);
        assert_true(words[0] == PERFDATA_CONTEXT_USER);
        assert_int_equal(words[1], 0x7E001100 + i);
        assert_memory_equal(words + 2, stacks[i].address, 24 * i);
        samples++;
    }
    assert_int_equal(samples, 3);
    (void)item_of(&reader, PERFDATA_ITEM_END);
}

/* With branch stacks each sample has one, with the recorded branches, between raw data and weight; a call chain comes
 * before the raw data, if there is one. Flags by number: struct perf_branch_entry. */
static void test_branch_stacks(void **state)
{
    static struct sample_branches branches[RECORDS];
    static struct sample_stack stacks[RECORDS];

    for (unsigned i = 0; i < RECORDS; i++) {
        branches[i].entry[1].from = 1ull << 63 | (0x7E001100 + i);
        branches[i].entry[1].to = 3ull << 62 | 0x7E001200;
        branches[i].entry[3].from = 0x7E001300;
        branches[i].entry[3].to = 1ull << 62 | 0x7E001400;
    }
    for (unsigned chains = 0; chains < 2; chains++) {
        struct perfdata_info with = info();
        struct perfdata_reader reader;

        with.branches = branches;
        with.stacks = chains ? stacks : NULL;
        write_file(&with, RECORDS);
        assert_int_equal(perfdata_open(&reader, file.bytes, file.size), PERFDATA_OK);
        assert_int_equal(reader.events[0].branch_sample_type, 1 << 3 | 1 << 0);
        assert_true(reader.features[0] >> 15 & 1); /* HEADER_BRANCH_STACK, without which perf report has no history */
        for (unsigned i = 0; i < RECORDS; i++) {
            uint64_t words[6];

            if (records[i].kind > SAMPLE_OP && records[i].kind != SAMPLE_FETCH)
                continue;
            struct perfdata_item item = item_of(&reader, PERFDATA_ITEM_SAMPLE);
            assert_int_equal(item.branch_count, 2);
            memcpy(words, item.branches, sizeof(words));
            assert_int_equal(words[2], 1 << 0 | 3 << 24);
            assert_int_equal(words[5], 1 << 1 | 1 << 24);
            struct branch_record first = perfdata_branch(&item, 0), last = perfdata_branch(&item, 1);
            assert_int_equal(first.from, 0x7E001100 + i);
            assert_int_equal(first.to, 0x7E001200);
            assert_true(first.told && first.mispredicted && first.how == BRANCH_SPECULATIVE);
            assert_int_equal(last.to, 0x7E001400);
            assert_true(last.told && !last.mispredicted && last.how == BRANCH_WRONG_PATH);
            assert_int_equal(item.callchain_count, chains ? 2 : 0);
            assert_memory_equal(item.record.reg, records[i].reg, sizeof(uint64_t) * 3);
        }
        (void)item_of(&reader, PERFDATA_ITEM_END);
    }
    struct perfdata_reader reader;
    struct perfdata_info without = info(), bare = info();
    bare.branches = branches;
    bare.branches_bare = true;
    write_file(&bare, RECORDS);
    assert_int_equal(perfdata_open(&reader, file.bytes, file.size), PERFDATA_OK);
    struct perfdata_item item = item_of(&reader, PERFDATA_ITEM_SAMPLE);
    uint64_t flags;
    memcpy(&flags, item.branches + 16, sizeof(flags));
    assert_int_equal(flags, 0);
    assert_false(perfdata_branch(&item, 0).told);
    write_file(&without, RECORDS);
    assert_int_equal(perfdata_open(&reader, file.bytes, file.size), PERFDATA_OK);
    assert_int_equal(reader.events[0].branch_sample_type, 0);
    assert_false(reader.features[0] >> 15 & 1);
    assert_int_equal(item_of(&reader, PERFDATA_ITEM_SAMPLE).branch_count, 0);
}

static void test_program_comes_before_samples(void **state)
{
    struct perfdata_info with = info();
    struct perfdata_reader reader;
    struct perfdata_item item;

    with.comm = "a name longer than perf takes";
    write_file(&with, RECORDS);
    assert_int_equal(perfdata_open(&reader, file.bytes, file.size), PERFDATA_OK);
    const uint8_t *record = file.bytes + reader.at;
    assert_int_equal(perfdata_next(&reader, &item), PERFDATA_OK);
    assert_int_equal(item.type, PERFDATA_RECORD_COMM);
    assert_string_equal((const char *)record + 16, "a name longer t");
    record = file.bytes + reader.at;
    assert_int_equal(perfdata_next(&reader, &item), PERFDATA_OK);
    assert_int_equal(item.type, PERFDATA_RECORD_MMAP2);
    uint64_t words[3];
    memcpy(words, record + 16, sizeof(words));
    assert_int_equal(words[0], 0x7E001000);
    assert_int_equal(words[1], 0x2000);
    assert_int_equal(words[2], 0x1000);
    assert_int_equal(record[40], 20);
    assert_memory_equal(record + 44, build_id, 20);
    assert_string_equal((const char *)record + 72, "ibsboot.elf");
}

static uint64_t word(size_t at)
{
    uint64_t value;
    memcpy(&value, file.bytes + at, sizeof(value));
    return value;
}

/* The words that our reader ignores but perf uses, one by one: struct perf_file_header, struct perf_event_attr. */
static void test_header_and_attributes(void **state)
{
    struct perfdata_info with = info();
    struct perfdata_reader reader;

    with.event[SAMPLE_OP].variant = false;
    write_file(&with, RECORDS);
    assert_int_equal(perfdata_open(&reader, file.bytes, file.size), PERFDATA_OK);
    assert_memory_equal(file.bytes, "PERFILE2", 8);
    assert_int_equal(word(8), 104);
    assert_int_equal(word(16), 112 + 16);
    assert_int_equal(word(24), 104 + 2 * 8);
    assert_int_equal(word(32), 2 * (112 + 16));
    assert_int_equal(word(40), 104 + 2 * 8 + 2 * (112 + 16));
    assert_int_equal(word(40) + word(48), reader.end);
    assert_int_equal(word(56) | word(64), 0); /* event types: none */
    /* Features: build-id, hostname .. cpuid, cmdline, event descriptions, PMU mappings, sample time. */
    assert_int_equal(word(72), 0x3FC | 1 << 11 | 1 << 12 | 1 << 16 | 1 << 21);
    assert_int_equal(word(80) | word(88) | word(96), 0);
    for (unsigned i = 0; i < 2; i++) {
        const size_t attr = word(24) + i * (112 + 16);
        uint64_t fields = 1 << 16 | 1 << 0 | 1 << 1 | 1 << 2 | 1 << 7 | 1 << 8 | 1 << 10;

        assert_int_equal(word(attr), (i ? 10ull : 11ull) | 112ull << 32);
        assert_int_equal(word(attr + 8), i ? 1ull << 57 : 0);
        assert_int_equal(word(attr + 16), i ? 65536 : 4096);
        assert_int_equal(word(attr + 24), i ? fields : fields | 1 << 3 | 1 << 15 | 1 << 24);
        assert_int_equal(word(attr + 32), 0); /* read_format */
        /* exclude_kernel, mmap, comm, sample_id_all, mmap2, comm_exec */
        assert_int_equal(word(attr + 40), 1 << 5 | 1 << 8 | 1 << 9 | 1 << 18 | 1 << 23 | 1 << 24);
        for (size_t rest = 48; rest < 112; rest += 8)
            assert_int_equal(word(attr + rest), 0);
        assert_int_equal(word(attr + 112), 104 + 8 * i); /* the place of its id, the size, and the id itself */
        assert_int_equal(word(attr + 120), 8);
        assert_int_equal(word(104 + 8 * i), i ? 2 : 1);
    }
}

/* The records of the process and its code: misc, pid, tid, names filled up with zeros, and the identity at the end. */
static void test_records_of_the_program(void **state)
{
    struct perfdata_info with = info();

    for (unsigned has_id = 0; has_id < 2; has_id++) {
        with.build_id = has_id ? build_id : NULL;
        with.comm = "1234567"; /* eight bytes with its NUL */
        write_file(&with, RECORDS);
        size_t at = word(40);
        assert_int_equal(word(at), 3 | (uint64_t)(2 | 1 << 13) << 32 | (uint64_t)(16 + 8 + 32) << 48); /* COMM, exec */
        assert_int_equal(word(at + 8), 1 | 1ull << 32);
        assert_memory_equal(file.bytes + at + 16, "1234567", 8);
        for (unsigned trailer = 0; trailer < 2; trailer++) {
            at += trailer ? 72 + 16 + 32 : 16 + 8 + 32;
            assert_int_equal(word(at - 32), 1 | 1ull << 32); /* pid, tid */
            assert_int_equal(word(at - 24), 0);              /* time */
            assert_int_equal(word(at - 16), 0);              /* core */
            assert_int_equal(word(at - 8), 1);               /* id: the first event's */
            if (trailer == 0) {                              /* MMAP2 */
                assert_int_equal(word(at), 10 | (uint64_t)(2 | has_id << 14) << 32 | (uint64_t)(72 + 16 + 32) << 48);
                assert_int_equal(word(at + 8), 1 | 1ull << 32);
                assert_int_equal(word(at + 40) & 0xFFFFFFFF, has_id ? 20 : 0);
                if (!has_id)
                    assert_int_equal(word(at + 40) | word(at + 48) | word(at + 56), 0);
                assert_int_equal(word(at + 64), 5 | 2ull << 32); /* read and execute, private */
                assert_memory_equal(file.bytes + at + 72, "ibsboot.elf\0\0\0\0", 16);
            }
        }
        /* The first sample, of an op: misc says user mode and that the address is exact. */
        assert_int_equal(word(at), 9 | (uint64_t)(2 | 1 << 14) << 32 | (uint64_t)(8 + 56 + 4 + 68 + 16) << 48);
        const uint64_t fields[] = {1, 0x7E001040, 1 | 1ull << 32, 1000, 0x4a62e0, 2, 4096, 68 | 0x1full << 32};
        for (unsigned i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
            assert_int_equal(word(at + 8 + 8 * i), fields[i]);
        assert_memory_equal(file.bytes + at + 72, records[0].reg, 7 * 8);
        assert_int_equal(word(at + 72 + 7 * 8), 0);                    /* the register that perf looks for */
        assert_int_equal(word(at + 72 + 8 * 8), 0xd5 | 0x78ull << 32); /* weight */
    }
}

static void test_only_what_was_sampled(void **state)
{
    struct perfdata_info with = info();
    struct perfdata_reader reader;

    with.event[SAMPLE_FETCH].sampled = false;
    with.build_id = NULL;
    with.event[SAMPLE_OP].variant = false;
    write_file(&with, RECORDS);
    assert_int_equal(perfdata_open(&reader, file.bytes, file.size), PERFDATA_OK);
    assert_int_equal(reader.event_count, 1);
    assert_int_equal(reader.events[0].config, 0);
    assert_int_equal(item_of(&reader, PERFDATA_ITEM_SAMPLE).ip, 0x7E001040);
    assert_int_equal(item_of(&reader, PERFDATA_ITEM_SAMPLE).ip, 0x7E001044);
    item_of(&reader, PERFDATA_ITEM_END);
    assert_int_equal(reader.features[0] >> PERFDATA_FEATURE_BUILD_ID & 1, 0);
}

static void test_period_without_a_mean(void **state)
{
    struct perfdata_info with = info();
    struct perfdata_reader reader;

    with.event[SAMPLE_OP].period = 0;
    with.event[SAMPLE_FETCH].period = 0;
    write_file(&with, RECORDS);
    assert_int_equal(perfdata_open(&reader, file.bytes, file.size), PERFDATA_OK);
    assert_int_equal(item_of(&reader, PERFDATA_ITEM_SAMPLE).period, 0x186a0);
    assert_int_equal(item_of(&reader, PERFDATA_ITEM_SAMPLE).period, 0x1000);
    assert_int_equal(item_of(&reader, PERFDATA_ITEM_SAMPLE).period, 0x90);
}

static void test_lost(void **state)
{
    struct perfdata_info with = info();
    struct perfdata_reader reader;

    with.event[SAMPLE_OP].lost = 3;
    with.event[SAMPLE_FETCH].lost = 1ull << 40;
    write_file(&with, 0);
    assert_int_equal(perfdata_open(&reader, file.bytes, file.size), PERFDATA_OK);
    assert_int_equal(item_of(&reader, PERFDATA_ITEM_LOST).lost, 3);
    assert_int_equal(item_of(&reader, PERFDATA_ITEM_LOST).lost, 1ull << 40);
    item_of(&reader, PERFDATA_ITEM_END);

    /* Losses are reported at the end, with the time of the latest sample, wherever that sample is in memory. */
    write_file(&with, RECORDS);
    assert_int_equal(perfdata_open(&reader, file.bytes, file.size), PERFDATA_OK);
    for (unsigned i = 0; i < 3; i++)
        item_of(&reader, PERFDATA_ITEM_SAMPLE);
    for (unsigned i = 0; i < 2; i++) {
        struct perfdata_item item = item_of(&reader, PERFDATA_ITEM_LOST);
        assert_int_equal(item.time, 1000);
        assert_int_equal(item.event, i);
    }
    item_of(&reader, PERFDATA_ITEM_END);
}

static void test_every_write_error_is_reported(void **state)
{
    struct perfdata_info with = info();
    static struct sample_record many[200];
    for (size_t i = 0; i < 200; i++)
        many[i] = records[0];
    memset(&file, 0, sizeof(file));
    assert_int_equal(perfdata_write(&with, many, 200, append, &file), 0);
    size_t calls = file.calls, size = file.size;
    assert_true(calls > 3);
    assert_int_equal(file.largest, PERFDATA_PIECE);
    for (size_t i = 1; i <= calls; i++) {
        memset(&file, 0, sizeof(file));
        file.fail_at = i;
        assert_int_equal(perfdata_write(&with, many, 200, append, &file), -42);
        assert_int_equal(file.calls, i); /* no call after the failure */
        assert_true(file.size < size);
    }
}

static void test_time(void **state)
{
    struct perfdata_info with = info();
    static const struct {
        uint32_t khz;
        uint64_t ticks;
        uint64_t ns;
    } rows[] = {
        {1000000, 0, 0},
        {0, 12345, 12345}, /* not known */
        {1000000, 1, 1},
        {3000000, 2, 0}, /* rounded down */
        {3000000, 3, 1},
        {2812345, 2812345000, 1000000000},
        {2000003, 2 * 2000003 - 1, 1999999},                                 /* 1999999.5 */
        {3000000, 3000000000ull * 86400 * 365, 1000000000ull * 86400 * 365}, /* a year */
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        with.tsc_khz = rows[i].khz;
        assert_int_equal(perfdata_time(&with, with.tsc0 + rows[i].ticks), rows[i].ns);
    }
    assert_int_equal(perfdata_time(&with, with.tsc0 - 1), 0);
}

#define OP(value)         ((uint64_t)PERFDATA_MEM_OP_##value << PERFDATA_MEM_OP)
#define HIT(value)        ((uint64_t)(PERFDATA_MEM_LVL_##value | PERFDATA_MEM_LVL_HIT) << PERFDATA_MEM_LVL)
#define NUM(value)        ((uint64_t)PERFDATA_MEM_LVLNUM_##value << PERFDATA_MEM_LVLNUM)
#define SNOOP(value)      ((uint64_t)PERFDATA_MEM_SNOOP_##value << PERFDATA_MEM_SNOOP)
#define TLB(level, value) ((uint64_t)(PERFDATA_MEM_TLB_##value | PERFDATA_MEM_TLB_L##level) << PERFDATA_MEM_TLB)
#define NO_TLB            ((uint64_t)PERFDATA_MEM_TLB_NA << PERFDATA_MEM_TLB)
#define LOCKED            ((uint64_t)PERFDATA_MEM_LOCK_LOCKED << PERFDATA_MEM_LOCK)
#define BLK(value)        ((uint64_t)PERFDATA_MEM_BLK_##value << PERFDATA_MEM_BLK)
#define FAR               (1ull << PERFDATA_MEM_REMOTE)
#define NEIGHBOUR         ((uint64_t)PERFDATA_MEM_HOPS_0 << PERFDATA_MEM_HOPS)

static void test_data_source(void **state)
{
    enum { LOAD = IBS_LD_OP, MISS = IBS_DC_MISS };
    static const struct {
        uint64_t data2, data3, source;
    } rows[] = {
        {0, LOAD, OP(LOAD) | HIT(L1) | NUM(L1) | SNOOP(NA) | NO_TLB},
        {0, IBS_ST_OP, OP(STORE) | HIT(L1) | NUM(L1) | SNOOP(NA) | NO_TLB},
        {0, LOAD | IBS_ST_OP, OP(LOAD) | OP(STORE) | HIT(L1) | NUM(L1) | SNOOP(NA) | NO_TLB},
        /* a miss that the northbridge does not know of: L2, or a buffer that another miss holds */
        {0, LOAD | MISS, OP(LOAD) | HIT(L2) | NUM(L2) | SNOOP(NA) | NO_TLB},
        {0, LOAD | MISS | IBS_DC_MAB_HIT, OP(LOAD) | HIT(LFB) | NUM(LFB) | SNOOP(NA) | NO_TLB},
        /* the northbridge's answers, near and far */
        {1, LOAD | MISS, OP(LOAD) | HIT(L3) | NUM(L3) | SNOOP(NA) | NO_TLB},
        {0x11, LOAD | MISS, OP(LOAD) | HIT(REM_CCE2) | NUM(ANY_CACHE) | FAR | SNOOP(NA) | NO_TLB},
        {2, LOAD | MISS, OP(LOAD) | HIT(L3) | HIT(REM_CCE1) | NUM(ANY_CACHE) | NEIGHBOUR | SNOOP(HITM) | NO_TLB},
        {0x32, LOAD | MISS, OP(LOAD) | HIT(REM_CCE2) | NUM(ANY_CACHE) | FAR | SNOOP(HIT) | NO_TLB},
        {3, LOAD | MISS | IBS_DC_MAB_HIT, OP(LOAD) | HIT(LOC_RAM) | NUM(RAM) | SNOOP(NA) | NO_TLB},
        {0x13, LOAD | MISS, OP(LOAD) | HIT(REM_RAM1) | NUM(RAM) | FAR | SNOOP(NA) | NO_TLB},
        {7, LOAD | MISS | IBS_DC_UC_MEM_ACC, OP(LOAD) | HIT(IO) | NUM(NA) | SNOOP(NA) | NO_TLB},
        {0, LOAD | IBS_DC_UC_MEM_ACC, OP(LOAD) | HIT(UNC) | NUM(NA) | SNOOP(NA) | NO_TLB},
        /* bit 20 is reserved here: Linux' decoder would say L2 or not by it */
        {3, LOAD | MISS | 1 << 20, OP(LOAD) | HIT(LOC_RAM) | NUM(RAM) | SNOOP(NA) | NO_TLB},
        /* a store's miss has no answer */
        {3, IBS_ST_OP | MISS,
         OP(STORE) | (uint64_t)(PERFDATA_MEM_LVL_MISS | PERFDATA_MEM_LVL_L1) << PERFDATA_MEM_LVL | NUM(NA) | SNOOP(NA) |
             NO_TLB},
        /* DTLB */
        {0, LOAD | IBS_DC_LIN_ADDR_VALID, OP(LOAD) | HIT(L1) | NUM(L1) | SNOOP(NA) | TLB(1, HIT)},
        {0, LOAD | IBS_DC_LIN_ADDR_VALID | IBS_DC_L1TLB_MISS, OP(LOAD) | HIT(L1) | NUM(L1) | SNOOP(NA) | TLB(2, HIT)},
        {0, LOAD | IBS_DC_LIN_ADDR_VALID | IBS_DC_L1TLB_MISS | IBS_DC_L2TLB_MISS,
         OP(LOAD) | HIT(L1) | NUM(L1) | SNOOP(NA) | TLB(2, MISS)},
        {0, LOAD | IBS_DC_LOCKED_OP, OP(LOAD) | HIT(L1) | NUM(L1) | SNOOP(NA) | NO_TLB | LOCKED},
        {0, LOAD | IBS_DC_ST_TO_LD_CAN, OP(LOAD) | HIT(L1) | NUM(L1) | SNOOP(NA) | NO_TLB | BLK(DATA)},
        {0, IBS_ST_OP | IBS_DC_ST_TO_LD_CAN, OP(STORE) | HIT(L1) | NUM(L1) | SNOOP(NA) | NO_TLB}, /* loads only */
        {0, LOAD | IBS_DC_LD_BNK_CON, OP(LOAD) | HIT(L1) | NUM(L1) | SNOOP(NA) | NO_TLB | BLK(ADDR)},
        {0, IBS_ST_OP | IBS_DC_ST_BNK_CON, OP(STORE) | HIT(L1) | NUM(L1) | SNOOP(NA) | NO_TLB | BLK(ADDR)},
        /* no memory op: nothing is said, whatever the other bits are */
        {0x37, 0xFFFFFFFCu,
         OP(NA) | (uint64_t)PERFDATA_MEM_LVL_NA << PERFDATA_MEM_LVL | NUM(NA) | SNOOP(NA) | NO_TLB |
             (uint64_t)PERFDATA_MEM_LOCK_NA << PERFDATA_MEM_LOCK},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct sample_record op = {.kind = SAMPLE_OP};
        op.reg[IBS_OP_DATA2] = rows[i].data2;
        op.reg[IBS_OP_DATA3] = rows[i].data3;
        if (perfdata_data_src(&machine, &op) != rows[i].source) {
            fail_msg("row %zu: %llx, not %llx", i, (unsigned long long)perfdata_data_src(&machine, &op),
                     (unsigned long long)rows[i].source);
        }
    }
}

/* Branch target and extended fetch control are in their places; a sample whose address is not the op's is not called
 * exact; the period has its upper bits; addresses have 57 bits; IbsOpData4 is left out, as there is no room for it. */
static void test_registers_of_later_families(void **state)
{
    static const struct sample_record later[] = {
        {.tsc = 2000, .kind = SAMPLE_FETCH, .reg = {0x0214001200340100, 0xFF11000000401000, 0, 0x55}},
        {.tsc = 3000, .kind = SAMPLE_OP, .reg = {0x120009 | IBS_OP_EN, 0x401040, IBS_OP_BRN_RET, 0, 0, 0, 0, 0x401080}},
        {.tsc = 4000, .kind = SAMPLE_OP, .reg = {0x120009 | IBS_OP_EN, 0x401044, IBS_OP_RIP_INVALID}},
    };
    struct perfdata_reader reader;
    struct perfdata_info with = info();
    with.family = 0x15;
    with.model = 0x60;
    with.caps = 0x7FF;
    with.event[0].period = with.event[1].period = 0;
    memset(&file, 0, sizeof(file));
    assert_int_equal(perfdata_write(&with, later, 3, append, &file), 0);
    assert_int_equal(perfdata_open(&reader, file.bytes, file.size), PERFDATA_OK);
    struct perfdata_item item = item_of(&reader, PERFDATA_ITEM_SAMPLE);
    assert_int_equal(item.caps, 0x3FF);
    assert_int_equal(item.ip, 0xFF11000000401000);
    assert_int_equal(item.registers[perfdata_extra_index(SAMPLE_FETCH, item.caps, PERFDATA_EXTRA_FETCHCTLEXTD)], 0x55);
    item = item_of(&reader, PERFDATA_ITEM_SAMPLE);
    assert_int_equal(item.period, 0x100090);
    assert_true(item.exact);
    assert_int_equal(item.registers[perfdata_extra_index(SAMPLE_OP, item.caps, PERFDATA_EXTRA_BRTARGET)], 0x401080);
    item = item_of(&reader, PERFDATA_ITEM_SAMPLE);
    assert_int_equal(item.ip, 0x401044);
    assert_false(item.exact);
}

int main(void)
{
    machine = ibs_machine_of(16, 10, 0x1f);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_written_is_read_back),
        cmocka_unit_test(test_records_end),
        cmocka_unit_test(test_own_code_is_mapped),
        cmocka_unit_test(test_registers_of_later_families),
        cmocka_unit_test(test_weight_of_load_misses_alone),
        cmocka_unit_test(test_call_chains),
        cmocka_unit_test(test_branch_stacks),
        cmocka_unit_test(test_program_comes_before_samples),
        cmocka_unit_test(test_header_and_attributes),
        cmocka_unit_test(test_records_of_the_program),
        cmocka_unit_test(test_only_what_was_sampled),
        cmocka_unit_test(test_period_without_a_mean),
        cmocka_unit_test(test_lost),
        cmocka_unit_test(test_every_write_error_is_reported),
        cmocka_unit_test(test_time),
        cmocka_unit_test(test_data_source),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
