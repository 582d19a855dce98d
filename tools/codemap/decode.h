/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Decodes one instruction with Zydis into the form of core/ibs/codemap.h.
 */
#ifndef TOOLS_CODEMAP_DECODE_H
#define TOOLS_CODEMAP_DECODE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/ibs/codemap.h"

struct decoded {
    struct codemap_insn insn; /* fields that follow from the bytes: not text, func, file and line */
    char text[96];            /* Intel syntax; branch targets and RIP-relative operands as bare hexadecimal RVAs */
    bool padding;             /* a nop or int3, as between functions */
    const char *problem;      /* why the map cannot express this instruction; NULL: it can */
};

/* Decodes the instruction at rva, of at most 'size' bytes. Returns false if these bytes are not an instruction. */
bool decode(const uint8_t *bytes, uint64_t size, uint64_t rva, struct decoded *ret_decoded);

#endif
