/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/paper/samples.h"

#include "tests/unit/vpmu/stream.h"

unsigned paper_index(uint64_t address)
{
    for (unsigned i = 0; i < PAPER_INSNS; i++)
        if (paper_map.insns[i].rva + PAPER_BASE == address)
            return i;
    return PAPER_INSNS;
}

long paper_samples(const struct published_row *op)
{
    unsigned at = paper_index((uint64_t)op->address);

    if (at < PAPER_K_LOAD || at > PAPER_JMP)
        return NONE;
    if (op->figures[OP_ALL] == NONE && paper_map.insns[at].mems > 0)
        return op->figures[OP_ACCESSES];
    return op->figures[OP_ALL];
}
