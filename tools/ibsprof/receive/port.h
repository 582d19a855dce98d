/* SPDX-License-Identifier: BSD-2-Clause */
/* A serial port, a pipe or a file, read until it ends, a time has passed, or the user has had enough. */
#ifndef TOOLS_IBSPROF_PORT_H
#define TOOLS_IBSPROF_PORT_H

#include <stdbool.h>
#include <stddef.h>

/* Baud, in the order of the option --rate. */
extern const char *const port_rates[];

struct port {
    int fd;
    int signals; /* a descriptor for them, while they end no process */
    bool terminal;
    void *before; /* its settings; given back by port_close */
};

/* Opens it ("-": standard input); a terminal is set to this rate, 8 bits, no parity, nothing changed. False after a
 * line. */
bool port_open(struct port *port, const char *path, int rate);

/* Up to 'size' bytes, waiting 'seconds' at most (0: for ever). 0: the end, the time is over, or Ctrl-C; -1 after a
 * line.
 */
long port_read(struct port *port, char *bytes, size_t size, double seconds);
void port_close(struct port *port);

#endif
