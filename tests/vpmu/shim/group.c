/*
 * Cores that are stepped at the same time: one at a time tells the model of its steps, always the one whose time is the
 * least, so that what they do to the caches that they share is in the order of the model's time, whatever the host's
 * threads do. A core goes on until it is a quantum ahead of another.
 *
 * Who waits executes PAUSE, at which QEMU's single thread for all cores goes on with the next one at once.
 */
#include "tests/vpmu/shim/shim.h"

enum { QUANTUM = 100 }; /* cycles of the model: less than a line takes from one core to the other */

static struct {
    uint32_t lock;
    uint32_t stepped; /* bit n: core n is */
    uint32_t turn;    /* whose it is */
    uint64_t advance; /* of the model's time while any was, over all */
    uint64_t frozen;  /* the host's time meanwhile */
    uint64_t since;   /* the host's TSC when the first one began */
} group;

static void lock(void)
{
    while (__atomic_exchange_n(&group.lock, 1, __ATOMIC_ACQUIRE)) {
        __asm__ volatile("pause");
    }
}

static void unlock(void)
{
    __atomic_store_n(&group.lock, 0, __ATOMIC_RELEASE);
}

static bool stepped(uint32_t core)
{
    return group.stepped >> core & 1;
}

/* A core's place in the group's time. */
static uint64_t place(uint32_t core)
{
    const struct shim *shim = &shims[core];
    return shim->turn.joined_with + vpmu_tsc(shim->model) - shim->turn.joined;
}

/* The core that is behind all others but 'except'; WORLD_CORES: there is none. */
static uint32_t last(uint32_t except)
{
    uint32_t found = WORLD_CORES;
    for (uint32_t i = 0; i < shim_cores; i++) {
        if (stepped(i) && i != except && (found == WORLD_CORES || place(i) < place(found))) {
            found = i;
        }
    }
    return found;
}

static uint64_t advance_now(void)
{
    uint32_t behind = last(WORLD_CORES);
    if (behind < WORLD_CORES && place(behind) > group.advance) {
        group.advance = place(behind);
    }
    return group.advance;
}

void group_time(uint64_t *host, uint64_t *advance)
{
    lock();
    *host = (group.stepped ? group.since : x86_rdtsc()) - group.frozen;
    *advance = advance_now();
    unlock();
}

/* How far the core whose turn it is may go when 'behind' is the last of the others. Alone it goes on for ever, unless
 * there are cores that may be on their way to being stepped: they are given time now and then. */
static uint64_t end_of_turn(const struct shim *shim, uint32_t behind)
{
    if (behind < WORLD_CORES) {
        return place(behind) + QUANTUM - shim->turn.joined_with + shim->turn.joined;
    }
    return shim_cores == 1 ? UINT64_MAX : vpmu_tsc(shim->model) + QUANTUM;
}

void group_join(struct shim *shim)
{
    lock();
    shim->turn.joined = vpmu_tsc(shim->model);
    shim->turn.joined_with = advance_now();
    if (!group.stepped) {
        group.since = shim->clock.last + group.frozen; /* not now: QEMU may have translated code since then */
        group.turn = shim->core;
    }
    group.stepped |= 1u << shim->core;
    shims[group.turn].turn.until = 0; /* it is to look around */
    shim->turn.until = 0;
    unlock();
}

void group_leave(struct shim *shim)
{
    lock();
    if (stepped(shim->core)) {
        uint64_t own = place(shim->core);
        group.stepped &= ~(1u << shim->core);
        if (!group.stepped) {
            group.frozen += x86_rdtsc() - group.since;
            group.advance = own > group.advance ? own : group.advance;
        } else if (group.turn == shim->core) {
            group.turn = last(WORLD_CORES);
        }
    }
    unlock();
}

void group_wait(struct shim *shim)
{
    for (;;) {
        lock();
        bool mine = group.turn == shim->core, go = false;
        uint32_t behind = last(shim->core);
        if (mine) {
            shim->turn.until = end_of_turn(shim, behind);
            go = vpmu_tsc(shim->model) < shim->turn.until;
            if (!go) {
                group.turn = behind;
                shim->turn.until = 0;
            }
        }
        unlock();
        if (go && behind < WORLD_CORES) {
            return;
        }
        __asm__ volatile("pause");
        if (go) {
            return;
        }
    }
}
