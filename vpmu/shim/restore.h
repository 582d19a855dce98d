/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Checks that everything a profiler may touch reads as before: a snapshot before ibsboot starts, another after it has
 * ended, taken in guest mode by the guest's instructions, so that they see what ibsboot saw.
 */
#ifndef VPMU_SHIM_RESTORE_H
#define VPMU_SHIM_RESTORE_H

#include <stdint.h>

#include "vpmu/shim/shim.h"

#define RESTORE_VALUES      80
#define RESTORE_TABLE_BYTES 4096

struct restore_snapshot {
    uint64_t values[RESTORE_VALUES];
    uint64_t idt[RESTORE_TABLE_BYTES / 8], gdt[RESTORE_TABLE_BYTES / 8];
    uint32_t idt_bytes, gdt_bytes;
};

void restore_take(const struct shim *shim, struct restore_snapshot *snapshot);

/* Begin to remember which registers of the model are written, on all cores; print those, and a line for each that
 * reads otherwise than before. The latter returns how many do. */
void restore_begin(void);
unsigned restore_touched(void);

/* Prints a line for each difference. Returns their number; *items: number of items compared. */
unsigned restore_compare(const struct restore_snapshot *before, const struct restore_snapshot *after, unsigned *items);

#endif
