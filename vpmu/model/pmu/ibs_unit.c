/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/model/pmu/ibs_unit.h"

#include "vpmu/model/hostile.h"

#define NOT_COUNTING UINT64_MAX

void ibs_init(struct ibs_unit *unit, const struct vpmu_params *params, const struct vpmu_config *config)
{
    *unit = (struct ibs_unit){.params = params,
                              .late_nmi = config->late_nmi,
                              .storms = hostile_has(config->hostile, HOSTILE_STORM) ||
                                        hostile_has(config->hostile, HOSTILE_STORM_STAYS),
                              .stays = hostile_has(config->hostile, HOSTILE_STORM_STAYS),
                              .stuck = hostile_has(config->hostile, HOSTILE_STUCK_VALID),
                              .no_cur_cnt = hostile_has(config->hostile, HOSTILE_CURCNT),
                              .rip_invalid = hostile_has(config->hostile, HOSTILE_RIP_INVALID),
                              .hostile = params_later(params) ? config->hostile : 0};
    unit->op_left = NOT_COUNTING;
    unit->op_expiry = NOT_COUNTING;
    rng_seed(&unit->rng, config->seed);
    rng_seed(&unit->garbage, ~config->seed);
}

bool ibs_armed(const struct ibs_unit *unit)
{
    return (unit->fetch_ctl & VFETCH_EN) || (unit->op_ctl & VOP_EN);
}

/* Raises erratum 420 (AMD revision guide 41322; Linux arch/x86/events/amd/ibs.c, perf_ibs_disable_event): when En is
 * cleared while the engine counts, an interrupt may follow that cannot be cleared. Silicon does so at times, the model
 * always, so that a driver without the two-step disable (MaxCnt = 0 first, with En still set) cannot pass. */
static void disabled(struct ibs_unit *unit, bool counting, bool was_open)
{
    if (counting && (unit->params->quirks & QUIRK_E420)) {
        unit->erratum_420_hits++;
        unit->storm = ERRATUM_420_NMIS;
    } else if (unit->late_nmi && was_open) {
        unit->late = 1;
    }
}

/* Ends counting, by a write. */
static void ended(struct ibs_unit *unit)
{
    if (!unit->storms)
        return;
    unit->storm = 1;
    unit->endless = true;
}

/* ---------------------------------------------------------------- op: registers */

static uint64_t op_period(const struct ibs_unit *unit)
{
    return (unit->op_ctl & VOP_MAX_CNT) << 4 | (unit->op_ctl & VOP_MAX_EXT);
}

static bool op_counting(const struct ibs_unit *unit)
{
    return (unit->op_ctl & VOP_EN) && !(unit->op_ctl & VOP_VAL) && op_period(unit) && !(unit->op_ctl2 & VCTL2_DIS);
}

uint64_t ibs_read_op_ctl(const struct ibs_unit *unit, uint64_t now)
{
    uint64_t left = 0;

    if (!unit->params->rdwr_cur_cnt || !op_counting(unit))
        return unit->op_ctl;
    if (unit->op_left != NOT_COUNTING && (unit->op_ctl & VOP_CNT_CTL))
        left = unit->op_left;
    else if (unit->op_expiry != NOT_COUNTING && unit->op_expiry > now)
        left = unit->op_expiry - now;
    return (unit->op_ctl & ~VOP_CUR_MASK) | (((op_period(unit) - left) << VOP_CUR_SHIFT) & VOP_CUR_MASK);
}

/* Begins to count from the register's count, where enabled. */
static void op_start(struct ibs_unit *unit, uint64_t now)
{
    uint64_t current = (unit->op_ctl & VOP_CUR_MASK) >> VOP_CUR_SHIFT, left;

    unit->op_left = unit->op_expiry = NOT_COUNTING;
    unit->line_tagged = false;
    if (!op_counting(unit))
        return;
    left = current < op_period(unit) ? op_period(unit) - current : 1;
    if (unit->op_ctl & VOP_CNT_CTL)
        unit->op_left = left;
    else
        unit->op_expiry = now + (hostile_has(unit->hostile, HOSTILE_SLOW_CYCLES) ? 2 * left : left);
}

void ibs_write_op_ctl(struct ibs_unit *unit, uint64_t value, uint64_t now)
{
    bool counted;

    if ((unit->op_ctl & VOP_EN) && !(value & VOP_EN))
        disabled(unit, op_counting(unit), unit->op_open);
    counted = op_counting(unit);
    if (unit->stuck)
        value |= unit->op_ctl & VOP_VAL;
    if (unit->no_cur_cnt)
        value &= ~VOP_CUR_MASK;

    unit->op_ctl = value & unit->params->op_mask;
    unit->op_open = unit->open && (value & VOP_EN);
    if (counted && !op_counting(unit))
        ended(unit);
    op_start(unit, now);
}

void ibs_write_op_ctl2(struct ibs_unit *unit, uint64_t value, uint64_t now)
{
    unit->op_ctl = ibs_read_op_ctl(unit, now); /* the count goes on from where it stands */
    unit->op_ctl2 = value & unit->params->op2_mask;
    op_start(unit, now);
}

static void op_sample(struct ibs_unit *unit)
{
    struct op_sample before = unit->op;

    unit->op_tags++;
    if (params_later(unit->params) && !later_op_passes(unit) && !odd_leak(unit)) {
        unit->op_filtered++;
        unit->op_ctl = (unit->op_ctl & ~VOP_CUR_MASK) | rng_bits(&unit->rng, IBS_RANDOM_BITS) << VOP_CUR_SHIFT;
        op_start(unit, unit->tag_cycle);
        return;
    }

    unit->op = unit->candidate;
    if (params_later(unit->params))
        later_op(unit, &before);
    unit->op_left = unit->op_expiry = NOT_COUNTING;
    unit->op_ctl = (unit->op_ctl & ~VOP_CUR_MASK) | VOP_VAL;
    if (unit->params->rdwr_cur_cnt && (unit->op_ctl & VOP_CNT_CTL))
        unit->op_ctl |= rng_bits(&unit->rng, IBS_RANDOM_BITS) << VOP_CUR_SHIFT;
    unit->requests++;
    unit->op_samples++;
}

/* ---------------------------------------------------------------- op: tags */

void ibs_line_slow(struct ibs_unit *unit, uint64_t from, uint64_t to, uint64_t wrong_until)
{
    /* No op to tag: this chance is lost, counting starts again (CodeAnalyst documentation, IBS op sampling). */
    while (unit->op_expiry < from) {
        uint64_t random = rng_bits(&unit->rng, IBS_RANDOM_BITS), period = op_period(unit);

        unit->op_tags += unit->op_expiry < wrong_until;
        unit->op_expiry += random < period ? period - random : 1;
        unit->skipped_tags++;
    }
    if (unit->op_expiry > to)
        return;
    unit->tag_cycle = unit->op_expiry;
    unit->op_expiry = NOT_COUNTING;
    unit->line_tagged = true;
    unit->line_ops = 0;
    unit->op_left = 1;
}

void ibs_wrong_path(struct ibs_unit *unit, uint64_t ops)
{
    uint64_t period = op_period(unit);

    if (!op_counting(unit) || !(unit->op_ctl & VOP_CNT_CTL))
        return;
    unit->wrong_ops += ops;
    unit->op_tags += unit->wrong_ops / period;
    unit->wrong_ops %= period;
}

bool ibs_op_tagged(struct ibs_unit *unit, uint64_t cycle)
{
    if (!unit->line_tagged) {
        unit->tag_cycle = cycle;
        return true;
    }
    unit->op_left = 1; /* the next op may be tagged, too */
    /* Each op of the line with the same probability, before their number is known: the n-th op replaces the choice with
     * probability 1/n. */
    return rng_below(&unit->rng, ++unit->line_ops) == 0;
}

void ibs_line_end_slow(struct ibs_unit *unit)
{
    unit->line_tagged = false;
    unit->op_left = NOT_COUNTING;
    if (unit->line_ops > 0)
        op_sample(unit);
}

void ibs_op_retired(struct ibs_unit *unit)
{
    op_sample(unit);
}

/* ---------------------------------------------------------------- fetch */

static bool fetch_counting(const struct ibs_unit *unit)
{
    return (unit->fetch_ctl & VFETCH_EN) && !(unit->fetch_ctl & VFETCH_VAL) && (unit->fetch_ctl & VFETCH_MAX_CNT) &&
           !(unit->fetch_ctl2 & VCTL2_DIS);
}

bool ibs_counting(const struct ibs_unit *unit)
{
    return op_counting(unit) || fetch_counting(unit);
}

uint64_t ibs_read_fetch_ctl(const struct ibs_unit *unit)
{
    uint64_t period = (unit->fetch_ctl & VFETCH_MAX_CNT) << 4, count;

    if (!unit->fetch_running)
        return unit->fetch_ctl;
    count = unit->fetch_left < period ? period - unit->fetch_left : 0;
    return (unit->fetch_ctl & ~VFETCH_CNT) | (((count >> 4) & 0xFFFF) << VFETCH_CNT_SHIFT);
}

/* Begins to count from the register's count, where enabled. */
static void fetch_start(struct ibs_unit *unit)
{
    uint64_t period = (unit->fetch_ctl & VFETCH_MAX_CNT) << 4;
    uint64_t count = ((unit->fetch_ctl & VFETCH_CNT) >> VFETCH_CNT_SHIFT) << 4;

    unit->fetch_running = fetch_counting(unit);
    unit->fetch_tag_next = false;
    if (!unit->fetch_running)
        return;
    if (unit->params->quirks & QUIRK_FETCH_COUNT)
        count = 0;
    if (unit->fetch_ctl & VFETCH_RAND_EN)
        count |= rng_bits(&unit->rng, FETCH_RANDOM_BITS);
    unit->fetch_left = count < period ? period - count : 1;
}

/* Returns the count after a write. */
static uint64_t fetch_count_written(const struct ibs_unit *unit, uint64_t value)
{
    bool goes_on = unit->params->quirks & QUIRK_FETCH_EN;

    if (unit->fetch_running && hostile_has(unit->hostile, HOSTILE_REARM_OTHERWISE))
        goes_on = !goes_on;
    if (goes_on && (unit->fetch_ctl & VFETCH_EN) && (value & VFETCH_EN))
        return ibs_read_fetch_ctl(unit) & VFETCH_CNT;
    return value & VFETCH_CNT;
}

void ibs_write_fetch_ctl(struct ibs_unit *unit, uint64_t value)
{
    /* Where En must be cleared to begin again, nothing is on its way while a sample waits. */
    bool again = (unit->params->quirks & QUIRK_FETCH_EN) && (unit->fetch_ctl & VFETCH_VAL), counted;

    value = (value & ~VFETCH_CNT) | fetch_count_written(unit, value);
    if ((unit->fetch_ctl & VFETCH_EN) && !(value & VFETCH_EN) && !again)
        disabled(unit, fetch_counting(unit), unit->fetch_open);
    counted = fetch_counting(unit);
    if (unit->stuck)
        value |= unit->fetch_ctl & VFETCH_VAL;
    unit->fetch_ctl = value & unit->params->fetch_mask;
    unit->fetch_open = unit->open && (value & VFETCH_EN);
    if (counted && !fetch_counting(unit))
        ended(unit);
    fetch_start(unit);
}

void ibs_write_fetch_ctl2(struct ibs_unit *unit, uint64_t value)
{
    unit->fetch_ctl = ibs_read_fetch_ctl(unit);
    unit->fetch_ctl2 = value & unit->params->fetch2_mask;
    fetch_start(unit);
}

static void fetch_sample(struct ibs_unit *unit, const struct fetch_event *event)
{
    uint64_t latency = event->latency < 0xFFFF ? event->latency : 0xFFFF;

    if (params_later(unit->params) && !later_fetch_passes(unit, event) && !odd_leak(unit)) {
        unit->fetch_filtered++;
        unit->fetch_ctl = (unit->fetch_ctl & ~VFETCH_CNT) | rng_bits(&unit->rng, FILTER_RANDOM_BITS)
                                                                << VFETCH_CNT_SHIFT;
        fetch_start(unit);
        return;
    }

    /* The counter keeps its maximum, where it stopped: Linux reads the number of fetches since the last sample from it
     * (arch/x86/events/amd/ibs.c, get_ibs_fetch_count), and older drivers clear it before they resume. */
    unit->fetch_ctl &= VFETCH_MAX_CNT | VFETCH_EN | VFETCH_RAND_EN | VFETCH_L3_ONLY;
    unit->fetch_ctl |= (unit->fetch_ctl & VFETCH_MAX_CNT) << VFETCH_CNT_SHIFT;
    unit->fetch_ctl |= VFETCH_VAL | event->bits | (latency << VFETCH_LAT_SHIFT);
    unit->fetch_linear = event->address;
    unit->fetch_physical = event->bits & VFETCH_PHY_VALID ? event->physical & unit->params->physical_mask : 0;
    if (params_later(unit->params))
        later_fetch(unit, event);
    unit->fetch_running = unit->fetch_tag_next = false;
    unit->requests++;
    unit->fetch_samples++;
}

void ibs_fetch(struct ibs_unit *unit, const struct fetch_event *event)
{
    if (unit->fetch_tag_next)
        fetch_sample(unit, event);
    else if (event->bits & VFETCH_COMP)
        ibs_fetch_completed(unit);
}
