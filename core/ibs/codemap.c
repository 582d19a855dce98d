/* SPDX-License-Identifier: BSD-2-Clause */
/* Look-ups in the code map; the contract is in codemap.h. */
#include "core/ibs/codemap.h"

int32_t codemap_find(const struct codemap *map, uint64_t rva)
{
    /* Finds the last instruction that starts at or before rva, if its bytes reach it: padding between functions
     * belongs to none. */
    uint32_t low = 0;
    uint32_t high = map->insn_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (map->insns[middle].rva <= rva)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return -1;
    const struct codemap_insn *insn = &map->insns[low - 1];
    return rva - insn->rva < insn->length ? (int32_t)(low - 1) : -1;
}

uint64_t codemap_hash(const void *bytes, uint32_t size)
{
    const uint8_t *byte = bytes;
    uint64_t hash = 0xcbf29ce484222325u;
    for (uint32_t i = 0; i < size; i++)
        hash = (hash ^ byte[i]) * 0x100000001b3u;
    return hash;
}

uint32_t codemap_function_end(const struct codemap *map, uint32_t index)
{
    uint32_t end = index + 1;

    while (end < map->insn_count && map->insns[end].func == map->insns[index].func)
        end++;
    return end;
}
