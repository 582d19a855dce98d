/* SPDX-License-Identifier: BSD-2-Clause */
/* Threads and core complexes, computed from the words that processors printed. */

#include "tests/unit/test.h"
#include "core/platform/topology.h"

/* The words are from dumps of CPUID: FX (Family 15h), Ryzen 7 of Zen, Zen 2 with three cores in each complex, EPYC 7713
 * (Zen 3). The third id belongs to another core than the first, and the last two to another complex. */
TEST(dumps)
{
    static const struct {
        struct topology_words words;
        struct topology expected;
        uint32_t id, sibling, other, complex, next;
    } rows[] = {
        {{.l3_eax = 0x0001C163, .core_ebx = 0x100}, {1, 3, 2, 8}, 0, 1, 2, 0, 8},
        {{1, 2, 0x0001C163, 0x100}, {1, 3, 2, 8}, 0xE, 0xF, 0xC, 1, 7},
        {{1, 2, 0x00014163, 0x100}, {1, 3, 2, 6}, 0x11, 0x10, 0x13, 2, 0x18},
        {{1, 2, 0x0003C163, 0x100}, {1, 4, 2, 16}, 0x1F, 0x1E, 0x1D, 1, 0x20},
        {{0, 1, 0x0001C163, 0}, {0, 3, 1, 8}, 5, 5, 4, 0, 8},     /* the firmware has turned threads off */
        {{0, 1, 0x0001C163, 0x100}, {0, 3, 1, 8}, 5, 5, 4, 0, 8}, /* leaf 0Bh decides */
        {{.l3_eax = 0}, {0, 0, 1, 0}, 5, 5, 4, 5, 6},             /* Family 10h */
        {{1, 2, 0x00004143, 0x100}, {1, 0, 2, 0}, 4, 5, 6, 4, 5}, /* cores that share an L2 are no complex */
        {{0xFFFFFFE1, 0xFFFF0002, 0xFC03C163, 0x100}, {1, 4, 2, 16}, 0, 1, 2, 0, 16}, /* the other bits do not matter */
    };

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct topology got = topology_of(&rows[i].words);

        assert_memory_equal(&got, &rows[i].expected, sizeof(got));
        assert_int_equal(topology_core(&got, rows[i].sibling), topology_core(&got, rows[i].id));
        assert_int_not_equal(topology_core(&got, rows[i].other), topology_core(&got, rows[i].id));
        assert_int_equal(topology_complex(&got, rows[i].id), rows[i].complex);
        assert_int_not_equal(topology_complex(&got, rows[i].next), rows[i].complex);
    }
}

RUN_TESTS(NULL, NULL)
