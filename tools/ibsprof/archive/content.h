/* SPDX-License-Identifier: BSD-2-Clause */
/* The files of a run, by content: a run is the same as another one when its files are, whatever its folder is called.
 */
#ifndef TOOLS_IBSPROF_ARCHIVE_CONTENT_H
#define TOOLS_IBSPROF_ARCHIVE_CONTENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DIGEST_TEXT = 65 }; /* SHA-256 in hexadecimal, with its end */

struct content_file {
    char *name;
    char digest[DIGEST_TEXT];
    void *bytes;
    size_t size;
};

struct content {
    struct content_file *file; /* in the order of their names */
    uint32_t count;
    char digest[DIGEST_TEXT]; /* of names and digests */
};

/* path: the folder of a run, with all files in it but hidden ones and the user's note; or a perf.data alone. False
 * after a complaint. To be freed in any case. */
bool content_read(struct content *content, const char *path);
void content_free(struct content *content);

/* Adds a file by this name. False after a complaint: it cannot be read. */
bool content_add(struct content *content, const char *path, const char *name);

/* Makes the digest of the files that there are, which are in the order of their names. */
void content_identify(struct content *content);

void content_digest(const void *bytes, size_t size, char ret_text[DIGEST_TEXT]);

#endif
