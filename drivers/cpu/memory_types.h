/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The registers that say which memory is cached, and how: MTRRs, PAT, and on Family 10h SYSCFG, IORRs and the tops of
 * memory. All cores must have the same (AMD APM vol. 2 section 7.7.5). Reset leaves them off, INIT leaves them as they
 * are, so a core that firmware never used has none of them.
 */
#ifndef DRIVERS_MEMORY_TYPES_H
#define DRIVERS_MEMORY_TYPES_H

#include <stdbool.h>
#include <stdint.h>

enum {
    MEMORY_TYPES_VARIABLE = 8, /* pairs of variable MTRRs that are taken over; Family 10h has as many */
    MEMORY_TYPES_MOST = 7 + 11 + 2 * MEMORY_TYPES_VARIABLE + 2,
};

struct memory_types_row {
    uint32_t msr;
    uint64_t value;
};

struct memory_types {
    bool extended;  /* SYSCFG and what belongs to it are among the rows */
    uint32_t count; /* 0: this processor has none of the registers */
    struct memory_types_row row[MEMORY_TYPES_MOST];
};

/* Reads what this core has. family_10h: the processor is one of AMD's Family 10h. Interrupts must be off: for a moment
 * SYSCFG makes two more bits of the fixed MTRRs visible. */
void memory_types_read(struct memory_types *types, bool family_10h);

/* Gives this core the same, by the sequence of APM vol. 2 section 7.7.5, unless it has it already. Interrupts off.
 * Returns the number of registers that differed; *ret_wrong: of those that still do. */
uint32_t memory_types_set(const struct memory_types *types, uint32_t *ret_wrong);

#endif
