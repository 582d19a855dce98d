/* SPDX-License-Identifier: BSD-2-Clause */
#include "drivers/machine/machine.h"

#include "core/base/out.h"
#include "core/family/branch_regs.h"
#include "core/family/ibs_regs.h"
#include "core/family/pmc_regs.h"
#include "drivers/cpu/apic.h"
#include "drivers/cpu/cpu.h"
#include "drivers/machine/vpmu_query.h"
#include "drivers/machine/zen_ibs.h"

#define MSR_EFER 0xC0000080u
#define EFER_NXE 0x800ull /* AMD APM vol. 2 section 3.1.7 */

static void text_from(char *text, const uint32_t *words, unsigned count)
{
    for (unsigned i = 0; i < count * 4; i++) {
        char c = (char)(words[i / 4] >> i % 4 * 8);
        text[i] = c;
    }
    text[count * 4] = 0;
}

static void make_printable(char *text)
{
    unsigned i = 0;
    for (; text[i]; i++)
        if (text[i] < ' ' || text[i] > '~')
            text[i] = '.';
}

static bool same(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return *a == *b;
}

/* Removes blanks at both ends, in place: processors pad their names on either side. */
static void trim(char *text)
{
    char *from = text, *to = text, *end = text;
    while (*from == ' ')
        from++;
    while (*from) {
        *to = *from++;
        if (*to++ != ' ')
            end = to;
    }
    *end = 0;
}

/* CPUID leaf 1 EAX (AMD CPUID specification 25481). The extended fields count from base family 0Fh on; Intel uses the
 * extended model with family 6 too. */
static void signature(struct machine *m, uint32_t eax)
{
    uint32_t family = eax >> 8 & 0xF;
    m->family = family == 0xF ? family + (eax >> 20 & 0xFF) : family;
    m->model = eax >> 4 & 0xF;
    if (family == 0xF || (family == 6 && !m->amd))
        m->model |= (eax >> 16 & 0xF) << 4;
    m->stepping = eax & 0xF;
}

/* Models of AMD 41322 (Revision Guide for Family 10h). libpfm4 (pfmlib_amd64.c) takes model 0Ah for revision B: it is
 * revision E, Phenom II X6, whose CPUID 8000_001Bh reads 1Fh. */
static char revision_of(const struct machine *m)
{
    if (!machine_registers_known(m))
        return 0;
    switch (m->model) {
    case 2:
        return 'B';
    case 4:
    case 5:
    case 6:
        return 'C';
    case 8:
    case 9:
        return 'D';
    case 0xA:
        return 'E';
    default:
        return '?';
    }
}

static void probe_basic(struct machine *m)
{
    struct cpu_cpuid r;
    cpu_cpuid(0, 0, &r);
    m->max_leaf = r.eax;
    text_from(m->vendor, (const uint32_t[]){r.ebx, r.edx, r.ecx}, 3);
    make_printable(m->vendor);
    m->amd = same(m->vendor, "AuthenticAMD");
    cpu_cpuid(1, 0, &r);
    signature(m, r.eax);
    m->row = m->amd ? ibs_family_of(m->family, m->model) : NULL;
    m->errata = m->row ? m->row->errata : 0;
    m->revision = revision_of(m);
    m->hypervisor = r.ecx >> 31;
    m->mtrr = r.edx >> 12 & 1;
    m->mca = r.edx >> 14 & 1;
    if (m->hypervisor) {
        cpu_cpuid(0x40000000, 0, &r);
        text_from(m->hypervisor_signature, (const uint32_t[]){r.ebx, r.ecx, r.edx}, 3);
        make_printable(m->hypervisor_signature);
    }
}

void machine_probe_ibs(struct machine *m)
{
    struct cpu_cpuid r = {0};
    m->ibs = m->ibs_leaf = false;
    m->ibs_caps = 0;
    if (m->max_extended_leaf >= CPUID_LEAF_EXTENDED_FEATURES)
        cpu_cpuid(CPUID_LEAF_EXTENDED_FEATURES, 0, &r);
    m->ibs = r.ecx & CPUID_EXT_ECX_IBS;
    if (!m->ibs)
        return;
    r.eax = 0;
    if (m->max_extended_leaf >= CPUID_LEAF_IBS)
        cpu_cpuid(CPUID_LEAF_IBS, 0, &r);
    m->ibs_leaf = r.eax & IBS_CAP_FFV;
    m->ibs_caps = ibs_caps(m->max_extended_leaf, r.eax) & ~(m->row ? m->row->caps_ignored : 0);
}

/* Returns the threads of this processor: AMD APM vol. 3, Fn0000_000B_EBX_x1, in 16 bits (Linux
 * arch/x86/kernel/cpu/topology_ext.c, num_processors). 0: it has no such leaf. */
static uint32_t threads_by_level(const struct machine *m)
{
    struct cpu_cpuid r = {0};
    if (m->max_leaf >= 0xB)
        cpu_cpuid(0xB, 1, &r);
    return r.ebx & 0xFFFF;
}

/* Reads leaves that only AMD has, but for 0Bh; CPUID 8000_0001h ECX[22] says that the others exist. */
static void probe_topology(struct machine *m)
{
    struct cpu_cpuid level = {0}, l3 = {0}, core = {0};
    if (m->amd && m->max_leaf >= 0xB)
        cpu_cpuid(0xB, 0, &level);
    if (m->amd && m->max_extended_leaf >= CPUID_LEAF_CORE && m->extended_ecx & CPUID_EXT_ECX_TOPOLOGY) {
        cpu_cpuid(CPUID_LEAF_CACHE, 3, &l3);
        cpu_cpuid(CPUID_LEAF_CORE, 0, &core);
    }
    m->topology = topology_of(&(struct topology_words){level.eax, level.ebx, l3.eax, core.ebx});
}

static void probe_extended(struct machine *m)
{
    struct cpu_cpuid r;
    m->physical_address_bits = 36;
    m->cores = 1;
    cpu_cpuid(0x80000000, 0, &r);
    m->max_extended_leaf = r.eax >= 0x80000000 ? r.eax : 0;
    if (m->max_extended_leaf >= CPUID_LEAF_EXTENDED_FEATURES) {
        cpu_cpuid(CPUID_LEAF_EXTENDED_FEATURES, 0, &r);
        m->extended_ecx = r.ecx;
        m->page_1g = r.edx >> 26 & 1;
        m->nx = r.edx >> 20 & 1;
    }
    if (m->max_extended_leaf >= 0x80000004) {
        uint32_t words[12];
        for (uint32_t i = 0; i < 3; i++) {
            cpu_cpuid(0x80000002 + i, 0, &r);
            words[4 * i] = r.eax;
            words[4 * i + 1] = r.ebx;
            words[4 * i + 2] = r.ecx;
            words[4 * i + 3] = r.edx;
        }
        text_from(m->name, words, 12);
        make_printable(m->name);
        trim(m->name);
    }
    if (m->max_extended_leaf >= 0x80000006) {
        cpu_cpuid(0x80000006, 0, &r);
        m->caches_told = true;
        m->l3_kb = (r.edx >> 18) * 512; /* AMD CPUID specification 25481 */
    }
    if (m->max_extended_leaf >= 0x80000007) {
        cpu_cpuid(0x80000007, 0, &r);
        m->tsc_told = true;
        m->pstates = (machine_registers_known(m) || machine_zen(m)) && r.edx >> 7 & 1;
        m->boost = m->amd && r.edx >> 9 & 1; /* HWCR[25] on all: Linux drivers/cpufreq/acpi-cpufreq.c, boost_set_msr */
        m->tsc_invariant = r.edx >> 8 & 1;   /* AMD CPUID specification 25481 */
    }
    if (m->max_extended_leaf >= 0x80000008) {
        cpu_cpuid(0x80000008, 0, &r);
        m->physical_address_bits = r.eax & 0xFF;
        m->branch_sampling =
            m->row && m->row->traits & IBS_TRAIT_BRANCH_SAMPLING && r.ebx >> CPUID_BRANCH_SAMPLING_SHIFT;
        m->branches = m->branch_sampling ? BRANCH_SAMPLING_RECORDS : 0;
        if (m->amd) {
            m->cores = (r.ecx & 0xFF) + 1; /* 8 bits; processors with more than 256 threads say so in leaf 0Bh */
            m->core_bits = r.ecx >> 12 & 0xF;
            while (!(r.ecx >> 12 & 0xF) && 1u << m->core_bits < m->cores)
                m->core_bits++;
        }
    }
    if (m->amd && threads_by_level(m) > 256)
        m->cores = threads_by_level(m);
    machine_probe_ibs(m);
}

/* Finds the counters. The row says where they are; CPUID whether they exist: 8000_0001h ECX[23] those at C001_0200h
 * (PerfCtrExtCore), 8000_0022h EAX[0] global control and EBX[3:0] their number (Linux arch/x86/events/amd/core.c,
 * amd_core_pmu_init). Without these there are the first four, at C001_0000h. The second leaf has branch records, too.
 */
static void probe_counters(struct machine *m)
{
    static const struct ibs_pmc first = {
        .count = PMC_LEGACY, .version = 1, .stride = 1, .ctl = MSR_PERF_CTL0, .ctr = MSR_PERF_CTR0};
    struct cpu_cpuid r = {0};
    if (!m->row)
        return;
    m->pmc = m->row->pmc;
    if (m->pmc.ctl != first.ctl && !(m->extended_ecx & CPUID_EXT_ECX_PMC_CORE)) {
        uint8_t count_mask_max = m->pmc.count_mask_max;
        m->pmc = first;
        m->pmc.count_mask_max = count_mask_max;
    }
    if (m->pmc.version < 2)
        return;
    if (m->max_extended_leaf >= CPUID_LEAF_PMC)
        cpu_cpuid(CPUID_LEAF_PMC, 0, &r);
    m->branches = branch_records_of_cpuid(r.eax, r.ebx);
    if (!(r.eax & 1))
        m->pmc.version = 1;
    else if (r.ebx & 0xF)
        m->pmc.count = (r.ebx & 0xF) < PMC_COUNTERS ? r.ebx & 0xF : PMC_COUNTERS;
}

void machine_probe(struct machine *m)
{
    *m = (struct machine){0};
    probe_basic(m);
    probe_extended(m);
    probe_topology(m);
    probe_counters(m);
    /* Both exist in every processor that runs 64-bit code; a fault leaves 0. */
    (void)cpu_rdmsr_safe(MSR_APIC_BASE, &m->apic_msr);
    (void)cpu_rdmsr_safe(MSR_EFER, &m->efer);
    m->nxe = m->efer & EFER_NXE;
    m->cr4 = cpu_read_cr4();
    if (m->mca)
        machine_check_read(&m->check, false);
    if (machine_registers_known(m))
        nodes_probe(m);
    nodes_take(m, NULL);
}

/* Reads ids beyond 255 from leaf 0Bh (AMD APM vol. 3, Fn0000_000B_EDX), or from 8000_001Eh, where ECX[22] of
 * 8000_0001h says so; only a processor that knows x2APIC (leaf 1 ECX[21]) has such. */
uint32_t machine_apic_id(void)
{
    enum { X2APIC = 1 << 21, TOPOLOGY = 1 << 22 };
    struct cpu_cpuid r, more;
    cpu_cpuid(1, 0, &r);
    if (!(r.ecx & X2APIC))
        return r.ebx >> 24;
    cpu_cpuid(0, 0, &more);
    if (more.eax >= 0xB) {
        cpu_cpuid(0xB, 0, &more);
        if (more.ebx & 0xFFFF) /* threads at this level: the leaf is there */
            return more.edx;
    }
    cpu_cpuid(0x80000000, 0, &more);
    if (more.eax < 0x8000001E)
        return r.ebx >> 24;
    cpu_cpuid(0x80000001, 0, &more);
    if (!(more.ecx & TOPOLOGY))
        return r.ebx >> 24;
    cpu_cpuid(0x8000001E, 0, &more);
    return more.eax;
}

bool machine_ibs_usable(const struct machine *m)
{
    return m->row && m->ibs;
}

bool machine_pmc_usable(const struct machine *m)
{
    return m->pmc.count;
}

/* Says what to do; a known family has IBS unless somebody hides it. */
static void refusal_advice(const struct machine *m, struct out *out)
{
    if (!m->amd)
        out_printf(out, "; IBS is in AMD processors, from family %xh on", ibs_family_row(0)->family);
    else if (!m->row)
        out_printf(out, "; this program does not know the family: docs/adding.md");
    else if (m->hypervisor && !vpmu_is_model(m))
        out_printf(out, "; the hypervisor (%s) hides it: run on the machine itself", m->hypervisor_signature);
    else if (machine_zen(m))
        out_printf(out, "; switch it on in the BIOS setup (CBS, Zen Common Options, Enable IBS)%s, or update the BIOS",
                   zen_ibs_known(m) ? ", set zen_ibs_on=yes" : "");
    else if (m->row->lvt == IBS_LVT_FIRMWARE)
        out_printf(out, "; other processors of the family have IBS, and no source says what hides it here: only from "
                        "Family 17h on is it published that firmware can switch it off");
}

void machine_ibs_refusal(const struct machine *m, char *text, size_t size)
{
    struct out_memory memory;
    out_memory_init(&memory, text, size);
    if (machine_ibs_usable(m))
        return;
    struct out *out = &memory.out;
    out_printf(out, "no usable IBS: %s family %xh model %xh stepping %u, ", m->vendor, m->family, m->model,
               m->stepping);
    if (m->max_extended_leaf < CPUID_LEAF_EXTENDED_FEATURES)
        out_printf(out, "CPUID has no leaf 8000_0001h");
    else
        out_printf(out, "CPUID 8000_0001h ECX = %08xh (bit 10, IBS, is %s)", m->extended_ecx, m->ibs ? "set" : "clear");
    refusal_advice(m, out);
}
