/* SPDX-License-Identifier: BSD-2-Clause */
/* Shows standard output in a pager, as git does. */
#ifndef TOOLS_IBSPROF_PAGER_H
#define TOOLS_IBSPROF_PAGER_H

/* Starts $IBSPROF_PAGER, else $PAGER, else less, if standard output is a terminal; the program then waits for the pager
 * at its end. Starts none if the variable is empty or "cat", or TERM is "dumb". Sets LESS to FRX unless it is set: less
 * then ends at once if the text fits, passes colours, and leaves the text on the screen. */
void pager_begin(void);

/* Returns the descriptor of the terminal that standard output is, or was before the pager; -1: none. */
int pager_terminal(void);

#endif
