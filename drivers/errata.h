/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Errata that change what the drivers do: one row each, with its source.
 */
#ifndef DRIVERS_ERRATA_H
#define DRIVERS_ERRATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct errata {
    bool e420_ibs_interrupt;     /* IBS may raise an interrupt that cannot be cleared: stop in two writes */
    bool fetch_linad_upper_bits; /* bits 63:48 of IbsFetchLinAd are not the sign extension of bit 47 */
};

struct erratum {
    const char *name;   /* "#420" */
    const char *effect; /* what the processor does */
    const char *action; /* what we do */
    const char *source;
    uint32_t family;
    uint32_t model_first, model_last; /* inclusive */
    size_t flag;                      /* offset of its bool in struct errata */
};

extern const struct erratum errata_table[];
extern const unsigned errata_count;

void errata_find(struct errata *errata, bool amd, uint32_t family, uint32_t model);
bool errata_applies(const struct errata *errata, const struct erratum *row);

#endif
