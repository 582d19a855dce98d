/* SPDX-License-Identifier: BSD-2-Clause */
/* Counter and timer samples of our runs as text; the contract is in report_text.h. */
#include "tools/ibsprof/base/terminal.h"
#include "tools/ibsprof/report/report_text.h"

static bool there(const struct pmc_profile *profile, uint16_t operand)
{
    const struct view_event *event;

    if (operand < VIEW_PMC || operand >= VIEW_PMC_END)
        return operand == VIEW_TIMER && pmc_profile_timer(profile) >= 0;
    event = &view_events[operand - VIEW_PMC];
    return pmc_profile_event(profile, event->select, event->mask) >= 0;
}

bool report_pmc_has(const struct pmc_run *run, const struct view *view)
{
    for (unsigned i = 0; i < view->column_count; i++) {
        const struct view_column *column = &view->columns[i];

        if (!there(&run->profile, column->left) || (column->kind == VIEW_SUM && !there(&run->profile, column->plus)) ||
            (column->kind >= VIEW_RATIO && !there(&run->profile, column->right)))
            return false;
    }
    return true;
}

static bool is_asked_for(const struct report_options *options, const struct view *view)
{
    for (unsigned i = 0; i < options->view_count; i++)
        if (options->views[i] == view)
            return true;
    return options->view_count == 0;
}

bool report_pmc_text(struct out_file *out, const struct pmc_run *run, const struct report_options *options)
{
    enum profile_level level = options->level < 0 ? PROFILE_INSTRUCTIONS : (enum profile_level)options->level;
    const struct view_options how = {.width = (uint8_t)options->width, .only_sampled = level != PROFILE_INSTRUCTIONS};
    unsigned shown = 0;

    out_printf(&out->out, "\nCounter samples\n");
    pmc_profile_print_events(&out->out, &run->profile);
    for (unsigned v = 0; v < view_count_pmc; v++) {
        if (!report_pmc_has(run, &view_table_pmc[v]) || !is_asked_for(options, &view_table_pmc[v]))
            continue;
        out_printf(&out->out, "\n");
        view_print_pmc(&out->out, &view_table_pmc[v], &run->profile, level, &how);
        shown++;
    }
    if (shown == 0 && options->view_count == 0)
        out_printf(&out->out, "\nNo view is made of these events alone; --csv has their samples by instruction.\n");
    return true;
}
