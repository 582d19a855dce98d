/* SPDX-License-Identifier: BSD-2-Clause */
#include "bios/uefi.h"

#include "bios/console.h"
#include "bios/uefi_rows.h"
#include "core/base/mem.h"

/* Says the name of a slot that is not in use. */
static EFI_STATUS refuse(const char *table, const char *name)
{
    console_say("unsupported function of UEFI: %s.%s\n", table, name);
    return EFI_UNSUPPORTED;
}

/* A function for each slot that is not in use. Callers of any type come to them: they look at no argument. */
#define NOTHING(...)
#define REFUSE_IN(table, name)                                                                                         \
    static EFI_STATUS EFIAPI refuse_##table##_##name(void)                                                             \
    {                                                                                                                  \
        return refuse(#table, #name);                                                                                  \
    }
#define REFUSE_BOOT(name)    REFUSE_IN(BootServices, name)
#define REFUSE_RUNTIME(name) REFUSE_IN(RuntimeServices, name)
#define REFUSE_OUTPUT(name)  REFUSE_IN(ConOut, name)
#define REFUSE_INPUT(name)   REFUSE_IN(ConIn, name)
#define REFUSE_FILE(name)    REFUSE_IN(File, name)
#define REFUSE_MP(name)      REFUSE_IN(MpServices, name)
UEFI_BOOT_ROWS(NOTHING, REFUSE_BOOT)
UEFI_RUNTIME_ROWS(NOTHING, REFUSE_RUNTIME)
UEFI_OUTPUT_ROWS(NOTHING, REFUSE_OUTPUT)
UEFI_INPUT_ROWS(NOTHING, REFUSE_INPUT)
UEFI_FILE_ROWS(NOTHING, REFUSE_FILE)
UEFI_MP_ROWS(NOTHING, REFUSE_MP)

#define GIVEN(name, function) .name = function,
#define SLOT_BOOT(name)       .name = (void *)refuse_BootServices_##name,
#define SLOT_RUNTIME(name)    .name = (void *)refuse_RuntimeServices_##name,
#define SLOT_OUTPUT(name)     .name = (void *)refuse_ConOut_##name,
#define SLOT_INPUT(name)      .name = (void *)refuse_ConIn_##name,
#define SLOT_FILE(name)       .name = (void *)refuse_File_##name,
#define SLOT_MP(name)         .name = (void *)refuse_MpServices_##name,

static EFI_BOOT_SERVICES boot = {.Hdr = {EFI_BOOT_SERVICES_SIGNATURE, 0x20000, sizeof boot, 0, 0},
                                 UEFI_BOOT_ROWS(GIVEN, SLOT_BOOT)};
static EFI_RUNTIME_SERVICES runtime = {.Hdr = {EFI_RUNTIME_SERVICES_SIGNATURE, 0x20000, sizeof runtime, 0, 0},
                                       UEFI_RUNTIME_ROWS(GIVEN, SLOT_RUNTIME)};
static SIMPLE_TEXT_OUTPUT_MODE mode = {.MaxMode = 1, .Mode = 0};
static SIMPLE_TEXT_OUTPUT_INTERFACE output = {UEFI_OUTPUT_ROWS(GIVEN, SLOT_OUTPUT).Mode = &mode};
static SIMPLE_INPUT_INTERFACE input = {UEFI_INPUT_ROWS(GIVEN, SLOT_INPUT)};
EFI_FILE uefi_file_functions = {.Revision = EFI_FILE_PROTOCOL_REVISION, UEFI_FILE_ROWS(GIVEN, SLOT_FILE)};
static EFI_FILE_IO_INTERFACE volume = {.Revision = EFI_FILE_IO_INTERFACE_REVISION, UEFI_VOLUME_ROWS(GIVEN, NOTHING)};
static struct mp_services mp = {UEFI_MP_ROWS(GIVEN, SLOT_MP)};

/* ---------------------------------------------------------------- protocols */

/* An end, and nothing before: the volume is the only device. */
static EFI_DEVICE_PATH device_path = {END_DEVICE_PATH_TYPE, END_ENTIRE_DEVICE_PATH_SUBTYPE, {sizeof device_path, 0}};
uint8_t uefi_device;
static bool mp_there;

static bool same(const EFI_GUID *a, const EFI_GUID *b)
{
    return !memcmp(a, b, sizeof *a);
}

EFI_STATUS EFIAPI uefi_handle_protocol(EFI_HANDLE handle, EFI_GUID *protocol, VOID **ret_interface)
{
    EFI_LOADED_IMAGE *loaded = uefi_loaded(handle);

    if (handle == &uefi_device && same(protocol, &(EFI_GUID)EFI_SIMPLE_FILE_SYSTEM_PROTOCOL_GUID))
        *ret_interface = &volume;
    else if (handle == &uefi_device && same(protocol, &(EFI_GUID)EFI_DEVICE_PATH_PROTOCOL_GUID))
        *ret_interface = &device_path;
    else if (loaded && same(protocol, &(EFI_GUID)EFI_LOADED_IMAGE_PROTOCOL_GUID))
        *ret_interface = loaded;
    else
        return EFI_UNSUPPORTED;
    return EFI_SUCCESS;
}

EFI_STATUS EFIAPI uefi_locate_protocol(EFI_GUID *protocol, VOID *registration, VOID **ret_interface)
{
    if (!mp_there || !same(protocol, &(EFI_GUID)MP_SERVICES_GUID))
        return EFI_NOT_FOUND;
    *ret_interface = &mp;
    return EFI_SUCCESS;
}

EFI_STATUS EFIAPI uefi_locate_handle(EFI_LOCATE_SEARCH_TYPE type, EFI_GUID *protocol, VOID *key, UINTN *size,
                                     EFI_HANDLE *handles)
{
    UINTN room = *size;

    if (type != ByProtocol || !mp_there || !same(protocol, &(EFI_GUID)MP_SERVICES_GUID))
        return EFI_NOT_FOUND;
    *size = sizeof handles[0];
    if (room < sizeof handles[0])
        return EFI_BUFFER_TOO_SMALL;
    handles[0] = &mp;
    return EFI_SUCCESS;
}

EFI_STATUS EFIAPI uefi_uninstall_protocol(EFI_HANDLE handle, EFI_GUID *protocol, VOID *interface)
{
    if (!mp_there || handle != &mp || interface != &mp || !same(protocol, &(EFI_GUID)MP_SERVICES_GUID))
        return EFI_NOT_FOUND;
    mp_there = false;
    return EFI_SUCCESS;
}

/* ---------------------------------------------------------------- the table of all */

static EFI_CONFIGURATION_TABLE configuration[TABLE_ROOTS];
static EFI_SYSTEM_TABLE table = {
    .Hdr = {EFI_SYSTEM_TABLE_SIGNATURE, 0x20000, sizeof table, 0, 0},
    .FirmwareVendor = (CHAR16 *)u"ibsbios",
    .FirmwareRevision = 1,
    .ConIn = &input,
    .ConOut = &output,
    .StdErr = &output,
    .RuntimeServices = &runtime,
    .BootServices = &boot,
    .ConfigurationTable = configuration,
};

void uefi_prepare(const uint64_t roots[TABLE_ROOTS], bool cores)
{
    static const EFI_GUID guids[TABLE_ROOTS] = {
        [TABLE_ROOT_ACPI] = ACPI_TABLE_GUID,
        [TABLE_ROOT_SMBIOS_3] = SMBIOS3_TABLE_GUID,
        [TABLE_ROOT_SMBIOS] = SMBIOS_TABLE_GUID,
    };

    table.NumberOfTableEntries = 0;
    for (unsigned i = 0; i < TABLE_ROOTS; i++)
        if (roots[i])
            configuration[table.NumberOfTableEntries++] = (EFI_CONFIGURATION_TABLE){guids[i], (VOID *)roots[i]};
    mp_there = cores;
}

EFI_SYSTEM_TABLE *uefi_system(void)
{
    return &table;
}
