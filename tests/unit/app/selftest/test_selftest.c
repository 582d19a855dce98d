/* SPDX-License-Identifier: BSD-2-Clause */
/* The checks of the self-test on made-up trials: correct trials pass, and each fault fails its own row. */
#include "app/selftest/selftest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/family/ibs_regs.h"
#include "tests/unit/app/fixture.h"
#include "tests/unit/first_set.h"

enum { LOOP = 0x10001000, LOOP_SIZE = 80, ARENA_BYTES = 0x11000, OPS = 117, FETCHES = 80, OVERFLOWS = 14, TICKS = 3 };
enum { INSTRUCTIONS = 120012, BRANCHES = 20002, TAKEN = 20001, CLOCKS = 200000 };
#define PHYSICAL 0x1b000000ull

static struct selftest *test;
static struct derived_set rules;
static struct sample_record records[SELFTEST_TRIALS][256];

static unsigned row_of(const char *name)
{
    for (unsigned i = 0; i < SELFTEST_ROWS; i++)
        if (!strcmp(selftest_table[i].name, name))
            return i;
    fail_msg("no check of that name: %s", name);
    return 0;
}

static struct sample_record record_of(enum sample_kind kind, unsigned n)
{
    struct sample_record record = {.tsc = 1000 + 10 * n, .kind = kind};

    if (kind == SAMPLE_FETCH) {
        record.reg[IBS_FETCH_CTL] = IBS_FETCH_EN | IBS_FETCH_VAL | IBS_FETCH_COMP | IBS_FETCH_PHY_VALID;
        record.reg[IBS_FETCH_LINAD] = LOOP + n % LOOP_SIZE;
        record.reg[IBS_FETCH_PHYSAD] = 0x5000000 + record.reg[IBS_FETCH_LINAD];
        return record;
    }
    if (kind == SAMPLE_OP) {
        record.reg[IBS_OP_RIP] = LOOP + n % LOOP_SIZE;
        record.reg[IBS_OP_DATA3] =
            n % 3 ? 0 : (n % 2 ? IBS_LD_OP : IBS_ST_OP) | IBS_DC_LIN_ADDR_VALID | IBS_DC_PHY_ADDR_VALID;
        record.reg[IBS_OP_DCLINAD] = n % 3 ? 0 : FAKE_ARENA + 64;
        record.reg[IBS_OP_DCPHYSAD] = n % 3 ? 0 : PHYSICAL + 64;
        return record;
    }
    record.reg[PMC_RIP] = LOOP + n % LOOP_SIZE;
    return record;
}

static void give(enum selftest_trial_name name, enum sample_kind kind, unsigned count)
{
    struct selftest_trial *trial = &test->trial[name];

    for (unsigned n = 0; n < count; n++)
        records[name][n] = record_of(kind, n);
    trial->result.samples = trial->result.counts.recorded[kind] = count;
}

static int setup(void **state)
{
    static const uint64_t counts[] = {CLOCKS, INSTRUCTIONS, BRANCHES, TAKEN};

    free(test);
    test = calloc(1, sizeof(*test));
    assert_non_null(test);
    test->address = LOOP;
    test->size = LOOP_SIZE;
    test->physical = PHYSICAL;
    test->bytes = ARENA_BYTES;
    test->place = 64;
    test->tsc_khz = 3000000;
    test->set = first_set();
    for (unsigned i = 0; i < SELFTEST_TRIALS; i++) {
        struct selftest_trial *trial = &test->trial[i];

        trial->there = trial->correct = true;
        trial->record = records[i];
        trial->result.arena = FAKE_ARENA;
        trial->result.restore.count = 2;
        trial->result.restore.row[0] = trial->result.restore.row[1] =
            (struct restore_row){.what = "a register", .ok = true};
    }
    for (unsigned c = 0; c < SELFTEST_COUNTERS; c++) {
        test->known[c] = c ? counts[c] : 0;
        test->trial[SELFTEST_EMPTY].result.pmc.event[c].total = 30;
        test->trial[SELFTEST_COUNTS].result.pmc.event[c].total = counts[c] + 30;
    }
    give(SELFTEST_OVERFLOW, SAMPLE_PMC, OVERFLOWS);
    give(SELFTEST_OP_FIXED, SAMPLE_OP, OPS);
    give(SELFTEST_OP, SAMPLE_OP, OPS);
    test->trial[SELFTEST_OP].result.settings.op_random = IBS_RANDOM_CURCNT;
    give(SELFTEST_FETCH, SAMPLE_FETCH, FETCHES);
    give(SELFTEST_TICKS, SAMPLE_TIMER, TICKS);
    test->trial[SELFTEST_TICKS].result.timer.by = TIMER_BY_APIC;
    test->trial[SELFTEST_TICKS].result.tsc_start = 1000;
    test->trial[SELFTEST_TICKS].result.tsc_stop = 1000 + 60 * 3000;
    return 0;
}

static int teardown(void **state)
{
    free(test);
    test = NULL;
    return 0;
}

/* Judges the trials again: this check alone must fail, with these words. */
static void assert_fails(const char *name, const char *says)
{
    unsigned row = row_of(name);

    selftest_judge(test);
    for (unsigned i = 0; i < SELFTEST_ROWS; i++)
        if ((test->found[i].verdict == SELFTEST_FAIL) != (i == row))
            fail_msg("%s: %s %s", name, selftest_table[i].name, test->found[i].text);
    if (!strstr(test->found[row].text, says))
        fail_msg("%s does not say \"%s\": %s", name, says, test->found[row].text);
    assert_int_equal(test->failed, 1);
    assert_int_equal(test->wrong, selftest_table[row].parts);
}

static void assert_passes(unsigned passed)
{
    selftest_judge(test);
    for (unsigned i = 0; i < SELFTEST_ROWS; i++)
        if (test->found[i].verdict == SELFTEST_FAIL)
            fail_msg("%s: %s", selftest_table[i].name, test->found[i].text);
    assert_int_equal(test->passed, passed);
    assert_int_equal(test->failed, 0);
    assert_int_equal(test->wrong, 0);
}

TEST_WITH(what_is_right_passes, setup, teardown)
{
    assert_passes(SELFTEST_ROWS);
}

/* Each bound is tried from both sides. */
TEST_WITH(bounds, setup, teardown)
{
    static const struct {
        enum selftest_trial_name trial;
        enum sample_kind kind;
        unsigned good, bad;
        const char *row, *says;
    } cases[] = {
        {SELFTEST_OVERFLOW, SAMPLE_PMC, 12, 11, "overflows", "11 samples of 14; at least 12 expected: 1 too few"},
        {SELFTEST_OVERFLOW, SAMPLE_PMC, 16, 17, "overflows", "17 samples of 14; at most 16 expected: 1 too many"},
        {SELFTEST_OP, SAMPLE_OP, 103, 102, "op.intervals",
         "102 samples by random intervals, 117 by fixed ones of the same mean; at least 103 expected: 1 too few: "
         "IbsOpCurCnt does not shorten the interval; set random=no"},
        {SELFTEST_OP, SAMPLE_OP, 131, 132, "op.intervals",
         "132 samples by random intervals, 117 by fixed ones of the same mean; at most 131 expected: 1 too many"},
        {SELFTEST_FETCH, SAMPLE_FETCH, 9, 8, "fetch.samples",
         "8 of 8 samples are in the loop; at least 9 expected: 1 too few"},
        {SELFTEST_TICKS, SAMPLE_TIMER, 1, 0, "ticks", "0 by the APIC's timer in 60 us, one each 10 us"},
    };

    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        give(cases[i].trial, cases[i].kind, cases[i].good);
        assert_passes(SELFTEST_ROWS);
        give(cases[i].trial, cases[i].kind, cases[i].bad);
        assert_fails(cases[i].row, cases[i].says);
        setup(state);
    }
    give(SELFTEST_OP, SAMPLE_OP, 102); /* revision B varies MaxCnt itself */
    test->trial[SELFTEST_OP].result.settings.op_random = IBS_RANDOM_MAXCNT;
    assert_fails("op.intervals", "102 samples by random");
    assert_null(strstr(test->found[row_of("op.intervals")].text, "CurCnt"));
}

static void give_ops(unsigned count)
{
    give(SELFTEST_OP_FIXED, SAMPLE_OP, count);
    give(SELFTEST_OP, SAMPLE_OP, count);
}

/* Passes down to one sample of each kind, as on machines whose Val bits cannot be cleared. */
TEST_WITH(too_few_op_samples, setup, teardown)
{
    give_ops(59);
    assert_passes(SELFTEST_ROWS);
    give_ops(58);
    assert_fails("op.samples", "58 samples of 117, 1 per 1024 ops; at least 59 expected: 1 too few");
    give_ops(175);
    assert_passes(SELFTEST_ROWS);
    give_ops(176);
    assert_fails("op.samples", "176 samples of 117, 1 per 1024 ops; at most 175 expected: 1 too many");
    give_ops(1);
    selftest_judge(test);
    assert_string_equal(test->found[row_of("op.samples")].text,
                        "1 samples of 117, 1 per 1024 ops; at least 59 expected: 58 too few");
}

TEST_WITH(intervals_in_cycles, setup, teardown)
{
    test->cycles = true; /* 200030 cycles */
    give_ops(98);
    assert_passes(SELFTEST_ROWS);
    give_ops(97);
    assert_fails("op.samples", "97 samples of 195, 1 per 1024 cycles; at least 98 expected: 1 too few");
    test->trial[SELFTEST_EMPTY].there = test->trial[SELFTEST_COUNTS].there = test->trial[SELFTEST_OVERFLOW].there =
        false;
    assert_passes(SELFTEST_ROWS - 2); /* there is no other figure to compare with */
    give_ops(1);
    selftest_judge(test);
    assert_int_equal(test->found[row_of("op.samples")].verdict, SELFTEST_FAIL);
    give_ops(2);
    selftest_judge(test);
    assert_int_equal(test->found[row_of("op.samples")].verdict, SELFTEST_PASS);
    assert_string_equal(test->found[row_of("op.samples")].text,
                        "2 samples; the right number is not known without a counter of clocks");
}

TEST_WITH(counts_that_are_known, setup, teardown)
{
    struct pmc_count *count = test->trial[SELFTEST_COUNTS].result.pmc.event;

    count[SELFTEST_INSTRUCTIONS].total += 120;
    assert_passes(SELFTEST_ROWS);
    count[SELFTEST_INSTRUCTIONS].total++;
    assert_fails("counts", "120133 instructions instead of 120012: 121 off, 120 may be");
    count[SELFTEST_INSTRUCTIONS].total -= 121;
    count[SELFTEST_TAKEN].total -= 21;
    assert_fails("counts", "19980 taken branches instead of 20001: 21 off, 20 may be");
    count[SELFTEST_TAKEN].total += 21;
    count[SELFTEST_CLOCKS].total = 20;
    assert_fails("counts", "no clocks: 20 with the loop, 30 without");
}

TEST_WITH(places, setup, teardown)
{
    for (unsigned n = 0; n < 11; n++)
        records[SELFTEST_OP_FIXED][n].reg[IBS_OP_RIP] = records[SELFTEST_OP][n].reg[IBS_OP_RIP] = LOOP + LOOP_SIZE;
    assert_passes(SELFTEST_ROWS); /* 212 of 234 */
    records[SELFTEST_OP_FIXED][11].reg[IBS_OP_RIP] = records[SELFTEST_OP][12].reg[IBS_OP_RIP] = 0x7000;
    assert_fails("op.places", "210 of 234 in the loop; at least 211 expected: 1 too few; another at 7000");
    setup(state);
    records[SELFTEST_OVERFLOW][0].reg[PMC_RIP] = records[SELFTEST_OVERFLOW][1].reg[PMC_RIP] = LOOP - 1;
    assert_fails("overflows",
                 "14 samples of 14, 12 of 14 in the loop; at least 13 expected: 1 too few; another at 10000fff");
    setup(state);
    for (unsigned n = 0; n < 9; n++)
        records[SELFTEST_FETCH][n].reg[IBS_FETCH_LINAD] = records[SELFTEST_FETCH][n].reg[IBS_FETCH_PHYSAD] = 0;
    assert_fails("fetch.samples", "71 of 80 samples are in the loop; at least 72 expected: 1 too few");
    setup(state);
    records[SELFTEST_FETCH][70].reg[IBS_FETCH_PHYSAD] += 16;
    assert_fails("fetch.samples", "physical addresses of 1 are wrong");
}

/* 39 of the samples are loads or stores, of which four may be wrong. */
TEST_WITH(data_addresses, setup, teardown)
{
    static const struct {
        unsigned reg;
        uint64_t flip;
    } wrong[] = {{IBS_OP_DCLINAD, 8}, {IBS_OP_DCPHYSAD, 64}, {IBS_OP_DCPHYSAD, 1ull << 32}};

    for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        for (unsigned n = 0; n < 12; n += 3)
            records[SELFTEST_OP][n].reg[wrong[i].reg] ^= wrong[i].flip;
        selftest_judge(test);
        assert_int_equal(test->found[row_of("op.data")].verdict, SELFTEST_FAIL);
        assert_string_equal(test->found[row_of("op.data")].text,
                            "35 of 39 loads and stores have an address; at least 36 expected: 1 too few");
        records[SELFTEST_OP][0].reg[wrong[i].reg] ^= wrong[i].flip;
        assert_passes(SELFTEST_ROWS); /* 36 of 39 */
        setup(state);
    }
    for (unsigned n = 0; n < OPS; n++) /* no sample is one */
        records[SELFTEST_OP][n].reg[IBS_OP_DATA3] = records[SELFTEST_OP_FIXED][n].reg[IBS_OP_DATA3] = 0;
    assert_fails("op.data", "0 of 0 loads and stores have an address; at least 8 expected: 8 too few");
    for (unsigned n = 0; n < 7 * 3; n += 3)
        records[SELFTEST_OP][n] = record_of(SAMPLE_OP, n);
    assert_fails("op.data", "7 of 7 loads and stores have an address; at least 8 expected: 1 too few");
    records[SELFTEST_OP][21] = record_of(SAMPLE_OP, 21);
    assert_passes(SELFTEST_ROWS);
    give(SELFTEST_OP, SAMPLE_OP,
         102); /* intervals of equal length may meet no load: only the intervals are then wrong */
    for (unsigned n = 0; n < OPS; n++)
        records[SELFTEST_OP][n].reg[IBS_OP_DATA3] = 0;
    assert_fails("op.intervals", "IbsOpCurCnt does not shorten the interval");
    assert_int_equal(test->found[row_of("op.data")].verdict, SELFTEST_NOT_ASKED);
}

TEST_WITH(relations, setup, teardown)
{
    records[SELFTEST_OP][3].reg[IBS_OP_DATA] = 100; /* cycles from completion to retirement, but none from the tag */
    assert_fails("identities", "37 of 38 hold");
}

static void of_family(unsigned family, unsigned model, uint32_t caps)
{
    struct ibs_machine machine = ibs_machine_of(family, model, caps);

    rules = derived_set_of(&machine);
    test->set = &rules;
}

/* Bits that contradict each other on Family 10h (hits of the L2 DTLB in pages of 2 MB and of 1 GB) are reserved on Zen
 * 5, and mean nothing. */
TEST_WITH(relations_of_a_later_family, setup, teardown)
{
    for (unsigned n = 0; n < OPS; n += 3)
        records[SELFTEST_OP][n].reg[IBS_OP_DATA3] |= 1 << 2 | 1 << 6 | 1 << 19;
    assert_fails("identities", "37 of 38 hold");
    of_family(0x1A, 0x44, 0x81BFF);
    assert_passes(SELFTEST_ROWS);
    assert_null(strstr(test->found[row_of("identities")].text, "38"));
    for (unsigned n = 0; n < OPS; n += 3) /* an uncacheable access neither hits nor misses */
        records[SELFTEST_OP][n].reg[IBS_OP_DATA3] |= 1 << 14 | 1 << 7;
    assert_passes(SELFTEST_ROWS);
}

/* If the processor says that an op has no address, the op is neither in the loop nor outside it. */
TEST_WITH(addresses_that_are_none, setup, teardown)
{
    for (unsigned n = 0; n < OPS; n += 4) {
        records[SELFTEST_OP][n].reg[IBS_OP_RIP] = records[SELFTEST_OP_FIXED][n].reg[IBS_OP_RIP] = 0x7000;
        records[SELFTEST_OP][n].reg[IBS_OP_DATA] |= IBS_OP_RIP_INVALID;
        records[SELFTEST_OP_FIXED][n].reg[IBS_OP_DATA] |= IBS_OP_RIP_INVALID;
    }
    assert_fails("op.places", "174 of 234 in the loop"); /* Family 10h has no such bit */
    of_family(0x17, 0x31, 0x3FF);
    assert_passes(SELFTEST_ROWS);
    assert_string_equal(test->found[row_of("op.places")].text, "174 of 174 in the loop");
    assert_string_equal(test->found[row_of("op.data")].text, "29 of 29 loads and stores have an address");
    records[SELFTEST_OP][0].reg[IBS_OP_RIP] = LOOP; /* this does not count even if the address looks right */
    records[SELFTEST_OP][0].reg[IBS_OP_DCLINAD] = 0;
    assert_passes(SELFTEST_ROWS);
    assert_string_equal(test->found[row_of("op.data")].text, "29 of 29 loads and stores have an address");
}

/* With an op cache few fetches may be of the loop, or none beside those of other code; wrong fetches are still
 * reported. */
TEST_WITH(fetches_of_an_op_cache, setup, teardown)
{
    static const struct {
        unsigned family, model;
    } rows[] = {{0x17, 0x01}, {0x17, 0x31}, {0x19, 0x01}, {0x19, 0x61}, {0x1A, 0x44}, {0x1A, 0x50}};
    unsigned row = row_of("fetch.samples");

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        setup(state);
        of_family(rows[i].family, rows[i].model, 0x3FF);
        give(SELFTEST_FETCH, SAMPLE_FETCH, 8);
        assert_passes(SELFTEST_ROWS - 1);
        assert_int_equal(test->found[row].verdict, SELFTEST_NOT_ASKED);
        assert_string_equal(test->found[row].text,
                            "8 of 8 samples are in the loop; it may run from the op cache, without fetches");
        give(SELFTEST_FETCH, SAMPLE_FETCH, 0);
        assert_passes(SELFTEST_ROWS - 1);
        give(SELFTEST_FETCH, SAMPLE_FETCH, 30);
        for (unsigned n = 9; n < 30; n++)
            records[SELFTEST_FETCH][n].reg[IBS_FETCH_LINAD] = records[SELFTEST_FETCH][n].reg[IBS_FETCH_PHYSAD] = 0;
        assert_passes(SELFTEST_ROWS);
        records[SELFTEST_FETCH][20].reg[IBS_FETCH_PHYSAD] = 16;
        assert_fails("fetch.samples", "9 of 30 samples are in the loop; physical addresses of 1 are wrong");
        give(SELFTEST_FETCH, SAMPLE_FETCH, 3);
        records[SELFTEST_FETCH][2].reg[IBS_FETCH_PHYSAD] ^= 16;
        assert_fails("fetch.samples", "physical addresses of 1 are wrong");
    }
    setup(state);
    of_family(0x16, 0x30, 0xFF); /* a processor without an op cache */
    give(SELFTEST_FETCH, SAMPLE_FETCH, 8);
    assert_fails("fetch.samples", "8 of 8 samples");
}

/* A loop that ends before its second tick is due tells nothing about the timer. */
TEST_WITH(ticks_of_a_short_loop, setup, teardown)
{
    struct session_result *result = &test->trial[SELFTEST_TICKS].result;

    give(SELFTEST_TICKS, SAMPLE_TIMER, 0);
    result->tsc_stop = result->tsc_start + 20 * 3000;
    assert_fails("ticks", "0 by the APIC's timer in 20 us, one each 10 us");
    result->tsc_stop--;
    assert_passes(SELFTEST_ROWS - 1);
    assert_int_equal(test->found[row_of("ticks")].verdict, SELFTEST_NOT_ASKED);
    give(SELFTEST_TICKS, SAMPLE_TIMER, 1);
    assert_passes(SELFTEST_ROWS);
    give(SELFTEST_TICKS, SAMPLE_TIMER, 0);
    test->tsc_khz = 0;
    assert_passes(SELFTEST_ROWS - 1);
}

TEST_WITH(time_goes_back, setup, teardown)
{
    records[SELFTEST_OP][40].tsc = records[SELFTEST_OP][39].tsc;
    assert_fails("clock", "sample 40 of pass 5");
    records[SELFTEST_OP][40].kind = SAMPLE_FETCH; /* both samples came with one NMI */
    selftest_judge(test);
    assert_int_equal(test->found[row_of("clock")].verdict, SELFTEST_PASS);
    setup(state);
    records[SELFTEST_FETCH][0].tsc = 0;
    assert_fails("clock", "sample 0 of pass 6");
}

/* If the processor refuses a feature, the check that needs it says so; an error that ends a pass is reported once. */
TEST_WITH(errors, setup, teardown)
{
    for (unsigned i = SELFTEST_OP_FIXED; i <= SELFTEST_FETCH; i++) {
        give(i, SAMPLE_OP, 0);
        test->trial[i].result.error = SESSION_NO_FREE_LVT;
    }
    selftest_judge(test);
    assert_int_equal(test->failed, 2);
    assert_int_equal(test->wrong, SELFTEST_IBS_OP | SELFTEST_IBS_FETCH);
    assert_non_null(strstr(test->found[row_of("op.samples")].text, "entries 1 to 3 of the local APIC are all taken"));
    setup(state);
    give(SELFTEST_OP, SAMPLE_OP, 0);
    test->trial[SELFTEST_OP].result.error = SESSION_FAULT;
    test->trial[SELFTEST_OP].result.faulted = true;
    test->trial[SELFTEST_OP].result.fault.vector = 18;
    test->trial[SELFTEST_OP].result.fault.check = (struct machine_check){
        .count = 2, .bank = {{.bank = 0, .status = 0xb600000000010015}, {.bank = 4, .status = 9}}};
    assert_fails(
        "passes",
        "pass 5: #MC machine check at 0, bank 0 status b600000000010015h address 0h, bank 4 status 0000000000000009h");
    setup(state);
    test->trial[SELFTEST_OVERFLOW].result.error = SESSION_PMC_ENABLE;
    assert_fails("overflows", session_error_text(SESSION_PMC_ENABLE));
    assert_null(strstr(test->found[row_of("overflows")].text, "samples of"));
    setup(state);
    test->trial[SELFTEST_TICKS].result.restore.row[1] = (struct restore_row){.what = "IDT", .before = 1, .after = 2};
    assert_fails("restored", "IDT was 1, is 2");
    setup(state);
    test->trial[SELFTEST_TICKS].result.error = SESSION_NO_TICK;
    assert_fails("ticks", "neither the APIC's timer nor the overflow");
    setup(state);
    test->trial[SELFTEST_COUNTS].correct = false;
    assert_fails("passes", "pass 2: the loop's result is wrong");
    setup(state);
    test->trial[SELFTEST_OP].result.restore.row[1] =
        (struct restore_row){.what = "MSR C001_1033 IbsOpCtl", .before = 0, .after = 0x40000};
    test->trial[SELFTEST_OP].result.error = SESSION_RESTORE; /* its samples still count */
    assert_fails("restored", "MSR C001_1033 IbsOpCtl was 0, is 40000");
}

/* An error that ends a pass early is reported only by 'passes'; any other error by the check that needs the trial. */
TEST_WITH(each_error, setup, teardown)
{
    for (unsigned error = SESSION_OK + 1; error < SESSION_ERRORS; error++) {
        bool broken =
            error == SESSION_LIMIT || error == SESSION_STORM || error == SESSION_TICKS_ENDED || error == SESSION_FAULT;
        char says[60];

        if (error == SESSION_RESTORE) /* its figures still count */
            continue;
        test->trial[SELFTEST_OVERFLOW].result.error = error;
        snprintf(says, sizeof(says), "%s", session_error_text(error)); /* long texts are cut */
        assert_fails(broken ? "passes" : "overflows", says);
        assert_int_equal(test->found[row_of("overflows")].verdict, broken ? SELFTEST_NOT_ASKED : SELFTEST_FAIL);
        setup(state);
    }
}

TEST_WITH(nothing_to_try, setup, teardown)
{
    for (unsigned i = 0; i < SELFTEST_TRIALS; i++)
        test->trial[i].there = i == SELFTEST_TICKS;
    assert_passes(4);
    test->trial[SELFTEST_TICKS].there = false;
    selftest_judge(test);
    assert_int_equal(test->found[row_of("passes")].verdict, SELFTEST_FAIL);
}

RUN_TESTS(fixture_load, NULL)
