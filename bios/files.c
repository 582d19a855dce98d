/* SPDX-License-Identifier: BSD-2-Clause */
#include "bios/files.h"

#include "bios/bios.h"
#include "bios/clock.h"
#include "bios/console.h"
#include "bios/uefi/uefi.h"
#include "bios/disk/volume.h"
#include "core/base/mem.h"
#include "core/base/str.h"

enum {
    ROOM_FIRST = 64 << 10,
    ROOM_OF_A_FOLDER = 64 << 10, /* bytes; with less a folder is useless (as for UEFI: efi/folders.c) */
};

static struct files *const files = &bios.files;

/* ---------------------------------------------------------------- the run area */

/* Returns the error of a bad sector, or of a stick that was pulled out. */
static enum files_error not_read(void)
{
    return volume_there(files->volume) ? FILES_AREA + AREA_UNREAD : FILES_GONE;
}

static enum files_error error_of(enum tar_error error)
{
    switch (error) {
    case TAR_OK:
        return FILES_OK;
    case TAR_FULL:
        return FILES_FULL;
    case TAR_WRITE:
        return volume_there(files->volume) ? FILES_AREA + AREA_UNWRITTEN : FILES_GONE;
    case TAR_READ:
        return not_read();
    case TAR_NAME:
        return FILES_NAME;
    default:
        return FILES_ORDER;
    }
}

static void *grow_rows(void *context, void *old, uint64_t used, uint64_t bytes)
{
    (void)context;
    return uefi_grow_pool(old, used, bytes);
}

static void read_index(void)
{
    area_index_read(&files->index, files->area, grow_rows, NULL);
}

/* Returns why nothing can be written at all. */
static enum files_error refusal(void)
{
    return !files->volume                ? FILES_GONE
           : files->volume->area.refusal ? FILES_AREA + files->volume->area.refusal
                                         : FILES_OK;
}

enum files_error files_make_folder(void)
{
    enum files_error error = refusal();

    return error || store_room(files->area) >= ROOM_OF_A_FOLDER ? error : FILES_AREA + AREA_FULL;
}

/* Saves a file under its last name. */
static enum files_error keep(struct files_node *node)
{
    enum tar_error error;

    if (!node->written || node->gone)
        return FILES_OK;
    if (refusal())
        return refusal();
    if (node->streamed) {
        error = store_name(files->area, node->path);
        if (error)
            (void)store_end(files->area, false);
        else
            error = store_end(files->area, true);
        files->streaming = NULL;
        node->ended = true;
    } else {
        error = store_append(files->area, node->path, node->data, node->size, clock_unix_time());
    }
    if (error)
        console_say("%s was not written: %s\n", node->path, tar_error_text(error));
    node->written = false;
    read_index();
    return error_of(error);
}

/* ---------------------------------------------------------------- files in memory */

void files_prepare(const struct boot_info *info, struct volume *volume)
{
    memset(files, 0, sizeof *files);
    files->loader = *info;
    files->volume = volume;
    if (volume && volume->area.readable)
        files->area = &volume->area.store;
    read_index();
}

static struct files_node *find(const char *path)
{
    for (unsigned i = 0; i < FILES_OPEN; i++)
        if (files->node[i].users && !files->node[i].gone && str_is(path, strlen(path), files->node[i].path))
            return &files->node[i];
    return NULL;
}

static const struct boot_module *in_modules(const char *path)
{
    for (unsigned i = 0; i < files->loader.modules; i++)
        if (str_is(path, strlen(path), files->loader.module[i].path))
            return &files->loader.module[i];
    return NULL;
}

static enum files_error grow(struct files_node *node, uint64_t room)
{
    uint8_t *memory;

    if (room <= node->room)
        return FILES_OK;
    room = room < ROOM_FIRST ? ROOM_FIRST : room + room / 2;
    memory = uefi_grow_pool(node->room ? node->data : NULL, node->room ? node->size : 0, room);
    if (!memory)
        return FILES_MEMORY;
    if (!node->room && node->size)
        memcpy(memory, node->data, node->size);
    node->data = memory;
    node->room = room;
    return FILES_OK;
}

static enum files_error load_from_area(struct files_node *node, const struct area_entry *from)
{
    struct tar_entry entry = {.size = from->size, .sector = from->sector};
    enum files_error error = grow(node, from->size);

    if (!error && tar_read(&files->area->tar, &entry, 0, node->data, from->size, &node->size))
        error = not_read();
    return error;
}

static enum files_error load_from_fat(struct files_node *node)
{
    struct fat_file file;
    /* The run area's entries are files here, so the image must not look into the area a second time
     * (efi/run_area.c). */
    bool is_area = str_is(node->path, strlen(node->path), AREA_FILE_NAME);
    enum fat_error error = files->volume && !is_area ? fat_open(&files->volume->fat, node->path, &file) : FAT_NOT_FOUND;

    if (error || file.folder)
        return error == FAT_READ ? not_read() : FILES_NOT_FOUND;
    if (grow(node, (uint64_t)file.size + 1))
        return FILES_MEMORY;
    error = fat_read(&files->volume->fat, &file, 0, node->data, file.size, &node->size);
    if (!error)
        return FILES_OK;
    console_say("%s: %s\n", node->path, fat_error_text(error));
    return not_read();
}

static enum files_error load(struct files_node *node, bool create)
{
    const struct area_entry *entry = area_index_find(&files->index, node->path);
    const struct boot_module *module = in_modules(node->path);
    enum files_error error = FILES_NOT_FOUND;

    if (entry && entry->size)
        return load_from_area(node, entry);
    if (!entry && module) {
        node->data = (uint8_t *)module->address;
        node->size = module->size;
        return FILES_OK;
    }
    if (!entry)
        error = load_from_fat(node);
    if (error != FILES_NOT_FOUND || !create)
        return error;
    node->written = true;
    return refusal();
}

static void forget(struct files_node *node)
{
    if (node->room)
        (void)uefi_free_pool(node->data);
    *node = (struct files_node){0};
}

enum files_error files_open(const char *path, bool create, struct files_node **ret_node)
{
    struct files_node *node = find(path);
    enum files_error error;

    if (strlen(path) >= FILES_PATH)
        return FILES_NAME;
    for (unsigned i = 0; !node && i < FILES_OPEN; i++)
        if (!files->node[i].users)
            node = &files->node[i];
    if (!node)
        return FILES_MEMORY;
    if (!node->users) {
        memcpy(node->path, path, strlen(path) + 1);
        error = load(node, create);
        if (error) {
            forget(node);
            return error;
        }
    }
    node->users++;
    *ret_node = node;
    return FILES_OK;
}

enum files_error files_close(struct files_node *node)
{
    enum files_error error = FILES_OK;

    if (node->users == 1) {
        error = keep(node);
        forget(node);
    } else {
        node->users--;
    }
    return error;
}

static enum files_error write_to_area(struct files_node *node, uint64_t at, const void *data, size_t size)
{
    enum tar_error error;

    if (node->ended || at != node->size)
        return FILES_ORDER;
    error = store_write(files->area, data, size);
    if (!error)
        node->size += size;
    return error_of(error);
}

static enum files_error write_to_memory(struct files_node *node, uint64_t at, const void *data, size_t size)
{
    enum files_error error = grow(node, at + size);

    if (error)
        return error;
    if (at > node->size)
        memset(node->data + node->size, 0, at - node->size);
    memcpy(node->data + at, data, size);
    if (at + size > node->size)
        node->size = at + size;
    return FILES_OK;
}

enum files_error files_write(struct files_node *node, uint64_t at, const void *data, size_t size)
{
    enum files_error error = refusal();

    if (error)
        return error;
    if (at > UINT32_MAX || size > UINT32_MAX || at + size > store_room(files->area))
        return FILES_FULL;
    /* The file begins now. */
    if (node->written && !node->streamed && !node->size && !at && !files->streaming) {
        error = error_of(store_begin(files->area, node->path, clock_unix_time()));
        if (error)
            return error;
        node->streamed = true;
        files->streaming = node;
    }
    node->written = true;
    return node->streamed ? write_to_area(node, at, data, size) : write_to_memory(node, at, data, size);
}

enum files_error files_rename(struct files_node *node, const char *path)
{
    struct files_node *other = find(path);

    if (strlen(path) >= FILES_PATH)
        return FILES_NAME;
    if (other && other != node)
        other->gone = true;
    memcpy(node->path, path, strlen(path) + 1);
    node->written = !node->ended;
    return keep(node);
}

bool files_delete(struct files_node *node)
{
    const struct area_entry *entry = area_index_find(&files->index, node->path);
    bool again = entry ? false : in_modules(node->path) != NULL;
    struct fat_file file;

    if (entry && entry->size)
        again = store_remove(files->area, node->path, clock_unix_time()) != TAR_OK;
    else if (!entry && files->volume)
        again = again || fat_open(&files->volume->fat, node->path, &file) == FAT_OK;
    read_index();
    if (node == files->streaming) {
        (void)store_end(files->area, false);
        files->streaming = NULL;
    }
    node->gone = true;
    (void)files_close(node);
    return !again;
}

/* ---------------------------------------------------------------- folders */

struct list {
    const char *path;
    void (*each)(void *argument, const char *name, size_t length, bool folder);
    void *argument;
    bool any;
};

/* Adds the next name of a file's path, if the file is below the folder. */
static void look_at(struct list *list, const char *path)
{
    size_t length = strlen(list->path), end;

    if (length) {
        if (strlen(path) <= length || path[length] != '/' || !str_is(path, length, list->path))
            return;
        path += length + 1;
    }
    for (end = 0; path[end] && path[end] != '/'; end++)
        ;
    list->any = true;
    if (list->each && end)
        list->each(list->argument, path, end, path[end] == '/');
}

static void look_at_fat(void *argument, const char *name, const struct fat_file *file)
{
    struct list *list = argument;

    if (list->each)
        list->each(list->argument, name, strlen(name), file->folder);
}

static void look(struct list *list)
{
    const struct area_entry *entry;
    struct fat_file folder;

    for (unsigned i = 0; i < FILES_OPEN; i++)
        if (files->node[i].users && !files->node[i].gone)
            look_at(list, files->node[i].path);
    for (uint64_t i = 0; (entry = area_index_row(&files->index, i)) != NULL; i++)
        if (entry->size)
            look_at(list, entry->path);
    for (unsigned i = 0; i < files->loader.modules; i++)
        look_at(list, files->loader.module[i].path);
    if (files->volume && fat_open(&files->volume->fat, list->path, &folder) == FAT_OK && folder.folder) {
        list->any = true;
        (void)fat_list(&files->volume->fat, &folder, look_at_fat, list);
    }
}

bool files_folder(const char *path)
{
    struct list list = {.path = path};

    if (!path[0])
        return true;
    look(&list);
    return list.any;
}

void files_list(const char *path, void (*each)(void *argument, const char *name, size_t length, bool folder),
                void *argument)
{
    struct list list = {.path = path, .each = each, .argument = argument};

    look(&list);
}
