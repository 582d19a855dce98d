/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_PAPER_VARIANTS_H
#define BENCH_PAPER_VARIANTS_H

#include "bench/paper/model_rows.h"

/* Print the tables of variants as Markdown. */
void variants_print(void);
void variants_stations(void);
void variants_dtlb(void);

#endif
