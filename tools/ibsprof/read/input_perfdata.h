/* SPDX-License-Identifier: BSD-2-Clause */
/* Inside of the perf.data input: its state, and what its files call in one another. */
#ifndef TOOLS_IBSPROF_INPUT_PERFDATA_H
#define TOOLS_IBSPROF_INPUT_PERFDATA_H

#include "core/perfdata/perfdata_read.h"
#include "tools/ibsprof/base/table.h"
#include "tools/ibsprof/read/input_inside.h"
#include "tools/ibsprof/read/input_order.h"

enum { COMMAND_MAX = 4096 };

/* The file's table of build-ids. */
struct build_id {
    const char *name;
    const uint8_t *bytes;
    uint8_t size;
};

/* Holds a counter's value as it was last read (READ). */
struct counter_value {
    uint64_t id, value;
    uint32_t tid;
};

struct perfdata_input {
    struct perfdata_reader reader;
    struct input_order *order;
    uint64_t done; /* bytes of records given */
    char vendor[32];
    char command[COMMAND_MAX];
    struct perfdata_file_event *events; /* as many as the file has, and so of the next two */
    struct perfdata_layout *layouts;
    char **names;               /* made up here, or NULL */
    struct build_id *build_ids; /* ascending by name */
    uint32_t build_id_count;
    struct counter_value *values;
    uint32_t value_count;
    struct table by_counter;      /* index of a value + 1 */
    struct perfdata_item pending; /* a sample with values that are still to be given */
    uint32_t next_value;
};

/* Finds out whether it is Linux' or a run's, and whose figures: also when run.ini was read after the file. */
void perfdata_input_origin(struct input *input);

/* Facts, events and build-ids. */
void perfdata_input_facts(struct input *input);

/* The build-id of a map that has none itself, NULL: not known. */
const struct build_id *perfdata_input_build_id(const struct perfdata_input *self, const char *name);

#endif
