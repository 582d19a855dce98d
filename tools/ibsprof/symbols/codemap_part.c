/* SPDX-License-Identifier: BSD-2-Clause */
/* Some functions of a code map; the contract is in object.h. */
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/symbols/elf_file.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/symbols/object.h"

struct codemap *codemap_select(const struct codemap *map, const uint8_t *taken)
{
    struct codemap *part = must_new(part);
    struct codemap_func *funcs = must_alloc(map->func_count, sizeof(*funcs));
    struct codemap_insn *insns = must_alloc(map->insn_count, sizeof(*insns));
    uint16_t *index = must_alloc(map->func_count, sizeof(*index));

    *part = *map;
    part->func_count = part->insn_count = 0;
    for (uint32_t i = 0; i < map->func_count; i++) {
        if (!taken[i])
            continue;
        index[i] = (uint16_t)part->func_count;
        funcs[part->func_count++] = map->funcs[i];
    }
    for (uint32_t i = 0; i < map->insn_count; i++) {
        if (!taken[map->insns[i].func])
            continue;
        insns[part->insn_count] = map->insns[i];
        insns[part->insn_count++].func = index[map->insns[i].func];
    }
    free(index);
    part->funcs = funcs;
    part->insns = insns;
    return part;
}

void codemap_part_free(struct codemap *part)
{
    if (!part)
        return;
    free((void *)part->insns);
    free((void *)part->funcs);
    free(part);
}
