/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/model/pmu/shared_counters.h"

#include "vpmu/model/state.h"

enum unit { UNIT_L3, UNIT_FABRIC, UNIT_MEMORY };

enum {
    ENABLED = 1 << 22,
    FEATURE_FABRIC = 1 << 24,
    FEATURE_L3 = 1 << 28,
    ZEN3_SIGNATURE = 0x00A00F00, /* CPUID 1 EAX of Family 19h and of what follows */
};
#define ENABLED_MEMORY (1ull << 31)
/* All slices and all threads of the L3; for less nothing is counted here. */
#define ALL_OF_L3_ZEN  (0xFFull << 56 | 0xFull << 48)
#define ALL_OF_L3_ZEN3 (3ull << 56 | 3ull << 46)
#define L3_BITS_ZEN    (ALL_OF_L3_ZEN | ENABLED | 0xFFFF)
#define L3_BITS_ZEN3   (ALL_OF_L3_ZEN3 | 7ull << 48 | 7ull << 42 | ENABLED | 0xFFFF)
#define FABRIC_BITS    (3ull << 59 | 0x3Full << 32 | 0xFull << 24 | ENABLED | 0xFFFF)
#define MEMORY_BITS    (ENABLED_MEMORY | 0x3FF)

static const struct {
    uint32_t first; /* MSR of the first control; each count follows its control */
    uint32_t at;    /* in the node's array */
    uint32_t counters;
} units[] = {[UNIT_L3] = {0xC0010230, 0, SHARED_L3},
             [UNIT_FABRIC] = {0xC0010240, SHARED_L3, SHARED_FABRIC},
             [UNIT_MEMORY] = {0xC0010800, SHARED_L3 + SHARED_FABRIC, SHARED_MEMORY}};

static bool since_zen3(const struct vpmu *vpmu)
{
    return vpmu->params->signature >= ZEN3_SIGNATURE;
}

static bool has(const struct vpmu *vpmu, enum unit unit)
{
    return vpmu->params->events == EVENTS_ZEN && (unit != UNIT_MEMORY || vpmu->params->pmc_version >= 2);
}

uint32_t shared_counters_features(const struct vpmu *vpmu)
{
    return has(vpmu, UNIT_L3) ? FEATURE_L3 | FEATURE_FABRIC : 0;
}

uint32_t shared_counters_numbers(const struct vpmu *vpmu)
{
    return has(vpmu, UNIT_MEMORY) ? SHARED_MEMORY << 16 | SHARED_FABRIC << 10 : 0;
}

uint32_t shared_counters_controllers(const struct vpmu *vpmu)
{
    return has(vpmu, UNIT_MEMORY);
}

/* ---------------------------------------------------------------- events */

static uint64_t sum(const uint64_t of[CACHE_REQUESTERS])
{
    uint64_t total = 0;

    for (unsigned i = 0; i < CACHE_REQUESTERS; i++)
        total += of[i];
    return total;
}

/* Counts l3_lookup_state, l3_misses and, before Zen 4, l3_comb_clstr_state.request_miss. */
static uint64_t of_l3(const struct vpmu *vpmu, uint64_t ctl)
{
    const struct cache_node *node = vpmu->caches.node;
    uint64_t requests = sum(node->l3_requests), misses = sum(node->l3_misses);
    uint64_t all = since_zen3(vpmu) ? ALL_OF_L3_ZEN3 : ALL_OF_L3_ZEN;

    if ((ctl & all) != all)
        return 0;
    switch (ctl & 0xFFFF) {
    case 0xFF04:
        return requests;
    case 0x0104:
        return misses;
    case 0xFE04:
        return has(vpmu, UNIT_MEMORY) ? requests - misses : 0;
    case 0x0106:
        return has(vpmu, UNIT_MEMORY) ? 0 : misses;
    default:
        return 0;
    }
}

/* Counts dram_channel_data_controller_0, before Zen 4; the node's memory is one channel (choice). */
static uint64_t of_fabric(const struct vpmu *vpmu, uint64_t ctl)
{
    const uint64_t *moved = vpmu->caches.node->moved;

    return !has(vpmu, UNIT_MEMORY) && (ctl & (FABRIC_BITS ^ ENABLED)) == 0x3807 ? moved[0] + moved[1] : 0;
}

/* Counts umc_cas_cmd: bit 8 reads alone, bit 9 writes alone, else both. */
static uint64_t of_memory(const struct vpmu *vpmu, uint64_t ctl)
{
    const uint64_t *moved = vpmu->caches.node->moved;

    if ((ctl & 0xFF) != 0x0A)
        return 0;
    return (ctl & 0x300) == 0x100 ? moved[0] : (ctl & 0x300) == 0x200 ? moved[1] : moved[0] + moved[1];
}

static uint64_t total(const struct vpmu *vpmu, enum unit unit, uint64_t ctl)
{
    static uint64_t (*const of[])(const struct vpmu *, uint64_t) = {of_l3, of_fabric, of_memory};

    return ctl & (unit == UNIT_MEMORY ? ENABLED_MEMORY : ENABLED) ? of[unit](vpmu, ctl) : 0;
}

/* ---------------------------------------------------------------- registers */

static struct shared_counter *found(const struct vpmu *vpmu, uint32_t msr, enum unit *unit)
{
    for (*unit = UNIT_L3; *unit <= UNIT_MEMORY; ++*unit) {
        uint32_t n = (msr - units[*unit].first) / 2;

        if (n < units[*unit].counters && has(vpmu, *unit))
            return &vpmu->node->shared[units[*unit].at + n];
    }
    return NULL;
}

static uint64_t count(const struct vpmu *vpmu, enum unit unit, const struct shared_counter *counter)
{
    return (counter->value + total(vpmu, unit, counter->ctl) - counter->base) & VPMC_COUNTER_MASK;
}

bool shared_counters_read(const struct vpmu *vpmu, uint32_t msr, uint64_t *value)
{
    enum unit unit;
    const struct shared_counter *counter = found(vpmu, msr, &unit);

    if (counter)
        *value = msr & 1 ? count(vpmu, unit, counter) : counter->ctl;
    return counter;
}

bool shared_counters_write(struct vpmu *vpmu, uint32_t msr, uint64_t value)
{
    const uint64_t writable[] = {since_zen3(vpmu) ? L3_BITS_ZEN3 : L3_BITS_ZEN, FABRIC_BITS, MEMORY_BITS};
    enum unit unit;
    struct shared_counter *counter = found(vpmu, msr, &unit);

    if (!counter)
        return false;
    counter->value = msr & 1 ? value & VPMC_COUNTER_MASK : count(vpmu, unit, counter);
    if (!(msr & 1))
        counter->ctl = value & writable[unit];
    counter->base = total(vpmu, unit, counter->ctl);
    return true;
}
