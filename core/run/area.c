/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/run/area.h"

#include <stddef.h>

/* Most sectors of a call, so that a count fits every disk's. */
enum { PART_MOST = 1 << 16 };

void area_init(struct area *area, const struct disk_ops *disk, const struct disk_extent *extents, unsigned count)
{
    *area = (struct area){.disk = disk, .extents = extents, .extent_count = count};
    for (unsigned i = 0; i < count; i++)
        area->sectors += extents[i].count;
}

/* Transfers to one of 'to' and 'from'. */
static bool transfer(const struct area *area, uint64_t sector, uint64_t count, uint8_t *to, const uint8_t *from)
{
    if (sector > area->sectors || count > area->sectors - sector)
        return false;
    for (unsigned i = 0; i < area->extent_count && count; i++) {
        const struct disk_extent *extent = &area->extents[i];

        while (sector < extent->count && count) {
            uint64_t part = extent->count - sector < count ? extent->count - sector : count;
            int error;

            part = part < PART_MOST ? part : PART_MOST;
            if (to)
                error = area->disk->read(area->disk->context, extent->sector + sector, (unsigned)part, to);
            else
                error = area->disk->write(area->disk->context, extent->sector + sector, (unsigned)part, from);
            if (error)
                return false;
            to = to ? to + part * DISK_SECTOR : NULL;
            from = from ? from + part * DISK_SECTOR : NULL;
            sector += part;
            count -= part;
        }
        sector = sector < extent->count ? 0 : sector - extent->count;
    }
    return count == 0;
}

bool area_read(const struct area *area, uint64_t sector, uint64_t count, void *to)
{
    return transfer(area, sector, count, to, NULL);
}

bool area_write(const struct area *area, uint64_t sector, uint64_t count, const void *from)
{
    return transfer(area, sector, count, NULL, from);
}
