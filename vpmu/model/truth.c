/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/model/truth.h"

#include "vpmu/model/pipeline/commit.h"

static uint64_t first_block(const struct codemap *map)
{
    return map->insn_count ? map->insns[0].rva >> FETCH_SHIFT : 0;
}

/* Counts up to two blocks after the last instruction: killed and aborted fetches reach them. */
static uint64_t block_count(const struct codemap *map)
{
    const struct codemap_insn *last;

    if (map->insn_count == 0)
        return 0;
    last = &map->insns[map->insn_count - 1];
    return ((last->rva + last->length) >> FETCH_SHIFT) - first_block(map) + 3;
}

uint64_t truth_memory_for(uint64_t insns, uint64_t blocks)
{
    return (insns + 1) * (sizeof(struct truth_row) + sizeof(struct truth_rare)) + blocks * sizeof(struct truth_block);
}

uint64_t truth_memory(const struct codemap *map)
{
    return truth_memory_for(map->insn_count, block_count(map));
}

void truth_init(struct truth *truth, const struct codemap *map, void *memory)
{
    truth->rows = memory;
    truth->rare = (struct truth_rare *)(truth->rows + map->insn_count + 1);
    truth->blocks = (struct truth_block *)(truth->rare + map->insn_count + 1);
    truth->first_block = first_block(map);
    truth->block_count = block_count(map);
}

#define ULL(value) ((unsigned long long)(value))

static void write_total(struct out *out, const char *name, uint64_t value)
{
    out_printf(out, "# %s,%llu\n", name, ULL(value));
}

static void write_totals(const struct vpmu *vpmu, struct out *out)
{
    const struct truth_totals *totals = &vpmu->truth.totals;
    uint64_t steps = 0, ops = 0;

    for (uint32_t i = 0; i <= vpmu->config.map->insn_count; i++) {
        steps += vpmu->truth.rows[i].executions;
        ops += vpmu->truth.rows[i].executions * vpmu->info[i].ops;
    }
    out_printf(out, "# model,%s\n", vpmu->params->brand);
    if (vpmu->config.revision >= VPMU_REV_LATER)
        out_printf(out, "# %s\n", vpmu->params->text);
    if (vpmu->config.free) {
        out_printf(out, "# free,");
        free_print(vpmu->config.free, out);
        out_printf(out, "\n");
    }
    write_total(out, "steps", steps);
    write_total(out, "steps_outside_map", vpmu->truth.rows[vpmu->config.map->insn_count].executions);
    write_total(out, "steps_broken", totals->broken);
    write_total(out, "ops", ops);
    write_total(out, "cycles", vpmu->pipe.cycle - vpmu->truth.begin);
    write_total(out, "decoder_empty_cycles", totals->decoder_empty);
    write_total(out, "op_samples", vpmu->ibs.op_samples);
    write_total(out, "op_tags_skipped", vpmu->ibs.skipped_tags);
    write_total(out, "fetch_samples", vpmu->ibs.fetch_samples);
    if (params_later(vpmu->params)) {
        write_total(out, "op_samples_filtered", vpmu->ibs.op_filtered);
        write_total(out, "fetch_samples_filtered", vpmu->ibs.fetch_filtered);
    }
    write_total(out, "fetches_completed", totals->fetches.completed);
    write_total(out, "fetches_aborted", totals->fetches.aborted);
    write_total(out, "fetches_killed", totals->fetches.killed);
    write_total(out, "fetches_completed_outside_map", totals->fetches_outside.completed);
    write_total(out, "fetches_aborted_outside_map", totals->fetches_outside.aborted);
    write_total(out, "fetches_killed_outside_map", totals->fetches_outside.killed);
    write_total(out, "dc_misses_from_l2", vpmu->caches.from[SOURCE_L2]);
    write_total(out, "dc_misses_from_l3", vpmu->caches.from[SOURCE_L3]);
    write_total(out, "dc_misses_from_dram", vpmu->caches.from[SOURCE_DRAM]);
    write_total(out, "dc_misses_from_modified", vpmu->caches.from[SOURCE_MODIFIED]);
    write_total(out, "dc_misses_from_owned", vpmu->caches.from[SOURCE_OWNED]);
    write_total(out, "dc_misses_from_remote_dram", vpmu->caches.from_remote[SOURCE_DRAM]);
    write_total(out, "dc_misses_from_remote_caches",
                vpmu->caches.from_remote[SOURCE_MODIFIED] + vpmu->caches.from_remote[SOURCE_OWNED]);
    write_total(out, "upgrades", vpmu->caches.upgrades);
    write_total(out, "prefetches", vpmu->caches.prefetches);
    write_total(out, "prefetches_dropped", vpmu->caches.prefetches_dropped);
    write_total(out, "page_walks", vpmu->tlbs.walks);
    write_total(out, "page_walk_reads", vpmu->tlbs.walk_reads);
    write_total(out, "nmi_blocked", totals->nmi_blocked);
    write_total(out, "late_nmis", totals->late_nmis);
    write_total(out, "erratum420_hits", vpmu->ibs.erratum_420_hits);
    write_total(out, "erratum420_nmis", totals->storm_nmis);
    write_total(out, "apic_requests", vpmu->apic.requests);
    write_total(out, "apic_lost", vpmu->apic.lost);
    write_total(out, "apic_nmis", vpmu->apic.taken);
    write_total(out, "skid_ops", vpmu->apic.skid_ops);
    write_total(out, "skid_ops_maximum", vpmu->apic.skid_max);
}

static void write_blocks(const struct truth *truth, struct out *out)
{
    out_printf(out, "# fetch_block,rva,attempted,completed,aborted,killed\n");
    for (uint64_t i = 0; i < truth->block_count; i++) {
        const struct truth_block *block = &truth->blocks[i];

        if (block->completed + block->aborted + block->killed)
            out_printf(out, "# fetch_block,0x%llx,%llu,%llu,%llu,%llu\n", ULL((truth->first_block + i) << FETCH_SHIFT),
                       ULL(block->completed + block->aborted), ULL(block->completed), ULL(block->aborted),
                       ULL(block->killed));
    }
}

static void write_row(const struct vpmu *vpmu, uint32_t index, const char *rva, struct out *out)
{
    const struct truth_row *row = &vpmu->truth.rows[index];
    const struct truth_rare *rare = &vpmu->truth.rare[index];

    out_printf(out, "%s,%llu,%llu,%llu,%llu,%llu,%llu,%llu,%llu,%llu,%llu,", rva, ULL(row->executions),
               ULL(row->executions * vpmu->info[index].ops), ULL(row->loads), ULL(row->stores), ULL(row->load_misses),
               ULL(row->store_misses), ULL(row->mab_hits), ULL(row->miss_cycles), ULL(row->l1m_l2h), ULL(row->l1m_l2m));
    out_printf(out, "%llu,%llu,%llu,%llu,%llu,%llu,%llu,%llu,%llu,%llu\n", ULL(rare->misaligned), ULL(row->forwarded),
               ULL(row->cancelled), ULL(row->branches), ULL(row->taken), ULL(row->mispredicted),
               ULL(row->dispatch_sixths), ULL(rare->bank_conflicts), ULL(commit_sixths(vpmu, index)),
               ULL(rare->empty_cycles));
}

void vpmu_write_truth(struct vpmu *vpmu, struct out *out)
{
    const struct codemap *map = vpmu->config.map;
    const struct truth *truth = &vpmu->truth;
    struct out_memory rva;
    char text[24];

    commit_settle(vpmu);
    write_totals(vpmu, out);
    pmc_truth_write(vpmu, out);
    write_blocks(truth, out);
    out_printf(out,
               "rva,executions,ops,load_ops,store_ops,dc_load_misses,dc_store_misses,mab_hits,dc_miss_latency_cycles,"
               "dtlb_l1m_l2h,dtlb_l1m_l2m,misaligned,forwarded,forwarding_cancelled,branches,taken,mispredicted,"
               "dispatch_cycles_sixths,bank_conflicts,time_sixths,empty_cycles\n");
    for (uint32_t i = 0; i < map->insn_count; i++) {
        if (truth->rows[i].executions == 0)
            continue;
        out_memory_init(&rva, text, sizeof(text));
        out_printf(&rva.out, "0x%x", map->insns[i].rva);
        write_row(vpmu, i, text, out);
    }
    if (truth->rows[map->insn_count].executions)
        write_row(vpmu, map->insn_count, "outside", out);
}
