/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/paper/model_rows.h"

#include <string.h>

enum { COLUMNS = 1000 };

unsigned paper_index(uint64_t address)
{
    for (unsigned i = 0; i < PAPER_INSNS; i++)
        if (paper_map.insns[i].rva + PAPER_BASE == address)
            return i;
    return PAPER_INSNS;
}

static struct machine machine;

void model_rows(bool tag_stalled, struct model_rows *ret_rows)
{
    machine_init(&machine, VPMU_REV_B, &paper_map, 7);
    machine.vpmu->config.tag_stalled = tag_stalled;
    machine_wrmsr(&machine, 0xC0011033, 1ull << 17); /* IbsOpEn with a maximum of 0: all is stepped */
    machine_matmul(&machine, 0, COLUMNS);
    vpmu_break(machine.vpmu); /* ends the last line */
    memcpy(ret_rows->row, machine.vpmu->truth.rows, sizeof(ret_rows->row));
    for (unsigned i = 0; i < 4; i++)
        ret_rows->block[i] = machine.vpmu->truth.blocks[0x180 / 32 + i + 0x1000 / 32 - machine.vpmu->truth.first_block];
    ret_rows->cycles = machine.vpmu->pipe.cycle;
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

void model_counters(uint64_t ret_samples[COUNTERS][PAPER_INSNS + 1])
{
    counted = ret_samples;
    memset(ret_samples, 0, sizeof(*ret_samples) * COUNTERS);
    machine_init(&machine, VPMU_REV_B, &paper_map, 7);
    machine.handler = overflowed;
    vpmu_apic_write(machine.vpmu, 0x340, 0x400); /* LVTPC: an NMI */
    for (unsigned i = 0; i < COUNTERS; i++) {
        set(i);
        machine_wrmsr(&machine, 0xC0010000 + i, (counters[i].event & 0xFF) | (counters[i].event & 0x700) | PERF_ON);
    }
    machine_matmul(&machine, 0, COLUMNS);
    machine_free(&machine);
}
