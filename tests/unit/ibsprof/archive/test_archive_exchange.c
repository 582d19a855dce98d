/* SPDX-License-Identifier: BSD-2-Clause */
/* ibsprof archive export and import: the same runs give the same files, and files that were changed on the way are
 * refused. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/ibsprof/archived.h"
#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/refused.h"

static int begin(void **state)
{
    files_remove_all();
    archived_make_runs("stick/runs");
    /* Text that CSV quotes, and another machine with figures. */
    archived_put(
        "more/1", "run.ini",
        "workload = \"a \"\"b\"\", c\"\n#: machine.name = Other, \"2\"\n#: started = 2026-05-05\n#: samples.op = 7\n");
    archived_put("more/1", "profile.csv",
                 ARCHIVED_MAP "F100 All IBS op [samples]\n0x10,f,f.c,7,\"mov rax, \"\"x\"\"\",7\n");
    archived_put("more/1", "empty.bin", "");
    assert_int_equal(archived_run("add", files_path("a.db"), "stick", NULL).status, EXIT_DONE);
    assert_int_equal(archived_run("add", files_path("a.db"), "more", NULL).status, EXIT_DONE);
    tool_expect(archived_run("export", files_path("a.db"), "out", NULL), EXIT_DONE, "", "");
    return 0;
}

/* Reads a file of the tests' folder. */
static const char *text_of(const char *name)
{
    static char text[20000];
    FILE *file = fopen(files_path(name), "r");
    size_t size;

    assert_non_null(file);
    size = fread(text, 1, sizeof(text) - 1, file);
    text[size] = '\0';
    fclose(file);
    return text;
}

static int same_folders(const char *a, const char *b)
{
    char command[700];

    snprintf(command, sizeof(command), "diff -r %s %s", files_path(a), files_path(b));
    return system(command);
}

static void writes_tables(void **state)
{
    expect_file(strstr(text_of("out/schema.json"), "\"tables\""), "archive/archive-export-schema.json");
    expect_file(text_of("out/machines.csv"), "archive/archive-export-machines.csv");
    expect_file(text_of("out/runs.csv"), "archive/archive-export-runs.csv");
    expect_file(text_of("out/run_files.csv"), "archive/archive-export-files.csv");
    expect_file(text_of("out/figures/machine=d2019a1bede8bdde/figures.csv"), "archive/archive-export-figures.csv");
    /* The name is the sha256sum of an empty file. */
    assert_string_equal(text_of("out/contents/e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"), "");
    tool_expect(archived_run("export", files_path("a.db"), "out", NULL), EXIT_OUTPUT, "",
                "ibsprof: FILES/out: there is an export already: name another folder\n");
    files_write("file", "", 0);
    assert_int_equal(archived_run("export", files_path("a.db"), "file", NULL).status, EXIT_OUTPUT);
}

static void import_gives_the_same(void **state)
{
    static const char *const answers[] = {"list", "query"};
    char place[300];

    snprintf(place, sizeof(place), "%s", files_path("b.db"));
    tool_expect(archived_run("import", place, "out", NULL), EXIT_DONE, "5 added, 0 already there, 0 failed\n", "");
    tool_expect(archived_run("import", place, "out", NULL), EXIT_DONE, "0 added, 5 already there, 0 failed\n", "");
    tool_expect(archived_run("add", place, "stick", NULL), EXIT_DONE, "0 added, 5 already there, 0 failed\n", "");
    tool_expect(archived_run("export", place, "out2", NULL), EXIT_DONE, "", "");
    assert_int_equal(same_folders("out", "out2"), 0);
    for (unsigned i = 0; i < 2; i++) {
        char *first = strdup(archived_run(answers[i], files_path("a.db"), NULL, "--json").out);

        expect_text(archived_run(answers[i], place, NULL, "--json").out, first);
        free(first);
    }
}

/* Expects that an export waits for the disk once, not for each file, and then says that the folder is whole. */
static void waits_for_the_disk_once(void **state)
{
    refuse(REFUSED_FSYNC, 0, EIO);
    refuse(REFUSED_SYNCFS, 0, EIO);
    tool_expect(archived_run("export", files_path("a.db"), "out2", NULL), EXIT_OUTPUT, "",
                "ibsprof: FILES/out2: cannot be written: Input/output error\n");
    assert_int_equal(access(files_path("out2/runs.csv"), F_OK), 0);
    assert_int_not_equal(access(files_path("out2/schema.json"), F_OK), 0);
    tool_expect(archived_run("export", files_path("a.db"), "out2", NULL), EXIT_DONE, "", "");
    refuse(REFUSED_FSYNC, 0, 0);
    assert_int_equal(same_folders("out", "out2"), 0);
}

/* Imports after replacing one text by another in a file, and expects this message. */
static void refused(const char *name, const char *from, const char *to, const char *said)
{
    char *text = strdup(text_of(name)), *at = strstr(text, from), *changed, place[300];
    struct tool_result got;
    static int number;

    assert_non_null(at);
    assert_int_not_equal(asprintf(&changed, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from)), -1);
    files_write(name, changed, strlen(changed));
    snprintf(place, sizeof(place), "%s/c%d.db", files_path(""), number++);
    got = archived_run("import", place, "out", NULL);
    assert_int_equal(got.status, EXIT_INPUT);
    expect_text(got.err, said);
    files_write(name, text, strlen(text));
    free(text);
    free(changed);
}

static void changed_exports(void **state)
{
    static const char figures[] = "out/figures/machine=d2019a1bede8bdde/figures.csv";

    refused("out/machines.csv", "key,name", "name,key",
            "ibsprof: FILES/out/machines.csv: it does not have the columns of version 3: export the archive again\n");
    refused("out/machines.csv", "\nd2", "\n../d2",
            "ibsprof: FILES/out/machines.csv: line 5: its first field is not a key: export the archive again\n");
    refused("out/snapshots.csv", ",", ",x,",
            "ibsprof: FILES/out/snapshots.csv: it does not have the columns of version 3: export the archive again\n");
    refused("out/run_files.csv", "run.ini", "run.iny",
            "ibsprof: FILES/out: the files of run 480af6ee8c30 differ from those that were archived\n");
    refused(figures, ",f,", ",f,f,",
            "ibsprof: FILES/out/figures/machine=d2019a1bede8bdde/figures.csv: line 7: it has more or fewer fields than "
            "the first line: export the archive again\n");
    refused("out/runs.csv", ",loop,", ",loop,x,",
            "ibsprof: FILES/out/runs.csv: line 5: it has more or fewer fields than the first line: export the archive "
            "again\n");
    refused("out/contents/e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "", "x",
            "ibsprof: FILES/out: the files of run 480af6ee8c30 differ from those that were archived\n");
    assert_int_equal(unlink(files_path("out/runs.csv")), 0);
    tool_expect(archived_run("import", files_path("d.db"), "out", NULL), EXIT_INPUT,
                "0 added, 0 already there, 0 failed\n", "ibsprof: FILES/out/runs.csv: No such file or directory\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(writes_tables, begin),
        cmocka_unit_test_setup(import_gives_the_same, begin),
        cmocka_unit_test_setup(changed_exports, begin),
        cmocka_unit_test_setup(waits_for_the_disk_once, begin),
    };
    return cmocka_run_group_tests_name("archive_exchange", tests, NULL, files_end);
}
