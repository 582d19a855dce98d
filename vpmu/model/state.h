/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * All state of one modelled core, shared by the files of the model and read by its unit tests.
 */
#ifndef VPMU_STATE_H
#define VPMU_STATE_H

#include "vpmu/model/pmu/branch_stack.h"
#include "vpmu/model/caches/cache.h"
#include "vpmu/model/pmu/ibs_unit.h"
#include "vpmu/model/pipeline/insn.h"
#include "vpmu/model/pmu/local_apic.h"
#include "vpmu/model/params.h"
#include "vpmu/model/pipeline/pipeline.h"
#include "vpmu/model/pmu/pmc_truth.h"
#include "vpmu/model/pmu/pmc_unit.h"
#include "vpmu/model/pipeline/predict.h"
#include "vpmu/model/pmu/shared_counters.h"
#include "vpmu/model/pmu/touched.h"
#include "vpmu/model/signals.h"
#include "vpmu/model/caches/tlb.h"
#include "vpmu/model/truth.h"

enum {
    LVT_ENTRIES = 4,     /* extended LVT entries of this family (AMD BKDG 31116, APIC400) */
    MTRRS_VARIABLE = 16, /* MSRs of the eight pairs (AMD APM vol. 2 section 7.7.2) */
    LANDINGS = 256,
};

#define REDIRECTED UINT64_MAX /* no block has that number */

struct frontend {
    uint64_t cycle;     /* start of the latest fetch */
    uint64_t earliest;  /* no fetch before, after a redirection */
    uint64_t available; /* cycle in which the latest block can be dispatched from */
    uint64_t block;     /* address >> FETCH_SHIFT of the latest block */
    uint64_t held; /* likewise; REDIRECTED: the fetcher was redirected, and the next instruction begins with a fetch at
                      its own address */
};

/* Says what each step has to do beside running its instruction. */
enum stepping {
    STEP_ALONE,   /* nothing */
    STEP_COUNTED, /* counters count, and nothing else is under way */
    STEP_BUSY,    /* 'vpmu->busy' has work */
};

/* Registers that exist once per node. The caches have a separate struct (struct cache_node). */
struct vpmu_node {
    uint32_t ibs_control; /* F3x1CC and its copy C001_103A */
    uint64_t nb_cfg;
    struct shared_counter shared[SHARED_COUNTERS];
    struct touched touched;
};

/* All nodes of the machine. */
struct vpmu_nodes {
    uint32_t count;
    uint32_t cores;                  /* of the machine, as they were added */
    uint64_t memory_end[VPMU_NODES]; /* as in struct vpmu_config */
    struct vpmu_node node[VPMU_NODES];
};

struct vpmu {
    struct vpmu_config config;
    const struct vpmu_params *params;
    struct vpmu_params own_params; /* params, where a switch changes them */

    struct announced announced[2]; /* the latest instruction, and the one before it, which is being run */
    struct announced *pending;     /* the latest */
    bool foreign;                  /* it is not the map's code, whatever its address (vpmu_step_at) */

    struct insn_info *info; /* insn_count + 1: the last one is for all code outside the map */
    struct insn_info *outside;
    struct insn_info nothing;            /* announced after the pending instruction was forgotten */
    struct insn_info *landing[LANDINGS]; /* where jumps led to, by some bits of the address */
    bool takes_own;                      /* there is room for maps of own code */
    uint64_t map_begin, map_bytes;       /* what the map covers, from its first instruction to the end of its last */
    struct frontend front;
    struct pipeline pipe;
    struct ibs_unit ibs;
    struct predictor predictor;
    struct branch_stack branches;
    struct tlbs tlbs;
    struct caches caches;
    struct truth truth;

    struct signals signals;
    struct pmc_unit pmc;
    struct pmc_truth pmc_truth;
    struct local_apic apic;
    uint64_t tsc_offset; /* TSC less pipe.retire_cycle */
    uint64_t hwcr;
    uint64_t feature_bits, lock_map;     /* C001_1005, C001_1020: HOSTILE_IBS_OFF */
    uint64_t static_switch, idle_switch; /* C001_1029, C001_0296 */
    uint64_t memory_switch, watchdog;    /* C001_0010, C001_0074: HOSTILE_LEFT_ON */
    uint32_t pstate;
    uint32_t cppc_request;                        /* C001_02B3 */
    uint64_t mtrrs[MTRRS_VARIABLE], mtrr_default; /* 0200h to 020Fh, 02FFh: HOSTILE_CORE_MTRRS */
    uint32_t last_read, same_reads;               /* of an MSR in a row, while a switch is on */
    uint32_t tsc_ahead;                           /* ticks: HOSTILE_TSC_APART */
    uint32_t tsc_shift;                           /* software sees the TSC shifted right by it */
    bool busy;                  /* counters, the timer or an interrupt on its way need work at each step */
    uint8_t stepping;           /* enum stepping */
    pipeline_step *step[KINDS]; /* for each kind of instruction, the function that runs it */

    uint32_t lvt[LVT_ENTRIES];
    struct touched touched;
    struct vpmu_node *node;
    struct vpmu_nodes *nodes;
    struct vpmu_nodes own_nodes; /* of the first core */
};

/* silicon.c. Return false for other registers. */
void silicon_init(struct vpmu *vpmu);
bool silicon_read(struct vpmu *vpmu, uint32_t msr, uint64_t *value);
/* Returns whether firmware has left IBS off, and nobody has switched it on. */
bool silicon_ibs_off(const struct vpmu *vpmu);
/* Returns whether all that IBS takes is set: else its enable bits stay 0. */
bool silicon_ibs_runs(const struct vpmu *vpmu);
bool silicon_write(struct vpmu *vpmu, uint32_t msr, uint64_t value);

/* power.c. Return the features that CPUID has in EDX of Fn8000_0007, in EBX of Fn8000_0008. */
void power_init(struct vpmu *vpmu);
uint32_t power_features(const struct vpmu *vpmu, uint32_t leaf);
enum vpmu_access power_read(const struct vpmu *vpmu, uint32_t msr, uint64_t *value);
enum vpmu_access power_write(struct vpmu *vpmu, uint32_t msr, uint64_t value);

/* Returns the node's entry of IBS as this core has it: F3x1CC, C001_103A. */
uint32_t vpmu_ibs_control(const struct vpmu *vpmu);
/* Updates 'busy' after registers have been written, or an interrupt has been taken. */
void vpmu_look_after(struct vpmu *vpmu);
/* Returns whether the extended LVT delivers an IBS interrupt as an NMI. */
bool vpmu_lvt_open(const struct vpmu *vpmu);
/* Takes all interrupts that are due now; returns whether they are an NMI. */
bool vpmu_take_requests(struct vpmu *vpmu);

/* Fetches the instruction, which ends in the given block. */
void frontend_fetch_slow(struct vpmu *vpmu, const struct announced *insn, uint64_t last);
INLINED void frontend_fetch(struct vpmu *vpmu, const struct announced *insn, uint64_t last)
{
    if (RARELY(last != vpmu->front.held))
        frontend_fetch_slow(vpmu, insn, last);
}
/* Takes a branch that was predicted taken. */
void frontend_taken(struct vpmu *vpmu);
/* Tells the front end the result of the branch executed in the given cycle. */
void frontend_branch(struct vpmu *vpmu, enum branch_result result, const struct branch *branch, uint64_t wrong_path,
                     uint64_t executed);
/* Starts fetching again: the stream continues elsewhere, e.g. after an interrupt. */
void frontend_restart(struct vpmu *vpmu, uint64_t cycle);

/* Chooses the functions in 'vpmu->step': counters, the timer or an interrupt on its way may have changed. */
void pipeline_choose_steps(struct vpmu *vpmu);
/* Does the same in two parts, between which the next instruction is announced, and without taking interrupts. The
 * second one tells the local APIC, and is for busy cores. */
void pipeline_run(struct vpmu *vpmu, const struct announced *insn, uint64_t next_rip);
void pipeline_retired(struct vpmu *vpmu);
/* Runs any instruction of the map: the general path. */
void pipeline_run_other(struct vpmu *vpmu, const struct announced *insn, uint64_t next_rip, bool counted);
void pipeline_count_fp(struct signals *signals, const struct insn_info *info);
/* Retires all that is in flight; nothing is dispatched before. The cycles are added to the stall. */
void pipeline_drain(struct vpmu *vpmu, struct span *stall);

#endif
