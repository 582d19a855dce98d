/* SPDX-License-Identifier: BSD-2-Clause */
/* Programs from hostile bytes: what pe_read() takes can be placed, and neither reads nor writes outside. */
#include <stdlib.h>
#include <string.h>

#include "bios/uefi/pe.h"
#include "bios/table_root.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { MEMORY_MOST = 1 << 22 };
    uint8_t *file = malloc(size + 1), *memory;
    struct pe pe;

    /* Writes the first header's place and the signatures, which hardly any input would have. */
    memcpy(file, data, size);
    if (size >= 64)
        memcpy(file + 60, (const uint32_t[]){64}, 4);
    if (size >= 64 + 26) {
        memcpy(file + 64, "PE\0\0\x64\x86", 6);
        memcpy(file + 64 + 24, "\x0b\x02", 2);
    }
    if (pe_read(file, size, &pe) == PE_OK && pe.size <= MEMORY_MOST) {
        if (pe.entry >= pe.size)
            abort();
        memory = malloc(pe.size);
        pe_copy(file, &pe, memory);
        free(memory);
    }
    for (unsigned i = 0; i < TABLE_ROOTS; i++)
        if (table_root_find(i, file, size) > size)
            abort();
    free(file);
    return 0;
}
