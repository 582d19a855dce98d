/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Small programs for the model: consecutive instructions of 4 bytes, executed in rounds; and counters for them.
 */
#ifndef UNIT_VPMU_PROGRAM_H
#define UNIT_VPMU_PROGRAM_H

#include "tests/unit/vpmu/stream.h"

enum {
    PROGRAM_MAX = 96,
    PROGRAM_FIRST = 0x1000, /* RVA */
    PERF_CTL = 0xC0010000,
    PERF_CTR = 0xC0010004,
};

#define PERF_OS  (1ull << 17)
#define PERF_INT (1ull << 20)
#define PERF_EN  (1ull << 22)
#define PERF_INV (1ull << 23)
/* Put select and mask at their bit positions, at CPL 0, and a count mask. */
#define EVENT(select, mask)         (((select)&0xFFull) | ((select)&0xF00ull) << 24 | (uint64_t)(mask) << 8 | PERF_OS)
#define AT_LEAST(select, threshold) (EVENT(select, 0) | (uint64_t)(threshold) << 24)
#define EDGES                       (1ull << 18)

struct program {
    struct codemap_insn insns[PROGRAM_MAX];
    struct codemap map;
    struct machine machine;
    bool running;
};

/* Copies the code, and ends an earlier program. texts: NULL, or one text for each instruction. */
void program_load(struct program *program, enum vpmu_revision revision, const struct codemap_insn *code, unsigned count,
                  const char *const *texts);
/* Loads a program for a processor with the rules of a configuration. */
void program_load_as(struct program *program, struct vpmu_config config, const struct codemap_insn *code,
                     unsigned count, const char *const *texts);
void program_end(struct program *program);
/* Runs the whole program 'rounds' times; its end leads to its start. */
void program_run(struct program *program, unsigned rounds);

/* Writes 0 to counter n and enables it. */
void counter_start(struct machine *machine, unsigned n, uint64_t ctl);
/* Disables counter n, and returns its count. */
uint64_t counter_stop(struct machine *machine, unsigned n);
/* Returns the count of one event over some rounds. */
uint64_t program_count(struct program *program, uint64_t ctl, unsigned rounds);

#endif
