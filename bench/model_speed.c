/* See bench/model_speed. */
#include <stdio.h>
#include <time.h>

#include "tests/unit/vpmu/stream.h"

enum {
    COLUMNS = 300,
    STEPS = COLUMNS * 16016, /* 16 instructions in each of 1000 iterations, 16 around them */
    ROUNDS = 5,
};

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* What is on; none of it ever takes a sample. */
enum what { IBS, COUNTERS, COUNT_MASKS, WHATS };

static void switch_on(struct machine *machine, enum what what)
{
    /* Cycles, instructions, DC misses, DTLB L1M L2M; three levels of retired ops and one of branches. */
    static const uint64_t events[WHATS][4] = {
        [COUNTERS] = {0x76, 0xC0, 0x41, 0x746}, [COUNT_MASKS] = {0x10000C1, 0x20000C1, 0x30000C1, 0x10000C2}};

    if (what == IBS) {
        machine_wrmsr(machine, 0xC0011033, 1 << 17 | 1 << 19);
        machine_wrmsr(machine, 0xC0011030, 1ull << 48);
        return;
    }
    for (uint32_t n = 0; n < 4; n++)
        machine_wrmsr(machine, 0xC0010000 + n, events[what][n] | 1 << 17 | 1 << 20 | 1 << 22); /* OS, Int, En */
}

/* Nanoseconds per step. */
static double run(enum frames frames, enum what what)
{
    struct machine machine;
    double start;

    machine_init(&machine, VPMU_REV_C, &paper_map, 1);
    space_init(&machine.space, 12, frames);
    switch_on(&machine, what);
    start = seconds();
    machine_matmul(&machine, 0, COLUMNS);
    start = seconds() - start;
    machine_free(&machine);
    return start * 1e9 / STEPS;
}

static double best(enum frames frames, enum what what)
{
    double least = run(frames, what);

    for (int i = 1; i < ROUNDS; i++) {
        double again = run(frames, what);

        least = again < least ? again : least;
    }
    return least;
}

int main(void)
{
    static const char *const names[] = {"contiguous", "shuffled"};

    for (int frames = 0; frames < 2; frames++) {
        double ibs = best((enum frames)frames, IBS), counters = best((enum frames)frames, COUNTERS);
        double masks = best((enum frames)frames, COUNT_MASKS);

        printf("model: %s frames, %.1f ns a step, best of %d\n", names[frames], ibs, ROUNDS);
        printf("model: with four counters %.2f times that, with count masks %.2f\n", counters / ibs, masks / ibs);
    }
    return 0;
}
