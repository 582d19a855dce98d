/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/shim/native/own_code.h"

#include "core/code/code_map.h"
#include "core/base/mem.h"
#include "vpmu/shim/firmware/efi.h"
#include "vpmu/shim/hypervisor.h"
#include "vpmu/shim/firmware/serial.h"

enum { PAGE = 4096, LINE = 200 };

static struct own_code *const own = &hypervisor.own_code;

struct table {
    uint64_t linear, size, base;
};

bool own_code_prepare(uint64_t image_base)
{
    EFI_PHYSICAL_ADDRESS memory;
    own->image_base = image_base;
    if (EFI_ERROR(system_table->BootServices->AllocatePages(AllocateAnyPages, EfiRuntimeServicesData,
                                                            CODE_MAP_FILE_MAX / PAGE, &memory)))
        return false;
    own->bytes = (uint8_t *)memory;
    return true;
}

/* Copies from the guest, page by page. Returns false if not all of it is mapped. */
static bool take(const struct shim *shim, uint64_t linear, void *to, uint64_t size)
{
    while (size) {
        uint64_t from = step_guest_address(shim, linear), piece = PAGE - linear % PAGE;
        piece = piece < size ? piece : size;
        if (!from)
            return false;
        memcpy(to, (const void *)from, piece);
        to = (uint8_t *)to + piece;
        linear += piece;
        size -= piece;
    }
    return true;
}

/* Takes the present map, which models may have, or a new one in its place: then none has one. */
static bool take_map(const struct shim *shim, const struct table *table)
{
    struct code_map_header header;
    char line[LINE];
    struct out_memory problems;
    if (table->size < sizeof header || table->size > CODE_MAP_FILE_MAX ||
        !take(shim, table->linear, &header, sizeof header))
        return false;
    if (own->known && header.crc == own->crc && header.elf_hash == own->elf_hash && table->base == own->base)
        return true;
    for (uint32_t i = 0; i < hypervisor.cores; i++)
        if (own->used[i] && !vpmu_use_map(hypervisor.shim[i].model, &image_codemap, own->image_base))
            return false;
    memset(own->used, 0, sizeof own->used);
    own->known = false;
    out_memory_init(&problems, line, sizeof line);
    if (!take(shim, table->linear, own->bytes, table->size) ||
        !code_map_read(own->bytes, table->size, &own->map, &own->elf_hash, &problems.out)) {
        say("vpmu: the map of own code: %s", problems.needed ? line : "not mapped\n");
        return false;
    }
    own->crc = header.crc;
    own->base = table->base;
    own->known = true;
    say("vpmu: own code at %llx: %u instructions\n", (unsigned long long)own->base, own->map.insn_count);
    return true;
}

static bool change(struct shim *shim, uint64_t address)
{
    bool *used = &own->used[shim->core];
    struct table table;
    if (!address) {
        if (*used && !vpmu_use_map(shim->model, &image_codemap, own->image_base))
            return false;
        *used = false;
        return true;
    }
    if (!take(shim, address, &table, sizeof table) || !take_map(shim, &table))
        return false;
    if (!*used && !vpmu_use_map(shim->model, &own->map, own->base))
        return false;
    *used = true;
    return true;
}

enum vpmu_access own_code_access(struct shim *shim, bool write, uint64_t *value)
{
    if (!write) {
        *value = 0;
        return VPMU_OK;
    }
    return own->bytes && !shim->settings.os && change(shim, *value) ? VPMU_OK : VPMU_GP;
}
