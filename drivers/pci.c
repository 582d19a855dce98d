/* SPDX-License-Identifier: BSD-2-Clause */
#include "drivers/pci.h"

#include "drivers/cpu.h"

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
