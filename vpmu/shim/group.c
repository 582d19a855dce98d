/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Several cores and one time. While a core is stepped, the order of all cores' actions follows from the model's time
 * alone, whatever the host's threads do: the same seed gives the same truth.
 *
 *   A stepped core has its place in the group's time by the model's cycles. The last core runs until it is a quantum
 *   ahead of another.
 *
 *   A core that is not stepped runs at QEMU's speed, up to an event that the shim sees: a PAUSE, by which it waits for
 *   another core, or the write that begins its own stepping. Until then it has its turn, and no other core's time
 *   advances. Each PAUSE but the first advances its place, so it checks again when the stepped cores have reached that
 *   place. HLT removes it from the group: it waits for an interrupt.
 *
 * So when the first core begins to be stepped, its first step waits for all other cores, which usually are about to
 * begin as well: they begin at the same time.
 *
 * A core that waits for its turn executes PAUSE, at which QEMU's single thread for all cores switches to another.
 */
#include "vpmu/shim/hypervisor.h"

enum {
    QUANTUM = 100,       /* cycles of the model: less than a line takes from one core to the other */
    PAUSE_TICKS = 10000, /* between two checks of a core that is not stepped: each costs an exit, as much as 50 steps */
    /* A turn in which the core's time does not advance: it waits for another without PAUSE or HLT, and QEMU's thread
     * stays with it for 0.1 s at a time (TCG_KICK_PERIOD), so this is 10 s; or it was stepped, and is in a handler that
     * does not return (a core left running in memory that its program has freed faults endlessly). */
    PATIENCE = 100, /* times the number of cores */
};

static struct group *const group = &hypervisor.group;

static bool try_lock(void)
{
    return !__atomic_exchange_n(&group->lock, 1, __ATOMIC_ACQUIRE);
}

static void lock(void)
{
    while (!try_lock())
        __asm__ volatile("pause");
}

static void unlock(void)
{
    __atomic_store_n(&group->lock, 0, __ATOMIC_RELEASE);
}

static bool has(uint32_t cores, uint32_t core)
{
    return cores >> core & 1;
}

/* Returns a core's place in the group's time. */
static uint64_t place(uint32_t core)
{
    const struct shim *shim = &hypervisor.shim[core];
    return has(group->stepped, core) ? shim->turn.joined_with + vpmu_tsc(shim->model) - shim->turn.joined
                                     : group->place[core];
}

/* Returns the last of these cores in the group's time, without 'except'; WORLD_CORES: none. */
static uint32_t last(uint32_t cores, uint32_t except)
{
    uint32_t found = WORLD_CORES;
    for (uint32_t i = 0; i < hypervisor.cores; i++)
        if (has(cores, i) && i != except && (found == WORLD_CORES || place(i) < place(found)))
            found = i;
    return found;
}

static uint64_t advance_now(void)
{
    uint32_t core = last(group->stepped, WORLD_CORES);
    if (core < WORLD_CORES && place(core) > group->advance)
        group->advance = place(core);
    return group->advance;
}

static uint64_t host_now(void)
{
    return (group->stepped ? group->since : x86_rdtsc()) - group->frozen;
}

void group_time(uint64_t *host, uint64_t *advance)
{
    lock();
    *host = host_now();
    *advance = advance_now();
    unlock();
}

/* Gives the turn to the last core; at the same place, a core that is not stepped comes first. */
static void pass_on(void)
{
    uint32_t runs = last(group->running, WORLD_CORES), steps = last(group->stepped, WORLD_CORES);
    group->turn = steps == WORLD_CORES || (runs < WORLD_CORES && place(runs) <= place(steps)) ? runs : steps;
    group->asked = 0;
}

/* Ends the stepping of a core. */
static void take_out(uint32_t core)
{
    uint64_t own = place(core);
    group->stepped &= ~(1u << core);
    if (!group->stepped) {
        group->frozen += x86_rdtsc() - group->since;
        group->advance = own > group->advance ? own : group->advance;
    }
    group->place[core] = own;
}

static void give_up(uint32_t core)
{
    if (has(group->stepped, core)) {
        take_out(core);
        group->lost |= 1u << core;
    }
    group->running &= ~(1u << core);
    group->not_waited++;
    pass_on();
}

/* Requests the turn of another core. */
static void ask(void)
{
    if (group->turn == WORLD_CORES)
        return;
    if (place(group->turn) != group->stands) {
        group->stands = place(group->turn);
        group->asked = 0;
    }
    if (++group->asked > PATIENCE * hypervisor.cores)
        give_up(group->turn);
}

/* Lets all cores check again: the current turn may end earlier than planned. */
static void look_around(void)
{
    for (uint32_t i = 0; i < hypervisor.cores; i++)
        hypervisor.shim[i].turn.until = hypervisor.cores == 1 ? UINT64_MAX : 0;
}

static void enter(uint32_t core)
{
    if (!has(group->stepped | group->running, core)) {
        group->running |= 1u << core;
        group->place[core] = advance_now();
        look_around();
    }
}

void group_enter(struct shim *shim)
{
    lock();
    enter(shim->core);
    unlock();
}

void group_rest(struct shim *shim)
{
    lock();
    group->running &= ~(1u << shim->core);
    if (group->turn == shim->core)
        pass_on();
    unlock();
}

void group_stop(struct shim *shim, volatile uint32_t *command, uint32_t init)
{
    lock();
    *command = init;
    if (has(group->stepped, shim->core))
        take_out(shim->core);
    group->lost &= ~(1u << shim->core);
    group->running &= ~(1u << shim->core);
    if (group->turn == shim->core)
        pass_on();
    look_around();
    unlock();
}

static void join(struct shim *shim)
{
    uint64_t now = advance_now();
    shim->turn.joined = vpmu_tsc(shim->model);
    shim->turn.joined_with = now;
    group->running &= ~(1u << shim->core);
    if (!group->stepped) {
        group->since = shim->clock.last + group->frozen; /* not now: QEMU may have translated code since then */
        group->unchecked = group->running;
        for (uint32_t i = 0; i < hypervisor.cores; i++)
            group->place[i] = now;
    }
    group->stepped |= 1u << shim->core;
    group->lost &= ~(1u << shim->core);
    look_around();
    pass_on();
}

void group_join(struct shim *shim)
{
    lock();
    /* With the lock: had another core begun in between, this core's clock would be of another time than the group's. */
    clock_begin_stepping(shim, host_now(), advance_now());
    join(shim);
    unlock();
}

void group_leave(struct shim *shim)
{
    lock();
    if (has(group->stepped, shim->core))
        take_out(shim->core);
    group->lost &= ~(1u << shim->core);
    group->running |= 1u << shim->core; /* it continues, in zero time, until it waits for the others */
    clock_restart(shim, advance_now());
    unlock();
}

bool group_turn(struct shim *shim)
{
    /* The plugin must not wait: the lock's owner may be a core that the same thread continues later. */
    if (!try_lock())
        return false;
    if (has(group->lost, shim->core))
        join(shim); /* it has returned from a long handler */
    if (group->turn == shim->core) {
        uint32_t others = last(group->stepped | group->running, shim->core);
        shim->turn.until =
            others == WORLD_CORES ? UINT64_MAX : place(others) + QUANTUM - shim->turn.joined_with + shim->turn.joined;
        if (vpmu_tsc(shim->model) >= shim->turn.until) {
            shim->turn.until = 0;
            pass_on();
        }
    } else {
        ask();
    }
    bool mine = group->turn == shim->core;
    unlock();
    return mine;
}

void group_pass(struct shim *shim)
{
    lock();
    uint64_t now = advance_now();
    enter(shim->core);
    if (has(group->unchecked, shim->core)) {
        /* QEMU may have left this core between its check and this PAUSE, and the first core may have begun meanwhile:
         * only the check after this PAUSE is one of the group's time. */
        group->unchecked &= ~(1u << shim->core);
    } else if (group->stepped) {
        uint64_t *own = &group->place[shim->core];
        *own = (*own > now ? *own : now) + PAUSE_TICKS;
        if (group->turn == shim->core)
            pass_on();
    }
    for (;;) {
        bool wait = group->stepped && group->turn != shim->core;
        if (wait)
            ask();
        unlock();
        __asm__ volatile("pause");
        if (!wait)
            return;
        lock();
    }
}
