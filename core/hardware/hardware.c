/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/hardware/hardware.h"

const struct hardware_row hardware_rows[HARDWARE_ROWS] = {
#define HARDWARE(id, number, by, ...) {#id, number, HARDWARE_IN, HARDWARE_BY_##by, __VA_ARGS__},
#include "core/hardware/hardware_rows.h"
#undef HARDWARE
};

const char *hardware_part_name(unsigned part)
{
    static const char *const names[HARDWARE_PARTS] = {
        [HARDWARE_IBS] = "IBS",
        [HARDWARE_NMI] = "Interrupts and the local APIC",
        [HARDWARE_COUNTERS] = "Counters",
        [HARDWARE_MEMORY] = "Caches, TLBs and memory",
        [HARDWARE_CODE] = "Branches, fetch and execution",
        [HARDWARE_LATER] = "Processors after Family 10h",
        [HARDWARE_SEVERAL] = "Several cores and nodes",
        [HARDWARE_PROCESSOR] = "The processor, its firmware, and other systems",
    };

    return part < HARDWARE_PARTS ? names[part] : "?";
}

const char *hardware_verdict_name(unsigned verdict)
{
    static const char *const names[HARDWARE_VERDICTS] = {
        [HARDWARE_NOT_REACHED] = "not reached", [HARDWARE_RUNNING] = "running",
        [HARDWARE_BY_HAND] = "by hand",         [HARDWARE_NO_ANSWER] = "not answerable",
        [HARDWARE_EXPECTED] = "as expected",    [HARDWARE_OTHERWISE] = "otherwise",
    };

    return verdict < HARDWARE_VERDICTS ? names[verdict] : "?";
}
