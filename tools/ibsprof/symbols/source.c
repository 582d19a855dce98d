/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/symbols/source.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/ibsprof/base/must.h"

#include "core/base/str.h"

enum { FILES = 64, LINE_BYTES = 200, FILE_BYTES = 16 << 20, FOLDERS_UP = 5 /* build/runs/TIME/runs/RUN */ };

struct source_file {
    char *object_path, *name; /* key of the search */
    char *text;               /* NULL: not found */
    size_t size;
    unsigned line; /* start of the last answer, so that the next lines are found quickly */
    size_t at;
};

struct source {
    struct source_file file[FILES]; /* the latest files */
    unsigned next;
    const char *folder; /* searched first, or NULL */
    char line[LINE_BYTES + 1];
};

struct source *source_new(void)
{
    return must_alloc(1, sizeof(struct source));
}

void source_look_in(struct source *source, const char *folder)
{
    source->folder = folder;
}

static void forget(struct source_file *file)
{
    free(file->object_path);
    free(file->name);
    free(file->text);
    memset(file, 0, sizeof(*file));
}

void source_free(struct source *source)
{
    if (!source)
        return;
    for (unsigned i = 0; i < FILES; i++)
        forget(&source->file[i]);
    free(source);
}

static bool read_file(struct source_file *file, const char *path)
{
    struct stat status;
    FILE *from;

    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size > FILE_BYTES)
        return false;
    from = fopen(path, "r");
    if (!from)
        return false;
    file->text = must_alloc((size_t)status.st_size, 1);
    file->size = fread(file->text, 1, (size_t)status.st_size, from);
    fclose(from);
    return true;
}

static bool read_in(struct source_file *file, const char *folder, const char *name)
{
    char path[8400];

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    return read_file(file, path);
}

static void read_somewhere(struct source_file *file, const char *first)
{
    char folder[4096];

    if (first && (read_in(file, first, file->name) || read_in(file, first, str_basename(file->name))))
        return;
    if (read_file(file, file->name) || file->name[0] == '/' || file->object_path[0] == '\0')
        return;
    snprintf(folder, sizeof(folder), "%s", file->object_path);
    for (unsigned up = 0; up <= FOLDERS_UP; up++) {
        char *slash = strrchr(folder, '/');

        if (!slash)
            return;
        *slash = '\0';
        if (read_in(file, folder, file->name))
            return;
    }
}

static struct source_file *find_or_read(struct source *source, const char *object_path, const char *name)
{
    struct source_file *file;

    for (unsigned i = 0; i < FILES; i++) {
        file = &source->file[i];
        if (file->name && strcmp(file->name, name) == 0 && strcmp(file->object_path, object_path) == 0)
            return file;
    }
    file = &source->file[source->next];
    source->next = (source->next + 1) % FILES;
    forget(file);
    file->object_path = must_copy(object_path);
    file->name = must_copy(name);
    file->line = 1;
    read_somewhere(file, source->folder);
    return file;
}

const char *source_line(struct source *source, const char *object_path, const char *name, unsigned line)
{
    struct source_file *file = find_or_read(source, object_path ? object_path : "", name);
    const char *begin, *end;
    size_t length;

    if (!file->text || line == 0)
        return NULL;
    if (line < file->line) {
        file->line = 1;
        file->at = 0;
    }
    while (file->line < line) {
        end = memchr(file->text + file->at, '\n', file->size - file->at);
        if (!end)
            return NULL;
        file->at = (size_t)(end + 1 - file->text);
        file->line++;
    }
    if (file->at >= file->size)
        return NULL;
    begin = file->text + file->at;
    end = memchr(begin, '\n', file->size - file->at);
    length = end ? (size_t)(end - begin) : file->size - file->at;
    if (length && begin[length - 1] == '\r')
        length--;
    if (length > LINE_BYTES)
        length = LINE_BYTES;
    memcpy(source->line, begin, length);
    source->line[length] = '\0';
    return source->line;
}
