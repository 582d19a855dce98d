/* SPDX-License-Identifier: BSD-2-Clause */
/* Latencies in bins, and where data came from; the contracts are in profile.h. */
#include "core/ibs_regs.h"
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
} sources[SOURCES] = {
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
};

const char *data_source_name(enum data_source source)
{
    return source < SOURCES ? sources[source].name : "?";
}

const char *const *data_source_loads(enum data_source source)
{
    return sources[source].loads;
}

enum data_source data_source_of(const struct sample_record *record)
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

/* Zen 4 and later: five bits. Linux arch/x86/include/asm/amd/ibs.h, IBS_DATA_SRC_EXT_*. */
static enum data_source wide_source(uint64_t data2)
{
    bool remote = ibs_nb_dst_proc(data2);

    switch (ibs_nb_req_src(data2) | (uint32_t)(data2 >> 6 & 3) << 3) {
    case 1:
        return SOURCE_L3;
    case 2:
        return SOURCE_CACHE; /* of another core complex of this node */
    case 3:
        return remote ? SOURCE_REMOTE_DRAM : SOURCE_DRAM;
    case 5:
        return SOURCE_REMOTE_CACHE;
    case 7:
        return SOURCE_OTHER;
    default: /* 6, 8, 12: memory that is no DRAM of this machine's nodes */
        return SOURCE_UNKNOWN;
    }
}

/* Zen to Zen 3: IBS_DATA_SRC_*, three bits. */
static enum data_source narrow_source(uint64_t data2)
{
    switch (ibs_nb_req_src(data2)) {
    case 2:
        return SOURCE_NEAR;
    case 3:
        return ibs_nb_dst_proc(data2) ? SOURCE_REMOTE_DRAM : SOURCE_DRAM;
    case 4:
        return SOURCE_REMOTE_CACHE;
    case 7:
        return SOURCE_OTHER;
    default:
        return SOURCE_UNKNOWN;
    }
}

enum data_source data_source_by(const struct ibs_layout *layout, const struct sample_record *record)
{
    enum { NO_MAB = 1 << 16, L2_MISS = 1 << 20, SW_PF = 1 << 21 };
    uint64_t data2 = record->reg[IBS_OP_DATA2], data3 = record->reg[IBS_OP_DATA3];
    bool erratum_1293 = layout->family == 0x19 && layout->model <= 0xF && (data3 & (NO_MAB | SW_PF));

    /* Files that do not say are ours, or the toolkit's, which names the family where it is another one. */
    if (layout->family == 0 || layout->family == 0x10)
        return data_source_of(record);
    if (!ibs_dc_miss(data3))
        return SOURCE_L1;
    if (layout->family < 0x17)
        return SOURCE_UNKNOWN;
    /* As Linux decodes it: arch/x86/events/amd/ibs.c, perf_ibs_get_mem_lvl. */
    if (!(data3 & L2_MISS) && !erratum_1293)
        return SOURCE_L2;
    return layout->wide_source ? wide_source(data2) : narrow_source(data2);
}
