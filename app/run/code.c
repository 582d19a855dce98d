/* SPDX-License-Identifier: BSD-2-Clause */
/* Files of own code; the contract is in code.h. */
#include "app/run/code.h"

#include "app/settings/options.h"
#include "core/base/mem.h"
#include "core/base/str.h"

static const char folder[] = "\\ibsboot\\code", list_path[] = "\\ibsboot\\code\\list.txt", ending[] = ".elf";
enum {
    ENDING = sizeof(ending) - 1,
    PATH_MAX = sizeof(folder) + CODE_NAME + 8,
    LIST_BYTES = 1024,
    FIRST_BYTES = 64, /* read to learn a file's size */
    FIRST_ROOM = 32 << 10,
};
/* ---------------------------------------------------------------- the folder */

struct names {
    char name[CODE_FILES_MAX][CODE_NAME + ENDING]; /* ascending */
    unsigned count, left_out;
};

/* A volume may list a file twice, and have names that no setting allows; a server's list may have paths. */
static void note_name(void *argument, const char *name)
{
    struct names *names = argument;
    size_t length = strlen(name);
    unsigned at = 0;

    if (length <= ENDING || !str_is(name + length - ENDING, ENDING, ending))
        return;
    for (size_t i = 0; i < length; i++)
        if (name[i] <= ' ' || name[i] > '~' || name[i] == '"' || name[i] == '\\' || name[i] == '/' || name[i] == ':')
            length = sizeof(names->name[0]);
    while (at < names->count && str_order(names->name[at], name) < 0)
        at++;
    if (at < names->count && str_order(names->name[at], name) == 0)
        return;
    if (names->count == CODE_FILES_MAX || length >= sizeof(names->name[0])) {
        names->left_out++;
        return;
    }
    memmove(names->name[at + 1], names->name[at], (names->count - at) * sizeof(names->name[0]));
    memset(names->name[at], 0, sizeof(names->name[at]));
    memcpy(names->name[at], name, length);
    names->count++;
}

/* Reads a whole file into memory one byte larger than it (see efi_download()). */
static enum firmware_error read_of_size(struct firmware *fw, const char *path, size_t size, void **ret_bytes,
                                        size_t *ret_size)
{
    void *bytes = fw->allocate(fw, size + 1, CODE_PAGE);
    enum firmware_error error;

    if (!bytes)
        return FIRMWARE_NO_MEMORY;
    error = fw->read_file(fw, path, bytes, size + 1, ret_size);
    if (error || *ret_size != size) {
        fw->release(fw, bytes, size + 1);
        return error ? error : FIRMWARE_FAILED;
    }
    *ret_bytes = bytes;
    return FIRMWARE_OK;
}

/* Reads a file of unknown size, as with iPXE, into growing buffers until it fits. Zeros at its end look like unused
 * buffer, but the file's header says where it ends. */
static enum firmware_error read_of_no_size(struct firmware *fw, const char *path, size_t max, void **ret_bytes,
                                           size_t *ret_size)
{
    enum firmware_error error = FIRMWARE_TOO_LARGE;

    for (size_t room = FIRST_ROOM; error == FIRMWARE_TOO_LARGE && room; room = room > max       ? 0
                                                                               : 4 * room < max ? 4 * room
                                                                                                : max + 1) {
        uint8_t *bytes = fw->allocate(fw, room, CODE_PAGE), *whole;
        size_t size;

        if (!bytes)
            return FIRMWARE_NO_MEMORY;
        error = fw->read_file(fw, path, bytes, room, ret_size);
        size = error ? 0 : code_size_by_header(bytes, room);
        size = size > *ret_size ? size : *ret_size;
        whole = error ? NULL : fw->allocate(fw, size + 1, CODE_PAGE);
        if (whole) {
            memcpy(whole, bytes, size);
            *ret_bytes = whole;
            *ret_size = size;
        } else if (!error) {
            error = FIRMWARE_NO_MEMORY;
        }
        fw->release(fw, bytes, room);
    }
    return error;
}

/* Reads a whole file, of at most 'max' bytes. */
static enum firmware_error read_whole(struct firmware *fw, const char *path, size_t max, void **ret_bytes,
                                      size_t *ret_size)
{
    uint8_t first[FIRST_BYTES];
    size_t size = 0;
    enum firmware_error error = fw->read_file(fw, path, first, sizeof(first), &size);

    if (error && error != FIRMWARE_TOO_LARGE)
        return error;
    if (error && size <= sizeof(first))
        return read_of_no_size(fw, path, max, ret_bytes, ret_size);
    if (size > max)
        return FIRMWARE_TOO_LARGE;
    return read_of_size(fw, path, size, ret_bytes, ret_size);
}

/* Reads the names from a text, a line each, if files cannot be listed, as on a network boot's server. */
static enum firmware_error read_list(struct firmware *fw, struct names *names)
{
    char text[LIST_BYTES + 1], *line = text;
    size_t size = 0;

    enum firmware_error error = fw->read_file(fw, list_path, text, LIST_BYTES, &size);

    if (error)
        return error;
    text[size] = '\0';
    for (size_t i = 0; i <= size; i++) {
        if (text[i] != '\n' && text[i] != '\r' && text[i])
            continue;
        text[i] = '\0';
        if (*line)
            note_name(names, line);
        line = text + i + 1;
    }
    return FIRMWARE_OK;
}

/* Returns whether the error is a usual one: no volume, no folder, a boot server without the file, which some report as
 * refused access. */
static bool is_usual(enum firmware_error error)
{
    return !error || error == FIRMWARE_NOT_FOUND || error == FIRMWARE_NO_VOLUME || error == FIRMWARE_REFUSED ||
           error == FIRMWARE_NO_ANSWER;
}

static void path_of(char (*path)[PATH_MAX], const char *name, size_t length, const char *end)
{
    struct out_memory text;

    out_memory_init(&text, *path, sizeof(*path));
    out_printf(&text.out, "%s\\%.*s%s", folder, (int)length, name, end);
}

static void read_one(struct firmware *fw, struct code_file *file, const char *name)
{
    char path[PATH_MAX];
    enum firmware_error error;

    path_of(&path, name, strlen(name), "");
    error = read_whole(fw, path, CODE_FILE_MAX, &file->bytes, &file->size);
    if (error == FIRMWARE_TOO_LARGE)
        code_keep(file->why, sizeof(file->why), "the file has more than 8 MB: 'strip --strip-debug' makes it smaller%s",
                  "");
    else if (error)
        code_keep(file->why, sizeof(file->why), "%s", firmware_error_text(error));
    if (error)
        return;
    path_of(&path, name, strlen(name) - ENDING, ".map");
    error = read_whole(fw, path, CODE_MAP_FILE_MAX, &file->map_bytes, &file->map_size);
    if (error == FIRMWARE_NOT_FOUND)
        code_keep(file->why_no_map, sizeof(file->why_no_map), "it is missing: 'ibsprof codemap %s' makes it", name);
    else if (error)
        code_keep(file->why_no_map, sizeof(file->why_no_map), "%s", firmware_error_text(error));
}

void code_find_files(struct firmware *fw, struct out *problems)
{
    struct names names = {.count = 0};
    struct code_file *files;
    enum firmware_error error = fw->list(fw, folder, note_name, &names);

    if (!names.count && is_usual(error))
        error = read_list(fw, &names);
    if (!is_usual(error))
        out_printf(problems, "%s: %s; there is no own code\n", folder, firmware_error_text(error));
    if (names.left_out)
        out_printf(problems,
                   "%s: %u files are left out: there are more than %u, or their names are longer than\n%u characters, "
                   "are paths, or contain blanks\n",
                   folder, names.left_out, CODE_FILES_MAX, CODE_NAME - 1);
    if (error || !names.count)
        return;
    files = fw->allocate(fw, sizeof(*files) * CODE_FILES_MAX, CODE_PAGE);
    if (!files) {
        out_printf(problems, "%s: no memory for the list of its files\n", folder);
        return;
    }
    for (unsigned i = 0; i < names.count; i++) {
        read_one(fw, &files[i], names.name[i]);
        code_take(&files[i], names.name[i], i, options_has_key);
    }
}

void code_forget(struct firmware *fw)
{
    struct code_file *files = code_file_at(0), *file;

    for (unsigned i = 0; (file = code_file_at(i)); i++) {
        if (file->bytes)
            fw->release(fw, file->bytes, file->size + 1);
        if (file->map_bytes)
            fw->release(fw, file->map_bytes, file->map_size + 1);
    }
    if (files)
        fw->release(fw, files, sizeof(*files) * CODE_FILES_MAX);
    code_forget_rows();
}
