/* SPDX-License-Identifier: BSD-2-Clause */
/* A function's samples by source line and by instruction: what annotate's text and its CSV are written from. */
#ifndef TOOLS_IBSPROF_ANNOTATE_LISTING_H
#define TOOLS_IBSPROF_ANNOTATE_LISTING_H

#include "tools/ibsprof/report/annotate/annotate.h"

/* Holds what is shown of an instruction or a line. */
struct annotate_cell {
    uint64_t value;  /* of the measure */
    uint64_t missed; /* loads that missed, ... */
    uint64_t cycles; /* ... and their cycles */
    bool code;       /* there is code of this line */
    uint64_t more[ANNOTATE_MORE];
};

struct annotate_listing {
    const struct run_profile *profile;
    const struct codemap *map;
    uint32_t object, func;
    uint32_t first, end;         /* its instructions; the same: the object's file does not contain its code */
    struct annotate_cell *insns; /* [end - first] */
    struct annotate_cell total;
    bool misses; /* there are loads that missed */
};

/* The lines of the file that most of the function's instructions come from. */
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

/* False: there are no source lines. */
bool annotate_lines_make(struct annotate_lines *lines, const struct annotate_listing *listing);
void annotate_lines_free(struct annotate_lines *lines);

/* Lines without code between lines with code are context, if their text is known; not when an inlined piece is far away
 * in the file. */
bool annotate_line_is_shown(const struct annotate_lines *lines, uint32_t number, const char *text);

#endif
