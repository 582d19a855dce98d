/* SPDX-License-Identifier: BSD-2-Clause */
/* perf.data as input: order of time, counters read with samples, build-ids by name, runs and their run.ini, folders. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "core/perfdata/perfdata.h"
#include "core/perfdata/perfdata_format.h"
#include "tests/unit/ibsprof/files.h"
#include "tests/unit/put.h"
#include "tools/ibsprof/read/input.h"
#include "tools/ibsprof/read/input_order.h"

/* ---- a file put together by hand: two clocks, samples with ID, TID and TIME */

static uint8_t room[1 << 20];
static struct put_file file = {room, sizeof(room), 0};

enum { BEGIN = 104 + 16 + 2 * (112 + 16), ID_A = 10, ID_B = 20 };
#define FIELDS (PERFDATA_SAMPLE_IDENTIFIER | PERFDATA_SAMPLE_IP | PERFDATA_SAMPLE_TID | PERFDATA_SAMPLE_TIME)

static void begin_fields(uint64_t sample_type, uint64_t read_format, uint64_t flags)
{
    put_nothing();
    put64(PERFDATA_MAGIC);
    put64(104);
    put64(112 + 16);
    put64(104 + 16);
    put64(2 * (112 + 16));
    put64(BEGIN);
    file.size = 104;
    put64(ID_A);
    put64(ID_B);
    for (unsigned i = 0; i < 2; i++) {
        size_t at = file.size;

        put32(1);
        put32(112);
        put64(i);    /* cpu-clock, task-clock */
        put64(1000); /* period */
        put64(sample_type);
        put64(read_format);
        put64(PERFDATA_ATTR_SAMPLE_ID_ALL | flags);
        file.size = at + 112;
        put64(104 + 8 * i);
        put64(8);
    }
    assert_int_equal(file.size, BEGIN);
}

static void begin(void)
{
    begin_fields(FIELDS, 0, 0);
}

static void record(uint32_t type, uint32_t misc, uint32_t size)
{
    put32(type);
    put32(misc | (8 + size) << 16);
}

static void sample(uint64_t id, uint64_t ip, uint64_t time)
{
    record(PERFDATA_RECORD_SAMPLE, PERFDATA_MISC_USER, 32);
    put64(id);
    put64(ip);
    put32(100);
    put32(101);
    put64(time);
}

static void comm(uint64_t time)
{
    record(PERFDATA_RECORD_COMM, PERFDATA_MISC_USER, 16 + 24);
    put32(100);
    put32(101);
    put("program", 8);
    put32(100);
    put32(101);
    put64(time);
    put64(ID_A);
}

static void round_ends(void)
{
    record(PERFDATA_RECORD_FINISHED_ROUND, 0, 0);
}

static struct input *open_made(void)
{
    char error[512];

    set64(48, file.size - BEGIN);
    struct input *input = input_open(files_write("made.data", file.bytes, file.size), error, sizeof(error));
    if (!input)
        fail_msg("%s", error);
    return input;
}

/* Returns the times of samples, and 'c' for names, in the order in which they come. */
static const char *order_of(struct input *input)
{
    static char text[4096];
    struct perfdata_item item;
    char *to = text;

    *to = '\0';
    while (input_next(input, &item) && item.kind != PERFDATA_ITEM_END)
        if (item.kind == PERFDATA_ITEM_SAMPLE)
            to += sprintf(to, "%llu ", (unsigned long long)item.time);
        else if (item.kind == PERFDATA_ITEM_COMM)
            to += sprintf(to, "c ");
    return text;
}

static void test_buffers_of_two_processors_are_merged(void **state)
{
    begin();
    sample(ID_A, 1, 10); /* the first processor's buffer */
    sample(ID_A, 1, 30);
    comm(20); /* the second's */
    sample(ID_A, 1, 25);
    sample(ID_B, 1, 35);
    round_ends();
    sample(ID_A, 1, 50);
    sample(ID_A, 1, 34); /* was not ready in the earlier round */
    sample(ID_A, 1, 55);
    round_ends();
    sample(ID_A, 1, 51);
    sample(ID_A, 1, 51);
    sample(ID_A, 1, 60);
    struct input *input = open_made();
    for (unsigned times = 0; times < 2; times++) {
        assert_string_equal(order_of(input), "10 c 25 30 34 35 50 51 51 55 60 ");
        assert_string_equal(input_error(input), "");
        input_rewind(input);
    }
    input_close(input);
}

/* With equal times the order is that of the file, whatever run they are in. */
static void test_equal_times(void **state)
{
    struct perfdata_item item;

    begin();
    for (unsigned run = 0; run < 20; run++) {
        sample(ID_A, 2 * run, 40);
        sample(ID_A, 100 + run, 50);
    }
    struct input *input = open_made();
    for (unsigned i = 0; i < 40; i++) {
        assert_true(input_next(input, &item));
        assert_int_equal(item.ip, i < 20 ? 2 * i : 80 + i);
    }
    input_close(input);
}

/* The latest possible time is a time like any other. */
static void test_the_latest_time(void **state)
{
    struct perfdata_item item;
    unsigned count = 0;

    begin();
    sample(ID_A, 1, UINT64_MAX);
    round_ends();
    sample(ID_A, 2, 5);
    round_ends();
    sample(ID_A, 3, 6);
    round_ends();
    struct input *input = open_made();
    while (count < 10 && input_next(input, &item) && item.kind != PERFDATA_ITEM_END)
        count++;
    assert_int_equal(count, 6);
    input_close(input);
}

static void test_records_without_time_come_first(void **state)
{
    begin();
    comm(0);
    sample(ID_A, 1, 5);
    comm(0);
    sample(ID_A, 1, 7);
    struct input *input = open_made();
    assert_string_equal(order_of(input), "c c 5 7 ");
    input_close(input);
}

/* With random rounds the output is sorted if each round holds only items that are later than the round before the
 * last. */
static void test_random_rounds(void **state)
{
    unsigned seed = 1;

    for (unsigned times = 0; times < 50; times++) {
        uint64_t last = 0;
        unsigned count = 0, got = 0;
        struct perfdata_item item;

        begin();
        for (unsigned round = 0; round < 20; round++) {
            for (unsigned cpu = 0; cpu < 5; cpu++) {
                uint64_t time = 1000 * round;

                for (int i = rand_r(&seed) % 10; i > 0; i--, count++)
                    sample(ID_A, count, time += (unsigned)(rand_r(&seed) % 200));
            }
            round_ends();
        }
        struct input *input = open_made();
        while (input_next(input, &item) && item.kind != PERFDATA_ITEM_END)
            if (item.kind == PERFDATA_ITEM_SAMPLE) {
                assert_true(item.time >= last);
                last = item.time;
                got++;
            }
        assert_int_equal(got, count);
        input_close(input);
    }
}

/* A step of 'span' bytes ends together with its round, even if the next round begins within it: items in the rest of
 * that round may be earlier. */
static void test_steps_end_with_rounds(void **state)
{
    enum { SPAN = 100 }; /* two samples of 40 bytes and the end of a round are 88 */
    static const uint64_t wanted[] = {50, 60, 100, 200, 300};
    struct perfdata_reader reader;
    struct order_place {
        uint64_t at, time;
        uint32_t type, size;
    } got;
    struct input_order *order;
    struct windows *const windows = NULL;
    size_t count = 0;

    begin();
    sample(ID_A, 1, 100);
    sample(ID_A, 1, 50);
    round_ends();
    sample(ID_A, 1, 200);
    sample(ID_A, 1, 60);
    round_ends();
    sample(ID_A, 1, 300);
    set64(48, file.size - BEGIN);
    assert_int_equal(perfdata_open(&reader, file.bytes, file.size), PERFDATA_OK);
    order = order_new(&reader, SPAN, &windows);
    while (order_next(order, &got.at) == PERFDATA_OK && got.at < reader.end) {
        assert_int_equal(perfdata_peek(&reader, got.at, &got.type, &got.size, &got.time), PERFDATA_OK);
        if (got.type != PERFDATA_RECORD_SAMPLE)
            continue;
        assert_true(count < sizeof(wanted) / sizeof(wanted[0]));
        assert_int_equal(got.time, wanted[count++]);
    }
    assert_int_equal(count, sizeof(wanted) / sizeof(wanted[0]));
    order_free(order);
}

static void test_an_error_comes_behind_what_is_good(void **state)
{
    begin();
    sample(ID_A, 1, 30);
    sample(ID_A, 1, 20);
    size_t broken = file.size;
    record(PERFDATA_RECORD_SAMPLE, 0, 100);
    struct input *input = open_made();
    for (unsigned times = 0; times < 2; times++) {
        char wanted[128];
        struct perfdata_item item;

        snprintf(wanted, sizeof(wanted), "made.data: offset %zu: a record reaches over the end of the records", broken);
        assert_string_equal(order_of(input), "20 30 ");
        assert_non_null(strstr(input_error(input), wanted));
        assert_false(input_next(input, &item)); /* and the error stays */
        input_rewind(input);
    }
    input_close(input);
}

/* ---- READ */

static void read_sample(uint64_t id, uint32_t tid, uint64_t time, uint64_t a, uint64_t b)
{
    record(PERFDATA_RECORD_SAMPLE, PERFDATA_MISC_USER, 32 + 40);
    put64(id);
    put64(1);
    put32(100);
    put32(tid);
    put64(time);
    put64(2); /* counters */
    put64(a);
    put64(ID_A);
    put64(b);
    put64(ID_B);
}

static const char *periods_of(struct input *input)
{
    static char text[4096];
    struct perfdata_item item;
    char *to = text;

    while (input_next(input, &item) && item.kind != PERFDATA_ITEM_END)
        if (item.kind == PERFDATA_ITEM_SAMPLE)
            to += sprintf(to, "%u:%llu ", item.event, (unsigned long long)item.period);
    *to = '\0';
    return text;
}

static void test_counters_read_with_their_leader(void **state)
{
    enum { GROUP = PERFDATA_READ_GROUP | PERFDATA_READ_ID };

    begin_fields(FIELDS | PERFDATA_SAMPLE_READ, GROUP, 0);
    read_sample(ID_A, 101, 10, 1000, 3);
    read_sample(ID_A, 101, 20, 2100, 3); /* the counters have no value of B */
    read_sample(ID_A, 102, 30, 3100, 5); /* another thread, the same counters */
    struct input *input = open_made();
    for (unsigned times = 0; times < 2; times++) {
        assert_string_equal(periods_of(input), "0:1000 1:3 0:1100 0:1000 1:2 ");
        input_rewind(input);
    }
    input_close(input);

    begin_fields(FIELDS | PERFDATA_SAMPLE_READ, GROUP, PERFDATA_ATTR_INHERIT);
    read_sample(ID_A, 101, 10, 1000, 3);
    read_sample(ID_A, 102, 20, 500, 1); /* inherited: the counters are the child's own */
    read_sample(ID_A, 101, 30, 2100, 4);
    input = open_made();
    assert_string_equal(periods_of(input), "0:1000 1:3 0:500 1:1 0:1100 1:1 ");
    input_close(input);
}

/* Samples of an event without counters come after all values of the sample before, however they are read. */
static void test_plain_ones_after_counters(void **state)
{
    struct perfdata_plain plain[4];
    struct perfdata_item item;
    struct input *input;

    begin_fields(FIELDS | PERFDATA_SAMPLE_READ, PERFDATA_READ_GROUP | PERFDATA_READ_ID, 0);
    set64(BEGIN - (112 + 16) + 24, FIELDS); /* the second event's sample_type and read_format */
    set64(BEGIN - (112 + 16) + 32, 0);
    read_sample(ID_A, 101, 10, 1000, 3);
    sample(ID_B, 0x10, 20);
    sample(ID_B, 0x20, 30);
    input = open_made();
    assert_int_equal(input_next_plain(input, plain, 4), 0);
    for (uint32_t event = 0; event < 2; event++) {
        assert_true(input_next(input, &item));
        assert_int_equal(item.kind, PERFDATA_ITEM_SAMPLE);
        assert_int_equal(item.event, event);
        assert_int_equal(item.period, event ? 3 : 1000);
        if (event == 0)
            assert_int_equal(input_next_plain(input, plain, 4), 0);
    }
    assert_int_equal(input_next_plain(input, plain, 4), 2);
    assert_int_equal(plain[0].time, 20);
    assert_int_equal(plain[1].time, 30);
    input_close(input);
}

static void test_many_threads_with_counters(void **state)
{
    begin_fields(FIELDS | PERFDATA_SAMPLE_READ, PERFDATA_READ_GROUP | PERFDATA_READ_ID, PERFDATA_ATTR_INHERIT);
    for (uint32_t turn = 1; turn <= 2; turn++)
        for (uint32_t tid = 0; tid < 1000; tid++)
            read_sample(ID_A, tid, 1000 * turn + tid, turn * 7, turn * 9);
    struct input *input = open_made();
    struct perfdata_item item;
    unsigned samples = 0;
    while (input_next(input, &item) && item.kind != PERFDATA_ITEM_END)
        if (item.kind == PERFDATA_ITEM_SAMPLE) {
            assert_int_equal(item.period, item.event ? 9 : 7);
            samples++;
        }
    assert_int_equal(samples, 4000);
    input_close(input);
}

/* ---- build-ids */

static void put_build_id(const char *name, uint8_t byte, bool with_size)
{
    uint8_t id[24];
    char padded[64] = {0};

    memset(id, byte, sizeof(id));
    id[20] = with_size ? 16 : 0;
    strcpy(padded, name);
    record(PERFDATA_RECORD_BUILD_ID, with_size ? PERFDATA_MISC_BUILD_ID_SIZE : 0, 4 + 24 + 64);
    put32((uint32_t)-1);
    put(id, 24);
    put(padded, 64);
}

static void put_map(const char *name)
{
    char padded[32] = {0};

    strcpy(padded, name);
    record(1, PERFDATA_MISC_USER, 32 + 32 + 24);
    put32(100);
    put32(100);
    put64(0x1000);
    put64(0x2000);
    put64(0);
    put(padded, 32);
    put64(0);
    put64(1);
    put64(ID_A);
}

static void test_build_ids_by_name(void **state)
{
    static const struct {
        const char *name;
        uint8_t byte, size;
    } rows[] = {{"/lib/b.so", 2, 20}, {"/bin/a", 1, 16}, {"[kernel.kallsyms]_text", 3, 20}, {"/bin/none", 0, 0}};
    struct perfdata_item item;

    begin();
    for (unsigned i = 0; i < 4; i++)
        put_map(rows[i].name);
    set64(48, file.size - BEGIN);
    set64(72, 1 << PERFDATA_FEATURE_BUILD_ID);
    put64(file.size + 16);
    put64(3 * 100);
    put_build_id("[kernel.kallsyms]", 3, false);
    put_build_id("/lib/b.so", 2, false);
    put_build_id("/bin/a", 1, true);
    char error[512];
    struct input *input = input_open(files_write("ids.data", file.bytes, file.size), error, sizeof(error));
    assert_non_null(input);
    for (unsigned i = 0; i < 4; i++) {
        assert_true(input_next(input, &item));
        assert_int_equal(item.kind, PERFDATA_ITEM_MAP);
        assert_string_equal(item.map.name, rows[i].name);
        assert_int_equal(item.map.build_id != NULL, rows[i].size > 0);
        assert_int_equal(item.map.build_id_size, rows[i].size);
        for (unsigned k = 0; k < rows[i].size; k++)
            assert_int_equal(item.map.build_id[k], rows[i].byte);
    }
    input_close(input);
}

/* ---- runs */

static int append(void *context, const void *data, size_t size)
{
    (void)context;
    put(data, size);
    return 0;
}

static const char *run_cpu_name = "Phenom";

static void write_run(const char *folder, const char *ini)
{
    static const struct sample_record records[] = {
        {.tsc = 5000, .kind = SAMPLE_OP, .cpu = 1, .reg = {0x6186a, 0x7E001040, 1, 2, 0x20081, 0x4a62e0, 0x14a62e0}},
        {.tsc = 6000, .kind = SAMPLE_FETCH, .reg = {0x0217001200340100, 0x7E001021, 0x5000}}};
    const struct perfdata_info info = {.vendor = "AuthenticAMD",
                                       .cpu_name = run_cpu_name,
                                       .family = 16,
                                       .model = 4,
                                       .caps = 0x1f,
                                       .image_base = 0x7E000000,
                                       .text_rva = 0x1000,
                                       .text_size = 0x2000,
                                       .text_offset = 0x1000,
                                       .elf_name = "ibsboot.elf",
                                       .version = "1",
                                       .command = "rows=1",
                                       .comm = "matmul-classic",
                                       .event = {{.sampled = true, .lost = 2}, {.sampled = true, .period = 4096}}};
    char name[256];

    put_nothing();
    assert_int_equal(perfdata_write(&info, records, 2, append, NULL), 0);
    snprintf(name, sizeof(name), "%s/perf.data", folder);
    files_write(name, file.bytes, file.size);
    snprintf(name, sizeof(name), "%s/run.ini", folder);
    files_write(name, ini, strlen(ini));
}

static const char ini[] =
    "# A run of ibsboot\n\nworkload = matmul-classic\r\nevents = \"041@1000 # no comment\" # a comment\n"
    "; another = one\n n=100\n\n#: figures = model or hypervisor, not silicon\n"
    "#: machine.vendor = AuthenticAMD\n#: machine.name = AMD Phenom(tm) # 1\n#: machine.family = 16\n"
    "#: machine.model = 4\n#: machine.stepping = 2\n#: machine.ibs_caps = 0x1f\n"
    "#: machine.tsc_khz = 2800000\n#: workload.work = 22500\n#: workload.unit = inner iterations\n";

static void check_run(const char *path, enum input_format format)
{
    char error[512];
    struct input *input = input_open(path, error, sizeof(error));
    struct perfdata_item item;

    if (!input)
        fail_msg("%s", error);
    const struct input_facts *facts = input_facts(input);
    assert_int_equal(facts->format, format);
    assert_string_equal(facts->vendor, "AuthenticAMD");
    assert_string_equal(facts->cpu_name, "AMD Phenom(tm) # 1");
    assert_int_equal(facts->family, 16);
    assert_int_equal(facts->stepping, 2);
    assert_int_equal(facts->ibs_caps, 0x1f);
    assert_int_equal(facts->tsc_khz, 2800000);
    assert_int_equal(facts->work, 22500);
    assert_string_equal(facts->work_unit, "inner iterations");
    assert_string_equal(facts->workload, "matmul-classic");
    assert_true(facts->is_model);
    assert_false(facts->is_linux);
    assert_int_equal(facts->setting_count, 13);
    assert_string_equal(facts->settings[1].key, "events");
    assert_string_equal(facts->settings[1].value, "041@1000 # no comment");
    assert_string_equal(facts->settings[2].key, "n");
    assert_string_equal(facts->settings[2].value, "100");
    assert_false(facts->settings[2].fact);
    assert_true(facts->settings[3].fact);
    assert_int_equal(facts->event_count, 2);
    assert_int_equal(facts->events[0].kind, SAMPLE_OP);
    assert_int_equal(facts->events[0].period, 4096);
    unsigned seen[PERFDATA_ITEM_OTHER + 1] = {0};
    while (input_next(input, &item) && item.kind != PERFDATA_ITEM_END) {
        seen[item.kind]++;
        if (item.kind == PERFDATA_ITEM_SAMPLE && item.record.kind == SAMPLE_OP) {
            assert_int_equal(item.ip, 0x7E001040);
            assert_int_equal(item.record.reg[IBS_OP_DATA3], 0x20081);
            assert_int_equal(item.addr, 0x4a62e0);
            assert_int_equal(item.cpu, 1);
            assert_int_equal(item.caps, 0x1f);
            assert_true(item.exact);
            assert_int_equal(item.mode, MODE_USER);
        } else if (item.kind == PERFDATA_ITEM_MAP) {
            assert_int_equal(item.map.start, 0x7E001000);
            assert_true(item.map.protection & PROT_EXEC);
        } else if (item.kind == PERFDATA_ITEM_LOST) {
            assert_int_equal(item.lost, 2);
            assert_int_equal(item.event, 1);
        }
    }
    assert_int_equal(seen[PERFDATA_ITEM_SAMPLE], 2);
    assert_int_equal(seen[PERFDATA_ITEM_MAP], 1);
    assert_int_equal(seen[PERFDATA_ITEM_COMM], 1);
    assert_int_equal(seen[PERFDATA_ITEM_LOST], 1);
    input_close(input);
}

static void test_runs(void **state)
{
    write_run("stick/ibsboot/runs/0001-matmul-classic-ibs", ini);
    check_run(files_path("stick/ibsboot/runs/0001-matmul-classic-ibs"), INPUT_RUN);
    check_run(files_path("stick/ibsboot/runs/0001-matmul-classic-ibs/perf.data"), INPUT_PERFDATA);
    check_run(files_path("stick/ibsboot/runs"), INPUT_RUN);
    check_run(files_path("stick"), INPUT_RUN);
}

static void fails(const char *path, const char *words)
{
    char error[512];

    assert_null(input_open(path, error, sizeof(error)));
    if (strstr(error, words) == NULL)
        fail_msg("'%s' is not in: %s", words, error);
}

/* The origin of figures: a row has a processor, the system's release, run.ini's word, and the line that readers see. */
static void test_whose_figures(void **state)
{
    static const struct {
        const char *cpu_name, *release, *ini, *line;
    } rows[] = {
        {"Phenom", NULL, "#: figures = silicon\n", NULL},
        {"Phenom", NULL, "#: figures = model or hypervisor, not silicon\n", "MODEL"},
        {"Phenom", NULL, "#: figures = MODEL: as the image says it.\n", "MODEL: as the image says it."},
        {"Phenom", NULL, "#: figures = VIRTUAL: hypervisor \"X\" is present.\n", "VIRTUAL: hypervisor \"X\""},
        {"Phenom virtual PMU model C", NULL, "", "MODEL"}, /* only a copy of perf.data */
        {"Phenom", "6.1.0-56-amd64", "", NULL},
        {"Phenom", "6.1.0-56-amd64", "#: figures = under a hypervisor, not silicon\n", "HYPERVISOR"},
        {"Phenom virtual PMU model C", "6.1.0-56-amd64", "", "MODEL"},
    };
    static const char none[] = "no operating system";
    const char *folder = "whose";
    char error[512];

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        run_cpu_name = rows[i].cpu_name;
        write_run(folder, rows[i].ini);
        run_cpu_name = "Phenom";
        char *release = memmem(file.bytes, file.size, none, sizeof(none));
        assert_non_null(release);
        if (rows[i].release) {
            strcpy(release, rows[i].release);
            files_write("whose/perf.data", file.bytes, file.size);
        }
        struct input *input = input_open(files_path(folder), error, sizeof(error));
        assert_non_null(input);
        const char *line = input_figures(input_facts(input));
        if (!rows[i].line != !line || (line && strncmp(line, rows[i].line, strlen(rows[i].line)) != 0))
            fail_msg("row %zu: %s", i, line ? line : "no line");
        input_close(input);
    }
}

static void test_folders_that_are_no_run(void **state)
{
    write_run("two/runs/0001-a-ibs", ini);
    write_run("two/runs/0002-a-ibs", ini);
    fails(files_path("two"), "2 runs are in ");
    files_write("counts/run.ini", ini, sizeof(ini) - 1);
    fails(files_path("counts"), "this run has no perf.data");
    files_write("empty/readme", "a", 1);
    fails(files_path("empty"), "no perf.data and no runs");
    fails(files_path("nothing"), "No such file");
    fails("/dev/null", "this pipe is empty");
    write_run("binary", ini);
    files_write("binary/run.ini", "a = 1\0b = 2\n", 12);
    fails(files_path("binary"), "run.ini beside it is not text");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_buffers_of_two_processors_are_merged),
        cmocka_unit_test(test_equal_times),
        cmocka_unit_test(test_the_latest_time),
        cmocka_unit_test(test_records_without_time_come_first),
        cmocka_unit_test(test_random_rounds),
        cmocka_unit_test(test_steps_end_with_rounds),
        cmocka_unit_test(test_an_error_comes_behind_what_is_good),
        cmocka_unit_test(test_counters_read_with_their_leader),
        cmocka_unit_test(test_plain_ones_after_counters),
        cmocka_unit_test(test_many_threads_with_counters),
        cmocka_unit_test(test_build_ids_by_name),
        cmocka_unit_test(test_runs),
        cmocka_unit_test(test_whose_figures),
        cmocka_unit_test(test_folders_that_are_no_run),
    };

    return cmocka_run_group_tests(tests, NULL, files_end);
}
