/* SPDX-License-Identifier: BSD-2-Clause */
/* A function's samples by source line and by instruction, for annotate's text and CSV. */
#ifndef TOOLS_IBSPROF_ANNOTATE_LISTING_H
#define TOOLS_IBSPROF_ANNOTATE_LISTING_H

#include "tools/ibsprof/report/annotate/annotate.h"

/* Holds the figures of an instruction or a line. */
struct annotate_cell {
    uint64_t value;  /* count of the measure */
    uint64_t missed; /* number of loads that missed */
    uint64_t cycles; /* sum of their cycles */
    bool code;       /* the line has code */
    uint64_t more[ANNOTATE_MORE];
};

struct annotate_listing {
    const struct run_profile *profile;
    const struct codemap *map;
    uint32_t object, func;
    uint32_t first, end;         /* its instructions; equal: the object's file lacks the code */
    struct annotate_cell *insns; /* [end - first] */
    struct annotate_cell total;
    bool misses; /* some loads missed */
};

/* Lines of the file that has most of the function's instructions. */
struct annotate_lines {
    const char *file;
    uint32_t low, high;
    struct annotate_cell *cells; /* [high - low + 1] */
    struct annotate_cell elsewhere;
};

void annotate_listing_make(struct annotate_listing *listing, const struct run_profile *profile, uint32_t object,
                           uint32_t func, const struct annotate_options *options);
void annotate_listing_free(struct annotate_listing *listing);
struct annotate_cell annotate_cell_of(const struct annotate_options *options, const struct profile_place *place);

/* Returns false if there are no source lines. */
bool annotate_lines_make(struct annotate_lines *lines, const struct annotate_listing *listing);
void annotate_lines_free(struct annotate_lines *lines);

/* Returns whether to show a line. Lines without code between lines with code are context if their text is known, but
 * not between the function and a distant inlined piece. */
bool annotate_line_is_shown(const struct annotate_lines *lines, uint32_t number, const char *text);

#endif
