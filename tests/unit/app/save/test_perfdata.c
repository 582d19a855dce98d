/* SPDX-License-Identifier: BSD-2-Clause */
/* The perf.data file of a run, read back: which events are in it, whose samples, and what they stand for. */
#include <stdio.h>
#include <string.h>

#include "core/perfdata/perfdata_format.h"
#include "core/perfdata/perfdata_read.h"
#include "tests/unit/app/fixture.h"

#define RUN "menu=no n=50 "

/* A file's events with the sums of their samples. */
struct summary {
    struct perfdata_reader reader;
    uint64_t samples[PERFDATA_EVENTS_MAX], sum[PERFDATA_EVENTS_MAX], lost[PERFDATA_EVENTS_MAX];
};

static const struct fake_file *find(const char *folder)
{
    char path[128];

    snprintf(path, sizeof(path), "\\ibsboot\\runs\\%s\\perf.data", folder);
    return fake_file_find(&fake_fw, path);
}

static void sum_up(const char *folder, struct summary *summary)
{
    const struct fake_file *file = find(folder);
    struct perfdata_item item;

    memset(summary, 0, sizeof(*summary));
    assert_non_null(file);
    assert_int_equal(perfdata_open(&summary->reader, file->data, file->size), PERFDATA_OK);
    do {
        assert_int_equal(perfdata_next(&summary->reader, &item), PERFDATA_OK);
        if (item.kind == PERFDATA_ITEM_SAMPLE) {
            summary->samples[item.event]++;
            summary->sum[item.event] += item.period;
        }
        if (item.kind == PERFDATA_ITEM_LOST)
            summary->lost[item.event] += item.lost;
    } while (item.kind != PERFDATA_ITEM_END);
}

static unsigned event_of(const struct summary *summary, const char *name)
{
    for (unsigned i = 0; i < summary->reader.event_count; i++)
        if (!strcmp(summary->reader.events[i].name, name))
            return i;
    fail_msg("no event %s", name);
    return 0;
}

static long long event_fact(const char *folder, unsigned event, const char *key)
{
    char name[64];

    snprintf(name, sizeof(name), "event.%u.%s", event, key);
    return fact(folder, name);
}

/* Periods add up to one run of the workload, with several passes and repeats, whether events share the passes or take
 * turns. */
APP_TEST(counters_add_up_to_one_run)
{
    static const char *const sharings[] = {"rerun repeats=3", "multiplex repeats=3", "rerun"};

    for (unsigned i = 0; i < 3; i++) {
        static struct summary summary;
        char options[128], folder[64];

        fake_session.count[0] = (struct fake_count){0x0C0, 100000000, 0, 0};
        fake_session.count[1] = (struct fake_count){0x0CA, 10000000, 0, 0};
        snprintf(options, sizeof(options), RUN "config=branch periods=given sharing=%s", sharings[i]);
        assert_int_equal(start(options), 0);
        snprintf(folder, sizeof(folder), "000%u-matmul-classic-branch", i + 1);
        sum_up(folder, &summary);
        assert_int_equal(summary.reader.event_count, 7);
        assert_int_equal(event_of(&summary, "RETIRED_INSTRUCTIONS:00"), 0);
        assert_int_equal(summary.sum[0], 100000000);
        assert_int_equal(summary.reader.events[0].type, PERFDATA_TYPE_RAW);
        assert_int_equal(summary.reader.events[0].config, 0xC0);
        assert_int_equal(summary.sum[6], 10000000);
        assert_int_equal(summary.reader.events[6].config, 0xCA);
        for (unsigned e = 0; e < 7; e++) {
            assert_true(summary.samples[e] > 0);
            assert_int_equal(summary.samples[e], event_fact(folder, e, "samples"));
            assert_int_equal(summary.reader.events[e].period, event_fact(folder, e, "period"));
        }
    }
}

APP_TEST(names_are_those_of_settings)
{
    static struct summary summary;
    static const char *const names[] = {"DATA_CACHE_MISSES:00", "L1_DTLB_AND_L2_DTLB_MISS:03",
                                        "RETIRED_INSTRUCTIONS:00:i:c=2"};

    assert_int_equal(start(RUN "config=events periods=given events=041,046:3,0C0:i:c=2"), 0);
    sum_up("0001-matmul-classic-events", &summary);
    assert_int_equal(summary.reader.event_count, 3);
    for (unsigned i = 0; i < 3; i++)
        assert_string_equal(summary.reader.events[i].name, names[i]);
    assert_int_equal(summary.reader.events[1].config, 0x0346);
    assert_int_equal(summary.reader.events[2].config, 0x028000C0);
}

APP_TEST(the_timer_is_perf_s_clock)
{
    static struct summary summary;

    assert_int_equal(start(RUN "config=tbp timer_us=250"), 0);
    sum_up("0001-matmul-classic-tbp", &summary);
    assert_int_equal(summary.reader.event_count, 1);
    assert_string_equal(summary.reader.events[0].name, "cpu-clock");
    assert_int_equal(perfdata_kind(&summary.reader.events[0]), SAMPLE_TIMER);
    assert_int_equal(summary.samples[0], fact("0001-matmul-classic-tbp", "samples.timer"));
    assert_int_equal(summary.sum[0], summary.samples[0] * 250000);
}

APP_TEST(counters_and_ibs_are_in_one_file)
{
    static struct summary summary;
    const char *folder = "0001-matmul-classic-skid";
    unsigned op;

    assert_int_equal(start(RUN "config=skid"), 0);
    sum_up(folder, &summary);
    op = event_of(&summary, "ibs_op//");
    assert_int_equal(summary.samples[op], fact(folder, "samples.op"));
    assert_true(summary.samples[op] > 0);
    assert_int_equal(op, 0); /* IBS first, then the counters in the order of the list */
    assert_true(summary.reader.event_count > 1);
    for (unsigned e = 1; e < summary.reader.event_count; e++) {
        assert_true(summary.samples[e] > 0);
        assert_int_equal(summary.samples[e], event_fact(folder, e - 1, "samples"));
        assert_int_equal(summary.sum[e],
                         fake_session.otherwise / summary.reader.events[e].period * summary.reader.events[e].period);
    }
}

APP_TEST(lost_samples_are_told_of_each_event)
{
    static struct summary summary;
    const char *folder = "0001-matmul-classic-events";
    uint64_t lost = 0;

    (void)start(RUN "records=1000 config=events periods=given events=041@1000,046:7@1500");
    sum_up(folder, &summary);
    for (unsigned e = 0; e < 2; e++) {
        assert_int_equal(summary.samples[e], event_fact(folder, e, "samples"));
        assert_int_equal(summary.lost[e], event_fact(folder, e, "lost"));
        lost += summary.lost[e];
    }
    assert_int_equal(summary.samples[0] + summary.samples[1], 1000);
    assert_int_equal(lost, 1000 + 666 - 1000);
}

APP_TEST(the_timer_s_lost_samples_too)
{
    static struct summary summary;

    fake_session.timer_samples = 1100;
    (void)start(RUN "records=1000 config=tbp");
    sum_up("0001-matmul-classic-tbp", &summary);
    assert_int_equal(summary.samples[0], 1000);
    assert_int_equal(summary.lost[0], 100);
}

/* Nodes 0 and 2 have the cores that took part; the memory of each is the sum of its ranges. */
APP_TEST(nodes_of_the_machine)
{
    static struct summary summary;
    const uint8_t *section;
    const char *cores;
    uint32_t number, count, size;
    uint64_t kb;

    set_two_nodes();
    fake_session.machine.nodes =
        (struct nodes){.count = 2,
                       .mask = 5,
                       .of_processor = 1,
                       .ranges = 3,
                       .range = {{0, 0x30000000, 0}, {0x30000000, 0x38000000, 2}, {0x38000000, 0x60000000, 0}}};
    assert_int_equal(start("menu=no cores=0,1,3 " SMALL), 0);
    sum_up("0001-tight-loop-ibs", &summary);
    assert_true(perfdata_node_at(&summary.reader, 0, &number, &cores));
    assert_int_equal(number, 0);
    assert_string_equal(cores, "0,1");
    assert_true(perfdata_node_at(&summary.reader, 1, &number, &cores));
    assert_int_equal(number, 2);
    assert_string_equal(cores, ""); /* core 3 belongs to node 1, as its APIC ID says */
    assert_false(perfdata_node_at(&summary.reader, 2, &number, &cores));
    /* In perf.data-file-format.txt the section has a count, and for each node its number, memory in KiB, free memory,
     * and the text of its cores. */
    section = summary.reader.file + summary.reader.nodes.offset;
    memcpy(&count, section, sizeof(count));
    assert_int_equal(count, 2);
    memcpy(&kb, section + 8, sizeof(kb));
    assert_int_equal(kb, (0x30000000 + 0x28000000) / 1024);
    memcpy(&size, section + 24, sizeof(size));
    memcpy(&kb, section + 28 + size + 4, sizeof(kb));
    assert_int_equal(kb, 0x08000000 / 1024);
    /* If no node is known the file still has one: perf c2c opens no file without nodes. */
    fake_session.machine.nodes = (struct nodes){.count = 1};
    assert_int_equal(start("menu=no cores=0,1,3 " SMALL), 0);
    sum_up("0002-tight-loop-ibs", &summary);
    assert_true(perfdata_node_at(&summary.reader, 0, &number, &cores));
    assert_int_equal(number, 0);
    assert_string_equal(cores, "0,1,3");
    assert_false(perfdata_node_at(&summary.reader, 1, &number, &cores));
}

APP_TEST(what_is_not_modelled_is_not_there)
{
    static struct summary summary;

    fake_session.not_modelled[0] = 0x0C0;
    assert_int_equal(start(RUN "config=events periods=given events=0C0,041"), 0);
    sum_up("0001-matmul-classic-events", &summary);
    assert_int_equal(summary.reader.event_count, 1);
    assert_string_equal(summary.reader.events[0].name, "DATA_CACHE_MISSES:00");
    assert_int_equal(summary.samples[0], event_fact("0001-matmul-classic-events", 1, "samples"));
}

APP_TEST(totals_alone_need_no_such_file)
{
    assert_int_equal(start(RUN "config=count"), 0);
    assert_null(find("0001-matmul-classic-count"));
}

/* Each sample's chain is the stack of its own record, on one core and on two; of two samples of one NMI, which have the
 * same time, the second has the first one's chain. */
APP_TEST(call_chains)
{
    static const struct {
        const char *options;
        unsigned cores, ops, fetches;
    } rows[] = {{"fetch=no", 1, 5, 0}, {"fetch=no cores=all", 2, 5, 0}, {"", 1, 1, 1}, {"cores=all", 2, 1, 1}};

    for (unsigned r = 0; r < 4; r++) {
        static struct perfdata_reader reader;
        const struct fake_file *file;
        struct perfdata_item item;
        char options[100], folder[64];
        unsigned seen[2] = {0};

        fake_fw.cores = 2;
        fake_session.op_samples = rows[r].ops;
        fake_session.fetch_samples = rows[r].fetches;
        fake_session.together = true;
        snprintf(options, sizeof(options), RUN "call_stack=2 %s", rows[r].options);
        assert_int_equal(start(options), 0);
        snprintf(folder, sizeof(folder), "000%u-matmul-classic-ibs", r + 1);
        file = find(folder);
        assert_non_null(file);
        assert_int_equal(perfdata_open(&reader, file->data, file->size), PERFDATA_OK);
        for (;;) {
            uint64_t words[4], n;

            assert_int_equal(perfdata_next(&reader, &item), PERFDATA_OK);
            if (item.kind == PERFDATA_ITEM_END)
                break;
            if (item.kind != PERFDATA_ITEM_SAMPLE)
                continue;
            n = rows[r].fetches ? 0 : seen[item.cpu];
            seen[item.cpu]++;
            assert_int_equal(item.callchain_count, 2 + n % 3);
            memcpy(words, item.callchain, 8 * item.callchain_count);
            assert_int_equal(words[0], PERFDATA_CONTEXT_USER);
            assert_int_equal(words[1], 0x10000 * (item.cpu + 1) + n);
            for (unsigned i = 0; i < n % 3; i++)
                assert_int_equal(words[2 + i], words[1] + 0x100 * (i + 1));
        }
        for (unsigned core = 0; core < rows[r].cores; core++)
            assert_int_equal(seen[core], rows[r].ops + rows[r].fetches);
        /* Records 0 and 3 are whole, 1 and 4 cut, 2 is broken. */
        assert_int_equal(fact(folder, "stacks.whole"), 2 * rows[r].cores);
        assert_int_equal(fact(folder, "stacks.cut"), (rows[r].fetches ? 0 : 2) * rows[r].cores);
        assert_int_equal(fact(folder, "stacks.broken"), (rows[r].fetches ? 0 : 1) * rows[r].cores);
    }
    assert_shown("Call stacks   4 whole, 4 cut at 2 return addresses, 2 broken\n");
    fake_session.fetch_samples = 0;
    fake_session.op_samples = 4;
    assert_int_equal(start(RUN "fetch=no call_stack=2"), 0);
    assert_shown("Call stacks   2 whole, 1 cut at 2 return addresses, 1 broken\n");
    assert_int_equal(start(RUN "fetch=no"), 0);
    assert_int_equal(fact("0006-matmul-classic-ibs", "stacks.whole"), -1);
}

/* Each sample's branches are those of its own record, on one core and on two; of two samples of one NMI the second has
 * the first one's. Branches on paths that did not retire are counted separately. */
APP_TEST(branch_stacks)
{
    static const struct {
        const char *options;
        unsigned cores, ops, fetches;
    } rows[] = {{"fetch=no", 1, 5, 0}, {"fetch=no cores=all call_stack=2", 2, 5, 0}, {"cores=all", 2, 1, 1}};

    unsigned runs;

    fake_session.machine.branches = FAKE_TAKEN;
    for (unsigned r = 0; r < 3; r++) {
        static struct perfdata_reader reader;
        const struct fake_file *file;
        struct perfdata_item item;
        char options[100], folder[64];
        unsigned seen[2] = {0}, all = rows[r].cores * (rows[r].ops + rows[r].fetches);

        fake_fw.cores = 2;
        fake_session.op_samples = rows[r].ops;
        fake_session.fetch_samples = rows[r].fetches;
        fake_session.together = true;
        snprintf(options, sizeof(options), RUN "branches=yes %s", rows[r].options);
        assert_int_equal(start(options), 0);
        snprintf(folder, sizeof(folder), "000%u-matmul-classic-ibs", r + 1);
        file = find(folder);
        assert_non_null(file);
        assert_int_equal(perfdata_open(&reader, file->data, file->size), PERFDATA_OK);
        for (;;) {
            assert_int_equal(perfdata_next(&reader, &item), PERFDATA_OK);
            if (item.kind == PERFDATA_ITEM_END)
                break;
            if (item.kind != PERFDATA_ITEM_SAMPLE)
                continue;
            uint64_t n = rows[r].fetches ? 0 : seen[item.cpu];
            seen[item.cpu]++;
            assert_int_equal(item.branch_count, FAKE_TAKEN - 1);
            for (uint32_t i = 0; i < item.branch_count; i++)
                assert_int_equal(perfdata_branch(&item, i).from, 0x10000 * (item.cpu + 1) + 0x100 * n + i);
        }
        assert_int_equal(seen[0] + seen[1], all);
        assert_int_equal(fact(folder, "branches.taken"), 3 * all);
        assert_int_equal(fact(folder, "branches.mispredicted"), all);
        assert_int_equal(fact(folder, "branches.wrong_path"), all);
        assert_int_equal(fact(folder, "branches.empty"), all);
    }
    assert_shown("Branches      12 taken, 4 of them mispredicted; left out: 4 on wrong paths, 4 empty\n");
    fake_session.fetch_samples = 0;
    assert_int_equal(start(RUN "fetch=no"), 0);
    assert_int_equal(fact("0004-matmul-classic-ibs", "branches.taken"), -1);
    /* On Zen 3 all recorded branches have retired, and no bit says whether they were mispredicted. */
    fake_session.machine.branch_sampling = true;
    assert_int_equal(start(RUN "branches=yes cores=0 config=events repeats=1 events=0C4@10000"), 0);
    assert_int_equal(fact("0005-matmul-classic-events", "branches.taken"), FAKE_TAKEN * 100);
    assert_int_equal(fact("0005-matmul-classic-events", "branches.mispredicted"), -1);
    assert_int_equal(fact("0005-matmul-classic-events", "branches.wrong_path"), -1);
    assert_shown("Branches      500 taken, after counter overflows; predictions are not recorded; 0 empty\n");
    runs = fake_session.runs;
    assert_int_equal(start(RUN "fetch=no branches=yes cores=0"),
                     1); /* branches are refused beside other samples, too */
    assert_int_equal(fake_session.runs, runs);
    assert_says("Zen 3 records branches only after a counter's overflow: branches=yes needs config=events");
    fake_session.machine.branch_sampling = false;
    fake_session.machine.branches = 0;
    assert_int_not_equal(start(RUN "branches=yes"), 0);
    assert_shown("no branch records");
}

RUN_TESTS(fixture_load, NULL)
