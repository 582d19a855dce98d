/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The guest's memory at its own physical addresses in QEMU's process.
 */
#ifndef VPMU_PLUGIN_MEMORY_H
#define VPMU_PLUGIN_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "vpmu/plugin/qemu.h"

struct memory {
    struct piece {
        uint64_t begin, end;
    } pieces[2];
    char problem[100];
};

/* Maps all memory from 1 MB on (the shim reads nothing below), readable, writable and executable. It must be shared
 * memory of QEMU (share=on). Returns NULL, or an error message. */
const char *memory_map(struct memory *memory, const struct qemu_calls *qemu);
/* Returns whether these bytes are mapped. */
bool memory_has(const struct memory *memory, uint64_t address, uint64_t bytes);
/* Returns the end of the lowest piece, which begins at 1 MB. */
uint64_t memory_end(const struct memory *memory);

#endif
