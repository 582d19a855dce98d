/* SPDX-License-Identifier: BSD-2-Clause */
#include "drivers/machine/quiet.h"

#include "drivers/cpu/apic.h"

/* Offsets: Linux arch/x86/include/asm/apicdef.h. On AMD, entries beyond the sixth exist only in the extended part,
 * which is IBS's. */

static const struct {
    uint32_t offset;
    uint32_t entries_least; /* exists in an APIC with at least this many */
    const char *what;
} entries[] = {
    {0x320, 1, "APIC 320h LVT timer"}, {0x350, 2, "APIC 350h LVT LINT0"},    {0x360, 3, "APIC 360h LVT LINT1"},
    {0x370, 4, "APIC 370h LVT error"}, {0x340, 5, "APIC 340h LVT counters"}, {0x330, 6, "APIC 330h LVT thermal"},
};

int quiet_mask_lvt(const struct machine *machine, struct restore_log *log)
{
    uint64_t base, value;
    uint32_t count;
    int masked = 0;

    if (apic_find(machine->apic_msr, &base))
        return -1;
    count = apic_lvts(base);
    for (unsigned i = 0; i < sizeof(entries) / sizeof(entries[0]); i++) {
        uint64_t address = base + entries[i].offset;

        if (entries[i].entries_least > count ||
            restore_save(log, RESTORE_MMIO, address, 0, ~(uint64_t)APIC_LVT_STATUS, entries[i].what, &value) ||
            value & APIC_LVT_MASKED)
            continue;
        apic_write(address, (uint32_t)value | APIC_LVT_MASKED);
        masked++;
    }
    return masked;
}
