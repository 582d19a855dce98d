/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads what a boot loader passes: memory, modules, command line, its name. Multiboot 1 (specification 0.6.96, section
 * 3.3) and multiboot 2 (specification 2.0, section 3.6). Copies everything, because later code may reuse that memory.
 *
 * The data comes from outside: reads stay within what 'map' gives, and entries that do not fit are left out and
 * counted.
 */
#ifndef BIOS_BOOT_INFO_H
#define BIOS_BOOT_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BOOT_INFO_MAGIC_1 0x2BADB002u
#define BOOT_INFO_MAGIC_2 0x36D76289u

enum {
    BOOT_INFO_RANGES = 128,
    BOOT_INFO_MODULES = 16,
    BOOT_INFO_PATH = 128,
    BOOT_INFO_LINE = 512,
    BOOT_INFO_NAME = 64
};

enum { BOOT_INFO_USABLE = 1 }; /* type of a range, as in INT 15h, E820h (ACPI 6.5, section 15) */

struct boot_range {
    uint64_t base, length;
    uint32_t type;
};

struct boot_module {
    uint64_t address, size;
    char path[BOOT_INFO_PATH]; /* last word of the module's line, with '/' between names */
};

struct boot_info {
    unsigned multiboot; /* version: 1 or 2 */
    unsigned ranges, modules, left_out;
    struct boot_range range[BOOT_INFO_RANGES];
    struct boot_module module[BOOT_INFO_MODULES];
    char line[BOOT_INFO_LINE]; /* the kernel's, without its own name */
    char loader[BOOT_INFO_NAME];
    bool has_disk; /* 'disk' is known; some loaders do not pass it */
    uint8_t disk;
};

/* Reads physical memory. */
struct boot_memory {
    /* Returns 'size' bytes at this address; NULL: not readable. */
    const void *(*map)(const struct boot_memory *memory, uint64_t address, size_t size);
};

/* Reads the loader's data. 'magic' and 'address' are EAX and EBX as the loader left them. Returns false if that is no
 * multiboot loader, or it gave no memory map; *ret_info is then incomplete. */
bool boot_info_read(const struct boot_memory *memory, uint32_t magic, uint64_t address, struct boot_info *ret_info);

#endif
