/* SPDX-License-Identifier: BSD-2-Clause */
/* CRC-32C: published vectors, in one piece and in two. */
#include <string.h>

#include "tests/unit/core/check.h"

#include "core/base/crc32c.h"

/* The vectors are those of RFC 3720, appendix B.4; the last one is the catalogue's check value of CRC-32C. */
TEST(checksums)
{
    uint8_t bytes[32] = {0};

    assert_int_equal(crc32c(0, bytes, 0), 0);
    assert_int_equal(crc32c(0, bytes, 32), 0x8A9136AA);
    memset(bytes, 0xFF, 32);
    assert_int_equal(crc32c(0, bytes, 32), 0x62A8AB43);
    for (unsigned i = 0; i < 32; i++)
        bytes[i] = (uint8_t)i;
    assert_int_equal(crc32c(0, bytes, 32), 0x46DD794E);
    assert_int_equal(crc32c(crc32c(0, bytes, 5), bytes + 5, 27), 0x46DD794E);
    for (unsigned i = 0; i < 32; i++)
        bytes[i] = (uint8_t)(31 - i);
    assert_int_equal(crc32c(0, bytes, 32), 0x113FDB5C);
    assert_int_equal(crc32c(0, "123456789", 9), 0xE3069283);
}

RUN_TESTS(NULL, NULL)
