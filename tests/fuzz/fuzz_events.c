/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lists of events from hostile bytes. In all cases: the list keeps to its size, every accepted event reads back from
 * its own text unchanged, events that pass the check fit the registers, and messages are printable.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/events/event_groups.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
    if (!holds)
        abort();
}

static void check_write(struct out *out, const char *text, size_t length)
{
    (void)out;
    for (size_t i = 0; i < length; i++)
        check((text[i] >= ' ' && text[i] <= '~') || text[i] == '\n');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct out sink = {check_write};
    struct event_list list;
    struct event_groups groups;
    struct event_request request = {.list = &list, .revision = 'C', .sampling = true, .cores_per_node = 1};

    (void)event_list_parse(EVENT_SET_10H, (const char *)data, size, &list, &sink);
    check(list.count <= EVENT_LIST_MAX);
    for (unsigned i = 0; i < list.count; i++) {
        const struct event_spec *spec = &list.spec[i];
        struct event_spec again;
        struct out_memory memory;
        char text[128];

        out_memory_init(&memory, text, sizeof(text));
        event_write(spec, true, &memory.out);
        check(memory.needed < sizeof(text));
        check(event_parse(EVENT_SET_10H, text, memory.needed, &again, &sink));
        check(event_same(spec, &again) && spec->period == again.period);
        if (event_check(spec, 'C', &sink)) {
            check((event_ctl(spec) & (PMC_CTL_SELECT_LOW | PMC_CTL_SELECT_HIGH)) ==
                  pmc_ctl(spec->event->select, 0, 0, 0));
            check((event_ctl(spec) >> 24 & 0xFF) <= PMC_COUNT_MASK_MAX);
            check(!(event_ctl(spec) & (PMC_CTL_PRESERVE | PMC_CTL_EN | PMC_CTL_INT)));
            check(spec->period <= PMC_PERIOD_MAX);
        }
    }
    (void)event_request_check(&request, &sink);
    check(event_groups_make(&groups, &list, list.count ? 0 : -1));
    check(groups.count <= EVENT_GROUPS_MAX);
    return 0;
}
