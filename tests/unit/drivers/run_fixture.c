/* SPDX-License-Identifier: BSD-2-Clause */
#include "run_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/family/branch_regs.h"
#include "core/family/ibs_regs.h"
#include "core/family/pmc_regs.h"

struct machine machine;
struct session_plan plan;
struct session_result result;
struct fake before;
struct sample_record records[CAPACITY + 1];
void *workspace;
unsigned calls[3];

static void *table_memory;

static void prepare(void *argument, uint64_t arena)
{
    fake_log("prepare");
    calls[0]++;
}

void body(void *argument, uint64_t arena)
{
    fake_log("body");
    calls[1]++;
    assert_ptr_equal(argument, &plan);
    assert_int_equal(arena, result.arena);
    assert_int_equal(fake.flags & CPU_FLAG_INTERRUPT, 0);
    /* on a stack of its own, the top of the arena */
    assert_int_equal(fake.guard_stack[fake.guards - 1], arena + ARENA_BYTES);
}

static void finish(void *argument, uint64_t arena)
{
    fake_log("finish");
    calls[2]++;
}

void set_up(uint32_t model, unsigned nodes)
{
    fake_reset(model);
    for (unsigned n = 0; n < nodes; n++)
        fake.node_id[n] = 0x12031022;
    machine_probe(&machine);
    machine.tsc_khz = 2500000;
    fake_clear_log();
    fake.accesses = 0;
    memset(records, 0x5A, sizeof records);
    memset(calls, 0, sizeof calls);
    plan = (struct session_plan){
        .place = {.machine = &machine,
                  .workspace = workspace,
                  .records = records,
                  .capacity = CAPACITY,
                  .cpu = 1,
                  .paging = {.physical = ARENA, .size = ARENA_BYTES, .memory = table_memory, .memory_size = 16 * 4096}},
        .program = {.ibs = {.fetch = true, .fetch_period = 0x10000, .op = true, .op_period = 0x20000}},
        .calls = {.prepare = prepare, .body = body, .finish = finish, .argument = &plan},
    };
}

static bool msr_as_before(uint32_t number)
{
    for (unsigned n = 0; n < before.msrs; n++)
        if (before.msr[n].number == number)
            return fake_msr(number)->value == before.msr[n].value;
    return true;
}

bool same_as_before(void)
{
    bool same = fake.cf8 == before.cf8 && fake.dr6 == before.dr6 && fake.cr3 == before.cr3 && fake.cr0 == before.cr0 &&
                fake.cr4 == before.cr4 && fake.flags == before.flags;
    same &=
        !memcmp(fake.apic, before.apic, sizeof fake.apic) && !memcmp(fake.f3x1cc, before.f3x1cc, sizeof fake.f3x1cc);
    same &= !memcmp(&fake.gdt, &before.gdt, sizeof fake.gdt) && !memcmp(&fake.idt, &before.idt, sizeof fake.idt);
    same &= !memcmp(fake.firmware_gdt, before.firmware_gdt, sizeof fake.firmware_gdt);
    same &= !memcmp(fake.firmware_pml4, before.firmware_pml4, sizeof fake.firmware_pml4);
    static const uint32_t msrs[] = {0x1B,           0xC0000080,      0xC001001F,     MSR_IBS_FETCH_CTL,
                                    MSR_IBS_OP_CTL, MSR_IBS_CONTROL, 0xC0011005,     0xC0011020,
                                    0xC0011029,     0xC0010296,      MSR_LBR_SELECT, MSR_DBG_EXTN_CFG};
    for (size_t i = 0; i < sizeof msrs / sizeof msrs[0]; i++)
        same &= msr_as_before(msrs[i]);
    for (unsigned c = 0; c < PMC_LEGACY; c++)
        same &= msr_as_before(MSR_PERF_CTL(c)) && msr_as_before(MSR_PERF_CTR(c));
    return same;
}

/* Checks that a register's name has its number: "MSR C001_1033 IbsOpCtl", "APIC 340h LVT". */
static void assert_named(const struct restore_log *log)
{
    for (uint32_t i = 0; i < log->count; i++) {
        const struct restore_row *row = &log->row[i];
        unsigned high, low;

        if (row->kind == RESTORE_MSR && sscanf(row->what, "MSR %4x_%4x", &high, &low) == 2)
            assert_int_equal(row->address, high << 16 | low);
        if (row->kind == RESTORE_MMIO && sscanf(row->what, "APIC %xh", &low) == 1)
            assert_int_equal(row->address & 0xFFF, low);
    }
}

void run(void)
{
    before = fake;
    memset(&result, 0xA5, sizeof result);
    session_run(&plan, &result);
    assert_int_equal(fake.guards, 0);
    assert_named(&result.restore);
    switch (result.error) {
    case SESSION_OK:
    case SESSION_LIMIT:
    case SESSION_FAULT:
    case SESSION_RESTORE:
    case SESSION_STORM:
    case SESSION_TICKS_ENDED:
    case SESSION_GANG:
    case SESSION_GDT:
    case SESSION_NO_PML4_SLOT:
    case SESSION_APIC_DISABLED:
        assert_int_equal(result.error_detail, 0);
        break;
    default:
        break;
    }
    for (uint32_t i = 0; i < result.restore.count; i++) /* only registers of a node occur more than once */
        assert_true(result.restore.row[i].kind == RESTORE_PCI || result.restore.row[i].kind == RESTORE_CONFIG ||
                    result.restore.row[i].unit == 0);
}

/* Returns the MSR whose access was refused first. */
static uint32_t refused_first(void)
{
    const char *line = strstr(fake.log, " refused\n");
    assert_non_null(line);
    while (line > fake.log && line[-1] != '\n')
        line--;
    return (uint32_t)strtoul(line + strlen("rdmsr "), NULL, 16);
}

void fault_at_each_access(void (*arrange)(void))
{
    arrange();
    run();
    unsigned accesses = fake.accesses, n = 1;
    for (;; n++) {
        arrange();
        fake.fault_at = n;
        run();
        if (!fake.fault_done)
            break;
        if (result.error == SESSION_OK)
            fail_msg("access %u raised an exception, and nobody said so:\n%s", n, fake.log);
        if (result.error == SESSION_MSR_FAULT)
            assert_int_equal(result.error_detail, refused_first());
        assert_true(result.error == SESSION_MSR_FAULT || result.error == SESSION_FAULT ||
                    result.error == SESSION_RESTORE || result.error == SESSION_NO_FIRMWARE_LVT);
        assert_int_equal(result.faulted, result.fault.vector == 13);
        bool all_ok = true;
        for (uint32_t i = 0; i < result.restore.count; i++) {
            assert_true(result.restore.row[i].undone);
            all_ok &= result.restore.row[i].ok;
        }
        /* Everything is as before, or the log names what is not: the one register whose own restoring was refused. */
        if (!same_as_before()) {
            assert_false(all_ok);
            assert_int_equal(result.restore.failed, 1);
        }
        assert_int_equal(fake.flags, before.flags);
        assert_int_equal(fake.cr3, before.cr3);
        assert_memory_equal(&fake.idt, &before.idt, sizeof fake.idt);
        assert_memory_equal(&fake.gdt, &before.gdt, sizeof fake.gdt);
        /* sampling never continues */
        assert_int_equal(fake_msr(MSR_IBS_OP_CTL)->value & IBS_OP_EN, 0);
        assert_int_equal(fake_msr(MSR_IBS_FETCH_CTL)->value & IBS_FETCH_EN, 0);
        for (unsigned c = 0; c < PMC_LEGACY; c++)
            assert_int_equal(fake_msr(MSR_PERF_CTL(c))->value & PMC_CTL_EN, 0);
    }
    assert_int_equal(result.error, SESSION_OK);
    assert_true(same_as_before());
    assert_int_equal(n, accesses + 1); /* no access was left out */
}

int run_allocate(void **state)
{
    workspace = aligned_alloc(4096, (session_workspace_size() + 4095) / 4096 * 4096);
    table_memory = aligned_alloc(4096, 16 * 4096);
    return workspace && table_memory ? 0 : -1;
}

int run_release(void **state)
{
    free(workspace);
    free(table_memory);
    return 0;
}
