/* SPDX-License-Identifier: BSD-2-Clause */
/* Events and MP Services with cores that ACPI's table names, and which answer or do not. */
#include <string.h>
#include <sys/mman.h>

#include "bios/bios.h"
#include "bios/clock.h"
#include "bios/console.h"
#include "tests/unit/bios/fake_disks.h"
#include "tests/unit/bios/fake_machine.h"
#include "tests/unit/bios/fake_ports.h"

static struct mp_services *const no_mp;
static unsigned notified, ran;
static void *notified_with, *ran_with;

static int begin(void **state)
{
    fake_begin();
    assert_true(clock_measure());
    notified = ran = 0;
    notified_with = ran_with = NULL;
    return 0;
}

static bool said(const char *text)
{
    return strstr(ports.sent, text) != NULL;
}

/* ---------------------------------------------------------------- ACPI's tables */

static void checksum(uint8_t *table, unsigned length, unsigned at)
{
    uint8_t sum = 0;

    table[at] = 0;
    for (unsigned i = 0; i < length; i++)
        sum = (uint8_t)(sum + table[i]);
    table[at] = (uint8_t)-sum;
}

static void header(uint8_t *table, const char *name, uint32_t length)
{
    memcpy(table, name, 4);
    memcpy(table + 4, &length, 4);
}

/* Writes root pointer, RSDT and MADT with these cores into memory that is not allocated (ACPI 6.5, sections 5.2.5.3,
 * 5.2.7, 5.2.12.2), and returns the address of the root pointer. */
static uint64_t acpi(const uint8_t *ids, unsigned count)
{
    static const uint32_t apic = 0xfee00000;
    uint8_t *root = (uint8_t *)memory_take(&bios.memory, 1, 0, 1ull << 32, MEMORY_ACPI), *rsdt = root + 64,
            *madt = root + 256;
    uint32_t at = (uint32_t)(uintptr_t)rsdt;

    memset(root, 0, MEMORY_PAGE);
    memcpy(root, "RSD PTR ", 8);
    memcpy(root + 16, &at, 4);
    checksum(root, 20, 8);
    header(rsdt, "RSDT", 40);
    at = (uint32_t)(uintptr_t)madt;
    memcpy(rsdt + 36, &at, 4);
    checksum(rsdt, 40, 9);
    header(madt, "APIC", 44 + 8 * count);
    memcpy(madt + 36, &apic, 4);
    for (unsigned i = 0; i < count; i++)
        memcpy(madt + 44 + 8 * i, (uint8_t[8]){0, 8, (uint8_t)i, ids[i], 1}, 8);
    checksum(madt, 44 + 8 * count, 9);
    return (uint64_t)root;
}

/* ---------------------------------------------------------------- events */

static VOID EFIAPI notify(EFI_EVENT event, VOID *context)
{
    notified++;
    notified_with = context;
}

TEST_WITH(events, begin, NULL)
{
    EFI_EVENT event, signal, more[200];
    unsigned count = 0;

    assert_false(uefi_cores_prepare(0));
    assert_int_equal(uefi_create_event(EVT_TIMER, TPL_CALLBACK, NULL, NULL, &event), EFI_UNSUPPORTED);
    assert_int_equal(uefi_create_event(0, TPL_CALLBACK, NULL, NULL, &event), EFI_SUCCESS);
    assert_int_equal(uefi_check_event(event), EFI_NOT_READY);
    assert_int_equal(uefi_signal_event(event), EFI_SUCCESS);
    assert_int_equal(uefi_check_event(event), EFI_SUCCESS);
    assert_int_equal(uefi_check_event(event), EFI_NOT_READY);
    assert_int_equal(uefi_create_event(EVT_NOTIFY_SIGNAL, TPL_CALLBACK, notify, &count, &signal), EFI_SUCCESS);
    assert_int_equal(uefi_check_event(signal), EFI_INVALID_PARAMETER);
    assert_int_equal(uefi_signal_event(signal), EFI_SUCCESS);
    assert_int_equal(notified, 1);
    assert_ptr_equal(notified_with, &count);
    assert_int_equal(uefi_signal_event(NULL), EFI_INVALID_PARAMETER);
    assert_int_equal(uefi_check_event((uint8_t *)event + 1), EFI_INVALID_PARAMETER);
    while (count < 200 && uefi_create_event(0, TPL_CALLBACK, NULL, NULL, &more[count]) == EFI_SUCCESS)
        count++;
    assert_int_equal(count, 30); /* 30 of 32 */
    assert_int_equal(uefi_check_event(more[29]), EFI_NOT_READY);
    assert_int_equal(uefi_check_event((uint8_t *)more[29] + ((uint8_t *)more[29] - (uint8_t *)more[28])),
                     EFI_INVALID_PARAMETER);
}

/* ---------------------------------------------------------------- cores */

static VOID EFIAPI procedure(VOID *argument)
{
    ran++;
    ran_with = argument;
}

/* Cores are in ascending order of their APIC IDs; cores that cannot be reached are left out and reported. */
TEST_WITH(counted, begin, NULL)
{
    static const struct {
        uint8_t ids[6];
        unsigned count;
        uint32_t own, reach;
        bool others;
        unsigned used, boot;
        const char *says;
    } rows[] = {
        {{0}, 1, 0, 63, false, 1, 0, NULL},
        {{0, 1}, 2, 0, 63, true, 2, 0, NULL},
        {{3, 1, 2, 0}, 4, 2, 63, true, 4, 2, NULL},
        {{0, 1, 2, 40}, 4, 1, 39, true, 3, 1, "3 cores are used, of 4: the others have APIC ids that only x2APIC mode"},
        {{0, 40}, 2, 0, 39, false, 1, 0, "1 cores are used, of 2: "},
    };

    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        UINTN all = 0, enabled = 0, who = 99;
        struct mp_processor info;
        uint64_t last = 0;

        begin(state);
        fake_machine.own_id = rows[i].own;
        fake_machine.reach = rows[i].reach;
        if (uefi_cores_prepare(acpi(rows[i].ids, rows[i].count)) != rows[i].others)
            fail_msg("row %u", i);
        assert_int_equal(uefi_mp_get_number(no_mp, &all, &enabled), EFI_SUCCESS);
        assert_int_equal(all, rows[i].used);
        assert_int_equal(enabled, rows[i].used);
        for (unsigned n = 0; n < all && rows[i].count > 1; n++) {
            assert_int_equal(uefi_mp_get_info(no_mp, n, &info), EFI_SUCCESS);
            assert_true(!n || info.id > last);
            last = info.id;
            assert_int_equal(info.status, n == rows[i].boot ? 7 : 6);
            assert_int_equal(info.id == rows[i].own, n == rows[i].boot);
        }
        assert_int_equal(uefi_mp_get_info(no_mp, all, &info), EFI_NOT_FOUND);
        if (rows[i].count > 1) {
            assert_int_equal(uefi_mp_who_am_i(no_mp, &who), EFI_SUCCESS);
            assert_int_equal(who, rows[i].boot);
            fake_machine.own_id = 60;
            assert_int_equal(uefi_mp_who_am_i(no_mp, &who), EFI_NOT_FOUND);
        }
        assert_int_equal(said("cores are used"), rows[i].says != NULL);
        assert_true(!rows[i].says || said(rows[i].says));
    }
}

/* Startup gets the processor's description, whatever it got for another one before. */
TEST_WITH(described, begin, NULL)
{
    static const struct {
        uint32_t vendor, version;
        uint64_t efer;
        bool nxe, known;
    } rows[] = {
        {0x68747541, 0x00100f42, 0xd00, true, true},   /* "Auth" */
        {0x68747541, 0x00870f10, 0x500, false, false}, /* Family 17h */
        {0x68747541, 0x00000f42, 0xd00, true, false},  /* Family 0Fh */
        {0x756e6547, 0x000906ea, 0xd00, true, false},  /* "Genu" */
        {0x756e6547, 0x00100f42, 0xd00, true, false},
    };

    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct startup_facts *told = &fake_machine.told;

        begin(state);
        fake_machine.vendor = rows[i].vendor;
        fake_machine.version = rows[i].version;
        fake_machine.efer = rows[i].efer;
        assert_true(uefi_cores_prepare(acpi((const uint8_t[]){0, 1}, 2)));
        assert_int_equal(told->nxe, rows[i].nxe);
        assert_int_equal(told->registers_known, rows[i].known);
        assert_int_equal(told->apic_msr, 0xfee00900);
        assert_int_equal(told->tsc_khz, clock_tsc_khz());
        assert_in_range(fake_machine.low, MACHINE_LOW, STARTUP_LOW_END - STARTUP_LOW_BYTES);
        assert_int_equal((uintptr_t)fake_machine.low % MEMORY_PAGE, 0);
    }
}

/* There is no table of cores, or one with a single core, or no APIC, or nothing is mapped there. */
TEST_WITH(alone, begin, NULL)
{
    UINTN all, enabled;
    struct mp_processor info;
    EFI_EVENT event;
    uint64_t root, before;

    assert_false(uefi_cores_prepare(0));
    assert_true(said("ACPI's root pointer is missing or damaged: this core alone\r\n"));
    assert_false(uefi_cores_prepare(1ull << 32));
    begin(state);
    root = acpi((const uint8_t[]){0}, 1);
    before = memory_left(&bios.memory);
    assert_false(uefi_cores_prepare(root));
    assert_string_equal(ports.sent, "");
    assert_int_equal(memory_left(&bios.memory), before);
    fake_machine.no_apic = true;
    assert_false(uefi_cores_prepare(acpi((const uint8_t[]){0, 1}, 2)));
    assert_true(said("other cores cannot be started: this core alone"));
    assert_int_equal(uefi_mp_get_number(no_mp, &all, &enabled), EFI_SUCCESS);
    assert_int_equal(all, 1);
    assert_int_equal(uefi_mp_get_info(no_mp, 0, &info), EFI_SUCCESS);
    assert_int_equal(info.id, 0);
    assert_int_equal(info.status, 7);
    assert_int_equal(uefi_create_event(0, TPL_CALLBACK, NULL, NULL, &event), EFI_SUCCESS);
}

/* ACPI's tables may be in memory above 4 GB, in a list of 64-bit addresses; beyond all memory nothing is read. */
TEST_WITH(high_tables, begin, NULL)
{
    /* ASan uses no memory at these addresses. */
    struct boot_range ranges[] = {
        {MACHINE_LOW, MACHINE_LOW_BYTES, 1}, {MACHINE_AT, MACHINE_BYTES, 1}, {0x200000000000, 2 * MEMORY_PAGE, 1}};
    uint8_t *high = mmap((void *)ranges[2].base, ranges[2].length, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    uint8_t *root = (uint8_t *)acpi((const uint8_t[]){0, 1}, 2), *xsdt = high + MEMORY_PAGE;
    uint64_t at = (uint64_t)xsdt;

    assert_int_equal((uint64_t)high, ranges[2].base);
    root[15] = 2;
    root[20] = 36;
    memcpy(root + 24, &at, 8);
    checksum(root, 20, 8);
    checksum(root, 36, 32);
    header(xsdt, "XSDT", 44);
    memcpy(high + MEMORY_PAGE - 256, root + 256, 256); /* the table of cores, up to the last byte of a page */
    at = (uint64_t)high + MEMORY_PAGE - 256;
    memcpy(xsdt + 36, &at, 8);
    checksum(xsdt, 44, 9);
    memory_init(&bios.memory, ranges, 3);
    assert_true(uefi_cores_prepare((uint64_t)root));
    memory_init(&bios.memory, ranges, 2);
    assert_false(uefi_cores_prepare((uint64_t)root));
    assert_int_equal(munmap(high, ranges[2].length), 0);
}

/* There is a separate event for each core's work, in addition to events for any other use. */
TEST_WITH(events_of_cores, begin, NULL)
{
    EFI_EVENT event;
    unsigned count = 0;

    assert_true(uefi_cores_prepare(acpi((const uint8_t[]){0, 1, 2, 3, 4}, 5)));
    while (count < 1000 && uefi_create_event(0, TPL_CALLBACK, NULL, NULL, &event) == EFI_SUCCESS)
        count++;
    assert_int_equal(count, 32 + 2 * 6); /* one core more, if this core has no entry in the table */
}

TEST_WITH(started, begin, NULL)
{
    UINTN pages = STARTUP_CORE_BYTES / MEMORY_PAGE;
    EFI_EVENT event;
    BOOLEAN finished = FALSE;
    uint64_t before;
    int argument;

    fake_machine.own_id = 1;
    assert_true(uefi_cores_prepare(acpi((const uint8_t[]){0, 1, 2}, 3)));
    assert_int_equal(uefi_mp_startup(no_mp, procedure, 3, NULL, 0, NULL, NULL), EFI_NOT_FOUND);
    assert_int_equal(uefi_mp_startup(no_mp, procedure, 1, NULL, 0, NULL, NULL), EFI_INVALID_PARAMETER);
    assert_int_equal(uefi_mp_startup(no_mp, NULL, 2, NULL, 0, NULL, NULL), EFI_INVALID_PARAMETER);
    /* Without an event the call waits for the core. */
    before = memory_left(&bios.memory);
    fake_machine.delay = 3;
    assert_int_equal(uefi_mp_startup(no_mp, procedure, 2, NULL, 0, &argument, &finished), EFI_SUCCESS);
    assert_int_equal(ran, 1);
    assert_ptr_equal(ran_with, &argument);
    assert_true(finished);
    assert_int_equal(fake_machine.last_id, 2);
    assert_int_equal(fake_machine.rests, 1);
    assert_int_equal(memory_left(&bios.memory), before - pages * MEMORY_PAGE);
    /* The call may wait for this time, and one step of 100 us more; a limit of 0 means no limit. */
    fake_machine.delay = 1000;
    before = ports.us;
    assert_int_equal(uefi_mp_startup(no_mp, procedure, 0, NULL, 500, &argument, &finished), EFI_TIMEOUT);
    assert_in_range(ports.us - before, 600, 620);
    assert_int_equal(ran, 1);
    before = ports.us;
    assert_int_equal(uefi_mp_startup(no_mp, procedure, 0, NULL, 0, &argument, &finished), EFI_SUCCESS);
    assert_in_range(ports.us - before, 100000, 103000);
    assert_int_equal(ran, 2);
    ran = 1;
    /* With an event the end is signalled; the same core is started again with the same memory, whatever it does. */
    fake_machine.delay = 2;
    before = memory_left(&bios.memory);
    assert_int_equal(uefi_create_event(0, TPL_CALLBACK, NULL, NULL, &event), EFI_SUCCESS);
    assert_int_equal(uefi_mp_startup(no_mp, procedure, 0, event, 0, NULL, &finished), EFI_SUCCESS);
    assert_false(finished);
    assert_int_equal(memory_left(&bios.memory), before);
    assert_int_equal(fake_machine.begun[0], 3);
    assert_int_equal(uefi_check_event(event), EFI_NOT_READY);
    assert_int_equal(uefi_check_event(event), EFI_NOT_READY);
    assert_int_equal(ran, 1);
    assert_int_equal(uefi_check_event(event), EFI_SUCCESS);
    assert_int_equal(ran, 2);
    assert_int_equal(uefi_check_event(event), EFI_NOT_READY);
    /* A caller that waits notices the end. */
    fake_machine.delay = 0;
    assert_int_equal(uefi_mp_startup(no_mp, procedure, 0, event, 0, NULL, NULL), EFI_SUCCESS);
    assert_int_equal(uefi_stall(10), EFI_SUCCESS);
    assert_int_equal(ran, 3);
    assert_int_equal(uefi_check_event(event), EFI_SUCCESS);
    /* The core does not answer. */
    fake_machine.silent = 1;
    assert_int_equal(uefi_mp_startup(no_mp, procedure, 0, event, 0, NULL, &finished), EFI_TIMEOUT);
    uefi_cores_look();
    assert_int_equal(ran, 3);
    /* A core that is started again abandons its earlier work. */
    fake_machine.silent = 0;
    fake_machine.delay = 1000;
    assert_int_equal(uefi_mp_startup(no_mp, procedure, 2, event, 0, NULL, NULL), EFI_SUCCESS);
    fake_machine.delay = 0;
    fake_machine.silent = 4;
    assert_int_equal(uefi_mp_startup(no_mp, procedure, 2, event, 0, NULL, NULL), EFI_TIMEOUT);
    uefi_cores_look();
    assert_int_equal(uefi_check_event(event), EFI_NOT_READY);
}

/* The event of a core that has ended is signalled, even if nobody checked before the core is started with another. */
TEST_WITH(ended_before_the_next, begin, NULL)
{
    EFI_EVENT event[2];

    assert_true(uefi_cores_prepare(acpi((const uint8_t[]){0, 1}, 2)));
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(uefi_create_event(0, TPL_CALLBACK, NULL, NULL, &event[i]), EFI_SUCCESS);
        assert_int_equal(uefi_mp_startup(no_mp, procedure, 1, event[i], 0, NULL, NULL), EFI_SUCCESS);
        assert_int_equal(ran, i); /* the fake runs a procedure when its core is checked */
        assert_int_equal(fake_machine.rests, i);
    }
    assert_int_equal(uefi_check_event(event[0]), EFI_SUCCESS);
    assert_int_equal(uefi_check_event(event[1]), EFI_SUCCESS);
    assert_int_equal(ran, 2);
    assert_int_equal(fake_machine.rests, 2);
}

TEST_WITH(no_memory, begin, NULL)
{
    assert_true(uefi_cores_prepare(acpi((const uint8_t[]){0, 1}, 2)));
    while (memory_take(&bios.memory, 1, 0, UINT64_MAX, MEMORY_LOADER_DATA))
        ;
    assert_int_equal(uefi_mp_startup(no_mp, procedure, 1, NULL, 0, NULL, NULL), EFI_OUT_OF_RESOURCES);
    begin(state);
    {
        uint64_t root = acpi((const uint8_t[]){0, 1}, 2);

        while (memory_take(&bios.memory, 1, MACHINE_AT, UINT64_MAX, MEMORY_LOADER_DATA))
            ;
        assert_false(uefi_cores_prepare(root));
        assert_true(said("other cores cannot be started"));
    }
}

RUN_TESTS(NULL, NULL)
