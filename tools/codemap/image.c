/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the linked image with libelf and libdw; the contract is in image.h. */
#include "tools/codemap/image.h"

#include <elfutils/libdw.h>
#include <dwarf.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void image_fail(const struct image *image, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fprintf(stderr, "codemap: %s: ", image->path);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(1);
}

/* Calls visit for each symbol defined in the file until it returns false. */
static void each_symbol(const struct image *image,
                        bool (*visit)(void *context, const char *name, const GElf_Sym *symbol), void *context)
{
    Elf_Scn *section = NULL;
    while ((section = elf_nextscn(image->elf, section)) != NULL) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) == NULL || header.sh_type != SHT_SYMTAB || header.sh_entsize == 0)
            continue;
        Elf_Data *data = elf_getdata(section, NULL);
        for (size_t i = 0; data != NULL && i < header.sh_size / header.sh_entsize; i++) {
            GElf_Sym symbol;
            if (gelf_getsym(data, (int)i, &symbol) == NULL || symbol.st_shndx == SHN_UNDEF)
                continue;
            const char *name = elf_strptr(image->elf, header.sh_link, symbol.st_name);
            if (name != NULL && !visit(context, name, &symbol))
                return;
        }
    }
}

struct wanted {
    const char *name;
    uint64_t value;
    bool found;
};

static bool match_name(void *context, const char *name, const GElf_Sym *symbol)
{
    struct wanted *wanted = context;
    if (strcmp(name, wanted->name) == 0) {
        wanted->value = symbol->st_value;
        wanted->found = true;
    }
    return !wanted->found;
}

bool image_symbol(const struct image *image, const char *name, uint64_t *ret_value)
{
    struct wanted wanted = {.name = name};
    each_symbol(image, match_name, &wanted);
    if (wanted.found)
        *ret_value = wanted.value;
    return wanted.found;
}

const uint8_t *image_bytes(const struct image *image, uint64_t rva, uint64_t size)
{
    Elf_Scn *section = NULL;
    while ((section = elf_nextscn(image->elf, section)) != NULL) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) == NULL || (header.sh_flags & SHF_ALLOC) == 0 ||
            header.sh_type == SHT_NOBITS)
            continue;
        if (rva < header.sh_addr || rva - header.sh_addr > header.sh_size ||
            size > header.sh_size - (rva - header.sh_addr))
            continue;
        Elf_Data *data = elf_rawdata(section, NULL);
        if (data != NULL && data->d_size == header.sh_size)
            return (const uint8_t *)data->d_buf + (rva - header.sh_addr);
    }
    return NULL;
}

bool image_range_is_relocated(const struct image *image)
{
    Elf_Scn *section = NULL;
    while ((section = elf_nextscn(image->elf, section)) != NULL) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) == NULL || header.sh_type != SHT_RELA ||
            (header.sh_flags & SHF_ALLOC) == 0 || header.sh_entsize == 0)
            continue;
        Elf_Data *data = elf_getdata(section, NULL);
        for (size_t i = 0; data != NULL && i < header.sh_size / header.sh_entsize; i++) {
            GElf_Rela rela;
            /* A relocation writes up to 8 bytes, so one that starts just before the range counts too. */
            if (gelf_getrela(data, (int)i, &rela) != NULL && rela.r_offset + 8 > image->code_rva &&
                rela.r_offset < image->code_rva + image->code_size)
                return true;
        }
    }
    return false;
}

static bool collect_func(void *context, const char *name, const GElf_Sym *symbol)
{
    struct image *image = context;
    if (GELF_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_value < image->code_rva ||
        symbol->st_value >= image->code_rva + image->code_size)
        return true;
    if (symbol->st_size == 0 || symbol->st_size > image->code_rva + image->code_size - symbol->st_value) {
        if (!image->strict)
            return true;
        image_fail(image, "function %s at %llx has no size, or ends after the code", name,
                   (unsigned long long)symbol->st_value);
    }
    image->funcs = realloc(image->funcs, (image->func_count + 1) * sizeof(*image->funcs));
    if (image->funcs == NULL)
        image_fail(image, "out of memory");
    image->funcs[image->func_count++] = (struct image_func){symbol->st_value, symbol->st_size, name};
    return true;
}

static int compare_funcs(const void *left, const void *right)
{
    const struct image_func *a = left, *b = right;
    if (a->rva != b->rva)
        return a->rva < b->rva ? -1 : 1;
    return strcmp(a->name, b->name);
}

static void read_funcs(struct image *image)
{
    each_symbol(image, collect_func, image);
    if (image->func_count == 0)
        return;
    qsort(image->funcs, image->func_count, sizeof(*image->funcs), compare_funcs);
    size_t kept = 1;
    for (size_t i = 1; i < image->func_count; i++) {
        struct image_func *last = &image->funcs[kept - 1], *func = &image->funcs[i];
        if (func->rva == last->rva && func->size == last->size)
            continue; /* an alias: the alphabetically first name is kept */
        if (func->rva < last->rva + last->size) {
            if (image->strict) {
                image_fail(image, "functions %s and %s overlap at %llx", last->name, func->name,
                           (unsigned long long)func->rva);
            }
            continue;
        }
        image->funcs[kept++] = *func;
    }
    image->func_count = kept;
}

static int compare_lines(const void *left, const void *right)
{
    const struct image_line *a = left, *b = right;
    if (a->rva != b->rva)
        return a->rva < b->rva ? -1 : 1;
    /* One sequence may end where the next begins: the beginning counts, so it is sorted last. */
    if ((a->file == NULL) != (b->file == NULL))
        return a->file == NULL ? -1 : 1;
    return a->line - b->line;
}

static void add_line(struct image *image, Dwarf_Line *line)
{
    Dwarf_Addr address;
    int number = 0;
    bool end = false;
    if (dwarf_lineaddr(line, &address) != 0 || dwarf_lineno(line, &number) != 0 ||
        dwarf_lineendsequence(line, &end) != 0 || address < image->code_rva ||
        address > image->code_rva + image->code_size)
        return;
    const char *file = end ? NULL : dwarf_linesrc(line, NULL, NULL);
    while (file != NULL && strncmp(file, "./", 2) == 0)
        file += 2;
    /* Several rows at one address: the last one of the line program is in force. */
    if (image->line_count > 0 && image->lines[image->line_count - 1].rva == address && !end &&
        image->lines[image->line_count - 1].file != NULL) {
        image->lines[image->line_count - 1] = (struct image_line){address, file, number};
        return;
    }
    image->lines = realloc(image->lines, (image->line_count + 1) * sizeof(*image->lines));
    if (image->lines == NULL)
        image_fail(image, "out of memory");
    image->lines[image->line_count++] = (struct image_line){address, file, number};
}

static void read_lines(struct image *image)
{
    Dwarf *dwarf = dwarf_begin_elf(image->elf, DWARF_C_READ, NULL);
    if (dwarf == NULL)
        return; /* built without -g: the listing has no lines */
    Dwarf_Off offset = 0, next;
    size_t header_size;
    while (dwarf_nextcu(dwarf, offset, &next, &header_size, NULL, NULL, NULL) == 0) {
        Dwarf_Die die;
        Dwarf_Lines *lines;
        size_t count;
        if (dwarf_offdie(dwarf, offset + header_size, &die) != NULL && dwarf_getsrclines(&die, &lines, &count) == 0)
            for (size_t i = 0; i < count; i++)
                add_line(image, dwarf_onesrcline(lines, i));
        offset = next;
    }
    if (image->line_count > 0)
        qsort(image->lines, image->line_count, sizeof(*image->lines), compare_lines);
}

const struct image_line *image_line_of(const struct image *image, uint64_t rva)
{
    size_t low = 0, high = image->line_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (image->lines[middle].rva <= rva)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && image->lines[low - 1].file != NULL ? &image->lines[low - 1] : NULL;
}

static void open_elf(struct image *image, const char *path)
{
    *image = (struct image){.path = path};
    elf_version(EV_CURRENT);
    image->fd = open(path, O_RDONLY);
    if (image->fd < 0)
        image_fail(image, "cannot be opened");
    image->elf = elf_begin(image->fd, ELF_C_READ_MMAP, NULL);
    GElf_Ehdr header;
    if (image->elf == NULL || gelf_getehdr(image->elf, &header) == NULL || header.e_machine != EM_X86_64)
        image_fail(image, "is not an ELF file for x86-64");
}

static void take_range(struct image *image, uint64_t start, uint64_t end, bool strict)
{
    if (end < start) {
        image_fail(image, "the code ends at %llx, before its start %llx", (unsigned long long)end,
                   (unsigned long long)start);
    }
    image->code_rva = start;
    image->code_size = end - start;
    image->code = image_bytes(image, start, end - start);
    if (image->code == NULL) {
        image_fail(image, "%llx..%llx is not within one section of the file", (unsigned long long)start,
                   (unsigned long long)end);
    }
    image->strict = strict;
    read_funcs(image);
    read_lines(image);
}

void image_open_workloads(struct image *image, const char *path)
{
    uint64_t start, end;
    open_elf(image, path);
    if (!image_symbol(image, "image_workloads", &start) || !image_symbol(image, "image_workloads_end", &end))
        image_fail(image, "has no symbols image_workloads and image_workloads_end (see linker.ld)");
    take_range(image, start, end, true);
}

void image_open_range(struct image *image, const char *path, uint64_t start, uint64_t end)
{
    open_elf(image, path);
    if (end == 0) {
        size_t names;
        Elf_Scn *section = NULL;
        if (elf_getshdrstrndx(image->elf, &names) != 0)
            image_fail(image, "has no section names");
        while ((section = elf_nextscn(image->elf, section)) != NULL) {
            GElf_Shdr header;
            const char *name;
            if (gelf_getshdr(section, &header) != NULL &&
                (name = elf_strptr(image->elf, names, header.sh_name)) != NULL && strcmp(name, ".text") == 0) {
                start = header.sh_addr;
                end = header.sh_addr + header.sh_size;
            }
        }
    }
    take_range(image, start, end, false);
}
