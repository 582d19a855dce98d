/* SPDX-License-Identifier: BSD-2-Clause */
/* Events of the L2 cache and system interface. Sources: core/events/events.h. */
#include "core/events/events_rows.h"

/* clang-format off */
EVENT_ROWS = {
    {EVENT_12H(0x065, EVENT_L2, "MEMORY_REQUESTS",
        "Memory requests by type", "Memory req", 500),
     MASK(0x83, 0x83), .bits = {"Requests to non-cacheable (UC) memory", "Requests to write-combining (WC) memory",
                                [7] = "Streaming store (SS) requests"},
     .remark = "WC and streaming stores: flushes of write-combining buffers are counted, not stores."},
    {EVENT_12H(0x067, EVENT_L2, "DATA_PREFETCHES",
        "Data prefetcher", "Data prefetcher", 500),
     .flags = EVENT_DOUBTFUL,
     MASK(0x03, 0x03), .bits = {"Cancelled prefetches", "Prefetch attempts"},
     .remark = "The documentation describes the mask bits and then says that the event is always 0, because the "
               "prefetcher fills the data cache."},
    /* 068 and 069 are oprofile's alone (from BKDG 31116 rev. 3.48). */
    {EVENT(0x068, EVENT_L2, "MAB_REQS",
        "MAB requests", "MAB req", 500),
     .flags = EVENT_MASK_INDEX,
     MASK(0x00, 9),
     .remark = "Requests of one miss buffer. The mask is its number: 0 to 7 are the data cache's, 8 and 9 the "
               "instruction cache's."},
    {EVENT(0x069, EVENT_L2, "MAB_WAIT",
        "MAB wait cycles", "MAB wait", 500),
     .flags = EVENT_MASK_INDEX | EVENT_FREQUENT,
     MASK(0x00, 9),
     .remark = "Cycles that one miss buffer waited. Divided by 068 with the same mask: the mean latency of its "
               "misses."},
    {EVENT_12H(0x06C, EVENT_L2, "NORTHBRIDGE_READ_RESPONSES",
        "Northbridge read responses by coherency state", "NB read resp coh state", 500),
     MASK(0x1F, 0x1F), .bits = {"Exclusive", "Modified", "Shared", "Owned", "Data error"},
     .remark = "Each is a line of 64 bytes."},
    {EVENT_12H(0x06D, EVENT_L2, "OCTWORD_WRITE_TRANSFERS",
        "Octwords written to system", "Octwords written to sys", 500),
     MASK(0x01, 0x01), .bits = {"Octword write transfer"},
     .remark = "An octword is 16 bytes: a line makes four of them."},
    {EVENT_12H(0x07D, EVENT_L2, "REQUESTS_TO_L2",
        "Requests to L2 cache", "L2 requests", 500),
     MASK(0x3F, 0x3F), .bits = {"IC fill", "DC fill", "TLB fill (page table walks)", "Tag snoop request",
                                "Cancelled request", "Hardware prefetch from DC"},
     .remark = "Includes retries, which dominate when the L2 is busy. 041 to 043 and 081 to 083 are better measures "
               "of traffic."},
    {EVENT_12H(0x07E, EVENT_L2, "L2_CACHE_MISS",
        "L2 cache misses", "L2 misses", 500),
     MASK(0x0F, 0x0F), .bits = {"IC fill", "DC fill (includes possible replays)", "TLB page table walk",
                                "Hardware prefetch from DC"},
     .remark = "Includes retries, which dominate when the L2 is busy. 041 to 043 and 081 to 083 are better measures "
               "of traffic."},
    {EVENT_12H(0x07F, EVENT_L2, "L2_CACHE_FILL_WRITEBACK",
        "L2 fill/writeback", "L2 fill/writeback", 500),
     MASK(0x03, 0x03), .bits = {"L2 fills", "L2 writebacks to system"},
     .remark = "Lines of 64 bytes. Bit 0: victims of DC and IC, page walks, prefetches into the L2. Bit 1: modified "
               "lines written to the system."},
    {EVENT_C_12H(0x165, EVENT_L2, "PAGE_SIZE_MISMATCHES",
        "Page Size Mismatches", "Page Size mismatches", 500),
     MASK(0x07, 0x07), .bits = {"Guest page size is larger than the host page size", "MTRR mismatch",
                                "Host page size is larger than the guest page size"}},
};
/* clang-format on */
