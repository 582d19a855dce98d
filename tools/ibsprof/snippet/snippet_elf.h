/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Own code (docs/own-code.md) around a snippet: three loops that differ in their bodies alone.
 *
 * Its parameters say all that its runs' files need: how often it loops, which body (1: none, 2: the snippet unrolled,
 * 3: twice as often), how often it is unrolled, and of how many instructions it is. The last two have one value each.
 */
#ifndef TOOLS_IBSPROF_SNIPPET_ELF_H
#define TOOLS_IBSPROF_SNIPPET_ELF_H

#include <stdint.h>

#include "tools/ibsprof/snippet/snippet_code.h"

enum {
    SNIPPET_UNROLL_MAX = 5400, /* of one instruction, three times: what a map has room for */
    SNIPPET_LOOP_MAX = 100000000,
    SNIPPET_ARENA = 1 << 20, /* r14, rdi and rsi point to its middle */
};

/* Symbols in the ELF file: where the unrolled snippet begins. */
#define SNIPPET_ONCE  "once"
#define SNIPPET_TWICE "twice"

struct snippet {
    const char *name; /* of the workload */
    const char *text; /* as given: the title */
    uint32_t unroll, loop;
    struct snippet_code code, init;
};

/* Returns the source that as is to make of it; free it. */
char *snippet_source(const struct snippet *snippet);

#endif
