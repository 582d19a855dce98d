/* SPDX-License-Identifier: BSD-2-Clause */
/* Completes what is typed: commands, profiles, settings, and their values where these are words: workloads,
 * configurations, events, choices. */
#ifndef APP_COMPLETE_H
#define APP_COMPLETE_H

#include "app/settings/options.h"
#include "core/screen/line.h"

struct complete {
    unsigned count;          /* words that begin as the last one of the line does */
    unsigned before;         /* characters of that one */
    char text[LINE_MAX + 1]; /* what they have in common; of one word with what follows it, a blank or '=' */
};

/* Finds the words for the last one of a line; profiles: their names with '|' between, NULL where the line is of none.
 */
void complete_word(const struct options *options, const char *profiles, const char *line,
                   struct complete *ret_complete);

/* Finds the values of a setting that begin as the text does after its last comma. */
void complete_value(const struct options *options, const struct settings_row *row, const char *text,
                    struct complete *ret_complete);

/* Prints the words for the last one of a line, in columns of a screen that is so wide. */
void complete_list(const struct options *options, const char *profiles, const char *line, unsigned columns,
                   struct out *out);

/* Finds the word that comes after the value of a setting (step 1), or before it (-1); after the last one comes the
 * first. False: its values are no words. */
bool complete_next(const struct options *options, const struct settings_row *row, int step,
                   struct settings_span *ret_word);

#endif
