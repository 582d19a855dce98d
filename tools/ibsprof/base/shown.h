/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of paths for people: files that were taken out of an archive are where nobody put them. */
#ifndef TOOLS_IBSPROF_SHOWN_H
#define TOOLS_IBSPROF_SHOWN_H

/* The folder, and what is in it, is shown with this in its place: "/tmp/x/0" as "IBSRUNS.TAR", so that
 * "/tmp/x/0/0003-a" is "IBSRUNS.TAR:0003-a". */
void shown_add(const char *folder, const char *as);

/* Returns what to print for a path; the path itself when it is in no such folder. Stays until the program ends. */
const char *shown(const char *path);

/* Returns a text with every such folder as shown() prints it; to be freed. */
char *shown_text(const char *text);

/* A text with its control characters as "\\x1b", so that a name from elsewhere can neither steer a terminal nor end a
 * line. Stays until the program ends. */
const char *shown_plain(const char *text);

#endif
