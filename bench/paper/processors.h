/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef BENCH_PAPER_PROCESSORS_H
#define BENCH_PAPER_PROCESSORS_H

/* Prints, as Markdown, how often b[k][j] misses on each processor. */
void processors_print(void);

#endif
