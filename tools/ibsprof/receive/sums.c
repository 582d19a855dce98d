/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/receive/sums.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/crc32c.h"
#include "core/run/transfer.h"
#include "tools/ibsprof/base/must.h"

enum { SIZE_DIGITS = 15, PART = 1 << 16 };

/* Reads a number of at most 'most' digits of the base, and the character after it. */
static bool take_number(const char **at, int base, size_t most, char end, uint64_t *ret_number)
{
    size_t digits = strspn(*at, base == 16 ? "0123456789abcdef" : "0123456789");

    if (digits < 1 || digits > most || (*at)[digits] != end)
        return false;
    *ret_number = strtoull(*at, NULL, base);
    *at += digits + 1;
    return true;
}

/* Returns the file's row; NULL: none. */
static const struct sums_row *find(const struct sums *sums, const char *name)
{
    for (uint32_t i = 0; i < sums->count; i++)
        if (strcmp(sums->row[i].name, name) == 0)
            return &sums->row[i];
    return NULL;
}

/* Reads "8d1f02a7 12345 report.txt" and the line's end. */
static bool take_row(struct sums *sums, const char **at)
{
    uint64_t crc, size;
    size_t length;

    if (!take_number(at, 16, 8, ' ', &crc) || !take_number(at, 10, SIZE_DIGITS, ' ', &size))
        return false;
    length = strcspn(*at, "\n");
    if ((*at)[length] != '\n' || !transfer_is_name(*at, length))
        return false;
    *must_add(sums->row, sums->count) =
        (struct sums_row){.name = must_text("%.*s", (int)length, *at), .size = size, .crc = (uint32_t)crc};
    *at += length + 1;
    return find(sums, sums->row[sums->count - 1].name) == &sums->row[sums->count - 1];
}

bool sums_read(struct sums *sums, const char *text, size_t size)
{
    static const char first[] = "try ", end[] = "end\n";
    char *copy = must_text("%.*s", (int)(size < SUMS_MAX ? size : SUMS_MAX), text); /* up to the first NUL */
    const char *at = copy + sizeof(first) - 1;
    uint64_t try;
    bool good = strlen(copy) == size && strncmp(copy, first, sizeof(first) - 1) == 0 &&
                take_number(&at, 10, SIZE_DIGITS, '\n', &try);

    *sums = (struct sums){0};
    while (good && strcmp(at, end) != 0)
        good = take_row(sums, &at);
    good = good && find(sums, "run.ini");
    free(copy);
    if (!good)
        sums_free(sums);
    return good;
}

void sums_free(struct sums *sums)
{
    for (uint32_t i = 0; i < sums->count; i++)
        free(sums->row[i].name);
    free(sums->row);
    *sums = (struct sums){0};
}

bool sums_right(const struct sums_row *row, int file)
{
    char *bytes = must_alloc(PART, 1);
    uint64_t size = 0;
    uint32_t crc = 0;
    ssize_t part;

    while ((part = pread(file, bytes, PART, (off_t)size)) > 0) {
        crc = crc32c(crc, bytes, (size_t)part);
        size += (uint64_t)part;
    }
    free(bytes);
    return part == 0 && size == row->size && crc == row->crc;
}
