/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lines of a serial port from hostile bytes: read to the end in one go and in pieces, with the same blocks; each block
 * that is read is written as the very line it was read from; names lead nowhere. Then the bytes as a block of their own
 * among them.
 */
#include <stdlib.h>
#include <string.h>

#include "core/run/transfer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look(const struct transfer_block *block, const char *text, size_t end)
{
    char line[TRANSFER_LINE_MAX + 1];
    struct transfer_head head;
    size_t length = transfer_encode(block, line);

    if (length > end || memcmp(text + end - length, line, length) != 0)
        abort();
    if (transfer_head_read(block, &head) &&
        (strchr(head.name, '/') || strchr(head.folder, '/') || head.name[0] == '.' || head.folder[0] == '.'))
        abort();
}

/* Blocks that are there, with 'step' more bytes known each time. */
static unsigned blocks(const char *text, size_t size, size_t step)
{
    size_t at = 0;
    unsigned count = 0;

    for (size_t known = step < size ? step : size;; known = known + step < size ? known + step : size) {
        struct transfer_block block;
        enum transfer_found found;

        while ((found = transfer_find(text, known, &at, &block)) != TRANSFER_NONE)
            if (found == TRANSFER_BLOCK) {
                look(&block, text, at);
                count++;
            }
        if (at > known)
            abort();
        if (known == size)
            return count;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct transfer_block block = {
        .run = 1, .number = TRANSFER_HEAD, .size = (uint8_t)(size < TRANSFER_BYTES ? size : TRANSFER_BYTES)};
    char *text = malloc(2 * size + TRANSFER_LINE_MAX + 1);
    size_t length;
    unsigned count;

    memcpy(text, data, size);
    memcpy(block.bytes, data, block.size);
    count = blocks(text, size, size + 1);
    if (blocks(text, size, 7) != count)
        abort();
    length = size + transfer_encode(&block, text + size);
    memcpy(text + length, data, size);
    if (blocks(text, length + size, length + size + 1) == 0)
        abort();
    free(text);
    return 0;
}
