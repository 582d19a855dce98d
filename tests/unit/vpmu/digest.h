/* SPDX-License-Identifier: BSD-2-Clause */
/* One number for all output of a model: its exact counts, registers, time, and NMIs. Two models with the same announced
 * stream and the same digest have the same output, byte for byte. */
#ifndef UNIT_VPMU_DIGEST_H
#define UNIT_VPMU_DIGEST_H

#include <stdint.h>

#include "core/base/out.h"
#include "vpmu/model/model.h"

struct digest {
    struct out out; /* text written here is added to the digest */
    uint64_t value;
};

void digest_init(struct digest *digest);
void digest_add(struct digest *digest, uint64_t number);

/* Adds every register that a guest can read, and all queries of the stepper. The query for the sources of NMIs clears
 * them, and reading the APIC timer's count ends an expired count, as on real hardware. */
void digest_registers(struct digest *digest, struct vpmu *vpmu);
/* Adds all leaves of CPUID that the model changes. */
void digest_cpuid(struct digest *digest, const struct vpmu *vpmu);
/* Adds the output of vpmu_write_truth(). */
void digest_truth(struct digest *digest, struct vpmu *vpmu);

#endif
