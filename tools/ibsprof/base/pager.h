/* SPDX-License-Identifier: BSD-2-Clause */
/* A pager between standard output and the terminal, as git has it. */
#ifndef TOOLS_IBSPROF_PAGER_H
#define TOOLS_IBSPROF_PAGER_H

/* Starts $IBSPROF_PAGER, else $PAGER, else less, where standard output is a terminal, and sends standard output through
 * it until the program ends, which waits for it. Starts none where the variable is empty or "cat", or where TERM is
 * "dumb". LESS is FRX unless it is set: what fits on the screen ends at once, colours pass, the text stays on the
 * screen. */
void pager_begin(void);

/* Returns the descriptor of the terminal that standard output is or was before the pager took it; -1: it is none. */
int pager_terminal(void);

#endif
