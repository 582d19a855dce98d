/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Functions of the Linux kernel and its modules, from a copy of /proc/kallsyms. Only for object.c.
 *
 * The copy must be of the same kernel: perf keeps one by build-id, below ~/.debug or the folders of --debug-dir
 * (.build-id/xx/yyyy/kallsyms, [kernel.kallsyms]/xxyyyy/kallsyms); otherwise this machine's own is used if
 * /sys/kernel/notes has the build-id. A kernel has another address after each start (KASLR): addresses are moved by
 * the distance that the file's reference symbol has moved.
 */
#ifndef TOOLS_IBSPROF_KALLSYMS_H
#define TOOLS_IBSPROF_KALLSYMS_H

#include "tools/ibsprof/symbols/elf_file.h"
#include "tools/ibsprof/symbols/object.h"

/* Start of the image of x86-64 Linux and its modules: the last 2 GB (Documentation/arch/x86/x86_64/mm.rst). */
#define KALLSYMS_BASE 0xffffffff80000000u

struct kallsyms {
    struct elf_function *functions; /* ascending, with addresses as in the recording, none below KALLSYMS_BASE */
    size_t count;
    char *text; /* holds the names */
};

/* Returns NULL if no copy fits. reference: the address of the symbol reference_name ("_text", "_stext") during the
 * recording. */
struct kallsyms *kallsyms_find(const struct object_search *search, const uint8_t *build_id, size_t build_id_size,
                               const char *reference_name, uint64_t reference);
void kallsyms_free(struct kallsyms *kallsyms);

/* Parses text in the form of /proc/kallsyms, which must end with a 0 byte; takes it over. */
struct kallsyms *kallsyms_parse(char *text, const char *reference_name, uint64_t reference);

/* Reads a text of at most 64 MB, and appends a 0 byte. Returns NULL if it is unreadable. */
char *kallsyms_text(const char *path, size_t *ret_size);

#endif
