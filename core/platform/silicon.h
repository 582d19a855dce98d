/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How firmware has set up the silicon: registers that change what figures mean (core/platform/silicon_rows.h), read by
 * drivers/machine/silicon.c, written to run.ini, and compared between runs by ibsprof.
 */
#ifndef CORE_SILICON_H
#define CORE_SILICON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct out;

enum silicon_register {
#define SILICON(name, ...) SILICON_##name,
#include "core/platform/silicon_rows.h"
#undef SILICON
    SILICON_ROWS,
    SILICON_APIC_FIRST = SILICON_APIC_SPURIOUS,
    SILICON_PCI_FIRST = SILICON_F0x60,
    SILICON_PCI_ROWS = SILICON_ROWS - SILICON_PCI_FIRST,
};

enum silicon_where { SILICON_MSR, SILICON_APIC, SILICON_PCI };
enum silicon_family { SILICON_ANY, SILICON_AMD, SILICON_F10, SILICON_ZEN, SILICON_F10_ZEN, SILICON_E721 };
enum silicon_varies { SILICON_STAYS, SILICON_OWN, SILICON_MOVES };

struct silicon_row {
    const char *name; /* in run.ini */
    uint8_t where;    /* enum silicon_where */
    uint8_t function; /* of PCI; of APIC: the number of entries that it comes with */
    uint8_t family;   /* enum silicon_family */
    uint8_t varies;   /* enum silicon_varies */
    uint32_t address; /* number of an MSR, or offset, from 500h on of an extended entry of the local vector table */
    const char *what; /* it says, in few words */
    const char *source;
};

extern const struct silicon_row silicon_rows[SILICON_ROWS];

/* The row of a name of 'length' characters; SILICON_ROWS: none. */
enum silicon_register silicon_find(const char *name, size_t length);

enum silicon_state {
    SILICON_UNREAD = 0,
    SILICON_READ,
    SILICON_FAULTS, /* reading an MSR raised #GP, or the PCI register is not there */
};

struct silicon {
    uint64_t value[SILICON_ROWS];
    uint8_t state[SILICON_ROWS]; /* enum silicon_state */
    bool read;                   /* those of the core were, with whatever result */
    uint8_t clocks;              /* enum ibs_clocks: what P-states' registers say */
};

/* The registers in PCI space of a node: row SILICON_PCI_FIRST + i is here i. */
struct silicon_node {
    uint32_t value[SILICON_PCI_ROWS];
    uint8_t state[SILICON_PCI_ROWS];
};

static inline bool silicon_has(const struct silicon *silicon, enum silicon_register row)
{
    return silicon->state[row] == SILICON_READ;
}

/* Differs in a row that was read on both sides, and does not move by itself; but for bits that a run changes. */
bool silicon_differs(const struct silicon *a, const struct silicon *b, enum silicon_register row);

/* "0x1000010", or "faults". */
void silicon_write_value(struct out *out, const struct silicon *silicon, enum silicon_register row);

/* ---------------------------------------------------------------- in words */

/* Remarks that a reader of figures must know, when a register says so: rows of data. */
struct silicon_remark {
    uint8_t row;          /* enum silicon_register */
    uint64_t mask, value; /* the register's bits under mask are value; with any set: any bit under mask */
    bool any;
    const char *says; /* a sentence */
    const char *source;
};

extern const struct silicon_remark silicon_remarks[];
extern const unsigned silicon_remark_count;

bool silicon_remark_applies(const struct silicon *silicon, const struct silicon_remark *remark);

/* Names what firmware has on that it might have off, or off (bit set) that it might have on. */
struct silicon_switch {
    uint8_t row; /* enum silicon_register */
    bool off;
    uint64_t mask; /* any of these bits */
    const char *name;
    const char *source;
};

enum { SILICON_SWITCHES = 11 };
extern const struct silicon_switch silicon_switches[SILICON_SWITCHES];

/* ---------------------------------------------------------------- clocks */

/* MHz of an enabled P-state by its register; 0: not enabled, not read, or no divisor of the family. */
uint32_t silicon_pstate_mhz(const struct silicon *silicon, unsigned pstate);

/* Number of P-states, from C001_0064 on, that are boosted ones: the fastest other one is P0 to software. */
unsigned silicon_boosted(const struct silicon *silicon);

/* MHz of P0, the one that is not boosted, at which the TSC should count; 0: unknown. */
uint32_t silicon_p0_mhz(const struct silicon *silicon);

/* Returns whether a rate of the TSC is that of P0, within a percent; true also when P0's is not known. */
bool silicon_agrees(const struct silicon *silicon, uint64_t tsc_khz);

/* MHz of the northbridge, 0: unknown. */
uint32_t silicon_nb_mhz(const struct silicon *silicon);

#endif
