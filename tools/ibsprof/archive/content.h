/* SPDX-License-Identifier: BSD-2-Clause */
/* The files of a run, by content: runs with the same files are the same run, whatever their folders' names. */
#ifndef TOOLS_IBSPROF_ARCHIVE_CONTENT_H
#define TOOLS_IBSPROF_ARCHIVE_CONTENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DIGEST_TEXT = 65 }; /* SHA-256 in hexadecimal, with its final 0 */

struct content_file {
    char *name;
    char digest[DIGEST_TEXT];
    void *bytes;
    size_t size;
};

struct content {
    struct content_file *file; /* sorted by name */
    uint32_t count;
    char digest[DIGEST_TEXT]; /* digest of names and digests */
};

/* Reads a run: a folder, without hidden files and the user's note; or a single perf.data. Returns false after a
 * complaint. content_free() must follow in any case. */
bool content_read(struct content *content, const char *path);
void content_free(struct content *content);

/* Adds a file under this name. Returns false after a complaint if it cannot be read. */
bool content_add(struct content *content, const char *path, const char *name);

/* Computes the digest of the files, which must be sorted by name. */
void content_identify(struct content *content);

void content_digest(const void *bytes, size_t size, char ret_text[DIGEST_TEXT]);

#endif
