/* SPDX-License-Identifier: BSD-2-Clause */
/* Events of the floating point unit. Sources: core/events/events.h. */
#include "core/events/events_rows.h"

/* clang-format off */
EVENT_ROWS = {
    {EVENT_12H(0x000, EVENT_FP, "DISPATCHED_FPU_OPS",
        "Dispatched FPU ops", "FPU ops", 500),
     .flags = EVENT_SPECULATIVE | EVENT_FREQUENT,
     MASK(0x3F, 0x3F), .bits = {"Add pipe ops excluding load ops and SSE move ops",
                                "Multiply pipe ops excluding load ops and SSE move ops",
                                "Store pipe ops excluding load ops and SSE move ops",
                                "Add pipe load ops and SSE move ops", "Multiply pipe load ops and SSE move ops",
                                "Store pipe load ops and SSE move ops"},
     .remark = "Dispatch is counted, so ops that never retire are in it, and so are moves: no measure of MFLOPS."},
    {EVENT_12H(0x001, EVENT_FP, "CYCLES_FPU_EMPTY",
        "Cycles in which the FPU is Empty", "Cycles FPU empty", 500),
     .flags = EVENT_FREQUENT,
     .remark = "With :i (invert) it counts the cycles in which the FPU is not empty."},
    {EVENT_12H(0x002, EVENT_FP, "DISPATCHED_FPU_OPS_FAST_FLAG",
        "Dispatched fast flag FPU operations", "Fast flag FPU ops", 500),
     .flags = EVENT_SPECULATIVE},
    {EVENT_12H(0x003, EVENT_FP, "RETIRED_SSE_OPS",
        "Retired SSE Ops", "Retired SSE Ops", 500),
     MASK(0x7F, 0x7F), .mask_modifier = 0x40,
     .bits = {"Single precision add/subtract ops", "Single precision multiply ops",
                                "Single precision divide/square root ops", "Double precision add/subtract ops",
                                "Double precision multiply ops", "Double precision divide/square root ops",
                                "Op type: 0=uops. 1=FLOPS"},
     .remark = "Mask bit 6 makes it count data elements (FLOPs) instead of ops: 48 and 50 are double precision "
               "additions and multiplications."},
    {EVENT_12H(0x004, EVENT_FP, "RETIRED_MOVE_OPS",
        "Retired move ops", "Ret move ops", 500),
     MASK(0x0F, 0x0F), .bits = {"Merging low quadword move uops", "Merging high quadword move uops",
                                "All other merging move uops", "All other move uops"}},
    {EVENT_12H(0x005, EVENT_FP, "RETIRED_SERIALIZING_OPS",
        "Retired serializing ops", "Ret serializing ops", 500),
     MASK(0x0F, 0x0F), .bits = {"SSE bottom-executing uops retired", "SSE bottom-serializing uops retired",
                                "x87 bottom-executing uops retired", "x87 bottom-serializing uops retired"}},
    {EVENT_12H(0x006, EVENT_FP, "SERIAL_UOPS_IN_FP_SCHED",
        "Number of cycles that a serializing uop is in the FP scheduler", "Serialized uop cycles", 500),
     MASK(0x03, 0x03), .bits = {"Number of cycles a bottom-execute uop is in the FP scheduler",
                                "Number of cycles a bottom-serializing uop is in the FP scheduler"}},
};
/* clang-format on */
