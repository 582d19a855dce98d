#include "tests/vpmu/model/pmc_level.h"

void pmc_level_start(struct pmc_level *level, uint64_t now, uint64_t seen)
{
    level->seen = seen;
    level->cycle = level->held = level->first = now;
    level->number = level->cycles = level->rises = level->falls = 0;
    level->ever = false;
}

/* The condition has come true in the given cycle, which is not before that of earlier ones. */
void pmc_level_hold(struct pmc_level *level, uint64_t cycle)
{
    level->cycles++;
    if (!level->ever || level->held + 1 != cycle) {
        level->rises++;
        level->falls += level->ever; /* that it fell is noticed when it rises again */
    }
    level->held = cycle;
    level->ever = true;
}

void pmc_level_add(struct pmc_level *level, uint64_t cycle, uint64_t events)
{
    uint64_t before;

    if (cycle != level->cycle) {
        level->cycle = cycle;
        level->number = 0;
    }
    before = level->number;
    level->number += events;
    if (before < level->threshold && level->number >= level->threshold)
        pmc_level_hold(level, cycle);
}

uint64_t pmc_level_value(const struct pmc_level *level, uint64_t now)
{
    if (level->edge)
        return level->inverse ? level->falls : level->rises;
    return level->inverse ? now - level->first - level->cycles : level->cycles;
}
