/* SPDX-License-Identifier: BSD-2-Clause */
/* Cores wait for one another: with real threads, each a core. The clock is the host's, not the fake processor's. */
#include "tests/unit/drivers/fake_cpu.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>

#include "drivers/cores/gang.h"

enum { MEMBERS = 4, ROUNDS = 200 };

static struct gang gang;
static struct gang_member members[4];
static uint32_t in_body, most, began[MEMBERS], after[MEMBERS];

static void yield(unsigned pauses)
{
    sched_yield();
}

/* Goes through the steps of a gang as a session does. */
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

/* No member passes a step before all have come to it. */
TEST(test_threads)
{
    fake_reset(4);
    fake.on_pause = yield;
    for (unsigned round = 0; round < ROUNDS; round++) {
        pthread_t thread[MEMBERS];

        gang_init(&gang, members, MEMBERS, true, 0, 0);
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

TEST(test_alone)
{
    fake_reset(4);
    assert_true(gang_reach(NULL, 0, GANG_READY));
    gang_leave(NULL, 0);
    gang_init(&gang, members, 1, true, 1, 1);
    assert_true(gang_reach(&gang, 0, GANG_DONE));
    gang_leave(&gang, 0);
    assert_int_equal(fake.pauses, 0);
}

struct late_row {
    enum gang_step at;   /* where the member stops answering */
    enum gang_step step; /* what the leader waits for */
    uint64_t body;       /* time for the measured part */
    uint64_t patience;   /* TSC ticks that the leader waits; one more is too many */
};

TEST(test_patience)
{
    static const struct late_row rows[] = {
        {GANG_AWAY, GANG_READY, 0, 100000},
        {GANG_NODES, GANG_READY, 7000000, 100000},
        {GANG_READY, GANG_DONE, 7000000, 7100000},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fake_reset(4);
        gang_init(&gang, members, 4, true, 100000, rows[i].body);
        gang.member[1].step = GANG_LEFT; /* this member has failed, and no other waits for it */
        gang.member[3].step = rows[i].step;
        gang.member[2].step = rows[i].at;
        fake.tsc = 1ull << 40;
        assert_true(gang_reach(&gang, 0, rows[i].step));
        /* Reading the TSC takes 1000 ticks here; it is read at the beginning and once every 64 pauses. */
        assert_int_equal(fake.tsc - (1ull << 40), 1000 + rows[i].patience + 1000);
        assert_int_equal(fake.pauses, 64 * (rows[i].patience / 1000 + 1));
        assert_int_equal(gang_step_of(&gang, 2), GANG_GIVEN_UP);
        assert_int_equal(gang_step_of(&gang, 1), GANG_LEFT);
        assert_int_equal(gang.member[2].given_up_at, rows[i].at);
        assert_int_equal(gang_step_of(&gang, 3), rows[i].step); /* in time */
        assert_int_equal(gang.member[3].given_up_at, 0);
        assert_int_equal(gang_step_of(&gang, 0), GANG_AWAY); /* the leader itself is not counted */
        assert_int_equal(gang.member[0].given_up_at, 0);
        assert_int_equal(gang.open, rows[i].step);
        /* The core that was given up comes after all, and is sent away at once. */
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

TEST(test_texts)
{
    assert_string_equal(gang_step_text(GANG_AWAY), "it never began");
    assert_string_equal(gang_step_text(GANG_NODES), "its setup did not end");
    assert_string_equal(gang_step_text(GANG_READY), "the measured part did not end");
    assert_string_equal(gang_step_text(GANG_DONE), "it did not return at its end");
    assert_string_equal(gang_step_text(GANG_LEFT), "");
    assert_string_equal(gang_step_text(GANG_GIVEN_UP), "");
}

struct leave_row {
    uint32_t open; /* how far members may go when the leader leaves, and after that */
    enum gang_step at;
    uint32_t open_then;
    enum gang_step at_then;
};

/* A leader that leaves: before all have begun, members need not begin; later the leader waits for their end, for a
 * limited time. */
TEST(test_leader_leaves)
{
    static const struct leave_row rows[] = {
        {GANG_AWAY, GANG_DONE, GANG_LEFT, GANG_DONE},      {GANG_NODES, GANG_LEFT, GANG_LEFT, GANG_LEFT},
        {GANG_READY, GANG_DONE, GANG_DONE, GANG_DONE},     {GANG_READY, GANG_READY, GANG_DONE, GANG_GIVEN_UP},
        {GANG_DONE, GANG_READY, GANG_DONE, GANG_GIVEN_UP}, {GANG_DONE, GANG_DONE, GANG_DONE, GANG_DONE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fake_reset(4);
        gang_init(&gang, members, 2, true, 100000, rows[i].open == GANG_DONE ? 0 : 50000);
        gang.open = rows[i].open;
        gang.member[1].step = rows[i].at;
        gang_leave(&gang, 0);
        assert_int_equal(gang.open, rows[i].open_then);
        assert_int_equal(gang_step_of(&gang, 1), rows[i].at_then);
    }
}

/* If one member leaves, the others continue. */
TEST(test_member_leaves)
{
    for (uint32_t open = GANG_AWAY; open <= GANG_DONE; open++) {
        fake_reset(4);
        gang_init(&gang, members, 3, true, 100000, 50000);
        gang.open = open;
        gang_leave(&gang, 1);
        assert_int_equal(gang.open, open);
        assert_int_equal(gang_step_of(&gang, 1), GANG_LEFT);
        assert_int_equal(gang_step_of(&gang, 2), GANG_AWAY);
        assert_int_equal(fake.pauses, 0);
    }
}

static void given_up_at_last(unsigned pauses)
{
    gang.open = GANG_NODES;
    gang.member[1].step = GANG_GIVEN_UP;
}

static void given_up_first(unsigned pauses)
{
    gang.member[1].step = GANG_GIVEN_UP;
    if (pauses > 1000)
        gang.open = GANG_NODES;
}

static void opened_at_last(unsigned pauses)
{
    gang.open = GANG_NODES;
}

/* A member that waits for the nodes is let through, or given up at the same moment. */
TEST(test_member_waits_for_the_nodes)
{
    fake_reset(4);
    gang_init(&gang, members, 2, true, 100000, 0);
    fake.on_pause = opened_at_last;
    assert_true(gang_reach(&gang, 1, GANG_NODES));
    assert_int_equal(gang_step_of(&gang, 1), GANG_NODES);
    gang_init(&gang, members, 2, true, 100000, 0);
    fake.on_pause = given_up_at_last;
    assert_false(gang_reach(&gang, 1, GANG_NODES));
    assert_int_equal(gang_step_of(&gang, 1), GANG_GIVEN_UP);
    fake_reset(4);
    gang_init(&gang, members, 2, true, 100000, 0);
    fake.on_pause = given_up_first;
    assert_false(gang_reach(&gang, 1, GANG_NODES));
    assert_int_equal(fake.pauses, 1); /* the member no longer waits for the leader */
}

/* The shortest measured part counts; a part that took no time does not count. */
TEST(test_worked)
{
    gang_init(&gang, members, 2, true, 0, 0);
    gang_worked(&gang, 0);
    assert_int_equal(gang.took, 0);
    gang_worked(&gang, 300);
    gang_worked(&gang, 0);
    gang_worked(&gang, 400);
    assert_int_equal(gang.took, 300);
    gang_worked(&gang, 200);
    assert_int_equal(gang.took, 200);
    gang_worked(NULL, 5);
    gang_init(&gang, members, 1, true, 0, 0);
    gang_worked(&gang, 5);
    assert_int_equal(gang.took, 0);
}

/* Without a limit the measured part may take any time until one member has ended its part. */
TEST(test_no_limit)
{
    fake_reset(4);
    gang_init(&gang, members, 2, true, 100000, 0);
    gang.member[1].step = GANG_READY;
    fake.on_pause = done_much_later;
    assert_true(gang_reach(&gang, 0, GANG_DONE));
    assert_int_equal(gang_step_of(&gang, 1), GANG_DONE);
}

struct slow_row {
    uint64_t took[2]; /* ticks of two members that have ended */
    uint64_t ticks; /* ticks at which the third is given up: the first reading, the bound, and the reading beyond it */
};

/* A member is given up if it takes a hundred times as long as the fastest, and the slack. */
TEST(test_slow_without_limit)
{
    static const struct slow_row rows[] = {
        {{1000, 2000}, 107000}, {{90000, 3000}, 307000}, {{0, 3000}, 307000}, /* the leader has no measured part */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fake_reset(4);
        gang_init(&gang, members, 3, true, 100, 0);
        gang.slack = 5000;
        gang.member[1].step = GANG_DONE;
        gang.member[2].step = GANG_READY;
        gang_worked(&gang, rows[i].took[0]);
        gang_worked(&gang, rows[i].took[1]);
        uint64_t from = fake.tsc = 1ull << 40;
        assert_true(gang_reach(&gang, 0, GANG_DONE));
        assert_int_equal(fake.tsc - from, rows[i].ticks);
        assert_int_equal(fake.pauses % 64, 0);
        assert_int_equal(gang_step_of(&gang, 1), GANG_DONE);
        assert_int_equal(gang_step_of(&gang, 2), GANG_GIVEN_UP);
        assert_int_equal(gang.member[2].given_up_at, GANG_READY);
    }
}

/* ---------------------------------------------------------------- another core's write between a look and a write */

/* The gang is in pages that can only be read. The first write raises an exception, in which the other core acts; then
 * the write is repeated. */
struct shared {
    struct gang gang;
    struct gang_member members[2];
};
static struct shared *shared;
static void (*meanwhile)(void);

static void other_core(int signal)
{
    (void)signal;
    mprotect(shared, sizeof *shared, PROT_READ | PROT_WRITE);
    meanwhile();
}

/* Interrupts the next write by this function. */
static void interrupt(void (*by)(void))
{
    struct sigaction action = {.sa_handler = other_core};

    meanwhile = by;
    assert_int_equal(sigaction(SIGSEGV, &action, NULL), 0);
    assert_int_equal(mprotect(shared, sizeof *shared, PROT_READ), 0);
}

static void begin_shared(uint32_t step)
{
    fake_reset(4);
    gang_init(&shared->gang, shared->members, 2, true, 1000, 1000);
    shared->members[1].step = step;
}

static void slower_ends(void)
{
    shared->gang.took = 500;
}

static void faster_ends(void)
{
    shared->gang.took = 200;
}

static void is_given_up(void)
{
    shared->members[1].step = GANG_GIVEN_UP;
}

static void gets_ready(void)
{
    shared->members[1].step = GANG_READY;
}

static void is_done(void)
{
    shared->members[1].step = GANG_DONE;
}

TEST(test_races)
{
    struct sigaction before;

    sigaction(SIGSEGV, NULL, &before);
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(shared != MAP_FAILED);
    /* Two members end at once: the shorter time counts, whichever writes first. */
    begin_shared(GANG_READY);
    interrupt(slower_ends);
    gang_worked(&shared->gang, 300);
    assert_int_equal(shared->gang.took, 300);
    begin_shared(GANG_READY);
    interrupt(faster_ends);
    gang_worked(&shared->gang, 300);
    assert_int_equal(shared->gang.took, 200);
    /* A member that is given up while it comes to a step has not come. */
    begin_shared(GANG_NODES);
    interrupt(is_given_up);
    assert_false(gang_reach(&shared->gang, 1, GANG_READY));
    assert_int_equal(gang_step_of(&shared->gang, 1), GANG_GIVEN_UP);
    /* A member that moves on while it is given up is given up at its new step, or not at all if it comes in time. */
    begin_shared(GANG_NODES);
    interrupt(gets_ready);
    (void)gang_reach(&shared->gang, 0, GANG_DONE);
    assert_int_equal(gang_step_of(&shared->gang, 1), GANG_GIVEN_UP);
    assert_int_equal(shared->members[1].given_up_at, GANG_READY);
    begin_shared(GANG_NODES);
    interrupt(is_done);
    (void)gang_reach(&shared->gang, 0, GANG_DONE);
    assert_int_equal(gang_step_of(&shared->gang, 1), GANG_DONE);
    assert_int_equal(shared->members[1].given_up_at, 0);
    sigaction(SIGSEGV, &before, NULL);
    munmap(shared, sizeof *shared);
}

RUN_TESTS(NULL, NULL)
