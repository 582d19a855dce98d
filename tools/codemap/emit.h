/* SPDX-License-Identifier: BSD-2-Clause */
/* The generator's outputs: the map as C source, a listing, a check. All write to standard output. */
#ifndef TOOLS_CODEMAP_EMIT_H
#define TOOLS_CODEMAP_EMIT_H

#include "tools/codemap/image.h"

/* The map as C source, the same bytes for the same image. Ends the program when the code cannot be mapped. */
void emit_map(const struct image *image);

/* A listing of the functions in the image's range. */
void list_functions(const struct image *image);

/* A listing from the first byte of the range to the last, functions or not; "(bad)", one byte long, where nothing
 * decodes. */
void list_sweep(const struct image *image);

/* Compares the map inside the image with its code. Ends the program with a message when they do not match. */
void check_map(const struct image *image);

#endif
