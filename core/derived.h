/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Derived events: what one IBS sample counts for.
 *
 * The 60 events that CodeAnalyst and oprofile offer on Family 10h (codes F000..F24C), and a few counters of our own
 * (codes X...) without which some averages and identities cannot be right. One sample counts for many events. Values
 * are numbers of samples, or sums of cycles over samples; they are not scaled by the sampling period.
 *
 * Sources: oprofile daemon/opd_ibs_trans.c and opd_ibs_macro.h (conditions), CodeAnalyst gh-events.xml (names and
 * abbreviations), CodeXL 0x10.xml (documentation of intent). Where oprofile's code and the documentation differ (killed
 * fetches: F002, F004, F00E), the documentation is followed: "attempted" leaves out killed fetches, and so does all
 * that is derived from it.
 *
 * Not offered: F00C and F00D (1G and reserved fetch pages: never exposed), F214 and F218 (reserved), F00F, F010, F10A,
 * F21A..F21C and FF00..FF06 (later families only).
 */
#ifndef CORE_DERIVED_H
#define CORE_DERIVED_H

#include <stdbool.h>
#include <stdint.h>

#include "core/record.h"

enum derived {
#define DERIVED(code, identifier, ...) DERIVED_##code##_##identifier,
#include "core/derived_rows.h"
#undef DERIVED
    DERIVED_COUNT,
    DERIVED_OFFERED = DERIVED_X100_BRANCH_TAG_TO_RETIRE, /* as many as CodeAnalyst offers; our own follow */
};

enum derived_unit {
    DERIVED_SAMPLES, /* +1 per sample that passes the gate */
    DERIVED_CYCLES,  /* + a 16-bit field of the sample */
};

/* One condition on one register. any: at least one bit of mask is set; else: (register & mask) == value. */
struct derived_test {
    uint64_t mask; /* 0: no test */
    uint64_t value;
    uint8_t reg; /* index into sample_record.reg */
    bool any;
};

enum { DERIVED_TESTS = 3 };

struct derived_event {
    char code[5];                            /* "F000"; "X..." are ours */
    char since;                              /* first revision of Family 10h that has it: 'B' or 'C' */
    uint8_t kind;                            /* enum sample_kind */
    uint8_t unit;                            /* enum derived_unit */
    uint8_t field_reg;                       /* DERIVED_CYCLES: index into sample_record.reg, ... */
    uint8_t field_shift;                     /* ... and the lowest bit of the 16-bit field that is added */
    const char *name;                        /* "IBS all fetch samples" */
    const char *abbreviation;                /* "IBS all fetch" */
    const char *symbol;                      /* oprofile's: "IBS_FETCH_ALL"; "" for ours */
    struct derived_test gate[DERIVED_TESTS]; /* all of them must hold */
};

/* Indexed by enum derived. */
extern const struct derived_event derived_events[DERIVED_COUNT];

/* "samples" or "cycles". */
const char *derived_unit_name(const struct derived_event *event);

/* Whether the sample passes the event's gate. False for samples of the other kind. IbsOpData[38] (RipInvalid) is
 * reserved on Family 10h: no gate reads it and no sample is dropped for it. */
bool derived_applies(const struct derived_event *event, const struct sample_record *record);

/* Adds one sample to counts. Records of an unknown kind add nothing. */
void derived_add(uint64_t counts[DERIVED_COUNT], const struct sample_record *record);

#endif
