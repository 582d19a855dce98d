/* SPDX-License-Identifier: BSD-2-Clause */
/* sums.txt of a run on a boot server: the files that the machine has sent, each with its size and CRC-32C
 * (efi/receipt.c). */
#ifndef TOOLS_IBSPROF_RECEIVE_SUMS_H
#define TOOLS_IBSPROF_RECEIVE_SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SUMS_NAME "sums.txt"
enum { SUMS_MAX = 2048 }; /* bytes of the text: as many as a machine has room for */

struct sums_row {
    char *name;
    uint64_t size; /* bytes */
    uint32_t crc;
};

struct sums {
    struct sums_row *row;
    uint32_t count;
};

/* Reads the text: a line "try N", a row for each file, and "end". False, and nothing to free: it is not whole, or no
 * machine writes it so: a name twice, one that no file may have, or not run.ini among them. */
bool sums_read(struct sums *sums, const char *text, size_t size);
void sums_free(struct sums *sums);

/* Reads the open file from its beginning: has it these bytes? */
bool sums_right(const struct sums_row *row, int file);

#endif
