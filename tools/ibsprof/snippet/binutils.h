/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs GNU as and ld in a new folder, which is removed afterwards. */
#ifndef TOOLS_IBSPROF_BINUTILS_H
#define TOOLS_IBSPROF_BINUTILS_H

#include <stdbool.h>

struct binutils {
    char *folder; /* below TMPDIR */
};

/* Makes the folder. Returns false after a complaint. */
bool binutils_begin(struct binutils *tools);
void binutils_end(struct binutils *tools);

/* Returns the path of a file in the folder; to be freed. */
char *binutils_path(const struct binutils *tools, const char *name);

/* Assembles a text as NAME.o. 'what' names the text in complaints: "--init". Returns false after a complaint that
 * includes as's first one. */
bool binutils_assemble(const struct binutils *tools, const char *name, const char *text, const char *what);

/* Links NAME.o as NAME.elf, in the form of own code (examples/Makefile). Returns false after a complaint. */
bool binutils_link(const struct binutils *tools, const char *name);

#endif
