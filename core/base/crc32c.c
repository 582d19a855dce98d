/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/base/crc32c.h"

/* x^32 + x^28 + x^27 + x^26 + ... (11EDC6F41h), bits reflected: RFC 3720 section 12.1. */
#define REFLECTED 0x82F63B78u

#define STEP(x)   ((x) >> 1 ^ (-((x)&1) & REFLECTED))
#define NIBBLE(x) STEP(STEP(STEP(STEP((uint32_t)(x)))))

/* By half bytes: a table of a whole one would be sixteen times as long, and a serial line is a thousand times slower.
 */
static const uint32_t table[16] = {
    NIBBLE(0), NIBBLE(1), NIBBLE(2),  NIBBLE(3),  NIBBLE(4),  NIBBLE(5),  NIBBLE(6),  NIBBLE(7),
    NIBBLE(8), NIBBLE(9), NIBBLE(10), NIBBLE(11), NIBBLE(12), NIBBLE(13), NIBBLE(14), NIBBLE(15),
};

uint32_t crc32c(uint32_t crc, const void *data, size_t size)
{
    const uint8_t *bytes = data;

    crc = ~crc;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        crc = crc >> 4 ^ table[crc & 15];
        crc = crc >> 4 ^ table[crc & 15];
    }
    return ~crc;
}
