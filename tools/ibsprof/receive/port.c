/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/receive/port.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <unistd.h>

#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/terminal.h"

const char *const port_rates[] = {"115200", "57600", "38400", "19200", "9600", NULL};
static const speed_t speeds[] = {B115200, B57600, B38400, B19200, B9600};

/* Returns the signals by which the user ends the reading. */
static sigset_t ending(void)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP);
    return set;
}

bool port_open(struct port *port, const char *path, int rate)
{
    const sigset_t signals = ending();
    struct termios before, settings;

    *port = (struct port){.fd = strcmp(path, "-") == 0 ? dup(0) : open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK)};
    if (port->fd < 0) {
        complain("%s: %s", path, strerror(errno));
        return false;
    }
    port->terminal = tcgetattr(port->fd, &before) == 0;
    if (port->terminal) {
        settings = before;
        cfmakeraw(&settings);
        settings.c_cflag = (settings.c_cflag & ~(tcflag_t)(CSTOPB | CRTSCTS)) | CLOCAL | CREAD;
        cfsetspeed(&settings, speeds[rate]);
        if (tcsetattr(port->fd, TCSANOW, &settings) != 0) {
            complain("%s: cannot be set to %s baud: %s", path, port_rates[rate], strerror(errno));
            close(port->fd);
            return false;
        }
        port->before = must_alloc(1, sizeof(before));
        memcpy(port->before, &before, sizeof(before));
    }
    /* Keeps what has arrived before a signal. */
    sigprocmask(SIG_BLOCK, &signals, NULL);
    port->signals = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
    return true;
}

long port_read(struct port *port, char *bytes, size_t size, double seconds)
{
    struct pollfd wait[] = {{.fd = port->fd, .events = POLLIN}, {.fd = port->signals, .events = POLLIN}};

    for (;;) {
        int ready = poll(wait, 2, seconds > 0 ? (int)(seconds * 1000) : -1);
        ssize_t got;

        if (ready == 0 || wait[1].revents)
            return 0;
        got = ready > 0 ? read(port->fd, bytes, size) : -1;
        if (got >= 0)
            return got;
        /* The other end of a pseudo-terminal was closed, as at the end of a pipe. */
        if (errno == EIO && port->terminal)
            return 0;
        if (errno != EINTR && errno != EAGAIN) {
            complain("reading: %s", strerror(errno));
            return -1;
        }
    }
}

void port_close(struct port *port)
{
    const sigset_t signals = ending();
    struct signalfd_siginfo signal;

    if (port->terminal)
        (void)tcsetattr(port->fd, TCSANOW, port->before); /* it may be gone */
    free(port->before);
    close(port->fd);
    while (read(port->signals, &signal, sizeof(signal)) > 0) /* signals that ended the reading */
        ;
    close(port->signals);
    sigprocmask(SIG_UNBLOCK, &signals, NULL);
}
