/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Address spaces by process: what was mapped where, from the MMAP, COMM and FORK records of a file.
 *
 * Records of several processors are not in order of time in a file. A sample is looked up in what its process had
 * mapped when the sample came; what is not found then is looked up again in all that the process ever had mapped, when
 * the file has been read (spaces_locate_late).
 */
#ifndef TOOLS_IBSPROF_SPACES_H
#define TOOLS_IBSPROF_SPACES_H

#include "tools/ibsprof/read/input.h"

/* A file that was mapped: equal ones (name, build-id) are one. */
struct spaces_file {
    const char *name;
    uint8_t build_id[20];
    uint8_t build_id_size;
    bool kernel;        /* the kernel's, or one of its modules' */
    char *perf_map;     /* the path of its functions' names; NULL: it is no code that a process made */
    uint64_t reference; /* page offset of its first map; of the kernel's own: the address of the symbol in its name; of
                           code that a process made: its lowest address */
};

struct spaces;

/* comm: the name of the processes that are chosen; NULL: all are. */
struct spaces *spaces_make(const char *comm);
void spaces_free(struct spaces *spaces);

/* Says where the recording is: code that a process made is that process's own object where there is a map of it
 * (symbols/perf_map.h), beside the recording or in /tmp. */
void spaces_look_beside(struct spaces *spaces, const char *path);

/* MAP, COMM and FORK; other items are left alone. */
void spaces_item(struct spaces *spaces, const struct perfdata_item *item);

enum { SPACES_UNKNOWN = 0x80000000u }; /* and the process's index: nothing is mapped there */

struct spaces_place {
    uint32_t file;   /* index for spaces_file, or SPACES_UNKNOWN and more */
    bool chosen;     /* the process is */
    uint64_t offset; /* in the file; where the file is unknown, or a part of the kernel, the address */
};

/* The map that was found last: an address in it, of the same process and mode, needs no look-up. Good until the next
 * spaces_item; all zeros: none. */
struct spaces_window {
    uint64_t start, length, delta; /* delta: offset - address */
    uint32_t pid, file;
    uint8_t mode;
    bool chosen;
};

/* The place of an address of a process, and the window that holds it; left alone when there is none. */
struct spaces_place spaces_locate_window(struct spaces *spaces, uint32_t pid, uint8_t mode, uint64_t address,
                                         struct spaces_window *window);

static inline bool spaces_is_in(const struct spaces_window *window, uint32_t pid, uint8_t mode, uint64_t address)
{
    return address - window->start < window->length && pid == window->pid && mode == window->mode;
}

static inline struct spaces_place spaces_locate_again(struct spaces *spaces, uint32_t pid, uint8_t mode,
                                                      uint64_t address, struct spaces_window *window)
{
    if (spaces_is_in(window, pid, mode, address))
        return (struct spaces_place){window->file, window->chosen, address + window->delta};
    return spaces_locate_window(spaces, pid, mode, address, window);
}

/* Finds the map of a file that ends where the map of the address begins, as that of .data does where .bss begins: the
 * place is behind its end in that file. False: there is none. */
bool spaces_locate_behind(struct spaces *spaces, uint32_t pid, uint64_t address, struct spaces_place *ret_place);

/* Resolves an unknown place once all maps are known. False when it stays unknown. */
bool spaces_locate_late(const struct spaces *spaces, struct spaces_place *place);

/* Ranges of files that a process has mapped now, ascending. */
struct spaces_range {
    uint64_t start, page_offset;
    uint32_t file;
};
uint32_t spaces_range_count(struct spaces *spaces, uint32_t pid);
struct spaces_range spaces_range_at(struct spaces *spaces, uint32_t pid, uint32_t index);

/* Returns a number that is another one as soon as the process has mapped something else. */
uint32_t spaces_changes(struct spaces *spaces, uint32_t pid);

uint32_t spaces_file_count(const struct spaces *spaces);
const struct spaces_file *spaces_file(const struct spaces *spaces, uint32_t index);

#endif
