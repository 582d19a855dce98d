/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The files of a run over the first serial port, as lines for 'ibsprof receive' (core/run/transfer.h). Nothing answers:
 * what arrived damaged is asked for again by who reads it, by file and block.
 */
#ifndef APP_SEND_H
#define APP_SEND_H

#include "app/run/run.h"
#include "app/base/sinks.h"

/* Sends all files, or those of 'what': names with blanks between, each with blocks or without,
 * "perf.data:12,40-47 run.ini". The run is as it was measured, with run->options; 'number' names it where it has no
 * folder. Says on the console what is sent and how long each file takes. False, after a line, when not all of it
 * went: no port, a port that takes no bytes, Esc, a name that is none. */
bool send_run(struct console *console, struct run *run, const char *what, unsigned number);

#endif
