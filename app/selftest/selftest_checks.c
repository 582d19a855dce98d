/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Judges the results of the trials. The bounds hold for every family, for the reasons beside them. In the loop, an
 * interval of IBS or of a counter differs from the period: it lacks what is executed between the event and the
 * handler's write that begins the next interval, and contains what the handler executes after that write. Neither is
 * documented: half of a period is allowed for each.
 */
#include "app/selftest/selftest.h"

#include "core/family/ibs_regs.h"
#include "core/ibs/derived.h"
#include "core/ibs/identities.h"

enum {
    HUNDRED = 100,
    IN_LOOP_LEAST = 90,     /* percent of the samples */
    SAMPLES_OFF_MOST = 50,  /* percent: half a period more or less in each interval */
    INTERVAL_OFF_MOST = 12, /* percent between random and fixed ones, which have the same latencies: without CurCnt it
                               is 20 */
    OVERFLOWS_OFF_MOST = 2, /* of 14: some 1,100 instructions more or less in each interval */
    COUNT_OFF_PER = 1000,   /* one in a thousand: instructions of one SMI in the loop, if they are counted */
    TICKS_SURE = 2,         /* periods of the timer in which one of its ticks must fall */
    FETCHES_LEAST = 9,      /* of 78 periods of one fetch each iteration: an interval may have the length of eight */
    DATA_LEAST = 8,
};

static const struct selftest_trial *trial(const struct selftest *test, enum selftest_trial_name name)
{
    return &test->trial[name];
}

/* Returns whether the session stopped normally; registers that were not restored are another check. */
static bool stopped(const struct session_result *result)
{
    return result->error && result->error != SESSION_RESTORE;
}

/* Returns whether it ran to its end, with figures to check. */
static bool ran(const struct selftest *test, enum selftest_trial_name name)
{
    return test->trial[name].there && !stopped(&test->trial[name].result);
}

/* Returns whether it broke off, which says something only about the machine. */
static bool broken(const struct session_result *result)
{
    return result->faulted || result->error == SESSION_LIMIT || result->error == SESSION_STORM ||
           result->error == SESSION_TICKS_ENDED || result->error == SESSION_FAULT;
}

/* Returns a check's verdict without this trial; SELFTEST_PASS: there are figures. An early end is reported once. */
static enum selftest_verdict usable(const struct selftest *test, enum selftest_trial_name name, struct out *text)
{
    const struct selftest_trial *t = trial(test, name);

    if (!t->there || broken(&t->result))
        return SELFTEST_NOT_ASKED;
    if (stopped(&t->result))
        out_printf(text, "%s (%lx)", session_error_text(t->result.error), t->result.error_detail);
    return stopped(&t->result) ? SELFTEST_FAIL : SELFTEST_PASS;
}

static bool in_loop(const struct selftest *test, const struct sample_record *record)
{
    return sample_address(record) - test->address < test->size;
}

/* Returns whether an op sample's address has no meaning, if the processor can say so (IbsRipInvalid). */
static bool nowhere(const struct selftest *test, const struct sample_record *record)
{
    return record->kind == SAMPLE_OP &&
           record->reg[IBS_OP_DATA] & test->set->machine.bits[SAMPLE_OP][IBS_OP_DATA] & IBS_OP_RIP_INVALID;
}

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

static enum selftest_verdict verdict(bool good)
{
    return good ? SELFTEST_PASS : SELFTEST_FAIL;
}

/* Compares a figure with its bounds; prints the difference if it is wrong. */
static enum selftest_verdict within(uint64_t figure, uint64_t least, uint64_t most, struct out *text)
{
    if (figure < least)
        out_printf(text, "; at least %lu expected: %lu too few", least, least - figure);
    if (figure > most)
        out_printf(text, "; at most %lu expected: %lu too many", most, figure - most);
    return verdict(figure >= least && figure <= most);
}

/* Returns percent of a number, rounded up. */
static uint64_t share(uint64_t all, unsigned percent)
{
    return (all * percent + HUNDRED - 1) / HUNDRED;
}

static uint64_t came_of(const struct selftest *test, enum selftest_trial_name name, enum sample_kind kind)
{
    const struct nmi_counts *counts = &trial(test, name)->result.counts;

    return counts->recorded[kind] + counts->lost[kind];
}

/* Checks that the samples of these trials are in the loop. */
static enum selftest_verdict places(const struct selftest *test, uint32_t trials, struct out *text)
{
    uint64_t all = 0, mine = 0, other = 0;

    for (unsigned i = 0; i < SELFTEST_TRIALS; i++) {
        for (uint64_t n = 0; (trials >> i & 1) && ran(test, i) && n < test->trial[i].result.samples; n++) {
            const struct sample_record *record = &test->trial[i].record[n];

            if (nowhere(test, record))
                continue;
            all++;
            mine += in_loop(test, record);
            other = in_loop(test, record) ? other : sample_address(record);
        }
    }
    if (!all)
        return SELFTEST_NOT_ASKED;
    out_printf(text, "%lu of %lu in the loop", mine, all);
    if (within(mine, share(all, IN_LOOP_LEAST), all, text) == SELFTEST_PASS)
        return SELFTEST_PASS;
    out_printf(text, "; another at %lx", other);
    return SELFTEST_FAIL;
}

static enum selftest_verdict ended(const struct selftest *test, struct out *text)
{
    unsigned there = 0;
    for (unsigned i = 0; i < SELFTEST_TRIALS; i++) {
        const struct selftest_trial *t = &test->trial[i];
        bool wrong = !stopped(&t->result) && i != SELFTEST_EMPTY && !t->correct;

        there += t->there;
        if (!t->there || (!broken(&t->result) && !wrong))
            continue;
        out_printf(text, "pass %u: ", i + 1);
        if (t->result.faulted)
            out_printf(text, "%s at %lx", fault_vector_name(t->result.fault.vector), t->result.fault.rip);
        else
            out_printf(text, "%s", wrong ? "the loop's result is wrong" : session_error_text(t->result.error));
        for (uint32_t bank = 0; t->result.faulted && bank < t->result.fault.check.count; bank++) {
            out_printf(text, ", ");
            machine_check_print(text, &t->result.fault.check.bank[bank]);
        }
        return SELFTEST_FAIL;
    }
    out_printf(text, "%u of %u passes", there, there);
    return verdict(there);
}

static enum selftest_verdict restored(const struct selftest *test, struct out *text)
{
    uint64_t items = 0;

    for (unsigned i = 0; i < SELFTEST_TRIALS; i++) {
        const struct restore_log *log = &test->trial[i].result.restore;

        items += test->trial[i].there ? log->count : 0;
        for (unsigned n = 0; test->trial[i].there && n < log->count; n++) {
            if (log->row[n].ok)
                continue;
            out_printf(text, "%s was %lx, is %lx", log->row[n].what, log->row[n].before, log->row[n].after);
            return SELFTEST_FAIL;
        }
    }
    out_printf(text, "%lu registers and tables read as before", items);
    return SELFTEST_PASS;
}

static enum selftest_verdict clock(const struct selftest *test, struct out *text)
{
    uint64_t records = 0;

    for (unsigned i = 0; i < SELFTEST_TRIALS; i++) {
        const struct selftest_trial *t = &test->trial[i];

        for (uint64_t n = 0; t->there && n < t->result.samples; n++, records++) {
            uint64_t before = n ? t->record[n - 1].tsc : 0, now = t->record[n].tsc;

            /* One NMI may bring a fetch and an op. */
            if (now > before || (n && now == before && t->record[n].kind != t->record[n - 1].kind))
                continue;
            out_printf(text, "sample %lu of pass %u at %lu, the one before at %lu", n, i + 1, now, before);
            return SELFTEST_FAIL;
        }
    }
    out_printf(text, "%lu samples in the order of their time", records);
    return SELFTEST_PASS;
}

static enum selftest_verdict counts(const struct selftest *test, struct out *text)
{
    static const char *const names[] = {[SELFTEST_INSTRUCTIONS] = "instructions",
                                        [SELFTEST_BRANCHES] = "branches",
                                        [SELFTEST_TAKEN] = "taken branches"};
    enum selftest_verdict figures = usable(test, SELFTEST_COUNTS, text);

    if (figures != SELFTEST_PASS)
        return figures;
    for (unsigned c = 0; c < SELFTEST_COUNTERS; c++) {
        uint64_t all = trial(test, SELFTEST_COUNTS)->result.pmc.event[c].total;
        uint64_t empty = trial(test, SELFTEST_EMPTY)->result.pmc.event[c].total;
        uint64_t mine = all > empty ? all - empty : 0;

        if (c == SELFTEST_CLOCKS) {
            if (!mine) {
                out_printf(text, "no clocks: %lu with the loop, %lu without", all, empty);
                return SELFTEST_FAIL;
            }
        } else if (distance(mine, test->known[c]) > test->known[c] / COUNT_OFF_PER) {
            out_printf(text, "%lu %s instead of %lu: %lu off, %lu may be", mine, names[c], test->known[c],
                       distance(mine, test->known[c]), test->known[c] / COUNT_OFF_PER);
            return SELFTEST_FAIL;
        } else {
            out_printf(text, "%s%lu %s", c == SELFTEST_INSTRUCTIONS ? "" : ", ", mine, names[c]);
        }
    }
    return SELFTEST_PASS;
}

static enum selftest_verdict overflows(const struct selftest *test, struct out *text)
{
    uint64_t expected = test->known[SELFTEST_INSTRUCTIONS] / SELFTEST_OVERFLOW_PERIOD;
    uint64_t came = came_of(test, SELFTEST_OVERFLOW, SAMPLE_PMC);
    enum selftest_verdict figures = usable(test, SELFTEST_OVERFLOW, text);

    if (figures != SELFTEST_PASS)
        return figures;
    out_printf(text, "%lu samples of %lu", came, expected);
    if (within(came, expected - OVERFLOWS_OFF_MOST, expected + OVERFLOWS_OFF_MOST, text) != SELFTEST_PASS)
        return SELFTEST_FAIL;
    out_printf(text, ", ");
    return places(test, 1u << SELFTEST_OVERFLOW, text);
}

static enum selftest_verdict op_samples(const struct selftest *test, struct out *text)
{
    /* Each instruction of the loop is one op on every family, and none is fused with the next one. */
    uint64_t clocks =
        ran(test, SELFTEST_COUNTS) ? trial(test, SELFTEST_COUNTS)->result.pmc.event[SELFTEST_CLOCKS].total : 0;
    uint64_t events = test->cycles ? clocks : test->known[SELFTEST_INSTRUCTIONS];
    uint64_t expected = events / SELFTEST_OP_PERIOD, came = came_of(test, SELFTEST_OP_FIXED, SAMPLE_OP);
    enum selftest_verdict figures = usable(test, SELFTEST_OP_FIXED, text);

    if (figures != SELFTEST_PASS)
        return figures;
    if (!expected) {
        out_printf(text, "%lu samples; the right number is not known without a counter of clocks", came);
        return verdict(came > 1);
    }
    out_printf(text, "%lu samples of %lu, 1 per %u %s", came, expected, SELFTEST_OP_PERIOD,
               test->cycles ? "cycles" : "ops");
    return within(came, share(expected, HUNDRED - SAMPLES_OFF_MOST), expected * (HUNDRED + SAMPLES_OFF_MOST) / HUNDRED,
                  text);
}

/* Returns whether intervals do not vary, and have the length of a fixed one of the period without its random part. */
static bool curcnt_ignored(const struct selftest *test)
{
    uint64_t fixed = came_of(test, SELFTEST_OP_FIXED, SAMPLE_OP), random = came_of(test, SELFTEST_OP, SAMPLE_OP);

    return random < fixed && distance(random, fixed) * HUNDRED > fixed * INTERVAL_OFF_MOST &&
           trial(test, SELFTEST_OP)->result.settings.op_random == IBS_RANDOM_CURCNT;
}

static enum selftest_verdict op_intervals(const struct selftest *test, struct out *text)
{
    uint64_t fixed = came_of(test, SELFTEST_OP_FIXED, SAMPLE_OP), random = came_of(test, SELFTEST_OP, SAMPLE_OP);
    enum selftest_verdict figures = ran(test, SELFTEST_OP_FIXED) ? usable(test, SELFTEST_OP, text) : SELFTEST_NOT_ASKED;

    if (figures != SELFTEST_PASS)
        return figures;
    out_printf(text, "%lu samples by random intervals, %lu by fixed ones of the same mean", random, fixed);
    if (within(random, share(fixed, HUNDRED - INTERVAL_OFF_MOST), fixed * (HUNDRED + INTERVAL_OFF_MOST) / HUNDRED,
               text) == SELFTEST_PASS)
        return SELFTEST_PASS;
    if (curcnt_ignored(test))
        out_printf(text, ": IbsOpCurCnt does not shorten the interval; set random=no");
    return SELFTEST_FAIL;
}

static enum selftest_verdict op_places(const struct selftest *test, struct out *text)
{
    return places(test, 1u << SELFTEST_OP_FIXED | 1u << SELFTEST_OP, text);
}

/* Checks that loads and stores have the one address that the loop uses, linear and physical. */
static enum selftest_verdict data_addresses(const struct selftest *test, struct out *text)
{
    const struct selftest_trial *op = trial(test, SELFTEST_OP);
    uint64_t linear = op->result.arena + test->place, all = 0, right = 0;

    if (!ran(test, SELFTEST_OP) || !op->result.samples)
        return SELFTEST_NOT_ASKED;
    for (uint64_t n = 0; n < op->result.samples; n++) {
        const struct sample_record *record = &op->record[n];
        uint64_t data3 = record->reg[IBS_OP_DATA3], physical = record->reg[IBS_OP_DCPHYSAD];

        if (nowhere(test, record) || !in_loop(test, record) || !(data3 & (IBS_LD_OP | IBS_ST_OP)))
            continue;
        all++;
        right += (data3 & IBS_DC_LIN_ADDR_VALID) && (data3 & IBS_DC_PHY_ADDR_VALID) &&
                 record->reg[IBS_OP_DCLINAD] == linear && physical - test->physical < test->bytes &&
                 (physical ^ linear) % 4096 == 0;
    }
    out_printf(text, "%lu of %lu loads and stores have an address", right, all);
    /* Intervals of equal length may always meet the same few ops of a loop, without any load or store. */
    if (all < DATA_LEAST && right == all && curcnt_ignored(test))
        return SELFTEST_NOT_ASKED;
    if (all < DATA_LEAST)
        return within(all, DATA_LEAST, UINT64_MAX, text);
    return within(right, share(all, IN_LOOP_LEAST), all, text);
}

/* Returns whether the loop may run without fetches: few samples, or those of other code, then say nothing about IBS. */
static bool may_not_fetch(const struct selftest *test)
{
    return test->set->machine.row && test->set->machine.row->traits & IBS_TRAIT_OP_CACHE;
}

static enum selftest_verdict fetches(const struct selftest *test, struct out *text)
{
    const struct selftest_trial *fetch = trial(test, SELFTEST_FETCH);
    uint64_t mine = 0, wrong = 0;
    enum selftest_verdict figures = usable(test, SELFTEST_FETCH, text);

    if (figures != SELFTEST_PASS)
        return figures;
    for (uint64_t n = 0; n < fetch->result.samples; n++) {
        const struct sample_record *record = &fetch->record[n];

        mine += in_loop(test, record);
        wrong += ibs_fetch_phy_valid(record->reg[IBS_FETCH_CTL]) &&
                 (record->reg[IBS_FETCH_PHYSAD] ^ record->reg[IBS_FETCH_LINAD]) % 4096;
    }
    out_printf(text, "%lu of %lu samples are in the loop", mine, fetch->result.samples);
    if (wrong)
        out_printf(text, "; physical addresses of %lu are wrong", wrong);
    if (wrong)
        return SELFTEST_FAIL;
    if (mine < FETCHES_LEAST && may_not_fetch(test)) {
        out_printf(text, "; it may run from the op cache, without fetches");
        return SELFTEST_NOT_ASKED;
    }
    if (mine < FETCHES_LEAST || may_not_fetch(test))
        return within(mine, FETCHES_LEAST, UINT64_MAX, text);
    return within(mine, share(fetch->result.samples, IN_LOOP_LEAST), UINT64_MAX, text);
}

static enum selftest_verdict relations(const struct selftest *test, struct out *text)
{
    uint64_t total[DERIVED_COUNT] = {0}, records = 0;
    unsigned failed;
    for (unsigned i = 0; i < SELFTEST_TRIALS; i++) {
        for (uint64_t n = 0; ran(test, i) && n < test->trial[i].result.samples; n++) {
            const struct sample_record *record = &test->trial[i].record[n];

            if (!sample_is_ibs(record->kind))
                continue;
            records++;
            derived_add(test->set, total, record);
        }
    }
    if (!records)
        return SELFTEST_NOT_ASKED;
    failed = identities_check(NULL, test->set, total, IDENTITIES_FAILED_ONLY);
    out_printf(text, "%u of %u hold", identities_asked(test->set) - failed, identities_asked(test->set));
    return verdict(!failed);
}

static enum selftest_verdict ticks(const struct selftest *test, struct out *text)
{
    const struct selftest_trial *t = trial(test, SELFTEST_TICKS);
    uint64_t came = came_of(test, SELFTEST_TICKS, SAMPLE_TIMER);
    uint64_t us = test->tsc_khz ? (t->result.tsc_stop - t->result.tsc_start) * 1000 / test->tsc_khz : 0;
    enum selftest_verdict figures = usable(test, SELFTEST_TICKS, text);

    if (figures != SELFTEST_PASS)
        return figures;
    out_printf(text, "%lu by %s", came,
               t->result.timer.by == TIMER_BY_COUNTER ? "overflow of counter 3: the APIC's timer sends no NMI"
                                                      : "the APIC's timer");
    if (came)
        return SELFTEST_PASS;
    out_printf(text, " in %lu us, one each %u us", us, SELFTEST_TICK_US);
    return us < TICKS_SURE * SELFTEST_TICK_US ? SELFTEST_NOT_ASKED : SELFTEST_FAIL;
}

const struct selftest_row selftest_table[SELFTEST_ROWS] = {
#define SELFTEST_ROW(name, parts, question, judge) {name, parts, question, judge},
#include "app/selftest/selftest_rows.h"
#undef SELFTEST_ROW
};
