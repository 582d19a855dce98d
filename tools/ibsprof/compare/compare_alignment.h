/* SPDX-License-Identifier: BSD-2-Clause */
/* Aligns the samples of runs: places with the names that identify them. Only for compare_align.c, compare_names.c and
 * compare_code.c. */
#ifndef TOOLS_IBSPROF_COMPARE_ALIGNMENT_H
#define TOOLS_IBSPROF_COMPARE_ALIGNMENT_H

#include "tools/ibsprof/compare/compare_count.h"

/* Minimum of expected samples on both sides, if they were equal, for a cell of its own: chi-squares need that. */
enum { EXPECTED_MIN = 5 };

/* A place of a run, with the name that identifies it. */
struct named_place {
    const char *function, *object;
    uint64_t offset;
    const struct run_profile *profile;
    const struct profile_place *place;
    uint32_t side, run, part; /* part: 0 the whole run, 1 and 2 its halves */
    uint32_t cell;
};

/* A name of several functions. The object's name tells them apart, or their start if one object has several. */
struct ambiguous_name {
    char *name;
    bool by_start;
};

struct alignment {
    struct comparison *c;
    struct named_place *places;
    size_t count;
    double total[SIDES];
    struct ambiguous_name *ambiguous; /* functions' names that several objects of one side have */
    uint32_t ambiguous_count;
};

/* ---- compare_names.c: which functions are the same */

uint64_t named_place_start(const struct named_place *named); /* start of its function */

/* Returns the entry of an ambiguous name; NULL: it is unique. */
struct ambiguous_name *ambiguous_name_find(const struct alignment *w, const char *function);
void ambiguous_name_add(struct alignment *w, const char *function, bool by_start);
void ambiguous_names_collect(struct alignment *w);
bool named_place_same_function(const struct alignment *w, const struct named_place *a, const struct named_place *b);

/* Compares function and offset; 0: the same cell. */
int named_place_compare(const struct alignment *w, const struct named_place *a, const struct named_place *b);
void named_places_sort(struct alignment *w);

/* ---- compare_code.c */

/* Checks that code is equal, since otherwise offsets mean different things. Returns false with a line in 'error'. */
bool alignment_check_code(struct alignment *w, char *error, size_t error_size);

#endif
