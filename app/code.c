/* SPDX-License-Identifier: BSD-2-Clause */
/* Files of own code, and their rows; the contract is in code.h. */
#include "app/code.h"

#include "app/options.h"
#include "core/base/mem.h"
#include "core/base/str.h"

static const char folder[] = "\\ibsboot\\code", list_path[] = "\\ibsboot\\code\\list.txt", ending[] = ".elf";
enum {
    ENDING = sizeof(ending) - 1,
    PATH_MAX = sizeof(folder) + CODE_NAME + 8,
    LIST_BYTES = 1024,
    FIRST_BYTES = 64,   /* read to learn a file's size */
    UNIT_OPS = 8,       /* of a unit whose note does not say */
    RUN_OPS = 10000000, /* of all of run() without a note */
};
#define ARENA_MOST (65ull << 30) /* more than there can be (drivers/paging.h) */

static struct code_file *files;
static unsigned count;

/* ---------------------------------------------------------------- a row's functions */

/* A row's functions know the parameters alone: there is one for each place in the list. */
static size_t arena_of(unsigned n, const uint32_t *params)
{
    uint64_t bytes = code_note_arena(&files[n].code.note, params);

    return bytes > ARENA_MOST ? ARENA_MOST : bytes ? (size_t)bytes : 1;
}

#define EACH(ONE)                                                                                                      \
    ONE(0)                                                                                                             \
    ONE(1) ONE(2) ONE(3) ONE(4) ONE(5) ONE(6) ONE(7) ONE(8) ONE(9) ONE(10) ONE(11) ONE(12) ONE(13) ONE(14) ONE(15)
#define FUNCTIONS(n)                                                                                                   \
    static size_t arena_##n(const uint32_t *params)                                                                    \
    {                                                                                                                  \
        return arena_of(n, params);                                                                                    \
    }                                                                                                                  \
    static uint64_t work_##n(const uint32_t *params)                                                                   \
    {                                                                                                                  \
        return code_note_work(&files[n].code.note, params);                                                            \
    }
EACH(FUNCTIONS)

#define ROW(n) {arena_##n, work_##n},
static const struct {
    size_t (*arena)(const uint32_t *params);
    uint64_t (*work)(const uint32_t *params);
} functions[] = {EACH(ROW)};
_Static_assert(sizeof(functions) / sizeof(functions[0]) == CODE_FILES_MAX, "one for each file");

/* ---------------------------------------------------------------- one file */

static void keep(char *to, size_t size, const char *format, const char *text)
{
    struct out_memory memory;

    out_memory_init(&memory, to, size);
    out_printf(&memory.out, format, text);
}

/* Takes the newline away that ends each line of problems. */
static void end_line(char *line)
{
    size_t length = strlen(line);

    if (length && line[length - 1] == '\n')
        line[length - 1] = '\0';
}

static void make_row(struct code_file *file, unsigned n)
{
    const struct code_note *note = &file->code.note;
    struct workload *row = &file->workload;

    row->kernel = "run";
    row->shows = "the functions, lines and instructions of its own code";
    row->group = WORKLOAD_ABOUT_OWN;
    row->unit = file->unit;
    row->unit_ops = note->unit_ops ? note->unit_ops : note->name[0] ? UNIT_OPS : RUN_OPS;
    row->shared = note->flags & CODE_NOTE_SHARED;
    row->arena_size = functions[n].arena;
    row->work = functions[n].work;
    for (unsigned i = 0; i < CODE_NOTE_PARAMETERS && note->parameter[i].name[0]; i++) {
        const struct code_parameter *from = &note->parameter[i];

        row->params[i] = (struct workload_param){from->name, from->min, from->max, from->initial, from->help};
        row->steps[i] = from->step;
    }
    for (unsigned i = 0; i < CODE_NOTE_EXPECTED && note->expected[i].select; i++) {
        const struct code_expected *from = &note->expected[i];

        row->expected[i] = (struct workload_expected){
            from->select, (uint8_t)from->mask, {from->per_unit, from->per_pass, from->once, NULL}};
    }
}

static void refuse(struct code_file *file, const char *why, const char *what)
{
    if (!file->why[0])
        keep(file->why, sizeof(file->why), why, what);
}

/* A name that is taken, of the workload or of a parameter. */
static void check_names(struct code_file *file)
{
    const struct workload *row = &file->workload;

    if (params_find_workload(file->name))
        refuse(file, "another workload has the name %s: change the note's", file->name);
    for (unsigned i = 0; i < WORKLOAD_PARAMS_MAX && row->params[i].name; i++) {
        if (options_has_key(row->params[i].name))
            refuse(file, "its parameter %s has the name of a setting: change the note's", row->params[i].name);
        if (params_index(row, row->params[i].name) != (int)i)
            refuse(file, "it has two parameters of the name %s", row->params[i].name);
    }
}

/* A map that does not fit is as good as none. */
static void take_map(struct code_file *file)
{
    struct out_memory problems;
    uint64_t hash;

    if (!file->map_bytes)
        return;
    out_memory_init(&problems, file->why_no_map, sizeof(file->why_no_map));
    if (code_map_read(file->map_bytes, file->map_size, &file->map, &hash, &problems.out) &&
        hash != codemap_hash(file->bytes, (uint32_t)file->size))
        keep(file->why_no_map, sizeof(file->why_no_map), "it is of another %s: make it again by 'ibsprof codemap'",
             file->file_name);
    end_line(file->why_no_map);
}

void code_take(struct code_file *file, const char *file_name, unsigned known)
{
    struct out_memory problems;
    size_t length = strlen(file_name);

    if (known == 0)
        files = file; /* all of them are one array */
    count = known + 1;
    keep(file->file_name, sizeof(file->file_name), "%s", file_name);
    if (file->bytes) {
        out_memory_init(&problems, file->why, sizeof(file->why));
        if (code_read(file->bytes, file->size, &file->code, &problems.out))
            (void)code_check(&file->code, paging_own_address(PAGING_SLOTS / 2), &problems.out); /* as any address */
        end_line(file->why);
    }
    if (!file->why[0])
        take_map(file);
    for (size_t i = 0; i + ENDING < length && i + 1 < CODE_NAME; i++)
        file->name[i] = str_lower(file_name[i]);
    if (!file->why[0] && file->code.note.name[0])
        keep(file->name, sizeof(file->name), "%s", file->code.note.name);
    keep(file->title, sizeof(file->title), "%s",
         file->why[0] || !file->code.note.title[0] ? file_name : file->code.note.title);
    keep(file->unit, sizeof(file->unit), "%s", file->code.note.unit[0] ? file->code.note.unit : "runs");
    file->workload.name = file->name;
    file->workload.title = file->title;
    if (!file->why[0]) {
        make_row(file, known);
        check_names(file);
    }
    if (!file->why[0] && !params_add_own(&file->workload, NULL))
        refuse(file,
               "there is no room for its parameters beside those of the others: give them names that others have%s",
               "");
    if (file->why[0]) {
        keep(file->title, sizeof(file->title), "%s", file_name);
        (void)params_add_own(&file->workload, file->why);
    }
}

bool code_any(void)
{
    return count;
}

const struct code_file *code_of(const struct workload *workload)
{
    for (unsigned i = 0; i < count; i++)
        if (&files[i].workload == workload)
            return &files[i];
    return NULL;
}

/* ---------------------------------------------------------------- the folder */

struct names {
    char name[CODE_FILES_MAX][CODE_NAME + ENDING]; /* ascending */
    unsigned count, left_out;
};

/* A volume may name a file twice, and have names that no setting can have; a server's list may have paths. */
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

/* Reads a whole file, of at most 'max' bytes. */
static enum firmware_error read_whole(struct firmware *fw, const char *path, size_t max, void **ret_bytes,
                                      size_t *ret_size)
{
    uint8_t first[FIRST_BYTES];
    size_t size = 0;
    enum firmware_error error = fw->read_file(fw, path, first, sizeof(first), &size);
    void *bytes;

    if (error && error != FIRMWARE_TOO_LARGE)
        return error;
    if (size > max)
        return FIRMWARE_TOO_LARGE;
    bytes = fw->allocate(fw, size + 1, CODE_PAGE);
    if (!bytes)
        return FIRMWARE_NO_MEMORY;
    error = fw->read_file(fw, path, bytes, size + 1, ret_size); /* one more: see efi_download() */
    if (error || *ret_size != size) {
        fw->release(fw, bytes, size + 1);
        return error ? error : FIRMWARE_FAILED;
    }
    *ret_bytes = bytes;
    return FIRMWARE_OK;
}

/* Takes the names from a text, a line each: where files cannot be listed, as on a network boot's server. */
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

/* There may be none: no volume, no folder, a boot server without the file, which some call an access that is refused.
 */
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
        keep(file->why, sizeof(file->why), "it has more than 8 MB: 'strip --strip-debug' makes it smaller%s", "");
    else if (error)
        keep(file->why, sizeof(file->why), "%s", firmware_error_text(error));
    if (error)
        return;
    path_of(&path, name, strlen(name) - ENDING, ".map");
    error = read_whole(fw, path, CODE_MAP_FILE_MAX, &file->map_bytes, &file->map_size);
    if (error == FIRMWARE_NOT_FOUND)
        keep(file->why_no_map, sizeof(file->why_no_map), "there is none: 'ibsprof codemap %s' makes it", name);
    else if (error)
        keep(file->why_no_map, sizeof(file->why_no_map), "%s", firmware_error_text(error));
}

void code_find_files(struct firmware *fw, struct out *problems)
{
    struct names names = {.count = 0};
    enum firmware_error error = fw->list(fw, folder, note_name, &names);

    if (!names.count && is_usual(error))
        error = read_list(fw, &names);
    if (!is_usual(error))
        out_printf(problems, "%s: %s; no own code is there\n", folder, firmware_error_text(error));
    if (names.left_out)
        out_printf(problems,
                   "%s: %u files are left out: more than %u, or with names longer than %u characters,\nof a path, or "
                   "with blanks\n",
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
        code_take(&files[i], names.name[i], i);
    }
}

void code_forget(struct firmware *fw)
{
    if (!files)
        return;
    for (unsigned i = 0; i < count; i++) {
        if (files[i].bytes)
            fw->release(fw, files[i].bytes, files[i].size + 1);
        if (files[i].map_bytes)
            fw->release(fw, files[i].map_bytes, files[i].map_size + 1);
    }
    fw->release(fw, files, sizeof(*files) * CODE_FILES_MAX);
    files = NULL;
    count = 0;
    params_forget_own();
}
