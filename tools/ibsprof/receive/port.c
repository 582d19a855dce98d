/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/receive/port.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/terminal.h"

const char *const port_rates[] = {"115200", "57600", "38400", "19200", "9600", NULL};
static const speed_t speeds[] = {B115200, B57600, B38400, B19200, B9600};

static volatile sig_atomic_t enough;

static void on_signal(int signal)
{
    (void)signal;
    enough = 1;
}

bool port_open(struct port *port, const char *path, int rate)
{
    const struct sigaction action = {.sa_handler = on_signal};
    struct termios before, settings;

    enough = 0;
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
    /* Bytes that have arrived by then are kept. */
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    return true;
}

long port_read(struct port *port, char *bytes, size_t size, double seconds)
{
    struct pollfd wait = {.fd = port->fd, .events = POLLIN};

    while (!enough) {
        int ready = poll(&wait, 1, seconds > 0 ? (int)(seconds * 1000) : -1);
        ssize_t got = ready > 0 ? read(port->fd, bytes, size) : -1;

        if (ready == 0)
            return 0;
        if (got >= 0)
            return got;
        /* A pseudo-terminal whose other end was closed: what a pipe's end is. */
        if (errno == EIO && port->terminal)
            return 0;
        if (errno != EINTR && errno != EAGAIN) {
            complain("reading: %s", strerror(errno));
            return -1;
        }
    }
    return 0;
}

void port_close(struct port *port)
{
    if (port->terminal)
        (void)tcsetattr(port->fd, TCSANOW, port->before); /* it may be gone */
    free(port->before);
    close(port->fd);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
}
