/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/profile/spaces/spaces.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/ibs/codemap.h"
#include "core/perfdata/perfdata_format.h"
#include "tools/ibsprof/base/table.h"
#include "tools/ibsprof/profile/spaces/space.h"
#include "tools/ibsprof/symbols/object.h"
#include "tools/ibsprof/symbols/perf_map.h"

/* Pid of the kernel's maps (-1). Virtual machines have one process here for their kernel and one for its programs,
 * without maps of files, which are not on this machine. */
enum { KERNEL = UINT32_MAX, GUEST_KERNEL = UINT32_MAX - 1, GUEST_USER = UINT32_MAX - 2 };

struct process {
    uint32_t pid;
    bool chosen;
    struct space *now;
    struct space **before; /* mappings before an exec, or before another file replaced one */
    uint32_t before_count;
    const struct map *last; /* found last, in 'now' */
    uint32_t changes;       /* of 'now' */
};

struct spaces {
    const char *comm;
    const char *beside; /* NULL: generated code has no names */
    struct process **processes;
    uint32_t process_count;
    struct table by_pid; /* index + 1 */
    struct process *last;
    uint32_t last_index;
    struct spaces_file *files;
    uint32_t file_count;
    struct table by_name; /* of the files: index + 1 */
};

struct spaces *spaces_make(const char *comm)
{
    struct spaces *spaces = must_new(spaces);

    spaces->comm = comm;
    return spaces;
}

void spaces_look_beside(struct spaces *spaces, const char *path)
{
    spaces->beside = path;
}

void spaces_free(struct spaces *spaces)
{
    for (uint32_t i = 0; i < spaces->process_count; i++) {
        struct process *process = spaces->processes[i];

        space_drop(process->now);
        for (uint32_t j = 0; j < process->before_count; j++)
            space_drop(process->before[j]);
        free(process->before);
        free(process);
    }
    free(spaces->processes);
    table_free(&spaces->by_pid);
    for (uint32_t i = 0; i < spaces->file_count; i++) {
        free((char *)spaces->files[i].name);
        free(spaces->files[i].perf_map);
    }
    free(spaces->files);
    table_free(&spaces->by_name);
    free(spaces);
}

/* ---------------------------------------------------------------- processes */

static bool is_process(const void *spaces, uint32_t number, const void *pid)
{
    return ((const struct spaces *)spaces)->processes[number - 1]->pid == *(const uint32_t *)pid;
}

static struct process *process_of(struct spaces *spaces, uint32_t pid)
{
    uint32_t *number;

    if (spaces->last && spaces->last->pid == pid)
        return spaces->last;
    number = table_find(&spaces->by_pid, table_hash(pid), is_process, spaces, &pid);
    if (*number == 0) {
        struct process *process = must_new(process);

        *process = (struct process){.pid = pid, .chosen = !spaces->comm, .now = space_new(NULL)};
        *must_add(spaces->processes, spaces->process_count) = process;
        *number = spaces->process_count;
    }
    spaces->last_index = *number - 1;
    return spaces->last = spaces->processes[spaces->last_index];
}

/* Saves the present mappings, and continues with 'instead'. */
static void put_aside(struct process *process, struct space *instead)
{
    *must_add(process->before, process->before_count) = process->now;
    process->now = instead;
    process->last = NULL;
    process->changes++;
}

/* ---------------------------------------------------------------- files */

static bool is_file(const void *spaces, uint32_t number, const void *key)
{
    const struct spaces_file *file = &((const struct spaces *)spaces)->files[number - 1];
    const struct perfdata_map *map = key;

    return file->build_id_size == map->build_id_size && strcmp(file->name, map->name) == 0 &&
           (map->build_id_size == 0 || memcmp(file->build_id, map->build_id, map->build_id_size) == 0);
}

static bool is_guest(uint8_t mode)
{
    return mode == MODE_GUEST_KERNEL || mode == MODE_GUEST_USER;
}

static bool is_kernel(const struct perfdata_item *item)
{
    return item->mode == MODE_KERNEL || item->pid == KERNEL;
}

static uint32_t file_of(struct spaces *spaces, const struct perfdata_item *item)
{
    const struct perfdata_map *map = &item->map;
    uint64_t hash = codemap_hash(map->name, (uint32_t)strlen(map->name));
    uint32_t *number = table_find(&spaces->by_name, hash, is_file, spaces, map);
    struct spaces_file *file;

    if (*number)
        return *number - 1;
    file = must_add(spaces->files, spaces->file_count);
    *file = (struct spaces_file){.name = must_copy(map->name),
                                 .build_id_size = map->build_id_size,
                                 .kernel = is_kernel(item),
                                 .reference = map->page_offset};
    if (map->build_id_size)
        memcpy(file->build_id, map->build_id, map->build_id_size);
    return (*number = spaces->file_count) - 1;
}

uint32_t spaces_file_count(const struct spaces *spaces)
{
    return spaces->file_count;
}

const struct spaces_file *spaces_file(const struct spaces *spaces, uint32_t index)
{
    return &spaces->files[index];
}

/* ---------------------------------------------------------------- maps */

/* Returns the index of the file of generated code, if its process has a map of it; UINT32_MAX: none. */
static uint32_t made_code(struct spaces *spaces, const struct perfdata_item *item)
{
    enum { EXECUTE = 4 };
    struct perfdata_item made = *item;
    char *path, name[32];
    uint32_t file;

    if (!spaces->beside || !(item->map.protection & EXECUTE) || !perf_map_is_memory(item->map.name))
        return UINT32_MAX;
    path = perf_map_path(spaces->beside, item->pid);
    if (!path)
        return UINT32_MAX;
    snprintf(name, sizeof(name), PERF_MAP_OBJECT "%u", item->pid);
    made.map.name = name;
    made.map.build_id_size = 0;
    file = file_of(spaces, &made);
    if (!spaces->files[file].perf_map || item->map.start < spaces->files[file].reference)
        spaces->files[file].reference = item->map.start;
    free(spaces->files[file].perf_map);
    spaces->files[file].perf_map = path;
    return file;
}

static void add_map(struct spaces *spaces, const struct perfdata_item *item)
{
    const struct perfdata_map *from = &item->map;
    bool kernel = is_kernel(item);
    struct process *process = process_of(spaces, kernel ? KERNEL : item->pid);
    struct map map = {.start = from->start, .end = from->start + from->length, .page_offset = from->page_offset};
    uint32_t at;

    if (is_guest(item->mode)) /* perf kvm's, of the guest's kernel */
        return;
    if (map.end < map.start) /* up to the last byte of all, or damaged */
        map.end = UINT64_MAX;
    if (map.end == map.start)
        return;
    map.file = kernel ? UINT32_MAX : made_code(spaces, item);
    if (map.file == UINT32_MAX)
        map.file = file_of(spaces, item);
    /* perf keeps a copy of the vDSO, which is mapped from its first byte. */
    map.special = kernel || (object_name_is_special(from->name) && strcmp(from->name, "[vdso]") != 0);
    at = space_behind(process->now, map.start);
    if (at < process->now->count && process->now->maps[at].start < map.end) {
        put_aside(process, space_new(process->now));
        space_cut(process->now, map.start, map.end);
        at = space_behind(process->now, map.start);
    } else if (process->now->users > 1) {
        struct space *shared = process->now;

        process->now = space_new(shared);
        space_drop(shared);
    }
    process->last = NULL;
    process->changes++;
    space_insert(process->now, at, &map);
}

uint32_t spaces_range_count(struct spaces *spaces, uint32_t pid)
{
    return process_of(spaces, pid)->now->count;
}

struct spaces_range spaces_range_at(struct spaces *spaces, uint32_t pid, uint32_t index)
{
    const struct map *map = &process_of(spaces, pid)->now->maps[index];

    return (struct spaces_range){map->start, map->page_offset, map->file};
}

uint32_t spaces_changes(struct spaces *spaces, uint32_t pid)
{
    return process_of(spaces, pid)->changes;
}

/* Forks as perf does (tools/perf/util/machine.c, machine__process_fork_event): an earlier process of this number is
 * gone, since its EXIT may be lost; the new one gets its parent's mappings, unless perf reports a process that already
 * ran: its own maps follow. */
static void fork_process(struct spaces *spaces, const struct perfdata_item *item)
{
    struct process *parent, *child;

    if (item->pid == item->parent_pid || item->pid == KERNEL) /* a thread */
        return;
    parent = process_of(spaces, item->parent_pid);
    child = process_of(spaces, item->pid);
    if (item->misc & PERFDATA_MISC_FORK_EXEC) {
        if (child->now->count > 0)
            put_aside(child, space_new(NULL));
    } else {
        put_aside(child, parent->now);
        parent->now->users++;
    }
    child->chosen = parent->chosen;
}

void spaces_item(struct spaces *spaces, const struct perfdata_item *item)
{
    struct process *process;

    switch (item->kind) {
    case PERFDATA_ITEM_MAP:
        add_map(spaces, item);
        break;
    case PERFDATA_ITEM_COMM:
        process = process_of(spaces, item->pid);
        if (item->misc & PERFDATA_MISC_COMM_EXEC && process->now->count > 0)
            put_aside(process, space_new(NULL));
        if (spaces->comm && item->pid == item->tid)
            process->chosen = item->text && strcmp(item->text, spaces->comm) == 0;
        break;
    case PERFDATA_ITEM_FORK:
        fork_process(spaces, item);
        break;
    default:
        break;
    }
}

/* Returns a guest's process, whose addresses all belong to one file that cannot be found. */
static struct process *guest_of(struct spaces *spaces, uint8_t mode)
{
    bool kernel = mode == MODE_GUEST_KERNEL;
    struct process *process = process_of(spaces, kernel ? GUEST_KERNEL : GUEST_USER);
    struct perfdata_item item = {.mode = mode, .map.name = kernel ? "[guest kernel]" : "[guest]"};

    if (process->now->count == 0)
        *must_add(process->now->maps, process->now->count) =
            (struct map){.end = UINT64_MAX, .file = file_of(spaces, &item), .special = true};
    return process;
}

static void set_place(struct spaces_place *place, const struct map *map, uint64_t address)
{
    place->file = map->file;
    place->offset = map->special ? address : address - map->start + map->page_offset;
}

struct spaces_place spaces_locate_window(struct spaces *spaces, uint32_t pid, uint8_t mode, uint64_t address,
                                         struct spaces_window *window)
{
    struct process *owner = process_of(spaces, pid), *process = owner;
    struct spaces_place place = {.chosen = owner->chosen, .offset = address};
    const struct map *map;

    if (mode == MODE_KERNEL)
        process = process_of(spaces, KERNEL);
    else if (is_guest(mode))
        process = guest_of(spaces, mode);
    map = process->last;
    if (!map || address < map->start || address >= map->end)
        map = space_at(process->now, address);
    if (!map) {
        place.file = SPACES_UNKNOWN | spaces->last_index;
        return place;
    }
    process->last = map;
    set_place(&place, map, address);
    *window = (struct spaces_window){.start = map->start,
                                     .length = map->end - map->start,
                                     .delta = place.offset - address,
                                     .pid = pid,
                                     .file = map->file,
                                     .mode = mode,
                                     .chosen = place.chosen};
    return place;
}

bool spaces_locate_behind(struct spaces *spaces, uint32_t pid, uint64_t address, struct spaces_place *ret_place)
{
    const struct space *space = process_of(spaces, pid)->now;
    uint32_t at = space_behind(space, address);
    const struct map *file = at > 0 ? &space->maps[at - 1] : NULL;

    if (!file || at == space->count || file->end != space->maps[at].start || file->special)
        return false;
    ret_place->file = file->file;
    ret_place->offset = address - file->start + file->page_offset;
    return true;
}

bool spaces_locate_late(const struct spaces *spaces, struct spaces_place *place)
{
    const struct process *process = spaces->processes[place->file & ~SPACES_UNKNOWN];
    const struct map *map = space_at(process->now, place->offset);

    for (uint32_t i = process->before_count; !map && i > 0; i--)
        map = space_at(process->before[i - 1], place->offset);
    if (map)
        set_place(place, map, place->offset);
    return map;
}
