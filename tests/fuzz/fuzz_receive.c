/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Runs 'ibsprof receive' on lines that are in order one by one and need not fit together: heads and blocks that the
 * input names, with its bytes between. In one go and in pieces the files are the same, one that is complete has its
 * checksum, and what is written to a folder and taken up again is as complete as before.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/crc32c.h"
#include "tools/ibsprof/receive/folder.h"
#include "tools/ibsprof/receive/received.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { TEXT = 1 << 16, RAW_MOST = 15 };

static char text[TEXT];
static size_t length;

static void put_line(const struct transfer_block *block)
{
    char line[TRANSFER_LINE_MAX + 1];
    size_t line_size = transfer_encode(block, line);

    if (length + line_size > sizeof(text))
        return;
    memcpy(text + length, line, line_size);
    length += line_size;
}

static size_t take(const uint8_t **data, size_t *size, void *ret, size_t most)
{
    size_t part = most < *size ? most : *size;

    memcpy(ret, *data, part);
    *data += part;
    *size -= part;
    return part;
}

/* Three bytes of what comes next: the kind and the file; a number; a size. A head has the checksum of that many zeros,
 * or of what the next bytes say. */
static void put_next(const uint8_t **data, size_t *size)
{
    uint8_t what[3] = {0}, zeros[256] = {0};
    struct transfer_block block = {.run = 1};
    struct transfer_head head = {.files = 3, .folder = "0001-a", .name = "a"};

    take(data, size, what, sizeof(what));
    block.run += what[0] >> 2 & 1;
    block.file = (what[0] & 0xF8) == 0xF8 ? TRANSFER_END : what[0] >> 3 & 3;
    if ((what[0] & 3) == 0) {
        head.size = what[2];
        head.crc = crc32c(0, zeros, what[2]);
        head.name[0] = (char)('a' + block.file);
        if (what[1] & 1)
            take(data, size, &head.crc, sizeof(head.crc));
        if (what[1] & 2)
            take(data, size, &head.size, sizeof(head.size));
        if (what[1] & 4)
            take(data, size, head.name, 2);
        if (what[1] & 8)
            take(data, size, head.folder, 6);
        if (transfer_head_write(&head, block.run, block.file, &block))
            put_line(&block);
    } else if ((what[0] & 3) == 1) {
        block.number = what[1];
        block.size = what[2] < TRANSFER_BYTES ? what[2] : TRANSFER_BYTES;
        put_line(&block);
    } else if ((what[0] & 3) == 2) {
        block.number = (uint32_t)what[1] << 8 >> (what[2] & 15);
        block.size = (uint8_t)take(data, size, block.bytes, what[2] >> 4);
        put_line(&block);
    } else if (length + RAW_MOST <= sizeof(text)) {
        length += take(data, size, text + length, what[1] % (RAW_MOST + 1));
    }
}

static unsigned complete(const struct collection *collection)
{
    unsigned count = 0;

    for (uint32_t i = 0; i < collection->runs; i++)
        for (unsigned f = 0; f < TRANSFER_END; f++) {
            const struct received_file *file = &collection->run[i]->file[f];

            if (!received_file_complete(file))
                continue;
            if (received_file_wrong(file) || crc32c(0, file->bytes, file->head.size) != file->head.crc)
                abort();
            count += f < collection->run[i]->files;
        }
    return count;
}

/* Removes the folder and everything in it. */
static void remove_all(const char *folder)
{
    DIR *entries = opendir(folder);

    for (const struct dirent *entry; entries && (entry = readdir(entries)) != NULL;) {
        char path[512];

        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
        if (unlink(path) != 0)
            remove_all(path);
    }
    if (entries)
        closedir(entries);
    (void)rmdir(folder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct collection whole = {0}, pieces = {0}, again = {0};
    char to[] = "/dev/shm/fuzz_receive-XXXXXX", on_disk[] = "/tmp/fuzz_receive-XXXXXX"; /* the first is faster */
    const char *folder_to = mkdtemp(to) ? to : mkdtemp(on_disk);
    FILE *said = fopen("/dev/null", "w");

    length = 0;
    while (size > 0)
        put_next(&data, &size);
    collect_text(&whole, text, length);
    collect_end(&whole);
    for (size_t at = 0; at < length; at += 7)
        collect_text(&pieces, text + at, length - at < 7 ? length - at : 7);
    collect_end(&pieces);
    if (whole.blocks != pieces.blocks || whole.runs != pieces.runs || complete(&whole) != complete(&pieces) || !said ||
        !folder_to)
        abort();
    for (uint32_t i = 0; i < whole.runs; i++) {
        char *folder = NULL;

        if (whole.run[i]->files == 0)
            continue;
        if (!received_write(whole.run[i], folder_to, &folder))
            abort();
        received_print(said, whole.run[i], folder);
        free(folder);
    }
    /* A run that is complete leaves no lines, and there is nothing to be taken up. */
    received_resume(&again, folder_to);
    for (uint32_t i = 0; i < again.runs; i++)
        for (uint32_t k = 0; k < whole.runs; k++)
            for (unsigned f = 0; again.run[i]->number == whole.run[k]->number && f < again.run[i]->files; f++)
                if (received_file_complete(&whole.run[k]->file[f]) && !received_file_complete(&again.run[i]->file[f]))
                    abort();
    remove_all(folder_to);
    fclose(said);
    collect_free(&whole);
    collect_free(&pieces);
    collect_free(&again);
    return 0;
}
