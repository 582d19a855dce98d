/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/ibsprof/tool.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/version.h"
#include "tests/unit/ibsprof/files.h"

enum { WORDS_MAX = 140 };

/* ---------------------------------------------------------------- running */

static char *last_out, *last_err, *last_text;

static void replace(char *text, const char *what, const char *by)
{
    for (char *at = text; (at = strstr(at, what)) != NULL; at += strlen(by)) {
        memcpy(at, by, strlen(by)); /* which is shorter */
        memmove(at + strlen(by), at + strlen(what), strlen(at + strlen(what)) + 1);
    }
}

/* Replaces the process's number in names of files, and the working folder if it is there. */
static char *without_changes(char *text)
{
    char here[4096], folder[8192];

    if (getcwd(here, sizeof(here)) == NULL)
        abort();
    snprintf(folder, sizeof(folder), "%s/build/unit/ibsprof-files/%d", here, (int)getpid());
    replace(text, folder, "FILES");
    replace(text, strchr(folder + strlen(here), 'b'), "FILES");
    replace(text, "ibsprof " IBSBOOT_VERSION, "ibsprof N");
    return text;
}

static char *read_file(FILE *file)
{
    long size;
    char *text;

    fseek(file, 0, SEEK_END);
    size = ftell(file);
    rewind(file);
    text = calloc(1, (size_t)size + 1);
    if (text == NULL || fread(text, 1, (size_t)size, file) != (size_t)size)
        abort();
    fclose(file);
    return text;
}

static int run_words(const struct command *command, const char *const *words)
{
    char *argv[WORDS_MAX], *copies[WORDS_MAX];
    int argc = 0, status;

    argv[argc++] = strdup(command->name);
    for (; *words != NULL && argc < WORDS_MAX - 1; words++)
        argv[argc++] = strdup(*words);
    argv[argc] = NULL;
    memcpy(copies, argv, sizeof(argv)); /* because getopt changes the order */
    status = command->run(argc, argv);
    for (int i = 0; i < argc; i++)
        free(copies[i]);
    return status;
}

static void collect(const char *words[WORDS_MAX], va_list list)
{
    unsigned count = 0;

    while ((words[count] = va_arg(list, const char *)) != NULL)
        if (++count == WORDS_MAX)
            abort();
}

/* Redirects standard output and error to these files, and saves the old ones. */
static void redirect(int out, int err, int saved[2])
{
    fflush(stdout);
    fflush(stderr);
    saved[0] = dup(STDOUT_FILENO);
    saved[1] = dup(STDERR_FILENO);
    if (dup2(out, STDOUT_FILENO) < 0 || dup2(err, STDERR_FILENO) < 0)
        abort();
}

static void restore(const int saved[2])
{
    fflush(stdout);
    fflush(stderr);
    clearerr(stdout);
    dup2(saved[0], STDOUT_FILENO);
    dup2(saved[1], STDERR_FILENO);
    close(saved[0]);
    close(saved[1]);
}

static unsigned open_files(void)
{
    DIR *list = opendir("/proc/self/fd");
    unsigned count = 0;

    while (readdir(list) != NULL)
        count++;
    closedir(list);
    return count;
}

struct tool_result tool_run_words(const struct command *command, const char *const *words)
{
    FILE *out = tmpfile(), *err = tmpfile();
    unsigned before = open_files();
    int saved[2], status;

    redirect(fileno(out), fileno(err), saved);
    status = run_words(command, words);
    restore(saved);
    assert_int_equal(open_files(), before); /* a command closes every file that it opens */
    free(last_out);
    free(last_err);
    last_out = without_changes(read_file(out));
    last_err = without_changes(read_file(err));
    return (struct tool_result){status, last_out, last_err};
}

struct tool_result tool_run(const struct command *command, ...)
{
    const char *words[WORDS_MAX];
    va_list list;

    va_start(list, command);
    collect(words, list);
    va_end(list);
    return tool_run_words(command, words);
}

struct terminal {
    int master;
    FILE *to;
};

static void *read_terminal(void *context)
{
    struct terminal *terminal = context;
    char bytes[4096];
    ssize_t got;

    while ((got = read(terminal->master, bytes, sizeof(bytes))) >
           0) /* an error once the terminal is closed by all processes */
        fwrite(bytes, 1, (size_t)got, terminal->to);
    return NULL;
}

struct tool_result tool_run_on_terminal(unsigned columns, const struct command *command, ...)
{
    struct winsize size = {.ws_row = 25, .ws_col = (unsigned short)columns};
    struct terminal terminal = {.master = posix_openpt(O_RDWR | O_NOCTTY), .to = tmpfile()};
    const char *words[WORDS_MAX];
    int slave, saved[2], status;
    pthread_t thread;
    va_list list;

    va_start(list, command);
    collect(words, list);
    va_end(list);
    if (terminal.master < 0 || grantpt(terminal.master) != 0 || unlockpt(terminal.master) != 0)
        abort();
    slave = open(ptsname(terminal.master), O_RDWR | O_NOCTTY);
    if (slave < 0 || ioctl(slave, TIOCSWINSZ, &size) != 0 ||
        pthread_create(&thread, NULL, read_terminal, &terminal) != 0)
        abort();
    redirect(slave, slave, saved);
    status = run_words(command, words);
    restore(saved);
    close(slave);
    pthread_join(thread, NULL);
    close(terminal.master);
    free(last_out);
    free(last_err);
    last_out = without_changes(read_file(terminal.to));
    last_err = calloc(1, 1);
    return (struct tool_result){status, last_out, last_err};
}

void tool_begin(FILE **ret_stream)
{
    *ret_stream = tmpfile();
}

const char *tool_end(FILE *stream)
{
    free(last_text);
    return last_text = without_changes(read_file(stream));
}

static int errors_saved[2];
static FILE *errors;

void tool_begin_errors(void)
{
    errors = tmpfile();
    redirect(STDOUT_FILENO, fileno(errors), errors_saved);
}

const char *tool_end_errors(void)
{
    restore(errors_saved);
    return tool_end(errors);
}

/* ---------------------------------------------------------------- comparing */

void expect_text(const char *got, const char *wanted)
{
    unsigned line = 1;

    while (*got != '\0' || *wanted != '\0') {
        size_t a = strcspn(got, "\n"), b = strcspn(wanted, "\n");

        if (a != b || memcmp(got, wanted, a) != 0 || got[a] != wanted[b])
            fail_msg("line %u is\n%.*s%s\nbut should be\n%.*s%s", line, (int)a, got, got[a] ? "" : "<end>", (int)b,
                     wanted, wanted[b] ? "" : "<end>");
        got += a + (got[a] != '\0');
        wanted += b + (wanted[b] != '\0');
        line++;
    }
}

void expect_file(const char *got, const char *name)
{
    char path[300];
    FILE *file;
    char *wanted;

    snprintf(path, sizeof(path), "tests/unit/ibsprof/expected/%s", name);
    file = fopen(path, "r");
    wanted = file != NULL ? read_file(file) : calloc(1, 1);
    if (strcmp(got, wanted) != 0) {
        snprintf(path, sizeof(path), "build/unit/ibsprof-got/%s", name);
        files_make_folders(path);
        file = fopen(path, "w");
        if (file != NULL && fputs(got, file) >= 0 && fclose(file) == 0)
            print_error("%s: what was got is in %s\n", name, path);
        expect_text(got, wanted);
    }
    free(wanted);
}

void tool_expect(struct tool_result got, int status, const char *out, const char *err)
{
    expect_text(got.err, err);
    expect_text(got.out, out);
    assert_int_equal(got.status, status);
}

void tool_writes(struct tool_result got, const char *name)
{
    expect_text(got.err, "");
    expect_file(got.out, name);
    assert_int_equal(got.status, EXIT_DONE);
}
