/* SPDX-License-Identifier: BSD-2-Clause */
#include "drivers/errata.h"

#define ANY_MODEL 0, 0xFF

const struct erratum errata_table[] = {
    {"#420", "the IBS engine may raise an interrupt that cannot be cleared",
     "stop sampling in two writes: MaxCnt = 0 with the enable bit still set, then the enable bit",
     "AMD 41322 (Revision Guide for Family 10h) erratum 420; Linux arch/x86/events/amd/ibs.c", 0x10, ANY_MODEL,
     offsetof(struct errata, e420_ibs_interrupt)},
    {"UBTS 228876", "bits 63:48 of IbsFetchLinAd may not be canonical", "sign-extend bit 47",
     "CodeAnalyst 3.4.18 op_model_amd.c; CodeXL CaPerfTranslatorIbs.cpp", 0x10, ANY_MODEL,
     offsetof(struct errata, fetch_linad_upper_bits)},
};
const unsigned errata_count = sizeof errata_table / sizeof errata_table[0];

void errata_find(struct errata *errata, bool amd, uint32_t family, uint32_t model)
{
    *errata = (struct errata){0};
    for (unsigned i = 0; i < errata_count; i++) {
        const struct erratum *row = &errata_table[i];
        if (amd && family == row->family && model >= row->model_first && model <= row->model_last)
            *(bool *)((char *)errata + row->flag) = true;
    }
}

bool errata_applies(const struct errata *errata, const struct erratum *row)
{
    return *(const bool *)((const char *)errata + row->flag);
}
