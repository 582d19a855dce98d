/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/prompt/progress.h"

#include "app/run/run_plan.h"
#include "core/base/duration.h"
#include "drivers/cpu/cpu.h"

enum { EACH_MS = 1000, TEXT_MAX = 79 };

/* Returns milliseconds since the begin. The clock is not asked on silicon: it may be read by an SMI. On a model the TSC
 * stands still. */
static uint64_t elapsed(const struct progress *progress)
{
    const struct machine *machine = progress->run->machine;

    if (machine->hypervisor || !machine->tsc_khz)
        return run_plan_since(progress->run->fw, machine, progress->begun);
    return (cpu_rdtsc() - progress->begun) / machine->tsc_khz;
}

/* Writes over the line that is there. */
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
    unsigned planned = progress->run->passes.planned, done = pass - 1;
    char text[TEXT_MAX + 1], left[DURATION_MAX];
    struct out_memory memory;
    uint64_t ms;

    if (progress->next)
        progress->next(progress->argument, pass);
    ms = elapsed(progress);
    if (ms - progress->told < EACH_MS || !done)
        return;
    progress->told = ms;
    out_memory_init(&memory, text, sizeof(text));
    out_printf(&memory.out, "pass %u", pass);
    if (planned >= pass) {
        duration_write(&left, ms / done * (planned - done) + 1);
        out_printf(&memory.out, " of %u, about %s left", planned, left);
    }
    print(progress, text, (unsigned)memory.needed);
}

void progress_begin(struct progress *progress, struct console *console, struct run *run)
{
    bool clock = run->machine->hypervisor || !run->machine->tsc_khz;

    *progress = (struct progress){.console = console,
                                  .run = run,
                                  .next = run->passes.began,
                                  .argument = run->passes.began_argument,
                                  .begun = clock ? run_plan_now(run->fw, run->machine) : cpu_rdtsc()};
    run->passes.began = tell;
    run->passes.began_argument = progress;
}

void progress_end(struct progress *progress)
{
    if (progress->width)
        print(progress, "", 0);
}
