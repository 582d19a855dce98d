/* SPDX-License-Identifier: BSD-2-Clause */
/* Pairs of cores: which passes there are, whose figures count, what is printed, and a core that does not answer. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/kinds/pairs.h"
#include "app/run/passes.h"
#include "core/base/rng.h"
#include "core/family/ibs_regs.h"
#include "tests/unit/app/fake_memory.h"
#include "tests/unit/app/fixture.h"
#include "tests/unit/app/map.h"

#define PAIRS  "menu=no config=pairs "
#define FOLDER "0001-pairs"

/* Leaves the result of two cores that have played to the end. A block of hops takes 160 ticks more for each step
 * between the cores' numbers; the last blocks are the fastest. */
static void play(const struct session_plan *plan)
{
    const uint32_t *params = ((const struct passes_core *)plan->calls.argument)->params;
    struct two_cores_arena *arena = (struct two_cores_arena *)(uintptr_t)plan->place.paging.physical;
    uint32_t blocks = params[TWO_CORES_PARAM_BLOCKS];
    uint32_t apart = params[TWO_CORES_PARAM_SECOND] - params[TWO_CORES_PARAM_FIRST];

    assert_int_equal(params[TWO_CORES_PARAM_PATIENCE], fake_session.machine.hypervisor ? 1 << 16 : 1 << 26);
    arena->ball = (uint64_t)blocks * 20;
    for (uint32_t i = 0; i < blocks; i++) {
        arena->ticks.hops[i] = 160ull * apart + 16ull * (blocks - i);
        arena->ticks.read[0][i] = 4096 + blocks - i;
        arena->ticks.read[1][i] = 8192 + i;
    }
}

/* Makes the culprit's loads miss the DC, with the line in another core's cache. */
static void set_cores(uint32_t cores)
{
    fake_fw.cores = cores;
    fake_session.body = play;
    fake_session.op_samples = 5 * MAP_INSNS;
    fake_session.fetch_samples = 0;
    fake_session.culprit = MAP_FMUL;
    fake_session.served[0] = 2;
    fake_session.served_count = 1;
}

/* Returns a row of pairs.csv. */
static const char *row(const char *of)
{
    static char line[200];
    char begins[10];
    const char *at = file_text("\\ibsboot\\runs\\" FOLDER "\\pairs.csv");

    snprintf(begins, sizeof(begins), "\n%.4s", of);
    at = strstr(at, begins);
    at += at != NULL;
    snprintf(line, sizeof(line), "%.*s", at ? (int)strcspn(at, "\n") : 0, at ? at : "");
    return line;
}

APP_TEST(each_two_cores)
{
    static const char *const rows[] = {"0,1,node,13.00,15.00,17.00,4101,0,0,0,5,0,0,0,0,0,0,0",
                                       "0,2,node,23.00,25.00,27.00,4101,0,0,0,5,0,0,0,0,0,0,0",
                                       "1,0,node,13.00,15.00,17.00,8196,0,0,0,5,0,0,0,0,0,0,0",
                                       "1,2,node,13.00,15.00,17.00,4101,0,0,0,5,0,0,0,0,0,0,0",
                                       "2,0,node,23.00,25.00,27.00,8196,0,0,0,5,0,0,0,0,0,0,0",
                                       "2,1,node,13.00,15.00,17.00,8196,0,0,0,5,0,0,0,0,0,0,0"};
    set_cores(3);
    assert_int_equal(start(PAIRS), 0);
    assert_int_equal(fake_session.runs, 3 * 2 * 3);
    for (unsigned i = 0; i < fake_session.runs; i++) {
        const struct ibs_plan *plan = &fake_session.pass[i].ibs;

        assert_true(plan->op && !plan->fetch && !plan->count_ops);
        assert_int_equal(plan->op_period, i / 3 % 2 ? 256 : IBS_PERIOD_MAX);
        assert_int_equal(plan->random, i / 3 % 2);
        assert_int_equal(plan->seed,
                         rng_part_seed(rng_part_seed(1, RNG_PASS, i / 3), RNG_CORE, fake_session.pass[i].cpu));
    }
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        assert_string_equal(row(rows[i]), rows[i]);
    assert_int_equal(fact(FOLDER, "pairs"), 3);
    assert_int_equal(fact(FOLDER, "pairs.unanswered"), 0);
    assert_int_equal(fact(FOLDER, "pairs.blocks"), 8);
    assert_int_equal(fact(FOLDER, "pairs.hops"), 16);
    assert_int_equal(fact(FOLDER, "pairs.bytes"), 16384);
    assert_int_equal(fact(FOLDER, "pairs.node"), 3);
    assert_int_equal(fact(FOLDER, "pairs.node.hop_milliticks"), 18333);
    assert_int_equal(fact(FOLDER, "pairs.node.bytes_per_kilotick"), 2664);
    assert_int_equal(fact(FOLDER, "pairs.core"), -1);
    assert_shown("Pairs         3 of 3 cores: 8 times 16 hops of a line, then 16 KB each way\n");
    assert_shown("cache 100%\n");
    assert_lines_fit();
}

/* A processor without IBS has hops and bytes alone. On silicon there are more blocks. */
APP_TEST(without_ibs)
{
    set_cores(2);
    fake_session.machine.hypervisor = false;
    fake_session.machine.ibs = fake_session.machine.ibs_leaf = false;
    fake_session.machine.ibs_caps = 0;
    assert_int_equal(start(PAIRS), 0);
    assert_int_equal(fake_session.runs, 2);
    assert_false(fake_session.pass[0].ibs.op);
    assert_int_equal(fact(FOLDER, "pairs.blocks"), TWO_CORES_BLOCKS);
    assert_non_null(strstr(row("0,1,node,"), ",0,0,0,0,0,0,0,0,0,0,0"));
    assert_not_shown("cache 100%");
}

/* In turn, the second core waits for the first, which has not begun. */
APP_TEST(no_answer)
{
    fake_fw.cores = 3;
    assert_int_equal(start(PAIRS "cores=1-2"), 1);
    assert_int_equal(fact(FOLDER, "pairs"), 1);
    assert_int_equal(fact(FOLDER, "pairs.unanswered"), 1);
    assert_says("WARNING: in 1 pair one core did not answer.");
    assert_non_null(strstr(row("1,2,node,"), "1,2,node,,,,,"));
    assert_shown("\n    1     -     ?\n    2     ?     -\n");
}

APP_TEST(a_core_that_stays_away)
{
    set_cores(3);
    fake_fw.dead = 1 << 2;
    assert_int_equal(start(PAIRS), 1);
    assert_int_equal(fake_session.runs, 2);
    assert_says("LOST: core 2");
    assert_int_equal(fact(FOLDER, "pairs.unanswered"), 3);
    fake_memory_give_all();
}

APP_TEST(one_core)
{
    assert_int_equal(start(PAIRS), 1);
    assert_says("config = pairs: needs two cores or more");
    assert_int_equal(fake_session.runs, 0);
}

/* ---------------------------------------------------------------- the cores themselves */

struct player {
    struct two_cores_arena *arena;
    uint32_t core;
};

static void *play_one(void *of)
{
    const struct player *player = of;
    const uint32_t params[WORKLOAD_VALUES] = {1, UINT32_MAX, 5, 3, [WORKLOAD_CORE] = player->core};

    two_cores.run(player->arena, params);
    return NULL;
}

/* There is one block, and the core that begins has the larger number. */
APP_TEST(two_threads)
{
    static struct two_cores_arena arena;
    static const uint32_t params[WORKLOAD_VALUES] = {1};
    struct player other = {&arena, 3}, third = {&arena, 4}, self = {&arena, 5};
    struct workload_check found;
    pthread_t thread;

    arena.ball = 99;
    two_cores.prepare(&arena, params);
    play_one(&third);
    assert_int_equal(arena.ball, 0);
    assert_int_equal(pthread_create(&thread, NULL, play_one, &other), 0);
    play_one(&self);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_true(two_cores.check(&arena, params, &found));
    assert_int_equal(found.got, 16 + 2 + 2);
    assert_true(arena.ticks.hops[0] && arena.ticks.read[0][0] && arena.ticks.read[1][0]);
    assert_int_equal(arena.ticks.hops[1] | arena.ticks.read[0][1] | arena.ticks.read[1][1], 0);
    for (unsigned i = 0; i < TWO_CORES_LINES; i++)
        assert_int_equal(arena.words[i][0], 18);
    arena.ball--;
    assert_false(two_cores.check(&arena, params, &found));
}

/* ---------------------------------------------------------------- what is told, of made-up figures */

enum { MADE = 37 };

/* Makes cores: two threads in a core, four in a complex, eight on a node. A hop takes 10, 20, 40 or 80 ticks. */
static void make(struct run *run, struct pairs_run *pairs, unsigned count, struct passes_core *cores,
                 struct machine *machine)
{
    *machine = (struct machine){.topology = {.thread_bits = 1, .complex_bits = 2, .threads = 2, .sharers = 4}};
    *run = (struct run){.machine = machine, .own = pairs, .passes = {.core = cores, .cores = count, .workers = count}};
    *pairs = (struct pairs_run){.blocks = 8, .count = count, .sampled = true};
    pairs->cell = calloc((size_t)count * count, sizeof(*pairs->cell));
    for (unsigned b = 0; b < count; b++) {
        cores[b] = (struct passes_core){.cpu = b, .result = {.apic_id = b, .node = b / 8}};
        for (unsigned a = 0; a < b; a++) {
            uint32_t ticks = a / 2 == b / 2 ? 10 : a / 4 == b / 4 ? 20 : a / 8 == b / 8 ? 40 : 80;

            *pairs_cell(pairs, a, b) = (struct pairs_cell){
                .answered = true,
                .block = {16 * ticks - 8, 16 * ticks, 16 * ticks + 8},
                .way = {{16384 / 4, {[IBS_SOURCE_NONE] = 1, [IBS_SOURCE_CACHE] = 2}}, {16384 / 2, {0}}}};
        }
    }
}

APP_TEST(what_pairs_share)
{
    static struct passes_core cores[MADE];
    static char text[20000];
    struct out_memory memory;
    struct pairs_run pairs;
    struct machine machine;
    struct run run;

    make(&run, &pairs, 10, cores, &machine);
    pairs_cell(&pairs, 0, 8)->block[1] = 16 * 70;
    pairs_cell(&pairs, 0, 9)->answered = false;
    out_memory_init(&memory, text, sizeof(text));
    pairs_tables(&memory.out, &run);
    check_golden_text("pairs", text);
    out_memory_init(&memory, text, sizeof(text));
    pairs_facts(&memory.out, &run);
    assert_non_null(strstr(text, "#: pairs.core = 5\n#: pairs.core.hop_milliticks = 10000\n"
                                 "#: pairs.core.bytes_per_kilotick = 2666\n#: pairs.complex = 8\n"
                                 "#: pairs.complex.hop_milliticks = 20000\n"));
    assert_non_null(strstr(text, "#: pairs.node = 16\n#: pairs.node.hop_milliticks = 40000\n"));
    assert_non_null(strstr(text, "#: pairs.machine = 15\n#: pairs.machine.hop_milliticks = 79333\n"));
    free(pairs.cell);

    make(&run, &pairs, MADE - 1, cores, &machine);
    out_memory_init(&memory, text, sizeof(text));
    pairs_tables(&memory.out, &run);
    assert_non_null(strstr(text, "\n core    24    25    26"));
    assert_non_null(strstr(text, "\n   35    80    80"));
    free(pairs.cell);

    make(&run, &pairs, MADE, cores, &machine);
    out_memory_init(&memory, text, sizeof(text));
    pairs_tables(&memory.out, &run);
    assert_null(strstr(text, "TSC ticks per hop of a line (median)"));
    assert_non_null(strstr(text, "\nmachine "));
    free(pairs.cell);
}

static void set_sources(struct pairs_run *pairs, unsigned a, unsigned b, enum ibs_source most, unsigned way)
{
    for (unsigned i = 0; i < 2; i++)
        memset(pairs_cell(pairs, a, b)->way[i].source, 0, sizeof(pairs_cell(pairs, a, b)->way[i].source));
    pairs_cell(pairs, a, b)->way[way].source[most] = 7;
    pairs_cell(pairs, a, b)->way[!way].source[IBS_SOURCE_DRAM] = 3;
}

/* The source that answered most of the loads in both directions is named, whether it is the first or the last of all
 * sources. */
APP_TEST(who_answered)
{
    static const struct {
        enum ibs_source most;
        const char *text;
    } rows[] = {{IBS_SOURCE_RESERVED, "  reserved 70%\n"},
                {IBS_SOURCE_NONE, "  L2 70%\n"},
                {IBS_SOURCE_DRAM, "  DRAM 100%\n"},
                {IBS_SOURCE_OTHER, "  other 70%\n"}};
    static struct passes_core cores[MADE];
    static char text[20000];
    struct out_memory memory;
    struct pairs_run pairs;
    struct machine machine;
    struct run run;

    make(&run, &pairs, 2, cores, &machine);
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        set_sources(&pairs, 0, 1, rows[i].most, i % 2);
        out_memory_init(&memory, text, sizeof(text));
        pairs_tables(&memory.out, &run);
        assert_non_null(strstr(text, rows[i].text));
    }
    free(pairs.cell);
}

RUN_TESTS(fixture_load, fixture_teardown)
