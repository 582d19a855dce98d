/*
 * Reads IBS samples out of a perf.data file that lies in memory: ours, and those that Linux' perf writes for ibs_op and
 * ibs_fetch.
 *
 * Nothing in the file is trusted: every offset and size is checked, and a damaged file ends in an error, not in a wrong
 * access. Nothing is allocated; strings and registers are read in place, so the file's memory must stay.
 */
#ifndef CORE_PERFDATA_READ_H
#define CORE_PERFDATA_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/record.h"

enum perfdata_error {
    PERFDATA_OK = 0,
    PERFDATA_NOT_PERFDATA, /* no PERFILE2 magic */
    PERFDATA_TRUNCATED,    /* a section or record reaches over the end of the file, or of what encloses it */
    PERFDATA_DAMAGED,      /* a field has a value that it cannot have */
    PERFDATA_UNSUPPORTED,  /* piped, compressed or AUX data, or more events than PERFDATA_EVENTS_MAX */
};

/* One line, no full stop. */
const char *perfdata_error_text(enum perfdata_error error);

enum { PERFDATA_EVENTS_MAX = 16 };

enum perfdata_pmu_kind { PERFDATA_PMU_OTHER, PERFDATA_PMU_IBS_OP, PERFDATA_PMU_IBS_FETCH };

/* An event of the file. */
struct perfdata_file_event {
    uint32_t type; /* PMU number; what it is in this file says PMU_MAPPINGS */
    enum perfdata_pmu_kind pmu;
    uint64_t config;
    uint64_t period; /* as it was asked for */
    uint64_t sample_type;
    uint64_t ids; /* where its ids lie in the file, and how many bytes */
    uint64_t ids_size;
};

struct perfdata_reader {
    const uint8_t *file;
    uint64_t size;
    uint64_t at;  /* the next record */
    uint64_t end; /* of the records */
    uint64_t features[4];
    struct perfdata_file_event events[PERFDATA_EVENTS_MAX];
    uint32_t event_count;
    const char *arch;  /* features, NULL when they are not there; NUL-terminated */
    const char *cpuid; /* "AuthenticAMD,16,4,2" */
};

enum perfdata_item_kind {
    PERFDATA_ITEM_END,
    PERFDATA_ITEM_SAMPLE, /* of an IBS event */
    PERFDATA_ITEM_LOST,   /* lost: samples or records */
    PERFDATA_ITEM_OTHER,  /* a record that says nothing to us */
};

struct perfdata_item {
    enum perfdata_item_kind kind;
    uint32_t type;  /* of the record */
    uint32_t event; /* index into reader.events (samples) */
    uint64_t lost;
    uint64_t ip;
    uint32_t pid;
    uint32_t tid;
    uint64_t time;   /* ns */
    uint64_t addr;   /* 0 when the event has none */
    uint64_t period; /* of the sample, or of its event when samples have none */
    uint32_t cpu;
    uint32_t caps;            /* first word of the raw data */
    uint32_t register_count;  /* registers behind it: may be more than record holds (later families) */
    struct ibs_record record; /* kind, cpu and registers; tsc is 0: files have times in ns */
};

/* Reads header, events and features. The reader then stands before the first record. */
enum perfdata_error perfdata_open(struct perfdata_reader *reader, const void *file, size_t size);

/* The next record. */
enum perfdata_error perfdata_next(struct perfdata_reader *reader, struct perfdata_item *ret_item);

#endif
