/* SPDX-License-Identifier: BSD-2-Clause */
#include "bios/uefi/uefi.h"

#include "bios/bios.h"
#include "bios/console.h"
#include "bios/uefi/uefi_rows.h"
#include "core/base/mem.h"

/* Prints the name of an unused slot. */
static EFI_STATUS refuse(const char *table, const char *name)
{
    console_say("unsupported function of UEFI: %s.%s\n", table, name);
    return EFI_UNSUPPORTED;
}

/* Defines a function for each unused slot. It ignores its arguments, so any caller's type fits. */
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
#define REFUSE_PXE(name)     REFUSE_IN(PxeBaseCode, name)
#define REFUSE_MTFTP(name)   REFUSE_IN(Mtftp, name)
UEFI_BOOT_ROWS(NOTHING, REFUSE_BOOT)
UEFI_RUNTIME_ROWS(NOTHING, REFUSE_RUNTIME)
UEFI_OUTPUT_ROWS(NOTHING, REFUSE_OUTPUT)
UEFI_INPUT_ROWS(NOTHING, REFUSE_INPUT)
UEFI_FILE_ROWS(NOTHING, REFUSE_FILE)
UEFI_MP_ROWS(NOTHING, REFUSE_MP)
UEFI_PXE_ROWS(NOTHING, REFUSE_PXE)
UEFI_MTFTP_ROWS(NOTHING, REFUSE_MTFTP)

#define GIVEN(name, function) .name = function,
#define SLOT_BOOT(name)       .name = (void *)refuse_BootServices_##name,
#define SLOT_RUNTIME(name)    .name = (void *)refuse_RuntimeServices_##name,
#define SLOT_OUTPUT(name)     .name = (void *)refuse_ConOut_##name,
#define SLOT_INPUT(name)      .name = (void *)refuse_ConIn_##name,
#define SLOT_FILE(name)       .name = (void *)refuse_File_##name,
#define SLOT_MP(name)         .name = (void *)refuse_MpServices_##name,
#define SLOT_PXE(name)        .name = (void *)refuse_PxeBaseCode_##name,
#define SLOT_MTFTP(name)      .name = (void *)refuse_Mtftp_##name,

/* Programs have pointers to the tables, and may write to them. */
static const struct uefi_tables initial = {
    .boot = {.Hdr = {EFI_BOOT_SERVICES_SIGNATURE, 0x20000, sizeof initial.boot, 0, 0},
             UEFI_BOOT_ROWS(GIVEN, SLOT_BOOT)},
    .runtime = {.Hdr = {EFI_RUNTIME_SERVICES_SIGNATURE, 0x20000, sizeof initial.runtime, 0, 0},
                UEFI_RUNTIME_ROWS(GIVEN, SLOT_RUNTIME)},
    .mode = {.MaxMode = 1, .Mode = 0, .Attribute = 7},
    .output = {UEFI_OUTPUT_ROWS(GIVEN, SLOT_OUTPUT).Mode = &bios.tables.mode},
    .input = {UEFI_INPUT_ROWS(GIVEN, SLOT_INPUT)},
    .volume = {.Revision = EFI_FILE_IO_INTERFACE_REVISION, UEFI_VOLUME_ROWS(GIVEN, NOTHING)},
    .mp = {UEFI_MP_ROWS(GIVEN, SLOT_MP)},
    .pxe = {.Revision = EFI_PXE_BASE_CODE_INTERFACE_REVISION, UEFI_PXE_ROWS(GIVEN, SLOT_PXE).Mode = &bios.network.mode},
    .binding = {UEFI_BINDING_ROWS(GIVEN, NOTHING)},
    .mtftp = {UEFI_MTFTP_ROWS(GIVEN, SLOT_MTFTP)},
    .device_path = {END_DEVICE_PATH_TYPE, END_ENTIRE_DEVICE_PATH_SUBTYPE, {sizeof initial.device_path, 0}},
    .system =
        {
            .Hdr = {EFI_SYSTEM_TABLE_SIGNATURE, 0x20000, sizeof initial.system, 0, 0},
            .FirmwareVendor = (CHAR16 *)u"ibsbios",
            .FirmwareRevision = 1,
            .ConIn = &bios.tables.input,
            .ConOut = &bios.tables.output,
            .StdErr = &bios.tables.output,
            .RuntimeServices = &bios.tables.runtime,
            .BootServices = &bios.tables.boot,
            .ConfigurationTable = bios.tables.configuration,
        },
};
const EFI_FILE uefi_file_functions = {.Revision = EFI_FILE_PROTOCOL_REVISION, UEFI_FILE_ROWS(GIVEN, SLOT_FILE)};
struct bios bios;
static struct uefi_tables *const tables = &bios.tables;

/* ---------------------------------------------------------------- protocols */

EFI_HANDLE uefi_device(void)
{
    return &tables->device_path;
}

static bool same(const EFI_GUID *a, const EFI_GUID *b)
{
    return !memcmp(a, b, sizeof *a);
}

EFI_STATUS EFIAPI uefi_handle_protocol(EFI_HANDLE handle, EFI_GUID *protocol, VOID **ret_interface)
{
    EFI_LOADED_IMAGE *loaded = uefi_loaded(handle);

    if (handle == uefi_device() && same(protocol, &(EFI_GUID)EFI_SIMPLE_FILE_SYSTEM_PROTOCOL_GUID))
        *ret_interface = &tables->volume;
    else if (handle == uefi_device() && same(protocol, &(EFI_GUID)EFI_DEVICE_PATH_PROTOCOL_GUID))
        *ret_interface = &tables->device_path;
    else if (loaded && same(protocol, &(EFI_GUID)EFI_LOADED_IMAGE_PROTOCOL_GUID))
        *ret_interface = loaded;
    else
        *ret_interface = uefi_network(handle, protocol);
    return *ret_interface ? EFI_SUCCESS : EFI_UNSUPPORTED;
}

EFI_STATUS EFIAPI uefi_locate_protocol(EFI_GUID *protocol, VOID *registration, VOID **ret_interface)
{
    if (!tables->mp_there || !same(protocol, &(EFI_GUID)MP_SERVICES_GUID))
        return EFI_NOT_FOUND;
    *ret_interface = &tables->mp;
    return EFI_SUCCESS;
}

EFI_STATUS EFIAPI uefi_locate_handle(EFI_LOCATE_SEARCH_TYPE type, EFI_GUID *protocol, VOID *key, UINTN *size,
                                     EFI_HANDLE *handles)
{
    UINTN room = *size;

    if (type != ByProtocol || !tables->mp_there || !same(protocol, &(EFI_GUID)MP_SERVICES_GUID))
        return EFI_NOT_FOUND;
    *size = sizeof handles[0];
    if (room < sizeof handles[0])
        return EFI_BUFFER_TOO_SMALL;
    handles[0] = &tables->mp;
    return EFI_SUCCESS;
}

EFI_STATUS EFIAPI uefi_uninstall_protocol(EFI_HANDLE handle, EFI_GUID *protocol, VOID *interface)
{
    if (!tables->mp_there || handle != &tables->mp || interface != &tables->mp ||
        !same(protocol, &(EFI_GUID)MP_SERVICES_GUID))
        return EFI_NOT_FOUND;
    tables->mp_there = false;
    return EFI_SUCCESS;
}

/* ---------------------------------------------------------------- the table of all */

void uefi_prepare(const uint64_t roots[TABLE_ROOTS], bool cores)
{
    static const EFI_GUID guids[TABLE_ROOTS] = {
        [TABLE_ROOT_ACPI] = ACPI_TABLE_GUID,
        [TABLE_ROOT_SMBIOS_3] = SMBIOS3_TABLE_GUID,
        [TABLE_ROOT_SMBIOS] = SMBIOS_TABLE_GUID,
    };

    *tables = initial;
    for (unsigned i = 0; i < TABLE_ROOTS; i++)
        if (roots[i])
            tables->configuration[tables->system.NumberOfTableEntries++] =
                (EFI_CONFIGURATION_TABLE){guids[i], (VOID *)roots[i]};
    tables->mp_there = cores;
}

EFI_SYSTEM_TABLE *uefi_system(void)
{
    return &tables->system;
}
