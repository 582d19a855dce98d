/* SPDX-License-Identifier: BSD-2-Clause */
/* A run's files over the serial port: the same bytes as on the volume, all files or those that were asked for, and what
 * can go wrong. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/crc32c.h"
#include "core/run/transfer.h"
#include "tests/unit/app/fixture.h"
#include "tests/unit/drivers/fake_cpu.h"

enum { FILES = 8, TEXT = 1 << 22, BYTES = 1 << 20 };

static char *text;
static size_t length;
static struct received {
    struct transfer_head head;
    unsigned heads, blocks;
    uint8_t bytes[BYTES];
} * received; /* indexed by the file's number */
static unsigned ends, runs;
static uint32_t last_run;

static void take(char byte)
{
    assert_true(length < TEXT);
    text[length++] = byte;
}

static void open_port(void)
{
    memset(&fake.uart, 0, sizeof(fake.uart));
    fake.uart.there = true;
    fake.uart.reg[2] = 0xC1;
    fake.uart.take = take;
    length = 0;
}

static int load(void **state)
{
    text = malloc(TEXT);
    received = calloc(FILES, sizeof(*received));
    return fixture_load(state);
}

static int unload(void **state)
{
    free(text);
    free(received);
    return 0;
}

/* Reads the files from the text, in which every line must be in order. */
static void receive(void)
{
    struct transfer_block block;
    enum transfer_found found;
    struct transfer_head head;
    size_t at = 0;

    memset(received, 0, FILES * sizeof(*received));
    ends = runs = 0;
    while ((found = transfer_find(text, length, &at, &block)) != TRANSFER_NONE) {
        assert_int_equal(found, TRANSFER_BLOCK);
        runs += !runs || block.run != last_run;
        last_run = block.run;
        if (block.number == TRANSFER_HEAD) {
            assert_true(transfer_head_read(&block, &head));
            ends += block.file == TRANSFER_END;
            if (block.file != TRANSFER_END) {
                if (received[block.file].heads && runs == 1)
                    assert_memory_equal(&received[block.file].head, &head, offsetof(struct transfer_head, folder));
                received[block.file].head = head;
                received[block.file].heads++;
            }
            continue;
        }
        assert_true(block.file < FILES && block.number < BYTES / TRANSFER_BYTES);
        memcpy(received[block.file].bytes + block.number * TRANSFER_BYTES, block.bytes, block.size);
        received[block.file].blocks++;
    }
}

static const struct received *file_named(const char *name)
{
    for (unsigned i = 0; i < FILES; i++)
        if (!strcmp(received[i].head.name, name))
            return &received[i];
    return NULL;
}

/* Checks that every file of the folder on the volume arrived. */
static void assert_all_arrived(const char *folder)
{
    unsigned files = 0;

    for (unsigned i = 0; i < fake_fw.files; i++) {
        const struct fake_file *file = &fake_fw.file[i];
        const char *name = strrchr(file->path, '\\') + 1;
        const struct received *got;

        if (file->folder || !strstr(file->path, folder))
            continue;
        got = file_named(name);
        assert_non_null(got);
        assert_string_equal(got->head.folder, folder);
        assert_int_equal(got->head.size, file->size);
        assert_int_equal(got->head.crc, crc32c(0, file->data, file->size));
        assert_int_equal(got->heads, 2);
        assert_int_equal(got->blocks, transfer_blocks(file->size));
        assert_memory_equal(got->bytes, file->data, file->size);
        files++;
    }
    assert_int_equal(files, received[0].head.files);
    assert_true(files >= 5);
}

APP_TEST(as_on_the_volume)
{
    unsigned long longest = 0;

    open_port();
    fake.uart.rate = 12;
    assert_int_equal(start("menu=no output=serial serial_rate=9600 " SMALL), 0);
    receive();
    assert_all_arrived("0001-tight-loop-ibs");
    assert_int_equal(ends, 1);
    assert_int_equal(runs, 1);
    assert_shown("Saved to \\ibsboot\\runs\\0001-tight-loop-ibs\n");
    assert_shown("\nSending 0001-tight-loop-ibs over the serial port at 9600 baud; Esc ends it.\nSending report.txt: ");
    assert_shown("\nSent 0001-tight-loop-ibs: ");
    assert_lines_fit();
    assert_true(strstr(text, "\r\nibs1:")); /* the mark begins a line */
    for (const char *at = fake_fw.screen; (at = strstr(at, "Sending ")); at++) {
        unsigned long bytes, lines, seconds, most = TRANSFER_LINE_MAX + 4; /* including what begins and ends a line */

        if (sscanf(at, "Sending %*s %lu bytes, %lu lines, %lu s", &bytes, &lines, &seconds) != 3)
            continue;
        assert_int_equal(lines, (bytes + TRANSFER_BYTES - 1) / TRANSFER_BYTES + 2);
        assert_int_equal(seconds, lines * most * 10 / 9600 + 1);
        longest = lines > longest ? lines : longest;
    }
    assert_true(longest > 1000); /* one character more or less would be noticed */
}

/* Without a volume nothing is wrong; each run of the boot has its own number and its own mark. */
APP_TEST(without_a_volume)
{
    uint32_t first;

    open_port();
    fake_fw.no_volume = true;
    assert_int_equal(start("menu=no output=serial config=ibs,tbp " SMALL), 0);
    receive();
    assert_int_equal(runs, 2);
    assert_int_equal(ends, 2);
    assert_true(strstr(text, "ibs1:"));
    assert_shown_times("No volume: the files go over the serial port only.\n", 2);
    assert_shown("\nSent 0001-tight-loop-ibs: ");
    assert_shown("\nSent 0002-tight-loop-tbp: ");
    assert_not_shown("NOT SAVED");
    assert_not_shown("WARNING: as it is now");
    first = last_run;
    open_port();
    assert_int_equal(start("menu=no save=no output=serial config=tbp seed=1 " SMALL), 0);
    receive();
    assert_int_not_equal(first, last_run);
}

APP_TEST(only_if_wanted)
{
    open_port();
    assert_int_equal(start("menu=no " SMALL), 0);
    assert_int_equal(length, 0);
    assert_not_shown("Sending");
}

/* If the port is missing or fails, or a key is pressed, a line says so, and the volume still has the files. */
APP_TEST(what_goes_wrong)
{
    memset(&fake.uart, 0, sizeof(fake.uart));
    assert_int_equal(start("menu=no output=serial " SMALL), 1);
    assert_shown("NOT SENT: no serial port answers at 3F8h.");
    assert_shown("Saved to ");
    for (unsigned breaks = 1; breaks < 4000; breaks += 1333) {
        fixture_teardown(NULL);
        fixture_setup(NULL);
        open_port();
        fake.uart.breaks = breaks;
        assert_int_equal(start("menu=no output=serial " SMALL), 1);
        assert_says("NOT SENT, or only in part: the serial port (3F8h) accepts no bytes. 'send' at the prompt sends "
                    "the run again.");
        assert_in_range(length, breaks, breaks + 16);
        assert_in_range(fake.uart.reads, 1 << 20, (1 << 20) + 2000); /* the program waits once */
        assert_shown("Saved to ");
    }
    fixture_teardown(NULL);
    fixture_setup(NULL);
    open_port();
    fake_fw.keys = "\x1b";
    assert_int_equal(start("menu=no output=serial " SMALL), 1);
    assert_says("NOT SENT, or only in part: Esc was pressed.");
    receive();
    assert_int_equal(ends, 0);
    fixture_teardown(NULL);
    fixture_setup(NULL);
    open_port();
    fake_fw.keys = "\x1b[A"; /* an arrow, as a terminal sends it */
    assert_int_equal(start("menu=no output=serial " SMALL), 0);
}

/* The port stops at places all over the transmission: what arrived before is in order, the cause is reported, the
 * volume has the run, and the next boot sends its own run completely. */
APP_TEST(each_place_refused)
{
    enum { PLACES = 12 };
    unsigned whole;

    open_port();
    assert_int_equal(start("menu=no output=serial " SMALL), 0);
    whole = (unsigned)length;
    for (unsigned place = 0; place < PLACES; place++) {
        struct transfer_block block;
        size_t at = 0;

        fixture_teardown(NULL);
        fixture_setup(NULL);
        open_port();
        fake.uart.breaks = 1 + (whole - 20) / PLACES * place; /* the run's times change its length a little */
        assert_int_equal(start("menu=no output=serial " SMALL), 1);
        assert_says("NOT SENT, or only in part: the serial port (3F8h) accepts no bytes. 'send' at the prompt sends "
                    "the run again.");
        assert_shown("Saved to \\ibsboot\\runs\\0001-tight-loop-ibs\n");
        length = fake.uart.breaks < length ? fake.uart.breaks : length; /* the rest is still in the port */
        while (length && text[length - 1] != '\n')
            length--;
        for (enum transfer_found found; (found = transfer_find(text, length, &at, &block)) != TRANSFER_NONE;) {
            assert_int_equal(found, TRANSFER_BLOCK);
            assert_int_not_equal(block.file, TRANSFER_END);
        }
        open_port();
        assert_int_equal(start("menu=no output=serial " SMALL), 0);
        receive();
        assert_all_arrived("0002-tight-loop-ibs");
        assert_int_equal(ends, 1);
    }
}

/* At the prompt a run can be sent repeatedly, with the settings that the run had. */
APP_TEST(again)
{
    static const char lines[] = "run\npages=2m\nsend\n";

    open_port();
    fake_file_put(&fake_fw, "\\batch.txt", lines, strlen(lines));
    assert_int_equal(start("output=serial batch=\\batch.txt " SMALL), 0);
    receive();
    assert_int_equal(runs, 1);
    assert_int_equal(ends, 2);
    assert_int_equal(received[0].heads, 4);
    for (unsigned i = 0; i < received[0].head.files; i++)
        assert_int_equal(crc32c(0, received[i].bytes, received[i].head.size), received[i].head.crc);

    fixture_teardown(NULL);
    fixture_setup(NULL);
    open_port();
    fake_fw.keys =
        "xsend\nrun\nSEND perf.data:1,3-4 run.ini:0\nsend nothing\nsend run.ini:x\nsend run.ini:2-1\nsending\nquit\n";
    assert_int_equal(start("save=no pager=no " SMALL), 0);
    assert_shown("ibsboot> send\nThere has been no run yet.\n");
    receive();
    assert_non_null(file_named("perf.data"));
    assert_int_equal(file_named("perf.data")->blocks, 3);
    assert_int_equal(file_named("run.ini")->blocks, 1);
    assert_null(file_named("report.txt"));
    assert_shown("send nothing: not a file of this run (report.txt profile.csv ");
    assert_shown("send run.ini:x: not a file ");
    assert_shown("send run.ini:2-1: not a file ");
    assert_int_equal(ends, 1);
}

/* A batch file ends if it cannot send a run. */
APP_TEST(in_a_batch)
{
    static const char lines[] = "run\nsend run.ini\nsend nothing\nrun\n";

    open_port();
    fake_file_put(&fake_fw, "\\batch.txt", lines, strlen(lines));
    assert_int_equal(start("save=no batch=\\batch.txt " SMALL), 1);
    assert_shown("batch: ended at this line: send nothing\n");
    receive();
    assert_int_equal(ends, 1);
    assert_int_equal(fake_session.runs, 1);
}

RUN_TESTS(load, unload)
