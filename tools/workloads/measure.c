/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/workloads/own.h"
#include "tools/workloads/print.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <x86intrin.h>

double seconds_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

uint64_t ticks_now(void)
{
    uint64_t ticks;

    _mm_lfence(); /* earlier instructions have completed */
    ticks = __rdtsc();
    _mm_lfence();
    return ticks;
}

static long switches_now(void)
{
    struct rusage usage = {0};

    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nvcsw + usage.ru_nivcsw;
}

bool pin_to(uint64_t cpu)
{
    cpu_set_t *set = CPU_ALLOC(cpu + 1);
    size_t size = CPU_ALLOC_SIZE(cpu + 1);
    bool done;

    if (!set) {
        complain("no memory");
        return false;
    }
    CPU_ZERO_S(size, set);
    CPU_SET_S(cpu, size, set);
    done = sched_setaffinity(0, size, set) == 0;
    CPU_FREE(set);
    if (!done)
        complain("cannot stay on processor %lu: %s", cpu,
                 errno == EINVAL ? "there is no such processor, or this process may not use it" : strerror(errno));
    return done;
}

/* Runs the workload once; prepared: the caller has prepared it. */
static void run_once(const struct workload *workload, const uint32_t *params, const struct arena *arena,
                     struct one_run *run)
{
    long switches = switches_now();
    double start = seconds_now();
    uint64_t first = ticks_now();

    arena_call(arena, workload->run, params);
    run->ticks = ticks_now() - first;
    run->seconds = seconds_now() - start;
    run->switches = switches_now() - switches;
    run->cpu = sched_getcpu();
}

static bool sampled_run(const struct workload *workload, const uint32_t *params, const struct arena *arena,
                        const struct perf_control *control, struct one_run *run)
{
    if (!perf_control_send(control, "enable"))
        return false;
    run_once(workload, params, arena, run);
    return perf_control_send(control, "disable");
}

static int measure_in(const struct workload *workload, const uint32_t *params, const struct twin_options *options,
                      struct arena *arena, const struct perf_control *control, uint64_t *ticks)
{
    const struct report report = {.workload = workload, .params = params, .arena = arena, .options = options};
    uint64_t wrong = 0;
    struct one_run run;

    for (uint64_t i = 0; i < options->warm_up; i++) {
        own_fill(workload);
        workload->prepare(arena->base, params);
        run_once(workload, params, arena, &run);
        wrong += !workload->check(arena->base, params, &run.check);
    }
    if (wrong)
        complain("%lu of %lu results of warming up were wrong", wrong, options->warm_up);
    for (uint64_t i = 0; i < options->repeat; i++) {
        own_fill(workload);
        workload->prepare(arena->base, params);
        if (i == 0) {
            arena_look(arena);
            print_head(&report);
            fflush(stdout);
            if (options->pause)
                wait_for_go();
        }
        if (!sampled_run(workload, params, arena, control, &run))
            return TWIN_MACHINE;
        run.right = workload->check(arena->base, params, &run.check);
        wrong += !run.right;
        ticks[i] = run.ticks;
        print_run(&report, i + 1, &run);
    }
    print_end(&report, ticks, wrong);
    return wrong ? TWIN_WRONG : TWIN_DONE;
}

int measure(const struct workload *workload, const struct twin_options *options)
{
    uint32_t params[WORKLOAD_VALUES] = {[WORKLOAD_CORES] = 1};
    struct perf_control control = {-1, -1};
    struct arena arena;
    int result = TWIN_MACHINE;
    uint64_t *ticks = calloc(options->repeat, sizeof(*ticks));
    char problems[1000];
    struct out_memory text;

    /* The name in the image's samples (core/perfdata/perfdata.h): it distinguishes the process from others on its
     * processor. Linux keeps 15 characters. */
    (void)prctl(PR_SET_NAME, workload->name);
    out_memory_init(&text, problems, sizeof(problems));
    if (!params_of(&options->params, workload, params, &text.out)) {
        fprintf(stderr, "%s", problems);
        free(ticks);
        return TWIN_USAGE;
    }
    /* Pinned before memory is touched: on machines with nodes it then comes from the processor's own node. */
    if (!ticks) {
        complain("no memory");
    } else if ((options->cpu == UINT64_MAX || pin_to(options->cpu)) &&
               arena_open(&arena, workload->arena_size(params), options->pages)) {
        if (own_open(workload, &arena) && perf_control_open(&control, options->control))
            result = measure_in(workload, params, options, &arena, &control, ticks);
        perf_control_close(&control);
        arena_close(&arena);
    }
    free(ticks);
    return result;
}
