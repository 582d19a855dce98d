/* SPDX-License-Identifier: BSD-2-Clause */
/* The pager: which program is used, what passes through it, and that the program waits for it. Each trial is a process
 * of its own, with a terminal as standard output. */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/ibsprof/files.h"
#include "tools/ibsprof/base/pager.h"

enum { TICK_US = 20000, TICKS_MAX = 500, TOO_LONG = 98, NO_TERMINAL = 99 };

struct variables {
    const char *own, *usual, *term, *less, *path;
    unsigned more;    /* number of further lines */
    const char *made; /* a file that must exist when the program has ended */
};

static void set(const char *name, const char *value)
{
    if (value ? setenv(name, value, 1) : unsetenv(name))
        abort();
}

static void tick(int number)
{
    static volatile sig_atomic_t ticks;

    (void)number;
    ticks = ticks + 1;
    if (ticks > TICKS_MAX)
        _exit(TOO_LONG);
}

/* Prints a line to the terminal and one to standard output, and ends, while signals interrupt its waiting. */
static void print_lines(const struct variables *variables)
{
    const struct sigaction action = {.sa_handler = tick};
    const struct itimerval often = {{0, TICK_US}, {0, TICK_US}};

    set("IBSPROF_PAGER", variables->own);
    set("PAGER", variables->usual);
    set("TERM", variables->term);
    set("LESS", variables->less);
    if (variables->path)
        set("PATH", variables->path);
    if (sigaction(SIGALRM, &action, NULL) != 0)
        abort();
    pager_begin();
    if (setitimer(ITIMER_REAL, &often, NULL) != 0)
        abort();
    if (pager_terminal() < 0)
        exit(NO_TERMINAL);
    if (dprintf(pager_terminal(), "direct\n") < 0 || puts("line") < 0)
        abort();
    for (unsigned i = 0; i < variables->more; i++)
        (void)puts("more");
    exit(0);
}

/* Returns the status of a process that prints its lines to this file, or the signal that ended it, negative. */
static int print_to(int out, const struct variables *variables)
{
    int status;
    pid_t process;

    fflush(stdout);
    process = fork();
    if (process == 0) {
        if (dup2(out, STDOUT_FILENO) < 0)
            abort();
        print_lines(variables);
    }
    assert_true(process > 0);
    close(out);
    assert_int_equal(waitpid(process, &status, 0), process);
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

/* Expects this status, and this text on a trial's terminal. */
static void ends(const struct variables *variables, int status, const char *wanted)
{
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    char text[1000];
    size_t size = 0;
    ssize_t got;

    assert_true(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
    assert_int_equal(print_to(open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC), variables), status);
    if (variables->made)
        assert_int_equal(access(variables->made, F_OK), 0);
    while ((got = read(master, text + size, sizeof(text) - 1 - size)) >
           0) /* an error once the terminal is closed by all processes */
        size += (size_t)got;
    text[size] = '\0';
    close(master);
    assert_string_equal(text, wanted);
}

static void shows(const struct variables *variables, const char *wanted)
{
    ends(variables, 0, wanted);
}

#define NAMED(name_) "while read -r line; do echo " name_ ": $line; done"
#define PLAIN        "direct\r\nline\r\n"

static void which_program(void **state)
{
    (void)state;
    shows(&(struct variables){.usual = NAMED("usual")}, "direct\r\nusual: line\r\n");
    shows(&(struct variables){.usual = NAMED("usual"), .term = "xterm"}, "direct\r\nusual: line\r\n");
    shows(&(struct variables){.usual = NAMED("usual"), .own = NAMED("own")}, "direct\r\nown: line\r\n");
    shows(&(struct variables){.usual = NAMED("usual"), .own = ""}, PLAIN);
    shows(&(struct variables){.usual = "cat"}, PLAIN);
    shows(&(struct variables){.usual = NAMED("usual"), .term = "dumb"}, PLAIN);
}

static void make_program(const char *name, const char *text)
{
    const char *path = files_write(name, text, strlen(text));

    assert_int_equal(chmod(path, 0755), 0);
}

/* If no variable names a pager it is less, or cat if less is missing. */
static void less_or_cat(void **state)
{
    struct variables variables = {.path = files_path("bin")};

    (void)state;
    make_program("bin/cat", "#!/bin/sh\n" NAMED("cat") "\n");
    shows(&variables, "direct\r\ncat: line\r\n");
    make_program("bin/less", "#!/bin/sh\n" NAMED("less") "\n");
    shows(&variables, "direct\r\nless: line\r\n");
}

static void options_of_less(void **state)
{
    (void)state;
    shows(&(struct variables){.own = NAMED("$LESS")}, "direct\r\nFRX: line\r\n");
    shows(&(struct variables){.own = NAMED("$LESS"), .less = "Q"}, "direct\r\nQ: line\r\n");
}

/* The pager has one end of the pipe, as its standard input alone: otherwise it could not end. */
static void ends_of_the_pipe(void **state)
{
    (void)state;
    shows(&(struct variables){.own = "ls -l /proc/self/fd | grep -cF \"$(readlink /proc/self/fd/0)\"; read -r line"},
          "direct\r\n1\r\n");
}

/* If a reader leaves the pager early, the program ends, although it has more to print than a pipe holds. */
static void a_pager_that_is_left(void **state)
{
    (void)state;
    ends(&(struct variables){.own = "read -r line", .more = 100000}, -SIGPIPE, "direct\r\n");
}

/* The program ends after the pager, even if the pager outlasts some signals. */
static void waits(void **state)
{
    char command[400];
    const char *path = files_path("paged");

    (void)state;
    snprintf(command, sizeof(command), "read -r line; sleep 0.2; echo done >%s", path);
    shows(&(struct variables){.own = command, .made = path}, "direct\r\n");
}

static void none_to_a_file(void **state)
{
    const char *path = files_path("file");
    char bytes[10];
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);

    (void)state;
    assert_int_equal(print_to(dup(file), &(struct variables){.own = "echo paged"}), NO_TERMINAL);
    assert_int_equal(read(file, bytes, sizeof(bytes)), 0);
    close(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(which_program),        cmocka_unit_test(less_or_cat), cmocka_unit_test(options_of_less),
        cmocka_unit_test(ends_of_the_pipe),     cmocka_unit_test(waits),       cmocka_unit_test(none_to_a_file),
        cmocka_unit_test(a_pager_that_is_left),
    };

    return cmocka_run_group_tests(tests, NULL, files_end);
}
