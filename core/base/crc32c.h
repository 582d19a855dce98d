/* SPDX-License-Identifier: BSD-2-Clause */
/* CRC-32C (Castagnoli): RFC 3720 section 12.1 and appendix B.4, whose vectors the test has. */
#ifndef CORE_CRC32C_H
#define CORE_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* Returns the checksum of earlier bytes, whose checksum is 'crc' (0: none), followed by these. */
uint32_t crc32c(uint32_t crc, const void *data, size_t size);

#endif
