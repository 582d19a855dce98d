/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/ibsprof/files.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void files_make_folders(char *path)
{
    for (char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0777);
        *slash = '/';
    }
}

const char *files_path(const char *name)
{
    static char paths[8][512];
    static unsigned turn;
    char *path = paths[turn++ % 8];

    snprintf(path, sizeof(paths[0]), "build/unit/ibsprof-files/%d/%s", (int)getpid(), name);
    files_make_folders(path);
    return path;
}

const char *files_write(const char *name, const void *bytes, size_t size)
{
    const char *path = files_path(name);
    FILE *file = fopen(path, "wb");

    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
        abort();
    return path;
}

char *files_read(const char *path)
{
    static char text[1 << 20];
    FILE *file = fopen(path, "r");

    if (!file)
        abort();
    text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
    fclose(file);
    return text;
}

void files_remove_all(void)
{
    char command[128];

    snprintf(command, sizeof(command), "rm -rf build/unit/ibsprof-files/%d", (int)getpid());
    if (system(command) != 0)
        abort();
}

int files_end(void **state)
{
    (void)state;
    files_remove_all();
    return 0;
}

const char *files_names(const char *folder)
{
    static char text[2000];
    struct dirent **entries;
    int count = scandir(files_path(folder), &entries, NULL, alphasort);

    text[0] = '\0';
    for (int i = 0; i < count; i++) {
        if (strcmp(entries[i]->d_name, ".") != 0 && strcmp(entries[i]->d_name, "..") != 0)
            strcat(strcat(text, entries[i]->d_name), " ");
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return text;
}
