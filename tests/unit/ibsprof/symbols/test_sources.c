/* SPDX-License-Identifier: BSD-2-Clause */
/* Source files of a listing: where they are searched, how they are cut into lines, and inlined lines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/perfdata/perfdata_format.h"
#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/made_linux.h"
#include "tests/unit/ibsprof/program.h"
#include "tests/unit/ibsprof/tool.h"
#include "tools/ibsprof/symbols/source.h"

static void write_text(const char *name, const char *text)
{
    files_write(name, text, strlen(text));
}

/* ---------------------------------------------------------------- lines */

static void lines(void **state)
{
    char path[300], long_line[400];
    struct source *source = source_new();

    write_text("lines.c", "one\r\n\n\rthree\r\r\nfour"); /* the last line has no end */
    snprintf(path, sizeof(path), "%s", files_path("lines.c"));
    for (int again = 0; again < 2; again++) { /* backwards the second time */
        static const char *const wanted[] = {"one", "", "\rthree\r", "four", NULL};

        for (int i = 0; i < 5; i++) {
            int line = again ? 4 - i : i;
            const char *got = source_line(source, NULL, path, (unsigned)line + 1);

            if (wanted[line] == NULL)
                assert_null(got);
            else
                assert_string_equal(got, wanted[line]);
        }
    }
    assert_string_equal(source_line(source, "", path, 4), "four"); /* also without an object */
    assert_null(source_line(source, NULL, path, 0));
    /* An end of line at the end of the file does not begin another line. */
    write_text("ended.c", "a\nb\n");
    assert_string_equal(source_line(source, NULL, files_path("ended.c"), 2), "b");
    assert_null(source_line(source, NULL, files_path("ended.c"), 3));
    /* A line is cut at 200 bytes. */
    memset(long_line, 'x', 250);
    strcpy(long_line + 250, "\nnext\n");
    long_line[199] = 'y';
    write_text("long.c", long_line);
    assert_int_equal(strlen(source_line(source, NULL, files_path("long.c"), 1)), 200);
    assert_int_equal(source_line(source, NULL, files_path("long.c"), 1)[199], 'y');
    assert_string_equal(source_line(source, NULL, files_path("long.c"), 2), "next");
    /* A file larger than 16 MiB is not read. */
    write_text("large.c", "large\n");
    assert_int_equal(truncate(files_path("large.c"), 16 << 20), 0);
    assert_string_equal(source_line(source, NULL, files_path("large.c"), 1), "large");
    source_free(source);
    source = source_new();
    assert_int_equal(truncate(files_path("large.c"), (16 << 20) + 1), 0);
    assert_null(source_line(source, NULL, files_path("large.c"), 1));
    source_free(source);
    source_free(NULL);
}

/* There are more files than are kept: the first one is read again, with its present contents. */
static void many_files(void **state)
{
    struct source *source = source_new();
    char name[40], text[40];

    for (unsigned i = 0; i < 65; i++) {
        snprintf(name, sizeof(name), "many/%u.c", i);
        snprintf(text, sizeof(text), "file %u\nits second line\n", i);
        write_text(name, text);
    }
    for (unsigned i = 0; i < 64; i++) {
        snprintf(name, sizeof(name), "many/%u.c", i);
        snprintf(text, sizeof(text), "file %u", i);
        assert_string_equal(source_line(source, NULL, files_path(name), 1), text);
        assert_string_equal(source_line(source, NULL, files_path(name), 2), "its second line");
    }
    write_text("many/0.c", "changed\n");
    write_text("many/1.c", "changed, too\n");
    assert_string_equal(source_line(source, NULL, files_path("many/0.c"), 1), "file 0"); /* held */
    assert_string_equal(source_line(source, NULL, files_path("many/64.c"), 1), "file 64");
    assert_string_equal(source_line(source, NULL, files_path("many/1.c"), 1), "file 1");
    assert_string_equal(source_line(source, NULL, files_path("many/0.c"), 1), "changed");
    assert_string_equal(source_line(source, NULL, files_path("many/1.c"), 1), "changed, too");
    source_free(source);
}

/* ---------------------------------------------------------------- places */

static void places(void **state)
{
    char object[400], first[300];
    struct source *source = source_new();

    write_text("a/b/c/d/e/f/g/program", "");
    snprintf(object, sizeof(object), "%s", files_path("a/b/c/d/e/f/g/program"));
    /* The source is beside the object, or in one of five folders above it (build/runs/TIME/runs/RUN is that far below
     * the project), but not in the sixth. Each object has its own sources. */
    write_text("a/src/x.c", "six up\n");
    assert_null(source_line(source, object, "src/x.c", 1));
    source_free(source);
    source = source_new();
    write_text("a/b/src/x.c", "five up\n");
    assert_string_equal(source_line(source, object, "src/x.c", 1), "five up");
    assert_null(source_line(source, "other", "src/x.c", 1));
    source_free(source);
    source = source_new();
    write_text("a/b/c/d/e/f/src/x.c", "one up\n");
    assert_string_equal(source_line(source, object, "src/x.c", 1), "one up");
    source_free(source);
    source = source_new();
    write_text("a/b/c/d/e/f/g/src/x.c", "beside\n");
    assert_string_equal(source_line(source, object, "src/x.c", 1), "beside");
    /* Absolute names are used as they are, and searched nowhere else. */
    write_text("a/b/c/d/e/f/g/gone/y.c", "never\n");
    assert_null(source_line(source, object, "/gone/y.c", 1));
    source_free(source);
    /* --source-dir is searched first: for the whole name, then for its last part. */
    source = source_new();
    snprintf(first, sizeof(first), "%s", files_path("first"));
    source_look_in(source, first);
    write_text("first/x.c", "by its last part\n");
    assert_string_equal(source_line(source, object, "src/x.c", 1), "by its last part");
    assert_string_equal(source_line(source, object, "/gone/x.c", 1), "by its last part");
    assert_null(source_line(source, object, "src/nothing.c", 1));
    source_free(source);
    source = source_new();
    source_look_in(source, first);
    write_text("first/src/x.c", "by its name\n");
    assert_string_equal(source_line(source, object, "src/x.c", 1), "by its name");
    source_free(source);
}

/* ---------------------------------------------------------------- inlined pieces */

/* The function has twelve instructions: eight from far.c, four from near.h. */
static const char inlined[] =
    ".text\n.globl f\n.type f,@function\n.file 1 \"far.c\"\n.file 2 \"near.h\"\nf:\n"
    ".loc 1 3\nnop\nnop\n.loc 2 1\nnop\nnop\n.loc 1 9\nnop\nnop\n.loc 2 2\nnop\nnop\n.loc 1 LAST\nnop\nnop\n"
    "nop\nret\n.size f,.-f\n"
    ".section .debug_abbrev,\"\",@progbits\n.uleb128 1,0x11\n.byte 0\n.uleb128 0x10,0x17,0,0,0\n"
    ".section .debug_line,\"\",@progbits\n.Lline:\n"
    ".section .debug_info,\"\",@progbits\n.long .L1e-.L1\n.L1:.value 4\n.long 0\n.byte 8\n.uleb128 1\n"
    ".long .Lline\n.L1e:\n";

static const struct linux_event event = {LINUX_HARDWARE, 0, 1000, 0, 0, "cycles"};

static void samples(unsigned times, uint64_t ip)
{
    while (times-- > 0)
        linux_sample((struct linux_sample){.pid = 1, .tid = 1, .ip = ip, .time = ip, .period = 1, .misc = 2});
}

static void annotated(const char *last, const char *name, const char *csv_name)
{
    const struct linux_facts facts = {.release = "6.1.0-test"};
    char text[2000], *at;

    snprintf(text, sizeof(text), "%s", inlined);
    while ((at = strstr(text, "LAST")) != NULL) {
        memmove(at + strlen(last), at + 4, strlen(at + 4) + 1);
        memcpy(at, last, strlen(last));
    }
    program_of("inlined.elf", text, "", "-Ttext=0x401000 -e 0");
    linux_begin(&event, 1);
    linux_map(1, 0x401000, 0x1000, 0x1000, "/gone/inlined.elf", 2);
    samples(10, 0x401001);
    samples(5, 0x401002);
    samples(3, 0x401005);
    samples(1, 0x401007);
    samples(2, 0x401008);
    samples(4, 0x401009);
    linux_write("inlined.data", &facts);
    write_text("far.c", "1\n2\nfar 3\n4\n5\n6\n7\n8\nfar 9\nten\n");
    {
        struct tool_result got = tool_run(&command_annotate, "--width=79", files_path("inlined.data"), NULL);

        expect_text(got.err, "");
        expect_file(got.out, name);
        assert_int_equal(got.status, EXIT_DONE);
        tool_writes(tool_run(&command_annotate, "--csv", files_path("inlined.data"), NULL), csv_name);
    }
}

static void inlined_pieces(void **state)
{
    annotated("10", "annotate/annotate-inlined.txt", "annotate/annotate-inlined.csv");
    annotated("700", "annotate/annotate-far.txt", "annotate/annotate-far.csv");
}

/* The function has no source lines, or is no code. */
static void without_lines(void **state)
{
    static const char *const code[] = {"nop", ".byte 6"}, *const names[] = {"annotate/annotate-no-lines.txt",
                                                                            "annotate/annotate-no-code.txt"};
    static const char *const csv_names[] = {"annotate/annotate-no-lines.csv", "annotate/annotate-no-code.csv"};
    const struct linux_facts facts = {.release = "6.1.0-test"};

    for (int i = 0; i < 2; i++) {
        struct tool_result got;
        char text[200];

        snprintf(text, sizeof(text), ".text\n.globl f\n.type f,@function\nf: %s\n.size f,.-f\n", code[i]);
        program_of("bare.elf", text, "", "-Ttext=0x401000 -e 0");
        linux_begin(&event, 1);
        linux_map(1, 0x401000, 0x1000, 0x1000, "/gone/bare.elf", 2);
        samples(2, 0x401000);
        linux_write("bare.data", &facts);
        got = tool_run(&command_annotate, files_path("bare.data"), NULL);
        expect_text(got.err, "");
        expect_file(got.out, names[i]);
        assert_int_equal(got.status, EXIT_DONE);
        tool_writes(tool_run(&command_annotate, "--csv", files_path("bare.data"), NULL), csv_names[i]);
    }
}

/* The names of two functions are shown as in C++. */
static void names_of_cpp(void **state)
{
    const struct linux_facts facts = {.release = "6.1.0-test"};
    const char *out;

    program_of("cpp.elf",
               ".text\n.globl _ZN5space1fEi\n.type _ZN5space1fEi,@function\n_ZN5space1fEi: nop\n.size _ZN5space1fEi,1\n"
               ".globl _ZN5ThingC2Ev\n.type _ZN5ThingC2Ev,@function\n_ZN5ThingC2Ev: nop\n.size _ZN5ThingC2Ev,1\n",
               "", "-Ttext=0x401000 -e 0");
    linux_begin(&event, 1);
    linux_map(1, 0x401000, 0x1000, 0x1000, "/gone/cpp.elf", 2);
    samples(2, 0x401000);
    samples(1, 0x401001);
    linux_write("cpp.data", &facts);
    out = tool_run(&command_annotate, "--csv", files_path("cpp.data"), NULL).out;
    assert_non_null(strstr(out, "\nfunction,/gone/cpp.elf,space::f,0x401000,,,,2,100,0,\n"));
    assert_non_null(strstr(out, "\nfunction,/gone/cpp.elf,Thing::Thing,0x401001,,,,1,100,0,\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines),          cmocka_unit_test(many_files),    cmocka_unit_test(places),
        cmocka_unit_test(inlined_pieces), cmocka_unit_test(without_lines), cmocka_unit_test(names_of_cpp),
    };

    return cmocka_run_group_tests(tests, NULL, files_end);
}
