/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A library's hot loop: XXH64 of Debian's package libxxhash-dev, whose header has the code. Where the package is not
 * installed: 'apt-get download libxxhash-dev && dpkg -x libxxhash-dev*.deb there', and make with
 * CFLAGS='-O2 -g -Ithere/usr/include'.
 */
#include "ibsboot.h"

/* There is no libc: the copies of few bytes become instructions. */
#include <string.h>
#define memcpy(to, from, size) __builtin_memcpy(to, from, size)
#define XXH_INLINE_ALL
#define XXH_NO_XXH3
#include <xxhash.h>

IBSBOOT_CODE(.name = "xxhash", .title = "XXH64 of a buffer (libxxhash)", .unit = "KB", .arena = 64, .unit_ops = 600,
             .parameter = {{"passes", "how often", 1, 1000000, 100, .multiplies = 1},
                           {"kb", "size of the buffer", 1, 1 << 20, 64, .arena_each = 1024, .multiplies = 1}});

enum { HEAD = 64 /* bytes of the arena before the buffer */ };

void run(void *arena, const uint32_t *p)
{
    uint64_t *hash = arena;

    *hash = 0;
    for (uint32_t pass = 0; pass < p[0]; pass++)
        *hash = XXH64((const char *)arena + HEAD, (size_t)p[1] * 1024, *hash);
}

void prepare(void *arena, const uint32_t *p)
{
    uint64_t *words = (uint64_t *)((char *)arena + HEAD), x = 88172645463325252u; /* Marsaglia's xorshift */

    for (uint32_t i = 0; i < p[1] * 128; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        words[i] = x;
    }
}
