/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lines of source files, for listings. Debug information names a file as the compiler knew it, here mostly relative to
 * the project's root ("workloads/matmul/matmul_classic.c"): it is looked for at that path, and below the folder of the
 * ELF file and five folders above it (the project's root, of a run in its build folder).
 */
#ifndef TOOLS_IBSPROF_SOURCE_H
#define TOOLS_IBSPROF_SOURCE_H

struct source;

/* Files over 16 MB are not read. */
struct source *source_new(void);

/* Files are looked for below this folder first, by their whole name and by its last part. Not copied. */
void source_look_in(struct source *source, const char *folder);

/* The line (from 1), without its end, cut at 200 bytes; NULL when file or line is not there. object_path may be NULL.
 * Valid until the next call. */
const char *source_line(struct source *source, const char *object_path, const char *file, unsigned line);

void source_free(struct source *source);

#endif
