/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/symbols/debuginfod.h"
#include "tools/ibsprof/symbols/object_find.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* build/runs/TIME/runs/RUN: the project's build folder is four above a run, and the run itself counts. */
enum { ID_MAX = 20, FOLDERS_UP = 6 };

struct finder {
    struct object_files *files;
    const uint8_t *id;
    size_t id_size;
    bool another_id; /* a file of that name has another build-id */
};

static bool id_fits(const struct finder *finder, const struct elf_file *file)
{
    const uint8_t *id;
    size_t size;

    if (finder->id_size == 0)
        return true;
    size = elf_file_build_id(file, &id);
    return size >= finder->id_size && memcmp(id, finder->id, finder->id_size) == 0;
}

/* Takes the file as code, or as symbols, if these are missing. Returns true when nothing is missing any more. */
static bool try_path(struct finder *finder, const char *path)
{
    struct object_files *files = finder->files;
    const char *problem;
    struct elf_file *file;

    if (files->code && elf_file_has_symbols(files->symbols))
        return true;
    file = elf_file_open(path, &problem);
    if (!file)
        return false;
    if (!id_fits(finder, file)) {
        finder->another_id = true;
    } else if (!files->code && elf_file_has_code(file)) {
        files->code = file;
        files->path = must_copy(path);
        if (!files->symbols || !elf_file_has_symbols(files->symbols)) {
            if (files->symbols)
                elf_file_close(files->symbols);
            files->symbols = file;
        }
        return elf_file_has_symbols(files->symbols);
    } else if (elf_file_has_symbols(file) && (!files->symbols || files->symbols == files->code) &&
               finder->id_size > 0) {
        files->symbols = file;
        return files->code;
    }
    elf_file_close(file);
    return false;
}

static bool try_in(struct finder *finder, const char *folder, const char *between, const char *name)
{
    char path[PATH_MAX];

    if (snprintf(path, sizeof(path), "%s%s%s", folder, between, name) >= (int)sizeof(path))
        return false;
    return try_path(finder, path);
}

/* Tries a folder of build-ids: "xx/yyyy" is an ELF file (older perf) or a folder with the file "elf" (perf);
 * "xx/yyyy.debug" is from distributions. */
static bool try_id(struct finder *finder, const char *folder, const char *between)
{
    static const char *const forms[] = {"/elf", "", ".debug", "/vdso"};
    char name[2 * ID_MAX + 2];
    size_t used = 0;

    for (size_t i = 0; i < finder->id_size && i < ID_MAX; i++)
        used += (size_t)snprintf(name + used, sizeof(name) - used, i == 0 ? "%02x/" : "%02x", finder->id[i]);
    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
        char form[sizeof(name) + 8];

        snprintf(form, sizeof(form), "%s%s", name, forms[i]);
        if (try_in(finder, folder, between, form))
            return true;
    }
    return false;
}

static bool is_elf(const char *path)
{
    unsigned char magic[4] = {0};
    struct stat status;
    FILE *file;
    bool good;

    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode) || !(file = fopen(path, "rb")))
        return false;
    good = fread(magic, 1, sizeof(magic), file) == sizeof(magic) && memcmp(magic, "\177ELF", sizeof(magic)) == 0;
    fclose(file);
    return good;
}

/* Tries the ELF files in a folder, whatever their names. */
static bool try_all(struct finder *finder, const char *folder)
{
    DIR *files = opendir(folder);
    struct dirent *entry;
    bool found = false;

    while (files && !found && (entry = readdir(files))) {
        char path[PATH_MAX];

        if (snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name) < (int)sizeof(path) && is_elf(path))
            found = try_path(finder, path);
    }
    if (files)
        closedir(files);
    return found;
}

static bool by_id(struct finder *finder, const struct object_search *search)
{
    const char *home = getenv("HOME");

    if (finder->id_size < 2)
        return false;
    for (size_t i = 0; search->debug_dirs && search->debug_dirs[i]; i++)
        if (try_id(finder, search->debug_dirs[i], "/.build-id/") || try_id(finder, search->debug_dirs[i], "/") ||
            try_all(finder, search->debug_dirs[i]))
            return true;
    return (home && try_id(finder, home, "/.debug/.build-id/")) || try_id(finder, "/usr/lib/debug", "/.build-id/");
}

/* Tries the folder of a file, or the folder itself; then those above it. */
static bool beside(struct finder *finder, const char *input, const char *base)
{
    char folder[PATH_MAX];
    struct stat status;

    if (!input || !realpath(input, folder))
        return false;
    if (stat(folder, &status) == 0 && !S_ISDIR(status.st_mode))
        *strrchr(folder, '/') = '\0';
    for (int i = 0; i < FOLDERS_UP; i++) {
        char *slash;

        if (try_in(finder, folder, "/", base))
            return true;
        slash = strrchr(folder, '/');
        if (!slash || slash == folder)
            break;
        *slash = '\0';
    }
    return false;
}

static bool by_name(struct finder *finder, const struct object_search *search, const char *name)
{
    const char *slash = strrchr(name, '/');
    const char *base = slash ? slash + 1 : name;

    if (base[0] == '\0')
        return false;
    if (search->symfs && (try_in(finder, search->symfs, "/", name) || try_in(finder, search->symfs, "/", base)))
        return true;
    if (slash && try_path(finder, name))
        return true;
    if (beside(finder, search->beside, base))
        return true;
    for (size_t i = 0; finder->id_size > 0 && search->others && search->others[i]; i++)
        if (beside(finder, search->others[i], base))
            return true;
    /* A name without folder, as our own runs have it: the house's build folder, too. */
    return !slash && (try_path(finder, base) || try_in(finder, "build", "/", base));
}

/* Finds symbols in a separate file, by the code's own build-id: perf records build-ids of files with samples, but not
 * of those only in call chains. */
static void find_symbols(struct finder *finder, const struct object_search *search)
{
    if (finder->id_size > 0 || !finder->files->code || elf_file_has_symbols(finder->files->symbols))
        return;
    finder->id_size = elf_file_build_id(finder->files->code, &finder->id);
    (void)by_id(finder, search);
}

/* Gets missing files from servers, if the user names some. */
static void ask_servers(struct finder *finder)
{
    for (int debug = 0; debug < 2; debug++) {
        const struct object_files *files = finder->files;
        char *path;

        if (debug ? !files->code || elf_file_has_symbols(files->symbols) : files->code != NULL)
            continue;
        path = debuginfod_file(finder->id, finder->id_size, debug);
        if (path)
            (void)try_path(finder, path);
        free(path);
    }
}

void object_find(struct object_files *files, const struct object_search *search, const char *name,
                 const uint8_t *build_id, size_t build_id_size)
{
    struct finder finder = {.files = files, .id = build_id, .id_size = build_id_size};

    *files = (struct object_files){0};
    /* The vDSO is mapped without a file, but perf keeps a copy by its build-id. */
    if (strcmp(name, "[vdso]") == 0 && by_id(&finder, search)) {
    } else if (object_name_is_special(name)) {
        snprintf(files->why_not, sizeof(files->why_not), "%s", "it is not a file");
    } else if (!by_id(&finder, search)) {
        (void)by_name(&finder, search, name);
        find_symbols(&finder, search);
        ask_servers(&finder);
    }
    if (files->code)
        return;
    if (files->symbols) { /* symbols without code are useless in a listing, and perf ignores them as well */
        elf_file_close(files->symbols);
        files->symbols = NULL;
        snprintf(files->why_not, sizeof(files->why_not), "%s", "only its debugging information was found");
    } else if (files->why_not[0] == '\0') {
        snprintf(files->why_not, sizeof(files->why_not), "%s",
                 finder.another_id ? "the file found has a different build-id" : "no ELF file found");
    }
}
