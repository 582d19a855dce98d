/* SPDX-License-Identifier: BSD-2-Clause */
/* Descriptor tables: of exceptions, which end all with one line, and a task state segment, which a program finds loaded
 * and loads again after its own. */
#ifndef BIOS_EXCEPTIONS_H
#define BIOS_EXCEPTIONS_H

void exceptions_prepare(void);

#endif
