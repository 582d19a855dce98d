/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/run/transfer.h"

#include "core/base/crc32c.h"
#include "core/base/mem.h"
#include "core/base/out.h"

/* Where the parts of a line begin, counted from its first character. */
enum { MARK = 5, RUN_DIGITS = 8, FILE_DIGITS = 2, BLOCK_DIGITS = 6, CRC_DIGITS = 8 };
enum { AT_FILE = MARK + RUN_DIGITS + 1, AT_BLOCK = AT_FILE + FILE_DIGITS + 1, AT_DATA = AT_BLOCK + BLOCK_DIGITS + 1 };

static const char mark[] = "ibs1:";

/* RFC 4648 section 4. */
static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

size_t transfer_encode(const struct transfer_block *block, char line[TRANSFER_LINE_MAX + 1])
{
    struct out_memory text;
    size_t length = AT_DATA;

    out_memory_init(&text, line, TRANSFER_LINE_MAX + 1);
    out_printf(&text.out, "%s%08X:%02X:%06X:", mark, block->run, block->file, block->number);
    for (size_t i = 0; i < block->size; i += 3) {
        size_t left = block->size - i;
        uint32_t bits = (uint32_t)block->bytes[i] << 16 | (left > 1 ? (uint32_t)block->bytes[i + 1] << 8 : 0) |
                        (left > 2 ? block->bytes[i + 2] : 0);

        line[length++] = letters[bits >> 18];
        line[length++] = letters[bits >> 12 & 63];
        line[length++] = left > 1 ? letters[bits >> 6 & 63] : '=';
        line[length++] = left > 2 ? letters[bits & 63] : '=';
    }
    out_memory_init(&text, line + length, TRANSFER_LINE_MAX + 1 - length);
    out_printf(&text.out, ":%08X", crc32c(0, line, length));
    return length + 1 + CRC_DIGITS;
}

/* ---------------------------------------------------------------- reading */

/* A line that may be incomplete. */
struct line {
    const char *text;
    size_t size;
};

enum part { PART_GOOD, PART_WRONG, PART_CUT };

/* Reads only the digits that are written, so that each block has one line. */
static enum part number(const struct line *line, size_t at, unsigned digits, char after, uint32_t *ret_value)
{
    uint32_t value = 0;

    for (size_t end = at + digits; at < end; at++) {
        if (at >= line->size)
            return PART_CUT;
        char c = line->text[at];
        if (!((c >= '0' && c <= '9') || (c >= 'A' && c <= 'F')))
            return PART_WRONG;
        value = value << 4 | (uint32_t)(c <= '9' ? c - '0' : c - 'A' + 10);
    }
    if (after && at >= line->size)
        return PART_CUT;
    if (after && line->text[at] != after)
        return PART_WRONG;
    *ret_value = value;
    return PART_GOOD;
}

static int value_of(char c)
{
    return c >= 'A' && c <= 'Z'   ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '+'             ? 62
           : c == '/'             ? 63
                                  : -1;
}

/* Reads four characters as up to three bytes; returns false for others. '=' takes the place of a missing byte. */
static bool three_bytes(const char *four, struct transfer_block *block)
{
    int value[4];
    unsigned count = four[3] != '=' ? 3 : four[2] != '=' ? 2 : 1;
    uint32_t bits = 0;

    for (unsigned i = 0; i < 4; i++) {
        value[i] = i <= count ? value_of(four[i]) : 0;
        if (value[i] < 0)
            return false;
        bits = bits << 6 | (uint32_t)value[i];
    }
    if (block->size + count > TRANSFER_BYTES || (bits & ((1u << (24 - 8 * count)) - 1)))
        return false;
    for (unsigned i = 0; i < count; i++)
        block->bytes[block->size++] = (uint8_t)(bits >> (16 - 8 * i));
    return true;
}

static enum part data(const struct line *line, size_t *at, struct transfer_block *block)
{
    block->size = 0;
    for (;; *at += 4) {
        if (*at >= line->size)
            return PART_CUT;
        if (line->text[*at] == ':')
            return PART_GOOD;
        if (block->size % 3) /* the last four had '=' */
            return PART_WRONG;
        if (*at + 4 > line->size)
            return PART_CUT;
        if (!three_bytes(line->text + *at, block))
            return PART_WRONG;
    }
}

static enum part read_line(const struct line *line, struct transfer_block *block, size_t *ret_length)
{
    uint32_t run = 0, file = 0, block_number = 0, crc = 0;
    size_t at = AT_DATA;
    enum part part = number(line, MARK, RUN_DIGITS, ':', &run);

    if (part == PART_GOOD)
        part = number(line, AT_FILE, FILE_DIGITS, ':', &file);
    if (part == PART_GOOD)
        part = number(line, AT_BLOCK, BLOCK_DIGITS, ':', &block_number);
    if (part == PART_GOOD)
        part = data(line, &at, block);
    if (part == PART_GOOD)
        part = number(line, at + 1, CRC_DIGITS, '\0', &crc);
    if (part == PART_GOOD && crc != crc32c(0, line->text, at))
        part = PART_WRONG;
    if (part != PART_GOOD)
        return part;
    block->run = run;
    block->file = (uint8_t)file;
    block->number = block_number;
    *ret_length = at + 1 + CRC_DIGITS;
    return PART_GOOD;
}

enum transfer_found transfer_find(const char *text, size_t size, size_t *at, struct transfer_block *ret_block)
{
    for (; *at < size; ++*at) {
        struct line line = {text + *at, size - *at};
        size_t length = line.size < MARK ? line.size : MARK;
        struct transfer_block block;
        enum part part;

        if (memcmp(line.text, mark, length) != 0)
            continue;
        part = length < MARK ? PART_CUT : read_line(&line, &block, &length);
        if (part == PART_CUT)
            return TRANSFER_NONE;
        *at += part == PART_GOOD ? length : 1;
        if (part == PART_GOOD)
            *ret_block = block;
        return part == PART_GOOD ? TRANSFER_BLOCK : TRANSFER_DAMAGED;
    }
    return TRANSFER_NONE;
}
