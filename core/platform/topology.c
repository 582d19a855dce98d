/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/platform/topology.h"

static uint32_t bits_for(uint32_t count)
{
    uint32_t bits = 0;

    while (1u << bits < count)
        bits++;
    return bits;
}

struct topology topology_of(const struct topology_words *words)
{
    uint32_t threads = (words->core_ebx >> 8 & 0xFF) + 1, bits = bits_for(threads);
    uint32_t sharers = (words->l3_eax >> 5 & 7) == 3 ? (words->l3_eax >> 14 & 0xFFF) + 1 : 0;

    if (words->level_ebx & 0xFFFF) {
        threads = words->level_ebx & 0xFFFF;
        bits = words->level_eax & 0x1F;
    }
    return (struct topology){
        .thread_bits = bits, .complex_bits = bits_for(sharers), .threads = threads, .sharers = sharers};
}

uint32_t topology_core(const struct topology *topology, uint32_t apic_id)
{
    return apic_id >> topology->thread_bits;
}

uint32_t topology_complex(const struct topology *topology, uint32_t apic_id)
{
    return apic_id >> topology->complex_bits;
}
