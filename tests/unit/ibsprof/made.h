/* SPDX-License-Identifier: BSD-2-Clause */
/* perf.data files put together by hand: two clocks (ids MADE_A and MADE_B), and records as Linux writes them, with
 * IDENTIFIER, IP, TID and TIME. */
#ifndef TESTS_UNIT_IBSPROF_MADE_H
#define TESTS_UNIT_IBSPROF_MADE_H

#include <stddef.h>
#include <stdint.h>

#include "tools/ibsprof/read/input.h"

enum { MADE_A = 10, MADE_B = 20 };

/* Begins a file, to which records are added until made_open(). */
void made_begin(void);
void made_sample(uint64_t id, uint32_t pid, uint64_t ip, uint64_t time);
void made_map(uint32_t pid, uint64_t start, uint64_t length, const char *name, uint64_t time);
void made_comm(uint32_t pid, const char *name, uint16_t misc, uint64_t time);
void made_fork(uint32_t pid, uint32_t parent, uint16_t misc, uint64_t time);
void made_round_ends(void);
size_t made_size(void);

/* Writes the file to the tests' folder, and returns its path. */
const char *made_write(const char *name);
struct input *made_open(void);

#endif
