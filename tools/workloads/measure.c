#include "tools/workloads/arena.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <x86intrin.h>

struct one_run {
    double seconds;
    uint64_t ticks;
    long switches; /* to other threads, of its own accord or not */
    int cpu;
    bool right;
    struct workload_check check;
};

static double seconds_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static uint64_t ticks_now(void)
{
    uint64_t ticks;

    _mm_lfence(); /* what is before it has ended */
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
                 errno == EINVAL ? "there is none of that number, or it is not this process's to use"
                                 : strerror(errno));
    return done;
}

/* 'prepared': the caller did. */
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

/* "name=value name=value" */
static void print_params(const struct workload *workload, const uint32_t *params)
{
    for (unsigned i = 0; i < WORKLOAD_PARAMS_MAX && workload->params[i].name; i++)
        printf("%s%s=%u", i ? " " : "", workload->params[i].name, params[i]);
}

static void print_head(const struct workload *workload, const uint32_t *params, const struct arena *arena,
                       const struct twin_options *options)
{
    if (options->format == TWIN_CSV) {
        printf("workload,parameters,pages,repeat,processor,units,unit,seconds,tsc_ticks,switches,right,expected,got\n");
        return;
    }
    if (options->format == TWIN_JSON) {
        printf("{\"workload\": \"%s\", \"kernel\": \"%s\", \"parameters\": {", workload->name, workload->kernel);
        for (unsigned i = 0; i < WORKLOAD_PARAMS_MAX && workload->params[i].name; i++)
            printf("%s\"%s\": %u", i ? ", " : "", workload->params[i].name, params[i]);
        printf("},\n \"arena\": \"%p\", \"arena_bytes\": %zu, \"pages\": \"%s\", \"pinned\": %s, \"units\": %lu, "
               "\"unit\": \"%s\",\n"
               " \"runs\": [\n",
               arena->base, arena->size, arena->got, options->cpu == UINT64_MAX ? "false" : "true",
               workload->work(params), workload->unit);
        return;
    }
    printf("%s ", workload->name);
    print_params(workload, params);
    printf(": %s\n", workload->title);
    printf("kernel %s; arena and stack at %p, %zu KB; pages: %s\n", workload->kernel, arena->base, arena->size >> 10,
           arena->got);
    printf("%lu %s in a run; %s\n", workload->work(params), workload->unit,
           options->cpu == UINT64_MAX ? "not pinned to a processor" : "pinned to a processor");
    printf("%7s %12s %14s %10s %9s %8s  %s\n", "run", "seconds", "TSC ticks", "ticks/unit", "processor", "switches",
           "result");
}

static void print_run(const struct workload *workload, const uint32_t *params, const struct arena *arena,
                      const struct twin_options *options, uint64_t number, const struct one_run *run)
{
    uint64_t units = workload->work(params);

    if (options->format == TWIN_CSV) {
        printf("%s,\"", workload->name);
        print_params(workload, params);
        printf("\",\"%s\",%lu,%d,%lu,%s,%.9f,%lu,%ld,%s,%lu,%lu\n", arena->got, number, run->cpu, units, workload->unit,
               run->seconds, run->ticks, run->switches, run->right ? "yes" : "no", run->check.expected, run->check.got);
    } else if (options->format == TWIN_JSON) {
        printf("  {\"seconds\": %.9f, \"tsc_ticks\": %lu, \"switches\": %ld, \"processor\": %d, \"right\": %s, "
               "\"expected\": %lu, "
               "\"got\": %lu}%s\n",
               run->seconds, run->ticks, run->switches, run->cpu, run->right ? "true" : "false", run->check.expected,
               run->check.got, number == options->repeat ? "]}" : ",");
    } else {
        printf("%7lu %12.9f %14lu %10.3f %9d %8ld  ", number, run->seconds, run->ticks,
               (double)run->ticks / (double)units, run->cpu, run->switches);
        if (run->right)
            printf("right (%lu)\n", run->check.got);
        else
            printf("WRONG: expected %lu, got %lu\n", run->check.expected, run->check.got);
    }
}

static int by_ticks(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

/* Their spread: what a comparison of single runs cannot see below. */
static void print_spread(uint64_t *ticks, uint64_t count)
{
    qsort(ticks, count, sizeof(*ticks), by_ticks);
    printf("TSC ticks: least %lu, median %lu, most %lu (%.3f %% over the least)\n", ticks[0], ticks[count / 2],
           ticks[count - 1], ((double)ticks[count - 1] / (double)ticks[0] - 1) * 100);
}

static int measure_in(const struct workload *workload, const uint32_t *params, const struct twin_options *options,
                      struct arena *arena, const struct perf_control *control, uint64_t *ticks)
{
    uint64_t wrong = 0;
    struct one_run run;

    for (uint64_t i = 0; i < options->warm_up; i++) {
        workload->prepare(arena->base, params);
        run_once(workload, params, arena, &run);
        wrong += !workload->check(arena->base, params, &run.check);
    }
    if (wrong)
        complain("%lu of %lu results of warming up were wrong", wrong, options->warm_up);
    for (uint64_t i = 0; i < options->repeat; i++) {
        workload->prepare(arena->base, params);
        if (i == 0) {
            arena_look(arena);
            print_head(workload, params, arena, options);
            fflush(stdout);
            if (options->pause)
                wait_for_go();
        }
        if (!sampled_run(workload, params, arena, control, &run))
            return TWIN_MACHINE;
        run.right = workload->check(arena->base, params, &run.check);
        wrong += !run.right;
        ticks[i] = run.ticks;
        print_run(workload, params, arena, options, i + 1, &run);
    }
    if (options->format == TWIN_TEXT && options->repeat > 1)
        print_spread(ticks, options->repeat);
    return wrong ? TWIN_WRONG : TWIN_DONE;
}

int measure(const struct workload *workload, const struct twin_options *options)
{
    uint32_t params[WORKLOAD_PARAMS_MAX] = {0};
    struct perf_control control;
    struct arena arena;
    int result = TWIN_MACHINE;
    uint64_t *ticks = calloc(options->repeat, sizeof(*ticks));
    char problems[1000];
    struct out_memory text;

    out_memory_init(&text, problems, sizeof(problems));
    if (!params_of(&options->params, workload, params, &text.out)) {
        fprintf(stderr, "%s", problems);
        free(ticks);
        return TWIN_USAGE;
    }
    /* Pinned before memory is touched: on machines with nodes it comes from the processor's own. */
    if (!ticks) {
        complain("no memory");
    } else if ((options->cpu == UINT64_MAX || pin_to(options->cpu)) &&
               arena_open(&arena, workload->arena_size(params), options->pages)) {
        if (perf_control_open(&control, options->control))
            result = measure_in(workload, params, options, &arena, &control, ticks);
        perf_control_close(&control);
        arena_close(&arena);
    }
    free(ticks);
    return result;
}
