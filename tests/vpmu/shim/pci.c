#include "tests/vpmu/shim/shim.h"

/* Configuration mechanism #1 (PCI Local Bus 3.0 section 3.2.2.3.2). With NB_CFG[46] (EnableCf8ExtCfg) set, bits 27:24
 * of the address are bits 11:8 of the register (BKDG 31116, MSRC001_001F and section "configuration space accesses").
 */
enum { CONFIG_ADDRESS = 0xcf8, CONFIG_DATA = 0xcfc };
#define CONFIG_ENABLE (1u << 31)

/* The northbridge of node 0: bus 0, device 18h, functions 0 to 4, ids 1022:1200 to 1022:1204 (BKDG 31116). */
enum { NB_DEVICE = 0x18, NB_FUNCTIONS = 5 };

static bool northbridge(struct shim *shim, uint32_t address, unsigned *function, unsigned *offset)
{
    *function = address >> 8 & 7;
    *offset = address & 0xfc;
    if (vpmu_cf8_extended(shim->model)) {
        *offset |= (address >> 24 & 0xf) << 8;
    }
    return (address & CONFIG_ENABLE) && (address >> 16 & 0xff) == 0 && (address >> 11 & 0x1f) == NB_DEVICE &&
           *function < NB_FUNCTIONS;
}

static uint32_t northbridge_read(struct shim *shim, unsigned function, unsigned offset)
{
    uint32_t value;
    if (vpmu_pci_read(shim->model, function, offset, &value) == VPMU_OK) {
        return value;
    }
    switch (offset) {
    case 0x00:
        return (0x1200u + function) << 16 | 0x1022;
    case 0x08:
        return 0x06000000; /* host bridge */
    case 0x0c:
        return 0x00800000; /* header type: several functions */
    default:
        return 0;
    }
}

static uint32_t port_in(uint16_t port, unsigned size)
{
    return size == 1 ? x86_inb(port) : size == 2 ? x86_inw(port) : x86_inl(port);
}

static void port_out(uint16_t port, unsigned size, uint32_t value)
{
    if (size == 1) {
        x86_outb(port, (uint8_t)value);
    } else if (size == 2) {
        x86_outw(port, (uint16_t)value);
    } else {
        x86_outl(port, value);
    }
}

void exit_io(struct shim *shim)
{
    struct vmcb *vmcb = shim->vmcb;
    uint64_t info = vmcb->exit_info1;
    uint16_t port = (uint16_t)(info >> 16);
    unsigned size = info & IOIO_SIZE8 ? 1 : info & IOIO_SIZE16 ? 2 : 4;
    uint32_t mask = size == 4 ? 0xffffffff : (1u << size * 8) - 1;
    uint64_t *rax = &shim->world.gpr[GPR_RAX];
    if (info & IOIO_STRING) {
        exit_fatal(shim, "string I/O to the PCI configuration ports");
    }

    /* The real CONFIG_ADDRESS keeps the address; nothing answers at device 18h of QEMU's bus. */
    uint32_t value = (uint32_t)*rax & mask;
    unsigned function, offset, shift = (port & 3u) * 8;
    bool mine = port >= CONFIG_DATA && northbridge(shim, x86_inl(CONFIG_ADDRESS), &function, &offset);
    if (info & IOIO_IN) {
        value = mine ? northbridge_read(shim, function, offset) >> shift & mask : port_in(port, size);
        *rax = size == 4 ? value : (*rax & ~(uint64_t)mask) | value;
    } else if (mine) {
        uint32_t old = northbridge_read(shim, function, offset);
        (void)vpmu_pci_write(shim->model, function, offset, (old & ~(mask << shift)) | value << shift);
    } else {
        port_out(port, size, value);
    }
    vmcb->rip = vmcb->exit_info2;
    exit_boundary(shim);
}
