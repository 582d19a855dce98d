/* SPDX-License-Identifier: BSD-2-Clause */
/* GNU as and ld, which are called as programs, in a folder of their own that is gone afterwards. */
#ifndef TOOLS_IBSPROF_BINUTILS_H
#define TOOLS_IBSPROF_BINUTILS_H

#include <stdbool.h>

struct binutils {
    char *folder; /* in TMPDIR */
};

/* Makes the folder. False after a complaint. */
bool binutils_begin(struct binutils *tools);
void binutils_end(struct binutils *tools);

/* Returns the path of a file in the folder; free it. */
char *binutils_path(const struct binutils *tools, const char *name);

/* Assembles a text as NAME.o. 'what' names the text in complaints: "--init". False after a complaint, with as's own
 * first one. */
bool binutils_assemble(const struct binutils *tools, const char *name, const char *text, const char *what);

/* Links NAME.o as NAME.elf, as own code is to be (examples/Makefile). False after a complaint. */
bool binutils_link(const struct binutils *tools, const char *name);

#endif
