/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A run on this core: take the processor, sample, call the workload, restore everything.
 *
 * On several cores at once, each calls session_run() with its own plan, workspace, ring and page tables and the
 * same gang: the boot core's session sets the registers that exist once per node, all begin the measured part
 * together, and the boot core restores the nodes when no core samples any more.
 *
 * Between session_run() and its return interrupts are off and no firmware service may be called, not even by the
 * callbacks.
 */
#ifndef DRIVERS_SESSION_H
#define DRIVERS_SESSION_H

#include <stddef.h>
#include <stdint.h>

#include "core/ibs/record.h"
#include "drivers/cores/core_state.h"
#include "drivers/trace/fault.h"
#include "drivers/cores/gang.h"
#include "drivers/pmu/ibs.h"
#include "drivers/machine/machine.h"
#include "drivers/pmu/nmi.h"
#include "drivers/cpu/paging.h"
#include "drivers/pmu/pmc.h"
#include "drivers/machine/power.h"
#include "drivers/machine/usb_legacy.h"
#include "drivers/machine/restore.h"
#include "drivers/trace/single_step.h"
#include "drivers/cpu/session_error.h"
#include "drivers/pmu/timer.h"
#include "drivers/pmu/witness.h"

enum {
    SESSION_STACK_BYTES = 65536, /* the workload's stack: the top of the arena */
};

/* A part of a run. argument is the plan's, arena the virtual address of the workload's memory; its first
 * place.paging.size - SESSION_STACK_BYTES bytes belong to the workload. */
typedef void session_body(void *argument, uint64_t arena);

/* Where: a core, and the memory that only this core uses during the run. */
struct session_place {
    const struct machine *machine;
    void *workspace; /* session_workspace_size() bytes, 4096-byte aligned: descriptor tables, exception stacks */
    struct sample_record *records;
    uint32_t capacity;                /* records; their memory is cleared by session_run() */
    struct sample_stack *stacks;      /* as many; NULL: no call stacks (nmi.h says how they belong to records) */
    uint32_t stack_depth;             /* addresses of each, 1 to SAMPLE_STACK_MAX */
    struct sample_branches *branches; /* as many; NULL: no branch records */
    uint32_t cpu;                     /* index of this core, 0 = boot core */
    struct gang *gang;                /* cores that run together, each with its own plan; NULL: this one alone */
    uint32_t member;                  /* of the gang; the boot core is 0. It may have no body */
    struct paging_plan paging;
    uint64_t stack_top; /* of the workload, bytes from the arena's begin; 0: the arena's end */
    struct power_plan power;
    bool usb_off;            /* USB legacy emulation off during the run; of the boot core alone */
    struct silicon *silicon; /* gets this core's MSRs, unless it has them; NULL: not wanted */
};

/* Names what is measured. Any of the three may be off (all zero); with all off the workload just runs. */
struct session_program {
    struct ibs_plan ibs;
    struct pmc_plan pmc;      /* IBS and counters may run together: one NMI serves both */
    struct timer_plan timer;  /* time-based samples; for turns of counter groups the timer is set up without it too */
    struct single_step *step; /* not NULL: instead of the body, its kernel, one instruction after the other */
};

/* Functions that are called, in this order. All but body may be NULL. */
struct session_calls {
    session_body *prepare; /* not sampled: fills the arena */
    session_body *begin;   /* not sampled: when all cores are ready, immediately before sampling */
    session_body *body;    /* sampled; NULL on a boot core that only leads */
    session_body *end;     /* not sampled: right after the body, without waiting for other cores; omitted like finish */
    session_body *finish;  /* not sampled: checks the result; not called after a fault, nor while a stepped
                             workload has not returned */
    void *argument;
};

struct session_plan {
    struct session_place place;
    struct session_program program;
    struct session_calls calls;
};

enum session_phase { SESSION_SET_UP, SESSION_PREPARE, SESSION_BODY, SESSION_FINISH, SESSION_RESTORING };

struct session_result {
    enum session_error error; /* the first one */
    /* SESSION_MSR_FAULT, SESSION_IBS_ENABLE, SESSION_PMC_ENABLE, SESSION_IBS_SWITCH, SESSION_BRANCHES: the MSR;
     * SESSION_F3X1CC: the node; SESSION_IBS_CONTROL, SESSION_LVT_WRITE, SESSION_LVTPC, SESSION_LVT_TIMER: the value
     * read; SESSION_TIMER_RATE: its rate in kHz; SESSION_NO_EXTENDED_LVT: the number of entries; SESSION_PSTATE,
     * SESSION_BOOST, SESSION_ERRATUM_721, SESSION_CPPC: the register that says so; SESSION_STATE: enum kept_register;
     * else 0 */
    uint64_t error_detail;
    bool faulted;                   /* fault is valid; error is SESSION_FAULT unless there was one before */
    enum session_phase fault_phase; /* of SESSION_STATE, too */
    struct cpu_fault fault;
    uint64_t limit_rip; /* SESSION_LIMIT: the instruction that was next */
    uint64_t samples;   /* records written to the ring, of all kinds */
    struct nmi_counts counts;
    struct ibs_settings settings;
    struct pmc_result pmc;        /* totals, overflows, group times; all zero without counters */
    struct timer_settings timer;  /* all zero without the timer */
    uint32_t lvt_offset;          /* extended LVT entry that was used, 0: none */
    uint32_t spurious_interrupts; /* maskable ones that came although interrupts were off */
    uint64_t tsc_start, tsc_stop; /* around body */
    uint64_t arena;               /* virtual address */
    uint32_t apic_id, node;       /* of this core */
    struct core_state state;      /* in which it was */
    struct usb_legacy usb;        /* all zero without usb_off */
    struct restore_log restore;
};

size_t session_workspace_size(void);

/* Checks what can be checked without access to the machine. */
enum session_error session_check(const struct session_plan *plan);

/* Runs a plan. Never prints; every exit path restores and reads back. */
void session_run(const struct session_plan *plan, struct session_result *result);

/* Returns the counts since the run began, during the run: for the callbacks. */
struct session_live session_live(const void *workspace);

/* Returns what the NMI handler uses, during the run: for callbacks that try registers (trial.h). */
struct nmi_context *session_nmi(void *workspace);

/* Calls machine_probe() with interrupts off and our own interrupt table in force. Returns SESSION_OK,
 * SESSION_NO_WORKSPACE, SESSION_GDT or SESSION_FAULT. */
enum session_error session_probe(struct machine *machine, void *workspace);

/* Switches on IBS that CPUID denies, while CPUID is read again; sessions then do the same (machine->ibs_switched). on
 * false: the machine is as it was probed. Has no effect where CPUID has IBS by itself, or the processor is unknown.
 * Returns as session_probe(), or zen_ibs_switch_on(), whose error changes nothing. */
enum session_error session_switch_ibs(struct machine *machine, void *workspace, bool on);

/* Stops a core that has not come back for good, before this program's memory is given back. */
void session_stop_core(const struct machine *machine, uint32_t apic_id);

#endif
