/* SPDX-License-Identifier: BSD-2-Clause */
#include "drivers/pmu/tables.h"

#include <stddef.h>

enum {
    VECTOR_NMI = 2,
    VECTOR_DF = 8,
    VECTOR_MC = 18,
    GATE_INTERRUPT = 0x8E, /* present, DPL 0, type 0Eh: interrupts stay off inside */
    SELECTOR_TI = 4,       /* local descriptor table */
};

/* System descriptor of a TSS (AMD APM vol. 2 section 4.8.3): present, type 9 available, 0Bh busy. */
#define TSS_AVAILABLE (0x89ull << 40)
#define TSS_BUSY_BIT  (0x02ull << 40)
#define TSS_TYPE      (0x1Dull << 40) /* S and the type without its busy bit */
#define TSS_TYPE_64   (0x09ull << 40)

static uint32_t descriptors_of(const struct cpu_table *gdt)
{
    return ((uint32_t)gdt->limit + 1) / 8;
}

static bool selectors_fit(uint32_t copied)
{
    struct cpu_segments s;
    cpu_read_segments(&s);
    const uint16_t all[] = {s.cs, s.ss, s.ds, s.es, s.fs, s.gs};
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i] & SELECTOR_TI || all[i] / 8u >= copied)
            return false;
    return true;
}

static void fill_gate(struct tables_gate *gate, uint64_t address, uint16_t selector, uint8_t ist)
{
    *gate = (struct tables_gate){
        .offset_low = (uint16_t)address,
        .selector = selector,
        .ist = ist,
        .type = GATE_INTERRUPT,
        .offset_middle = (uint16_t)(address >> 16),
        .offset_high = (uint32_t)(address >> 32),
    };
}

static uint8_t stack_for(unsigned vector)
{
    switch (vector) {
    case VECTOR_NMI:
        return TABLES_IST_NMI;
    case VECTOR_DF:
        return TABLES_IST_DF;
    case VECTOR_MC:
        return TABLES_IST_MC;
    default:
        return TABLES_IST_REST;
    }
}

static void fill_tss(struct tables *t, struct fault_context *faults, struct nmi_context *nmi)
{
    t->tss = (struct tables_tss){.io_map = sizeof t->tss};
    for (unsigned n = 1; n <= TABLES_STACKS; n++) {
        struct tables_stack *stack = &t->stack[n - 1];
        stack->context = n == TABLES_IST_NMI ? (void *)nmi : (void *)faults;
        t->tss.ist[n - 1] = (uint64_t)(uintptr_t)&stack->context;
    }
    nmi->frame = &t->stack[TABLES_IST_NMI - 1].frame;
}

static uint32_t copied_of(const struct tables *t)
{
    uint32_t all = descriptors_of(&t->old_gdt);
    return all > TABLES_GDT_COPY ? TABLES_GDT_COPY : all;
}

static void fill_tss_descriptor(struct tables *t, const struct tables_tss *tss)
{
    uint64_t *descriptor = &t->gdt[copied_of(t)], base = (uint64_t)(uintptr_t)tss;
    descriptor[0] = (sizeof *tss - 1) | (base & 0xFFFFFF) << 16 | TSS_AVAILABLE | (base >> 24 & 0xFF) << 56;
    descriptor[1] = base >> 32;
}

static void fill_gdt(struct tables *t, uint32_t copied)
{
    const uint64_t *old = (const uint64_t *)(uintptr_t)t->old_gdt.base;
    for (uint32_t i = 0; i < copied; i++)
        t->gdt[i] = old[i];
    fill_tss_descriptor(t, &t->tss);
}

enum session_error tables_install(struct tables *t, struct fault_context *faults, struct nmi_context *nmi)
{
    cpu_sgdt(&t->old_gdt);
    cpu_sidt(&t->old_idt);
    t->old_tr = cpu_str();
    uint32_t copied = copied_of(t);
    if (!selectors_fit(copied))
        return SESSION_GDT;

    struct cpu_segments segments;
    cpu_read_segments(&segments);
    fill_tss(t, faults, nmi);
    fill_gdt(t, copied);
    for (unsigned vector = 0; vector < 256; vector++)
        fill_gate(&t->idt[vector], cpu_gate_address((uint8_t)vector), segments.cs, stack_for(vector));
    if (nmi->branches.sample)
        fill_gate(&t->idt[VECTOR_NMI],
                  nmi->branches.sampling ? cpu_nmi_branch_sampling_address() : cpu_nmi_branches_address(), segments.cs,
                  stack_for(VECTOR_NMI));
    else if (nmi->later.used)
        fill_gate(&t->idt[VECTOR_NMI], cpu_nmi_later_address(), segments.cs, stack_for(VECTOR_NMI));
    else if (nmi->linger)
        fill_gate(&t->idt[VECTOR_NMI], cpu_nmi_lingers_address(), segments.cs, stack_for(VECTOR_NMI));
    else if (nmi->stacks.stack)
        fill_gate(&t->idt[VECTOR_NMI], cpu_nmi_stacks_address(), segments.cs, stack_for(VECTOR_NMI));

    struct cpu_table gdt = {.limit = (uint16_t)((copied + 2) * 8 - 1), .base = (uint64_t)(uintptr_t)t->gdt};
    struct cpu_table idt = {.limit = sizeof t->idt - 1, .base = (uint64_t)(uintptr_t)t->idt};
    cpu_lgdt(&gdt);
    cpu_ltr((uint16_t)(copied * 8));
    cpu_lidt(&idt);
    return SESSION_OK;
}

/* Returns the firmware's TSS descriptor, or NULL when none could be loaded again. */
static uint64_t *firmware_tss(const struct tables *t)
{
    uint32_t index = t->old_tr / 8u;
    if (!index || t->old_tr & SELECTOR_TI || index + 1 >= descriptors_of(&t->old_gdt))
        return NULL;
    uint64_t *descriptor = (uint64_t *)(uintptr_t)t->old_gdt.base + index;
    return (*descriptor & TSS_TYPE) == TSS_TYPE_64 ? descriptor : NULL;
}

void tables_remove(struct tables *t, struct restore_log *log)
{
    static const struct tables_tss idle = {.io_map =
                                               sizeof idle}; /* 64-bit mode has no task switch that would write to it */

    uint64_t *tss = firmware_tss(t);
    cpu_lidt(&t->old_idt);
    if (!tss) {
        fill_tss_descriptor(t, &idle);
        cpu_ltr((uint16_t)(copied_of(t) * 8));
    }
    cpu_lgdt(&t->old_gdt);
    if (tss) {
        *tss &= ~TSS_BUSY_BIT; /* ltr refuses a busy one, and sets the bit again */
        cpu_ltr(t->old_tr);
    }
    if (!log)
        return;

    struct cpu_table gdt, idt;
    cpu_sgdt(&gdt);
    cpu_sidt(&idt);
    uint16_t tr = cpu_str();
    restore_note(log, "GDTR base", t->old_gdt.base, gdt.base, gdt.base == t->old_gdt.base);
    restore_note(log, "GDTR limit", t->old_gdt.limit, gdt.limit, gdt.limit == t->old_gdt.limit);
    restore_note(log, "IDTR base", t->old_idt.base, idt.base, idt.base == t->old_idt.base);
    restore_note(log, "IDTR limit", t->old_idt.limit, idt.limit, idt.limit == t->old_idt.limit);
    if (tss)
        restore_note(log, "TR", t->old_tr, tr, tr == t->old_tr);
    else
        restore_note(log, "TR (firmware has no TSS, and ltr cannot load null: ours stays)", t->old_tr, tr, true);
}
