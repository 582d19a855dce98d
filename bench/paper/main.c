/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The tables of docs/paper.md, as Markdown: every figure of the paper that can be read, and the model's beside it.
 *
 *   paper paper_ops | paper_accesses | paper_fetches | paper_counters | paper_readings | paper_variants |
 * paper_stations | paper_dtlb
 */
#include "bench/paper/model_rows.h"
#include "bench/paper/published.h"
#include "bench/paper/variants.h"

#include <stdio.h>
#include <string.h>

#define ROWS(table) (sizeof(table) / sizeof((table)[0]))

static const char *text(long address)
{
    static const struct {
        long address;
        const char *text;
    } names[] = {
        {0x401172, "add ecx,1"}, {0x40117F, "jge 4011E9"},    {0x40118F, "jmp 40119A"},  {0x401191, "mov edx,k"},
        {0x401194, "add edx,1"}, {0x401197, "mov k,edx"},     {0x40119A, "cmp k,1000"},  {0x4011A1, "jge 4011D1"},
        {0x4011A3, "mov eax,i"}, {0x4011A6, "imul eax,4000"}, {0x4011AC, "mov ecx,k"},   {0x4011AF, "imul ecx,4000"},
        {0x4011B5, "mov edx,k"}, {0x4011B8, "mov esi,j"},     {0x4011BB, "fld a[i][k]"}, {0x4011C2, "**fmul b[k][j]**"},
        {0x4011C9, "fadd sum"},  {0x4011CC, "fstp sum"},      {0x4011CF, "jmp 401191"},  {0x4011D4, "imul eax,4000"},
        {0x4011DA, "mov ecx,j"}, {0x4011E7, "jmp 40116F"}};

    for (unsigned i = 0; i < ROWS(names); i++)
        if (names[i].address == address)
            return names[i].text;
    return "";
}

static void cell(long value)
{
    if (value == NONE)
        printf(" |");
    else
        printf(" %ld |", value);
}

static double percent(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : 0;
}

/* ---------------------------------------------------------------- op samples */

/* All ops, where the column is lost: at least what loaded and stored. */
static double all_ops(const struct published_op *op)
{
    return (double)(op->all == NONE ? op->accesses : op->all);
}

static double tagged(const struct model_rows *model, const struct published_op *op)
{
    return (double)model->row[paper_index((uint64_t)op->address)].dispatch_sixths;
}

static void ops(void)
{
    static struct model_rows lost, waiting;
    double published = 0, model = 0, other = 0;

    model_rows((struct vpmu_config){.lose_stalled = true}, &lost);
    model_rows((struct vpmu_config){0}, &waiting);
    for (unsigned i = 0; i < ROWS(published_ops); i++) {
        published += all_ops(&published_ops[i]);
        model += tagged(&lost, &published_ops[i]);
        other += tagged(&waiting, &published_ops[i]);
    }
    puts("| address | | all ops | branch | load/store | paper, share | chance lost | less paper | waiting op tagged | "
         "less paper |\n"
         "|---|---|---|---|---|---|---|---|---|---|");
    for (unsigned i = 0; i < ROWS(published_ops); i++) {
        const struct published_op *op = &published_ops[i];
        double share = percent(all_ops(op), published);
        double first = percent(tagged(&lost, op), model), second = percent(tagged(&waiting, op), other);

        printf("| %lX | %s |", op->address, text(op->address));
        cell(op->all);
        cell(op->branches);
        cell(op->accesses);
        printf(" %.1f %% | %.1f %% | %+.1f | %.1f %% | %+.1f |\n", share, first, first - share, second, second - share);
    }
    printf("\nThe legible rows have %.0f samples. A row of the result takes %.1f cycles an iteration in the model.\n",
           published, (double)lost.cycles / 1e6);
}

/* ---------------------------------------------------------------- accesses */

static void accesses(void)
{
    static struct model_rows model;
    const struct truth_row *b = &model.row[PAPER_FMUL_B], *exit = &model.row[PAPER_JGE];

    model_rows((struct vpmu_config){0}, &model);
    puts("| address | | load | store | DC miss | DTLB L1M L2M | DC miss, paper | model | less paper | L1M L2M, paper | "
         "model "
         "| less paper |\n|---|---|---|---|---|---|---|---|---|---|---|---|");
    for (unsigned i = 0; i < ROWS(published_accesses); i++) {
        const struct published_access *access = &published_accesses[i];
        const struct truth_row *row = &model.row[paper_index((uint64_t)access->address)];
        double all = (double)(access->loads + access->stores), executed = (double)(row->loads + row->stores);
        double miss = percent((double)access->misses, all), walk = percent((double)access->walks, all);
        double our_miss = percent((double)(row->load_misses + row->store_misses), executed);
        double our_walk = percent((double)row->l1m_l2m, executed);

        printf("| %lX | %s | %ld | %ld | %ld | %ld | %.2f %% | %.2f %% | %+.2f | %.2f %% | %.2f %% | %+.2f |\n",
               access->address, text(access->address), access->loads, access->stores, access->misses, access->walks,
               miss, our_miss, our_miss - miss, walk, our_walk, our_walk - walk);
    }
    printf("\nMean DC miss latency at 4011C2: %d / 892 = %.2f cycles in the paper, %.2f in the model. Mispredicted at "
           "4011A1:\n%d of 3379 in the paper (%.2f %%), %llu of %llu in the model (%.2f %%).\n",
           PUBLISHED_LATENCY_SUM, PUBLISHED_LATENCY_SUM / 892.0, (double)b->miss_cycles / (double)b->load_misses,
           PUBLISHED_MISPREDICTED, percent(PUBLISHED_MISPREDICTED, 3379), (unsigned long long)exit->mispredicted,
           (unsigned long long)exit->executions, percent((double)exit->mispredicted, (double)exit->executions));
}

/* ---------------------------------------------------------------- fetches */

static double all_fetches(const struct published_fetch *fetch)
{
    return (double)(fetch->all == NONE ? fetch->attempted : fetch->all);
}

/* The model tags the fetch after the one that completes the count, so a fetch is tagged as often as the one before it
 * completes. In the loop that order is 401191, 4011A0, 4011C0, the killed 4011E0. */
static void fetches(void)
{
    static struct model_rows model;
    double all = 0, published = 0, completed = 0;

    model_rows((struct vpmu_config){0}, &model);
    for (unsigned i = 0; i < 3; i++)
        all += (double)model.block[i].completed;
    for (unsigned i = 0; i < ROWS(published_fetches); i++) {
        published += all_fetches(&published_fetches[i]);
        completed += (double)published_fetches[i].completed;
    }
    puts("| fetch | all | killed | attempted | completed | aborted | paper, share | model | less paper |\n"
         "|---|---|---|---|---|---|---|---|---|");
    for (unsigned i = 0; i < ROWS(published_fetches); i++) {
        const struct published_fetch *fetch = &published_fetches[i];
        long place = (fetch->address - 0x401180) / 32;
        bool follows = place > 0 && fetch->address % 32 == 0; /* a completed one in the loop */
        double share = percent(all_fetches(fetch), published);
        double ours = follows ? percent((double)model.block[place - 1].completed, all) : 0;

        printf("| %lX |", fetch->address);
        cell(fetch->all);
        cell(fetch->killed);
        cell(fetch->attempted);
        cell(fetch->completed);
        cell(fetch->aborted);
        printf(" %.1f %% | %.1f %% | %+.1f |\n", share, ours, ours - share);
    }
    printf("\nNo fetch missed the instruction cache, in the paper and in the model after the first ones. All samples: "
           "%.0f;\n"
           "times %d that is %.2f fetches in each of 10^9 iterations. %.0f of the samples are of completed fetches.\n",
           published, PUBLISHED_PERIOD, published * PUBLISHED_PERIOD / 1e9, completed);
}

/* ---------------------------------------------------------------- counters */

static void counters(void)
{
    static uint64_t samples[COUNTERS][PAPER_INSNS + 1];
    double published[COUNTERS] = {0}, model[COUNTERS] = {0};

    model_counters((struct vpmu_config){0}, samples);
    for (unsigned c = 0; c < COUNTERS; c++)
        for (unsigned i = 0; i <= PAPER_INSNS; i++)
            model[c] += (double)samples[c][i];
    for (unsigned i = 0; i < ROWS(published_counters); i++) {
        published[0] += (double)published_counters[i].instructions;
        published[1] += (double)published_counters[i].accesses;
    }
    puts("| address | | ret. inst | DC accesses | DC misses | DTLB L1M L2M | ret. inst, paper | model | DC accesses, "
         "paper | "
         "model | DC misses, model | L1M L2M, model |\n|---|---|---|---|---|---|---|---|---|---|---|---|");
    for (unsigned i = 0; i < ROWS(published_counters); i++) {
        const struct published_counter *row = &published_counters[i];
        unsigned at = paper_index((uint64_t)row->address);

        printf("| %lX | %s |", row->address, text(row->address));
        cell(row->instructions);
        cell(row->accesses);
        cell(row->misses);
        cell(row->walks);
        printf(" %.1f %% | %.1f %% | %.1f %% | %.1f %% | %.1f %% | %.1f %% |\n",
               percent((double)row->instructions, published[0]), percent((double)samples[0][at], model[0]),
               percent((double)row->accesses, published[1]), percent((double)samples[1][at], model[1]),
               percent((double)samples[2][at], model[2]), percent((double)samples[3][at], model[3]));
    }
    printf("\nSums: %.0f instructions and %.0f accesses; times %d that is %.2f and %.2f in each of 10^9 iterations.\n",
           published[0], published[1], PUBLISHED_PERIOD, published[0] * PUBLISHED_PERIOD / 1e9,
           published[1] * PUBLISHED_PERIOD / 1e9);
}

/* ---------------------------------------------------------------- readings */

static void reading(const char *table, long address, const char *digits, const char *doubt)
{
    printf("| %s | %lX | `%s` | %s |\n", table, address, digits, *doubt ? doubt : "one reading");
}

static void readings(void)
{
    puts("| table | address | digits of the copy | reading |\n|---|---|---|---|");
    for (unsigned i = 0; i < ROWS(published_ops); i++)
        reading("op samples", published_ops[i].address, published_ops[i].digits, published_ops[i].doubt);
    for (unsigned i = 0; i < ROWS(published_accesses); i++)
        reading("load/store", published_accesses[i].address, published_accesses[i].digits, published_accesses[i].doubt);
    for (unsigned i = 0; i < ROWS(published_fetches); i++)
        reading("fetches", published_fetches[i].address, published_fetches[i].digits, published_fetches[i].doubt);
    for (unsigned i = 0; i < ROWS(published_counters); i++)
        reading("counters", published_counters[i].address, published_counters[i].digits, published_counters[i].doubt);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*print)(void);
    } tables[] = {{"paper_ops", ops},
                  {"paper_accesses", accesses},
                  {"paper_fetches", fetches},
                  {"paper_counters", counters},
                  {"paper_readings", readings},
                  {"paper_variants", variants_print},
                  {"paper_stations", variants_stations},
                  {"paper_dtlb", variants_dtlb}};

    for (unsigned i = 0; i < ROWS(tables); i++) {
        if (argc == 2 && strcmp(argv[1], tables[i].name) == 0) {
            tables[i].print();
            return 0;
        }
    }
    fputs("usage: paper "
          "paper_ops|paper_accesses|paper_fetches|paper_counters|paper_readings|paper_variants|paper_stations|"
          "paper_dtlb\n",
          stderr);
    return 2;
}
