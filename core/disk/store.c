/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/disk/store.h"

#include "core/base/mem.h"

enum { END_BLOCKS = 2 }; /* of zeros ("ustar Interchange Format") */

enum tar_error store_open(struct store *store, const struct disk_ops *disk, const struct disk_extent *extents,
                          unsigned count)
{
    memset(store, 0, sizeof(*store));
    store->refusal = tar_open(&store->tar, disk, extents, count);
    return store->refusal;
}

uint64_t store_room(const struct store *store)
{
    uint64_t left = store->tar.area.sectors - store->tar.used;

    return left > 1 + END_BLOCKS ? (left - 1 - END_BLOCKS) * DISK_SECTOR : 0;
}

/* Writes the buffer after the sectors in the area; the last one is filled with zeros. */
static void flush(struct store *store)
{
    unsigned count = (store->buffered + DISK_SECTOR - 1) / DISK_SECTOR;

    memset(store->buffer + store->buffered, 0, count * DISK_SECTOR - store->buffered);
    if (store->error || count == 0)
        return;
    if ((store->sent + count) * DISK_SECTOR > store_room(store))
        store->error = TAR_FULL;
    else if (!area_write(&store->tar.area, store->tar.used + 1 + store->sent, count, store->buffer))
        store->error = TAR_WRITE;
    store->sent += store->error ? 0 : count;
}

static enum tar_error set_name(struct store *store, const char *name)
{
    size_t length = strlen(name);

    if (length == 0 || length >= TAR_NAME_MAX)
        return TAR_NAME;
    memcpy(store->name, name, length + 1);
    return TAR_OK;
}

enum tar_error store_name(struct store *store, const char *name)
{
    return store->writing ? set_name(store, name) : TAR_BUSY;
}

enum tar_error store_begin(struct store *store, const char *name, uint64_t time)
{
    const struct area area = store->tar.area;
    enum tar_error error;

    if (store->writing)
        return TAR_BUSY;
    if (store->refusal == TAR_WRITE || store->refusal == TAR_READ) /* of a header, which may be there or not */
        (void)store_open(store, area.disk, area.extents, area.extent_count);
    if (store->refusal)
        return store->refusal;
    error = set_name(store, name);
    if (error)
        return error;
    store->writing = true;
    store->error = TAR_OK;
    store->time = time;
    store->sent = 0;
    store->buffered = 0;
    return TAR_OK;
}

enum tar_error store_write(struct store *store, const void *data, size_t size)
{
    const uint8_t *at = data;

    if (!store->writing)
        return TAR_BUSY;
    while (size && !store->error) {
        size_t part = sizeof(store->buffer) - store->buffered;

        part = part < size ? part : size;
        memcpy(store->buffer + store->buffered, at, part);
        store->buffered += (unsigned)part;
        at += part;
        size -= part;
        if (store->buffered == sizeof(store->buffer)) {
            flush(store);
            store->buffered = 0;
        }
    }
    return store->error;
}

/* Writes the end, then the header, and reads that back: some firmware reports writes as done that it did not do. */
static void write_header(struct store *store, uint64_t size)
{
    uint8_t *zeros = store->buffer, *header = store->buffer + END_BLOCKS * DISK_SECTOR, *back = header + DISK_SECTOR;
    struct tar *tar = &store->tar;

    memset(zeros, 0, END_BLOCKS * DISK_SECTOR);
    tar_header(header, store->name, size, store->time);
    tar_forget(tar);
    if (tar->area.sectors - tar->used < 1 + END_BLOCKS)
        store->error = TAR_FULL;
    else if (!area_write(&tar->area, tar->used + 1 + store->sent, END_BLOCKS, zeros))
        store->error = TAR_WRITE;
    if (store->error)
        return;
    if (!area_write(&tar->area, tar->used, 1, header) || !area_read(&tar->area, tar->used, 1, back) ||
        memcmp(header, back, DISK_SECTOR) != 0) {
        /* The header may be there or not, and the entry with it. Nothing after it is touched, so both are in order. */
        store->error = TAR_WRITE;
        store->refusal = TAR_WRITE;
        return;
    }
    tar->used += 1 + store->sent;
    tar->entries++;
}

enum tar_error store_end(struct store *store, bool keep)
{
    uint64_t size = store->sent * DISK_SECTOR + store->buffered;

    if (!store->writing)
        return TAR_BUSY;
    store->writing = false;
    if (keep)
        flush(store);
    if (keep && !store->error)
        write_header(store, size);
    /* The tar's second end block is missing: bytes of a file that is not kept are in its place. */
    if ((store->error || !keep) && store->sent && !store->refusal) {
        memset(store->buffer, 0, DISK_SECTOR);
        tar_forget(&store->tar);
        (void)area_write(&store->tar.area, store->tar.used + 1, 1, store->buffer);
    }
    return keep ? store->error : TAR_OK;
}

enum tar_error store_append(struct store *store, const char *name, const void *data, size_t size, uint64_t time)
{
    enum tar_error error = store_begin(store, name, time);

    if (error)
        return error;
    (void)store_write(store, data, size); /* store_end() says it */
    return store_end(store, true);
}

enum tar_error store_remove(struct store *store, const char *name, uint64_t time)
{
    struct tar_entry entry;
    enum tar_error error = tar_find(&store->tar, name, &entry);

    return error ? error : store_append(store, name, NULL, 0, time);
}
