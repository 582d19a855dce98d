/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of paths for users, to whom folders of unpacked archives mean nothing. */
#ifndef TOOLS_IBSPROF_SHOWN_H
#define TOOLS_IBSPROF_SHOWN_H

/* Displays a folder and its contents under another name: "/tmp/x/0" as "IBSRUNS.TAR", so "/tmp/x/0/0003-a" becomes
 * "IBSRUNS.TAR:0003-a". */
void shown_add(const char *folder, const char *as);

/* Returns the text to print for a path, or the path itself if it is in no such folder. The text stays valid. */
const char *shown(const char *path);

/* Returns a text with every such folder replaced; to be freed. */
char *shown_text(const char *text);

/* Returns a text with control characters as "\\x1b", so that foreign names can neither control a terminal nor end a
 * line. It stays valid. */
const char *shown_plain(const char *text);

#endif
