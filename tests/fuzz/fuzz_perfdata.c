/* The perf.data reader on any bytes: no wrong access, no endless loop, and a reader that went wrong stays within the
 * file. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "core/perfdata_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct perfdata_reader reader;
    struct perfdata_item item;
    size_t records = 0;
    if (perfdata_open(&reader, data, size) != PERFDATA_OK) {
        return 0;
    }
    while (perfdata_next(&reader, &item) == PERFDATA_OK && item.kind != PERFDATA_ITEM_END) {
        /* A record has 8 bytes at least. */
        if (++records > size / 8 || (item.kind == PERFDATA_ITEM_SAMPLE && item.record.kind >= IBS_KINDS)) {
            abort();
        }
    }
    return 0;
}
