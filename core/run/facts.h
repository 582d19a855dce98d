/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The results of a run, in its run.ini after the settings: a line "#: key = value" each, which is a comment to a
 * program that reads the file as settings.
 *
 * core/run/facts_rows.h has all keys. The image and the Linux twin write facts by them and ibsprof finds facts by them,
 * so that a key cannot be renamed on one side only; fact_print_table writes them for the documentation.
 *
 * Words of a key in capitals are indices, and the functions below take them as arguments, in their order: an unsigned
 * for a number, a text for PARAMETER, REGIME, THRESHOLD, CAUSE, COUNTED, REGISTER, SHARED and LOOP. "[core.CORE.]"
 * takes an int, and is left out when that is FACT_ONLY_CORE.
 */
#ifndef CORE_FACTS_H
#define CORE_FACTS_H

#include <stdbool.h>

#include "core/base/out.h"

enum fact_type { FACT_NUMBER, FACT_SIGNED, FACT_HEX, FACT_TEXT, FACT_OR_WHY };

/* Says what a fact is about. */
enum fact_part {
    FACT_PLAIN = 0,
    FACT_MEASURED = 1, /* what was measured, and where: runs that differ in it measured different things */
    FACT_QUALITY = 2,  /* how far the run can be trusted */
    FACT_SILICON = 4,  /* how firmware has set up the processor (core/platform/silicon.h) */
};

struct fact_row {
    const char *key;
    enum fact_type type;
    const char *unit;    /* "": none */
    unsigned part;       /* enum fact_part, or-ed */
    const char *meaning; /* one line of Markdown */
};

enum fact {
#define FACT(name, key, type, unit, part, meaning) FACT_##name,
#include "core/run/facts_rows.h"
#undef FACT
    FACT_COUNT
};

extern const struct fact_row fact_rows[FACT_COUNT];

enum { FACT_ONLY_CORE = -1, FACT_KEY_MAX = 95 };

/* Writes a key: "machine.family". */
void fact_vkey(struct out *out, enum fact fact, va_list indices);

/* Print a line. The value of FACT_SIGNED is an int64_t, converted. */
void fact_number(struct out *out, enum fact fact, uint64_t value, ...);
void fact_text(struct out *out, enum fact fact, const char *value, ...);
void fact_not_available(struct out *out, enum fact fact, const char *why, ...); /* FACT_OR_WHY */

/* Prints "#: key ="; the caller writes a blank, the value and the line's end. */
void fact_begin(struct out *out, enum fact fact, ...);

/* Returns the fact of this key, with any indices, or FACT_COUNT. */
enum fact fact_find(const char *key);

/* Returns whether the table has this key in that part. */
bool fact_is(const char *key, enum fact_part part);

/* Prints all rows as a table of Markdown. */
void fact_print_table(struct out *out);

#endif
