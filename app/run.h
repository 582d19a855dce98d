/* One run: what was asked for, the passes that measured it, and the profile made of their records. */
#ifndef APP_RUN_H
#define APP_RUN_H

#include "app/passes.h"
#include "core/aliasing.h"
#include "core/profile.h"

/* What IBS samples gave. */
struct run_ibs {
    struct profile profile;
    struct aliasing aliasing;
    unsigned identities_failed;
    uint64_t in_handler[2]; /* samples by enum ibs_kind that fell on the NMI handler; the profile counts them as outside */
};

struct run {
    struct firmware *fw;
    const struct machine *machine;
    const struct image *image;
    const struct workload *workload;
    uint32_t params[WORKLOAD_PARAMS_MAX];
    struct firmware_time started;
    struct pool pool;
    struct passes passes;
    struct run_ibs ibs;
};

/* Fills plan and memory from the options. False after a line in 'problems' said why; nothing is left allocated then. The run
 * must not move until it is released. */
bool run_prepare(struct run *run, struct firmware *fw, const struct machine *machine, const struct options *options,
                 const struct image *image, struct out *problems);

/* Runs the workload under sampling and makes the profile of what was recorded, also when the run ended early. */
void run_measure(struct run *run);

/* All that was to be done was done, and all checks hold. */
bool run_good(const struct run *run);

void run_release(struct run *run);

#endif
