/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/family/ibs_family.h"

extern const struct ibs_family __start_family_rows[], __stop_family_rows[];

const struct ibs_erratum_text ibs_errata[IBS_ERRATA] = {
#define IBS_ERRATUM(flag, name_, effect_, action_, source_)                                                            \
    [IBS_E_##flag##_INDEX] = {.name = name_, .effect = effect_, .action = action_, .source = source_},
#include "core/family/ibs_errata_rows.h"
#undef IBS_ERRATUM
};

const struct ibs_family *ibs_family_row(unsigned index)
{
    return index < __stop_family_rows - __start_family_rows ? &__start_family_rows[index] : NULL;
}

const struct ibs_family *ibs_family_of(unsigned family, unsigned model)
{
    for (const struct ibs_family *row = __start_family_rows; row < __stop_family_rows; row++)
        if (row->family == family && model >= row->model_first && model <= row->model_last)
            return row;
    return NULL;
}
