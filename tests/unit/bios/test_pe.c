/* SPDX-License-Identifier: BSD-2-Clause */
/* The real programs, and the same programs with each field damaged. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"
#include "bios/uefi/pe.h"
#include "bios/table_root.h"

enum { DOS_HEADER_AT = 60, OPTIONAL = 24, SECTION = 40 };

static uint8_t *file;
static size_t size;

static int load(void **state)
{
    FILE *stream = fopen("build/ibsboot.efi", "rb");

    assert_non_null(stream);
    (void)fseek(stream, 0, SEEK_END);
    size = (size_t)ftell(stream);
    rewind(stream);
    file = malloc(size);
    assert_int_equal(fread(file, 1, size, stream), size);
    (void)fclose(stream);
    return 0;
}

static int unload(void **state)
{
    free(file);
    return 0;
}

static uint32_t get32(size_t at)
{
    uint32_t value;

    memcpy(&value, file + at, 4);
    return value;
}

static void put32(size_t at, uint32_t value)
{
    memcpy(file + at, &value, 4);
}

static size_t header(void)
{
    return get32(DOS_HEADER_AT);
}

static size_t section(unsigned i)
{
    return header() + OPTIONAL + (file[header() + 20] | (size_t)file[header() + 21] << 8) + i * SECTION;
}

TEST_WITH(placed, load, unload)
{
    struct pe pe;
    uint8_t *memory;

    assert_int_equal(pe_read(file, size, &pe), PE_OK);
    assert_int_equal(pe.subsystem, 10); /* an application */
    assert_int_equal(pe.size, get32(header() + OPTIONAL + 56));
    assert_int_equal(pe.entry, get32(header() + OPTIONAL + 16));
    assert_int_equal(pe.place, 64 << 20);
    put32(header() + OPTIONAL + 28, 1);
    assert_int_equal(pe_read(file, size, &pe), PE_OK);
    assert_int_equal(pe.place, (1ull << 32) + (64 << 20));
    put32(header() + OPTIONAL + 28, 0);
    memory = malloc(pe.size);
    memset(memory, 0xAA, pe.size);
    pe_copy(file, &pe, memory);
    assert_memory_equal(memory, file, get32(header() + OPTIONAL + 60));
    for (unsigned i = 0; i < (file[header() + 6] | (unsigned)file[header() + 7] << 8); i++) {
        uint32_t in_memory = get32(section(i) + 8), in_file = get32(section(i) + 16);
        uint32_t bytes = in_memory && in_memory < in_file ? in_memory : in_file;

        assert_memory_equal(memory + get32(section(i) + 12), file + get32(section(i) + 20), bytes);
        for (uint32_t k = bytes; k < in_memory; k++)
            assert_int_equal(memory[get32(section(i) + 12) + k], 0);
    }
    free(memory);
}

/* A program that is cut off is refused as long as necessary bytes are missing. */
TEST_WITH(cut_off, load, unload)
{
    size_t needed = 0;
    struct pe pe = {.size = 7};

    for (unsigned i = 0; i < (file[header() + 6] | (unsigned)file[header() + 7] << 8); i++) {
        uint32_t in_memory = get32(section(i) + 8), in_file = get32(section(i) + 16);
        size_t last = get32(section(i) + 20) + (in_memory && in_memory < in_file ? in_memory : in_file);

        needed = last > needed ? last : needed;
    }
    for (size_t cut = 0; cut < needed; cut = cut < 2048 ? cut + 1 : cut + 65521) {
        uint8_t *part = malloc(cut + 1);

        memcpy(part, file, cut);
        assert_int_not_equal(pe_read(part, cut, &pe), PE_OK);
        assert_int_equal(pe.size, 7);
        free(part);
    }
    assert_int_not_equal(pe_read(file, needed - 1, &pe), PE_OK);
    assert_int_equal(pe_read(file, needed, &pe), PE_OK);
}

TEST_WITH(damaged, load, unload)
{
    static const struct {
        bool in_section;
        uint32_t at, value;
        enum pe_error wanted;
    } rows[] = {
        {false, 0, 0x00004550 + 1, PE_NOT_PE},
        {false, 4, 0x0001014c, PE_NOT_PE},              /* i386 */
        {false, OPTIONAL, 0x10b, PE_NOT_PE},            /* PE32 */
        {false, OPTIONAL + 16, 0x7fffffff, PE_DAMAGED}, /* entry */
        {false, OPTIONAL + 56, 0x20000000, PE_DAMAGED}, /* size */
        {false, OPTIONAL + 56, 0x100, PE_DAMAGED},
        {false, OPTIONAL + 60, 0x7fffffff, PE_DAMAGED}, /* headers */
        {true, 12, 0xfffff000, PE_DAMAGED},
        {true, 20, 0xfffff000, PE_DAMAGED},
        {true, 8, 0x7fffffff, PE_DAMAGED},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t at = (rows[i].in_section ? section(0) : header()) + rows[i].at;
        uint32_t before = get32(at);
        struct pe pe;

        put32(at, rows[i].value);
        assert_int_equal(pe_read(file, size, &pe), rows[i].wanted);
        put32(at, before);
    }
    {
        /* In memory a section may be longer than in the file, up to the program's end. */
        uint32_t left = get32(header() + OPTIONAL + 56) - get32(section(0) + 12), bytes = get32(section(0) + 8);
        struct pe pe;

        put32(section(0) + 8, left);
        assert_int_equal(pe_read(file, size, &pe), PE_OK);
        put32(section(0) + 8, left + 1);
        assert_int_equal(pe_read(file, size, &pe), PE_DAMAGED);
        put32(section(0) + 8, bytes);
    }
}

/* Each size is tried at the largest value allowed in the header, and at one more. */
TEST_WITH(limits, load, unload)
{
    static const struct {
        uint32_t at, most;
    } rows[] = {{16, 0 /* the program's size */}, {60, 0 /* the file's size, or the program's */}, {56, 256 << 20}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t at = header() + OPTIONAL + rows[i].at;
        uint32_t before = get32(at), image = get32(header() + OPTIONAL + 56), most = rows[i].most;
        struct pe pe;

        if (rows[i].at == 16)
            most = image - 1;
        if (rows[i].at == 60)
            most = image < size ? image : (uint32_t)size;
        put32(at, most);
        assert_int_equal(pe_read(file, size, &pe), PE_OK);
        put32(at, most + 1);
        assert_int_equal(pe_read(file, size, &pe), PE_DAMAGED);
        put32(at, before);
    }
}

/* Headers end with the program, in a file that is longer. */
TEST_WITH(headers_of_a_long_file, load, unload)
{
    uint32_t image = get32(header() + OPTIONAL + 56);
    uint8_t *longer = calloc(1, image + 100);
    struct pe pe;

    memcpy(longer, file, size < image ? size : image);
    for (uint32_t more = 0; more <= 1; more++) {
        for (unsigned byte = 0; byte < 4; byte++)
            longer[header() + OPTIONAL + 60 + byte] = (uint8_t)((image + more) >> 8 * byte);
        assert_int_equal(pe_read(longer, image + 100, &pe), more ? PE_DAMAGED : PE_OK);
    }
    free(longer);
}

TEST(texts)
{
    assert_string_equal(pe_error_text(PE_OK), "no error");
    assert_string_equal(pe_error_text(PE_NOT_PE), "it is no program for x86-64");
    assert_string_equal(pe_error_text(PE_DAMAGED), "it is damaged");
    assert_string_equal(pe_error_text(PE_RELOCATION), "it has relocations, which this loader does not know");
    assert_string_equal(pe_error_text((enum pe_error)(PE_RELOCATION + 1)), "unknown error");
    assert_string_equal(pe_error_text((enum pe_error) - 1), "unknown error");
}

/* If a section has no size in memory, its size in the file must fit into the program. */
TEST_WITH(a_section_without_a_size_in_memory, load, unload)
{
    uint32_t image = get32(header() + OPTIONAL + 56);
    struct pe pe;

    put32(section(0) + 8, 0);
    put32(section(0) + 12, image - 64);
    put32(section(0) + 16, 64);
    assert_int_equal(pe_read(file, size, &pe), PE_OK);
    put32(section(0) + 16, 65);
    assert_int_equal(pe_read(file, size, &pe), PE_DAMAGED);
}

/* gnu-efi's file has one block with an entry of type 0. An entry of any other type would have to be applied. */
TEST_WITH(relocations, load, unload)
{
    uint32_t address = get32(header() + OPTIONAL + 112 + 5 * 8);
    struct pe pe;

    assert_int_not_equal(address, 0);
    for (unsigned i = 0; i < (file[header() + 6] | (unsigned)file[header() + 7] << 8); i++) {
        uint32_t begin = get32(section(i) + 12);

        if (address < begin || address >= begin + get32(section(i) + 8))
            continue;
        size_t block = get32(section(i) + 20) + (address - begin), bytes = header() + OPTIONAL + 112 + 5 * 8 + 4;

        file[block + 8 + 1] = 0xA0; /* type 10: 64 bits */
        assert_int_equal(pe_read(file, size, &pe), PE_RELOCATION);
        /* A header with five directories has none for relocations, which is the sixth. */
        put32(header() + OPTIONAL + 108, 5);
        assert_int_equal(pe_read(file, size, &pe), PE_OK);
        put32(header() + OPTIONAL + 108, 6);
        assert_int_equal(pe_read(file, size, &pe), PE_RELOCATION);
        file[block + 8 + 1] = 0;
        assert_int_equal(pe_read(file, size, &pe), PE_OK);
        /* There are two blocks; of the second only the part inside the directory counts. */
        put32(section(i) + 8, 64);
        put32(block + 4, 12);
        put32(block + 12, 0);
        put32(block + 16, 12);
        put32(block + 20, 0xA0000000);
        put32(bytes, 24);
        assert_int_equal(pe_read(file, size, &pe), PE_RELOCATION);
        put32(bytes, 12);
        assert_int_equal(pe_read(file, size, &pe), PE_OK);
        /* A block of no length is the last; other lengths than these are refused. */
        for (uint32_t length = 0; length <= 0x82; length++) {
            put32(block + 4, length);
            memset(file + block + 8, 0, 56);
            assert_int_equal(pe_read(file, size, &pe),
                             length == 0 || (length >= 8 && length <= 64) ? PE_OK : PE_RELOCATION);
        }
        return;
    }
    fail();
}

TEST(root_pointers)
{
    uint8_t bytes[256] = {0};
    uint8_t sum = 0;

    assert_int_equal(table_root_find(TABLE_ROOT_ACPI, bytes, sizeof bytes), sizeof bytes);
    memcpy(bytes + 16, "RSD PTR ", 8); /* a checksum that is wrong */
    bytes[40] = 1;
    memcpy(bytes + 72, "RSD PTR ", 8); /* on a multiple of 8 */
    memcpy(bytes + 96, "RSD PTR bios", 12);
    for (unsigned i = 0; i < 20; i++)
        sum = (uint8_t)(sum + bytes[96 + i]);
    bytes[96 + 8] = (uint8_t)(bytes[96 + 8] - sum);
    assert_int_equal(table_root_find(TABLE_ROOT_ACPI, bytes, sizeof bytes), 96);
    assert_int_equal(table_root_find(TABLE_ROOT_ACPI, bytes, 96 + 20), 96);
    assert_int_equal(table_root_find(TABLE_ROOT_ACPI, bytes, 96 + 19), 96 + 19);
}

/* Entry points of SMBIOS tell their own length. */
TEST(entry_points)
{
    static const struct {
        enum table_root which;
        const char *anchor;
        unsigned length_at, length;
    } kinds[] = {{TABLE_ROOT_SMBIOS_3, "_SM3_", 6, 24}, {TABLE_ROOT_SMBIOS, "_SM_", 5, 31}};

    for (unsigned k = 0; k < 2; k++) {
        uint8_t bytes[128] = {0}, sum = 0;

        memcpy(bytes + 16, kinds[k].anchor, strlen(kinds[k].anchor)); /* of length 0 */
        memcpy(bytes + 32, kinds[k].anchor, strlen(kinds[k].anchor));
        bytes[32 + kinds[k].length_at] = (uint8_t)kinds[k].length;
        bytes[32 + kinds[k].length - 1] = 9; /* the last byte counts, the one after it does not */
        bytes[32 + kinds[k].length] = 5;
        for (unsigned i = 0; i < kinds[k].length; i++)
            sum = (uint8_t)(sum + bytes[32 + i]);
        bytes[32 + 8] = (uint8_t)-sum;
        assert_int_equal(table_root_find(kinds[k].which, bytes, sizeof bytes), 32);
        assert_int_equal(table_root_find(kinds[!k].which, bytes, sizeof bytes), sizeof bytes);
        assert_int_equal(table_root_find(kinds[k].which, bytes, 32 + kinds[k].length), 32);
        assert_int_equal(table_root_find(kinds[k].which, bytes, 31 + kinds[k].length), 31 + kinds[k].length);
        bytes[32 + 8]++;
        assert_int_equal(table_root_find(kinds[k].which, bytes, sizeof bytes), sizeof bytes);
    }
}

RUN_TESTS(NULL, NULL)
