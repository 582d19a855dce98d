/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/shim/firmware/fw_cfg.h"

#include "vpmu/shim/x86.h"

/* QEMU docs/specs/fw_cfg: selector (16-bit, little-endian) and data (8-bit) ports of a PC, and two fixed keys. Numbers
 * in the directory are big-endian. */
enum {
    FW_CFG_SELECTOR = 0x510,
    FW_CFG_DATA = 0x511,
    FW_CFG_SIGNATURE = 0x0000,
    FW_CFG_DIRECTORY = 0x0019,
    FW_CFG_NAME = 56
};

static uint32_t read_be(unsigned bytes)
{
    uint32_t value = 0;
    while (bytes--)
        value = value << 8 | x86_inb(FW_CFG_DATA);
    return value;
}

static bool equal(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

bool fw_cfg_read(const char *name, char *text, uint32_t size, bool *too_long)
{
    x86_outw(FW_CFG_SELECTOR, FW_CFG_SIGNATURE);
    if (read_be(4) != 0x51454d55) /* "QEMU" */
        return false;
    x86_outw(FW_CFG_SELECTOR, FW_CFG_DIRECTORY);
    uint32_t count = read_be(4);
    while (count--) {
        uint32_t length = read_be(4);
        uint16_t key = (uint16_t)read_be(2);
        (void)read_be(2);
        char found[FW_CFG_NAME];
        for (unsigned i = 0; i < FW_CFG_NAME; i++)
            found[i] = (char)x86_inb(FW_CFG_DATA);
        found[FW_CFG_NAME - 1] = 0;
        if (!equal(found, name))
            continue;
        *too_long = length >= size;
        if (!*too_long) {
            x86_outw(FW_CFG_SELECTOR, key);
            for (uint32_t i = 0; i < length; i++)
                text[i] = (char)x86_inb(FW_CFG_DATA);
            text[length] = 0;
        }
        return true;
    }
    return false;
}
