/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rules that may give the paper's distribution of op samples: how lines are cut, which op of a line is tagged, whether
 * a tag waits, and the latency of memory. Each is tried on the whole model; nothing is fitted.
 */
#include "bench/paper/variants.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

/* Finds the op that begins the line of each op of the loop: three ops, all of which end in the same window. */
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

/* Against the rows that can be read. Chi-square is infinite where the model has no sample at all. */
static void compare(const double share[LOOP], double *ret_variation, double *ret_chi2)
{
    const struct published *ops = &published[OP_SAMPLES];
    double all = 0, model = 0;

    *ret_variation = *ret_chi2 = 0;
    for (unsigned i = 0; i < ops->count; i++) {
        if (paper_samples(&ops->rows[i]) == NONE)
            continue;
        all += (double)paper_samples(&ops->rows[i]);
        model += share[paper_index((uint64_t)ops->rows[i].address) - FIRST];
    }
    for (unsigned i = 0; i < ops->count; i++) {
        double seen = (double)paper_samples(&ops->rows[i]), expected;

        if (seen == NONE)
            continue;
        expected = all * share[paper_index((uint64_t)ops->rows[i].address) - FIRST] / model;
        *ret_variation += fabs(seen - expected) / all / 2;
        *ret_chi2 += expected > 0 ? (seen - expected) * (seen - expected) / expected : INFINITY;
    }
}

/* Rows of the loop at which counter samples of retired instructions are found in one of model and paper only: the
 * paper's rows with at most 2 samples, 1 in 30,000, count as empty. */
static unsigned differing_rows(unsigned shift)
{
    static uint64_t samples[COUNTERS][PAPER_INSNS + 1];
    const struct published *rows = &published[COUNTER_SAMPLES];
    uint64_t all = 0;
    unsigned differ = 0;

    model_counters((struct vpmu_config){.window_shift = (uint8_t)shift}, samples);
    for (unsigned i = FIRST; i <= LAST; i++)
        all += samples[0][i];
    for (unsigned i = 0; i < rows->count; i++) {
        unsigned at = paper_index((uint64_t)rows->rows[i].address);

        if (at >= FIRST && at <= LAST)
            differ += (rows->rows[i].figures[COUNTER_INSTRUCTIONS] > 2) != (samples[0][at] * 500 > all);
    }
    return differ;
}

/* The combinations of a table, to say which come nearest to the paper. */
struct ranked {
    char name[128];
    double variation[ROWS(dram_ns)];
};

static void print_nearest(const struct ranked *rows, unsigned count, unsigned shown)
{
    for (unsigned d = 0; d < ROWS(dram_ns); d++) {
        bool told[64] = {false};

        printf("%sLeast total variation at %u ns:", d ? "" : "\n", dram_ns[d]);
        for (unsigned n = 0; n < shown; n++) {
            unsigned least = count;

            for (unsigned i = 0; i < count; i++)
                if (!told[i] && (least == count || rows[i].variation[d] < rows[least].variation[d]))
                    least = i;
            told[least] = true;
            printf("%s %.3f %s", n ? ";" : "", rows[least].variation[d], rows[least].name);
        }
        puts(".");
    }
}

static void print_variant(unsigned l, unsigned t, unsigned d, const struct model_rows *model, unsigned differ,
                          struct ranked *ret_ranked)
{
    double share[LOOP], variation, chi2;
    unsigned begin[LOOP];

    cut(lines[l].shift, begin);
    shares(model, begin, tags[t].op, share);
    compare(share, &variation, &chi2);
    snprintf(ret_ranked->name, sizeof(ret_ranked->name), "(%s, %s)", lines[l].name, tags[t].name);
    ret_ranked->variation[d] = variation;
    printf("| %s | %s | %u ns | %.2f | ", lines[l].name, tags[t].name, dram_ns[d], variation);
    printf(isinf(chi2) ? "none" : "%.0f", chi2);
    printf(" | %.1f %% | %.1f %% | ", 100 * share[2], 100 * share[PAPER_FSTP_SUM - FIRST]);
    if (tags[t].op == ANY_OP)
        printf("%.1f %%", model->missed_share);
    printf(" | %.1f | %u of 16 |\n", (double)model->cycles / (1e3 * model_columns(VARIANT_COLUMNS)), differ);
}

void variants_print(void)
{
    static struct ranked ranked[ROWS(lines) * ROWS(tags)];
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
                print_variant(l, t, d, &model[tags[t].lose][d], differ, &ranked[l * ROWS(tags) + t]);
    }
    puts("| the paper | | | | | | | 21.8 % | | |");
    print_nearest(ranked, ROWS(ranked), 2);
}

/* ---------------------------------------------------------------- what dispatch waits for */

/* Varies what ops wait in beside the reorder buffer, and what page walks do with other accesses. All with lines that
 * end in the same 16 bytes, and tags that wait. */
static const struct {
    const char *entries, *walks;
    struct vpmu_config config;
} waits[] = {
    {"reorder buffer alone", "overlap", {.free = FREE_SCHEDULERS}},
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
    return sixths / (6e3 * model_columns(VARIANT_COLUMNS));
}

static void print_wait(unsigned w, unsigned d, const unsigned begin[LOOP], struct ranked ret_ranked[])
{
    static struct model_rows model;

    model_rows_at(waits[w].config, dram_ns[d], &model);
    for (unsigned t = 0; t < ROWS(waiting_tags); t++) {
        double share[LOOP], variation, chi2;

        shares(&model, begin, waiting_tags[t].op, share);
        compare(share, &variation, &chi2);
        snprintf(ret_ranked[t].name, sizeof(ret_ranked[t].name), "(%s, %s, %s)", waits[w].entries, waits[w].walks,
                 waiting_tags[t].name);
        ret_ranked[t].variation[d] = variation;
        printf("| %s | %s | %s | %u ns | %.2f | %.0f |", waits[w].entries, waits[w].walks, waiting_tags[t].name,
               dram_ns[d], variation, chi2);
        for (unsigned i = 0; i < LOOP; i++)
            if (begin[i] == i)
                printf(" %.1f |", line_cycles(&model, begin, i));
        putchar('\n');
    }
}

/* Cycles in which the line waits by the paper's samples, if each op of it has as many as those that can be read: a
 * sample of one op stands for as many as may be tagged in its place. 0: none can be read. */
static double paper_cycles(const unsigned begin[LOOP], unsigned head, enum tagged op)
{
    const struct published *ops = &published[OP_SAMPLES];
    double samples = 0, legible = 0, length = 0;

    for (unsigned i = 0; i < LOOP; i++)
        length += begin[i] == head;
    for (unsigned i = 0; i < ops->count; i++) {
        long seen = paper_samples(&ops->rows[i]);

        if (seen != NONE && begin[paper_index((uint64_t)ops->rows[i].address) - FIRST] == head) {
            samples += (double)seen;
            legible++;
        }
    }
    return legible > 0 ? samples / legible * (op == ANY_PLACE ? DISPATCH_WIDTH : length) * PUBLISHED_PERIOD / 1e9 : 0;
}

static void print_paper_lines(const unsigned begin[LOOP])
{
    double all[ROWS(waiting_tags)] = {0};

    for (unsigned t = 0; t < ROWS(waiting_tags); t++) {
        printf("| %s | | %s | | | |", t ? "" : "the paper, a sample for 250,000 cycles", waiting_tags[t].name);
        for (unsigned i = 0; i < LOOP; i++) {
            double cycles = paper_cycles(begin, i, waiting_tags[t].op);

            if (begin[i] != i)
                continue;
            all[t] += cycles;
            printf(cycles > 0 ? " %.1f |" : " |", cycles);
        }
        putchar('\n');
    }
    printf("\nWith equal counts within each line, the paper's iteration takes %.1f cycles, or %.1f by places, and what "
           "`jmp` waits.\n",
           all[0], all[1]);
}

void variants_stations(void)
{
    static struct ranked ranked[ROWS(waits) * ROWS(waiting_tags)];
    unsigned begin[LOOP];

    cut(4, begin);
    puts("| ops wait in | page walks | tag | memory | total variation | chi-square | store | `jge` | `mov ecx` | `mov "
         "edx` "
         "| `fld` | `fstp` | `jmp` |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    for (unsigned w = 0; w < ROWS(waits); w++)
        for (unsigned d = 0; d < ROWS(dram_ns); d++)
            print_wait(w, d, begin, &ranked[w * ROWS(waiting_tags)]);
    print_paper_lines(begin);
    print_nearest(ranked, ROWS(ranked), 3);
}
