/* SPDX-License-Identifier: BSD-2-Clause */
/* Entries of the procedure linkage table: jumps into other files, which no symbol names. Binutils and perf call them
 * "name@plt". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/symbols/elf_parts.h"
#include "tools/ibsprof/base/must.h"

/* A word of the table through which an entry jumps, which receives the target's address. */
struct slot {
    uint64_t address;
    const char *name;
};

struct slots {
    struct slot *rows;
    size_t count;
};

static int by_address(const void *left, const void *right)
{
    const struct slot *a = left, *b = right;

    return a->address < b->address ? -1 : a->address > b->address;
}

static void add_relocations(const struct elf_file *file, Elf_Scn *section, const GElf_Shdr *header, struct slots *slots)
{
    Elf_Scn *symbols = elf_getscn(file->elf, header->sh_link);
    Elf_Data *data = elf_getdata(section, NULL), *symbol_data = symbols ? elf_getdata(symbols, NULL) : NULL;
    GElf_Shdr symbol_header;

    if (!data || !symbol_data || !gelf_getshdr(symbols, &symbol_header) || header->sh_entsize == 0)
        return;
    for (size_t i = 0; i < data->d_size / header->sh_entsize; i++) {
        GElf_Rela relocation;
        GElf_Sym symbol;
        const char *name;

        if (!gelf_getrela(data, (int)i, &relocation) || GELF_R_SYM(relocation.r_info) == 0 ||
            !gelf_getsym(symbol_data, (int)GELF_R_SYM(relocation.r_info), &symbol))
            continue;
        name = elf_strptr(file->elf, symbol_header.sh_link, symbol.st_name);
        if (name && name[0] != '\0')
            *must_add(slots->rows, slots->count) = (struct slot){relocation.r_offset, name};
    }
}

/* An entry is "jmp *slot(%rip)", maybe after endbr64 and with a bnd prefix: Intel SDM, JMP r/m64 is FF /4. */
static bool is_entry(const uint8_t *bytes, size_t size, uint64_t address, uint64_t *ret_slot)
{
    static const uint8_t endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
    size_t at = size >= 4 && memcmp(bytes, endbr64, 4) == 0 ? 4 : 0;
    int32_t distance;

    at += at < size && bytes[at] == 0xf2; /* bnd */
    if (size < at + 6 || bytes[at] != 0xff || bytes[at + 1] != 0x25)
        return false;
    memcpy(&distance, bytes + at + 2, sizeof(distance));
    *ret_slot = address + at + 6 + (uint64_t)(int64_t)distance;
    return true;
}

void elf_plt_each(struct elf_file *file, void (*add)(void *context, const char *name, uint64_t address), void *context)
{
    enum { STEP = 8 }; /* entries have 8 or 16 bytes */
    struct slots slots = {0};
    Elf_Scn *section = NULL;
    size_t names;

    if (elf_getshdrstrndx(file->elf, &names) != 0)
        return;
    while ((section = elf_nextscn(file->elf, section))) {
        GElf_Shdr header;

        if (gelf_getshdr(section, &header) && header.sh_type == SHT_RELA && (header.sh_flags & SHF_ALLOC))
            add_relocations(file, section, &header, &slots);
    }
    if (slots.count > 0)
        qsort(slots.rows, slots.count, sizeof(*slots.rows), by_address);
    while (slots.count > 0 && (section = elf_nextscn(file->elf, section))) {
        GElf_Shdr header;
        Elf_Data *data;
        const char *name = gelf_getshdr(section, &header) ? elf_strptr(file->elf, names, header.sh_name) : NULL;

        if (!name || strncmp(name, ".plt", 4) != 0 || header.sh_type != SHT_PROGBITS ||
            !(data = elf_getdata(section, NULL)) || !data->d_buf)
            continue;
        for (size_t at = 0; at + STEP <= data->d_size; at += STEP) {
            struct slot wanted = {0}, *found;

            if (is_entry((const uint8_t *)data->d_buf + at, data->d_size - at, header.sh_addr + at, &wanted.address) &&
                (found = bsearch(&wanted, slots.rows, slots.count, sizeof(wanted), by_address)))
                add(context, found->name, header.sh_addr + at);
        }
    }
    free(slots.rows);
}
