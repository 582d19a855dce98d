/* Without arguments: the host's nanoseconds a step in each configuration. "names": what they are called. A name and a
 * number of columns: runs that one. See bench/model_speed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/unit/vpmu/stream.h"

enum {
    WARM_UP = 20, /* columns of the paper's loop before the clock runs */
    COLUMNS = 150,
    COLUMN_STEPS = 16016, /* 16 instructions in each of 1000 iterations, 16 around them */
    OP_CTL = 0xC0011033,
    FETCH_CTL = 0xC0011030,
    PERF_CTL = 0xC0010000,
};

#define OP_EN      (1ull << 17)
#define OP_CNT_CTL (1ull << 19)
#define FETCH_EN   (1ull << 48)
#define FETCH_RAND (1ull << 57)
#define PERF_OS    (1ull << 17)
#define PERF_INT   (1ull << 20)
#define PERF_EN    (1ull << 22)

/* Both kinds of IBS, a sample of each every 4096 ops or fetches. */
static void arm(struct machine *machine)
{
    machine_wrmsr(machine, OP_CTL, 0x100 | OP_EN | OP_CNT_CTL);
    machine_wrmsr(machine, FETCH_CTL, 0x100 | FETCH_EN | FETCH_RAND);
}

/* Enabled with a maximum of 0: nothing is ever sampled, all is stepped. */
static void ibs(struct machine *machine)
{
    machine_wrmsr(machine, OP_CTL, OP_EN | OP_CNT_CTL);
    machine_wrmsr(machine, FETCH_CTL, FETCH_EN);
}

static void sampling(struct machine *machine)
{
    machine->handler = arm;
    arm(machine);
}

static void count(struct machine *machine, const uint64_t events[4], uint64_t bits)
{
    for (unsigned n = 0; n < 4; n++)
        machine_wrmsr(machine, PERF_CTL + n, events[n] | PERF_OS | PERF_EN | bits);
}

/* Cycles, instructions, DC misses, DTLB L1M L2M. */
static const uint64_t usual[4] = {0x76, 0xC0, 0x41, 0x746};
/* Three levels of retired ops and one of branches. */
static const uint64_t levels[4] = {0x10000C1, 0x20000C1, 0x30000C1, 0x10000C2};

static void counting(struct machine *machine)
{
    count(machine, usual, 0);
}

static void counters(struct machine *machine)
{
    count(machine, usual, PERF_INT);
}

static void masks(struct machine *machine)
{
    count(machine, levels, PERF_INT);
}

static const struct {
    const char *name;
    enum frames frames;
    void (*start)(struct machine *machine);
} configurations[] = {
    {"ibs", FRAMES_CONTIGUOUS, ibs},           {"ibs-shuffled", FRAMES_SHUFFLED, ibs},
    {"sampling", FRAMES_CONTIGUOUS, sampling}, {"counting", FRAMES_CONTIGUOUS, counting},
    {"counters", FRAMES_CONTIGUOUS, counters}, {"masks", FRAMES_CONTIGUOUS, masks},
};

enum { CONFIGURATIONS = sizeof(configurations) / sizeof(configurations[0]) };

/* Of the processor, so that waiting for it is not counted on a busy machine. */
static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* A function of its own, so that callgrind can count what is timed and nothing else. */
static __attribute__((noinline)) void measured(struct machine *machine, unsigned columns)
{
    machine_matmul(machine, WARM_UP, WARM_UP + columns);
}

/* Nanoseconds a step. */
static double run(unsigned configuration, unsigned columns)
{
    struct machine machine;
    double time;

    machine_init(&machine, VPMU_REV_C, &paper_map, 1);
    space_init(&machine.space, 12, configurations[configuration].frames);
    configurations[configuration].start(&machine);
    machine_matmul(&machine, 0, WARM_UP);
    time = seconds();
    measured(&machine, columns);
    time = seconds() - time;
    machine_free(&machine);
    return time * 1e9 / (columns * (double)COLUMN_STEPS);
}

int main(int count, char **arguments)
{
    for (unsigned i = 0; i < CONFIGURATIONS; i++) {
        if (count == 1)
            printf("%s %.3f\n", configurations[i].name, run(i, COLUMNS));
        else if (count == 2)
            printf("%s\n", configurations[i].name);
        else if (count == 3 && !strcmp(arguments[1], configurations[i].name))
            (void)run(i, (unsigned)atoi(arguments[2]));
    }
    return 0;
}
