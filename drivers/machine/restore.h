/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Keeps what was changed, and how it was put back: every register is saved here before its first write, and undone in
 * reverse order with a read-back. The rows go to run.ini.
 */
#ifndef DRIVERS_RESTORE_H
#define DRIVERS_RESTORE_H

#include <stdbool.h>
#include <stdint.h>

enum restore_kind {
    RESTORE_MSR,    /* address = MSR number */
    RESTORE_MMIO,   /* address = of a register of the local APIC, as apic_find() has it: memory or MSR, 32 bits wide */
    RESTORE_PCI,    /* address = offset, unit = node; function 3 of the node's northbridge */
    RESTORE_PORT,   /* address = port, 32 bits wide */
    RESTORE_CONFIG, /* address = offset in PCI configuration space, unit = bus << 8 | device << 3 | function */
    RESTORE_MEMORY, /* address = of a device's register, mapped one to one, 32 bits wide */
    RESTORE_CR0,
    RESTORE_CR3, /* as paging_load() */
    RESTORE_CR4,
    RESTORE_DR6,
    RESTORE_NOTE, /* restored elsewhere (descriptor tables); the row only reports */
};

enum {
    RESTORE_ROWS = 128, /* a run on eight nodes with counters and timer needs 31, a certificate 4 and for counts outside
                          of the cores up to 52, a core in a bad state 3, power and erratum 721 3, USB legacy emulation
                          1 and 2 for each OHCI controller, 1 for each other one */
    RESTORE_NOTES = 5,  /* rows of tables_remove(), which come last and have room in a log full of registers */
    RESTORE_FULL = 256,
};

struct restore_row {
    const char *what; /* "MSR C001_1033 IbsOpCtl" */
    uint64_t address;
    uint64_t before;
    uint64_t after; /* read back */
    uint64_t mask;  /* compared bits; the others are the hardware's, and written as 0 in _MMIO, _CONFIG and _MEMORY */
    uint32_t unit;
    uint8_t kind; /* enum restore_kind */
    bool undone;  /* an attempt was made */
    bool ok;      /* before and after agree under mask */
};

struct restore_log {
    struct restore_row row[RESTORE_ROWS + RESTORE_NOTES];
    uint32_t count;
    uint32_t failed;  /* rows that are not ok, after restore_undo() */
    uint32_t dropped; /* rows without room: notes, and rows of restore_add(), each session's anew */
};

void restore_init(struct restore_log *log);

/* Reads the register and remembers it. *value (may be NULL) gets what it reads. Returns 0, or the exception vector,
 * or RESTORE_FULL: then nothing is remembered and the register must not be written. A register that is in the log
 * already is only read. */
uint32_t restore_save(struct restore_log *log, enum restore_kind kind, uint64_t address, uint32_t unit, uint64_t mask,
                      const char *what, uint64_t *value);

/* Adds a row of kind RESTORE_NOTE, or counts it as dropped. */
void restore_note(struct restore_log *log, const char *what, uint64_t before, uint64_t after, bool ok);

/* Writes everything back that has no attempt yet, last saved first. An exception may leave it: called again it goes on
 * with the next row. */
void restore_undo(struct restore_log *log);

/* Adds what a session has put back to the log of all sessions of a core in a run, each register once: as it was before
 * the first of them, and after the last, or the first that did not put it back. Counts rows without room as dropped.
 */
void restore_add(struct restore_log *all, const struct restore_log *session);

/* Returns the row of the same register or table, or NULL. */
const struct restore_row *restore_find(const struct restore_log *log, const struct restore_row *like);

/* Returns what the row is of, with the number of an MSR, for which it may use 'text'. */
enum { RESTORE_NAME = 96 };
const char *restore_name(const struct restore_row *row, char text[RESTORE_NAME]);

/* Returns whether each row has had its attempt. */
bool restore_done(const struct restore_log *log);

/* Counts the failures into log->failed and returns them. */
uint32_t restore_failures(struct restore_log *log);

#endif
