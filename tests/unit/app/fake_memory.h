/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The memory of the machine that the application runs on: one gigabyte at a fixed address, so that the addresses that a
 * run shows and writes are always the same. Around and between the blocks nothing is mapped, and with the address
 * sanitizer the rest of a block's last page is poisoned: an access beyond a block ends the test.
 */
#ifndef TESTS_UNIT_APP_FAKE_MEMORY_H
#define TESTS_UNIT_APP_FAKE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FAKE_MEMORY     0x20000000ull
#define FAKE_MEMORY_END 0x60000000ull

/* Zeroed memory at the lowest free address within base..end; NULL: there is no room. */
void *fake_memory_take(size_t size, size_t alignment, uint64_t base, uint64_t end);
/* Fails the test unless exactly this was taken. */
void fake_memory_give(void *memory, size_t size);

unsigned fake_memory_blocks(void);
void fake_memory_give_all(void);

/* All of it is in one block. */
bool fake_memory_taken(uint64_t address, size_t size);

/* Maps this many bytes at a fixed address permanently; NULL when the host has something there. */
void *fake_memory_map(uint64_t address, size_t size);

#endif
