/* SPDX-License-Identifier: BSD-2-Clause */
/* Events of the L3 cache, a part of the northbridge. Sources: core/events/events.h. */
#include "core/events/events_rows.h"

/* clang-format off */
EVENT_ROWS = {
    {EVENT(0x4E0, EVENT_L3, "READ_REQUEST_L3_CACHE",
        "Read request to L3 Cache", "Read req L3", 500),
     .flags = EVENT_NODE | EVENT_CORE_SELECT,
     MASK(0xF7, 0xF7), .bits = {"Read Block Exclusive (Data cache read)",
                                "Read Block Shared (Instruction cache read)", "Read Block Modify",
                                [4] = "Core select (must be set)", "Core select (must be set)",
                                "Core select (must be set)", "Core select (must be set)"},
     .remark = "The core-select bits 7:4 must all be set (erratum 437), so all cores of the node are counted. 4E0 - "
               "4E1: about the hits."},
    {EVENT(0x4E1, EVENT_L3, "L3_CACHE_MISSES",
        "L3 cache misses", "L3 misses", 500),
     .flags = EVENT_NODE | EVENT_CORE_SELECT,
     MASK(0xF7, 0xF7), .bits = {"Read Block Exclusive (Data cache read)",
                                "Read Block Shared (Instruction cache read)", "Read Block Modify",
                                [4] = "Core select (must be set)", "Core select (must be set)",
                                "Core select (must be set)", "Core select (must be set)"},
     .remark = "The core-select bits 7:4 must all be set (erratum 437), so all cores of the node are counted."},
    {EVENT(0x4E2, EVENT_L3, "L3_FILLS_CAUSED_BY_L2_EVICTIONS",
        "L3 fills caused by L2 evictions", "L3 fills", 500),
     .flags = EVENT_NODE | EVENT_CORE_SELECT,
     MASK(0xFF, 0xFF), .bits = {"Shared", "Exclusive", "Owned", "Modified", "Core select (must be set)",
                                "Core select (must be set)", "Core select (must be set)",
                                "Core select (must be set)"},
     .remark = "The core-select bits 7:4 must all be set (erratum 437), so all cores of the node are counted."},
    /* oprofile's default 0f violates erratum 437; CodeAnalyst's ff is taken. */
    {EVENT(0x4E3, EVENT_L3, "L3_EVICTIONS",
        "L3 evictions", "L3 evictions", 500),
     .flags = EVENT_NODE | EVENT_CORE_SELECT,
     MASK(0xFF, 0xFF), .bits = {"Shared", "Exclusive", "Owned", "Modified", "Core select (must be set)",
                                "Core select (must be set)", "Core select (must be set)",
                                "Core select (must be set)"},
     .remark = "The core-select bits 7:4 must all be set (erratum 437), so all cores of the node are counted."},
    {EVENT_ONLY_D(0x4ED, EVENT_L3, "NON_CANCELLED_L3_READ_REQUESTS",
        "Non-cancelled L3 Read Requests", "Non-cancelled L3 Read", 500),
     .flags = EVENT_NODE | EVENT_CORE_SELECT,
     MASK(0xF7, 0xF7), .bits = {"RbBlk", "RbBlkS", "RbBlkM", [4] = "Core select (must be set)",
                                "Core select (must be set)", "Core select (must be set)",
                                "Core select (must be set)"},
     .remark = "The core-select bits 7:4 must all be set (erratum 437), so all cores of the node are counted."},
};
/* clang-format on */
