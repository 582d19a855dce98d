/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tables of an instruction's properties on Family 10h: decode path, number of macro-ops, execution class.
 */
#ifndef TOOLS_CODEMAP_FAMILY10H_H
#define TOOLS_CODEMAP_FAMILY10H_H

#include <stdbool.h>
#include <stdint.h>

#include "core/ibs/codemap.h"

/* Key of the tables. */
struct family10h_key {
    const char *mnemonic; /* lower case, Intel spelling, without prefixes */
    uint8_t op_size;      /* bytes */
    bool loads;           /* an explicit memory operand is read */
    bool stores;          /* an explicit memory operand is written */
    bool immediate;       /* has an immediate operand */
    bool to_general;      /* writes a general register explicitly */
    bool from_general;    /* reads a general register explicitly, except for addresses */
    bool mem80;           /* has a memory operand of 80 bits */
    bool single_operand;  /* one explicit operand (mul, imul, div) */
    bool sse;             /* has an xmm operand */
    enum codemap_branch branch;
};

struct family10h {
    enum codemap_path path;
    uint8_t ops; /* macro-ops */
    enum codemap_unit unit;
};

struct family10h family10h_of(const struct family10h_key *key);

#endif
