#include "tests/unit/app/fake_firmware.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct firmware_file {
    struct fake_firmware *fake;
    char path[128];
    char *data;
    size_t size;
};

static struct fake_firmware *of(struct firmware *fw)
{
    return fw->context;
}

static void print(struct firmware *fw, const char *text, size_t length)
{
    struct fake_firmware *fake = of(fw);

    assert_true(fake->screen_length + length < FAKE_SCREEN_BYTES);
    memcpy(fake->screen + fake->screen_length, text, length);
    fake->screen_length += length;
    fake->screen[fake->screen_length] = '\0';
}

static int read_key(struct firmware *fw, uint32_t timeout_ms)
{
    struct fake_firmware *fake = of(fw);

    if (fake->keys && *fake->keys)
        return *fake->keys++;
    return timeout_ms > 2000 ? FIRMWARE_KEY_ENTER : FIRMWARE_KEY_NONE;
}

static void *allocate(struct firmware *fw, size_t size, size_t alignment)
{
    struct fake_firmware *fake = of(fw);
    void *memory;

    if (fake->fail_allocation && --fake->fail_allocation == 0)
        return NULL;
    memory = aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    assert_non_null(memory);
    memset(memory, 0, size);

    for (unsigned i = 0; i < FAKE_BLOCKS; i++) {
        if (fake->block[i])
            continue;
        fake->block[i] = memory;
        break;
    }
    fake->allocations++;
    return memory;
}

/* The host's addresses are as they come: what was asked for is noted, and which memory was given. */
static void *allocate_in(struct firmware *fw, size_t size, size_t alignment, uint64_t base, uint64_t end)
{
    struct fake_firmware *fake = of(fw);
    void *memory = fake->no_room && base <= fake->no_room && fake->no_room < end ? NULL : allocate(fw, size, alignment);

    if (memory && fake->placed_count < FAKE_BLOCKS)
        fake->placed[fake->placed_count++] = (struct fake_placed){memory, size, base};
    return memory;
}

static void release(struct firmware *fw, void *memory, size_t size)
{
    (void)size;
    for (unsigned i = 0; memory && i < FAKE_BLOCKS; i++)
        if (of(fw)->block[i] == memory)
            of(fw)->block[i] = NULL;
    if (memory)
        of(fw)->allocations--;
    free(memory);
}

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
        file = &fake->file[fake->files++];
        snprintf(file->path, sizeof(file->path), "%s", path);
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
    memcpy(file->data, data, size);
    file->data[size] = '\0';
    file->size = size;
}

static enum firmware_error read_file(struct firmware *fw, const char *path, void *buffer, size_t max, size_t *ret_size)
{
    const struct fake_file *file = fake_file_find(of(fw), path);

    if (of(fw)->no_volume)
        return FIRMWARE_NO_VOLUME;
    if (!file)
        return FIRMWARE_NOT_FOUND;
    *ret_size = file->size;
    if (file->size > max)
        return FIRMWARE_TOO_LARGE;
    memcpy(buffer, file->data, file->size);
    return FIRMWARE_OK;
}

static enum firmware_error list(struct firmware *fw, const char *path, void (*each)(void *argument, const char *name),
                                void *argument)
{
    struct fake_firmware *fake = of(fw);
    size_t length = strlen(path);

    if (fake->no_volume)
        return FIRMWARE_NO_VOLUME;
    if (!fake_file_find(fake, path))
        return FIRMWARE_NOT_FOUND;
    for (unsigned i = 0; i < fake->files; i++)
        if (!strncmp(fake->file[i].path, path, length) && fake->file[i].path[length] == '\\')
            each(argument, fake->file[i].path + length + 1);
    return FIRMWARE_OK;
}

static enum firmware_error make_folder(struct firmware *fw, const char *path)
{
    if (of(fw)->no_volume)
        return FIRMWARE_NO_VOLUME;
    if (of(fw)->read_only)
        return FIRMWARE_READ_ONLY;
    add(of(fw), path)->folder = true;
    return FIRMWARE_OK;
}

static enum firmware_error file_create(struct firmware *fw, const char *path, struct firmware_file **ret_file)
{
    struct firmware_file *file;

    if (of(fw)->read_only)
        return FIRMWARE_READ_ONLY;
    file = calloc(1, sizeof(*file));
    file->fake = of(fw);
    snprintf(file->path, sizeof(file->path), "%s", path);
    *ret_file = file;
    return FIRMWARE_OK;
}

static enum firmware_error file_write(struct firmware_file *file, const void *data, size_t size)
{
    size_t used = file->size + size;

    for (unsigned i = 0; i < file->fake->files; i++)
        used += file->fake->file[i].size;
    if (file->fake->capacity && used > file->fake->capacity)
        return FIRMWARE_FULL;
    file->data = realloc(file->data, file->size + size);
    memcpy(file->data + file->size, data, size);
    file->size += size;
    return FIRMWARE_OK;
}

static enum firmware_error file_close(struct firmware_file *file, bool keep)
{
    if (keep)
        fake_file_put(file->fake, file->path, file->data, file->size);
    free(file->data);
    free(file);
    return FIRMWARE_OK;
}

static void stall(struct firmware *fw, uint32_t microseconds)
{
    (void)fw;
    (void)microseconds;
}

static enum firmware_error count_cores(struct firmware *fw, uint32_t *ret_count)
{
    *ret_count = of(fw)->cores ? of(fw)->cores : 1;
    return of(fw)->cores ? FIRMWARE_OK : FIRMWARE_NO_CORES;
}

/* It runs to its end at once, before the boot core's part. */
static enum firmware_error start_core(struct firmware *fw, uint32_t core, void (*function)(void *argument), void *argument)
{
    assert_in_range(core, 1, of(fw)->cores - 1);
    of(fw)->started |= 1ull << core;
    if (of(fw)->refused == core)
        return FIRMWARE_CORE_BUSY;
    if (of(fw)->dead != core)
        function(argument);
    return FIRMWARE_OK;
}

static enum firmware_error core_apic_id(struct firmware *fw, uint32_t core, uint32_t *ret_id)
{
    if (core && core >= of(fw)->cores)
        return FIRMWARE_NOT_FOUND;
    *ret_id = core;
    return FIRMWARE_OK;
}

static bool core_ended(struct firmware *fw, uint32_t core)
{
    return of(fw)->dead != core;
}

static void now(struct firmware *fw, struct firmware_time *ret_time)
{
    (void)fw;
    *ret_time = (struct firmware_time){2026, 11, 21, 12, 34, 56, true};
}

void fake_firmware_init(struct fake_firmware *fake)
{
    memset(fake, 0, sizeof(*fake));
    fake->firmware = (struct firmware){
        .context = fake,
        .name = "fake firmware 1.0",
        .print = print,
        .read_key = read_key,
        .allocate = allocate,
        .allocate_in = allocate_in,
        .release = release,
        .read_file = read_file,
        .list = list,
        .make_folder = make_folder,
        .file_create = file_create,
        .file_write = file_write,
        .file_close = file_close,
        .stall = stall,
        .count_cores = count_cores,
        .start_core = start_core,
        .core_ended = core_ended,
        .core_apic_id = core_apic_id,
        .now = now,
    };
}

void fake_firmware_forget(struct fake_firmware *fake)
{
    for (unsigned i = 0; i < FAKE_BLOCKS; i++)
        release(&fake->firmware, fake->block[i], 0);
}

void fake_firmware_done(struct fake_firmware *fake)
{
    for (unsigned i = 0; i < fake->files; i++)
        free(fake->file[i].data);
    assert_int_equal(fake->allocations, 0);
}
