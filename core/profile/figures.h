/* SPDX-License-Identifier: BSD-2-Clause */
/* Figures of a run that are kept after it, in bounded room: time, work, and samples of its hottest instructions. */
#ifndef CORE_FIGURES_H
#define CORE_FIGURES_H

#include <stdbool.h>

#include "core/base/out.h"
#include "core/ibs/codemap.h"

enum { FIGURES_ROWS = 256, FIGURES_WHAT_MAX = 47 };

/* Samples of an instruction. */
struct figures_row {
    uint32_t insn, rva;
    uint64_t samples;
};

struct figures {
    const char *workload, *unit;     /* of its work */
    const char *config;              /* the configuration */
    const char *settings;            /* "key=value" of those not at the default, with '\n' after each */
    const struct codemap *map;       /* of the code; NULL: instructions have no text */
    bool model;                      /* the figures are a model's */
    bool good;                       /* the run was good */
    uint64_t us, work, instructions; /* elapsed, units done, retired; 0: not known */
    char what[FIGURES_WHAT_MAX + 1]; /* sampled event; "": no samples of instructions are kept */
    uint64_t period;                 /* events for each sample; 0: not known */
    uint64_t samples, outside;       /* all, and those outside of the workload */
    uint64_t left, left_samples;     /* instructions without room in 'row', and their samples */
    uint32_t rows;
    struct figures_row row[FIGURES_ROWS];
};

/* Adds an instruction's samples; without room the one with the fewest gives way. Ignores 0 samples. */
void figures_add(struct figures *figures, uint32_t insn, uint32_t rva, uint64_t samples);

#endif
