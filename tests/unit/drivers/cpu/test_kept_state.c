/* SPDX-License-Identifier: BSD-2-Clause */
/* Own code's changes are undone: of each register alone, of all, and of none. */
#include "tests/unit/drivers/fake_cpu.h"

#include <string.h>

#include "drivers/cpu/kept_state.h"

static struct kept_state was;

static void begin(void)
{
    fake_reset(4);
    fake_msr(KEPT_MSR_EFER)->writable = ~0ull;
    assert_true(kept_state_read(&was));
    fake_clear_log();
}

static void change(unsigned which)
{
    switch (which) {
    case KEPT_INTERRUPTS:
        was.flags &= ~(uint64_t)CPU_FLAG_INTERRUPT; /* interrupts were off before, and are on now */
        break;
    case KEPT_IDTR:
        fake.idt.limit -= 16;
        break;
    case KEPT_GDTR:
        fake.gdt.base += 8;
        break;
    case KEPT_EFER:
        fake_msr(KEPT_MSR_EFER)->value ^= 0x800;
        break;
    case KEPT_CR4:
        fake.cr4 ^= 1 << 16;
        break;
    case KEPT_CR0:
        fake.cr0 ^= 1 << 18;
        break;
    case KEPT_CR3:
        fake.cr3 += 0x1000;
        break;
    }
}

static void is_as_it_was(void)
{
    struct kept_state now;

    assert_true(kept_state_read(&now));
    assert_true(now.gdt.base == was.gdt.base && now.gdt.limit == was.gdt.limit);
    assert_true(now.idt.base == was.idt.base && now.idt.limit == was.idt.limit);
    assert_int_equal(now.flags, was.flags);
    assert_int_equal(now.efer, was.efer);
    assert_int_equal(now.cr0, was.cr0);
    assert_int_equal(now.cr3, was.cr3);
    assert_int_equal(now.cr4, was.cr4);
}

TEST(each_register_is_put_back)
{
    for (unsigned which = KEPT_INTERRUPTS; which < KEPT_UNREADABLE; which++) {
        begin();
        change(which);
        assert_int_equal(kept_state_put_back(&was), which);
        is_as_it_was();
    }
}

TEST(the_first_of_several_is_told)
{
    for (unsigned first = KEPT_INTERRUPTS; first < KEPT_UNREADABLE; first++) {
        begin();
        for (unsigned which = first; which < KEPT_UNREADABLE; which++)
            change(which);
        assert_int_equal(kept_state_put_back(&was), first);
        is_as_it_was();
    }
}

/* The base and the limit of a table are compared separately. */
TEST(tables_have_two_parts)
{
    for (unsigned part = 0; part < 4; part++) {
        struct cpu_table *table = part < 2 ? &fake.idt : &fake.gdt;

        begin();
        if (part & 1)
            table->limit++;
        else
            table->base += 16;
        assert_int_equal(kept_state_put_back(&was), part < 2 ? KEPT_IDTR : KEPT_GDTR);
        is_as_it_was();
    }
}

/* Registers that did not change are not written; interrupts that own code has switched off do no harm. */
TEST(nothing_is_written_without_need)
{
    begin();
    assert_int_equal(kept_state_put_back(&was), KEPT_ALL);
    fake.flags &= ~(uint64_t)CPU_FLAG_INTERRUPT;
    assert_int_equal(kept_state_put_back(&was), KEPT_ALL);
    assert_null(strstr(fake.log, "wrmsr"));
    assert_null(strstr(fake.log, "cr"));
    assert_null(strstr(fake.log, "lidt"));
    assert_null(strstr(fake.log, "lgdt"));
    assert_null(strstr(fake.log, "cli"));
}

/* If EFER cannot be read or written, the other registers are still restored. */
TEST(efer_is_refused)
{
    for (unsigned access = 1; access <= 2; access++) {
        begin();
        change(KEPT_EFER);
        change(KEPT_CR0);
        fake.accesses = 0;
        fake.fault_at = access;
        assert_int_equal(kept_state_put_back(&was), KEPT_UNREADABLE);
        assert_int_equal(fake.cr0, was.cr0);
    }
    fake_remove_msr(KEPT_MSR_EFER);
    assert_false(kept_state_read(&was));
}

RUN_TESTS(NULL, NULL)
