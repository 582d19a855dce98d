/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/prompt/progress.h"

#include "app/run/run_plan.h"
#include "core/base/duration.h"
#include "drivers/cpu/cpu.h"

enum { EACH_MS = 1000, TEXT_MAX = 79 };

/* On silicon the TSC replaces the clock, whose reading may cause an SMI. On a model the TSC stands still. */
static bool asks_clock(const struct progress *progress)
{
    return progress->run->machine->hypervisor || !progress->run->machine->tsc_khz;
}

static uint64_t now(const struct progress *progress)
{
    return asks_clock(progress) ? run_plan_now(progress->run->fw, progress->run->machine) : cpu_rdtsc();
}

/* Returns milliseconds since the start. */
static uint64_t elapsed(const struct progress *progress)
{
    const struct machine *machine = progress->run->machine;

    if (asks_clock(progress))
        return run_plan_since(progress->run->fw, machine, progress->begun);
    return (cpu_rdtsc() - progress->begun) / machine->tsc_khz;
}

/* Overwrites the printed line. */
static void print(struct progress *progress, const char *text, unsigned width)
{
    struct out *out = &progress->console->out;

    out_printf(out, "\r%s%*s\r", text, (int)(progress->width > width ? progress->width - width : 0), "");
    progress->console->column = 0;
    progress->width = width;
}

static void tell(void *argument, unsigned pass)
{
    struct progress *progress = argument;
    const struct passes *passes = &progress->run->passes;
    unsigned planned = passes->planned, done;
    char text[TEXT_MAX + 1], left[DURATION_MAX];
    struct out_memory memory;
    uint64_t ms;

    if (progress->next)
        progress->next(progress->argument, pass);
    if (!progress->first) {
        progress->first = pass;
        progress->begun = now(progress);
    }
    ms = elapsed(progress);
    done = pass - progress->first;
    if (ms - progress->told < EACH_MS || !done)
        return;
    progress->told = ms;
    out_memory_init(&memory, text, sizeof(text));
    out_printf(&memory.out, "%s %u", passes->steps ? passes->steps : "pass", pass);
    if (planned >= pass)
        out_printf(&memory.out, " of %u", planned);
    if (planned >= pass && !passes->steps) { /* passes take about equal times */
        duration_write(&left, ms / done * (planned - pass + 1) + 1);
        out_printf(&memory.out, ", about %s left", left);
    }
    print(progress, text, (unsigned)memory.needed);
}

void progress_begin(struct progress *progress, struct console *console, struct run *run)
{
    *progress = (struct progress){
        .console = console, .run = run, .next = run->passes.began, .argument = run->passes.began_argument};
    run->passes.began = tell;
    run->passes.began_argument = progress;
}

void progress_end(struct progress *progress)
{
    if (progress->width)
        print(progress, "", 0);
}
