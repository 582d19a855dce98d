/* SPDX-License-Identifier: BSD-2-Clause */
/* Overflow of the counters: the LVT entry, masking, skid, the events of an interrupt, and the truth. */
#include <string.h>

#include "tests/unit/test.h"
#include "tests/unit/vpmu/program.h"

enum { LVT_COUNTERS = 0x340, LVT_NMI = 0x400, LVT_MASKED = 0x10000 };
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static struct machine machine;

static uint32_t lvt(void)
{
    uint32_t value = 0;

    assert_int_equal(vpmu_apic_read(machine.vpmu, LVT_COUNTERS, &value), VPMU_OK);
    return value;
}

static void set_lvt(uint32_t value)
{
    assert_int_equal(vpmu_apic_write(machine.vpmu, LVT_COUNTERS, value), VPMU_OK);
}

static int end(void **state)
{
    machine_free(&machine);
    return 0;
}

static void start(enum vpmu_revision revision)
{
    end(NULL);
    machine_init(&machine, revision, &paper_map, 1);
    set_lvt(LVT_NMI);
}

static void arm(unsigned n, uint64_t event, uint64_t period)
{
    machine_wrmsr(&machine, PERF_CTR + n, 0 - period);
    machine_wrmsr(&machine, PERF_CTL + n, event | PERF_EN | PERF_INT);
}

/* ---------------------------------------------------------------- the entry */

TEST(test_masked_when_delivered)
{
    start(VPMU_REV_C);
    assert_int_equal(lvt(), LVT_NMI);
    arm(0, EVENT(0x0C0, 0), 1000);
    machine_matmul(&machine, 0, 1);
    assert_int_equal(machine.nmis, 1);
    assert_int_equal(vpmu_nmi_causes(machine.vpmu), VPMU_CAUSE_COUNTER);
    assert_int_equal(vpmu_nmi_causes(machine.vpmu), 0);
    assert_int_equal(lvt(), LVT_NMI | LVT_MASKED);
    assert_int_equal(machine_rdmsr(&machine, PERF_CTR) >> 47, 0); /* the counter continued after 0 */
    assert_true(machine_rdmsr(&machine, PERF_CTR) > 14000);
}

TEST(test_entries_that_let_nothing_through)
{
    static const uint32_t rows[] = {LVT_NMI | LVT_MASKED, 0x0FE, 0x2FE, 0x7FE, LVT_MASKED};

    for (unsigned i = 0; i < COUNT(rows); i++) {
        start(VPMU_REV_C);
        set_lvt(rows[i]);
        arm(0, EVENT(0x0C0, 0), 1000);
        machine_matmul(&machine, 0, 1);
        set_lvt(LVT_NMI); /* too late: the interrupt is lost */
        machine_matmul(&machine, 1, 2);
        assert_int_equal(machine.nmis, 0);
        assert_int_equal(machine.vpmu->apic.lost, 1);
    }
}

TEST(test_entry_bits)
{
    start(VPMU_REV_C);
    set_lvt(0xFFFFFFFF);
    assert_int_equal(lvt(), 0x107FF);
    start(VPMU_REV_B);
    assert_int_equal(lvt(), LVT_NMI);
}

TEST(test_no_int_no_interrupt)
{
    start(VPMU_REV_C);
    machine_wrmsr(&machine, PERF_CTR, 0 - 1000ull);
    machine_wrmsr(&machine, PERF_CTL, EVENT(0x0C0, 0) | PERF_EN);
    machine_matmul(&machine, 0, 1);
    assert_int_equal(machine.nmis, 0);
    assert_int_equal(machine.vpmu->apic.requests, 0);
}

TEST(test_two_counters_one_nmi)
{
    start(VPMU_REV_C);
    arm(0, EVENT(0x0C0, 0), 1000);
    arm(3, EVENT(0x0C1, 0), 1001); /* while the first interrupt is on its way */
    machine_matmul(&machine, 0, 1);
    assert_int_equal(machine.vpmu->apic.requests, 2);
    assert_int_equal(machine.vpmu->apic.lost, 0);
    assert_int_equal(machine.nmis, 1);
}

TEST(test_stopped_while_on_its_way)
{
    uint64_t ops;

    start(VPMU_REV_C);
    arm(0, EVENT(0x0C0, 0), 10);
    for (unsigned i = 0; i < 12; i++)
        machine_step(&machine, PAPER_BASE + paper_map.insns[i % 7].rva);
    assert_int_equal(machine.nmis, 0);
    assert_int_equal(machine.vpmu->apic.requests, 1);
    assert_true(vpmu_armed(machine.vpmu));
    machine_wrmsr(&machine, PERF_CTL, 0);
    assert_true(vpmu_armed(machine.vpmu)); /* the interrupt still has to come */
    assert_true(vpmu_take_pending_nmi(machine.vpmu));
    assert_false(vpmu_take_pending_nmi(machine.vpmu));
    assert_false(vpmu_armed(machine.vpmu));
    assert_int_equal(lvt(), LVT_NMI | LVT_MASKED);
    /* If the next instruction takes the interrupt instead, that instruction's ops are not part of the skid. */
    start(VPMU_REV_C);
    arm(0, EVENT(0x0C0, 0), 10);
    for (unsigned i = 0; i < 12; i++)
        machine_step(&machine, PAPER_BASE + paper_map.insns[i % 7].rva);
    machine_wrmsr(&machine, PERF_CTL, 0);
    ops = machine.vpmu->apic.ops;
    machine_step(&machine, PAPER_BASE + paper_map.insns[5].rva);
    assert_int_equal(machine.nmis, 1);
    assert_int_equal(machine.vpmu->apic.ops, ops);
    assert_int_equal(machine.vpmu->apic.skid_ops, ops);
    assert_int_equal(machine.vpmu->apic.skid_max, ops);
}

/* ---------------------------------------------------------------- periods */

static struct {
    uint64_t event, period;
    uint64_t at[PAPER_INSNS];
    uint64_t samples, values;
    uint64_t counted; /* number of periods, and the counter's contents after each */
    uint64_t next;    /* the present period */
} sampler;

static void sample(struct machine *m)
{
    machine_wrmsr(m, PERF_CTL, sampler.event | PERF_INT);
    assert_int_equal(machine_rdmsr(m, PERF_CTR) >> 47, 0);
    sampler.values += machine_rdmsr(m, PERF_CTR);
    sampler.counted += sampler.next + machine_rdmsr(m, PERF_CTR);
    for (unsigned i = 0; i < PAPER_INSNS; i++)
        sampler.at[i] += m->vpmu->pending->rip == PAPER_BASE + paper_map.insns[i].rva;
    sampler.samples++;
    set_lvt(LVT_NMI);
    sampler.next = sampler.period + sampler.samples % 16;
    arm(0, sampler.event, sampler.next);
}

static void sample_columns(uint64_t event, uint64_t period, unsigned columns)
{
    memset(&sampler, 0, sizeof(sampler));
    sampler.event = event;
    sampler.period = sampler.next = period;
    machine.handler = sample;
    arm(0, event, period);
    machine_matmul(&machine, 0, columns);
    sampler.counted +=
        (machine_rdmsr(&machine, PERF_CTR) + sampler.next) & ((1ull << 48) - 1); /* events since the last interrupt */
    machine_wrmsr(&machine, PERF_CTL, 0);
}

/* Events after the overflow are in the counter when it is read, so none is counted twice or lost. Another counter of
 * the same event that is left alone has those of the periods, those after them, and those of the instruction that
 * stands for the WRMSR by which the first counter continues. */
TEST(test_every_period_is_a_sample)
{
    static const struct {
        uint64_t event, period;
        uint64_t least, most; /* the least and the most events of one instruction */
    } rows[] = {{EVENT(0x0C0, 0), 1000, 1, 1},
                {EVENT(0x076, 0), 900, 0, 200},
                {EVENT(0x040, 0), 700, 0, 1},
                {EVENT(0x041, 0), 40, 0, 1},
                {EVENT(0x042, 0x1F), 50, 0, 2},
                {EVENT(0x046, 0x07), 100, 0, 1},
                {EVENT(0x0D1, 0), 500, 0, 200},
                {EVENT(0x087, 0), 500, 0, 200},
                {AT_LEAST(0x0C1, 2), 500, 0, 1},
                {EVENT(0x069, 3), 3000, 0, 165},
                {AT_LEAST(0x076, 2) | PERF_INV, 900, 0, 200}};

    for (unsigned i = 0; i < COUNT(rows); i++) {
        uint64_t all;

        start(VPMU_REV_C);
        counter_start(&machine, 1, rows[i].event);
        sample_columns(rows[i].event, rows[i].period, 20);
        all = machine_rdmsr(&machine, PERF_CTR + 1);
        assert_true(sampler.samples >= 5);
        assert_int_equal(machine.vpmu->apic.lost, 0);
        assert_in_range(all - sampler.counted, rows[i].least * sampler.samples, rows[i].most * sampler.samples);
        assert_true(sampler.samples <= all / rows[i].period);
    }
}

/* By docs/model.md the core recognises the interrupt 8 to 39 cycles after the event, uniformly. Instructions of one
 * cycle each count the cycles; the NMI is one more. */
TEST(test_delay_of_an_interrupt)
{
    enum { LENGTH = 40, SAMPLES = 2000 };
    static struct program program;
    struct codemap_insn code[LENGTH];
    unsigned seen[48] = {0}, samples = 0;
    uint64_t sum = 0;

    for (unsigned i = 0; i < LENGTH; i++)
        code[i] = (struct codemap_insn){.reads = 1, .writes = 1};
    code[LENGTH - 1].unit = CODEMAP_UNIT_BRANCH;
    code[LENGTH - 1].branch = CODEMAP_BR_JUMP;
    code[LENGTH - 1].target = PROGRAM_FIRST;
    program_load(&program, VPMU_REV_C, code, LENGTH, NULL);
    program_run(&program, 10);
    for (unsigned i = 0; samples < SAMPLES; i++) {
        if (i == 0 || program.machine.nmis > samples) {
            if (i > 0) {
                uint64_t delay = machine_rdmsr(&program.machine, PERF_CTR) - 1;

                assert_in_range(delay, 8, 39);
                seen[delay]++;
                sum += delay;
                samples++;
            }
            machine_wrmsr(&program.machine, PERF_CTL, 0);
            vpmu_apic_write(program.machine.vpmu, LVT_COUNTERS, LVT_NMI);
            machine_wrmsr(&program.machine, PERF_CTR, 0 - 101ull);
            machine_wrmsr(&program.machine, PERF_CTL, EVENT(0x0C0, 0) | PERF_EN | PERF_INT);
        }
        machine_step(&program.machine, PAPER_BASE + PROGRAM_FIRST + 4 * (i % LENGTH));
    }
    for (unsigned delay = 8; delay < 40; delay++) /* 62.5 each, with a standard deviation of 7.8 */
        assert_in_range(seen[delay], 62 - 32, 62 + 32);
    assert_in_range(sum * 10 / SAMPLES, 235 - 9, 235 + 9); /* 9.2 / sqrt(2000) is 0.21 */
    program_end(&program);
}

/* ---------------------------------------------------------------- skid */

TEST(test_skid_is_at_most_the_reorder_buffer)
{
    static const struct {
        uint64_t event, period;
    } rows[] = {{EVENT(0x0C0, 0), 60}, {EVENT(0x076, 0), 60}, {EVENT(0x040, 0), 60}, {EVENT(0x041, 0), 60},
                {EVENT(0x0C4, 0), 60}, {EVENT(0x0D0, 0), 15}, {EVENT(0x080, 0), 60}};

    for (unsigned i = 0; i < COUNT(rows); i++) {
        start(VPMU_REV_C);
        sample_columns(rows[i].event, rows[i].period, 30);
        assert_true(sampler.samples > 10);
        assert_in_range(machine.vpmu->apic.skid_max, i == 0, 72); /* nothing retires while dispatch stalls */
    }
}

/* One instruction has the event; the interrupt comes after that instruction, never at it or before. */
TEST(test_never_before_the_event)
{
    static struct program program;
    struct codemap_insn code[40];

    for (unsigned i = 0; i < 40; i++)
        code[i] = (struct codemap_insn){.writes = 1ull << (i % 4)};
    code[10] = (struct codemap_insn){.path = CODEMAP_PATH_DOUBLE, .ops = 2, .writes = 1};
    code[39] = (struct codemap_insn){.unit = CODEMAP_UNIT_BRANCH, .branch = CODEMAP_BR_JUMP, .target = PROGRAM_FIRST};
    program_load(&program, VPMU_REV_C, code, 40, NULL);
    for (unsigned round = 1; round < 200; round++) {
        unsigned at = 0;
        uint64_t before = program.machine.nmis, rip;

        vpmu_apic_write(program.machine.vpmu, LVT_COUNTERS, LVT_NMI);
        machine_wrmsr(&program.machine, PERF_CTR, 0 - 1ull);
        machine_wrmsr(&program.machine, PERF_CTL, EVENT(0x0CC, 7) | PERF_EN | PERF_INT);
        while (program.machine.nmis == before) {
            assert_true(at < 10 + 73); /* at most 72 ops after the event */
            rip = PAPER_BASE + PROGRAM_FIRST + 4 * (at++ % 40);
            machine_step(&program.machine, rip);
        }
        assert_true(at > 11); /* the next instruction is announced by the 12th step */
        machine_wrmsr(&program.machine, PERF_CTL, 0);
        while (at++ % 40 != 0)
            machine_step(&program.machine, PAPER_BASE + PROGRAM_FIRST + 4 * ((at - 1) % 40));
    }
    program_end(&program);
}

/* An instruction with many events at once wraps its counter immediately. */
TEST(test_noticed_at_once)
{
    static const struct codemap_insn code[] = {
        {.path = CODEMAP_PATH_VECTOR, .ops = 40, .writes = 1},
        {.writes = 2},
        {.unit = CODEMAP_UNIT_BRANCH, .branch = CODEMAP_BR_JUMP, .target = PROGRAM_FIRST},
    };
    static struct program program;

    program_load(&program, VPMU_REV_C, code, COUNT(code), NULL);
    machine_wrmsr(&program.machine, PERF_CTR, 0 - 1999ull);
    machine_wrmsr(&program.machine, PERF_CTL, EVENT(0x0C1, 0) | PERF_EN | PERF_INT);
    for (unsigned i = 0; i < 300; i++) {
        machine_step(&program.machine, PAPER_BASE + PROGRAM_FIRST + 4 * (i % 3));
        assert_int_equal(program.machine.vpmu->apic.requests, machine_rdmsr(&program.machine, PERF_CTR) >> 47 == 0);
    }
    assert_int_equal(program.machine.vpmu->apic.requests, 1);
    program_end(&program);
}

/* The interrupts of a long instruction's cycles come right after the instruction, because they reach the core before it
 * retires. */
TEST(test_cycles_of_a_long_instruction)
{
    static struct program program;
    struct codemap_insn code[70];
    unsigned right_after = 0, all = 0;

    for (unsigned i = 0; i < 70; i++)
        code[i] = (struct codemap_insn){.reads = 1, .writes = 1};
    code[10].unit = CODEMAP_UNIT_IDIV; /* 83 cycles of about 150 */
    code[69] = (struct codemap_insn){.unit = CODEMAP_UNIT_BRANCH, .branch = CODEMAP_BR_JUMP, .target = PROGRAM_FIRST};
    program_load(&program, VPMU_REV_C, code, 70, NULL);
    for (unsigned i = 0; all < 200; i++) {
        if (program.machine.nmis > all || i == 0) {
            right_after += program.machine.vpmu->pending->rip == PAPER_BASE + PROGRAM_FIRST + 4 * 11;
            all = (unsigned)program.machine.nmis;
            machine_wrmsr(&program.machine, PERF_CTL, 0);
            vpmu_apic_write(program.machine.vpmu, LVT_COUNTERS, LVT_NMI);
            machine_wrmsr(&program.machine, PERF_CTR, 0 - 977ull - all);
            machine_wrmsr(&program.machine, PERF_CTL, EVENT(0x076, 0) | PERF_EN | PERF_INT);
        }
        machine_step(&program.machine, PAPER_BASE + PROGRAM_FIRST + 4 * (i % 70));
    }
    assert_in_range(right_after, 100, 170); /* 83 of 150, and those less than 40 cycles before the instruction */
    program_end(&program);
}

TEST(test_counts_masked_loses_all_but_one)
{
    start(VPMU_REV_C);
    machine.handler = NULL; /* leaves the entry masked */
    for (unsigned n = 0; n < 4; n++)
        arm(n, EVENT(0x0C0, 0), 1000 * (n + 1));
    machine_matmul(&machine, 0, 1);
    assert_int_equal(machine.nmis, 1);
    assert_int_equal(machine.vpmu->apic.requests, 4);
    assert_int_equal(machine.vpmu->apic.lost, 3);
}

/* The paper's section 3 reports data cache misses of one load all over the instructions after that load. */
TEST(test_paper_smear)
{
    uint64_t elsewhere;

    start(VPMU_REV_B);
    sample_columns(EVENT(0x041, 0), 100, 400);
    elsewhere = sampler.samples - sampler.at[PAPER_FMUL_B] - sampler.at[PAPER_FADD_SUM] - sampler.at[PAPER_FSTP_SUM] -
                sampler.at[PAPER_JMP];
    assert_true(sampler.samples > 800);
    /* The figures are those of the table in docs/model.md, four standard errors either way: of 800 samples 6.6 % at two
     * thirds. The paper has 3 % at the culprit and 51 % at the next instruction; the model differs by its choice of a
     * delay. */
    assert_in_range(sampler.at[PAPER_FMUL_B] * 1000 / sampler.samples, 41 - 28, 41 + 28);
    assert_in_range(sampler.at[PAPER_FADD_SUM] * 1000 / sampler.samples, 686 - 66, 686 + 66);
    assert_in_range(sampler.at[PAPER_FSTP_SUM] * 1000 / sampler.samples, 106 - 44, 106 + 44);
    assert_in_range(sampler.at[PAPER_JMP] * 1000 / sampler.samples, 54 - 32, 54 + 32);
    assert_in_range(elsewhere * 1000 / sampler.samples, 101 - 43, 101 + 43);
}

TEST(test_same_seed_same_samples)
{
    uint64_t first[PAPER_INSNS];

    start(VPMU_REV_C);
    sample_columns(EVENT(0x041, 0), 60, 20);
    memcpy(first, sampler.at, sizeof(first));
    start(VPMU_REV_C);
    sample_columns(EVENT(0x041, 0), 60, 20);
    assert_memory_equal(first, sampler.at, sizeof(first));
}

/* ---------------------------------------------------------------- events of an interrupt, and the truth */

TEST(test_an_interrupt_is_an_instruction)
{
    static const uint64_t events[] = {EVENT(0x0CF, 0), EVENT(0x0C2, 0), EVENT(0x0C3, 0)};
    uint64_t branches, wrong;

    start(VPMU_REV_C);
    for (unsigned n = 0; n < 3; n++)
        counter_start(&machine, n + 1, events[n]);
    sample_columns(EVENT(0x0C0, 0), 1000, 5);
    assert_true(sampler.samples > 50);
    assert_int_equal(counter_stop(&machine, 1), sampler.samples);
    branches = wrong = 0;
    for (unsigned i = 0; i <= PAPER_INSNS; i++) {
        branches += machine.vpmu->truth.rows[i].branches;
        wrong += machine.vpmu->truth.rows[i].mispredicted;
    }
    assert_int_equal(counter_stop(&machine, 2), branches + sampler.samples);
    assert_int_equal(counter_stop(&machine, 3), wrong + sampler.samples);
}

static char csv[1 << 18];

static const char *truth_text(void)
{
    struct out_memory out;

    out_memory_init(&out, csv, sizeof(csv));
    vpmu_write_truth(machine.vpmu, &out.out);
    assert_true(out.needed < sizeof(csv));
    return csv;
}

static uint64_t number_after(const char *line)
{
    const char *at = strstr(truth_text(), line);
    uint64_t number = 0;

    if (!at)
        fail_msg("no line \"%s\"", line);
    for (at += strlen(line); *at >= '0' && *at <= '9'; at++)
        number = number * 10 + (uint64_t)(*at - '0');
    return number;
}

static void outside(unsigned steps)
{
    for (unsigned i = 0; i < steps; i++)
        machine_step(&machine, 0x10000000 + i);
}

TEST(test_truth_tells_the_workload_from_the_rest)
{
    uint64_t all, inside;

    start(VPMU_REV_C);
    outside(10);
    counter_start(&machine, 0, EVENT(0x0C0, 0)); /* while instruction 10 is announced */
    counter_start(&machine, 1, EVENT(0x040, 0));
    outside(20);
    machine_matmul(&machine, 0, 1);
    outside(5);
    counter_stop(&machine, 1); /* instruction 5 is announced */
    counter_stop(&machine, 0);
    all = number_after("\n# pmc,0c0,00,");
    inside = number_after("\n# pmc_workload,0c0,00,");
    assert_int_equal(inside, 8 + 1000 * 13 + 999 * 3 + 5 + 6);
    assert_int_equal(all, 20 + inside + 4);
    assert_int_equal(number_after("\n# pmc_workload,040,00,"), number_after("\n# pmc,040,00,"));
    assert_int_equal(number_after("\n# pmc_run,0,200c0,0c0,00,1,"), all);
    assert_int_equal(number_after("\n# pmc_run,0,200c0,0c0,00,1,16040,"), inside);
    assert_int_equal(number_after("\n# pmc_runs_lost,"), 0);
    assert_null(strstr(truth_text(), "\n# pmc,02b,")); /* the event cannot happen, so it is not modelled */
    assert_null(strstr(csv, "\n# pmc,0d9,"));
}

/* Runs beyond the size of the table are counted, but their counts are dropped. */
TEST(test_truth_of_many_runs)
{
    start(VPMU_REV_C);
    for (unsigned i = 0; i < PMC_RUNS + 3; i++) {
        outside(2);
        counter_start(&machine, 0, EVENT(0x0C0, 0));
        outside(5);
        counter_stop(&machine, 0);
    }
    assert_int_equal(number_after("\n# pmc_runs_lost,"), 3);
    assert_int_equal(number_after("\n# pmc_run,0,200c0,0c0,00,1,"), 4); /* the first run; all are alike */
    assert_int_equal(number_after("\n# pmc,0c0,00,"), 4 * (PMC_RUNS + 3));
}

TEST(test_truth_of_cycles_and_interrupts)
{
    start(VPMU_REV_C);
    machine_matmul(&machine, 0, 1);
    counter_start(&machine, 0, EVENT(0x076, 0));
    machine_matmul(&machine, 1, 3);
    assert_int_equal(counter_stop(&machine, 0), number_after("\n# pmc,076,00,"));

    start(VPMU_REV_C);
    sample_columns(EVENT(0x0C0, 0), 1000, 5);
    assert_int_equal(number_after("\n# pmc,0cf,00,"), sampler.samples);
    assert_int_equal(number_after("\n# pmc_workload,0cf,00,"), 0); /* an interrupt does not belong to the workload */
}

TEST(test_truth_of_nothing_when_none_counts)
{
    start(VPMU_REV_C);
    machine_wrmsr(&machine, 0xC0011033, 1 << 17); /* only IBS */
    machine_matmul(&machine, 0, 1);
    assert_int_equal(number_after("\n# pmc,0c0,00,"), 0);
    assert_int_equal(number_after("\n# pmc,041,00,"), 0);
    assert_int_equal(number_after("\n# pmc,076,00,"), 0);
}

TEST(test_runs_of_a_counter)
{
    uint64_t a = EVENT(0x0C0, 0), b = EVENT(0x0C2, 0);

    start(VPMU_REV_C);
    /* Two groups alternate: two runs of two windows each. */
    for (unsigned i = 0; i < 2; i++) {
        machine_wrmsr(&machine, PERF_CTL, a | PERF_EN);
        machine_matmul(&machine, i, i + 1);
        machine_wrmsr(&machine, PERF_CTL, a);
        machine_wrmsr(&machine, PERF_CTL, b);
        machine_wrmsr(&machine, PERF_CTL, b | PERF_EN);
        machine_matmul(&machine, i, i + 1);
        machine_wrmsr(&machine, PERF_CTL, b);
    }
    /* A control that was cleared and is used again begins another run. */
    machine_wrmsr(&machine, PERF_CTL, 0);
    machine_wrmsr(&machine, PERF_CTL, b | PERF_EN);
    machine_matmul(&machine, 0, 1);
    machine_wrmsr(&machine, PERF_CTL, 0);
    assert_int_equal(number_after("\n# pmc_run,0,200c0,0c0,00,2,"), 2 * 16016 - 2);
    assert_int_equal(number_after("\n# pmc_run,0,200c2,0c2,00,2,"), 2 * 2004 - 2);
    assert_int_equal(number_after("\n# pmc_run,0,200c2,0c2,00,1,"), 2004 - 1);
}

TEST(test_pausing_does_not_flush_the_tlbs)
{
    uint64_t walks;

    start(VPMU_REV_C);
    counter_start(&machine, 0, EVENT(0x0C0, 0));
    machine_matmul(&machine, 0, 1);
    walks = machine.vpmu->tlbs.walks;
    machine_wrmsr(&machine, PERF_CTL, EVENT(0x0C0, 0));
    machine_wrmsr(&machine, PERF_CTL, EVENT(0x0C0, 0) | PERF_EN);
    for (unsigned i = 0; i < 5; i++)
        machine_step(&machine, PAPER_BASE + paper_map.insns[i].rva);
    assert_int_equal(machine.vpmu->tlbs.walks, walks);
    machine_wrmsr(&machine, PERF_CTL, 0);
    machine_wrmsr(&machine, PERF_CTL, EVENT(0x0C0, 0)); /* the counter begins again */
    machine_wrmsr(&machine, PERF_CTL, EVENT(0x0C0, 0) | PERF_EN);
    for (unsigned i = 0; i < 5; i++)
        machine_step(&machine, PAPER_BASE + paper_map.insns[i].rva);
    assert_true(machine.vpmu->tlbs.walks > walks);
}

RUN_TESTS(NULL, end)
