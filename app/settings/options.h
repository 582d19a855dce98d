/* SPDX-License-Identifier: BSD-2-Clause */
/* Settings of the user: one table of rows over one struct. The keys of all workloads' parameters are added to it. */
#ifndef APP_OPTIONS_H
#define APP_OPTIONS_H

#include "app/settings/params.h"
#include "core/ibs/sample_stack.h"
#include "core/run/plan.h"
#include "drivers/cpu/paging.h"

enum {
    OPTIONS_NAME_MAX = 31, /* of a workload or configuration */
    OPTIONS_TEXT_MAX = 200,
    OPTIONS_REPEATS_MAX = 10000,
    OPTIONS_TRACE_OPS_MAX = 4096,
};

enum options_count { OPTIONS_COUNT_AUTO, OPTIONS_COUNT_OPS, OPTIONS_COUNT_CYCLES };

/* Where the periods of counter samples come from. */
enum options_periods { OPTIONS_PERIODS_AUTO, OPTIONS_PERIODS_GIVEN, OPTIONS_PERIODS_MEASURED };

enum options_selftest { OPTIONS_SELFTEST_YES, OPTIONS_SELFTEST_NO, OPTIONS_SELFTEST_FORCE };
/* Says who starts other cores; auto: this program where the firmware does not. */
enum options_core_start { OPTIONS_CORES_AUTO, OPTIONS_CORES_FIRMWARE, OPTIONS_CORES_OWN };

/* Where runs are saved. */
enum options_save { OPTIONS_SAVE_NO, OPTIONS_SAVE_FILES, OPTIONS_SAVE_TAR };
enum options_output { OPTIONS_OUTPUT_VOLUME, OPTIONS_OUTPUT_SERIAL };
enum options_usb_legacy { OPTIONS_USB_FIRMWARE, OPTIONS_USB_OFF };
enum options_code_pages { OPTIONS_CODE_FIRMWARE, OPTIONS_CODE_4K };

struct options {
#define NAME(key)               char key[OPTIONS_NAME_MAX + 1];
#define TEXT(key)               char key[OPTIONS_TEXT_MAX + 1];
#define UINT(key)               uint64_t key;
#define BOOL(key)               bool key;
#define CHOICE(key)             uint32_t key;
#define SETTING(type, key, ...) type(key)
#include "app/settings/options_rows.h"
#undef NAME
#undef TEXT
#undef UINT
#undef BOOL
#undef CHOICE
#undef SETTING
    struct params params; /* the workloads' */

    /* The processor's, for 'events', 'event' and 'config': no settings. */
    uint8_t event_set; /* core/family/event_set.h */

    struct settings_row row[SETTINGS_ROWS_MAX];
    unsigned line[SETTINGS_ROWS_MAX]; /* of the text that was read last: where it sets the row; 0: it does not */
    struct settings settings;
};

/* The next of the names in 'config', from *at on; *at is then after the name. False when none is left. */
bool options_next_config(const char **at, char name[OPTIONS_TEXT_MAX + 1]);

/* Fills the table and sets the defaults. False when a row is wrong, which is a defect of the program. */
bool options_init(struct options *options);

/* Returns whether a setting other than workloads' parameters has that name. */
bool options_has_key(const char *name);

/* A copy that goes on when the original changes. */
void options_copy(struct options *to, const struct options *from);

#endif
