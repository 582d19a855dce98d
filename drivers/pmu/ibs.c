/* SPDX-License-Identifier: BSD-2-Clause */
#include "drivers/pmu/ibs.h"

#include <stddef.h>

#include "core/family/ibs_regs.h"
#include "drivers/cpu/apic.h"
#include "drivers/cpu/cpu.h"
#include "drivers/pmu/nmi.h"
#include "drivers/pmu/pmc.h"
#include "drivers/pmu/timer.h"
#include "drivers/trace/trace.h"

enum {
    /* oprofile's driver (arch/x86/oprofile/op_model_amd.c): 12 random bits in CurCnt, or +-128 in MaxCnt. */
    CURCNT_RANGE_MAX = 4096,
    MAXCNT_HALF_MAX = 128,
    OP_MAX_CNT_MIN = IBS_OP_PERIOD_MIN >> 4,
    OP_RANDOM_ROOM = MAXCNT_HALF_MAX << 4, /* MaxCnt + 128 still fits, in both ways */
};

static uint32_t power_of_two_up_to(uint32_t limit)
{
    uint32_t power = 1;
    while (power * 2 <= limit)
        power *= 2;
    return limit ? power : 0;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static enum session_error check_fetch(const struct ibs_plan *plan, uint32_t caps)
{
    if (!(caps & IBS_CAP_FETCH))
        return SESSION_NO_FETCH_SAMPLING;
    if (plan->fetch_period < IBS_FETCH_PERIOD_MIN)
        return SESSION_FETCH_PERIOD_LOW;
    if (plan->fetch_period > IBS_PERIOD_MAX || plan->fetch_first > IBS_PERIOD_MAX)
        return SESSION_FETCH_PERIOD_HIGH;
    return plan->fetch_period % IBS_PERIOD_STEP ? SESSION_PERIOD_NIBBLE : SESSION_OK;
}

static uint32_t op_period_max(uint32_t caps)
{
    return caps & IBS_CAP_OPCNTEXT ? IBS_OP_PERIOD_EXT : IBS_PERIOD_MAX;
}

/* AMD APM vol. 2 section 13.3.5; Linux d20610c19b4a: threshold (n + 1) * 128. */
static enum session_error check_filters(const struct ibs_plan *plan, uint32_t caps)
{
    if (plan->l3_miss_only && !(caps & IBS_CAP_L3MISSONLY))
        return SESSION_NO_L3_MISS_FILTER;
    if (!plan->load_latency)
        return SESSION_OK;
    if (!(caps & IBS_CAP_LDLAT))
        return SESSION_NO_LATENCY_FILTER;
    return plan->load_latency % IBS_LDLAT_STEP || plan->load_latency > IBS_LDLAT_MAX ? SESSION_LOAD_LATENCY
                                                                                     : SESSION_OK;
}

static enum session_error check_op(const struct ibs_plan *plan, uint32_t caps)
{
    if (!(caps & IBS_CAP_OP))
        return SESSION_NO_OP_SAMPLING;
    if (plan->count_ops && !(caps & IBS_CAP_OPCNT))
        return SESSION_NO_OP_COUNTING;
    if (plan->op_period < IBS_OP_PERIOD_MIN)
        return SESSION_OP_PERIOD_LOW;
    bool ext = caps & IBS_CAP_OPCNTEXT;
    if (plan->op_period > op_period_max(caps) || plan->op_first > op_period_max(caps))
        return ext ? SESSION_OP_PERIOD_EXT : SESSION_OP_PERIOD_HIGH;
    if (plan->random && plan->op_period > op_period_max(caps) - OP_RANDOM_ROOM)
        return ext ? SESSION_OP_PERIOD_EXT_RANDOM : SESSION_OP_PERIOD_HIGH_RANDOM;
    if (plan->op_exact && (!(caps & IBS_CAP_RDWR_OPCNT) || plan->random || plan->op_exact > plan->op_period))
        return SESSION_OP_EXACT;
    return plan->op_period % IBS_PERIOD_STEP ? SESSION_PERIOD_NIBBLE : SESSION_OK;
}

/* Returns half the range of a random IbsOpMaxCnt. Short periods get a smaller one, so that MaxCnt never comes below
 * its minimum. */
static uint32_t max_cnt_half(uint32_t max_cnt)
{
    return power_of_two_up_to(least(MAXCNT_HALF_MAX, least(max_cnt / 2, max_cnt - OP_MAX_CNT_MIN)));
}

/* Returns whether MaxCnt may vary by that much either way without a carry out of its lower 16 bits. */
static bool max_cnt_varies(uint32_t max_cnt, uint32_t half)
{
    uint32_t low = max_cnt & IBS_OP_MAX_CNT;
    return half && low >= half && low + half <= IBS_OP_MAX_CNT;
}

static void randomise_op(struct ibs_settings *s, const struct ibs_plan *plan, uint32_t caps)
{
    uint32_t period = plan->op_period, max_cnt = period >> 4, half = max_cnt_half(max_cnt);
    bool cur_cnt = caps & IBS_CAP_RDWR_OPCNT;
    if (cur_cnt && (plan->count_ops || !max_cnt_varies(max_cnt, half))) {
        /* The interval is MaxCnt * 16 - CurCnt; MaxCnt rises by the mean of CurCnt. Half the range is a multiple of 16:
         * the smallest range, for period 90h, is 64. */
        s->op_random = IBS_RANDOM_CURCNT;
        s->op_random_range = power_of_two_up_to(least(CURCNT_RANGE_MAX, period / 2));
        s->op_ctl |= ibs_op_period_bits(period + s->op_random_range / 2);
    } else {
        s->op_ctl |= ibs_op_period_bits(period);
        s->op_random_range = 2 * half << 4;
        if (half)
            s->op_random = cur_cnt ? IBS_RANDOM_BOTH : IBS_RANDOM_MAXCNT;
    }
}

static uint64_t fetch_ctl_of(const struct ibs_plan *plan)
{
    /* With the filter RandEn is to be set as well (AMD APM vol. 2 section 13.3.5). */
    return plan->fetch_period >> 4 | IBS_FETCH_EN | (plan->random || plan->l3_miss_only ? IBS_FETCH_RAND_EN : 0) |
           (plan->l3_miss_only ? IBS_FETCH_L3MISSONLY : 0);
}

static uint64_t op_ctl_of(const struct ibs_plan *plan, const struct machine *machine)
{
    bool l3 = plan->l3_miss_only || (plan->load_latency && machine->errata & IBS_E_1606);
    return IBS_OP_EN | (plan->count_ops ? IBS_OP_CNT_CTL : 0) | (l3 ? IBS_OP_L3MISSONLY : 0) |
           (plan->load_latency
                ? IBS_OP_LDLAT_EN | (uint64_t)(plan->load_latency / IBS_LDLAT_STEP - 1) << IBS_OP_LDLAT_SHIFT
                : 0);
}

static void resolve_later(struct ibs_settings *s, const struct machine *machine)
{
    s->branch_target = s->op_ctl && machine->ibs_caps & IBS_CAP_BRNTRGT;
    s->rip_invalid = s->op_ctl && machine->ibs_caps & IBS_CAP_RIPINVALID;
    s->streams = s->op_ctl && machine->ibs_caps & IBS_CAP_STRMST;
    s->fetch_extended = s->fetch_ctl && machine->ibs_caps & IBS_CAP_FETCHCTLEXTD;
    s->fetch_en_first = s->fetch_ctl && machine->errata & IBS_E_FETCH_REARM;
    s->op_data3_clear = s->op_ctl && machine->errata & IBS_E_718;
    s->ctl2_dis = machine->ibs_caps & IBS_CAP_DIS;
}

enum session_error ibs_resolve(const struct ibs_plan *plan, const struct machine *machine,
                               struct ibs_settings *settings)
{
    struct ibs_settings s = {0};
    enum session_error error = SESSION_OK;
    if ((plan->fetch || plan->op) && !machine_ibs_usable(machine))
        error = SESSION_NO_IBS;
    if ((plan->fetch || plan->op) && !error)
        error = check_filters(plan, machine->ibs_caps);
    if (plan->fetch && !error) {
        error = check_fetch(plan, machine->ibs_caps);
        s.fetch_ctl = fetch_ctl_of(plan);
    }
    if (plan->op && !error) {
        error = check_op(plan, machine->ibs_caps);
        s.op_ctl = op_ctl_of(plan, machine);
        if (!error && plan->random)
            randomise_op(&s, plan, machine->ibs_caps);
        else
            s.op_ctl |= ibs_op_period_bits(plan->op_period);
    }
    if (settings && !error) {
        resolve_later(&s, machine);
        s.fetch_first = plan->fetch ? plan->fetch_first : 0;
        s.op_first = plan->op ? plan->op_first : 0;
        s.op_exact = plan->op ? plan->op_exact : 0;
        *settings = s;
    }
    return error;
}

/* Returns what the handler of later families also reads and writes. */
static struct nmi_later later_of(const struct ibs_settings *s)
{
    struct nmi_later later = {0};
    if (s->branch_target)
        later.branch_target = IBS_OP_BRN_RET;
    if (s->rip_invalid)
        later.rip_invalid = IBS_OP_RIP_INVALID;
    if (s->streams)
        later.streams = IBS_ST_OP;
    if (s->fetch_extended)
        later.fetch_extended = IBS_FETCH_COMP;
    if (s->fetch_en_first) /* Linux arch/x86/events/amd/ibs.c, fetch_count_reset_broken */
        later.before_fetch = (struct nmi_write){MSR_IBS_FETCH_CTL, s->fetch_ctl & ~IBS_FETCH_EN};
    if (s->op_data3_clear) /* AMD_IBS_Toolkit driver/ibs-interrupt.c */
        later.before_op = (struct nmi_write){MSR_IBS_OP_DATA3, 0};
    later.used = s->branch_target || s->rip_invalid || s->streams || s->fetch_extended || s->fetch_en_first ||
                 s->op_data3_clear || s->ctl2_dis;
    return later;
}

/* Draws a number of counts, at least the lowest period. */
static uint32_t draw(uint32_t most, uint32_t least_period, struct rng *rng)
{
    uint32_t counts = rng_below(rng, most) + 1;
    return counts < least_period ? least_period : counts;
}

/* Draws the first interval. A writable IbsOpCurCnt expresses what MaxCnt cannot: it begins that much nearer to the
 * end. */
static void draw_first(struct nmi_context *nmi, const struct ibs_settings *settings)
{
    if (settings->fetch_first)
        nmi->fetch_first =
            (nmi->fetch_ctl & ~IBS_FETCH_MAX_CNT) | draw(settings->fetch_first, IBS_FETCH_PERIOD_MIN, &nmi->rng) >> 4;
    if (settings->op_first) {
        uint32_t counts = draw(settings->op_first, IBS_OP_PERIOD_MIN, &nmi->rng);
        bool exact = settings->op_random == IBS_RANDOM_CURCNT || settings->op_random == IBS_RANDOM_BOTH;
        uint32_t more = exact ? -counts % IBS_PERIOD_STEP : 0;
        nmi->op_first = (settings->op_ctl & ~(IBS_OP_MAX_CNT | IBS_OP_MAX_CNT_EXT)) |
                        ibs_op_period_bits(counts + more) | (uint64_t)more << IBS_OP_CUR_CNT_SHIFT;
    }
    /* With a long MaxCnt, another op's sample does not soon follow a tagged and flushed op. */
    if (settings->op_exact)
        nmi->op_first =
            settings->op_ctl | (uint64_t)(ibs_op_period(settings->op_ctl, IBS_CAP_OPCNTEXT) - settings->op_exact)
                                   << IBS_OP_CUR_CNT_SHIFT;
}

void ibs_init(struct nmi_context *nmi, const struct ibs_settings *settings, uint64_t seed, uint32_t cpu,
              struct sample_record *records, uint32_t capacity)
{
    *nmi = (struct nmi_context){
        .state = NMI_IDLE,
        .cpu = cpu,
        .ring = {.record = records, .capacity = capacity},
        .fetch_ctl = settings->fetch_ctl,
        .op_ctl = settings->op_ctl,
        .later = later_of(settings),
        .ctl2_dis = settings->ctl2_dis,
    };
    rng_seed(&nmi->rng, seed);
    draw_first(nmi, settings);
    uint64_t range = settings->op_random_range;
    switch (settings->op_random) {
    case IBS_RANDOM_NONE:
        break;
    case IBS_RANDOM_CURCNT:
        nmi->op_mask = (range - 1) << IBS_OP_CUR_CNT_SHIFT;
        break;
    case IBS_RANDOM_MAXCNT:
        /* range / 16 values from -half on have the mean -1/2; one random bit more makes it 0. */
        nmi->op_ctl -= range / 2 >> 4;
        nmi->op_mask = (range >> 4) - 1;
        nmi->op_dither = 1;
        nmi->linger = IBS_PERIOD_STEP;
        break;
    case IBS_RANDOM_BOTH:
        /* From -half + 1 on the values have the mean 1/2, eight counts; CurCnt takes 7.5 of them away. */
        nmi->op_ctl -= (range / 2 >> 4) - 1;
        nmi->op_mask = ((range >> 4) - 1) | (uint64_t)(IBS_PERIOD_STEP - 1) << IBS_OP_CUR_CNT_SHIFT;
        break;
    }
}

/* Saves and clears a control register. A Val bit that does not clear would leave it without samples. */
static enum session_error take(struct restore_log *log, uint32_t msr, uint64_t mask, uint64_t valid, const char *what,
                               uint64_t *detail)
{
    uint64_t after;
    *detail = msr;
    if (restore_save(log, RESTORE_MSR, msr, 0, mask, what, NULL) || cpu_wrmsr_safe(msr, 0) ||
        cpu_rdmsr_safe(msr, &after))
        return SESSION_MSR_FAULT;
    return after & valid ? SESSION_IBS_ENABLE : SESSION_OK;
}

/* Starts and checks that the bits in 'mask' hold: a processor without IBS may silently ignore the write. MaxCnt is not
 * among them: a first sample may have changed it already. */
static enum session_error enable(uint32_t msr, uint64_t value, uint64_t mask, uint64_t *detail)
{
    uint64_t after;
    *detail = msr;
    if (cpu_wrmsr_safe(msr, value) || cpu_rdmsr_safe(msr, &after))
        return SESSION_MSR_FAULT;
    return ((after ^ value) & mask) == 0 ? SESSION_OK : SESSION_IBS_ENABLE;
}

/* Takes CTL2. With CTL2[Dis] IbsEn starts a unit, once that bit is 0 (Linux e267b4178134). */
static enum session_error take_ctl2(struct restore_log *log, uint32_t msr, const char *what, uint64_t *detail)
{
    *detail = msr;
    return restore_save(log, RESTORE_MSR, msr, 0, ~0ull, what, NULL) || cpu_wrmsr_safe(msr, 0) ? SESSION_MSR_FAULT
                                                                                               : SESSION_OK;
}

/* Bits that software sets and that hold until it changes them. */
#define FETCH_HOLDS (IBS_FETCH_EN | IBS_FETCH_RAND_EN | IBS_FETCH_L3MISSONLY)
#define OP_HOLDS    (IBS_OP_EN | IBS_OP_CNT_CTL | IBS_OP_L3MISSONLY | IBS_OP_LDLAT_THRSH | IBS_OP_LDLAT_EN)

static enum session_error take_units(const struct nmi_context *nmi, struct restore_log *log, uint64_t *detail)
{
    enum session_error error = SESSION_OK;
    if (nmi->fetch_ctl)
        error = take(log, MSR_IBS_FETCH_CTL, IBS_FETCH_SETTINGS | IBS_FETCH_VAL, IBS_FETCH_VAL,
                     "MSR C001_1030 IbsFetchCtl", detail);
    if (nmi->op_ctl && !error)
        error = take(log, MSR_IBS_OP_CTL, IBS_OP_MAX_CNT | IBS_OP_EN | IBS_OP_VAL | IBS_OP_CNT_CTL, IBS_OP_VAL,
                     "MSR C001_1033 IbsOpCtl", detail);
    if (nmi->fetch_ctl && nmi->ctl2_dis && !error)
        error = take_ctl2(log, MSR_IBS_FETCH_CTL2, "MSR C001_103F IbsFetchCtl2", detail);
    if (nmi->op_ctl && nmi->ctl2_dis && !error)
        error = take_ctl2(log, MSR_IBS_OP_CTL2, "MSR C001_103E IbsOpCtl2", detail);
    return error;
}

enum session_error ibs_start(struct nmi_context *nmi, struct restore_log *log, uint64_t *detail)
{
    enum session_error error = take_units(nmi, log, detail);
    if (error)
        return error;
    if (!nmi->pmc && !nmi->timer)
        nmi->state = NMI_RUNNING_IBS;
    else
        nmi->state = nmi->timer && nmi->timer->by == TIMER_BY_COUNTER ? NMI_RUNNING_TICKS : NMI_RUNNING_ALL;
    if (nmi->fetch_ctl)
        error = enable(MSR_IBS_FETCH_CTL, nmi->fetch_first ? nmi->fetch_first : nmi->fetch_ctl, FETCH_HOLDS, detail);
    if (nmi->op_ctl && !error)
        error = enable(MSR_IBS_OP_CTL, nmi->op_first ? nmi->op_first : ibs_next_op_ctl(nmi), OP_HOLDS, detail);
    if (!error)
        *detail = 0;
    return error;
}

struct stop {
    enum session_error error;
    uint64_t *detail;
};

static void note(struct stop *stop, uint32_t msr, uint32_t vector)
{
    if (!vector || stop->error)
        return;
    stop->error = SESSION_MSR_FAULT;
    *stop->detail = msr;
}

/* Stops as erratum 420 wants: MaxCnt = 0 while the enable bit is still set, and only then the enable bit cleared
 * (Linux arch/x86/events/amd/ibs.c, perf_ibs_disable_event). CurCnt stays as it was read, as there and in
 * AMD_IBS_Toolkit: no driver has tried a CurCnt that equals MaxCnt with the enable bit set. Returns the value without
 * MaxCnt. */
static uint64_t stop_counting(struct stop *stop, uint32_t msr, uint64_t count, uint64_t enable_bit, bool e420)
{
    uint64_t ctl;
    uint32_t vector = cpu_rdmsr_safe(msr, &ctl);
    note(stop, msr, vector);
    if (vector)
        ctl = enable_bit;
    ctl &= ~count;
    if (e420)
        note(stop, msr, cpu_wrmsr_safe(msr, ctl));
    return ctl;
}

/* Makes the first writes of a stop. CTL2[Dis] alone stops a unit: a read and a write of the control register would
 * race with the processor's setting of its Val bit (Linux 28063f05f38b). */
static uint64_t stop_unit(struct stop *stop, const struct nmi_context *nmi, bool op, bool e420)
{
    uint32_t ctl2 = op ? MSR_IBS_OP_CTL2 : MSR_IBS_FETCH_CTL2;
    if (nmi->ctl2_dis) {
        note(stop, ctl2, cpu_wrmsr_safe(ctl2, IBS_CTL2_DIS));
        return 0;
    }
    return op ? stop_counting(stop, MSR_IBS_OP_CTL, IBS_OP_MAX_CNT | IBS_OP_MAX_CNT_EXT, IBS_OP_EN, e420)
              : stop_counting(stop, MSR_IBS_FETCH_CTL, IBS_FETCH_MAX_CNT, IBS_FETCH_EN, e420);
}

enum session_error ibs_stop(struct nmi_context *nmi, bool e420, uint64_t wait, uint64_t *detail)
{
    struct stop stop = {SESSION_OK, detail};
    uint64_t op = 0, fetch = 0;
    nmi->state = NMI_STOPPING;
    if (nmi->op_ctl)
        op = stop_unit(&stop, nmi, true, e420);
    if (nmi->fetch_ctl)
        fetch = stop_unit(&stop, nmi, false, e420);
    nmi_mask(nmi); /* before the writes that the erratum is about: its interrupt finds no way */
    if (nmi->op_ctl && !nmi->ctl2_dis)
        note(&stop, MSR_IBS_OP_CTL, cpu_wrmsr_safe(MSR_IBS_OP_CTL, op & ~IBS_OP_EN));
    if (nmi->fetch_ctl && !nmi->ctl2_dis)
        note(&stop, MSR_IBS_FETCH_CTL, cpu_wrmsr_safe(MSR_IBS_FETCH_CTL, fetch & ~IBS_FETCH_EN));

    trace_on(nmi->cpu, TRACE_STOP);
    /* One more NMI may be on its way (same file, IBS_STOPPED); the handler swallows it. */
    uint64_t from = cpu_rdtsc();
    while (cpu_rdtsc() - from < wait && nmi->counts.late == nmi->later.late)
        cpu_pause();

    if (nmi->op_ctl)
        note(&stop, MSR_IBS_OP_CTL, cpu_wrmsr_safe(MSR_IBS_OP_CTL, 0));
    if (nmi->fetch_ctl)
        note(&stop, MSR_IBS_FETCH_CTL, cpu_wrmsr_safe(MSR_IBS_FETCH_CTL, 0));
    return stop.error;
}
