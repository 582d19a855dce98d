/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The shim's state for a core, and the tasks of its files.
 *
 *   entry.c    the UEFI program: loads ibsboot, sets everything up, becomes the guest, starts ibsboot, reports
 *   svm.c      VMCB, permission maps, entering guest mode
 *   cores.c    other cores: each becomes a guest when firmware starts a procedure on it
 *   startup.h  or when the guest starts it itself, by INIT and STARTUP
 *   nodes.c    which cores and which memory belong to which node
 *   group.c    cores that are stepped at the same time take turns
 *   exits.c    #VMEXIT dispatch; CPUID, VMMCALL, writes of IDTR and CR3
 *   msr.c pci.c apic.c   what the guest sees of the modelled registers
 *   x2apic.c   the same in x2APIC mode
 *   prepared.c memory that the guest reports as filled
 *   clock.c    the time stamp counter: the model's while it is stepped, else that of the host
 *   step.c     when stepping begins and ends; by TF: the gate of vector 1 inside the guest
 *   boundary.c what happens at each step; TF kept out of the guest's sight
 *   native.h   stepping by the QEMU plugin, in place of TF
 *   progress.h reports to the outside that stepping makes progress
 *   nmi.c      delivery of NMIs and the end of their handlers
 *   handler.c  cost of the NMI handlers
 *   machine_check.c   a machine check, as a switch of hostile.h
 *   restore.c  checks that everything reads as before after ibsboot has ended
 *   files.c    truth.csv and handler.csv
 *   os.h       all that is different when the guest is an operating system
 *
 * The model (vpmu/model) is told of instruction boundaries by boundary.c only, and knows nothing of SVM.
 */
#ifndef VPMU_SHIM_SHIM_H
#define VPMU_SHIM_SHIM_H

#include <stdbool.h>
#include <stdint.h>

#include "vpmu/model/model.h"
#include "vpmu/plugin/link.h"
#include "vpmu/shim/handler.h"
#include "vpmu/shim/paging.h"
#include "vpmu/shim/firmware/settings.h"
#include "vpmu/shim/world.h"

/* Reasons for the host to let the guest execute one instruction that ends in a #DB exit. */
enum host_step {
    HOST_STEP_NONE,
    HOST_STEP_APIC_REAL,
    HOST_STEP_APIC_SHADOW,
    HOST_STEP_IRET,
    HOST_STEP_RESUME, /* an IRETQ back to what the plugin steps */
    HOST_STEP_TABLES,
};

struct stepper {
    bool armed;       /* last known vpmu_armed() */
    bool installed;   /* the stub is in the guest's IDT and TF is the shim's; or the plugin announces instructions */
    unsigned frames;  /* frames on the guest's stacks with TF set by the shim, left there by stepping */
    bool hold;        /* an NMI interrupted stepping: its handler is stepped to the end, whatever it disarms */
    bool after_pushf; /* the last announced instruction is a PUSHF */
    const struct interrupt_frame *frame; /* the frame to resume after the stub left by VMMCALL */
    struct interrupt_frame moved;        /* its copy: the frame of an NMI on the same stack would be in its place */
    uint64_t gate;                       /* guest linear address of the IDT's vector 1 */
    uint64_t saved_gate[2];
    uint64_t saved_dr6;
    /* By the plugin (native.h): */
    bool stepping;       /* corresponds to TF: off in handlers that are not stepped */
    bool unannounced;    /* the next instruction must not be announced */
    bool repeats;        /* value of 'unannounced' after the handler's IRETQ */
    bool announced;      /* os_step.c: the instruction at which the plugin left the guest has been announced */
    uint64_t left_at;    /* its address */
    const char *problem; /* an error found where nothing can be printed */

    uint64_t steps;
    uint64_t since; /* TSC when stepping began */
    uint64_t ticks; /* TSC ticks of stepping */
};

struct nmi {
    bool pending;                       /* latched, to be delivered when none is in service */
    bool of_step;                       /* it came at a step outside handlers */
    bool in_service;                    /* delivered, IRET not executed yet */
    bool awaiting_handler;              /* injected; the handler's first fetch will exit */
    struct interrupt_frame interrupted; /* by the injected NMI */
    uint64_t ist_ss;                    /* SS in the handler, after a switch to an IST stack */
    uint64_t handler;                   /* native.c: the address that must be announced next; 0: any */
    uint64_t delivered;
};

struct clock {
    uint64_t scale;   /* ticks of the model's TSC for one of the host's, times 2^32 */
    uint64_t origin;  /* host's time (group_time()) at the start */
    uint64_t last;    /* host's time up to which time has been passed to the model */
    uint64_t advance; /* likewise for the stepped cores' time */
};

enum { CHECK_GLOBAL, CHECK_STATUS, CHECK_ADDRESS, CHECK_REGISTERS };

struct machine_check {
    bool raised;
    uint64_t reg[CHECK_REGISTERS]; /* MCG_STATUS; registers of bank 0 */
};

struct turn {
    uint64_t until;       /* core's TSC up to which it may be stepped unchecked; UINT64_MAX: it is alone */
    uint64_t joined;      /* its TSC when its stepping began */
    uint64_t joined_with; /* the group's time then */
};

/* os_timer.c */
struct os_timer {
    bool ours;     /* these registers apply, and the real timer is masked */
    bool counting; /* towards expiry */
    uint32_t lvt, initial, divide;
    uint64_t expiry; /* TSC */
    /* State of the real timer, while it is in use: */
    bool taken;   /* the guest has taken the interrupt of its count */
    bool earlier; /* the interrupt of an earlier count was still in service when this count began */
};

struct os {
    struct os_timer timer;
    uint64_t cr3;   /* page tables of the model's TLBs and os_code.c's pages; 0: none */
    uint64_t ticks; /* interrupts of the timer, while stepping */
    uint64_t reports;
};

/* Page-aligned memory of a core. */
struct shim_pages {
    struct vmcb vmcb __attribute__((aligned(4096)));
    uint8_t host_save[4096];
    uint32_t apic_shadow[1024];
    uint8_t host_stack[32768];
    struct identity_map nested;
};

struct shim {
    struct world world; /* first: doors.S knows the world only */
    uint32_t core;      /* 0: the boot core */
    struct shim_pages *pages;
    struct vmcb *vmcb;
    struct vpmu *model;
    struct shim_settings settings;
    struct identity_map *nested;
    bool in_guest; /* this code is running as the guest, on the guest's page tables */

    enum host_step host_step;
    bool host_step_if, host_step_tf; /* RFLAGS bits of the guest before the step */
    bool host_step_on;               /* with HOST_STEP_TABLES: step_on() before */
    uint64_t host_step_dr6;

    struct stepper stepper;
    struct nmi nmi;
    struct clock clock;
    struct turn turn;
    struct os os;
    struct handler_costs costs;
    struct machine_check check;

    uint64_t apic_base;
    bool x2apic;          /* the guest's APIC is in that mode */
    bool apic_off;        /* or in none */
    unsigned apic_offset; /* of the register whose access is being stepped */
    uint32_t apic_shown;  /* its value before */
    bool apic_write;
    uint64_t filled; /* prepared.h: address of the table being read; then, whether it was valid */
    bool filled_well;
    uint64_t exits;
    uint64_t host_ticks;
};

/* group.c */
struct group {
    uint32_t lock;
    uint32_t running;            /* bit n: core n is a guest, not stepped, and not at rest */
    uint32_t stepped;            /* bit n: core n is stepped */
    uint32_t turn;               /* the core whose turn it is, while any core is stepped */
    uint32_t lost;               /* bit n: core n is stepped, but the others do not wait for it any more */
    uint32_t unchecked;          /* bit n: core n runs since before the first core was stepped, without a PAUSE */
    uint32_t asked;              /* how often the turn was requested in vain since its core's time stopped advancing */
    uint64_t stands;             /* place at which that core stopped */
    uint64_t place[WORLD_CORES]; /* of the running cores */
    uint64_t advance;            /* of the model's time while any core was stepped, in total */
    uint64_t frozen;             /* the host's time during these periods */
    uint64_t since;              /* the host's TSC when the first core began */
    uint64_t not_waited;         /* times that stepping went on without a core whose turn did not end */
};

/* svm.c. Prepares for all cores. Returns false, with a line on serial, if this processor has no SVM with nested
 * paging. */
bool svm_prepare(void);
/* Runs on the core itself, called by firmware: fills the VMCB with its state and enables SVM. */
void svm_begin(struct shim *shim);
/* Returns the descriptor cache of a selector, from the guest's GDT. */
struct vmcb_segment svm_segment(const struct vmcb_segment *gdtr, uint16_t selector);
/* Returns the cache of a descriptor. */
struct vmcb_segment svm_descriptor(uint16_t selector, uint64_t descriptor);

/* exits.c. Functions that several files need: */

/* Skips the guest instruction at rip, of length bytes, which the host has emulated. */
void exit_skip(struct shim *shim, unsigned length);
/* Acts at an instruction boundary of the guest: arms or disarms as the model requires, announces the boundary,
 * delivers an NMI. */
void exit_boundary(struct shim *shim);
/* Raises an exception in the guest instead of the instruction at rip; its error code, if it has one, is 0. */
void exit_inject_exception(struct shim *shim, unsigned vector);
/* Executes one guest instruction, then exit_db(). */
void exit_begin_host_step(struct shim *shim, enum host_step why);
/* Prints what happened and the guest's state, and ends QEMU. */
void exit_fatal(struct shim *shim, const char *what) __attribute__((noreturn));

/* msr.c, pci.c, apic.c: the exits. */
void exit_msr(struct shim *shim);
/* Emulates RDTSC, RDTSCP, RDPMC. */
void exit_read(struct shim *shim);
/* Emulates without an exit the instruction at code, which begins with 0Fh, if it is one of those, or RDMSR or WRMSR of
 * a register of the model. Returns its length; 0: the instruction must execute (and exit). */
unsigned msr_instruction(struct shim *shim, const uint8_t *code, uint64_t gpr[16]);
/* HOSTILE_NMI_REASON: the port that exits with it alone, and its bit (Linux arch/x86/include/asm/mach_traps.h). */
enum { PORT_NMI_REASON = 0x61, NMI_REASON_IOCHK = 0x40 };
void exit_io(struct shim *shim);
void exit_npf(struct shim *shim);
void apic_end_host_step(struct shim *shim, bool shadowed);
/* Read and write a register as the guest sees it: the model's or the real one's. */
uint32_t apic_get(struct shim *shim, unsigned offset);
void apic_put(struct shim *shim, unsigned offset, uint32_t value);

/* x2apic.c. VPMU_NOT_MINE: not a register of that mode, or the setting is off. */
enum vpmu_access x2apic_access(struct shim *shim, uint32_t msr, bool write, uint64_t *value);
/* Takes over the current values of the registers that the model has from now on. */
void apic_connect(struct shim *shim);

/* cores.c. Finds the other cores, and wraps the firmware's MP Services so that procedures on them run as guests. dead:
 * this core will never start a procedure (0: none); hide: hides the MP Services from the guest. Returns false, with a
 * line on serial: no memory. */
bool cores_prepare(const struct vpmu_config *config, uint32_t dead, bool hide);
/* Writes truth-1.csv and so on; prints a line per core. Returns false if a core's modelled registers do not read as
 * before. */
bool cores_end(void *device);

/* nodes.c. Fills in memory_end for the configuration's nodes. Returns false, with a line on serial: too many nodes. */
bool nodes_divide_memory(struct vpmu_config *config);
/* Returns false, with a line on serial, if this number of cores cannot be divided evenly. */
bool nodes_divide_cores(uint32_t nodes, uint32_t cores);

/* group.c. Note that this core becomes a guest; waits for an event other than another core's, or has ended. */
void group_enter(struct shim *shim);
void group_rest(struct shim *shim);
/* Sends INIT to this core by the command register, while it cannot be in the middle of a call of these functions. It
 * takes no more part. */
void group_stop(struct shim *shim, volatile uint32_t *command, uint32_t init);
/* Begin and end stepping of this core; its clock goes on in the group's time, and in the host's after that. */
void group_join(struct shim *shim);
void group_leave(struct shim *shim);
/* Returns whether it is this core's turn: it is not ahead of another core by more than a quantum. To be called before
 * a boundary is announced to the model; after false the other cores must run before the next call. */
bool group_turn(struct shim *shim);
static inline bool group_may_step(struct shim *shim)
{
    return shim->turn.until == UINT64_MAX || vpmu_tsc(shim->model) < shim->turn.until || group_turn(shim);
}
/* Waits for the turn of a core that is not stepped, where it executes PAUSE. */
void group_pass(struct shim *shim);
/* Returns the host's TSC without the time in which any core was stepped; and the model's advance in that time, in
 * ticks of its TSC. */
void group_time(uint64_t *host, uint64_t *advance);

/* clock.c. Starts the time of all cores. host_khz: of the host's TSC. */
void clock_init(uint64_t host_khz);
/* Passes the elapsed time to the model, unless the model makes its own by being stepped. To be called before stepping
 * begins, and before anything that reads the model's time. */
void clock_sync(struct shim *shim);
/* Lets some time pass at each access by which a handler that is not stepped may wait: the model's time stands still
 * there, and a loop that waits for it would never end. */
void clock_wait(struct shim *shim);
/* Begins stepping, by a write before which clock_sync() was called: the time that the host took since then passes, but
 * not for a timer that the write has started. now, advance: as from group_time(). */
void clock_begin_stepping(struct shim *shim, uint64_t now, uint64_t advance);
/* Ends stepping. */
void clock_restart(struct shim *shim, uint64_t advance);

/* step.c, boundary.c */

/* Returns whether the guest must be stepped at its current place: sampling or counting, the handler of an NMI that
 * interrupted these, or a handler whose cost is counted. */
bool step_wanted(const struct shim *shim);
/* Returns whether it is being stepped, and not in a handler that is not stepped. */
bool step_on(const struct shim *shim);
/* Switches stepping on or off for the current handler. */
void step_set(struct shim *shim, bool on);
/* Asks the model whether it is armed: any write of a register may have changed that. */
void step_rearm(struct shim *shim);

/* Installs or removes the stub, and sets or clears TF, according to the model. Host mode, at an instruction boundary.
 */
void step_sync(struct shim *shim);
/* Announces the boundary before the instruction at rip. Returns true when the host must act there. */
bool step_announce(struct shim *shim, uint64_t rip, const uint64_t gpr[16]);
/* Ends stepping. */
void step_remove(struct shim *shim);
/* Ends stepping of this core after INIT: nothing of the guest's is touched. */
void step_forget(struct shim *shim);
/* Returns whether the instruction at rip is IRETQ. */
bool step_is_iretq(const struct shim *shim, uint64_t rip);
/* Returns the address by which the guest's linear address can be accessed from here; 0 when it is not mapped. In the
 * guest of a firmware, which maps memory 1:1, that is the address itself. */
uint64_t step_guest_walk(const struct shim *shim, uint64_t linear);
static inline uint64_t step_guest_address(const struct shim *shim, uint64_t linear)
{
    return shim->in_guest && !shim->settings.os ? linear : step_guest_walk(shim, linear);
}
/* Walks pages for the model. */
unsigned step_translate(void *context, uint64_t linear, uint64_t *physical, uint64_t table_addresses[4],
                        unsigned *tables);

/* nmi.c */

/* Returns the address in the guest's NMI gate. */
uint64_t nmi_handler_address(const struct shim *shim);
/* Begins an NMI's handler: the NMI is in service, and its kind follows from what is pending. */
void nmi_begin(struct shim *shim);
/* Injects a pending NMI unless one is in service. Host mode, the VMCB holding the state to interrupt. */
void nmi_deliver(struct shim *shim);
/* Does the same in guest mode, in the stub; frame: where it would have resumed, changed to the handler's first
 * instruction. Returns false when this NMI must be injected. */
bool nmi_deliver_in_stub(struct shim *shim, struct interrupt_frame *frame);
/* Called when the handler's first instruction is about to be fetched. */
void nmi_handler_entered(struct shim *shim);
/* Returns from the stub's VMMCALL to the state that it interrupted. */
void nmi_leave_stub(struct shim *shim);
/* Takes the exit before an IRET executes while nothing is being stepped. */
void exit_iret(struct shim *shim);
/* Opens NMIs again: an IRETQ is about to execute or has executed. */
void nmi_iret(struct shim *shim);

/* machine_check.c. Returns whether one is to be raised in place of the pending NMI. */
bool machine_check_due(const struct shim *shim);
void machine_check_raise(struct shim *shim);
/* VPMU_NOT_MINE: the processor's register. */
enum vpmu_access machine_check_access(struct shim *shim, uint32_t msr, bool write, uint64_t *value);

/* native.c: the plugin's announcement (link.h). For the plugin only. */
uint32_t native_boundary(uint32_t core, uint64_t rip, uint64_t gpr[16]);

#endif
