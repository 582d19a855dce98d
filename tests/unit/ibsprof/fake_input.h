/* SPDX-License-Identifier: BSD-2-Clause */
/* An input of items that a test makes. */
#ifndef TESTS_UNIT_IBSPROF_FAKE_INPUT_H
#define TESTS_UNIT_IBSPROF_FAKE_INPUT_H

#include "tools/ibsprof/read/input_inside.h"

struct fake_input {
    struct input input; /* facts may be changed before reading */
    struct input_event events[4];
    struct perfdata_item *items;
    size_t count, room, at;
    const char *broken; /* an error after the last item */
};

/* Makes three events at most: 0 is ibs_fetch//, 1 is ibs_op//, 2 is cpu-clock if requested. */
struct fake_input *fake_input_make(bool with_clock);
void fake_input_free(struct fake_input *fake);

struct perfdata_item *fake_input_add(struct fake_input *fake, enum perfdata_item_kind kind);
struct perfdata_item *fake_input_map(struct fake_input *fake, uint32_t pid, uint64_t start, uint64_t length,
                                     uint64_t page_offset, const char *name);
/* Adds a sample of event 2, in user mode, with an address. */
struct perfdata_item *fake_input_clock(struct fake_input *fake, uint32_t pid, uint64_t ip);
struct perfdata_item *fake_input_ibs(struct fake_input *fake, uint32_t pid, const struct sample_record *record);

#endif
