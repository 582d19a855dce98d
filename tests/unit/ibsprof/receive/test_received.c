/* SPDX-License-Identifier: BSD-2-Clause */
/* Missing parts that are asked for block by block, and which heads do not belong together. */
#include "tests/unit/test.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/crc32c.h"
#include "tests/unit/ibsprof/tool.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/receive/received.h"

enum { FIRST = 101, A_LINE = 26 /* "send a:101" and 25 times ",103" are 110 characters */ };

/* Returns the message if every second block from FIRST on is missing, 'count' of them, including the last block of the
 * file. */
static const char *said_of(unsigned count)
{
    struct received_run *run = must_new(run);
    struct received_file *file = &run->file[0];
    uint32_t blocks = FIRST + 2 * count - 1;
    FILE *to;

    run->files = 1;
    *file = (struct received_file){.known = true,
                                   .head = {.files = 1, .name = "a", .size = (uint64_t)blocks * TRANSFER_BYTES},
                                   .room = blocks - 1,
                                   .count = blocks - count,
                                   .bytes = must_alloc(blocks, TRANSFER_BYTES),
                                   .size = must_alloc(blocks, 1)};
    for (uint32_t i = 0; i < file->room; i++)
        file->size[i] = i < FIRST || i % 2 == 0 ? TRANSFER_BYTES + 1 : 0;
    tool_begin(&to);
    received_print(to, run, "there");
    free(file->bytes);
    free(file->size);
    free(run);
    return tool_end(to);
}

/* Writes the expected message: at most five lines, each as long as possible. */
static const char *wanted_for(unsigned count)
{
    static char text[2000];
    char *at = text;

    at += sprintf(at, "there: 0 of 1 files, 0 bytes; INCOMPLETE:\n  a: %u of %u blocks are missing\n", count,
                  FIRST + 2 * count - 1);
    for (unsigned i = 0; i < count && count <= 5 * A_LINE; i++)
        at += sprintf(at, "%s%u%s", i % A_LINE == 0 ? "    at the prompt: send a:" : ",", FIRST + 2 * i,
                      i % A_LINE == A_LINE - 1 || i + 1 == count ? "\n" : "");
    if (count > 5 * A_LINE)
        sprintf(at, "    at the prompt: send a\n");
    return text;
}

TEST(blocks_that_are_asked_for)
{
    static const unsigned counts[] = {1, 2, A_LINE, A_LINE + 1, 5 * A_LINE, 5 * A_LINE + 1, 7 * A_LINE};

    for (unsigned i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
        expect_text(said_of(counts[i]), wanted_for(counts[i]));
}

/* ---------------------------------------------------------------- heads */

static void add_head(struct collection *collection, struct transfer_head head)
{
    struct transfer_block block;
    char line[TRANSFER_LINE_MAX + 2];
    size_t length;

    assert_true(transfer_head_write(&head, 5, 0, &block));
    length = transfer_encode(&block, line);
    line[length++] = '\n';
    collect_text(collection, line, length);
}

/* A file is wrong if its second head differs from the first; the head of the whole run may be repeated. */
TEST(heads_that_differ)
{
    const struct transfer_head first = {.files = 1, .folder = "0001-a", .name = "run.ini", .size = 7, .crc = 9};
    struct transfer_head heads[5] = {first, first, first, first, first};

    strcpy(heads[1].folder, "0001-b");
    strcpy(heads[2].name, "run.inf");
    heads[3].size = 8;
    heads[4].crc = 8;
    for (unsigned i = 0; i < 5; i++) {
        struct collection collection = {0};

        add_head(&collection, first);
        assert_false(received_file_wrong(&collection.run[0]->file[0]));
        add_head(&collection, heads[i]);
        assert_int_equal(received_file_wrong(&collection.run[0]->file[0]), i > 0);
        assert_int_equal(collection.runs, 1);
        assert_int_equal(collection.blocks, 2);
        assert_string_equal(collection.run[0]->folder, "0001-a");
        collect_free(&collection);
        assert_int_equal(collection.runs, 0);
    }
}

RUN_TESTS(NULL, NULL)
