/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Own code that is not linked (ET_REL): its addresses are those that ibsboot's loader gives, made by that loader, and
 * libdwfl relocates its DWARF to them. The contract is in elf_parts.h.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/code/code_parts.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/symbols/elf_parts.h"

/* Returns false for other files, which have no function run(). */
static bool read_code(struct elf_file *file, struct code *code)
{
    size_t size = 0;
    const void *bytes = elf_rawfile(file->elf, &size);
    struct out_memory nowhere;
    char none[1];

    out_memory_init(&nowhere, none, sizeof(none));
    if (!bytes || !code_read(bytes, size, code, &nowhere.out))
        return false;
    file->has_made_id = true;
    memcpy(file->made_id, code->build_id, sizeof(file->made_id));
    if (!code->relocatable)
        return true;
    file->loaded = must_alloc(code->memory, 1);
    return code_load(code, file->loaded, CODE_ADDRESS, &nowhere.out);
}

bool elf_layout_read(struct elf_file *file)
{
    file->layout = must_new(file->layout);
    return read_code(file, file->layout);
}

void elf_layout_make_id(struct elf_file *file)
{
    struct code *code = must_new(code);

    (void)read_code(file, code);
    free(code);
}

void elf_layout_pieces(struct elf_file *file)
{
    for (unsigned i = 0; i < file->layout->pieces; i++) {
        const struct code_piece *piece = &file->layout->piece[i];

        *must_add(file->segments, file->segment_count) = (GElf_Phdr){.p_type = PT_LOAD,
                                                                     .p_offset = piece->offset,
                                                                     .p_filesz = piece->file_size,
                                                                     .p_vaddr = piece->rva,
                                                                     .p_memsz = piece->size};
        if (piece->access != CODE_EXECUTE) {
            *must_add(file->data, file->data_count) =
                (struct elf_range){piece->rva, (uint64_t)piece->rva + piece->size};
            continue;
        }
        *must_add(file->code, file->code_count) =
            (struct elf_code){piece->rva, (uint64_t)piece->rva + piece->size, file->loaded + piece->rva};
        file->has_code = true;
    }
}

bool elf_layout_symbol(const struct elf_file *file, GElf_Sym *symbol)
{
    const struct code_piece *piece = code_piece_of(file->layout, symbol->st_shndx);

    if (!piece || symbol->st_value > piece->size)
        return false;
    symbol->st_value += piece->rva;
    return true;
}

/* ---------------------------------------------------------------- DWARF */

static int find_elf(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base, char **ret_name, Elf **ret_elf)
{
    const struct elf_file *file = *user;

    (void)module;
    (void)name;
    (void)base;
    (void)ret_name;
    (void)ret_elf;
    return lseek(file->fd, 0, SEEK_SET) == 0 ? dup(file->fd) : -1; /* libdwfl closes this */
}

static int find_no_debuginfo(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base, const char *file,
                             const char *link, GElf_Word crc, char **ret_name)
{
    (void)module;
    (void)user;
    (void)name;
    (void)base;
    (void)file;
    (void)link;
    (void)crc;
    (void)ret_name;
    return -1;
}

static int section_address(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base, const char *section,
                           GElf_Word number, const GElf_Shdr *header, Dwarf_Addr *ret_address)
{
    const struct elf_file *file = *user;
    const struct code_piece *piece = code_piece_of(file->layout, number);

    (void)module;
    (void)name;
    (void)base;
    (void)section;
    (void)header;
    *ret_address = piece ? piece->rva : (Dwarf_Addr)-1; /* not loaded */
    return DWARF_CB_OK;
}

Dwarf *elf_layout_dwarf(struct elf_file *file)
{
    static const Dwfl_Callbacks callbacks = {
        .find_elf = find_elf, .find_debuginfo = find_no_debuginfo, .section_address = section_address};
    Dwfl_Module *module;
    Dwarf_Addr bias;
    void **user;

    file->dwfl = dwfl_begin(&callbacks);
    if (!file->dwfl)
        return NULL;
    module = dwfl_report_module(file->dwfl, "own code", 0, file->layout->memory);
    if (!module || dwfl_report_end(file->dwfl, NULL, NULL) != 0 ||
        !dwfl_module_info(module, &user, NULL, NULL, NULL, NULL, NULL, NULL))
        return NULL;
    *user = file;
    return dwfl_module_getdwarf(module, &bias);
}

void elf_layout_free(struct elf_file *file)
{
    if (file->dwfl)
        dwfl_end(file->dwfl);
    free(file->layout);
    free(file->loaded);
}
