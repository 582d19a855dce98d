/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/symbols/elf_file.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/ibsprof/base/terminal.h"
#include "tools/ibsprof/symbols/elf_parts.h"
#include "tools/ibsprof/base/must.h"

static void read_segments(struct elf_file *file)
{
    size_t count = 0;

    if (elf_getphdrnum(file->elf, &count) != 0)
        return;
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr header;

        if (gelf_getphdr(file->elf, (int)i, &header) && header.p_type == PT_LOAD)
            *must_add(file->segments, file->segment_count) = header;
    }
}

static void read_sections(struct elf_file *file)
{
    Elf_Scn *section = NULL;

    while ((section = elf_nextscn(file->elf, section))) {
        struct elf_code code;
        GElf_Shdr header;
        Elf_Data *data;

        if (!gelf_getshdr(section, &header))
            continue;
        if (header.sh_type == SHT_SYMTAB)
            file->symtab = section;
        if (header.sh_type == SHT_DYNSYM)
            file->dynsym = section;
        if (file->layout || (header.sh_flags & SHF_ALLOC) == 0 || header.sh_addr + header.sh_size < header.sh_addr)
            continue;
        if ((header.sh_flags & SHF_EXECINSTR) == 0) {
            if ((header.sh_flags & SHF_TLS) == 0) /* its symbols are not addresses */
                *must_add(file->data, file->data_count) =
                    (struct elf_range){header.sh_addr, header.sh_addr + header.sh_size};
            continue;
        }
        code = (struct elf_code){.start = header.sh_addr, .end = header.sh_addr + header.sh_size};
        if (header.sh_type != SHT_NOBITS && (data = elf_rawdata(section, NULL)) && data->d_size == header.sh_size)
            code.bytes = data->d_buf;
        *must_add(file->code, file->code_count) = code;
        file->has_code |= code.bytes != NULL;
    }
}

struct elf_file *elf_file_open(const char *path, const char **ret_problem)
{
    struct elf_file *file;
    struct stat status;
    GElf_Ehdr header;
    const uint8_t *id;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); /* a pipe must not stop us */

    *ret_problem = "cannot be opened";
    if (fd < 0)
        return NULL;
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
        *ret_problem = "is not a file";
        close(fd);
        return NULL;
    }
    elf_version(EV_CURRENT);
    file = must_new(file);
    file->fd = fd;
    file->elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
    if (!file->elf || elf_kind(file->elf) != ELF_K_ELF || !gelf_getehdr(file->elf, &header) ||
        header.e_machine != EM_X86_64 || gelf_getclass(file->elf) != ELFCLASS64) {
        *ret_problem = "is not an ELF file for x86-64";
        elf_file_close(file);
        return NULL;
    }
    if (header.e_type == ET_REL ? !elf_layout_read(file) : header.e_type != ET_EXEC && header.e_type != ET_DYN) {
        *ret_problem = "is not linked, so that its addresses have no meaning"; /* a kernel module */
        elf_file_close(file);
        return NULL;
    }
    read_segments(file);
    read_sections(file);
    if (file->layout)
        elf_layout_pieces(file);
    else if (header.e_type == ET_DYN && elf_file_build_id(file, &id) == 0)
        elf_layout_make_id(file);
    return file;
}

void elf_file_close(struct elf_file *file)
{
    if (!file)
        return;
    if (file->dwarf && !file->dwfl)
        dwarf_end(file->dwarf);
    elf_layout_free(file);
    if (file->elf)
        elf_end(file->elf);
    close(file->fd);
    free(file->segments);
    free(file->code);
    free(file->data);
    free(file->functions);
    free(file->variables);
    for (size_t i = 0; i < file->made_count; i++)
        free(file->made_names[i]);
    free(file->made_names);
    free(file);
}

size_t elf_file_build_id(const struct elf_file *file, const uint8_t **ret_id)
{
    const void *id = NULL;
    ssize_t size = dwelf_elf_gnu_build_id(file->elf, &id);

    *ret_id = size > 0 ? id : file->made_id;
    if (size > 0)
        return (size_t)size;
    return file->has_made_id ? sizeof(file->made_id) : 0;
}

bool elf_file_has_code(const struct elf_file *file)
{
    return file->has_code;
}

bool elf_file_has_symbols(const struct elf_file *file)
{
    return file->symtab;
}

bool elf_file_address(const struct elf_file *file, uint64_t offset, uint64_t *ret_address)
{
    for (size_t i = 0; i < file->segment_count; i++) {
        const GElf_Phdr *segment = &file->segments[i];

        if (offset >= segment->p_offset && offset - segment->p_offset < segment->p_filesz) {
            *ret_address = offset - segment->p_offset + segment->p_vaddr;
            return true;
        }
    }
    return false;
}

bool elf_file_memory_address(const struct elf_file *file, uint64_t offset, uint64_t *ret_address)
{
    if (elf_file_address(file, offset, ret_address))
        return true;
    for (size_t i = 0; i < file->segment_count; i++) {
        const GElf_Phdr *segment = &file->segments[i];

        if (offset >= segment->p_offset && offset - segment->p_offset < segment->p_memsz) {
            *ret_address = offset - segment->p_offset + segment->p_vaddr;
            return true;
        }
    }
    return false;
}

const uint8_t *elf_file_code(const struct elf_file *file, uint64_t address, uint64_t size)
{
    for (size_t i = 0; i < file->code_count; i++) {
        const struct elf_code *code = &file->code[i];

        if (code->bytes && address >= code->start && address < code->end && size <= code->end - address)
            return code->bytes + (address - code->start);
    }
    return NULL;
}
