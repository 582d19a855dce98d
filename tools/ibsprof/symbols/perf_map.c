/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/symbols/perf_map.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/ibsprof/base/must.h"

bool perf_map_is_memory(const char *name)
{
    static const char *const names[] = {"//anon", "/dev/zero", "/anon_hugepage", "[stack", "/SYSV", "[heap]"};

    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

static bool is_file(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

static bool is_ours(const char *path)
{
    struct stat status;

    return lstat(path, &status) == 0 && S_ISREG(status.st_mode) && (status.st_uid == 0 || status.st_uid == geteuid());
}

char *perf_map_path(const char *beside, uint32_t pid)
{
    const char *slash = strrchr(beside, '/');
    char *paths[] = {
        must_text("%s/perf-%u.map", beside, pid),
        must_text("%.*sperf-%u.map", slash ? (int)(slash + 1 - beside) : 0, beside, pid),
        must_text("/tmp/perf-%u.map", pid),
    };
    char *found = NULL;

    for (unsigned i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
        if (!found && (i < 2 ? is_file(paths[i]) : is_ours(paths[i])))
            found = paths[i];
        else
            free(paths[i]);
    return found;
}

/* Parses "18c4000 300 Builtin:Name" in place. Returns false for other lines, and for functions beyond the last
 * address. */
static bool parse_line(char *line, struct elf_function *ret_function)
{
    char *rest, *name;

    ret_function->start = strtoull(line, &rest, 16);
    if (rest == line || *rest != ' ')
        return false;
    ret_function->size = strtoull(rest + 1, &name, 16);
    if (name == rest + 1 || *name != ' ' || name[1] == '\0')
        return false;
    ret_function->name = name + 1;
    return ret_function->size > 0 && ret_function->start <= UINT64_MAX - ret_function->size;
}

struct line {
    struct elf_function function;
    size_t number;
};

static int by_address(const void *left, const void *right)
{
    const struct line *a = left, *b = right;

    if (a->function.start != b->function.start)
        return a->function.start < b->function.start ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

/* Takes the ascending lines, each up to the next one; at one address the last. */
static void take(struct kallsyms *list, const struct line *lines, size_t count)
{
    list->functions = must_alloc(count, sizeof(*list->functions));
    for (size_t i = 0; i < count; i++) {
        struct elf_function function = lines[i].function;
        uint64_t room = i + 1 < count ? lines[i + 1].function.start - function.start : UINT64_MAX;

        if (room == 0)
            continue;
        if (function.size > room)
            function.size = room;
        list->functions[list->count++] = function;
    }
}

struct kallsyms *perf_map_read(const char *path)
{
    struct line *lines = NULL;
    size_t count = 0, size;
    struct kallsyms *list = must_new(list);
    char *next;

    list->text = kallsyms_text(path, &size);
    for (char *at = list->text; at; at = next) {
        struct line line = {.number = count};

        next = strchr(at, '\n');
        if (next)
            *next++ = '\0';
        if (parse_line(at, &line.function))
            *must_add(lines, count) = line;
    }
    if (count > 0) {
        qsort(lines, count, sizeof(*lines), by_address);
        take(list, lines, count);
        free(lines);
        return list;
    }
    kallsyms_free(list);
    return NULL;
}
