/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The runs of a plan, and which of them are there. A run that is saved says itself, in its run.ini, which one of the
 * plan it is, so a plan goes on where the power was cut, from whatever its runs were saved to. A boot server lists
 * nothing: there the plan writes what is done to two files in turns, of which one is always whole.
 */
#ifndef APP_PLAN_ROWS_H
#define APP_PLAN_ROWS_H

#include "app/base/firmware.h"
#include "app/settings/options.h"
#include "drivers/machine/machine.h"

enum { PLAN_BEGUN_MAX = 5 }; /* a run that was begun so often and never ended is left out */

struct plan_row {
    uint32_t key; /* a checksum of plan, section, settings and machine */
    bool done;
    uint8_t begun; /* so often, without an end */
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

/* Finds the runs that are there. False: there was no memory to look. */
bool plan_rows_find(struct plan_rows *rows, struct firmware *fw, const char *plan);

/* Keeps what is done where runs cannot be listed. */
enum firmware_error plan_rows_keep(const struct plan_rows *rows, struct firmware *fw, const char *plan);

/* Sums over the runs that are there. */
unsigned plan_rows_done(const struct plan_rows *rows, uint64_t *ret_ms);
/* Returns whether each point has so many samples at its hottest instruction. */
bool plan_rows_enough(const struct plan_rows *rows, uint64_t samples);

#endif
