/* SPDX-License-Identifier: BSD-2-Clause */
/* Outputs of the generator: the map as C source, a listing, a check. All write to standard output. */
#ifndef TOOLS_CODEMAP_EMIT_H
#define TOOLS_CODEMAP_EMIT_H

#include "tools/codemap/image.h"

/* Writes the map as C source, always the same bytes for the same image. Ends the program if the code cannot be
 * mapped. */
void emit_map(const struct image *image);

/* Lists the functions in the image's range. */
void list_functions(const struct image *image);

/* Lists the range from its first byte to its last, functions or not; "(bad)", one byte long, where nothing decodes. */
void list_sweep(const struct image *image);

/* Compares the map inside the image with its code. Ends the program with a message if they differ. */
void check_map(const struct image *image);

#endif
