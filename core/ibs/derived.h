/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Derived events: what one IBS sample counts for.
 *
 * The 60 events that CodeAnalyst and oprofile offer on Family 10h (codes F000..F24C), and 31 counters of ours
 * (codes X...) without which some averages and identities cannot be right. One sample counts for many events. Values
 * are numbers of samples, or sums of cycles over samples; they are not scaled by the sampling period.
 *
 * Sources: oprofile daemon/opd_ibs_trans.c and opd_ibs_macro.h (conditions), CodeAnalyst gh-events.xml (names and
 * abbreviations), CodeXL 0x10.xml (documentation of intent). Where oprofile's code and the documentation differ (killed
 * fetches: F002, F004, F00E), the documentation is followed: "attempted" leaves out killed fetches, and so does all
 * that is derived from it.
 *
 * Events of later families follow (F00F, F010 and X...). A processor has a source for an event where its registers have
 * the bits (derived_has_source); the others are left out of all output, and named once.
 *
 * Not offered: F00C and F00D (1G and reserved fetch pages: never exposed), F214 and F218 (reserved), F10A, F21A..F21C
 * and FF00..FF06 (later families only).
 */
#ifndef CORE_DERIVED_H
#define CORE_DERIVED_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/out.h"
#include "core/ibs/ibs_field.h"
#include "core/ibs/record.h"

enum derived {
#define DERIVED(code, identifier, ...) DERIVED_##code##_##identifier,
#include "core/ibs/derived_rows.h"
#undef DERIVED
    DERIVED_COUNT,
    DERIVED_OFFERED = DERIVED_X100_BRANCH_TAG_TO_RETIRE, /* as many as CodeAnalyst offers; our own follow */
    DERIVED_FIRST = DERIVED_F00F_FETCH_L2_MISS,          /* as many as Family 10h has; those of later families follow */
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
    bool weak; /* reserved or invalid bits count as 0 */
};

enum { DERIVED_TESTS = 3 };

struct derived_event {
    char code[5];        /* "F000"; "X..." are ours */
    char since;          /* first revision of Family 10h that has it: 'B' or 'C' */
    uint8_t kind;        /* enum sample_kind */
    uint8_t unit;        /* enum derived_unit */
    uint8_t field_reg;   /* DERIVED_CYCLES: index into sample_record.reg, ... */
    uint8_t field_shift; /* ... and lowest bit of the added 16-bit field. DERIVED_SAMPLES, not 0: a field that must be
                            there and valid */
    const char *name;    /* "IBS all fetch samples" */
    const char *abbreviation;                /* "IBS all fetch" */
    const char *symbol;                      /* oprofile's: "IBS_FETCH_ALL"; "" for ours */
    struct derived_test gate[DERIVED_TESTS]; /* all of them must hold */
    uint32_t caps, traits;                   /* of IBS and of the family (enum ibs_trait): all are needed */
    uint32_t not_errata;                     /* enum ibs_erratum: none of these may be there */
    bool later;                              /* reads fields that meant something else on earlier families */
};

/* Indexed by enum derived. */
extern const struct derived_event derived_events[DERIVED_COUNT];

/* Returns "samples" or "cycles". */
const char *derived_unit_name(const struct derived_event *event);

/* Returns whether the processor's registers have all bits that the event's gate asks for, with the meaning that the
 * event gives them. Events without a gate have a source on every processor with IBS. */
bool derived_has_source(const struct derived_event *event, const struct ibs_machine *machine);

/* A processor and the events that it has a source for. */
struct derived_set {
    struct ibs_machine machine;
    bool has[DERIVED_COUNT];
    bool sure[DERIVED_COUNT];                            /* ... and its gate's bits are valid in each sample */
    uint8_t events[IBS_RECORD_KINDS][DERIVED_COUNT + 1]; /* events of a kind; DERIVED_COUNT: no more */
};
struct derived_set derived_set_of(const struct ibs_machine *machine);

/* Prints the codes of Family 10h's events that the set's processor has no source for: "F109, F209 to F20C"; only for
 * kinds whose bit (enum sample_kind) is set. Returns their number. */
unsigned derived_print_missing(struct out *out, const struct derived_set *set, unsigned kinds);

/* Finds the events that a sample of the set's processor counts for: those whose gates it passes by bits that are all
 * valid in this sample. Returns how many; 0 for records of an unknown kind. */
unsigned derived_find(const struct derived_set *set, const struct sample_record *record,
                      uint8_t ret_events[DERIVED_COUNT]);

/* Returns whether a sample passes the event's gate, with all bits taken as they are; false for samples of the other
 * kind. */
bool derived_applies(const struct derived_event *event, const struct sample_record *record);

/* Adds one sample of the set's processor to the counts of its events. Family 10h's IbsOpData[38] (RipInvalid) is
 * reserved: no gate reads it and no sample is dropped for it. */
void derived_add(const struct derived_set *set, uint64_t counts[DERIVED_COUNT], const struct sample_record *record);

#endif
