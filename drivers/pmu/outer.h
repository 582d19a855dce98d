/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counts of what lies outside of the cores, read before and after a measured part: the L3 of the core complex, the data
 * fabric, memory controllers, and energy. Each unit has counters of its own, which count for all cores that share it.
 * A row of outer.c says which counts what, on which families (struct ibs_family.outer).
 */
#ifndef DRIVERS_OUTER_H
#define DRIVERS_OUTER_H

#include <stdint.h>

#include "core/noise/certificate.h"
#include "drivers/machine/machine.h"
#include "drivers/machine/restore.h"

enum {
    OUTER_CONTROLLERS = 12, /* of memory: an EPYC 9004 has as many */
    OUTER_COUNTERS = 2 + 2 * OUTER_CONTROLLERS,
    OUTER_ENERGIES = 2,
};

/* Says that another core of the run counts for all that share the unit. */
enum outer_shared { OUTER_SHARED_COMPLEX = 1, OUTER_SHARED_NODE = 2, OUTER_SHARED_PROCESSOR = 4 };

struct outer {
    struct outer_counter {
        uint32_t count; /* MSR of the count */
        uint8_t what;   /* enum witness_what */
        uint8_t each;   /* bytes; 1: events */
    } counter[OUTER_COUNTERS];
    uint32_t counters;
    uint32_t energy_unit;                  /* a count is 2^-n J */
    uint32_t energy_first[OUTER_ENERGIES]; /* as read by outer_open() */
};

/* Finds what there is, and starts the counters, at 0; the log stops them and puts them back. A counter that counts
 * already is left to the firmware. Sets why_not[WITNESS_L3] to [WITNESS_ENERGY]; shared: enum outer_shared, or-ed. To
 * be called within a session. */
void outer_open(struct outer *outer, const struct machine *machine, unsigned shared, struct restore_log *log,
                const char *why_not[WITNESS_ROWS]);

/* Reads the values that why_not does not exclude; energy in microjoules. */
void outer_read(const struct outer *outer, const char *const why_not[WITNESS_ROWS], uint64_t value[WITNESS_ROWS]);

#endif
