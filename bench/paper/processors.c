/* SPDX-License-Identifier: BSD-2-Clause */
/* The paper's loop on the model of each processor: the misses of b[k][j] in its caches and TLBs. */
#include "bench/paper/processors.h"

#include <stdio.h>
#include <stdlib.h>

#include "bench/paper/model_rows.h"

/* Sixteen columns share the lines of b. The first columns bring in the pages. */
enum { BEFORE = 16, COUNTED = 64 };

static struct machine machine;

static uint64_t beyond_the_l2(void)
{
    return machine.vpmu->caches.from[SOURCE_L3] + machine.vpmu->caches.from[SOURCE_DRAM];
}

static void row_of(const char *name, const char *shown)
{
    struct vpmu_config config = {.seed = 7};
    const struct truth_row *b;
    double loads;
    uint64_t far;

    if (!vpmu_revision_parse(name, &config.revision))
        abort();
    machine_init_as(&machine, &paper_map, config);
    machine_wrmsr(&machine, 0xC0011033, 1ull << 17); /* IbsOpEn with a maximum of 0: all is stepped */
    machine_matmul(&machine, 0, BEFORE);
    vpmu_reset_truth(machine.vpmu);
    far = beyond_the_l2();
    machine_matmul(&machine, BEFORE, BEFORE + COUNTED);
    vpmu_break(machine.vpmu); /* ends the last line */
    far = beyond_the_l2() - far;
    b = &machine.vpmu->truth.rows[PAPER_FMUL_B];
    loads = (double)b->loads / 100;
    printf("| %s | %.1f %% | %.1f %% | %.1f %% | %.1f %% |\n", shown, (double)b->load_misses / loads,
           (double)far / loads, (double)b->l1m_l2h / loads, (double)b->l1m_l2m / loads);
    machine_free(&machine);
}

void processors_print(void)
{
    puts("| | DC miss | DC miss, not in the L2 | DTLB L1M L2H | DTLB L1M L2M |\n|---|---|---|---|---|");
    row_of("C", "Family 10h, revision C");
    row_of("15h-00", "15h 00h");
    row_of("16h", "16h");
    row_of("zen", "Zen");
    row_of("zen2", "Zen 2");
    row_of("zen3", "Zen 3");
    row_of("zen4", "Zen 4");
    row_of("zen5", "Zen 5");
}
