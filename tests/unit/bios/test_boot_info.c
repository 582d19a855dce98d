/* SPDX-License-Identifier: BSD-2-Clause */
/* Boot information in memory, byte by byte as multiboot 1 and 2 describe it, and then the same bytes cut off. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/test.h"
#include "bios/boot_info.h"

enum { BASE = 0x9000, BYTES = 0x1000 };

static uint8_t bytes[BYTES + 1];
static size_t end; /* end of readable memory */

static const void *map(const struct boot_memory *memory, uint64_t address, size_t size)
{
    return address >= BASE && address - BASE <= end && size <= end - (address - BASE) ? bytes + (address - BASE) : NULL;
}

static const struct boot_memory memory = {map};
static struct boot_info info;

static void put32(size_t at, uint32_t value)
{
    memcpy(bytes + at, &value, 4);
}

static void put64(size_t at, uint64_t value)
{
    memcpy(bytes + at, &value, 8);
}

static int clear(void **state)
{
    memset(bytes, 0, sizeof bytes);
    end = BYTES;
    return 0;
}

/* Writes a row of multiboot 1's map, and returns the place of the next row. */
static size_t row_1(size_t at, uint32_t size, uint64_t base, uint64_t length, uint32_t type)
{
    put32(at, size);
    put64(at + 4, base);
    put64(at + 12, length);
    put32(at + 20, type);
    return at + 4 + size;
}

/* Fills in what QEMU's loader writes. */
static void fill_1(void)
{
    size_t at = 0x100;

    put32(0, 1 << 1 | 1 << 2 | 1 << 3 | 1 << 6 | 1 << 9);
    put32(12, 0x80ffffff);
    put32(16, BASE + 0x200);
    strcpy((char *)bytes + 0x200, "build/ibsbios n=60  chs");
    put32(20, 2);
    put32(24, BASE + 0x300);
    put32(0x300, 0x400000);
    put32(0x304, 0x412345);
    put32(0x308, BASE + 0x340);
    strcpy((char *)bytes + 0x340, "some/file.efi \\EFI\\BOOT\\BOOTX64.EFI ");
    put32(0x310, 0x500000);
    put32(0x314, 0x500010);
    put32(0x318, BASE + 0x380);
    strcpy((char *)bytes + 0x380, "vpmu.efi");
    put32(48, BASE + (uint32_t)at);
    at = row_1(at, 20, 0, 0x9fc00, 1);
    at = row_1(at, 24, 0x9fc00, 0x400, 2); /* rows may be longer */
    at = row_1(at, 20, 0x100000, 0x1fee0000, 1);
    put32(44, (uint32_t)at - 0x100);
    put32(64, BASE + 0x3c0);
    strcpy((char *)bytes + 0x3c0, "qemu\t1");
}

TEST_WITH(multiboot_1, clear, NULL)
{
    fill_1();
    assert_true(boot_info_read(&memory, BOOT_INFO_MAGIC_1, BASE, &info));
    assert_int_equal(info.multiboot, 1);
    assert_int_equal(info.ranges, 3);
    assert_int_equal(info.range[1].base, 0x9fc00);
    assert_int_equal(info.range[1].type, 2);
    assert_int_equal(info.range[2].length, 0x1fee0000);
    assert_int_equal(info.modules, 2);
    assert_string_equal(info.module[0].path, "EFI/BOOT/BOOTX64.EFI");
    assert_int_equal(info.module[0].address, 0x400000);
    assert_int_equal(info.module[0].size, 0x12345);
    assert_string_equal(info.module[1].path, "vpmu.efi");
    assert_string_equal(info.line, "n=60  chs");
    assert_string_equal(info.loader, "qemu?1");
    assert_true(info.has_disk);
    assert_int_equal(info.disk, 0x80);
    assert_int_equal(info.left_out, 0);
}

/* Each flag of multiboot 1 announces one thing, and does not affect the others. */
TEST_WITH(each_flag, clear, NULL)
{
    for (unsigned bit = 0; bit < 32; bit++) {
        clear(NULL);
        fill_1();
        put32(0, 1u << bit);
        put32(4, 640);
        put32(8, 1024);
        assert_int_equal(boot_info_read(&memory, BOOT_INFO_MAGIC_1, BASE, &info), bit == 0 || bit == 6);
        assert_int_equal(info.ranges, bit == 0 ? 2 : bit == 6 ? 3 : 0);
        assert_int_equal(info.has_disk, bit == 1);
        assert_string_equal(info.line, bit == 2 ? "n=60  chs" : "");
        assert_int_equal(info.modules, bit == 3 ? 2 : 0);
        assert_string_equal(info.loader, bit == 9 ? "qemu?1" : "");
    }
}

/* If memory ends within a text, the text ends there. */
TEST_WITH(text_without_end, clear, NULL)
{
    fill_1();
    put32(64, BASE + BYTES - 4);
    memcpy(bytes + BYTES - 4, "loader", 4);
    bytes[BYTES] = 'x'; /* not readable */
    assert_true(boot_info_read(&memory, BOOT_INFO_MAGIC_1, BASE, &info));
    assert_string_equal(info.loader, "load");
}

TEST_WITH(no_map_but_sizes, clear, NULL)
{
    put32(0, 1);
    put32(4, 639);
    put32(8, 65536);
    assert_true(boot_info_read(&memory, BOOT_INFO_MAGIC_1, BASE, &info));
    assert_int_equal(info.ranges, 2);
    assert_int_equal(info.range[0].length, 639 << 10);
    assert_int_equal(info.range[1].base, 1 << 20);
    assert_int_equal(info.range[1].length, 64 << 20);
    assert_false(info.has_disk);
}

/* The kernel's line is returned without the kernel's own name, whatever precedes it. */
TEST_WITH(lines, clear, NULL)
{
    static const struct {
        const char *given, *wanted;
    } rows[] = {
        {"", ""},
        {"n=60", "n=60"},
        {"chs n=60", "chs n=60"},
        {"  ibsbios chs", "chs"},
        {"  n=60", "n=60"},
        {"/boot/ibsbios", ""},
        {"/boot/ibsbios chs n=60", "chs n=60"},
        {"(hd0,msdos1)/boot/ibsbios disk=none", "disk=none"},
        {"ibsbios console=vga", "console=vga"},
        {"a/b/IBSBIOS  menu=no", "menu=no"},
        {"start=/a/ibsbios", "start=/a/ibsbios"},
        {"ibsbios=1 chs", "ibsbios=1 chs"},
        {"/boot=1 chs", "/boot=1 chs"},
        {"(hd0)=1 chs", "(hd0)=1 chs"},
        {"ibsbios chs=1", "chs=1"},
        {"/boot/kernel chs", "chs"},
        {"(hd0,msdos1)kernel chs", "chs"},
        {"kernel chs", "kernel chs"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        clear(NULL);
        fill_1();
        memset(bytes + 0x200, 0, 0x100);
        strcpy((char *)bytes + 0x200, rows[i].given);
        assert_true(boot_info_read(&memory, BOOT_INFO_MAGIC_1, BASE, &info));
        assert_string_equal(info.line, rows[i].wanted);
    }
}

/* Writes a tag of multiboot 2, and returns the place of the next tag. */
static size_t tag(size_t at, uint32_t type, const void *data, size_t size)
{
    put32(at, type);
    put32(at + 4, (uint32_t)size + 8);
    memcpy(bytes + at + 8, data, size);
    return (at + 8 + size + 7) & ~(size_t)7;
}

static size_t fill_2(void)
{
    uint8_t map_tag[8 + 2 * 24] = {24}, module[8 + sizeof "x y/z.efi"] = {0, 0, 0x40, 0, 0, 1, 0x40, 0};
    static const uint8_t disk[12] = {0x81};
    size_t at = 8;

    memcpy(module + 8, "x y/z.efi", sizeof "x y/z.efi");
    map_tag[8 + 8 + 1] = 0x10; /* 0, 1000h bytes */
    map_tag[8 + 16] = 1;
    map_tag[8 + 24 + 2] = 0x10; /* 100000h, 1000000h bytes */
    map_tag[8 + 24 + 8 + 3] = 1;
    map_tag[8 + 24 + 16] = 1;
    at = tag(at, 1, "chs", 4);
    at = tag(at, 2, "GRUB 2.06", 10);
    at = tag(at, 3, module, sizeof module);
    at = tag(at, 99, "unknown", 8);
    at = tag(at, 5, disk, sizeof disk);
    at = tag(at, 6, map_tag, sizeof map_tag);
    at = tag(at, 0, "", 0);
    put32(0, (uint32_t)at);
    return at;
}

TEST_WITH(multiboot_2, clear, NULL)
{
    (void)fill_2();
    assert_true(boot_info_read(&memory, BOOT_INFO_MAGIC_2, BASE, &info));
    assert_int_equal(info.multiboot, 2);
    assert_string_equal(info.line, "chs");
    assert_string_equal(info.loader, "GRUB 2.06");
    assert_int_equal(info.modules, 1);
    assert_string_equal(info.module[0].path, "y/z.efi");
    assert_int_equal(info.module[0].address, 0x400000);
    assert_int_equal(info.module[0].size, 0x100);
    assert_true(info.has_disk);
    assert_int_equal(info.disk, 0x81);
    assert_int_equal(info.ranges, 2);
    assert_int_equal(info.range[0].length, 0x1000);
    assert_int_equal(info.range[1].base, 0x100000);
    assert_int_equal(info.range[1].length, 0x1000000);
}

/* One map has entries of another size, and one ends within an entry: only whole entries that are large enough count. */
TEST_WITH(maps_of_tags, clear, NULL)
{
    static const struct {
        uint8_t each;
        size_t size;
        unsigned ranges;
    } rows[] = {{20, 8 + 40, 2}, {20, 8 + 39, 1}, {19, 8 + 40, 0}, {28, 8 + 56, 2},
                {24, 8 + 23, 0}, {24, 8, 0},      {24, 7, 0},      {24, 0, 0}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint8_t map_tag[64] = {rows[i].each};

        clear(NULL);
        for (size_t entry = 8; entry + rows[i].each <= sizeof map_tag; entry += rows[i].each)
            map_tag[entry + 9] = map_tag[entry + 16] = 1; /* 256 bytes, usable */
        put32(0, (uint32_t)tag(tag(8, 6, map_tag, rows[i].size), rows[i].each, "", 0));
        assert_int_equal(boot_info_read(&memory, BOOT_INFO_MAGIC_2, BASE, &info), rows[i].ranges != 0);
        assert_int_equal(info.ranges, rows[i].ranges);
        for (unsigned range = 0; range < info.ranges; range++)
            assert_int_equal(info.range[range].length, 256);
    }
}

/* The last word of a module's line is used: the end of a word that is too long, and nothing without a word. */
TEST_WITH(module_lines, clear, NULL)
{
    static const struct {
        unsigned slashes, length, kept, before; /* number of letters in the first word */
    } rows[] = {{0, 0, 0, 1},     {3, 0, 0, 1},     {0, 1, 1, 1},     {0, 127, 127, 1}, {0, 128, 127, 1},
                {0, 200, 127, 1}, {2, 127, 127, 1}, {1, 128, 127, 1}, {0, 5, 5, 127},   {1, 126, 126, 100}};
    uint8_t module[400];
    char word[300];

    for (unsigned multiboot = 1; multiboot <= 2; multiboot++) {
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            clear(NULL);
            memset(module, 0, sizeof module);
            memset(word, 0, sizeof word);
            for (unsigned k = 0; k < rows[i].length; k++)
                word[k] = (char)('a' + k % 26);
            memset(module + 8, 'x', rows[i].before);
            sprintf((char *)module + 8 + rows[i].before, " %.*s%s", rows[i].slashes, "///", word);
            if (rows[i].slashes + rows[i].length == 0)
                module[8] = 0;
            if (multiboot == 1) {
                fill_1();
                put32(0x308, BASE + 0x400);
                memcpy(bytes + 0x400, module + 8, sizeof module - 8);
            } else {
                put32(0, (uint32_t)tag(tag(8, 3, module, 8 + strlen((char *)module + 8) + 1), 0, "", 0));
            }
            (void)boot_info_read(&memory, multiboot == 1 ? BOOT_INFO_MAGIC_1 : BOOT_INFO_MAGIC_2, BASE, &info);
            assert_int_equal(info.modules, 3 - multiboot);
            assert_string_equal(info.module[0].path, word + rows[i].length - rows[i].kept);
        }
    }
}

/* A text may end only with its tag. */
TEST_WITH(texts_of_tags, clear, NULL)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
    char wanted[sizeof letters];

    for (uint32_t type = 1; type <= 2; type++)
        for (size_t length = 0; length < sizeof letters; length++) {
            memset(bytes, 'X', sizeof bytes);
            memset(wanted, 0, sizeof wanted);
            memcpy(wanted, letters, length);
            put32(0, (uint32_t)tag(tag(8, type, letters, length), 0, "", 0));
            (void)boot_info_read(&memory, BOOT_INFO_MAGIC_2, BASE, &info);
            assert_string_equal(type == 1 ? info.line : info.loader, wanted);
        }
}

/* Wherever memory ends, nothing behind its end is read, and everything before is found. */
TEST_WITH(cut_off, clear, NULL)
{
    size_t all = fill_2();

    for (end = 0; end < all; end++)
        assert_false(boot_info_read(&memory, BOOT_INFO_MAGIC_2, BASE, &info));
    /* The loader's own total ends as early: the map is the tag before the last, and incomplete. */
    end = BYTES;
    for (size_t total = 0; total < all - 8; total++) {
        put32(0, (uint32_t)total);
        assert_false(boot_info_read(&memory, BOOT_INFO_MAGIC_2, BASE, &info));
    }
    clear(NULL);
    fill_1();
    for (end = 0; end < 0x100 + 24; end++)
        assert_false(boot_info_read(&memory, BOOT_INFO_MAGIC_1, BASE, &info));
    end = 0x100 + 24;
    assert_true(boot_info_read(&memory, BOOT_INFO_MAGIC_1, BASE, &info));
    assert_int_equal(info.ranges, 1);
    assert_int_equal(info.modules, 0);
}

TEST_WITH(too_many, clear, NULL)
{
    size_t at = 0x100;

    put32(0, 1 << 3 | 1 << 6);
    put32(20, BOOT_INFO_MODULES + 8);
    put32(24, BASE + 0xe80); /* all zero */
    for (unsigned i = 0; i < BOOT_INFO_RANGES + 5 && at < 0xe00; i++)
        at = row_1(at, 20, (uint64_t)i << 20, 4096, 1);
    put32(44, (uint32_t)at - 0x100);
    put32(48, BASE + 0x100);
    assert_true(boot_info_read(&memory, BOOT_INFO_MAGIC_1, BASE, &info));
    assert_int_equal(info.modules, BOOT_INFO_MODULES);
    assert_int_equal(info.ranges, BOOT_INFO_RANGES);
    assert_int_equal(info.left_out, 8 + 5);
}

/* Returns memory that has the same content everywhere: the row of a map, or of a module, again and again. */
static const void *everywhere(const struct boot_memory *from, uint64_t address, size_t size)
{
    static uint8_t row[100];

    (void)from;
    if (address == BASE && size == 68)
        return bytes;
    memcpy(row, (uint32_t[]){20, 0, 0, 4096, 0, 1}, 24);
    return size <= sizeof row ? row : NULL;
}

/* Numbers that a loader made up are not counted to their end: a map is read for 64 KB, and modules until one more than
 * can be left out. */
TEST_WITH(without_end, clear, NULL)
{
    static const struct boot_memory all = {everywhere};

    put32(0, 1 << 6);
    put32(44, ~0u);
    put32(48, BASE + 0x100);
    assert_true(boot_info_read(&all, BOOT_INFO_MAGIC_1, BASE, &info));
    assert_int_equal(info.ranges, BOOT_INFO_RANGES);
    assert_int_equal(info.ranges + info.left_out, 0x10000 / 24);
    put32(44, 24 * 3 - 1);
    assert_true(boot_info_read(&all, BOOT_INFO_MAGIC_1, BASE, &info));
    assert_int_equal(info.ranges, 2);
    put32(44, 24 * 3);
    assert_true(boot_info_read(&all, BOOT_INFO_MAGIC_1, BASE, &info));
    assert_int_equal(info.ranges, 3);
    put32(0, 1 << 3);
    put32(20, ~0u);
    put32(24, BASE + 0x100); /* from 20 to 0, so there is no module */
    assert_false(boot_info_read(&all, BOOT_INFO_MAGIC_1, BASE, &info));
    assert_int_equal(info.modules, 0);
    assert_int_equal(info.left_out, BOOT_INFO_MODULES + 1);
    put32(24, BASE + BYTES - 16 - 3); /* memory ends after the first module */
    assert_false(boot_info_read(&memory, BOOT_INFO_MAGIC_1, BASE, &info));
    assert_int_equal(info.modules, 1);
    assert_int_equal(info.left_out, 0);
}

TEST_WITH(no_loader, clear, NULL)
{
    fill_1();
    assert_false(boot_info_read(&memory, 0, BASE, &info));
    assert_int_equal(info.multiboot, 0);
    assert_int_equal(info.ranges, 0);
}

RUN_TESTS(NULL, NULL)
