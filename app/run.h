/* One run: memory for it, the plan, the measurement, and the profile made of its records. */
#ifndef APP_RUN_H
#define APP_RUN_H

#include "app/firmware.h"
#include "app/options.h"
#include "core/aliasing.h"
#include "core/profile.h"
#include "drivers/session.h"

struct run_block {
    void *memory;
    size_t size;
};

struct run {
    struct firmware *fw;
    const struct machine *machine;
    const struct workload *workload;
    uint32_t params[WORKLOAD_PARAMS_MAX];
    const struct image *image;

    struct session_plan plan;
    struct session_result result;
    bool measured; /* the workload ran to its end */
    bool check_ok;
    struct workload_check check;
    struct firmware_time started;

    struct profile profile;
    struct aliasing aliasing;
    unsigned identities_failed;
    uint64_t in_handler[2]; /* samples by enum ibs_kind that fell on the NMI handler; the profile counts them as outside */

    struct run_block arena, tables, workspace, records, profile_memory;
};

/* The period that gives about 50,000 samples of the workload, within what the processor and the machine take. Under a
 * hypervisor samples cost no disturbance that the model would see; on silicon an interrupt takes thousands of cycles, so the
 * period does not go below 65536 there (FreeBSD sys/dev/hwpmc/hwpmc_ibs.h: "experimentally stable"). */
uint32_t run_auto_period(const struct workload *workload, const uint32_t *params, bool hypervisor);

/* Fills plan and memory from the options. False after a line in 'problems' said why; nothing is left allocated then. */
bool run_prepare(struct run *run, struct firmware *fw, const struct machine *machine, const struct options *options,
                 const struct image *image, struct out *problems);

/* Runs the workload under sampling and makes the profile of what was recorded, also when the run ended early. */
void run_measure(struct run *run);

void run_release(struct run *run);

#endif
