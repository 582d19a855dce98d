/* SPDX-License-Identifier: BSD-2-Clause */
#include "drivers/cpu/kept_state.h"

#include "drivers/cpu/paging.h"

bool kept_state_read(struct kept_state *state)
{
    *state =
        (struct kept_state){.flags = cpu_flags(), .cr0 = cpu_read_cr0(), .cr3 = cpu_read_cr3(), .cr4 = cpu_read_cr4()};
    cpu_sgdt(&state->gdt);
    cpu_sidt(&state->idt);
    return !cpu_rdmsr_safe(KEPT_MSR_EFER, &state->efer);
}

static bool is_same(const struct cpu_table *a, const struct cpu_table *b)
{
    return a->base == b->base && a->limit == b->limit;
}

/* Puts interrupts back first, which would arrive meanwhile; then what exceptions need. */
enum kept_register kept_state_put_back(const struct kept_state *before)
{
    enum kept_register first = KEPT_ALL;
    struct kept_state now;
    bool known;

    if (cpu_flags() & ~before->flags & CPU_FLAG_INTERRUPT) {
        cpu_cli();
        first = KEPT_INTERRUPTS;
    }
    known = kept_state_read(&now);
    if (!is_same(&now.idt, &before->idt)) {
        cpu_lidt(&before->idt);
        first = first ? first : KEPT_IDTR;
    }
    if (!is_same(&now.gdt, &before->gdt)) {
        cpu_lgdt(&before->gdt);
        first = first ? first : KEPT_GDTR;
    }
    if (known && now.efer != before->efer) {
        known = !cpu_wrmsr_safe(KEPT_MSR_EFER, before->efer);
        first = first ? first : KEPT_EFER;
    }
    if (now.cr4 != before->cr4) {
        cpu_write_cr4(before->cr4);
        first = first ? first : KEPT_CR4;
    }
    if (now.cr0 != before->cr0) {
        cpu_write_cr0(before->cr0);
        first = first ? first : KEPT_CR0;
    }
    if (now.cr3 != before->cr3) {
        paging_load(before->cr3);
        first = first ? first : KEPT_CR3;
    }
    return known ? first : KEPT_UNREADABLE;
}

const char *kept_register_name(enum kept_register which)
{
    static const char *const names[] = {[KEPT_ALL] = "nothing",    [KEPT_INTERRUPTS] = "RFLAGS.IF",
                                        [KEPT_IDTR] = "IDTR",      [KEPT_GDTR] = "GDTR",
                                        [KEPT_EFER] = "EFER",      [KEPT_CR4] = "CR4",
                                        [KEPT_CR0] = "CR0",        [KEPT_CR3] = "CR3",
                                        [KEPT_UNREADABLE] = "EFER"};

    return (unsigned)which < sizeof(names) / sizeof(names[0]) ? names[which] : "?";
}
