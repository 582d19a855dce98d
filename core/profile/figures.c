/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/profile/figures.h"

void figures_add(struct figures *figures, uint32_t insn, uint32_t rva, uint64_t samples)
{
    struct figures_row *row = &figures->row[figures->rows], *least = row;

    if (!samples)
        return;
    if (figures->rows < FIGURES_ROWS) {
        *row = (struct figures_row){insn, rva, samples};
        figures->rows++;
        return;
    }
    least = figures->row;
    for (uint32_t i = 1; i < FIGURES_ROWS; i++)
        if (figures->row[i].samples < least->samples)
            least = &figures->row[i];
    figures->left++;
    figures->left_samples += samples < least->samples ? samples : least->samples;
    if (samples > least->samples)
        *least = (struct figures_row){insn, rva, samples};
}
