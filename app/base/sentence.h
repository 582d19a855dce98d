/* SPDX-License-Identifier: BSD-2-Clause */
/* Headings and sentences on the console and in the report; sentences are broken into lines of at most 79 columns. */
#ifndef APP_SENTENCE_H
#define APP_SENTENCE_H

#include "core/base/out.h"

enum { SENTENCE_LINE = 79, SENTENCE_MAX = 300 };

/* Prints as out_printf() does, then ends the line; all lines but the first are indented. Cuts text after SENTENCE_MAX
 * characters. */
void sentence(struct out *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints a section's name, underlined, after an empty line. */
void heading(struct out *out, const char *text);

#endif
