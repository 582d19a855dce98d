/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/shim/restore.h"

#include "vpmu/shim/firmware/serial.h"
#include "vpmu/shim/hypervisor.h"

static uint64_t read_cr0(const struct shim *shim, uint32_t number)
{
    return x86_cr0();
}
static uint64_t read_cr3(const struct shim *shim, uint32_t number)
{
    return x86_cr3();
}
static uint64_t read_cr4(const struct shim *shim, uint32_t number)
{
    return x86_cr4();
}
static uint64_t read_cr8(const struct shim *shim, uint32_t number)
{
    return x86_cr8();
}
static uint64_t read_dr7(const struct shim *shim, uint32_t number)
{
    return x86_dr7();
}
static uint64_t read_flags(const struct shim *shim, uint32_t number)
{
    return x86_rflags() & (RFLAGS_IF | RFLAGS_TF);
}
static uint64_t read_idt_base(const struct shim *shim, uint32_t number)
{
    return x86_idtr().base;
}
static uint64_t read_idt_limit(const struct shim *shim, uint32_t number)
{
    return x86_idtr().limit;
}
static uint64_t read_gdt_base(const struct shim *shim, uint32_t number)
{
    return x86_gdtr().base;
}
static uint64_t read_gdt_limit(const struct shim *shim, uint32_t number)
{
    return x86_gdtr().limit;
}
static uint64_t read_selectors(const struct shim *shim, uint32_t number)
{
    return (uint64_t)x86_cs() | (uint64_t)x86_ss() << 16 | (uint64_t)x86_ds() << 32 | (uint64_t)x86_es() << 48;
}
static uint64_t read_more_selectors(const struct shim *shim, uint32_t number)
{
    return (uint64_t)x86_fs() | (uint64_t)x86_gs() << 16 | (uint64_t)x86_ldtr() << 32;
}
static uint64_t read_tr(const struct shim *shim, uint32_t number)
{
    return x86_tr();
}
static uint64_t read_msr(const struct shim *shim, uint32_t msr)
{
    return x86_rdmsr(msr);
}
enum { APIC_DFR = 0xe0, APIC_EXTENDED_CONTROL = 0x410 };
static uint64_t read_apic(const struct shim *shim, uint32_t offset)
{
    bool missing = offset == APIC_DFR || offset == APIC_EXTENDED_CONTROL; /* as MSRs */
    if (shim->x2apic)
        return missing ? 0 : x86_rdmsr(0x800 + offset / 16);
    return *(const volatile uint32_t *)(shim->apic_base + offset);
}
/* Encodes the node in bits 31:28, for registers of function 3. */
#define NODE(n) ((uint32_t)(n) << 28)
static uint64_t read_northbridge(const struct shim *shim, uint32_t number)
{
    uint32_t value = 0;
    (void)vpmu_pci_read(shim->model, number >> 28, 3, number & 0xfff, &value);
    return value;
}
static uint64_t read_port(const struct shim *shim, uint32_t port)
{
    return x86_inb((uint16_t)port);
}

/* The IBS sample registers (C001_1031, 1032, 1034 to 1039) are the hardware's results, and partly read-only: not
 * compared. */
static const struct row {
    const char *name;
    uint64_t (*read)(const struct shim *shim, uint32_t number);
    uint32_t number;
} rows[] = {
    {"CR0", read_cr0, 0},
    {"CR3", read_cr3, 0},
    {"CR4", read_cr4, 0},
    {"CR8", read_cr8, 0},
    {"DR7", read_dr7, 0},
    {"RFLAGS.IF,TF", read_flags, 0},
    {"IDTR.base", read_idt_base, 0},
    {"IDTR.limit", read_idt_limit, 0},
    {"GDTR.base", read_gdt_base, 0},
    {"GDTR.limit", read_gdt_limit, 0},
    {"ES:DS:SS:CS", read_selectors, 0},
    {"LDTR:GS:FS", read_more_selectors, 0},
    {"TR", read_tr, 0},
    {"MSR APIC_BASE", read_msr, MSR_APIC_BASE},
    {"MSR SYSENTER_CS", read_msr, 0x174},
    {"MSR SYSENTER_ESP", read_msr, 0x175},
    {"MSR SYSENTER_EIP", read_msr, 0x176},
    {"MSR DEBUG_CTL", read_msr, 0x1d9},
    {"MSR PAT", read_msr, MSR_PAT},
    {"MSR MTRR_DEF_TYPE", read_msr, 0x2ff},
    {"MSR EFER", read_msr, MSR_EFER},
    {"MSR STAR", read_msr, 0xc0000081},
    {"MSR LSTAR", read_msr, 0xc0000082},
    {"MSR CSTAR", read_msr, 0xc0000083},
    {"MSR SFMASK", read_msr, 0xc0000084},
    {"MSR FS.base", read_msr, 0xc0000100},
    {"MSR GS.base", read_msr, 0xc0000101},
    {"MSR KernelGSbase", read_msr, 0xc0000102},
    {"MSR PERF_CTL0", read_msr, 0xc0010000},
    {"MSR PERF_CTL1", read_msr, 0xc0010001},
    {"MSR PERF_CTL2", read_msr, 0xc0010002},
    {"MSR PERF_CTL3", read_msr, 0xc0010003},
    {"MSR PERF_CTR0", read_msr, 0xc0010004},
    {"MSR PERF_CTR1", read_msr, 0xc0010005},
    {"MSR PERF_CTR2", read_msr, 0xc0010006},
    {"MSR PERF_CTR3", read_msr, 0xc0010007},
    {"MSR SYSCFG", read_msr, 0xc0010010},
    {"MSR HWCR", read_msr, 0xc0010015},
    {"MSR NB_CFG", read_msr, MSR_NB_CFG},
    {"MSR PStateCtl", read_msr, 0xc0010062},
    {"MSR IbsFetchCtl", read_msr, MSR_IBS_FETCH_CTL},
    {"MSR IbsOpCtl", read_msr, MSR_IBS_OP_CTL},
    {"MSR IbsControl", read_msr, MSR_IBS_CONTROL},
    {"F3x1CC", read_northbridge, 0x1cc},
    {"F3x1CC of node 1", read_northbridge, NODE(1) | 0x1cc},
    {"F3x1CC of node 2", read_northbridge, NODE(2) | 0x1cc},
    {"F3x1CC of node 3", read_northbridge, NODE(3) | 0x1cc},
    {"APIC TPR", read_apic, 0x80},
    {"APIC LDR", read_apic, 0xd0},
    {"APIC DFR", read_apic, 0xe0},
    {"APIC spurious", read_apic, 0xf0},
    {"APIC LVT timer", read_apic, 0x320},
    {"APIC LVT thermal", read_apic, 0x330},
    {"APIC LVT perf", read_apic, 0x340},
    {"APIC LVT LINT0", read_apic, 0x350},
    {"APIC LVT LINT1", read_apic, 0x360},
    {"APIC LVT error", read_apic, 0x370},
    {"APIC timer initial", read_apic, 0x380},
    {"APIC divide", read_apic, 0x3e0},
    {"APIC ext. control", read_apic, 0x410},
    {"APIC ext. LVT 0", read_apic, 0x500},
    {"APIC ext. LVT 1", read_apic, 0x510},
    {"APIC ext. LVT 2", read_apic, 0x520},
    {"APIC ext. LVT 3", read_apic, 0x530},
    {"PIC 1 mask", read_port, 0x21},
    {"PIC 2 mask", read_port, 0xa1},
};
#define ROWS (sizeof rows / sizeof rows[0])
_Static_assert(ROWS <= RESTORE_VALUES, "RESTORE_VALUES");

static uint32_t copy_table(uint64_t *to, struct table_register table)
{
    uint32_t bytes = (table.limit + 1u) & ~7u;
    bytes = bytes > RESTORE_TABLE_BYTES ? RESTORE_TABLE_BYTES : bytes;
    for (uint32_t i = 0; i < bytes / 8; i++)
        to[i] = ((const uint64_t *)table.base)[i];
    return bytes;
}

void restore_take(const struct shim *shim, struct restore_snapshot *snapshot)
{
    for (unsigned i = 0; i < ROWS; i++)
        snapshot->values[i] = rows[i].read(shim, rows[i].number);
    snapshot->idt_bytes = copy_table(snapshot->idt, x86_idtr());
    snapshot->gdt_bytes = copy_table(snapshot->gdt, x86_gdtr());
}

static void report(const char *name, int index, uint64_t before, uint64_t after)
{
    say("vpmu: NOT RESTORED %s", name);
    if (index >= 0)
        say("[%d]", index);
    say(" before %016llx after %016llx\n", (unsigned long long)before, (unsigned long long)after);
}

static unsigned compare_table(const char *name, const uint64_t *before, uint32_t bytes_before, const uint64_t *after,
                              uint32_t bytes_after, unsigned words_per_entry)
{
    if (bytes_before != bytes_after)
        return 1; /* the limit's own row has reported it */
    unsigned differences = 0;
    for (uint32_t i = 0; i < bytes_before / 8; i++) {
        if (before[i] != after[i]) {
            report(name, (int)(i / words_per_entry), before[i], after[i]);
            differences++;
        }
    }
    return differences;
}

unsigned restore_compare(const struct restore_snapshot *before, const struct restore_snapshot *after, unsigned *items)
{
    unsigned differences = 0;
    for (unsigned i = 0; i < ROWS; i++) {
        /* LTR with a null selector faults (APM vol. 3): where firmware ran without a task register, it stays loaded. */
        bool cannot = rows[i].read == read_tr && !before->values[i];
        if (before->values[i] != after->values[i] && !cannot) {
            report(rows[i].name, -1, before->values[i], after->values[i]);
            differences++;
        }
    }
    differences += compare_table("IDT", before->idt, before->idt_bytes, after->idt, after->idt_bytes, 2);
    differences += compare_table("GDT", before->gdt, before->gdt_bytes, after->gdt, after->gdt_bytes, 1);
    *items = ROWS + before->idt_bytes / 16 + before->gdt_bytes / 8;
    return differences;
}

void restore_begin(void)
{
    for (uint32_t i = 0; i < hypervisor.cores; i++)
        vpmu_begin_touched(hypervisor.shim[i].model);
}

unsigned restore_touched(void)
{
    enum { TEXT = 8192 }; /* 72 names and as many lines of values */
    char text[TEXT];
    unsigned differences = 0;
    for (uint32_t i = 0; i < hypervisor.cores; i++) {
        struct out_memory memory;
        out_memory_init(&memory, text, sizeof text);
        differences += vpmu_write_touched(hypervisor.shim[i].model, i, &memory.out);
        say("%s", text);
    }
    return differences;
}
