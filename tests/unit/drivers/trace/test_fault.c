/* SPDX-License-Identifier: BSD-2-Clause */
/* Exceptions, and the descriptor tables through which they reach our handlers. */
#include "tests/unit/drivers/fake_cpu.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/out.h"
#include "drivers/trace/fault.h"
#include "drivers/pmu/tables.h"

static struct tables tables;
static struct fault_context faults;
static struct nmi_context engine;

static int install(void **state)
{
    fake_reset(4);
    memset(&tables, 0xEE, sizeof tables);
    faults = (struct fault_context){.apic_base = FAKE_APIC};
    engine = (struct nmi_context){0};
    return tables_install(&tables, &faults, &engine) ? -1 : 0;
}

TEST_WITH(test_tables, install, NULL)
{
    assert_string_equal(fake.log, "lgdt ours\nltr 48\nlidt ours\n");
    assert_int_equal(fake.gdt.limit, 0x57);
    assert_memory_equal((void *)(uintptr_t)fake.gdt.base, fake.firmware_gdt, 0x48);
    assert_int_equal(fake.tr, 0x48);
    /* NMI, #DF and #MC each have their own stack; all others share one */
    for (unsigned v = 0; v < 256; v++) {
        unsigned ist = v == 2 ? TABLES_IST_NMI : v == 8 ? TABLES_IST_DF : v == 18 ? TABLES_IST_MC : TABLES_IST_REST;
        assert_int_equal(tables.idt[v].ist, ist);
    }
    assert_int_equal(tables.tss.io_map, 104); /* behind the segment's end: there is no map */
    for (unsigned r = 0; r < 3; r++)
        assert_int_equal(tables.tss.rsp[r], 0);
    for (unsigned a = 0; a < TABLES_STACKS; a++)
        assert_int_equal(tables.tss.ist[a], (uintptr_t)&tables.stack[a] + TABLES_STACK_BYTES - 16);

    fake_clear_log();
    struct restore_log log;
    restore_init(&log);
    tables_remove(&tables, &log);
    assert_string_equal(fake.log, "lidt firmware\nltr 48\nlgdt firmware\n");
    assert_int_equal(restore_failures(&log), 0);
    assert_int_equal(log.count, 5);
}

TEST_WITH(test_tr_of_the_firmware_comes_back, install, NULL)
{
    fake_reset(4);
    uint64_t tss = 0x00008B0000000067ull; /* busy, base 0 */
    fake.firmware_gdt[7] = tss;
    fake.tr = 0x38;
    fake.segments.cs = 0x28;
    assert_int_equal(tables_install(&tables, &faults, &engine), SESSION_OK);
    struct restore_log log;
    restore_init(&log);
    tables_remove(&tables, &log);
    assert_int_equal(fake.tr, 0x38);
    assert_int_equal(log.count, 5);
    assert_string_equal(log.row[4].what, "TR");
    assert_int_equal(log.row[4].before, 0x38);
    assert_int_equal(log.row[4].after, 0x38);
    assert_int_equal(fake.firmware_gdt[7], tss);
    assert_int_equal(restore_failures(&log), 0);
    /* A second run follows one that had to leave our own selector, which is outside the firmware's table. */
    fake.tr = 0x48;
    fake.firmware_gdt[9] = tss; /* whatever is behind its end */
    assert_int_equal(tables_install(&tables, &faults, &engine), SESSION_OK);
    fake_clear_log();
    tables_remove(&tables, NULL);
    assert_string_equal(fake.log, "lidt firmware\nltr 48\nlgdt firmware\n");
    /* The selector is null, although the first descriptor, which no selector reaches, contains a TSS. */
    fake.tr = 0;
    fake.firmware_gdt[0] = tss;
    assert_int_equal(tables_install(&tables, &faults, &engine), SESSION_OK);
    fake_clear_log();
    tables_remove(&tables, NULL);
    assert_string_equal(fake.log, "lidt firmware\nltr 48\nlgdt firmware\n");
}

static const struct tables_tss *tss_of_tr(void)
{
    const uint64_t *descriptor = &tables.gdt[fake.tr / 8];

    assert_int_equal(descriptor[0] >> 40 & 0xFF, 0x8B); /* busy, because it was loaded */
    return (const struct tables_tss *)(uintptr_t)((descriptor[0] >> 16 & 0xFFFFFF) | descriptor[0] >> 56 << 24 |
                                                  descriptor[1] << 32);
}

/* A firmware without a TSS gets one that outlives the run's memory and contains none of the run's stacks. */
TEST(test_tss_stays)
{
    const struct tables_tss *tss;

    fake_reset(4);
    assert_int_equal(tables_install(&tables, &faults, &engine), SESSION_OK);
    assert_ptr_equal(tss_of_tr(), &tables.tss);
    assert_int_not_equal(tables.tss.ist[TABLES_IST_NMI - 1], 0);
    fake_clear_log();
    tables_remove(&tables, NULL);
    assert_string_equal(fake.log,
                        "lidt firmware\nltr 48\nlgdt firmware\n"); /* through our table: the firmware's has no TSS */
    tss = tss_of_tr();
    assert_true((const void *)tss < (const void *)&tables || (const void *)tss >= (const void *)(&tables + 1));
    for (unsigned n = 0; n < 7; n++)
        assert_int_equal(tss->ist[n], 0);
    assert_int_equal(tss->io_map, 104);
}

/* Tables that are still ours are reported, with the expected and the actual value. */
TEST_WITH(test_tables_that_stay_are_reported, install, NULL)
{
    static const char *const names[] = {"GDTR base", "GDTR limit", "IDTR base", "IDTR limit"};
    const uint64_t firmware[] = {(uintptr_t)fake.firmware_gdt, 0x47, 0xF1DE0000, 0x7FF};
    const uint64_t ours[] = {(uintptr_t)tables.gdt, 0x57, (uintptr_t)tables.idt, sizeof tables.idt - 1};
    struct restore_log log;
    fake_reset(4);
    fake.idt.limit = 0x7FF;
    assert_int_equal(tables_install(&tables, &faults, &engine), SESSION_OK);
    for (unsigned stay = 0; stay < 2; stay++) {
        restore_init(&log);
        fake.keeps_tables = stay == 0;
        tables_remove(&tables, &log);
        assert_int_equal(restore_failures(&log), stay == 0 ? 4 : 0);
        for (unsigned i = 0; i < 4; i++) {
            assert_string_equal(log.row[i].what, names[i]);
            assert_int_equal(log.row[i].before, firmware[i]);
            assert_int_equal(log.row[i].after, stay == 0 ? ours[i] : firmware[i]);
            assert_int_equal(log.row[i].ok, stay != 0);
            assert_true(log.row[i].undone);
            assert_int_equal(log.row[i].kind, RESTORE_NOTE);
        }
    }
}

TEST_WITH(test_selectors_outside_are_refused, install, NULL)
{
    fake_reset(4);
    uint16_t *const each[] = {&fake.segments.cs, &fake.segments.ss, &fake.segments.ds,
                              &fake.segments.es, &fake.segments.fs, &fake.segments.gs};
    for (unsigned i = 0; i < sizeof each / sizeof each[0]; i++) {
        uint16_t before = *each[i];
        *each[i] = 0x48;
        assert_int_equal(tables_install(&tables, &faults, &engine), SESSION_GDT);
        *each[i] = 0x14; /* local descriptor table */
        assert_int_equal(tables_install(&tables, &faults, &engine), SESSION_GDT);
        *each[i] = before;
    }
    assert_string_equal(fake.log, "");
    fake.segments.fs = 0x40; /* the last one */
    assert_int_equal(tables_install(&tables, &faults, &engine), SESSION_OK);
}

static void divide(void *argument, uint64_t value)
{
    *(int *)argument += 1;
    if (value)
        fake_raise((uint32_t)value, 0x77);
}

TEST_WITH(test_guarded_call, install, NULL)
{
    int calls = 0;
    assert_false(fault_guard(&faults, 0, divide, &calls, 0));
    assert_null(faults.recovery);
    fake.cr2 = 0xBAD;
    assert_true(fault_guard(&faults, 0x9000, divide, &calls, 14));
    assert_int_equal(fake.guard_stack[0], 0x9000);
    assert_int_equal(calls, 2);
    assert_null(faults.recovery);
    assert_int_equal(faults.faults, 1);
    const struct cpu_fault *f = &faults.fault;
    assert_int_equal(f->vector, 14);
    assert_int_equal(f->error, 0x77);
    assert_int_equal(f->rip, FAKE_CODE);
    assert_int_equal(f->rsp, 0x57AC4);
    assert_int_equal(f->rflags, 0x10202);
    assert_int_equal(f->cr2, 0xBAD);
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(f->gpr[i], i == 4 ? 0x57AC4 : 0x1000 + i);
    /* the first exception is kept */
    assert_true(fault_guard(&faults, 0, divide, &calls, 8));
    assert_int_equal(faults.faults, 2);
    assert_int_equal(faults.fault.vector, 14);
}

static void nested(void *argument, uint64_t value)
{
    assert_true(fault_guard(&faults, 0, divide, argument, value));
    *(int *)argument += 10;
    fake_raise(18, 0);
}

TEST_WITH(test_guarded_calls_nest, install, NULL)
{
    int calls = 0;
    assert_true(fault_guard(&faults, 0, nested, &calls, 3));
    assert_int_equal(calls, 11);
    assert_int_equal(faults.faults, 2);
    assert_null(faults.recovery);
}

/* While a guarded call is being left, the next exception belongs to the call around it. */
TEST_WITH(test_exception_while_leaving, install, NULL)
{
    struct cpu_recovery outer = {.rip = 1}, inner = {.rip = 2, .outer = &outer};
    struct cpu_trap_frame frame = {.vector = 13};
    faults.recovery = &inner;
    fault_dispatch(&frame, &faults);
    assert_int_equal(frame.rip, 2);
    fault_dispatch(&frame, &faults);
    assert_int_equal(frame.rip, 1);
    assert_ptr_equal(frame.gpr[7], &outer);
    assert_null(faults.recovery);
}

TEST_WITH(test_fixup, install, NULL)
{
    struct cpu_trap_frame frame = {.vector = 13, .rip = 0x1234, .gpr = {[0] = 99}, .rflags = 0x46};
    fake.fixup_rip = 0x1234;
    fake.fixup_to = 0x5678;
    fault_dispatch(&frame, &faults);
    assert_int_equal(frame.rip, 0x5678);
    assert_int_equal(frame.gpr[0], 13);
    assert_int_equal(frame.rflags, 0x46);
    assert_int_equal(faults.faults, 0);
}

TEST_WITH(test_stray_interrupts_are_counted, install, NULL)
{
    int calls = 0;
    assert_true(fault_guard(&faults, 0, divide, &calls, 31)); /* the last exception vector */
    assert_int_equal(faults.fault.vector, 31);
    assert_int_equal(faults.spurious_interrupts, 0);
    fake_clear_log();
    fake_raise(32, 0);
    fake_raise(255, 0);
    assert_int_equal(faults.spurious_interrupts, 2);
    assert_string_equal(fake.log, "apic w b0 0\napic w b0 0\n");
    faults.apic_base = 0; /* unknown: nothing is written */
    fake_raise(40, 0);
    assert_int_equal(faults.spurious_interrupts, 3);
    assert_string_equal(fake.log, "apic w b0 0\napic w b0 0\n");
}

/* Outside guarded calls there is no place to continue at. */
TEST_WITH(test_exception_outside_of_guarded_calls_halts, install, NULL)
{
    struct cpu_trap_frame frame = {.vector = 14, .rip = 0x1234};
    fake.may_halt = true;
    if (!setjmp(fake.halt)) {
        fault_dispatch(&frame, &faults);
        fail_msg("went on at %llx", (unsigned long long)frame.rip);
    }
    assert_true(fake.halted);
    assert_int_equal(faults.faults, 0);
}

/* A long table of the firmware is copied as far as there is room; our descriptors follow the copy. */
TEST_WITH(test_long_tables_are_cut_off, install, NULL)
{
    static const unsigned counts[] = {TABLES_GDT_COPY - 1, TABLES_GDT_COPY, TABLES_GDT_COPY + 1, TABLES_GDT_COPY + 40};
    for (unsigned i = 0; i < 4; i++) {
        uint64_t *firmware = malloc(counts[i] * sizeof *firmware); /* the exact size, so that ASan sees one word more */
        for (unsigned d = 0; d < counts[i]; d++)
            firmware[d] = 0x00AF9B000000FFFFull + d;
        unsigned copied = counts[i] < TABLES_GDT_COPY ? counts[i] : TABLES_GDT_COPY;
        fake_reset(4);
        fake.gdt = (struct cpu_table){.limit = (uint16_t)(counts[i] * 8 - 1), .base = (uintptr_t)firmware};
        memset(&tables, 0xEE, sizeof tables);
        assert_int_equal(tables_install(&tables, &faults, &engine), SESSION_OK);
        assert_int_equal(fake.tr, copied * 8);
        assert_int_equal(fake.gdt.limit, (copied + 2) * 8 - 1);
        assert_memory_equal(tables.gdt, firmware, copied * 8);
        free(firmware);
    }
}

static void raising_mc(void *argument, uint64_t value)
{
    fake_raise(18, 0);
}

/* Banks with an error are read and cleared, and the mark of an error in progress is cleared last. */
TEST_WITH(test_machine_check, install, NULL)
{
    fake_add_msr(0x179, 0x106, 0);
    fake_add_msr(0x17A, 4, ~0ull);
    for (uint32_t n = 0; n < 6; n++) {
        fake_add_msr(0x401 + 4 * n, n == 0 ? 0xB600000000010015 : n == 4 ? 0xA000000000000833 : 0x1234, ~0ull);
        fake_add_msr(0x402 + 4 * n, 0x1000 + n, 0);
    }
    fake_clear_log();
    assert_true(fault_guard(&faults, 0, raising_mc, NULL, 0));
    assert_string_equal(fake.log, "rdmsr 179\nrdmsr 17a\n"
                                  "rdmsr 401\nrdmsr 402\nwrmsr 401 0\n"
                                  "rdmsr 405\nrdmsr 409\nrdmsr 40d\n"
                                  "rdmsr 411\nwrmsr 411 0\n" /* its address is not valid */
                                  "rdmsr 415\nwrmsr 17a 0\n");
    const struct machine_check *check = &faults.fault.check;
    assert_int_equal(faults.fault.vector, 18);
    assert_int_equal(check->global, 4);
    assert_int_equal(check->count, 2);
    assert_int_equal(check->bank[0].bank, 0);
    assert_int_equal(check->bank[0].status, 0xB600000000010015);
    assert_int_equal(check->bank[0].address, 0x1000);
    assert_int_equal(check->bank[1].bank, 4);
    assert_int_equal(check->bank[1].address, 0);
    assert_int_equal(fake_msr(0x17A)->value, 0);
    assert_int_equal(fake_msr(0x409)->value, 0x1234); /* this bank has no error */
    char text[200];
    struct out_memory memory;
    out_memory_init(&memory, text, sizeof text);
    machine_check_print(&memory.out, &check->bank[0]);
    out_printf(&memory.out, "; ");
    machine_check_print(&memory.out, &check->bank[1]);
    assert_string_equal(text, "bank 0 status b600000000010015h address 1000h; bank 4 status a000000000000833h");

    /* At the start banks are read only, and a processor may have none. */
    struct machine_check left;
    fake_msr(0x411)->value = 0xA000000000000833;
    fake_clear_log();
    machine_check_read(&left, false);
    assert_int_equal(left.count, 1);
    assert_null(strstr(fake.log, "wrmsr"));
    fake_remove_msr(0x179);
    machine_check_read(&left, true);
    assert_int_equal(left.count, 0);
}

/* Scalable MCA has other registers, and all existing banks are read. */
TEST_WITH(test_scalable_banks, install, NULL)
{
    struct machine_check check;
    fake_set_leaf(0x80000000, 0x80000007, 0, 0, 0);
    fake_set_leaf(0x80000007, 0, 1 << 3, 0, 0);
    fake_add_msr(0x179, 0x100 | 40, 0);
    fake_add_msr(0x17A, 4, ~0ull);
    fake_add_msr(0xC0002001, 0x8000000000000001, ~0ull);
    fake_add_msr(0xC0002001 + 22 * 0x10, 0x8400000000000002, ~0ull);
    fake_add_msr(0xC0002002 + 22 * 0x10, 0xABC000, 0);
    fake_add_msr(0xC0002001 + 39 * 0x10, 0x8000000000000003, ~0ull);
    fake_add_msr(0xC0002001 + 40 * 0x10, 0x8000000000000004, ~0ull); /* one bank too many */
    fake_add_msr(0x401, 0x8000000000000005, ~0ull);
    machine_check_read(&check, true);
    assert_int_equal(check.count, 3);
    assert_int_equal(check.bank[0].bank, 0);
    assert_int_equal(check.bank[0].status, 0x8000000000000001);
    assert_int_equal(check.bank[1].bank, 22);
    assert_int_equal(check.bank[1].address, 0xABC000);
    assert_int_equal(check.bank[2].bank, 39);
    assert_int_equal(fake_msr(0xC0002001 + 22 * 0x10)->value, 0);
    assert_int_equal(fake_msr(0xC0002001 + 39 * 0x10)->value, 0);
    assert_int_equal(fake_msr(0xC0002001 + 40 * 0x10)->value, 0x8000000000000004);
    assert_int_equal(fake_msr(0x401)->value, 0x8000000000000005);
    fake_set_leaf(0x80000007, 0, ~(1u << 3), 0, 0); /* the processor has none */
    machine_check_read(&check, false);
    assert_int_equal(check.count, 1);
    assert_int_equal(check.bank[0].status, 0x8000000000000005);
    fake_set_leaf(0x80000007, 0, 1 << 3, 0, 0);
    fake_set_leaf(0x80000000, 0x80000006, 0, 0, 0); /* without that leaf, too */
    machine_check_read(&check, false);
    assert_int_equal(check.bank[0].status, 0x8000000000000005);
}

/* If there are more errors than are kept, each bank is still cleared. */
TEST_WITH(test_many_errors, install, NULL)
{
    struct {
        struct machine_check check;
        uint64_t after;
    } left = {.after = 0x5A5A};
    fake_add_msr(0x179, 0x100 | 40, 0);
    fake_add_msr(0x17A, 4, ~0ull);
    for (uint32_t n = 0; n < 40; n++)
        fake_add_msr(0x401 + 4 * n, 0x8000000000000000 | n, ~0ull);
    machine_check_read(&left.check, true);
    assert_int_equal(left.check.count, MACHINE_CHECK_KEPT);
    assert_int_equal(left.check.bank[MACHINE_CHECK_KEPT - 1].bank, MACHINE_CHECK_KEPT - 1);
    assert_int_equal(left.after, 0x5A5A);
    for (uint32_t n = 0; n < 40; n++)
        assert_int_equal(fake_msr(0x401 + 4 * n)->value, 0);
}

/* A machine check may come at an instruction that resumes elsewhere: the banks are read then, too. */
TEST_WITH(test_machine_check_at_a_fixup, install, NULL)
{
    fake_add_msr(0x179, 0x100, 0);
    fake_add_msr(0x17A, 5, ~0ull);
    fake.fixup_rip = FAKE_CODE;
    fake.fixup_to = FAKE_CODE;
    fake_raise(18, 0);
    assert_int_equal(fake_msr(0x17A)->value, 0);
    assert_int_equal(faults.check.global, 5);
}

TEST(test_names)
{
    /* The mnemonics of vectors are those of AMD APM vol. 2 section 8.2; the others are reserved. */
    static const char *const mnemonics[20] = {"#DE", "#DB", "NMI", "#BP", "#OF", "#BR", "#UD", "#NM", "#DF", NULL,
                                              "#TS", "#NP", "#SS", "#GP", "#PF", NULL,  "#MF", "#AC", "#MC", "#XF"};
    static const char *const registers[17] = {"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8",
                                              "r9",  "r10", "r11", "r12", "r13", "r14", "r15", "?"};
    for (uint32_t v = 0; v < 40; v++)
        if (v < 20 && mnemonics[v])
            assert_memory_equal(fault_vector_name(v), mnemonics[v], 3);
        else
            assert_string_equal(fault_vector_name(v), "exception");
    assert_string_equal(fault_vector_name(0), "#DE divide error");
    assert_string_equal(fault_vector_name(14), "#PF page fault");
    assert_string_equal(fault_vector_name(999), "exception");
    for (unsigned r = 0; r < 17; r++)
        assert_string_equal(fault_register_name(r), registers[r]);
}

TEST(test_error_texts)
{
    for (int e = 0; e < SESSION_ERRORS; e++)
        assert_string_not_equal(session_error_text((enum session_error)e), "unknown error");
    assert_string_equal(session_error_text(SESSION_ERRORS), "unknown error");
    assert_string_equal(session_error_text((enum session_error) - 1), "unknown error");
}

RUN_TESTS(NULL, NULL)
