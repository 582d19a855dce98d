/* SPDX-License-Identifier: BSD-2-Clause */
/* What the user can set: one table of rows over one struct. The keys of all workloads' parameters are added to it. */
#ifndef APP_OPTIONS_H
#define APP_OPTIONS_H

#include "app/params.h"
#include "drivers/paging.h"

enum {
    OPTIONS_NAME_MAX = 31, /* of a workload or configuration */
    OPTIONS_TEXT_MAX = 200,
};

enum options_count { OPTIONS_COUNT_AUTO, OPTIONS_COUNT_OPS, OPTIONS_COUNT_CYCLES };

/* Where the periods of counter samples come from. */
enum options_periods { OPTIONS_PERIODS_AUTO, OPTIONS_PERIODS_GIVEN, OPTIONS_PERIODS_MEASURED };

enum options_code_pages { OPTIONS_CODE_FIRMWARE, OPTIONS_CODE_4K };

struct options {
    char workload[OPTIONS_NAME_MAX + 1];
    char config[OPTIONS_TEXT_MAX + 1]; /* one, or several with commas between: one run after the other */
    char events[OPTIONS_TEXT_MAX + 1];
    char show[OPTIONS_TEXT_MAX + 1];
    char batch[OPTIONS_TEXT_MAX + 1]; /* path of a file */
    bool op, fetch, random, save, menu, pager;
    uint32_t count;      /* enum options_count */
    uint32_t pages;      /* enum paging_kind */
    uint32_t code_pages; /* enum options_code_pages */
    uint32_t shuffled;
    char memory[OPTIONS_NAME_MAX + 1];
    uint32_t sharing; /* enum event_sharing */
    uint32_t periods; /* enum options_periods */
    uint64_t slice_us, timer_us;
    uint64_t limit_ms; /* 0: chosen */
    char cores[OPTIONS_TEXT_MAX + 1];
    uint64_t repeats;                                           /* 0: chosen */
    uint64_t op_period, fetch_period;                           /* 0: chosen for the workload */
    uint64_t noise_ms, noise_detours, noise_quanta, noise_work; /* 0: chosen */
    uint64_t seed, frame_seed, records;
    struct params params; /* the workloads' */

    struct settings_row row[SETTINGS_ROWS_MAX];
    struct settings settings;
};

/* The next of the names that 'config' has, from *at on; *at is then after the name. False when none is left. */
bool options_next_config(const char **at, char name[OPTIONS_TEXT_MAX + 1]);

/* Fills the table and sets the defaults. False when a row is wrong, which is a defect of the program. */
bool options_init(struct options *options);

#endif
