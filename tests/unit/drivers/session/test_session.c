/* SPDX-License-Identifier: BSD-2-Clause */
/* Whole runs: the order of all steps, every exit path, an exception at each access in turn. */
#include "tests/unit/drivers/run_fixture.h"

#include <string.h>

#include "core/code/code.h"
#include "core/family/ibs_regs.h"
#include "drivers/cores/core_state.h"
#include "drivers/trace/fault.h"
#include "drivers/cpu/kept_state.h"
#include "drivers/pmu/nmi.h"
#include "drivers/trace/trace.h"

#define FETCH_READY (IBS_FETCH_EN | IBS_FETCH_VAL | 0x1000)
#define OP_READY    (IBS_OP_EN | IBS_OP_VAL | 0x2000)

static void sampled_body(void *argument, uint64_t arena)
{
    body(argument, arena);
    fake_msr(MSR_IBS_FETCH_CTL)->value = FETCH_READY;
    fake_msr(MSR_IBS_OP_CTL)->value = OP_READY;
    fake_msr(MSR_IBS_OP_DATA3)->value = IBS_LD_OP | IBS_DC_MISS | IBS_DC_LIN_ADDR_VALID | IBS_DC_PHY_ADDR_VALID;
    fake_nmi();
}

static void dividing_body(void *argument, uint64_t arena)
{
    body(argument, arena);
    fake_raise(0, 0);
    fail_msg("came back from a divide error");
}

TEST(test_whole_sequence)
{
    set_up(MODEL_C, 1);
    plan.calls.body = sampled_body;
    run();
    assert_string_equal(
        fake.log, "cli\nlgdt ours\nltr 48\nlidt ours\napic r f0\nfxsave\nfninit\n"
                  "cr3 ours\n"
                  "apic r 400\napic r 510\nrdmsr c001001f\nwrmsr c001001f 402000000008\nin cf8\n"
                  "out cf8 8100c3cc\nin cfc\nout cf8 8100c3cc\nout cfc 101\nout cf8 8100c3cc\nin cfc\n"
                  "rdmsr c001103a\napic r 510\napic w 510 400\napic r 510\nin 61\n"
                  "prepare\n"
                  "rdmsr c0011030\nwrmsr c0011030 0\nrdmsr c0011030\nrdmsr c0011033\nwrmsr c0011033 0\nrdmsr c0011033\n"
                  "wrmsr c0011030 1000000001000\nrdmsr c0011030\nwrmsr c0011033 22000\nrdmsr c0011033\n"
                  "body\n"
                  "rdmsr c0011030\nrdmsr c0011033\nrdmsr c0011031\n"
                  "rdmsr c0011034\nrdmsr c0011035\nrdmsr c0011037\nrdmsr c0011036\nrdmsr c0011038\nrdmsr c0011039\n"
                  "wrmsr c0011030 1000000001000\nwrmsr c0011033 22000\n"
                  "rdmsr c0011033\nwrmsr c0011033 20000\nrdmsr c0011030\nwrmsr c0011030 1000000000000\n"
                  "apic w 510 10400\nwrmsr c0011033 0\nwrmsr c0011030 0\n"
                  "wrmsr c0011033 0\nwrmsr c0011030 0\n"
                  "finish\nfxrstor\n"
                  "wrmsr c0011033 0\nrdmsr c0011033\nwrmsr c0011030 0\nrdmsr c0011030\n"
                  "apic w 510 10000\napic r 510\n"
                  "out cf8 8100c3cc\nout cfc 0\nout cf8 8100c3cc\nin cfc\nout cf8 80000cac\nin cf8\n"
                  "wrmsr c001001f 2000000008\nrdmsr c001001f\n"
                  "cr3 firmware\nlidt firmware\nltr 48\nlgdt firmware\nsti\n");
}

/* There is a code before each step, and none between the first write that arms something and the last that disarms
 * it. */
TEST(test_codes_of_a_run)
{
    static const char *const steps[] = {
        "cli\npost 10\nlgdt ours\n",
        "post 11\napic r f0\n",
        "post 12\ncr3 ours\n",
        "post 13\napic r 400\n",
        "post 14\nrdmsr c001001f\n",
        "post 15\nrdmsr c001103a\n",
        "post 16\nin 61\n",
        "post 17\nprepare\npost 18\npost 19\npost 1a\npost 1b\nrdmsr c0011030\n",
        "wrmsr c0011033 0\nwrmsr c0011030 0\npost 1c\n",
        "post 1d\nfinish\npost 1e\nfxrstor\n",
        "post 1f\nlidt firmware\n",
    };
    const char *at, *armed, *told;
    set_up(MODEL_C, 1);
    plan.calls.body = sampled_body;
    plan.place.cpu = 0;
    (void)trace_begin(TRACE_POST, UART_115200);
    run();
    (void)trace_begin(TRACE_NONE, UART_115200);
    at = fake.log;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
        if (!(at = strstr(at, steps[i])))
            fail_msg("%s is not there or too late:\n%s", steps[i], fake.log);
    assert_int_equal(fake.posts, 16);
    armed = strstr(fake.log, "wrmsr c0011030 1000000001000\n");
    told = strstr(armed, "post ");
    assert_true(told && strncmp(told, "post 1c", 7) == 0);
}

/* Codes do not delay cores that begin together, and other cores have none. */
TEST(test_codes_of_several_cores)
{
    static struct gang gang;
    static struct gang_member members[1];
    for (unsigned cpu = 0; cpu < 2; cpu++) {
        set_up(MODEL_C, 1);
        plan.place.cpu = cpu;
        gang_init(&gang, members, 1, true, 1000000, 0);
        plan.place.gang = &gang;
        (void)trace_begin(TRACE_POST, UART_115200);
        run();
        (void)trace_begin(TRACE_NONE, UART_115200);
        assert_int_equal(result.error, SESSION_OK);
        if (cpu)
            assert_memory_equal(fake.post, "\x13\x14\x15",
                                fake.posts); /* codes of steps that only the first core makes */
        else
            assert_memory_equal(fake.post, "\x10\x11\x12\x13\x14\x15\x16\x17\x18\x1c\x1d\x1e\x1f", fake.posts);
        assert_int_equal(fake.posts, cpu ? 3 : 13);
    }
}

static void set_up_later(enum fake_later which)
{
    set_up(MODEL_C, 1);
    fake_reset_later(which);
    machine_probe(&machine);
    machine.tsc_khz = 2500000;
    fake_clear_log();
    fake.accesses = 0;
}

/* If the firmware assigns the entry, nothing is done at northbridges, and no code says so. */
TEST(test_codes_of_later_families)
{
    set_up_later(FAKE_ZEN4);
    plan.place.cpu = 0;
    (void)trace_begin(TRACE_POST, UART_115200);
    run();
    (void)trace_begin(TRACE_NONE, UART_115200);
    assert_int_equal(result.error, SESSION_OK);
    assert_int_equal(fake.posts, 15);
    assert_memory_equal(fake.post, "\x10\x11\x12\x13\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f", 15);
}

/* Only the erratum of the engine itself has a code for the stop. */
TEST(test_erratum_of_the_stop)
{
    for (unsigned bit = 0; bit < 32; bit++) {
        set_up(MODEL_C, 1);
        machine.errata = 1u << bit;
        run();
        assert_int_equal(result.error, SESSION_OK);
        assert_int_equal(strstr(fake.log, "rdmsr c0011033\nwrmsr c0011033 20000\n") != NULL,
                         machine.errata == IBS_E_420);
        assert_true(same_as_before());
    }
}

/* An exception has its code before anything is done about it. */
TEST(test_code_of_an_exception)
{
    set_up(MODEL_C, 1);
    plan.calls.body = dividing_body;
    plan.place.cpu = 0;
    (void)trace_begin(TRACE_POST, UART_115200);
    run();
    (void)trace_begin(TRACE_NONE, UART_115200);
    assert_memory_equal(fake.post + 11, "\x1b\xc0\x1c", 3);
}

TEST(test_result)
{
    set_up(MODEL_C, 1);
    plan.calls.body = sampled_body;
    run();
    assert_int_equal(result.error, SESSION_OK);
    assert_false(result.faulted);
    assert_int_equal(result.samples, 2);
    assert_int_equal(result.counts.nmi, 1);
    assert_int_equal(result.counts.recorded[SAMPLE_FETCH], 1);
    assert_int_equal(result.counts.recorded[SAMPLE_OP], 1);
    assert_int_equal(result.lvt_offset, 1);
    assert_int_equal(result.settings.op_ctl, 0x22000);
    assert_true(result.tsc_stop > result.tsc_start && result.tsc_start > 0);
    assert_int_equal(result.arena >> 39, 128);
    assert_int_equal(records[0].cpu, 1);
    /* registers that were not read are 0, and nothing behind the ring was written */
    assert_int_equal(records[0].reg[IBS_FETCH_PHYSAD], 0);
    assert_int_equal(records[2].tsc, 0);
    assert_int_equal(records[CAPACITY].tsc, 0x5A5A5A5A5A5A5A5A);
    assert_int_equal(calls[0] + calls[1] + calls[2], 3);
    assert_true(same_as_before());
    for (uint32_t i = 0; i < result.restore.count; i++)
        assert_true(result.restore.row[i].ok);
    assert_int_equal(result.restore.failed, 0);
}

static void interrupted_body(void *argument, uint64_t arena)
{
    body(argument, arena);
    fake_raise(0x40, 0);
    fake_raise(0x41, 0);
    fake_raise(0x40, 0);
}

TEST(test_interrupts_that_should_not_come_are_told)
{
    for (unsigned some = 0; some < 2; some++) {
        set_up(MODEL_C, 1);
        plan.calls.body = some ? interrupted_body : body;
        run();
        assert_int_equal(result.error, SESSION_OK);
        assert_int_equal(result.spurious_interrupts, some ? 3 : 0);
        /* Each interrupt is ended, since otherwise none of its priority comes again. */
        if (some)
            assert_non_null(strstr(fake.log, "body\napic w b0 0\napic w b0 0\napic w b0 0\n"));
    }
}

/* With one kind of IBS sampling the interrupt has its entry, and records need room. */
TEST(test_one_kind_alone)
{
    for (unsigned fetch = 0; fetch < 2; fetch++) {
        set_up(MODEL_C, 1);
        plan.calls.body = sampled_body;
        plan.program.ibs.fetch = fetch;
        plan.program.ibs.op = !fetch;
        run();
        assert_int_equal(result.error, SESSION_OK);
        assert_int_equal(result.lvt_offset, 1);
        assert_int_equal(result.counts.recorded[SAMPLE_FETCH], fetch);
        assert_int_equal(result.counts.recorded[SAMPLE_OP], !fetch);
        assert_int_equal(result.samples, 1);
        assert_null(strstr(fake.log, fetch ? "c0011033" : "c0011030"));
        assert_non_null(strstr(fake.log, "out cfc 101"));
        plan.place.records = NULL;
        assert_int_equal(session_check(&plan), SESSION_NO_RING);
    }
}

/* Each row is saved before its register's first write: 'before' is the value before the run. */
TEST(test_restore_log)
{
    static const struct {
        const char *what;
        uint64_t before;
    } rows[] = {
        {"CR3", 0},
        {"MSR C001_001F NB_CFG", 0x2000000008},
        {"port CF8", 0x80000CAC},
        {"F3x1CC IBS control", 0},
        {"F3x1CC IBS control", 0},
        {"APIC 510h extended LVT 1", 0x100F1},
        {"MSR C001_1030 IbsFetchCtl", 0x77},
        {"MSR C001_1033 IbsOpCtl", 0x88},
    };
    set_up(MODEL_D, 2);
    fake_msr(MSR_IBS_FETCH_CTL)->value = 0x77;
    fake_msr(MSR_IBS_OP_CTL)->value = 0x88;
    fake.apic[0x51] = 0x100F1;
    run();
    assert_int_equal(result.error, SESSION_OK);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_string_equal(result.restore.row[i].what, rows[i].what);
        uint64_t expected = i ? rows[i].before : (uintptr_t)fake.firmware_pml4;
        assert_int_equal(result.restore.row[i].before, expected);
        assert_int_equal(result.restore.row[i].after, expected);
    }
    assert_int_equal(result.restore.row[3].unit, 0);
    assert_int_equal(result.restore.row[4].unit, 1);
    assert_true(same_as_before());
}

/* The calling core is the third core of the second processor; each of the two has four. */
TEST(test_which_core_it_was)
{
    set_up(MODEL_D, 2);
    machine.nodes.node_low = false; /* NB_CFG[54] is set: the core's number is in the low bits */
    fake_set_leaf(1, 0x00100F83, 6u << 24, 0x00802009, 0x178BFBFF);
    run();
    assert_int_equal(result.error, SESSION_OK);
    assert_int_equal(result.apic_id, 6);
    assert_int_equal(result.node, 1);
}

TEST(test_interrupts_that_were_off_stay_off)
{
    set_up(MODEL_C, 1);
    fake.flags = 2;
    run();
    assert_int_equal(result.error, SESSION_OK);
    assert_null(strstr(fake.log, "sti"));
    assert_true(same_as_before());
}

TEST(test_without_sampling)
{
    set_up(MODEL_C, 1);
    plan.program.ibs = (struct ibs_plan){0};
    plan.place.records = NULL;
    plan.place.capacity = 0;
    plan.calls.prepare = plan.calls.finish = NULL;
    machine.ibs = false; /* works anywhere */
    run();
    assert_int_equal(result.error, SESSION_OK);
    assert_int_equal(calls[1], 1);
    assert_null(strstr(fake.log, "msr"));
    assert_null(strstr(fake.log, "apic w"));
    assert_true(same_as_before());
}

TEST(test_fault_in_the_workload)
{
    set_up(MODEL_C, 1);
    plan.calls.body = dividing_body;
    run();
    assert_int_equal(result.error, SESSION_FAULT);
    assert_true(result.faulted);
    assert_int_equal(result.fault_phase, SESSION_BODY);
    assert_int_equal(result.fault.vector, 0);
    assert_int_equal(result.fault.gpr[3], 0x1003);
    assert_int_equal(calls[2], 0); /* no result to check */
    /* stopped in the erratum's order */
    assert_non_null(strstr(fake.log, "apic w 510 10400\nwrmsr c0011033 0\n"));
    assert_true(same_as_before());

    set_up(MODEL_C, 1);
    plan.calls.prepare = dividing_body;
    run();
    assert_int_equal(result.fault_phase, SESSION_PREPARE);
    assert_null(strstr(fake.log, "c0011033"));
    assert_true(same_as_before());

    set_up(MODEL_C, 1);
    plan.calls.finish = dividing_body;
    run();
    assert_int_equal(result.error, SESSION_FAULT);
    assert_int_equal(result.fault_phase, SESSION_FINISH);
    assert_true(same_as_before());
}

TEST(test_late_nmi_is_swallowed)
{
    set_up(MODEL_C, 1);
    fake.nmi_at_pause = 5;
    run();
    assert_int_equal(result.error, SESSION_OK);
    assert_int_equal(result.counts.late, 1);
    assert_int_equal(result.counts.nmi, 1);
    assert_int_equal(fake.pauses, 5); /* there is no need to wait longer */
    assert_true(same_as_before());
}

/* An NMI between any two accesses changes nothing but the counts. */
TEST(test_nmi_before_each_access)
{
    set_up(MODEL_C, 1);
    run();
    unsigned accesses = fake.accesses;
    assert_true(accesses > 40);
    for (unsigned n = 1; n <= accesses; n++) {
        set_up(MODEL_C, 1);
        fake.nmi_at = n;
        run();
        assert_int_equal(result.error, SESSION_OK);
        assert_int_equal(result.counts.nmi, 1);
        assert_int_equal(result.counts.empty + result.counts.late, 1);
        assert_int_equal(calls[2], 1);
        assert_true(same_as_before());
    }
}

/* If only MaxCnt varies, the gate is the entry that waits a random time. */
TEST(test_lingers)
{
    for (unsigned b = 0; b < 2; b++) {
        set_up(b ? MODEL_B : MODEL_C, 1);
        plan.program.ibs.random = true;
        plan.program.ibs.count_ops = false;
        plan.calls.body = sampled_body;
        run();
        assert_int_equal(result.error, SESSION_OK);
        assert_int_equal(fake.lingers_gate, b);
        assert_true(same_as_before());
    }
}

/* The walk may read the workload's stack, and the gate is the entry with call stacks; without call stacks neither
 * holds. */
TEST(test_call_stacks)
{
    struct sample_stack stacks[CAPACITY] = {{.rip = 1}};
    set_up(MODEL_C, 1);
    plan.calls.body = sampled_body;
    fake.rbp = 8;
    run();
    assert_false(fake.stacks_gate);
    set_up(MODEL_C, 1);
    plan.calls.body = sampled_body;
    plan.place.stacks = stacks;
    plan.place.stack_depth = 3;
    fake.rbp = 8;
    fake.rip = 0x401234;
    run();
    assert_true(fake.stacks_gate);
    assert_int_equal(result.samples, 2);
    assert_int_equal(stacks[0].rip, 0x401234);
    assert_int_equal(stacks[0].depth, 0);
    assert_int_equal(stacks[0].end, SAMPLE_STACK_BROKEN); /* 8 is not on the stack */
    const struct nmi_stacks *used = &session_nmi(workspace)->stacks;
    assert_int_equal(used->high, result.arena + ARENA_BYTES);
    assert_int_equal(used->low, used->high - SESSION_STACK_BYTES);
    assert_int_equal(used->depth, 3);
    assert_true(same_as_before());
}

TEST(test_ring_too_small)
{
    set_up(MODEL_C, 1);
    plan.place.capacity = 1;
    plan.calls.body = sampled_body;
    run();
    assert_int_equal(result.error, SESSION_OK);
    assert_int_equal(result.samples, 1);
    assert_int_equal(result.counts.lost[SAMPLE_OP], 1);
    assert_int_equal(records[1].tsc, 0x5A5A5A5A5A5A5A5A);
}

static void revision_b(void)
{
    set_up(MODEL_B, 1);
    plan.calls.body = sampled_body;
}

static void revision_c(void)
{
    set_up(MODEL_C, 1);
    plan.calls.body = sampled_body;
}

static void two_nodes(void)
{
    set_up(MODEL_D, 2);
    plan.calls.body = sampled_body;
}

TEST(test_fault_at_each_access)
{
    fault_at_each_access(revision_b);
    fault_at_each_access(revision_c);
    fault_at_each_access(two_nodes);
}

/* Makes a register that takes one value and then keeps it. */
static void sticking_body(void *argument, uint64_t arena)
{
    body(argument, arena);
    fake.apic_read_only = 0x510;
    fake.f3x1cc_writable = 0;
}

TEST(test_registers_that_stick_are_named)
{
    set_up(MODEL_C, 1);
    plan.calls.body = sticking_body;
    run();
    assert_int_equal(result.error, SESSION_RESTORE);
    assert_int_equal(result.restore.failed, 2);
    for (uint32_t i = 0; i < result.restore.count; i++) {
        const struct restore_row *row = &result.restore.row[i];
        bool stuck = strstr(row->what, "F3x1CC") || strstr(row->what, "APIC");
        assert_int_equal(row->ok, !stuck);
        if (strstr(row->what, "APIC"))
            assert_int_equal(row->after, 0x400);
    }
}

/* One bit of a control register, which the firmware had set and which cannot be set any more. */
static uint32_t lost_msr;
static uint64_t lost_bit;

static void losing_body(void *argument, uint64_t arena)
{
    body(argument, arena);
    if (lost_msr == 0xCF8) {
        fake.cf8 &= ~(uint32_t)lost_bit;
        fake.cf8_writable &= ~(uint32_t)lost_bit;
        return;
    }
    fake_msr(lost_msr)->value &= ~lost_bit;
    fake_msr(lost_msr)->writable &= ~lost_bit;
}

struct lost_row {
    uint32_t msr;
    uint64_t bit;
    bool compared; /* false: the hardware changes the register while it is on */
};

TEST(test_each_setting_is_compared)
{
    static const struct lost_row rows[] = {
        {MSR_IBS_OP_CTL, 1, true},
        {MSR_IBS_OP_CTL, 1 << 15, true},
        {MSR_IBS_OP_CTL, IBS_OP_EN, true},
        {MSR_IBS_OP_CTL, IBS_OP_VAL, true},
        {MSR_IBS_OP_CTL, IBS_OP_CNT_CTL, true},
        {MSR_IBS_OP_CTL, 1ull << 32, false},
        {MSR_IBS_OP_CTL, 1ull << 51, false},
        {MSR_IBS_FETCH_CTL, 1, true},
        {MSR_IBS_FETCH_CTL, 1 << 15, true},
        {MSR_IBS_FETCH_CTL, IBS_FETCH_EN, true},
        {MSR_IBS_FETCH_CTL, IBS_FETCH_VAL, true},
        {MSR_IBS_FETCH_CTL, IBS_FETCH_RAND_EN, true},
        {MSR_IBS_FETCH_CTL, 1ull << 16, false},
        {MSR_IBS_FETCH_CTL, IBS_FETCH_COMP, false},
        {0xC001001F, 1, true}, /* NB_CFG: all bits */
        {0xC001001F, 1ull << 63, true},
        {0xCF8, 0x10000, true}, /* no MSR but the port */
        {0xCF8, 1, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        set_up(MODEL_C, 1);
        plan.calls.body = losing_body;
        lost_msr = rows[i].msr;
        lost_bit = rows[i].bit;
        if (lost_msr == 0xCF8)
            fake.cf8 |= (uint32_t)lost_bit;
        else
            fake_msr(lost_msr)->value |= lost_bit;
        run();
        if (result.error != (rows[i].compared ? SESSION_RESTORE : SESSION_OK))
            fail_msg("row %zu: %s", i, session_error_text(result.error));
        assert_int_equal(result.restore.failed, rows[i].compared);
        for (uint32_t r = 0; r < result.restore.count; r++) {
            const struct restore_row *row = &result.restore.row[r];
            bool its = row->address == lost_msr;
            assert_int_equal(row->ok, !its || !rows[i].compared);
            if (its)
                assert_int_equal(row->before ^ row->after, lost_bit);
        }
    }
}

static void sticking_and_dividing_body(void *argument, uint64_t arena)
{
    sticking_body(argument, arena);
    fake_raise(0, 0);
}

TEST(test_first_error_is_kept)
{
    set_up(MODEL_C, 1);
    plan.calls.body = sticking_and_dividing_body;
    run();
    assert_int_equal(result.error, SESSION_FAULT);
    assert_int_equal(result.restore.failed, 2);
}

/* If an exception interrupts the handler of a late NMI, restoring completes the stop. */
TEST(test_exception_in_the_stop)
{
    set_up(MODEL_C, 1);
    run();
    unsigned accesses = fake.accesses;
    bool found = false;
    for (unsigned n = 1; n <= accesses && !found; n++) {
        set_up(MODEL_C, 1);
        fake.nmi_at_pause = 5;
        fake.fault_at = n;
        run();
        found = strstr(fake.log, "nmi\n#GP\n") != NULL;
    }
    assert_true(found);
    assert_int_equal(result.error, SESSION_FAULT);
    assert_int_equal(result.fault_phase, SESSION_RESTORING);
    assert_int_equal(calls[2], 0);
    assert_true(same_as_before());
}

/* A second undo continues where an exception ended the first: rows that have been restored, or were only noted,
 * stay. */
TEST(test_rows_are_undone_once)
{
    static struct restore_log log;
    uint64_t value = 5;
    fake_reset(MODEL_C);
    restore_init(&log);
    restore_note(&log, "a note", 5, 6, true);
    assert_int_equal(restore_save(&log, RESTORE_MSR, 0xC0019999, 0, ~0ull, "", &value), 13);
    assert_int_equal(value, 0); /* nothing could be read, so nothing is saved */
    assert_int_equal(log.count, 1);
    assert_int_equal(restore_save(&log, RESTORE_MSR, MSR_IBS_OP_CTL, 0, ~0ull, "", NULL), 0);
    assert_int_equal(restore_save(&log, RESTORE_MSR, MSR_IBS_OP_CTL, 0, ~0ull, "", NULL), 0);
    assert_int_equal(log.count, 2); /* the register is in the log already, after the note */
    fake_msr(MSR_IBS_OP_CTL)->value = 0x2000;
    assert_false(restore_done(&log)); /* the note is undone, the register is not */
    restore_undo(&log);
    assert_int_equal(fake_msr(MSR_IBS_OP_CTL)->value, 0);
    fake_msr(MSR_IBS_OP_CTL)->value = 0x3000; /* another user's value, written later */
    fake_clear_log();
    restore_undo(&log);
    assert_string_equal(fake.log, "");
    assert_int_equal(fake_msr(MSR_IBS_OP_CTL)->value, 0x3000);
    assert_int_equal(log.row[0].after, 6);
    assert_int_equal(log.row[0].mask, ~0ull);
    assert_int_equal(restore_failures(&log), 0);
    assert_true(restore_done(&log));
    log.row[1].ok = false;
    for (unsigned times = 0; times < 2; times++) {
        assert_int_equal(restore_failures(&log), 1);
        assert_int_equal(log.failed, 1);
    }
    restore_init(&log);
    assert_int_equal(log.failed, 0);
    assert_int_equal(log.count, 0);
}

TEST(test_restore_log_keeps_the_first_value)
{
    static struct restore_log log;
    uint64_t value;
    fake_reset(MODEL_C);
    restore_init(&log);
    assert_int_equal(log.failed, 0);
    fake_msr(MSR_IBS_OP_CTL)->value = 1;
    assert_int_equal(restore_save(&log, RESTORE_MSR, MSR_IBS_OP_CTL, 0, ~0ull, "", &value), 0);
    fake_msr(MSR_IBS_OP_CTL)->value = 2;
    assert_int_equal(restore_save(&log, RESTORE_MSR, MSR_IBS_OP_CTL, 0, ~0ull, "", &value), 0);
    assert_int_equal(value, 2);
    assert_int_equal(log.count, 1);
    assert_int_equal(restore_save(&log, RESTORE_MSR, 0x12345678, 0, ~0ull, "", &value), 13);
    assert_int_equal(log.count, 1); /* a register that cannot be read is not written back */
    restore_undo(&log);
    assert_int_equal(fake_msr(MSR_IBS_OP_CTL)->value, 1);
    for (uint32_t i = log.count; i < RESTORE_ROWS; i++)
        assert_int_equal(restore_save(&log, RESTORE_PCI, 0x1CC, i, ~0ull, "", NULL), 0);
    assert_int_equal(restore_save(&log, RESTORE_CR3, 0, 0, ~0ull, "", NULL), RESTORE_FULL);
    assert_int_equal(log.count, RESTORE_ROWS);
}

TEST(test_refused_set_up_restores)
{
    set_up(MODEL_C, 1);
    fake.mirrors = false;
    memset(workspace, 0xFF, session_workspace_size()); /* data of an earlier run mean nothing */
    run();
    assert_int_equal(result.error, SESSION_IBS_CONTROL);
    assert_null(strstr(fake.log, "c0011033"));
    assert_int_equal(calls[0] + calls[1] + calls[2], 0);
    assert_true(same_as_before());

    set_up(MODEL_C, 1);
    fake_msr(MSR_IBS_OP_CTL)->writable = 0;
    run();
    assert_int_equal(result.error, SESSION_IBS_ENABLE);
    assert_int_equal(result.error_detail, MSR_IBS_OP_CTL);
    assert_int_equal(calls[1], 0);
    /* fetch sampling was on already: stopped in the erratum's order */
    assert_non_null(
        strstr(fake.log, "wrmsr c0011030 1000000000000\napic w 510 10400\nwrmsr c0011033 0\nwrmsr c0011030 0\n"));
    assert_true(same_as_before());

    set_up(MODEL_C, 1);
    for (unsigned i = 1; i < 256; i++)
        fake.firmware_pml4[i] = 1;
    run();
    assert_int_equal(result.error, SESSION_NO_PML4_SLOT);
    assert_int_equal(calls[0] + calls[1] + calls[2], 0);
    assert_true(same_as_before());

    set_up(MODEL_C, 1);
    fake.segments.gs = 0x50;
    run();
    assert_int_equal(result.error, SESSION_GDT);
    assert_string_equal(fake.log, "cli\nsti\n");
}

TEST(test_bad_plans_touch_nothing)
{
    static const enum session_error errors[] = {SESSION_NO_WORKSPACE,   SESSION_NO_WORKSPACE,    SESSION_NO_RING,
                                                SESSION_NO_RING,        SESSION_ARENA_ALIGNMENT, SESSION_ARENA_SIZE,
                                                SESSION_NO_OP_COUNTING, SESSION_NO_IBS,          SESSION_PAGE_MEMORY};
    for (unsigned i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        set_up(MODEL_B, 1);
        switch (i) {
        case 0:
            plan.place.workspace = NULL;
            break;
        case 1:
            plan.place.workspace = (char *)workspace + 16;
            break;
        case 2:
            plan.place.records = NULL;
            break;
        case 3:
            plan.place.capacity = 0;
            break;
        case 4:
            plan.place.paging.physical += 4096;
            break;
        case 5:
            plan.place.paging.size = SESSION_STACK_BYTES;
            break;
        case 6:
            plan.program.ibs.count_ops = true;
            break;
        case 7:
            machine.row = NULL;
            break;
        case 8:
            plan.place.paging.memory_size = 4096;
            break;
        }
        assert_int_equal(session_check(&plan), errors[i]);
        run();
        assert_int_equal(result.error, errors[i]);
        assert_string_equal(fake.log, "");
    }
}

TEST(test_probe)
{
    struct machine m;
    set_up(MODEL_C, 1);
    before = fake;
    assert_int_equal(session_probe(&m, NULL), SESSION_NO_WORKSPACE);
    assert_int_equal(session_probe(&m, workspace), SESSION_OK);
    assert_int_equal(m.revision, 'C');
    assert_true(same_as_before());
    assert_non_null(strstr(fake.log, "cli\nlgdt ours\nltr 48\nlidt ours\nrdmsr 1b\n"));
    assert_non_null(strstr(fake.log, "lidt firmware\nltr 48\nlgdt firmware\nsti\n"));
    set_up(MODEL_C, 1);
    fake.flags = 2; /* interrupts that are off stay off */
    assert_int_equal(session_probe(&m, workspace), SESSION_OK);
    assert_null(strstr(fake.log, "sti"));
    assert_int_equal(fake.flags, 2);
    /* A handler that knows nothing of earlier runs counts an NMI that comes meanwhile. */
    set_up(MODEL_C, 1);
    memset(workspace, 0xFF, session_workspace_size());
    fake.nmi_at = 1;
    assert_int_equal(session_probe(&m, workspace), SESSION_OK);
    assert_non_null(strstr(fake.log, "nmi\nin 61\n"));
    assert_int_equal(*session_live(workspace).nmis, 1);
    unsigned faults = 0;
    for (unsigned n = 1;; n++) {
        set_up(MODEL_C, 1);
        fake.fault_at = n;
        enum session_error error = session_probe(&m, workspace);
        if (!fake.fault_done)
            break;
        assert_true(error == SESSION_OK || error == SESSION_FAULT);
        faults += error == SESSION_FAULT;
        assert_int_equal(fake.flags, before.flags);
        assert_memory_equal(&fake.idt, &before.idt, sizeof fake.idt);
        /* The next exception has nothing left of the one before. */
        set_up(MODEL_C, 1);
        assert_int_equal(session_probe(&m, workspace), SESSION_OK);
    }
    assert_true(faults > 1);
}

/* ---------------------------------------------------------------- the time limit */

enum { LIMIT_MS = 3, TSC_KHZ = 2500000 };

enum { FLAG_DIRECTION = 1 << 10, FLAG_TRAP = 1 << 8 };

static void endless_body(void *argument, uint64_t arena)
{
    body(argument, arena);
    fake.flags |= FLAG_DIRECTION | FLAG_TRAP; /* no flag may reach the code after the body */
    for (unsigned i = 0; i < 1000; i++) {
        fake.tsc += TSC_KHZ / 10;
        if (plan.program.ibs.op && i % 4 == 0)
            fake_msr(MSR_IBS_OP_CTL)->value = OP_READY;
        fake_nmi();
        fake_msr(MSR_IBS_OP_CTL)->value &= plan.program.ibs.op ? ~IBS_OP_VAL : ~0ull;
    }
    fail_msg("the limit did not end the body");
}

static void limit(void (*how)(void *, uint64_t))
{
    set_up(MODEL_C, 1);
    plan.calls.body = how;
    plan.program.timer.limit_ms = LIMIT_MS;
}

/* The body ends as by an exception, but without an error; samples are kept, finish is not called, everything is
 * restored. */
TEST(test_limit)
{
    limit(endless_body);
    run();
    assert_int_equal(result.error, SESSION_LIMIT);
    assert_int_equal(result.error_detail, 0);
    assert_false(result.faulted);
    assert_in_range(result.tsc_stop - result.tsc_start, LIMIT_MS * TSC_KHZ, LIMIT_MS * TSC_KHZ + TSC_KHZ / 5);
    assert_int_equal(result.counts.recorded[SAMPLE_OP], 8);
    assert_int_equal(result.counts.foreign + result.counts.empty + result.counts.late, 21);
    assert_int_equal(result.samples, 8);
    assert_int_equal(calls[0] + 2 * calls[1] + 4 * calls[2], 3);
    assert_int_equal(result.restore.failed, 0);
    assert_true(same_as_before());
}

/* The NMI that ends a guarded call returns to the call's end, without the workload's flags; an exception on the way
 * there belongs to the outer call. */
TEST(test_leaving_at_the_limit)
{
    struct cpu_recovery outer = {.rip = 0x100, .rsp = 0x200}, inner = {.rip = 0x300, .rsp = 0x400, .outer = &outer};
    struct fault_context faults = {.recovery = &inner};
    struct {
        struct cpu_nmi_saved saved;
        struct cpu_nmi_frame frame;
    } stack = {.frame = {.rip = FAKE_CODE, .cs = 0x38, .rflags = 0x202 | FLAG_DIRECTION | FLAG_TRAP, .rsp = 0x500}};
    const struct cpu_nmi_frame interrupted = stack.frame;
    struct nmi_context engine = {.frame = &stack.frame, .faults = &faults, .escape = &inner, .deadline = 1000};
    struct cpu_trap_frame trap = {.vector = 13};

    fake_reset(MODEL_C);
    assert_false(nmi_limit(&engine, 999));
    assert_memory_equal(&stack.frame, &interrupted, sizeof interrupted);
    assert_ptr_equal(faults.recovery, &inner);

    assert_true(nmi_limit(&engine, 1000));
    assert_int_equal(stack.frame.rip, 0x300);
    assert_int_equal(stack.frame.rsp, 0x400);
    assert_int_equal(stack.frame.rflags, 2);
    assert_int_equal(stack.frame.cs, 0x38);
    assert_ptr_equal(stack.saved.rdi, &inner);
    assert_ptr_equal(faults.recovery, &outer);
    assert_null(engine.escape);
    assert_int_equal(engine.limit_rip, FAKE_CODE);
    assert_false(nmi_limit(&engine, 2000)); /* once */

    fault_dispatch(&trap, &faults);
    assert_int_equal(trap.rip, 0x100);
    assert_ptr_equal(trap.gpr[7], &outer);

    engine.escape = &inner; /* an exception has already ended the call */
    assert_false(nmi_limit(&engine, 2000));
}

/* The limit holds when counting, where nothing else sends NMIs, and for time-based samples, whose ticks notice the
 * time. */
TEST(test_limit_without_ibs)
{
    limit(endless_body);
    plan.program.ibs = (struct ibs_plan){0};
    run();
    assert_int_equal(result.error, SESSION_LIMIT);
    assert_true(same_as_before());
    limit(endless_body);
    plan.program.ibs = (struct ibs_plan){0};
    plan.program.timer.period = 100;
    run();
    assert_int_equal(result.error, SESSION_LIMIT);
    assert_true(same_as_before());
}

static void sampling_body(void *argument, uint64_t arena)
{
    body(argument, arena);
    for (unsigned i = 0; i < 6; i++) {
        fake.tsc += (uint64_t)LIMIT_MS * TSC_KHZ / 2;
        fake_msr(MSR_IBS_OP_CTL)->value |= IBS_OP_VAL;
        fake_nmi();
    }
    fake_nmi();
    fail_msg("the limit did not end the body");
}

/* With IBS alone the handler does not look at the clock: the alarm's NMI, which has no sample, ends the body. */
TEST(test_limit_by_the_alarm_alone)
{
    for (unsigned later = 0; later < 2; later++) {
        limit(sampling_body);
        if (later) {
            set_up_later(FAKE_ZEN2);
            plan.calls.body = sampling_body;
            plan.program.timer.limit_ms = LIMIT_MS;
        }
        plan.program.ibs.fetch = false;
        run();
        assert_int_equal(result.error, SESSION_LIMIT);
        assert_int_equal(result.counts.recorded[SAMPLE_OP], 6);
        assert_int_equal(result.counts.nmi, 7);
    }
}

/* Each NMI is a tick and a sample: none is without a reason. */
TEST(test_limit_at_a_tick)
{
    static const enum fake_later which[] = {FAKE_15H_00, FAKE_ZEN2, FAKE_ZEN4};
    for (unsigned i = 0; i < 4; i++) {
        limit(endless_body);
        if (i < 3) {
            set_up_later(which[i]);
            plan.calls.body = endless_body;
            plan.program.timer.limit_ms = LIMIT_MS;
        }
        plan.program.ibs = (struct ibs_plan){0};
        plan.program.timer.period = 100;
        run();
        assert_int_equal(result.error, SESSION_LIMIT);
        assert_in_range(result.tsc_stop - result.tsc_start, LIMIT_MS * TSC_KHZ, LIMIT_MS * TSC_KHZ + TSC_KHZ / 5);
        assert_int_equal(result.counts.nmi, result.counts.recorded[SAMPLE_TIMER] + result.counts.lost[SAMPLE_TIMER]);
        assert_true(same_as_before());
    }
}

static void quick_body(void *argument, uint64_t arena)
{
    body(argument, arena);
    fake.tsc += (LIMIT_MS - 1) * (uint64_t)TSC_KHZ;
    fake_nmi();
}

static void late_nmi_finish(void *argument, uint64_t arena)
{
    calls[2]++;
    fake.tsc += 10ull * LIMIT_MS * TSC_KHZ;
    fake_nmi(); /* an NMI on its way, for example the alarm's */
}

/* A body that ends in time is left alone, and an alarm that comes too late ends nothing. */
TEST(test_limit_not_reached)
{
    limit(quick_body);
    plan.calls.finish = late_nmi_finish;
    run();
    assert_int_equal(result.error, SESSION_OK);
    assert_null(session_nmi(workspace)->escape); /* the next guarded call may be at the same address */
    assert_int_equal(calls[2], 1);
    assert_int_equal(result.counts.empty, 1);
    assert_int_equal(result.counts.late, 1);
}

/* An exception before the limit belongs to the body, as without a limit. */
TEST(test_exception_under_a_limit)
{
    limit(dividing_body);
    run();
    assert_int_equal(result.error, SESSION_FAULT);
    assert_int_equal(result.fault_phase, SESSION_BODY);
    assert_int_equal(result.fault.vector, 0);
    assert_int_equal(calls[1], 1);
    assert_true(same_as_before());
}

/* Data of an earlier run in the workspace do not change a run without errors. */
TEST(test_used_workspace)
{
    set_up(MODEL_C, 1);
    plan.calls.body = interrupted_body;
    memset(workspace, 0xFF, session_workspace_size());
    run();
    assert_int_equal(result.error, SESSION_OK);
    assert_false(result.faulted);
    assert_int_equal(result.spurious_interrupts, 3);
    assert_true(same_as_before());
}

/* ---------------------------------------------------------------- with other cores */

/* A pending request comes as soon as its entry is opened: the handler already knows the entry, and masks it. */
TEST(test_request_that_stands)
{
    static const struct {
        uint32_t entry;
        bool ibs, counters, timer, limit, by_counter;
        unsigned prepared;
    } rows[] = {
        {0x510, .ibs = true},
        {0x510, .ibs = true, .counters = true, .timer = true},
        {0x340, .counters = true, .prepared = 1},
        {0x340, .ibs = true, .counters = true, .timer = true, .prepared = 1},
        {0x320, .timer = true},
        {0x320, .ibs = true, .limit = true},
        {0x340, .timer = true, .by_counter = true},
        {0x340, .ibs = true, .limit = true, .by_counter = true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (unsigned stands = 0; stands < 2; stands++) {
            set_up(MODEL_C, 1);
            fake.standing = stands ? rows[i].entry : 0;
            fake.timer_nmis = !rows[i].by_counter;
            plan.program.ibs.op = plan.program.ibs.fetch = rows[i].ibs;
            if (rows[i].counters)
                plan.program.pmc = (struct pmc_plan){.mode = PMC_SAMPLING,
                                                     .events = 1,
                                                     .event = {{.select = 0xC0, .os = true, .period = 100000}},
                                                     .groups = 1,
                                                     .group = {{.events = 1}}};
            plan.program.timer.period = rows[i].timer ? 1000 : 0;
            plan.program.timer.limit_ms = rows[i].limit ? 1000 : 0;
            run();
            assert_int_equal(result.error, stands ? SESSION_STORM_BEFORE : SESSION_OK);
            assert_int_equal(calls[0], stands ? rows[i].prepared : 1);
            assert_int_equal(calls[1], !stands);
            assert_true(same_as_before());
            assert_int_equal(result.restore.failed, 0);
            if (!stands)
                continue;
            assert_int_equal(result.error_detail, 0);
            assert_in_range(result.counts.storm, 1, 2);
            assert_int_equal(fake.stood, result.counts.storm * NMI_STORM);
            assert_null(strstr(fake.log, "wrmsr c0011033 22000")); /* nothing was started */
        }
    }
}

static unsigned empty_nmis;

static void empty_nmis_body(void *argument, uint64_t arena)
{
    body(argument, arena);
    for (unsigned n = 0; n < empty_nmis; n++)
        fake_nmi();
}

/* A row of NMIs without a source in the measured part masks every entry after so many, and the run has failed. */
TEST(test_storm_while_sampling)
{
    static const struct {
        unsigned nmis, storms;
        bool timer;
    } rows[] = {{NMI_STORM - 1, 0, false}, {NMI_STORM, 1, false},    {2 * NMI_STORM - 1, 1, false},
                {NMI_STORM - 1, 0, true},  {2 * NMI_STORM, 2, true}, {NMI_STORM, 1, true}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        set_up(MODEL_C, 1);
        plan.program.timer.period = rows[i].timer ? 1000 : 0;
        plan.calls.body = empty_nmis_body;
        empty_nmis = rows[i].nmis;
        run();
        assert_int_equal(result.error, rows[i].storms ? SESSION_STORM : SESSION_OK);
        assert_int_equal(result.counts.storm, rows[i].storms);
        assert_int_equal(result.counts.nmi, rows[i].nmis);
        assert_int_equal(result.counts.empty, rows[i].nmis);
        assert_int_equal(calls[2], 1);
        assert_true(same_as_before());
    }
}

static struct gang gang;
static struct gang_member members[3];

static void leader_goes_on(unsigned pauses)
{
    if (gang.open && gang.member[1].step <= gang.open)
        return; /* the member waits for something else */
    fake_log("wait");
    gang.open++;
}

/* Another core touches nothing that exists once per node, and uses the LVT entry that the boot core chose. */
static void log_begin(void *argument, uint64_t arena)
{
    fake_log("begin");
}

static void log_end(void *argument, uint64_t arena)
{
    fake_log("end");
}

/* The request is pending on a core that joins, and on a boot core that opens the entry for others alone. */
TEST(test_request_that_stands_among_cores)
{
    for (unsigned member = 0; member < 2; member++) {
        set_up(MODEL_C, 1);
        gang_init(&gang, members, 2, true, 100000, 0);
        gang.entry = 2;
        fake.f3x1cc[0] = 0x102;
        fake.on_pause = member ? leader_goes_on : NULL;
        fake.standing = member ? 0x520 : 0x510;
        plan.place.gang = &gang;
        plan.place.member = member;
        if (!member)
            plan.program.ibs.op = plan.program.ibs.fetch = false;
        run();
        assert_int_equal(result.error, SESSION_STORM_BEFORE);
        assert_int_equal(fake.stood, NMI_STORM);
        assert_int_equal(calls[0] + calls[1], 0);
        assert_true(same_as_before());
        if (!member)
            assert_int_equal(gang.entry, 2); /* other cores are not told of an entry that cannot be used */
    }
}

TEST(test_member)
{
    set_up(MODEL_C, 1);
    gang_init(&gang, members, 2, true, 1000000, 0);
    gang.entry = 2;
    fake.f3x1cc[0] = 0x102;
    fake.on_pause = leader_goes_on;
    plan.place.gang = &gang;
    plan.place.member = 1;
    plan.calls.begin = log_begin;
    plan.calls.end = log_end;
    run();
    assert_int_equal(result.error, SESSION_OK);
    assert_int_equal(result.lvt_offset, 2);
    assert_int_equal(gang.member[1].step, GANG_LEFT);
    assert_string_equal(
        fake.log, "cli\nlgdt ours\nltr 48\nlidt ours\napic r f0\nfxsave\nfninit\n"
                  "cr3 ours\n"
                  "wait\n"
                  "apic r 400\napic r 520\nrdmsr c001103a\napic r 520\napic w 520 400\napic r 520\nin 61\n"
                  "prepare\n"
                  "wait\n"
                  "begin\n"
                  "rdmsr c0011030\nwrmsr c0011030 0\nrdmsr c0011030\nrdmsr c0011033\nwrmsr c0011033 0\nrdmsr c0011033\n"
                  "wrmsr c0011030 1000000001000\nrdmsr c0011030\nwrmsr c0011033 22000\nrdmsr c0011033\n"
                  "body\n"
                  "rdmsr c0011033\nwrmsr c0011033 20000\nrdmsr c0011030\nwrmsr c0011030 1000000000000\n"
                  "apic w 520 10400\nwrmsr c0011033 0\nwrmsr c0011030 0\n"
                  "wrmsr c0011033 0\nwrmsr c0011030 0\n"
                  "end\n"
                  "wait\n"
                  "finish\nfxrstor\n"
                  "wrmsr c0011033 0\nrdmsr c0011033\nwrmsr c0011030 0\nrdmsr c0011030\n"
                  "apic w 520 10000\napic r 520\n"
                  "cr3 firmware\nlidt firmware\nltr 48\nlgdt firmware\nsti\n");
}

static void faulting_begin(void *argument, uint64_t arena)
{
    fake_raise(6, 0);
}

/* If the function right before the measured part fails, there is no measured part. */
TEST(test_exception_at_the_beginning)
{
    set_up(MODEL_C, 1);
    plan.calls.begin = faulting_begin;
    run();
    assert_int_equal(result.error, SESSION_FAULT);
    assert_int_equal(result.fault.vector, 6);
    assert_int_equal(result.fault_phase, SESSION_PREPARE);
    assert_int_equal(calls[0] + 2 * calls[1] + 4 * calls[2], 1);
    assert_null(strstr(fake.log, "wrmsr c0011033 2"));
    assert_true(same_as_before());
}

static void exception_in_the_second_wait(unsigned pauses)
{
    if (gang.open == GANG_NODES)
        fake_raise(18, 0);
    gang.open = GANG_NODES;
}

/* A machine check while a member waits for the others to be ready belongs to the set-up, not to its preparation. */
TEST(test_exception_while_waiting)
{
    set_up(MODEL_C, 1);
    gang_init(&gang, members, 2, true, 1000000, 0);
    gang.entry = 2;
    fake.f3x1cc[0] = 0x102;
    fake.on_pause = exception_in_the_second_wait;
    plan.place.gang = &gang;
    plan.place.member = 1;
    run();
    assert_int_equal(result.error, SESSION_FAULT);
    assert_int_equal(result.fault.vector, 18);
    assert_int_equal(result.fault_phase, SESSION_SET_UP);
    assert_int_equal(calls[0] + 2 * calls[1] + 4 * calls[2], 1);
    assert_true(same_as_before());
}

/* The leader's entry does not exist on this core. */
TEST(test_member_without_the_entry)
{
    set_up(MODEL_C, 1);
    gang_init(&gang, members, 2, true, 1000000, 0);
    gang.entry = 99;
    fake.on_pause = leader_goes_on;
    plan.place.gang = &gang;
    plan.place.member = 1;
    run();
    assert_int_equal(result.error, SESSION_NO_EXTENDED_LVT);
    assert_int_equal(result.error_detail, 4);
    assert_int_equal(gang.member[1].step, GANG_LEFT);
    assert_int_equal(calls[0] + calls[1] + calls[2], 0);
    assert_true(same_as_before());
}

static void members_come(unsigned pauses)
{
    if (pauses == 40)
        gang.member[1].step = GANG_READY;
    if (pauses > 5000) /* after the wait for late NMIs */
        gang.member[1].step = GANG_DONE;
}

/* The boot core, which has no workload, sets up the nodes for the others, and restores them when they have ended. */
TEST(test_leader)
{
    set_up(MODEL_C, 1);
    gang_init(&gang, members, 2, true, 1u << 30, 0);
    fake.on_pause = members_come;
    plan.place.gang = &gang;
    plan.place.member = 0;
    plan.program.ibs = (struct ibs_plan){0};
    plan.calls.prepare = plan.calls.body = plan.calls.finish = NULL;
    run();
    assert_int_equal(result.error, SESSION_OK);
    assert_int_equal(gang.entry, 1);
    assert_int_equal(gang.open, GANG_DONE);
    assert_true(fake.pauses > 5000);
    assert_non_null(strstr(fake.log, "out cfc 101"));
    assert_null(strstr(fake.log, "wrmsr c0011033"));
    assert_true(same_as_before());
}

/* A member that never comes is given up; the boot core has its own samples. */
TEST(test_absent_member)
{
    set_up(MODEL_C, 1);
    gang_init(&gang, members, 3, true, 50000, 50000);
    fake.on_pause = members_come;
    plan.place.gang = &gang;
    plan.place.member = 0;
    plan.calls.body = sampled_body;
    run();
    assert_int_equal(result.error, SESSION_OK);
    assert_int_equal(result.samples, 2);
    assert_int_equal(gang.took, result.tsc_stop - result.tsc_start);
    assert_int_equal(gang.member[1].step, GANG_DONE);
    assert_int_equal(gang.member[2].step, GANG_GIVEN_UP);
    assert_int_equal(gang.member[2].given_up_at, GANG_AWAY);
    /* The member comes after all, and must not run the workload. */
    memset(calls, 0, sizeof calls);
    plan.place.member = 2;
    run();
    assert_int_equal(result.error, SESSION_GANG);
    assert_int_equal(calls[1], 0);
}

/* If the boot core's set-up fails, no core waits for ever. */
TEST(test_leader_fails)
{
    set_up(MODEL_C, 1);
    gang_init(&gang, members, 2, true, 50000, 50000);
    gang.entry = 99;
    fake.f3x1cc_writable = 0;
    plan.place.gang = &gang;
    plan.place.member = 0;
    run();
    assert_int_equal(result.error, SESSION_F3X1CC);
    assert_int_equal(gang.open, GANG_LEFT);
    assert_int_equal(gang.entry, 99); /* there is no entry that others could use */
    set_up(MODEL_C, 1);
    gang_init(&gang, members, 2, true, 50000, 50000);
    fake.segments.gs = 0x50; /* refused before anything is installed */
    plan.place.gang = &gang;
    run();
    assert_int_equal(result.error, SESSION_GDT);
    assert_int_equal(gang.open, GANG_LEFT);
    gang_init(&gang, members, 2, true, 50000, 50000);
    plan.place.paging.memory_size = 4096; /* refused before anything is read */
    run();
    assert_int_equal(result.error, SESSION_PAGE_MEMORY);
    assert_int_equal(gang.open, GANG_LEFT);
    set_up(MODEL_C, 1);
    plan.place.gang = &gang;
    plan.place.member = 1;
    gang.member[1].step = GANG_AWAY;
    gang.entry = 1; /* not used any more */
    fake.f3x1cc[0] = 0x101;
    run();
    assert_int_equal(result.error, SESSION_GANG);
    assert_int_equal(calls[0] + calls[1] + calls[2], 0);
    assert_null(strstr(fake.log, "apic w"));
}

static void fault_then_late_body(void *argument, uint64_t arena)
{
    body(argument, arena);
    fake.tsc += 10ull * LIMIT_MS * TSC_KHZ;
    fake.nmi_at = fake.accesses + 1; /* the first access after the body: an NMI after the call has returned */
    fake_raise(0, 0);
}

TEST(test_exception_before_the_limit)
{
    limit(fault_then_late_body);
    run();
    assert_int_equal(result.error, SESSION_FAULT);
    assert_true(result.faulted);
    assert_int_equal(result.restore.failed, 0);
}

/* The core is as INIT leaves it, with the APIC off by software, no SSE, and x87 not usable. Everything is set in an
 * order in which nothing faults, and restored in the opposite order. */
TEST(test_core_in_another_state)
{
    set_up(MODEL_C, 1);
    fake.apic[0xF0 / 16] = 0xFF;
    fake.cr0 = 0x8001001F; /* EM, TS, no NE */
    fake.cr4 = 0x68;
    run();
    assert_int_equal(result.error, SESSION_OK);
    assert_memory_equal(strstr(fake.log, "apic r f0\n"),
                        "apic r f0\napic r f0\napic w f0 1ff\ncr0 80010033\ncr4 668\nfxsave\nfninit\ncr3 ours\n", 78);
    const char *end = strstr(fake.log, "fxrstor\n");
    assert_non_null(end);
    assert_non_null(strstr(end, "cr3 firmware\ncr4 68\ncr0 8001001f\napic w f0 ff\napic r f0\nlidt firmware\n"));
    assert_int_equal(result.restore.failed, 0);
    assert_int_equal(result.state.cr0, 0x8001001F);
    assert_int_equal(result.state.cr4, 0x68);
    assert_int_equal(result.state.fcw, 0x5150); /* FXSAVE numbers its bytes in the fake */
    assert_int_equal(result.state.mxcsr, 0x6B6A6968);
    assert_true(same_as_before());
}

/* Own code is protected from writes of this privilege level if the firmware has not done so, and only then. */
TEST(test_own_code_is_protected)
{
    static const uint8_t uses[1] = {CODE_EXECUTE};
    for (unsigned own = 0; own < 2; own++)
        for (unsigned wp = 0; wp < 2; wp++) {
            set_up(MODEL_C, 1);
            fake.cr0 = wp ? 0x80010033 : 0x80000033;
            if (own)
                plan.place.paging.own = (struct paging_own){.pages = 1, .page = uses, .physical = ARENA};
            run();
            assert_int_equal(result.error, SESSION_OK);
            assert_int_equal(strstr(fake.log, "cr3 ours\ncr0 80010033\n") != NULL, own && !wp);
            assert_int_equal(strstr(fake.log, "cr0 80000033\ncr3 firmware\n") != NULL, own && !wp);
            assert_true(same_as_before());
        }
}

static void arrange_own_code(void)
{
    static const uint8_t uses[1] = {CODE_EXECUTE};
    set_up(MODEL_C, 1);
    fake.cr0 = 0x80000033;
    plan.place.paging.own = (struct paging_own){.pages = 1, .page = uses, .physical = ARENA};
}

/* Own code's changes without an exception are undone after the call, and the first of several is named. */
static unsigned changed;

static void change(void *argument, uint64_t arena)
{
    (void)argument;
    (void)arena;
    fake.flags |= changed & 1 << KEPT_INTERRUPTS ? CPU_FLAG_INTERRUPT : 0;
    fake.idt.limit -= changed & 1 << KEPT_IDTR ? 16 : 0;
    fake.gdt.base += changed & 1 << KEPT_GDTR ? 8 : 0;
    fake_msr(0xC0000080)->value ^= changed & 1 << KEPT_EFER ? 0x800 : 0;
    fake.cr4 ^= changed & 1 << KEPT_CR4 ? 1 << 16 : 0;
    fake.cr0 ^= changed & 1 << KEPT_CR0 ? 1 << 18 : 0;
    fake.cr3 += changed & 1 << KEPT_CR3 ? 0x1000 : 0;
}

TEST(test_own_code_changes_the_state)
{
    static const char *const names[] = {[KEPT_ALL] = "nothing", [KEPT_INTERRUPTS] = "RFLAGS.IF",
                                        [KEPT_IDTR] = "IDTR",   [KEPT_GDTR] = "GDTR",
                                        [KEPT_EFER] = "EFER",   [KEPT_CR4] = "CR4",
                                        [KEPT_CR0] = "CR0",     [KEPT_CR3] = "CR3"};

    for (unsigned first = KEPT_INTERRUPTS; first <= KEPT_CR3; first++)
        for (unsigned all = 0; all < 2; all++) {
            arrange_own_code();
            fake_remove_msr(0xC0000080);
            fake_add_msr(0xC0000080, 0xD01, ~0ull);
            plan.calls.body = change;
            changed = all ? ~0u << first : 1u << first;
            run();
            assert_int_equal(result.error, SESSION_STATE);
            assert_int_equal(result.error_detail, first);
            assert_int_equal(result.fault_phase, SESSION_BODY);
            assert_false(result.faulted);
            assert_string_equal(kept_register_name((enum kept_register)first), names[first]);
            assert_true(same_as_before());
        }
    arrange_own_code();
    plan.calls.body = change;
    changed = 0;
    run();
    assert_int_equal(result.error, SESSION_OK);
}

TEST(test_own_code_after_exceptions)
{
    fault_at_each_access(arrange_own_code);
}

/* Registers without a row in the log are not written: the APIC's switch, CR0, CR4, in this order. */
TEST(test_core_state_without_room)
{
    static struct restore_log log;
    static struct cpu_fpu fpu;
    struct core_state was;
    for (unsigned room = 0; room <= 3; room++) {
        set_up(MODEL_C, 1);
        fake.apic[0xF0 / 16] = 0xFF;
        fake.cr0 = 0x8001000C;
        fake.cr4 = 0x68;
        before = fake;
        restore_init(&log);
        for (unsigned i = room; i < RESTORE_ROWS; i++)
            restore_note(&log, "full", 0, 0, true);
        assert_int_equal(core_state_take(&was, &fpu, machine.apic_msr, &log), room == 3);
        assert_int_equal(fake.apic[0xF0 / 16], room > 0 ? 0x1FF : 0xFF);
        assert_int_equal(fake.cr0, room > 1 ? 0x80010022 : before.cr0);
        assert_int_equal(fake.cr4, room > 2 ? 0x668 : before.cr4);
        assert_int_equal(strstr(fake.log, "fxsave") != NULL, room == 3);
        restore_undo(&log);
        assert_int_equal(fake.apic[0xF0 / 16], 0xFF);
        assert_int_equal(fake.cr0, before.cr0);
        assert_int_equal(fake.cr4, before.cr4);
    }
}

/* No code is protected if the log has no place. */
TEST(test_no_place_for_protection)
{
    static struct restore_log log;
    for (unsigned room = 0; room <= 1; room++) {
        set_up(MODEL_C, 1);
        fake.cr0 = 0x80000033;
        restore_init(&log);
        for (unsigned i = room; i < RESTORE_ROWS; i++)
            restore_note(&log, "full", 0, 0, true);
        assert_int_equal(core_state_protect(&log), room);
        assert_int_equal(fake.cr0, room ? 0x80010033 : 0x80000033);
    }
}

/* With global pages no translation of the earlier tables is left after a load of CR3, in either direction. */
TEST(test_global_pages_are_flushed)
{
    set_up(MODEL_C, 1);
    fake.cr4 = 0x6E8;
    run();
    assert_int_equal(result.error, SESSION_OK);
    assert_non_null(strstr(fake.log, "fninit\ncr4 668\ncr3 ours\ncr4 6e8\n"));
    assert_non_null(strstr(fake.log, "cr4 668\ncr3 firmware\ncr4 6e8\n"));
    assert_true(same_as_before());
}

/* After an exception before the FPU's state was saved, data of an earlier run are not loaded. */
TEST(test_exception_before_the_fpu_is_saved)
{
    set_up(MODEL_C, 1);
    run();
    assert_non_null(strstr(fake.log, "fxrstor"));
    set_up(MODEL_C, 1);
    fake.fault_at = 1; /* the APIC's register, which is read before */
    run();
    assert_int_equal(result.error, SESSION_FAULT);
    assert_null(strstr(fake.log, "fxsave"));
    assert_null(strstr(fake.log, "fxrstor"));
    assert_true(same_as_before());
}

/* To stop a lost core its APIC ID is written first, because the other write sends. */
TEST(test_stop_core)
{
    set_up(MODEL_C, 1);
    session_stop_core(&machine, 5);
    assert_string_equal(fake.log, "cli\napic w 310 5000000\napic w 300 4500\napic r 300\nsti\n");
    fake_clear_log();
    fake.flags &= ~(uint64_t)CPU_FLAG_INTERRUPT; /* interrupts stay off */
    session_stop_core(&machine, 5);
    assert_string_equal(fake.log, "cli\napic w 310 5000000\napic w 300 4500\napic r 300\n");
    machine.apic_msr &= ~0x800ull;
    fake_clear_log();
    session_stop_core(&machine, 5);
    assert_string_equal(fake.log, "");
}

RUN_TESTS(run_allocate, run_release)
