/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/app/hardware_made.h"

#include <stdio.h>
#include <string.h>

struct hardware *made;
struct machine *made_machine = &fake_session.machine;

static struct run run;
static bool held[HARDWARE_ROWS], turned[HARDWARE_ROWS];
static struct options options;
static struct CMUnitTest tests[100];
static unsigned listed;

static void made_end(void)
{
    if (made)
        run_release(&run);
    made = NULL;
}

void made_begin(void)
{
    struct out_memory problems;
    char text[200];

    made_end();
    fake_session_init(IMAGE_BASE);
    fake_trial_init();
    made_machine->l3_kb = 6144;
    out_memory_init(&problems, text, sizeof(text));
    assert_true(options_init(&options));
    snprintf(options.config, sizeof(options.config), "hardware");
    if (!run_prepare(&run, &fake_fw.firmware, made_machine, &options, &image, &problems.out))
        fail_msg("%s", text);
    made = run.own;
    for (unsigned i = 0; i < STEPS; i++) {
        const struct hardware_step_row *row = &hardware_step_rows[i];

        made->step[i].done = made->step[i].good = true;
        made->step[i].ibs = (struct ibs_plan){.op_period = row->op_period, .fetch_period = row->fetch_period};
    }
}

int made_setup(void **state)
{
    int error = fixture_setup(state);

    made_begin();
    return error;
}

int made_teardown(void **state)
{
    made_end();
    return fixture_teardown(state);
}

void made_count(enum hardware_steps step, uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    const uint64_t values[PMC_LEGACY] = {a, b, c, d};

    memcpy(made->step[step].count, values, sizeof(values));
}

static struct sample_record *next(enum hardware_steps step, enum sample_kind kind)
{
    struct sample_record *record = &made->step[step].records[made->step[step].samples++];

    assert_true(made->step[step].samples <= STEP_RECORDS);
    *record = (struct sample_record){.kind = kind};
    made->step[step].counts.recorded[kind]++;
    return record;
}

void made_ops(enum hardware_steps step, unsigned many, uint64_t data, uint64_t data2, uint64_t data3)
{
    for (; many; many--) {
        struct sample_record *record = next(step, SAMPLE_OP);

        record->reg[IBS_OP_DATA] = data;
        record->reg[IBS_OP_DATA2] = data2;
        record->reg[IBS_OP_DATA3] = data3;
    }
}

void made_fetches(enum hardware_steps step, unsigned many, uint64_t address, uint64_t ctl)
{
    for (; many; many--) {
        struct sample_record *record = next(step, SAMPLE_FETCH);

        record->reg[IBS_FETCH_LINAD] = address;
        record->reg[IBS_FETCH_CTL] = ctl;
    }
}

void made_expect(enum hardware_question question, void (*ask)(struct hardware *), enum hardware_verdict verdict,
                 const char *found)
{
    made->asking = question;
    made->answer[question] = (struct hardware_answer){0};
    ask(made);
    if (made->answer[question].verdict != verdict || strcmp(made->answer[question].found, found))
        fail_msg("%s: %s, %s\nand not: %s, %s", hardware_rows[question].id,
                 hardware_verdict_name(made->answer[question].verdict), made->answer[question].found,
                 hardware_verdict_name(verdict), found);
    held[question] |= verdict == SAME;
}

/* Returns a row's condition, without the switches of the virtual PMU before it. */
static const char *condition_of(const struct hardware_row *row)
{
    const char *end = strstr(row->turned, "`; ");

    return end ? end + 3 : row->turned;
}

void made_turned(enum hardware_question question, void (*ask)(struct hardware *), const char *condition,
                 const char *found)
{
    made_expect(question, ask, OTHER, found);
    assert_string_equal(condition_of(&hardware_rows[question]), condition);
    turned[question] = true;
}

static void each_answer_turns(void **state)
{
    for (unsigned i = 0; i < HARDWARE_ROWS; i++) {
        const struct hardware_row *row = &hardware_rows[i];
        bool by_hand = row->by == HARDWARE_BY_PERSON || row->by == HARDWARE_BY_CORES;

        if (by_hand ? *row->turned : !held[i] || !turned[i])
            fail_msg("question %u, %s: %s", row->number, row->id,
                     by_hand   ? "a person answers it, and 'turned' says what turns it"
                     : held[i] ? "no test turns its answer (TURNED)"
                               : "no test has it as expected (EXPECT)");
    }
}

void made_list(struct CMUnitTest test)
{
    tests[listed++] = test;
}

int made_run(void)
{
    made_list((struct CMUnitTest){"each_answer_turns", each_answer_turns, made_setup, made_teardown, NULL});
    return _cmocka_run_group_tests("tests", tests, listed, fixture_load, NULL);
}
