/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/test.h"
#include "tests/unit/app/fake_firmware.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/app/fake_memory.h"
#include "tests/unit/app/fake_session.h"

struct firmware_file {
    struct fake_firmware *fake;
    char path[FAKE_PATH];
    char *data;
    size_t size, room;
    bool failed;
};

enum { TSC_PER_US = 2000 };

static struct fake_firmware *of(struct firmware *fw)
{
    return fw->context;
}

const char *fake_call_name(enum fake_call call)
{
    static const char *const names[FAKE_CALLS] = {
        [FAKE_READ_KEY] = "read_key",
        [FAKE_ALLOCATE] = "allocate",
        [FAKE_ALLOCATE_IN] = "allocate_in",
        [FAKE_ALLOCATE_LOW] = "allocate_low",
        [FAKE_MEMORY_MAP] = "memory_map",
        [FAKE_READ_FILE] = "read_file",
        [FAKE_LIST] = "list",
        [FAKE_MAKE_FOLDER] = "make_folder",
        [FAKE_ROOM] = "room",
        [FAKE_FILE_CREATE] = "file_create",
        [FAKE_FILE_WRITE] = "file_write",
        [FAKE_FILE_CLOSE] = "file_close",
        [FAKE_FILE_APPEND] = "file_append",
        [FAKE_FILE_REMOVE] = "file_remove",
        [FAKE_COUNT_CORES] = "count_cores",
        [FAKE_START_CORE] = "start_core",
        [FAKE_CORE_APIC_ID] = "core_apic_id",
        [FAKE_NOW] = "now",
    };

    return names[call];
}

/* Counts the call, and returns whether it must fail. */
static bool fails(struct fake_firmware *fake, enum fake_call call)
{
    unsigned number = ++fake->calls[call];
    bool now =
        fake->fail.at && call == fake->fail.call && number >= fake->fail.at && number - fake->fail.at <= fake->fail.and;

    fake->failed |= now;
    return now;
}

static enum firmware_error error_of(const struct fake_firmware *fake)
{
    return fake->fail.error ? fake->fail.error : FIRMWARE_FAILED;
}

/* ---------------------------------------------------------------- console */

static void print(struct firmware *fw, const char *text, size_t length)
{
    struct fake_firmware *fake = of(fw);

    assert_true(fake->screen_length + length < FAKE_SCREEN_BYTES);
    memcpy(fake->screen + fake->screen_length, text, length);
    fake->screen_length += length;
    fake->screen[fake->screen_length] = '\0';
    fake_terminal_print(&fake->terminal, text, length);
}

static void clear(struct firmware *fw)
{
    fake_terminal_clear(&of(fw)->terminal, fw->rows, fw->columns);
}

static bool place(struct firmware *fw, uint32_t row, uint32_t column)
{
    if (!of(fw)->terminal.rows)
        clear(fw);
    return fake_terminal_place(&of(fw)->terminal, row, column);
}

static void paint(struct firmware *fw, enum paint how)
{
    of(fw)->terminal.paint = how;
}

static int read_key(struct firmware *fw, uint32_t timeout_ms)
{
    struct fake_firmware *fake = of(fw);

    if (fails(fake, FAKE_READ_KEY))
        return KEY_NONE;
    for (; fake->keys && *fake->keys == '\1'; fake->keys++)
        fake_terminal_picture(&fake->terminal);
    if (fake->keys && *fake->keys == '\2' && fake->keys++)
        return KEY_NONE;
    if (fake->keys && *fake->keys >= '\4' && *fake->keys <= '\7')
        return KEY_UP + *fake->keys++ - '\4';
    if (fake->keys && *fake->keys)
        return (unsigned char)*fake->keys++;
    return timeout_ms > 2000 ? KEY_ENTER : KEY_NONE;
}

/* ---------------------------------------------------------------- memory */

static void *allocate(struct firmware *fw, size_t size, size_t alignment)
{
    assert_in_range(alignment, 1, 2 << 20); /* the largest page */
    return fails(of(fw), FAKE_ALLOCATE) ? NULL : fake_memory_take(size, alignment, FAKE_MEMORY, FAKE_MEMORY_END);
}

static void *allocate_in(struct firmware *fw, size_t size, size_t alignment, uint64_t base, uint64_t end)
{
    struct fake_firmware *fake = of(fw);
    bool room = !fake->no_room || fake->no_room < base || end <= fake->no_room;
    void *memory = fails(fake, FAKE_ALLOCATE_IN) || !room ? NULL : fake_memory_take(size, alignment, base, end);

    if (memory && fake->placed_count < FAKE_PLACED)
        fake->placed[fake->placed_count++] = (struct fake_placed){memory, size, alignment, base, end};
    return memory;
}

static void *allocate_low(struct firmware *fw, size_t size)
{
    return fails(of(fw), FAKE_ALLOCATE_LOW) ? NULL : fake_memory_take(size, 4096, FAKE_MEMORY, FAKE_MEMORY_END);
}

static enum firmware_error memory_map(struct firmware *fw, void (*each)(void *argument, uint64_t first, uint64_t last),
                                      void *argument)
{
    if (fails(of(fw), FAKE_MEMORY_MAP))
        return error_of(of(fw));
    each(argument, FAKE_MEMORY, FAKE_MEMORY_END - 1);
    if (of(fw)->reserved)
        each(argument, of(fw)->reserved, of(fw)->reserved);
    return FIRMWARE_OK;
}

static uint64_t tables(struct firmware *fw, enum firmware_tables which)
{
    return (uint64_t)(uintptr_t)of(fw)->tables[which];
}

static void release(struct firmware *fw, void *memory, size_t size)
{
    (void)fw;
    if (memory)
        fake_memory_give(memory, size);
}

/* ---------------------------------------------------------------- the volume */

const struct fake_file *fake_file_find(const struct fake_firmware *fake, const char *path)
{
    for (unsigned i = 0; i < fake->files; i++)
        if (!strcmp(fake->file[i].path, path))
            return &fake->file[i];
    return NULL;
}

static struct fake_file *add(struct fake_firmware *fake, const char *path)
{
    struct fake_file *file = (struct fake_file *)fake_file_find(fake, path);

    if (!file) {
        assert_true(fake->files < FAKE_FILES);
        assert_true(strlen(path) < FAKE_PATH);
        file = &fake->file[fake->files++];
        *file = (struct fake_file){0};
        strcpy(file->path, path);
    }
    free(file->data);
    file->data = NULL;
    file->size = 0;
    return file;
}

void fake_file_put(struct fake_firmware *fake, const char *path, const void *data, size_t size)
{
    struct fake_file *file = add(fake, path);

    file->data = malloc(size + 1);
    if (size)
        memcpy(file->data, data, size);
    file->data[size] = '\0';
    file->size = size;
}

void fake_folder_put(struct fake_firmware *fake, const char *path)
{
    add(fake, path)->folder = true;
}

void fake_files_clear(struct fake_firmware *fake)
{
    for (unsigned i = 0; i < fake->files; i++)
        free(fake->file[i].data);
    fake->files = 0;
}

/* Returns whether the path's folder exists; the volume's root always does. */
static bool has_parent(const struct fake_firmware *fake, const char *path)
{
    char parent[FAKE_PATH];
    const struct fake_file *folder;

    assert_true(path[0] == '\\' && strlen(path) < sizeof(parent));
    strcpy(parent, path);
    *strrchr(parent, '\\') = '\0';
    folder = fake_file_find(fake, parent);
    return !parent[0] || (folder && folder->folder);
}

static enum firmware_error read_file(struct firmware *fw, const char *path, void *buffer, size_t max, size_t *ret_size)
{
    const struct fake_file *file = fake_file_find(of(fw), path);

    if (fails(of(fw), FAKE_READ_FILE))
        return error_of(of(fw));
    if (of(fw)->no_volume)
        return FIRMWARE_NO_VOLUME;
    if (!file)
        return FIRMWARE_NOT_FOUND;
    *ret_size = file->size;
    if (of(fw)->tells_no_size) /* as for efi_download() when iPXE is the firmware */
        *ret_size = max;
    if (file->size > max)
        return FIRMWARE_TOO_LARGE;
    memcpy(buffer, file->data, file->size);
    if (of(fw)->tells_no_size) {
        memset((uint8_t *)buffer + file->size, 0, max - file->size);
        while (*ret_size && !((uint8_t *)buffer)[*ret_size - 1])
            --*ret_size;
    }
    return FIRMWARE_OK;
}

static enum firmware_error list(struct firmware *fw, const char *path, void (*each)(void *argument, const char *name),
                                void *argument)
{
    struct fake_firmware *fake = of(fw);
    size_t length = strlen(path);

    if (fails(fake, FAKE_LIST))
        return error_of(fake);
    if (fake->no_volume)
        return FIRMWARE_NO_VOLUME;
    if (!fake_file_find(fake, path))
        return FIRMWARE_NOT_FOUND;
    for (unsigned i = 0; i < fake->files; i++) {
        const char *name = fake->file[i].path + length + 1;

        if (!strncmp(fake->file[i].path, path, length) && name[-1] == '\\' && !strchr(name, '\\'))
            each(argument, name);
    }
    return FIRMWARE_OK;
}

static enum firmware_error make_folder(struct firmware *fw, const char *path)
{
    if (fails(of(fw), FAKE_MAKE_FOLDER))
        return error_of(of(fw));
    if (of(fw)->no_volume)
        return FIRMWARE_NO_VOLUME;
    if (of(fw)->read_only)
        return FIRMWARE_READ_ONLY;
    if (!has_parent(of(fw), path))
        return FIRMWARE_NOT_FOUND;
    fake_folder_put(of(fw), path);
    return FIRMWARE_OK;
}

static enum firmware_error file_create(struct firmware *fw, const char *path, struct firmware_file **ret_file)
{
    struct firmware_file *file;

    if (fails(of(fw), FAKE_FILE_CREATE))
        return error_of(of(fw));
    if (of(fw)->no_volume)
        return FIRMWARE_NO_VOLUME;
    if (of(fw)->read_only)
        return FIRMWARE_READ_ONLY;
    if (!has_parent(of(fw), path))
        return FIRMWARE_NOT_FOUND;
    file = calloc(1, sizeof(*file));
    file->fake = of(fw);
    strcpy(file->path, path);
    of(fw)->open++;
    *ret_file = file;
    return FIRMWARE_OK;
}

/* Returns whether so many bytes more than the files' are too many. */
static bool too_many(const struct fake_firmware *fake, size_t more)
{
    for (unsigned i = 0; i < fake->files; i++)
        more += fake->file[i].size;
    return fake->capacity && more > fake->capacity;
}

static enum firmware_error room(struct firmware *fw, const char *folder, uint64_t bytes)
{
    struct fake_firmware *fake = of(fw);

    if (fails(fake, FAKE_ROOM))
        return error_of(fake);
    assert_true(fake_file_find(fake, folder)->folder);
    fake->room_asked = bytes;
    return too_many(fake, bytes) ? FIRMWARE_FULL : FIRMWARE_OK;
}

/* Writes data; a write that fails may have written a part. */
static enum firmware_error file_write(struct firmware_file *file, const void *data, size_t size)
{
    struct fake_firmware *fake = file->fake;
    bool fail = fails(fake, FAKE_FILE_WRITE), full = too_many(fake, file->size + size);

    assert_false(file->failed); /* no write may follow an error */
    assert_true(size > 0);
    file->failed = fail || full;
    if (file->failed)
        size /= 2;
    if (file->size + size > file->room) {
        file->room = 2 * (file->size + size);
        file->data = realloc(file->data, file->room);
    }
    memcpy(file->data + file->size, data, size);
    file->size += size;
    return fail ? error_of(fake) : full ? FIRMWARE_FULL : FIRMWARE_OK;
}

/* Closes a file; if flushing or renaming fails, the file does not exist under its name, and its handle is gone. */
static enum firmware_error file_close(struct firmware_file *file, bool keep)
{
    struct fake_firmware *fake = file->fake;
    bool fail = fails(fake, FAKE_FILE_CLOSE);

    assert_int_equal(keep, !file->failed);
    if (keep && fail && error_of(fake) == FIRMWARE_NOT_RENAMED)
        strcat(file->path, ".new");
    if (keep && (!fail || error_of(fake) == FIRMWARE_NOT_RENAMED))
        fake_file_put(fake, file->path, file->data, file->size);
    free(file->data);
    free(file);
    fake->open--;
    return fail ? error_of(fake) : FIRMWARE_OK;
}

static enum firmware_error file_append(struct firmware *fw, const char *path, const void *data, size_t size)
{
    struct fake_firmware *fake = of(fw);
    struct fake_file *file = (struct fake_file *)fake_file_find(fake, path);

    if (fails(fake, FAKE_FILE_APPEND))
        return error_of(fake);
    if (!file || fake->no_volume)
        return fake->no_volume ? FIRMWARE_NO_VOLUME : FIRMWARE_NOT_FOUND;
    file->data = realloc(file->data, file->size + size + 1);
    memcpy(file->data + file->size, data, size);
    file->size += size;
    file->data[file->size] = '\0';
    return FIRMWARE_OK;
}

static enum firmware_error file_remove(struct firmware *fw, const char *path)
{
    struct fake_firmware *fake = of(fw);
    struct fake_file *file = (struct fake_file *)fake_file_find(fake, path);

    if (fails(fake, FAKE_FILE_REMOVE))
        return error_of(fake);
    if (!file || fake->no_volume)
        return fake->no_volume ? FIRMWARE_NO_VOLUME : FIRMWARE_NOT_FOUND;
    free(file->data);
    fake->files--;
    memmove(file, file + 1, (size_t)(fake->file + fake->files - file) * sizeof(*file));
    return FIRMWARE_OK;
}

/* ---------------------------------------------------------------- time, cores */

static void stall(struct firmware *fw, uint32_t microseconds)
{
    of(fw)->stalled += microseconds;
    of(fw)->stalled_since += microseconds;
    if (of(fw)->tsc_stands)
        return;
    fake_time_passes((uint64_t)microseconds * TSC_PER_US << (++of(fw)->stalls == of(fw)->smi_in_stall));
}

static enum firmware_error count_cores(struct firmware *fw, uint32_t *ret_count)
{
    *ret_count = of(fw)->cores ? of(fw)->cores : 1;
    if (fails(of(fw), FAKE_COUNT_CORES)) {
        *ret_count = 1;
        return error_of(of(fw));
    }
    return of(fw)->cores ? FIRMWARE_OK : FIRMWARE_NO_CORES;
}

/* Returns the core's bit in the masks that a test sets or reads; 0 if the masks have none for the core. */
static uint64_t bit(uint32_t core)
{
    return core < 64 ? 1ull << core : 0;
}

/* Calls the function at once, unless the core is dead; the function's session waits for the boot core
 * (fake_session.c). */
static enum firmware_error start_core(struct firmware *fw, uint32_t core, void (*function)(void *argument),
                                      void *argument)
{
    struct fake_firmware *fake = of(fw);

    assert_in_range(core, 1, fake->cores - 1);
    fake->stalled_since = 0;
    if (fails(fake, FAKE_START_CORE))
        return error_of(fake);
    if ((fake->refused | (fake->keeps & fake->started)) & bit(core))
        return FIRMWARE_CORE_BUSY;
    fake->started |= bit(core);
    fake->ended &= ~bit(core);
    if (fake->dead & bit(core))
        fake->begin = function, fake->begin_argument = argument;
    else
        function(argument);
    return FIRMWARE_OK;
}

static enum firmware_error core_apic_id(struct firmware *fw, uint32_t core, uint32_t *ret_id)
{
    if (fails(of(fw), FAKE_CORE_APIC_ID))
        return error_of(of(fw));
    if (core && core >= of(fw)->cores)
        return FIRMWARE_NOT_FOUND;
    *ret_id = of(fw)->id_of ? of(fw)->id_of(core) : core;
    return FIRMWARE_OK;
}

static void core_started(struct firmware *fw, uint32_t core, struct firmware_start *ret_start)
{
    (void)core;
    *ret_start = (struct firmware_start){.status = of(fw)->status};
}

static bool core_ended(struct firmware *fw, uint32_t core)
{
    struct fake_firmware *fake = of(fw);
    bool ended = !(fake->dead & bit(core)) && (!(fake->late & bit(core)) || fake->stalled_since >= fake->late_us);

    assert_in_range(core, 1, fake->cores - 1);
    fake->ended |= ended ? bit(core) : 0;
    return ended;
}

static void now(struct firmware *fw, struct firmware_time *ret_time)
{
    *ret_time = of(fw)->time;
    if (fails(of(fw), FAKE_NOW))
        ret_time->valid = false;
}

static void end(struct firmware *fw, enum firmware_end how)
{
    struct fake_firmware *fake = of(fw);

    assert_int_equal(fake->open, 0);
    fake->ended_by = how;
    if (fake->really_ends)
        longjmp(fake->gone, 1);
}

/* ---------------------------------------------------------------- begin and end */

void fake_firmware_init(struct fake_firmware *fake)
{
    memset(fake, 0, offsetof(struct fake_firmware, screen));
    fake->screen[0] = '\0';
    fake->time = (struct firmware_time){2026, 11, 21, 12, 34, 56, true};
    fake->firmware = (struct firmware){
        .context = fake,
        .name = "fake firmware 1.0",
        .mac = "",
        .rows = 25,
        .columns = 80,
        .keys = true,
        .print = print,
        .clear = clear,
        .place = place,
        .paint = paint,
        .read_key = read_key,
        .allocate = allocate,
        .allocate_in = allocate_in,
        .allocate_low = allocate_low,
        .memory_map = memory_map,
        .release = release,
        .tables = tables,
        .read_file = read_file,
        .list = list,
        .make_folder = make_folder,
        .room = room,
        .file_create = file_create,
        .file_write = file_write,
        .file_close = file_close,
        .file_append = file_append,
        .file_remove = file_remove,
        .stall = stall,
        .count_cores = count_cores,
        .start_core = start_core,
        .core_ended = core_ended,
        .core_apic_id = core_apic_id,
        .core_started = core_started,
        .now = now,
        .end = end,
    };
}

void fake_firmware_clear(struct fake_firmware *fake)
{
    fake->screen_length = 0;
    fake->screen[0] = '\0';
    fake->stalled = 0;
    fake->failed = false;
    memset(fake->calls, 0, sizeof(fake->calls));
}

void fake_firmware_done(struct fake_firmware *fake)
{
    fake_terminal_done(&fake->terminal);
    fake_files_clear(fake);
    assert_int_equal(fake->open, 0);
    assert_int_equal(fake_memory_blocks(), 0);
}
