/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * config=hardware: every question of core/hardware/hardware.h that a machine can answer, one after the other.
 *
 * A question is a row of the table and a function here, hardware_ask_ID. Most need what a workload did under counters
 * or IBS: such a measurement is a step, a row of hardware_steps.h, run when the first question asks for it. Others try
 * registers (drivers/pmu/trial.h). Each measurement is a session of its own: an exception or a time limit ends it
 * alone.
 */
#ifndef APP_HARDWARE_H
#define APP_HARDWARE_H

#include "app/run/run.h"
#include "core/hardware/hardware.h"
#include "core/ibs/derived.h"
#include "core/ibs/ibs_field.h"
#include "core/platform/srat.h"
#include "drivers/cpu/clocks.h"
#include "drivers/pmu/trial.h"

enum {
    STEP_PARAMS = 3,
    STEP_RECORDS = 2048,
    STEP_WHY = 100,
    HARDWARE_SILICON_PERIODS = 16, /* times those of a model: interrupts take thousands of cycles there */
};

struct hardware_event {
    uint16_t select;
    uint8_t mask;
    bool invert, edge;
    uint32_t period; /* of samples, 0: it is only counted */
};

struct hardware_param {
    const char *name;
    uint32_t model, silicon; /* a model steps each instruction */
};

struct hardware_step_row {
    const char *name;
    const char *workload;
    struct hardware_param param[STEP_PARAMS];
    struct hardware_event event[PMC_LEGACY];
    uint32_t op_period, fetch_period; /* of IBS on a model; on silicon HARDWARE_SILICON_PERIODS times that */
    bool cycles, random;              /* the op interval: by cycles; varies */
    bool l3_miss_only;                /* IBS' filters, */
    uint32_t load_latency;            /* of cycles */
    bool limited;                     /* by a time limit: the APIC's timer runs */
    enum paging_kind pages;
    bool shuffled, code_4k;
    bool beyond_l3; /* 'kb' is twice the L3 if that is more, up to BEYOND_KB */
};

enum hardware_steps {
#define STEP(id, ...) STEP_##id,
#include "app/hardware/hardware_steps.h"
#undef STEP
    STEPS,
};

extern const struct hardware_step_row hardware_step_rows[STEPS];

/* Holds what came of a step. */
struct hardware_step {
    bool done, good;
    char why[STEP_WHY]; /* it is not: */
    enum session_error error;
    uint32_t vector; /* of the exception that ended it, 0: none did */
    const struct workload *workload;
    uint32_t params[WORKLOAD_VALUES];
    struct ibs_plan ibs; /* as it was run */
    uint64_t count[PMC_LEGACY];
    uint64_t empty[PMC_LEGACY]; /* the same over nothing, which is not subtracted */
    uint64_t ticks, elapsed;    /* TSC: while the counters were on; around the measured part */
    uint64_t interrupts;        /* maskable ones */
    struct nmi_counts counts;
    struct timer_settings timer;
    uint32_t lvt_offset;
    bool firmware_entry;    /* the entry of the local vector table is the firmware's, which could not be replaced */
    uint64_t fetch_address; /* MSR C001_1031 after the measured part */
    struct sample_record *records;
    uint32_t samples;
};

/* Holds what came of the passes on all cores. */
struct hardware_core {
    struct hardware *hardware;
    struct clocks first, last; /* with the boot core's TSC, in an early pass and in the last one */
    uint64_t control;          /* MSR C001_103A while it sampled */
    uint32_t samples;
    uint32_t off_entry; /* APIC 510h, written while the APIC was off */
    bool off_tried;
    bool svr_off; /* the APIC, by software, as the core was found */
    struct core_state state;
    uint32_t node;     /* as a session takes it, by the core's own MSR C001_100C or CPUID */
    int listed, table; /* by the id in the firmware's list of cores; by ACPI's SRAT. NODE_UNKNOWN: it does not say */
    int leaf;          /* CPUID 8000_001E ECX[7:0]; NODE_UNKNOWN: there is no such leaf */
    bool ids_known;    /* the next two: of APIC 20h and of CPUID */
    uint32_t apic_id, cpuid_id;
    struct firmware_start start;
};

struct hardware_cores {
    bool done, good;
    bool silent;                /* not good because a core did not answer INIT and STARTUP */
    char why[STEP_WHY];         /* not good: what was wrong first */
    unsigned passes;            /* that all cores came back from */
    unsigned nb_cfg, f3x1cc;    /* rows of the restore logs of a pass with IBS */
    uint64_t between;           /* TSC ticks from the first comparison of clocks to the last */
    struct hardware_core *core; /* as struct passes has them */
    struct srat srat;           /* ACPI's table, which is too long for a stack */
};

struct hardware {
    struct run *run;
    bool save, dangerous, model;
    enum hardware_question asking;
    unsigned asked; /* questions that were begun */
    unsigned noted; /* in the file as the one that is being asked */
    struct hardware_answer answer[HARDWARE_ROWS];
    struct hardware_step step[STEPS];
    struct hardware_cores cores;
    struct session_place place;
    size_t tables_size;
    struct session_result result; /* of the last session */
    void *scratch;                /* what a body of hardware_session() fills */
    unsigned sessions;
    uint64_t storms; /* of NMIs, over all sessions */
};

/* ---------------------------------------------------------------- for questions: their answer */

/* Figures, and whether they are as the row expects. */
void hardware_found(struct hardware *hardware, bool expected, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The reason why there is no answer here. */
void hardware_cannot(struct hardware *hardware, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Why the question is not about this processor; NULL: it is. */
const char *hardware_not_of_family(const struct hardware *hardware, enum hardware_question question);

/* Returns the event of this processor that counts what the step's, which is Family 10h's, counts there; select 0: it
 * has none that counts the same. */
struct hardware_event hardware_event_here(const struct hardware *hardware, const struct hardware_event *event);

/* Returns whether so many samples are enough for a share; hardware_cannot() if not. */
bool hardware_enough(struct hardware *hardware, uint64_t samples);

/* ---------------------------------------------------------------- what they measure */

/* The step; NULL after hardware_cannot() when it could not be done. Run once, with all that ask for it. */
const struct hardware_step *hardware_step(struct hardware *hardware, enum hardware_steps step);

/* The step, if all that it counts is counted here; NULL after hardware_cannot(). */
const struct hardware_step *hardware_counted(struct hardware *hardware, enum hardware_steps step);

/* Returns what a counter of the step counted of the workload alone. */
static inline uint64_t hardware_net(const struct hardware_step *step, unsigned counter)
{
    return step->count[counter] > step->empty[counter] ? step->count[counter] - step->empty[counter] : 0;
}

/* A session whose body is that function, with this program; false after hardware_cannot(). 'argument' is its own. */
bool hardware_session(struct hardware *hardware, const struct session_program *program, session_body *body,
                      void *argument);

/* The passes on all cores, run once. False after hardware_cannot(): there is one core, or one was chosen. */
bool hardware_cores_run(struct hardware *hardware);

/* Returns what the cores gave; NULL after hardware_cannot(): that, or one failed. */
const struct hardware_cores *hardware_cores(struct hardware *hardware);

/* For such a body: the registers that it tries. */
struct trial hardware_trial(struct hardware *hardware);

/* hardware.csv: lines about the machine, and the answers so far. */
void hardware_file(struct out *out, const struct run *run);

/* Where it is kept up to date meanwhile. */
extern const char hardware_file_path[];

/* Notes in the file which question is asked now, before something that may end the machine. */
void hardware_note(struct hardware *hardware);

/* Memory for all steps. False after a line in 'problems'. */
bool hardware_steps_prepare(struct hardware *hardware, struct out *problems);

/* ---------------------------------------------------------------- arithmetic */

struct figure {
    char text[24];
};

/* a / b with that many decimals; "-" if b is 0. */
struct figure figure(uint64_t a, uint64_t b, int decimals);

/* a / b is from low to high thousandths; false if b is 0. */
bool between(uint64_t a, uint64_t b, uint64_t low, uint64_t high);

/* Returns the number of samples of a kind, including samples lost to a full ring. */
uint64_t hardware_samples(const struct hardware_step *step, enum sample_kind kind);

/* Number of the step's records for which the event counts. */
uint64_t hardware_share(const struct hardware_step *step, enum derived event);

/* Median DcMissLat of the records of loads that missed, cycles; 0: fewer than 20. */
uint32_t hardware_miss_latency(const struct hardware_step *step);

/* This processor's fields of IBS. */
struct ibs_machine hardware_ibs(const struct hardware *hardware);

/* IbsOpData2 of the step's record n, if it is an op's, without bits that mean nothing; 0: it is another's. */
uint64_t hardware_data2(const struct ibs_machine *machine, const struct hardware_step *step, uint32_t n);

/* The value of a parameter. */
uint32_t hardware_param(const struct hardware_step *step, const char *name);

/* ASKED(id) for each row that a machine answers. */
#define HARDWARE_ASKED(id, number, by, ...) HARDWARE_ASKED_##by(id)
#define HARDWARE_ASKED_MACHINE(id)          ASKED(id)
#define HARDWARE_ASKED_OTHERS(id)           ASKED(id)
#define HARDWARE_ASKED_SUMMARY(id)          ASKED(id)
#define HARDWARE_ASKED_DANGEROUS(id)        ASKED(id)
#define HARDWARE_ASKED_CORES(id)
#define HARDWARE_ASKED_PERSON(id)

#define HARDWARE  HARDWARE_ASKED
#define ASKED(id) void hardware_ask_##id(struct hardware *hardware);
#include "core/hardware/hardware_rows.h"
#undef ASKED
#undef HARDWARE

#endif
