/* SPDX-License-Identifier: BSD-2-Clause */
#include "drivers/machine/restore.h"

#include <stddef.h>

#include "core/base/out.h"
#include "core/family/ibs_regs.h"
#include "drivers/cpu/apic.h"
#include "drivers/cpu/cpu.h"
#include "drivers/cpu/paging.h"
#include "drivers/machine/pci.h"

void restore_init(struct restore_log *log)
{
    log->count = 0;
    log->failed = 0;
    log->dropped = 0;
}

static bool append(struct restore_log *log, uint32_t room, const struct restore_row *row)
{
    if (log->count >= room)
        return false;
    log->row[log->count++] = *row;
    return true;
}

static uint32_t read_register(enum restore_kind kind, uint64_t address, uint32_t unit, uint64_t *value)
{
    *value = 0;
    switch (kind) {
    case RESTORE_MSR:
        return cpu_rdmsr_safe((uint32_t)address, value);
    case RESTORE_MMIO:
        *value = apic_read(address);
        break;
    case RESTORE_PCI:
        *value = pci_read(PCI_NODE_DEVICE + unit, PCI_IBS_FUNCTION, (uint32_t)address);
        break;
    case RESTORE_PORT:
        *value = cpu_in32((uint16_t)address);
        break;
    case RESTORE_CONFIG:
        *value = pci_read(unit >> 3, unit & 7, (uint32_t)address);
        break;
    case RESTORE_MEMORY:
        *value = cpu_mmio_read32(address);
        break;
    case RESTORE_CR0:
        *value = cpu_read_cr0();
        break;
    case RESTORE_CR3:
        *value = cpu_read_cr3();
        break;
    case RESTORE_CR4:
        *value = cpu_read_cr4();
        break;
    case RESTORE_DR6:
        *value = cpu_read_dr6();
        break;
    case RESTORE_NOTE:
        break;
    }
    return 0;
}

static uint32_t write_register(enum restore_kind kind, uint64_t address, uint32_t unit, uint64_t value)
{
    switch (kind) {
    case RESTORE_MSR:
        return cpu_wrmsr_safe((uint32_t)address, value);
    case RESTORE_MMIO:
        return apic_try_write(address, (uint32_t)value);
    case RESTORE_PCI:
        pci_write(PCI_NODE_DEVICE + unit, PCI_IBS_FUNCTION, (uint32_t)address, (uint32_t)value);
        break;
    case RESTORE_PORT:
        cpu_out32((uint16_t)address, (uint32_t)value);
        break;
    case RESTORE_CONFIG:
        pci_write(unit >> 3, unit & 7, (uint32_t)address, (uint32_t)value);
        break;
    case RESTORE_MEMORY:
        cpu_mmio_write32(address, (uint32_t)value);
        break;
    case RESTORE_CR0:
        cpu_write_cr0(value);
        break;
    case RESTORE_CR3:
        paging_load(value);
        break;
    case RESTORE_CR4:
        cpu_write_cr4(value);
        break;
    case RESTORE_DR6:
        cpu_write_dr6(value);
        break;
    case RESTORE_NOTE:
        break;
    }
    return 0;
}

static bool in_log(const struct restore_log *log, enum restore_kind kind, uint64_t address, uint32_t unit)
{
    for (uint32_t i = 0; i < log->count; i++) {
        const struct restore_row *row = &log->row[i];
        if (row->kind == kind && row->address == address && row->unit == unit)
            return true;
    }
    return false;
}

uint32_t restore_save(struct restore_log *log, enum restore_kind kind, uint64_t address, uint32_t unit, uint64_t mask,
                      const char *what, uint64_t *value)
{
    uint64_t before;
    uint32_t vector = read_register(kind, address, unit, &before);
    if (value)
        *value = before;
    if (vector || in_log(log, kind, address, unit))
        return vector;
    struct restore_row row = {
        .what = what, .address = address, .before = before, .mask = mask, .unit = unit, .kind = (uint8_t)kind};
    return append(log, RESTORE_ROWS, &row) ? 0 : RESTORE_FULL;
}

void restore_note(struct restore_log *log, const char *what, uint64_t before, uint64_t after, bool ok)
{
    struct restore_row row = {
        .what = what, .before = before, .after = after, .mask = ~0ull, .kind = RESTORE_NOTE, .undone = true, .ok = ok};
    log->dropped += !append(log, RESTORE_ROWS + RESTORE_NOTES, &row);
}

void restore_undo(struct restore_log *log)
{
    for (uint32_t i = log->count; i-- > 0;) {
        struct restore_row *row = &log->row[i];
        if (row->undone)
            continue;
        row->undone = true; /* first: an exception in the next lines must not bring us here again */
        enum restore_kind kind = (enum restore_kind)row->kind;
        /* An MSR refuses bits that memory ignores, such as an entry's delivery status; a device may act on a 1. */
        bool masked = kind == RESTORE_MMIO || kind == RESTORE_CONFIG || kind == RESTORE_MEMORY;
        uint64_t kept = masked ? row->before & row->mask : row->before;
        uint32_t refused = write_register(kind, row->address, row->unit, kept);
        uint32_t unreadable = read_register(kind, row->address, row->unit, &row->after);
        row->ok = !refused && !unreadable && ((row->before ^ row->after) & row->mask) == 0;
    }
}

static uint32_t find(const struct restore_log *log, const struct restore_row *like)
{
    uint32_t i = 0;
    for (; i < log->count; i++) {
        const struct restore_row *row = &log->row[i];
        bool note = row->kind == RESTORE_NOTE;
        if (row->kind == like->kind && row->address == like->address && row->unit == like->unit &&
            (!note || row->what == like->what))
            break;
    }
    return i;
}

const struct restore_row *restore_find(const struct restore_log *log, const struct restore_row *like)
{
    uint32_t i = find(log, like);
    return i < log->count ? &log->row[i] : NULL;
}

void restore_add(struct restore_log *all, const struct restore_log *session)
{
    all->dropped += session->dropped;
    for (uint32_t i = 0; i < session->count; i++) {
        const struct restore_row *row = &session->row[i];
        uint32_t at = find(all, row);
        if (at == all->count) {
            all->dropped += !append(all, RESTORE_ROWS + RESTORE_NOTES, row);
        } else if (all->row[at].ok) {
            all->row[at].after = row->after;
            all->row[at].ok = row->ok;
        }
    }
}

const char *restore_name(const struct restore_row *row, char text[RESTORE_NAME])
{
    bool numbered = row->what[0] == 'M' && row->what[1] == 'S' && row->what[2] == 'R';
    struct out_memory memory;
    if (row->kind != RESTORE_MSR || numbered)
        return row->what;
    out_memory_init(&memory, text, RESTORE_NAME);
    out_printf(&memory.out, "MSR %04X_%04X %s", (unsigned)(row->address >> 16), (unsigned)(row->address & 0xFFFF),
               row->what);
    return text;
}

bool restore_done(const struct restore_log *log)
{
    for (uint32_t i = 0; i < log->count; i++)
        if (!log->row[i].undone)
            return false;
    return true;
}

uint32_t restore_failures(struct restore_log *log)
{
    log->failed = 0;
    for (uint32_t i = 0; i < log->count; i++)
        log->failed += !log->row[i].ok;
    return log->failed;
}
