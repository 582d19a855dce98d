/* SPDX-License-Identifier: BSD-2-Clause */
/* Features of a perf.data file: what the writer says about machine and program is read back; and features as perf or a
 * damaged disk may leave them are put into a file of ours one at a time. Numbers and layouts are those of Linux
 * tools/perf/Documentation/perf.data-file-format.txt, not the reader's. */
#include <string.h>

#include "core/perfdata/perfdata.h"
#include "core/perfdata/perfdata_read.h"
#include "tests/unit/core/check.h"
#include "tests/unit/put.h"

enum { BUILD_ID = 2, HOSTNAME, OSRELEASE, VERSION, ARCH, NRCPUS, CPUDESC, CPUID, CMDLINE = 11, EVENT_DESC, NODES = 14 };
enum { PMU_MAPPINGS = 16, SAMPLE_TIME = 21, PMU_CAPS = 31 };

static uint8_t bytes[16384];
static size_t size;
static struct perfdata_reader reader;

static int append(void *context, const void *data, size_t length)
{
    assert_true(size + length <= sizeof(bytes));
    memcpy(bytes + size, data, length);
    size += length;
    return 0;
}

static const uint8_t build_id[20] = "abcdefghijklmnopqrst";
static const struct perfdata_node nodes[] = {{0, 4096, "0-1,4"}, {3, 8192, ""}};
static const struct sample_record records[] = {{.tsc = 1500, .kind = SAMPLE_OP}, {.tsc = 1200, .kind = SAMPLE_OP}};

static const struct perfdata_info info = {
    .vendor = "AuthenticAMD",
    .cpu_name = "AMD Phenom(tm) II X6 1055T Processor",
    .family = 16,
    .model = 10,
    .stepping = 120,
    .caps = 0x1f,
    .cores = 6,
    .nodes = nodes,
    .node_count = 2,
    .tsc_khz = 1000000,
    .tsc0 = 1000,
    .build_id = build_id,
    .elf_name = "ibsboot.elf",
    .version = "1.2",
    .command = "rows=1",
    .comm = "matmul",
    .event = {{.sampled = true, .period = 7}, {.sampled = true, .period = 9}},
};

static void write_file(const struct perfdata_info *with)
{
    size = 0;
    assert_int_equal(perfdata_write(with, records, 2, append, NULL), 0);
    assert_int_equal(perfdata_open(&reader, bytes, size), PERFDATA_OK);
}

static const char *name_of_node(uint32_t index, uint32_t *number)
{
    const char *cores;

    return perfdata_node_at(&reader, index, number, &cores) ? cores : NULL;
}

TEST(everything_is_read_back)
{
    struct perfdata_map map;
    uint64_t at = 0;
    uint32_t number;
    uint8_t mode;

    write_file(&info);
    assert_string_equal(reader.hostname, "ibsboot");
    assert_string_equal(reader.os_release, "no operating system");
    assert_string_equal(reader.version, "1.2");
    assert_string_equal(reader.arch, "x86_64");
    assert_int_equal(reader.cpus_available, 6);
    assert_int_equal(reader.cpus_online, 6);
    assert_string_equal(reader.cpu_name, "AMD Phenom(tm) II X6 1055T Processor");
    assert_string_equal(reader.cpuid, "AuthenticAMD,16,10,120");
    assert_string_equal(perfdata_command(&reader, 0), "rows=1");
    assert_null(perfdata_command(&reader, 1));
    assert_int_equal(reader.first_time, 200);
    assert_int_equal(reader.last_time, 500);
    assert_string_equal(name_of_node(0, &number), "0-1,4");
    assert_int_equal(number, 0);
    assert_string_equal(name_of_node(1, &number), "");
    assert_int_equal(number, 3);
    assert_null(name_of_node(2, &number));
    assert_string_equal(reader.events[0].name, "ibs_op//");
    assert_string_equal(reader.events[1].name, "ibs_fetch//");
    assert_string_equal(reader.events[0].pmu_name, "ibs_op");
    assert_string_equal(reader.events[1].pmu_name, "ibs_fetch");
    assert_true(perfdata_build_id(&reader, &at, &map, &mode));
    assert_memory_equal(map.build_id, build_id, 20);
    assert_int_equal(map.build_id_size, 20);
    assert_string_equal(map.name, "ibsboot.elf");
    assert_int_equal(mode, 2); /* user */
    assert_int_equal(at, reader.build_ids.size);
    assert_false(perfdata_build_id(&reader, &at, &map, &mode));
}

/* An entry of BUILD_ID is a record of its own: struct perf_record_header_build_id, of type 67, with the size of the
 * build-id in it (misc bit 15), for user mode and no process. */
TEST(build_id_is_a_record)
{
    const uint8_t header[12] = {67, 0, 0, 0, 2, 0x80, 36 + 64, 0, 0xFF, 0xFF, 0xFF, 0xFF};
    const uint8_t *entry;

    write_file(&info);
    entry = bytes + reader.build_ids.offset;
    assert_int_equal(reader.build_ids.size, 36 + 64);
    assert_memory_equal(entry, header, sizeof(header));
    assert_memory_equal(entry + 12, build_id, 20);
    assert_int_equal(entry[32], 20);
    assert_string_equal((const char *)entry + 36, info.elf_name);
}

/* HEADER_NUMA_TOPOLOGY has a u32 with the number of nodes, and for each its number (u32), its memory and free memory in
 * KB (u64 each), and its cores. Free memory is not known and is 0. */
TEST(nodes_to_the_byte)
{
    static const uint8_t first[] = {2, 0, 0, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    const uint8_t *second;
    uint32_t room;

    write_file(&info);
    assert_memory_equal(bytes + reader.nodes.offset, first, sizeof(first));
    memcpy(&room, bytes + reader.nodes.offset + sizeof(first), 4);
    assert_string_equal((const char *)bytes + reader.nodes.offset + sizeof(first) + 4, "0-1,4");
    second = bytes + reader.nodes.offset + sizeof(first) + 4 + room;
    assert_memory_equal(second, "\3\0\0\0\0\40\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 20);
}

/* Without samples the file has no time of a first and a last sample. */
TEST(no_samples_no_time)
{
    size = 0;
    assert_int_equal(perfdata_write(&info, records, 0, append, NULL), 0);
    assert_int_equal(perfdata_open(&reader, bytes, size), PERFDATA_OK);
    assert_int_equal(reader.first_time, 0);
    assert_int_equal(reader.last_time, 0);
}

/* The CPUID text has vendor, family, model and stepping in decimal, whatever their lengths. */
TEST(processors_in_decimal)
{
    struct perfdata_info with = info;

    with.vendor = "GenuineIntelAndMore";
    with.family = 6;
    with.model = 4294967295u;
    with.stepping = 0;
    write_file(&with);
    assert_string_equal(reader.cpuid, "GenuineIntel,6,4294967295,0");
}

TEST(what_is_not_known_is_left_out)
{
    struct perfdata_info with = info;
    struct perfdata_map map;
    uint64_t at = 0;
    uint32_t number;
    uint8_t mode;

    with.build_id = NULL;
    with.node_count = 0;
    write_file(&with);
    assert_false(perfdata_build_id(&reader, &at, &map, &mode));
    assert_null(name_of_node(0, &number));
    assert_string_equal(reader.hostname, "ibsboot");
    assert_string_equal(reader.events[1].pmu_name, "ibs_fetch"); /* the later ones are still at their places */
    assert_int_equal(reader.last_time, 500);
}

/* ---------------------------------------------------------------- features of others */

static uint8_t bytes_of_file[2048];
static struct put_file file = {bytes_of_file, sizeof(bytes_of_file), 0}; /* the feature's bytes */

/* Writes a string with its NUL, and further NULs up to 'room' bytes in all. */
static void put_string(const char *text, uint32_t room)
{
    char field[64] = {0};

    memcpy(field, text, strlen(text) < room ? strlen(text) : room);
    put32(room);
    put(field, room);
}

/* Returns the place in the table of features that names this feature's bytes. */
static uint8_t *entry_of(unsigned bit)
{
    unsigned before = 0;

    for (unsigned i = 0; i < bit; i++)
        before += reader.features[0] >> i & 1;
    return bytes + reader.end + 16 * before;
}

/* Makes a file of ours in which 'file' replaces a feature, and opens it. */
static enum perfdata_error replace(unsigned bit)
{
    uint64_t place[2] = {0, file.size};

    write_file(&info);
    place[0] = size;
    memcpy(bytes + size, file.bytes, file.size);
    memcpy(entry_of(bit), place, sizeof(place));
    size += file.size;
    file.size = 0;
    return perfdata_open(&reader, bytes, size);
}

TEST(strings)
{
    static const unsigned bits[] = {HOSTNAME, OSRELEASE, VERSION, ARCH, CPUDESC, CPUID};

    for (unsigned i = 0; i < 6; i++) {
        const char *all[6];

        put_string("a text", 16);
        assert_int_equal(replace(bits[i]), PERFDATA_OK);
        const char *const found[6] = {reader.hostname, reader.os_release, reader.version,
                                      reader.arch,     reader.cpu_name,   reader.cpuid};
        memcpy(all, found, sizeof(all));
        for (unsigned other = 0; other < 6; other++)
            assert_int_equal(strcmp(all[other], "a text") == 0, other == i);
    }
    put_string("no NUL in it", 6);
    assert_int_equal(replace(HOSTNAME), PERFDATA_OK);
    assert_null(reader.hostname);
    put32(64); /* longer than the feature */
    put("text", 5);
    assert_int_equal(replace(HOSTNAME), PERFDATA_OK);
    assert_null(reader.hostname);
    put("ab", 2); /* too short for a length */
    assert_int_equal(replace(HOSTNAME), PERFDATA_OK);
    assert_null(reader.hostname);
}

TEST(numbers)
{
    put32(48);
    put32(47);
    assert_int_equal(replace(NRCPUS), PERFDATA_OK);
    assert_int_equal(reader.cpus_available, 48);
    assert_int_equal(reader.cpus_online, 47);
    put64(1ull << 60);
    put64((1ull << 60) + 5);
    assert_int_equal(replace(SAMPLE_TIME), PERFDATA_OK);
    assert_int_equal(reader.first_time, 1ull << 60);
    assert_int_equal(reader.last_time, (1ull << 60) + 5);
}

TEST(words_of_the_command)
{
    put32(3);
    put_string("perf", 64);
    put_string("record", 8);
    put_string("", 4);
    assert_int_equal(replace(CMDLINE), PERFDATA_OK);
    assert_string_equal(perfdata_command(&reader, 0), "perf");
    assert_string_equal(perfdata_command(&reader, 1), "record");
    assert_string_equal(perfdata_command(&reader, 2), "");
    assert_null(perfdata_command(&reader, 3));
    assert_null(perfdata_command(&reader, UINT32_MAX));

    put32(3); /* the last one is missing */
    put_string("perf", 8);
    put_string("record", 8);
    assert_int_equal(replace(CMDLINE), PERFDATA_OK);
    assert_string_equal(perfdata_command(&reader, 1), "record");
    assert_null(perfdata_command(&reader, 2));

    put32(2); /* a word without its end: later words are not found by chance */
    put_string("abcdefgh", 8);
    put_string("record", 8);
    assert_int_equal(replace(CMDLINE), PERFDATA_OK);
    assert_null(perfdata_command(&reader, 0));
    assert_null(perfdata_command(&reader, 1));
}

TEST(nodes_of_the_machine)
{
    uint32_t number;

    put32(2);
    for (uint32_t i = 0; i < 2; i++) {
        put32(7 + i);
        put64(1 << 20);
        put64(1 << 10);
        put_string(i ? "4-7" : "0-3", 16);
    }
    assert_int_equal(replace(NODES), PERFDATA_OK);
    assert_string_equal(name_of_node(0, &number), "0-3");
    assert_int_equal(number, 7);
    assert_string_equal(name_of_node(1, &number), "4-7");
    assert_int_equal(number, 8);
    assert_null(name_of_node(2, &number));

    put32(1); /* one more than was said */
    for (uint32_t i = 0; i < 2; i++) {
        put32(7 + i);
        put64(0);
        put64(0);
        put_string("0-3", 4);
    }
    assert_int_equal(replace(NODES), PERFDATA_OK);
    assert_string_equal(name_of_node(0, &number), "0-3");
    assert_null(name_of_node(1, &number));

    put32(3); /* two nodes are there, and the second has only its number */
    put32(7);
    put64(0);
    put64(0);
    put_string("0-3", 4);
    put32(8);
    assert_int_equal(replace(NODES), PERFDATA_OK);
    assert_string_equal(name_of_node(0, &number), "0-3");
    assert_null(name_of_node(1, &number));
    assert_null(name_of_node(2, &number));
    put32(1);
    put32(7);
    put64(0);
    put64(0);
    put_string("0123", 4);
    assert_int_equal(replace(NODES), PERFDATA_OK);
    assert_null(name_of_node(0, &number));

    /* A node that could be read as an event's name: its number as the size of an attribute, the upper half of its free
     * memory as the length of the name. */
    put32(1);
    put32(8);
    put64(1 << 20);
    put64(4ull << 32);
    put_string("0-3", 4);
    assert_int_equal(replace(NODES), PERFDATA_OK);
    assert_string_equal(name_of_node(0, &number), "0-3");
    assert_string_equal(reader.events[0].name, "ibs_op//");
}

/* Writes an event: attribute, number of ids, name, ids. */
static void put_event(const char *name, uint32_t ids)
{
    put64(0x1111);
    put64(0x2222);
    put32(ids);
    put_string(name, 8);
    for (uint32_t i = 0; i < ids; i++)
        put64(i);
}

TEST(names_of_events)
{
    put32(3); /* one event more than the file has */
    put32(16);
    put_event("cycles", 2);
    put_event("instr", 0);
    put_event("branch", 1);
    assert_int_equal(replace(EVENT_DESC), PERFDATA_OK);
    assert_int_equal(reader.event_count, 2);
    assert_string_equal(reader.events[0].name, "cycles");
    assert_string_equal(reader.events[1].name, "instr");

    put32(2); /* the second one's ids are not all there */
    put32(16);
    put_event("cycles", 1);
    put_event("instr", 1);
    file.size -= 8;
    assert_int_equal(replace(EVENT_DESC), PERFDATA_OK);
    assert_string_equal(reader.events[0].name, "cycles");
    assert_null(reader.events[1].name);

    put32(1);
    put32(16);
    put_event("cycles", 0);
    put_event("instr", 0); /* more names than announced */
    assert_int_equal(replace(EVENT_DESC), PERFDATA_OK);
    assert_string_equal(reader.events[0].name, "cycles");
    assert_null(reader.events[1].name);
}

/* Our files use 11 for ibs_op and 10 for ibs_fetch; a file that says otherwise is believed. */
TEST(numbers_of_pmus)
{
    put32(4);
    put32(4);
    put_string("cpu", 4);
    put32(10);
    put_string("ibs_op", 8);
    put32(11);
    put_string("ibs_fetch", 12);
    put32(12);
    put_string("ibs_op", 8);
    assert_int_equal(replace(PMU_MAPPINGS), PERFDATA_OK);
    assert_int_equal(reader.events[0].pmu, PERFDATA_PMU_IBS_FETCH);
    assert_int_equal(reader.events[1].pmu, PERFDATA_PMU_IBS_OP);

    put32(3);
    put32(11);
    put_string("ibs_op2", 8); /* another name */
    put32(10);
    put_string("ibs_fetc", 12);
    put32(99);
    put_string("x", 2);
    assert_int_equal(replace(PMU_MAPPINGS), PERFDATA_OK);
    assert_int_equal(reader.events[0].pmu, PERFDATA_PMU_OTHER);
    assert_string_equal(reader.events[0].pmu_name, "ibs_op2");
    assert_int_equal(reader.events[1].pmu, PERFDATA_PMU_OTHER);

    put32(2); /* one mapping is there, and its name has no end */
    put32(11);
    put_string("ibs_op", 6);
    assert_int_equal(replace(PMU_MAPPINGS), PERFDATA_OK);
    assert_null(reader.events[0].pmu_name);
    assert_int_equal(reader.events[0].pmu, PERFDATA_PMU_OTHER);

    put32(1);
    put32(10);
    put_string("cpu", 4);
    put32(11);
    put_string("ibs_op", 8); /* more mappings than announced */
    assert_int_equal(replace(PMU_MAPPINGS), PERFDATA_OK);
    assert_null(reader.events[0].pmu_name);
}

/* Writes an entry: header (u32 type, u16 misc, u16 size), u32 pid, 20 bytes, u8 size and three reserved, name. */
static void put_build_id(uint16_t misc, uint16_t entry, uint8_t id_size, const char *name, size_t room)
{
    char field[64] = {0};

    strcpy(field, name);
    put32(67);
    put16(misc);
    put16(entry);
    put32(0xFFFFFFFF);
    put(build_id, 20);
    put32(id_size);
    put(field, room);
}

TEST(build_ids)
{
    static const struct {
        uint16_t misc;
        uint8_t size, read;
        unsigned mode;
    } rows[] = {
        {0x8002, 20, 20, 2}, {0x8001, 16, 16, 1},  {0x0002, 16, 20, 2}, /* the size byte counts only with bit 15 */
        {0x8005, 21, 20, 5}, {0x8000, 255, 20, 0}, {0x8008, 0, 0, 0},
    };
    struct perfdata_map map;
    uint64_t at = 0;
    uint8_t mode;

    for (unsigned i = 0; i < 6; i++)
        put_build_id(rows[i].misc, (uint16_t)(36 + 8 * i + 8), rows[i].size, "/bin/x", 8 * i + 8);
    assert_int_equal(replace(BUILD_ID), PERFDATA_OK);
    for (unsigned i = 0; i < 6; i++) {
        memset(&map, 0x55, sizeof(map));
        assert_true(perfdata_build_id(&reader, &at, &map, &mode));
        assert_memory_equal(map.build_id, build_id, 20);
        assert_int_equal(map.build_id_size, rows[i].read);
        assert_int_equal(mode, rows[i].mode);
        assert_string_equal(map.name, "/bin/x");
        assert_int_equal(map.start | map.length | map.page_offset | map.protection | map.flags, 0);
    }
    assert_int_equal(at, reader.build_ids.size);
    assert_false(perfdata_build_id(&reader, &at, &map, &mode));
    at = reader.build_ids.size + 1;
    assert_false(perfdata_build_id(&reader, &at, &map, &mode));
}

TEST(damaged_build_ids)
{
    static const struct {
        uint16_t size;
        const char *name;
        size_t room;
        bool good;
    } rows[] = {
        {44, "a", 8, true},      {37, "", 1, true},          {36, "", 8, false}, /* no room for a name */
        {35, "", 8, false},      {7, "", 8, false},          {0, "", 8, false},
        {45, "a", 8, false},                                 /* entries that reach over the end */
        {44, "a name", 8, true}, {44, "12345678", 8, false}, /* without its NUL */
    };

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct perfdata_map map;
        uint64_t at = 0;
        uint8_t mode;

        put_build_id(0x8002, rows[i].size, 20, rows[i].name, rows[i].room);
        assert_int_equal(replace(BUILD_ID), PERFDATA_OK);
        if (perfdata_build_id(&reader, &at, &map, &mode) != rows[i].good)
            fail_msg("row %u", i);
    }
}

/* The file has one feature only: the reader finds that feature and no other. */
TEST(each_for_itself)
{
    enum { FEATURE_BITS_AT = 72 }; /* in the header */
    static const unsigned bits[] = {BUILD_ID, HOSTNAME, OSRELEASE, VERSION,    ARCH,         NRCPUS,     CPUDESC,
                                    CPUID,    CMDLINE,  NODES,     EVENT_DESC, PMU_MAPPINGS, SAMPLE_TIME};

    for (unsigned i = 0; i < sizeof(bits) / sizeof(bits[0]); i++) {
        const uint64_t word = 1ull << bits[i];
        uint8_t entry[16];
        unsigned found = 0;

        write_file(&info);
        memcpy(entry, entry_of(bits[i]), sizeof(entry));
        memcpy(bytes + reader.end, entry, sizeof(entry));
        memcpy(bytes + FEATURE_BITS_AT, &word, sizeof(word));
        assert_int_equal(perfdata_open(&reader, bytes, size), PERFDATA_OK);
        const bool is_there[] = {reader.build_ids.size != 0,
                                 reader.hostname != NULL,
                                 reader.os_release != NULL,
                                 reader.version != NULL,
                                 reader.arch != NULL,
                                 reader.cpus_available + reader.cpus_online != 0,
                                 reader.cpu_name != NULL,
                                 reader.cpuid != NULL,
                                 reader.command.size != 0,
                                 reader.nodes.size != 0,
                                 reader.events[0].name != NULL,
                                 reader.events[0].pmu_name != NULL,
                                 reader.first_time + reader.last_time != 0};
        for (unsigned other = 0; other < sizeof(is_there); other++)
            found += is_there[other];
        if (!is_there[i] || found != 1)
            fail_msg("feature %u: %u are there", bits[i], found);
    }
}

/* HEADER_PMU_CAPS has a u32 with the number of PMUs, and for each the number of capabilities (u32), two strings for
 * each capability, and the PMU's name. A string is a u32 with its room, then the text. Up to Zen 3 there are none of
 * the capabilities that perf asks for, so the feature is missing. */
TEST(capabilities_of_the_pmu)
{
    static const struct {
        uint32_t caps;
        const char *words[12];
    } rows[] = {
        {0x3FF, {NULL}},
        {0xBFF, {"zen4_ibs_extensions", "1", "ibs_op"}},
        {0x81BFF, {"zen4_ibs_extensions", "1", "ldlat", "1", "dtlb_pgsize", "1", "ibs_op"}},
        {0x11BFF, {"zen4_ibs_extensions", "1", "ldlat", "1", "rmtsocket", "1", "strmst", "1", "ibs_op"}},
    };

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct perfdata_info with = info;
        uint64_t place[2];
        uint32_t numbers[2], room, words = 0;
        const uint8_t *at;

        with.caps = rows[i].caps;
        write_file(&with);
        assert_int_equal(reader.features[0] >> PMU_CAPS & 1, rows[i].words[0] != NULL);
        if (!rows[i].words[0])
            continue;
        memcpy(place, entry_of(PMU_CAPS), sizeof(place));
        at = bytes + place[0];
        memcpy(numbers, at, sizeof(numbers));
        for (at += sizeof(numbers); rows[i].words[words]; words++, at += sizeof(room) + room) {
            memcpy(&room, at, sizeof(room));
            assert_string_equal((const char *)at + sizeof(room), rows[i].words[words]);
        }
        assert_int_equal(numbers[0], 1);
        assert_int_equal(numbers[1], words / 2);
        assert_int_equal(at - bytes, place[0] + place[1]);
    }
}

/* A feature may be anywhere inside the file, but never outside; its table ends inside the file. */
TEST(places)
{
    static const struct {
        uint64_t from_end, length; /* of the file */
        bool cut;
    } rows[] = {{0, 0, false}, {4, 4, false},         {4, 5, true},
                {0, 1, true},  {UINT64_MAX, 0, true}, {16, UINT64_MAX, true}};

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        write_file(&info);
        uint64_t place[2] = {size - rows[i].from_end, rows[i].length};
        memcpy(entry_of(HOSTNAME), place, sizeof(place));
        assert_int_equal(perfdata_open(&reader, bytes, size), PERFDATA_OK);
        assert_int_equal(reader.cut, rows[i].cut);
        assert_int_equal(reader.features_missing, rows[i].cut);
        assert_non_null(reader.os_release); /* the feature of the entry behind the one that was cut */
    }
    write_file(&info);
    size_t table = (size_t)(entry_of(SAMPLE_TIME) - bytes);
    assert_int_equal(perfdata_open(&reader, bytes, table + 15), PERFDATA_OK);
    assert_true(reader.cut);
    assert_null(reader.hostname); /* the feature is listed, but its bytes stand behind the table */
}

RUN_TESTS(NULL, NULL)
