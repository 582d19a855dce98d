/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/profile/roofline.h"

#include "core/base/stats.h"
#include "core/base/wrap.h"
#include "core/events/events_rows.h"
#include "core/run/facts.h"

enum { LINE = 79, SENTENCE = 300, NAME = 27, RATE = 12, GIGA = 1000000000, MILLION = 1000000 };

/* All kinds of SSE and AVX operations, a multiply-add as two: core/events/events_fp.c and the like. Family 10h's mask
 * bit 6 makes it operations; from Zen 2 on bits 7:4 are no kinds. */
static const struct roofline_event operations[] = {
    {EVENT_IN(10H) | EVENT_IN(12H) | EVENT_IN(14H), 0x003, 0x7F},
    {EVENT_IN(16H), 0x003, 0x77},
    {F15_ALL | EVENT_IN(ZEN), 0x003, 0xFF},
    {EVENT_IN(ZEN2) | EVENT_IN(ZEN3) | ZEN_FROM_4, 0x003, 0x0F},
};

/* Lines that the node's cores read from the memory of any node and write to it (core/events/events_nb.c). The DRAM
 * accesses of Families 12h and 14h have mask bits of two kinds; no source says how they combine. */
static const struct roofline_event lines[] = {{EVENT_IN(10H), 0x1E0, 0xFF}};

static const struct roofline_event *find(const struct roofline_event *rows, size_t count, enum event_set set)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i].sets >> set & 1)
            return &rows[i];
    return NULL;
}

const struct roofline_event *roofline_operations(enum event_set set)
{
    return find(operations, sizeof(operations) / sizeof(operations[0]), set);
}

const struct roofline_event *roofline_lines(enum event_set set)
{
    return find(lines, sizeof(lines) / sizeof(lines[0]), set);
}

const char *roofline_loop_name(enum roofline_loop loop)
{
    static const char *const names[ROOFLINE_LOOPS] = {"workload", "operations", "memory"};

    return names[loop];
}

/* ---------------------------------------------------------------- arithmetic */

static uint64_t ratio(bool known, uint64_t part, uint64_t scale, uint64_t whole)
{
    return known && whole ? stats_mul_div(part, scale, whole) : ROOFLINE_NONE;
}

static uint64_t share(uint64_t rate, uint64_t peak)
{
    return ratio(rate != ROOFLINE_NONE && peak != ROOFLINE_NONE, rate, MILLION, peak);
}

static enum roofline_bound bound_of(uint64_t operations_share, uint64_t bytes_share)
{
    if (operations_share == ROOFLINE_NONE || bytes_share == ROOFLINE_NONE || !(operations_share | bytes_share))
        return ROOFLINE_NOT_KNOWN;
    return operations_share >= bytes_share ? ROOFLINE_UNDER_OPERATIONS : ROOFLINE_UNDER_MEMORY;
}

void roofline_compute(struct roofline *ret, const struct roofline_counts of[ROOFLINE_LOOPS])
{
    const struct roofline_counts *workload = &of[ROOFLINE_WORKLOAD];
    uint64_t flat, slope;

    *ret = (struct roofline){.of = of};
    for (unsigned i = 0; i < ROOFLINE_LOOPS; i++) {
        ret->operations_s[i] = ratio(!of[i].no_operations, of[i].operations, GIGA, of[i].ns);
        ret->bytes_s[i] = ratio(!of[i].no_bytes, of[i].bytes, GIGA, of[i].ns);
        ret->intensity_ppm[i] = ratio(!of[i].no_operations && !of[i].no_bytes, of[i].operations, MILLION, of[i].bytes);
    }
    flat = ret->operations_s[ROOFLINE_OPERATIONS];
    slope = ret->bytes_s[ROOFLINE_MEMORY];
    ret->ridge_ppm = share(flat, slope);
    ret->operations_share_ppm = share(ret->operations_s[ROOFLINE_WORKLOAD], flat);
    ret->bytes_share_ppm = share(ret->bytes_s[ROOFLINE_WORKLOAD], slope);
    ret->bound = bound_of(ret->operations_share_ppm, ret->bytes_share_ppm);
    ret->roof_s = ret->share_ppm = ROOFLINE_NONE;
    if (ret->bound == ROOFLINE_UNDER_OPERATIONS) {
        ret->roof_s = flat;
        ret->share_ppm = ret->operations_share_ppm;
    } else if (ret->bound == ROOFLINE_UNDER_MEMORY) {
        ret->roof_s = stats_mul_div(slope, workload->operations, workload->bytes);
        ret->share_ppm = ret->bytes_share_ppm;
    }
}

/* ---------------------------------------------------------------- table */

static void cell(struct out *out, uint64_t value, uint64_t unit, int decimals, int width)
{
    if (value == ROOFLINE_NONE)
        out_printf(out, "%*s", width, "-");
    else
        out_ratio(out, value, unit, 1, decimals, width);
}

static void row(struct out *out, const char *name, const struct roofline *roofline, enum roofline_loop loop)
{
    out_printf(out, "%-*s", NAME, name);
    cell(out, roofline->operations_s[loop], GIGA, 3, RATE);
    cell(out, roofline->bytes_s[loop], GIGA, 3, RATE);
    cell(out, roofline->intensity_ppm[loop], MILLION, 3, RATE);
    out_printf(out, "\n");
}

static void paragraph(struct out *out, const struct out_memory *text)
{
    wrap_text(out, text->text, 0, 0, LINE);
}

static void print_roof(struct out *out, const struct roofline *roofline)
{
    bool memory = roofline->bound == ROOFLINE_UNDER_MEMORY;
    char text[SENTENCE];
    struct out_memory to;

    out_memory_init(&to, text, sizeof(text));
    if (roofline->bound == ROOFLINE_NOT_KNOWN) {
        out_printf(&to.out, "The workload's roof is not known.");
    } else if (memory && !roofline->of[ROOFLINE_WORKLOAD].operations) {
        out_printf(&to.out, "Without floating-point operations memory is the roof: ");
        out_ratio(&to.out, roofline->share_ppm, MILLION, 100, 1, 0);
        out_printf(&to.out, "%% of its peak are reached.");
    } else {
        out_printf(&to.out, "The roof is the peak of %s, ", memory ? "memory" : "operations");
        cell(&to.out, roofline->roof_s, GIGA, 3, 0);
        out_printf(&to.out, " GFLOP/s at this ratio; ");
        out_ratio(&to.out, roofline->share_ppm, MILLION, 100, 1, 0);
        out_printf(&to.out, "%% of it are reached. The roofs meet at ");
        cell(&to.out, roofline->ridge_ppm, MILLION, 3, 0);
        out_printf(&to.out, " FLOP/byte.");
    }
    paragraph(out, &to);
}

static void print_sources(struct out *out, const struct roofline *roofline, enum event_set set)
{
    const struct roofline_event *operation = roofline_operations(set), *line = roofline_lines(set);
    const struct roofline_counts *workload = &roofline->of[ROOFLINE_WORKLOAD];
    char text[SENTENCE];
    struct out_memory to;

    out_memory_init(&to, text, sizeof(text));
    if (workload->no_operations)
        out_printf(&to.out, "FLOP: not counted, %s. ", workload->no_operations);
    else if (operation)
        out_printf(&to.out, "FLOP: event %03X:%02X, SSE and AVX, not x87. ", operation->select, operation->mask);
    if (workload->no_bytes)
        out_printf(&to.out, "Bytes: not counted, %s.", workload->no_bytes);
    else if (line)
        out_printf(&to.out, "Bytes: event %03X:%02X, lines of %u.", line->select, line->mask, ROOFLINE_LINE);
    else
        out_printf(&to.out, "Bytes: to and from DRAM, counted outside of the cores.");
    paragraph(out, &to);
}

void roofline_print(struct out *out, const struct roofline *roofline, enum event_set set)
{
    out_printf(out, "%-*s%*s%*s%*s\n", NAME, "Roofline", RATE, "GFLOP/s", RATE, "GB/s", RATE, "FLOP/byte");
    row(out, "workload", roofline, ROOFLINE_WORKLOAD);
    row(out, "peak of operations (SSE2)", roofline, ROOFLINE_OPERATIONS);
    row(out, "peak of memory (triad)", roofline, ROOFLINE_MEMORY);
    print_roof(out, roofline);
    print_sources(out, roofline, set);
}

/* ---------------------------------------------------------------- facts */

static void write_count(struct out *out, enum fact fact, uint64_t count, const char *why_not, const char *name)
{
    if (why_not)
        fact_not_available(out, fact, why_not, name);
    else
        fact_number(out, fact, count, name);
}

void roofline_write(struct out *out, const struct roofline_counts of[ROOFLINE_LOOPS])
{
    for (unsigned i = 0; i < ROOFLINE_LOOPS; i++) {
        const char *name = roofline_loop_name((enum roofline_loop)i);

        write_count(out, FACT_ROOFLINE_OPERATIONS, of[i].operations, of[i].no_operations, name);
        write_count(out, FACT_ROOFLINE_BYTES, of[i].bytes, of[i].no_bytes, name);
        fact_number(out, FACT_ROOFLINE_NS, of[i].ns, name);
    }
}
