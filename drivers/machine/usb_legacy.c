/* SPDX-License-Identifier: BSD-2-Clause */
#include "drivers/machine/usb_legacy.h"

#include "drivers/cpu/cpu.h"
#include "drivers/cpu/paging.h"
#include "drivers/machine/pci.h"

/* PCI Local Bus Specification 3.0, section 6.1 and appendix D. */
enum {
    NO_DEVICE = 0xFFFF, /* vendor */
    COMMAND = 0x04,     /* bit 1: memory is decoded */
    CLASS = 0x08,       /* 31:8: class, subclass, interface */
    HEADER = 0x0C,      /* 22:16 layout, 23 more functions */
    BAR = 0x10,         /* bit 0 ports; 2:1 = 2: 64 bits wide */
    BUSES = 0x18,       /* of a bridge: 15:8 its secondary bus */
    BASE_MASK = 0xF,
    BRIDGE = 1,
    CONFIG_FIRST = 0x40, /* first register of a device's own */
    CONFIG_END = 0x100,
};
#define USB_UHCI 0x0C0300u
#define USB_OHCI 0x0C0310u
#define USB_EHCI 0x0C0320u
#define USB_XHCI 0x0C0330u

/* UHCI: LEGSUP (USBLKMCR). SMIs 3:0: on reads and writes of ports 60h and 64h, 4: on the controller's interrupts, 7:
 * at the end of a pass through. 15, 11:8: a 1 clears; 14, 12, 6: read-only (Linux: 8F00h, 5040h). */
enum { LEGSUP = 0xC0, LEGSUP_SMI = 0x9F };
#define LEGSUP_KEPT 0xFFFF20BFu

/* OHCI: HcRevision 8: legacy registers are there; HcControl 8: interrupts are SMIs; HcInterruptEnable and -Disable 31:
 * all of them, a 1 sets and clears; HceControl 0: emulation. HceControl 7:6: a 1 clears; 1: read-only. */
enum {
    OHCI_REVISION = 0x00,
    OHCI_LEGACY = 1 << 8,
    OHCI_CONTROL = 0x04,
    OHCI_ROUTED = 1 << 8,
    OHCI_ENABLE = 0x10,
    OHCI_DISABLE = 0x14,
    OHCI_EMULATION = 0x100,
    OHCI_EMULATES = 1,
    OHCI_EMULATION_KEPT = 0x13D,
};
#define OHCI_MASTER (1u << 31)

/* EHCI: HCCPARAMS 15:8: the first capability, in configuration space. xHCI: HCCPARAMS1 31:16: the first, in units of
 * four bytes from the registers' begin. A capability: 7:0 which, 15:8 the next, from the begin of configuration space
 * and in units of four bytes from here. The one of legacy support is 1; four bytes on, 31:29: a 1 clears; requests 5:0
 * and 15:13, of xHCI 0, 4 and 15:13. */
enum {
    EHCI_PARAMETERS = 0x08,
    XHCI_PARAMETERS = 0x10,
    CAPABILITY_LEGACY = 1,
    CAPABILITY_CONTROL = 4,
    EHCI_SMI = 0xE03F,
    EHCI_KEPT = 0xE03F,
    XHCI_SMI = 0xE011,
    XHCI_KEPT = 0xEFFFF & ~0x10000, /* with reserved bits, which stay: 3:1, 12:5, 19:17 */
    CAPABILITIES_MOST = 64,
    XHCI_END = 0x10000, /* registers of no controller are longer */
};

/* One function of a device. */
struct usb_device {
    uint32_t at;   /* bus, device and function: 15:8, 7:3, 2:0 */
    uint64_t base; /* of its registers, 0: not reached */
};

struct scan {
    struct restore_log *log;
    struct usb_legacy *found;
    uint64_t cr3;
    enum session_error error;
    uint32_t failed; /* the device with the error */
    uint8_t wanted[256 / 8], seen[256 / 8];
};

static uint32_t config_read(const struct usb_device *device, uint32_t offset)
{
    return pci_read(device->at >> 3, device->at & 7, offset);
}

static void fail(struct scan *scan, const struct usb_device *device)
{
    if (!scan->error)
        scan->failed = device->at;
    scan->error = SESSION_USB;
}

/* Clears the requests of a register in configuration space or memory. 'address': offset, or address. */
static void clear(struct scan *scan, const struct usb_device *device, enum restore_kind kind, uint64_t address,
                  uint32_t requests, uint32_t kept, const char *what)
{
    bool memory = kind == RESTORE_MEMORY;
    uint32_t value = memory ? cpu_mmio_read32(address) : config_read(device, (uint32_t)address), after;
    if (!(value & requests) || value == UINT32_MAX)
        return;
    if (restore_save(scan->log, kind, address, memory ? 0 : device->at, kept, what, NULL)) {
        fail(scan, device);
        return;
    }
    value &= kept & ~requests;
    if (memory)
        cpu_mmio_write32(address, value);
    else
        pci_write(device->at >> 3, device->at & 7, (uint32_t)address, value);
    after = memory ? cpu_mmio_read32(address) : config_read(device, (uint32_t)address);
    if (after & requests)
        fail(scan, device);
    else
        scan->found->off++;
}

/* Returns whether a register's page is mapped, one to one. */
static bool mapped(const struct scan *scan, uint64_t address)
{
    return paging_identity(scan->cr3, address, false);
}

static void find_base(struct scan *scan, struct usb_device *device)
{
    uint32_t low = config_read(device, BAR);
    device->base = low & ~(uint32_t)BASE_MASK;
    if ((low >> 1 & 3) == 2)
        device->base |= (uint64_t)config_read(device, BAR + 4) << 32;
    if (!(config_read(device, COMMAND) & 2) || low & 1 || !device->base || device->base >> 52 ||
        !mapped(scan, device->base) || !mapped(scan, device->base + OHCI_EMULATION))
        device->base = 0;
    scan->found->unreached += !device->base;
}

static void ohci(struct scan *scan, struct usb_device *device)
{
    uint64_t base = device->base;
    bool legacy = cpu_mmio_read32(base + OHCI_REVISION) & OHCI_LEGACY;
    if (cpu_mmio_read32(base + OHCI_CONTROL) & OHCI_ROUTED && cpu_mmio_read32(base + OHCI_ENABLE) & OHCI_MASTER) {
        if (restore_save(scan->log, RESTORE_MEMORY, base + OHCI_ENABLE, 0, OHCI_MASTER, "USB OHCI HcInterruptEnable",
                         NULL)) {
            fail(scan, device);
            return;
        }
        cpu_mmio_write32(base + OHCI_DISABLE, OHCI_MASTER);
        if (cpu_mmio_read32(base + OHCI_ENABLE) & OHCI_MASTER)
            fail(scan, device);
        else
            scan->found->off++;
    }
    if (legacy)
        clear(scan, device, RESTORE_MEMORY, base + OHCI_EMULATION, OHCI_EMULATES, OHCI_EMULATION_KEPT,
              "USB OHCI HceControl");
}

static void ehci(struct scan *scan, struct usb_device *device)
{
    uint32_t offset = cpu_mmio_read32(device->base + EHCI_PARAMETERS) >> 8 & 0xFC, capability;
    for (unsigned step = 0; step < CAPABILITIES_MOST && offset >= CONFIG_FIRST && offset + 8 <= CONFIG_END; step++) {
        capability = config_read(device, offset);
        if ((capability & 0xFF) == CAPABILITY_LEGACY) {
            clear(scan, device, RESTORE_CONFIG, offset + CAPABILITY_CONTROL, EHCI_SMI, EHCI_KEPT,
                  "USB EHCI USBLEGCTLSTS");
            return;
        }
        offset = capability >> 8 & 0xFC;
    }
}

static void xhci(struct scan *scan, struct usb_device *device)
{
    uint32_t offset = (cpu_mmio_read32(device->base + XHCI_PARAMETERS) >> 16) * 4, capability;
    for (unsigned step = 0; step < CAPABILITIES_MOST && offset && offset + 8 <= XHCI_END; step++) {
        if (!mapped(scan, device->base + offset) || !mapped(scan, device->base + offset + CAPABILITY_CONTROL))
            return;
        capability = cpu_mmio_read32(device->base + offset);
        if ((capability & 0xFF) == CAPABILITY_LEGACY) {
            clear(scan, device, RESTORE_MEMORY, device->base + offset + CAPABILITY_CONTROL, XHCI_SMI, XHCI_KEPT,
                  "USB xHCI USBLEGCTLSTS");
            return;
        }
        if (!(capability >> 8 & 0xFF))
            return;
        offset += (capability >> 8 & 0xFF) * 4;
    }
}

static void look(struct scan *scan, struct usb_device *device)
{
    static const struct {
        uint32_t class;
        void (*turn_off)(struct scan *, struct usb_device *);
    } kinds[] = {{USB_OHCI, ohci}, {USB_EHCI, ehci}, {USB_XHCI, xhci}};
    uint32_t class = config_read(device, CLASS) >> 8;
    if (class == USB_UHCI) {
        scan->found->controllers++;
        clear(scan, device, RESTORE_CONFIG, LEGSUP, LEGSUP_SMI, LEGSUP_KEPT, "USB UHCI LEGSUP");
    }
    for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (class != kinds[i].class)
            continue;
        scan->found->controllers++;
        find_base(scan, device);
        if (device->base)
            kinds[i].turn_off(scan, device);
    }
}

/* Looks at the functions of a device, and notes the buses that lead on from there. */
static void look_at_device(struct scan *scan, uint32_t number)
{
    unsigned functions = 1;
    for (uint32_t function = 0; function < functions; function++) {
        struct usb_device device = {.at = number << 3 | function};
        uint32_t header, bus;
        if ((config_read(&device, 0) & NO_DEVICE) == NO_DEVICE)
            continue;
        header = config_read(&device, HEADER) >> 16;
        if (!function && header & 0x80)
            functions = 8;
        look(scan, &device);
        if ((header & 0x7F) != BRIDGE)
            continue;
        bus = config_read(&device, BUSES) >> 8 & 0xFF;
        scan->wanted[bus / 8] |= 1u << bus % 8;
    }
}

/* Finds a wanted bus that was not looked at; returns false if there is none. Each comes once, whatever bridges say. */
static bool next_bus(struct scan *scan, uint32_t *ret_bus)
{
    for (uint32_t bus = 0; bus < 256; bus++) {
        if (!((scan->wanted[bus / 8] & ~scan->seen[bus / 8]) >> bus % 8 & 1))
            continue;
        scan->seen[bus / 8] |= 1u << bus % 8;
        *ret_bus = bus;
        return true;
    }
    return false;
}

enum session_error usb_legacy_off(struct restore_log *log, struct usb_legacy *ret_usb, uint64_t *detail)
{
    struct scan scan = {.log = log, .found = ret_usb, .cr3 = cpu_read_cr3(), .wanted = {1}};
    uint32_t bus;
    *ret_usb = (struct usb_legacy){0};
    if (restore_save(log, RESTORE_PORT, PCI_ADDRESS_PORT, 0, ~0ull, "port CF8", NULL))
        return SESSION_USB;
    while (next_bus(&scan, &bus))
        for (uint32_t device = 0; device < 32; device++)
            look_at_device(&scan, bus << 5 | device);
    *detail = scan.failed;
    return scan.error;
}
