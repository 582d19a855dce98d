/* SPDX-License-Identifier: BSD-2-Clause */
/* Views from files, in addition to the built-in ones; the contract is in views.h. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/terminal.h"
#include "tools/ibsprof/views/views.h"

enum { FILE_MAX = 64 * 1024, FOLDERS_ABOVE = 2 };

/* ---------------------------------------------------------------- files */

static void tell(struct out *out, const char *text, size_t length)
{
    (void)out;
    fwrite(text, 1, length, stderr);
}

/* Problems arrive in pieces; each line gets the program's name as a prefix. */
struct complaints {
    struct out out;
    bool inside; /* within a line */
};

static void write_complaint(struct out *out, const char *text, size_t length)
{
    struct complaints *complaints = (struct complaints *)out; /* 'out' is its first member */

    for (size_t i = 0; i < length; i++) {
        if (!complaints->inside)
            tell(NULL, "ibsprof: ", 9);
        complaints->inside = text[i] != '\n';
        tell(NULL, complaints->inside && iscntrl((unsigned char)text[i]) ? "?" : text + i, 1);
    }
}

bool views_add(struct views *views, const char *name, const char *text, size_t size)
{
    struct complaints complaints = {.out.write = write_complaint};

    return views_parse(views, name, text, size, &complaints.out);
}

bool views_load(struct views *views, const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = must_alloc(FILE_MAX + 1, 1);
    size_t size = file ? fread(text, 1, FILE_MAX + 1, file) : 0;
    bool good = false;

    if (!file || ferror(file))
        complain("%s: cannot be read: %s", path, strerror(errno));
    else if (size > FILE_MAX)
        complain("%s: a file of views has at most %d bytes", path, FILE_MAX);
    else
        good = views_add(views, path, text, size);
    if (file)
        fclose(file);
    free(text);
    return good;
}

/* ---------------------------------------------------------------- usual places */

static bool is_file(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

static int is_ini(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);

    return entry->d_name[0] != '.' && length > 4 && strcmp(entry->d_name + length - 4, ".ini") == 0;
}

static void load_folder(struct views *views, const char *folder)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, is_ini, alphasort);

    for (int i = 0; i < count; i++) {
        char *path = must_text("%s/%s", folder, entries[i]->d_name);

        (void)views_load(views, path);
        free(path);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

static void load_beside(struct views *views, const char *run)
{
    char *folder = realpath(run, NULL), *slash;

    if (folder && is_file(folder) && (slash = strrchr(folder, '/')))
        *slash = '\0';
    for (unsigned up = 0; folder && folder[0] && up <= FOLDERS_ABOVE; up++) {
        char *path = must_text("%s/views.ini", folder);

        if (is_file(path))
            (void)views_load(views, path);
        free(path);
        slash = strrchr(folder, '/');
        if (slash)
            *slash = '\0';
    }
    free(folder);
}

void views_load_usual(struct views *views, const char *run)
{
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    char *folder = config && config[0] == '/' ? must_text("%s/ibsprof/views", config)
                   : home                     ? must_text("%s/.config/ibsprof/views", home)
                                              : NULL;

    if (run)
        load_beside(views, run);
    if (folder)
        load_folder(views, folder);
    free(folder);
}

/* ---------------------------------------------------------------- all of them */

const struct view *views_at(const struct views *views, unsigned index)
{
    unsigned compiled = 0;

    while (view_at(compiled))
        compiled++;
    if (index < compiled)
        return view_at(index);
    return views && index - compiled < views->count ? views_view(views->view[index - compiled]) : NULL;
}

const struct view *views_find(const struct views *views, const char *name)
{
    const struct view *view = NULL;

    for (unsigned i = 0; (view = views_at(views, i)); i++)
        if (strcmp(view->name, name) == 0)
            break;
    return view;
}
