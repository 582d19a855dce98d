/* SPDX-License-Identifier: BSD-2-Clause */
/* A run: what was asked for, the passes that measured it, and the profile of their records. */
#ifndef APP_RUN_H
#define APP_RUN_H

#include "app/run/passes.h"
#include "app/base/place.h"
#include "app/run/task.h"
#include "core/ibs/filtered.h"
#include "core/ibs/intervals.h"
#include "core/ibs/time_share.h"
#include "core/profile/aliasing.h"
#include "core/profile/counts.h"
#include "core/profile/disturbance.h"
#include "core/profile/figures.h"
#include "core/profile/pmc_profile.h"
#include "core/profile/profile.h"

/* Holds the results of IBS samples. */
struct run_ibs {
    struct ibs_plan plan;
    struct ibs_settings settings; /* as written to the processor */
    struct profile profile;
    struct derived_set set; /* derived events of the processor */
    struct aliasing aliasing;
    void *interval_memory;      /* memory of 'intervals'; NULL: no comparison */
    struct intervals intervals; /* if cycles are counted */
    struct filtered filtered;   /* samples that contradict the filters */
    struct time_share time;     /* if ops are counted; without samples there is no estimate */
    bool timed;                 /* there is an estimate */
    bool once;                  /* one sample per pass: the plan's period is all ops of a pass */
    bool searched;              /* periods are the shortest with negligible disturbance */
    uint64_t tags, tag_samples; /* ops tagged in a pass, and its samples (app/kinds/ibs_tags.h); 0: not counted */
    unsigned wanted;            /* passes wanted */
    unsigned repeats;           /* passes finished */
    unsigned identities_failed;
    /* Samples by enum sample_kind in the NMI handler; the profile counts them as outside. */
    uint64_t in_handler[2];
};

/* Holds the results of samples by counters or timer. */
struct run_pmc {
    bool random;
    uint64_t slice_us;
    void *memory; /* memory of 'profile' */
    size_t size;
    struct pmc_profile profile;
    struct timer_settings timer_settings;
    unsigned repeats;               /* number of repeats finished */
    struct pmc_group_result *group; /* [repeat][group] */
    uint64_t lost[EVENT_LIST_MAX];
    bool period_known[EVENT_LIST_MAX]; /* false while the period is still being measured */
    uint64_t in_handler;               /* samples in the NMI handler; the profile counts them as outside */
};

/* Holds what the handler adds to each row while counters run, measured by a loop without memory accesses. */
struct run_calm {
    bool known;
    uint64_t more[DISTURBANCE_ROWS];
    uint64_t interrupts[DISTURBANCE_ROWS]; /* number of interrupts that added 'more' */
};

enum { RUN_FILE_BUFFER = 256 << 10, RUN_FOLDER_MAX = 96 };

/* The run's folder, and the progress written to begun.ini (app/save/begun.h). */
struct run_begun {
    char folder[RUN_FOLDER_MAX]; /* "": could not be made */
    bool written;
    uint64_t tsc; /* TSC at the last phase */
};

/* Holds a run's place in a plan (core/run/plan.h). */
struct run_plan {
    const char *name; /* name of the plan's file */
    struct settings_span section;
    struct plan_run at;
    uint32_t key, run, runs; /* 'run': number in the plan's order, from 0 on */
    uint64_t ms, hottest;    /* set after the run */
};

/* Loaded own code; file NULL: the workload is built in. */
struct run_code {
    const struct code_file *file;
    uint8_t *memory; /* code relocated to 'address' */
    uint64_t address;
    uint8_t *data; /* written pages of each working core; NULL: none */
    struct paging_slots slots;
    unsigned slot;        /* slot of the arena */
    struct codemap plain; /* used if there is no map */
    struct vpmu_own_code told;
};

struct run {
    struct firmware *fw;
    const struct machine *machine;
    const struct image *image;
    const struct workload *workload;
    const struct codemap *map; /* code map of the measured code, and the address of its RVA 0 */
    uint64_t map_base;
    uint32_t params[WORKLOAD_VALUES];
    struct run_code code;
    struct cores cores;
    struct place place;
    struct firmware_time started;
    uint64_t seed; /* for all random intervals */
    struct pool pool;
    struct options *options; /* copy from the run's start; in the pool */
    struct run_begun begun;
    const struct run_plan *plan; /* NULL: not part of a plan */
    struct passes passes;
    struct task task;
    bool reference;                 /* count what sampling changes */
    struct disturbance disturbance; /* result of the reference */
    struct run_calm calm;
    struct run_ibs ibs;
    struct run_pmc pmc;
    struct counts counts;
    struct counts *core_counts; /* [passes.workers] in the order of passes.core; NULL: one core */
    void *file_buffer;          /* RUN_FILE_BUFFER bytes, for the run's files; taken before the first pass */
    void *own;                  /* data of the kind in task.kinds[0], in the pool */
    const struct selftest_summary *selftest; /* self-test of this boot; NULL: none was made */
};

/* Fills plan and memory from the options. Returns false after a line in 'problems', with all memory freed. The run must
 * not move until it is released. */
bool run_prepare(struct run *run, struct firmware *fw, const struct machine *machine, const struct options *options,
                 const struct image *image, struct out *problems);

/* Prints, where the kinds know it, what the run needs for good figures. */
void run_begins(struct out *out, const struct run *run);

/* Makes the passes, then computes profile and totals, also if the run ended early. */
void run_measure(struct run *run);

/* Returns whether everything was measured, and all checks hold. */
bool run_good(const struct run *run);

/* Copies the figures that outlive the run, for a kind that measures a workload: they do not point into the run's
 * memory. Writes settings that differ from their default to 'settings'. */
void run_figures(const struct run *run, struct figures *figures, struct out *settings);

void run_release(struct run *run);

/* Returns the instruction of the measured code at the address; -1: not in this code. */
static inline int32_t run_insn(const struct run *run, uint64_t address)
{
    return codemap_find(run->map, address - run->map_base);
}

/* Returns whether the sample is in the NMI handler. */
static inline bool run_in_handler(const struct run *run, const struct sample_record *record)
{
    return sample_address(record) - run->image->base - run->image->handler_rva < run->image->handler_size;
}

#endif
