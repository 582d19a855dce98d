/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/receive/collect.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/crc32c.h"
#include "tools/ibsprof/base/must.h"

enum { LARGEST = 1 << 30 }; /* bytes of a file: limits memory if a damaged head looks right */

static struct received_run *run_of(struct collection *collection, uint32_t number)
{
    for (uint32_t i = 0; i < collection->runs; i++)
        if (collection->run[i]->number == number)
            return collection->run[i];
    struct received_run *run = must_new(run);

    run->number = number;
    *must_add(collection->run, collection->runs) = run;
    return run;
}

/* Returns whether the receiver itself uses this name in a run's folder (receive/folder.c). */
static bool is_ours(const char *name)
{
    size_t length = strlen(name);

    return strcmp(name, RECEIVED_LINES) == 0 || (length >= 4 && strcmp(name + length - 4, ".new") == 0);
}

/* Returns false for a head that no machine of ours sends. */
static bool add_head(struct received_run *run, const struct transfer_block *block)
{
    struct transfer_head head = {0};
    struct received_file *file = &run->file[block->file];

    if (!transfer_head_read(block, &head) || is_ours(head.name))
        return false;
    if (!run->files) {
        run->files = head.files;
        memcpy(run->folder, head.folder, sizeof(run->folder));
    }
    run->ended = block->file == TRANSFER_END;
    if (run->ended)
        return true;
    if (file->known && (file->head.size != head.size || file->head.crc != head.crc ||
                        strcmp(file->head.name, head.name) != 0 || strcmp(file->head.folder, head.folder) != 0))
        file->wrong = true;
    file->known = true;
    file->head = head;
    return true;
}

static void add_data(struct received_run *run, const struct transfer_block *block)
{
    struct received_file *file = &run->file[block->file];

    if (block->file == TRANSFER_END || block->number >= LARGEST / TRANSFER_BYTES)
        return;
    if (block->number >= file->room) {
        uint32_t room = file->room ? file->room : 64;

        while (room <= block->number)
            room *= 2;
        file->bytes = must_grow(file->bytes, room, TRANSFER_BYTES);
        file->size = must_grow(file->size, room, 1);
        memset(file->size + file->room, 0, room - file->room);
        file->room = room;
    }
    uint8_t *bytes = file->bytes + (size_t)block->number * TRANSFER_BYTES, *size = &file->size[block->number];

    if (*size && (*size != block->size + 1 || memcmp(bytes, block->bytes, block->size) != 0))
        file->wrong = true;
    file->count += *size == 0;
    *size = (uint8_t)(block->size + 1);
    memcpy(bytes, block->bytes, block->size);
    run->ended = false;
}

void collect_text(struct collection *collection, const char *text, size_t size)
{
    struct transfer_block block;
    enum transfer_found found;
    size_t at = 0;

    collection->rest = must_grow(collection->rest, collection->rest_size + size + 1, 1);
    memcpy(collection->rest + collection->rest_size, text, size);
    size += collection->rest_size;
    while ((found = transfer_find(collection->rest, size, &at, &block)) != TRANSFER_NONE) {
        collection->damaged += found == TRANSFER_DAMAGED;
        collection->blocks += found == TRANSFER_BLOCK;
        if (found == TRANSFER_BLOCK && block.number == TRANSFER_HEAD)
            collection->damaged += !add_head(run_of(collection, block.run), &block);
        else if (found == TRANSFER_BLOCK)
            add_data(run_of(collection, block.run), &block);
    }
    collection->rest_size = size - at;
    memmove(collection->rest, collection->rest + at, size - at);
}

void collect_end(struct collection *collection)
{
    collection->damaged += collection->rest_size >= 5; /* "ibs1:" */
    collection->rest_size = 0;
}

void collect_file(struct received_run *run, uint8_t number, const void *bytes)
{
    const struct transfer_head *head = &run->file[number].head;
    struct transfer_block block = {.run = run->number, .file = number};
    uint64_t left = head->size;

    for (; left > 0; left -= block.size, block.number++) {
        block.size = (uint8_t)(left < TRANSFER_BYTES ? left : TRANSFER_BYTES);
        memcpy(block.bytes, (const uint8_t *)bytes + (size_t)block.number * TRANSFER_BYTES, block.size);
        add_data(run, &block);
    }
}

/* Returns whether all blocks have arrived, each with the length that follows from the file's size. */
static bool all_there(const struct received_file *file)
{
    uint32_t blocks = transfer_blocks(file->head.size);

    if (!file->known || file->count != blocks || blocks > file->room)
        return false;
    for (uint32_t i = 0; i < blocks; i++) {
        uint64_t left = file->head.size - (uint64_t)i * TRANSFER_BYTES;

        if (file->size[i] != (left < TRANSFER_BYTES ? left : TRANSFER_BYTES) + 1)
            return false;
    }
    return true;
}

static bool sum_is_right(const struct received_file *file)
{
    return crc32c(0, file->bytes, file->head.size) == file->head.crc;
}

bool received_file_complete(const struct received_file *file)
{
    return !file->wrong && all_there(file) && sum_is_right(file);
}

bool received_file_wrong(const struct received_file *file)
{
    return file->wrong || (all_there(file) && !sum_is_right(file));
}

bool received_run_complete(const struct received_run *run)
{
    for (uint32_t i = 0; i < run->files; i++)
        if (!received_file_complete(&run->file[i]))
            return false;
    return run->files > 0;
}

void collect_free(struct collection *collection)
{
    for (uint32_t i = 0; i < collection->runs; i++) {
        for (unsigned f = 0; f < TRANSFER_END; f++) {
            free(collection->run[i]->file[f].bytes);
            free(collection->run[i]->file[f].size);
        }
        free(collection->run[i]);
    }
    free(collection->run);
    free(collection->rest);
    *collection = (struct collection){0};
}
