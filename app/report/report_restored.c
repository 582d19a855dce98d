/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/report/report_restored.h"

#include "app/base/sentence.h"
#include "core/run/facts.h"

static const struct restore_log *log_of(const struct run *run)
{
    return run->passes.restored.count ? &run->passes.restored : &run->passes.result.restore;
}

/* Returns how many rows are not in it. */
static unsigned dropped(const struct run *run)
{
    return log_of(run)->dropped;
}

void report_restored(struct out *out, const struct run *run)
{
    unsigned same = 0, wrong = 0;
    char name[RESTORE_NAME];

    for (unsigned c = 0; c < run->passes.cores; c++) {
        const struct passes_core *core = &run->passes.core[c];

        same += core->lost ? 0 : core->result.restore.count - core->result.restore.failed;
        wrong += core->lost ? 0 : core->result.restore.failed;
    }
    out_printf(out, "%s restored: %u registers and tables read as before the run\n", wrong ? "FAIL" : "PASS", same);
    for (unsigned c = 0; c < run->passes.cores; c++) {
        const struct passes_core *core = &run->passes.core[c];
        const struct restore_log *restore = &core->result.restore;

        for (unsigned i = 0; !core->lost && i < restore->count; i++)
            if (!restore->row[i].ok)
                out_printf(out, "FAIL %s was %lx, is %lx (core %u)\n", restore_name(&restore->row[i], name),
                           restore->row[i].before, restore->row[i].after, core->cpu);
    }
    if (dropped(run))
        sentence(out,
                 "WARNING: the restore log of run.ini does not name every register that was changed: it had no room "
                 "for %u rows of all passes together.",
                 dropped(run));
}

void save_restored_facts(struct out *out, const struct run *run)
{
    const struct restore_log *restored = log_of(run);

    fact_number(out, FACT_RESTORED_DROPPED, dropped(run));
    for (unsigned i = 0; i < restored->count; i++) {
        const struct restore_row *row = &restored->row[i];
        char name[RESTORE_NAME];

        fact_begin(out, FACT_RESTORED, i);
        out_printf(out, " %s, 0x%lx, 0x%lx, %s\n", restore_name(row, name), row->before, row->after,
                   row->ok ? "same" : "DIFFERENT");
    }
}
