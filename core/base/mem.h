/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The memory functions that the compiler may call for struct copies and loops. In the image they are core/base/mem.c,
 * on the host libc's: <string.h> is not a freestanding header, so the prototypes are here.
 */
#ifndef CORE_MEM_H
#define CORE_MEM_H

#include <stddef.h>

void *memcpy(void *to, const void *from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int byte, size_t size);
int memcmp(const void *a, const void *b, size_t size);
size_t strlen(const char *text);

#endif
