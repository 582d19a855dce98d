/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Inputs of ibsprof: a run folder of ibsboot, a perf.data file (ours or Linux'), or a raw op or fetch file of AMD's
 * Research IBS Toolkit. Whatever it is, it becomes facts (input_facts) and a sequence of items (input_next).
 *
 * Nothing in a file is trusted. Memory: the file is mapped and read once from front to back; what has been read is
 * given back to the system, so that resident memory does not grow with the file.
 *
 * Errors are one line: "FILE: offset N: what is wrong; what to do" (offset only where there is one).
 */
#ifndef TOOLS_IBSPROF_INPUT_H
#define TOOLS_IBSPROF_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/family/event_set.h"
#include "core/perfdata/perfdata_plain.h"

enum input_format { INPUT_RUN, INPUT_PERFDATA, INPUT_TOOLKIT_OP, INPUT_TOOLKIT_FETCH };

/* An event of the file, in the order of the file. */
struct input_event {
    const char *name;      /* "ibs_op//", "041 DATA_CACHE_MISSES", "cpu-clock"; never NULL */
    enum sample_kind kind; /* SAMPLE_OP and _FETCH: samples have registers. All that is no IBS: SAMPLE_PMC, or _TIMER
                           for clocks */
    uint32_t type;         /* of perf_event_attr; 0 in toolkit files */
    uint64_t config;
    uint64_t period;      /* as asked for; 0 when a frequency was asked for */
    uint64_t frequency;   /* 0 when a period was asked for */
    uint64_t sample_type; /* of perf_event_attr */
    bool no_cpu;          /* its samples do not say which core took them */
    bool not_measured;    /* of a run of ours: the event's turn never came. It has no figures, not even 0 */
};

/* A node of perf.data, and its cores as "0-3,8". */
struct input_node {
    uint32_t number;
    const char *cores;
};
enum { INPUT_NODES_MAX = 64 };

/* A "key = value" of run.ini's facts ("#: key = value") and settings. */
struct input_setting {
    const char *key, *value;
    bool fact;
};

struct input_facts {
    const char *path; /* as given */
    enum input_format format;
    uint64_t file_size; /* of perf.data or the raw file */
    /* "" and 0 where the file does not say */
    const char *vendor, *cpu_name;
    uint32_t family, model, stepping;
    uint32_t ibs_caps; /* of run.ini, or of the first IBS sample */
    const char *hostname, *release, *arch, *version, *command;
    const char *workload; /* comm of the samples' process; run.ini's workload */
    bool is_model;        /* taken on a virtual PMU: figures are not silicon's */
    const char *figures;  /* run.ini's sentence about that, "MODEL: ..."; NULL: none */
    bool is_hypervisor;   /* taken under another hypervisor: whose they are is not known */
    bool no_origin;       /* the file was cut short before it says what it was recorded on */
    bool is_linux;        /* an operating system was underneath */
    uint64_t work;        /* units of work of one run (run.ini: workload.work), 0: not known */
    const char *work_unit;
    uint32_t tsc_khz;
    const struct input_event *events;
    uint32_t event_count;
    const struct input_setting *settings;
    uint32_t setting_count;
    struct input_node nodes[INPUT_NODES_MAX]; /* of perf.data; run.ini says it by core ("core.2.node") */
    uint32_t node_count;
};

/* Modes of items: perf's PERF_RECORD_MISC_CPUMODE values. */
enum input_mode {
    MODE_UNKNOWN = 0,
    MODE_KERNEL = 1,
    MODE_USER = 2,
    MODE_HYPERVISOR = 3,
    MODE_GUEST_KERNEL = 4,
    MODE_GUEST_USER = 5
};

struct input;

/* Opens path: a folder (of one run, or of a boot stick's runs: then it must hold exactly one), or a file. NULL, with a
 * line in error[error_size], when it cannot be read. */
struct input *input_open(const char *path, char *error, size_t error_size);
const struct input_facts *input_facts(const struct input *input);
/* Returns what readers of the figures must be told of where they come from, a line without its end; NULL: nothing, it
 * is silicon. */
const char *input_figures(const struct input_facts *facts);

/* The next item. Periods are never 0. A map without its own build-id has that of the file's table. Of a toolkit
 * file, items are samples: type and size are 0, and times are ticks of the TSC. Strings and call chains are valid as
 * long as the input. False at an error, with the line in input_error(); everything before it stays good. */
bool input_next(struct input *input, struct perfdata_item *ret_item);
const char *input_error(const struct input *input);

/* The next items as long as they are samples that are read fast (core/perfdata/perfdata_plain.h), at most 'count' of
 * them. 0: the next one is for input_next. Together they give every item once, in the same order. */
uint32_t input_next_plain(struct input *input, struct perfdata_plain *samples, uint32_t count);

/* For reading in several threads. input_want_stretches comes before the first item. The next samples, if they are many
 * in one piece of the file, [*ret_begin, *ret_end), and all plain. perfdata_read_plain reads them, with a copy of
 * input_reader's reader for each thread; input_hold says from where on the file is still needed for that (UINT64_MAX:
 * not at all). False: what comes next is for the others.
 */
void input_want_stretches(struct input *input); /* before the first item */
bool input_next_stretch(struct input *input, uint64_t *ret_begin, uint64_t *ret_end);
const struct perfdata_reader *input_reader(const struct input *input); /* NULL: there are no stretches */
void input_hold(struct input *input, uint64_t offset);

/* The table of the processor's counter events. Files of ours that do not say which processor are Family 10h's. */
enum event_set input_event_set(const struct input_facts *facts);

/* Bytes read of facts.file_size: for progress. */
uint64_t input_position(const struct input *input);

/* Back to the first record. */
void input_rewind(struct input *input);
void input_close(struct input *input);

#endif
