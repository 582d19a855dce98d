/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The memory of the application's machine: one gigabyte at a fixed address, so that addresses in a run are always the
 * same. Nothing is mapped around and between the blocks, and the address sanitizer poisons the rest of a block's last
 * page: an access beyond a block ends the test.
 */
#ifndef TESTS_UNIT_APP_FAKE_MEMORY_H
#define TESTS_UNIT_APP_FAKE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FAKE_MEMORY     0x20000000ull
#define FAKE_MEMORY_END 0x60000000ull

/* Returns zeroed memory at the lowest free address within base..end; NULL: no room. */
void *fake_memory_take(size_t size, size_t alignment, uint64_t base, uint64_t end);
/* Frees a block; fails the test unless exactly this block was taken. */
void fake_memory_give(void *memory, size_t size);

unsigned fake_memory_blocks(void);
void fake_memory_give_all(void);

/* Returns whether the whole range is in one block. */
bool fake_memory_taken(uint64_t address, size_t size);

/* Maps bytes at a fixed address permanently; returns NULL if the host uses that address. */
void *fake_memory_map(uint64_t address, size_t size);

#endif
