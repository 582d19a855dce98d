/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which rules give the paper's distribution of op samples: how lines are cut, which op of a line is tagged, whether a
 * tag waits, and the latency of memory. Each on the whole model; nothing is fitted.
 */
#include "bench/paper/variants.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/paper/published.h"

#define ROWS(table) (sizeof(table) / sizeof((table)[0]))

enum { FIRST = PAPER_K_LOAD, LAST = PAPER_JMP, LOOP = LAST - FIRST + 1 };

enum tagged { ANY_OP, FIRST_OP, LAST_OP, ANY_PLACE };

static const struct {
    const char *name;
    unsigned shift;
} lines[] = {{"any three", NO_WINDOWS}, {"in 32 bytes", 5}, {"in 16 bytes", 4}};

static const struct {
    const char *name;
    bool lose;
    enum tagged op;
} tags[] = {{"lost in a stall; any op of the line", true, ANY_OP},
            {"waits; first op of the line", false, FIRST_OP},
            {"waits; last op of the line", false, LAST_OP},
            {"waits; any op of the line", false, ANY_OP}};

static const unsigned dram_ns[] = {DRAM_NS, 100};

/* Which op begins the line of each op of the loop: three ops, all of which end in the same window. */
static void cut(unsigned shift, unsigned begin[LOOP])
{
    uint64_t window = 0;
    unsigned head = 0;

    for (unsigned i = 0; i < LOOP; i++) {
        const struct codemap_insn *insn = &paper_map.insns[FIRST + i];
        uint64_t ends = (PAPER_BASE + insn->rva + insn->length - 1) >> shift;

        if (i - head == DISPATCH_WIDTH || ends != window)
            head = i;
        window = ends;
        begin[i] = head;
    }
}

/* The share of the loop's samples at each instruction. */
static void shares(const struct model_rows *model, const unsigned begin[LOOP], enum tagged op, double ret_share[LOOP])
{
    double line[LOOP] = {0}, all = 0;
    unsigned last[LOOP] = {0};

    for (unsigned i = 0; i < LOOP; i++) {
        line[begin[i]] += (double)model->row[FIRST + i].dispatch_sixths;
        last[begin[i]] = i;
        all += (double)model->row[FIRST + i].dispatch_sixths;
    }
    for (unsigned i = 0; i < LOOP; i++) {
        double own = op == ANY_OP ? (double)model->row[FIRST + i].dispatch_sixths : 0;

        if (op == ANY_PLACE) /* a tag for a place without an op is lost */
            own = line[begin[i]] / DISPATCH_WIDTH;
        if ((op == FIRST_OP && i == begin[i]) || (op == LAST_OP && i == last[begin[i]]))
            own = line[begin[i]];
        ret_share[i] = own / all;
    }
}

static double samples_of(const struct published_op *op)
{
    return (double)(op->all == NONE ? op->accesses : op->all);
}

/* Against the rows that can be read. Chi-square is infinite where the model has no sample at all. */
static void compare(const double share[LOOP], double *ret_variation, double *ret_chi2)
{
    double published = 0, model = 0;

    *ret_variation = *ret_chi2 = 0;
    for (unsigned i = 0; i < ROWS(published_ops); i++) {
        published += samples_of(&published_ops[i]);
        model += share[paper_index((uint64_t)published_ops[i].address) - FIRST];
    }
    for (unsigned i = 0; i < ROWS(published_ops); i++) {
        double seen = samples_of(&published_ops[i]);
        double expected = published * share[paper_index((uint64_t)published_ops[i].address) - FIRST] / model;

        *ret_variation += fabs(seen - expected) / published / 2;
        *ret_chi2 += expected > 0 ? (seen - expected) * (seen - expected) / expected : INFINITY;
    }
}

/* Rows of the loop at which counter samples of retired instructions are found in one of model and paper only: the
 * paper's rows with at most 2 samples, 1 in 30,000, count as empty. */
static unsigned differing_rows(unsigned shift)
{
    static uint64_t samples[COUNTERS][PAPER_INSNS + 1];
    uint64_t all = 0;
    unsigned differ = 0;

    model_counters((struct vpmu_config){.window_shift = (uint8_t)shift}, samples);
    for (unsigned i = FIRST; i <= LAST; i++)
        all += samples[0][i];
    for (unsigned i = 0; i < ROWS(published_counters); i++) {
        unsigned at = paper_index((uint64_t)published_counters[i].address);

        if (at >= FIRST && at <= LAST)
            differ += (published_counters[i].instructions > 2) != (samples[0][at] * 500 > all);
    }
    return differ;
}

static void print_variant(unsigned l, unsigned t, unsigned d, const struct model_rows *model, unsigned differ)
{
    double share[LOOP], variation, chi2;
    unsigned begin[LOOP];

    cut(lines[l].shift, begin);
    shares(model, begin, tags[t].op, share);
    compare(share, &variation, &chi2);
    printf("| %s | %s | %u ns | %.2f | ", lines[l].name, tags[t].name, dram_ns[d], variation);
    printf(isinf(chi2) ? "none" : "%.0f", chi2);
    printf(" | %.1f %% | %.1f %% | ", 100 * share[2], 100 * share[PAPER_FSTP_SUM - FIRST]);
    if (tags[t].op == ANY_OP)
        printf("%.1f %%", model->missed_share);
    printf(" | %.1f | %u of 16 |\n", (double)model->cycles / 1e6, differ);
}

void variants_print(void)
{
    static struct model_rows model[2][ROWS(dram_ns)]; /* by lose_stalled: the op in the line is chosen afterwards */

    puts("| lines | tag | memory | total variation | chi-square | store | `fstp` | DC misses at `b`, sampled | "
         "cycles an iteration | counter rows that differ |\n|---|---|---|---|---|---|---|---|---|---|");
    for (unsigned l = 0; l < ROWS(lines); l++) {
        unsigned differ = differing_rows(lines[l].shift);

        for (unsigned lose = 0; lose < 2; lose++)
            for (unsigned d = 0; d < ROWS(dram_ns); d++)
                model_rows_with((struct vpmu_config){.window_shift = (uint8_t)lines[l].shift, .lose_stalled = lose},
                                dram_ns[d], &model[lose][d]);
        for (unsigned t = 0; t < ROWS(tags); t++)
            for (unsigned d = 0; d < ROWS(dram_ns); d++)
                print_variant(l, t, d, &model[tags[t].lose][d], differ);
    }
    puts("| the paper | | | | | | | 21.8 % | | |");
}

/* ---------------------------------------------------------------- what dispatch waits for */

/* What ops wait in beside the reorder buffer, and what page walks do with other accesses. All with lines that end in
 * the same 16 bytes, and tags that wait. */
static const struct {
    const char *entries, *walks;
    struct vpmu_config config;
} waits[] = {
    {"reorder buffer alone", "overlap", {.no_stations = true}},
    {"all; look-ups in any order", "overlap", {.walks = WALKS_OVERLAP}},
    {"all; look-ups in any order", "one after the other", {.walks = WALKS_IN_TURN}},
    {"all; look-ups in any order", "one; no look-ups meanwhile", {.walks = WALKS_ALONE}},
    {"all; look-ups in program order", "overlap", {.lookups_in_order = true}},
    {"all; look-ups in program order", "one after the other", {.lookups_in_order = true, .walks = WALKS_IN_TURN}},
    {"all; look-ups in program order", "one; no look-ups meanwhile", {.lookups_in_order = true, .walks = WALKS_ALONE}},
    {"all; units of a lane issue in order", "overlap", {.issue = ISSUE_UNITS}},
    {"all; units of a lane issue in order", "one after the other", {.issue = ISSUE_UNITS, .walks = WALKS_IN_TURN}},
    {"all; units of a lane issue in order", "one; no look-ups meanwhile", {.issue = ISSUE_UNITS, .walks = WALKS_ALONE}},
    {"all; lanes issue in order", "overlap", {.issue = ISSUE_LANES}},
    {"all; lanes issue in order", "one after the other", {.issue = ISSUE_LANES, .walks = WALKS_IN_TURN}},
    {"all; lanes issue in order", "one; no look-ups meanwhile", {.issue = ISSUE_LANES, .walks = WALKS_ALONE}},
};

static const struct {
    const char *name;
    enum tagged op;
} waiting_tags[] = {{"any op", ANY_OP}, {"any of three places", ANY_PLACE}};

/* Cycles an iteration in which the line of an op waits or is dispatched. */
static double line_cycles(const struct model_rows *model, const unsigned begin[LOOP], unsigned op)
{
    double sixths = 0;

    for (unsigned i = 0; i < LOOP; i++)
        if (begin[i] == begin[op])
            sixths += (double)model->row[FIRST + i].dispatch_sixths;
    return sixths / 6e6;
}

static void print_wait(unsigned w, unsigned d, const unsigned begin[LOOP])
{
    static struct model_rows model;

    model_rows_at(waits[w].config, dram_ns[d], &model);
    for (unsigned t = 0; t < ROWS(waiting_tags); t++) {
        double share[LOOP], variation, chi2;

        shares(&model, begin, waiting_tags[t].op, share);
        compare(share, &variation, &chi2);
        printf("| %s | %s | %s | %u ns | %.2f | %.0f |", waits[w].entries, waits[w].walks, waiting_tags[t].name,
               dram_ns[d], variation, chi2);
        for (unsigned i = 0; i < LOOP; i++)
            if (begin[i] == i)
                printf(" %.1f |", line_cycles(&model, begin, i));
        putchar('\n');
    }
}

void variants_stations(void)
{
    unsigned begin[LOOP];

    cut(4, begin);
    puts("| ops wait in | page walks | tag | memory | total variation | chi-square | store | `jge` | `mov ecx` | `mov "
         "edx` "
         "| `fld` | `fstp` | `jmp` |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    for (unsigned w = 0; w < ROWS(waits); w++)
        for (unsigned d = 0; d < ROWS(dram_ns); d++)
            print_wait(w, d, begin);
    puts("| the paper, a sample for 250,000 cycles | | any op | | | | 24.4 | 2.5 | 1.4 | 1.0 | 3.1 | 3.1 | 0.8 |\n"
         "| | | any of three places | | | | 24.4 | 2.5 | 2.0 | 1.0 | 3.1 | 9.2 | 2.5 |");
}
