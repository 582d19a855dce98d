/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/disk/area_index.h"

#include "core/base/mem.h"
#include "core/base/str.h"

enum { ROWS_FIRST = 256 };

/* Stops without memory for more entries, which stay where they are. */
void area_index_read(struct area_index *index, struct store *area, area_grow *grow, void *context)
{
    struct tar_entry entry;

    while (area && tar_next(&area->tar, &index->next, &entry) == TAR_OK) {
        if (index->count == index->room) {
            uint64_t more = index->room ? 2 * index->room : ROWS_FIRST, each = sizeof *index->rows;
            struct area_entry *larger = grow(context, index->rows, index->count * each, more * each);

            if (!larger)
                return;
            index->rows = larger;
            index->room = more;
        }
        if (!entry.file)
            continue;
        index->rows[index->count] = (struct area_entry){.size = entry.size, .sector = entry.sector};
        memcpy(index->rows[index->count++].path, entry.name, sizeof entry.name);
    }
}

const struct area_entry *area_index_find(const struct area_index *index, const char *path)
{
    size_t length = strlen(path);

    for (uint64_t i = index->count; i-- > 0;)
        if (str_is(path, length, index->rows[i].path))
            return &index->rows[i];
    return NULL;
}

const struct area_entry *area_index_row(const struct area_index *index, uint64_t row)
{
    return row < index->count ? &index->rows[row] : NULL;
}
