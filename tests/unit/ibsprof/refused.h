/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls of the system that fail because a test says so: also where the tests run as root, whom no permission stops. */
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

/* The call after the next 'passed' ones of this kind fails with this errno, and changes nothing; later ones do what
 * they are for. */
void refuse(enum refused_call call, unsigned passed, int error);

#endif
