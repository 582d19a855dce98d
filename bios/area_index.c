/* SPDX-License-Identifier: BSD-2-Clause */
#include "bios/area_index.h"

#include "bios/uefi.h"
#include "core/mem.h"
#include "core/str.h"

enum { ROWS_FIRST = 256 };

static struct area_entry *rows;
static uint64_t count, room, next; /* of rows; of the area: the header after them */

/* Without memory for more they are not found, and stay where they are. */
void area_index_read(struct store *area)
{
    struct tar_entry entry;

    while (area && tar_next(&area->tar, &next, &entry) == TAR_OK) {
        if (count == room) {
            uint64_t more = room ? 2 * room : ROWS_FIRST;
            struct area_entry *larger = uefi_grow_pool(rows, count * sizeof *rows, more * sizeof *rows);

            if (!larger)
                return;
            rows = larger;
            room = more;
        }
        if (!entry.file)
            continue;
        rows[count] = (struct area_entry){.size = entry.size, .sector = entry.sector};
        memcpy(rows[count++].path, entry.name, sizeof entry.name);
    }
}

const struct area_entry *area_index_find(const char *path)
{
    for (uint64_t i = count; i-- > 0;)
        if (str_equal(rows[i].path, path))
            return &rows[i];
    return NULL;
}

const struct area_entry *area_index_row(uint64_t row)
{
    return row < count ? &rows[row] : NULL;
}
