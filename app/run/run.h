/* SPDX-License-Identifier: BSD-2-Clause */
/* One run: what was asked for, the passes that measured it, and the profile made of their records. */
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

/* Holds what IBS samples gave. */
struct run_ibs {
    struct ibs_plan plan;
    struct ibs_settings settings; /* as written to the processor */
    struct profile profile;
    struct derived_set set; /* of the processor */
    struct aliasing aliasing;
    void *interval_memory;      /* of the next; NULL: nothing is compared */
    struct intervals intervals; /* where cycles are counted */
    struct filtered filtered;   /* samples against the filters that they passed */
    struct time_share time;     /* where ops are; no samples: there is no estimate */
    bool timed;                 /* it is made */
    bool once;                  /* one sample a pass: the plan's period is all ops of a pass */
    bool searched;              /* periods are the shortest that disturb too little to matter */
    uint64_t tags, tag_samples; /* ops tagged in a pass, and samples of it (app/kinds/ibs_tags.h); 0: not counted */
    unsigned wanted;            /* repeats */
    unsigned repeats;           /* that were finished */
    unsigned identities_failed;
    /* Samples by enum sample_kind that fell on the NMI handler; the profile counts them as outside. */
    uint64_t in_handler[2];
};

/* Holds what the counters or the timer gave as samples. */
struct run_pmc {
    bool random;
    uint64_t slice_us;
    void *memory; /* of the profile */
    size_t size;
    struct pmc_profile profile;
    struct timer_settings timer_settings;
    unsigned repeats;               /* that were finished */
    struct pmc_group_result *group; /* [repeat][group] */
    uint64_t lost[EVENT_LIST_MAX];
    bool period_known[EVENT_LIST_MAX]; /* while periods are measured */
    uint64_t in_handler;               /* samples that fell on the NMI handler; the profile counts them as outside */
};

/* Holds what the handler adds to each row's count before it stops the counters and after, in a loop without memory. */
struct run_calm {
    bool known;
    uint64_t more[DISTURBANCE_ROWS];
    uint64_t interrupts[DISTURBANCE_ROWS]; /* by so many */
};

enum { RUN_FILE_BUFFER = 256 << 10, RUN_FOLDER_MAX = 96 };

/* The run's folder, and how far begun.ini says that it came (app/save/begun.h). */
struct run_begun {
    char folder[RUN_FOLDER_MAX]; /* "": it could not be made */
    bool written;
    uint64_t tsc; /* of the last phase */
};

/* Holds a run's place in a plan (core/run/plan.h). */
struct run_plan {
    const char *name; /* the plan's file */
    struct settings_span section;
    struct plan_run at;
    uint32_t key, run, runs; /* 'run': in the order of the plan, from 0 on */
    uint64_t ms, hottest;    /* once it is measured */
};

/* Own code, loaded; file NULL: the workload is built in. */
struct run_code {
    const struct code_file *file;
    uint8_t *memory; /* relocated for: */
    uint64_t address;
    uint8_t *data; /* pages that are written, for each core that works; NULL: there are none */
    struct paging_slots slots;
    unsigned slot;        /* of the arena */
    struct codemap plain; /* in place of a map */
    struct vpmu_own_code told;
};

struct run {
    struct firmware *fw;
    const struct machine *machine;
    const struct image *image;
    const struct workload *workload;
    const struct codemap *map; /* of the code that is measured, with the address of its RVA 0 */
    uint64_t map_base;
    uint32_t params[WORKLOAD_VALUES];
    struct run_code code;
    struct cores cores;
    struct place place;
    struct firmware_time started;
    uint64_t seed; /* of all random intervals */
    struct pool pool;
    struct options *options; /* as they were at its start; in the pool */
    struct run_begun begun;
    const struct run_plan *plan; /* NULL: of none */
    struct passes passes;
    struct task task;
    bool reference;                 /* it is to be counted what sampling changes */
    struct disturbance disturbance; /* that */
    struct run_calm calm;
    struct run_ibs ibs;
    struct run_pmc pmc;
    struct counts counts;
    struct counts *core_counts; /* [passes.workers] in the order of passes.core; NULL: one core */
    void *file_buffer;          /* RUN_FILE_BUFFER bytes, for the run's files; taken before anything is measured */
    void *own;                  /* of the kind in task.kinds[0], in the pool */
    const struct selftest_summary *selftest; /* of this boot; NULL: none was made */
};

/* Fills plan and memory from the options. False after a line in 'problems' says why; nothing is left allocated then.
 * The run must not move until it is released. */
bool run_prepare(struct run *run, struct firmware *fw, const struct machine *machine, const struct options *options,
                 const struct image *image, struct out *problems);

/* Says what the run should have for good figures, where its kinds know. */
void run_begins(struct out *out, const struct run *run);

/* Runs the passes and makes profile and totals of their results, also when the run ended early. */
void run_measure(struct run *run);

/* Everything was measured, and all checks hold. */
bool run_good(const struct run *run);

/* Takes the figures that are kept after the run, of a kind that measures a workload: nothing in them points into the
 * run's memory. Its settings that are not the default are written to 'settings', as the figures have them. */
void run_figures(const struct run *run, struct figures *figures, struct out *settings);

void run_release(struct run *run);

/* The instruction of the measured code that has the address; -1: it is none of its. */
static inline int32_t run_insn(const struct run *run, uint64_t address)
{
    return codemap_find(run->map, address - run->map_base);
}

/* The sample fell on the NMI handler. */
static inline bool run_in_handler(const struct run *run, const struct sample_record *record)
{
    return sample_address(record) - run->image->base - run->image->handler_rva < run->image->handler_size;
}

#endif
