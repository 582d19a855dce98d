/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Prints the tables of docs/paper.md as Markdown: every legible figure of the paper, and the model's figure beside it.
 *
 *   paper paper_ops | paper_accesses | paper_fetches | paper_counters | paper_readings | paper_variants |
 *         paper_stations | paper_dtlb | paper_processors
 *
 *   paper sentences        with figures of the paper, for docs/refresh
 *   paper find-in TEXT     checks that a text copy of the paper has the digits that the tables quote
 */
#include "bench/paper/model_rows.h"
#include "bench/paper/processors.h"
#include "bench/paper/variants.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ROWS(table) (sizeof(table) / sizeof((table)[0]))

static const char *text(long address)
{
    static const struct {
        long address;
        const char *text;
    } names[] = {{0x401172, "add ecx,1"},       {0x40117F, "jge 4011E9"},       {0x401180, ""},
                 {0x40118F, "jmp 40119A"},      {0x401191, "mov edx,k"},        {0x401194, "add edx,1"},
                 {0x401197, "mov k,edx"},       {0x40119A, "cmp k,1000"},       {0x4011A1, "jge 4011D1"},
                 {0x4011A3, "mov eax,i"},       {0x4011A6, "imul eax,4000"},    {0x4011AC, "mov ecx,k"},
                 {0x4011AF, "imul ecx,4000"},   {0x4011B5, "mov edx,k"},        {0x4011B8, "mov esi,j"},
                 {0x4011BB, "fld a[i][k]"},     {0x4011C2, "**fmul b[k][j]**"}, {0x4011C9, "fadd sum"},
                 {0x4011CC, "fstp sum"},        {0x4011CF, "jmp 401191"},       {0x4011D1, "mov eax,i"},
                 {0x4011D4, "imul eax,4000"},   {0x4011DA, "mov ecx,j"},        {0x4011DD, "mov edx,sum"},
                 {0x4011E0, "mov r[i][j],edx"}, {0x4011E7, "jmp 40116F"},       {0x4011E9, "jmp 401150"}};

    for (unsigned i = 0; i < ROWS(names); i++)
        if (names[i].address == address)
            return names[i].text;
    return "";
}

/* Outside of the loop and without a sample: such rows are named below the table. */
static bool empty(const struct published_row *row, unsigned columns)
{
    bool in_loop = row->address >= 0x401191 && row->address <= 0x4011CF;

    for (unsigned i = 0; i < columns; i++)
        if (row->figures[i] != 0)
            return false;
    return columns == published[FETCHES].columns || !in_loop;
}

static void print_empty(const struct published *table)
{
    printf("\nRows of zeros:");
    for (unsigned i = 0; i < table->count; i++)
        if (empty(&table->rows[i], table->columns))
            printf(" %lX", table->rows[i].address);
    puts(".");
}

static void begin_row(const struct published_row *row, unsigned columns)
{
    printf("| %lX | %s |", row->address, text(row->address));
    for (unsigned i = 0; i < columns; i++)
        if (row->figures[i] == NONE)
            printf(" |");
        else
            printf(" %ld |", row->figures[i]);
}

static double percent(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : 0;
}

/* ---------------------------------------------------------------- op samples */

static double tagged(const struct model_rows *model, const struct published_row *op)
{
    return paper_samples(op) == NONE ? 0 : (double)model->row[paper_index((uint64_t)op->address)].dispatch_sixths;
}

static void ops(void)
{
    static struct model_rows lost, waiting;
    const struct published *rows = &published[OP_SAMPLES];
    double all = 0, model = 0, other = 0, each;

    model_rows((struct vpmu_config){.lose_stalled = true}, &lost);
    model_rows((struct vpmu_config){0}, &waiting);
    for (unsigned i = 0; i < rows->count; i++) {
        all += paper_samples(&rows->rows[i]) == NONE ? 0 : (double)paper_samples(&rows->rows[i]);
        model += tagged(&lost, &rows->rows[i]);
        other += tagged(&waiting, &rows->rows[i]);
    }
    puts("| address | | all ops | branch | load/store | paper, share | chance lost | less paper | waiting op tagged | "
         "less paper |\n"
         "|---|---|---|---|---|---|---|---|---|---|");
    for (unsigned i = 0; i < rows->count; i++) {
        const struct published_row *op = &rows->rows[i];
        double share = percent((double)paper_samples(op), all);
        double first = percent(tagged(&lost, op), model), second = percent(tagged(&waiting, op), other);

        if (empty(op, rows->columns))
            continue;
        begin_row(op, rows->columns);
        if (paper_samples(op) == NONE)
            puts(" | | | | |");
        else
            printf(" %.1f %% | %.1f %% | %+.1f | %.1f %% | %+.1f |\n", share, first, first - share, second,
                   second - share);
    }
    print_empty(rows);
    each = all * PUBLISHED_PERIOD / 1e9;
    printf("\nThe rows with a share have %.0f samples. If each stands for %d cycles, as in the other columns, that is "
           "%.2f cycles (standard error %.2f) of each\n"
           "iteration, and the others come on top. A row of the result takes %.1f cycles an iteration in the model.\n",
           all, PUBLISHED_PERIOD, each, each / sqrt(all), (double)lost.cycles / 1e6);
}

/* ---------------------------------------------------------------- accesses */

static void accesses(void)
{
    static struct model_rows model;
    const struct published *rows = &published[LOADS_AND_STORES];
    const struct truth_row *b = &model.row[PAPER_FMUL_B], *exit = &model.row[PAPER_JGE];

    model_rows((struct vpmu_config){0}, &model);
    puts("| address | | load | store | DC miss | DTLB L1M L2M | DC miss, paper | model | less paper | L1M L2M, paper | "
         "model "
         "| less paper |\n|---|---|---|---|---|---|---|---|---|---|---|---|");
    for (unsigned i = 0; i < rows->count; i++) {
        const struct published_row *access = &rows->rows[i];
        const struct truth_row *row = &model.row[paper_index((uint64_t)access->address)];
        double all = (double)published_find(OP_SAMPLES, access->address)->figures[OP_ACCESSES];
        double executed = (double)(row->loads + row->stores);
        double miss = percent((double)access->figures[ACCESS_MISSES], all);
        double walk = percent((double)access->figures[ACCESS_WALKS], all);
        double our_miss = percent((double)(row->load_misses + row->store_misses), executed);
        double our_walk = percent((double)row->l1m_l2m, executed);

        begin_row(access, rows->columns);
        printf(" %.2f %% | %.2f %% | %+.2f | %.2f %% | %.2f %% | %+.2f |\n", miss, our_miss, our_miss - miss, walk,
               our_walk, our_walk - walk);
    }
    printf("\nMean DC miss latency at 4011C2: %d / 892 = %.2f cycles in the paper, %.2f in the model. Mispredicted at "
           "4011A1:\n%d of 3379 in the paper (%.2f %%), %llu of %llu in the model (%.2f %%).\n",
           PUBLISHED_LATENCY_SUM, PUBLISHED_LATENCY_SUM / 892.0, (double)b->miss_cycles / (double)b->load_misses,
           PUBLISHED_MISPREDICTED, percent(PUBLISHED_MISPREDICTED, 3379), (unsigned long long)exit->mispredicted,
           (unsigned long long)exit->executions, percent((double)exit->mispredicted, (double)exit->executions));
}

/* ---------------------------------------------------------------- fetches */

static double all_fetches(const struct published_row *fetch)
{
    return (double)fetch->figures[fetch->figures[FETCH_ALL] == NONE ? FETCH_ATTEMPTED : FETCH_ALL];
}

/* The model tags the fetch after the one that completes the count, so a fetch is tagged as often as the one before it
 * completes. In the loop that order is 401191, 4011A0, 4011C0, the killed 4011E0. */
static void fetches(void)
{
    static struct model_rows model;
    const struct published *rows = &published[FETCHES];
    double all = 0, samples = 0, completed = 0;

    model_rows((struct vpmu_config){0}, &model);
    for (unsigned i = 0; i < 3; i++)
        all += (double)model.block[i].completed;
    for (unsigned i = 0; i < rows->count; i++) {
        samples += all_fetches(&rows->rows[i]);
        completed += (double)rows->rows[i].figures[FETCH_COMPLETED];
    }
    puts("| fetch | | all | killed | attempted | completed | aborted | paper, share | model | less paper |\n"
         "|---|---|---|---|---|---|---|---|---|---|");
    for (unsigned i = 0; i < rows->count; i++) {
        const struct published_row *fetch = &rows->rows[i];
        long place = (fetch->address - 0x401180) / 32;
        bool follows = place > 0 && fetch->address % 32 == 0; /* a completed one in the loop */
        double share = percent(all_fetches(fetch), samples);
        double ours = follows ? percent((double)model.block[place - 1].completed, all) : 0;

        if (empty(fetch, rows->columns))
            continue;
        begin_row(fetch, rows->columns);
        printf(" %.1f %% | %.1f %% | %+.1f |\n", share, ours, ours - share);
    }
    print_empty(rows);
    printf("\nNo fetch missed the instruction cache, in the paper and in the model after the first ones. All samples: "
           "%.0f;\n"
           "times %d that is %.2f fetches in each of 10^9 iterations. %.0f of the samples are of completed fetches.\n",
           samples, PUBLISHED_PERIOD, samples * PUBLISHED_PERIOD / 1e9, completed);
}

/* ---------------------------------------------------------------- counters */

static void counters(void)
{
    static uint64_t samples[COUNTERS][PAPER_INSNS + 1];
    const struct published *rows = &published[COUNTER_SAMPLES];
    double all[COUNTERS] = {0}, model[COUNTERS] = {0};

    model_counters((struct vpmu_config){0}, samples);
    for (unsigned c = 0; c < COUNTERS; c++)
        for (unsigned i = 0; i <= PAPER_INSNS; i++)
            model[c] += (double)samples[c][i];
    for (unsigned i = 0; i < rows->count; i++) {
        all[0] += (double)rows->rows[i].figures[COUNTER_INSTRUCTIONS];
        all[1] += (double)rows->rows[i].figures[COUNTER_ACCESSES];
    }
    puts("| address | | ret. inst | DC accesses | DC misses | DTLB L1M L2M | ret. inst, paper | model | DC accesses, "
         "paper | "
         "model | DC misses, model | L1M L2M, model |\n|---|---|---|---|---|---|---|---|---|---|---|---|");
    for (unsigned i = 0; i < rows->count; i++) {
        const struct published_row *row = &rows->rows[i];
        unsigned at = paper_index((uint64_t)row->address);

        if (empty(row, rows->columns))
            continue;
        begin_row(row, rows->columns);
        printf(" %.1f %% | %.1f %% | %.1f %% | %.1f %% | %.1f %% | %.1f %% |\n",
               percent((double)row->figures[COUNTER_INSTRUCTIONS], all[0]), percent((double)samples[0][at], model[0]),
               percent((double)row->figures[COUNTER_ACCESSES], all[1]), percent((double)samples[1][at], model[1]),
               percent((double)samples[2][at], model[2]), percent((double)samples[3][at], model[3]));
    }
    print_empty(rows);
    printf("\nSums: %.0f instructions and %.0f accesses; times %d that is %.2f and %.2f in each of 10^9 iterations.\n",
           all[0], all[1], PUBLISHED_PERIOD, all[0] * PUBLISHED_PERIOD / 1e9, all[1] * PUBLISHED_PERIOD / 1e9);
}

/* ---------------------------------------------------------------- readings */

/* The copy with its marks as blanks in a row of Markdown: what stands there is in the table's source. */
static void print_copy(const char *copy)
{
    for (; *copy != '\0'; copy++)
        putchar(*copy == '|' ? '/' : *copy);
}

static void reading(const char *table, unsigned page, long address, const char *copy, const char *doubt)
{
    printf("| %s | %u | %lX | %s", table, page, address, *copy ? "`" : "");
    print_copy(copy);
    printf("%s | %s |\n", *copy ? "`" : "", doubt);
}

static void readings(void)
{
    puts("| table | page | address | digits of the copy, divided | notes |\n|---|---|---|---|---|");
    for (unsigned t = 0; t < PUBLISHED_TABLES; t++)
        for (unsigned i = 0; i < published[t].count; i++)
            if (!empty(&published[t].rows[i], published[t].columns))
                reading(published[t].name, published[t].page, published[t].rows[i].address, published[t].rows[i].copy,
                        published[t].rows[i].doubt);
    for (unsigned i = 0; i < published_column_count; i++)
        reading(published[published_columns[i].table].name, published_columns[i].page, published_columns[i].last,
                published_columns[i].copy, "a column, up to this row");
    for (unsigned i = 0; i < published_sentence_count; i++)
        if (i == 0 || published_sentences[i].copy != published_sentences[i - 1].copy)
            reading(published[published_sentences[i].table].name, published_sentences[i].page,
                    published_sentences[i].address, published_sentences[i].copy, "a sentence");
}

/* Sentences and rows of the documents with figures of the paper, for docs/refresh. */
static void sentences(void)
{
    const struct published *rows = &published[OP_SAMPLES];
    double all = 0, most = 0, each;

    for (unsigned i = 0; i < rows->count; i++) {
        double samples = (double)paper_samples(&rows->rows[i]);

        all += samples == NONE ? 0 : samples;
        most = fmax(most, samples);
    }
    each = all * PUBLISHED_PERIOD / 1e9;
    printf("docs/model.md: The legible samples of the paper's loop stand for {%.2f} cycles an iteration\n", each);
    printf("docs/paper.md: alone stand for {%.2f} cycles of each iteration\n", each);
    printf("docs/paper.md: line with `mov k,edx`, which has {%.1f} %% of the legible samples\n", percent(most, all));
    printf("docs/paper.md: | the paper | {%.0f} legible |\n", all);
    printf("docs/paper.md: | op samples | {%.0f} legible, at least {%.2f} cycles an iteration |\n", all, each);
    printf("docs/paper.md: that has most of them | {%.1f} %% of the legible |\n", percent(most, all));
    printf("docs/paper.md: | samples at the loop's branch | {%.1f} %% |\n",
           percent((double)published_find(OP_SAMPLES, 0x4011A1)->figures[OP_ALL], all));
}

/* Looks for all of that in the text of the paper. */
static int find_in(const char *path)
{
    static char text[1 << 20];
    FILE *file = fopen(path, "r");
    unsigned missing;

    if (file == NULL) {
        perror(path);
        return 2;
    }
    text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
    fclose(file);
    missing = published_not_in(text);
    printf("%u digits of the paper are not where the tables say\n", missing);
    return missing > 0;
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
                  {"paper_dtlb", variants_dtlb},
                  {"paper_processors", processors_print},
                  {"sentences", sentences}};

    for (unsigned i = 0; i < ROWS(tables); i++) {
        if (argc == 2 && strcmp(argv[1], tables[i].name) == 0) {
            tables[i].print();
            return 0;
        }
    }
    if (argc == 3 && strcmp(argv[1], "find-in") == 0)
        return find_in(argv[2]);
    fputs("usage: paper "
          "paper_ops|paper_accesses|paper_fetches|paper_counters|paper_readings|paper_variants|paper_stations|"
          "paper_dtlb|paper_processors|sentences | find-in TEXT\n",
          stderr);
    return 2;
}
