/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Files of a run as lines of text, for a serial line on which others write too. A line is a block of one file:
 *
 *     ibs1:RRRRRRRR:FF:NNNNNN:base64:CCCCCCCC
 *
 * has the numbers of the run, the file and the block, up to 192 bytes, and CRC-32C of all characters before it from
 * "ibs1" on; numbers are hexadecimal. Block FFFFFF is the file's head: its size, checksum and name; file FF has a head
 * only, which ends a transmission.
 *
 * Lines are text, because consoles over a network (serial over LAN) and programs that log a console drop or change
 * control characters. Text of a console may come before, between and after them. A line begins with its own first
 * characters, not after an end of line, so a damaged one spoils no other.
 */
#ifndef CORE_TRANSFER_H
#define CORE_TRANSFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TRANSFER_BYTES = 192, /* of a file in a block; a multiple of 3 */
    TRANSFER_LINE_MAX = 5 + 9 + 3 + 7 + TRANSFER_BYTES / 3 * 4 + 9,
    TRANSFER_HEAD = 0xFFFFFF,
    TRANSFER_END = 0xFF,
    TRANSFER_NAME_MAX = 79, /* of a folder, of a file */
};

struct transfer_block {
    uint32_t run;
    uint8_t file;
    uint32_t number; /* below 2^24; the block begins at byte number * TRANSFER_BYTES of the file */
    uint8_t size;    /* 0 to TRANSFER_BYTES */
    uint8_t bytes[TRANSFER_BYTES];
};

/* Writes the line, without an end of line, and returns its length. */
size_t transfer_encode(const struct transfer_block *block, char line[TRANSFER_LINE_MAX + 1]);

enum transfer_found {
    TRANSFER_NONE,    /* no more lines; *at: start of an incomplete line, or the text's end */
    TRANSFER_DAMAGED, /* a damaged line begins there */
    TRANSFER_BLOCK,
};

/* Finds the next line in text[*at..size - 1], and moves *at after it, or after the first character of a damaged one.
 */
enum transfer_found transfer_find(const char *text, size_t size, size_t *at, struct transfer_block *ret_block);

/* Tells whether this is a name of a file or folder anywhere: 1 to TRANSFER_NAME_MAX letters, digits, '.', '_' and '-',
 * which do not begin with '.'. */
bool transfer_is_name(const char *name, size_t length);

/* Holds what a head says. */
struct transfer_head {
    uint64_t size;                      /* of the file, bytes; below 2^24 - 1 blocks */
    uint32_t crc;                       /* CRC-32C of all of it */
    uint32_t files;                     /* the run's files, numbered 0 to files - 1 */
    char folder[TRANSFER_NAME_MAX + 1]; /* of the run */
    char name[TRANSFER_NAME_MAX + 1];   /* of the file */
};

/* Makes the head of 'file' as a block; returns false if a name is too long, or not one. */
bool transfer_head_write(const struct transfer_head *head, uint32_t run, uint8_t file,
                         struct transfer_block *ret_block);
/* Reads a head; returns false if the block is none, or damaged. */
bool transfer_head_read(const struct transfer_block *block, struct transfer_head *ret_head);

/* Returns the blocks of a file of that many bytes. */
static inline uint32_t transfer_blocks(uint64_t size)
{
    return (uint32_t)((size + TRANSFER_BYTES - 1) / TRANSFER_BYTES);
}

#endif
