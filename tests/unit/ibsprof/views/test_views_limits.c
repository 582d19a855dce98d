/* SPDX-License-Identifier: BSD-2-Clause */
/* The largest number of views and sizes of their files, and files that cannot be read. */
#include "tests/unit/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/tool.h"
#include "tools/ibsprof/views/views.h"

static bool good;

/* Loads a file of the tests' folder into an empty set. Returns the number of views, and the complaint. */
static unsigned load(const char *name, char said[300])
{
    struct views views = {0};
    unsigned count;

    snprintf(said, 300, "%s", TOOL_COMPLAINS(good = views_load(&views, files_path(name))));
    count = views.count;
    views_free(&views);
    return count;
}

/* A set has at most 64 views, and keeps those that have room. */
TEST(number_of_views)
{
    char text[65 * 40] = "", *at = text, said[300];

    for (unsigned i = 0; i < 65; i++) {
        if (i == 64) {
            files_write("64.ini", text, strlen(text));
            assert_int_equal(load("64.ini", said), 64);
            assert_string_equal(said, "");
            assert_true(good);
        }
        at += sprintf(at, "[own_%u]\ncolumn_1 = T: timer\n", i);
    }
    files_write("65.ini", text, strlen(text));
    assert_int_equal(load("65.ini", said), 64);
    expect_text(said, "ibsprof: FILES/65.ini:129: there are more than 64 views\n");
    assert_false(good);
}

/* The file has 64 KB, or a byte more. */
TEST(size_of_a_file)
{
    static const char view[] = "[own]\ncolumn_1 = T: timer\n";
    char *text = malloc((64 << 10) + 1), said[300];

    memset(text, '\n', (64 << 10) + 1);
    memcpy(text + (64 << 10) - strlen(view), view, strlen(view));
    files_write("large.ini", text, 64 << 10);
    assert_int_equal(load("large.ini", said), 1);
    assert_string_equal(said, "");
    assert_true(good);
    files_write("larger.ini", text, (64 << 10) + 1);
    assert_int_equal(load("larger.ini", said), 0);
    expect_text(said, "ibsprof: FILES/larger.ini: a file of views has at most 65536 bytes\n");
    assert_false(good);
    free(text);
}

TEST(files_that_cannot_be_read)
{
    char said[300];

    (void)mkdir(files_path("folder.ini"), 0777);
    assert_int_equal(load("folder.ini", said), 0);
    expect_text(said, "ibsprof: FILES/folder.ini: cannot be read: Is a directory\n");
    assert_false(good);
    assert_int_equal(load("none.ini", said), 0);
    expect_text(said, "ibsprof: FILES/none.ini: cannot be read: No such file or directory\n");
    assert_false(good);
}

RUN_TESTS(NULL, files_end)
