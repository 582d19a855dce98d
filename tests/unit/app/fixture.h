/* SPDX-License-Identifier: BSD-2-Clause */
/* Fixture of all tests of the application: the image's own code, a fake firmware and a fake session. */
#ifndef TESTS_UNIT_APP_FIXTURE_H
#define TESTS_UNIT_APP_FIXTURE_H

#include "tests/unit/test.h"
#include "tests/unit/app/fake_firmware.h"
#include "tests/unit/app/fake_session.h"

#define IMAGE_BASE 0x10000000ull

extern struct fake_firmware fake_fw;
extern uint8_t *text_bytes; /* the image's .text, matching the code map's hash */
extern struct image image;

/* Set up the group, and each test, for cmocka. */
int fixture_load(void **state);
int fixture_setup(void **state);
int fixture_teardown(void **state);

#define APP_TEST(name_) TEST_WITH(name_, fixture_setup, fixture_teardown)

/* Runs the application with these load options, and returns its status. Unless the options name them, it adds hold_s=0,
 * no self-test (start_as_is() makes it), and no reference of a run. */
int start(const char *options);
int start_as_is(const char *options);

/* Selects a workload that ends at once. */
#define SMALL "workload=tight-loop iterations=9"

/* Two nodes have two cores each, core 0 is the boot core: 20000000h to 3fffffffh belongs to node 0, up to 5fffffffh to
 * node 1. */
enum { NODE_1_MEMORY = 0x40000000 };
void set_two_nodes(void);

/* Sets the counts of the reference's eight events in 100 interrupts; tests may add others. */
void set_reference_counts(void);

/* Sets another processor: its row, registers and events. */
void set_family(uint32_t family, uint32_t model);

/* Searches the screen, and prints the screen on a failure. */
void assert_shown(const char *text);
void assert_not_shown(const char *text);
/* Searches the screen for the words, ignoring line breaks; times_said() counts the occurrences. */
void assert_says(const char *text);
unsigned times_said(const char *text);
/* Asserts the number of occurrences. */
void assert_shown_times(const char *text, unsigned times);
void assert_in_order(const char *const *texts, unsigned count);
/* Asserts that no line exceeds 79 columns. */
void assert_lines_fit(void);

/* Returns the contents of a file; fails if it was not written. */
const char *file_text(const char *path);

/* Returns "#: key = value" of a run's run.ini, by its folder's name; -1: no such key. */
long long fact(const char *folder, const char *key);
/* Returns the value as text, up to the end of its line, valid until the next call; "": no such key. */
const char *saved_fact(const char *folder, const char *key);

/* Returns the selects of a group of a pass, "0c0 076", valid until the next call. */
const char *group_text(const struct fake_pass *pass, unsigned group);

/* Compares everything that a run showed, did and wrote with tests/unit/app/golden/NAME: status, screen, sessions, noise
 * loops, and files. The screen's lines must fit, and report.txt must equal the screen. REBASE=1 rewrites the file, and
 * the test fails. */
void check_golden(const char *name, int status);
/* Compares a text with the golden file. */
void check_golden_text(const char *name, const char *text);
/* Compares all pictures of the screen, in order, with the golden file. */
void check_pictures(const char *name);

#endif
