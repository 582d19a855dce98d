/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * config=hardware: asks every question of core/hardware/hardware.h that a machine can answer, one after the other.
 *
 * A question is a row of the table and a function here, hardware_ask_ID. Most need a workload measured with counters
 * or IBS: such a measurement is a step, a row of hardware_steps.h, which runs when the first question asks for it.
 * Others try registers (drivers/pmu/trial.h). Each measurement has its own session, so an exception or a time limit
 * ends only that one.
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
    HARDWARE_SILICON_PERIODS = 16, /* factor to a model's period: an interrupt takes thousands of cycles on silicon */
};

struct hardware_event {
    uint16_t select;
    uint8_t mask;
    bool invert, edge;
    uint32_t period; /* sampling period; 0: only counted */
};

struct hardware_param {
    const char *name;
    uint32_t model, silicon; /* values for a model, which steps each instruction, and for silicon */
};

struct hardware_step_row {
    const char *name;
    const char *workload;
    struct hardware_param param[STEP_PARAMS];
    struct hardware_event event[PMC_LEGACY];
    /* IBS periods on a model; on silicon they are HARDWARE_SILICON_PERIODS times as long. */
    uint32_t op_period, fetch_period;
    bool cycles, random;   /* op interval: counts cycles; random */
    bool l3_miss_only;     /* IBS' filter of L3 misses */
    uint32_t load_latency; /* threshold of IBS' latency filter, cycles; 0: off */
    bool limited;          /* with a time limit, so the APIC's timer runs */
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

/* Holds the result of a step. */
struct hardware_step {
    bool done, good;
    char why[STEP_WHY]; /* reason if not good */
    enum session_error error;
    uint32_t vector; /* exception that ended the step; 0: none */
    const struct workload *workload;
    uint32_t params[WORKLOAD_VALUES];
    struct ibs_plan ibs; /* as executed */
    uint64_t count[PMC_LEGACY];
    uint64_t empty[PMC_LEGACY]; /* counts over an empty workload, which are not subtracted */
    uint64_t ticks, elapsed;    /* TSC ticks while the counters ran, and around the measured part */
    uint64_t interrupts;        /* number of maskable interrupts */
    struct nmi_counts counts;
    struct timer_settings timer;
    uint32_t lvt_offset;
    bool firmware_entry;    /* the firmware's entry of the local vector table could not be replaced */
    uint64_t fetch_address; /* MSR C001_1031 after the measured part */
    struct sample_record *records;
    uint32_t samples;
};

/* Holds what one core found in the passes on all cores. */
struct hardware_core {
    struct hardware *hardware;
    struct clocks first, last; /* with the boot core's TSC, in an early pass and in the last one */
    uint64_t control;          /* MSR C001_103A during sampling */
    uint32_t samples;
    uint32_t off_entry; /* APIC 510h, written while the APIC was off */
    bool off_tried;
    bool svr_off; /* the core was found with its APIC disabled by software */
    struct core_state state;
    uint32_t node;     /* as a session finds it, by the core's own MSR C001_100C or CPUID */
    int listed, table; /* by the APIC ID in the firmware's list, and by ACPI's SRAT; NODE_UNKNOWN: not stated */
    int leaf;          /* CPUID 8000_001E ECX[7:0]; NODE_UNKNOWN: no such leaf */
    bool ids_known;    /* whether the two IDs below, from APIC 20h and from CPUID, are known */
    uint32_t apic_id, cpuid_id;
    struct firmware_start start;
};

struct hardware_cores {
    bool done, good;
    bool silent;                /* not good because a core did not answer INIT and STARTUP */
    char why[STEP_WHY];         /* first reason if not good */
    unsigned passes;            /* number of passes from which all cores returned */
    unsigned nb_cfg, f3x1cc;    /* matching rows in the restore logs of a pass with IBS */
    uint64_t between;           /* TSC ticks between the first and the last comparison of clocks */
    struct hardware_core *core; /* in the order of struct passes */
    struct srat srat;           /* ACPI's table, too long for a stack */
};

struct hardware {
    struct run *run;
    bool save, dangerous, model;
    enum hardware_question asking;
    unsigned asked; /* number of questions begun */
    unsigned noted; /* question that the file names as being asked */
    struct hardware_answer answer[HARDWARE_ROWS];
    struct hardware_step step[STEPS];
    struct hardware_cores cores;
    struct session_place place;
    size_t tables_size;
    struct session_result result; /* result of the last session */
    void *scratch;                /* buffer for the body of a hardware_session() */
    unsigned sessions;
    uint64_t storms; /* NMI storms in all sessions */
};

/* ---------------------------------------------------------------- answers to questions */

/* Answers the question with figures, and whether they are as the row expects. */
void hardware_found(struct hardware *hardware, bool expected, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Answers that there is no answer here, and why. */
void hardware_cannot(struct hardware *hardware, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns why the question does not apply to this processor; NULL: it applies. */
const char *hardware_not_of_family(const struct hardware *hardware, enum hardware_question question);

/* Returns this processor's event that counts what the step's event counts on Family 10h; select 0: there is none. */
struct hardware_event hardware_event_here(const struct hardware *hardware, const struct hardware_event *event);

/* Returns whether there are enough samples for a share; calls hardware_cannot() if not. */
bool hardware_enough(struct hardware *hardware, uint64_t samples);

/* ---------------------------------------------------------------- measurements */

/* Returns a step, which is executed once for all questions; NULL after hardware_cannot() if it failed. */
const struct hardware_step *hardware_step(struct hardware *hardware, enum hardware_steps step);

/* Returns a step if this processor counts all of its events; NULL after hardware_cannot(). */
const struct hardware_step *hardware_counted(struct hardware *hardware, enum hardware_steps step);

/* Returns a counter's count less that of the empty workload, at least 0. */
static inline uint64_t hardware_net(const struct hardware_step *step, unsigned counter)
{
    return step->count[counter] > step->empty[counter] ? step->count[counter] - step->empty[counter] : 0;
}

/* Runs body(argument) in a session with this program. Returns false after hardware_cannot(). */
bool hardware_session(struct hardware *hardware, const struct session_program *program, session_body *body,
                      void *argument);

/* Runs the passes on all cores once. Returns false after hardware_cannot() if only one core exists or was chosen. */
bool hardware_cores_run(struct hardware *hardware);

/* Returns the results of all cores; NULL after hardware_cannot() if there is one core, or one failed. */
const struct hardware_cores *hardware_cores(struct hardware *hardware);

/* Returns the registers that the body of such a session may try. */
struct trial hardware_trial(struct hardware *hardware);

/* Writes hardware.csv: lines about the machine, and the answers so far. */
void hardware_file(struct out *out, const struct run *run);

/* Path of hardware.csv while questions are asked. */
extern const char hardware_file_path[];

/* Writes the current question to the file, before something that may end the machine. */
void hardware_note(struct hardware *hardware);

/* Takes memory for all steps. Returns false after a line in 'problems'. */
bool hardware_steps_prepare(struct hardware *hardware, struct out *problems);

/* ---------------------------------------------------------------- arithmetic */

struct figure {
    char text[24];
};

/* Formats a / b with so many decimals; "-" if b is 0. */
struct figure figure(uint64_t a, uint64_t b, int decimals);

/* Returns whether a / b is from low to high thousandths; false if b is 0. */
bool between(uint64_t a, uint64_t b, uint64_t low, uint64_t high);

/* Returns the number of samples of a kind, with those lost to a full ring. */
uint64_t hardware_samples(const struct hardware_step *step, enum sample_kind kind);

/* Returns for how many of the step's records the event holds. */
uint64_t hardware_share(const struct hardware_step *step, enum derived event);

/* Returns the median DcMissLat of loads that missed, in cycles; 0: fewer than 20 records. */
uint32_t hardware_miss_latency(const struct hardware_step *step);

/* Returns the layout of IBS fields on this processor. */
struct ibs_machine hardware_ibs(const struct hardware *hardware);

/* Returns IbsOpData2 of the step's op record n, without bits that have no meaning; 0: not an op record. */
uint64_t hardware_data2(const struct ibs_machine *machine, const struct hardware_step *step, uint32_t n);

/* Returns the value of a parameter. */
uint32_t hardware_param(const struct hardware_step *step, const char *name);

/* Expands ASKED(id) for each row that a machine can answer. */
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
