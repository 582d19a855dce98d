/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A program for the guest's place that tries what the shim promises: what CPUID, MSRs, PCI configuration space and the
 * APIC show, that sampling interrupts arrive with the workload's own state, and that stepping cannot be seen. Started
 * by vpmu.efi instead of ibsboot.efi (opt/ibsboot/image). Prints "selftest: ok ..." or "selftest: FAILED ..." lines.
 */
#define GNU_EFI_USE_MS_ABI 1
#include <efi.h>

#include <stdbool.h>

#include "drivers/machine/vpmu_query.h"
#include "tests/vpmu/selftest/selftest.h"
#include "vpmu/shim/firmware/serial.h"
#include "vpmu/shim/x86.h"

EFI_STATUS efi_main(EFI_HANDLE handle, EFI_SYSTEM_TABLE *table);

enum { APIC_VERSION = 0x30, APIC_SPURIOUS = 0xf0, APIC_EXT_FEATURE = 0x400, APIC_EXT_LVT1 = 0x510 };
enum { MSR_PREPARED = 0x40000080 }; /* CPUID 4000_0013h says so */
enum { IBS_OP_RIP = 0xc0011034, ROUNDS = 20000, PERIOD = 0x100 };
#define OP_VALID   (1ull << 18)
#define OP_ENABLE  (1ull << 17)
#define OP_SETTING (OP_ENABLE | 1ull << 19 | PERIOD >> 4) /* dispatched ops */
#define CF8_NB_F3  0x8000c300u
#define CF8_HOST   0x80000000u
#define NB_CFG_EXT (1ull << 46)

static unsigned failures;
static struct vpmu_filled filled;
static uint64_t apic;

static void check(bool good, const char *what, uint64_t value)
{
    say("selftest: %s %s (%llx)\n", good ? "ok" : "FAILED", what, (unsigned long long)value);
    failures += !good;
}

void selftest_check(bool good, const char *what, uint64_t value)
{
    check(good, what, value);
}

/* ---------------------------------------------------------------- interrupts */

static struct {
    uint64_t count, with_sample, outside, flags_seen, frame_flags;
    bool rearm;
} nmis;

void (*selftest_nmi)(const struct nmi_frame *frame);

void fixture_nmi(const struct nmi_frame *frame)
{
    if (selftest_nmi) {
        selftest_nmi(frame);
        return;
    }
    uint64_t control = x86_rdmsr(MSR_IBS_OP_CTL);
    nmis.count++;
    nmis.flags_seen |= x86_rflags();
    nmis.frame_flags |= frame->rflags;
    if (!(control & OP_VALID))
        return;
    nmis.with_sample++;
    if (frame->rip < (uint64_t)fixture_loop_begin || frame->rip > (uint64_t)fixture_loop_end)
        nmis.outside++;
    x86_wrmsr(MSR_IBS_OP_CTL, nmis.rearm ? OP_SETTING : 0);
}

static uint64_t idt[512] __attribute__((aligned(16)));
static uint64_t second_idt[512] __attribute__((aligned(16)));

static void set_gate(uint64_t *table, unsigned vector, void (*entry)(void))
{
    uint64_t at = (uint64_t)entry;
    table[vector * 2] = (at & 0xffff) | (uint64_t)x86_cs() << 16 | 0x8e00ull << 32 | (at >> 16 & 0xffff) << 48;
    table[vector * 2 + 1] = at >> 32;
}

static void load_idt(uint64_t *table)
{
    struct table_register value = {sizeof idt - 1, (uint64_t)table};
    __asm__ volatile("lidt %0" : : "m"(value) : "memory");
}

static unsigned faults_of(void (*access)(uint64_t), uint64_t argument, unsigned length)
{
    fixture_faults = 0;
    fixture_fault_skip = length;
    access(argument);
    return (unsigned)fixture_faults;
}

static void try_rdmsr(uint64_t msr)
{
    (void)x86_rdmsr((uint32_t)msr);
}
static void try_set_svme(uint64_t ignored)
{
    x86_wrmsr(MSR_EFER, x86_rdmsr(MSR_EFER) | EFER_SVME);
}
static void try_tell(uint64_t table)
{
    x86_wrmsr(MSR_PREPARED, table);
}
static void try_vmmcall(uint64_t ignored)
{
    fixture_vmmcall();
}

/* ---------------------------------------------------------------- what the machine looks like */

static void check_cpuid(void)
{
    uint32_t regs[4];
    x86_cpuid(0x40000000, 0, regs);
    static const char expected[12] = "ibsbootvPMU";
    bool same = true;
    for (unsigned i = 0; i < 12; i++)
        same = same && (char)(regs[1 + i / 4] >> i % 4 * 8) == expected[i];
    check(same, "hypervisor signature", regs[1]);
    x86_cpuid(1, 0, regs);
    check(regs[2] >> 31, "hypervisor bit", regs[2]);
    x86_cpuid(0x80000001, 0, regs);
    check(!(regs[2] & 4), "SVM hidden", regs[2]);
    check(regs[2] & 1 << 10, "IBS shown", regs[2]);
}

static void check_msrs(void)
{
    uint64_t efer = x86_rdmsr(MSR_EFER);
    check(!(efer & EFER_SVME), "EFER shows no SVME", efer);
    x86_wrmsr(MSR_EFER, efer ^ 1); /* SCE */
    check(x86_rdmsr(MSR_EFER) == (efer ^ 1), "EFER takes a write", x86_rdmsr(MSR_EFER));
    x86_wrmsr(MSR_EFER, efer);
    check(faults_of(try_set_svme, 0, 2) == 1, "setting SVME faults", 0);
    check(faults_of(try_rdmsr, MSR_VM_CR, 2) == 1, "VM_CR faults", 0);
    check(faults_of(try_rdmsr, 0x40001000, 2) == 1, "an MSR outside all ranges faults", 0);
    check(faults_of(try_rdmsr, MSR_APIC_BASE, 2) == 0, "APIC_BASE does not", 0);
    check(faults_of(fixture_vmrun, 0, 3) == 1, "VMRUN is undefined", 0);
    check(faults_of(try_vmmcall, 0, 3) == 1, "VMMCALL is undefined", 0);
    filled.count = VPMU_RANGES;
    filled.range[0].linear = apic; /* not memory of this program, but mapped */
    filled.range[0].bytes = 4096;
    check(faults_of(try_tell, (uint64_t)&filled, 2) == 0, "a table of what was filled is taken", filled.count);
    check(x86_rdmsr(MSR_PREPARED) == 0, "and its MSR reads as 0", 0);
    filled.count = VPMU_RANGES + 1;
    check(faults_of(try_tell, (uint64_t)&filled, 2) == 1, "a longer one faults", filled.count);
    filled.count = 0;
    check(faults_of(try_tell, (uint64_t)&filled, 2) == 0, "an empty one does not", 0);
    check(faults_of(try_tell, (uint64_t)&filled + 4, 2) == 1, "one that lies askew faults", 0);
    check(faults_of(try_tell, 1ull << 46, 2) == 1, "one that is not mapped faults", 0);
    x86_wrmsr(MSR_IBS_OP_CTL, 0x1234);
    check(x86_rdmsr(MSR_IBS_OP_CTL) == 0x1234, "IbsOpCtl keeps MaxCnt", x86_rdmsr(MSR_IBS_OP_CTL));
    x86_wrmsr(MSR_IBS_OP_CTL, 0);
}

static uint32_t config_read(uint32_t address)
{
    x86_outl(0xcf8, address);
    return x86_inl(0xcfc);
}

static void check_pci(void)
{
    check(config_read(CF8_HOST) == 0x29c08086, "the chipset's own host bridge", config_read(CF8_HOST));
    check(config_read(CF8_NB_F3) == 0x12031022, "northbridge function 3", config_read(CF8_NB_F3));
    check(config_read(CF8_NB_F3 + 0x100) == 0x12041022, "northbridge function 4", config_read(CF8_NB_F3 + 0x100));
    check(config_read(CF8_NB_F3 + 0x200) == 0xffffffff, "no function 5", config_read(CF8_NB_F3 + 0x200));
    uint32_t lower = config_read(CF8_NB_F3 | 0xcc), ibs_control = CF8_NB_F3 | 0xcc | 1u << 24;
    check(config_read(ibs_control) == lower, "extended registers closed", lower);
    uint64_t nb_cfg = x86_rdmsr(MSR_NB_CFG);
    x86_wrmsr(MSR_NB_CFG, nb_cfg | NB_CFG_EXT);
    x86_outl(0xcf8, ibs_control);
    x86_outl(0xcfc, 0x101);
    check(config_read(ibs_control) == 0x101, "F3x1CC takes offset 1", config_read(ibs_control));
    check(x86_inb(0xcfd) == 1 && x86_inw(0xcfc) == 0x101, "by byte and word", x86_inb(0xcfd));
    x86_outb(0xcfd, 0);
    check(config_read(ibs_control) == 1, "a byte written", config_read(ibs_control));
    x86_outl(0xcfc, 0x101);
    check(x86_rdmsr(MSR_IBS_CONTROL) == 0x101, "IbsControl shows it", x86_rdmsr(MSR_IBS_CONTROL));
    x86_wrmsr(MSR_NB_CFG, nb_cfg);
    check(config_read(ibs_control) == lower, "and closed again", config_read(ibs_control));
}

static volatile uint32_t *apic_register(unsigned offset)
{
    return (volatile uint32_t *)(apic + offset);
}

volatile uint32_t *selftest_apic(unsigned offset)
{
    return apic_register(offset);
}

static void check_apic(void)
{
    check((*apic_register(APIC_VERSION) & 0x800000f0) == 0x80000010, "APIC version, extended space",
          *apic_register(APIC_VERSION));
    check((*apic_register(APIC_EXT_FEATURE) >> 16 & 0xff) == 4, "4 extended LVT entries",
          *apic_register(APIC_EXT_FEATURE));
    uint32_t spurious = *apic_register(APIC_SPURIOUS);
    *apic_register(APIC_SPURIOUS) = spurious ^ 1;
    check(*apic_register(APIC_SPURIOUS) == (spurious ^ 1), "a register of the real APIC", spurious);
    *apic_register(APIC_SPURIOUS) = spurious;
    *apic_register(APIC_EXT_LVT1) = 0x10000;
    fixture_or_memory(apic_register(APIC_EXT_LVT1), 0x400);
    check(*apic_register(APIC_EXT_LVT1) == 0x10400, "extended LVT read, changed and written",
          *apic_register(APIC_EXT_LVT1));
    *apic_register(APIC_EXT_LVT1) = 0x400;
    check(*apic_register(APIC_EXT_LVT1) == 0x400, "and written", *apic_register(APIC_EXT_LVT1));
}

/* ---------------------------------------------------------------- sampling */

static void start(bool rearm)
{
    nmis.count = nmis.with_sample = nmis.outside = nmis.flags_seen = nmis.frame_flags = 0;
    nmis.rearm = rearm;
    x86_wrmsr(MSR_IBS_OP_CTL, OP_SETTING);
}

static void stop(void)
{
    x86_wrmsr(MSR_IBS_OP_CTL, 0);
}

/* CPUID Fn8000_001B EAX[4]; the leaf is absent on revision B. */
static bool counts_ops(void)
{
    uint32_t regs[4];
    x86_cpuid(0x80000000, 0, regs);
    if (regs[0] < 0x8000001b)
        return false;
    x86_cpuid(0x8000001b, 0, regs);
    return regs[0] >> 4 & 1;
}

static void check_sampling(bool interrupts)
{
    uint64_t expected = fixture_loop(ROUNDS);
    uint64_t gate = idt[2];
    start(true);
    uint64_t got = fixture_loop(ROUNDS);
    stop();
    /* 24 instructions in a round, and at least as many ops; revision B counts cycles, three of them in each at best. */
    uint64_t least = ROUNDS * 24ull / PERIOD / (counts_ops() ? 1 : 3) - 2;
    check(got == expected, interrupts ? "the loop's result, interrupts on" : "the loop's result", got);
    check(nmis.with_sample >= least, "samples", nmis.with_sample);
    check(nmis.outside <= 2, "samples elsewhere than in the loop", nmis.outside);
    check(interrupts || !(nmis.flags_seen & RFLAGS_IF), "the handler runs with interrupts off", nmis.flags_seen);
    check(!(nmis.frame_flags & RFLAGS_TF), "its frame shows no TF", nmis.frame_flags);
    check(idt[2] == gate, "the gate of vector 1 is back", idt[2]);
    check(!(x86_rflags() & RFLAGS_TF), "TF is clear", x86_rflags());
}

static void check_hidden(void)
{
    start(false);
    uint64_t flags = fixture_flags_loop(100);
    uint64_t now = x86_rflags();
    uint64_t result = fixture_loop(100);
    uint64_t seen = nmis.with_sample;
    stop();
    check(!(flags & RFLAGS_TF) && !(now & RFLAGS_TF), "PUSHF shows no TF while stepped", flags | now);
    check(seen == 1, "stepping goes on after POPF; not re-armed, one sample", seen);
    check(result == fixture_loop(100), "the loop's result", result);

    /* Instructions that the host carries out are reported like others: three in a round, one of them CPUID. */
    start(true);
    fixture_cpuid_loop(ROUNDS / 10);
    seen = nmis.with_sample;
    stop();
    check(!counts_ops() || seen >= ROUNDS / 10 * 3 / PERIOD - 1, "samples of a loop around CPUID", seen);

    uint64_t gate = idt[2];
    start(true);
    bool stub = idt[2] != gate; /* not when the host or the QEMU plugin steps */
    load_idt(second_idt);
    check((second_idt[2] != gate) == stub && idt[2] == gate,
          stub ? "LIDT while stepped: the stub moves along" : "LIDT while stepped, by no stub", second_idt[2]);
    (void)fixture_loop(100);
    check(faults_of(try_rdmsr, MSR_VM_CR, 2) == 1, "a fault while stepped", fixture_faults);
    seen = nmis.with_sample;
    (void)fixture_loop(100);
    check(nmis.with_sample > seen, "stepping goes on after the instruction", nmis.with_sample);
    load_idt(idt);
    stop();
    check(second_idt[2] == idt[2], "both tables as before", second_idt[2]);

    /* The fault's frame was pushed while TF was set; with TF still in it, IRETQ would bring a debug exception that
     * nobody expects. */
    start(true);
    fixture_fault_stops = 1;
    check(faults_of(try_rdmsr, MSR_VM_CR, 2) == 1, "a fault whose handler stops sampling", fixture_faults);
    fixture_fault_stops = 0;
    check(!(x86_rflags() & RFLAGS_TF), "TF is clear behind it", x86_rflags());
}

EFI_STATUS efi_main(EFI_HANDLE handle, EFI_SYSTEM_TABLE *table)
{
    struct table_register firmware_idt = x86_idtr();
    uint64_t flags = x86_rflags(); /* a BIOS's loader calls with interrupts off */
    apic = x86_rdmsr(MSR_APIC_BASE) & 0x000ffffffffff000ull;
    uint32_t spurious = *apic_register(APIC_SPURIOUS), lvt = *apic_register(APIC_EXT_LVT1);

    __asm__ volatile("cli");
    for (unsigned i = 0; i < firmware_idt.limit / 8u && i < 512; i++)
        idt[i] = ((const uint64_t *)firmware_idt.base)[i];
    set_gate(idt, 2, fixture_nmi_entry);
    set_gate(idt, 6, fixture_ud_entry);
    set_gate(idt, 13, fixture_gp_entry);
    set_gate(idt, 3, fixture_trap_entry);
    set_gate(idt, FIXTURE_VECTOR, fixture_trap_entry);
    for (unsigned i = 0; i < 512; i++)
        second_idt[i] = idt[i];
    load_idt(idt);

    check_cpuid();
    check_msrs();
    check_pci();
    check_apic();
    check_sampling(false);
    check_hidden();
    fill_check();
    counters_check();
    if (selftest_by_exits()) {
        start(true);
        doors_check();
        stop();
        doors_check_unstepped();
    }
    __asm__ volatile("sti");
    check_sampling(true);
    __asm__ volatile("cli");

    x86_wrmsr(MSR_NB_CFG, x86_rdmsr(MSR_NB_CFG) | NB_CFG_EXT);
    x86_outl(0xcf8, CF8_NB_F3 | 0xcc | 1u << 24);
    x86_outl(0xcfc, 0);
    x86_wrmsr(MSR_NB_CFG, x86_rdmsr(MSR_NB_CFG) & ~NB_CFG_EXT);
    *apic_register(APIC_EXT_LVT1) = lvt;
    *apic_register(APIC_SPURIOUS) = spurious;
    __asm__ volatile("lidt %0" : : "m"(firmware_idt) : "memory");
    if (flags & RFLAGS_IF)
        __asm__ volatile("sti");
    say("selftest: %u failed\n", failures);
    return failures ? EFI_ABORTED : EFI_SUCCESS;
}
