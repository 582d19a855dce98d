/* SPDX-License-Identifier: BSD-2-Clause */
/* IBS of later families: settings, start, stop and the handler, as sequences of register accesses. */
#include "tests/unit/drivers/fake_cpu.h"

#include <stdio.h>
#include <string.h>

#include "core/family/ibs_regs.h"
#include "drivers/cpu/apic.h"
#include "drivers/pmu/ibs.h"
#include "drivers/pmu/nmi.h"
#include "drivers/pmu/pmc.h"
#include "drivers/pmu/timer.h"

enum { CAPACITY = 4 };

static struct machine machine;
static struct restore_log restore;
static uint64_t ours; /* address of the entry that was opened */
static struct nmi_context engine;
static struct sample_record ring[CAPACITY];
static struct ibs_settings settings;

#define FETCH(period) .fetch = true, .fetch_period = period
#define OP(period)    .op = true, .op_period = period

static enum session_error resolve(enum fake_later which, struct ibs_plan plan)
{
    fake_machine_later(&machine, which);
    settings = (struct ibs_settings){0};
    return ibs_resolve(&plan, &machine, &settings);
}

static void start(enum fake_later which, struct ibs_plan plan)
{
    uint64_t detail;
    assert_int_equal(resolve(which, plan), SESSION_OK);
    memset(ring, 0, sizeof ring);
    restore_init(&restore);
    ibs_init(&engine, &settings, 0, 3, ring, CAPACITY);
    engine.entry[NMI_ENTRY_IBS] = FAKE_APIC + 0x500;
    fake_clear_log();
    assert_int_equal(ibs_start(&engine, &restore, &detail), SESSION_OK);
}

/* ---------------------------------------------------------------- settings */

struct resolve_row {
    enum fake_later which;
    struct ibs_plan plan;
    enum session_error error;
    uint64_t fetch_ctl, op_ctl;
};

TEST(test_resolve)
{
    static const struct resolve_row rows[] = {
        /* 27 bits: the upper seven in 26:20 */
        {FAKE_ZEN2, {OP(0x7FFFFF0)}, SESSION_OK, 0, 0x7F2FFFF},
        {FAKE_16H, {OP(0x1234560), .count_ops = true}, SESSION_OK, 0, 0x12A3456},
        {FAKE_ZEN2, {OP(0x8000000)}, SESSION_OP_PERIOD_EXT, 0, 0},
        {FAKE_ZEN2, {OP(0x80)}, SESSION_OP_PERIOD_LOW, 0, 0},
        {FAKE_ZEN2, {FETCH(0x100000)}, SESSION_FETCH_PERIOD_HIGH, 0, 0},
        /* raised by half the range of CurCnt, with a carry into bit 20 */
        {FAKE_ZEN2, {OP(0xFFFF0), .count_ops = true, .random = true}, SESSION_OK, 0, 0x1A007F},
        {FAKE_ZEN2, {OP(0x7FFF7F0), .count_ops = true, .random = true}, SESSION_OK, 0, 0x7FAFFFF},
        /* cycles: MaxCnt itself varies, unless that would carry out of bit 15 or into it */
        {FAKE_ZEN2, {OP(0x7FFF7F0), .random = true}, SESSION_OK, 0, 0x7F2FF7F},
        {FAKE_ZEN2, {OP(0xFF800), .random = true}, SESSION_OK, 0, 0x120000},
        {FAKE_ZEN2, {OP(0x1007F0), .random = true}, SESSION_OK, 0, 0x1200FF},
        {FAKE_ZEN2, {OP(0x100800), .random = true}, SESSION_OK, 0, 0x120080},
        {FAKE_ZEN2, {OP(0x7FFF800), .random = true}, SESSION_OP_PERIOD_EXT_RANDOM, 0, 0},
        /* filters */
        {FAKE_ZEN2, {OP(0x10000), .l3_miss_only = true}, SESSION_NO_L3_MISS_FILTER, 0, 0},
        {FAKE_ZEN4, {OP(0x10000), .l3_miss_only = true}, SESSION_OK, 0, 0x31000},
        {FAKE_ZEN4, {FETCH(0x10000), .l3_miss_only = true}, SESSION_OK, 0x0A01000000001000, 0},
        {FAKE_ZEN4, {OP(0x10000), .load_latency = 128}, SESSION_NO_LATENCY_FILTER, 0, 0},
        /* erratum 1606: with L3MissOnly */
        {FAKE_ZEN5, {OP(0x10000), .load_latency = 2048}, SESSION_OK, 0, 0xF800000000031000},
        {FAKE_ZEN5, {OP(0x10000), .load_latency = 384}, SESSION_OK, 0, 0x9000000000031000},
        {FAKE_ZEN5, {OP(0x10000), .load_latency = 100}, SESSION_LOAD_LATENCY, 0, 0},
        {FAKE_ZEN5, {OP(0x10000), .load_latency = 2176}, SESSION_LOAD_LATENCY, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        enum session_error error = resolve(rows[i].which, rows[i].plan);
        if (error != rows[i].error || settings.fetch_ctl != rows[i].fetch_ctl || settings.op_ctl != rows[i].op_ctl)
            fail_msg("row %zu: error %d fetch %llx op %llx", i, error, (unsigned long long)settings.fetch_ctl,
                     (unsigned long long)settings.op_ctl);
    }
}

/* Each thing that later families need is a reason for their handler. */
TEST(test_which_handler)
{
    static const struct ibs_settings needs[] = {
        {.op_ctl = IBS_OP_EN},    {.branch_target = true},  {.rip_invalid = true},    {.streams = true},
        {.fetch_extended = true}, {.fetch_en_first = true}, {.op_data3_clear = true}, {.ctl2_dis = true}};

    for (unsigned i = 0; i < sizeof needs / sizeof needs[0]; i++) {
        ibs_init(&engine, &needs[i], 0, 3, ring, CAPACITY);
        assert_int_equal(engine.later.used, i > 0);
        assert_int_equal(engine.later.streams, needs[i].streams ? IBS_ST_OP : 0);
    }
}

/* The mean of the intervals is the period, whatever the random bits. */
TEST(test_random_intervals)
{
    static const uint32_t periods[] = {0x90, 0x10000, 0xFFFF0, 0x100000, 0x7FFF7F0};
    for (size_t i = 0; i < sizeof periods / sizeof periods[0]; i++) {
        double sum = 0;
        enum { DRAWN = 20000 };
        assert_int_equal(resolve(FAKE_ZEN5, (struct ibs_plan){OP(periods[i]), .random = true}), SESSION_OK);
        ibs_init(&engine, &settings, 7, 0, ring, CAPACITY);
        for (unsigned n = 0; n < DRAWN; n++) {
            uint64_t ctl = ibs_next_op_ctl(&engine);
            uint64_t cur_cnt = (ctl & IBS_OP_CUR_CNT_EXT) >> IBS_OP_CUR_CNT_SHIFT;
            assert_int_equal(ctl & ~(IBS_OP_CUR_CNT_EXT | IBS_OP_MAX_CNT | IBS_OP_MAX_CNT_EXT), IBS_OP_EN);
            sum += (double)ibs_op_period(ctl, machine.ibs_caps) - (double)cur_cnt;
        }
        double off = sum / DRAWN - periods[i];
        assert_true(off < 64 && off > -64); /* more than 6 standard deviations of the mean of 4096 values */
    }
}

/* ---------------------------------------------------------------- start and stop */

TEST(test_stop)
{
    uint64_t detail;
    start(FAKE_ZEN2, (struct ibs_plan){FETCH(0x10000), OP(0x20000)});
    assert_string_equal(fake.log, "rdmsr c0011030\nwrmsr c0011030 0\nrdmsr c0011030\n"
                                  "rdmsr c0011033\nwrmsr c0011033 0\nrdmsr c0011033\n"
                                  "wrmsr c0011030 1000000001000\nrdmsr c0011030\n"
                                  "wrmsr c0011033 22000\nrdmsr c0011033\n");
    fake_clear_log();
    assert_int_equal(ibs_stop(&engine, machine.errata & IBS_E_420, 2000, &detail), SESSION_OK);
    assert_string_equal(fake.log, "rdmsr c0011033\nrdmsr c0011030\napic w 500 10400\n"
                                  "wrmsr c0011033 0\nwrmsr c0011030 0\nwrmsr c0011033 0\nwrmsr c0011030 0\n");
    /* MaxCnt's upper bits go with the lower ones. */
    start(FAKE_ZEN2, (struct ibs_plan){OP(0x7FFFFF0)});
    fake_clear_log();
    assert_int_equal(ibs_stop(&engine, true, 2000, &detail), SESSION_OK);
    assert_non_null(strstr(fake.log, "rdmsr c0011033\nwrmsr c0011033 20000\n"));
}

/* CTL2[Dis] is cleared for the run, set to stop, and restored. */
TEST(test_ctl2)
{
    uint64_t detail;
    start(FAKE_ZEN6, (struct ibs_plan){FETCH(0x10000), OP(0x20000)});
    assert_non_null(strstr(fake.log, "rdmsr c001103f\nwrmsr c001103f 0\nrdmsr c001103e\nwrmsr c001103e 0\n"
                                     "wrmsr c0011030 1000000001000\n"));
    fake_clear_log();
    assert_int_equal(ibs_stop(&engine, false, 2000, &detail), SESSION_OK);
    assert_string_equal(fake.log, "wrmsr c001103e 1\nwrmsr c001103f 1\napic w 500 10400\n"
                                  "wrmsr c0011033 0\nwrmsr c0011030 0\n");
    fake_msr(MSR_IBS_OP_CTL2)->value = 0;
    restore_undo(&restore);
    assert_int_equal(restore_failures(&restore), 0);
    assert_int_equal(fake_msr(MSR_IBS_OP_CTL2)->value, IBS_CTL2_DIS);
    assert_int_equal(fake_msr(MSR_IBS_FETCH_CTL2)->value, IBS_CTL2_DIS);
}

/* If either register cannot be read or written, nothing is started, and the register is named. */
TEST(test_ctl2_is_refused)
{
    static const struct {
        uint32_t msr;
        const char *line;
    } rows[] = {{MSR_IBS_FETCH_CTL2, "rdmsr c001103f"},
                {MSR_IBS_FETCH_CTL2, "wrmsr c001103f"},
                {MSR_IBS_OP_CTL2, "rdmsr c001103e"},
                {MSR_IBS_OP_CTL2, "wrmsr c001103e"}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        unsigned access = 0, accesses;
        uint64_t detail;
        char refused[60];

        start(FAKE_ZEN6, (struct ibs_plan){FETCH(0x10000), OP(0x20000)});
        accesses = fake.accesses;
        snprintf(refused, sizeof refused, "%s refused\n", rows[i].line);
        do { /* until this access is the one that is refused */
            assert_true(++access <= accesses);
            fake_machine_later(&machine, FAKE_ZEN6);
            restore_init(&restore);
            ibs_init(&engine, &settings, 0, 3, ring, CAPACITY);
            fake.fault_at = access;
            detail = 0;
            fake_clear_log();
            assert_int_equal(ibs_start(&engine, &restore, &detail), SESSION_MSR_FAULT);
        } while (!strstr(fake.log, refused));
        assert_int_equal(detail, rows[i].msr);
        assert_null(strstr(fake.log, "wrmsr c0011030 1"));
    }
}

/* ---------------------------------------------------------------- the handler */

#define FETCH_READY (IBS_FETCH_EN | IBS_FETCH_VAL | 0x1000)
#define OP_READY    (IBS_OP_EN | IBS_OP_VAL | 0x2000)

static void nmi(uint64_t fetch_ctl, uint64_t op_ctl)
{
    fake_msr(MSR_IBS_FETCH_CTL)->value = fetch_ctl;
    fake_msr(MSR_IBS_OP_CTL)->value = op_ctl;
    fake_clear_log();
    nmi_handler_later(&engine, 0);
}

#define READ_CTLS "rdmsr c0011030\nrdmsr c0011033\n"
#define OP_FIRST  "rdmsr c0011034\nrdmsr c0011035\nrdmsr c0011037\n"

struct handler_row {
    enum fake_later which;
    uint64_t fetch, data, data3;
    const char *log;
};

/* The registers that the handler of later families also reads, and those that it writes first. */
TEST(test_handler)
{
    static const struct handler_row rows[] = {
        /* erratum 718: IbsOpData3 is cleared first */
        {FAKE_15H_00, 0, 0, 0, READ_CTLS OP_FIRST "wrmsr c0011037 0\nwrmsr c0011033 22000\n"},
        {FAKE_15H_30, 0, 0, 0, READ_CTLS OP_FIRST "wrmsr c0011033 22000\n"},
        /* branch targets of branches alone */
        {FAKE_15H_30, 0, IBS_OP_BRN_RET, 0, READ_CTLS OP_FIRST "rdmsr c001103b\nwrmsr c0011033 22000\n"},
        {FAKE_ZEN4, 0, IBS_OP_BRN_RET, 0, READ_CTLS OP_FIRST "rdmsr c001103b\nwrmsr c0011033 22000\n"},
        /* the source of uncacheable loads, of which DcMiss says nothing */
        {FAKE_ZEN4, 0, 0, IBS_LD_OP | IBS_DC_UC_MEM_ACC, READ_CTLS OP_FIRST "rdmsr c0011036\nwrmsr c0011033 22000\n"},
        {FAKE_ZEN4, 0, 0, IBS_LD_OP | IBS_DC_MISS, READ_CTLS OP_FIRST "rdmsr c0011036\nwrmsr c0011033 22000\n"},
        {FAKE_ZEN4, 0, 0, IBS_ST_OP | IBS_DC_UC_MEM_ACC, READ_CTLS OP_FIRST "wrmsr c0011033 22000\n"},
        /* a fetch counts anew when its enable bit rises: 16h to 18h */
        {FAKE_16H, FETCH_READY | IBS_FETCH_COMP, 0, 0,
         READ_CTLS "rdmsr c0011031\nwrmsr c0011030 1000\nwrmsr c0011030 1000000001000\n"},
        {FAKE_15H_30, FETCH_READY | IBS_FETCH_COMP, 0, 0, READ_CTLS "rdmsr c0011031\nwrmsr c0011030 1000000001000\n"},
        /* the latency of the ITLB's refill, of fetches that completed */
        {FAKE_ZEN2, FETCH_READY | IBS_FETCH_COMP, 0, 0,
         READ_CTLS "rdmsr c0011031\nrdmsr c001103c\nwrmsr c0011030 1000\nwrmsr c0011030 1000000001000\n"},
        {FAKE_ZEN2, FETCH_READY, 0, 0, READ_CTLS "rdmsr c0011031\nwrmsr c0011030 1000\nwrmsr c0011030 1000000001000\n"},
        {FAKE_ZEN5, FETCH_READY | IBS_FETCH_COMP | IBS_FETCH_PHY_VALID, 0, 0,
         READ_CTLS "rdmsr c0011031\nrdmsr c0011032\nrdmsr c001103c\nwrmsr c0011030 1000000001000\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct handler_row *row = &rows[i];
        start(row->which, (struct ibs_plan){FETCH(0x10000), OP(0x20000)});
        assert_true(engine.later.used);
        fake_msr(MSR_IBS_FETCH_LINAD)->value = 0xFF11000000401000; /* 57 bits: nothing is sign-extended */
        fake_msr(MSR_IBS_OP_DATA)->value = row->data;
        fake_msr(MSR_IBS_OP_DATA2)->value = 7;
        fake_msr(MSR_IBS_OP_DATA3)->value = row->data3;
        fake_msr(MSR_IBS_BR_TARGET)->value = 0x403000;
        if (machine.ibs_caps & IBS_CAP_FETCHCTLEXTD)
            fake_msr(MSR_IBS_FETCH_EXTD)->value = 0x55;
        nmi(row->fetch, row->fetch ? IBS_OP_EN : OP_READY);
        if (strcmp(fake.log, row->log))
            fail_msg("row %zu:\n%s", i, fake.log);
        assert_int_equal(engine.ring.count, 1);
        if (row->fetch) {
            assert_int_equal(ring[0].reg[IBS_FETCH_LINAD], 0xFF11000000401000);
            assert_int_equal(ring[0].reg[IBS_FETCH_EXTD], strstr(row->log, "103c") ? 0x55 : 0);
        } else {
            assert_int_equal(ring[0].reg[IBS_OP_BRTARGET], strstr(row->log, "103b") ? 0x403000 : 0);
            assert_int_equal(ring[0].reg[IBS_OP_DATA2], strstr(row->log, "1036") ? 7 : 0);
            assert_int_equal(ring[0].reg[IBS_OP_DATA3], row->data3);
        }
    }
}

/* If the processor calls the RIP invalid, the record has the interrupted address, and the bit. */
TEST(test_invalid_rip)
{
    struct cpu_nmi_frame frame = {.rip = 0x405678};

    for (unsigned invalid = 0; invalid < 2; invalid++) {
        start(FAKE_ZEN4, (struct ibs_plan){OP(0x20000)});
        engine.frame = &frame;
        fake_msr(MSR_IBS_OP_RIP)->value = 0x401234;
        fake_msr(MSR_IBS_OP_DATA)->value = invalid ? IBS_OP_RIP_INVALID : 0;
        nmi(0, OP_READY);
        assert_int_equal(ring[0].reg[IBS_OP_RIP], invalid ? 0x405678 : 0x401234);
        assert_int_equal(ring[0].reg[IBS_OP_DATA], invalid ? IBS_OP_RIP_INVALID : 0);
    }
}

/* Zen 6 tells of a store whether it streams, whether the store missed or not: IbsOpData2[8]. */
TEST(test_streaming_stores)
{
    for (unsigned zen6 = 0; zen6 < 2; zen6++) {
        start(FAKE_ZEN5, (struct ibs_plan){OP(0x20000)});
        engine.later.streams = zen6 ? IBS_ST_OP : 0;
        fake_msr(MSR_IBS_OP_DATA2)->value = 0x100;
        fake_msr(MSR_IBS_OP_DATA3)->value = IBS_ST_OP;
        nmi(0, OP_READY);
        assert_int_equal(ring[0].reg[IBS_OP_DATA2], zen6 ? 0x100 : 0);
    }
}

/* The handler counts two samples at once, a full ring, an NMI without a sample, and one after the stop. */
TEST(test_handler_counts)
{
    start(FAKE_ZEN4, (struct ibs_plan){FETCH(0x10000), OP(0x20000)});
    for (unsigned i = 0; i < 3; i++)
        nmi(FETCH_READY, OP_READY);
    assert_int_equal(engine.ring.count, CAPACITY);
    assert_int_equal(engine.counts.recorded[SAMPLE_FETCH], 2);
    assert_int_equal(engine.counts.recorded[SAMPLE_OP], 2);
    assert_int_equal(engine.counts.lost[SAMPLE_FETCH], 1);
    assert_int_equal(engine.counts.lost[SAMPLE_OP], 1);
    assert_string_equal(fake.log, READ_CTLS "wrmsr c0011030 1000000001000\nwrmsr c0011033 22000\n");
    nmi(IBS_FETCH_EN, IBS_OP_EN);
    assert_int_equal(engine.counts.empty, 1);
    engine.state = NMI_STOPPING;
    nmi(FETCH_READY, OP_READY);
    assert_int_equal(engine.counts.late, 1);
    assert_int_equal(engine.counts.nmi, 5);
}

/* ---------------------------------------------------------------- counters */

static struct pmc_engine pmc;
static struct cpu_nmi_frame frame;
/* Samples retired instructions, and only counts cycles. */
static const struct pmc_plan counting = {
    .mode = PMC_SAMPLING,
    .events = 2,
    .event = {{.select = 0x0C0, .os = true, .period = 1000}, {.select = 0x076, .os = true, .count_mask = 6}},
    .groups = 1,
    .group = {{.events = 2, .event = {0, 1}}},
};

static void start_plan(enum fake_later which, const struct pmc_plan *with, uint32_t slice_ticks)
{
    static const struct ibs_settings no_ibs = {0};
    uint64_t detail;
    fake_machine_later(&machine, which);
    if (machine.pmc.version >= 2)
        fake_msr(MSR_PMC_GLOBAL_STATUS)->value = 1ull << 58 | 0x29; /* left by an earlier user */
    assert_int_equal(pmc_check(with, &machine), SESSION_OK);
    memset(ring, 0, sizeof ring);
    restore_init(&restore);
    pmc_init(&pmc, with, slice_ticks);
    pmc_use(&pmc, &machine.pmc);
    ibs_init(&engine, &no_ibs, 0, 3, ring, CAPACITY);
    engine.pmc = &pmc;
    engine.frame = &frame;
    engine.later.window = 100 * machine.tsc_khz;
    frame.rip = 0x401000;
    assert_int_equal(pmc_set_up(&pmc, FAKE_APIC, &restore, &ours, &detail), SESSION_OK);
    assert_int_equal(ibs_start(&engine, &restore, &detail), SESSION_OK);
    fake_clear_log();
    pmc_resume_later(&pmc);
}

static void start_counters(enum fake_later which)
{
    start_plan(which, &counting, 0);
}

#define INSTRUCTIONS 0x1200C0ull /* with the interrupt, for system code */
#define CYCLES       0x6020076ull

/* Families 15h and 17h: six counters at C001_0200h, each with its own enable bit; an overflow by bit 47. */
TEST(test_counters_at_200h)
{
    start_counters(FAKE_ZEN2);
    assert_true(pmc_is_later(&pmc.regs));
    assert_string_equal(fake.log, "wrmsr c0010200 5200c0\nwrmsr c0010202 6420076\n");
    assert_int_equal(fake_msr(0xC0010201)->value, pmc_preset(1000));
    fake_msr(0xC0010201)->value = 5;
    fake_clear_log();
    nmi_handler_later(&engine, 0);
    assert_string_equal(fake.log, "wrmsr c0010200 1200c0\nwrmsr c0010202 6020076\n"
                                  "rdmsr c0010201\nwrmsr c0010201 fffffffffc18\n"
                                  "apic w 340 400\n"
                                  "wrmsr c0010200 5200c0\nwrmsr c0010202 6420076\n");
    assert_int_equal(engine.ring.count, 1);
    assert_int_equal(ring[0].reg[PMC_RIP], 0x401000);
    assert_int_equal(ring[0].reg[PMC_COUNT], 5);
    uint64_t detail;
    assert_int_equal(pmc_stop(&pmc, &detail), SESSION_OK);
    restore_undo(&restore);
    assert_int_equal(restore_failures(&restore), 0);
    assert_int_equal(fake_msr(0xC0010200)->value, 0);
}

/* All six counters are in use: each register is saved, programmed, read and restored; a seventh event has no
 * counter. */
TEST(test_six_counters)
{
    static const struct pmc_plan six = {
        .mode = PMC_COUNTING,
        .events = 7,
        .event = {{.select = 0x0C0, .os = true},
                  {.select = 0x0C1, .os = true},
                  {.select = 0x0C2, .os = true},
                  {.select = 0x0C3, .os = true},
                  {.select = 0x0C4, .os = true},
                  {.select = 0x076, .os = true},
                  {.select = 0x029, .os = true}},
        .groups = 1,
        .group = {{.events = 6, .event = {0, 1, 2, 3, 4, 5}}},
    };
    struct pmc_plan seven = six;
    struct pmc_result result;
    uint64_t detail;
    start_plan(FAKE_ZEN4, &six, 0);
    assert_string_equal(fake.log, "wrmsr c0000301 3f\n");
    assert_int_equal(fake_msr(0xC001020A)->value, 0x420076);
    fake_msr(0xC0010209)->value = 1234;
    fake_msr(0xC001020B)->value = 56789;
    pmc_pause_later(&pmc, fake.tsc);
    assert_int_equal(pmc_stop(&pmc, &detail), SESSION_OK);
    pmc_collect(&pmc, &result);
    assert_int_equal(result.event[4].total, 1234);
    assert_int_equal(result.event[5].total, 56789);
    restore_undo(&restore);
    assert_int_equal(restore_failures(&restore), 0);
    for (uint32_t n = 0; n < 12; n++)
        assert_int_equal(fake_msr(0xC0010200 + n)->value, 0);
    seven.group[0] = (struct pmc_group){.events = 7};
    assert_int_equal(pmc_check(&seven, &machine), SESSION_PMC_GROUP_SIZE);
}

/* Version 2 starts and stops by one write, and tells overflows by the status, which is cleared. */
TEST(test_global_control)
{
    start_counters(FAKE_ZEN4);
    assert_string_equal(fake.log, "wrmsr c0000301 3\n");
    assert_int_equal(fake_msr(MSR_PMC_GLOBAL_STATUS)->value, 0);
    assert_int_equal(fake_msr(0xC0010200)->value, INSTRUCTIONS | PMC_CTL_EN);
    assert_int_equal(fake_msr(0xC0010202)->value, CYCLES | PMC_CTL_EN);
    fake_msr(0xC0010201)->value = 7;
    fake_msr(MSR_PMC_GLOBAL_STATUS)->value = 1;
    fake_clear_log();
    nmi_handler_later(&engine, 0);
    assert_string_equal(fake.log, "wrmsr c0000301 0\n"
                                  "rdmsr c0000300\nwrmsr c0000302 1\n"
                                  "rdmsr c0010201\nwrmsr c0010201 fffffffffc18\n"
                                  "apic w 340 400\n"
                                  "wrmsr c0000301 3\n");
    assert_int_equal(engine.counts.recorded[SAMPLE_PMC], 1);
    /* without a status there is no overflow, whatever the counter holds */
    fake_msr(MSR_PMC_GLOBAL_STATUS)->value = 0;
    fake_msr(0xC0010201)->value = 7;
    nmi_handler_later(&engine, 0);
    assert_int_equal(engine.counts.recorded[SAMPLE_PMC], 1);
    restore_undo(&restore);
    assert_int_equal(restore_failures(&restore), 0);
    assert_int_equal(fake_msr(MSR_PMC_GLOBAL_CTL)->value, 0x3F);
}

/* An NMI whose overflow was handled with another one is late for 100 ms, and empty after that. */
TEST(test_late_overflow)
{
    uint64_t detail;
    start_counters(FAKE_ZEN2);
    nmi_handler_later(&engine, 0); /* before the first overflow it cannot be late */
    assert_int_equal(engine.counts.empty, 1);
    fake_msr(0xC0010201)->value = 5;
    nmi_handler_later(&engine, 0);
    nmi_handler_later(&engine, 0);
    assert_int_equal(engine.counts.late, 1);
    assert_int_equal(engine.counts.empty, 1);
    fake.tsc += 100 * machine.tsc_khz;
    nmi_handler_later(&engine, 0);
    assert_int_equal(engine.counts.late, 1);
    assert_int_equal(engine.counts.empty, 2);
    fake.pauses = 0; /* the stop still waits for an NMI of its own */
    assert_int_equal(ibs_stop(&engine, false, 50000, &detail), SESSION_OK);
    assert_int_equal(fake.pauses, 49);
}

/* Two groups take turns, in a random order. */
TEST(test_turns)
{
    struct pmc_plan two_groups = counting;
    static struct timer_engine timer;
    uint8_t order[TURNS_ORDER];
    two_groups.groups = 2;
    two_groups.group[0].events = 1;
    two_groups.group[1] = (struct pmc_group){.events = 1, .event = {1}};
    two_groups.slice = 2500000;
    two_groups.turns_seed = 3;
    turns_order(order, 2, 3);
    start_plan(FAKE_ZEN2, &two_groups, 1);
    timer = (struct timer_engine){.used = true, .started = true, .apic = FAKE_APIC, .count = 1000};
    fake.apic[APIC_TIMER_INITIAL / 16] = 1000;
    engine.timer = &timer;
    fake_msr(0xC0010201)->value += 300;
    for (unsigned n = 0; n < 12; n++) {
        assert_int_equal(pmc.group, order[n]);
        assert_int_equal(fake_msr(0xC0010200)->value, (order[n] ? CYCLES : INSTRUCTIONS) | PMC_CTL_EN);
        fake.timer_from = 0;
        fake.tsc += 100000000;
        nmi_handler_later(&engine, 0);
    }
    assert_int_equal(pmc.slices[0] + pmc.slices[1], 13);
    assert_int_equal(pmc.slot[0][0].value, pmc_preset(700)); /* the counter continues where it was */
    assert_int_equal(pmc.slot[0][0].turns.turns + pmc.slot[1][0].turns.turns, 12);
    assert_int_equal(pmc.slot[0][0].turns.first, 300);
    assert_int_equal(pmc.slot[0][0].turns.last, 0);
    assert_int_equal(pmc.slot[0][0].turns.events, 300);
    engine.timer = NULL;
}

/* Both counters of a group are programmed at its turn, and continue where they were. */
TEST(test_turns_of_two)
{
    struct pmc_plan two_groups = counting;
    static struct timer_engine timer;
    uint8_t order[TURNS_ORDER];
    two_groups.groups = 2;
    two_groups.group[1] = (struct pmc_group){.events = 2, .event = {1, 0}};
    two_groups.slice = 2500000;
    two_groups.turns_seed = 3;
    turns_order(order, 2, 3);
    for (unsigned global = 0; global < 2; global++) {
        uint64_t values[2][2] = {{pmc_preset(1000), 0}, {0, pmc_preset(1000)}};
        start_plan(global ? FAKE_ZEN4 : FAKE_ZEN2, &two_groups, 1);
        timer = (struct timer_engine){.used = true, .started = true, .apic = FAKE_APIC, .count = 1000};
        fake.apic[APIC_TIMER_INITIAL / 16] = 1000;
        engine.timer = &timer;
        for (unsigned n = 0; n < 12; n++) {
            unsigned group = order[n];
            assert_int_equal(pmc.group, group);
            for (unsigned c = 0; c < 2; c++) {
                assert_int_equal(fake_msr(0xC0010200 + 2 * c)->value,
                                 (c != group ? CYCLES : INSTRUCTIONS) | PMC_CTL_EN);
                if (n)
                    assert_int_equal(fake_msr(0xC0010201 + 2 * c)->value, values[group][c]);
                values[group][c] = fake_msr(0xC0010201 + 2 * c)->value += 10 + n + c;
            }
            fake.timer_from = 0;
            fake.tsc += 100000000;
            nmi_handler_later(&engine, 0);
        }
        engine.timer = NULL;
    }
}

RUN_TESTS(NULL, NULL)
