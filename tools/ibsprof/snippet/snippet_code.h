/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The code of a snippet: assembled once, checked, and then copied byte by byte as often as it is unrolled. So it may
 * jump within itself, but may not refer to anything outside.
 */
#ifndef TOOLS_IBSPROF_SNIPPET_CODE_H
#define TOOLS_IBSPROF_SNIPPET_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/ibsprof/snippet/binutils.h"

struct snippet_code {
    uint8_t *bytes; /* free it */
    size_t size;
    unsigned instructions;
    unsigned ops; /* macro-ops of them, on Family 10h */
};

/* Assembles a text in Intel's syntax, which may be a snippet: falls through its end, whatever jumps it has, and leaves
 * rsp and r15 alone. Prints a NOTE for each instruction that the virtual PMU does not know. 'what' names the text in
 * complaints: "--init". False after a complaint. */
bool snippet_code_make(const struct binutils *tools, const char *text, const char *what, struct snippet_code *ret_code);

#endif
