/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads the words after './dev run', before anything boots, and prints them for the shell: options, mostly
 * tools/qemu/boot's, "--", and the settings as load options. It is linked from the image's own objects, so the
 * settings, their rows and their parser are those of the image. Exit status 2: a word was not understood; standard
 * error has a line on it.
 */
#include "app/run/code.h"
#include "app/prompt/options_check.h"
#include "core/base/nearest.h"
#include "core/family/event_set.h"
#include "core/family/ibs_family.h"
#include "vpmu/model/free.h"
#include "vpmu/model/hostile.h"
#include "vpmu/model/params.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    USAGE = 2,
    SETTINGS = 480, /* characters; efi/main.c accepts 511, of which ./dev uses "menu=no seed=16777215 " */
};

static void write_stderr(struct out *out, const char *text, size_t length)
{
    (void)out;
    fwrite(text, 1, length, stderr);
}

/* Holds what the words request. */
struct given {
    const char *revision;
    unsigned wrong;
    struct code_file own;
    struct out problems;
};

/* ---------------------------------------------------------------- options */

static bool take_number(const char *value, uint64_t least)
{
    uint64_t number = 0;
    size_t length = strspn(value, "0123456789");

    if (!length || length > 9 || value[length])
        return false;
    sscanf(value, "%lu", &number);
    return number >= least;
}

static bool take_seconds(struct given *given, const char *value)
{
    return take_number(value, 0);
}

static bool take_count(struct given *given, const char *value)
{
    return take_number(value, 1);
}

static bool take_repeat(struct given *given, const char *value)
{
    return take_number(value, 1) && strlen(value) <= 2;
}

static bool take_folder(struct given *given, const char *value)
{
    return value[0] != '\0' && value[0] != '-';
}

/* Reads own code, before the settings, which may name its parameters. */
static bool take_code(struct given *given, const char *value)
{
    return given->own.file_name[0] != '\0' && value[0] != '\0';
}

static bool take_nodes(struct given *given, const char *value)
{
    return take_number(value, 1) && strlen(value) == 1 && value[0] <= '0' + VPMU_NODES;
}

static bool take_revision(struct given *given, const char *value)
{
    enum vpmu_revision parsed;

    given->revision = value;
    return vpmu_revision_parse(value, &parsed);
}

static bool take_hostile(struct given *given, const char *value)
{
    uint64_t set;

    return hostile_parse(value, &set);
}

static bool take_free(struct given *given, const char *value)
{
    uint32_t causes;

    return *value && free_parse(value, &causes);
}

/* Returns the n-th name that the option accepts; NULL after the last. */
static const char *revision_name(unsigned i)
{
    return i <= VPMU_REV_LAST ? vpmu_params_of((enum vpmu_revision)i)->name : NULL;
}

static const char *hostile_name(unsigned i)
{
    return i < HOSTILE_SWITCHES ? hostile_table[i].name : NULL;
}

static const char *free_name(unsigned i)
{
    return i < FREE_WORDS ? free_table[i].word : NULL;
}

static const char *step_name(unsigned i)
{
    static const char *const names[] = {"plugin", "tf", NULL};

    return names[i];
}

static const char *firmware_name(unsigned i)
{
    static const char *const names[] = {"uefi", "bios", NULL};

    return names[i];
}

static bool is_name(const char *value, const char *(*each)(unsigned i))
{
    unsigned i = 0;

    while (each(i) && strcmp(each(i), value) != 0)
        i++;
    return each(i);
}

static bool take_step(struct given *given, const char *value)
{
    return is_name(value, step_name);
}

static bool take_firmware(struct given *given, const char *value)
{
    return is_name(value, firmware_name);
}

static const struct option {
    const char *name, *takes;
    bool (*take)(struct given *given, const char *value);
    const char *(*each)(unsigned i); /* NULL: the option has no names */
} options[] = {
    {"--revision", "a processor", take_revision, revision_name},
    {"--smp", "a number of cores", take_count, NULL},
    {"--nodes", "a number of nodes from 1 to 8", take_nodes, NULL},
    {"--step", "a way to step", take_step, step_name},
    {"--firmware", "a firmware", take_firmware, firmware_name},
    {"--hostile", "names with + between (docs/model.md)", take_hostile, hostile_name},
    {"--free", "causes of time with , between", take_free, free_name},
    {"--timeout", "seconds", take_seconds, NULL},
    {"--stall", "seconds", take_seconds, NULL},
    {"--repeat", "a number of boots from 1 to 99", take_repeat, NULL},
    {"--out", "a folder", take_folder, NULL},
    {"--code", "an ELF file of own code", take_code, NULL},
};
enum { OPTIONS = sizeof(options) / sizeof(options[0]) };

static void complain(struct given *given, const char *what, const struct nearest *nearest)
{
    given->wrong++;
    out_printf(&given->problems, "dev: %s", what);
    nearest_print(nearest, &given->problems);
    out_printf(&given->problems, "\n");
}

/* Prints the word in quotes for the shell. */
static void print_quoted(const char *word)
{
    putchar('\'');
    for (; *word; word++)
        if (*word == '\'')
            printf("'\\''");
        else
            putchar(*word);
    printf("' ");
}

/* Returns the option's row; NULL after a line if there is none. */
static const struct option *find_option(struct given *given, const char *word, size_t length)
{
    size_t dashes = strspn(word, "-");
    const char *known = NULL;
    struct nearest nearest;
    char what[120];

    /* Leaves out the dashes, which all options have. */
    nearest_begin(&nearest, word + dashes, length - dashes);
    for (unsigned i = 0; i < OPTIONS; i++) {
        const char *name = options[i].name;

        if (strlen(name) == length && !strncmp(word, name, length))
            return &options[i];
        if (nearest_try(&nearest, name + 2, strlen(name + 2)))
            known = name;
    }
    if (known) {
        nearest.name = known;
        nearest.name_length = strlen(known);
    }
    snprintf(what, sizeof(what), "there is no option %.*s", (int)(length < 40 ? length : 40), word);
    complain(given, what, &nearest);
    return NULL;
}

/* Finds the first of several names, separated by '+' or, in --free, by ',', that the option does not accept. */
static size_t wrong_name(const struct option *option, const char **value)
{
    for (;;) {
        size_t length = strcspn(*value, option->take == take_free ? "," : "+");
        char name[NEAREST_MAX + 1];

        snprintf(name, sizeof(name), "%.*s", (int)length, *value);
        if (!(*value)[length] || !is_name(name, option->each))
            return length;
        *value += length + 1;
    }
}

static void refuse_value(struct given *given, const struct option *option, const char *value)
{
    struct nearest nearest;
    char what[1000];
    size_t length = strlen(value), used;

    used = (size_t)snprintf(what, sizeof(what), "%s takes %s", option->name, option->takes);
    for (unsigned i = 0; option->each && option->each != hostile_name && option->each(i); i++)
        used += (size_t)snprintf(what + used, sizeof(what) - used, "%s %s", i ? "," : ":", option->each(i));
    if (option->each)
        length = wrong_name(option, &value);
    snprintf(what + used, sizeof(what) - used, "; not '%.*s'", (int)(length < 40 ? length : 40), value);
    nearest_begin(&nearest, value, length);
    for (unsigned i = 0; option->each && option->each(i); i++)
        (void)nearest_try(&nearest, option->each(i), strlen(option->each(i)));
    complain(given, what, &nearest);
}

/* Returns the number of words: "--name value" or "--name=value". A word after an unknown option may be its value. */
static int take_option(struct given *given, char **word, int count)
{
    const char *equals = strchr(word[0], '=');
    size_t length = equals ? (size_t)(equals - word[0]) : strlen(word[0]);
    const struct option *option = find_option(given, word[0], length);
    const char *value = equals ? equals + 1 : count > 1 ? word[1] : "";

    if (option && option->take(given, value)) {
        print_quoted(option->name);
        print_quoted(value);
    } else if (option) {
        refuse_value(given, option, value);
    }
    return equals || count < 2 || (!option && (word[1][0] == '-' || strchr(word[1], '='))) ? 1 : 2;
}

/* ---------------------------------------------------------------- own code */

/* Makes its name on the volume: NAME.elf. */
static void name_code(const char *path, char *name, size_t room)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    size_t length = strlen(base);

    if (length > 4 && strcmp(base + length - 4, ".elf") == 0)
        length -= 4;
    snprintf(name, room, "%.*s.elf", (int)length, base);
}

/* Reads own code. Returns false after a line if it cannot be used. */
static bool read_code(struct given *given, const char *path)
{
    char name[256];
    FILE *file = fopen(path, "rb");

    name_code(path, name, sizeof(name));
    if (!file || strlen(name) >= sizeof(given->own.file_name)) {
        out_printf(&given->problems, "dev: --code: %s %s\n", path,
                   file ? "has a name that is too long" : "cannot be read");
        return false;
    }
    given->own.bytes = malloc(CODE_FILE_MAX + 1);
    given->own.size = fread(given->own.bytes, 1, CODE_FILE_MAX + 1, file);
    (void)fclose(file);
    code_take(&given->own, name, 0, options_has_key);
    if (given->own.why[0])
        out_printf(&given->problems, "dev: --code: %s: %s\n", path, given->own.why);
    return !given->own.why[0];
}

/* Finds the option among the words, and reads its file, if any. */
static bool find_code(struct given *given, int argc, char **argv)
{
    for (int at = 1; at < argc; at++) {
        if (!strncmp(argv[at], "--code=", 7))
            return read_code(given, argv[at] + 7);
        if (!strcmp(argv[at], "--code") && at + 1 < argc)
            return read_code(given, argv[at + 1]);
    }
    return true;
}

/* ---------------------------------------------------------------- settings */

/* Returns the processor's events: Family 10h's, or those of the later family with its registers. */
static enum event_set events(const struct given *given)
{
    enum vpmu_revision parsed;
    uint32_t signature;

    if (!vpmu_revision_parse(given->revision, &parsed) || parsed < VPMU_REV_LATER)
        return EVENT_SET_10H;
    signature = vpmu_params_of(parsed)->signature;
    return (enum event_set)ibs_family_of((signature >> 8 & 15) + (signature >> 20 & 255),
                                         (signature >> 4 & 15) | (signature >> 12 & 0xf0))
        ->events;
}

/* Writes a setting as a word of load options, with double quotes around a value that has blanks or may look like a
 * comment. The shell has removed the user's quotes. */
static void quote(const char *word, char *to, size_t room)
{
    const char *equals = strchr(word, '=');

    if (equals && equals[1] != '"' && strpbrk(equals + 1, " \t#;"))
        snprintf(to, room, "%.*s\"%s\"", (int)(equals + 1 - word), word, equals + 1);
    else
        snprintf(to, room, "%s", word);
}

int main(int argc, char **argv)
{
    struct given given = {.revision = "C", .problems = {.write = write_stderr}};
    struct options settings;
    char words[4096] = "", word[1024];
    size_t length = 0;

    if (!find_code(&given, argc, argv))
        return USAGE;
    if (!options_init(&settings))
        return 1;
    for (int at = 1, taken; at < argc; at += taken) {
        taken = argv[at][0] == '-' ? take_option(&given, argv + at, argc - at) : 0;
        for (int i = 0; i < taken; i++)
            argv[at + i] = NULL;
        taken += !taken;
    }
    printf("-- ");
    /* First, so that a setting may still name another workload. */
    if (given.own.file_name[0]) {
        snprintf(word, sizeof(word), "workload=%s", given.own.name);
        print_quoted(word);
        length += (size_t)snprintf(words, sizeof(words), "%s ", word);
    }
    for (int at = 1; at < argc; at++) {
        if (!argv[at])
            continue;
        quote(argv[at], word, sizeof(word));
        print_quoted(word);
        length += (size_t)snprintf(words + length, sizeof(words) - length, "%s ", word);
        if (length > SETTINGS) {
            out_printf(&given.problems, "dev: the settings have more than %d characters\n", SETTINGS);
            return USAGE;
        }
    }
    settings.event_set = (uint8_t)events(&given);
    given.wrong += options_read_words(&settings, "dev: setting", words, &given.problems);
    return given.wrong ? USAGE : 0;
}
