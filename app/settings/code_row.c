/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows of own code; the contract is in code_row.h. */
#include "app/settings/code_row.h"

#include "core/base/mem.h"
#include "core/base/str.h"

static const char ending[] = ".elf";
enum {
    ENDING = sizeof(ending) - 1,
    UNIT_OPS = 8,       /* ops of a unit without a note on them */
    RUN_OPS = 10000000, /* ops of run() without a note on them */
};
#define ARENA_MOST (65ull << 30) /* beyond the maximum (drivers/cpu/paging.h) */

/* ---------------------------------------------------------------- a row's functions */

/* A row's functions get only the parameters, so each place in the list has a function of its own. */
static size_t arena_of(unsigned n, const uint32_t *params)
{
    uint64_t bytes = code_note_arena(&code_file_at(n)->code.note, params);

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
        return code_note_work(&code_file_at(n)->code.note, params);                                                    \
    }
EACH(FUNCTIONS)

#define ROW(n) {arena_##n, work_##n},
static const struct {
    size_t (*arena)(const uint32_t *params);
    uint64_t (*work)(const uint32_t *params);
} functions[] = {EACH(ROW)};
_Static_assert(sizeof(functions) / sizeof(functions[0]) == CODE_FILES_MAX, "one for each file");

/* ---------------------------------------------------------------- one file */

void code_keep(char *to, size_t size, const char *format, const char *text)
{
    struct out_memory memory;

    out_memory_init(&memory, to, size);
    out_printf(&memory.out, format, text);
}

/* Removes the newline at the end of a problem. */
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
    row->shows = "the functions, lines and instructions of own code";
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
        code_keep(file->why, sizeof(file->why), why, what);
}

/* Checks whether the workload's name, or a parameter's, is taken. */
static void check_names(struct code_file *file, bool (*is_setting)(const char *name))
{
    const struct workload *row = &file->workload;

    if (params_find_workload(file->name))
        refuse(file, "another workload has the name %s: change the name in the note", file->name);
    for (unsigned i = 0; i < WORKLOAD_PARAMS_MAX && row->params[i].name; i++) {
        if (is_setting(row->params[i].name))
            refuse(file, "its parameter %s has the name of a setting: change the name in the note",
                   row->params[i].name);
        if (params_index(row, row->params[i].name) != (int)i)
            refuse(file, "it has two parameters named %s", row->params[i].name);
    }
}

/* Reads the map: a wrong one counts as none, and a right one may show the refused instruction. */
static void take_map(struct code_file *file)
{
    struct out_memory problems;
    uint64_t hash;

    if (!file->map_bytes)
        return;
    out_memory_init(&problems, file->why_no_map, sizeof(file->why_no_map));
    if (code_map_read(file->map_bytes, file->map_size, &file->map, &hash, &problems.out) &&
        hash != code_hash(&file->code))
        code_keep(file->why_no_map, sizeof(file->why_no_map),
                  "it was made for another %s, or by another version: make it again by 'ibsprof codemap'",
                  file->file_name);
    end_line(file->why_no_map);
    if (file->why_no_map[0])
        return;
    out_memory_init(&problems, file->why, sizeof(file->why));
    (void)code_find_forbidden(&file->code, &file->map, &problems.out);
    end_line(file->why);
}

void code_take(struct code_file *file, const char *file_name, unsigned known, bool (*is_setting)(const char *name))
{
    struct out_memory problems;
    size_t length = strlen(file_name);

    code_keep(file->file_name, sizeof(file->file_name), "%s", file_name);
    if (file->bytes) {
        out_memory_init(&problems, file->why, sizeof(file->why));
        if (code_read(file->bytes, file->size, &file->code, &problems.out))
            (void)code_check(&file->code, CODE_ADDRESS, &problems.out); /* any address gives the same result */
        end_line(file->why);
    }
    if (!file->why[0])
        take_map(file);
    for (size_t i = 0; i + ENDING < length && i + 1 < CODE_NAME; i++)
        file->name[i] = str_lower(file_name[i]);
    if (!file->why[0] && file->code.note.name[0])
        code_keep(file->name, sizeof(file->name), "%s", file->code.note.name);
    code_keep(file->title, sizeof(file->title), "%s",
              file->why[0] || !file->code.note.title[0] ? file_name : file->code.note.title);
    code_keep(file->unit, sizeof(file->unit), "%s", file->code.note.unit[0] ? file->code.note.unit : "runs");
    file->workload.name = file->name;
    file->workload.title = file->title;
    if (!file->why[0]) {
        make_row(file, known);
        check_names(file, is_setting);
    }
    if (!file->why[0] && !params_add_own(&file->workload, NULL))
        refuse(file,
               "there is no room for its parameters beside those of other workloads: give them names that other "
               "workloads use%s",
               "");
    if (file->why[0]) {
        code_keep(file->title, sizeof(file->title), "%s", file_name);
        (void)params_add_own(&file->workload, file->why);
    }
}

_Static_assert(offsetof(struct code_file, workload) == 0, "code_file_at");

struct code_file *code_file_at(unsigned n)
{
    return (struct code_file *)params_own(n);
}

void code_forget_rows(void)
{
    params_forget_own();
}

const struct code_file *code_of(const struct workload *workload)
{
    const struct code_file *file;

    for (unsigned i = 0; (file = code_file_at(i)) && &file->workload != workload; i++)
        ;
    return file;
}

/* ---------------------------------------------------------------- a run */

static void prepare_nothing(void *arena, const uint32_t *params)
{
    (void)arena;
    (void)params;
}

static bool check_nothing(const void *arena, const uint32_t *params, struct workload_check *ret_check)
{
    (void)arena;
    (void)params;
    *ret_check = (struct workload_check){0};
    return true;
}

void code_set_functions(const struct code_file *file, uint64_t address)
{
    struct workload *row = (struct workload *)&file->workload; /* the caller's memory, see code_take() */
    const struct code *code = &file->code;

    row->run = (void (*)(void *, const uint32_t *))(uintptr_t)(address + code->run);
    row->prepare = prepare_nothing;
    if (code->prepare != CODE_NONE)
        row->prepare = (void (*)(void *, const uint32_t *))(uintptr_t)(address + code->prepare);
    row->check = check_nothing;
    if (code->check != CODE_NONE)
        row->check =
            (bool (*)(const void *, const uint32_t *, struct workload_check *))(uintptr_t)(address + code->check);
}
