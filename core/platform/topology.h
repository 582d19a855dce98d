/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tells which cores share a core's pipeline, and which an L3, by the bits of their APIC ids.
 */
#ifndef CORE_TOPOLOGY_H
#define CORE_TOPOLOGY_H

#include <stdint.h>

#define CPUID_EXT_ECX_TOPOLOGY (1u << 22) /* Fn8000_0001 ECX: the next two exist (AMD APM vol. 3) */
#define CPUID_LEAF_CACHE       0x8000001Du
#define CPUID_LEAF_CORE        0x8000001Eu /* thread, core and node of the core that calls */

/* Words of CPUID (AMD APM vol. 3, appendix E); 0 where the processor has no such leaf. */
struct topology_words {
    uint32_t level_eax, level_ebx; /* Fn0000_000B_x0. EAX[4:0]: bits of an id that number threads, EBX[15:0]: threads */
    uint32_t l3_eax;               /* Fn8000_001D_x3. EAX[7:5]: level, EAX[25:14]: threads that share it, less one */
    uint32_t core_ebx; /* Fn8000_001E. EBX[15:8]: threads of a core, less one; Family 15h: cores of a compute unit */
};

struct topology {
    uint32_t thread_bits;  /* lowest bits of an APIC id: the thread in its core */
    uint32_t complex_bits; /* bits below the number of the core complex, which shares an L3 */
    uint32_t threads;      /* threads of a core */
    uint32_t sharers;      /* threads of a complex; 0: not known */
};

/* Works out the topology. Ids are numbered in powers of two: a complex of six threads has three bits (Linux
 * arch/x86/kernel/cpu/cacheinfo.c, cacheinfo_amd_init_llc_id). */
struct topology topology_of(const struct topology_words *words);

/* Return the number of a core or complex, which all its threads and no others have. */
uint32_t topology_core(const struct topology *topology, uint32_t apic_id);
uint32_t topology_complex(const struct topology *topology, uint32_t apic_id);

#endif
