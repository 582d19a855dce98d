/* Waiting for each other: with real threads, each a core. The processor below is not the fake one here but the host's
 * clock. */
#include "fake_cpu.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>

#include "drivers/gang.h"

enum { MEMBERS = 4, ROUNDS = 200 };

static struct gang gang;
static uint32_t in_body, most, began[MEMBERS], after[MEMBERS];

static void yield(unsigned pauses)
{
    sched_yield();
}

/* What a session does with its gang. */
static void *member(void *argument)
{
    uint32_t self = (uint32_t)(uintptr_t)argument;
    bool good = gang_reach(&gang, self, GANG_NODES) && gang_reach(&gang, self, GANG_READY);

    if (good) {
        uint32_t now = __atomic_add_fetch(&in_body, 1, __ATOMIC_SEQ_CST);
        began[self]++;
        if (now > __atomic_load_n(&most, __ATOMIC_SEQ_CST))
            __atomic_store_n(&most, now, __ATOMIC_SEQ_CST);
        if (gang_reach(&gang, self, GANG_DONE))
            after[self] += __atomic_load_n(&in_body, __ATOMIC_SEQ_CST);
    }
    gang_leave(&gang, self);
    return NULL;
}

/* Nobody passes a step before all have come to it. */
static void test_threads(void **state)
{
    fake_reset(4);
    fake.on_pause = yield;
    for (unsigned round = 0; round < ROUNDS; round++) {
        pthread_t thread[MEMBERS];

        gang_init(&gang, MEMBERS, true, 0, 0);
        in_body = 0;
        memset(after, 0, sizeof after);
        for (uintptr_t m = 1; m < MEMBERS; m++)
            assert_int_equal(pthread_create(&thread[m], NULL, member, (void *)m), 0);
        (void)member(NULL);
        for (unsigned m = 1; m < MEMBERS; m++)
            pthread_join(thread[m], NULL);
        for (unsigned m = 0; m < MEMBERS; m++)
            assert_int_equal(after[m], MEMBERS); /* all bodies had begun and were over */
        for (unsigned m = 1; m < MEMBERS; m++)
            assert_int_equal(gang_step_of(&gang, m), GANG_LEFT);
    }
    assert_int_equal(began[3], ROUNDS);
}

static void test_alone(void **state)
{
    fake_reset(4);
    assert_true(gang_reach(NULL, 0, GANG_READY));
    gang_leave(NULL, 0);
    gang_init(&gang, 1, true, 1, 1);
    assert_true(gang_reach(&gang, 0, GANG_DONE));
    gang_leave(&gang, 0);
    assert_int_equal(fake.pauses, 0);
}

struct late_row {
    enum gang_step at;   /* where the member hangs */
    enum gang_step step; /* what the leader waits for */
    uint64_t body;       /* time for the measured part */
    uint64_t from, to;   /* TSC ticks that it waits */
};

static void test_patience(void **state)
{
    static const struct late_row rows[] = {
        {GANG_AWAY, GANG_READY, 0, 100000, 110000},
        {GANG_NODES, GANG_READY, 7000000, 100000, 110000},
        {GANG_READY, GANG_DONE, 7000000, 7100000, 7110000},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fake_reset(4);
        gang_init(&gang, 3, true, 100000, rows[i].body);
        gang.member[1].step = GANG_LEFT; /* this one has failed, and keeps nobody */
        gang.member[2].step = rows[i].at;
        uint64_t from = fake.tsc;
        assert_true(gang_reach(&gang, 0, rows[i].step));
        assert_in_range(fake.tsc - from, rows[i].from, rows[i].to);
        assert_int_equal(gang_step_of(&gang, 2), GANG_GIVEN_UP);
        assert_int_equal(gang_step_of(&gang, 1), GANG_LEFT);
        assert_int_equal(gang.member[2].given_up_at, rows[i].at);
        assert_true(gang_step_text(rows[i].at)[0]);
        assert_int_equal(gang.open, rows[i].step);
        /* It comes after all, and is sent away at once. */
        assert_false(gang_reach(&gang, 2, GANG_NODES));
        assert_false(gang_reach(&gang, 2, GANG_READY));
        gang_leave(&gang, 2);
        assert_int_equal(gang_step_of(&gang, 2), GANG_GIVEN_UP);
    }
}

static void done_much_later(unsigned pauses)
{
    if (pauses == 100000)
        gang.member[1].step = GANG_DONE;
}

/* Without a limit the measured part may take as long as it likes, while nobody has ended it. */
static void test_no_limit(void **state)
{
    fake_reset(4);
    gang_init(&gang, 2, true, 100000, 0);
    gang.member[1].step = GANG_READY;
    fake.on_pause = done_much_later;
    assert_true(gang_reach(&gang, 0, GANG_DONE));
    assert_int_equal(gang_step_of(&gang, 1), GANG_DONE);
}

struct slow_row {
    uint64_t took[2];  /* of two that have ended */
    uint64_t from, to; /* ticks after which the third is given up */
};

/* Who takes a hundred times as long as the fastest, and the slack, never comes. */
static void test_slow_without_limit(void **state)
{
    static const struct slow_row rows[] = {
        {{1000, 2000}, 105000, 108000},
        {{90000, 3000}, 305000, 308000},
        {{0, 3000}, 305000, 308000}, /* the leader has no measured part */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fake_reset(4);
        gang_init(&gang, 3, true, 100, 0);
        gang.slack = 5000;
        gang.member[1].step = GANG_DONE;
        gang.member[2].step = GANG_READY;
        gang_worked(&gang, rows[i].took[0]);
        gang_worked(&gang, rows[i].took[1]);
        uint64_t from = fake.tsc;
        assert_true(gang_reach(&gang, 0, GANG_DONE));
        assert_in_range(fake.tsc - from, rows[i].from, rows[i].to);
        assert_int_equal(gang_step_of(&gang, 1), GANG_DONE);
        assert_int_equal(gang_step_of(&gang, 2), GANG_GIVEN_UP);
        assert_int_equal(gang.member[2].given_up_at, GANG_READY);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_alone),
        cmocka_unit_test(test_patience),
        cmocka_unit_test(test_no_limit),
        cmocka_unit_test(test_slow_without_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
