/* SPDX-License-Identifier: BSD-2-Clause */
#include "drivers/cpu/clocks.h"

#include "drivers/cpu/cpu.h"

static uint32_t load(const uint32_t *value)
{
    return __atomic_load_n(value, __ATOMIC_ACQUIRE);
}

static void store(uint32_t *value, uint32_t new)
{
    __atomic_store_n(value, new, __ATOMIC_RELEASE);
}

/* Asks; returns false if no answer came in time. */
static bool ask(struct clocks *clocks, uint32_t question, uint64_t begin, uint64_t ticks)
{
    uint64_t from = cpu_rdtsc(), to;

    store(&clocks->asked, question);
    while (load(&clocks->answered) != question) {
        if (cpu_rdtsc() - begin > ticks)
            return false;
        cpu_pause();
    }
    to = cpu_rdtsc();
    if (!clocks->known || to - from < clocks->width) {
        clocks->width = to - from;
        clocks->ahead = (int64_t)(clocks->stamp - from - (to - from) / 2);
        clocks->known = true;
    }
    return true;
}

void clocks_ask(struct clocks *clocks, uint32_t times, uint64_t ticks)
{
    uint64_t begin = cpu_rdtsc();

    for (uint32_t question = 1; question <= times && ask(clocks, question, begin, ticks); question++)
        ;
    store(&clocks->ended, 1);
}

void clocks_answer(struct clocks *clocks, uint64_t ticks)
{
    uint64_t begin = cpu_rdtsc();
    uint32_t asked;

    while (!load(&clocks->ended) && cpu_rdtsc() - begin <= ticks) {
        asked = load(&clocks->asked);
        if (asked == clocks->answered) {
            cpu_pause();
            continue;
        }
        clocks->stamp = cpu_rdtsc();
        store(&clocks->answered, asked);
    }
}
