/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Identities between derived events: relations that hold for any set of samples when registers, decoder and gates are
 * right. The image checks them after every run.
 *
 * A relation is sum of left events == or <= sum of right events. Equalities follow from the gates in derived.c together
 * with what the documentation calls legal register values (for example no L2 DTLB hit that is both 2M and 1G).
 */
#ifndef CORE_IDENTITIES_H
#define CORE_IDENTITIES_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/out.h"
#include "core/ibs/derived.h"

enum identity_relation { IDENTITY_EQUAL, IDENTITY_AT_MOST };

enum { IDENTITY_TERMS = 4 };

struct identity {
    uint8_t relation; /* enum identity_relation */
    uint8_t left_terms, right_terms;
    uint8_t left[IDENTITY_TERMS]; /* enum derived */
    uint8_t right[IDENTITY_TERMS];
    uint32_t traits;               /* the family needs all of these, */
    uint32_t not_traits, not_caps; /* and none of these; none of these of IBS */
    const char *says;              /* in words */
};

extern const struct identity identity_table[];
extern const unsigned identity_count;

bool identity_holds(const struct identity *identity, const uint64_t counts[DERIVED_COUNT]);

/* Returns whether the set's processor has a source for each of its events, and the relation holds there. */
bool identity_asked(const struct identity *identity, const struct derived_set *set);

/* Counts these. */
unsigned identities_asked(const struct derived_set *set);

enum identities_print { IDENTITIES_ALL, IDENTITIES_FAILED_ONLY };

/* Checks the identities that apply to the set's processor. Prints "PASS F000 = F001 + F002: ..." and "FAIL ..." lines
 * with the figures, then one line that sums up; out may be NULL. Returns the number that failed. */
unsigned identities_check(struct out *out, const struct derived_set *set, const uint64_t counts[DERIVED_COUNT],
                          enum identities_print print);

#endif
