/* SPDX-License-Identifier: BSD-2-Clause */
/* Latencies in bins, and where data came from; the contracts are in profile.h. */
#include <string.h>

#include "core/family/ibs_regs.h"
#include "tools/ibsprof/profile/profile.h"

uint32_t latency_bin_low(uint32_t bin)
{
    uint32_t above = bin - LATENCY_SINGLES;

    return bin < LATENCY_SINGLES ? bin : (64 + above % LATENCY_PER_OCTAVE) << (4 + above / LATENCY_PER_OCTAVE);
}

uint32_t latency_quantile(const uint64_t *counts, double q)
{
    uint64_t all = 0, below = 0;

    for (uint32_t i = 0; i < LATENCY_BINS; i++)
        all += counts[i];
    for (uint32_t i = 0; i < LATENCY_BINS; i++) {
        uint32_t low = latency_bin_low(i);

        if (counts[i] && (double)(below + counts[i]) >= q * (double)all)
            return low + (uint32_t)((latency_bin_low(i + 1) - low - 1) * (q * (double)all - (double)below) /
                                        (double)counts[i] +
                                    0.5);
        below += counts[i];
    }
    return 0;
}

static const struct {
    const char *name, *loads[DATA_SOURCE_OPERANDS];
} names[SOURCES] = {
    [SOURCE_L1] = {"L1", {"F201", "-X200"}},
    [SOURCE_L2] = {"L2", {"X200", "-X240"}},
    [SOURCE_L3] = {"L3", {"F242"}},
    [SOURCE_CACHE] = {"another core's cache", {"F243"}},
    [SOURCE_REMOTE_CACHE] = {"another node's cache", {"F244"}},
    [SOURCE_DRAM] = {"DRAM", {"F245"}},
    [SOURCE_REMOTE_DRAM] = {"another node's DRAM", {"F246"}},
    [SOURCE_OTHER] = {"MMIO, configuration, APIC", {"F247", "F248"}},
    [SOURCE_NEAR] = {"L3 or another core's cache", {NULL}},
    [SOURCE_UNKNOWN] = {"not decoded for this processor", {NULL}},
    [SOURCE_UNCACHED] = {"uncached", {"X20C"}},
    [SOURCE_LONG_LATENCY] = {"memory with long latency", {NULL}},
    [SOURCE_EXTENSION] = {"extension memory", {NULL}},
    [SOURCE_PEER] = {"memory of another type of processor", {NULL}},
};

const char *data_source_name(enum data_source source)
{
    return source < SOURCES ? names[source].name : "?";
}

const char *const *data_source_loads(enum data_source source)
{
    return names[source].loads;
}

/* Returns the source of a load on Family 10h. */
static enum data_source data_source_of(const struct sample_record *record)
{
    uint64_t data2 = record->reg[IBS_OP_DATA2];
    bool remote = ibs_nb_dst_proc(data2);

    if (!ibs_dc_miss(record->reg[IBS_OP_DATA3]))
        return SOURCE_L1;
    switch (ibs_nb_req_src(data2)) {
    case IBS_NB_NONE:
        return SOURCE_L2;
    case IBS_NB_L3:
        return remote ? SOURCE_REMOTE_CACHE : SOURCE_L3;
    case IBS_NB_CACHE:
        return remote ? SOURCE_REMOTE_CACHE : SOURCE_CACHE;
    case IBS_NB_DRAM:
        return remote ? SOURCE_REMOTE_DRAM : SOURCE_DRAM;
    default:
        return SOURCE_OTHER;
    }
}

static enum data_source source_named(enum ibs_source source, bool remote)
{
    switch (source) {
    case IBS_SOURCE_L3:
        return remote ? SOURCE_REMOTE_CACHE : SOURCE_L3;
    case IBS_SOURCE_CACHE:
        return remote ? SOURCE_REMOTE_CACHE : SOURCE_CACHE;
    case IBS_SOURCE_NEAR:
        return SOURCE_NEAR;
    case IBS_SOURCE_FAR_CACHE:
        return SOURCE_REMOTE_CACHE;
    case IBS_SOURCE_DRAM:
        return remote ? SOURCE_REMOTE_DRAM : SOURCE_DRAM;
    case IBS_SOURCE_LONG_LATENCY:
        return SOURCE_LONG_LATENCY;
    case IBS_SOURCE_EXTENSION:
        return SOURCE_EXTENSION;
    case IBS_SOURCE_PEER:
        return SOURCE_PEER;
    case IBS_SOURCE_OTHER:
        return SOURCE_OTHER;
    default:
        return SOURCE_UNKNOWN;
    }
}

struct data_sources data_sources_of(const struct ibs_machine *machine)
{
    const struct ibs_family *row = machine->row;
    struct data_sources sources = {.first = row && (row->traits & IBS_TRAIT_DEFAULT), .count = SOURCES_FIRST};

    if (!row || sources.first) {
        memset(sources.of, SOURCE_UNKNOWN, sizeof(sources.of));
        return sources;
    }
    sources.l2_told = machine->bits[SAMPLE_OP][IBS_OP_DATA3] & IBS_DC_L2_MISS;
    sources.wide = machine->bits[SAMPLE_OP][IBS_OP_DATA2] & IBS_BIT(7);
    if (row->traits & IBS_TRAIT_UC_FIRST) {
        sources.uncached = IBS_DC_UC_MEM_ACC;
        sources.count = SOURCES;
    }
    sources.no_status = (row->errata & IBS_E_1293 ? IBS_DC_MAB_HIT | IBS_DC_SW_PF : 0) |
                        (row->errata & IBS_E_484 ? IBS_DC_WC_MEM_ACC : 0);
    for (unsigned raw = 0; raw < IBS_SOURCE_VALUES; raw++)
        for (unsigned remote = 0; remote < 2; remote++)
            sources.of[remote][raw] =
                (uint8_t)source_named((enum ibs_source)row->source[raw], remote && (row->node_sources >> raw & 1));
    /* Without an L2 miss bit no status is the L2's answer, as on Family 10h. */
    if (!sources.l2_told)
        sources.of[0][0] = sources.of[1][0] = SOURCE_L2;
    return sources;
}

/* Decodes the source as Linux does (arch/x86/events/amd/ibs.c, perf_ibs_get_mem_lvl): uncacheable first, then the
 * caches. */
enum data_source data_source_by(const struct data_sources *sources, uint64_t data2, uint64_t data3)
{
    struct sample_record record;
    uint32_t raw = ibs_nb_req_src(data2) | (sources->wide ? (uint32_t)IBS_FIELD(data2, 7, 6) << 3 : 0);

    if (sources->first) {
        record.reg[IBS_OP_DATA2] = data2;
        record.reg[IBS_OP_DATA3] = data3;
        return data_source_of(&record);
    }
    if (data3 & sources->uncached)
        return raw == IBS_NB_OTHER ? SOURCE_OTHER : SOURCE_UNCACHED;
    if (!ibs_dc_miss(data3))
        return SOURCE_L1;
    if (data3 & sources->no_status)
        return SOURCE_UNKNOWN;
    if (sources->l2_told && !(data3 & IBS_DC_L2_MISS))
        return SOURCE_L2;
    return (enum data_source)sources->of[ibs_nb_dst_proc(data2)][raw];
}

uint64_t sample_linear_address(const struct ibs_machine *machine, uint64_t address)
{
    return machine->row && !(machine->row->errata & IBS_E_FETCH_LINAD) ? address : ibs_canonical(address);
}

uint64_t sample_op_address(const struct ibs_machine *machine, uint64_t rip, uint64_t data)
{
    return data & machine->bits[SAMPLE_OP][IBS_OP_DATA] & IBS_OP_RIP_INVALID ? 0 : sample_linear_address(machine, rip);
}

bool fetch_has_latency(const struct ibs_machine *machine, uint64_t ctl)
{
    if (machine->row && (machine->row->traits & IBS_TRAIT_FETCH_BY_PHYS))
        return ibs_fetch_phy_valid(ctl);
    if (machine->row && (machine->row->errata & IBS_E_1238))
        ctl &= ~IBS_FETCH_IC_MISS;
    return !ibs_fetch_killed(ctl);
}
