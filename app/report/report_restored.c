/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/report/report_restored.h"

#include "app/base/sentence.h"
#include "app/report/report_groups.h"
#include "core/run/facts.h"

enum { APART = 4 }; /* most variants of a register between cores that are listed separately */

/* Holds cores that restored a register alike, or all cores. */
struct group {
    const struct restore_row *row; /* of the first core */
    struct cores_set cores;
    unsigned count;
    uint64_t before_most, after_most, before_least, after_least;
};

/* Returns the log of a core, or the session's if the kind keeps none over its passes. */
static const struct restore_log *log_of(const struct run *run, unsigned core)
{
    const struct passes *passes = &run->passes;

    return passes->cores > 1 || passes->core[0].restored.count ? &passes->core[core].restored : &passes->result.restore;
}

/* Returns how many rows the logs omit. */
static unsigned dropped(const struct run *run)
{
    unsigned sum = 0;

    for (unsigned c = 0; c < run->passes.cores; c++)
        sum += log_of(run, c)->dropped;
    return sum;
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
                 "for %u rows from all passes.",
                 dropped(run));
}

static bool alike(const struct restore_row *a, const struct restore_row *b)
{
    return a->before == b->before && a->after == b->after;
}

static void join(struct group *group, uint32_t cpu, const struct restore_row *row)
{
    if (!group->row)
        *group = (struct group){row, {{0}}, 0, row->before, row->after, row->before, row->after};
    cores_set_add(&group->cores, cpu);
    group->count++;
    group->before_least = row->before < group->before_least ? row->before : group->before_least;
    group->before_most = row->before > group->before_most ? row->before : group->before_most;
    group->after_least = row->after < group->after_least ? row->after : group->after_least;
    group->after_most = row->after > group->after_most ? row->after : group->after_most;
}

static void write_values(struct out *out, uint64_t least, uint64_t most)
{
    out_printf(out, ", 0x%lx", least);
    if (most > least)
        out_printf(out, "..0x%lx", most);
}

static void write_row(struct out *out, const struct run *run, unsigned *rows, const struct group *group)
{
    char name[RESTORE_NAME];

    fact_begin(out, FACT_RESTORED, (*rows)++);
    out_printf(out, " %s", restore_name(group->row, name));
    if (run->passes.cores > 1) {
        out_printf(out, group->count == 1 ? " (core " : " (cores ");
        report_core_line(out, &group->cores);
        out_printf(out, ")");
    }
    write_values(out, group->before_least, group->before_most);
    write_values(out, group->after_least, group->after_most);
    out_printf(out, ", %s\n", group->row->ok ? "same" : "DIFFERENT");
}

/* Writes the rows of a register for the cores from this one on that restored it, or did not; many rows become one with
 * the range of values. */
static void write_register(struct out *out, const struct run *run, unsigned *rows, unsigned first,
                           const struct restore_row *like, bool ok)
{
    struct group group[APART] = {{0}}, all = {0};
    unsigned groups = 0;

    for (unsigned c = first; c < run->passes.cores; c++) {
        const struct restore_row *row = restore_find(log_of(run, c), like);
        unsigned g = 0;

        if (!row || row->ok != ok)
            continue;
        join(&all, run->passes.core[c].cpu, row);
        while (g < groups && g < APART && !alike(group[g].row, row))
            g++;
        groups = g == groups ? groups + 1 : groups;
        if (g < APART)
            join(&group[g], run->passes.core[c].cpu, row);
    }
    for (unsigned g = 0; g < groups && groups <= APART; g++)
        write_row(out, run, rows, &group[g]);
    if (groups > APART)
        write_row(out, run, rows, &all);
}

static bool written(const struct run *run, unsigned before, const struct restore_row *row)
{
    for (unsigned c = 0; c < before; c++)
        if (restore_find(log_of(run, c), row))
            return true;
    return false;
}

void save_restored_facts(struct out *out, const struct run *run)
{
    unsigned rows = 0;

    fact_number(out, FACT_RESTORED_DROPPED, dropped(run));
    for (unsigned c = 0; c < run->passes.cores; c++) {
        const struct restore_log *log = log_of(run, c);

        for (uint32_t i = 0; i < log->count; i++) {
            if (written(run, c, &log->row[i]))
                continue;
            write_register(out, run, &rows, c, &log->row[i], true);
            write_register(out, run, &rows, c, &log->row[i], false);
        }
    }
}
