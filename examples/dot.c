/* SPDX-License-Identifier: BSD-2-Clause */
/* The dot product of two vectors of whole numbers. */
#include "ibsboot.h"

IBSBOOT_CODE(.name = "dot", .title = "dot product of two vectors", .unit = "elements", .arena = 8, .unit_ops = 8,
             .parameter = {{"passes", "how often", 1, 1000000, 100, .multiplies = 1},
                           {"n", "elements of each vector", 1, 1 << 24, 4000, .arena_each = 8, .multiplies = 1}});

void run(void *arena, const uint32_t *p)
{
    uint64_t *sum = arena;
    const uint32_t *a = (uint32_t *)(sum + 1), *b = a + p[1];

    for (uint32_t pass = 0; pass < p[0]; pass++)
        for (uint32_t i = 0; i < p[1]; i++)
            *sum += (uint64_t)a[i] * b[i];
}

void prepare(void *arena, const uint32_t *p)
{
    uint32_t *vectors = (uint32_t *)((uint64_t *)arena + 1);

    *(uint64_t *)arena = 0;
    for (uint32_t i = 0; i < 2 * p[1]; i++)
        vectors[i] = i % 1000;
}

bool check(const void *arena, const uint32_t *p, struct ibsboot_check *result)
{
    result->expected = 0;
    for (uint32_t i = 0; i < p[1]; i++)
        result->expected += (uint64_t)(i % 1000) * ((i + p[1]) % 1000);
    result->expected *= p[0];
    result->got = *(const uint64_t *)arena;
    return result->got == result->expected;
}
