/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds the floating-point event for which an instruction counts. The code map has execution classes only; single or
 * double, packed or scalar, addition or comparison follow from the mnemonic in the instruction's text. An instruction
 * without text counts for none.
 */
#ifndef VPMU_FP_CLASS_H
#define VPMU_FP_CLASS_H

#include <stdint.h>

#include "core/ibs/codemap.h"

enum fp_set { FP_NONE, FP_X87, FP_MMX, FP_SSE };

enum { FP_KIND_NONE = 0xFF };

struct fp_class {
    uint8_t set;   /* enum fp_set */
    uint8_t kind;  /* index into signals.x87 or signals.sse_*, or FP_KIND_NONE */
    uint8_t flops; /* SSE: operations on elements */
};

struct fp_class fp_classify(const struct codemap *map, const struct codemap_insn *insn);

#endif
