/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Own code (docs/own-code.md) around a snippet: three loops that differ only in their bodies.
 *
 * Its parameters describe a run's files completely: number of loops, body (1: none, 2: the unrolled snippet, 3: twice
 * as much), unrolling, and number of instructions. The last two have a single value.
 */
#ifndef TOOLS_IBSPROF_SNIPPET_ELF_H
#define TOOLS_IBSPROF_SNIPPET_ELF_H

#include <stdint.h>

#include "tools/ibsprof/snippet/snippet_code.h"

enum {
    SNIPPET_UNROLL_MAX = 5400, /* unrolled copies of one instruction, three times: the limit of a map */
    SNIPPET_LOOP_MAX = 100000000,
    SNIPPET_ARENA = 1 << 20, /* r14, rdi and rsi point to its middle */
};

/* Symbols in the ELF file at the start of the unrolled snippet. */
#define SNIPPET_ONCE  "once"
#define SNIPPET_TWICE "twice"

struct snippet {
    const char *name; /* of the workload */
    const char *text; /* as given, for the title */
    uint32_t unroll, loop;
    struct snippet_code code, init;
};

/* Returns the source for as; to be freed. */
char *snippet_source(const struct snippet *snippet);

#endif
