/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/shim/shim.h"

/* Configuration mechanism #1 (PCI Local Bus 3.0 section 3.2.2.3.2). With NB_CFG[46] (EnableCf8ExtCfg) set, bits 27:24
 * of the address are bits 11:8 of the register (BKDG 31116, MSRC001_001F and section "configuration space accesses").
 */
enum { CONFIG_ADDRESS = 0xcf8, CONFIG_DATA = 0xcfc };
#define CONFIG_ENABLE (1u << 31)

/* The northbridges: bus 0, from device 18h on, one for each node, functions 0 to 4 (BKDG 31116). */
enum { NB_DEVICE = 0x18 };

struct nb_register {
    unsigned node, function, offset;
};

/* Finds a northbridge's register, *value: its contents; returns false for other addresses. */
static bool northbridge(struct shim *shim, uint32_t address, struct nb_register *nb, uint32_t *value)
{
    nb->node = (address >> 11 & 0x1f) - NB_DEVICE;
    nb->function = address >> 8 & 7;
    nb->offset = address & 0xfc;
    if (vpmu_cf8_extended(shim->model))
        nb->offset |= (address >> 24 & 0xf) << 8;
    return (address & CONFIG_ENABLE) && (address >> 16 & 0xff) == 0 &&
           vpmu_pci_read(shim->model, nb->node, nb->function, nb->offset, value) == VPMU_OK;
}

static uint32_t port_in(uint16_t port, unsigned size)
{
    return size == 1 ? x86_inb(port) : size == 2 ? x86_inw(port) : x86_inl(port);
}

static void port_out(uint16_t port, unsigned size, uint32_t value)
{
    if (size == 1)
        x86_outb(port, (uint8_t)value);
    else if (size == 2)
        x86_outw(port, (uint16_t)value);
    else
        x86_outl(port, value);
}

void exit_io(struct shim *shim)
{
    struct vmcb *vmcb = shim->vmcb;
    uint64_t info = vmcb->exit_info1;
    uint16_t port = (uint16_t)(info >> 16);
    unsigned size = info & IOIO_SIZE8 ? 1 : info & IOIO_SIZE16 ? 2 : 4;
    uint32_t mask = size == 4 ? 0xffffffff : (1u << size * 8) - 1;
    uint64_t *rax = &shim->world.gpr[GPR_RAX];
    if (info & IOIO_STRING)
        exit_fatal(shim, "string I/O to ports of the model");

    /* The real CONFIG_ADDRESS keeps the address; nothing answers at device 18h of QEMU's bus. */
    uint32_t value = (uint32_t)*rax & mask, old = 0;
    struct nb_register nb;
    unsigned shift = (port & 3u) * 8;
    bool mine = port >= CONFIG_DATA && northbridge(shim, x86_inl(CONFIG_ADDRESS), &nb, &old);
    if (info & IOIO_IN) {
        value = mine ? old >> shift & mask : port_in(port, size);
        if (port == PORT_NMI_REASON)
            value |= NMI_REASON_IOCHK;
        *rax = size == 4 ? value : (*rax & ~(uint64_t)mask) | value;
    } else if (mine) {
        (void)vpmu_pci_write(shim->model, nb.node, nb.function, nb.offset, (old & ~(mask << shift)) | value << shift);
    } else {
        port_out(port, size, value);
    }
    vmcb->rip = vmcb->exit_info2;
    exit_boundary(shim);
}
