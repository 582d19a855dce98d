/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Programs: PE32+ files for x86-64 (Microsoft PE format specification). They are loaded anywhere, if they can at the
 * place that they name; relocation is left to them, as gnu-efi's start code does it, so a file that has relocations of
 * its own is refused.
 */
#ifndef BIOS_PE_H
#define BIOS_PE_H

#include <stddef.h>
#include <stdint.h>

enum pe_error {
    PE_OK = 0,
    PE_NOT_PE,     /* not such a file, or not for this processor */
    PE_DAMAGED,    /* it names bytes that it does not have */
    PE_RELOCATION, /* it has relocations */
};

/* One line, no full stop. */
const char *pe_error_text(enum pe_error error);

struct pe {
    uint64_t place; /* where it would like to be (ImageBase of its header); 0: anywhere */
    uint32_t size;  /* of the program in memory, bytes; at most 256 MB */
    uint32_t entry; /* offset in memory */
    uint16_t subsystem;
};

enum { PE_RUNTIME_DRIVER = 12 }; /* of the subsystem */

/* Verifies the whole file. The result is untouched by an error. */
enum pe_error pe_read(const void *file, size_t size, struct pe *ret_pe);

/* Copies a file that pe_read() found in order to memory of its size. */
void pe_copy(const void *file, const struct pe *pe, void *memory);

#endif
