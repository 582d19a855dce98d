/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Copies pieces of a file into a few buffers in turn. If each page of a file is used once, copying it into memory that
 * the processor's caches hold takes less time than the page faults of a mapping.
 *
 * Nothing depends on a copy: where there is none, the caller reads the mapping. For one thread.
 */
#ifndef TOOLS_IBSPROF_WINDOWS_H
#define TOOLS_IBSPROF_WINDOWS_H

#include <stdint.h>

struct windows;

/* Makes 'count' buffers of 'size' bytes each. 'file': a descriptor, which stays the caller's; below 0: there will be no
 * copies. */
struct windows *windows_new(int file, unsigned count, uint32_t size);
void windows_free(struct windows *windows);

/* Copies the bytes from offset 'at' on, as many as a buffer has, up to offset 'end', in place of a copy that is not
 * held. Returns the first byte. Returns NULL if all are held, if the file cannot be read, or if copies were of no use
 * so far: more of them went unused than were held. */
const uint8_t *windows_read(struct windows *windows, uint64_t at, uint64_t end);

/* Returns the copy of the bytes from offset 'begin' up to 'end', which stays until windows_let(); NULL: none. */
const uint8_t *windows_hold(struct windows *windows, uint64_t begin, uint64_t end);

/* Lets go of a copy that windows_hold() returned; NULL: does nothing. */
void windows_let(struct windows *windows, const uint8_t *bytes);

#endif
