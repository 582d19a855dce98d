/* SPDX-License-Identifier: BSD-2-Clause */
/* Events of the instruction cache and ITLB. Sources: core/events/events.h. */
#include "core/events/events_rows.h"

/* clang-format off */
EVENT_ROWS = {
    {EVENT_12H(0x080, EVENT_IC, "INSTRUCTION_CACHE_FETCHES",
        "Instruction Cache fetches", "IC fetches", 500),
     .flags = EVENT_FREQUENT,
     .remark = "Each is a read of 16 aligned bytes."},
    {EVENT_12H(0x081, EVENT_IC, "INSTRUCTION_CACHE_MISSES",
        "Instruction Cache misses", "IC misses", 500),
     .remark = "About the sum of 082 and 083."},
    {EVENT_12H(0x082, EVENT_IC, "INSTRUCTION_CACHE_REFILLS_FROM_L2",
        "Instruction Cache refills from L2", "IC refills from L2", 500)},
    {EVENT_12H(0x083, EVENT_IC, "INSTRUCTION_CACHE_REFILLS_FROM_SYSTEM",
        "Instruction Cache refills from system", "IC refills from sys", 500)},
    {EVENT_12H(0x084, EVENT_IC, "L1_ITLB_MISS_AND_L2_ITLB_HIT",
        "L1 ITLB miss and L2 ITLB hit", "ITLB L1M L2H", 500)},
    {EVENT_12H(0x085, EVENT_IC, "L1_ITLB_MISS_AND_L2_ITLB_MISS",
        "L1 ITLB miss and L2 ITLB miss", "ITLB L1M L2M", 500),
     MASK(0x03, 0x03), .bits = {"Instruction fetches to a 4K page", "Instruction fetches to a 2M page"},
     .remark = "Each is a walk of the page tables."},
    {EVENT_12H(0x086, EVENT_IC, "PIPELINE_RESTART_DUE_TO_INSTRUCTION_STREAM_PROBE",
        "Pipeline restart due to instruction stream probe", "Restart i-stream probe", 500)},
    {EVENT_12H(0x087, EVENT_IC, "INSTRUCTION_FETCH_STALL",
        "Instruction fetch stall", "Inst fetch stall", 500),
     .flags = EVENT_FREQUENT,
     .remark = "Counts whenever fetch waits, also when the decoders have enough to do: 0D0 tells what the front end "
               "cost."},
    {EVENT_12H(0x088, EVENT_IC, "RETURN_STACK_HITS",
        "Return stack hits", "RET stack hits", 500)},
    {EVENT_12H(0x089, EVENT_IC, "RETURN_STACK_OVERFLOWS",
        "Return stack overflows", "RET stack overflows", 500)},
    {EVENT_12H(0x08B, EVENT_IC, "INSTRUCTION_CACHE_VICTIMS",
        "Instruction cache victims", "IC victims", 500)},
    {EVENT_12H(0x08C, EVENT_IC, "INSTRUCTION_CACHE_INVALIDATED",
        "Instruction cache lines invalidated", "IC lines invalidated", 500),
     MASK(0x03, 0x03), .bits = {"Invalidating probe that did not hit any in-flight instructions",
                                "Invalidating probe that hit one or more in-flight instructions"},
     .remark = "Later documentation has mask bits 2 and 3 for self-modifying code; they are not offered."},
    {EVENT_12H(0x099, EVENT_IC, "ITLB_RELOADS",
        "ITLB reloads", "ITLB reloads", 500)},
    {EVENT_12H(0x09A, EVENT_IC, "ITLB_RELOADS_ABORTED",
        "ITLB reloads aborted", "ITLB reloads aborted", 500)},
};
/* clang-format on */
