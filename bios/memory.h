/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Memory by its type: rows in ascending order that do not overlap, each of whole pages. Neighbours of one type are one
 * row. Types are UEFI's (2.10, section 7.2, EFI_MEMORY_TYPE).
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

/* The loader's ranges, in any order. Free are whole pages that are usable and in no range of another type. */
void memory_init(struct memory *memory, const struct boot_range *range, unsigned ranges);

/* Makes [base, end) of this type, as far as it is free; the rest stays what it is. False: too many rows. */
bool memory_reserve(struct memory *memory, uint64_t base, uint64_t end, uint32_t type);

/* The highest free pages in [low, high) but never page 0, or 0: none. They are of this type then. */
uint64_t memory_take(struct memory *memory, uint64_t pages, uint64_t low, uint64_t high, uint32_t type);

/* Just these pages. False: they are not all free. */
bool memory_take_at(struct memory *memory, uint64_t base, uint64_t pages, uint32_t type);

/* Gives pages back. False: they are not all memory that was taken. */
bool memory_give(struct memory *memory, uint64_t base, uint64_t pages);

/* The end of the highest memory that is or was free. */
uint64_t memory_top(const struct memory *memory);

/* Bytes that are free. */
uint64_t memory_left(const struct memory *memory);

#endif
