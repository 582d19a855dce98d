/* SPDX-License-Identifier: BSD-2-Clause */
/* MP Services (UEFI PI specification 1.7 vol. 2 section 13.4) as firmware has them: which cores are used, when a core
 * is started again, and what the answers mean. */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/efi/fake_system.h"

enum { CORES = 4, BOOT_CORE = 2, MANY = 1100 };

typedef VOID(EFIAPI *procedure)(VOID *argument);

struct processor {
    UINT64 id;
    UINT32 status; /* bit 0: boot core, bit 1: enabled, bit 2: healthy */
    UINT32 package, core, thread;
    UINT64 reserved[6];
};

static struct efi_firmware efi;
static UINTN there;
static UINT32 status_of[MANY];
static void *list; /* list of cores, from the pool */
static bool refuses, no_number, no_self, no_info, no_event;
static EFI_STATUS answer;
static unsigned asked, looked, idle_after, ran, events;
static UINTN asked_for;
static procedure what;
static VOID *with;

static EFI_STATUS EFIAPI get_number(VOID *mp, UINTN *all, UINTN *enabled)
{
    *all = *enabled = there;
    return no_number ? EFI_DEVICE_ERROR : EFI_SUCCESS;
}

static EFI_STATUS EFIAPI get_info(VOID *mp, UINTN number, struct processor *info)
{
    *info = (struct processor){.id = 0x10 + number, .status = status_of[number]};
    return no_info ? EFI_DEVICE_ERROR : EFI_SUCCESS;
}

static EFI_STATUS EFIAPI start_up(VOID *mp, procedure function, UINTN number, EFI_EVENT event, UINTN microseconds,
                                  VOID *argument, BOOLEAN *finished)
{
    assert_non_null(event);            /* without an event the call would wait for the end */
    assert_int_equal(microseconds, 0); /* no limit */
    assert_null(finished);
    asked++;
    asked_for = number;
    what = function;
    with = argument;
    return answer;
}

static EFI_STATUS EFIAPI who_am_i(VOID *mp, UINTN *number)
{
    *number = BOOT_CORE;
    return no_self ? EFI_DEVICE_ERROR : EFI_SUCCESS;
}

static const struct {
    EFI_STATUS(EFIAPI *get_number)(VOID *, UINTN *, UINTN *);
    EFI_STATUS(EFIAPI *get_info)(VOID *, UINTN, struct processor *);
    VOID *startup_all;
    EFI_STATUS(EFIAPI *start_up)(VOID *, procedure, UINTN, EFI_EVENT, UINTN, VOID *, BOOLEAN *);
    VOID *switch_boot, *enable;
    EFI_STATUS(EFIAPI *who_am_i)(VOID *, UINTN *);
} services = {get_number, get_info, NULL, start_up, NULL, NULL, who_am_i};

static EFI_STATUS EFIAPI locate(EFI_GUID *guid, VOID *registration, VOID **ret_interface)
{
    static const uint8_t mp[16] = {0x05, 0xa6, 0xdd, 0x3f, 0x6e, 0xa7, 0x46, 0x4f,
                                   0xad, 0x29, 0x12, 0xf4, 0x53, 0x1b, 0x3d, 0x08};

    if (memcmp(guid, mp, sizeof(mp)) != 0)
        return EFI_NOT_FOUND;
    *ret_interface = (void *)(uintptr_t)&services;
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI create_event(UINT32 type, EFI_TPL level, EFI_EVENT_NOTIFY notify, VOID *context,
                                      EFI_EVENT *event)
{
    assert_int_equal(type, 0);
    assert_int_equal(level, TPL_NOTIFY);
    events++;
    *event = &looked;
    return no_event ? EFI_OUT_OF_RESOURCES : EFI_SUCCESS;
}

static EFI_STATUS EFIAPI check_event(EFI_EVENT event)
{
    return ++looked > idle_after ? EFI_SUCCESS : EFI_NOT_READY;
}

static EFI_STATUS EFIAPI allocate_pool(EFI_MEMORY_TYPE type, UINTN size, VOID **ret_memory)
{
    if (refuses) {
        *ret_memory = &looked; /* memory that must not be freed */
        return EFI_OUT_OF_RESOURCES;
    }
    assert_null(list);
    assert_int_equal(type, EfiLoaderData);
    assert_int_equal(size, (there + 1) * sizeof(struct efi_core));
    *ret_memory = list = malloc(size);
    memset(list, 0xA5, size);
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI free_pool(VOID *memory)
{
    assert_ptr_equal(memory, list);
    free(memory);
    list = NULL;
    return EFI_SUCCESS;
}

static int setup(void **state)
{
    free(list);
    list = NULL;
    there = CORES;
    refuses = no_number = no_self = no_info = no_event = false;
    fake_system_init(&efi);
    fake_system.boot.AllocatePool = allocate_pool;
    fake_system.boot.FreePool = free_pool;
    fake_system.boot.LocateProtocol = (EFI_LOCATE_PROTOCOL)locate;
    fake_system.boot.CreateEvent = create_event;
    fake_system.boot.CheckEvent = check_event;
    for (unsigned i = 0; i < MANY; i++)
        status_of[i] = 6;
    answer = EFI_SUCCESS;
    asked = looked = idle_after = ran = events = 0;
    return 0;
}

static void run_one(void *argument)
{
    ran += *(unsigned *)argument;
}

/* The boot core comes first; cores that are disabled or not healthy are left out. */
TEST_WITH(which_cores, setup, NULL)
{
    uint32_t count = 0, id = 0;

    efi_cores_open(&efi);
    assert_int_equal(efi_count_cores(&efi.firmware, &count), FIRMWARE_OK);
    assert_int_equal(count, 4);
    assert_int_equal(efi_core_apic_id(&efi.firmware, 0, &id), FIRMWARE_OK);
    assert_int_equal(id, 0x10 + BOOT_CORE);
    assert_int_equal(efi_core_apic_id(&efi.firmware, 3, &id), FIRMWARE_OK);
    assert_int_equal(id, 0x13);
    for (unsigned bit = 1; bit <= 2; bit++) {
        setup(state);
        status_of[1] = 6 & ~(1u << bit);
        efi_cores_open(&efi);
        assert_int_equal(efi_count_cores(&efi.firmware, &count), FIRMWARE_OK);
        assert_int_equal(count, 3);
        assert_int_equal(efi_core_apic_id(&efi.firmware, 2, &id), FIRMWARE_OK);
        assert_int_equal(id, 0x13);
    }
}

/* A core is started again only after its event has told that the firmware has the core back. */
TEST_WITH(again, setup, NULL)
{
    struct firmware_start start;
    unsigned one = 1;

    efi_cores_open(&efi);
    assert_int_equal(efi_start_core(&efi.firmware, 1, run_one, &one), FIRMWARE_OK);
    assert_int_equal(asked_for, 0);
    assert_int_equal(looked, 0);
    assert_false(efi_core_ended(&efi.firmware, 1));
    assert_int_equal(efi_start_core(&efi.firmware, 1, run_one, &one), FIRMWARE_CORE_BUSY);
    assert_int_equal(asked, 1);
    what(with);
    assert_int_equal(ran, 1);
    assert_true(efi_core_ended(&efi.firmware, 1));
    idle_after = 5;
    assert_int_equal(efi_start_core(&efi.firmware, 1, run_one, &one), FIRMWARE_OK);
    assert_int_equal(looked, 6);
    assert_int_equal(asked, 2);
    assert_int_equal(fake_system.stalled_us, 5 * 10000);
    what(with);
    idle_after = UINT32_MAX; /* the firmware never gets the core back, and is not asked */
    looked = 0;
    fake_system.stalled_us = 0;
    assert_int_equal(efi_start_core(&efi.firmware, 1, run_one, &one), FIRMWARE_CORE_BUSY);
    assert_int_equal(asked, 2);
    assert_int_equal(looked, 200);
    assert_int_equal(fake_system.stalled_us, 2000000);
    assert_true(efi_core_ended(&efi.firmware, 1));
    efi_core_started(&efi.firmware, 1, &start);
    assert_true(start.status == EFI_NOT_READY);
    assert_int_equal(events, 1);
}

/* The cores do not exist, or the firmware returns nothing. */
TEST_WITH(refusals, setup, NULL)
{
    bool *const without[] = {&no_number, &no_self};
    struct firmware_start start;
    unsigned one = 1;
    uint32_t count, id = 77;

    efi_cores_open(&efi);
    assert_int_equal(efi_start_core(&efi.firmware, 0, run_one, &one), FIRMWARE_NOT_FOUND);
    assert_int_equal(efi_start_core(&efi.firmware, CORES, run_one, &one), FIRMWARE_NOT_FOUND);
    assert_true(efi_core_ended(&efi.firmware, CORES));
    efi_core_started(&efi.firmware, CORES, &start);
    assert_int_equal(start.status, 0);
    no_event = true;
    assert_int_equal(efi_start_core(&efi.firmware, 1, run_one, &one), FIRMWARE_FAILED);
    assert_int_equal(asked, 0);
    no_info = true;
    assert_int_equal(efi_core_apic_id(&efi.firmware, 1, &id), FIRMWARE_NOT_FOUND);
    assert_int_equal(id, 77);
    efi_cores_close(&efi);
    assert_null(list);
    assert_null(efi.core);
    efi_cores_close(&efi);
    efi_cores_open(&efi); /* the firmware describes no other core */
    assert_int_equal(efi_count_cores(&efi.firmware, &count), FIRMWARE_OK);
    assert_int_equal(count, 1);
    for (unsigned i = 0; i < 2; i++) {
        setup(state);
        *without[i] = true;
        efi_cores_open(&efi);
        assert_null(list);
        assert_int_equal(efi_count_cores(&efi.firmware, &count), FIRMWARE_NO_CORES);
        assert_int_equal(count, 1);
    }
}

/* The firmware's answer is kept for the report. */
TEST_WITH(answers, setup, NULL)
{
    static const struct {
        EFI_STATUS status;
        enum firmware_error error;
    } rows[] = {{EFI_UNSUPPORTED, FIRMWARE_CORE_REFUSED},
                {EFI_NOT_READY, FIRMWARE_CORE_BUSY},
                {EFI_DEVICE_ERROR, FIRMWARE_FAILED}};
    struct firmware_start start;
    unsigned one = 1;

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        setup(state);
        efi_cores_open(&efi);
        answer = rows[i].status;
        assert_int_equal(efi_start_core(&efi.firmware, 2, run_one, &one), rows[i].error);
        assert_true(efi_core_ended(&efi.firmware, 2));
        efi_core_started(&efi.firmware, 2, &start);
        assert_true(start.status == rows[i].status);
        answer = EFI_SUCCESS; /* a core that was never started need not come back */
        assert_int_equal(efi_start_core(&efi.firmware, 2, run_one, &one), FIRMWARE_OK);
        assert_int_equal(looked, 0);
    }
    setup(state);
    fake_system_init(&efi);
    efi_cores_open(&efi);
    assert_int_equal(efi_start_core(&efi.firmware, 1, run_one, &one), FIRMWARE_NO_CORES);
}

/* All cores that the firmware names are used, with the firmware's numbers and APIC IDs. */
TEST_WITH(many, setup, NULL)
{
    unsigned one = 1;
    uint32_t count = 0, id = 0;

    there = MANY;
    status_of[700] = 0;
    efi_cores_open(&efi);
    assert_int_equal(efi_count_cores(&efi.firmware, &count), FIRMWARE_OK);
    assert_int_equal(count, MANY - 1);
    assert_int_equal(efi_core_apic_id(&efi.firmware, 699, &id), FIRMWARE_OK);
    assert_int_equal(id, 0x10 + 699);
    assert_int_equal(efi_core_apic_id(&efi.firmware, MANY - 2, &id), FIRMWARE_OK);
    assert_int_equal(id, 0x10 + MANY - 1);
    assert_int_equal(efi_core_apic_id(&efi.firmware, MANY - 1, &id), FIRMWARE_NOT_FOUND);
    assert_int_equal(efi_start_core(&efi.firmware, MANY - 2, run_one, &one), FIRMWARE_OK);
    assert_int_equal(asked_for, MANY - 1);
    efi_cores_close(&efi);
    assert_non_null(list); /* the core has not come back yet */
    what(with);
    efi_cores_close(&efi);
    assert_null(list);
}

/* Without memory for the list there are no other cores, as without the service. */
TEST_WITH(no_memory, setup, NULL)
{
    struct firmware_start start;
    uint32_t count = 0, id = 0;

    refuses = true;
    efi_cores_open(&efi);
    assert_null(efi.core);
    assert_int_equal(efi_count_cores(&efi.firmware, &count), FIRMWARE_NO_CORES);
    assert_int_equal(count, 1);
    assert_int_equal(efi_core_apic_id(&efi.firmware, 0, &id), FIRMWARE_NO_CORES);
    assert_true(efi_core_ended(&efi.firmware, 1));
    efi_core_started(&efi.firmware, 0, &start);
    assert_int_equal(start.status, 0);
    efi_cores_close(&efi);
}

RUN_TESTS(NULL, NULL)
