/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/run/kind.h"

#include "core/base/mem.h"
#include "core/base/nearest.h"
#include "core/base/str.h"

extern const struct kind_row __start_kind_rows[], __stop_kind_rows[];

const struct kind *kind_next(const struct kind *kind)
{
    const struct kind_row *next = NULL, *row = __start_kind_rows;
    unsigned least = 0;

    for (; kind && row < __stop_kind_rows; row++)
        if (row->kind == kind)
            least = row->order + 1;
    for (row = __start_kind_rows; row < __stop_kind_rows; row++)
        if (row->order >= least && (!next || row->order < next->order))
            next = row;
    return next ? next->kind : NULL;
}

const struct kind *kind_find(const char *config)
{
    static const struct kind *const of_core[] = {
        [CONFIG_PMC] = &kind_pmc, [CONFIG_TIMER] = &kind_timer, [CONFIG_IBS] = &kind_ibs};
    const struct config *row = config_find(config);

    for (const struct kind *kind = kind_next(NULL); kind; kind = kind_next(kind))
        if (str_equal(kind->name, config))
            return kind;
    return row ? of_core[row->kind] : NULL;
}

void kind_not_found(struct out *out, const char *config)
{
    struct nearest nearest;

    nearest_begin(&nearest, config, strlen(config));
    for (unsigned i = 0; i < config_count; i++)
        (void)nearest_try(&nearest, config_table[i].name, strlen(config_table[i].name));
    for (const struct kind *kind = kind_next(NULL); kind; kind = kind_next(kind))
        (void)nearest_try(&nearest, kind->name, strlen(kind->name));
    out_printf(out, "config = %s: no such configuration; 'configs' lists them", config);
    nearest_print(&nearest, out);
    out_printf(out, "\n");
}

size_t kind_one_page(const uint32_t *params)
{
    (void)params;
    return POOL_PAGE;
}

uint64_t kind_one_piece(const uint32_t *params)
{
    (void)params;
    return 1;
}

bool kind_has_samples(const struct run *run)
{
    bool some = false;

    for (EACH_KIND(kind, run))
        some |= (*kind)->samples != NULL;
    return some;
}
