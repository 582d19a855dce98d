/* SPDX-License-Identifier: BSD-2-Clause */
/* System calls that fail if a test asks for it, even for root, who has every permission. */
#ifndef TESTS_UNIT_IBSPROF_REFUSED_H
#define TESTS_UNIT_IBSPROF_REFUSED_H

enum refused_call {
    REFUSED_FSYNC,
    REFUSED_MKDIR,
    REFUSED_PIPE,
    REFUSED_RENAME,
    REFUSED_RMDIR,
    REFUSED_SYNCFS,
    REFUSED_TERMINAL,
    REFUSED_UNLINK,
    REFUSED_CALLS
};

/* Makes one call of this kind fail with this errno, without effect, after 'passed' normal ones; later ones are
 * normal. */
void refuse(enum refused_call call, unsigned passed, int error);

#endif
