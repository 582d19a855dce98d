/* SPDX-License-Identifier: BSD-2-Clause */
#include "bios/boot_info.h"

#include "core/base/bytes.h"
#include "core/base/mem.h"
#include "core/base/str.h"

/* Multiboot 1: flags, and offsets of the announced data. */
enum {
    MB1_MEMORY = 1 << 0,
    MB1_DISK = 1 << 1,
    MB1_LINE = 1 << 2,
    MB1_MODULES = 1 << 3,
    MB1_MAP = 1 << 6,
    MB1_LOADER = 1 << 9,
    MB1_BYTES = 68,
    MB1_LOWER = 4, /* KB at 0 and at 1 MB */
    MB1_UPPER = 8,
    MB1_DISK_AT = 12,
    MB1_LINE_AT = 16,
    MB1_MODULES_AT = 20, /* number, address */
    MB1_MAP_AT = 44,     /* bytes, address */
    MB1_LOADER_AT = 64,
    MB1_MODULE_BYTES = 16, /* start, end, line, reserved */
    MB1_RANGE_BYTES = 24,  /* size of the rest, base, length, type */
};

/* Multiboot 2: tags of a type and a size, on multiples of 8. */
enum {
    MB2_END = 0,
    MB2_LINE = 1,
    MB2_LOADER = 2,
    MB2_MODULE = 3, /* start, end, line */
    MB2_DISK = 5,
    MB2_MAP = 6, /* size of an entry, version, entries */
    MB2_HEADER = 8,
    MB2_MODULE_LINE = 16,
    MB2_MAP_ENTRIES = 16,
    MB2_RANGE_BYTES = 20, /* base, length, type */
    MB2_MOST = 1 << 20,
};

enum { TEXT_MOST = 4096, MAP_MOST = 1 << 16 };

static char shown(uint8_t c)
{
    return c >= 0x20 && c < 0x7f ? (char)c : '?';
}

/* Copies printable text of at most 'length' bytes; the rest of 'to' stays zero. */
static void copy_text(char *to, size_t size, const uint8_t *text, size_t length)
{
    for (size_t i = 0; i < length && text[i] && i + 1 < size; i++)
        to[i] = shown(text[i]);
}

/* Copies a text that ends with a zero from anywhere in memory. */
static void copy_text_at(const struct boot_memory *memory, char *to, size_t size, uint64_t address)
{
    for (size_t i = 0; i < TEXT_MOST && i + 1 < size; i++) {
        const uint8_t *c = memory->map(memory, address + i, 1);

        if (!c || !*c)
            break;
        to[i] = shown(*c);
    }
}

/* Some loaders begin the line with the file's name, so words before our first one are skipped. */
static void skip_own_name(char *line)
{
    char *word = line;
    size_t end;

    while (*word == ' ')
        word++;
    for (end = 0; word[end] && word[end] != ' ' && word[end] != '='; end++)
        ;
    if (word[end] != '=' && (word[0] == '/' || word[0] == '(' ||
                             str_is(str_basename(word), end - (size_t)(str_basename(word) - word), "ibsbios")))
        word += end;
    while (*word == ' ')
        word++;
    memmove(line, word, strlen(word) + 1);
}

static void add_range(struct boot_info *info, uint64_t base, uint64_t length, uint32_t type)
{
    if (info->ranges == BOOT_INFO_RANGES)
        info->left_out++;
    else if (length)
        info->range[info->ranges++] = (struct boot_range){base, length, type};
}

/* Adds a module, whose line the caller fills. Returns NULL if there is no room, or the addresses are wrong. */
static struct boot_module *add_module(struct boot_info *info, uint32_t start, uint32_t end)
{
    struct boot_module *module;

    if (info->modules == BOOT_INFO_MODULES || end < start) {
        info->left_out++;
        return NULL;
    }
    module = &info->module[info->modules++];
    *module = (struct boot_module){.address = start, .size = end - start};
    return module;
}

/* Keeps the path of "FILE path/on/volume", or of a path alone. */
static void keep_last_word(struct boot_module *module, const char *line)
{
    size_t end = strlen(line), begin;

    while (end && line[end - 1] == ' ')
        end--;
    for (begin = end; begin && line[begin - 1] != ' ';)
        begin--;
    while (begin < end && (line[begin] == '/' || line[begin] == '\\'))
        begin++;
    if (end - begin >= BOOT_INFO_PATH)
        begin = end - (BOOT_INFO_PATH - 1);
    memcpy(module->path, line + begin, end - begin);
    for (char *c = module->path; *c; c++)
        *c = *c == '\\' ? '/' : *c;
}

static void read_modules_1(const struct boot_memory *memory, struct boot_info *info, uint32_t count, uint64_t address)
{
    for (uint32_t i = 0; i < count; i++, address += MB1_MODULE_BYTES) {
        const uint8_t *row = memory->map(memory, address, MB1_MODULE_BYTES);
        struct boot_module *module = row ? add_module(info, bytes_read32(row), bytes_read32(row + 4)) : NULL;
        char line[BOOT_INFO_LINE] = {0};

        if (!row || info->left_out > BOOT_INFO_MODULES)
            return;
        if (!module)
            continue;
        copy_text_at(memory, line, sizeof line, bytes_read32(row + 8));
        keep_last_word(module, line);
    }
}

static void read_map_1(const struct boot_memory *memory, struct boot_info *info, uint32_t bytes, uint64_t address)
{
    uint64_t end = address + (bytes < MAP_MOST ? bytes : MAP_MOST);

    while (address + MB1_RANGE_BYTES <= end) {
        const uint8_t *row = memory->map(memory, address, MB1_RANGE_BYTES);

        if (!row || bytes_read32(row) < MB1_RANGE_BYTES - 4)
            return;
        add_range(info, bytes_read64(row + 4), bytes_read64(row + 12), bytes_read32(row + 20));
        address += (uint64_t)bytes_read32(row) + 4;
    }
}

static bool read_1(const struct boot_memory *memory, uint64_t address, struct boot_info *info)
{
    const uint8_t *at = memory->map(memory, address, MB1_BYTES);
    uint32_t flags = at ? bytes_read32(at) : 0;

    info->multiboot = 1;
    if (flags & MB1_DISK) {
        info->has_disk = true;
        info->disk = at[MB1_DISK_AT + 3];
    }
    if (flags & MB1_LINE)
        copy_text_at(memory, info->line, sizeof info->line, bytes_read32(at + MB1_LINE_AT));
    if (flags & MB1_LOADER)
        copy_text_at(memory, info->loader, sizeof info->loader, bytes_read32(at + MB1_LOADER_AT));
    if (flags & MB1_MODULES)
        read_modules_1(memory, info, bytes_read32(at + MB1_MODULES_AT), bytes_read32(at + MB1_MODULES_AT + 4));
    if (flags & MB1_MAP) {
        read_map_1(memory, info, bytes_read32(at + MB1_MAP_AT), bytes_read32(at + MB1_MAP_AT + 4));
    } else if (flags & MB1_MEMORY) {
        add_range(info, 0, (uint64_t)bytes_read32(at + MB1_LOWER) << 10, BOOT_INFO_USABLE);
        add_range(info, 1 << 20, (uint64_t)bytes_read32(at + MB1_UPPER) << 10, BOOT_INFO_USABLE);
    }
    return info->ranges != 0;
}

static void read_map_2(struct boot_info *info, const uint8_t *tag, size_t size)
{
    size_t each = size >= MB2_MAP_ENTRIES ? bytes_read32(tag + 8) : 0;

    if (each < MB2_RANGE_BYTES)
        return;
    for (size_t at = MB2_MAP_ENTRIES; size - at >= each; at += each)
        add_range(info, bytes_read64(tag + at), bytes_read64(tag + at + 8), bytes_read32(tag + at + 16));
}

static void read_module_2(struct boot_info *info, const uint8_t *tag, size_t size)
{
    struct boot_module *module =
        size > MB2_MODULE_LINE ? add_module(info, bytes_read32(tag + 8), bytes_read32(tag + 12)) : NULL;
    char line[BOOT_INFO_LINE] = {0};

    if (!module)
        return;
    copy_text(line, sizeof line, tag + MB2_MODULE_LINE, size - MB2_MODULE_LINE);
    keep_last_word(module, line);
}

static void read_tag(struct boot_info *info, uint32_t type, const uint8_t *tag, size_t size)
{
    if (type == MB2_LINE)
        copy_text(info->line, sizeof info->line, tag + MB2_HEADER, size - MB2_HEADER);
    else if (type == MB2_LOADER)
        copy_text(info->loader, sizeof info->loader, tag + MB2_HEADER, size - MB2_HEADER);
    else if (type == MB2_MODULE)
        read_module_2(info, tag, size);
    else if (type == MB2_MAP)
        read_map_2(info, tag, size);
    else if (type == MB2_DISK && size >= MB2_HEADER + 4) {
        info->has_disk = true;
        info->disk = tag[MB2_HEADER];
    }
}

static bool read_2(const struct boot_memory *memory, uint64_t address, struct boot_info *info)
{
    const uint8_t *at = memory->map(memory, address, MB2_HEADER);
    size_t total = at ? bytes_read32(at) : 0;

    info->multiboot = 2;
    at = total <= MB2_MOST ? memory->map(memory, address, total) : NULL;
    for (size_t place = MB2_HEADER; at && place + MB2_HEADER <= total;) {
        uint32_t type = bytes_read32(at + place), size = bytes_read32(at + place + 4);

        if (type == MB2_END || size < MB2_HEADER || size > total - place)
            break;
        read_tag(info, type, at + place, size);
        place += ((size_t)size + 7) & ~(size_t)7;
    }
    return info->ranges != 0;
}

bool boot_info_read(const struct boot_memory *memory, uint32_t magic, uint64_t address, struct boot_info *ret_info)
{
    bool good = false;

    memset(ret_info, 0, sizeof *ret_info);
    if (magic == BOOT_INFO_MAGIC_1)
        good = read_1(memory, address, ret_info);
    else if (magic == BOOT_INFO_MAGIC_2)
        good = read_2(memory, address, ret_info);
    skip_own_name(ret_info->line);
    return good;
}
