/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Code of a snippet: assembled once, checked, and then copied bytewise for unrolling. So it may jump within itself,
 * but may not refer to anything outside.
 */
#ifndef TOOLS_IBSPROF_SNIPPET_CODE_H
#define TOOLS_IBSPROF_SNIPPET_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/ibsprof/snippet/binutils.h"

struct snippet_code {
    uint8_t *bytes; /* to be freed */
    size_t size;
    unsigned instructions;
    unsigned ops; /* their macro-ops on Family 10h */
};

/* Assembles a text in Intel's syntax that is allowed as a snippet: it falls through its end, whatever jumps it has, and
 * preserves rsp and r15. Prints a NOTE for each instruction that the virtual PMU does not know. 'what' names the text
 * in complaints: "--init". Returns false after a complaint. */
bool snippet_code_make(const struct binutils *tools, const char *text, const char *what, struct snippet_code *ret_code);

#endif
