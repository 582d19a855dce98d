/* SPDX-License-Identifier: BSD-2-Clause */
/* * 'ibsprof compare' at its limits: from how many samples on a cell, a rate or a latency is judged, which functions
 * are the same, what is on one side only, and sides whose runs differ. Limits and rules are those of docs/compare.md;
 * each has a case on either side of it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/perfdata/perfdata_format.h"
#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/made_linux.h"
#include "tests/unit/ibsprof/made_run.h"
#include "tests/unit/ibsprof/program.h"
#include "tests/unit/ibsprof/tool.h"

enum { PUSH = 0x401010, LOAD = 0x401016, ADD = 0x401019, JNZ = 0x40101d, COLD = 0x401030 };

/* ---------------------------------------------------------------- reading what came out */

static char output[1 << 20];

/* Runs the command with --csv. */
static void compare(const char *const *words)
{
    const char *all[80] = {"--csv"};
    struct tool_result got;
    unsigned count = 1;

    for (; *words != NULL; words++)
        all[count++] = *words;
    all[count] = NULL;
    got = tool_run_words(&command_compare, all);
    if (got.status != EXIT_DONE)
        fail_msg("%s", got.err);
    snprintf(output, sizeof(output), "%s", got.out);
}

/* Returns a field of the row for this column and place; NULL: there is no such row. */
static const char *field(const char *column, const char *place, const char *name)
{
    static char text[300];
    char start[200];
    const char *row, *heading = output;
    unsigned commas = 0;

    snprintf(start, sizeof(start), "\n%s,%s,", column, place);
    row = strstr(output, start);
    if (row == NULL)
        return NULL;
    row++;
    while (strncmp(heading, name, strlen(name)) != 0 ||
           (heading[strlen(name)] != ',' && heading[strlen(name)] != '\n')) {
        heading = strpbrk(heading, ",\n") + 1;
        assert_true(heading[-1] == ',');
        commas++;
    }
    while (commas > 0) {
        if (*row == '"')
            row = strchr(row + 1, '"');
        row = strchr(row, ',') + 1;
        commas--;
    }
    snprintf(text, sizeof(text), "%.*s", (int)strcspn(row, ",\n"), row);
    return text;
}

static double number(const char *column, const char *place, const char *name)
{
    const char *text = field(column, place, name);

    if (text == NULL)
        fail_msg("no %s of %s", column, place);
    return strtod(text, NULL);
}

/* ---------------------------------------------------------------- rates and latencies */

static const uint64_t load = IBS_LD_OP | IBS_DC_LIN_ADDR_VALID;

static void ops(unsigned times, uint64_t at, uint64_t data, uint64_t data3)
{
    made_run_op(times, (struct made_op){.at = at, .data = data, .data2 = IBS_NB_DRAM, .data3 = data3, .address = 64});
}

static const char *write_run(const char *name)
{
    return made_run_write(name, "#: figures = silicon\n");
}

static char a[300], b[300];

static void both(void)
{
    compare((const char *[]){a, b, NULL});
}

/* Rates need 20 samples on each side; a place without such samples has none, but the whole workload does. */
static void rates(void **state)
{
    for (unsigned few = 0; few < 3; few++) {
        /* (loads at LOAD, and those that missed) on either side; the others are beside it */
        const unsigned loads_a = few == 1 ? 19 : 20, loads_b = few == 2 ? 19 : 20;

        for (unsigned side = 0; side < 2; side++) {
            unsigned loads = side ? loads_b : loads_a;

            made_run_begin();
            ops(loads - 5, LOAD, 0, load);
            ops(5, LOAD, 0, load | IBS_DC_MISS);
            ops(30, ADD, 0, load); /* no misses on either side */
            ops(20, JNZ, IBS_OP_BRN_RET, 0);
            ops(30, PUSH, 0, 0);
            snprintf(side ? b : a, sizeof(a), "%s", write_run(side ? "b" : "a"));
        }
        both();
        assert_int_equal(field("dc_miss", "hot+0x6", "p") != NULL, few == 0);
        assert_null(field("dc_miss", "hot+0x9", "p"));
        assert_true(fabs(number("dc_miss", "all", "a") - 5 / (30.0 + loads_a)) < 1e-9);
        assert_int_equal((int)number("dc_miss", "all", "n_a"), 30 + loads_a);
        assert_int_equal((int)number("dc_miss", "all", "n_b"), 30 + loads_b);
        assert_int_equal((int)number("mispredict", "all", "n_a"), 20);
        assert_true(number("mispredict", "all", "a") == 0);
        assert_true(number("mispredict", "all", "p") ==
                    1); /* never on both sides: no difference, but the row is printed */
        assert_null(field("mispredict", "hot+0xd", "p"));
        assert_null(field("ic_miss", "all", "p"));
    }
}

/* Each rate counts some samples out of others: all these numbers differ, by AMD's bits of the registers. */
static void what_rates_are(void **state)
{
    static const struct {
        const char *column;
        double above, below;
    } rows[] = {{"dc_miss", 41, 230},           /* loads that missed, out of loads; no stores */
                {"dtlb_l1_miss", 33 + 27, 291}, /* with and without a hit in L2, of accesses with an address */
                {"dtlb_l2_miss", 27, 291},      {"mispredict", 22, 57},
                {"ic_miss", 35, 199}, /* killed fetches do not count as attempts */
                {"itlb_l1_miss", 21 + 25, 199}};
    const uint64_t store = IBS_ST_OP | IBS_DC_LIN_ADDR_VALID, fetched = IBS_FETCH_COMP | IBS_FETCH_PHY_VALID;

    for (unsigned side = 0; side < 2; side++) {
        made_run_begin();
        ops(129, LOAD, 0, load);
        ops(41, LOAD, 0, load | IBS_DC_MISS);
        ops(33, LOAD, 0, load | IBS_DC_L1TLB_MISS);
        ops(27, LOAD, 0, load | IBS_DC_L1TLB_MISS | IBS_DC_L2TLB_MISS);
        ops(40, ADD, 0, store);
        ops(21, ADD, 0, store | IBS_DC_MISS);
        ops(23, JNZ, IBS_OP_BRN_RET, 0);
        ops(22, JNZ, IBS_OP_BRN_RET | IBS_OP_BRN_MISP, 0);
        ops(12, JNZ, IBS_OP_BRN_RET | IBS_OP_BRN_TAKEN, 0);
        made_run_fetch(118, (struct made_fetch){.at = PUSH, .ctl = fetched});
        made_run_fetch(35, (struct made_fetch){.at = PUSH, .ctl = fetched | IBS_FETCH_IC_MISS});
        made_run_fetch(21, (struct made_fetch){.at = PUSH, .ctl = fetched | IBS_FETCH_L1TLB_MISS});
        made_run_fetch(25,
                       (struct made_fetch){.at = PUSH, .ctl = fetched | IBS_FETCH_L1TLB_MISS | IBS_FETCH_L2TLB_MISS});
        made_run_fetch(60, (struct made_fetch){.at = PUSH});
        snprintf(side ? b : a, sizeof(a), "%s", write_run(side ? "b" : "a"));
    }
    both();
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (fabs(number(rows[i].column, "all", "a") - rows[i].above / rows[i].below) > 1e-9 ||
            number(rows[i].column, "all", "n_a") != rows[i].below)
            fail_msg("%s is %.9f of %g", rows[i].column, number(rows[i].column, "all", "a"),
                     number(rows[i].column, "all", "n_a"));
}

static void misses(unsigned times, uint64_t cycles)
{
    ops(times, LOAD, 0, load | IBS_DC_MISS | cycles << 32);
}

/* Latencies need 50 misses. Each latency has a bin of its own, whose values are spread over the cycle: quantiles of one
 * value are that value. */
static void latencies(void **state)
{
    static const struct {
        unsigned n_a, n_b;
        uint64_t cycles_a, cycles_b;
        const char *verdict; /* NULL: not judged */
    } cases[] = {
        {50, 50, 100, 100, "equivalent"}, {49, 50, 100, 100, NULL},          {50, 49, 100, 100, NULL},
        {400, 400, 100, 104, "both"},     {400, 400, 100, 105, "different"}, /* 5 % is not within 5 % */
        {400, 400, 15, 15, "equivalent"}, {400, 400, 15, 16, "different"}, /* one cycle of 15 is not within one cycle */
        {400, 400, 200, 191, "both"},     {400, 400, 200, 189, "different"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        for (unsigned side = 0; side < 2; side++) {
            made_run_begin();
            misses(side ? cases[i].n_b : cases[i].n_a, side ? cases[i].cycles_b : cases[i].cycles_a);
            ops(100, ADD, 0, 0);
            snprintf(side ? b : a, sizeof(a), "%s", write_run(side ? "b" : "a"));
        }
        both();
        for (int whole = 0; whole < 2; whole++) {
            const char *place = whole ? "all" : "hot+0x6";

            assert_int_equal(field("latency_p50", place, "p") != NULL, cases[i].verdict != NULL);
            assert_int_equal(field("latency_p90", place, "p") != NULL, cases[i].verdict != NULL);
            if (cases[i].verdict == NULL)
                continue;
            if (strcmp(field("latency_p50", place, "verdict"), cases[i].verdict) != 0)
                fail_msg("case %zu: %s", i, strstr(output, "\nlatency_p50"));
            assert_true(number("latency_p50", place, "a") == (double)cases[i].cycles_a);
            assert_true(number("latency_p50", place, "b") == (double)cases[i].cycles_b);
            assert_true(number("latency_p50", place, "n_a") == cases[i].n_a);
            assert_true(number("latency_p50", place, "difference") ==
                        (double)cases[i].cycles_b - (double)cases[i].cycles_a);
        }
        assert_null(field("latency_p50", "hot+0x9", "p"));
    }
}

/* The values are 61 to 139 cycles, equally often: the median's standard error is 1.8 cycles on a side (1 / (2 f
 * sqrt(n)), f = 1/79, n = 474), so the difference is known to 4.2 cycles at 90 % and to 5.0 at 95 %, in whole cycles.
 * "Less than 5" is a question to the first one (two one-sided tests). */
static void latencies_within_the_margin(void **state)
{
    double ends[4];

    for (unsigned side = 0; side < 2; side++) {
        made_run_begin();
        for (unsigned cycles = 61; cycles < 140; cycles++)
            misses(6, cycles);
        snprintf(side ? b : a, sizeof(a), "%s", write_run(side ? "b" : "a"));
    }
    both();
    assert_true(number("latency_p50", "all", "low") <= -5 || number("latency_p50", "all", "high") >= 5);
    assert_string_equal(field("latency_p50", "all", "verdict"), "equivalent");
    for (unsigned seed = 1; seed <= 4; seed++) { /* random draws depend on the seed */
        char option[20];

        snprintf(option, sizeof(option), "--seed=%u", seed);
        compare((const char *[]){option, a, b, NULL});
        ends[seed - 1] = number("latency_p50", "all", "a_high");
    }
    assert_false(ends[0] == ends[1] && ends[0] == ends[2] && ends[0] == ends[3]);
    compare((const char *[]){"--level=90", a, b, NULL});
    assert_true(number("latency_p50", "all", "low") > -5 && number("latency_p50", "all", "high") < 5);
}

/* Half of the misses take 15 cycles and half 150: the median may be either, and more samples do not decide. The 90th
 * percentile is known. */
static void between_two_modes(void **state)
{
    for (unsigned side = 0; side < 2; side++) {
        made_run_begin();
        misses(100 + side, 15);
        misses(100 - side, 150);
        snprintf(side ? b : a, sizeof(a), "%s", write_run(side ? "b" : "a"));
    }
    both();
    assert_string_equal(field("latency_p50", "all", "verdict"), "inconclusive");
    assert_string_equal(field("latency_p50", "all", "needed_a"), "");
    assert_string_equal(field("latency_p90", "all", "verdict"), "equivalent");
}

/* ---------------------------------------------------------------- cells and functions */

static const struct linux_event event = {LINUX_HARDWARE, 0, 1000, 0, 0, "cycles"};
static uint64_t now;

static void begin_linux(void)
{
    linux_begin(&event, 1);
    linux_comm(1, "p", PERFDATA_MISC_COMM_EXEC, 0);
    now = 0;
}

static void samples(unsigned times, uint64_t ip)
{
    while (times-- > 0)
        linux_sample(
            (struct linux_sample){.pid = 1, .tid = 1, .ip = ip, .time = now += 1000, .period = 1000, .misc = 2});
}

static const char *write_linux(const char *name)
{
    static const struct linux_facts facts = {.release = "6.1.0-test"};

    return linux_write(name, &facts);
}

/* Both sides together must expect five samples: with 100 and 300 samples, 20 in all; if most are on the larger side,
 * more do not help. */
static void rare_cells(void **state)
{
    static const struct {
        unsigned at_a, at_b;
        bool rare;
    } cases[] = {{20, 0, false}, {19, 0, true}, {0, 20, false}, {0, 19, true}, {5, 15, false}, {4, 15, true}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        for (unsigned side = 0; side < 2; side++) {
            unsigned at = side ? cases[i].at_b : cases[i].at_a;

            begin_linux();
            linux_map(1, PROGRAM_TEXT, 0x1000, PROGRAM_OFFSET, "/gone/program.elf", 2);
            samples(at, LOAD);
            samples((side ? 300 : 100) - at, ADD);
            snprintf(side ? b : a, sizeof(a), "%s", write_linux(side ? "linux-b" : "linux-a"));
        }
        both();
        assert_int_equal(field("share", "hot+0x6", "p") == NULL, cases[i].rare);
        assert_int_equal(field("share", "rare", "p") != NULL, cases[i].rare);
        assert_true(number("share", cases[i].rare ? "rare" : "hot+0x6", "n_a") == 100);
    }
}

/* Functions on one side only are listed if they have five samples: larger ones first, then by name. */
static void one_side_only(void **state)
{
    struct tool_result got;
    const char *one_sided;

    for (unsigned side = 0; side < 2; side++) {
        static const char *const names[] = {"/gone/b.so", "/gone/a.so", "/gone/c.so", "/gone/d.so", "/gone/e.so"};
        static const unsigned counts[] = {5, 5, 4, 7, 6};

        begin_linux();
        linux_map(1, PROGRAM_TEXT, 0x1000, PROGRAM_OFFSET, "/gone/program.elf", 2);
        samples(100, LOAD);
        for (unsigned i = 0; i < 5; i++) {
            linux_map(1, 0x10000000 * (i + 1), 0x1000, 0, names[i], 2);
            if (side == (i == 3))
                samples(counts[i], 0x10000000 * (i + 1));
        }
        snprintf(side ? b : a, sizeof(a), "%s", write_linux(side ? "linux-b" : "linux-a"));
    }
    got = tool_run(&command_compare, a, b, NULL);
    one_sided = strstr(got.out, "\nFunctions with samples on one side only\n");
    assert_non_null(one_sided);
    one_sided += strlen("\nFunctions with samples on one side only\n");
    got.out[strstr(one_sided, "\n\n") + 1 - got.out] = '\0';
    assert_string_equal(one_sided, "  B  d.so                                                        7 samples\n"
                                   "  A  e.so                                                        6 samples\n"
                                   "  A  a.so                                                        5 samples\n"
                                   "  A  b.so                                                        5 samples\n");
}

/* Samples outside the program are listed by number, then by name: eight places of ten. */
static void outside_the_program(void **state)
{
    static const unsigned counts[] = {10, 30, 10, 5, 4, 3, 2, 1, 1, 1};
    struct tool_result got;
    char *at;

    for (unsigned side = 0; side < 2; side++) {
        begin_linux();
        linux_map(1, PROGRAM_TEXT, 0x1000, PROGRAM_OFFSET, "/gone/program.elf", 2);
        samples(133, LOAD);
        for (unsigned i = 0; i < 10; i++) {
            char name[40];

            snprintf(name, sizeof(name), "/lib/modules/%c.ko", 'j' - (int)i);
            linux_map(UINT32_MAX, 0xffffffffc0000000 + 0x10000 * i, 0x1000, 0, name, 1);
            for (unsigned k = 0; k < counts[i]; k++)
                linux_sample((struct linux_sample){.pid = 1,
                                                   .tid = 1,
                                                   .ip = 0xffffffffc0000000 + 0x10000 * i,
                                                   .time = now += 1000,
                                                   .period = 1000,
                                                   .misc = 1});
        }
        snprintf(side ? b : a, sizeof(a), "%s", write_linux(side ? "linux-b" : "linux-a"));
    }
    got = tool_run(&command_compare, a, b, NULL);
    at = strstr(got.out, "    kernel: ");
    assert_non_null(at);
    *strstr(at, "\n\n") = '\0';
    expect_text(at, "    kernel: i.ko                                  15.00       15.00\n"
                    "    kernel: h.ko                                   5.00        5.00\n"
                    "    kernel: j.ko                                   5.00        5.00\n"
                    "    kernel: g.ko                                   2.50        2.50\n"
                    "    kernel: f.ko                                   2.00        2.00\n"
                    "    kernel: e.ko                                   1.50        1.50\n"
                    "    kernel: d.ko                                   1.00        1.00\n"
                    "    kernel: a.ko                                   0.50        0.50\n"
                    "    and 2 more");
}

/* ---------------------------------------------------------------- the same code or not */

/* Makes a program of two functions: f of this code, g of one instruction. */
static void program_with(const char *name, const char *code)
{
    char text[500];

    snprintf(text, sizeof(text),
             ".text\n.globl f,g\n.type f,@function\nf: %s\n.size f,.-f\n.p2align 4\n.type g,@function\ng: nop\n"
             ".size g,.-g\n",
             code);
    program_of(name, text, "", "-Ttext=0x401000 -e 0");
}

/* Makes a recording of x.elf at 401000 and y.elf at 501000, with these numbers of samples of their f and g. */
static const char *two_programs(const char *file, unsigned x_f, unsigned x_g, unsigned y_f, unsigned y_g)
{
    begin_linux();
    linux_map(1, 0x401000, 0x1000, 0x1000, "/gone/x.elf", 2);
    linux_map(1, 0x501000, 0x1000, 0x1000, "/gone/y.elf", 2);
    samples(x_f, 0x401000);
    samples(x_g, 0x401010);
    samples(y_f, 0x501000);
    samples(y_g, 0x501010);
    return write_linux(file);
}

static void two(unsigned a_x_f, unsigned a_y_f, unsigned b_x_f, unsigned b_y_f)
{
    snprintf(a, sizeof(a), "%s", two_programs("linux-a", a_x_f, 0, a_y_f, 500));
    snprintf(b, sizeof(b), "%s", two_programs("linux-b", b_x_f, 0, b_y_f, 500));
}

static void code(void **state)
{
    struct tool_result got;

    /* Equal code in two files is one function, wherever it is; two functions on one side are two. */
    program_with("x.elf", "nop\nnop");
    program_with("y.elf", "nop\nnop");
    two(100, 0, 0, 100);
    both();
    assert_true(number("share", "f+0x0", "n_a") == 600);
    assert_true(number("share", "f+0x0", "a") == number("share", "f+0x0", "b"));
    two(100, 100, 100, 100);
    both();
    assert_null(field("share", "f+0x0", "a"));
    assert_true(number("share", "f@x.elf+0x0", "n_a") == 700);
    assert_true(number("share", "f@y.elf+0x0", "n_a") == 700);
    two(100, 0, 100, 100);
    both();
    assert_true(number("share", "f@x.elf+0x0", "n_a") == 600);
    /* Different code is an error, unless a side has fewer than five samples of it, or the comparison was forced. */
    program_with("y.elf", "nop\nret");
    two(100, 0, 0, 100);
    tool_expect(tool_run(&command_compare, a, b, NULL), EXIT_INPUT, "",
                "ibsprof: compare: the code of 'f' in FILES/linux-b is not that in FILES/linux-a, so its instructions "
                "cannot be assumed "
                "to be the same; --map=f=f aligns them by offset, --force-code does so for all functions\n");
    got = tool_run(&command_compare, "--map=f=f", a, b, NULL);
    assert_int_equal(got.status, EXIT_DONE);
    assert_non_null(strstr(got.out, "WARNING: The code of 'f' differs: its instructions are aligned by offset, as\n"
                                    "    requested.\n"));
    got = tool_run(&command_compare, "--map=g=g", a, b, NULL);
    assert_int_equal(got.status, EXIT_INPUT);
    got = tool_run(&command_compare, "--force-code", a, b, NULL);
    assert_int_equal(got.status, EXIT_DONE);
    assert_non_null(strstr(got.out, "The code of 'f' differs"));
    /* The message comes once, however many instructions of the function have samples. */
    begin_linux();
    linux_map(1, 0x501000, 0x1000, 0x1000, "/gone/y.elf", 2);
    samples(50, 0x501000);
    samples(50, 0x501001);
    samples(500, 0x501010);
    snprintf(b, sizeof(b), "%s", write_linux("linux-b"));
    got = tool_run(&command_compare, "--force-code", a, b, NULL);
    assert_int_equal(got.status, EXIT_DONE);
    assert_non_null(strstr(got.out, "The code of 'f' differs"));
    assert_null(strstr(strstr(got.out, "The code of 'f' differs") + 1, "The code of 'f' differs"));
    two(100, 0, 0, 4);
    both();
    two(100, 0, 0, 5);
    got = tool_run(&command_compare, a, b, NULL); /* 5 of 505: less than a percent */
    assert_int_equal(got.status, EXIT_DONE);
    assert_non_null(strstr(got.out, "NOTE: 'f' of x.elf and of y.elf are different functions of the same name."));
    two(100, 0, 0, 6); /* 6 of 506: more than a percent */
    assert_int_equal(tool_run(&command_compare, a, b, NULL).status, EXIT_INPUT);
    two(5, 0, 0, 100); /* on either side */
    both();
    assert_true(number("share", "f@y.elf+0x0", "b") > 0.16);
}

/* A name in --map is a function of side B; a function of side A with that name keeps its own meaning. */
static void mapped(void **state)
{
    program_with("x.elf", "nop");
    snprintf(a, sizeof(a), "%s", two_programs("linux-a", 60, 40, 0, 0));
    snprintf(b, sizeof(b), "%s", two_programs("linux-b", 0, 70, 0, 0));
    compare((const char *[]){"--map=f=g", a, b, NULL});
    assert_true(number("share", "f+0x0", "a") == 0.6);
    assert_true(number("share", "f+0x0", "b") == 1);
    assert_true(number("share", "g+0x0", "a") == 0.4);
    assert_true(number("share", "g+0x0", "b") == 0);
}

/* ---------------------------------------------------------------- a side against itself */

/* Makes 4096 samples, 64 in each of 64 slices of the time; those of every other slice are at other instructions. */
static const char *sliced(const char *name, unsigned times_per_slice)
{
    made_run_begin();
    for (unsigned slice = 0; slice < 4096 / times_per_slice; slice++)
        ops(times_per_slice, slice & 1 ? ADD : LOAD, 0, 0);
    return write_run(name);
}

/* Returns the text with the lines of notes joined. */
static const char *text_of(const char *const *words)
{
    struct tool_result got = tool_run_words(&command_compare, words);

    if (got.status != EXIT_DONE)
        fail_msg("%s", got.err);
    for (char *at = got.out; (at = strstr(at, "\n    ")) != NULL;)
        memmove(at, at + 4, strlen(at + 4) + 1);
    return got.out;
}

static void halves_of_one_run(void **state)
{
    const char *text;

    /* The phases are as long as the slices: the halves have nothing in common. */
    snprintf(a, sizeof(a), "%s", sliced("a", 64));
    snprintf(b, sizeof(b), "%s", sliced("b", 32));
    text = text_of((const char *[]){a, b, NULL});
    assert_non_null(strstr(text, "A/A fails: alternate slices of the time of side A differ (p "));
    assert_null(strstr(text, "of the time of side B differ"));
    assert_non_null(strstr(text, "One run on each side: samples are assumed to be independent"));
    /* The two halves of A have 2048 samples each; no sample is in the wrong half. */
    assert_non_null(strstr(text, "  overlap, %                 100.00 (99.14 to 100.00)          0.00    100.00"));
    /* Samples of one time have no halves. */
    made_run_begin();
    for (unsigned i = 0; i < 100; i++)
        made_run_op(1, (struct made_op){.at = i & 1 ? ADD : LOAD, .tsc = 5000});
    snprintf(a, sizeof(a), "%s", write_run("a"));
    text = text_of((const char *[]){a, b, NULL});
    assert_null(strstr(text, "of the time of side A differ"));
}

/* Makes a run at another time: two with the same samples would be one recording. */
static const char *halves(const char *name, unsigned load_ops, unsigned add_ops)
{
    static uint64_t begun;

    made_run_begin();
    made_run_op(1, (struct made_op){.at = LOAD, .tsc = ++begun});
    ops(load_ops - 1, LOAD, 0, 0);
    ops(add_ops, ADD, 0, 0);
    return write_run(name);
}

static void runs_of_a_side(void **state)
{
    static char other[4][300], equal[4][300];
    const char *text;

    for (unsigned i = 0; i < 4; i++) {
        char name[20];

        snprintf(name, sizeof(name), "other%u", i);
        snprintf(other[i], sizeof(other[i]), "%s", halves(name, i & 1 ? 600 : 400, i & 1 ? 400 : 600));
        snprintf(name, sizeof(name), "equal%u", i);
        snprintf(equal[i], sizeof(equal[i]), "%s", halves(name, 500, 500));
    }
    /* Four runs are halved: those with even numbers are compared with the others. */
    text = text_of((const char *[]){other[0], other[1], other[2], other[3], "--", equal[0], equal[1], NULL});
    assert_non_null(strstr(text, "A/A fails: the runs of side A, halved, differ from each other (p "));
    assert_null(strstr(text, "side B"));
    text = text_of((const char *[]){equal[0], equal[1], "--", other[0], other[1], other[2], other[3], NULL});
    assert_non_null(strstr(text, "A/A fails: the runs of side B, halved, differ from each other (p "));
    /* In this other order the runs have equal halves. */
    text = text_of((const char *[]){other[0], other[0], other[1], other[1], "--", equal[0], equal[1], NULL});
    assert_null(strstr(text, "A/A fails"));
    /* Three runs are too few to fail. */
    text = text_of((const char *[]){other[0], other[1], other[2], "--", equal[0], equal[1], NULL});
    assert_null(strstr(text, "A/A fails"));
    assert_non_null(strstr(text, "The runs of side A differ by more than chance among samples (p "));
    text = text_of((const char *[]){equal[0], "--", equal[0], equal[1], NULL});
    assert_non_null(strstr(text, "Side A is a single run: samples are assumed to be independent"));
    text = text_of((const char *[]){equal[0], equal[1], "--", equal[1], NULL});
    assert_non_null(strstr(text, "Side B is a single run: samples are assumed to be independent"));
    text = text_of((const char *[]){equal[0], equal[1], "--", equal[1], equal[2], NULL});
    assert_null(strstr(text, "samples are assumed to be independent"));
}

static int begin(void **state)
{
    program_make("program.elf");
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates),
        cmocka_unit_test(outside_the_program),
        cmocka_unit_test(what_rates_are),
        cmocka_unit_test(latencies_within_the_margin),
        cmocka_unit_test(latencies),
        cmocka_unit_test(between_two_modes),
        cmocka_unit_test(rare_cells),
        cmocka_unit_test(one_side_only),
        cmocka_unit_test(code),
        cmocka_unit_test(mapped),
        cmocka_unit_test(halves_of_one_run),
        cmocka_unit_test(runs_of_a_side),
    };

    return cmocka_run_group_tests(tests, begin, files_end);
}
