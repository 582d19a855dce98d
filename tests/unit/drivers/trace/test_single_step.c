/* SPDX-License-Identifier: BSD-2-Clause */
/* Sessions whose workload is executed one instruction after the other. */
#include "tests/unit/drivers/run_fixture.h"

#include <stdlib.h>
#include <string.h>

#include "core/family/ibs_regs.h"
#include "drivers/trace/fault.h"
#include "drivers/trace/single_step.h"

enum { BASE = 0x400000, LOAD = 0x100, JUMP = 0x103, VECTOR_DB = 1, VECTOR_BP = 3, RDI = 7, RSI = 6, RSP = 4 };

static const struct codemap_insn insns[] = {
    {.rva = LOAD,
     .length = 3,
     .mems = 1,
     .mem = {{.base = RSP, .index = CODEMAP_REG_NONE, .scale = 1, .size = 8, .flags = CODEMAP_LOAD}}},
    {.rva = JUMP, .length = 2, .branch = CODEMAP_BR_COND, .target = LOAD},
};
static const struct codemap map = {.insns = insns, .insn_count = 2, .text_rva = LOAD, .text_size = 5};

static struct single_step step;
static void *memory;

/* Arranges a plan without samples: a session of IBS would take some. */
static void arrange(void (*on_enter)(void))
{
    set_up(MODEL_C, 1);
    plan.program = (struct session_program){.step = &step};
    free(memory);
    memory = calloc(1, exact_memory_size(&map, ARENA_BYTES, 4));
    step = (struct single_step){.kernel = BASE + LOAD, .params = 0x1234, .left = 1000};
    exact_init(&step.counts, &map, BASE, ARENA_BYTES, 4, memory);
    fake.on_enter = on_enter;
}

static void loop(unsigned times)
{
    for (unsigned i = 0; i < times; i++) {
        fake_trap(VECTOR_DB, BASE + JUMP);
        fake_trap(VECTOR_DB, BASE + LOAD);
    }
}

static void returns_at_once(void)
{
    fake_trap(VECTOR_DB, BASE + JUMP);
    fake_trap(VECTOR_DB, cpu_step_end_address());
}

static void loops(void)
{
    loop(3);
    returns_at_once();
}

TEST(steps_to_the_end)
{
    arrange(loops);
    run();
    assert_int_equal(result.error, SESSION_OK);
    assert_int_equal(step.state, SINGLE_STEP_DONE);
    assert_int_equal(calls[0], 1);
    assert_int_equal(calls[1], 0); /* the kernel is entered instead of the body, at the top of its own stack */
    assert_int_equal(calls[2], 1);
    assert_int_equal(step.counts.insn[0].executions, 4);
    assert_int_equal(step.counts.insn[1].executions, 4);
    assert_int_equal(step.counts.insn[1].taken, 4);
    assert_int_equal(step.counts.steps, 8);
    assert_int_equal(step.counts.outside, 0);
    assert_true(same_as_before());
    assert_non_null(strstr(fake.log, "dr6 ffff0ff0\n"));
}

TEST(begins_as_a_call_does)
{
    arrange(returns_at_once);
    run();
    assert_int_equal(fake.entered.rip, BASE + LOAD);
    assert_int_equal(fake.entered.rflags, 0x102); /* TF set, interrupts off */
    assert_int_equal(fake.entered.gpr[RDI], result.arena);
    assert_int_equal(fake.entered.gpr[RSI], 0x1234);
    assert_int_equal(fake.entered.rsp, result.arena + ARENA_BYTES - 8);
    assert_int_equal(fake.entered.cs, fake.segments.cs);
    assert_int_equal(fake.entered.ss, fake.segments.ss);
    /* the first instruction reads its return address */
    assert_int_equal(step.counts.insn[0].mem[0].low, result.arena + ARENA_BYTES - 8);
    assert_int_equal(step.counts.insn[0].mem[0].lines, 1);
}

TEST(leaves_and_goes_on)
{
    arrange(loops);
    step.left = 3;
    run();
    assert_int_equal(result.error, SESSION_OK);
    assert_int_equal(step.state, SINGLE_STEP_STOPPED);
    assert_int_equal(calls[2], 0);
    assert_int_equal(step.frame.rip, BASE + JUMP);
    assert_int_equal(step.frame.rflags, 0x102);
    assert_int_equal(step.counts.steps, 4); /* the kernel's beginning is no trap */
    assert_int_equal(step.counts.insn[1].executions, 1);
    assert_true(same_as_before());

    step.left = 1000;
    fake.on_enter = loops;
    fake_clear_log();
    plan.calls.prepare = NULL;
    run();
    assert_non_null(strstr(fake.log, "fxrstor\nenter 400103\n"));
    assert_int_equal(step.state, SINGLE_STEP_DONE);
    assert_int_equal(calls[2], 1);
    /* the branch at which the first session ended is counted once, by the first trap of the second session */
    assert_int_equal(step.counts.insn[1].executions, 2 + 4);
}

static void hears_that_no_trap_came(void)
{
    fake_trap(VECTOR_BP, cpu_step_end_address() + 1);
}

TEST(says_that_no_trap_came)
{
    arrange(hears_that_no_trap_came);
    run();
    assert_int_equal(result.error, SESSION_OK);
    assert_int_equal(step.state, SINGLE_STEP_DEAF);
    assert_true(same_as_before());
}

static void fill_the_log(void *argument, uint64_t arena)
{
    while (result.restore.count < RESTORE_ROWS)
        restore_note(&result.restore, "full", 0, 0, true);
}

/* DR6, which each step changes, could not be restored. */
TEST(needs_a_place_in_the_log)
{
    arrange(returns_at_once);
    plan.calls.prepare = fill_the_log;
    run();
    assert_int_equal(result.error, SESSION_RESTORE);
    assert_int_equal(result.error_detail, 0);
    assert_int_equal(step.counts.steps, 0);
}

static void divides(void)
{
    fake_trap(VECTOR_DB, BASE + JUMP);
    fake_raise(0, 0);
}

static void breaks(void)
{
    fake_raise(VECTOR_BP, 0);
}

TEST(an_exception_ends_the_run)
{
    arrange(divides);
    run();
    assert_int_equal(result.error, SESSION_FAULT);
    assert_int_equal(result.fault_phase, SESSION_BODY);
    assert_int_equal(result.fault.vector, 0);
    assert_int_equal(calls[2], 0);
    assert_true(same_as_before());
    /* a breakpoint elsewhere is an exception */
    arrange(breaks);
    run();
    assert_int_equal(result.error, SESSION_FAULT);
    assert_int_equal(result.fault.vector, VECTOR_BP);
}

TEST(without_steps_the_body_is_called)
{
    arrange(loops);
    plan.program.step = NULL;
    run();
    assert_int_equal(calls[1], 1);
    assert_null(strstr(fake.log, "enter"));
    assert_null(strstr(fake.log, "dr6"));
}

static int release(void **state)
{
    free(memory);
    return run_release(state);
}

RUN_TESTS(run_allocate, release)
