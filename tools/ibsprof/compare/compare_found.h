/* How the samples of runs are lined up: places with the names that align them. For compare_align.c, compare_names.c and
 * compare_code.c only. */
#ifndef TOOLS_IBSPROF_COMPARE_FOUND_H
#define TOOLS_IBSPROF_COMPARE_FOUND_H

#include "tools/ibsprof/compare/compare_count.h"

/* A cell is judged by itself when both sides would expect so many samples if they were equal: chi-squares need that. */
enum { EXPECTED_MIN = 5 };

/* A place of a run, with the name that aligns it. */
struct found {
    const char *function, *object;
    uint64_t offset;
    const struct run_profile *profile;
    const struct profile_place *place;
    uint32_t side, run, part; /* part: 0 the run, 1 and 2 its halves */
    uint32_t cell;
};

/* A name that several functions have: they are told apart by their object's name, and when one object has several of
 * them, by where they start. */
struct namesake {
    char *name;
    bool by_start;
};

struct aligning {
    struct comparison *c;
    struct found *found;
    size_t count, room;
    double total[SIDES];
    struct namesake *ambiguous; /* names of functions that several objects of one side have */
    uint32_t ambiguous_count;
};

/* ---- compare_names.c: which functions are one */

uint64_t found_start(const struct found *found); /* of its function */

/* The entry of a name that must be told apart, NULL: it need not be. */
struct namesake *found_namesake(const struct aligning *w, const char *function);
void found_tell_apart(struct aligning *w, const char *function, bool by_start);
void found_tell_ambiguous_apart(struct aligning *w);
bool found_same_function(const struct aligning *w, const struct found *a, const struct found *b);

/* By function and offset; 0: the same cell. */
int found_compare(const struct aligning *w, const struct found *a, const struct found *b);
void found_sort(struct aligning *w);

/* ---- compare_code.c */

/* Offsets only mean the same when the code does. */
bool found_check_code(struct aligning *w, char *error, size_t error_size);

#endif
