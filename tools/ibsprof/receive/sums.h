/* SPDX-License-Identifier: BSD-2-Clause */
/* sums.txt of a run on a boot server: the files that the machine has sent, each with size and CRC-32C
 * (efi/receipt.c). */
#ifndef TOOLS_IBSPROF_RECEIVE_SUMS_H
#define TOOLS_IBSPROF_RECEIVE_SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SUMS_NAME "sums.txt"
enum { SUMS_MAX = 2048 }; /* longest text, limited by the machine's memory */

struct sums_row {
    char *name;
    uint64_t size; /* bytes */
    uint32_t crc;
};

struct sums {
    struct sums_row *row;
    uint32_t count;
};

/* Reads the text: a line "try N", a row for each file, and "end". Returns false, with nothing to free, if it is
 * incomplete or not a machine's: a name occurs twice, or is not a run file's, or run.ini is missing. */
bool sums_read(struct sums *sums, const char *text, size_t size);
void sums_free(struct sums *sums);

/* Reads the open file from its start, and returns whether its size and checksum match. */
bool sums_right(const struct sums_row *row, int file);

#endif
