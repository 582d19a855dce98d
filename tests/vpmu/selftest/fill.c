/* SPDX-License-Identifier: BSD-2-Clause */
/* REP STOSB, which the plugin does for QEMU (vpmu/plugin/rep.c). */
#include "tests/vpmu/selftest/selftest.h"

enum { PAGE = 4096, PAGES = 4, FROM = 100, UP_TO = 3 * PAGE + 7, RET = 0xc3, OLD = 3, ONE = 1 };

static uint8_t memory[PAGES * PAGE] __attribute__((aligned(PAGE)));

static uint8_t *stosb(uint8_t *to, uint8_t value, uint64_t count)
{
    __asm__ volatile("rep stosb" : "+D"(to), "+c"(count) : "a"(value) : "memory");
    return count ? (void *)0 : to;
}

static uint64_t wrong_bytes(uint8_t value)
{
    uint64_t wrong = 0;
    for (unsigned i = 0; i < sizeof memory; i++)
        wrong += memory[i] != (i >= FROM && i < UP_TO ? value : OLD);
    return wrong;
}

/* Adds 1 to its argument, once for each of two instructions. */
static uint64_t call(const uint8_t *code)
{
    uint64_t sum = 0;
    __asm__ volatile("call *%1" : "+a"(sum) : "r"(code) : "memory", "cc");
    return sum;
}

/* Memory of this program can be executed: its sections are one segment of the firmware's. */
void fill_check(void)
{
    static const uint8_t add[] = {0x48, 0x83, 0xc0, ONE, 0x48, 0x83, 0xc0, ONE, RET};
    uint8_t *code = memory + PAGE + 40;
    (void)stosb(memory, OLD, sizeof memory);
    uint8_t *end = stosb(memory + FROM, 0x77, UP_TO - FROM);
    selftest_check(end == memory + UP_TO, "REP STOSB ends where it should", (uint64_t)(end - memory));
    selftest_check(wrong_bytes(0x77) == 0, "and has written all its bytes, and no others", wrong_bytes(0x77));

    for (unsigned i = 0; i < sizeof add; i++)
        code[i] = add[i];
    uint64_t before = call(code);
    selftest_check(before == 2 * ONE, "code is executed", before);
    (void)stosb(memory + FROM, RET, UP_TO - FROM);
    selftest_check(call(code) == 0, "what was filled is executed, not the code that was there", call(code));
}
