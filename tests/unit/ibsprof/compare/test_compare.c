/* SPDX-License-Identifier: BSD-2-Clause */
/* Alignment and verdicts of ibsprof compare, on profiles made by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gsl/gsl_randist.h>

#include "tests/unit/first_set.h"
#include "tests/unit/ibsprof/simulate.h"
#include "tools/ibsprof/compare/compare.h"

/* ---------------------------------------------------------------- profiles */

/* Two functions: "hot" of 8 instructions of 4 bytes, "cold" of 2. */
enum { HOT = 8, COLD = 2, INSNS = HOT + COLD, LOAD = 3, BRANCH = 7 };
static const struct compare_item *item_of(const struct comparison *c, uint32_t place, uint32_t column)
{
    for (uint32_t i = 0; i < c->item_count; i++)
        if (c->items[i].place == place && c->items[i].column == column)
            return &c->items[i];
    return NULL;
}

static const char strings[] = "\0hot\0cold\0nop\0mov eax, dword ptr [rsi]\0jne hot\0hot.c\0";
enum { NAME_HOT = 1, NAME_COLD = 5, TEXT_NOP = 10, TEXT_LOAD = 14, TEXT_BRANCH = 39, NAME_FILE = 47 };

/* One code at any address, as part of the image or of a Linux program. */
struct code {
    struct codemap map;
    struct codemap_insn insns[INSNS];
    struct codemap_func funcs[2];
    uint32_t files[1];
    struct object object;
    const struct codemap *maps[2];
    struct object *objects[2];
};

static void make_code(struct code *code, const char *name, uint32_t base)
{
    memset(code, 0, sizeof(*code));
    for (uint32_t i = 0; i < INSNS; i++)
        code->insns[i] = (struct codemap_insn){.rva = base + 4 * i,
                                               .length = 4,
                                               .func = i >= HOT,
                                               .line = (uint16_t)(10 + i),
                                               .text = i == LOAD     ? TEXT_LOAD
                                                       : i == BRANCH ? TEXT_BRANCH
                                                                     : TEXT_NOP};
    code->funcs[0] = (struct codemap_func){.rva = base, .size = 4 * HOT, .name = NAME_HOT};
    code->funcs[1] = (struct codemap_func){.rva = base + 4 * HOT, .size = 4 * COLD, .name = NAME_COLD};
    code->files[0] = NAME_FILE;
    code->map = (struct codemap){.insns = code->insns,
                                 .funcs = code->funcs,
                                 .files = code->files,
                                 .strings = strings,
                                 .insn_count = INSNS,
                                 .func_count = 2,
                                 .file_count = 1};
    code->object.name = name;
    code->maps[0] = code->maps[1] = &code->map;
    code->objects[0] = code->objects[1] = &code->object;
}

struct made {
    struct run_profile profile;
    struct input_facts facts;
    struct input_event event;
    struct profile_place places[INSNS + 1];
    uint32_t latency[LATENCY_BINS];
};

/* The truth from which the samples of a run are drawn. */
struct truth {
    double shares[INSNS];
    double samples, phi;
    double dtlb, dc, mispredict; /* rates of the load's and the branch's samples */
    uint32_t latency;            /* cycles of a miss, times 1.0 to 1.3 */
    double outside;              /* rate of samples in the kernel */
    uint64_t work;
};

static void make_run(struct made *made, struct code *code, const struct truth *truth, gsl_rng *rng)
{
    struct simulated drawn;
    struct run_profile *profile = &made->profile;

    memset(made, 0, sizeof(*made));
    simulate(rng, truth->shares, INSNS, 1, truth->samples, truth->phi, &drawn);
    made->event = (struct input_event){.name = "ibs_op//", .kind = SAMPLE_OP, .period = 1000};
    made->facts = (struct input_facts){.path = "run",
                                       .format = INPUT_RUN,
                                       .work = truth->work,
                                       .work_unit = "turns",
                                       .events = &made->event,
                                       .event_count = 1};
    for (uint32_t i = 0; i < INSNS; i++) {
        struct profile_place *place = &made->places[i];
        unsigned samples = (unsigned)drawn.x[i];

        *place =
            (struct profile_place){.rva = code->insns[i].rva, .insn = (int32_t)i, .func = i >= HOT, .mode = MODE_USER};
        place->workload = true;
        place->counts[DERIVED_F100_OP_ALL] = samples;
        place->weighted[SAMPLE_OP] = (uint64_t)samples * 1000;
        if (i == LOAD) {
            unsigned missed = gsl_ran_binomial(rng, truth->dc, samples);

            place->counts[DERIVED_F201_LOAD] = place->counts[DERIVED_X201_LIN_ADDR_VALID] = samples;
            place->counts[DERIVED_F204_DTLB_L1M_L2H] = gsl_ran_binomial(rng, truth->dtlb, samples);
            place->counts[DERIVED_X200_LOAD_DC_MISS] = missed;
            place->latency = made->latency;
            while (missed-- > 0)
                made->latency[latency_bin((uint32_t)(truth->latency * (1 + 0.3 * gsl_rng_uniform(rng))))]++;
        }
        if (i == BRANCH) {
            place->counts[DERIVED_F103_BRANCH] = samples;
            place->counts[DERIVED_F104_BRANCH_MISPREDICTED] = gsl_ran_binomial(rng, truth->mispredict, samples);
        }
        profile->totals[DERIVED_F100_OP_ALL] += samples;
    }
    made->places[INSNS] = (struct profile_place){
        .object = PROFILE_NO_OBJECT, .rva = 0xffff0000, .insn = -1, .func = -1, .mode = MODE_KERNEL};
    made->places[INSNS].counts[DERIVED_F100_OP_ALL] = (uint64_t)truth->outside;
    made->places[INSNS].weighted[SAMPLE_OP] = (uint64_t)truth->outside * 1000;
    profile->totals[DERIVED_F100_OP_ALL] += (uint64_t)truth->outside;
    profile->facts = &made->facts;
    profile->set = *first_set();
    profile->objects = code->objects;
    profile->maps = code->maps;
    profile->object_count = 1;
    profile->places = made->places;
    profile->place_count = INSNS + 1;
    profile->samples[SAMPLE_OP] = profile->totals[DERIVED_F100_OP_ALL];
    simulated_free(&drawn);
}

static struct truth usual(void)
{
    struct truth truth = {.shares = {0.12, 0.12, 0.12, 0.12, 0.12, 0.12, 0.12, 0.12, 0.02, 0.02},
                          .samples = 20000,
                          .phi = 1,
                          .dtlb = 0.9,
                          .dc = 0.2,
                          .mispredict = 0.01,
                          .latency = 100,
                          .work = 1000000};

    return truth;
}

/* ---------------------------------------------------------------- a comparison */

static uint64_t hash_same(const struct object *object, uint64_t start, uint64_t size)
{
    return size;
}

static uint64_t hash_differs(const struct object *object, uint64_t start, uint64_t size)
{
    return size + (strcmp(object->name, "program") == 0 && size == 4 * HOT);
}

static uint64_t hash_small_differs(const struct object *object, uint64_t start, uint64_t size)
{
    return size + (strcmp(object->name, "program") == 0 && size == 4 * COLD);
}

static uint64_t hash_unknown(const struct object *object, uint64_t start, uint64_t size)
{
    return 0;
}

enum { RUNS_MAX = 30 };
static struct made made_runs[SIDES][RUNS_MAX]; /* too large for the stack; used by one world at a time */
struct world {
    struct code code[SIDES];
    struct made *made[SIDES];
    struct compare_run runs[SIDES][RUNS_MAX];
    struct compare_options options;
    struct comparison c;
    gsl_rng *rng;
};

static void begin(struct world *w, unsigned long seed)
{
    memset(w, 0, sizeof(*w));
    for (uint32_t side = 0; side < SIDES; side++)
        w->made[side] = made_runs[side];
    make_code(&w->code[SIDE_A], "ibsboot.elf", 0x1000);
    make_code(&w->code[SIDE_B], "program", 0x401000);
    w->rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(w->rng, seed);
    w->options = (struct compare_options){.level = 0.95,
                                          .power = 0.8,
                                          .margin = {0.005, 0.05},
                                          .rate_margin = -1,
                                          .permutations = 999,
                                          .resamples = 200,
                                          .seed = seed,
                                          .code_hash = hash_same};
}

static void add(struct world *w, uint32_t side, uint32_t runs, const struct truth *truth)
{
    for (uint32_t i = 0; i < runs; i++) {
        uint32_t at = w->c.run_count[side]++;

        make_run(&w->made[side][at], &w->code[side], truth, w->rng);
        w->runs[side][at] = (struct compare_run){.path = "run", .profile = &w->made[side][at].profile};
    }
    w->c.runs[side] = w->runs[side];
    w->c.options = &w->options;
}

static void judge(struct world *w)
{
    char error[512] = "";

    if (!compare_align(&w->c, error, sizeof(error)))
        fail_msg("%s", error);
    compare_sides(&w->c);
    compare_judge(&w->c);
}

static void end(struct world *w)
{
    compare_free(&w->c);
    gsl_rng_free(w->rng);
}

static bool noted(const struct world *w, const char *text)
{
    for (uint32_t i = 0; i < w->c.note_count; i++)
        if (strstr(w->c.notes[i].text, text) != NULL)
            return true;
    return false;
}

/* ---------------------------------------------------------------- alignment */

static void test_aligned_by_function(void **state)
{
    struct truth truth = usual();
    struct world w;
    char name[100];

    begin(&w, 1);
    add(&w, SIDE_A, 2, &truth);
    add(&w, SIDE_B, 2, &truth);
    judge(&w);
    assert_int_equal(w.c.place_count, INSNS);
    /* functions are sorted by name: "cold" comes before "hot" */
    compare_place_name(&w.c, COLD + LOAD, name, sizeof(name));
    assert_string_equal(name, "hot+0xc");
    assert_string_equal(compare_place_text(&w.c, COLD + LOAD), "mov eax, dword ptr [rsi]");
    assert_int_equal(w.c.places[COLD + LOAD].rva[SIDE_A], 0x100c);
    assert_int_equal(w.c.places[COLD + LOAD].rva[SIDE_B], 0x40100c);
    assert_int_equal(w.c.places[COLD + LOAD].line, 10 + LOAD);
    assert_string_equal(w.c.places[COLD + LOAD].file, "hot.c");
    assert_true(w.c.x[SIDE_B][INSNS + COLD + LOAD] == w.made[SIDE_B][1].places[LOAD].counts[DERIVED_F100_OP_ALL]);
    assert_true(w.c.n[SIDE_A][1] == 20000);
    assert_int_equal(w.c.one_sided_count, 0);
    end(&w);
}

static void test_other_code_is_refused(void **state)
{
    static const struct compare_map maps[] = {{"hot", "hot"}};
    struct truth truth = usual();
    struct world w;
    char error[512] = "";

    begin(&w, 1);
    add(&w, SIDE_A, 1, &truth);
    add(&w, SIDE_B, 1, &truth);
    w.options.code_hash = hash_differs;
    assert_false(compare_align(&w.c, error, sizeof(error)));
    assert_non_null(strstr(error, "'hot'"));
    assert_non_null(strstr(error, "--map=hot=hot"));
    w.options.maps = maps;
    w.options.map_count = 1;
    assert_true(compare_align(&w.c, error, sizeof(error)));
    assert_true(noted(&w, "The code of 'hot' differs"));
    end(&w);

    begin(&w, 1);
    add(&w, SIDE_A, 1, &truth);
    add(&w, SIDE_B, 1, &truth);
    w.options.code_hash = hash_differs;
    w.options.force_code = true;
    assert_true(compare_align(&w.c, error, sizeof(error)));
    end(&w);

    begin(&w, 1);
    add(&w, SIDE_A, 1, &truth);
    add(&w, SIDE_B, 1, &truth);
    w.options.code_hash = hash_unknown;
    assert_true(compare_align(&w.c, error, sizeof(error)));
    assert_true(noted(&w, "not checked"));
    end(&w);
}

static void test_one_side_only(void **state)
{
    struct truth truth = usual(), only_hot = usual();
    struct world w;

    only_hot.shares[8] = only_hot.shares[9] = 0;
    begin(&w, 1);
    add(&w, SIDE_A, 1, &truth);
    add(&w, SIDE_B, 1, &only_hot);
    judge(&w);
    assert_int_equal(w.c.one_sided_count, 1);
    assert_string_equal(w.c.one_sided[0].function, "cold");
    assert_int_equal(w.c.one_sided[0].side, SIDE_A);
    assert_true(w.c.one_sided[0].samples > 600 && w.c.one_sided[0].samples < 1000);
    /* its instructions still differ */
    assert_int_equal(item_of(&w.c, 0, COMPARE_SHARE)->verdict, VERDICT_DIFFERENT);
    end(&w);
}

/* With --map side B has another name for the function. */
static void test_mapped_function(void **state)
{
    static const struct compare_map maps[] = {{"hot", "cold"}};
    struct truth a = usual(), b = usual();
    struct world w;
    char error[512];

    memset(a.shares, 0, sizeof(a.shares));
    memset(b.shares, 0, sizeof(b.shares));
    a.shares[0] = a.shares[1] = 0.5;
    b.shares[HOT] = b.shares[HOT + 1] = 0.5;
    begin(&w, 1);
    add(&w, SIDE_A, 1, &a);
    add(&w, SIDE_B, 1, &b);
    w.options.maps = maps;
    w.options.map_count = 1;
    /* side B's own "hot" would be in conflict: it has no samples here */
    assert_true(compare_align(&w.c, error, sizeof(error)));
    assert_int_equal(w.c.one_sided_count, 0);
    assert_true(w.c.x[SIDE_B][0] > 9000 && w.c.x[SIDE_A][0] > 9000);
    end(&w);
}

/* Two objects of one run have a function of the same name. */
static void test_ambiguous_function(void **state)
{
    static struct code other;
    struct truth truth = usual();
    struct world w;
    char name[100];

    begin(&w, 1);
    make_code(&other, "/usr/lib/libhot.so", 0x7000);
    add(&w, SIDE_A, 1, &truth);
    add(&w, SIDE_B, 1, &truth);
    for (uint32_t side = 0; side < SIDES; side++) {
        struct made *made = &w.made[side][0];

        w.code[side].objects[1] = &other.object;
        w.code[side].maps[1] = &other.map;
        made->profile.object_count = 2;
        made->places[0].object = 1;
        made->places[0].rva = 0x7000;
    }
    w.code[SIDE_B].object.name = "ibsboot.elf";
    judge(&w);
    assert_int_equal(w.c.place_count, INSNS);
    compare_place_name(&w.c, COLD + HOT - 1, name, sizeof(name));
    assert_string_equal(name, "hot@libhot.so+0x0");
    end(&w);
}

/* One object has two functions of one name (static ones in two files), and a small one of that name with other code. */
static void test_namesakes(void **state)
{
    struct truth truth = usual();
    struct world w;
    char name[100], error[512];

    begin(&w, 1);
    add(&w, SIDE_A, 1, &truth);
    add(&w, SIDE_B, 1, &truth);
    for (uint32_t side = 0; side < SIDES; side++) {
        w.code[side].funcs[1].name = NAME_HOT;
        w.code[side].object.name = "program";
    }
    /* both sides have the same program, so the functions have the same addresses */
    for (uint32_t i = 0; i < INSNS; i++)
        w.made[SIDE_B][0].places[i].rva = w.made[SIDE_A][0].places[i].rva;
    w.code[SIDE_B].funcs[0].rva = w.code[SIDE_A].funcs[0].rva;
    w.code[SIDE_B].funcs[1].rva = w.code[SIDE_A].funcs[1].rva;
    assert_true(compare_align(&w.c, error, sizeof(error)));
    assert_int_equal(w.c.place_count, INSNS);
    compare_place_name(&w.c, HOT, name, sizeof(name));
    assert_string_equal(name, "hot@program:1020+0x0");
    end(&w);

    truth.shares[8] = truth.shares[9] = 0.002;
    begin(&w, 1);
    add(&w, SIDE_A, 1, &truth);
    add(&w, SIDE_B, 1, &truth);
    w.options.code_hash = hash_small_differs;
    assert_true(compare_align(&w.c, error, sizeof(error)));
    assert_true(noted(&w, "different functions of the same name"));
    assert_int_equal(w.c.place_count, HOT + 2 * COLD);
    end(&w);
}

/* All samples of a side, or of both, are outside the workload: there is nothing to sort and nothing to divide by. */
static void test_empty_sides(void **state)
{
    struct truth truth = usual();

    for (unsigned empty = 0; empty < 4; empty++) {
        struct world w;
        char error[512] = "";

        begin(&w, 1);
        add(&w, SIDE_A, 2, &truth);
        add(&w, SIDE_B, 2, &truth);
        for (uint32_t side = 0; side < SIDES; side++)
            for (uint32_t place = 0; place < INSNS && (empty & 1 << side); place++)
                w.made[side][0].places[place].workload = w.made[side][1].places[place].workload = false;
        assert_int_equal(compare_align(&w.c, error, sizeof(error)), empty == 0);
        assert_string_equal(error, empty > 0 ? "compare: run: no sample of IBS op is in the workload" : "");
        end(&w);
    }
}

static void test_rare_ones_together(void **state)
{
    struct truth truth = usual();
    struct world w;
    char name[20];

    truth.shares[8] = truth.shares[9] = 0.0001; /* two samples per run */
    begin(&w, 1);
    add(&w, SIDE_A, 1, &truth);
    add(&w, SIDE_B, 1, &truth);
    judge(&w);
    assert_int_equal(w.c.place_count, HOT + 1);
    assert_int_equal(w.c.rare_count, 2);
    compare_place_name(&w.c, HOT, name, sizeof(name));
    assert_string_equal(name, "rare");
    end(&w);
}

static void test_outside(void **state)
{
    struct truth bare = usual(), os = usual();
    struct world w;

    os.outside = 1000;
    begin(&w, 1);
    add(&w, SIDE_A, 2, &bare);
    add(&w, SIDE_B, 2, &os);
    judge(&w);
    assert_true(w.c.outside_share[SIDE_A].p == 0);
    assert_true(fabs(w.c.outside_share[SIDE_B].p - 1000.0 / 21000) < 1e-12);
    assert_true(w.c.outside_difference.low > 0.04);
    assert_int_equal(w.c.outside_count, 1);
    assert_string_equal(w.c.outside[0].label, "kernel: [unknown]");
    /* shares are of the workload alone, so the samples outside do not move them */
    assert_true(w.c.n[SIDE_B][0] == 20000);
    assert_int_not_equal(w.c.verdict, VERDICT_DIFFERENT);
    end(&w);
}

/* ---------------------------------------------------------------- verdicts */

static void test_equivalent(void **state)
{
    struct truth truth = usual();
    struct world w;

    truth.samples = 400000; /* one branch in a hundred is mispredicted, which must be known to a tenth */
    begin(&w, 1);
    add(&w, SIDE_A, 5, &truth);
    add(&w, SIDE_B, 5, &truth);
    judge(&w);
    assert_int_equal(w.c.verdict, VERDICT_EQUIVALENT);
    assert_non_null(strstr(w.c.sentence, "Equivalent: "));
    end(&w);
}

/* There are about as many samples as necessary: if chance leaves the result undecided, more are asked for only if more
 * are needed. */
static void test_just_enough(void **state)
{
    struct truth truth = usual();
    int more = 0, anew = 0;

    for (unsigned long seed = 1; seed <= 40; seed++) {
        struct world w;
        const char *times;

        truth.samples = 10000 + 4000 * (double)seed;
        begin(&w, seed);
        w.options.margin.absolute = 0.015;
        w.options.rate_margin = 0.015;
        add(&w, SIDE_A, 3, &truth);
        add(&w, SIDE_B, 3, &truth);
        judge(&w);
        if (w.c.verdict == VERDICT_INCONCLUSIVE && !w.c.within_failed[SIDE_A] && !w.c.within_failed[SIDE_B]) {
            assert_non_null(strstr(w.c.sentence, " within 1.5 points or 5 % (rates: 1.5 points)"));
            anew += strstr(w.c.sentence, "in 80 of 100 cases that equal sides are equal: take new runs") != NULL;
            times = strstr(w.c.sentence, " samples per side (");
            more += times != NULL;
            assert_true(times == NULL || atof(times + strlen(" samples per side (")) >= 1);
        }
        end(&w);
    }
    if (more == 0 || anew == 0)
        fail_msg("%d want more samples, %d new runs", more, anew);
}

static void test_too_few(void **state)
{
    struct truth truth = usual();
    struct world w;

    truth.samples = 2000;
    begin(&w, 1);
    add(&w, SIDE_A, 1, &truth);
    add(&w, SIDE_B, 1, &truth);
    judge(&w);
    assert_int_equal(w.c.of_runs, VERDICT_INCONCLUSIVE);
    assert_int_equal(w.c.verdict, VERDICT_ONE_RUN);
    assert_true(noted(&w, "One run on each side"));
    const struct compare_item *item = item_of(&w.c, COLD + 1, COMPARE_SHARE);
    /* (1.645 + 1.282)^2 * 2 * 0.12 * 0.88 / 0.006^2 are 50,000; the margin is 5 % of the sampled share of 12 % */
    assert_true(compare_needed(&w.c, item, SIDE_A) > 35000 && compare_needed(&w.c, item, SIDE_A) < 70000);
    end(&w);
}

/* The margin is a tenth of a small rate of both sides together: if one load in fifty misses, 13 % fewer misses matter,
 * since half a point is a quarter of them. A margin set by the user is used unchanged. */
static void test_small_rates(void **state)
{
    static const struct {
        unsigned loads, a, b; /* on each side; misses */
        double margin;
        enum stat_verdict verdict, fixed; /* fixed: with a margin of half a point */
    } rows[] = {
        {100000, 2080, 1810, 0.001945, VERDICT_DIFFERENT, VERDICT_BOTH},
        {100000, 50, 500, 0.0005, VERDICT_DIFFERENT, VERDICT_BOTH},
        {100000, 0, 0, 0.0005, VERDICT_EQUIVALENT, VERDICT_EQUIVALENT},
        {100000, 1000, 1000, 0.001, VERDICT_EQUIVALENT, VERDICT_EQUIVALENT},
        {20000, 200, 200, 0.001, VERDICT_INCONCLUSIVE, VERDICT_EQUIVALENT},
        {100000, 6000, 6000, 0.005, VERDICT_EQUIVALENT, VERDICT_EQUIVALENT},
        {100000, 30000, 30000, 0.015, VERDICT_EQUIVALENT, VERDICT_EQUIVALENT}, /* 5 % of A's rate */
    };
    struct truth truth = usual();
    uint32_t dc_miss = 0;

    while (strcmp(compare_columns[dc_miss].key, "dc_miss") != 0)
        dc_miss++;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        for (int fixed = 0; fixed < 2; fixed++) {
            const struct compare_item *item;
            struct world w;

            begin(&w, 1);
            w.options.rate_margin = fixed ? 0.005 : -1;
            add(&w, SIDE_A, 1, &truth);
            add(&w, SIDE_B, 1, &truth);
            for (uint32_t side = 0; side < SIDES; side++) {
                w.made[side][0].places[LOAD].counts[DERIVED_F201_LOAD] = rows[i].loads;
                w.made[side][0].places[LOAD].counts[DERIVED_X200_LOAD_DC_MISS] = side ? rows[i].b : rows[i].a;
            }
            judge(&w);
            item = item_of(&w.c, COMPARE_WHOLE, dc_miss);
            if (fabs(item->margin - (fixed ? fmax(0.005, rows[i].margin) : rows[i].margin)) > 1e-12 ||
                item->verdict != (fixed ? rows[i].fixed : rows[i].verdict))
                fail_msg("row %zu, %d: %s, margin %g", i, fixed, stat_verdict_name(item->verdict), item->margin);
            item = item_of(&w.c, COLD, COMPARE_SHARE); /* the first instruction of hot, 12 % */
            assert_true(fabs(item->margin - 0.05 * item->a) < 1e-12);
            end(&w);
        }
}

static void test_different_column(void **state)
{
    struct truth a = usual(), b = usual();
    struct world w;
    uint32_t *order;

    b.dtlb = 0.02;
    begin(&w, 1);
    add(&w, SIDE_A, 3, &a);
    add(&w, SIDE_B, 3, &b);
    judge(&w);
    assert_int_equal(w.c.verdict, VERDICT_DIFFERENT);
    order = compare_order(&w.c);
    assert_string_equal(compare_columns[w.c.items[order[0]].column].key, "dtlb_l1_miss");
    assert_non_null(strstr(w.c.sentence, "L1 DTLB miss rate"));
    for (uint32_t i = 0; i < w.c.item_count; i++)
        if (w.c.items[i].verdict == VERDICT_DIFFERENT)
            assert_string_equal(compare_columns[w.c.items[i].column].key, "dtlb_l1_miss");
    free(order);
    end(&w);
}

static void test_latency(void **state)
{
    struct truth a = usual(), b = usual();
    struct world w;

    b.latency = 200;
    begin(&w, 1);
    add(&w, SIDE_A, 3, &a);
    add(&w, SIDE_B, 3, &b);
    judge(&w);
    for (uint32_t i = 0; i < w.c.item_count; i++) {
        const struct compare_item *item = &w.c.items[i];

        if (compare_columns[item->column].kind != COLUMN_QUANTILE)
            continue;
        assert_int_equal(item->verdict, VERDICT_DIFFERENT);
        assert_true(item->low > 80 && item->high < 150);
    }
    assert_non_null(item_of(&w.c, COMPARE_WHOLE, compare_column_count - 1));
    end(&w);
}

/* Twice the samples for the same work do not change shares. */
static void test_work(void **state)
{
    struct truth a = usual(), b = usual();
    struct world w;
    unsigned shares = 0;

    b.samples *= 2;
    begin(&w, 1);
    add(&w, SIDE_A, 3, &a);
    add(&w, SIDE_B, 3, &b);
    judge(&w);
    const struct compare_item *whole = item_of(&w.c, COMPARE_WHOLE, COMPARE_WORK);
    assert_int_equal(w.c.verdict, VERDICT_DIFFERENT);
    assert_int_equal(whole->verdict, VERDICT_DIFFERENT);
    assert_true(fabs(whole->a - 20) < 1e-6); /* 20,000 samples with a period of 1000 in a million iterations */
    assert_true(fabs(whole->b - 40) < 1e-6);
    assert_true(fabs(whole->log2_ratio - 1) < 1e-6);
    /* with a dozen true discoveries the rate allows for a false one now and then */
    for (uint32_t i = 0; i < w.c.place_count; i++)
        shares += item_of(&w.c, i, COMPARE_SHARE)->verdict == VERDICT_DIFFERENT;
    assert_true(shares <= 2);
    end(&w);
}

/* Work that handlers add to an interval cancels between equal handlers and periods, and is negligible beside long
 * ones. */
static void test_work_of_unlike_handlers(void **state)
{
    static const struct {
        uint64_t period_b;
        unsigned longer; /* longer than the named periods, both */
        bool is_linux, judged;
    } rows[] = {
        {1000, 1, false, true},  {1000, 1, true, false},  {1008, 1, false, false},
        {1000, 99, true, false}, {1000, 101, true, true}, {1008, 101, false, true},
    };

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct truth truth = usual();
        struct world w;

        begin(&w, 1);
        add(&w, SIDE_A, 2, &truth);
        add(&w, SIDE_B, 2, &truth);
        for (uint32_t side = 0; side < SIDES; side++)
            for (uint32_t run = 0; run < 2; run++) {
                struct made *made = &w.made[side][run];

                made->event.period = (side == SIDE_B ? rows[i].period_b : 1000) * rows[i].longer;
                made->facts.work *= rows[i].longer;
                for (uint32_t place = 0; place < INSNS; place++)
                    made->places[place].weighted[SAMPLE_OP] *= rows[i].longer;
                made->facts.is_linux = side == SIDE_B && rows[i].is_linux;
                made->facts.release = "6.1";
            }
        judge(&w);
        assert_int_equal(item_of(&w.c, COMPARE_WHOLE, COMPARE_WORK) != NULL, rows[i].judged);
        assert_int_equal(noted(&w, "per unit of work are omitted"), !rows[i].judged);
        end(&w);
    }
}

static void test_failing_itself(void **state)
{
    struct truth first = usual(), second = usual();
    struct world w;

    shift_share(second.shares, INSNS, 0, 0.05);
    begin(&w, 1);
    for (int i = 0; i < 3; i++) {
        add(&w, SIDE_A, 1, &first);
        add(&w, SIDE_A, 1, &second);
    }
    add(&w, SIDE_B, 6, &first);
    judge(&w);
    assert_true(w.c.within_failed[SIDE_A]);
    assert_false(w.c.within_failed[SIDE_B]);
    assert_int_equal(w.c.verdict, VERDICT_INCONCLUSIVE);
    assert_non_null(strstr(w.c.sentence, "A/A fails"));
    end(&w);
}

static void test_warnings(void **state)
{
    static const struct input_setting four_k = {"pages", "4k", false}, two_m = {"pages", "2m", false};
    struct truth truth = usual();
    struct world w;

    begin(&w, 1);
    add(&w, SIDE_A, 1, &truth);
    add(&w, SIDE_B, 1, &truth);
    w.made[SIDE_A][0].facts.settings = &four_k;
    w.made[SIDE_B][0].facts.settings = &two_m;
    w.made[SIDE_A][0].facts.setting_count = w.made[SIDE_B][0].facts.setting_count = 1;
    w.made[SIDE_B][0].facts.is_linux = true;
    w.made[SIDE_B][0].facts.release = "6.1";
    w.made[SIDE_B][0].event.period = 2000;
    w.made[SIDE_B][0].event.config = 1 << 19;
    w.made[SIDE_B][0].profile.lost = 7;
    w.made[SIDE_B][0].profile.throttled = 2;
    judge(&w);
    assert_true(noted(&w, "LOST: 7 samples of side B"));
    assert_true(noted(&w, "THROTTLE: the kernel stopped sampling on side B 2 times"));
    assert_true(noted(&w, "counted ops between samples and the other cycles"));
    assert_true(noted(&w, "per unit of work are omitted"));
    assert_null(item_of(&w.c, COMPARE_WHOLE, COMPARE_WORK));
    assert_int_equal(w.c.setting_count, 4);
    assert_string_equal(w.c.settings[0].b, "Linux 6.1");
    assert_string_equal(w.c.settings[3].name, "pages");
    assert_string_equal(w.c.settings[3].a, "4k");
    end(&w);
}

/* All parts together: equal sides are called different in at most 5 of 100 cases, whether runs vary or not, with two to
 * thirty runs a side. bench/compare-real does this with recordings. */
static void test_equal_pairs(void **state)
{
    enum { PAIRS = 200 };
    static const struct {
        uint32_t runs;
        double phi;
    } rows[] = {{2, 1}, {2, 5}, {3, 5}, {5, 1}, {5, 5}, {10, 5}, {30, 1}, {30, 5}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        double different = 0;

        for (uint32_t k = 0; k < PAIRS; k++) {
            struct truth truth = usual();
            struct world w;

            truth.phi = rows[i].phi;
            truth.samples = rows[i].runs > 10 ? 400 : 2000;
            begin(&w, 1000 * (unsigned long)(i + 1) + k);
            w.options.permutations = 199;
            w.options.resamples = 100;
            add(&w, SIDE_A, rows[i].runs, &truth);
            add(&w, SIDE_B, rows[i].runs, &truth);
            judge(&w);
            different += w.c.verdict == VERDICT_DIFFERENT || w.c.verdict == VERDICT_BOTH;
            end(&w);
        }
        printf("  %u runs, phi %.0f: %.1f %% of %d equal pairs are called different\n", rows[i].runs, rows[i].phi,
               100 * different / PAIRS, PAIRS);
        assert_true(different / PAIRS <= 0.05 + three_errors(0.05, PAIRS));
    }
}

/* ---------------------------------------------------------------- outputs */

static unsigned commas(const char *line)
{
    unsigned count = 0;
    bool in_quotes = false;

    for (; *line != '\0' && *line != '\n'; line++) {
        in_quotes = in_quotes != (*line == '"');
        count += *line == ',' && !in_quotes;
    }
    return count;
}

static void test_outputs(void **state)
{
    struct truth a = usual(), b = usual();
    struct world w;
    char *text = NULL;
    size_t size;
    FILE *to;
    unsigned wanted, lines = 0;

    b.dtlb = 0.1;
    b.outside = 500;
    begin(&w, 1);
    add(&w, SIDE_A, 3, &a);
    add(&w, SIDE_B, 3, &b);
    judge(&w);

    to = open_memstream(&text, &size);
    w.options.all = true;
    document_put(to, FORM_TEXT, &compare_document, &w.c);
    fclose(to);
    assert_true(strncmp(text, "Different: ", 11) == 0);
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"))
        if (strlen(line) > 79 || line[strlen(line) - 1] == ' ')
            fail_msg("%zu: %s", strlen(line), line);
    free(text);

    to = open_memstream(&text, &size);
    document_put(to, FORM_CSV, &compare_document, &w.c);
    fclose(to);
    wanted = commas(text);
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"), lines++)
        if (commas(line) != wanted)
            fail_msg("%u commas, not %u: %s", commas(line), wanted, line);
    assert_int_equal(lines, 1 + 3 + w.c.item_count);
    free(text);

    to = open_memstream(&text, &size);
    assert_true(document_put(to, FORM_JSON, &compare_document, &w.c));
    fclose(to);
    assert_non_null(strstr(text, "\"verdict\":\"different\""));
    free(text);
    end(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_aligned_by_function),
        cmocka_unit_test(test_other_code_is_refused),
        cmocka_unit_test(test_one_side_only),
        cmocka_unit_test(test_mapped_function),
        cmocka_unit_test(test_ambiguous_function),
        cmocka_unit_test(test_empty_sides),
        cmocka_unit_test(test_rare_ones_together),
        cmocka_unit_test(test_namesakes),
        cmocka_unit_test(test_outside),
        cmocka_unit_test(test_equivalent),
        cmocka_unit_test(test_just_enough),
        cmocka_unit_test(test_too_few),
        cmocka_unit_test(test_small_rates),
        cmocka_unit_test(test_different_column),
        cmocka_unit_test(test_latency),
        cmocka_unit_test(test_work),
        cmocka_unit_test(test_work_of_unlike_handlers),
        cmocka_unit_test(test_failing_itself),
        cmocka_unit_test(test_warnings),
        cmocka_unit_test(test_equal_pairs),
        cmocka_unit_test(test_outputs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
