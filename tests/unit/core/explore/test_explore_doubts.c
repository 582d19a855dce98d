/* SPDX-License-Identifier: BSD-2-Clause */
/* The sentences below Zen's trees that say which figure may be too high or too low, and rows that cannot be told apart:
 * each sentence is printed from its limit on, and not below. */
#include <string.h>

#include "tests/unit/core/check.h"
#include "tests/unit/core/explore_made.h"

#include "core/explore/explore_slots.h"
#include "core/explore/explore_tokens.h"

static char text[32768];

/* Returns counts of a million cycles, with nothing else counted. */
static struct explore_input counted(const struct explore_method *method)
{
    struct explore_input input = {.method = method, .ibs.state = COUNTS_COUNTED};

    for (unsigned i = 0; i < method->events; i++)
        input.count[i] = (struct explore_count){i == EXPLORE_C ? MEGA : 0, COUNTS_COUNTED, 1000000, 1000};
    return input;
}

/* Returns the text of the tree in one line. */
static const char *printed(const struct explore_input *input)
{
    const struct explore_result result = explored(input);
    struct out_memory out;
    char *to = text;

    out_memory_init(&out, text, sizeof(text));
    explore_print(&out.out, &result);
    assert_in_range(out.needed, 1, sizeof(text) - 1);
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
        assert_in_range(strcspn(line, "\n"), 0, 79);
    for (const char *from = text; *from; from++) {
        char letter = *from == '\n' ? ' ' : *from;

        if (letter != ' ' || (to != text && to[-1] != ' '))
            *to++ = letter;
    }
    *to = 0;
    return text;
}

static void says(const struct explore_input *input, const char *words, bool said)
{
    if ((strstr(printed(input), words) != NULL) != said)
        fail_msg("%s '%s'", said ? "does not say" : "says", words);
}

/* Sets how many samples held retirement up, and how many of these were loads, and loads that missed. */
static void sample(struct explore_input *input, uint64_t held, uint64_t loads, uint64_t missed)
{
    input->ibs.held.ops = 2000;
    input->ibs.held.sums.ops = held;
    input->ibs.held.sums.loads = loads;
    input->ibs.held.sums.missed = missed;
}

/* ---------------------------------------------------------------- branches */

static const char branch[] = "The wait of a mispredicted branch for its operands is in 'Bad speculation': a right "
                             "prediction may save less";

/* The wrong path has 10 % of the slots: with the refill, which other rows have, more than 15 %. */
TEST(mispredicts_from_zen_4)
{
    struct explore_input input = counted(&explore_slots_6);

    input.count[SLOTS_DISPATCHED].total = 600000;
    input.count[SLOTS_FRONT_ALL].total = 100000;
    input.count[SLOTS_C3].total = 4545;
    says(&input, branch, false);
    input.count[SLOTS_C3].total = 4546;
    says(&input, branch, true);
    says(&input,
         "down to about the refill, 5.0 % of the slots, and a shorter chain before the branch as much as the rest",
         true);
    input.count[SLOTS_FRONT_ALL].total = 0;
    says(&input, branch, false);
    input.count[SLOTS_DISPATCHED].total = 900006;
    says(&input, "may save less, and a shorter chain", true);
}

/* Restarts have no branch that waits, however much they throw away and refill: a fifth of the slots each. */
TEST(restarts_are_no_mispredicts)
{
    struct explore_input input = counted(&explore_slots_6);

    input.count[SLOTS_DISPATCHED].total = 1200000;
    input.count[SLOTS_FRONT_ALL].total = 200000;
    input.count[SLOTS_RESYNC].total = 20000;
    says(&input, branch, false);
    input.count[SLOTS_C3].total = 20000;
    says(&input, branch, true);
    says(&input, "down to about the refill, 10.0 % of the slots", true);
    input = counted(&explore_tokens_zen2);
    input.count[TOKENS_DISPATCHED].total = 1200000;
    input.count[TOKENS_EMPTY].total = 200000;
    input.count[TOKENS_RESYNC].total = 20000;
    says(&input, branch, false);
    input.count[TOKENS_C3].total = 20000;
    says(&input, branch, true);
    says(&input, "down to about the refill, 10.0 % of the slots", true);
}

/* Before Zen 4 the refill is in the row itself; Zen does not count it. */
TEST(mispredicts_before_zen_4)
{
    struct explore_input input = counted(&explore_tokens_zen2);

    input.count[TOKENS_DISPATCHED].total = 600000;
    input.count[TOKENS_EMPTY].total = 100000;
    input.count[TOKENS_C3].total = 4545;
    says(&input, branch, false);
    input.count[TOKENS_C3].total = 4546;
    says(&input, "down to about the refill, 5.0 % of the slots", true);
    input = counted(&explore_tokens_zen);
    input.count[TOKENS_DISPATCHED].total = 900006;
    says(&input, "may save less, and a shorter chain", true);
    input.count[TOKENS_DISPATCHED].total = 900000;
    says(&input, branch, false);
}

/* ---------------------------------------------------------------- from Zen 4 on */

/* Loads and other ops each held retirement up in at least a tenth of the samples, and the back end is flagged. */
TEST(loads_and_others_in_turn)
{
    static const char words[] = "are loads: if loads and other ops wait for each other in turn, either kind alone "
                                "may save as much as all of 'Back-end bound', 21.0 %.";
    static const struct {
        uint64_t held, loads, back;
        bool said;
    } rows[] = {{1000, 100, 1260000, true},  {1000, 99, 1260000, false}, {1000, 900, 1260000, true},
                {1000, 901, 1260000, false}, {0, 0, 1260000, false},     {1000, 500, 1200000, false}};

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct explore_input input = counted(&explore_slots_6);

        input.count[SLOTS_BACK].total = rows[i].back;
        input.count[SLOTS_WAIT].total = 300000;
        input.count[SLOTS_WAIT_LOAD].total = 150000;
        sample(&input, rows[i].held, rows[i].loads, 0);
        says(&input, words, rows[i].said);
        says(&input, "held retirement up, 10.0 % are loads", i == 0);
    }
}

/* Half of the slots are the back end's. 35 % are cycles without retirement, and 'loads' gives memory's part of these
 * cycles: 15 % of the rest may belong to either part, and decide which is larger. */
TEST(parts_that_are_not_told_apart)
{
    static const char words[] = "But not told apart from 'Memory bound': up to 15.0 % of the slots may be of either.";
    static const struct {
        uint64_t loads, held, held_loads;
        bool said;
    } rows[] = {{100000, 1000, 100, true}, /* core 40 % less 15, memory 10 % and 15: as much */
                {100000, 1000, 99, false}, /* no loads */
                {100000, 0, 0, true},      /* no samples */
                {99999, 0, 0, false},      {250000, 0, 0, true},
                {250001, 0, 0, false}}; /* memory is already the larger part */

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct explore_input input = counted(&explore_slots_6);

        input.count[SLOTS_BACK].total = 3000000;
        input.count[SLOTS_WAIT].total = 350000;
        input.count[SLOTS_WAIT_LOAD].total = rows[i].loads;
        sample(&input, rows[i].held, rows[i].held_loads, 0);
        says(&input, words, rows[i].said);
    }
}

/* The other part names this one as well where the other part is flagged; no other row does. */
TEST(both_parts_name_each_other)
{
    struct explore_input input = counted(&explore_slots_6);
    struct explore_result result;
    int64_t slots;

    input.count[SLOTS_BACK].total = 3000000;
    input.count[SLOTS_WAIT].total = 400000;
    input.count[SLOTS_WAIT_LOAD].total = 205000;
    says(&input, "But not told apart from 'Memory bound': up to 10.0 %", true);
    says(&input, "But not told apart from 'Core bound': up to 10.0 %", true);
    result = explored(&input);
    for (unsigned row = 0; row < SLOTS_ROWS; row++)
        assert_int_equal(result.method->either(&result, row, &slots), row == SLOTS_BACK_MEMORY ? SLOTS_BACK_CORE
                                                                      : row == SLOTS_BACK_CORE ? SLOTS_BACK_MEMORY
                                                                                               : -1);
    input.count[SLOTS_WAIT].total = 400001;
    says(&input, "not told apart", false); /* below a tenth */
}

/* Misaligned loads are told from a tenth of the loads on, where dispatch waits for what no event tells. */
TEST(misaligned_loads)
{
    static const char words[] = "This is likely where loads are misaligned, as are 10.0 % of the sampled loads "
                                "(IbsDcMisAcc): each accesses the data cache twice.";
    static const struct {
        uint64_t waits, loads, misaligned;
        bool said;
    } rows[] = {{400000, 1000, 100, true},
                {400000, 1000, 99, false},
                {400001, 1000, 100, false}, /* below a tenth of the slots */
                {400000, 0, 0, false}};

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct explore_input input = counted(&explore_slots_6);

        input.count[SLOTS_BACK].total = 3000000;
        input.count[SLOTS_WAIT].total = rows[i].waits;
        sample(&input, 1000, 500, 0);
        input.ibs.held.loads = rows[i].loads;
        input.ibs.held.misaligned = rows[i].misaligned;
        says(&input, words, rows[i].said);
        says(&input,
             "no event gives the reason (0AE and 0AF tell which queue is full, not what its ops wait for): they "
             "are in 'Core bound', but loads that hit the data cache may be the cause.",
             rows[i].waits == 400000);
    }
}

/* Slots that stay empty beside ops of microcode, in proportion to all ops, may be the sequencer's or the decoder's:
 * said from a tenth on, if they decide which is larger and microcode is above its threshold. */
TEST(microcode_or_bandwidth)
{
    static const struct {
        uint64_t empty, retired, microcode;
        int64_t slots; /* 0: told apart */
    } rows[] = {
        {3000000, 2400000, 1200000, 250000},
        {3000000, 2400000, 857400, 178625}, /* 50 less 17.9, and 14.3 with them */
        {3000000, 2400000, 856800, 0},
        {750000, 600000, 480000, 100000},
        {749994, 600000, 480000, 0},
        {1800000, 1800000, 1800000, 300000},
        {1799994, 1800000, 1800000, 0}, /* microcode is larger as it is */
        {1800000, 600000, 300006, 150003},
        {1800000, 600000, 300000, 0}, /* not above its threshold */
        {3000000, 0, 600000, 0},      /* noise: nothing retired */
        {0, 0, 0, 0},
    };

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct explore_input input = counted(&explore_slots_6);
        struct explore_result result;

        input.count[SLOTS_FRONT].total = rows[i].empty;
        input.count[SLOTS_U].total = input.count[SLOTS_DISPATCHED].total = rows[i].retired;
        input.count[SLOTS_MICROCODE].total = rows[i].microcode;
        result = explored(&input);
        for (unsigned row = 0; row < SLOTS_ROWS; row++) {
            int64_t slots;
            int other = result.method->either(&result, row, &slots);

            assert_int_equal(other, !rows[i].slots                    ? -1
                                    : row == SLOTS_RETIRING_MICROCODE ? SLOTS_FRONT_BANDWIDTH
                                    : row == SLOTS_FRONT_BANDWIDTH    ? SLOTS_RETIRING_MICROCODE
                                                                      : -1);
            if (other >= 0)
                assert_int_equal(slots, rows[i].slots);
        }
        says(&input, "But not told apart from 'Microcode (1C2)': up to 25.0 % of the slots may be of either.", i == 0);
    }
}

/* Waits that no counter tells are the core's where no load held retirement up: nothing need be said. */
TEST(waits_without_loads_are_the_cores)
{
    struct explore_input input = counted(&explore_slots_6);

    input.count[SLOTS_BACK].total = 3000000;
    input.count[SLOTS_WAIT].total = 100000;
    sample(&input, 1000, 100, 0);
    says(&input, "Dispatch waits while ops retire in 40.0 %", true);
    sample(&input, 1000, 99, 0);
    says(&input, "Dispatch waits while ops retire", false);
}

/* Ops wait in 30 % of the cycles, and the back end has 12 %: the other 18 % fall into cycles of an empty front end,
 * which has 40 %, of which 5 points are refills. */
TEST(waits_beside_an_empty_front_end)
{
    static const char words[] =
        "Ops wait for their results (0D6:02) in 18.0 % of the cycles beside an empty front end: a "
        "faster one may save as little as 22.0 % of the slots.";
    struct explore_input input = counted(&explore_slots_6);

    input.count[SLOTS_FRONT].total = 3000000;
    input.count[SLOTS_FRONT_ALL].total = 400000;
    input.count[SLOTS_C3].total = 4545;
    input.count[SLOTS_BACK].total = 720000;
    input.count[SLOTS_WAIT].total = 300000;
    says(&input, words, true);
    sample(&input, 1000, 0, 0);
    input.ibs.held.shortest = 4;
    input.ibs.held.in_flight = 2000 * 15;
    says(&input, words, true);
    input.ibs.held.in_flight--; /* not longer than the shortest time by a refill */
    says(&input, words, false);
    sample(&input, 0, 0, 0);
    input.count[SLOTS_WAIT].total = 219999;
    says(&input, "beside an empty front end", false);
    input.count[SLOTS_WAIT].total = 900000;
    says(&input, "in 35.0 % of the cycles beside an empty front end: a faster one may save as little as 5.0 %", true);
    input.count[SLOTS_C3].total = 0;
    input.count[SLOTS_FRONT_ALL].total = 100001;
    says(&input, "may save as little as 0.0 % of the slots", true);
    input.count[SLOTS_FRONT_ALL].total = 100000; /* not above its threshold */
    says(&input, "beside an empty front end", false);
    input.count[SLOTS_FRONT_ALL].total = 400000;
    input.count[SLOTS_WAIT].state = COUNTS_NOT_COUNTED;
    says(&input, "beside an empty front end", false);
}

/* ---------------------------------------------------------------- before Zen 4 */

/* Returns counts in which ops wait in 42 % of the cycles, and loads that missed wait in some of them. */
static struct explore_input waiting(uint64_t cycles, uint64_t held, uint64_t missed)
{
    struct explore_input input = counted(&explore_tokens_zen2);

    input.count[TOKENS_U].total = input.count[TOKENS_DISPATCHED].total = 1000000;
    input.count[TOKENS_0AF].total = input.count[TOKENS_RETIRE].total = 420000;
    sample(&input, held, 0, missed);
    input.ibs.held.sums.miss_cycles[HELD_L3] = cycles; /* one sample for 500 ops */
    return input;
}

/* Other ops held retirement up in at least a tenth of the samples that did, and memory has only 5 %. */
TEST(waits_for_data_may_be_hidden)
{
    static const struct {
        uint64_t cycles, held, missed;
        bool said;
    } rows[] = {{100, 1000, 900, true}, {100, 1000, 901, false}, {99, 1000, 900, false}, {100, 0, 0, false}};

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct explore_input input = waiting(rows[i].cycles, rows[i].held, rows[i].missed);

        says(&input,
             "are not loads that missed: a chain of such ops may take as long as the waits for data (no event before "
             "Zen 4's 0D6 tells), and 'Core bound' "
             "may cost as much as all of 'Back-end bound', 42.0 %.",
             rows[i].said);
        says(&input, "held retirement up, 10.0 % are not loads that missed", rows[i].said);
    }
}

/* Memory has 30 of the 42 %. The samples in which other ops held retirement up, at one cycle each, would make core's 12
 * % the larger part. */
TEST(memory_is_not_told_apart)
{
    static const struct {
        uint64_t cycles, others;
        bool said;
    } rows[] = {{600, 200, true},                                       /* 10 % less: memory 20, core 22 */
                {640, 200, true},                                       /* 32 and 10: memory 22, core 20 */
                {640, 219, false},                                      /* 10.95 % less: memory 21.05, core 20.95 */
                {640, 220, true},  {600, 199, false}, {420, 400, true}, /* 21 each */
                {419, 400, false}};

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct explore_input input = waiting(rows[i].cycles, 1000, 1000 - rows[i].others);

        says(&input, "But not told apart from 'Core bound, est.': up to ", rows[i].said && i != 1);
        says(&input, "up to 10.0 % of the slots may be of either", i == 0);
        for (unsigned row = 0; i == 0 && row < TOKENS_ROWS; row++) {
            const struct explore_result result = explored(&input);
            int64_t slots;

            assert_int_equal(result.method->either(&result, row, &slots), row == TOKENS_BACK_MEMORY ? TOKENS_BACK_CORE
                                                                          : row == TOKENS_BACK_CORE ? TOKENS_BACK_MEMORY
                                                                                                    : -1);
        }
    }
}

/* The sentence needs an empty op queue above its threshold, and ops that are in flight for longer than the shortest
 * time by a refill. */
TEST(ops_in_flight_beside_an_empty_queue)
{
    static const char words[] = "Ops are in flight for 14.0 cycles on average, at least 3 (op samples): if ops wait "
                                "for each other, a fuller op queue may save little of 'Front-end latency'.";
    const uint32_t limit = explore_tokens_tree[TOKENS_LATENCY].limit_ppm;
    struct explore_input input = counted(&explore_tokens_zen2);

    input.count[TOKENS_EMPTY].total = limit + 1;
    sample(&input, 1000, 0, 0);
    input.ibs.held.shortest = 3;
    input.ibs.held.in_flight = 2000 * 14;
    says(&input, words, true);
    input.ibs.held.in_flight--;
    says(&input, "Ops are in flight", false);
    input.ibs.held.in_flight++;
    input.count[TOKENS_EMPTY].total = limit;
    says(&input, "Ops are in flight", false);
    input.count[TOKENS_EMPTY].total = limit + 1;
    sample(&input, 0, 0, 0);
    says(&input, "Ops are in flight", false);
}

RUN_TESTS(NULL, NULL)
