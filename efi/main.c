/* SPDX-License-Identifier: BSD-2-Clause */
/* The entry: fills struct firmware for UEFI, starts the application, and gives the machine back. */
#include "efi/efi_firmware.h"

#include "core/base/mem.h"
#include "core/base/out.h"

static void stall(struct firmware *fw, uint32_t microseconds)
{
    (void)efi_of(fw)->system->BootServices->Stall(microseconds);
}

static void now(struct firmware *fw, struct firmware_time *ret_time)
{
    EFI_TIME time;

    ret_time->valid = efi_of(fw)->system->RuntimeServices->GetTime(&time, NULL) == EFI_SUCCESS;
    if (!ret_time->valid)
        return;
    ret_time->year = time.Year;
    ret_time->month = time.Month;
    ret_time->day = time.Day;
    ret_time->hour = time.Hour;
    ret_time->minute = time.Minute;
    ret_time->second = time.Second;
}

/* UEFI specification 2.10, section 8.5.1. */
static void end(struct firmware *fw, enum firmware_end how)
{
    struct efi_firmware *efi = efi_of(fw);

    efi_files_close(efi);
    efi->system->RuntimeServices->ResetSystem(how == FIRMWARE_OFF ? EfiResetShutdown : EfiResetWarm, EFI_SUCCESS, 0,
                                              NULL);
}

/* UEFI specification section 4.6: prefers the pointers of ACPI 2.0 and SMBIOS 3.0 and later to those of earlier
 * versions. */
static uint64_t tables(struct firmware *fw, enum firmware_tables which)
{
    enum { VERSIONS = 2 };
    static const EFI_GUID guids[FIRMWARE_TABLES][VERSIONS] = {
        [FIRMWARE_ACPI] = {ACPI_20_TABLE_GUID, ACPI_TABLE_GUID},
        [FIRMWARE_SMBIOS] = {SMBIOS3_TABLE_GUID, SMBIOS_TABLE_GUID},
    };
    const EFI_SYSTEM_TABLE *system = efi_of(fw)->system;

    for (unsigned g = 0; g < VERSIONS; g++)
        for (UINTN i = 0; i < system->NumberOfTableEntries; i++)
            if (!memcmp(&system->ConfigurationTable[i].VendorGuid, &guids[which][g], sizeof(EFI_GUID)))
                return (uint64_t)(uintptr_t)system->ConfigurationTable[i].VendorTable;
    return 0;
}

/* Writes the firmware's identification for bug reports: "UEFI 2.70, EDK II", "BIOS, ibsbios 1". */
static void describe(struct efi_firmware *efi)
{
    UINT32 major = efi->system->Hdr.Revision >> 16, minor = efi->system->Hdr.Revision & 0xffff;
    struct out_memory name;

    efi->bios = efi->system->FirmwareVendor && !memcmp(efi->system->FirmwareVendor, u"ibsbios", sizeof(u"ibsbios"));
    out_memory_init(&name, efi->name, sizeof(efi->name));
    if (efi->bios) {
        out_printf(&name.out, "BIOS, ibsbios %u", efi->system->FirmwareRevision);
        return;
    }
    out_printf(&name.out, minor % 10 ? "UEFI %u.%02u, " : "UEFI %u.%u, ", major, minor % 10 ? minor : minor / 10);
    for (CHAR16 *vendor = efi->system->FirmwareVendor; vendor && *vendor; vendor++)
        out_printf(&name.out, "%c", *vendor >= 0x20 && *vendor < 0x7f ? *vendor : '?');
}

/* Load options are UCS-2 by convention. The boot manager may pass its own binary data instead, and the UEFI Shell
 * passes the whole command line with the program's name first; words without '=' are skipped, so both are harmless. */
static void copy_options(const EFI_LOADED_IMAGE *loaded, char *options, size_t size)
{
    const CHAR16 *text = loaded->LoadOptions;
    size_t count = loaded->LoadOptionsSize / sizeof(CHAR16), n = 0;

    for (size_t i = 0; text && i < count && text[i] && n + 1 < size; i++) {
        if (text[i] < 0x20 || text[i] > 0x7e) {
            n = 0; /* not text */
            break;
        }
        options[n++] = (char)text[i];
    }
    options[n] = '\0';
}

/* linker.ld. The build-id follows the note's header and its name "GNU" (ELF specification, note sections). */
extern const uint8_t ImageBase[], image_text[], image_text_end[], image_handler[], image_handler_end[],
    image_build_id[], image_elf[];
enum { NOTE_HEADER_BYTES = 16 };

/* Read from data, which "volatile" ensures: no code refers to what follows .codemap (linker.ld), as it would differ in
 * the two links. */
const uint8_t *const volatile image_elf_file = image_elf;

/* The table of sections is last in a file written by objcopy (ELF-64 specification: e_shoff at 40, e_shentsize at 58,
 * e_shnum at 60). */
static size_t elf_size(const uint8_t *elf)
{
    uint64_t offset = *(const uint64_t *)(elf + 40), size = *(const uint16_t *)(elf + 58);
    uint16_t count = *(const uint16_t *)(elf + 60);

    return offset + size * count;
}

EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *system);

EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *system)
{
    struct efi_firmware efi = {.image = image, .system = system};
    const struct image program = {
        .base = (uint64_t)(uintptr_t)ImageBase,
        .text_rva = (uint32_t)(image_text - ImageBase),
        .text_size = (uint32_t)(image_text_end - image_text),
        .handler_rva = (uint32_t)(image_handler - ImageBase),
        .handler_size = (uint32_t)(image_handler_end - image_handler),
        .build_id = image_build_id + NOTE_HEADER_BYTES,
        .elf = image_elf_file,
        .elf_size = elf_size(image_elf_file),
    };
    char options[512];
    EFI_STATUS status =
        system->BootServices->HandleProtocol(image, &(EFI_GUID)LOADED_IMAGE_PROTOCOL, (void **)&efi.loaded);
    int result;

    if (status != EFI_SUCCESS)
        return status;
    efi.firmware = (struct firmware){
        .context = &efi,
        .name = efi.name,
        .mac = efi.network.machine,
        .print = efi_print,
        .clear = efi_clear,
        .place = efi_place,
        .paint = efi_paint,
        .read_key = efi_read_key,
        .allocate = efi_allocate,
        .allocate_in = efi_allocate_in,
        .allocate_low = efi_allocate_low,
        .memory_map = efi_memory_map,
        .release = efi_release,
        .tables = tables,
        .read_file = efi_read_file,
        .list = efi_list,
        .make_folder = efi_make_folder,
        .room = efi_room,
        .file_create = efi_file_create,
        .file_write = efi_file_write,
        .file_close = efi_file_close,
        .file_append = efi_file_append,
        .file_remove = efi_file_remove,
        .save_to = efi_save_to,
        .stall = stall,
        .count_cores = efi_count_cores,
        .start_core = efi_start_core,
        .core_ended = efi_core_ended,
        .core_apic_id = efi_core_apic_id,
        .core_started = efi_core_started,
        .now = now,
        .end = end,
    };
    describe(&efi);
    copy_options(efi.loaded, options, sizeof(options));
    efi_files_open(&efi);
    efi_network_open(&efi);
    efi_cores_open(&efi);
    /* The boot manager's watchdog resets the machine after 5 minutes (UEFI specification, SetWatchdogTimer). */
    (void)system->BootServices->SetWatchdogTimer(0, 0, 0, NULL);
    efi_console_open(&efi);
    efi_network_tell(&efi);
    result = app_main(&efi.firmware, options, &program);
    efi_save_to(&efi.firmware, false);
    efi_files_close(&efi);
    efi_cores_close(&efi);
    efi_console_close(&efi);
    return result == 0 ? EFI_SUCCESS : EFI_ABORTED;
}
