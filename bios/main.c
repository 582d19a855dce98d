/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ibsbios: gives the boot file of the volume (EFI/BOOT/BOOTX64.EFI) on a machine with a BIOS the functions of UEFI that
 * it calls, and starts it. What is on the command line is passed on as its load options; of these words it takes:
 *
 *   chs          disks by cylinder, head and sector, as if the BIOS had no extensions
 *   console=vga  nothing on the serial port
 *   mem=BYTES    nothing at or above this address is given away, as a program's memory or for data
 *   disk=none    no disk is looked at: files are the loader's modules, and runs are not saved
 *   start=PATH   another boot file
 */
#include "bios/table_root.h"
#include "bios/bios.h"
#include "bios/boot_info.h"
#include "bios/clock.h"
#include "bios/console.h"
#include "bios/exceptions.h"
#include "bios/files.h"
#include "bios/low.h"
#include "bios/net/pxe.h"
#include "bios/real.h"
#include "bios/uefi/uefi.h"
#include "bios/disk/volume.h"
#include "core/base/mem.h"
#include "core/base/str.h"
#include "drivers/cpu/cpu.h"

extern uint32_t boot_magic, boot_information;
extern uint8_t image_end[];
extern uint64_t page_directories[], page_first_2_mb[];
void bios_main(void);

static struct boot_info *const info = &bios.info;
static const char boot_file[] = "EFI/BOOT/BOOTX64.EFI";

enum { LOADED_AT = 0x100000, KEY_WAIT_US = 10000 };
enum { BASE_MEMORY_KB = 0x413, EXTENDED_DATA = 0x40e, EXTENDED_DATA_BYTES = 1024 }; /* BIOS data area */
enum { ROM_AREA = 0xe0000, ROM_AREA_BYTES = 0x20000 };

/* Maps all memory that a loader can name. */
static const void *map_all(const struct boot_memory *memory, uint64_t address, size_t size)
{
    return address && address + size <= 1ull << 32 ? (const void *)address : NULL;
}

/* ---------------------------------------------------------------- the command line */

/* Returns the value of "key=", or "" for a word; NULL: not on the command line. */
static const char *word_of(const char *key, char *value, size_t size)
{
    size_t length = strlen(key);

    for (const char *word = info->line; *word;) {
        size_t end = 0, n = 0;

        while (word[end] && word[end] != ' ')
            end++;
        if (end >= length && str_is(word, length, key) && (key[length - 1] == '=' || end == length)) {
            for (size_t i = length; i < end && n + 1 < size; i++)
                value[n++] = word[i];
            value[n] = '\0';
            return value;
        }
        for (word += end; *word == ' '; word++)
            ;
    }
    return NULL;
}

static bool word_is(const char *key, const char *wanted)
{
    char value[32];

    return word_of(key, value, sizeof value) && str_equal(value, wanted);
}

/* ---------------------------------------------------------------- memory */

/* Reserves the BIOS's own memory below 640 KB, which some maps leave out. */
static void reserve_memory(void)
{
    char value[32];
    uint64_t base_memory = (uint64_t) * (const volatile uint16_t *)BASE_MEMORY_KB << 10, limit;

    memory_init(&bios.memory, info->range, info->ranges);
    (void)memory_reserve(&bios.memory, 0, LOW_END, MEMORY_RESERVED);
    (void)memory_reserve(&bios.memory, base_memory > LOW_END ? base_memory : LOADED_AT, LOADED_AT, MEMORY_RESERVED);
    (void)memory_reserve(&bios.memory, LOADED_AT, (uint64_t)image_end, MEMORY_LOADER_CODE);
    if (word_of("mem=", value, sizeof value) && str_to_uint(value, strlen(value), &limit))
        (void)memory_reserve(&bios.memory, limit, memory_top(&bios.memory), MEMORY_RESERVED);
    for (unsigned i = 0; i < info->modules; i++)
        (void)memory_reserve(&bios.memory, info->module[i].address, info->module[i].address + info->module[i].size,
                             MEMORY_LOADER_DATA);
}

/* Maps memory above 4 GB in pages of 2 MB; memory that cannot be mapped is not used. */
static void map_high_memory(void)
{
    enum { GB = 1 << 30, PAGE_2_MB = 0x200000, PRESENT_WRITABLE = 3, LARGE = 0x80, ENTRIES = 512 };
    uint64_t top = memory_top(&bios.memory);

    for (uint64_t g = 4; g < ENTRIES && g * GB < top; g++) {
        uint64_t *table = (uint64_t *)memory_take(&bios.memory, 1, LOADED_AT, 4ull * GB, MEMORY_LOADER_DATA);

        if (!table)
            break;
        for (uint64_t i = 0; i < ENTRIES; i++)
            table[i] = (g * GB + i * PAGE_2_MB) | LARGE | PRESENT_WRITABLE;
        page_directories[g] = (uint64_t)table | PRESENT_WRITABLE;
    }
}

/* Makes a return or call to address 0 an exception, so that no core executes the vectors of real mode. From here on
 * nothing reads the BIOS data area; the BIOS itself is called without paging. */
static void unmap_first_page(void)
{
    page_first_2_mb[0] = 0;
    cpu_write_cr3(cpu_read_cr3());
}

/* Returns the physical address of a table's root; 0: none. */
static uint64_t find_root(enum table_root which)
{
    const uint8_t *data = (const uint8_t *)((uint64_t) * (const volatile uint16_t *)EXTENDED_DATA << 4);
    const uint8_t *rom = (const uint8_t *)ROM_AREA;
    size_t at = data ? table_root_find(which, data, EXTENDED_DATA_BYTES) : EXTENDED_DATA_BYTES;

    if (at < EXTENDED_DATA_BYTES)
        return (uint64_t)(data + at);
    at = table_root_find(which, rom, ROM_AREA_BYTES);
    return at < ROM_AREA_BYTES ? (uint64_t)(rom + at) : 0;
}

/* ---------------------------------------------------------------- the network */

/* Reads the boot file from the network, if that started this program, and treats it like a loader's module. */
static void fetch_boot_file(void)
{
    struct boot_module *module = &info->module[info->modules];
    const char *error = NULL;

    /* boot.S passes no module; another loader may have the same name, and pass any number. */
    if (!str_equal(info->loader, "PXE") || info->modules)
        return;
    if (pxe_find()) {
        uefi_network_prepare();
        error = uefi_network_fetch("ibsboot.efi", &module->address, &module->size);
    } else {
        error = "the network card's code is not found (PXE 2.1)";
    }
    if (error) {
        console_say("ibsboot.efi was not loaded from the boot server: %s\n", error);
        return;
    }
    memcpy(module->path, boot_file, sizeof boot_file);
    info->modules++;
}

/* ---------------------------------------------------------------- start and end */

static void start(void)
{
    char path[FILES_PATH];
    EFI_HANDLE image;
    EFI_STATUS status;

    memcpy(path, boot_file, sizeof boot_file);
    (void)word_of("start=", path, sizeof path);
    status = uefi_load(path, info->line, &image);
    if (status != EFI_SUCCESS) {
        console_say("%s cannot be loaded: %s\n", path,
                    status == EFI_NOT_FOUND ? "it is neither on the volume nor among the loader's modules"
                                            : "see above");
        return;
    }
    status = uefi_start_image(image, NULL, NULL);
    if (status != EFI_SUCCESS)
        console_say("the program ended with status %lx\n", (uint64_t)status);
}

static _Noreturn void end(void)
{
    struct console_key key;

    console_say("%u calls of the BIOS, %u of them while IBS or a counter might have raised an NMI (should be 0)\n",
                real_calls(), real_calls_wrong());
    console_say("press a key to start the machine again\n");
    while (!console_key(&key))
        clock_wait(KEY_WAIT_US);
    (void)uefi_reset_system(EfiResetWarm, EFI_SUCCESS, 0, NULL);
    console_say("the machine does not reset: switch it off\n");
    for (;;)
        clock_wait(KEY_WAIT_US);
}

void bios_main(void)
{
    static const struct boot_memory memory = {map_all};
    uint64_t roots[TABLE_ROOTS];
    bool good = boot_info_read(&memory, boot_magic, boot_information, info), timer;

    exceptions_prepare();
    if (!word_is("console=", "vga"))
        console_serial();
    real_prepare();
    console_screen();
    console_say("version 1, multiboot %u, %s\n", info->multiboot,
                info->loader[0] ? info->loader : "a loader without a name");
    if (!good) {
        console_say("the boot loader gave no map of memory (multiboot 1 and 2 are understood)\n");
        end();
    }
    if (info->left_out)
        console_say("%u ranges of memory or modules are more than there is room for\n", info->left_out);
    reserve_memory();
    map_high_memory();
    timer = clock_measure();
    console_say("%lu MB of memory, TSC %lu MHz%s\n", memory_left(&bios.memory) >> 20, clock_tsc_khz() / 1000,
                timer ? "" : " (assumed: the interval timer does not count)");
    for (unsigned i = 0; i < TABLE_ROOTS; i++)
        roots[i] = find_root(i);
    uefi_prepare(roots, uefi_cores_prepare(roots[TABLE_ROOT_ACPI]));
    fetch_boot_file();
    /* With the network there are no disks: runs go to the server. */
    files_prepare(info, !bios.network.there && !word_is("disk=", "none") &&
                                volume_find(&bios.volume, info, word_is("chs", ""))
                            ? &bios.volume
                            : NULL);
    unmap_first_page();
    start();
    end();
}
