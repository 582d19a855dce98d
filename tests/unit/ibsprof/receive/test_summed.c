/* SPDX-License-Identifier: BSD-2-Clause */
/* sums.txt of a run on a boot server. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/ibsprof/files.h"
#include "tests/unit/test.h"
#include "tools/ibsprof/receive/sums.h"

TEST(sums_that_are_none)
{
    static char long_text[SUMS_MAX + 100];
    static const char *const texts[] = {
        "",
        "try 1\n",
        "try 1\n00000000 0 run.ini\n",
        "try 1\n00000000 0 run.ini\nend",
        "try 1\n00000000 0 run.ini\nend\n\n",
        "try x\n00000000 0 run.ini\nend\n",
        "try \n00000000 0 run.ini\nend\n",
        "tri 1\n00000000 0 run.ini\nend\n",
        "try 1\nend\n",
        "try 1\n00000000 0 report.txt\nend\n",
        "try 1\n00000000 0 run.ini\n00000000 0 run.ini\nend\n",
        "try 1\n00000000 0 run.ini\n00000000 0 ../run.ini\nend\n",
        "try 1\n00000000 0 run.ini\n00000000 0 .profile\nend\n",
        "try 1\n00000000 0 run.ini\n00000000 0 \nend\n",
        "try 1\n00000000  run.ini\nend\n",
        "try 1\n 0 run.ini\nend\n",
        "try 1\n0000000g 0 run.ini\nend\n",
        "try 1\n000000000 0 run.ini\nend\n",
        "try 1\n00000000 -1 run.ini\nend\n",
        "try 1\n00000000 1234567890123456 run.ini\nend\n",
    };
    struct sums sums;

    for (unsigned i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        assert_false(sums_read(&sums, texts[i], strlen(texts[i])));
    assert_false(sums_read(&sums, "try 1\n00000000 0 run.ini\nend\n\0", 30));
    /* The longest text. */
    strcpy(long_text, "try 1\n00000000 0 run.ini\n");
    for (unsigned i = 0; strlen(long_text) <= SUMS_MAX - 4; i++)
        sprintf(long_text + strlen(long_text), "00000000 0 %u.csv\n", i);
    strcat(long_text, "end\n");
    assert_true(strlen(long_text) > SUMS_MAX);
    assert_false(sums_read(&sums, long_text, strlen(long_text)));
    long_text[SUMS_MAX - 4] = '\0';
    while (long_text[strlen(long_text) - 1] != '\n')
        long_text[strlen(long_text) - 1] = '\0';
    strcat(long_text, "end\n");
    assert_true(sums_read(&sums, long_text, strlen(long_text)));
    assert_string_equal(sums.row[1].name, "0.csv");
    sums_free(&sums);
}

/* The published check value of CRC-32C is e3069283. */
TEST(bytes_of_a_row)
{
    static const struct {
        struct sums_row row;
        bool right;
    } rows[] = {
        {{.size = 9, .crc = 0xe3069283}, true},
        {{.size = 8, .crc = 0xe3069283}, false},
        {{.size = 10, .crc = 0xe3069283}, false},
        {{.size = 9, .crc = 0xe3069284}, false},
    };
    FILE *file;

    files_remove_all();
    files_write("check", "123456789", 9);
    file = fopen(files_path("check"), "rb");
    assert_non_null(file);
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        assert_int_equal(sums_right(&rows[i].row, fileno(file)), rows[i].right);
    fclose(file);
}

RUN_TESTS(NULL, NULL)
