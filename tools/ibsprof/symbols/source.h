/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads lines of source files for listings. Debug information has file names as the compiler saw them, here mostly
 * relative to the project's root ("workloads/matmul/matmul_classic.c"). They are searched at that path, and in the
 * folder of the ELF file and five folders above it (the root, for a run in the project's build folder).
 */
#ifndef TOOLS_IBSPROF_SOURCE_H
#define TOOLS_IBSPROF_SOURCE_H

struct source;

/* Files over 16 MB are not read. */
struct source *source_new(void);

/* Sets a folder to search first, by the file's whole name and by its last part. Not copied. */
void source_look_in(struct source *source, const char *folder);

/* Returns a line (from 1), without its end, cut at 200 bytes; NULL: no such file or line. object_path may be NULL.
 * Valid until the next call. */
const char *source_line(struct source *source, const char *object_path, const char *file, unsigned line);

void source_free(struct source *source);

#endif
