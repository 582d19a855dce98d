/* SPDX-License-Identifier: BSD-2-Clause */
/* Completes typed words: commands, profiles, settings, and values that are words: workloads, configurations, events,
 * choices. */
#ifndef APP_COMPLETE_H
#define APP_COMPLETE_H

#include "app/settings/options.h"
#include "core/screen/line.h"

struct complete {
    unsigned count;          /* number of words that begin as the line's last word does */
    unsigned before;         /* length of the line's last word */
    char text[LINE_MAX + 1]; /* common beginning; a single word is followed by a blank or '=' */
};

/* Finds the words for the last one of a line. profiles: names with '|' between; NULL: the line takes none. */
void complete_word(const struct options *options, const char *profiles, const char *line,
                   struct complete *ret_complete);

/* Finds the values of a setting that begin as the text after the last comma does. */
void complete_value(const struct options *options, const struct settings_row *row, const char *text,
                    struct complete *ret_complete);

/* Prints the words for the last one of a line, in as many columns as the screen's width allows. */
void complete_list(const struct options *options, const char *profiles, const char *line, unsigned columns,
                   struct out *out);

/* Finds the next (step 1) or previous (-1) word among the values of a setting; the first follows the last. Returns
 * false if its values are not words. */
bool complete_next(const struct options *options, const struct settings_row *row, int step,
                   struct settings_span *ret_word);

#endif
