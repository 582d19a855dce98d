/* SPDX-License-Identifier: BSD-2-Clause */
/* USB legacy emulation off and on again: each kind of controller, and false values that controllers report. */
#include "tests/unit/drivers/run_fixture.h"

#include <string.h>

#include "drivers/machine/usb_legacy.h"

enum { DEVICES = 20, CONFIG_WORDS = 64, MEMORY_WORDS = 0x4000, UHCI = 0x00, OHCI = 0x10, EHCI = 0x20, XHCI = 0x30 };
enum { RUNNING = 0x80, SMI_EHCI = 0xE03F, SMI_XHCI = 0xE011 };

/* A controller or a bridge. */
static struct device {
    uint32_t at;     /* bus, device and function */
    uint8_t kind;    /* interface of a controller */
    uint32_t legacy; /* offset of the register with the requests */
    bool stuck;      /* keeps its requests */
    uint32_t config[CONFIG_WORDS];
    uint64_t base;
    uint32_t memory[MEMORY_WORDS];
} devices[DEVICES];
static unsigned count, config_reads;
static _Alignas(4096) uint64_t gigabytes[512];
static struct restore_log saved;
static struct usb_legacy usb;
static uint64_t detail, highest; /* highest: highest address that was read or written */

/* Writes a register in which a 1 clears some bits, others cannot be written, and the rest is kept. */
static void write_as(uint32_t *reg, uint32_t value, uint32_t writable, uint32_t cleared, const struct device *device)
{
    uint32_t stuck = device->stuck ? *reg & (SMI_EHCI | 0x9F) : 0;
    *reg = (((*reg & ~writable) | (value & writable)) & ~(value & cleared)) | stuck;
}

static bool config(uint32_t at, uint32_t offset, bool write, uint32_t *value)
{
    config_reads += !write;
    for (unsigned i = 0; i < count; i++) {
        struct device *device = &devices[i];
        if (device->at != at)
            continue;
        if (!write)
            *value = device->config[offset / 4];
        else if (device->kind == UHCI && offset == 0xC0)
            write_as(&device->config[offset / 4], *value, 0xFFFF20BF, 0x8F00, device);
        else if (device->kind == EHCI && offset == device->legacy)
            write_as(&device->config[offset / 4], *value, 0x0000E03F, 0xE0000000, device);
        else
            fail_msg("configuration of %x: %x written to %x", at, *value, offset);
        return true;
    }
    return false;
}

static bool memory(uint64_t address, bool write, uint32_t *value)
{
    for (unsigned i = 0; i < count; i++) {
        struct device *device = &devices[i];
        uint64_t offset = address - device->base;
        uint32_t *reg = &device->memory[offset / 4];
        if (!device->base || offset >= sizeof device->memory)
            continue;
        highest = address > highest ? address : highest;
        if (!write)
            *value = device->kind == OHCI && offset == 0x14 ? device->memory[4] : *reg;
        else if (device->kind == OHCI && offset == 0x10)
            *reg |= *value;
        else if (device->kind == OHCI && offset == 0x14)
            device->memory[4] &= device->stuck ? ~0u : ~*value;
        else if (device->kind == OHCI && offset == 0x100)
            write_as(reg, *value, 0x13D, 0xC0, device);
        else if (device->kind == XHCI && offset == device->legacy)
            write_as(reg, *value, 0x000EFFFF, 0xE0000000, device);
        else
            fail_msg("%x written to register %x of %x", *value, (unsigned)offset, device->at);
        return true;
    }
    return false;
}

static struct device *add(uint32_t at, uint8_t kind, uint64_t base)
{
    struct device *device = &devices[count++];
    *device = (struct device){.at = at, .kind = kind, .base = base};
    device->config[0] = 0x43971002;
    device->config[1] = 7;
    device->config[2] = 0x0C030000 | kind << 8;
    device->config[4] = (uint32_t)base | (kind == XHCI ? 0xC : 0) /* 64 bits, prefetchable */;
    device->config[5] = kind == XHCI ? (uint32_t)(base >> 32) : 0;
    return device;
}

static struct device *add_uhci(uint32_t at)
{
    struct device *device = add(at, UHCI, 0);
    device->config[0xC0 / 4] = 0x1234AFFF; /* all requests, and bits that writing a 1 would clear */
    return device;
}

static struct device *add_ohci(uint32_t at, uint64_t base)
{
    struct device *device = add(at, OHCI, base);
    device->memory[0] = 0x110;
    device->memory[1] = 0x100 | RUNNING;
    device->memory[4] = 0x8000005A;
    device->memory[0x100 / 4] = 0x1D7;
    return device;
}

static struct device *add_ehci(uint32_t at, uint64_t base)
{
    struct device *device = add(at, EHCI, base);
    device->memory[2] = 0xA000;
    device->config[0xA0 / 4] = 0x00010001;
    device->config[0xA4 / 4] = 0xE000E03F;
    device->legacy = 0xA4;
    return device;
}

static struct device *add_xhci(uint32_t at, uint64_t base)
{
    struct device *device = add(at, XHCI, base);
    device->memory[4] = 0x2000000; /* 800h */
    device->memory[0x800 / 4] = 0x00000402;
    device->memory[0x810 / 4] = 0x00010001;
    device->memory[0x814 / 4] = 0xE00EFFFF;
    device->legacy = 0x814;
    return device;
}

static struct device *add_bridge(uint32_t at, uint32_t bus)
{
    struct device *device = add(at, 0, 0);
    device->config[2] = 0x06040000;
    device->config[3] = 0x00010000;
    device->config[6] = 0x00FF0000 | bus << 8;
    return device;
}

/* Sets up a machine without a controller, with the first 4 GB mapped one to one. */
static void arrange(void)
{
    set_up(MODEL_C, 1);
    count = config_reads = 0;
    fake.config = config;
    fake.memory = memory;
    for (uint64_t i = 0; i < 512; i++)
        gigabytes[i] = i < 4 ? i << 30 | 0x83 : 0;
    fake.firmware_pml4[0] = (uint64_t)(uintptr_t)gigabytes | 3;
    restore_init(&saved);
}

static enum session_error off(void)
{
    detail = 0;
    return usb_legacy_off(&saved, &usb, &detail);
}

static void give_back(unsigned failures)
{
    restore_undo(&saved);
    assert_int_equal(restore_failures(&saved), failures);
}

TEST(each_kind)
{
    arrange();
    struct device *u = add_uhci(0x90), *o = add_ohci(0x91, 0xFE000000), *e = add_ehci(0x92, 0xFE100000),
                  *x = add_xhci(0xA0, 0xFE200000);
    u->config[3] = 0x00800000;
    fake.cf8 = 0x80001234;
    assert_int_equal(off(), SESSION_OK);
    assert_int_equal(usb.controllers, 4);
    assert_int_equal(usb.off, 5);
    assert_int_equal(usb.unreached, 0);
    assert_int_equal(u->config[0xC0 / 4], 0x1234AF60);
    assert_int_equal(o->memory[4], 0x5A);
    assert_int_equal(o->memory[1], 0x100 | RUNNING);
    assert_int_equal(o->memory[0x100 / 4], 0x1D6);
    assert_int_equal(e->config[0xA4 / 4], 0xE0000000);
    assert_int_equal(x->memory[0x814 / 4], 0xE00E1FEE);
    assert_int_equal(saved.count, 6);
    assert_string_equal(saved.row[0].what, "port CF8");
    give_back(0);
    assert_int_equal(u->config[0xC0 / 4], 0x1234AFFF);
    assert_int_equal(o->memory[4], 0x8000005A);
    assert_int_equal(o->memory[0x100 / 4], 0x1D7);
    assert_int_equal(e->config[0xA4 / 4], 0xE000E03F);
    assert_int_equal(x->memory[0x814 / 4], 0xE00EFFFF);
    assert_int_equal(fake.cf8, 0x80001234);
}

/* There is one request at a time: each is found, and nothing else counts as a request. */
TEST(each_request)
{
    for (unsigned bit = 0; bit < 32; bit++) {
        arrange();
        struct device *u = add_uhci(0x90), *e = add_ehci(0xA0, 0xFE100000), *x = add_xhci(0xA8, 0xFE200000),
                      *o = add_ohci(0xB0, 0xFE000000);
        bool is_u = 0x9Fu >> bit & 1, is_e = (uint32_t)SMI_EHCI >> bit & 1, is_x = (uint32_t)SMI_XHCI >> bit & 1;
        u->config[0xC0 / 4] = e->config[0xA4 / 4] = x->memory[0x814 / 4] = 1u << bit;
        o->memory[4] = o->memory[0x100 / 4] = 1u << bit;
        assert_int_equal(off(), SESSION_OK);
        if (usb.off != (unsigned)is_u + is_e + is_x + (bit == 31) + (bit == 0))
            fail_msg("bit %u: %u registers", bit, usb.off);
        give_back(0);
        assert_int_equal(u->config[0xC0 / 4], 1u << bit);
        assert_int_equal(e->config[0xA4 / 4], 1u << bit);
        assert_int_equal(x->memory[0x814 / 4], 1u << bit);
        assert_int_equal(o->memory[4], 1u << bit);
        assert_int_equal(o->memory[0x100 / 4], 1u << bit);
    }
}

/* Interrupts that are no SMIs, and registers that a controller without emulation does not have, are left alone. */
TEST(ohci_of_the_system)
{
    arrange();
    struct device *o = add_ohci(0x90, 0xFE000000);
    o->memory[0] = 0x10;
    o->memory[1] = RUNNING;
    assert_int_equal(off(), SESSION_OK);
    assert_int_equal(usb.controllers, 1);
    assert_int_equal(usb.off, 0);
    assert_int_equal(saved.count, 1);
}

/* If the firmware has handed off already, as UEFI's drivers do, nothing is written. */
TEST(nothing_to_do)
{
    arrange();
    add_ehci(0x90, 0xFE100000)->config[0xA4 / 4] = 0xC0080000;
    add_xhci(0x98, 0xFE200000)->memory[0x814 / 4] = 0xE00E1FEE;
    add_uhci(0xA0)->config[0xC0 / 4] = 0x2F60;
    add_uhci(0xA8)->config[0xC0 / 4] = 0xFFFFFFFF; /* the device has gone */
    assert_int_equal(off(), SESSION_OK);
    assert_int_equal(usb.controllers, 4);
    assert_int_equal(usb.off, 0);
    assert_int_equal(saved.count, 1);
}

/* Registers are not reached if they are not decoded, not in memory, at 0, or not mapped; registers with 64-bit
 * addresses are, if mapped. */
TEST(registers_that_are_not_reached)
{
    static const struct {
        uint32_t command, low, high;
        bool reached;
    } rows[] = {
        {7, 0xFE200004, 0, true},  {2, 0xFE200004, 0, true},         {5, 0xFE200004, 0, false},
        {7, 0xFE200001, 0, false}, {7, 0x00000004, 0, false},        {7, 0xFE200004, 1, false},
        {7, 0xFE200000, 1, true}, /* 32 bits: the next word is another register */
        {7, 0x00000004, 1, false}, {7, 0xFE200004, 1u << 20, false},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        arrange();
        struct device *x = add_xhci(0x90, 0xFE200000);
        x->config[1] = rows[i].command;
        x->config[4] = rows[i].low;
        x->config[5] = rows[i].high;
        assert_int_equal(off(), SESSION_OK);
        if (usb.off != rows[i].reached || usb.unreached == usb.off)
            fail_msg("row %u: %u, %u not reached", i, usb.off, usb.unreached);
    }
    arrange();
    struct device *x = add_xhci(0x90, 0x3FE200000);
    gigabytes[15] = 15ull << 30 | 0x83;
    assert_int_equal(off(), SESSION_OK);
    assert_int_equal(x->memory[0x814 / 4], 0xE00E1FEE);
    give_back(0);
    arrange(); /* OHCI's second page is beyond what is mapped */
    add_ohci(0x90, 0xFFFFFF10);
    assert_int_equal(off(), SESSION_OK);
    assert_int_equal(usb.unreached, 1);
}

/* Lists of capabilities have loops, end in the middle, or lead outside. */
TEST(lists)
{
    static const struct {
        uint32_t first, at, capability; /* the first one by the parameters; the value at 'at' */
        bool found;
    } ehci[] =
        {
            {0xA0, 0xA0, 0x00010001, true},  {0x00, 0xA0, 0x00010001, false},
            {0x3C, 0xA0, 0x00010001, false}, {0x40, 0x40, 0x0000A00A, true},
            {0x40, 0x40, 0x0000A30A, true},  {0x40, 0x40, 0x0000400A, false}, /* a loop */
            {0x40, 0x40, 0x0000380A, false}, {0x40, 0x40, 0x0000000A, false},
            {0x40, 0x40, 0xFFFFFFFF, false}, {0xFC, 0xFC, 0x00000001, false},
            {0xA3, 0xA0, 0x00010001, true},  {0x44, 0x44, 0x0000A00A, true},
            {0x40, 0x40, 0x0000440A, false},
        },
      xhci[] = {
          {0x200, 0x800, 0x00000402, true},   {0x000, 0x800, 0x00000402, false},
          {0x204, 0x800, 0x00000402, true},   {0x100, 0x400, 0x00000002, false},
          {0x105, 0x414, 0x0000FF02, true},   {0x100, 0x400, 0xFFFFFFFF, false},
          {0x3FFE, 0xFFF8, 0x00010001, true}, {0x3FFF, 0xFFFC, 0x00010001, false},
          {0xFFFF, 0, 0x00010001, false},     {0x100, 0x400, 0xFFFF0002, false},
          {0x1C5, 0x714, 0x00000102, true},   {0x1C4, 0x710, 0x00000102, false}, /* 64 steps, and one more */
      };
    for (unsigned i = 0; i < sizeof ehci / sizeof ehci[0]; i++) {
        arrange();
        struct device *e = add_ehci(0x90, 0xFE100000);
        e->memory[2] = ehci[i].first << 8 | 0xFF;
        e->config[ehci[i].at / 4] = ehci[i].capability;
        assert_int_equal(off(), SESSION_OK);
        if (usb.off != ehci[i].found || config_reads > 1000)
            fail_msg("EHCI, row %u: %u, %u reads", i, usb.off, config_reads);
    }
    for (unsigned i = 0; i < sizeof xhci / sizeof xhci[0]; i++) {
        arrange();
        struct device *x = add_xhci(0x90, 0xFE200000);
        x->memory[4] = xhci[i].first << 16 | 0xFFF;
        x->memory[xhci[i].at / 4] = xhci[i].capability;
        for (unsigned at = 0x718; xhci[i].at == 0x714 || (xhci[i].at == 0x710 && at < 0x810); at += 4) {
            if (at == 0x810)
                break;
            x->memory[at / 4] = 0x00000102;
        }
        if (xhci[i].at == 0x710)
            x->memory[0x714 / 4] = 0x00000102;
        x->legacy = xhci[i].at == 0xFFF8 ? 0xFFFC : 0x814;
        x->memory[x->legacy / 4] = 1;
        unsigned accesses = fake.accesses;
        assert_int_equal(off(), SESSION_OK);
        /* The last list leads nowhere, and is read once. */
        if (!(xhci[i].capability >> 8 & 0xFF))
            assert_in_range(fake.accesses - accesses, 1, 90);
        if (usb.off != xhci[i].found)
            fail_msg("xHCI, row %u: %u", i, usb.off);
    }
}

/* If a list has two such capabilities, the first is the controller's. */
TEST(first_of_two)
{
    arrange();
    struct device *e = add_ehci(0x90, 0xFE100000), *x = add_xhci(0x98, 0xFE200000);
    e->memory[2] = 0x40 << 8;
    e->config[0x40 / 4] = 0x0000A001;
    e->config[0x44 / 4] = SMI_EHCI;
    e->config[0xA4 / 4] = SMI_EHCI;
    e->legacy = 0x44;
    x->memory[4] = 0x100 << 16;
    x->memory[0x400 / 4] = 0x00000401;
    x->memory[0x404 / 4] = SMI_XHCI;
    x->memory[0x410 / 4] = 1;
    x->memory[0x414 / 4] = SMI_XHCI;
    x->legacy = 0x404;
    assert_int_equal(off(), SESSION_OK);
    assert_int_equal(e->config[0x44 / 4], 0);
    assert_int_equal(e->config[0xA4 / 4], SMI_EHCI);
    assert_int_equal(x->memory[0x404 / 4], 0);
    assert_int_equal(x->memory[0x414 / 4], SMI_XHCI);
    assert_int_equal(saved.count, 3); /* with port CF8h */
    assert_int_equal(saved.row[0].kind, RESTORE_PORT);
    assert_int_equal(saved.row[0].mask, ~0ull); /* each of its bits is compared */
}

/* A capability lies beyond the mapped memory, or its second half does. */
TEST(lists_that_leave_what_is_mapped)
{
    for (unsigned i = 0; i < 3; i++) {
        arrange();
        struct device *x = add_xhci(0x90, 0xFFFFF000);
        x->legacy = 0xFFC + 4 * (i % 2) - 8 * (i == 2);
        x->memory[4] = (x->legacy - 4) / 4 << 16;
        x->memory[x->legacy / 4 - 1] = 1;
        x->memory[x->legacy / 4] = 1;
        highest = 0;
        assert_int_equal(off(), SESSION_OK);
        assert_int_equal(usb.off, i != 1);
        assert_true(highest <= 0xFFFFFFFF);
    }
    arrange();
    struct device *x = add_xhci(0x90, 0xFFFFF000);
    x->memory[4] = 0x400 << 16; /* 1000h */
    highest = 0;
    assert_int_equal(off(), SESSION_OK);
    assert_int_equal(usb.off, 0);
    assert_true(highest <= 0xFFFFFFFF);
}

/* Controllers behind bridges, bridges that lead back, and functions of devices with a single function. */
TEST(buses)
{
    arrange();
    add_ehci(0x90, 0xFE100000);
    add_ehci(0x91, 0xFE110000)->config[0xA4 / 4] = 1; /* function 1 of a device that says that it has only one */
    add_bridge(0x10, 2);
    add_bridge(0x200, 0);   /* back */
    add_bridge(0x2F8, 255); /* on */
    add_bridge(0x208, 255); /* on the same bus, too */
    struct device *last = add_ehci(0xFFF8 | 7, 0xFE120000), *first = add_uhci(0xFFF8);
    first->config[3] = 0x00800000;
    add_ehci(0x300, 0xFE130000); /* on a bus to which no bridge leads */
    assert_int_equal(off(), SESSION_OK);
    assert_int_equal(usb.controllers, 3);
    assert_int_equal(usb.off, 3);
    assert_int_equal(last->config[0xA4 / 4], 0xE0000000);
    assert_true(config_reads < 1000);
    give_back(0);
    assert_int_equal(last->config[0xA4 / 4], 0xE000E03F);
    arrange(); /* the same bridge in another header: bit 7 means several functions, not the kind of header */
    add_bridge(0x10, 1)->config[3] = 0x00810000;
    add_bridge(0x11, 2)->config[3] = 0x00020000; /* of a card slot */
    add_ehci(0x100, 0xFE100000);
    add_ehci(0x200, 0xFE110000);
    assert_int_equal(off(), SESSION_OK);
    assert_int_equal(usb.controllers, 1);
}

/* A controller that keeps its requests, or has no row in the log, is an error, which names the first such
 * controller. */
TEST(errors)
{
    static const uint8_t kinds[] = {UHCI, OHCI, EHCI, XHCI};
    for (unsigned i = 0; i < 4; i++) {
        arrange();
        for (unsigned k = 0; k < 2; k++) {
            uint64_t base = 0xFE000000 + k * 0x100000;
            struct device *device = kinds[i] == UHCI   ? add_uhci(0x98 + 8 * k)
                                    : kinds[i] == OHCI ? add_ohci(0x98 + 8 * k, base)
                                    : kinds[i] == EHCI ? add_ehci(0x98 + 8 * k, base)
                                                       : add_xhci(0x98 + 8 * k, base);
            device->stuck = true;
            if (kinds[i] == OHCI)
                device->memory[0x100 / 4] = 0;
        }
        assert_int_equal(off(), SESSION_USB);
        assert_int_equal(detail, 0x98);
        assert_int_equal(usb.off, 0);
        assert_int_equal(saved.count, 3);
        give_back(0);
    }
    arrange();
    for (unsigned i = 0; i + 1 < RESTORE_ROWS; i++)
        restore_note(&saved, "full", 0, 0, true);
    add_ohci(0x90, 0xFE000000);
    add_ehci(0x98, 0xFE100000);
    assert_int_equal(off(), SESSION_USB);
    assert_int_equal(detail, 0x90);
    assert_int_equal(devices[0].memory[4], 0x8000005A); /* a register without a row is not written */
    assert_int_equal(devices[1].config[0xA4 / 4], 0xE000E03F);
    for (unsigned kind = 0; kind < 3; kind++) {
        arrange();
        for (unsigned i = 0; i + 1 < RESTORE_ROWS; i++)
            restore_note(&saved, "full", 0, 0, true);
        (void)(kind == 0 ? add_uhci(0x98) : kind == 1 ? add_ehci(0x98, 0xFE100000) : add_xhci(0x98, 0xFE100000));
        assert_int_equal(off(), SESSION_USB);
        assert_int_equal(detail, 0x98);
        assert_int_equal(usb.off, 0);
    }
    arrange();
    for (unsigned i = 0; i < RESTORE_ROWS; i++)
        restore_note(&saved, "full", 0, 0, true);
    add_ehci(0x98, 0xFE100000);
    assert_int_equal(off(), SESSION_USB);
    assert_int_equal(config_reads, 0);
}

static uint32_t in_body;

static void look(void *argument, uint64_t arena)
{
    body(argument, arena);
    in_body = devices[0].config[0xA4 / 4];
}

/* In a session emulation is off while the body runs, and on again after it, and after an error. */
TEST(in_a_session)
{
    for (unsigned i = 0; i < 3; i++) {
        arrange();
        add_ehci(0x90, 0xFE100000)->stuck = i == 1;
        plan.place.usb_off = i != 2;
        plan.calls.body = look;
        in_body = 0;
        run();
        assert_int_equal(result.error, i == 1 ? SESSION_USB : SESSION_OK);
        assert_int_equal(result.error_detail, i == 1 ? 0x90 : 0);
        assert_int_equal(in_body, i == 0 ? 0xE0000000 : i == 1 ? 0 : 0xE000E03F);
        assert_int_equal(devices[0].config[0xA4 / 4], 0xE000E03F);
        assert_int_equal(result.usb.controllers, i != 2);
        assert_int_equal(result.usb.off, i == 0);
        assert_int_equal(result.restore.failed, 0);
    }
}

RUN_TESTS(run_allocate, run_release)
