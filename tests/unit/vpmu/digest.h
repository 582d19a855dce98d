/*
 * One number for everything that a model has said: its exact counts, registers, time, and NMIs. Two models that were
 * announced the same stream and have the same digest said the same bytes.
 */
#ifndef UNIT_VPMU_DIGEST_H
#define UNIT_VPMU_DIGEST_H

#include <stdint.h>

#include "core/out.h"
#include "vpmu/model/model.h"

struct digest {
    struct out out; /* text written here is taken in */
    uint64_t value;
};

void digest_init(struct digest *digest);
void digest_add(struct digest *digest, uint64_t number);

/* Every register that a guest can read, and what the stepper can ask for. Asking which interrupts the NMIs came from
 * forgets them, and reading the APIC timer's count ends a count that is over, as on a real one. */
void digest_registers(struct digest *digest, struct vpmu *vpmu);
/* All leaves of CPUID that the model changes. */
void digest_cpuid(struct digest *digest, const struct vpmu *vpmu);
/* What vpmu_write_truth() writes. */
void digest_truth(struct digest *digest, struct vpmu *vpmu);

#endif
