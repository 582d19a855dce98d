/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads a noise run: run.ini has its figures, noise.csv its detours (docs/noise.md). The image writes them with
 * config=noise, the Linux twin with 'ibsboot-workloads noise --folder=DIR', by the same functions
 * (core/noise/noise_facts.c) and from the same loops.
 */
#ifndef TOOLS_IBSPROF_NOISE_FILE_H
#define TOOLS_IBSPROF_NOISE_FILE_H

#include "core/noise/noise.h"
#include "tools/ibsprof/base/json.h"
#include "tools/ibsprof/read/run_ini.h"

enum { NOISE_FILE_REGIMES = 4 };

struct noise_detour {
    uint64_t at, ns; /* both in ns; at: since the start of the loop */
    uint32_t cause;  /* enum noise_cause */
};

/* One regime, or Linux unchanged. */
struct noise_regime_file {
    const char *name;  /* "firmware", "masked", "alone"; "linux" */
    const char *title; /* "everything off" */
    uint64_t duration_ns, reads, usual_ps;
    struct noise_class by[NOISE_THRESHOLDS];
    uint64_t largest_ns;
    uint64_t bins[NOISE_BINS]; /* detours of 2^i to 2^(i+1) - 1 ticks */
    uint64_t by_cause[NOISE_CAUSES], not_kept, blind_ns;
    struct noise_period period[NOISE_PERIODS];
    unsigned periods;
    struct noise_quanta quanta; /* .count 0: no quanta; .sum is not known */
    struct noise_detour *detours;
    uint32_t detour_count;
};

struct noise_file {
    char *path;
    bool is_linux, is_model;
    char cpu[64]; /* "": not known */
    uint32_t tsc_khz;
    struct noise_regime_file regime[NOISE_FILE_REGIMES];
    unsigned regimes;
    struct run_ini ini;
    struct input_facts facts; /* of 'ini' */
};

enum noise_file_state { NOISE_FILE_OTHER, NOISE_FILE_READ, NOISE_FILE_DAMAGED };

/* NOISE_FILE_OTHER: not a noise run. NOISE_FILE_DAMAGED: a line in 'error' says where. */
enum noise_file_state noise_file_read(struct noise_file *file, const char *path, char *error, size_t error_size);
void noise_file_free(struct noise_file *file);

/* Returns the regime of that name, or Linux' only one, whatever the name; NULL: none. */
const struct noise_regime_file *noise_file_regime(const struct noise_file *file, const char *name);

/* Return a threshold's rate per second, and, for a rate of 0, its upper limit (95 %). */
double noise_rate(const struct noise_class *class);
double noise_bound(const struct noise_class *class);

/* Write the names of "causes", by number; and a run. */
void noise_causes_json(struct json *json);
void noise_file_json(struct json *json, const struct noise_file *file);

#endif
