/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Cores that run: the setting 'cores'. 0 is the boot core, which takes part as the leader even when it is not named.
 */
#ifndef APP_CORES_H
#define APP_CORES_H

#include "app/base/pool.h"
#include "drivers/machine/machine.h"

/* Two processors of AMD's of 2024 have 768 (EPYC 9005: 192 cores of two threads each). ibsprof and ACPI's lists
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
    uint32_t *core;    /* in ascending order, each once */
    uint32_t *complex; /* of each core, a number for what shares an L3; COMPLEX_UNKNOWN likewise */
    uint32_t
        *processor; /* of each core, a number for what is in one socket, by its APIC ID; PROCESSOR_UNKNOWN likewise */
    int *node;      /* of each core, by its APIC ID; NODE_UNKNOWN where the firmware does not say */
    int boot_node;  /* of the boot core, whether or not it is among them */
};

/* Reads "0", "all", "first-threads", "one-per-ccx", or a list such as "0,2-3". False after a line in 'problems': not
 * such a list, or a core that is not there. Where the firmware cannot start other cores, "all" is the boot core, and a
 * line says so, as for cores that are left out. The lists are in the pool. */
bool cores_read(struct cores *cores, const char *text, struct firmware *fw, const struct machine *machine,
                struct pool *pool, struct out *problems);

/* Upper bound of those on one node. */
unsigned cores_of_a_node(const struct cores *cores);

/* Returns whether the setting 'cores' can be read, on whatever machine; prints the line that says it cannot. */
bool cores_understood(const char *text);
void cores_refuse(struct out *out, const char *text);

#endif
