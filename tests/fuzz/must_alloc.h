/* must_alloc and must_grow (tools/ibsprof/elf_file.h) for fuzzers: elf_file.c needs libelf. */
#ifndef TESTS_FUZZ_MUST_ALLOC_H
#define TESTS_FUZZ_MUST_ALLOC_H

#include <stdlib.h>

#include "tools/ibsprof/elf_file.h"

void *must_alloc(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);

    return memory ? memory : (abort(), NULL);
}

void *must_grow(void *memory, size_t count, size_t size)
{
    memory = realloc(memory, (count ? count : 1) * size);
    return memory ? memory : (abort(), NULL);
}

#endif
