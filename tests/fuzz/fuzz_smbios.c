/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * SMBIOS from hostile bytes: memory that begins with an entry point. In all cases: no access outside the bytes that
 * were asked for, and texts that end and are printable.
 */
#include "core/platform/smbios.h"
#include "tests/fuzz/acpi_bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const char *text, size_t most)
{
    if (!memchr(text, '\0', most))
        abort();
    for (; *text; text++)
        if (*text < 0x20 || *text > 0x7e)
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct memory memory = {{map}, malloc(size + 1), size};
    struct smbios smbios;

    memcpy(memory.bytes, data, size);
    if (size >= 32) { /* Each anchor begins half of the inputs; the table follows it. */
        if (data[0] & 1) {
            memcpy(memory.bytes, "_SM3_", 5);
            memory.bytes[6] = 24;
            memcpy(memory.bytes + 16, (const uint64_t[]){BASE + 32}, 8);
            mend(memory.bytes, 24, 5);
        } else {
            memcpy(memory.bytes, "_SM_", 4);
            memory.bytes[5] = 31;
            memcpy(memory.bytes + 24, (const uint32_t[]){BASE + 32}, 4);
            mend(memory.bytes, 31, 4);
        }
    }
    smbios_read(&memory.memory, BASE, &smbios);
    for (unsigned i = 0; i < SMBIOS_TEXTS; i++)
        check(smbios.text[i], sizeof smbios.text[i]);
    check(smbios.uuid, sizeof smbios.uuid);
    forget_memory(&memory);
    return 0;
}
