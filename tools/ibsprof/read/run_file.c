#include "tools/ibsprof/read/run_file.h"

#include <glob.h>
#include <string.h>

static FILE *open_one(const char *pattern)
{
    FILE *file = NULL;
    glob_t found;

    if (glob(pattern, GLOB_NOSORT, NULL, &found) == 0) {
        if (found.gl_pathc == 1)
            file = fopen(found.gl_pathv[0], "r");
        globfree(&found);
    }
    return file;
}

FILE *run_file_open(const char *path, const char *name)
{
    static const char *const below[] = {"", "*/", "runs/*/"};
    char escaped[8192], pattern[8400];
    size_t length = 0, folder = 0;
    FILE *file;

    for (; *path && length + 2 < sizeof(escaped); path++) {
        if (strchr("*?[\\", *path))
            escaped[length++] = '\\';
        escaped[length++] = *path;
        if (*path == '/')
            folder = length;
    }
    escaped[length] = '\0';
    for (unsigned i = 0; i < sizeof(below) / sizeof(below[0]); i++) {
        snprintf(pattern, sizeof(pattern), "%s/%s%s", escaped, below[i], name);
        file = open_one(pattern);
        if (file)
            return file;
    }
    if (length < 9 || strcmp(escaped + length - 9, "perf.data") != 0)
        return NULL;
    snprintf(pattern, sizeof(pattern), "%.*s%s", (int)folder, escaped, name);
    return open_one(pattern);
}
