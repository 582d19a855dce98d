/* SPDX-License-Identifier: BSD-2-Clause */
/* Values in tables of firmware, disks and files: little endian, and not aligned. */
#ifndef CORE_BASE_BYTES_H
#define CORE_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline uint32_t bytes_read16(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8;
}

static inline uint32_t bytes_read32(const uint8_t *at)
{
    return bytes_read16(at) | bytes_read16(at + 2) << 16;
}

static inline uint64_t bytes_read64(const uint8_t *at)
{
    return bytes_read32(at) | (uint64_t)bytes_read32(at + 4) << 32;
}

/* Tells whether the sum of the bytes is 0 modulo 256, as in tables of ACPI and SMBIOS. */
static inline bool bytes_sum_to_zero(const uint8_t *bytes, size_t size)
{
    uint8_t sum = 0;

    for (size_t i = 0; i < size; i++)
        sum = (uint8_t)(sum + bytes[i]);
    return sum == 0;
}

#endif
