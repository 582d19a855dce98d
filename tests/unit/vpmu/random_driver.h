/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A random driver, which does more to the model's registers than any real one: arms, disarms and reprograms at random.
 * All results go into the digest.
 */
#ifndef UNIT_VPMU_RANDOM_DRIVER_H
#define UNIT_VPMU_RANDOM_DRIVER_H

#include "core/base/rng.h"
#include "tests/unit/vpmu/digest.h"

struct random_driver {
    struct vpmu *vpmu;
    struct digest *digest;
    struct rng rng;
    uint64_t impossible; /* samples of a load that missed the data cache, and got its data from a store */
};

/* Unmasks the interrupts of IBS and the counters and starts some of them. */
void driver_begin(struct random_driver *driver, struct vpmu *vpmu, struct digest *digest, uint64_t seed);
/* One random change of a register. */
void driver_change(struct random_driver *driver);
/* vpmu_step() returned true: takes the sample and resumes. */
void driver_nmi(struct random_driver *driver);

#endif
