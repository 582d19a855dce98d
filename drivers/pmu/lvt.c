/* SPDX-License-Identifier: BSD-2-Clause */
#include "drivers/pmu/lvt.h"

#include "core/family/ibs_regs.h"
#include "drivers/cpu/apic.h"
#include "drivers/cpu/cpu.h"
#include "drivers/machine/pci.h"
#include "drivers/trace/trace.h"

enum { ENTRY_FIRST = 1, ENTRY_LAST = LVT_ENTRIES - 1 }; /* of those that are ours to choose from */

/* Returns whether the entry may be taken. Any masked one may: an earlier system may have left its message type there
 * (Linux arch/x86/kernel/apic/apic.c, eilvt_entry_is_changeable). An unmasked one must be what we would write. */
static bool usable(uint32_t lvt)
{
    return (lvt & APIC_LVT_MASKED) || (lvt & ~(uint32_t)APIC_LVT_STATUS) == APIC_LVT_NMI;
}

/* Returns the entry to which firmware sends the interrupt of memory's error threshold; 0: none. MC4_MISC: bit 63
 * valid, 55:52 LvtOffset (Linux arch/x86/kernel/cpu/mce/amd.c, MASK_VALID_HI, MASK_LVTOFF_HI). */
static uint32_t threshold_entry(const struct machine *machine)
{
    uint64_t misc = machine->silicon.value[SILICON_MC4_MISC];
    return misc >> 63 ? misc >> 52 & 0xF : 0;
}

/* Chooses an entry. The threshold's is masked as long as no error is counted, and is taken only if there is no other:
 * its interrupt would be an NMI without a sample. */
static enum session_error choose_entry(const struct machine *machine, uint64_t apic, uint32_t *entry, uint64_t *detail)
{
    uint32_t count = apic_extended_lvts(apic), threshold = threshold_entry(machine), found = 0;
    *detail = count;
    if (count <= ENTRY_FIRST)
        return SESSION_NO_EXTENDED_LVT;
    for (uint32_t n = ENTRY_FIRST; n <= ENTRY_LAST && n < count; n++)
        if ((!found || found == threshold) && usable(apic_read(apic_extended_lvt(apic, n))))
            found = n;
    if (!found)
        return SESSION_NO_FREE_LVT;
    *entry = found;
    return SESSION_OK;
}

/* Opens NB_CFG[46], without which CF8h does not reach offsets from 100h on. */
static enum session_error open_extended_config(struct restore_log *log, uint64_t *detail)
{
    *detail = MSR_NB_CFG;
    return pci_open_extended(log) ? SESSION_MSR_FAULT : SESSION_OK;
}

static enum session_error assign_on_node(struct restore_log *log, uint32_t node, uint32_t wanted, uint64_t *before,
                                         uint64_t *detail)
{
    const uint32_t keep = ~(uint32_t)(IBS_CTL_LVT_OFFSET | IBS_CTL_LVT_VALID);
    *detail = node;
    if (restore_save(log, RESTORE_PCI, PCI_IBS_CONTROL, node, ~0ull, "F3x1CC IBS control", before))
        return SESSION_F3X1CC;
    pci_write(PCI_NODE_DEVICE + node, PCI_IBS_FUNCTION, PCI_IBS_CONTROL, ((uint32_t)*before & keep) | wanted);
    uint32_t after = pci_read(PCI_NODE_DEVICE + node, PCI_IBS_FUNCTION, PCI_IBS_CONTROL);
    return (after & ~keep) == wanted ? SESSION_OK : SESSION_F3X1CC;
}

static enum session_error check_mirror(uint32_t wanted, uint64_t *detail)
{
    uint64_t control;
    if (cpu_rdmsr_safe(MSR_IBS_CONTROL, &control)) {
        *detail = MSR_IBS_CONTROL;
        return SESSION_MSR_FAULT;
    }
    *detail = control;
    return (control & (IBS_CTL_LVT_OFFSET | IBS_CTL_LVT_VALID)) == wanted ? SESSION_OK : SESSION_IBS_CONTROL;
}

uint32_t lvt_save(struct restore_log *log, uint64_t apic, uint32_t entry)
{
    static const char *const names[LVT_ENTRIES] = {"APIC 500h extended LVT 0", "APIC 510h extended LVT 1",
                                                   "APIC 520h extended LVT 2", "APIC 530h extended LVT 3"};
    return restore_save(log, RESTORE_MMIO, apic_extended_lvt(apic, entry), 0, ~(uint64_t)APIC_LVT_STATUS, names[entry],
                        NULL);
}

static enum session_error program_entry(struct restore_log *log, uint64_t apic, uint64_t *ours, uint32_t entry,
                                        uint64_t *detail)
{
    uint64_t address = apic_extended_lvt(apic, entry);
    if (lvt_save(log, apic, entry))
        return SESSION_LVT_WRITE;
    *ours = address; /* a pending request comes with the next write */
    apic_write(address, APIC_LVT_NMI);
    uint32_t after = apic_read(address);
    *detail = after;
    return (after & ~(uint32_t)APIC_LVT_STATUS) == APIC_LVT_NMI ? SESSION_OK : SESSION_LVT_WRITE;
}

/* Assigns one entry on all nodes. If a node does not keep it, the nodes written before get back firmware's, which may
 * be as good (use_firmware()). */
static enum session_error assign(const struct machine *machine, struct restore_log *log, uint32_t wanted,
                                 uint64_t *detail)
{
    uint64_t before[NODES_PCI];
    for (uint32_t node = 0; node < NODES_PCI; node++) {
        if (!(machine->nodes.mask >> node & 1))
            continue;
        enum session_error error = assign_on_node(log, node, wanted, &before[node], detail);
        if (!error)
            continue;
        for (uint32_t n = 0; n <= node; n++)
            if (machine->nodes.mask >> n & 1)
                pci_write(PCI_NODE_DEVICE + n, PCI_IBS_FUNCTION, PCI_IBS_CONTROL, (uint32_t)before[n]);
        return error;
    }
    return SESSION_OK;
}

/* Takes the entry that firmware assigned, as MSR C001_103A shows it (Linux arch/x86/events/amd/ibs.c, ibs_eilvt_setup:
 * "if the OS assignment fails, fall back to BIOS settings"). */
static bool use_firmware(uint64_t apic, uint32_t first, uint32_t *entry)
{
    uint64_t control;
    if (cpu_rdmsr_safe(MSR_IBS_CONTROL, &control) || !(control & IBS_CTL_LVT_VALID))
        return false;
    uint32_t n = control & IBS_CTL_LVT_OFFSET;
    if (n < first || n > ENTRY_LAST || n >= apic_extended_lvts(apic) || !usable(apic_read(apic_extended_lvt(apic, n))))
        return false;
    *entry = n;
    return true;
}

/* Sets up each core's own registers. */
static enum session_error set_up_core(struct restore_log *log, uint64_t apic, uint64_t *ours, uint32_t entry,
                                      uint64_t *detail)
{
    enum session_error error = check_mirror(entry | (uint32_t)IBS_CTL_LVT_VALID, detail);
    if (!error)
        error = program_entry(log, apic, ours, entry, detail);
    if (!error)
        *detail = 0;
    return error;
}

/* Takes the entry as firmware had to assign it, 0 too, and writes nothing but the entry (Linux, same function: F3x1CC
 * is written on Family 10h alone). */
static enum session_error set_up_firmware(struct restore_log *log, uint64_t apic, uint64_t *ours, uint32_t *entry,
                                          uint64_t *detail)
{
    trace(TRACE_ENTRY);
    if (!use_firmware(apic, 0, entry)) {
        (void)cpu_rdmsr_safe(MSR_IBS_CONTROL, detail);
        return SESSION_NO_FIRMWARE_LVT;
    }
    return set_up_core(log, apic, ours, *entry, detail);
}

enum session_error lvt_set_up(const struct machine *machine, struct restore_log *log, uint64_t *ours, uint32_t *entry,
                              uint64_t *detail)
{
    uint64_t apic;
    *detail = 0;
    trace(TRACE_LVT);
    enum session_error error = apic_find(machine->apic_msr, &apic);
    if (!error && machine->row->lvt == IBS_LVT_FIRMWARE)
        return set_up_firmware(log, apic, ours, entry, detail);
    if (!error && !machine->nodes.mask)
        error = SESSION_NO_NODES;
    if (!error)
        error = choose_entry(machine, apic, entry, detail);
    trace(TRACE_NODES);
    if (!error)
        error = open_extended_config(log, detail);
    if (!error)
        error = assign(machine, log, *entry | (uint32_t)IBS_CTL_LVT_VALID, detail);
    if (error == SESSION_F3X1CC && use_firmware(apic, ENTRY_FIRST, entry))
        error = SESSION_OK;
    trace(TRACE_ENTRY);
    return error ? error : set_up_core(log, apic, ours, *entry, detail);
}

enum session_error lvt_join(const struct machine *machine, struct restore_log *log, uint64_t *ours, uint32_t entry,
                            uint64_t *detail)
{
    uint64_t apic;
    *detail = 0;
    enum session_error error = apic_find(machine->apic_msr, &apic);
    if (error)
        return error;
    if (machine->row->lvt == IBS_LVT_FIRMWARE) /* firmware may have assigned another one on this core */
        return set_up_firmware(log, apic, ours, &entry, detail);
    *detail = apic_extended_lvts(apic);
    if (entry >= *detail)
        return SESSION_NO_EXTENDED_LVT;
    if (!usable(apic_read(apic_extended_lvt(apic, entry))))
        return SESSION_NO_FREE_LVT;
    return set_up_core(log, apic, ours, entry, detail);
}
