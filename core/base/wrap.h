/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Running text in lines of a given width.
 */
#ifndef CORE_WRAP_H
#define CORE_WRAP_H

#include "core/base/out.h"

/* Prints text with a line break instead of a blank where a line would be longer than 'width', and the end of the last
 * line. The cursor stands at column 'used'; further lines begin with 'indent' blanks. Longer words than fit are not
 * cut. */
void wrap_text(struct out *out, const char *text, int used, int indent, int width);

#endif
