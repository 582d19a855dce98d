/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The Linux kernel's functions, and those of its modules, from a copy of /proc/kallsyms. For object.c only.
 *
 * A copy is used only when it is that kernel's: perf keeps one by build-id, below ~/.debug or the folders of
 * --debug-dir
 * (.build-id/xx/yyyy/kallsyms, [kernel.kallsyms]/xxyyyy/kallsyms); else this machine's own, when /sys/kernel/notes has
 * the build-id. A kernel is at another address after each start (KASLR): addresses are moved by how far the symbol that
 * the file names has moved.
 */
#ifndef TOOLS_IBSPROF_KALLSYMS_H
#define TOOLS_IBSPROF_KALLSYMS_H

#include "tools/ibsprof/symbols/elf_file.h"
#include "tools/ibsprof/symbols/object.h"

/* Where the image of x86-64 Linux and its modules are: the last 2 GB (Documentation/arch/x86/x86_64/mm.rst). */
#define KALLSYMS_BASE 0xffffffff80000000u

struct kallsyms {
    struct elf_function *functions; /* ascending, addresses as in the recording, none below KALLSYMS_BASE */
    size_t count;
    char *text; /* holds the names */
};

/* NULL when there is none that fits. reference: the address of the symbol reference_name ("_text", "_stext") when the
 * file was recorded. */
struct kallsyms *kallsyms_find(const struct object_search *search, const uint8_t *build_id, size_t build_id_size,
                               const char *reference_name, uint64_t reference);
void kallsyms_free(struct kallsyms *kallsyms);

/* Parses a text in the form of /proc/kallsyms, which is taken over, and ends with a 0 byte. */
struct kallsyms *kallsyms_parse(char *text, const char *reference_name, uint64_t reference);

/* Reads a text of at most 64 MB, and puts a 0 byte at its end. NULL: it cannot be read. */
char *kallsyms_text(const char *path, size_t *ret_size);

#endif
