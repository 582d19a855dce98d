/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/ibs_family.h"

/* FAMILY(10h) FAMILY(12h) ...: the files core/family_*.c, given by the Makefile. */
#ifndef IBS_FAMILIES
#error "IBS_FAMILIES: the Makefile's list of core/family_*.c"
#endif

#define FAMILY(name) extern const struct ibs_family_rows family_##name;
IBS_FAMILIES
#undef FAMILY

static const struct ibs_family_rows *const files[] = {
#define FAMILY(name) &family_##name,
    IBS_FAMILIES
#undef FAMILY
};

const struct ibs_erratum_text ibs_errata[IBS_ERRATA] = {
#define IBS_ERRATUM(flag, name_, effect_, action_, source_)                                                            \
    [IBS_E_##flag##_INDEX] = {.name = name_, .effect = effect_, .action = action_, .source = source_},
#include "core/ibs_errata_rows.h"
#undef IBS_ERRATUM
};

const struct ibs_family *ibs_family_row(unsigned index)
{
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        if (index < files[i]->count)
            return &files[i]->rows[index];
        index -= files[i]->count;
    }
    return NULL;
}

const struct ibs_family *ibs_family_of(unsigned family, unsigned model)
{
    const struct ibs_family *row;

    for (unsigned i = 0; (row = ibs_family_row(i)); i++)
        if (row->family == family && model >= row->model_first && model <= row->model_last)
            return row;
    return NULL;
}
