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
    uint8_t function; /* PCI: function; APIC: least entries of the local vector table with which it exists */
    uint8_t family;   /* enum silicon_family */
    uint8_t varies;   /* enum silicon_varies */
    uint32_t address; /* number of an MSR, or offset, from 500h on of an extended entry of the local vector table */
    const char *what; /* meaning in few words */
    const char *source;
};

extern const struct silicon_row silicon_rows[SILICON_ROWS];

/* Returns the row of a name of 'length' characters, or SILICON_ROWS. */
enum silicon_register silicon_find(const char *name, size_t length);

enum silicon_state {
    SILICON_UNREAD = 0,
    SILICON_READ,
    SILICON_FAULTS, /* reading an MSR raised #GP, or the PCI register is not there */
};

struct silicon {
    uint64_t value[SILICON_ROWS];
    uint8_t state[SILICON_ROWS]; /* enum silicon_state */
    bool read;                   /* the core's registers were, with whatever result */
    uint8_t clocks;              /* enum ibs_clocks: what P-states' registers say */
};

/* Registers of a node in PCI space: index i is row SILICON_PCI_FIRST + i. */
struct silicon_node {
    uint32_t value[SILICON_PCI_ROWS];
    uint8_t state[SILICON_PCI_ROWS];
};

static inline bool silicon_has(const struct silicon *silicon, enum silicon_register row)
{
    return silicon->state[row] == SILICON_READ;
}

/* Returns whether a row that was read on both sides differs, but for bits that a run changes. Rows that move by
 * themselves never differ. */
bool silicon_differs(const struct silicon *a, const struct silicon *b, enum silicon_register row);

/* Writes "0x1000010", or "faults". */
void silicon_write_value(struct out *out, const struct silicon *silicon, enum silicon_register row);

/* ---------------------------------------------------------------- in words */

/* Remarks that a reader of figures must know when a register says so. */
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

/* A feature that firmware may switch: a set bit means on, or off if 'off' is set. */
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

/* Returns the MHz of an enabled P-state by its register; 0: not enabled, not read, or no divisor of the family. */
uint32_t silicon_pstate_mhz(const struct silicon *silicon, unsigned pstate);

/* Returns the number of boosted P-states, from C001_0064 on; software's P0 is the next one. */
unsigned silicon_boosted(const struct silicon *silicon);

/* Returns the MHz of P0, the fastest that is not boosted, at which the TSC should count; 0: unknown. */
uint32_t silicon_p0_mhz(const struct silicon *silicon);

/* Returns whether a rate of the TSC is that of P0, within a percent; true also when P0's is not known. */
bool silicon_agrees(const struct silicon *silicon, uint64_t tsc_khz);

/* Returns the northbridge's MHz; 0: unknown. */
uint32_t silicon_nb_mhz(const struct silicon *silicon);

#endif
