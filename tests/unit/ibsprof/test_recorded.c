/* SPDX-License-Identifier: BSD-2-Clause */
/* Recordings of perf that are no plain file: each is made of the same plain one by hand, and must say what that says.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

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

/* The plain file: samples of four cores, in rounds within which they are not in order. */
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

/* Returns what a file says: facts, and each item without its place. */
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

/* ---------------------------------------------------------------- a pipe */

static void put_pipe(uint64_t until)
{
    uint64_t entry = u64(plain.at + 16), table = end();

    made.size = 0;
    put((uint64_t[]){PERFDATA_MAGIC, 16}, 16);
    for (uint64_t at = u64(plain.at + 24); at < u64(plain.at + 24) + u64(plain.at + 32); at += entry) {
        const uint8_t *ids = plain.at + at + entry - 16;

        put_header(ATTR, 8 + entry - 16 + u64(ids + 8));
        put(plain.at + at, entry - 16);
        put(plain.at + u64(ids), u64(ids + 8));
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
    /* One that broke off. */
    put_pipe(end() - 9);
    char *got = said(files_write("pipe.data", made.at, made.size));
    assert_non_null(strstr(got, "a record reaches over the end of the records"));
    free(got);
}

/* A real pipe, by the name of standard input. */
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
    /* A second time nothing is left. */
    tool_expect(tool_run(&command_info, "-", NULL), 1, "", "ibsprof: /dev/stdin: nothing came out of this pipe\n");
    dup2(kept, STDIN_FILENO);
    close(kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(piped), cmocka_unit_test(standard_input)};

    return cmocka_run_group_tests(tests, NULL, files_end);
}
