/* SPDX-License-Identifier: BSD-2-Clause */
/* The serial port of 'ibsprof receive': how it is set and restored, and what ends the reading. */
#include "tests/unit/test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "core/base/crc32c.h"
#include "core/run/transfer.h"
#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/tool.h"

#define NOTHING_OF_OURS                                                                                                \
    "ibsprof: no part of a run arrived: is output=serial set, and is the rate equal to serial_rate?\n"
#define RECEIVED(name_) "FILES/to/" name_ ": 1 of 1 files, 5 bytes\n"

static speed_t rate; /* the rate that the receiver must set */
static char first_file[300];

static int begin(void **state)
{
    rate = B115200;
    snprintf(first_file, sizeof(first_file), "%s", files_path("to/0001-a/run.ini"));
    files_remove_all();
    return 0;
}

/* Opens the machine's end of a line whose other end has other settings than a receiver needs. */
static int open_line(void)
{
    int line = posix_openpt(O_RDWR | O_NOCTTY);
    struct termios settings;

    assert_true(line >= 0 && grantpt(line) == 0 && unlockpt(line) == 0);
    assert_int_equal(tcgetattr(line, &settings), 0);
    settings.c_cflag = (settings.c_cflag & ~(tcflag_t)CLOCAL) | CSTOPB | CRTSCTS;
    assert_int_equal(tcsetattr(line, TCSANOW, &settings), 0);
    return line;
}

/* Waits until the receiver has set its end: raw, one stop bit, no control lines. */
static void wait_for_receiver(int line)
{
    struct termios settings;

    do {
        usleep(1000);
        tcgetattr(line, &settings);
    } while (cfgetispeed(&settings) != rate || cfgetospeed(&settings) != rate ||
             (settings.c_lflag & (ICANON | ECHO | ISIG)) || (settings.c_oflag & OPOST) ||
             (settings.c_cflag & (CSTOPB | CRTSCTS | CLOCAL)) != CLOCAL);
}

/* Waits until the receiver has written the first run, as it does at the end of a transmission. */
static void wait_for_file(void)
{
    while (access(first_file, F_OK) != 0)
        usleep(1000);
}

static void send_line(int line, const struct transfer_block *block)
{
    char text[TRANSFER_LINE_MAX + 2];
    size_t length = transfer_encode(block, text);

    text[length++] = '\n';
    if (write(line, text, length) != (ssize_t)length)
        _exit(1);
}

/* Sends a run of one file, with the line that ends a transmission or without. */
static void send_run(int line, uint32_t number, const char *folder, bool end)
{
    struct transfer_head head = {.files = 1, .name = "run.ini", .size = 5, .crc = crc32c(0, "12345", 5)};
    struct transfer_block block;

    strcpy(head.folder, folder);
    if (!transfer_head_write(&head, number, 0, &block))
        _exit(1);
    send_line(line, &block);
    send_line(line, &(struct transfer_block){number, 0, 0, 5, "12345"});
    if (end && transfer_head_write(&head, number, TRANSFER_END, &block))
        send_line(line, &block);
}

/* Receives what a machine, another process, sends to the other end of a line. */
static struct tool_result receive(void (*machine)(int line), const char *option)
{
    int line = open_line();
    struct termios before, after;
    struct tool_result got;
    pid_t child;

    memset(&before, 0, sizeof(before)); /* to compare padding, too */
    memset(&after, 0, sizeof(after));
    assert_int_equal(tcgetattr(line, &before), 0);
    child = fork();
    if (child == 0) {
        alarm(60);
        wait_for_receiver(line);
        machine(line);
        pause();
    }
    alarm(60);
    got = tool_run(&command_receive, "--to", files_path("to"), ptsname(line), option, NULL);
    alarm(0);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    assert_int_equal(tcgetattr(line, &after), 0);
    assert_memory_equal(&after, &before, sizeof(before)); /* the settings are restored */
    close(line);
    return got;
}

/* ---------------------------------------------------------------- rates */

static void one_run(int line)
{
    send_run(line, 1, "0001-a", true);
}

TEST_WITH(each_rate, begin, files_end)
{
    static const struct {
        const char *option;
        speed_t rate;
    } rows[] = {
        {NULL, B115200},          {"--rate=115200", B115200}, {"--rate=57600", B57600},
        {"--rate=38400", B38400}, {"--rate=19200", B19200},   {"--rate=9600", B9600},
    };

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        files_remove_all();
        rate = rows[i].rate;
        tool_expect(receive(one_run, rows[i].option), EXIT_DONE, RECEIVED("0001-a"), "");
    }
    assert_int_equal(tool_run(&command_receive, "--rate=4800", "x", NULL).status, EXIT_USAGE);
}

/* ---------------------------------------------------------------- ends */

static int ending; /* the signal that the machine sends to the receiver */

static void signals(int line)
{
    kill(getppid(), ending);
}

/* If the user interrupts, the process continues, and signals have their earlier effect again. */
TEST_WITH(ends_by_signals, begin, files_end)
{
    static const int each[] = {SIGINT, SIGTERM, SIGHUP};
    sigset_t set, now;

    sigemptyset(&set);
    for (unsigned i = 0; i < 3; i++)
        sigaddset(&set, each[i]);
    for (unsigned i = 0; i < 3; i++) {
        ending = each[i];
        sigprocmask(SIG_BLOCK, &set, NULL); /* a signal that comes too early does not end the test */
        tool_expect(receive(signals, NULL), EXIT_INPUT, "", NOTHING_OF_OURS);
        sigprocmask(SIG_SETMASK, NULL, &now);
        for (unsigned s = 0; s < 3; s++)
            assert_false(sigismember(&now, each[s]));
    }
}

static void noted(int number)
{
}

static void disturbs(int line)
{
    for (unsigned i = 0; i < 10; i++) {
        kill(getppid(), SIGUSR1);
        usleep(2000);
    }
    send_run(line, 1, "0001-a", true);
}

TEST_WITH(goes_on_after_other_signals, begin, files_end)
{
    const struct sigaction action = {.sa_handler = noted}; /* interrupts system calls */
    struct sigaction before;

    assert_int_equal(sigaction(SIGUSR1, &action, &before), 0);
    tool_expect(receive(disturbs, NULL), EXIT_DONE, RECEIVED("0001-a"), "");
    sigaction(SIGUSR1, &before, NULL);
}

static void two_runs(int line)
{
    send_run(line, 1, "0001-a", true);
    wait_for_file();
    send_run(line, 2, "0002-b", true);
}

/* With --wait only silence ends the reading, otherwise the end of the first transmission does. */
TEST_WITH(waits_for_silence, begin, files_end)
{
    struct timespec from, to;

    clock_gettime(CLOCK_MONOTONIC, &from);
    tool_expect(receive(two_runs, "--wait=2"), EXIT_DONE, RECEIVED("0001-a") RECEIVED("0002-b"), "");
    clock_gettime(CLOCK_MONOTONIC, &to);
    assert_true((double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) / 1e9 >= 2.0);
    files_remove_all();
    expect_text(receive(two_runs, NULL).out, RECEIVED("0001-a"));
}

/* ---------------------------------------------------------------- the other end goes */

/* Plays a machine that has the line alone, writes its name, sends a run, and goes away. */
static void goes(int tell)
{
    int line = open_line();
    const char *name = ptsname(line);

    alarm(60);
    if (write(tell, name, strlen(name) + 1) < 0)
        _exit(1);
    wait_for_receiver(line);
    send_run(line, 1, "0001-a", true);
    wait_for_file();
    _exit(0);
}

TEST_WITH(the_line_is_gone, begin, files_end)
{
    char name[100] = "";
    int told[2];
    pid_t child;

    assert_int_equal(pipe(told), 0);
    child = fork();
    if (child == 0)
        goes(told[1]);
    assert_true(read(told[0], name, sizeof(name)) > 0);
    alarm(60); /* before that time of silence has passed */
    tool_expect(tool_run(&command_receive, "--wait=1000", "--to", files_path("to"), name, NULL), EXIT_DONE,
                RECEIVED("0001-a"), "");
    alarm(0);
    waitpid(child, NULL, 0);
    close(told[0]);
    close(told[1]);
}

/* A pipe ends when its writers are gone, and the receiver waits for no writer before that. */
TEST_WITH(a_pipe_on_standard_input, begin, files_end)
{
    int before = dup(STDIN_FILENO), ends[2];
    struct tool_result got;

    assert_int_equal(pipe(ends), 0);
    send_run(ends[1], 1, "0001-a", false);
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    got = tool_run(&command_receive, "--to", files_path("to"), "-", NULL);
    dup2(before, STDIN_FILENO);
    close(before);
    tool_expect(got, EXIT_DONE, RECEIVED("0001-a"), "");
}

RUN_TESTS(NULL, NULL)
