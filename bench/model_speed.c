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

/* Nanoseconds per step with fetch and op counting on, without samples. */
static double run(enum frames frames)
{
    struct machine machine;
    double start;

    machine_init(&machine, VPMU_REV_C, &paper_map, 1);
    space_init(&machine.space, 12, frames);
    machine_wrmsr(&machine, 0xC0011033, 1 << 17 | 1 << 19);
    machine_wrmsr(&machine, 0xC0011030, 1ull << 48);
    start = seconds();
    machine_matmul(&machine, 0, COLUMNS);
    start = seconds() - start;
    machine_free(&machine);
    return start * 1e9 / STEPS;
}

int main(void)
{
    static const char *const names[] = {"contiguous", "shuffled"};

    for (int frames = 0; frames < 2; frames++) {
        double best = run((enum frames)frames);

        for (int i = 1; i < ROUNDS; i++) {
            double again = run((enum frames)frames);

            best = again < best ? again : best;
        }
        printf("model: %s frames, %.1f ns a step, best of %d\n", names[frames], best, ROUNDS);
    }
    return 0;
}
