/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A prepared run of config=hardware with completed steps, made-up counts and samples, to test each question.
 */
#ifndef TESTS_UNIT_APP_HARDWARE_MADE_H
#define TESTS_UNIT_APP_HARDWARE_MADE_H

#include "app/hardware/hardware.h"
#include "tests/unit/app/fake_trial.h"
#include "tests/unit/app/fixture.h"

#define CANNOT HARDWARE_NO_ANSWER
#define SAME   HARDWARE_EXPECTED
#define OTHER  HARDWARE_OTHERWISE

extern struct hardware *made;

/* Makes a new run on the fixture's machine, 'made_machine', without counts and samples, for each test. */
extern struct machine *made_machine;
void made_begin(void);

int made_setup(void **state);
int made_teardown(void **state);

/* Lists a test, whichever of these files defines it. */
void made_list(struct CMUnitTest test);
#define MADE(name_)                                                                                                    \
    static void name_(void **state);                                                                                   \
    __attribute__((constructor)) static void list_##name_(void)                                                        \
    {                                                                                                                  \
        made_list((struct CMUnitTest){#name_, name_, made_setup, made_teardown, NULL});                                \
    }                                                                                                                  \
    static void name_(void **state)

/* Sets a step's counters; the next two add op samples, and fetch samples. */
void made_count(enum hardware_steps step, uint64_t a, uint64_t b, uint64_t c, uint64_t d);
void made_ops(enum hardware_steps step, unsigned many, uint64_t data, uint64_t data2, uint64_t data3);
void made_fetches(enum hardware_steps step, unsigned many, uint64_t address, uint64_t ctl);

/* Asks a question, and compares the verdict and the text. */
void made_expect(enum hardware_question question, void (*ask)(struct hardware *), enum hardware_verdict verdict,
                 const char *found);
#define EXPECT(id, verdict, found) made_expect(HARDWARE_##id, hardware_ask_##id, verdict, found)

/* Expects the verdict "otherwise"; the row's 'turned' must name this condition. */
void made_turned(enum hardware_question question, void (*ask)(struct hardware *), const char *condition,
                 const char *found);
#define TURNED(id, condition, found) made_turned(HARDWARE_##id, hardware_ask_##id, condition, found)

/* Runs all tests, and finally checks that each question that a machine answers was seen as expected, and turned. */
int made_run(void);

#endif
