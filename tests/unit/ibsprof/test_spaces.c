/* Which file a sample lies in after forks and execs. Rows are records in the order of their times; each row ends with a
 * sample and the file that it should be found in, as 'perf script' finds it unless the row says otherwise. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/perfdata_format.h"
#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/made.h"
#include "tools/ibsprof/spaces.h"

enum what { END, MAP, COMM, EXEC, FORK, FORK_TOLD, SAMPLE };
enum { RECORDS = 8 };

static const struct {
    const char *name;
    struct {
        enum what what;
        uint32_t pid, parent;
        uint64_t start;
        const char *text; /* of a map or sample: the file */
    } records[RECORDS];
} rows[] = {
    {"a child has its parent's maps",
     {{MAP, .pid = 1, .start = 0x1000, .text = "/a"},
      {FORK, .pid = 2, .parent = 1},
      {SAMPLE, .pid = 2, .start = 0x1800, .text = "/a"}}},
    {"a child's own map does not change its parent's",
     {{MAP, .pid = 1, .start = 0x1000, .text = "/a"},
      {FORK, .pid = 2, .parent = 1},
      {MAP, .pid = 2, .start = 0x1000, .text = "/b"},
      {SAMPLE, .pid = 1, .start = 0x1800, .text = "/a"},
      {SAMPLE, .pid = 2, .start = 0x1800, .text = "/b"}}},
    {"a pid is used again, the EXIT was lost: the new process has its parent's maps",
     {{MAP, .pid = 1, .start = 0x1000, .text = "/a"},
      {MAP, .pid = 2, .start = 0x1000, .text = "/b"},
      {FORK, .pid = 2, .parent = 1},
      {SAMPLE, .pid = 2, .start = 0x1800, .text = "/a"}}},
    {"perf tells of a process that was there: it has nothing from its parent",
     {{MAP, .pid = 1, .start = 0x1000, .text = "/a"},
      {FORK_TOLD, .pid = 2, .parent = 1},
      {SAMPLE, .pid = 2, .start = 0x1800, .text = NULL}}},
    {"and its own maps follow",
     {{MAP, .pid = 1, .start = 0x1000, .text = "/a"},
      {FORK_TOLD, .pid = 2, .parent = 1},
      {MAP, .pid = 2, .start = 0x5000, .text = "/b"},
      {SAMPLE, .pid = 2, .start = 0x1800, .text = NULL},
      {SAMPLE, .pid = 2, .start = 0x5800, .text = "/b"}}},
    {"a thread changes nothing",
     {{MAP, .pid = 1, .start = 0x1000, .text = "/a"},
      {FORK, .pid = 1, .parent = 1},
      {SAMPLE, .pid = 1, .start = 0x1800, .text = "/a"}}},
    /* perf finds nothing: it has not seen the map yet. ibsprof looks again at the end, and must not take the old
     * program for it. */
    {"behind an exec the maps of before are gone",
     {{MAP, .pid = 1, .start = 0x1000, .text = "/a"},
      {EXEC, .pid = 1},
      {SAMPLE, .pid = 1, .start = 0x1800, .text = "/b"},
      {MAP, .pid = 1, .start = 0x1000, .text = "/b"}}},
    {"a new name alone leaves them",
     {{MAP, .pid = 1, .start = 0x1000, .text = "/a"},
      {COMM, .pid = 1},
      {SAMPLE, .pid = 1, .start = 0x1800, .text = "/a"}}},
    {"an exec leaves those of the parent",
     {{MAP, .pid = 1, .start = 0x1000, .text = "/a"},
      {FORK, .pid = 2, .parent = 1},
      {EXEC, .pid = 2},
      {SAMPLE, .pid = 1, .start = 0x1800, .text = "/a"}}},
};

static void make_row(size_t row)
{
    made_begin();
    for (int i = 0; i < RECORDS && rows[row].records[i].what != END; i++) {
        uint32_t pid = rows[row].records[i].pid, parent = rows[row].records[i].parent;
        uint64_t start = rows[row].records[i].start, time = 10 * ((uint64_t)i + 1);

        switch (rows[row].records[i].what) {
        case MAP:
            made_map(pid, start, 0x1000, rows[row].records[i].text, time);
            break;
        case COMM:
        case EXEC:
            made_comm(pid, "new", rows[row].records[i].what == EXEC ? PERFDATA_MISC_COMM_EXEC : 0, time);
            break;
        case FORK:
        case FORK_TOLD:
            made_fork(pid, parent, rows[row].records[i].what == FORK_TOLD ? PERFDATA_MISC_FORK_EXEC : 0, time);
            break;
        default:
            made_sample(MADE_A, pid, start, time);
            break;
        }
    }
}

static void test_forks_and_execs(void **state)
{
    for (size_t row = 0; row < sizeof(rows) / sizeof(rows[0]); row++) {
        struct spaces_place places[RECORDS];
        struct spaces *spaces = spaces_make(NULL);
        struct input_item item;
        struct input *input;
        int count = 0, at = 0;

        make_row(row);
        input = made_open();
        while (input_next(input, &item) && item.kind != INPUT_END) {
            if (item.kind == INPUT_SAMPLE)
                places[count++] = spaces_locate(spaces, item.sample.pid, item.sample.mode, item.sample.ip);
            else
                spaces_item(spaces, &item);
        }
        for (int i = 0; i < RECORDS && rows[row].records[i].what != END; i++) {
            const char *wanted = rows[row].records[i].text, *got;

            if (rows[row].records[i].what != SAMPLE)
                continue;
            got = !(places[at].file & SPACES_UNKNOWN) || spaces_locate_late(spaces, &places[at])
                      ? spaces_file(spaces, places[at].file)->name
                      : NULL;
            if ((got == NULL) != (wanted == NULL) || (got != NULL && strcmp(got, wanted) != 0))
                fail_msg("%s: sample %d is in %s, not in %s", rows[row].name, at, got ? got : "nothing",
                         wanted ? wanted : "nothing");
            at++;
        }
        assert_int_equal(at, count);
        spaces_free(spaces);
        input_close(input);
    }
}

static int tidy(void **state)
{
    files_remove_all();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_forks_and_execs)};

    return cmocka_run_group_tests(tests, NULL, tidy);
}
