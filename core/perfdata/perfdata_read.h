/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads a perf.data file in memory: ours, and those that Linux' perf writes.
 *
 * Every size of perf_event_attr and every combination of sample_type is read. Raw registers of IBS samples are told
 * apart by the caps word in front of them, never by their number: a branch target without IbsOpData4 is as long as the
 * reverse.
 *
 * Nothing in the file is trusted: every offset and size is checked, and a damaged file ends in an error, not in a
 * wrong access. Nothing is allocated: strings and registers are read in place, so the file's memory must stay, and the
 * caller provides memory for many events.
 */
#ifndef CORE_PERFDATA_READ_H
#define CORE_PERFDATA_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/ibs/record.h"
#include "core/ibs/sample_branches.h"

enum perfdata_error {
    PERFDATA_OK = 0,
    PERFDATA_NOT_PERFDATA, /* no PERFILE2 magic */
    PERFDATA_TRUNCATED,    /* a section or record reaches beyond the end of the file, or of its container */
    PERFDATA_DAMAGED,      /* a field has an impossible value */
    PERFDATA_CUT,          /* the file was cut short, and all that is there was read */
    PERFDATA_UNSUPPORTED,  /* piped, compressed or AUX data, or more events than there is room for */
};

/* Returns one line without a full stop. */
const char *perfdata_error_text(enum perfdata_error error);

enum { PERFDATA_EVENTS_MAX = 192, PERFDATA_RAW_REGS = 10, PERFDATA_ID_CACHE = 1024 };

enum perfdata_pmu_kind { PERFDATA_PMU_OTHER, PERFDATA_PMU_IBS_OP, PERFDATA_PMU_IBS_FETCH };

/* An event of the file: its perf_event_attr. Fields beyond the attribute's size are 0. */
struct perfdata_file_event {
    uint32_t type; /* PMU number; PMU_MAPPINGS says what it is in this file */
    enum perfdata_pmu_kind pmu;
    uint64_t config;
    uint64_t period; /* as requested; with PERFDATA_ATTR_FREQ in flags: samples a second */
    uint64_t sample_type;
    uint64_t read_format;
    uint64_t flags; /* PERFDATA_ATTR_* */
    uint64_t branch_sample_type;
    uint64_t regs_user; /* mask of the registers in a sample */
    uint64_t regs_intr;
    const char *name;     /* of EVENT_DESC, or NULL */
    const char *pmu_name; /* of PMU_MAPPINGS, or NULL */
    uint64_t ids;         /* offset of its ids in the file, and their bytes */
    uint64_t ids_size;
};

struct perfdata_section {
    uint64_t offset, size;
};

/* Offsets of the fields of an event's samples, from the start of the record, for perfdata_plain.c. 0: no such field.
 */
struct perfdata_layout {
    uint16_t id, ip, tid, time, cpu, period;
    uint16_t fixed;  /* bytes before call chain and raw data, */
    uint16_t behind; /* and after them */
    uint8_t kind;    /* enum sample_kind */
    bool callchain, raw;
    bool usual; /* ip, tid and time are there in one piece, cpu and period in another */
    bool plain; /* all samples of this event can be plain */
};

/* Shape of an event's samples: one with the same length and as much raw data as a whole one is whole. */
struct perfdata_shape {
    uint64_t header; /* type and size; 0: none yet, or samples of this event must be checked one by one */
    uint64_t id;     /* of the event */
    uint64_t period; /* the same */
    uint32_t raw_at; /* place of the raw data's size; 0 without any: the record's type is unchanged */
    uint32_t raw_size;
    uint32_t registers; /* their place in the record; 0: none */
    uint32_t register_count;
    uint32_t event;
    const struct perfdata_layout *layout; /* of the event */
};

/* Shapes of events in turn, as far as they are known, and how samples name their event: for perfdata_plain.c. */
enum { PERFDATA_SHAPES = 4 };
struct perfdata_shapes {
    struct perfdata_shape of[PERFDATA_SHAPES]; /* by the low bits of the id */
    uint32_t id_at;                            /* 0: there is one event only, */
    uint64_t id_mask;                          /* and 0 */
    bool none;                                 /* events cannot be told apart */
};

struct perfdata_reader {
    const uint8_t *file;
    const uint8_t *records; /* for perfdata_plain.c: the file, or where a copy of it would begin */
    uint64_t size;
    uint64_t begin; /* the first record */
    uint64_t at;    /* the next record */
    uint64_t end;   /* end of the records, as far as they are there */
    /* The file was cut short, or its writer did not end it: records and the features behind them may be missing. The
     * records then end with PERFDATA_CUT. */
    bool cut;
    uint32_t features_missing;
    uint64_t features[4];
    /* In the reader's own memory, or the caller's; a copy of the reader shares the original's. */
    struct perfdata_file_event *events;
    struct perfdata_layout *layouts;
    uint32_t event_count, event_room;
    struct perfdata_file_event few_events[PERFDATA_EVENTS_MAX];
    struct perfdata_layout few_layouts[PERFDATA_EVENTS_MAX];
    /* Features; NULL and 0 when they are not there. Strings end with NUL. */
    const char *hostname, *os_release, *version; /* version: of perf, or of ibsboot */
    const char *arch;
    const char *cpu_name;
    const char *cpuid; /* "AuthenticAMD,16,4,2" */
    uint32_t cpus_available, cpus_online;
    uint64_t first_time, last_time;    /* of the samples, ns */
    struct perfdata_section command;   /* perfdata_command */
    struct perfdata_section nodes;     /* perfdata_node_at */
    struct perfdata_section build_ids; /* perfdata_build_id */
    /* After an error: offset of its byte in the file; what exactly is wrong or what to do, or NULL. */
    uint64_t error_at;
    const char *why;
    /* ids looked up last */
    struct {
        uint64_t id;
        int32_t event; /* index + 1; 0: empty */
    } ids[PERFDATA_ID_CACHE];
    struct perfdata_shapes shapes;
};

#define PERFDATA_NO_CPU (UINT32_MAX - 1) /* the samples have no CPU; -1 in a file stays -1 */

enum perfdata_item_kind {
    PERFDATA_ITEM_END,
    PERFDATA_ITEM_SAMPLE, /* of any event: see record.kind */
    PERFDATA_ITEM_LOST,   /* lost: samples or records */
    PERFDATA_ITEM_MAP,    /* pid, tid, map */
    PERFDATA_ITEM_COMM,   /* pid, tid, text */
    PERFDATA_ITEM_FORK,   /* pid, tid, parent_pid, parent_tid */
    PERFDATA_ITEM_EXIT,   /* the same */
    PERFDATA_ITEM_THROTTLE,
    PERFDATA_ITEM_UNTHROTTLE,
    PERFDATA_ITEM_OTHER, /* a record without a use here */
};

struct perfdata_map {
    uint64_t start, length, page_offset;
    uint32_t protection; /* PROT_*; MMAP records, which have none: read and execute, or read when it is a data map */
    uint32_t flags;
    const uint8_t *build_id; /* NULL: the record has none */
    uint8_t build_id_size;   /* at most PERFDATA_BUILD_ID_SIZE */
    const char *name;
};

struct perfdata_item {
    enum perfdata_item_kind kind;
    uint32_t type;  /* of the record */
    uint16_t misc;  /* of the record */
    uint8_t mode;   /* PERFDATA_MISC_CPUMODE of misc */
    bool exact;     /* samples: PERFDATA_MISC_EXACT_IP of misc: ip is the op's or fetch's, not an interrupt's */
    uint32_t event; /* index into reader.events, UINT32_MAX: none */
    uint64_t at;    /* offset of the record in the file, and its size */
    uint32_t size;
    uint64_t time; /* ns, with sample_id_all also for other records; 0: not known */
    uint64_t id, stream_id;
    uint32_t pid, tid, parent_pid, parent_tid;
    uint32_t cpu; /* samples: PERFDATA_NO_CPU if not told */
    uint64_t lost;
    struct perfdata_map map;
    const char *text;
    /* samples */
    uint64_t ip;
    uint64_t addr;   /* 0 when the event has none, as all that follows */
    uint64_t period; /* of the sample, or else of its event */
    uint64_t weight; /* WEIGHT; or the first of WEIGHT_STRUCT, and the others: */
    uint16_t weight2, weight3;
    uint64_t data_src, transaction, phys_addr, cgroup, data_page_size, code_page_size;
    const uint8_t *callchain; /* callchain_count u64, maybe at an odd address */
    uint32_t callchain_count;
    const uint8_t *branches; /* the latest first; maybe at an odd address: perfdata_branch() */
    uint32_t branch_count;
    const uint8_t *user_registers; /* perfdata_user_register; NULL: none */
    uint64_t user_mask;            /* mask of these */
    uint64_t user_abi;             /* enum perf_sample_regs_abi: 2 is 64 bits */
    const uint8_t *user_stack;     /* from the stack pointer on; NULL: none */
    uint64_t user_stack_size;
    struct perfdata_section values; /* READ: perfdata_value */
    uint32_t value_count;
    const uint8_t *raw;
    uint32_t raw_size;
    uint32_t caps;                         /* IBS: first word of the raw data */
    uint32_t register_count;               /* IBS: after it; those that PERFDATA_RAW_REGS has room for */
    uint64_t registers[PERFDATA_RAW_REGS]; /* in the order of the file */
    /* The sample as a record: kind, cpu (0: not told), registers, and the time as tsc. Events that are not IBS are
     * SAMPLE_PMC, or SAMPLE_TIMER for clocks, with the address as the only register. */
    struct sample_record record;
};

/* Reads header, events (PERFDATA_EVENTS_MAX at most) and features. The reader then stands before the first record. A
 * file that was cut short behind its events is read as far as it goes. */
enum perfdata_error perfdata_open(struct perfdata_reader *reader, const void *file, size_t size);

/* Returns the number of events that a file's header announces and its size has room for. */
uint32_t perfdata_announced(const void *file, size_t size);

/* Opens like perfdata_open, with events and layouts in the caller's memory, for 'room' events, at least one. */
enum perfdata_error perfdata_open_many(struct perfdata_reader *reader, const void *file, size_t size,
                                       struct perfdata_file_event *events, struct perfdata_layout *layouts,
                                       uint32_t room);

/* Reads the next record. */
enum perfdata_error perfdata_next(struct perfdata_reader *reader, struct perfdata_item *ret_item);

/* Reads the record at this offset: reader.begin, or at + size of another one. Leaves reader.at alone. */
enum perfdata_error perfdata_read_at(struct perfdata_reader *reader, uint64_t at, struct perfdata_item *ret_item);

/* Reads type, size and time of the record at this offset, and nothing else. */
enum perfdata_error perfdata_peek(struct perfdata_reader *reader, uint64_t at, uint32_t *ret_type, uint32_t *ret_size,
                                  uint64_t *ret_time);

/* Reads a value of a sample with READ: index below value_count. *ret_id is 0 when the format has none. */
void perfdata_value(const struct perfdata_reader *reader, const struct perfdata_item *item, uint32_t index,
                    uint64_t *ret_id, uint64_t *ret_value);

/* Reads a register of user mode by Linux' number for it (enum perf_event_x86_regs). Returns false if the sample lacks
 * it. */
bool perfdata_user_register(const struct perfdata_item *item, unsigned number, uint64_t *ret_value);

/* Returns a sample's branch: index below branch_count. 'how' is BRANCH_EMPTY where the recording does not say. */
struct branch_record perfdata_branch(const struct perfdata_item *item, uint32_t index);

/* Returns the kind of an event's samples: IBS samples without raw data have no registers and are SAMPLE_PMC. */
enum sample_kind perfdata_kind(const struct perfdata_file_event *event);

/* Returns the event that an id belongs to, or -1. */
int32_t perfdata_event_of_id(struct perfdata_reader *reader, uint64_t id);

/* Reads the file's nodes, from index 0 on: number, and its cores as "0-3,8". Returns false after the last. */
bool perfdata_node_at(const struct perfdata_reader *reader, uint32_t index, uint32_t *ret_number,
                      const char **ret_cores);

/* Returns words of the command line, NULL after the last. */
const char *perfdata_command(const struct perfdata_reader *reader, uint32_t index);

/* Reads entries of the feature BUILD_ID. *at is 0 for the first. Returns false after the last. mode: PERFDATA_MISC_*.
 */
bool perfdata_build_id(const struct perfdata_reader *reader, uint64_t *at, struct perfdata_map *ret_map,
                       uint8_t *ret_mode);

/* Registers that later families have after Family 10h's, by the caps word. */
enum perfdata_extra { PERFDATA_EXTRA_BRTARGET, PERFDATA_EXTRA_OPDATA4, PERFDATA_EXTRA_FETCHCTLEXTD };

/* Returns the index of one among the registers of a sample of this kind; -1: caps has none. */
int perfdata_extra_index(enum sample_kind kind, uint32_t caps, enum perfdata_extra extra);

#endif
