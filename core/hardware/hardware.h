/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Questions to check on a real machine, and their answers as hardware.csv has them.
 *
 * Driver and model were written from the same texts, so no test of ours can find a fact that both assume and silicon
 * contradicts. Each such point is a row. config=hardware answers those that a machine can answer by itself;
 * docs/hardware-checks.md is made of the rows.
 */
#ifndef CORE_HARDWARE_H
#define CORE_HARDWARE_H

#include <stdint.h>

#include "core/base/out.h"

enum hardware_part {
    HARDWARE_IBS,
    HARDWARE_NMI,
    HARDWARE_COUNTERS,
    HARDWARE_MEMORY,
    HARDWARE_CODE,
    HARDWARE_LATER,
    HARDWARE_SEVERAL,
    HARDWARE_PROCESSOR,
    HARDWARE_PARTS,
};

/* Says what answers the question. */
enum hardware_by {
    HARDWARE_BY_MACHINE,
    HARDWARE_BY_OTHERS,    /* the machine, by passes on all its cores, after the boot core's own answers */
    HARDWARE_BY_SUMMARY,   /* the machine, when all else is measured: over all sessions */
    HARDWARE_BY_DANGEROUS, /* the machine, but it may hang or reset: last, and only by a setting */
    HARDWARE_BY_CORES,     /* a person's runs on several cores */
    HARDWARE_BY_PERSON,
};

enum hardware_question {
#define HARDWARE(id, ...) HARDWARE_##id,
#include "core/hardware/hardware_rows.h"
#undef HARDWARE
    HARDWARE_ROWS,
};

struct hardware_row {
    const char *id; /* in hardware.csv: lower case, digits and '_' */
    uint16_t number;
    uint8_t part, by;
    const char *question, *expected, *check, *changes;
    const char *turned; /* a test's condition that gives another answer; "": no machine answers it */
};

/* Indexed by enum hardware_question. */
extern const struct hardware_row hardware_rows[HARDWARE_ROWS];

/* Returns the name of an enum hardware_part: "IBS". */
const char *hardware_part_name(unsigned part);

enum hardware_verdict {
    HARDWARE_NOT_REACHED, /* not yet */
    HARDWARE_RUNNING,     /* in a leftover file: this row ended the program or the machine */
    HARDWARE_BY_HAND,     /* no machine answers it by itself */
    HARDWARE_NO_ANSWER,   /* here, for the reason given */
    HARDWARE_EXPECTED,
    HARDWARE_OTHERWISE,
    HARDWARE_VERDICTS,
};

/* Returns the name of an enum hardware_verdict, "as expected": one word or a few, without a comma. */
const char *hardware_verdict_name(unsigned verdict);

enum { HARDWARE_FOUND = 160 };

struct hardware_answer {
    uint8_t verdict;
    char found[HARDWARE_FOUND]; /* figures, or the reason; no line break */
};

/* Writes hardware.csv from its header on: number,id,verdict,found,question,expected,check,changes. All rows, in the
 * order of the table. */
void hardware_csv(struct out *out, const struct hardware_answer *answers);

#endif
