/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs from a serial port: whole, damaged and mended, among other text, from a file and a pseudo-terminal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "core/base/crc32c.h"
#include "core/base/rng.h"
#include "core/run/transfer.h"
#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/tool.h"
#include "tools/ibsprof/base/must.h"

enum { FILES = 3, RUN = 0x1234ABCD, TEXT = 1 << 18 };

static const char *const names[FILES] = {"report.txt", "run.ini", "perf.data"};
static const size_t sizes[FILES] = {1000, 0, 40000};
static uint8_t bytes[FILES][40000];
static char text[TEXT];
static size_t length;

static int setup(void **state)
{
    struct rng rng;

    (void)state;
    files_remove_all();
    rng_seed(&rng, 5);
    for (unsigned f = 0; f < FILES; f++)
        for (size_t i = 0; i < sizes[f]; i++)
            bytes[f][i] = (uint8_t)rng_next(&rng);
    length = 0;
    return 0;
}

static void put(const struct transfer_block *block, const char *around)
{
    length += (size_t)sprintf(text + length, "%s", around);
    length += transfer_encode(block, text + length);
    length += (size_t)sprintf(text + length, "\r\n");
}

static void put_head(uint32_t run, unsigned file, const char *folder)
{
    struct transfer_head head = {.files = FILES};
    struct transfer_block block;

    strcpy(head.folder, folder);
    strcpy(head.name, file == TRANSFER_END ? "end" : names[file]);
    if (file != TRANSFER_END) {
        head.size = sizes[file];
        head.crc = crc32c(0, bytes[file], sizes[file]);
    }
    assert_true(transfer_head_write(&head, run, (uint8_t)file, &block));
    put(&block, "");
}

/* Writes blocks first to last of a file, without its head. */
static void put_blocks(uint32_t run, unsigned file, uint32_t first, uint32_t last)
{
    for (uint32_t i = first; i < transfer_blocks(sizes[file]) && i <= last; i++) {
        size_t at = (size_t)i * TRANSFER_BYTES, left = sizes[file] - at;
        struct transfer_block block = {
            run, (uint8_t)file, i, (uint8_t)(left < TRANSFER_BYTES ? left : TRANSFER_BYTES), {0}};

        memcpy(block.bytes, bytes[file] + at, block.size);
        put(&block, i % 50 == 7 ? "Saving ibs1" : i % 50 == 9 ? "\x1b[2J\x01 and text\r\n" : "");
    }
}

static void put_run(uint32_t run, const char *folder)
{
    for (unsigned f = 0; f < FILES; f++) {
        put_head(run, f, folder);
        put_blocks(run, f, 0, UINT32_MAX);
        put_head(run, f, folder);
    }
    put_head(run, TRANSFER_END, folder);
}

static struct tool_result receive(void)
{
    const char *log = files_write("log", text, length);

    return tool_run(&command_receive, "--to", files_path("to"), log, NULL);
}

/* Expects the run's file as it was sent, or not at all. */
static void expect_there(const char *folder, unsigned file, bool there)
{
    char *name = must_text("to/%s/%s", folder, names[file]);
    FILE *from = fopen(files_path(name), "rb");
    static uint8_t got[sizeof(bytes[0]) + 1];

    assert_int_equal(from != NULL, there);
    if (from) {
        assert_int_equal(fread(got, 1, sizeof(got), from), sizes[file]);
        assert_memory_equal(got, bytes[file], sizes[file]);
        fclose(from);
    }
    free(name);
}

static bool kept_lines(const char *folder)
{
    char *name = must_text("to/%s/received.lines", folder);
    bool there = access(files_path(name), F_OK) == 0;

    free(name);
    return there;
}

static void whole(void **state)
{
    (void)state;
    put_run(RUN, "0001-a");
    tool_expect(receive(), 0, "FILES/to/0001-a: 3 of 3 files, 41000 bytes\n", "");
    for (unsigned f = 0; f < FILES; f++)
        expect_there("0001-a", f, true);
    assert_false(kept_lines("0001-a"));
    /* A second time nothing is left to do. */
    tool_expect(receive(), 0, "FILES/to/0001-a: 3 of 3 files, 41000 bytes\n", "");
}

/* One block is damaged, two are lost, and a file's name did not arrive; after the requests that the message names the
 * run is complete. */
static void mended(void **state)
{
    (void)state;
    put_head(RUN, 0, "0001-a");
    put_blocks(RUN, 0, 0, UINT32_MAX);
    put_head(RUN, 2, "0001-a");
    put_blocks(RUN, 2, 0, 9);
    put_blocks(RUN, 2, 11, 11);
    text[length - 20] ^= 1;
    put_blocks(RUN, 2, 13, 207);
    tool_expect(receive(), 1,
                "FILES/to/0001-a: 1 of 3 files, 1000 bytes; INCOMPLETE:\n"
                "  perf.data: 4 of 209 blocks are missing\n"
                "    at the prompt: send perf.data:10-12,208\n"
                "  files whose names did not arrive either: 1\n"
                "    at the prompt: send\n",
                "ibsprof: damaged lines: 1\n");
    expect_there("0001-a", 0, true);
    expect_there("0001-a", 2, false);
    assert_true(kept_lines("0001-a"));

    length = 0;
    put_head(RUN, 1, "0001-a");
    put_head(RUN, 2, "0001-a");
    put_blocks(RUN, 2, 10, 11);
    put_blocks(RUN, 2, 208, 208);
    tool_expect(receive(), 1,
                "FILES/to/0001-a: 2 of 3 files, 1000 bytes; INCOMPLETE:\n"
                "  perf.data: 1 of 209 blocks are missing\n"
                "    at the prompt: send perf.data:12\n",
                "");
    length = 0;
    put_blocks(RUN, 2, 12, 12);
    put_head(RUN, TRANSFER_END, "0001-a");
    tool_expect(receive(), 0, "FILES/to/0001-a: 3 of 3 files, 41000 bytes\n", "");
    for (unsigned f = 0; f < FILES; f++)
        expect_there("0001-a", f, true);
    assert_false(kept_lines("0001-a"));
}

/* If there are more holes than a user would type, the whole file is asked for. */
static void many_holes(void **state)
{
    struct tool_result got;

    (void)state;
    put_head(RUN, 0, "0001-a");
    put_head(RUN, 2, "0001-a");
    for (uint32_t i = 0; i < 209; i += 2)
        put_blocks(RUN, 2, i, i);
    got = receive();
    assert_int_equal(got.status, 1);
    assert_non_null(strstr(got.out, "  report.txt: 6 of 6 blocks are missing\n    at the prompt: send report.txt\n"));
    assert_non_null(strstr(got.out, "  perf.data: 104 of 209 blocks are missing\n"
                                    "    at the prompt: send perf.data:1,3,5,7,"));
    assert_non_null(strstr(got.out, "\n    at the prompt: send perf.data:"));
    for (const char *line = got.out; line; line = strchr(line + 1, '\n'))
        assert_true(!strchr(line + 1, '\n') || strchr(line + 1, '\n') - line < 131);
}

/* Another run has the same name, in an earlier log and in the same one: each has its own folder. */
static void names_twice(void **state)
{
    (void)state;
    put_run(RUN, "0001-a");
    (void)receive();
    bytes[0][5] ^= 1;
    length = 0;
    put_run(RUN + 1, "0001-a");
    tool_expect(receive(), 0, "FILES/to/0001-a-1234abce: 3 of 3 files, 41000 bytes\n", "");
    expect_there("0001-a-1234abce", 0, true);
    bytes[0][5] ^= 1;
    expect_there("0001-a", 0, true);
    length = 0;
    bytes[2][0] ^= 1;
    put_head(RUN + 2, 2, "0001-a");
    put_blocks(RUN + 2, 2, 0, 3);
    assert_int_equal(receive().status, 1);
    assert_true(kept_lines("0001-a-1234abcf"));
    bytes[2][0] ^= 1;
    expect_there("0001-a", 2, true);
    assert_false(kept_lines("0001-a"));
}

/* A block, or a head, is in order but wrong; the checksum of the whole file reveals it. */
static void wrong_and_in_order(void **state)
{
    (void)state;
    put_head(RUN, 0, "0001-a");
    bytes[0][500] ^= 4;
    put_blocks(RUN, 0, 0, UINT32_MAX);
    put_head(RUN, 2, "0001-a");
    put_blocks(RUN, 2, 0, UINT32_MAX);
    bytes[2][0] ^= 1;
    put_blocks(RUN, 2, 0, 0);
    bytes[1][0] ^= 1;
    put_head(RUN, 1, "0001-a");
    tool_expect(receive(), 1,
                "FILES/to/0001-a: 1 of 3 files, 0 bytes; INCOMPLETE:\n"
                "  report.txt: its parts do not match; they are not kept\n"
                "    at the prompt: send report.txt\n"
                "  perf.data: its parts do not match; they are not kept\n"
                "    at the prompt: send perf.data\n",
                "");
    expect_there("0001-a", 0, false);
    expect_there("0001-a", 2, false);
    /* Most blocks are still to come: this is reported first. */
    setup(NULL);
    put_head(RUN, 0, "0001-a");
    put_blocks(RUN, 0, 0, 0);
    bytes[0][0] ^= 1;
    put_blocks(RUN, 0, 0, 0);
    bytes[0][0] ^= 1;
    assert_non_null(strstr(receive().out, ": its parts do not match; they are not kept\n"));
    setup(NULL);
    put_run(RUN, "0001-a");
    assert_int_equal(receive().status, 0);
}

/* Bits are flipped by seed: one in a hundred leaves nothing, one in 20,000 is mended by some transmissions. A file that
 * exists is always as it was sent. */
static void flipped(void **state)
{
    static const unsigned rates[] = {100, 1000, 20000};
    struct tool_result got;

    (void)state;
    for (unsigned r = 0; r < 3; r++) {
        struct rng rng;
        unsigned sent = 0, flips = 0;

        setup(NULL);
        rng_seed(&rng, r);
        do {
            length = 0;
            put_run(RUN, "0001-a");
            for (size_t bit = 0; bit < 8 * length; bit++)
                if (rng_next(&rng) % rates[r] == 0) {
                    text[bit / 8] = (char)(text[bit / 8] ^ 1 << bit % 8);
                    flips++;
                }
            got = receive();
            for (unsigned f = 0; f < FILES; f++) {
                char *name = must_text("to/0001-a/%s", names[f]);

                expect_there("0001-a", f, access(files_path(name), F_OK) == 0);
                free(name);
            }
        } while (++sent < 8 && got.status != 0);
        assert_true(flips > 20);
        assert_non_null(strstr(got.err, "damaged"));
        if (r == 2)
            assert_true(got.status == 0 && sent > 1);
        else if (r == 0)
            expect_there("0001-a", 2, false);
    }
}

/* The run has names that the receiver itself uses, and another file, which arrives; --to makes its folders. */
static void names_of_the_receiver(void **state)
{
    static const char *const own[] = {"received.lines", "report.txt.new"};
    struct transfer_head head = {.files = 2, .folder = "0001-a"};
    struct transfer_block block;
    struct tool_result got;

    (void)state;
    put_head(RUN, 0, "0001-a");
    put_blocks(RUN, 0, 0, UINT32_MAX);
    for (unsigned i = 0; i < 2; i++) {
        strcpy(head.name, own[i]);
        assert_true(transfer_head_write(&head, RUN, 1, &block));
        put(&block, "");
    }
    got = tool_run(&command_receive, "--to", files_path("to/a/b"), files_write("log", text, length), NULL);
    assert_int_equal(got.status, 1);
    assert_string_equal(got.err, "ibsprof: damaged lines: 2\n");
    assert_non_null(strstr(got.out, "FILES/to/a/b/0001-a: 1 of 3 files, 1000 bytes; INCOMPLETE:\n"));
    expect_there("a/b/0001-a", 0, true);
    assert_true(kept_lines("a/b/0001-a"));
    assert_int_not_equal(access(files_path("to/a/b/0001-a/report.txt.new"), F_OK), 0);
}

static void nothing_of_ours(void **state)
{
    (void)state;
    length = (size_t)sprintf(text, "a console\r\nibs1:and nothing else\r\n");
    tool_expect(receive(), 1, "",
                "ibsprof: damaged lines: 1\n"
                "ibsprof: no part of a run arrived: is output=serial set, and is the rate equal to serial_rate?\n");
    length = 0;
    put_blocks(RUN, 0, 0, 1);
    tool_expect(receive(), 1, "",
                "ibsprof: run 1234ABCD: no head of any file arrived: nothing is kept. Send the whole run again.\n");
    tool_expect(tool_run(&command_receive, "--to", files_path("to"), files_path("none"), NULL), 1, "",
                "ibsprof: FILES/none: No such file or directory\n"
                "ibsprof: no part of a run arrived: is output=serial set, and is the rate equal to serial_rate?\n");
    tool_expect(tool_run(&command_receive, NULL), 2, "",
                "ibsprof: receive: no DEVICE, FILE or FOLDER; 'ibsprof receive --help' explains\n");
}

/* Plays a machine at the other end of a line: it sends when the port has its rate, with other text before and after. */
static void machine(int line, speed_t rate)
{
    struct termios settings;

    alarm(60);
    do {
        usleep(1000);
        tcgetattr(line, &settings);
    } while (cfgetispeed(&settings) != rate || (settings.c_lflag & (ICANON | ECHO)) || (settings.c_oflag & OPOST));
    for (size_t at = 0; at < length;) {
        ssize_t part = write(line, text + at, length - at < 500 ? length - at : 500);

        if (part <= 0)
            _exit(1);
        at += (size_t)part;
    }
    pause(); /* the line stays open: the receiver ends because of what it read */
}

static void a_terminal(void **state)
{
    int line = posix_openpt(O_RDWR | O_NOCTTY);
    struct tool_result got;
    struct termios settings;
    pid_t child;

    (void)state;
    put_run(RUN, "0001-a");
    assert_true(line >= 0 && grantpt(line) == 0 && unlockpt(line) == 0);
    child = fork();
    if (child == 0)
        machine(line, B57600);
    got = tool_run(&command_receive, "--rate=57600", "--to", files_path("to"), ptsname(line), NULL);
    tool_expect(got, 0, "FILES/to/0001-a: 3 of 3 files, 41000 bytes\n", "");
    for (unsigned f = 0; f < FILES; f++)
        expect_there("0001-a", f, true);
    assert_int_equal(tcgetattr(line, &settings), 0);
    assert_int_not_equal(cfgetispeed(&settings), B57600); /* unchanged */
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    close(line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(whole, setup),
        cmocka_unit_test_setup(mended, setup),
        cmocka_unit_test_setup(many_holes, setup),
        cmocka_unit_test_setup(names_twice, setup),
        cmocka_unit_test_setup(wrong_and_in_order, setup),
        cmocka_unit_test_setup(flipped, setup),
        cmocka_unit_test_setup(names_of_the_receiver, setup),
        cmocka_unit_test_setup(nothing_of_ours, setup),
        cmocka_unit_test_setup(a_terminal, setup),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
