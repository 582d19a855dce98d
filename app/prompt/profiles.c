/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/prompt/profiles.h"

#include "core/base/mem.h"
#include "core/base/str.h"

static const char folder[] = "\\ibsboot", ending[] = ".txt";
enum { ENDING = sizeof(ending) - 1 };

struct names {
    char name[PROFILES_MAX][PROFILES_NAME_MAX + 1]; /* without ".txt", ascending */
    unsigned count, left_out;
};

static bool is_text_file(const char *name, size_t length)
{
    return length > ENDING && str_is(name + length - ENDING, ENDING, ending);
}

/* A volume may list a file twice. */
static void note_name(void *argument, const char *name)
{
    struct names *names = argument;
    size_t length = strlen(name);
    char plain[PROFILES_NAME_MAX + 1] = "";
    unsigned at = 0;

    if (!is_text_file(name, length))
        return;
    if (length - ENDING > PROFILES_NAME_MAX) {
        names->left_out++;
        return;
    }
    memcpy(plain, name, length - ENDING);
    while (at < names->count && str_order(names->name[at], plain) < 0)
        at++;
    if (at < names->count && str_order(names->name[at], plain) == 0)
        return;
    if (names->count == PROFILES_MAX) {
        names->left_out++;
        return;
    }
    memmove(names->name[at + 1], names->name[at], (names->count - at) * sizeof(names->name[0]));
    memcpy(names->name[at], plain, sizeof(plain));
    names->count++;
}

/* Finds the next line from *at on, without leading and trailing blanks. Returns false if there is none. */
static bool next_line(const char *text, size_t size, size_t *at, const char **ret_line, size_t *ret_length)
{
    size_t begin = *at, end;

    if (begin >= size)
        return false;
    for (end = begin; end < size && text[end] != '\n'; end++)
        ;
    *at = end + 1;
    while (begin < end && text[begin] == ' ')
        begin++;
    while (end > begin && (text[end - 1] == ' ' || text[end - 1] == '\r'))
        end--;
    *ret_line = text + begin;
    *ret_length = end - begin;
    return true;
}

/* Prints a profile: a text that runs something; ignores others. */
static bool print_profile(struct out *out, const char *name, const char *text, size_t size)
{
    const char *line, *about = "";
    size_t length, about_length = 0;
    bool runs = false;

    for (size_t at = 0; next_line(text, size, &at, &line, &length);) {
        runs = runs || str_is(line, length, "run");
        if (!about_length && length > 1 && *line == '#') {
            about = line + 1;
            about_length = length - 1;
            while (about_length && *about == ' ') {
                about++;
                about_length--;
            }
        }
    }
    if (runs)
        out_printf(out, "  %-14s %.*s\n", name, (int)about_length, about);
    return runs;
}

static void path_of(const char *name, char (*path)[2 * PROFILES_NAME_MAX])
{
    struct out_memory text;

    out_memory_init(&text, *path, sizeof(*path));
    out_printf(&text.out, "%s\\%s%s", folder, name, is_text_file(name, strlen(name)) ? "" : ending);
}

static unsigned print_profiles(struct console *console, const struct names *names, char *text)
{
    struct firmware *fw = console->fw;
    unsigned printed = 0;

    for (unsigned i = 0; i < names->count; i++) {
        char path[2 * PROFILES_NAME_MAX];
        size_t size;
        enum firmware_error error;

        path_of(names->name[i], &path);
        error = fw->read_file(fw, path, text, SETTINGS_TEXT_MAX, &size);
        if (error == FIRMWARE_OK)
            printed += print_profile(&console->out, names->name[i], text, size);
        else
            out_printf(&console->out, "  %-14s (%s)\n", names->name[i], firmware_error_text(error));
    }
    return printed;
}

void profiles_list(struct console *console)
{
    struct firmware *fw = console->fw;
    struct names *names = fw->allocate(fw, sizeof(*names), 4096);
    char *text = fw->allocate(fw, SETTINGS_TEXT_MAX, 4096);
    enum firmware_error error = names && text ? fw->list(fw, folder, note_name, names) : FIRMWARE_FAILED;

    if (error && error != FIRMWARE_NOT_FOUND)
        out_printf(&console->out, "profiles: %s\n", firmware_error_text(error));
    else if (!print_profiles(console, names, text))
        out_printf(
            &console->out,
            "There is no profile. A profile is a file %s\\NAME%s with settings, 'run', and\n'# what it is for'.\n",
            folder, ending);
    if (names && names->left_out)
        out_printf(&console->out, "%u more files, or with names of more than %u characters, are not listed.\n",
                   names->left_out, PROFILES_NAME_MAX);
    fw->release(fw, text, SETTINGS_TEXT_MAX);
    fw->release(fw, names, sizeof(*names));
}

void profiles_words(struct firmware *fw, char (*ret_words)[PROFILES_WORDS])
{
    struct names *names = fw->allocate(fw, sizeof(*names), 4096);
    char *text = fw->allocate(fw, SETTINGS_TEXT_MAX, 4096), path[2 * PROFILES_NAME_MAX];
    struct out_memory words, nowhere;
    size_t size;

    out_memory_init(&words, *ret_words, sizeof(*ret_words));
    if (names && text && fw->list(fw, folder, note_name, names) == FIRMWARE_OK)
        for (unsigned i = 0; i < names->count; i++) {
            path_of(names->name[i], &path);
            out_memory_init(&nowhere, NULL, 0);
            if (fw->read_file(fw, path, text, SETTINGS_TEXT_MAX, &size) == FIRMWARE_OK &&
                print_profile(&nowhere.out, names->name[i], text, size))
                out_printf(&words.out, "%s%s", words.needed ? "|" : "", names->name[i]);
        }
    fw->release(fw, text, SETTINGS_TEXT_MAX);
    fw->release(fw, names, sizeof(*names));
}

bool profiles_run_file(struct console *console, struct options *options, const struct prompt_actions *actions,
                       const char *what, const char *path)
{
    struct firmware *fw = console->fw;
    char *text = fw->allocate(fw, SETTINGS_TEXT_MAX, 4096);
    size_t size;
    enum firmware_error error = text ? fw->read_file(fw, path, text, SETTINGS_TEXT_MAX, &size) : FIRMWARE_FAILED;
    bool good = error == FIRMWARE_OK && prompt_batch(console, options, actions, text, size);

    if (error != FIRMWARE_OK)
        out_printf(&console->out, "%s%s: %s\n", what, path, firmware_error_text(error));
    fw->release(fw, text, SETTINGS_TEXT_MAX);
    return good;
}

bool profiles_run(struct console *console, struct options *options, const struct prompt_actions *actions,
                  const char *name)
{
    char path[2 * PROFILES_NAME_MAX];

    if (strlen(name) > PROFILES_NAME_MAX) {
        out_printf(&console->out, "profile: a name of more than %u characters\n", PROFILES_NAME_MAX);
        return false;
    }
    path_of(name, &path);
    return profiles_run_file(console, options, actions, "profile: ", path);
}
