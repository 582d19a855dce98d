/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds which runs of a plan are done. A saved run's run.ini has its place in the plan, so a plan continues after a
 * power cut, wherever its runs were saved. A boot server lists no files: there the plan writes its progress to two
 * files in turns, one of which is always complete.
 */
#ifndef APP_PLAN_ROWS_H
#define APP_PLAN_ROWS_H

#include "app/base/firmware.h"
#include "app/settings/options.h"
#include "drivers/machine/machine.h"

enum { PLAN_BEGUN_MAX = 5 }; /* a run that was begun so often without an end is skipped */

struct plan_row {
    uint32_t key; /* a checksum of plan, section, settings and machine */
    bool done;
    uint8_t begun; /* number of attempts without an end */
    uint32_t ms, hottest;
};

struct plan_rows {
    unsigned points, times;
    struct plan_row row[PLAN_RUNS_MAX]; /* [round * points + point] */
};

static inline struct plan_row *plan_row_of(struct plan_rows *rows, const struct plan_run *run)
{
    return &rows->row[run->round * rows->points + run->point];
}

/* Returns a checksum of the run in row 'at' with these settings. */
uint32_t plan_key(const char *plan, const struct settings_span *section, unsigned at, const struct options *options,
                  const struct machine *machine);

/* Finds the completed runs. Returns false if memory is short. */
bool plan_rows_find(struct plan_rows *rows, struct firmware *fw, const char *plan);

/* Saves the plan's progress if runs cannot be listed. */
enum firmware_error plan_rows_keep(const struct plan_rows *rows, struct firmware *fw, const char *plan);

/* Returns the number of completed runs, and the sum of their times. */
unsigned plan_rows_done(const struct plan_rows *rows, uint64_t *ret_ms);
/* Returns whether each point has this many samples at its hottest instruction. */
bool plan_rows_enough(const struct plan_rows *rows, uint64_t samples);

#endif
