/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs that compare has read stay open, but their files are not in memory. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/made_run.h"
#include "tests/unit/test.h"
#include "tools/ibsprof/compare/compare_load.h"

enum { RUNS = 3 };

/* Returns kilobytes of the mapped perf.data files that are in memory; *ret_maps: how many are mapped. */
static unsigned resident(unsigned *ret_maps)
{
    FILE *maps = fopen("/proc/self/smaps", "r");
    unsigned all = 0, kilobytes;
    unsigned long start, end;
    char line[1000];
    bool of_file = false;

    assert_non_null(maps);
    *ret_maps = 0;
    while (fgets(line, sizeof(line), maps)) {
        if (sscanf(line, "%lx-%lx ", &start, &end) == 2) {
            of_file = strstr(line, "/perf.data") != NULL;
            *ret_maps += of_file;
        }
        if (of_file && sscanf(line, "Rss: %u kB", &kilobytes) == 1)
            all += kilobytes;
    }
    fclose(maps);
    return all;
}

TEST(files_of_runs_are_let_go)
{
    struct compare_run runs[RUNS] = {{0}};
    struct load_options options = {0};
    struct perfdata_item item;
    char paths[RUNS][300];
    uint32_t different;
    unsigned maps;

    for (unsigned i = 0; i < RUNS; i++) {
        char folder[20];

        made_run_begin();
        made_run_op(3000 + i, (struct made_op){.at = 0x401010});
        snprintf(folder, sizeof(folder), "run%u", i);
        snprintf(paths[i], sizeof(paths[i]), "%s", made_run_write(folder, "workload = loop\n"));
        runs[i].path = paths[i];
    }
    assert_true(compare_load(runs, RUNS, &options, &different));
    assert_int_equal(different, RUNS);
    assert_int_equal(resident(&maps), 0);
    assert_int_equal(maps, RUNS);
    /* Reading the samples again brings the file into memory. */
    input_rewind(runs[0].input);
    assert_true(input_next(runs[0].input, &item));
    assert_true(resident(&maps) > 0);
    compare_unload(runs, RUNS);
}

RUN_TESTS(NULL, files_end)
