/* SPDX-License-Identifier: BSD-2-Clause */
/* REP STOSB a page at a time (vpmu/plugin/rep.c), with the test in the place of QEMU, which does an iteration and asks
 * again. */
#include <string.h>

#include "tests/unit/test.h"
#include "vpmu/plugin/rep.h"

enum { PAGE = 4096, FIRST = 1 << 20, PAGES = 8, RIP = 0x1234, RAX = 0, RCX = 1, RDI = 7, VALUE = 0x5aa5 };

static uint8_t memory[PAGES * PAGE];
static uint64_t missing; /* the page that faults */
static unsigned written; /* number of calls that wrote */
static bool refuses;
static struct rep rep;

static qemu_cpu *get_cpu(int index)
{
    assert_int_equal(index, 3);
    return memory;
}

static void *map(uint64_t physical, uint64_t *length, bool write)
{
    assert_true(write && physical == FIRST);
    *length = sizeof memory;
    return memory;
}

static void unmap(void *host, uint64_t length, bool write, uint64_t used)
{
    assert_true(host == memory && length == sizeof memory && !write && !used);
}

static int write_memory(qemu_cpu *cpu, uint64_t address, void *bytes, size_t count, bool write)
{
    assert_true(cpu == memory && write);
    assert_true(address >= FIRST && address + count <= FIRST + sizeof memory);
    assert_true(address / PAGE == (address + count - 1) / PAGE);
    assert_true(address / PAGE * PAGE != missing);
    written++;
    if (!refuses)
        memcpy(memory + address - FIRST, bytes, count);
    return refuses ? -1 : 0;
}

static const struct qemu_calls qemu = {.get_cpu = get_cpu, .map = map, .unmap = unmap, .memory = write_memory};

/* Returns how many iterations QEMU did, up to a fault, after which RCX is not 0. */
static unsigned run(uint64_t env[], uint64_t at, uint64_t count, int step)
{
    unsigned iterations = 0;

    env[RAX] = VALUE;
    env[RCX] = count;
    env[RDI] = at;
    for (;;) {
        rep_fill(&rep, &qemu, 3, RIP, env);
        if (!env[RCX] || env[RDI] / PAGE * PAGE == missing)
            return iterations;
        if (env[RDI] >= FIRST && env[RDI] < FIRST + sizeof memory)
            memory[env[RDI] - FIRST] = (uint8_t)env[RAX];
        env[RDI] += (uint64_t)step;
        env[RCX]--;
        iterations++;
    }
}

static uint64_t *fresh(unsigned hflags)
{
    static uint64_t env[32];

    memset(env, 0, sizeof env);
    memset(memory, 1, sizeof memory);
    ((uint32_t *)env)[QEMU_ENV_HFLAGS] = hflags;
    missing = 0;
    written = 0;
    refuses = false;
    return env;
}

static void check_filled(uint64_t begin, uint64_t end)
{
    for (uint64_t at = FIRST; at < FIRST + sizeof memory; at++)
        assert_int_equal(memory[at - FIRST], at >= begin && at < end ? VALUE & 0xff : 1);
}

TEST(test_a_page_takes_one_iteration)
{
    static const struct {
        uint64_t at, count;
        unsigned iterations;
    } rows[] = {{FIRST, 1, 1},
                {FIRST, 2, 1},
                {FIRST, PAGE, 1},
                {FIRST, PAGE + 1, 2},
                {FIRST + 100, 3 * PAGE, 4},
                {FIRST + PAGE - 1, 2 * PAGE, 3},
                {FIRST + PAGE - 2, 2, 1},
                {FIRST, PAGES * PAGE, PAGES}};
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t *env = fresh(QEMU_HFLAGS_LONG_MODE);

        assert_int_equal(run(env, rows[i].at, rows[i].count, 1), rows[i].iterations);
        assert_int_equal(env[RCX], 0);
        assert_int_equal(env[RDI], rows[i].at + rows[i].count);
        check_filled(rows[i].at, rows[i].at + rows[i].count);
    }
}

/* QEMU raises the fault at the page's first byte. */
TEST(test_a_page_that_is_missing)
{
    uint64_t *env = fresh(QEMU_HFLAGS_LONG_MODE);

    missing = FIRST + 2 * PAGE;
    assert_int_equal(run(env, FIRST + 10, 4 * PAGE, 1), 2);
    assert_int_equal(env[RDI], missing);
    assert_int_equal(env[RCX], 2 * PAGE + 10);
    check_filled(FIRST + 10, missing);
}

TEST(test_what_qemu_does_alone)
{
    uint64_t *env = fresh(QEMU_HFLAGS_LONG_MODE & ~(1 << 14)); /* without long mode segments may begin anywhere */

    assert_int_equal(run(env, FIRST, 300, 1), 300);
    env = fresh(QEMU_HFLAGS_LONG_MODE);
    assert_int_equal(run(env, FIRST + 400, 300, -1), 300); /* RFLAGS.DF */
    assert_int_equal(run(env, FIRST - 2 * PAGE, 300, 1), 300);
    assert_int_equal(run(env, FIRST + sizeof memory, 300, 1), 300); /* the memory of a device */
    assert_int_equal(written, 0);
    refuses = true;
    assert_int_equal(run(env, FIRST, 300, 1), 300);
    check_filled(FIRST, FIRST + 401);
}

/* Equal registers at another place, or on another core, do not belong to the next iteration. */
TEST(test_another_instruction)
{
    uint64_t *env = fresh(QEMU_HFLAGS_LONG_MODE), other[32];

    env[RCX] = 300;
    env[RDI] = FIRST;
    rep_fill(&rep, &qemu, 3, RIP, env);
    env[RCX]--;
    env[RDI]++;
    memcpy(other, env, sizeof other);
    rep_fill(&rep, &qemu, 3, RIP, other);
    rep_fill(&rep, &qemu, 3, RIP, env);
    rep_fill(&rep, &qemu, 3, RIP + 1, env);
    assert_int_equal(written, 0);
}

TEST(test_the_instruction)
{
    assert_true(rep_is_fill((const uint8_t *)"\xf3\xaa", 2));
    assert_false(rep_is_fill((const uint8_t *)"\xf3\xab", 2));
    assert_false(rep_is_fill((const uint8_t *)"\xf2\xaa", 2));
    assert_false(rep_is_fill((const uint8_t *)"\x67\xf3\xaa", 3)); /* EDI and ECX */
    assert_true(rep_is((const uint8_t *)"\x67\xf3\xaa", 3));
    assert_true(rep_is((const uint8_t *)"\xf3\x48\xa5", 3));
    assert_true(rep_is((const uint8_t *)"\xf2\xae", 2));
    assert_false(rep_is((const uint8_t *)"\xf3\x90", 2)); /* PAUSE */
    assert_false(rep_is((const uint8_t *)"\x48\xa5", 2));
}

RUN_TESTS(NULL, NULL)
