/*
 * The guest's memory at its own physical addresses in QEMU's process.
 */
#ifndef VPMU_PLUGIN_MEMORY_H
#define VPMU_PLUGIN_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "vpmu/plugin/qemu.h"

/* Maps all memory from 1 MB on (below is nothing that the shim reads), readable, writable and executable. QEMU must
 * have it as shared memory (share=on). Returns NULL, or what went wrong. */
const char *memory_map(const struct qemu_calls *qemu);
/* Whether these bytes are mapped. */
bool memory_has(uint64_t address, uint64_t bytes);
/* Where the lowest piece, which begins at 1 MB, ends. */
uint64_t memory_end(void);

#endif
