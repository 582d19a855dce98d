/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/shim/hypervisor.h"

#include "vpmu/model/hostile.h"
#include "vpmu/shim/firmware/serial.h"
#include "vpmu/shim/startup.h"

static struct svm *const svm = &hypervisor.svm;

/* MSRs whose accesses exit, for msr.c. The whole C001_xxxx block goes through the model, which passes on others'
 * registers. */
static const struct {
    uint32_t first, last;
} msr_exits[] = {
    {MSR_TSC, MSR_TSC},
    {0x179, 0x17a}, /* MCG_CAP, MCG_STATUS */
    {0x401, 0x402}, /* of bank 0 */
    {0x200, 0x20f},
    {0x2ff, 0x2ff}, /* MTRRs */
    {MSR_EFER, MSR_EFER},
    {MSR_GLOBAL_FIRST, MSR_GLOBAL_LAST},
    {MSR_BRANCH_SELECT, MSR_BRANCH_CONTROL},
    {0xc0010000, 0xc0011fff},
};

enum { PCI_CONFIG_FIRST = 0xcf8, PCI_CONFIG_LAST = 0xcff };

static void let_exit(uint32_t first, uint32_t last)
{
    for (uint32_t msr = first; msr <= last; msr++) {
        unsigned block = msr >= 0xc0010000 ? 2 : msr >= 0xc0000000 ? 1 : 0;
        unsigned bit = block * 2048 * 8 + (msr & 0x1fff) * 2;
        svm->msr_map[bit / 8] |= (uint8_t)(3u << bit % 8);
    }
}

static void let_port_exit(uint32_t port)
{
    svm->io_map[port / 8] |= (uint8_t)(1u << port % 8);
}

static void fill_maps(const struct shim_settings *settings)
{
    for (unsigned row = 0; row < sizeof msr_exits / sizeof msr_exits[0]; row++)
        let_exit(msr_exits[row].first, msr_exits[row].last);
    if (settings->x2apic) {
        let_exit(MSR_APIC_BASE, MSR_APIC_BASE);
        let_exit(0x800, 0x8ff);
    }
    for (unsigned port = PCI_CONFIG_FIRST; port <= PCI_CONFIG_LAST; port++)
        let_port_exit(port);
    if (hostile_has(settings->hostile, HOSTILE_NMI_REASON))
        let_port_exit(PORT_NMI_REASON);
}

struct vmcb_segment svm_segment(const struct vmcb_segment *gdtr, uint16_t selector)
{
    if ((selector & 0xfff8) == 0 || (selector | 7u) > gdtr->limit)
        return (struct vmcb_segment){.selector = selector}; /* null: not present */
    return svm_descriptor(selector, *(const uint64_t *)(gdtr->base + (selector & 0xfff8u)));
}

struct vmcb_segment svm_descriptor(uint16_t selector, uint64_t descriptor)
{
    struct vmcb_segment segment = {.selector = selector};
    segment.attributes = (uint16_t)((descriptor >> 40 & 0xff) | (descriptor >> 44 & 0xf00));
    segment.limit = (uint32_t)((descriptor & 0xffff) | (descriptor >> 32 & 0xf0000));
    if (segment.attributes & 0x800)
        segment.limit = segment.limit << 12 | 0xfff;
    segment.base = (descriptor >> 16 & 0xffffff) | (descriptor >> 32 & 0xff000000);
    return segment;
}

static bool svm_present(void)
{
    uint32_t regs[4];
    x86_cpuid(0x80000001, 0, regs);
    if (!(regs[2] & 1u << 2)) {
        say("vpmu: this processor has no SVM (QEMU: -cpu phenom,+svm,+npt)\n");
        return false;
    }
    x86_cpuid(0x8000000a, 0, regs);
    if (!(regs[3] & 1u)) {
        say("vpmu: this processor has SVM but no nested paging (QEMU: +npt)\n");
        return false;
    }
    return true;
}

static void fill_guest_state(struct vmcb *vmcb)
{
    struct table_register gdtr = x86_gdtr(), idtr = x86_idtr();
    vmcb->gdtr = (struct vmcb_segment){.limit = gdtr.limit, .base = gdtr.base};
    vmcb->idtr = (struct vmcb_segment){.limit = idtr.limit, .base = idtr.base};
    vmcb->cs = svm_segment(&vmcb->gdtr, x86_cs());
    vmcb->ds = svm_segment(&vmcb->gdtr, x86_ds());
    vmcb->es = svm_segment(&vmcb->gdtr, x86_es());
    vmcb->ss = svm_segment(&vmcb->gdtr, x86_ss());
    vmcb->efer = x86_rdmsr(MSR_EFER); /* SVME is set by now, and must be (section 15.5.1) */
    vmcb->cr0 = x86_cr0();
    vmcb->cr2 = x86_cr2();
    vmcb->cr3 = x86_cr3();
    vmcb->cr4 = x86_cr4();
    vmcb->dr6 = x86_dr6();
    vmcb->dr7 = x86_dr7();
    vmcb->guest_pat = x86_rdmsr(MSR_PAT);
}

/* Fills entries that the firmware does not map with the first 512 GB's (HOSTILE_PML4_FULL). */
static uint64_t full_tables(uint64_t cr3)
{
    uint64_t *table = svm->full_table;
    const uint64_t *from = (const uint64_t *)(cr3 & PAGE_ADDRESS);
    for (unsigned i = 0; i < PAGE_ENTRIES; i++)
        table[i] = from[i] & PAGE_PRESENT ? from[i] : from[0];
    return (uint64_t)table | (cr3 & ~PAGE_ADDRESS);
}

void svm_begin(struct shim *shim)
{
    struct vmcb *vmcb = shim->vmcb;
    /* NXE: the nested tables use the no-fetch right, and are walked under the host's EFER. */
    x86_wrmsr(MSR_EFER, x86_rdmsr(MSR_EFER) | EFER_SVME | EFER_NXE);
    x86_wrmsr(MSR_VM_HSAVE_PA, (uint64_t)shim->pages->host_save);

    *vmcb = (struct vmcb){0};
    vmcb->intercept_misc1 =
        INTERCEPT_RDTSC | INTERCEPT_RDPMC | INTERCEPT_CPUID | INTERCEPT_IOIO | INTERCEPT_MSR | INTERCEPT_SHUTDOWN;
    vmcb->intercept_misc1 |= hypervisor.cores > 1 ? INTERCEPT_PAUSE | INTERCEPT_HLT : 0; /* group.c */
    vmcb->intercept_misc2 = INTERCEPT_SVM_INSTRUCTIONS | INTERCEPT_RDTSCP;
    vmcb->intercept_cr_write = shim->settings.os ? 0 : INTERCEPT_CR3; /* the model's TLBs must be flushed */
    vmcb->iopm_base = (uint64_t)svm->io_map;
    vmcb->msrpm_base = (uint64_t)svm->msr_map;
    vmcb->asid = 1;
    vmcb->tlb_control = TLB_FLUSH_ALL; /* the nested tables change between two VMRUNs */
    vmcb->nested_control = NESTED_PAGING;
    vmcb->nested_cr3 = (uint64_t)shim->nested->root;
    fill_guest_state(vmcb);
    if (hostile_has(shim->settings.hostile, HOSTILE_PML4_FULL))
        vmcb->cr3 = full_tables(vmcb->cr3);
    shim->in_guest = true;
    group_enter(shim);
}

bool svm_prepare(void)
{
    if (!svm_present())
        return false;
    fill_maps(&hypervisor.shim[0].settings);
    uint64_t apic_base = x86_rdmsr(MSR_APIC_BASE) & PAGE_ADDRESS;
    identity_build(&svm->host_map, apic_base);
    for (uint32_t i = 0; i < hypervisor.cores; i++) {
        struct shim *shim = &hypervisor.shim[i];
        struct shim_pages *pages = shim->pages;
        shim->apic_base = apic_base;
        shim->x2apic = shim->settings.x2apic && i == 0;
        identity_build(&pages->nested, apic_base);
        identity_redirect(&pages->nested, 0);
        shim->nested = &pages->nested;
        shim->vmcb = &pages->vmcb;
        shim->world.vmcb = shim->vmcb;
        world_init(&shim->world, svm->gate, (uint64_t)svm->host_map.root,
                   (uint64_t)(pages->host_stack + sizeof pages->host_stack));
    }
    startup_fill((uint64_t)svm->host_map.root);
    return true;
}
