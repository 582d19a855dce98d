/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/read/input_names.h"

const char *input_kind_name(enum sample_kind kind)
{
    static const char *const names[SAMPLE_KINDS] = {
        [SAMPLE_FETCH] = "fetch", [SAMPLE_OP] = "op", [SAMPLE_PMC] = "counter", [SAMPLE_TIMER] = "clock"};

    return names[kind];
}

const char *input_format_name(enum input_format format)
{
    static const char *const names[] = {[INPUT_RUN] = "run",
                                        [INPUT_PERFDATA] = "perf.data",
                                        [INPUT_TOOLKIT_OP] = "toolkit op",
                                        [INPUT_TOOLKIT_FETCH] = "toolkit fetch"};

    return names[format];
}

const char *input_mode_name(uint8_t mode)
{
    static const char *const names[] = {"unknown", "kernel", "user", "hypervisor", "guest kernel", "guest user"};

    return mode < sizeof(names) / sizeof(names[0]) ? names[mode] : names[0];
}

bool input_is_ticks(const struct input_facts *facts)
{
    return facts->format == INPUT_TOOLKIT_OP || facts->format == INPUT_TOOLKIT_FETCH;
}
