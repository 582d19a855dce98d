#include "tools/ibsprof/read/run_list.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/ibsprof/base/must.h"

static void add(struct run_list *list, const char *path, size_t length)
{
    list->path = must_grow(list->path, list->count + 1, sizeof(*list->path));
    list->path[list->count] = must_alloc(length + 1, 1);
    memcpy(list->path[list->count++], path, length);
}

static bool has(const char *folder, const char *name)
{
    char path[4096];

    return snprintf(path, sizeof(path), "%s/%s", folder, name) < (int)sizeof(path) && access(path, F_OK) == 0;
}

void run_list_add(struct run_list *list, const char *path)
{
    /* Of runs their folders; of the twin's noise the files themselves. */
    static const struct {
        const char *below;
        size_t cut;
    } patterns[] = {{"/*/run.ini", 8}, {"/runs/*/run.ini", 8}, {"/run-*.json", 0}};
    char escaped[8192], pattern[8400];
    size_t length = 0;
    uint32_t before = list->count;

    if (has(path, "run.ini") || has(path, "perf.data")) {
        add(list, path, strlen(path));
        return;
    }
    for (const char *at = path; *at && length + 2 < sizeof(escaped); at++) {
        if (strchr("*?[\\", *at))
            escaped[length++] = '\\';
        escaped[length++] = *at;
    }
    escaped[length] = '\0';
    for (unsigned i = 0; i < sizeof(patterns) / sizeof(patterns[0]) && list->count == before; i++) {
        glob_t found;

        snprintf(pattern, sizeof(pattern), "%s%s", escaped, patterns[i].below);
        if (glob(pattern, 0, NULL, &found) != 0)
            continue;
        for (size_t k = 0; k < found.gl_pathc; k++)
            add(list, found.gl_pathv[k], strlen(found.gl_pathv[k]) - patterns[i].cut);
        globfree(&found);
    }
    if (list->count == before)
        add(list, path, strlen(path));
}

void run_list_free(struct run_list *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        free(list->path[i]);
    free(list->path);
    *list = (struct run_list){0};
}
