/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Boot information of hostile bytes, by both versions of multiboot; and memory made of it. In all cases: no access
 * outside the bytes, texts that end, and rows of memory that are in order, before and after they are taken.
 */
#include <stdlib.h>
#include <string.h>

#include "bios/boot_info.h"
#include "bios/memory.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BASE = 0x1000 };

struct bytes {
    struct boot_memory memory;
    const uint8_t *bytes;
    size_t size;
};

static void *copies[1 << 14];
static unsigned copied;

/* A copy of exactly what was asked for, so that the sanitizer sees any access beyond it. */
static const void *map(const struct boot_memory *memory, uint64_t address, size_t size)
{
    const struct bytes *b = (const struct bytes *)memory;
    void *copy;

    if (address < BASE || address - BASE > b->size || size > b->size - (address - BASE) || copied == 1 << 14)
        return NULL;
    copy = malloc(size ? size : 1);
    memcpy(copy, b->bytes + (address - BASE), size);
    copies[copied++] = copy;
    return copy;
}

static void check_rows(const struct memory *memory)
{
    for (unsigned i = 0; i < memory->rows; i++) {
        const struct memory_row *row = &memory->row[i];

        if (row->base >= row->end || (row->base | row->end) % MEMORY_PAGE || (i && row->base < row[-1].end) ||
            (i && row->base == row[-1].end && row->type == row[-1].type))
            abort();
    }
}

static void check(const struct boot_info *info)
{
    static struct memory memory;
    uint64_t left, base;

    if (info->ranges > BOOT_INFO_RANGES || info->modules > BOOT_INFO_MODULES ||
        strnlen(info->line, sizeof info->line) == sizeof info->line ||
        strnlen(info->loader, sizeof info->loader) == sizeof info->loader)
        abort();
    for (unsigned i = 0; i < info->modules; i++)
        if (strnlen(info->module[i].path, BOOT_INFO_PATH) == BOOT_INFO_PATH)
            abort();
    memory_init(&memory, info->range, info->ranges);
    check_rows(&memory);
    left = memory_left(&memory);
    base = memory_take(&memory, 3, 0, UINT64_MAX, 1);
    check_rows(&memory);
    if (base && (memory_left(&memory) != left - 3 * MEMORY_PAGE || !memory_give(&memory, base, 3)))
        abort();
    if (memory_left(&memory) != left)
        abort();
    for (unsigned i = 0; i < info->modules; i++)
        (void)memory_reserve(&memory, info->module[i].address, info->module[i].address + info->module[i].size, 2);
    check_rows(&memory);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint32_t magics[] = {BOOT_INFO_MAGIC_1, BOOT_INFO_MAGIC_2};
    struct bytes bytes = {{map}, data, size};
    static struct boot_info info;

    for (unsigned i = 0; i < 2; i++) {
        (void)boot_info_read(&bytes.memory, magics[i], BASE, &info);
        check(&info);
        while (copied)
            free(copies[--copied]);
    }
    return 0;
}
