/* SPDX-License-Identifier: BSD-2-Clause */
#include "bios/uefi/pe.h"

#include <stdbool.h>

#include "core/base/bytes.h"
#include "core/base/mem.h"

/* Offsets in the DOS header, the COFF header with its signature, and the optional header. */
enum {
    DOS_BYTES = 64,
    DOS_HEADER_AT = 0x3c,
    COFF_MACHINE = 4,
    COFF_SECTIONS = 6,
    COFF_OPTIONAL_BYTES = 20,
    COFF_BYTES = 24,
    OPTIONAL_ENTRY = 16,
    OPTIONAL_PLACE = 24,
    OPTIONAL_IMAGE = 56,
    OPTIONAL_HEADERS = 60,
    OPTIONAL_SUBSYSTEM = 68,
    OPTIONAL_DIRECTORIES = 108,
    OPTIONAL_BYTES = 112,
    DIRECTORY_BYTES = 8,
    DIRECTORY_RELOCATION = 5,
    SECTION_BYTES = 40,
    SECTION_SIZE = 8, /* memory size and address, file size and offset */
    SECTION_ADDRESS = 12,
    SECTION_FILE_SIZE = 16,
    SECTION_FILE_PLACE = 20,
};

enum {
    MACHINE_X86_64 = 0x8664,
    MAGIC_PE32_PLUS = 0x20b,
    IMAGE_MOST = 256 << 20,
    BLOCK_HEADER = 8, /* block of relocations: page, size */
};

static bool within(uint64_t at, uint64_t bytes, uint64_t size)
{
    return at <= size && bytes <= size - at;
}

const char *pe_error_text(enum pe_error error)
{
    static const char *const texts[] = {
        [PE_OK] = "no error",
        [PE_NOT_PE] = "it is no program for x86-64",
        [PE_DAMAGED] = "it is damaged",
        [PE_RELOCATION] = "it has relocations, which this loader does not know",
    };

    return (unsigned)error < sizeof texts / sizeof texts[0] ? texts[error] : "unknown error";
}

static const uint8_t *header_of(const uint8_t *file)
{
    return file + bytes_read32(file + DOS_HEADER_AT);
}

static const uint8_t *sections_of(const uint8_t *header)
{
    return header + COFF_BYTES + bytes_read16(header + COFF_OPTIONAL_BYTES);
}

/* Returns how many bytes of the section are in the file. */
static uint32_t taken(const uint8_t *section)
{
    uint32_t size = bytes_read32(section + SECTION_SIZE), file = bytes_read32(section + SECTION_FILE_SIZE);

    return size && size < file ? size : file;
}

/* Returns whether the section has relocations in these bytes; a block may be empty (entries of type 0, padding). */
static bool relocates(const uint8_t *file, const uint8_t *section, uint32_t address, uint32_t bytes)
{
    uint32_t begin = bytes_read32(section + SECTION_ADDRESS), size = taken(section);
    const uint8_t *at = file + bytes_read32(section + SECTION_FILE_PLACE);

    if (address < begin || address - begin > size)
        return false;
    at += address - begin;
    size -= address - begin;
    for (uint32_t i = 0; i + BLOCK_HEADER <= bytes && i + BLOCK_HEADER <= size;) {
        uint32_t block = bytes_read32(at + i + 4);

        if (block < BLOCK_HEADER || block > size - i)
            return block != 0;
        for (uint32_t k = BLOCK_HEADER; k + 2 <= block; k += 2)
            if (bytes_read16(at + i + k) >> 12)
                return true;
        i += block;
    }
    return false;
}

enum pe_error pe_read(const void *bytes, size_t size, struct pe *ret_pe)
{
    const uint8_t *file = bytes, *header, *optional, *sections, *relocation = NULL;
    uint32_t image, headers, count;

    if (size < DOS_BYTES || !within(bytes_read32(file + DOS_HEADER_AT), COFF_BYTES + OPTIONAL_BYTES, size))
        return PE_NOT_PE;
    header = header_of(file);
    optional = header + COFF_BYTES;
    if (memcmp(header, "PE\0", 4) != 0 || bytes_read16(header + COFF_MACHINE) != MACHINE_X86_64 ||
        bytes_read16(optional) != MAGIC_PE32_PLUS || bytes_read16(header + COFF_OPTIONAL_BYTES) < OPTIONAL_BYTES)
        return PE_NOT_PE;
    image = bytes_read32(optional + OPTIONAL_IMAGE);
    headers = bytes_read32(optional + OPTIONAL_HEADERS);
    count = bytes_read16(header + COFF_SECTIONS);
    sections = sections_of(header);
    if (image > IMAGE_MOST || headers > image || headers > size || bytes_read32(optional + OPTIONAL_ENTRY) >= image ||
        !within((uint64_t)(sections - file), (uint64_t)count * SECTION_BYTES, size))
        return PE_DAMAGED;
    if (bytes_read32(optional + OPTIONAL_DIRECTORIES) > DIRECTORY_RELOCATION &&
        bytes_read16(header + COFF_OPTIONAL_BYTES) >= OPTIONAL_BYTES + (DIRECTORY_RELOCATION + 1) * DIRECTORY_BYTES)
        relocation = optional + OPTIONAL_BYTES + DIRECTORY_RELOCATION * DIRECTORY_BYTES;
    for (const uint8_t *s = sections; count--; s += SECTION_BYTES) {
        if (!within(bytes_read32(s + SECTION_ADDRESS), bytes_read32(s + SECTION_SIZE), image) ||
            !within(bytes_read32(s + SECTION_ADDRESS), taken(s), image) ||
            !within(bytes_read32(s + SECTION_FILE_PLACE), taken(s), size))
            return PE_DAMAGED;
        if (relocation && relocates(file, s, bytes_read32(relocation), bytes_read32(relocation + 4)))
            return PE_RELOCATION;
    }
    *ret_pe = (struct pe){
        .place = bytes_read64(optional + OPTIONAL_PLACE),
        .size = image,
        .entry = bytes_read32(optional + OPTIONAL_ENTRY),
        .subsystem = bytes_read16(optional + OPTIONAL_SUBSYSTEM),
    };
    return PE_OK;
}

void pe_copy(const void *bytes, const struct pe *pe, void *memory)
{
    const uint8_t *file = bytes, *header = header_of(file), *section = sections_of(header);

    memset(memory, 0, pe->size);
    memcpy(memory, file, bytes_read32(header + COFF_BYTES + OPTIONAL_HEADERS));
    for (uint32_t count = bytes_read16(header + COFF_SECTIONS); count--; section += SECTION_BYTES)
        memcpy((uint8_t *)memory + bytes_read32(section + SECTION_ADDRESS),
               file + bytes_read32(section + SECTION_FILE_PLACE), taken(section));
}
