/* SPDX-License-Identifier: BSD-2-Clause */
/* The contract is in own.h. */
#include "tools/workloads/own.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000 /* as in arena.c */
#endif

#define FROM_ARENA (1ull << 38) /* PAGING_OWN of drivers/cpu/paging.h */

_Static_assert(offsetof(struct own, file) == 0 && offsetof(struct code_file, workload) == 0, "own_of");

/* Returns the file of a workload; NULL: it is built in. */
static struct own *own_of(const struct workload *workload)
{
    return (struct own *)code_of(workload);
}

/* ---------------------------------------------------------------- the file */

static bool read_file(struct own *own, const char *path)
{
    FILE *stream = fopen(path, "rb");

    if (stream) {
        own->file.bytes = malloc(CODE_FILE_MAX + 1);
        own->file.size = own->file.bytes ? fread(own->file.bytes, 1, CODE_FILE_MAX + 1, stream) : 0;
        own->descriptor = ferror(stream) ? -1 : fcntl(fileno(stream), F_DUPFD_CLOEXEC, 0);
        (void)fclose(stream);
    }
    if (own->descriptor < 0 || !own->file.bytes)
        complain("--code: %s cannot be read: %s", path, strerror(errno));
    return own->descriptor >= 0 && own->file.bytes;
}

bool own_take(struct own *own, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t length = strlen(name);

    if (length <= 4 || strcmp(name + length - 4, ".elf") != 0 || length >= sizeof(own->file.file_name)) {
        complain("--code: %s is not a name of up to %u characters and '.elf'", path, CODE_NAME - 1);
        return false;
    }
    if (own->file.bytes) {
        complain("--code: one file at a time");
        return false;
    }
    if (!read_file(own, path))
        return false;
    code_take(&own->file, name, 0, twin_has_option);
    if (own->file.why[0])
        complain("--code: %s: %s", path, own->file.why);
    return !own->file.why[0];
}

const struct workload *own_workload(const struct own *own)
{
    return own->file.bytes && !own->file.why[0] ? &own->file.workload : NULL;
}

/* ---------------------------------------------------------------- pages */

/* Maps pages of the file over memory, if the piece has the same offset in its page as in the file's. */
static bool map_of_file(const struct own *own, const struct code_piece *piece)
{
    uint32_t before = piece->rva % CODE_PAGE;
    size_t size = ((size_t)before + piece->file_size + CODE_PAGE - 1) / CODE_PAGE * CODE_PAGE;

    if (piece->access != CODE_EXECUTE || !piece->file_size || piece->offset % CODE_PAGE != before)
        return true;
    return mmap(own->mapped + piece->rva - before, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED,
                own->descriptor, (off_t)piece->offset - before) != MAP_FAILED;
}

/* Restores the loaded bytes of a page; an unchanged page stays mapped from the file. */
static void fill_page(const struct own *own, uint32_t page)
{
    size_t at = (size_t)page * CODE_PAGE;

    if (memcmp(own->mapped + at, own->loaded + at, CODE_PAGE) != 0)
        memcpy(own->mapped + at, own->loaded + at, CODE_PAGE);
}

/* Protects adjacent pages of one use together: Linux reports code to perf by this call, piece by piece. */
static bool protect(const struct own *own)
{
    static const int protection[] = {[CODE_NOTHING] = PROT_NONE,
                                     [CODE_EXECUTE] = PROT_READ | PROT_EXEC,
                                     [CODE_READ] = PROT_READ,
                                     [CODE_WRITE] = PROT_READ | PROT_WRITE};
    uint32_t pages = own->file.code.memory / CODE_PAGE, end;

    for (uint32_t page = 0; page < pages; page = end) {
        enum code_access access = own->file.code.page[page];

        for (end = page; end < pages && own->file.code.page[end] == access; end++)
            fill_page(own, end);
        if (mprotect(own->mapped + (size_t)page * CODE_PAGE, (size_t)(end - page) * CODE_PAGE, protection[access]) != 0)
            return false;
    }
    return true;
}

static bool map(struct own *own, uint64_t address)
{
    void *wanted = (void *)(uintptr_t)address;

    own->mapped = mmap(wanted, own->file.code.memory, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (own->mapped == wanted) {
        for (unsigned i = 0; i < own->file.code.pieces; i++)
            if (!map_of_file(own, &own->file.code.piece[i]))
                return false;
        return protect(own);
    }
    errno = own->mapped == MAP_FAILED ? errno : EEXIST; /* a kernel that does not know the flag takes a hint */
    return false;
}

bool own_open(const struct workload *workload, const struct arena *arena)
{
    uint64_t address = (uint64_t)(uintptr_t)arena->base + FROM_ARENA;
    struct own *own = own_of(workload);
    struct out_memory problems;
    char line[CODE_WHY_MAX];

    if (!own)
        return true;
    own->loaded = malloc(own->file.code.memory);
    if (!own->loaded) {
        complain("no memory");
        return false;
    }
    out_memory_init(&problems, line, sizeof(line));
    if (!code_load(&own->file.code, own->loaded, address, &problems.out)) {
        complain("%s: %.*s", own->file.file_name, (int)strcspn(line, "\n"), line);
        return false;
    }
    if (!map(own, address)) {
        complain("%s: it cannot be mapped at %#lx: %s", own->file.file_name, address, strerror(errno));
        return false;
    }
    code_set_functions(&own->file, address);
    return true;
}

void own_fill(const struct workload *workload)
{
    const struct own *own = own_of(workload);

    for (uint32_t page = 0; own && page < own->file.code.memory / CODE_PAGE; page++)
        if (own->file.code.page[page] == CODE_WRITE)
            memcpy(own->mapped + (size_t)page * CODE_PAGE, own->loaded + (size_t)page * CODE_PAGE, CODE_PAGE);
}

void own_print_map(const struct own *own)
{
    struct codemap map;
    void *memory = malloc(code_plain_size(&own->file.code));

    if (!memory) {
        complain("no memory");
        return;
    }
    code_plain_make(&own->file.code, memory, &map);
    printf("%-14s %8s %6s  %s\n", "address", "offset", "bytes", "function");
    for (uint32_t i = 0; i < map.func_count; i++)
        printf("%#14llx %8x %6u  %s\n", CODE_ADDRESS + map.funcs[i].rva, map.funcs[i].rva, map.funcs[i].size,
               map.strings + map.funcs[i].name);
    free(memory);
}
