/* SPDX-License-Identifier: BSD-2-Clause */
/* Files and blocks that are asked for. */
#include <stdlib.h>
#include <string.h>

#include "app/save/send_wanted.h"
#include "tests/unit/app/fixture.h"

TEST(ranges)
{
    static const struct run_file files[] = {{.name = "a"}, {.name = "bc"}};
    static const char *const ends[] = {"a:", "a:1,", "a:1-", "a:-", "a:,", ":", "bc:"};
    struct send_wanted wanted;
    char many[400] = "a:0", screen[400];
    struct out_memory out;

    out_memory_init(&out, screen, sizeof(screen));
    assert_true(send_wanted_read(&wanted, "  ", files, 2, &out.out));
    assert_true(send_wants_file(&wanted, "a") && send_wants_block(&wanted, "bc", 0xFFFFFF));
    assert_int_equal(send_wanted_blocks(&wanted, "a", 17), 17);
    assert_true(send_wanted_read(&wanted, " a:3,5-7 bc ", files, 2, &out.out));
    assert_true(send_wants_block(&wanted, "a", 3) && send_wants_block(&wanted, "a", 5));
    assert_true(send_wants_block(&wanted, "a", 7) && send_wants_block(&wanted, "bc", 1000));
    assert_false(send_wants_block(&wanted, "a", 4) || send_wants_block(&wanted, "a", 8));
    assert_int_equal(send_wanted_blocks(&wanted, "a", 7), 3);
    assert_false(send_wants_file(&wanted, "d"));
    for (unsigned i = 1; i < SEND_RANGES; i++)
        strcat(many, ",0");
    assert_true(send_wanted_read(&wanted, many, files, 2, &out.out));
    strcat(many, ",0");
    assert_int_equal(out.needed, 0);
    assert_false(send_wanted_read(&wanted, many, files, 2, &out.out));
    assert_false(send_wanted_read(&wanted, "a:", files, 2, &out.out));
    assert_false(send_wanted_read(&wanted, "a:1-", files, 2, &out.out));
    assert_false(send_wanted_read(&wanted, "a:4294967296", files, 2, &out.out));
    assert_false(send_wanted_read(&wanted, "b", files, 2, &out.out));
    for (unsigned i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) { /* bytes after the text's end are not read */
        char *exact = strdup(ends[i]);

        assert_false(send_wanted_read(&wanted, exact, files, 2, &out.out));
        free(exact);
    }
}

RUN_TESTS(NULL, NULL)
