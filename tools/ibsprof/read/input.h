/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Inputs of ibsprof: a run folder of ibsboot, a perf.data file (ours or Linux'), or a raw op or fetch file of AMD's
 * Research IBS Toolkit. Each becomes facts (input_facts) and a sequence of items (input_next).
 *
 * Nothing in a file is trusted. The file is mapped and read once from front to back; pages are released after reading,
 * so resident memory does not grow with the file. Long stretches of samples are read from copies (base/windows.h).
 *
 * Errors are one line: "FILE: offset N: what is wrong; what to do" (offset only if there is one).
 */
#ifndef TOOLS_IBSPROF_INPUT_H
#define TOOLS_IBSPROF_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/family/event_set.h"
#include "core/perfdata/perfdata_plain.h"

enum input_format { INPUT_RUN, INPUT_PERFDATA, INPUT_TOOLKIT_OP, INPUT_TOOLKIT_FETCH };

/* An event, in the order of the file. */
struct input_event {
    const char *name; /* "ibs_op//", "041 DATA_CACHE_MISSES", "cpu-clock"; never NULL */
    /* SAMPLE_OP and _FETCH: samples have registers. Other than IBS: SAMPLE_PMC, or _TIMER for clocks. */
    enum sample_kind kind;
    uint32_t type; /* of perf_event_attr; 0 in toolkit files */
    uint64_t config;
    uint64_t period;      /* as requested; 0: a frequency was requested */
    uint64_t frequency;   /* 0: a period was requested */
    uint64_t sample_type; /* of perf_event_attr */
    bool no_cpu;          /* samples do not name their core */
    bool not_measured;    /* ibsboot runs: the event's turn never came, so it has no figures, not even 0 */
};

/* A node in perf.data, with its cores as "0-3,8". */
struct input_node {
    uint32_t number;
    const char *cores;
};
enum { INPUT_NODES_MAX = 64 };

/* A "key = value" of run.ini: a fact ("#: key = value") or a setting. */
struct input_setting {
    const char *key, *value;
    bool fact;
};

struct input_facts {
    const char *path; /* as given */
    enum input_format format;
    uint64_t file_size; /* perf.data or the raw file */
    /* "" and 0 if the file does not say */
    const char *vendor, *cpu_name;
    uint32_t family, model, stepping;
    uint32_t ibs_caps; /* from run.ini, or the first IBS sample */
    const char *hostname, *release, *arch, *version, *command;
    const char *workload; /* comm of the samples' process; or run.ini's workload */
    bool is_model;        /* from a virtual PMU: figures are not silicon's */
    const char *figures;  /* run.ini's sentence on that, "MODEL: ..."; NULL: none */
    bool is_hypervisor;   /* from another hypervisor: the figures' origin is not known */
    bool no_origin;       /* the file was cut off before it says where it was recorded */
    bool is_linux;        /* recorded under an operating system */
    uint64_t work;        /* units of work of one run (run.ini: workload.work); 0: not known */
    const char *work_unit;
    uint32_t tsc_khz;
    const struct input_event *events;
    uint32_t event_count;
    const struct input_setting *settings;
    uint32_t setting_count;
    struct input_node nodes[INPUT_NODES_MAX]; /* from perf.data; run.ini has nodes by core ("core.2.node") */
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

/* Opens a path: a folder (of one run, or of a boot stick's runs, if exactly one), or a file. Returns NULL, with a line
 * in error[error_size], if it is unreadable. */
struct input *input_open(const char *path, char *error, size_t error_size);
const struct input_facts *input_facts(const struct input *input);
/* Returns a line, without its end, on the origin of the figures; NULL: silicon, no line needed. */
const char *input_figures(const struct input_facts *facts);

/* Reads the next item. Periods are never 0. A map without a build-id gets that of the file's table. Items of a toolkit
 * file are samples: type and size are 0, times are TSC ticks. Strings and call chains are valid as long as the input.
 * Returns false at an error, with the line in input_error(); earlier items stay valid. */
bool input_next(struct input *input, struct perfdata_item *ret_item);
const char *input_error(const struct input *input);

/* Reads the next items while they are samples for the fast path (core/perfdata/perfdata_plain.h), at most 'count'.
 * Returns 0 if the next item is for input_next(). Both together give every item once, in order. */
uint32_t input_next_plain(struct input *input, struct perfdata_plain *samples, uint32_t count);

/* Many samples in one piece of the file, all plain: for reading in several threads. */
struct input_stretch {
    uint64_t begin, end; /* offsets */
    const uint8_t *copy; /* its bytes; NULL: they are only in the file */
};

/* Asks for stretches, of which the caller has at most 'held' at once; must precede the first item. 0: no more. */
void input_want_stretches(struct input *input, unsigned held);
const struct perfdata_reader *input_reader(const struct input *input); /* NULL: no stretches */

/* Finds the next samples if they are a stretch. Returns false if the next items are for the other functions. */
bool input_next_stretch(struct input *input, struct input_stretch *ret_stretch);

/* Points a copy of input_reader()'s reader, one in each thread, to a stretch, which perfdata_read_plain() then reads.
 */
void input_read_stretch(const struct input_stretch *stretch, struct perfdata_reader *reader);

/* Gives a stretch back. */
void input_let_stretch(struct input *input, const struct input_stretch *stretch);

/* Sets the offset from which stretches still need the file; UINT64_MAX: none. */
void input_hold(struct input *input, uint64_t offset);

/* Returns the table of the processor's counter events. Our files without a processor are Family 10h's. */
enum event_set input_event_set(const struct input_facts *facts);

/* Stops showing progress, which every reading shows on a terminal (base/terminal.h) before this call. */
void input_hide_progress(struct input *input);

/* Returns to the first record. */
void input_rewind(struct input *input);

/* Lets go of the file's pages, which come back when they are read: for inputs that stay open beside many others. */
void input_rest(struct input *input);
void input_close(struct input *input);

#endif
