/* SPDX-License-Identifier: BSD-2-Clause */
/* Recordings of perf that are no plain files: each is made from the same plain file by hand, and must have the same
 * contents. */
#include <fcntl.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <zstd.h>

#include "core/perfdata/perfdata_format.h"
#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/made_linux.h"
#include "tests/unit/ibsprof/tool.h"
#include "tools/ibsprof/read/input.h"

enum { CLOCK, CYCLES, EVENTS, SAMPLES = 3000, ROOM = 1 << 20, USER = 2, ATTR = 64, TRACING_DATA = 66, FEATURE = 80 };

static const struct linux_event events[EVENTS] = {
    [CLOCK] = {LINUX_SOFTWARE, 0, 1000000, 0, 0, "cpu-clock"},
    [CYCLES] = {LINUX_HARDWARE, 0, 999, PERFDATA_SAMPLE_CALLCHAIN, PERFDATA_ATTR_FREQ, NULL},
};
static const char *const words[] = {"perf", "record", "-a", NULL}, *const cores[] = {"0-3"};
static const struct linux_facts facts = {
    "box", "6.1.0-test", "6.1.99", "x86_64", "AMD made by a test", "AuthenticAMD,16,10,3", words, 1, cores};

static struct bytes {
    uint8_t at[ROOM];
    size_t size;
} plain, made;

static void put(const void *bytes, size_t size)
{
    assert_true(made.size + size <= ROOM);
    memcpy(made.at + made.size, bytes, size);
    made.size += size;
}

static uint64_t u64(const uint8_t *at)
{
    uint64_t value;

    memcpy(&value, at, sizeof(value));
    return value;
}

static void set64(size_t at, uint64_t value)
{
    memcpy(made.at + at, &value, sizeof(value));
}

static uint16_t size_of(const uint8_t *record)
{
    uint16_t size;

    memcpy(&size, record + 6, sizeof(size));
    return size;
}

static void put_header(uint32_t type, size_t size)
{
    uint16_t rest[2] = {0, (uint16_t)size};

    assert_true(size <= UINT16_MAX);
    put(&type, sizeof(type));
    put(rest, sizeof(rest));
}

static uint64_t begin(void)
{
    return u64(plain.at + 40);
}

static uint64_t end(void)
{
    return begin() + u64(plain.at + 48);
}

/* Makes the plain file: samples of four cores, in rounds within which they are not in order. */
static const char *make_plain(void)
{
    static const uint64_t chain[] = {0xfffffffffffffe00u, 0x401019, 0x401007};
    const char *path;
    FILE *file;

    linux_begin(events, EVENTS);
    linux_comm(7, "program", PERFDATA_MISC_COMM_EXEC, 1);
    linux_map(7, 0x400000, 0x1000, 0, "/gone/program", USER);
    for (unsigned i = 0; i < SAMPLES; i++) {
        linux_sample((struct linux_sample){.event = i % 3 == 0,
                                           .pid = 7,
                                           .tid = 7,
                                           .cpu = i % 4,
                                           .ip = 0x400000 + i % 97,
                                           .time = 1000 + (i ^ 3) * 10,
                                           .period = i + 1,
                                           .misc = USER,
                                           .chain = chain,
                                           .chain_count = 3});
        if (i % 200 == 199)
            linux_record(PERFDATA_RECORD_FINISHED_ROUND, 0, NULL, 0, 0);
    }
    path = linux_write("plain.data", &facts);
    file = fopen(path, "r");
    plain.size = fread(plain.at, 1, ROOM, file);
    fclose(file);
    assert_true(plain.size < ROOM && end() < plain.size);
    return path;
}

/* Returns a file's contents: facts, and each item without its place. */
static char *said(const char *path)
{
    char error[1024], *text = NULL;
    struct input *input = input_open(path, error, sizeof(error));
    struct perfdata_item item = {0};
    size_t size;
    FILE *to = open_memstream(&text, &size);

    if (!input) {
        size_t folder = strlen(files_path(""));
        fputs(strncmp(error, files_path(""), folder) == 0 ? error + folder : error, to);
    } else {
        const struct input_facts *of = input_facts(input);
        fprintf(to, "%s %s %s %s, %u events, %s %s, %u nodes %s, %" PRIu64 "\n", of->hostname, of->release,
                of->cpu_name, of->command, of->event_count, of->events[0].name, of->events[1].name, of->node_count,
                of->nodes[0].cores, of->events[1].frequency);
        while (input_next(input, &item) && item.kind != PERFDATA_ITEM_END)
            if (item.type < PERFDATA_RECORD_USER)
                fprintf(to, "%u %" PRIu64 " %u %" PRIx64 " %" PRIu64 " %u %u %s\n", item.type, item.time, item.event,
                        item.ip, item.period, item.cpu, item.callchain_count, item.text ? item.text : "");
        fputs(input_error(input), to);
        input_close(input);
    }
    fclose(to);
    return text;
}

static void expect_same(const char *path)
{
    char *wanted = said(make_plain()), *got = said(path);

    assert_true(strlen(wanted) > SAMPLES * 20);
    expect_text(got, wanted);
    free(wanted);
    free(got);
}

static void expect_error(const char *path, const char *wanted)
{
    char *got = said(path);

    expect_text(got, wanted);
    free(got);
}

/* Returns the last line of a file's contents, without the folder's name, and ends the text before it. */
static const char *last_line(char *text)
{
    char *end = strrchr(text, '\n');

    *end = '\0';
    return end + 1 + strlen(files_path(""));
}

static unsigned lines_of(const char *text)
{
    unsigned lines = 1;

    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

/* Expects the plain file's contents without so many samples, the last of the file; those before are not in order. */
static void expect_without(const char *got, unsigned samples, bool without_facts)
{
    char *whole = said(make_plain());
    const char *from = without_facts ? strchr(got, '\n') : got;

    assert_int_equal(lines_of(got), lines_of(whole) - 1 - samples);
    assert_memory_equal(from, without_facts ? strchr(whole, '\n') : whole, strlen(from) - 200);
    free(whole);
}

/* ---------------------------------------------------------------- compressed */

static ZSTD_CStream *stream;

/* Writes bytes as records of this size, which need not end where a record does. */
static void put_compressed(uint32_t type, const uint8_t *bytes, size_t size, size_t chunk)
{
    static uint8_t room[ROOM];

    while (size > 0) {
        size_t now = size < chunk ? size : chunk;
        ZSTD_inBuffer in = {bytes, now, 0};
        ZSTD_outBuffer out = {room, sizeof(room), 0};
        uint64_t used;

        while (in.pos < in.size)
            assert_false(ZSTD_isError(ZSTD_compressStream(stream, &out, &in)));
        assert_int_equal(ZSTD_flushStream(stream, &out), 0);
        used = out.pos;
        if (type == PERFDATA_RECORD_COMPRESSED2) {
            put_header(type, (8 + 8 + out.pos + 7) & ~7ul);
            put(&used, 8);
            put(room, out.pos);
            put("\xff\xff\xff\xff\xff\xff\xff", -out.pos & 7);
        } else {
            put_header(type, 8 + out.pos);
            put(room, out.pos);
        }
        bytes += now;
        size -= now;
    }
}

/* Writes the features of the plain file, including that of compressed files. */
static void put_features(void)
{
    uint64_t longer = made.size - end() + 16, at = end(), place[2] = {0, 20};
    size_t own = 0;

    set64(48, made.size - begin());
    for (unsigned bit = 0; bit < PERFDATA_FEATURES; bit++) {
        if (bit == PERFDATA_FEATURE_COMPRESSED) {
            own = made.size;
            put(place, 16);
        }
        if (!(plain.at[72 + bit / 8] >> bit % 8 & 1))
            continue;
        put((uint64_t[]){u64(plain.at + at) + longer}, 8);
        put(plain.at + at + 8, 8);
        at += 16;
    }
    put(plain.at + at, plain.size - at);
    set64(own, made.size);
    put((uint32_t[]){1, 1, 1, 1, 4096}, 20);
    made.at[72 + PERFDATA_FEATURE_COMPRESSED / 8] |= 1 << PERFDATA_FEATURE_COMPRESSED % 8;
}

/* Compresses everything from the third record on; a round ends after each so many bytes, even within a record. */
static const char *make_compressed(const char *name, uint32_t type, size_t chunk, size_t rounds)
{
    size_t at;

    make_plain();
    stream = ZSTD_createCStream();
    assert_false(ZSTD_isError(ZSTD_initCStream(stream, 1)));
    made.size = 0;
    at = begin() + size_of(plain.at + begin());
    at += size_of(plain.at + at);
    put(plain.at, at);
    while (at < end()) {
        size_t now = end() - at < rounds ? end() - at : rounds;

        put_compressed(type, plain.at + at, now, chunk);
        put_header(200, 8); /* a type that readers ignore */
        at += now;
    }
    ZSTD_freeCStream(stream);
    put_features();
    return files_write(name, made.at, made.size);
}

static void compressed(void **state)
{
    expect_same(make_compressed("z.data", PERFDATA_RECORD_COMPRESSED, 5000, ROOM));
    expect_same(make_compressed("z.data", PERFDATA_RECORD_COMPRESSED, 333, 7777));
    expect_same(make_compressed("z.data", PERFDATA_RECORD_COMPRESSED2, 1001, 4444));
    /* One record has more than may wait at once. */
    expect_same(make_compressed("z.data", PERFDATA_RECORD_COMPRESSED, ROOM, ROOM));
}

static void damaged(void **state)
{
    size_t first;

    (void)make_compressed("z.data", PERFDATA_RECORD_COMPRESSED, 5000, ROOM);
    first = begin() + size_of(made.at + begin());
    first += size_of(made.at + first);
    made.at[first + 8] ^= 0x40;
    expect_error(files_write("bad.data", made.at, made.size),
                 "bad.data: offset 520: compressed records: Unknown frame descriptor");
    (void)make_compressed("z.data", PERFDATA_RECORD_COMPRESSED2, 5000, ROOM);
    set64(first + 8, size_of(made.at + first) - 15u);
    expect_error(files_write("bad.data", made.at, made.size),
                 "bad.data: offset 520: compressed records: more bytes than the record contains");
    /* The last record is missing, and with it the end of a record inside. */
    (void)make_compressed("z.data", PERFDATA_RECORD_COMPRESSED, 5001, ROOM);
    set64(48, size_of(made.at + first) + first - begin());
    expect_error(files_write("bad.data", made.at, made.size),
                 "bad.data: offset 1055: compressed records: they end within a record");
}

/* If a file was cut short, everything compressed in its whole records is read. */
static void compressed_and_cut(void **state)
{
    size_t first, second;
    unsigned samples = 0;
    char *got, line[200];

    (void)make_compressed("z.data", PERFDATA_RECORD_COMPRESSED, 5001, ROOM);
    first = begin() + size_of(made.at + begin());
    first += size_of(made.at + first);
    second = first + size_of(made.at + first);
    for (size_t cut = first; cut <= second; cut += second - first - 1) {
        snprintf(line, sizeof(line),
                 "z.data: the file is cut off: of %" PRIu64 " bytes of records only the first %zu exist",
                 u64(made.at + 48), cut - begin());
        got = said(files_write("z.data", made.at, cut));
        assert_non_null(strstr(got, line));
        assert_null(strstr(got, "\n9 "));
        free(got);
    }
    got = said(files_write("z.data", made.at, second + 3));
    (void)last_line(got);
    /* The first 5001 bytes have these samples. */
    for (size_t at = first; at + size_of(plain.at + at) <= first + 5001; at += size_of(plain.at + at))
        samples += plain.at[at] == PERFDATA_RECORD_SAMPLE;
    expect_without(got, SAMPLES - samples, true);
    free(got);
}

/* ---------------------------------------------------------------- a pipe */

static void put_pipe(uint64_t until)
{
    uint64_t entry = u64(plain.at + 16), table = end();
    uint32_t attr = 64;

    made.size = 0;
    put((uint64_t[]){PERFDATA_MAGIC, 16}, 16);
    put_header(ATTR, 8 + 40); /* shorter than any attribute, and then one that claims to be longer than it is */
    put((uint8_t[40]){0}, 40);
    put_header(ATTR, 8 + 64);
    put((uint32_t[16]){1, 65}, 64);
    for (uint64_t at = u64(plain.at + 24); at < u64(plain.at + 24) + u64(plain.at + 32); at += entry) {
        const uint8_t *ids = plain.at + at + entry - 16;

        put_header(ATTR, 8 + attr + u64(ids + 8));
        put(plain.at + at, 4);
        put(&attr, 4);
        put(plain.at + at + 8, attr - 8);
        put(plain.at + u64(ids), u64(ids + 8));
        attr = (uint32_t)entry - 16; /* the first has the size of the oldest perf's */
    }
    put_header(TRACING_DATA, 12 + 4);
    put((uint32_t[]){13, 0}, 8);
    put("what follows is 13\0\0", 16);
    for (unsigned bit = 0; bit < PERFDATA_FEATURES; bit++) {
        if (!(plain.at[72 + bit / 8] >> bit % 8 & 1))
            continue;
        put_header(FEATURE, 16 + u64(plain.at + table + 8));
        put((uint64_t[]){bit}, 8);
        put(plain.at + u64(plain.at + table), u64(plain.at + table + 8));
        table += 16;
    }
    put(plain.at + begin(), until - begin());
}

static void piped(void **state)
{
    make_plain();
    put_pipe(end());
    expect_same(files_write("pipe.data", made.at, made.size));
    /* The pipe broke off. */
    put_pipe(end() - 9);
    char *got = said(files_write("pipe.data", made.at, made.size)), line[100];
    snprintf(line, sizeof(line), "pipe.data: the recording is cut off after %zu bytes", made.size);
    expect_text(last_line(got), line);
    expect_without(got, 1, false);
    free(got);
    /* The order of events differs: an event's record comes later, without being counted there, and before the first
     * event. */
    put_pipe(begin());
    for (size_t at = 16; at < made.size; at++)
        if (memcmp(made.at + at, "what follows is ", 16) == 0)
            made.size = at + 5;
    got = said(files_write("pipe.data", made.at, made.size));
    snprintf(line, sizeof(line), "pipe.data: the recording is cut off after %zu bytes", made.size);
    assert_non_null(strstr(got, line));
    free(got);
    expect_error(files_write("pipe.data", made.at, 16 + 40),
                 "pipe.data: the recording is cut off after 56 bytes, before its list of events");
}

/* Build-ids are records: there are two for each kind of file, of which the second is the map's. */
static void build_ids(void **state)
{
    static const uint8_t id[24] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20};
    static const char names[2][16] = {"/gone/other", "/gone/program"};
    struct perfdata_item item = {0};
    struct input *input;
    char error[1024];

    make_plain();
    put_pipe(end());
    for (unsigned i = 0; i < 2; i++) {
        put_header(PERFDATA_RECORD_BUILD_ID, 8 + 4 + 24 + 16);
        put((uint32_t[]){UINT32_MAX}, 4);
        put(id + i, 20);
        put("\0\0\0\0", 4);
        put(names[i], 16);
    }
    input = input_open(files_write("pipe.data", made.at, made.size), error, sizeof(error));
    assert_non_null(input);
    while (item.kind != PERFDATA_ITEM_MAP)
        assert_true(input_next(input, &item));
    assert_int_equal(item.map.build_id_size, 20);
    assert_memory_equal(item.map.build_id, id + 1, 20);
    assert_string_equal(input_facts(input)->cpu_name, "AMD made by a test"); /* a feature after the build-ids */
    input_close(input);
    /* A pipe that breaks off after a build-id and before the first event keeps no memory. */
    made.size = 16;
    put_header(PERFDATA_RECORD_BUILD_ID, 8 + 4 + 24);
    put(id, 24);
    put("\0\0\0\0", 4);
    put("cut", 3);
    expect_error(files_write("pipe.data", made.at, made.size),
                 "pipe.data: the recording is cut off after 55 bytes, before its list of events");
}

/* A real pipe is read by the name of standard input. */
static void standard_input(void **state)
{
    int kept = dup(STDIN_FILENO), ends[2];

    make_plain();
    put_pipe(end());
    assert_true(made.size > 65536);
    assert_int_equal(pipe(ends), 0);
    if (fork() == 0) {
        for (size_t at = 0; at < made.size;)
            at += (size_t)write(ends[1], made.at + at, made.size - at);
        _exit(0);
    }
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    struct tool_result got = tool_run(&command_info, "-", NULL);
    assert_int_equal(got.status, 0);
    assert_non_null(strstr(got.out, "AMD made by a test"));
    /* Reading a second time finds nothing. */
    tool_expect(tool_run(&command_info, "-", NULL), 1, "", "ibsprof: /dev/stdin: this pipe is empty\n");
    dup2(kept, STDIN_FILENO);
    close(kept);
}

/* ---------------------------------------------------------------- threads */

/* Every second sample is in data.0, and the others are in data.2; data.1 is empty. */
static void of_threads(void **state)
{
    uint64_t at = begin();

    make_plain();
    made.size = 0;
    for (unsigned i = 0; i < 2; i++)
        at += size_of(plain.at + at);
    put(plain.at, at);
    put_features();
    files_write("threads/data", made.at, made.size);
    files_write("threads/data.1", "", 0);
    for (unsigned odd = 0; odd < 2; odd++) {
        unsigned number = 0;

        made.size = 0;
        for (uint64_t place = at; place < end(); place += size_of(plain.at + place), number++)
            if (number % 2 == odd)
                put(plain.at + place, size_of(plain.at + place));
        put_header(PERFDATA_RECORD_FINISHED_ROUND, 8);
        files_write(odd ? "threads/data.2" : "threads/data.0", made.at, made.size);
    }
    expect_same(files_path("threads"));
    /* There may be more files than this process may have open. */
    struct rlimit kept, few;
    made.size = 0;
    put_header(PERFDATA_RECORD_FINISHED_ROUND, 8);
    for (unsigned i = 3; i < 60; i++) {
        char name[32];

        snprintf(name, sizeof(name), "threads/data.%u", i);
        files_write(name, made.at, made.size);
    }
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &kept), 0);
    few = (struct rlimit){.rlim_cur = 40, .rlim_max = kept.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    expect_same(files_path("threads"));
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &kept), 0);
    files_write("threads/data.1", plain.at + at, 20);
    /* If one of the files is cut short, no sample of the others is missing. */
    char *wanted = said(make_plain()), *got = said(files_path("threads"));
    expect_text(last_line(got), "threads/data: the recording is cut off within a record, after 20 bytes of a file");
    *strrchr(wanted, '\n') = '\0';
    expect_text(got, wanted);
    free(wanted);
    free(got);
    files_write("threads/data", "nothing", 7);
    expect_error(files_path("threads"), "threads/data: neither perf.data nor a raw file of the AMD IBS Toolkit");
}

static void no_room(void **state)
{
    const char *path = make_compressed("z.data", PERFDATA_RECORD_COMPRESSED, 5000, ROOM);
    char *kept = getenv("TMPDIR") ? strdup(getenv("TMPDIR")) : NULL, *got;

    setenv("TMPDIR", "/nonexistent", 1);
    got = said(path);
    assert_non_null(strstr(got, "z.data: no room for "));
    assert_non_null(strstr(got, " bytes in TMPDIR: No such file or directory"));
    free(got);
    if (kept)
        setenv("TMPDIR", kept, 1);
    else
        unsetenv("TMPDIR");
    free(kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compressed),     cmocka_unit_test(damaged),
        cmocka_unit_test(piped),          cmocka_unit_test(build_ids),
        cmocka_unit_test(standard_input), cmocka_unit_test(of_threads),
        cmocka_unit_test(no_room),        cmocka_unit_test(compressed_and_cut),
    };

    return cmocka_run_group_tests(tests, NULL, files_end);
}
