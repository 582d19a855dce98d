/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by all tests of the application: the image's own code, a fake firmware and a fake session. */
#ifndef TESTS_UNIT_APP_FIXTURE_H
#define TESTS_UNIT_APP_FIXTURE_H

#include "tests/unit/test.h"
#include "tests/unit/app/fake_firmware.h"
#include "tests/unit/app/fake_session.h"

#define IMAGE_BASE 0x10000000ull

extern struct fake_firmware fake_fw;
extern uint8_t *text_bytes; /* the image's .text, as the code map's hash has it */
extern struct image image;

/* For cmocka: of the group, of each test. */
int fixture_load(void **state);
int fixture_setup(void **state);
int fixture_teardown(void **state);

#define APP_TEST(name_) TEST_WITH(name_, fixture_setup, fixture_teardown)

/* The application with these load options, and hold_s=0 unless they have another; its status. Without the self-test, of
 * which start_as_is() is the way, and without a run's reference, unless they name it. */
int start(const char *options);
int start_as_is(const char *options);

/* A workload that ends at once. */
#define SMALL "workload=tight-loop iterations=9"

/* Two nodes of two cores each, core 0 the boot core: 20000000h to 3fffffffh is node 0's, up to 5fffffffh node 1's. */
enum { NODE_1_MEMORY = 0x40000000 };
void set_two_nodes(void);

/* Sets how often the reference's eight events happen, in 100 interrupts; beside it more may be set. */
void set_reference_counts(void);

/* Another processor: its row, registers and events. */
void set_family(uint32_t family, uint32_t model);

/* strstr on the screen, with the screen shown when it fails. */
void assert_shown(const char *text);
void assert_not_shown(const char *text);
/* Searches the screen for the words, wherever its lines break; times_said() counts how often they are there. */
void assert_says(const char *text);
unsigned times_said(const char *text);
/* So many times. */
void assert_shown_times(const char *text, unsigned times);
void assert_in_order(const char *const *texts, unsigned count);
/* No line is longer than 79 columns. */
void assert_lines_fit(void);

/* Returns the contents of a file; fails when the file was not written. */
const char *file_text(const char *path);

/* "#: key = value" of a run's run.ini, by the name of its folder; -1 when it is not there. */
long long fact(const char *folder, const char *key);
/* The value as text, up to its line's end; overwritten by the next call. "" when it is not there. */
const char *saved_fact(const char *folder, const char *key);

/* Selects of a group of a pass: "0c0 076". Overwritten by the next call. */
const char *group_text(const struct fake_pass *pass, unsigned group);

/* Compares everything that a run showed, did and wrote with tests/unit/app/golden/NAME: status, screen, sessions, noise
 * loops, and files. The screen's lines must fit, and report.txt must be what it shows. REBASE=1 rewrites it, and the
 * test fails. */
void check_golden(const char *name, int status);
/* Compares a text with the golden file. */
void check_golden_text(const char *name, const char *text);
/* Compares all pictures of the screen, one below the other, with the golden file. */
void check_pictures(const char *name);

#endif
