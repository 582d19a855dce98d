/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Address spaces by process: mappings over time, from the MMAP, COMM and FORK records of a file.
 *
 * A file's records of several processors are not in order of time. A sample is looked up in the mappings of its
 * process at its time; if that fails, again in all mappings of the process, after the file has been read
 * (spaces_locate_late).
 */
#ifndef TOOLS_IBSPROF_SPACES_H
#define TOOLS_IBSPROF_SPACES_H

#include "tools/ibsprof/read/input.h"

/* A mapped file; those with the same name and build-id are one. */
struct spaces_file {
    const char *name;
    uint8_t build_id[20];
    uint8_t build_id_size;
    bool kernel;        /* the kernel, or a module */
    char *perf_map;     /* path of the function names of generated code; NULL: not generated code */
    uint64_t reference; /* page offset of the first map; for the kernel: address of the symbol in its name; for
                           generated code: its lowest address */
};

struct spaces;

/* comm: name of the selected processes; NULL: all. */
struct spaces *spaces_make(const char *comm);
void spaces_free(struct spaces *spaces);

/* Sets the path of the recording. Generated code is an object of its process if there is a map of it
 * (symbols/perf_map.h), beside the recording or in /tmp. */
void spaces_look_beside(struct spaces *spaces, const char *path);

/* Processes MAP, COMM and FORK; ignores other items. */
void spaces_item(struct spaces *spaces, const struct perfdata_item *item);

enum { SPACES_UNKNOWN = 0x80000000u }; /* plus the process's index: nothing is mapped */

struct spaces_place {
    uint32_t file;   /* index for spaces_file(), or SPACES_UNKNOWN and more */
    bool chosen;     /* the process is selected */
    uint64_t offset; /* offset in the file; the address if the file is unknown, or a part of the kernel */
};

/* The map found last: an address in it, of the same process and mode, needs no look-up. Valid until the next
 * spaces_item(); zeroed: none. */
struct spaces_window {
    uint64_t start, length, delta; /* delta: offset - address */
    uint32_t pid, file;
    uint8_t mode;
    bool chosen;
};

/* Returns the place of a process's address, and its window; without a map, leaves the window unchanged. */
struct spaces_place spaces_locate_window(struct spaces *spaces, uint32_t pid, uint8_t mode, uint64_t address,
                                         struct spaces_window *window);

static inline bool spaces_is_in(const struct spaces_window *window, uint32_t pid, uint8_t mode, uint64_t address)
{
    return address - window->start < window->length && pid == window->pid && mode == window->mode;
}

/* The place of an address that is in the window. */
static inline struct spaces_place spaces_place_in(const struct spaces_window *window, uint64_t address)
{
    return (struct spaces_place){window->file, window->chosen, address + window->delta};
}

/* Finds a file's map that ends where the map of the address begins, as the map of .data ends where .bss begins; the
 * place is then beyond its end in that file. Returns false if there is none. */
bool spaces_locate_behind(struct spaces *spaces, uint32_t pid, uint64_t address, struct spaces_place *ret_place);

/* Resolves an unknown place once all maps are known. Returns false if that fails. */
bool spaces_locate_late(const struct spaces *spaces, struct spaces_place *place);

/* File ranges that a process has mapped now, ascending. */
struct spaces_range {
    uint64_t start, page_offset;
    uint32_t file;
};
uint32_t spaces_range_count(struct spaces *spaces, uint32_t pid);
struct spaces_range spaces_range_at(struct spaces *spaces, uint32_t pid, uint32_t index);

/* Returns a number that changes whenever the process changes its mappings. */
uint32_t spaces_changes(struct spaces *spaces, uint32_t pid);

uint32_t spaces_file_count(const struct spaces *spaces);
const struct spaces_file *spaces_file(const struct spaces *spaces, uint32_t index);

#endif
