/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/receive/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/crc32c.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/out_file.h"
#include "tools/ibsprof/base/terminal.h"
#include "tools/ibsprof/read/run_folder.h"

/* Reads a whole file; returns NULL if it is unreadable. */
static char *read_all(const char *path, size_t *ret_size)
{
    FILE *file = fopen(path, "rb");
    char *bytes = NULL;
    size_t size = 0, part = 1;

    while (file && part > 0) {
        bytes = must_grow(bytes, size + (1 << 16), 1);
        part = fread(bytes + size, 1, 1 << 16, file);
        size += part;
    }
    if (file)
        fclose(file);
    *ret_size = size;
    return bytes;
}

/* Returns whether the folder has this file of the run, exactly as sent. */
static bool has_file(const char *folder, const struct transfer_head *head, char **ret_bytes)
{
    char *path = must_text("%s/%s", folder, head->name);
    size_t size;
    char *bytes = read_all(path, &size);
    bool same = bytes && size == head->size && crc32c(0, bytes, size) == head->crc;

    free(path);
    if (ret_bytes && same)
        *ret_bytes = bytes;
    else
        free(bytes);
    return same;
}

/* Reads complete files, of which the lines have only the head. */
static void add_files(struct collection *collection, const char *folder)
{
    for (uint32_t i = 0; i < collection->runs; i++)
        for (unsigned f = 0; f < collection->run[i]->files; f++) {
            const struct received_file *file = &collection->run[i]->file[f];
            char *bytes;

            if (!file->known || file->count || !has_file(folder, &file->head, &bytes))
                continue;
            collect_file(collection->run[i], (uint8_t)f, bytes);
            free(bytes);
        }
}

void received_resume(struct collection *collection, const char *to)
{
    struct dirent **entries;
    int count = scandir(to, &entries, NULL, alphasort);

    for (int i = 0; i < count; i++) {
        char *folder = must_text("%s/%s", to, entries[i]->d_name), *path = must_text("%s/%s", folder, RECEIVED_LINES);
        size_t size;
        char *lines = read_all(path, &size);

        if (lines) {
            collect_text(collection, lines, size);
            collect_end(collection);
            add_files(collection, folder);
        }
        free(lines);
        free(path);
        free(folder);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

/* ---------------------------------------------------------------- writing */

static bool write_all(const char *folder, const char *name, const void *bytes, size_t size)
{
    char *path = must_text("%s/%s", folder, name);
    bool good = output_replace(path, bytes, size);

    free(path);
    return good;
}

static void put_line(FILE *to, const struct transfer_block *block)
{
    char line[TRANSFER_LINE_MAX + 1];

    transfer_encode(block, line);
    fprintf(to, "%s\n", line);
}

/* Writes heads of all files, and blocks of incomplete ones, but no contradictory parts. */
static bool write_lines(const struct received_run *run, const char *folder)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = must_have(open_memstream(&text, &size));
    bool good;

    for (unsigned f = 0; f < TRANSFER_END; f++) {
        const struct received_file *file = &run->file[f];
        struct transfer_block block;

        if (received_file_wrong(file))
            continue;
        if (file->known && transfer_head_write(&file->head, run->number, (uint8_t)f, &block))
            put_line(to, &block);
        for (uint32_t i = 0; i < file->room && !received_file_complete(file); i++) {
            if (!file->size[i])
                continue;
            block = (struct transfer_block){run->number, (uint8_t)f, i, (uint8_t)(file->size[i] - 1), {0}};
            memcpy(block.bytes, file->bytes + (size_t)i * TRANSFER_BYTES, block.size);
            put_line(to, &block);
        }
    }
    good = fclose(to) == 0 && write_all(folder, RECEIVED_LINES, text, size);
    free(text);
    return good;
}

/* Returns whether the folder is missing, or this run's: it has lines of its number, or an equal file, and none that
 * differs. */
static bool is_free(const struct received_run *run, const char *folder)
{
    char *path = must_text("%s/%s", folder, RECEIVED_LINES), *wanted = must_text("ibs1:%08X:", run->number);
    bool same = access(folder, F_OK) != 0, other = false;
    size_t size;
    char *lines = read_all(path, &size);

    if (lines && size >= strlen(wanted))
        same = memcmp(lines, wanted, strlen(wanted)) == 0;
    for (unsigned f = 0; f < run->files; f++) {
        const struct received_file *file = &run->file[f];

        if (!file->known || !run_folder_has(folder, file->head.name))
            continue;
        same |= has_file(folder, &file->head, NULL);
        other |= !has_file(folder, &file->head, NULL);
    }
    free(lines);
    free(wanted);
    free(path);
    return same && !other;
}

bool received_write(const struct received_run *run, const char *to, char **ret_folder)
{
    char *folder = must_text("%s/%s", to, run->folder);
    bool good;

    if (!is_free(run, folder)) {
        free(folder);
        folder = must_text("%s/%s-%08x", to, run->folder, run->number);
    }
    *ret_folder = folder;
    if (!is_free(run, folder)) {
        complain("%s: has files of another run: give another folder by --to", folder);
        return false;
    }
    good = output_make_folders(folder);
    for (unsigned f = 0; good && f < run->files; f++) {
        const struct received_file *file = &run->file[f];

        if (received_file_complete(file) && !has_file(folder, &file->head, NULL))
            good = write_all(folder, file->head.name, file->bytes ? file->bytes : (const uint8_t *)"", file->head.size);
    }
    if (good && received_run_complete(run)) {
        char *path = must_text("%s/%s", folder, RECEIVED_LINES);

        (void)unlink(path); /* mostly, it is not there */
        free(path);
    } else if (good) {
        good = write_lines(run, folder);
    }
    return good;
}
