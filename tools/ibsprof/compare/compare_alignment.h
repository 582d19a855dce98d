/* SPDX-License-Identifier: BSD-2-Clause */
/* How the samples of runs are lined up: places with the names that align them. For compare_align.c, compare_names.c and
 * compare_code.c only. */
#ifndef TOOLS_IBSPROF_COMPARE_ALIGNMENT_H
#define TOOLS_IBSPROF_COMPARE_ALIGNMENT_H

#include "tools/ibsprof/compare/compare_count.h"

/* A cell is judged separately when this number of samples would be expected on both sides if they were equal:
 * chi-squares need that. */
enum { EXPECTED_MIN = 5 };

/* A place of a run, with the name that aligns it. */
struct named_place {
    const char *function, *object;
    uint64_t offset;
    const struct run_profile *profile;
    const struct profile_place *place;
    uint32_t side, run, part; /* part: 0 the run, 1 and 2 its halves */
    uint32_t cell;
};

/* A name that several functions have: they are told apart by their object's name, and when one object has several of
 * them, by where they start. */
struct ambiguous_name {
    char *name;
    bool by_start;
};

struct alignment {
    struct comparison *c;
    struct named_place *places;
    size_t count;
    double total[SIDES];
    struct ambiguous_name *ambiguous; /* names of functions that several objects of one side have */
    uint32_t ambiguous_count;
};

/* ---- compare_names.c: which functions are one */

uint64_t named_place_start(const struct named_place *named); /* of its function */

/* The entry of a name that must be told apart, NULL: it need not be. */
struct ambiguous_name *ambiguous_name_find(const struct alignment *w, const char *function);
void ambiguous_name_add(struct alignment *w, const char *function, bool by_start);
void ambiguous_names_collect(struct alignment *w);
bool named_place_same_function(const struct alignment *w, const struct named_place *a, const struct named_place *b);

/* By function and offset; 0: the same cell. */
int named_place_compare(const struct alignment *w, const struct named_place *a, const struct named_place *b);
void named_places_sort(struct alignment *w);

/* ---- compare_code.c */

/* Offsets only mean the same when the code does. */
bool alignment_check_code(struct alignment *w, char *error, size_t error_size);

#endif
