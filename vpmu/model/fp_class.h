/*
 * Which floating point event an instruction counts for. The code map has execution classes; what tells a single from a
 * double, a packed from a scalar, or an addition from a comparison is the mnemonic in its text. An instruction without
 * text counts for none.
 */
#ifndef VPMU_FP_CLASS_H
#define VPMU_FP_CLASS_H

#include <stdint.h>

#include "core/codemap.h"

enum fp_set { FP_NONE, FP_X87, FP_MMX, FP_SSE };

enum { FP_KIND_NONE = 0xFF };

struct fp_class {
    uint8_t set;   /* enum fp_set */
    uint8_t kind;  /* index into signals.x87 or signals.sse_*, or FP_KIND_NONE */
    uint8_t flops; /* SSE: elements that are computed */
};

struct fp_class fp_classify(const struct codemap *map, const struct codemap_insn *insn);

#endif
