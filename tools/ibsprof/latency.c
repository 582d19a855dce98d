/* Latencies in bins, and where data came from; the contracts are in profile.h. */
#include "core/ibs_regs.h"
#include "tools/ibsprof/profile.h"

uint32_t latency_bin_low(uint32_t bin)
{
    return bin < 4 ? bin : (4 + (bin & 3)) << ((bin - 4) / 4);
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

const char *data_source_name(enum data_source source)
{
    static const char *const names[SOURCES] = {
        [SOURCE_L1] = "L1",
        [SOURCE_L2] = "L2",
        [SOURCE_L3] = "L3",
        [SOURCE_CACHE] = "another core's cache",
        [SOURCE_REMOTE_CACHE] = "another node's cache",
        [SOURCE_DRAM] = "DRAM",
        [SOURCE_REMOTE_DRAM] = "another node's DRAM",
        [SOURCE_OTHER] = "MMIO, configuration, APIC",
    };

    return source < SOURCES ? names[source] : "?";
}

enum data_source data_source_of(const struct ibs_record *record)
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
