/* SPDX-License-Identifier: BSD-2-Clause */
/* Exact counts begin anew, or go to another part. */
#include "core/base/mem.h"
#include "vpmu/model/pipeline/commit.h"

/* All that truth.csv is made of, besides the rows. Totals that events are made of as well (from, prefetches, walks ..)
 * may change: no counter is enabled. */
static const struct {
    size_t offset, bytes;
} fields[] = {
#define FIELD(member)                                                                                                  \
    {                                                                                                                  \
        offsetof(struct vpmu, member), sizeof(((struct vpmu *)0)->member)                                              \
    }
    FIELD(truth.totals),       FIELD(ibs.op_samples),   FIELD(ibs.fetch_samples),    FIELD(ibs.op_filtered),
    FIELD(ibs.fetch_filtered), FIELD(ibs.skipped_tags), FIELD(ibs.erratum_420_hits), FIELD(caches.from),
    FIELD(caches.from_remote), FIELD(caches.upgrades),  FIELD(caches.prefetches),    FIELD(caches.prefetches_dropped),
    FIELD(tlbs.walks),         FIELD(tlbs.walk_reads),  FIELD(apic.requests),        FIELD(apic.lost),
    FIELD(apic.taken),         FIELD(apic.skid_ops),    FIELD(apic.skid_max),        FIELD(pmc_truth),
};

enum { FIELDS = sizeof(fields) / sizeof(fields[0]) };

/* Returns a part's bytes. rows: bytes of all rows and blocks. */
static uint64_t part_of(uint64_t rows)
{
    uint64_t bytes = rows + sizeof(uint64_t);

    for (unsigned i = 0; i < FIELDS; i++)
        bytes += fields[i].bytes;
    return (bytes + 63) / 64 * 64;
}

static uint64_t part_bytes(const struct codemap *map)
{
    return part_of(truth_memory(map));
}

uint64_t truth_parts_memory_for(uint64_t insns, uint64_t blocks)
{
    return VPMU_PARTS * part_of(truth_memory_for(insns, blocks));
}

uint64_t truth_parts_memory(const struct codemap *map)
{
    return VPMU_PARTS * part_bytes(map);
}

static void copy(uint8_t **kept, void *live, uint64_t bytes, bool back)
{
    memcpy(back ? live : *kept, back ? *kept : live, bytes);
    *kept += bytes;
}

/* Moves the counts to where their part keeps them, or back from there. */
static void move(struct vpmu *vpmu, bool back)
{
    uint8_t *kept = vpmu->truth.parts + vpmu->truth.part * part_bytes(vpmu->config.map);
    uint64_t cycles = vpmu->pipe.cycle - vpmu->truth.begin;

    copy(&kept, vpmu->truth.rows, truth_memory(vpmu->config.map), back);
    copy(&kept, &cycles, sizeof(cycles), back);
    for (unsigned i = 0; i < FIELDS; i++)
        copy(&kept, (uint8_t *)vpmu + fields[i].offset, fields[i].bytes, back);
    vpmu->truth.begin = vpmu->pipe.cycle - cycles;
}

void vpmu_reset_truth(struct vpmu *vpmu)
{
    commit_settle(vpmu);
    memset(vpmu->truth.rows, 0, truth_memory(vpmu->config.map));
    for (unsigned i = 0; i < FIELDS; i++)
        memset((uint8_t *)vpmu + fields[i].offset, 0, fields[i].bytes);
    vpmu->truth.begin = vpmu->pipe.cycle;
    pmc_truth_mark(vpmu);
}

bool vpmu_truth_part(struct vpmu *vpmu, uint64_t part)
{
    if (part > VPMU_PARTS)
        return false;
    if (part == VPMU_PARTS) {
        vpmu_reset_truth(vpmu);
        return true;
    }
    if (part == vpmu->truth.part)
        return true;
    pmc_truth_settle(vpmu);
    commit_settle(vpmu);
    move(vpmu, false);
    vpmu->truth.part = (uint32_t)part;
    move(vpmu, true);
    pmc_truth_mark(vpmu);
    return true;
}

bool vpmu_truth_counted(const struct vpmu *vpmu)
{
    for (uint32_t i = 0; i <= vpmu->config.map->insn_count; i++)
        if (vpmu->truth.rows[i].executions)
            return true;
    return false;
}
