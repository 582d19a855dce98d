/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A fake stepper: the inner two loops of the program in AMD's IBS paper (2007, appendices A and B) at the paper's
 * addresses, announced to the model instruction by instruction with the registers that the program would have.
 * No instruction is interpreted: the loop counters give the registers.
 */
#ifndef UNIT_VPMU_STREAM_H
#define UNIT_VPMU_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "vpmu/model/state.h"

enum frames {
    FRAMES_CONTIGUOUS,
    FRAMES_SHUFFLED, /* with 4 KB pages only */
};

/* Address spaces for config.translate. */
struct space {
    unsigned shift; /* 12, 21 or 30 */
    enum frames frames;
    uint16_t frame[4096]; /* page number -> frame number, for the shuffled one */
    uint64_t calls;
};

void space_init(struct space *space, unsigned shift, enum frames frames);
unsigned space_translate(void *context, uint64_t linear, uint64_t *physical, uint64_t tables[4], unsigned *count);

/* Map of the paper's multiply_matrices, from the head of the j loop to its end; RVA 0 is 400000h. */
extern const struct codemap paper_map;
#define PAPER_BASE 0x400000ull

/* Indices into paper_map of the instructions that the tests need. */
enum {
    PAPER_K_LOAD = 8,  /* 401191 */
    PAPER_JGE = 12,    /* 4011A1 */
    PAPER_FLD_A = 19,  /* 4011BB */
    PAPER_FMUL_B = 20, /* 4011C2 */
    PAPER_FADD_SUM = 21,
    PAPER_FSTP_SUM = 22,
    PAPER_JMP = 23, /* 4011CF */
    PAPER_INSNS = 30,
};

/* A model, the program's state, and the "NMI handler". */
struct machine {
    struct vpmu *vpmu;
    void *memory;
    struct space space;
    uint64_t gpr[16];
    uint64_t nmis;
    void (*handler)(struct machine *machine); /* called for each NMI that vpmu_step() returns */
    void *context;
};

/* Sets up contiguous 4 KB frames, which may be changed before the first step, and extended LVT entry 1 for IBS. */
void machine_init(struct machine *machine, enum vpmu_revision revision, const struct codemap *map, uint64_t seed);
/* Also takes everything else in a configuration; map, image_base, translate and context are set here. */
void machine_init_as(struct machine *machine, const struct codemap *map, struct vpmu_config config);
/* Begins again on a processor with a name, and with switches (vpmu/model/hostile.h); an earlier model is freed. */
void machine_start(struct machine *machine, const char *name, uint64_t hostile);
void machine_free(struct machine *machine);

/* Announces one boundary, and runs the handler if an NMI comes. */
void machine_step(struct machine *machine, uint64_t rip);

/* Computes row i = 0 of the result, columns first..last-1, with 1000 inner iterations each. */
void machine_matmul(struct machine *machine, unsigned first, unsigned last);

uint64_t machine_rdmsr(struct machine *machine, uint32_t msr);
void machine_wrmsr(struct machine *machine, uint32_t msr, uint64_t value);

/* The handler for statistics makes histograms of the samples, and re-arms with the requested random bits. */
struct histogram {
    uint64_t period; /* multiple of 16 */
    bool count_ops;
    unsigned random_bits; /* in CurCnt, on revision B in MaxCnt; the mean period is kept */
    struct rng rng;
    uint64_t samples;
    uint64_t op[PAPER_INSNS + 1]; /* by instruction; the last one is for other code */
    uint64_t loads[PAPER_INSNS + 1], misses[PAPER_INSNS + 1], l1m_l2m[PAPER_INSNS + 1], latency[PAPER_INSNS + 1];
};
void histogram_start(struct machine *machine, struct histogram *histogram);
void histogram_stop(struct machine *machine);

/* Returns the sum over instructions of |share of samples - share of truth| / 2, in 1/1,000,000; weights come from the
 * truth rows. */
uint64_t total_variation(const uint64_t *samples, const uint64_t *weights, unsigned count);
/* Returns the variation of two identical profiles by chance alone: sum sqrt(p (1 - p) / (2 pi n)), in 1/1,000,000. */
uint64_t variation_floor(const uint64_t *weights, unsigned count, uint64_t samples);

#endif
