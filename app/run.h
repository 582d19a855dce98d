/* One run: what was asked for, the passes that measured it, and the profile made of their records. */
#ifndef APP_RUN_H
#define APP_RUN_H

#include "app/passes.h"
#include "app/place.h"
#include "app/task.h"
#include "core/aliasing.h"
#include "core/counts.h"
#include "core/explore.h"
#include "core/pmc_profile.h"
#include "core/noise.h"
#include "core/profile.h"
#include "drivers/witness.h"

/* What IBS samples gave. */
struct run_ibs {
    struct ibs_plan plan;
    struct ibs_settings settings; /* as written to the processor */
    struct profile profile;
    struct aliasing aliasing;
    unsigned identities_failed;
    /* Samples by enum sample_kind that fell on the NMI handler; the profile counts them as outside. */
    uint64_t in_handler[2];
};

/* What the counters or the timer gave as samples. */
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

/* What is around the noise loops. */
enum noise_regime { NOISE_FIRMWARE, NOISE_MASKED, NOISE_ALONE, NOISE_REGIMES };

struct run_noise_regime {
    bool done;
    bool interrupts_on; /* NOISE_FIRMWARE: they really were */
    struct noise_trace trace;
    struct noise_result result;
    struct noise_quanta quanta;
    struct witness witness;
    struct witness_reading first, last; /* around the loop */
};

struct run_noise {
    uint64_t duration_ms, quanta, work;
    uint32_t usual_gaps;
    int masked; /* entries of the local vector table; -1: there is no APIC to reach */
    struct noise_scratch *scratch;
    uint64_t *ticks; /* of gaps and quanta */
    struct run_noise_regime regime[NOISE_REGIMES];
};

struct run {
    struct firmware *fw;
    const struct machine *machine;
    const struct image *image;
    const struct workload *workload;
    uint32_t params[WORKLOAD_VALUES];
    struct cores cores;
    struct place place;
    struct firmware_time started;
    uint64_t seed; /* of all random intervals */
    struct pool pool;
    struct passes passes;
    struct task task;
    struct run_ibs ibs;
    struct run_pmc pmc;
    struct counts counts;
    struct explore_result explore;
    struct run_noise noise;
};

/* Fills plan and memory from the options. False after a line in 'problems' said why; nothing is left allocated then.
 * The run must not move until it is released. */
bool run_prepare(struct run *run, struct firmware *fw, const struct machine *machine, const struct options *options,
                 const struct image *image, struct out *problems);

/* Runs the passes and makes profile and totals of what they gave, also when the run ended early. */
void run_measure(struct run *run);

/* What of the run there is to show: parts with a profile or with counts. */
static inline bool run_has_ibs(const struct run *run)
{
    return task_needs_ibs(&run->task);
}
static inline bool run_has_samples(const struct run *run)
{
    return run->task.kind == TASK_TIMER || run->task.kind == TASK_SAMPLE || run->task.kind == TASK_SKID;
}
static inline bool run_has_counts(const struct run *run)
{
    return run->task.kind == TASK_COUNT || run->task.kind == TASK_EXPLORE;
}

static inline bool run_has_noise(const struct run *run)
{
    return run->task.kind == TASK_NOISE;
}

/* All that was to be done was done, and all checks hold. */
bool run_good(const struct run *run);

void run_release(struct run *run);

#endif
