/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sends the files of a run over the first serial port, as lines for 'ibsprof receive' (core/run/transfer.h). The
 * receiver does not answer: its user asks again for damaged files and blocks.
 */
#ifndef APP_SEND_H
#define APP_SEND_H

#include "app/run/run.h"
#include "app/base/sinks.h"

/* Sends all files, or those of 'what': names separated by blanks, each with blocks or without, "perf.data:12,40-47
 * run.ini". The run is as it was measured, with run->options; 'number' names it if it has no folder. Prints what is
 * sent and how long each file takes. Returns false after a line if something was not sent: no port, a port that takes
 * no bytes, Esc, an unknown name. */
bool send_run(struct console *console, struct run *run, const char *what, unsigned number);

#endif
