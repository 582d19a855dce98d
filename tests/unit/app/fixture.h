/* What all of the application's tests start from: the image's own code, a firmware and a session that are fakes. */
#ifndef TESTS_UNIT_APP_FIXTURE_H
#define TESTS_UNIT_APP_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/app/fake_firmware.h"
#include "tests/unit/app/fake_session.h"

extern struct fake_firmware fake_fw;
extern uint8_t *text_bytes; /* the image's .text, so that the code map's hash holds */
extern uint64_t image_base;
extern struct image image;

/* For cmocka: of the group, of each test. */
int fixture_load(void **state);
int fixture_free(void **state);
int fixture_setup(void **state);
int fixture_teardown(void **state);

/* The application with these load options; its status. */
int start(const char *options);

/* strstr on the screen, with the screen shown when it fails. */
void assert_shown(const char *text);
void assert_not_shown(const char *text);
void assert_in_order(const char *const *texts, unsigned count);
/* No line is longer than 79 columns. */
void assert_lines_fit(void);

/* What was written to a file; fails when it was not. */
const char *file_text(const char *path);

/* "#: key = value" of a run's run.ini, by the name of its folder; -1 when it is not there. */
long long fact(const char *folder, const char *key);

/* Selects of a group of a pass: "0c0 076". Overwritten by the next call. */
const char *group_text(const struct fake_pass *pass, unsigned group);

#endif
