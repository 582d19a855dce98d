/* SPDX-License-Identifier: BSD-2-Clause */
/* The head of a file: "SIZE CRC FILES FOLDER NAME". */
#include "core/base/mem.h"
#include "core/base/out.h"
#include "core/base/str.h"
#include "core/run/transfer.h"

enum { SIZE_BLOCKS_MAX = TRANSFER_HEAD }; /* blocks are 0 to TRANSFER_HEAD - 1 */

bool transfer_is_name(const char *name, size_t length)
{
    if (!length || length > TRANSFER_NAME_MAX || name[0] == '.')
        return false;
    for (size_t i = 0; i < length; i++) {
        char c = name[i];

        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
              c == '-'))
            return false;
    }
    return true;
}

bool transfer_head_write(const struct transfer_head *head, uint32_t run, uint8_t file, struct transfer_block *ret_block)
{
    struct transfer_block block = {.run = run, .file = file, .number = TRANSFER_HEAD};
    struct out_memory text;

    if (!transfer_is_name(head->folder, strlen(head->folder)) || !transfer_is_name(head->name, strlen(head->name)))
        return false;
    out_memory_init(&text, (char *)block.bytes, sizeof(block.bytes));
    out_printf(&text.out, "%lu 0x%x %u %s %s", head->size, head->crc, head->files, head->folder, head->name);
    if (text.needed >= sizeof(block.bytes))
        return false;
    block.size = (uint8_t)text.needed;
    *ret_block = block;
    return true;
}

/* Takes the word from *at to the next blank or the end; *at is then after the blank. */
static size_t word(const char *text, size_t size, size_t *at, const char **ret_word)
{
    size_t length = 0;

    *ret_word = text + *at;
    while (*at + length < size && text[*at + length] != ' ')
        length++;
    *at += length + (*at + length < size);
    return length;
}

static bool number(const char *text, size_t size, size_t *at, uint64_t max, uint64_t *ret_value)
{
    const char *digits;
    size_t length = word(text, size, at, &digits);

    return str_to_uint(digits, length, ret_value) && *ret_value <= max;
}

static bool name(const char *text, size_t size, size_t *at, char (*ret_name)[TRANSFER_NAME_MAX + 1])
{
    const char *from;
    size_t length = word(text, size, at, &from);

    if (!transfer_is_name(from, length))
        return false;
    memcpy(*ret_name, from, length);
    (*ret_name)[length] = '\0';
    return true;
}

bool transfer_head_read(const struct transfer_block *block, struct transfer_head *ret_head)
{
    const char *text = (const char *)block->bytes;
    struct transfer_head head;
    uint64_t crc, files;
    size_t at = 0;

    if (block->number != TRANSFER_HEAD || !block->size || text[block->size - 1] == ' ' ||
        !number(text, block->size, &at, UINT64_MAX, &head.size) || !number(text, block->size, &at, UINT32_MAX, &crc) ||
        !number(text, block->size, &at, TRANSFER_END, &files) || !name(text, block->size, &at, &head.folder) ||
        !name(text, block->size, &at, &head.name) || at != block->size)
        return false;
    if (head.size > (uint64_t)SIZE_BLOCKS_MAX * TRANSFER_BYTES || (block->file != TRANSFER_END && block->file >= files))
        return false;
    head.crc = (uint32_t)crc;
    head.files = (uint32_t)files;
    *ret_head = head;
    return true;
}
