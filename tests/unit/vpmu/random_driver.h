/*
 * What a driver might do to the model's registers, and much that none would: arms, disarms and reprograms at random.
 * Whatever comes of it goes into the digest.
 */
#ifndef UNIT_VPMU_RANDOM_DRIVER_H
#define UNIT_VPMU_RANDOM_DRIVER_H

#include "core/rng.h"
#include "tests/unit/vpmu/digest.h"

struct random_driver {
    struct vpmu *vpmu;
    struct digest *digest;
    struct rng rng;
};

/* Lets IBS and the counters through and starts some of them. */
void driver_begin(struct random_driver *driver, struct vpmu *vpmu, struct digest *digest, uint64_t seed);
/* One random change of a register. */
void driver_change(struct random_driver *driver);
/* vpmu_step() said that there is an NMI: takes the sample and goes on. */
void driver_nmi(struct random_driver *driver);

#endif
