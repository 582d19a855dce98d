/* SPDX-License-Identifier: BSD-2-Clause */
/* State of the perf.data input, and functions that its files share. */
#ifndef TOOLS_IBSPROF_INPUT_PERFDATA_H
#define TOOLS_IBSPROF_INPUT_PERFDATA_H

#include "core/perfdata/perfdata_read.h"
#include "tools/ibsprof/base/table.h"
#include "tools/ibsprof/read/input_inside.h"
#include "tools/ibsprof/read/input_order.h"

enum { COMMAND_MAX = 4096 };

/* Entry of the file's table of build-ids. */
struct build_id {
    const char *name;
    const uint8_t *bytes;
    uint8_t size;
};

/* Holds the latest value of a counter (READ). */
struct counter_value {
    uint64_t id, value;
    uint32_t tid;
};

struct perfdata_input {
    struct perfdata_reader reader;
    struct input_order *order;
    uint64_t done; /* bytes of delivered records */
    char vendor[32];
    char command[COMMAND_MAX];
    struct perfdata_file_event *events; /* one for each event of the file; so are the next two */
    struct perfdata_layout *layouts;
    char **names;               /* names made here, or NULL */
    struct build_id *build_ids; /* sorted by name */
    uint32_t build_id_count;
    struct counter_value *values;
    uint32_t value_count;
    struct table by_counter;      /* index of a value plus one */
    struct perfdata_item pending; /* a sample with values still to be delivered */
    uint32_t next_value;
};

/* Finds out whether the file is from Linux or a run of ours, and the origin of its figures; also if run.ini is read
 * after the file. */
void perfdata_input_origin(struct input *input);

/* Reads facts, events and build-ids. */
void perfdata_input_facts(struct input *input);

/* Returns the build-id of a map without one; NULL: not known. */
const struct build_id *perfdata_input_build_id(const struct perfdata_input *self, const char *name);

#endif
