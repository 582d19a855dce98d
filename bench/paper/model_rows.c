/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/paper/model_rows.h"

#include <stdlib.h>
#include <string.h>

enum {
    COLUMNS = 1000,
    SAMPLED_CYCLES = 512, /* between two samples: far more than the reorder buffer holds */
};

static struct machine machine;

unsigned model_columns(unsigned all)
{
    const char *few = getenv("PAPER_COLUMNS");
    unsigned long columns = few ? strtoul(few, NULL, 10) : 0;

    return columns && columns < all ? (unsigned)columns : all;
}

static void begin(struct vpmu_config config, unsigned dram_ns)
{
    config.seed = 7;
    machine_init_as(&machine, &paper_map, config);
    machine.vpmu->caches.latency[SOURCE_DRAM] = dram_ns * machine.vpmu->params->mhz / 1000;
}

static void count(struct vpmu_config config, unsigned dram_ns, unsigned columns, struct model_rows *ret_rows)
{
    begin(config, dram_ns);
    machine_wrmsr(&machine, 0xC0011033, 1ull << 17); /* IbsOpEn with a maximum of 0: all is stepped */
    machine_matmul(&machine, 0, columns);
    vpmu_break(machine.vpmu); /* ends the last line */
    memcpy(ret_rows->row, machine.vpmu->truth.rows, sizeof(ret_rows->row));
    for (unsigned i = 0; i < 4; i++)
        ret_rows->block[i] = machine.vpmu->truth.blocks[0x180 / 32 + i + 0x1000 / 32 - machine.vpmu->truth.first_block];
    ret_rows->cycles = machine.vpmu->pipe.cycle;
    machine_free(&machine);
}

void model_rows(struct vpmu_config config, struct model_rows *ret_rows)
{
    count(config, DRAM_NS, COLUMNS, ret_rows);
}

void model_rows_at(struct vpmu_config config, unsigned dram_ns, struct model_rows *ret_rows)
{
    count(config, dram_ns, model_columns(VARIANT_COLUMNS), ret_rows);
}

void model_rows_with(struct vpmu_config config, unsigned dram_ns, struct model_rows *ret_rows)
{
    static struct histogram histogram;

    model_rows_at(config, dram_ns, ret_rows);
    histogram = (struct histogram){.period = SAMPLED_CYCLES, .random_bits = 8};
    begin(config, dram_ns);
    histogram_start(&machine, &histogram);
    machine_matmul(&machine, 0, model_columns(COLUMNS));
    histogram_stop(&machine);
    ret_rows->missed_share = 100 * (double)histogram.misses[PAPER_FMUL_B] / (double)histogram.loads[PAPER_FMUL_B];
    machine_free(&machine);
}

/* ---------------------------------------------------------------- counters */

/* Select and unit mask as in PERF_CTL, and events between two samples: numbers without a common factor with the loop's
 * 16 instructions, short enough for some thousands of samples. */
static const struct {
    uint64_t event, period;
} counters[COUNTERS] = {{0x0C0, 1009}, {0x040, 709}, {0x041, 53}, {0x746, 241}};

#define PERF_ON (1ull << 17 | 1ull << 20 | 1ull << 22) /* in the kernel, with an interrupt, enabled */

static uint64_t (*counted)[PAPER_INSNS + 1];

static void set(unsigned counter)
{
    machine_wrmsr(&machine, 0xC0010004 + counter, -counters[counter].period & ((1ull << 48) - 1));
}

static void overflowed(struct machine *from)
{
    unsigned at = paper_index(from->vpmu->pending->rip);

    for (unsigned i = 0; i < COUNTERS; i++) {
        if (machine_rdmsr(from, 0xC0010004 + i) >> 47 & 1)
            continue;
        counted[i][at]++;
        set(i);
    }
    vpmu_apic_write(from->vpmu, 0x340, 0x400); /* the delivery has masked it */
}

void model_counters(struct vpmu_config config, uint64_t ret_samples[COUNTERS][PAPER_INSNS + 1])
{
    counted = ret_samples;
    memset(ret_samples, 0, sizeof(*ret_samples) * COUNTERS);
    begin(config, DRAM_NS);
    machine.handler = overflowed;
    vpmu_apic_write(machine.vpmu, 0x340, 0x400); /* LVTPC: an NMI */
    for (unsigned i = 0; i < COUNTERS; i++) {
        set(i);
        machine_wrmsr(&machine, 0xC0010000 + i, (counters[i].event & 0xFF) | (counters[i].event & 0x700) | PERF_ON);
    }
    machine_matmul(&machine, 0, model_columns(COLUMNS));
    machine_free(&machine);
}
