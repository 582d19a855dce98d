/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "tools/workloads/twin.h"

enum { ACKNOWLEDGEMENT_MS = 10000 };

/* Non-blocking at first: without perf at the other end, opening a FIFO would never return. */
static int open_fifo(const char *path, int how)
{
    int fd = open(path, how | O_NONBLOCK | O_CLOEXEC);

    if (fd < 0)
        complain("%s: %s", path, errno == ENXIO ? "perf does not listen there" : strerror(errno));
    else
        (void)fcntl(fd, F_SETFL, how);
    return fd;
}

bool perf_control_open(struct perf_control *control, const char *paths)
{
    char path[TWIN_CONTROL_MAX + 1];
    const char *comma = strchr(paths, ',');

    *control = (struct perf_control){-1, -1};
    if (!paths[0])
        return true;
    snprintf(path, sizeof(path), "%.*s", comma ? (int)(comma - paths) : (int)strlen(paths), paths);
    signal(SIGPIPE, SIG_IGN);
    control->commands = open_fifo(path, O_WRONLY);
    if (control->commands < 0)
        return false;
    if (comma)
        control->acknowledgements = open_fifo(comma + 1, O_RDONLY);
    return !comma || control->acknowledgements >= 0;
}

/* perf answers "ack\n" with its final NUL (tools/perf/util/evlist.c). */
static bool acknowledged(int fd)
{
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    char answer[16];

    if (poll(&ready, 1, ACKNOWLEDGEMENT_MS) != 1)
        return false;
    return read(fd, answer, sizeof(answer)) >= 4 && memcmp(answer, "ack\n", 4) == 0;
}

bool perf_control_send(const struct perf_control *control, const char *command)
{
    char line[16];
    int length = snprintf(line, sizeof(line), "%s\n", command);

    if (control->commands < 0)
        return true;
    if (write(control->commands, line, (size_t)length) != length) {
        complain("perf cannot be told to %s: %s", command, strerror(errno));
        return false;
    }
    if (control->acknowledgements >= 0 && !acknowledged(control->acknowledgements)) {
        complain("perf was told to %s and did not acknowledge it", command);
        return false;
    }
    return true;
}

void perf_control_close(struct perf_control *control)
{
    if (control->commands >= 0)
        close(control->commands);
    if (control->acknowledgements >= 0)
        close(control->acknowledgements);
    *control = (struct perf_control){-1, -1};
}

void wait_for_go(void)
{
    struct pollfd go[] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.events = POLLIN}};
    sigset_t usr1;
    char line[200];

    /* Blocked, a signal that comes before the wait is not lost. */
    sigemptyset(&usr1);
    sigaddset(&usr1, SIGUSR1);
    sigprocmask(SIG_BLOCK, &usr1, NULL);
    go[1].fd = signalfd(-1, &usr1, SFD_CLOEXEC);
    fprintf(stderr, "ibsboot-workloads: process %d is ready; Enter or 'kill -USR1 %d' starts it\n", (int)getpid(),
            (int)getpid());
    while (poll(go, 2, -1) < 1)
        ;
    if (go[0].revents)
        (void)!read(STDIN_FILENO, line, sizeof(line));
    (void)close(go[1].fd);
}
