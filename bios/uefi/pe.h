/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Programs: PE32+ files for x86-64 (Microsoft PE format specification). They are loaded at the address that they name
 * if it is free, otherwise anywhere. They relocate themselves, as gnu-efi's start code does; a file with relocations
 * is refused.
 */
#ifndef BIOS_PE_H
#define BIOS_PE_H

#include <stddef.h>
#include <stdint.h>

enum pe_error {
    PE_OK = 0,
    PE_NOT_PE,     /* not a PE32+ file, or not for this processor */
    PE_DAMAGED,    /* its header points beyond the file */
    PE_RELOCATION, /* it has relocations */
};

/* Returns one line without a full stop. */
const char *pe_error_text(enum pe_error error);

struct pe {
    uint64_t place; /* preferred address (ImageBase of the header); 0: any */
    uint32_t size;  /* bytes in memory; at most 256 MB */
    uint32_t entry; /* offset in memory */
    uint16_t subsystem;
};

enum { PE_RUNTIME_DRIVER = 12 }; /* of 'subsystem' */

/* Verifies the whole file. An error leaves *ret_pe unchanged. */
enum pe_error pe_read(const void *file, size_t size, struct pe *ret_pe);

/* Copies a file that pe_read() accepted into memory of size pe->size. */
void pe_copy(const void *file, const struct pe *pe, void *memory);

#endif
