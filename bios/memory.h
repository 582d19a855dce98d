/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Memory by type: sorted rows of whole pages that do not overlap. Neighbours of one type are one row. Types are UEFI's
 * (2.10, section 7.2, EFI_MEMORY_TYPE).
 */
#ifndef BIOS_MEMORY_H
#define BIOS_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "bios/boot_info.h"

enum { MEMORY_ROWS = 512, MEMORY_PAGE = 4096 };

enum memory_type {
    MEMORY_RESERVED = 0,
    MEMORY_LOADER_CODE = 1,
    MEMORY_LOADER_DATA = 2,
    MEMORY_FREE = 7, /* EfiConventionalMemory */
    MEMORY_ACPI = 9, /* ACPI's tables */
    MEMORY_NVS = 10,
};

struct memory_row {
    uint64_t base, end; /* bytes, multiples of a page; base < end */
    uint32_t type;
};

struct memory {
    unsigned rows;
    struct memory_row row[MEMORY_ROWS];
};

/* Fills in the loader's ranges, in any order. A page is free if all of it is usable and no range of another type
 * contains it. */
void memory_init(struct memory *memory, const struct boot_range *range, unsigned ranges);

/* Sets the type of the free pages in [base, end). Returns false if there are too many rows. */
bool memory_reserve(struct memory *memory, uint64_t base, uint64_t end, uint32_t type);

/* Takes the highest free pages in [low, high), but never page 0, and sets their type. Returns their address; 0: not
 * enough. */
uint64_t memory_take(struct memory *memory, uint64_t pages, uint64_t low, uint64_t high, uint32_t type);

/* Takes exactly these pages. Returns false if some are not free. */
bool memory_take_at(struct memory *memory, uint64_t base, uint64_t pages, uint32_t type);

/* Frees pages. Returns false if some were not taken. */
bool memory_give(struct memory *memory, uint64_t base, uint64_t pages);

/* Returns the end of the highest memory that is or was free. */
uint64_t memory_top(const struct memory *memory);

/* Returns the number of free bytes. */
uint64_t memory_left(const struct memory *memory);

#endif
