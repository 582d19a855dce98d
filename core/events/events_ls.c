/* SPDX-License-Identifier: BSD-2-Clause */
/* Events of the load/store unit and segments. Sources: core/events/events.h. */
#include "core/events/events_rows.h"

/* clang-format off */
EVENT_ROWS = {
    {EVENT_12H(0x020, EVENT_LS, "SEGMENT_REGISTER_LOADS",
        "Segment register loads", "Seg reg loads", 500),
     MASK(0x7F, 0x7F), .bits = {"ES", "CS", "SS", "DS", "FS", "GS", "HS"}},
    {EVENT_12H(0x021, EVENT_LS, "PIPELINE_RESTART_DUE_TO_SELF_MODIFYING_CODE",
        "Pipeline restart due to self-modifying code", "Restart self-mod code", 500)},
    {EVENT_12H(0x022, EVENT_LS, "PIPELINE_RESTART_DUE_TO_PROBE_HIT",
        "Pipeline restart due to probe hit", "Restart probe hit", 500)},
    {EVENT_12H(0x023, EVENT_LS, "LS_BUFFER_2_FULL_CYCLES",
        "LS buffer 2 full", "LS buffer2 full", 500)},
    {EVENT_12H(0x024, EVENT_LS, "LOCKED_OPS",
        "Locked operations", "Locked ops", 500),
     MASK(0x0F, 0x0F), .bits = {"Number of locked instructions executed", "Cycles spent in speculative phase",
                                "Cycles spent in non-speculative phase (including cache miss penalty)",
                                "Cycles waiting for a cache hit (cache miss penalty)"}},
    {EVENT_12H(0x026, EVENT_LS, "RETIRED_CLFLUSH_INSTRUCTIONS",
        "Retired CLFLUSH instructions", "Ret CLFLUSH inst", 500)},
    {EVENT_12H(0x027, EVENT_LS, "RETIRED_CPUID_INSTRUCTIONS",
        "Retired CPUID instructions", "Ret CPUID inst", 500)},
    {EVENT_12H(0x02A, EVENT_LS, "CANCELLED_STORE_TO_LOAD",
        "Cancelled store to load forward operations", "Cancelled fwd ops", 500),
     MASK(0x07, 0x07), .bits = {"Address mismatches (starting byte not the same)", "Store is smaller than load",
                                "Misaligned"}},
    {EVENT_12H(0x02B, EVENT_LS, "SMIS_RECEIVED",
        "SMIs received", "SMIs received", 500),
     .remark = "System management interrupts: time that the firmware took and that nothing else shows."},
};
/* clang-format on */
