/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/run/tar.h"

#include "core/base/mem.h"
#include "core/base/str.h"

/* Fields of a header: where they begin ("ustar Interchange Format"). */
enum {
    FIELD_NAME = 0, /* 100 bytes, without an end when they are all taken */
    FIELD_MODE = 100,
    FIELD_USER = 108,
    FIELD_GROUP = 116,
    FIELD_SIZE = 124,
    FIELD_TIME = 136,
    FIELD_SUM = 148,
    FIELD_TYPE = 156,
    FIELD_LINK = 157,
    FIELD_MAGIC = 257,
    FIELD_PREFIX = 345,
    BYTES_NUMBER = 8,
    BYTES_LONG_NUMBER = 12,
    TYPE_FILE = '0',
    TYPE_OLD_FILE = '\0',
};

const char *tar_error_text(enum tar_error error)
{
    static const char *const texts[] = {
        [TAR_OK] = "no error",
        [TAR_END] = "no more entries",
        [TAR_NOT_FOUND] = "not found",
        [TAR_READ] = "the disk did not read a sector of the run area",
        [TAR_DAMAGED] = "the run area is damaged: after its last entry there is no end mark",
        [TAR_WRITE] = "the disk did not write a sector of the run area",
        [TAR_FULL] = "the run area is full",
        [TAR_NAME] = "the name is too long for the run area",
        [TAR_BUSY] = "another file is being written to the run area",
    };

    return (unsigned)error < sizeof(texts) / sizeof(texts[0]) ? texts[error] : "unknown error";
}

/* ---------------------------------------------------------------- headers */

/* Reads octal digits, with blanks before and an end after them. */
static bool read_octal(const uint8_t *at, unsigned width, uint64_t *ret_value)
{
    uint64_t value = 0;
    unsigned i = 0;

    while (i < width && at[i] == ' ')
        i++;
    if (i == width || at[i] < '0' || at[i] > '7')
        return false;
    for (; i < width && at[i] >= '0' && at[i] <= '7'; i++)
        value = value * 8 + (uint64_t)(at[i] - '0'); /* 12 digits are 36 bits */
    if (i < width && at[i] != ' ' && at[i] != '\0')
        return false;
    *ret_value = value;
    return true;
}

static void write_octal(uint8_t *at, unsigned width, uint64_t value)
{
    for (unsigned i = width - 1; i-- > 0; value /= 8)
        at[i] = (uint8_t)('0' + value % 8);
    at[width - 1] = '\0';
}

/* Returns the sum of all bytes, with blanks where the sum stands. */
static uint64_t sum_of(const uint8_t *block)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < DISK_SECTOR; i++)
        sum += i >= FIELD_SUM && i < FIELD_TYPE ? ' ' : block[i];
    return sum;
}

void tar_header(uint8_t block[DISK_SECTOR], const char *name, uint64_t size, uint64_t time)
{
    size_t length = strlen(name);

    memset(block, 0, DISK_SECTOR);
    memcpy(block + FIELD_NAME, name, length < TAR_NAME_MAX ? length : TAR_NAME_MAX - 1);
    write_octal(block + FIELD_MODE, BYTES_NUMBER, 0644);
    write_octal(block + FIELD_USER, BYTES_NUMBER, 0);
    write_octal(block + FIELD_GROUP, BYTES_NUMBER, 0);
    write_octal(block + FIELD_SIZE, BYTES_LONG_NUMBER, size);
    write_octal(block + FIELD_TIME, BYTES_LONG_NUMBER, time);
    block[FIELD_TYPE] = TYPE_FILE;
    memcpy(block + FIELD_MAGIC, "ustar\00000", 8);
    write_octal(block + FIELD_SUM, BYTES_NUMBER - 1, sum_of(block));
    block[FIELD_TYPE - 1] = ' ';
}

static bool is_zero(const uint8_t *block)
{
    for (unsigned i = 0; i < DISK_SECTOR; i++)
        if (block[i])
            return false;
    return true;
}

/* Returns the block at this sector. */
static const uint8_t *look(struct tar *tar, uint64_t sector)
{
    if (sector < tar->window_first || sector - tar->window_first >= tar->window_count) {
        uint64_t count = tar->area.sectors - sector < TAR_WINDOW ? tar->area.sectors - sector : TAR_WINDOW;

        tar->window_count = 0;
        if (!area_read(&tar->area, sector, count, tar->window))
            return NULL;
        tar->window_first = sector;
        tar->window_count = (unsigned)count;
    }
    return tar->window + (sector - tar->window_first) * DISK_SECTOR;
}

void tar_forget(struct tar *tar)
{
    tar->window_count = 0;
}

enum tar_error tar_next(struct tar *tar, uint64_t *at, struct tar_entry *ret_entry)
{
    struct tar_entry entry = {.sector = *at + 1};
    const uint8_t *block;
    uint64_t sum, blocks;

    if (*at >= tar->area.sectors)
        return TAR_END;
    block = look(tar, *at);
    if (!block)
        return TAR_READ;
    if (is_zero(block))
        return TAR_END;
    if (memcmp(block + FIELD_MAGIC, "ustar", 5) != 0 || !read_octal(block + FIELD_SUM, BYTES_NUMBER, &sum) ||
        sum != sum_of(block) || !read_octal(block + FIELD_SIZE, BYTES_LONG_NUMBER, &entry.size))
        return TAR_DAMAGED;
    blocks = entry.size / DISK_SECTOR + (entry.size % DISK_SECTOR != 0);
    if (blocks > tar->area.sectors - entry.sector)
        return TAR_DAMAGED;
    /* A name with a prefix is longer than any of ours: it stays "". */
    if (block[FIELD_PREFIX] == '\0')
        memcpy(entry.name, block + FIELD_NAME, TAR_NAME_MAX - 1);
    entry.file = entry.name[0] && (block[FIELD_TYPE] == TYPE_FILE || block[FIELD_TYPE] == TYPE_OLD_FILE);
    entry.next = entry.sector + blocks;
    *at = entry.next;
    *ret_entry = entry;
    return TAR_OK;
}

/* ---------------------------------------------------------------- the whole */

enum tar_error tar_open(struct tar *tar, const struct disk_ops *disk, const struct disk_extent *extents, unsigned count)
{
    struct tar_entry entry;
    enum tar_error error;

    memset(tar, 0, sizeof(*tar));
    area_init(&tar->area, disk, extents, count);
    while ((error = tar_next(tar, &tar->used, &entry)) == TAR_OK)
        tar->entries++;
    return error == TAR_END ? TAR_OK : error;
}

enum tar_error tar_find(struct tar *tar, const char *name, struct tar_entry *ret_entry)
{
    struct tar_entry entry, last = {.size = 0};
    enum tar_error error;

    for (uint64_t at = 0; at < tar->used;) {
        error = tar_next(tar, &at, &entry);
        if (error)
            return error == TAR_END ? TAR_DAMAGED : error;
        if (entry.file && str_equal(entry.name, name))
            last = entry;
    }
    if (last.size == 0)
        return TAR_NOT_FOUND;
    *ret_entry = last;
    return TAR_OK;
}

enum tar_error tar_read(struct tar *tar, const struct tar_entry *entry, uint64_t offset, void *to, size_t size,
                        size_t *ret_done)
{
    uint8_t *at = to;
    size_t done = 0;

    if (offset >= entry->size)
        size = 0;
    else if (size > entry->size - offset)
        size = (size_t)(entry->size - offset);
    while (done < size) {
        uint64_t sector = entry->sector + (offset + done) / DISK_SECTOR, inside = (offset + done) % DISK_SECTOR;
        size_t whole = (size - done) / DISK_SECTOR, part;

        if (inside == 0 && whole) {
            part = whole * DISK_SECTOR;
            if (!area_read(&tar->area, sector, whole, at + done))
                return TAR_READ;
        } else {
            const uint8_t *block = look(tar, sector);

            if (!block)
                return TAR_READ;
            part = DISK_SECTOR - inside < size - done ? DISK_SECTOR - inside : size - done;
            memcpy(at + done, block + inside, part);
        }
        done += part;
    }
    *ret_done = done;
    return TAR_OK;
}
