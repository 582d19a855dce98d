/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/kinds/pairs.h"

#include "app/report/report_cores.h"
#include "app/report/report_ibs.h"
#include "app/base/sentence.h"
#include "core/run/facts.h"

enum { LINE = 79, NAME = 5, CELL = 6, ACROSS = (LINE - NAME) / CELL, MATRIX_MAX = 3 * ACROSS };

static enum pairs_share share_of(const struct run *run, unsigned a, unsigned b)
{
    const struct topology *topology = &run->machine->topology;
    const struct session_result *x = &pairs_worker(run, a)->result, *y = &pairs_worker(run, b)->result;

    if (topology->threads > 1 && topology_core(topology, x->apic_id) == topology_core(topology, y->apic_id))
        return PAIRS_CORE;
    if (topology->sharers && topology_complex(topology, x->apic_id) == topology_complex(topology, y->apic_id))
        return PAIRS_COMPLEX;
    return x->node == y->node ? PAIRS_NODE : PAIRS_MACHINE;
}

static const char *share_text(enum pairs_share share)
{
    static const char *const words[PAIRS_SHARES] = {
        [PAIRS_CORE] = "core", [PAIRS_COMPLEX] = "core complex", [PAIRS_NODE] = "node", [PAIRS_MACHINE] = "machine"};

    return words[share];
}

static void hop(struct out *out, uint64_t ticks, int decimals, int width)
{
    out_ratio(out, ticks, TWO_CORES_HOPS, 1, decimals, width);
}

void pairs_settings(struct out *out, const struct run *run)
{
    const struct pairs_run *pairs = pairs_run_of(run);

    out_printf(out, "Pairs         %u of %u cores: %u times %u hops of a line, then %u KB each way\n",
               pairs->count * (pairs->count - 1) / 2, pairs->count, pairs->blocks, TWO_CORES_HOPS,
               TWO_CORES_BYTES >> 10);
}

/* ---------------------------------------------------------------- matrices */

/* Prints the cell of row and column: the column's core reads what the row's has written. */
static void put_cell(struct out *out, const struct pairs_run *pairs, unsigned row, unsigned column, bool bytes)
{
    const struct pairs_cell *cell = row < column ? pairs_cell(pairs, row, column) : pairs_cell(pairs, column, row);

    if (!cell->answered)
        out_printf(out, "%*s", CELL, "?");
    else if (bytes)
        out_ratio(out, TWO_CORES_BYTES, cell->way[row > column].ticks, 1, 2, CELL);
    else
        hop(out, cell->block[1], 0, CELL);
}

static void matrix(struct out *out, const struct run *run, const char *title, bool bytes)
{
    const struct pairs_run *pairs = pairs_run_of(run);

    heading(out, title);
    for (unsigned from = 0; from < pairs->count; from += ACROSS) {
        unsigned to = from + ACROSS < pairs->count ? from + ACROSS : pairs->count;

        out_printf(out, "%*s", NAME, "core");
        for (unsigned column = from; column < to; column++)
            out_printf(out, "%*u", CELL, pairs_worker(run, column)->cpu);
        out_printf(out, "\n");
        for (unsigned row = 0; row < pairs->count; row++) {
            out_printf(out, "%*u", NAME, pairs_worker(run, row)->cpu);
            for (unsigned column = from; column < to; column++)
                if (row == column)
                    out_printf(out, "%*s", CELL, "-");
                else
                    put_cell(out, pairs, row, column, bytes);
            out_printf(out, "\n");
        }
    }
}

/* ---------------------------------------------------------------- by what they share */

/* Holds sums over pairs that share the same units. */
struct sums {
    uint64_t pairs, least, blocks, most, spread, read, source[IBS_SOURCES], sampled;
};

static void add(struct sums *sums, const struct pairs_cell *cell)
{
    uint64_t block = cell->block[1];

    sums->least = !sums->pairs || block < sums->least ? block : sums->least;
    sums->most = block > sums->most ? block : sums->most;
    sums->blocks += block;
    sums->spread += cell->block[2] - cell->block[0];
    sums->pairs++;
    for (unsigned way = 0; way < 2; way++) {
        sums->read += cell->way[way].ticks;
        for (unsigned s = 0; s < IBS_SOURCES; s++) {
            sums->source[s] += cell->way[way].source[s];
            sums->sampled += cell->way[way].source[s];
        }
    }
}

static void add_all(const struct run *run, struct sums sums[PAIRS_SHARES])
{
    const struct pairs_run *pairs = pairs_run_of(run);

    for (unsigned b = 1; b < pairs->count; b++)
        for (unsigned a = 0; a < b; a++)
            if (pairs_cell(pairs, a, b)->answered)
                add(&sums[share_of(run, a, b)], pairs_cell(pairs, a, b));
}

static void shares(struct out *out, const struct run *run)
{
    struct sums sums[PAIRS_SHARES] = {0};

    add_all(run, sums);
    heading(out, "Pairs by what they share");
    out_printf(out, "%-13s%7s%8s%8s%8s%8s%12s  %s\n", "the same", "pairs", "least", "mean", "most", "spread",
               "bytes/tick", "who answered");
    for (unsigned i = 0; i < PAIRS_SHARES; i++) {
        if (!sums[i].pairs)
            continue;
        out_printf(out, "%-13s%7lu", share_text(i), sums[i].pairs);
        hop(out, sums[i].least, 1, 8);
        out_ratio(out, sums[i].blocks, sums[i].pairs * TWO_CORES_HOPS, 1, 1, 8);
        hop(out, sums[i].most, 1, 8);
        out_ratio(out, sums[i].spread, sums[i].pairs * TWO_CORES_HOPS, 1, 1, 8);
        out_ratio(out, 2ull * TWO_CORES_BYTES * sums[i].pairs, sums[i].read, 1, 2, 12);
        if (sums[i].sampled)
            report_most_answers(out, sums[i].source, sums[i].sampled);
        out_printf(out, "\n");
    }
}

void pairs_tables(struct out *out, const struct run *run)
{
    const struct pairs_run *pairs = pairs_run_of(run);

    if (pairs->count <= MATRIX_MAX) {
        matrix(out, run, "TSC ticks per hop of a line (median)", false);
        matrix(out, run, "Bytes per TSC tick: the column's core reads what the row's core has written", true);
    }
    shares(out, run);
    sentence(out, "Ticks per hop; spread: between the quartiles of a pair's blocks. The last column shows what "
                  "answered most of the sampled loads that missed the data cache; pairs.csv has all.");
    if (pairs->unanswered)
        sentence(out, "WARNING: in %u pair%s one core did not answer.", pairs->unanswered,
                 pairs->unanswered == 1 ? "" : "s");
}

/* ---------------------------------------------------------------- files */

void pairs_facts(struct out *out, const struct run *run)
{
    static const char *const shared[PAIRS_SHARES] = {"core", "complex", "node", "machine"};
    const struct pairs_run *pairs = pairs_run_of(run);
    struct sums sums[PAIRS_SHARES] = {0};

    fact_number(out, FACT_PAIRS_COUNT, (uint64_t)pairs->count * (pairs->count - 1) / 2);
    fact_number(out, FACT_PAIRS_UNANSWERED, pairs->unanswered);
    fact_number(out, FACT_PAIRS_BLOCKS, pairs->blocks);
    fact_number(out, FACT_PAIRS_HOPS, TWO_CORES_HOPS);
    fact_number(out, FACT_PAIRS_BYTES, TWO_CORES_BYTES);
    add_all(run, sums);
    for (unsigned i = 0; i < PAIRS_SHARES; i++) {
        const struct sums *of = &sums[i];

        if (!of->pairs)
            continue;
        fact_number(out, FACT_PAIRS_SHARED, of->pairs, shared[i]);
        fact_number(out, FACT_PAIRS_SHARED_HOP, of->blocks * 1000 / (of->pairs * TWO_CORES_HOPS), shared[i]);
        if (of->read)
            fact_number(out, FACT_PAIRS_SHARED_READ, 2000ull * TWO_CORES_BYTES * of->pairs / of->read, shared[i]);
    }
}

static void csv_row(struct out *out, const struct run *run, unsigned writer, unsigned reader)
{
    unsigned a = writer < reader ? writer : reader, b = writer < reader ? reader : writer, way = writer > reader;
    const struct pairs_cell *cell = pairs_cell(pairs_run_of(run), a, b);

    out_printf(out, "%u,%u,%s", pairs_worker(run, writer)->cpu, pairs_worker(run, reader)->cpu,
               share_text(share_of(run, a, b)));
    for (unsigned q = 0; q < 3; q++) {
        out_printf(out, ",");
        if (cell->answered)
            hop(out, cell->block[q], 2, 0);
    }
    out_printf(out, ",");
    if (cell->answered)
        out_printf(out, "%u", cell->way[way].ticks);
    for (unsigned s = 0; s < IBS_SOURCES; s++)
        out_printf(out, ",%u", cell->way[way].source[s]);
    out_printf(out, "\n");
}

void pairs_csv(struct out *out, const struct run *run)
{
    const struct pairs_run *pairs = pairs_run_of(run);

    out_printf(out, "writer,reader,same,hop_25,hop,hop_75,read_ticks");
    report_source_columns(out);
    for (unsigned writer = 0; writer < pairs->count; writer++)
        for (unsigned reader = 0; reader < pairs->count; reader++)
            if (reader != writer)
                csv_row(out, run, writer, reader);
}
