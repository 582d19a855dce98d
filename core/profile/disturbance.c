/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/profile/disturbance.h"

#include "core/base/stats.h"
#include "core/run/facts.h"

enum { ALLOWED_PPM = 10000, MILLION = 1000000 };

struct counted {
    uint16_t select; /* 0: these processors have no such event */
    uint8_t mask;
};

/* Events by set: cycles, DC misses, page walks of data, mispredicted branches, instructions, lines from the L2, lines
 * from beyond it, lines fetched ahead. Meanings of the masks: core/events/events_*.c. */
static const struct counted events[EVENT_SETS][DISTURBANCE_ROWS] = {
#define COMMON(misses, mask, walks, walks_mask)                                                                        \
    {0x076, 0}, {misses, mask}, {walks, walks_mask}, {0x0C3, 0},                                                       \
    {                                                                                                                  \
        0x0C0, 0                                                                                                       \
    }
#define K10                                                                                                            \
    COMMON(0x041, 0, 0x046, 0x07), {0x042, 0x1E}, {0x043, 0x1F},                                                       \
    {                                                                                                                  \
        0x067, 0x02                                                                                                    \
    }
#define BULLDOZER                                                                                                      \
    COMMON(0x041, 0x01, 0x046, 0x07), {0, 0}, {0x043, 0},                                                              \
    {                                                                                                                  \
        0x067, 0x02                                                                                                    \
    }
#define FILLS(beyond, all)                                                                                             \
    {0x043, 0x01}, {0x043, beyond},                                                                                    \
    {                                                                                                                  \
        0x05A, all                                                                                                     \
    }
    [EVENT_SET_10H] = {K10},
    [EVENT_SET_12H] = {K10},
    [EVENT_SET_14H] = {COMMON(0x041, 0, 0x046, 0x0C), {0x042, 0x1E}, {0x043, 0x1F}},
    [EVENT_SET_16H] = {COMMON(0x041, 0, 0x046, 0x0C), {0x042, 0x1E}, {0x043, 0x1F}, {0x067, 0x02}},
    [EVENT_SET_15H] = {BULLDOZER},
    [EVENT_SET_15H_10] = {BULLDOZER},
    [EVENT_SET_15H_30] = {BULLDOZER},
    [EVENT_SET_15H_60] = {BULLDOZER},
    [EVENT_SET_ZEN] = {COMMON(0x041, 0x03, 0x045, 0xF0)},
    [EVENT_SET_ZEN2] = {COMMON(0x041, 0x03, 0x045, 0xF0), FILLS(0x5A, 0x5B)},
    [EVENT_SET_ZEN3] = {COMMON(0x041, 0x3F, 0x045, 0xF0), FILLS(0x5E, 0x5F)},
    [EVENT_SET_ZEN4] = {COMMON(0x041, 0x3F, 0x045, 0xF0), FILLS(0xDE, 0xDF)},
    [EVENT_SET_ZEN5] = {COMMON(0x041, 0x07, 0x045, 0xF0), FILLS(0xDE, 0xDF)},
    [EVENT_SET_ZEN6] = {COMMON(0x041, 0x07, 0x045, 0xF0), FILLS(0xDE, 0xDF)},
};

unsigned disturbance_list(struct event_list *list, uint8_t row[DISTURBANCE_ROWS], enum event_set set)
{
    list->count = list->counters = 0;
    for (unsigned r = 0; r < DISTURBANCE_ROWS; r++) {
        const struct counted *counted = &events[set][r];
        const struct event *event = counted->select ? event_by_select(set, counted->select) : NULL;

        if (!event)
            continue;
        row[list->count] = (uint8_t)r;
        list->spec[list->count++] = (struct event_spec){
            .event = event, .mask = counted->mask, .user = true, .kernel = true, .mask_given = true};
    }
    return list->count;
}

unsigned disturbance_row_of(enum event_set set, uint32_t select, uint8_t mask)
{
    unsigned row = 0;

    while (row < DISTURBANCE_ROWS && (events[set][row].select != select || events[set][row].mask != mask))
        row++;
    return row;
}

static const struct row {
    const char *name, *fact;
    enum derived sampled;
} rows[DISTURBANCE_ROWS] = {
    [DISTURBANCE_CYCLES] = {"cycles", "cycles", DERIVED_COUNT},
    [DISTURBANCE_DC_MISSES] = {"DC misses", "dc_misses", DERIVED_F206_DC_MISS},
    [DISTURBANCE_WALKS] = {"page walks of data", "walks", DERIVED_F205_DTLB_L1M_L2M},
    [DISTURBANCE_MISPREDICTED] = {"mispredicted branches", "mispredicted", DERIVED_F104_BRANCH_MISPREDICTED},
    [DISTURBANCE_INSTRUCTIONS] = {"instructions", "instructions", DERIVED_COUNT},
    [DISTURBANCE_L2] = {"lines from the L2", "l2", DERIVED_COUNT},
    [DISTURBANCE_BEYOND] = {"lines from beyond the L2", "beyond", DERIVED_COUNT},
    [DISTURBANCE_PREFETCHES] = {"lines fetched ahead", "prefetches", DERIVED_COUNT},
};

enum derived disturbance_sampled(enum disturbance_row row)
{
    return rows[row].sampled;
}

const char *disturbance_name(enum disturbance_row row)
{
    return rows[row].name;
}

const char *disturbance_fact(enum disturbance_row row)
{
    return rows[row].fact;
}

struct disturbance_change disturbance_change(const struct disturbance *of, enum disturbance_row row)
{
    uint64_t before = of->undisturbed[row], after = of->sampled[row];
    struct disturbance_change change = {.more = after > before, .by = after > before ? after - before : before - after};

    if (row == DISTURBANCE_CYCLES) {
        change.judged = true;
        change.allowed = before / 100;
    } else if (of->weight[row] && of->passes) {
        /* Takes one sample more, so that none does not pass for certainty. */
        uint64_t hundredths = stats_isqrt((of->samples[row] + 1) * 10000);

        change.judged = true;
        change.allowed = stats_mul_div(hundredths * 196, of->weight[row], 10000ull * of->passes);
    }
    change.allowed += of->handler[row] / DISTURBANCE_HANDLER_PART;
    change.hidden = of->handler[row] / DISTURBANCE_HANDLER_PART > before / 100 &&
                    change.by <= of->handler[row] / DISTURBANCE_HANDLER_PART;
    change.large = of->counted[row] && change.judged && change.by > change.allowed;
    return change;
}

bool disturbance_large(const struct disturbance *of)
{
    for (unsigned row = 0; row < DISTURBANCE_ROWS; row++)
        if (disturbance_change(of, row).large)
            return true;
    return false;
}

bool disturbance_calm(const struct disturbance *of)
{
    for (unsigned row = 0; row < DISTURBANCE_ROWS; row++) {
        struct disturbance_change change = disturbance_change(of, row);
        uint64_t open = row == DISTURBANCE_CYCLES ? of->handler[row] / DISTURBANCE_HANDLER_PART : 0;

        if (!of->counted[row] || !change.judged)
            continue;
        if (row == DISTURBANCE_CYCLES ? change.by + open > of->undisturbed[row] / 100
                                      : stats_mul_div(change.by, 196, 100) > change.allowed)
            return false;
    }
    return true;
}

/* Prints "+12.8 %", without a sign where that is 0.0 %; the number of events if there were none before; "?" if that may
 * be the handler's part alone. */
static void print_part(struct out *out, const struct disturbance *of, unsigned row)
{
    struct disturbance_change change = disturbance_change(of, row);

    if (change.hidden) {
        out_printf(out, "?");
        return;
    }
    if (of->undisturbed[row] ? stats_mul_div(change.by, 1000, of->undisturbed[row]) : change.by)
        out_printf(out, "%c", change.more ? '+' : '-');
    if (of->undisturbed[row]) {
        out_ratio(out, change.by, of->undisturbed[row], 100, 1, 0);
        out_printf(out, " %%");
    } else {
        out_printf(out, "%lu", change.by);
    }
}

/* Returns "cycles (TSC)" where they are its ticks. */
static const char *name_of(const struct disturbance *of, unsigned row)
{
    return of->ticks && row == DISTURBANCE_CYCLES ? "cycles (TSC)" : rows[row].name;
}

void disturbance_verdict(struct out *out, const struct disturbance *of)
{
    bool large = disturbance_large(of), any = false;

    if (of->why) {
        out_printf(out, "NOTE: the effect of sampling is not known: %s", of->why);
        return;
    }
    out_printf(out, large ? "WARNING: sampling changed the workload by more than the samples' uncertainty: "
                          : "PASS sampling changed no more than the samples' uncertainty: ");
    for (unsigned row = 0; row < DISTURBANCE_ROWS; row++) {
        struct disturbance_change change = disturbance_change(of, row);

        if (!of->counted[row] || !change.judged || change.hidden || (large && !change.large))
            continue;
        out_printf(out, "%s%s ", any ? ", " : "", name_of(of, row));
        print_part(out, of, row);
        any = true;
    }
}

/* Prints per cent of the count without sampling, in six places. */
static void print_open(struct out *out, const struct disturbance_change *change, uint64_t before)
{
    if (change->judged && change->allowed / 10 < before)
        out_ratio(out, change->allowed, before, 100, 1, 8);
    else
        out_printf(out, "%8s", change->judged ? ">1000" : "-");
}

static void print_row(struct out *out, const struct disturbance *of, unsigned row)
{
    struct disturbance_change change = disturbance_change(of, row);
    struct out_memory memory;
    char text[24];

    out_memory_init(&memory, text, sizeof(text));
    print_part(&memory.out, of, row);
    out_printf(out, "%c%-24s%12lu%13lu%11lu%10s", change.large ? '*' : ' ', name_of(of, row), of->undisturbed[row],
               of->sampled[row], of->handler[row], text);
    print_open(out, &change, of->undisturbed[row]);
    out_printf(out, "\n");
}

const char *disturbance_time_name(enum disturbance_time time)
{
    static const char *const names[DISTURBANCE_TIMES] = {"elapsed", "modelled", "without handler"};

    return names[time];
}

/* Prints the time. Counted time is the workload's own: the rest of the elapsed time is the handler's. */
static void print_time(struct out *out, const struct disturbance *of)
{
    uint64_t before = of->undisturbed_us, after = of->sampled_us, own;

    if (!before || !after || !of->undisturbed[DISTURBANCE_CYCLES])
        return;
    own = stats_mul_div(before, of->sampled[DISTURBANCE_CYCLES], of->undisturbed[DISTURBANCE_CYCLES]);
    out_printf(out, " Elapsed: %lu us, sampled %lu us", before, after);
    if (of->time == DISTURBANCE_TIME_WITHOUT_HANDLER) {
        out_printf(out, " without the handler, which is not modelled\n");
        return;
    }
    out_printf(out, of->time == DISTURBANCE_TIME_MODELLED ? ", handler " : ", of which the handler took ");
    out_ratio(out, after > own ? after - own : 0, after, 100, 1, 0);
    out_printf(out, of->time == DISTURBANCE_TIME_MODELLED ? " %% in the model's cycles\n" : " %%\n");
}

void disturbance_print(struct out *out, const struct disturbance *of)
{
    if (of->why) {
        out_printf(out, "What sampling changed: not known: %s\n", of->why);
        return;
    }
    out_printf(out, "What sampling changed, in one pass: * more than its samples leave open (95 %%)\n"
                    "===============================================================================\n"
                    " Event                    undisturbed      sampled    handler    change open, %%\n"
                    "-------------------------------------------------------------------------------\n");
    for (unsigned row = 0; row < DISTURBANCE_ROWS; row++)
        if (of->counted[row])
            print_row(out, of, row);
    out_printf(out, "-------------------------------------------------------------------------------\n");
    print_time(out, of);
}

void disturbance_write(struct out *out, const struct disturbance *of)
{
    fact_begin(out, FACT_SAMPLING_VERDICT);
    out_printf(out, " %s%s\n",
               of->why                 ? "not known: "
               : disturbance_large(of) ? "changed"
                                       : "unchanged",
               of->why ? of->why : "");
    if (of->why)
        return;
    fact_number(out, FACT_SAMPLING_UNDISTURBED_US, of->undisturbed_us);
    fact_number(out, FACT_SAMPLING_SAMPLED_US, of->sampled_us);
    fact_text(out, FACT_SAMPLING_TIME, disturbance_time_name(of->time));
    fact_number(out, FACT_SAMPLING_INTERRUPTS, of->interrupts);
    fact_text(out, FACT_SAMPLING_CLOCK, of->ticks ? "TSC" : "076");
    fact_number(out, FACT_SAMPLING_PASSES, of->passes);
    for (unsigned row = 0; row < DISTURBANCE_ROWS; row++) {
        if (!of->counted[row])
            continue;
        fact_number(out, FACT_SAMPLING_UNDISTURBED, of->undisturbed[row], rows[row].fact);
        fact_number(out, FACT_SAMPLING_SAMPLED, of->sampled[row], rows[row].fact);
        fact_number(out, FACT_SAMPLING_HANDLER, of->handler[row], rows[row].fact);
        fact_number(out, FACT_SAMPLING_SAMPLES, of->samples[row], rows[row].fact);
        fact_number(out, FACT_SAMPLING_WEIGHT, of->weight[row], rows[row].fact);
    }
}
