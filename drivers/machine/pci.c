/* SPDX-License-Identifier: BSD-2-Clause */
#include "drivers/machine/pci.h"

#include <stddef.h>

#include "drivers/cpu/cpu.h"
#include "drivers/machine/restore.h"

static void select_register(uint32_t device, uint32_t function, uint32_t offset)
{
    cpu_out32(PCI_ADDRESS_PORT,
              0x80000000u | (offset >> 8 & 0xF) << 24 | device << 11 | function << 8 | (offset & 0xFC));
}

uint32_t pci_read(uint32_t device, uint32_t function, uint32_t offset)
{
    select_register(device, function, offset);
    return cpu_in32(PCI_DATA_PORT);
}

void pci_write(uint32_t device, uint32_t function, uint32_t offset, uint32_t value)
{
    select_register(device, function, offset);
    cpu_out32(PCI_DATA_PORT, value);
}

uint32_t pci_open_extended(struct restore_log *log)
{
    uint64_t nb_cfg;
    uint32_t vector = restore_save(log, RESTORE_MSR, MSR_NB_CFG, 0, ~0ull, "MSR C001_001F NB_CFG", &nb_cfg);
    if (!vector && !(nb_cfg & NB_CFG_ENABLE_CF8_EXT_CFG))
        vector = cpu_wrmsr_safe(MSR_NB_CFG, nb_cfg | NB_CFG_ENABLE_CF8_EXT_CFG);
    if (!vector)
        (void)restore_save(log, RESTORE_PORT, PCI_ADDRESS_PORT, 0, ~0ull, "port CF8", NULL);
    return vector;
}
