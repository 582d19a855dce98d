/* SPDX-License-Identifier: BSD-2-Clause */
/* The user's settings: one table of rows over one struct, with the parameters of all workloads. */
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

/* Says where the periods of counter samples come from. */
enum options_periods { OPTIONS_PERIODS_AUTO, OPTIONS_PERIODS_GIVEN, OPTIONS_PERIODS_MEASURED };

enum options_selftest { OPTIONS_SELFTEST_YES, OPTIONS_SELFTEST_NO, OPTIONS_SELFTEST_FORCE };
/* Says who starts other cores; auto: this program if the firmware does not. */
enum options_core_start { OPTIONS_CORES_AUTO, OPTIONS_CORES_FIRMWARE, OPTIONS_CORES_OWN };

/* Says where runs are saved. */
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
    struct params params; /* parameters of the workloads */

    /* The processor's table of events for 'events', 'event' and 'config'; not a setting. */
    uint8_t event_set; /* core/family/event_set.h */

    struct settings_row row[SETTINGS_ROWS_MAX];
    unsigned line[SETTINGS_ROWS_MAX]; /* line of the latest text that sets the row; 0: none does */
    struct settings settings;
};

/* Reads the next name in 'config' from *at on, and moves *at past this name. Returns false if none is left. */
bool options_next_config(const char **at, char name[OPTIONS_TEXT_MAX + 1]);

/* Fills the table and sets the defaults. Returns false if a row is wrong, which is a defect of the program. */
bool options_init(struct options *options);

/* Returns whether a setting other than a workload's parameter has that name. */
bool options_has_key(const char *name);

/* Makes an independent copy. */
void options_copy(struct options *to, const struct options *from);

#endif
