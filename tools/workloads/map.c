/* SPDX-License-Identifier: BSD-2-Clause */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/workloads/twin.h"

extern const char image_workloads[], image_workloads_end[]; /* workloads/order.ld */

static int by_address(const void *a, const void *b)
{
    const Elf64_Sym *x = a, *y = b;

    return x->st_value < y->st_value ? -1 : x->st_value > y->st_value;
}

/* Returns size bytes at the offset, or NULL. */
static void *read_at(FILE *file, uint64_t offset, size_t size)
{
    void *memory = malloc(size ? size : 1);

    if (memory && (fseek(file, (long)offset, SEEK_SET) || fread(memory, 1, size, file) != size)) {
        free(memory);
        memory = NULL;
    }
    return memory;
}

static void print_functions(Elf64_Sym *symbol, size_t count, const char *names)
{
    uint64_t start = (uint64_t)(uintptr_t)image_workloads, end = (uint64_t)(uintptr_t)image_workloads_end;

    printf("%-12s %8s %6s  %s\n", "address", "offset", "bytes", "function");
    qsort(symbol, count, sizeof(*symbol), by_address);
    for (size_t i = 0; i < count; i++)
        if (ELF64_ST_TYPE(symbol[i].st_info) == STT_FUNC && symbol[i].st_value >= start && symbol[i].st_value < end)
            printf("%#12lx %8lx %6lu  %s\n", symbol[i].st_value, symbol[i].st_value - start, symbol[i].st_size,
                   names + symbol[i].st_name);
    printf("%#12lx %8lx %6s  (end of the measured code)\n", end, end - start, "");
}

/* Reads the program's own ELF file, which is valid, so only missing access or symbols are errors. */
int print_map(void)
{
    FILE *file = fopen("/proc/self/exe", "rb");
    Elf64_Ehdr *header = file ? read_at(file, 0, sizeof(*header)) : NULL;
    Elf64_Shdr *section = header ? read_at(file, header->e_shoff, header->e_shnum * sizeof(*section)) : NULL;
    bool found = false;

    for (unsigned i = 0; section && i < header->e_shnum; i++) {
        if (section[i].sh_type == SHT_SYMTAB) {
            Elf64_Sym *symbols = read_at(file, section[i].sh_offset, section[i].sh_size);
            const Elf64_Shdr *strings = &section[section[i].sh_link];
            char *names = read_at(file, strings->sh_offset, strings->sh_size);

            found = symbols && names;
            if (found)
                print_functions(symbols, section[i].sh_size / sizeof(*symbols), names);
            free(symbols);
            free(names);
        }
    }
    free(section);
    free(header);
    if (file)
        fclose(file);
    if (!found)
        complain("no symbols in /proc/self/exe (was the program stripped?)");
    return found ? TWIN_DONE : TWIN_MACHINE;
}
