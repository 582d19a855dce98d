/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads a serial port, a pipe or a file until it ends, a time has passed, or the user stops it. */
#ifndef TOOLS_IBSPROF_PORT_H
#define TOOLS_IBSPROF_PORT_H

#include <stdbool.h>
#include <stddef.h>

/* Baud rates, in the order of the option --rate. */
extern const char *const port_rates[];

struct port {
    int fd;
    int signals; /* descriptor that receives signals, which then do not end the process */
    bool terminal;
    void *before; /* earlier settings, which port_close() restores */
};

/* Opens a port ("-": standard input); sets a terminal to this rate, 8 bits, no parity, raw. Returns false after a
 * line. */
bool port_open(struct port *port, const char *path, int rate);

/* Reads up to 'size' bytes, after at most 'seconds' (0: unlimited). Returns 0 at the end, after that time, or after
 * Ctrl-C; -1 after a line. */
long port_read(struct port *port, char *bytes, size_t size, double seconds);
void port_close(struct port *port);

#endif
