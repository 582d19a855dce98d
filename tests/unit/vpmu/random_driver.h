/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A driver that changes the model's registers more randomly than any real one: arms, disarms and reprograms. All
 * results go into the digest.
 */
#ifndef UNIT_VPMU_RANDOM_DRIVER_H
#define UNIT_VPMU_RANDOM_DRIVER_H

#include "core/base/rng.h"
#include "tests/unit/vpmu/digest.h"

struct random_driver {
    struct vpmu *vpmu;
    struct digest *digest;
    struct rng rng;
    uint64_t impossible; /* samples of a load that missed the data cache, but got its data from a store */
};

/* Unmasks the interrupts of IBS and the counters and starts some of them. */
void driver_begin(struct random_driver *driver, struct vpmu *vpmu, struct digest *digest, uint64_t seed);
/* Makes one random change of a register. */
void driver_change(struct random_driver *driver);
/* Handles a return value of true from vpmu_step(): takes the sample and resumes. */
void driver_nmi(struct random_driver *driver);

#endif
