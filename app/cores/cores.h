/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Chooses the cores that run: the setting 'cores'. Core 0 is the boot core, which leads even if it is not named.
 */
#ifndef APP_CORES_H
#define APP_CORES_H

#include "app/base/pool.h"
#include "drivers/machine/machine.h"

/* The largest machine of 2024 has 768 threads (two EPYC 9005: 192 cores of two threads each). ibsprof and ACPI's lists
 * (core/platform/madt.h) have the same limit. */
enum { CORES_MAX = 1024 };

struct cores_set {
    uint64_t bits[CORES_MAX / 64];
};

static inline bool cores_set_has(const struct cores_set *set, uint32_t core)
{
    return core < CORES_MAX && (set->bits[core / 64] >> (core % 64) & 1);
}

static inline void cores_set_add(struct cores_set *set, uint32_t core)
{
    set->bits[core / 64] |= 1ull << (core % 64);
}

enum { COMPLEX_UNKNOWN = 0xFFFFFFFFu, PROCESSOR_UNKNOWN = COMPLEX_UNKNOWN };

struct cores {
    uint32_t count;
    uint32_t *core;      /* in ascending order, each once */
    uint32_t *complex;   /* number of each core's group that shares an L3; COMPLEX_UNKNOWN: not known */
    uint32_t *processor; /* number of each core's socket, by its APIC ID; PROCESSOR_UNKNOWN: not known */
    int *node;           /* node of each core, by its APIC ID; NODE_UNKNOWN: the firmware does not say */
    int boot_node;       /* node of the boot core, even if it is not in the list */
};

/* Reads "0", "all", "first-threads", "one-per-ccx", or a list such as "0,2-3"; the arrays are in the pool. Returns
 * false after a line in 'problems' for any other text, or a core that does not exist. "all" is the boot core alone if
 * the firmware cannot start others; a line says so, and names cores that are left out. */
bool cores_read(struct cores *cores, const char *text, struct firmware *fw, const struct machine *machine,
                struct pool *pool, struct out *problems);

/* Returns an upper bound for the number of cores on one node. */
unsigned cores_of_a_node(const struct cores *cores);

/* Returns whether the setting 'cores' can be read, on any machine; cores_refuse() prints why not. */
bool cores_understood(const char *text);
void cores_refuse(struct out *out, const char *text);

#endif
