/* SPDX-License-Identifier: BSD-2-Clause */
#include "drivers/cores/gang.h"

#include <stddef.h>

#include "drivers/cpu/cpu.h"

enum { PAUSES_PER_LOOK = 64 }; /* reading the TSC costs a #VMEXIT under some hypervisors */

static uint32_t load(const uint32_t *value)
{
    return __atomic_load_n(value, __ATOMIC_ACQUIRE);
}

static void store(uint32_t *value, uint32_t new)
{
    __atomic_store_n(value, new, __ATOMIC_RELEASE);
}

static bool exchange(uint32_t *value, uint32_t old, uint32_t new)
{
    return __atomic_compare_exchange_n(value, &old, new, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

static bool alone(const struct gang *gang)
{
    return !gang || gang->members < 2;
}

void gang_init(struct gang *gang, struct gang_member *member, uint32_t members, bool ibs, uint64_t patience,
               uint64_t body)
{
    *gang = (struct gang){.members = members, .ibs = ibs, .patience = patience, .body = body, .member = member};
    for (uint32_t m = 0; m < members; m++)
        member[m] = (struct gang_member){.step = GANG_AWAY};
}

enum gang_step gang_step_of(const struct gang *gang, uint32_t member)
{
    return (enum gang_step)load(&gang->member[member].step);
}

const char *gang_step_text(uint32_t step)
{
    static const char *const texts[] = {
        [GANG_AWAY] = "it never began",
        [GANG_NODES] = "its setup did not end",
        [GANG_READY] = "the measured part did not end",
        [GANG_DONE] = "it did not return at its end",
    };
    return step < sizeof texts / sizeof texts[0] ? texts[step] : "";
}

/* Only the leader writes to another's step, and only once: so a failed exchange says that it has been given up. */
static bool advance(struct gang_member *member, enum gang_step step)
{
    uint32_t at = load(&member->step);
    return at != GANG_GIVEN_UP && exchange(&member->step, at, step);
}

static bool all_at(const struct gang *gang, enum gang_step step)
{
    for (uint32_t m = 1; m < gang->members; m++)
        if (gang_step_of(gang, m) < step)
            return false;
    return true;
}

static void give_up(struct gang *gang, enum gang_step step)
{
    for (uint32_t m = 1; m < gang->members; m++) {
        uint32_t at = load(&gang->member[m].step);
        while (at < step && !exchange(&gang->member[m].step, at, GANG_GIVEN_UP))
            at = load(&gang->member[m].step);
        if (at < step)
            gang->member[m].given_up_at = at;
    }
}

/* Waits for all members; ticks 0: for ever. */
static void wait_for_all(struct gang *gang, enum gang_step step, uint64_t ticks)
{
    uint64_t start = cpu_rdtsc();
    for (uint32_t pauses = 1; !all_at(gang, step); pauses++) {
        cpu_pause();
        if (ticks && pauses % PAUSES_PER_LOOK == 0 && cpu_rdtsc() - start > ticks)
            give_up(gang, step);
    }
}

void gang_worked(struct gang *gang, uint64_t ticks)
{
    if (alone(gang) || !ticks)
        return;
    uint64_t least = __atomic_load_n(&gang->took, __ATOMIC_ACQUIRE);
    while ((!least || ticks < least) &&
           !__atomic_compare_exchange_n(&gang->took, &least, ticks, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        ;
}

/* Waits for the end of a measured part without a limit: any time until one member has ended. */
static void wait_for_the_slow(struct gang *gang)
{
    uint64_t since = 0;
    for (uint32_t pauses = 1; !all_at(gang, GANG_DONE); pauses++) {
        cpu_pause();
        uint64_t took = __atomic_load_n(&gang->took, __ATOMIC_ACQUIRE);
        if (!took || pauses % PAUSES_PER_LOOK)
            continue;
        uint64_t now = cpu_rdtsc();
        since = since ? since : now;
        if (now - since > took * GANG_SLOWEST + gang->slack)
            give_up(gang, GANG_DONE);
    }
}

static void lead(struct gang *gang, enum gang_step step)
{
    if (step == GANG_DONE && !gang->body)
        wait_for_the_slow(gang);
    else if (step > GANG_NODES) /* at that one the leader goes first */
        wait_for_all(gang, step, gang->patience + (step == GANG_DONE ? gang->body : 0));
    store(&gang->open, step);
}

bool gang_reach(struct gang *gang, uint32_t member, enum gang_step step)
{
    if (alone(gang))
        return true;
    if (member == 0) {
        lead(gang, step);
        return true;
    }
    /* At GANG_NODES members come to wait for the leader. */
    if (step > GANG_NODES)
        (void)advance(&gang->member[member], step);
    while (load(&gang->open) < step) {
        if (gang_step_of(gang, member) == GANG_GIVEN_UP)
            return false;
        cpu_pause();
    }
    if (step == GANG_NODES)
        (void)advance(&gang->member[member], step); /* except one that was given up */
    return load(&gang->open) != GANG_LEFT && gang_step_of(gang, member) != GANG_GIVEN_UP;
}

void gang_leave(struct gang *gang, uint32_t member)
{
    if (alone(gang))
        return;
    if (member) {
        (void)advance(&gang->member[member], GANG_LEFT);
        return;
    }
    /* A member with an error of its own before all had begun waits for none. Later the members are let through to
     * their end. */
    if (load(&gang->open) < GANG_READY)
        store(&gang->open, GANG_LEFT);
    if (load(&gang->open) < GANG_DONE)
        lead(gang, GANG_DONE);
    else
        wait_for_all(gang, GANG_DONE, gang->patience);
}
