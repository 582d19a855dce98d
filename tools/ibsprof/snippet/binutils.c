/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/snippet/binutils.h"

#include <dirent.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/out_file.h"
#include "tools/ibsprof/base/terminal.h"

extern char **environ;

enum { LINE_MAX = 400 };

bool binutils_begin(struct binutils *tools)
{
    const char *set = getenv("TMPDIR"), *place = set && *set ? set : "/tmp";

    tools->folder = must_text("%s/ibsprof-snippet-XXXXXX", place);
    if (mkdtemp(tools->folder))
        return true;
    complain("%s: no folder can be made there: %m: name another folder in TMPDIR", place);
    free(tools->folder);
    tools->folder = NULL;
    return false;
}

/* The folder has only plain files. */
void binutils_end(struct binutils *tools)
{
    DIR *folder = tools->folder ? opendir(tools->folder) : NULL;
    const struct dirent *entry;

    while (folder && (entry = readdir(folder)))
        (void)unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder) {
        (void)closedir(folder);
        (void)rmdir(tools->folder);
    }
    free(tools->folder);
    tools->folder = NULL;
}

char *binutils_path(const struct binutils *tools, const char *name)
{
    return must_text("%s/%s", tools->folder, name);
}

static char *path_of(const struct binutils *tools, const char *name, const char *suffix)
{
    return must_text("%s/%s%s", tools->folder, name, suffix);
}

/* Prints the program's first error: for "{standard input}:2: Error: no such instruction" the text after "Error: ". */
static void pass_on(const char *program, const char *said, const char *what)
{
    char line[LINE_MAX] = "", first[LINE_MAX] = "";
    FILE *file = fopen(said, "r");
    const char *error = NULL, *number;

    while (file && !error && fgets(line, sizeof(line), file)) {
        line[strcspn(line, "\n")] = '\0';
        if (!*first)
            memcpy(first, line, sizeof(first));
        error = strstr(line, "Error: ");
    }
    if (file)
        (void)fclose(file);
    number = strchr(line, ':');
    if (error && number && number < error)
        complain("%s, line %lu: %s", what, strtoul(number + 1, NULL, 10), error + strlen("Error: "));
    else
        complain("%s: %s failed: %s", what, program, *first ? first : "without a message");
}

/* Runs a program with its standard output and standard error in a file. */
static bool run(const struct binutils *tools, const char *const *words, const char *what)
{
    char *said = path_of(tools, "said", "");
    posix_spawn_file_actions_t actions;
    pid_t child;
    int error, status = 0;

    (void)setenv("LC_ALL", "C", 1); /* for "Error: " in English */
    (void)posix_spawn_file_actions_init(&actions);
    (void)posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    (void)posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, said, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    (void)posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    error = posix_spawnp(&child, words[0], &actions, NULL, (char *const *)words, environ);
    (void)posix_spawn_file_actions_destroy(&actions);
    if (error)
        complain("%s cannot be run: %s: install binutils", words[0], strerror(error));
    else if (waitpid(child, &status, 0) != child || status != 0)
        pass_on(words[0], said, what);
    free(said);
    return !error && status == 0;
}

bool binutils_assemble(const struct binutils *tools, const char *name, const char *text, const char *what)
{
    char *source = path_of(tools, name, ".s"), *object = path_of(tools, name, ".o");
    const char *const words[] = {"as", "--64", "-o", object, source, NULL};
    bool good = output_replace(source, text, strlen(text)) && run(tools, words, what);

    free(source);
    free(object);
    return good;
}

bool binutils_link(const struct binutils *tools, const char *name)
{
    char *object = path_of(tools, name, ".o"), *elf = path_of(tools, name, ".elf");
    const char *const words[] = {"ld",
                                 "-m",
                                 "elf_x86_64",
                                 "-shared",
                                 "-z",
                                 "separate-code",
                                 "-z",
                                 "noexecstack",
                                 "--build-id=sha1",
                                 "-Bsymbolic",
                                 "--no-undefined",
                                 "-o",
                                 elf,
                                 object,
                                 NULL};
    bool good = run(tools, words, "the linked snippet");

    free(object);
    free(elf);
    return good;
}
