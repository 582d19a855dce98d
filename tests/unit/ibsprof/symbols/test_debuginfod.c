/* SPDX-License-Identifier: BSD-2-Clause */
/* Files from servers of debuginfod, as they are in the client's cache: no server answers at the port. */
#include "tests/unit/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/symbols/debuginfod.h"
#include "tools/ibsprof/symbols/object.h"

#define SERVER "http://127.0.0.1:9"

static char folder[40];
static const uint8_t id[4] = {0xab, 0x01, 0xff, 0x10}, other[4] = {0xab, 0x01, 0xff, 0x11};

static int setup(void **state)
{
    char command[300];

    strcpy(folder, "/tmp/ibsprof-server-XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(command, sizeof(command),
             "mkdir -p %s/ab01ff10 && echo x >%s/ab01ff10/debuginfo && cp %s %s/ab01ff10/executable", folder, folder,
             "build/ibsboot.elf", folder);
    assert_int_equal(system(command), 0);
    setenv("DEBUGINFOD_URLS", SERVER, 1);
    setenv("DEBUGINFOD_CACHE_PATH", folder, 1);
    return 0;
}

static int remove_folder(void **state)
{
    char command[100];

    unsetenv("DEBUGINFOD_URLS");
    unsetenv("DEBUGINFOD_CACHE_PATH");
    snprintf(command, sizeof(command), "rm -rf %s", folder);
    return system(command);
}

static void assert_file(bool debug, const char *name)
{
    char wanted[100], *path = debuginfod_file(id, sizeof(id), debug);

    snprintf(wanted, sizeof(wanted), "%s/ab01ff10/%s", folder, name);
    assert_string_equal(path, wanted);
    free(path);
}

TEST_WITH(programs_and_their_symbols, setup, remove_folder)
{
    assert_file(false, "executable");
    assert_file(true, "debuginfo");
    assert_null(debuginfod_file(other, sizeof(other), false));
    assert_null(debuginfod_file(id, 0, false));
    assert_null(debuginfod_file(id, 3, true));
}

/* If the user names no server, none is asked. */
TEST_WITH(no_servers, setup, remove_folder)
{
    setenv("DEBUGINFOD_URLS", "", 1);
    assert_null(debuginfod_file(id, sizeof(id), false));
    unsetenv("DEBUGINFOD_URLS");
    assert_null(debuginfod_file(id, sizeof(id), true));
}

/* A program is gone; a program that exists has another build-id than the server's. */
TEST_WITH(a_program_that_is_gone, setup, remove_folder)
{
    struct objects opened = {0};
    const struct object_search search = {0};
    const struct object *object = object_get(&opened, &search, "/gone/program", id, sizeof(id));

    assert_null(object->path);
    assert_string_equal(object->why_not, "the file found has a different build-id");
    object = object_get(&opened, &search, "/gone/program", other, sizeof(other));
    assert_string_equal(object->why_not, "no ELF file found");
    objects_free(&opened);
}

RUN_TESTS(NULL, NULL)
