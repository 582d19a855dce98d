/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vpmu.efi: puts a virtual Family 10h PMU below ibsboot.efi and starts it, unmodified.
 */
#include "vpmu/shim/hypervisor.h"
#include "vpmu/shim/firmware/efi.h"

#include "core/ibs/codemap.h"
#include "vpmu/model/free.h"
#include "vpmu/model/hostile.h"
#include "vpmu/shim/firmware/files.h"
#include "vpmu/shim/native/native.h"
#include "vpmu/shim/native/own_code.h"
#include "vpmu/shim/os/os.h"
#include "vpmu/shim/restore.h"
#include "vpmu/shim/firmware/serial.h"
#include "vpmu/shim/shim.h"
#include "vpmu/shim/stop.h"
#include "vpmu/shim/firmware/truths.h"

EFI_STATUS efi_main(EFI_HANDLE handle, EFI_SYSTEM_TABLE *table);

typedef unsigned long long ull;

enum { CALIBRATION_US = 2000, CALIBRATIONS = 5, LOAD_OPTIONS = 1024 };

static void end(bool good, ull status)
{
    say("vpmu: end: status %llu\n", status);
    stop_qemu(good ? STOP_GOOD : STOP_BAD);
}

/* Loads the image; 'options' stay its own until it ends. */
static EFI_STATUS load(EFI_HANDLE handle, const EFI_LOADED_IMAGE *self, const struct shim_settings *settings,
                       CHAR16 options[LOAD_OPTIONS], EFI_HANDLE *image, EFI_LOADED_IMAGE **loaded)
{
    EFI_BOOT_SERVICES *boot = system_table->BootServices;
    EFI_STATUS status = files_load_image(handle, self->DeviceHandle, settings->image, image);
    if (EFI_ERROR(status))
        return status;
    status = boot->HandleProtocol(*image, &(EFI_GUID)EFI_LOADED_IMAGE_PROTOCOL_GUID, (VOID **)loaded);
    if (!EFI_ERROR(status) && settings->options[0]) {
        (*loaded)->LoadOptionsSize = (UINT32)files_widen(options, LOAD_OPTIONS, settings->options);
        (*loaded)->LoadOptions = options;
    }
    return status;
}

/* Returns whether the image is the ibsboot.efi built together with this program: the map knows no other code. */
static bool map_fits(const EFI_LOADED_IMAGE *loaded)
{
    const struct codemap *map = &image_codemap;
    if (!map->insn_count) {
        say("vpmu: no code map: the image's instructions are unknown\n");
        return true;
    }
    if ((UINT64)map->text_rva + map->text_size > loaded->ImageSize) {
        say("vpmu: the code map covers %x bytes at %x, the image has %llx\n", map->text_size, map->text_rva,
            (ull)loaded->ImageSize);
        return false;
    }
    uint64_t hash = codemap_hash((const UINT8 *)loaded->ImageBase + map->text_rva, map->text_size);
    if (hash != map->text_hash) {
        say("vpmu: the code map is not this image's: hash of the loaded code %016llx, of the map %016llx\n", (ull)hash,
            (ull)map->text_hash);
        return false;
    }
    say("vpmu: code map: %u instructions, hash %016llx fits\n", map->insn_count, (ull)hash);
    return true;
}

/* Keeps the code of ibsboot.efi, loaded for a moment, to compare an operating system's programs with. */
static EFI_STATUS keep_code(EFI_HANDLE handle, const EFI_LOADED_IMAGE *self)
{
    EFI_BOOT_SERVICES *boot = system_table->BootServices;
    const struct codemap *map = &image_codemap;
    EFI_HANDLE image;
    EFI_LOADED_IMAGE *loaded;
    EFI_PHYSICAL_ADDRESS copy;
    EFI_STATUS status = files_load_image(handle, self->DeviceHandle, "\\ibsboot\\ibsboot.efi", &image);
    if (!EFI_ERROR(status))
        status = boot->HandleProtocol(image, &(EFI_GUID)EFI_LOADED_IMAGE_PROTOCOL_GUID, (VOID **)&loaded);
    if (EFI_ERROR(status))
        return status;
    if (!map_fits(loaded))
        return EFI_INCOMPATIBLE_VERSION;
    status = boot->AllocatePages(AllocateAnyPages, EfiRuntimeServicesData,
                                 (map->text_size + EFI_PAGE_MASK) / EFI_PAGE_SIZE, &copy);
    if (!EFI_ERROR(status))
        os_code_init(map, (const UINT8 *)loaded->ImageBase + map->text_rva, (void *)copy);
    (void)boot->UnloadImage(image);
    return status;
}

/* Drops the image's relocation directory, the sixth (Microsoft PE format specification, "Optional Header Data
 * Directories"): on SetVirtualAddressMap, called by an operating system, firmware relocates all runtime drivers, and
 * the host must stay at its address. */
static void stay_in_place(const EFI_LOADED_IMAGE *self)
{
    enum { PE_OFFSET = 0x3c, DIRECTORY_COUNT = 24 + 108, RELOCATIONS = 5 };
    UINT8 *image = self->ImageBase;
    UINT8 *header = image + *(const UINT32 *)(image + PE_OFFSET);
    UINT32 *count = (UINT32 *)(header + DIRECTORY_COUNT);
    if (*count > RELOCATIONS)
        *count = RELOCATIONS;
}

static EFI_STATUS start_model(struct shim *shim, const EFI_LOADED_IMAGE *loaded)
{
    EFI_BOOT_SERVICES *boot = system_table->BootServices;
    struct vpmu_config config = {
        .revision = shim->settings.revision,
        .late_nmi = shim->settings.late_nmi,
        .hostile = shim->settings.hostile,
        .free = shim->settings.free,
        .lose_stalled = shim->settings.lose_stalled,
        .seed = shim->settings.seed,
        .disturb = shim->settings.disturb,
        .nodes = (uint32_t)shim->settings.nodes,
        .map = &image_codemap,
        .image_base = shim->settings.os ? shim->settings.code - image_codemap.text_rva : (uint64_t)loaded->ImageBase,
        .translate = step_translate,
        .context = shim,
    };
    size_t size = vpmu_size_with_own(&image_codemap, config.revision),
           pages = (sizeof *shim->pages + EFI_PAGE_MASK) / EFI_PAGE_SIZE;
    EFI_PHYSICAL_ADDRESS memory;
    if (!nodes_divide_memory(&config))
        return EFI_INVALID_PARAMETER;
    if (!shim->settings.os && !own_code_prepare(config.image_base))
        return EFI_OUT_OF_RESOURCES;
    EFI_STATUS status = boot->AllocatePages(AllocateAnyPages, EfiRuntimeServicesData,
                                            pages + (size + EFI_PAGE_MASK) / EFI_PAGE_SIZE, &memory);
    if (EFI_ERROR(status))
        return status;
    shim->pages = (struct shim_pages *)memory;
    shim->model = vpmu_init((void *)(memory + pages * EFI_PAGE_SIZE), size, &config);
    config.disturb = 0; /* only the boot core is disturbed */
    return shim->model && cores_prepare(&config, shim->settings.dead_core, shim->settings.without_mp)
               ? EFI_SUCCESS
               : EFI_OUT_OF_RESOURCES;
}

static void fill_handler(const void *what, struct out *out)
{
    handler_write_csv(&((const struct shim *)what)->costs, out);
}

/* Returns the ticks of the TSC in CALIBRATION_US. A wait may take longer than requested, never less: the shortest
 * counts. */
static uint64_t calibrate(void)
{
    uint64_t best = UINT64_MAX;
    for (unsigned i = 0; i < CALIBRATIONS; i++) {
        uint64_t begin = x86_rdtsc();
        (void)system_table->BootServices->Stall(CALIBRATION_US);
        uint64_t ticks = x86_rdtsc() - begin;
        best = ticks < best ? ticks : best;
    }
    return best;
}

/* Converts ticks to milliseconds; calibration: from calibrate(). */
static ull milliseconds(uint64_t ticks, uint64_t calibration)
{
    uint64_t per_ms = calibration / (CALIBRATION_US / 1000);
    return per_ms ? ticks / per_ms : 0;
}

static void say_speed(const struct shim *shim, uint64_t calibration)
{
    const struct stepper *stepper = &shim->stepper;
    ull stepping = milliseconds(stepper->ticks, calibration);
    say("vpmu: %llu steps in %llu ms", (ull)stepper->steps, stepping);
    if (stepping)
        say(", %llu steps/s", (ull)(stepper->steps * 1000 / stepping));
    say("; %llu exits, %llu ms in them; %llu NMIs\n", (ull)shim->exits, milliseconds(shim->host_ticks, calibration),
        (ull)shim->nmi.delivered);
}

EFI_STATUS efi_main(EFI_HANDLE handle, EFI_SYSTEM_TABLE *table)
{
    struct shim *shim = &hypervisor.shim[0];
    system_table = table;
    hypervisor.cores = 1;
    EFI_BOOT_SERVICES *boot = table->BootServices;
    EFI_LOADED_IMAGE *self;
    EFI_STATUS status = boot->HandleProtocol(handle, &(EFI_GUID)EFI_LOADED_IMAGE_PROTOCOL_GUID, (VOID **)&self);
    if (EFI_ERROR(status))
        return status;

    bool good = settings_read(&shim->settings);
    char words[128];
    struct out_memory free;
    out_memory_init(&free, words, sizeof words);
    free_print(shim->settings.free, &free.out);
    say("\nvpmu: virtual %s%s%s%s%s\n", vpmu_revision_text(shim->settings.revision),
        shim->settings.late_nmi ? ", late NMIs" : "", shim->settings.lose_stalled ? ", stalled tags lost" : "",
        words[0] ? ", free: " : "", words);
    for (unsigned i = 0; i < HOSTILE_SWITCHES; i++)
        if (hostile_has(shim->settings.hostile, i))
            say("vpmu: hostile: %s: %s\n", hostile_table[i].name, hostile_table[i].what);
    (void)boot->SetWatchdogTimer(0, 0, 0, NULL);

    EFI_HANDLE image;
    EFI_LOADED_IMAGE *loaded;
    CHAR16 options[LOAD_OPTIONS];
    status = good ? load(handle, self, &shim->settings, options, &image, &loaded) : EFI_INVALID_PARAMETER;
    if (EFI_ERROR(status)) {
        say("vpmu: cannot load %s: %llx\n", shim->settings.image, (ull)status);
        end(false, 1);
    }
    say("vpmu: %s at %llx, vpmu at %llx\n", shim->settings.image, (ull)(UINTN)loaded->ImageBase, stop_image_base());
    if (!shim->settings.os)
        good = map_fits(loaded);
    else if (shim->settings.code)
        good = !EFI_ERROR(keep_code(handle, self));
    stay_in_place(self);
    status = start_model(shim, loaded);
    if (EFI_ERROR(status) || !good || !svm_prepare()) {
        say("vpmu: cannot start: %llx\n", (ull)status);
        end(false, 1);
    }

    if (native_connect((uint64_t)self->ImageBase, (uint64_t)self->ImageBase + self->ImageSize))
        say("vpmu: stepping by the QEMU plugin\n");
    else
        say("vpmu: stepping by TF: %s\n", native_problem());
    uint64_t calibration = calibrate();
    clock_init(calibration / (CALIBRATION_US / 1000));
    for (uint32_t i = 0; i < hypervisor.cores; i++)
        apic_connect(&hypervisor.shim[i]);

    svm_begin(shim);
    world_enter_guest(&shim->world);

    struct restore_snapshot before, after;
    restore_take(shim, &before);
    restore_begin();
    status = boot->StartImage(image, NULL, NULL);
    restore_take(shim, &after);

    if (EFI_ERROR(status)) {
        say("vpmu: %s returned %llx\n", shim->settings.image, (ull)status);
        good = false;
    }
    unsigned items;
    unsigned differences = restore_compare(&before, &after, &items) + restore_touched();
    if (differences || vpmu_armed(shim->model)) {
        say("vpmu: %u of %u items NOT RESTORED%s\n", differences, items,
            vpmu_armed(shim->model) ? ", and still armed" : "");
        good = false;
    } else {
        say("vpmu: restored: %u items read as before\n", items);
    }
    if (shim->settings.disturb)
        say("vpmu: planted an NMI at TSC %llu\n", (ull)vpmu_planted(shim->model));
    say_speed(shim, calibration);
    if (hypervisor.group.not_waited) {
        say("vpmu: %llu times a core was not waited for: the order of the cores may differ next time\n",
            (ull)hypervisor.group.not_waited);
    }
    handler_print(&shim->costs);

    truths_write(self->DeviceHandle, shim);
    EFI_STATUS written = files_write(self->DeviceHandle, "\\ibsboot\\handler.csv", fill_handler, shim);
    if (EFI_ERROR(written))
        say("vpmu: cannot write handler.csv: %llx\n", (ull)written);
    good = cores_end(self->DeviceHandle) && good;
    end(good, good ? 0 : 1);
    return EFI_SUCCESS;
}
