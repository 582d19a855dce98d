/* SPDX-License-Identifier: BSD-2-Clause */
/* Fast reading, in stretches and by threads: the items and their order are the same, and so is the profile. */
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/family/ibs_regs.h"
#include "core/perfdata/perfdata.h"
#include "core/perfdata/perfdata_format.h"
#include "core/base/rng.h"
#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/made.h"
#include "tests/unit/ibsprof/made_linux.h"
#include "tools/ibsprof/read/input_inside.h"
#include "tools/ibsprof/read/input_order.h"
#include "tools/ibsprof/profile/profile.h"
#include "tools/ibsprof/profile/profile_threads.h"

static struct objects opened;

/* ---------------------------------------------------------------- the order of items */

enum way { ONE_BY_ONE, PLAIN, STRETCHES };

struct seen {
    uint64_t *hashes; /* hash of each item, in order */
    size_t count, room, stretches;
};

static uint64_t mix(uint64_t hash, uint64_t word)
{
    return (hash ^ word) * 0x100000001b3u ^ hash >> 29;
}

static void see(struct seen *seen, uint64_t what, uint64_t event, uint64_t pid, uint64_t ip, uint64_t time)
{
    if (seen->count == seen->room) {
        seen->room = seen->room ? 2 * seen->room : 1024;
        seen->hashes = realloc(seen->hashes, seen->room * sizeof(uint64_t));
    }
    seen->hashes[seen->count++] = mix(mix(mix(mix(mix(1, what), event), pid), ip), time);
}

static void see_plain(struct seen *seen, const struct perfdata_plain *samples, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        see(seen, PERFDATA_ITEM_SAMPLE, samples[i].event, samples[i].pid, samples[i].ip, samples[i].time);
}

static struct seen read_in(struct input *input, enum way way)
{
    struct seen seen = {0};
    struct perfdata_plain plain[7];
    struct perfdata_item item;
    struct input_stretch stretch;
    uint32_t count;

    if (way == STRETCHES)
        input_want_stretches(input, 1);
    for (;;) {
        while (way == STRETCHES && input_next_stretch(input, &stretch)) {
            struct perfdata_reader reader = *input_reader(input);
            uint64_t at = stretch.begin;

            seen.stretches++;
            if (stretch.copy)
                assert_memory_equal(stretch.copy, input->file.bytes + at, stretch.end - at);
            input_read_stretch(&stretch, &reader);
            while ((count = perfdata_read_plain(&reader, at, stretch.end, UINT64_MAX, plain, 7)) > 0) {
                see_plain(&seen, plain, count);
                for (uint32_t i = 0; i < count; i++)
                    at += plain[i].size;
            }
            assert_int_equal(at, stretch.end);
            input_let_stretch(input, &stretch);
        }
        count = way == ONE_BY_ONE ? 0 : input_next_plain(input, plain, 7);
        see_plain(&seen, plain, count);
        if (count > 0)
            continue;
        assert_true(input_next(input, &item));
        if (item.kind == PERFDATA_ITEM_END)
            return seen;
        if (item.kind == PERFDATA_ITEM_SAMPLE)
            see(&seen, item.kind, item.event, item.pid, item.ip, item.time);
        else
            see(&seen, item.kind, item.type, item.kind == PERFDATA_ITEM_COMM ? item.pid : 0,
                item.kind == PERFDATA_ITEM_MAP ? item.map.start : 0, 0);
    }
}

/* Checks all ways of reading. */
static void check_input(struct input *input, size_t least_stretches, size_t most_stretches)
{
    struct seen wanted = read_in(input, ONE_BY_ONE);

    for (int way = PLAIN; way <= STRETCHES; way++) {
        input_rewind(input);
        struct seen got = read_in(input, (enum way)way);
        assert_int_equal(got.count, wanted.count);
        assert_memory_equal(got.hashes, wanted.hashes, wanted.count * sizeof(uint64_t));
        if (way == STRETCHES)
            assert_in_range(got.stretches, least_stretches, most_stretches);
        free(got.hashes);
    }
    free(wanted.hashes);
    input_close(input);
}

static void check_ways(size_t least_stretches)
{
    check_input(made_open(), least_stretches, 1000000);
}

/* The buffers of some processors follow one another, with equal times, and maps between them. */
static void test_rounds(void **state)
{
    struct rng rng;

    rng_seed(&rng, 1);
    for (uint32_t times = 0; times < 100; times++) {
        uint32_t processors = 1 + rng_below(&rng, 4), step = rng_below(&rng, 2) ? 3 : 200;

        made_begin();
        for (uint32_t round = 0; round < 20; round++) {
            for (uint32_t cpu = 0; cpu < processors; cpu++) {
                uint64_t time = 1000 * round;

                for (uint32_t i = rng_below(&rng, 30); i > 0; i--) {
                    time += rng_below(&rng, step);
                    if (rng_below(&rng, 10) == 0)
                        made_comm(100 + cpu, "program", 0, time);
                    else
                        made_sample(rng_below(&rng, 2) ? MADE_A : MADE_B, 100 + cpu, i, time);
                }
            }
            if (times % 3 != 0)
                made_round_ends();
        }
        check_ways(0);
    }
}

/* One processor's buffer is long, with stretches between maps, short and long ones. */
static void test_long_stretches(void **state)
{
    struct rng rng;
    uint64_t time = 1;

    rng_seed(&rng, 2);
    made_begin();
    for (uint32_t part = 0; part < 12; part++) {
        uint32_t count = part % 3 == 1 ? 100 : 20000 + rng_below(&rng, 40000);

        made_comm(1, "program", 0, time);
        for (uint32_t i = 0; i < count; i++)
            made_sample(i % 5 ? MADE_A : MADE_B, 1, i, time += rng_below(&rng, 2));
        if (part % 2)
            made_round_ends();
    }
    check_ways(16);
}

/* Samples with call chains are not plain: however many there are, they are no stretch. */
static void test_call_chains(void **state)
{
    static const struct linux_facts facts = {.release = "6.1.0-test"};
    static const uint64_t chain[] = {0xfffffffffffffe00u, 0x401000};
    struct linux_event event = {LINUX_HARDWARE, 0, 1000, 0, 0, "cycles"};
    char error[200];

    for (unsigned chains = 0; chains < 2; chains++) {
        struct input *input;

        event.more = chains ? PERFDATA_SAMPLE_CALLCHAIN : 0;
        linux_begin(&event, 1);
        for (uint64_t i = 0; i < 4000; i++)
            linux_sample((struct linux_sample){.pid = 1,
                                               .tid = 1,
                                               .ip = i,
                                               .time = 1000 + i,
                                               .period = 1000,
                                               .misc = 2,
                                               .chain = chain,
                                               .chain_count = chains ? 2 : 0});
        input = input_open(linux_write("chains", &facts), error, sizeof(error));
        assert_non_null(input);
        check_input(input, !chains, !chains);
    }
}

/* ---------------------------------------------------------------- profiles */

/* A sum over the samples seen while a profile is made; the sum depends on their order. */
struct shown {
    uint64_t count, sum;
};

static void sum_up(void *context, const struct run_profile *profile, const struct perfdata_plain *samples,
                   uint32_t count)
{
    struct shown *shown = context;

    for (uint32_t i = 0; i < count; i++) {
        const struct perfdata_plain *sample = &samples[i];

        assert_in_range(sample->event, 0, profile->facts->event_count - 1);
        shown->sum = shown->sum * 0x9E3779B97F4A7C15u + sample->time + sample->ip * 3 + sample->event * 7 +
                     (sample->registers ? sample->registers[9] : 0);
        shown->count++;
    }
}

static struct run_profile *profile_of(struct input *input, unsigned threads, struct shown *ret_shown)
{
    struct profile_options options = {
        .search.opened = &opened, .threads = threads, .see = sum_up, .see_context = ret_shown};
    char error[200];
    struct run_profile *profile;

    *ret_shown = (struct shown){0};
    input_rewind(input);
    profile = run_profile_read(input, &options, error, sizeof(error));
    assert_non_null(profile);
    assert_string_equal(error, "");
    return profile;
}

static void same_profile(const struct run_profile *a, const struct run_profile *b)
{
    size_t events = a->facts->event_count;

    assert_int_equal(a->object_count, b->object_count);
    for (uint32_t i = 0; i < a->object_count; i++)
        assert_ptr_equal(a->objects[i], b->objects[i]);
    assert_int_equal(a->place_count, b->place_count);
    for (uint32_t i = 0; i < a->place_count; i++) {
        const struct profile_place *p = &a->places[i], *q = &b->places[i];

        assert_true(p->object == q->object && p->rva == q->rva && p->mode == q->mode && p->workload == q->workload);
        assert_memory_equal(p->counts, q->counts, sizeof(p->counts));
        assert_memory_equal(p->weighted, q->weighted, sizeof(p->weighted));
        assert_memory_equal(p->events, q->events, 2 * events * sizeof(uint64_t));
        assert_int_equal(p->latency != NULL, q->latency != NULL);
        if (p->latency)
            assert_memory_equal(p->latency, q->latency, LATENCY_BINS * sizeof(*p->latency));
    }
    assert_memory_equal(a->totals, b->totals, sizeof(a->totals));
    assert_memory_equal(a->samples, b->samples, sizeof(a->samples));
    assert_memory_equal(a->event_samples, b->event_samples, 2 * events * sizeof(uint64_t));
    assert_memory_equal(a->outside, b->outside, sizeof(a->outside));
    assert_memory_equal(a->latency, b->latency, sizeof(a->latency));
    assert_memory_equal(a->tag_to_ret, b->tag_to_ret, sizeof(a->tag_to_ret));
    assert_memory_equal(a->fetch_latency, b->fetch_latency, sizeof(a->fetch_latency));
    assert_int_equal(a->core_count, b->core_count);
    assert_memory_equal(a->cores, b->cores, a->core_count * sizeof(*a->cores));
    assert_int_equal(a->points_seen, b->points_seen);
    assert_int_equal(a->point_count, b->point_count);
    for (uint32_t i = 0; i < a->point_count; i++) {
        const struct profile_point *p = &a->points[i], *q = &b->points[i];

        assert_true(p->time == q->time && p->addr == q->addr && p->place == q->place && p->latency == q->latency &&
                    p->source == q->source && p->store == q->store && p->tlb_miss == q->tlb_miss);
    }
    assert_int_equal(a->first_time, b->first_time);
    assert_int_equal(a->last_time, b->last_time);
    assert_int_equal(a->records_other, b->records_other);
}

static void check_threads(struct input *input)
{
    static const unsigned threads[] = {2, 3, 7};
    struct shown shown, again;
    struct run_profile *one = profile_of(input, 1, &shown);
    uint64_t samples = 0;

    for (uint32_t i = 0; i < one->facts->event_count; i++)
        samples += one->event_samples[i];
    assert_int_equal(shown.count, samples);
    for (size_t i = 0; i < sizeof(threads) / sizeof(threads[0]); i++) {
        struct run_profile *many = profile_of(input, threads[i], &again);

        assert_int_equal(again.count, shown.count);
        assert_int_equal(again.sum, shown.sum);
        same_profile(one, many);
        run_profile_free(many);
    }
    run_profile_free(one);
    objects_free(&opened);
}

static FILE *run_file;
static int append(void *context, const void *data, size_t size)
{
    return fwrite(data, 1, size, run_file) == size ? 0 : -1;
}

/* Checks that stretches follow one another to the end: one thread reads the records between them while the others
 * wait. */
static void check_no_gaps(const char *path)
{
    char error[200];
    struct input *input = input_open(path, error, sizeof(error));
    struct input_stretch stretch;
    uint64_t behind = 0, covered = 0;
    struct perfdata_item item;

    assert_non_null(input);
    input_want_stretches(input, 1);
    while (!input_next_stretch(input, &stretch)) {
        assert_true(input_next(input, &item));
        assert_int_not_equal(item.kind, PERFDATA_ITEM_END);
    }
    do {
        assert_true(behind == 0 || stretch.begin == behind);
        assert_non_null(stretch.copy);
        behind = stretch.end;
        covered += stretch.end - stretch.begin;
        input_let_stretch(input, &stretch);
    } while (input_next_stretch(input, &stretch));
    assert_in_range(covered, input_facts(input)->file_size * 9 / 10, input_facts(input)->file_size);
    input_close(input);
}

/* Ops and fetches have random registers at 500 instructions, with more accesses than are drawn. */
static void test_ops_and_fetches(void **state)
{
    enum { COUNT = 90000 };
    struct sample_record *records = calloc(COUNT, sizeof(*records));
    struct perfdata_info info = {.vendor = "AuthenticAMD",
                                 .cpu_name = "",
                                 .family = 16,
                                 .caps = 0x1f,
                                 .cores = 4,
                                 .tsc_khz = 2000000,
                                 .image_base = 0x10000,
                                 .text_size = 0x1000,
                                 .elf_name = "no-such-file.elf",
                                 .version = "",
                                 .command = "",
                                 .comm = "x",
                                 .event = {{.sampled = true, .period = 7}, {.sampled = true, .period = 9}}};
    char error[200];
    struct rng rng;

    rng_seed(&rng, 3);
    for (uint32_t i = 0; i < COUNT; i++) {
        records[i] = (struct sample_record){
            .kind = rng_below(&rng, 4) ? SAMPLE_OP : SAMPLE_FETCH, .cpu = rng_below(&rng, 4), .tsc = 100 + 7 * i};
        for (int r = 0; r < (records[i].kind == SAMPLE_OP ? IBS_OP_REGS : IBS_FETCH_REGS); r++)
            records[i].reg[r] = rng_next(&rng);
        records[i].reg[records[i].kind == SAMPLE_OP ? IBS_OP_RIP : IBS_FETCH_LINAD] = 0x10000 + rng_below(&rng, 500);
    }
    const char *path = files_write("threads.data", "", 0);
    run_file = fopen(path, "wb");
    assert_int_equal(perfdata_write(&info, records, COUNT, append, NULL), 0);
    assert_int_equal(fclose(run_file), 0);
    free(records);
    struct input *input = input_open(path, error, sizeof(error));
    assert_non_null(input);
    struct shown shown;
    struct run_profile *profile = profile_of(input, 2, &shown);
    assert_in_range(profile->points_seen, POINTS_MAX + 1000, COUNT); /* some were drawn, and others not */
    assert_int_equal(profile->samples[0] + profile->samples[1], COUNT);
    /* Each access is kept with the same probability: the mean of their times is that of all, with a standard deviation
     * of 1 / sqrt(12 * 20000) of the time, 0.2 %, and the share of late ones is the same, too. */
    double sum = 0;
    unsigned late = 0;
    for (uint32_t i = 0; i < profile->point_count; i++) {
        sum += (double)(profile->points[i].time - profile->first_time);
        late += profile->points[i].time - profile->first_time > (profile->last_time - profile->first_time) / 10 * 9;
    }
    assert_int_equal(profile->point_count, POINTS_MAX);
    assert_in_range(1000 * sum / POINTS_MAX / (double)(profile->last_time - profile->first_time), 490, 510);
    assert_in_range(late, POINTS_MAX / 10 - 150, POINTS_MAX / 10 + 150);
    run_profile_free(profile);
    objects_free(&opened);
    check_threads(input);
    input_close(input);
    check_no_gaps(path);
}

/* Several processes take turns, and their maps change between the stretches. */
static void test_maps_that_change(void **state)
{
    struct rng rng;
    uint64_t time = 1;

    rng_seed(&rng, 4);
    made_begin();
    for (uint32_t part = 0; part < 40; part++) {
        char name[32];

        snprintf(name, sizeof(name), "/no/such/file-%u", part);
        made_map(1 + part % 3, 0x1000, 0x1000, name, time);
        for (uint32_t i = 0; i < 8000; i++)
            made_sample(MADE_A, 1 + rng_below(&rng, 4), 0x1000 + 0x10 * rng_below(&rng, 200), ++time);
    }
    struct input *input = made_open();
    assert_true(made_size() > 10 << 20);
    check_threads(input);
    struct shown shown;
    struct run_profile *profile = profile_of(input, 2, &shown);
    for (uint32_t i = 0; i < profile->place_count; i++)
        if (profile->places[i].object != PROFILE_NO_OBJECT)
            assert_true(profile->places[i].rva < 0x1000); /* an offset in a file */
    assert_int_equal(profile->object_count, 40);
    run_profile_free(profile);
    objects_free(&opened);
    input_close(input);
}

/* There are as many threads as this process may use processors, whatever the machine has. */
static void test_usable(void **state)
{
    cpu_set_t all, one;

    assert_int_equal(sched_getaffinity(0, sizeof(all), &all), 0);
    assert_int_equal(threads_usable(), CPU_COUNT(&all) < THREADS_MAX ? CPU_COUNT(&all) : THREADS_MAX);
    CPU_ZERO(&one);
    for (unsigned cpu = 0; CPU_COUNT(&one) == 0; cpu++)
        if (CPU_ISSET(cpu, &all))
            CPU_SET(cpu, &one);
    assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
    assert_int_equal(threads_usable(), 1);
    assert_int_equal(sched_setaffinity(0, sizeof(all), &all), 0);
}

/* ---------------------------------------------------------------- memory */

/* However a large file is read, its beginning is returned to the system in steps of 4 MiB, except for parts that are
 * held. */
static void test_given_back(void **state)
{
    made_begin();
    for (unsigned i = 0; i < 600000; i++) {
        made_sample(MADE_A, 1, 0x1000, 1000 * i);
        if (i % 100 == 0)
            made_comm(1, "p", 0, 1000 * i); /* a record that is not plain */
    }
    for (int held = 0; held < 2; held++)
        for (enum way way = ONE_BY_ONE; way <= STRETCHES; way++) {
            struct input *input = made_open();
            struct seen seen;

            if (held)
                input_hold(input, 9 << 20);
            seen = read_in(input, way);
            assert_int_equal(input->file.released % INPUT_RELEASE_STEP, 0);
            if (held)
                assert_int_equal(input->file.released, 8 << 20);
            else
                assert_in_range(input->file.released, 16 << 20, input->file.size);
            input_rewind(input);
            assert_int_equal(input->file.released, 0);
            free(seen.hashes);
            input_close(input);
        }
}

static unsigned open_descriptors(void)
{
    unsigned count = 0;

    for (int i = 0; i < 1000; i++)
        count += fcntl(i, F_GETFD) != -1;
    return count;
}

/* A file is kept open for its copies. If it is not, as after input_rest(), its stretches have no copies. */
static void test_descriptors(void **state)
{
    unsigned before = open_descriptors();
    struct input_stretch stretch;
    struct input *input;

    made_begin();
    for (unsigned i = 0; i < 10000; i++)
        made_sample(MADE_A, 1, 0x1000, 1000 * i);
    input = made_open();
    assert_int_equal(open_descriptors(), before + 1);
    input_rest(input);
    assert_int_equal(open_descriptors(), before);
    input_want_stretches(input, 1);
    assert_true(input_next_stretch(input, &stretch));
    assert_null(stretch.copy);
    input_rewind(input);
    check_input(input, 1, 1); /* and the file is closed */
    assert_int_equal(open_descriptors(), before);
    input = made_open();
    check_input(input, 1, 1);
    assert_int_equal(open_descriptors(), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rounds),           cmocka_unit_test(test_call_chains),
        cmocka_unit_test(test_long_stretches),   cmocka_unit_test(test_ops_and_fetches),
        cmocka_unit_test(test_maps_that_change), cmocka_unit_test(test_usable),
        cmocka_unit_test(test_given_back),       cmocka_unit_test(test_descriptors),
    };

    return cmocka_run_group_tests(tests, NULL, files_end);
}
