/*
 * Memory that a program has filled before it is stepped. The model sees no access then, so its caches would be empty
 * where a machine's would hold what was written last. Who knows what was filled writes its linear address and its size
 * to two MSRs that only the model has (CPUID 4000_0013h says which); the latter write does it.
 *
 * The caches are then as if each line had been stored to once, in ascending order, by nobody's clock and uncounted. The
 * TLBs are not concerned: they are empty when stepping begins (regs.c).
 */
#ifndef VPMU_PREPARED_H
#define VPMU_PREPARED_H

#include "tests/vpmu/model/state.h"

/* MSRs 4000_0000h to 4000_00FFh exist in no processor (Intel SDM vol. 4 table 2-2), so that hypervisors have theirs
 * there. */
enum { MSR_PREPARED_ADDRESS = 0x40000080, MSR_PREPARED_BYTES };

/* Linear addresses of this core; pages that are not mapped are passed over. */
void prepared_fill(struct vpmu *vpmu, uint64_t linear, uint64_t bytes);

#endif
