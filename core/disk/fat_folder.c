/* SPDX-License-Identifier: BSD-2-Clause */
/* Names in folders: short ones, long ones, and paths of them. */
#include "core/disk/fat.h"

#include "core/base/bytes.h"
#include "core/base/mem.h"
#include "core/base/str.h"

/* An entry (fatgen103, "FAT Directory Structure" and "FAT Long Directory Entries"). */
enum {
    ENTRY_BYTES = 32,
    ENTRIES = DISK_SECTOR / ENTRY_BYTES,
    ENTRY_ATTRIBUTES = 11,
    ENTRY_CASE = 12, /* Windows NT's: name, or extension, in small letters */
    ENTRY_CLUSTER_HIGH = 20,
    ENTRY_CLUSTER_LOW = 26,
    ENTRY_SIZE = 28,
    ATTRIBUTE_VOLUME = 0x08,
    ATTRIBUTE_FOLDER = 0x10,
    ATTRIBUTES_LONG = 0x0F,
    ATTRIBUTES_ALL = 0x3F,
    CASE_NAME = 0x08,
    CASE_EXTENSION = 0x10,
    LONG_CHECKSUM = 13,
    LONG_CHARACTERS = 13, /* in one entry */
    LONG_ENTRIES = 20,
    LONG_LAST = 0x40,
    FOLDER_MOST = 65536, /* entries: 2 MB, the specification's limit for a folder */
    DELETED = 0xE5,
    SHORT_CHARACTERS = 11,
    SHORT_NAME = 8,
};

struct names {
    char long_name[FAT_NAME_MAX]; /* "": there is none */
    char short_name[16];
    unsigned expected; /* the number that the next long entry must have */
    uint8_t checksum;
};

static char ascii(uint32_t character)
{
    return character >= 0x20 && character < 0x7F ? (char)character : '?';
}

/* Adds an entry that comes before the short one; the last part of the name is first. */
static void add_long(struct names *names, const uint8_t *entry)
{
    static const uint8_t places[LONG_CHARACTERS] = {1, 3, 5, 7, 9, 14, 16, 18, 20, 22, 24, 28, 30};
    unsigned number = entry[0] & ~(unsigned)LONG_LAST;

    if (entry[0] & LONG_LAST) {
        memset(names->long_name, 0, sizeof(names->long_name));
        names->expected = number <= LONG_ENTRIES ? number : 0;
        names->checksum = entry[LONG_CHECKSUM];
    }
    if (number == 0 || number != names->expected || entry[LONG_CHECKSUM] != names->checksum) {
        names->long_name[0] = '\0';
        names->expected = 0;
        return;
    }
    names->expected = number - 1;
    for (unsigned i = 0, n = (number - 1) * LONG_CHARACTERS; i < LONG_CHARACTERS && n < FAT_NAME_MAX - 1; i++, n++) {
        uint32_t character = bytes_read16(entry + places[i]);

        names->long_name[n] = character ? ascii(character) : '\0';
    }
}

/* Adds the short name's characters, without the blanks that fill it. */
static unsigned add_short(char *name, const uint8_t *text, unsigned count, bool small)
{
    unsigned n = 0;

    while (count && text[count - 1] == ' ')
        count--;
    for (; n < count; n++)
        name[n] = small ? str_lower(ascii(text[n])) : ascii(text[n]);
    return n;
}

/* Takes the short name, and checks whether the long one belongs to it. A first letter of 5 stands for E5h, which is no
 * more ASCII than that. */
static void end_names(struct names *names, const uint8_t *entry)
{
    uint8_t sum = 0;
    unsigned n;

    for (unsigned i = 0; i < SHORT_CHARACTERS; i++)
        sum = (uint8_t)((uint8_t)(sum << 7 | sum >> 1) + entry[i]);
    n = add_short(names->short_name, entry, SHORT_NAME, entry[ENTRY_CASE] & CASE_NAME);
    if (entry[SHORT_NAME] != ' ') {
        names->short_name[n++] = '.';
        n += add_short(names->short_name + n, entry + SHORT_NAME, SHORT_CHARACTERS - SHORT_NAME,
                       entry[ENTRY_CASE] & CASE_EXTENSION);
    }
    names->short_name[n] = '\0';
    if (names->expected != 0 || sum != names->checksum)
        names->long_name[0] = '\0';
}

/* Calls each() for the entries of a folder until it returns true. */
static enum fat_error walk(struct fat *fat, struct fat_file *folder,
                           bool (*each)(void *argument, const struct names *names, const struct fat_file *file),
                           void *argument)
{
    struct names names = {.expected = 0};

    if (!folder->folder)
        return FAT_NOT_A_FOLDER;
    for (uint32_t index = 0; index <= FOLDER_MOST / ENTRIES; index++) { /* a full one ends after its last entry */
        bool end;
        enum fat_error error = fat_folder_sector(fat, folder, index, &end);

        if (error || end)
            return error;
        for (unsigned i = 0; i < ENTRIES; i++) {
            const uint8_t *entry = fat->sector + i * ENTRY_BYTES;
            uint8_t attributes = entry[ENTRY_ATTRIBUTES] & ATTRIBUTES_ALL;
            struct fat_file file = {.folder = attributes & ATTRIBUTE_FOLDER};

            if (entry[0] == 0)
                return FAT_OK;
            if (entry[0] != DELETED && attributes == ATTRIBUTES_LONG) {
                add_long(&names, entry);
                continue;
            }
            if (entry[0] != DELETED && !(attributes & ATTRIBUTE_VOLUME)) {
                file.first = bytes_read16(entry + ENTRY_CLUSTER_LOW);
                if (fat->fat32)
                    file.first |= bytes_read16(entry + ENTRY_CLUSTER_HIGH) << 16;
                if (!file.folder)
                    file.size = bytes_read32(entry + ENTRY_SIZE);
                end_names(&names, entry);
                if (each(argument, &names, &file))
                    return FAT_OK;
            }
            names = (struct names){.expected = 0};
        }
    }
    return FAT_DAMAGED; /* a ring, or too many */
}

static struct fat_file root_of(const struct fat *fat)
{
    return (struct fat_file){.folder = true, .first = fat->fat32 ? fat->root_cluster : 0};
}

struct wanted {
    const char *name;
    size_t length;
    bool found;
    struct fat_file file;
};

/* Compares a name; a path has no '?', which stands for characters beyond ASCII. */
static bool is_wanted(void *argument, const struct names *names, const struct fat_file *file)
{
    struct wanted *wanted = argument;

    wanted->found = (names->long_name[0] && str_is(wanted->name, wanted->length, names->long_name)) ||
                    str_is(wanted->name, wanted->length, names->short_name);
    if (wanted->found)
        wanted->file = *file;
    return wanted->found;
}

static bool is_separator(char c)
{
    return c == '/' || c == '\\';
}

enum fat_error fat_open(struct fat *fat, const char *path, struct fat_file *ret_file)
{
    struct fat_file file = root_of(fat);
    enum fat_error error;

    for (const char *at = path;;) {
        struct wanted wanted = {.found = false};

        while (is_separator(*at))
            at++;
        if (*at == '\0')
            break;
        for (wanted.name = at; *at && !is_separator(*at); at++)
            if (*at == '?')
                return FAT_NOT_FOUND;
        wanted.length = (size_t)(at - wanted.name);
        error = walk(fat, &file, is_wanted, &wanted);
        if (error || !wanted.found)
            return error ? error : FAT_NOT_FOUND;
        file = wanted.file;
        if (file.folder && file.first == 0) /* ".." in a folder of the root */
            file = root_of(fat);
        if (file.folder && file.first && (file.first < 2 || file.first - 2 >= fat->clusters))
            return FAT_DAMAGED;
    }
    error = file.folder ? FAT_OK : fat_check_chain(fat, &file);
    if (error == FAT_OK)
        *ret_file = file;
    return error;
}

struct listing {
    void (*each)(void *argument, const char *name, const struct fat_file *file);
    void *argument;
};

static bool list_one(void *argument, const struct names *names, const struct fat_file *file)
{
    const struct listing *listing = argument;

    if (!str_is(names->short_name, strlen(names->short_name), ".") &&
        !str_is(names->short_name, strlen(names->short_name), ".."))
        listing->each(listing->argument, names->long_name[0] ? names->long_name : names->short_name, file);
    return false;
}

enum fat_error fat_list(struct fat *fat, struct fat_file *folder,
                        void (*each)(void *argument, const char *name, const struct fat_file *file), void *argument)
{
    struct listing listing = {each, argument};

    return walk(fat, folder, list_one, &listing);
}
