/*
 * The state of the shim for a core, and which file does what with it.
 *
 *   entry.c    the UEFI program: loads ibsboot, sets everything up, becomes the guest, starts ibsboot, reports
 *   svm.c      VMCB, permission maps, entering guest mode
 *   cores.c    other cores: each becomes a guest when firmware starts something on it
 *   nodes.c    which cores and which memory belong to which node
 *   group.c    cores that are stepped at the same time take turns
 *   exits.c    #VMEXIT dispatch; CPUID, VMMCALL, writes of IDTR and CR3
 *   msr.c pci.c apic.c   what the guest sees of the modelled registers
 *   prepared.c what the guest says of memory that it has filled
 *   clock.c    the time stamp counter: the model's while it is stepped, else that of the host
 *   step.c     when stepping begins and ends; by TF: the gate of vector 1 inside the guest
 *   boundary.c what happens at each step; TF kept out of the guest's sight
 *   native.h   stepping by the QEMU plugin, in place of TF
 *   progress.h that stepping goes on, told to the outside
 *   nmi.c      delivery of NMIs and the end of their handlers
 *   handler.c  cost of the NMI handlers
 *   restore.c  whether everything reads as before after ibsboot has ended
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
#include "vpmu/shim/settings.h"
#include "vpmu/shim/world.h"

/* Why the host has the guest execute one instruction that ends in a #DB exit. */
enum host_step {
    HOST_STEP_NONE,
    HOST_STEP_APIC_REAL,
    HOST_STEP_APIC_SHADOW,
    HOST_STEP_IRET,
    HOST_STEP_RESUME, /* an IRETQ back to what the plugin steps */
    HOST_STEP_TABLES,
};

struct stepper {
    bool armed;     /* what vpmu_armed() said when it last could have changed */
    bool installed; /* the stub is in the guest's IDT and TF is the shim's; or the plugin announces instructions */
    bool ever;      /* it was, at least once: frames with TF set may be about on guest stacks */
    bool hold; /* an NMI interrupted what was being stepped: its handler is stepped to the end, whatever it disarms */
    bool after_pushf;                    /* the instruction that was last announced is a PUSHF */
    const struct interrupt_frame *frame; /* what the stub was to go on with when it left by VMMCALL */
    uint64_t gate;                       /* guest linear address of the IDT's vector 1 */
    uint64_t saved_gate[2];
    uint64_t saved_dr6;
    /* By the plugin (native.h): */
    bool stepping;       /* what TF would be: off in handlers that are not stepped */
    bool unannounced;    /* the next instruction is not to be announced */
    bool repeats;        /* what 'unannounced' will be after the handler's IRETQ */
    bool announced;      /* os_step.c: the instruction at which the plugin left the guest has been announced */
    uint64_t left_at;    /* its address */
    const char *problem; /* what was found wrong where nothing can be printed */

    uint64_t steps;
    uint64_t since; /* TSC when stepping began */
    uint64_t ticks; /* TSC ticks of stepping */
};

struct nmi {
    bool pending;                       /* latched, to be delivered when none is in service */
    bool of_step;                       /* it came at a step, of no handler */
    bool in_service;                    /* delivered, IRET not executed yet */
    bool awaiting_handler;              /* injected; the handler's first fetch will exit */
    struct interrupt_frame interrupted; /* by the injected one */
    uint64_t ist_ss;                    /* SS in the handler, after a switch to an IST stack */
    uint64_t handler;                   /* native.c: the address that is to be announced next; 0: any */
    uint64_t delivered;
};

struct clock {
    uint64_t scale;   /* ticks of the model's TSC for one of the host's, times 2^32 */
    uint64_t origin;  /* host's time (group_time()) when all began */
    uint64_t last;    /* host's time up to which time has been handed on */
    uint64_t advance; /* and that of the cores that were stepped */
};

struct turn {
    uint64_t until;       /* the core's TSC up to which it may be stepped without asking; UINT64_MAX: it is alone */
    uint64_t joined;      /* its TSC when its stepping began */
    uint64_t joined_with; /* the group's time then */
};

/* os_timer.c */
struct os_timer {
    bool ours;     /* its registers are these, and the real one is masked */
    bool counting; /* towards expiry */
    uint32_t lvt, initial, divide;
    uint64_t expiry; /* TSC */
    /* Of the real one, while it is not ours: */
    bool taken;   /* the guest has had the interrupt of its count */
    bool earlier; /* that of an earlier count was still in service when this one began */
};

struct os {
    struct os_timer timer;
    uint64_t cr3;   /* by which the model's TLBs and os_code.c's pages are; 0: by none */
    uint64_t ticks; /* interrupts of the timer, while stepping */
    uint64_t reports;
};

/* Memory of a core, on pages of its own. */
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
    bool in_guest; /* this code is running as the guest: the guest's page tables are the ones in force */

    enum host_step host_step;
    bool host_step_if, host_step_tf; /* RFLAGS bits of the guest before the step */
    bool host_step_on;               /* with HOST_STEP_TABLES: what step_on() said */
    uint64_t host_step_dr6;

    struct stepper stepper;
    struct nmi nmi;
    struct clock clock;
    struct turn turn;
    struct os os;
    struct handler_costs costs;

    uint64_t apic_base;
    unsigned apic_offset; /* of the register whose access is being stepped */
    uint32_t apic_shown;  /* its value before */
    bool apic_write;
    uint64_t filled; /* prepared.h: the table that is being read, and whether it was one */
    bool filled_well;
    uint64_t exits;
    uint64_t host_ticks;
};

/* All cores; shim_cores of them are there. */
extern struct shim shims[WORLD_CORES];
extern uint32_t shim_cores;

/* svm.c. For all cores. False, with a line on serial, when this processor has no SVM with nested paging. */
bool svm_prepare(void);
/* On the core itself, in firmware's hands: fills the VMCB with its state and switches SVM on. */
void svm_begin(struct shim *shim);
/* The descriptor cache of a selector, from the guest's GDT. */
struct vmcb_segment svm_segment(const struct vmcb_segment *gdtr, uint16_t selector);
/* From the descriptor itself. */
struct vmcb_segment svm_descriptor(uint16_t selector, uint64_t descriptor);

/* exits.c. The pieces that several files need: */

/* The guest instruction at rip has been carried out by the host, length bytes long. */
void exit_skip(struct shim *shim, unsigned length);
/* The guest stands at an instruction boundary: arm or disarm as the model now says, tell it of the boundary, deliver an
 * NMI. */
void exit_boundary(struct shim *shim);
/* Exception for the guest instead of the instruction at rip; the error code is 0 where there is one. */
void exit_inject_exception(struct shim *shim, unsigned vector);
/* One guest instruction, then exit_db(). */
void exit_begin_host_step(struct shim *shim, enum host_step why);
/* Prints what happened and the guest's state, and ends QEMU. */
void exit_fatal(struct shim *shim, const char *what) __attribute__((noreturn));

/* msr.c, pci.c, apic.c: the exits. */
void exit_msr(struct shim *shim);
/* RDTSC, RDTSCP, RDPMC. */
void exit_read(struct shim *shim);
/* The instruction at code, which begins with 0Fh, if it is one of those or RDMSR or WRMSR of a register that the model
 * has, without an exit. Returns its length; 0: nothing was done, and the instruction must execute (and exit). */
unsigned msr_instruction(struct shim *shim, const uint8_t *code, uint64_t gpr[16]);
void exit_io(struct shim *shim);
void exit_npf(struct shim *shim);
void apic_end_host_step(struct shim *shim, bool shadowed);
/* The registers that the model has from now on are as they were. */
void apic_connect(struct shim *shim);

/* cores.c. Finds the other cores, and wraps the firmware's MP Services so that what is started on them runs as a guest.
 * dead: this core will never begin with what it is given (0: none); hide: takes the MP Services away from the guest.
 * False, with a line on serial: no memory. */
bool cores_prepare(const struct vpmu_config *config, uint32_t dead, bool hide);
/* Writes truth-1.csv and so on; a line per core. False: a core's registers of the model do not read as before. */
bool cores_end(void *device);

/* nodes.c. Fills in memory_end for as many nodes as the configuration has. False, with a line on serial: too many. */
bool nodes_divide_memory(struct vpmu_config *config);
/* False, with a line on serial: so many cores cannot be divided evenly. */
bool nodes_divide_cores(uint32_t nodes, uint32_t cores);

/* group.c. This core is a guest from now on; it waits for something that is not another core's doing, or has ended. */
void group_enter(struct shim *shim);
void group_rest(struct shim *shim);
/* Stepping of this core begins, ends. */
void group_join(struct shim *shim);
void group_leave(struct shim *shim);
/* Whether it is this core's turn: no other one is behind it by more than a quantum. To be asked before the model is told
 * of a boundary; false: the other cores are to run, then it is to be asked again. */
bool group_turn(struct shim *shim);
static inline bool group_may_step(struct shim *shim)
{
    return vpmu_tsc(shim->model) < shim->turn.until || group_turn(shim);
}
/* The same for a core that is not stepped, where it executes PAUSE: returns when it is its turn. */
void group_pass(struct shim *shim);
/* How often stepping went on without waiting for a core any longer, as its turn did not end. */
extern uint64_t group_not_waited;
/* The host's TSC without the time in which some core was stepped; and how far the model has come meanwhile, in ticks of
 * its TSC. */
void group_time(uint64_t *host, uint64_t *advance);

/* clock.c. All cores' time begins. host_khz: of the host's TSC. */
void clock_init(uint64_t host_khz);
/* Hands on to the model what time has passed, unless it makes its own by being stepped. To be called before stepping
 * begins, and before the model is asked anything about time. */
void clock_sync(struct shim *shim);
/* In a handler that is not stepped the model's time stands still: who waits for it to pass would wait for ever. So each
 * access by which a handler may wait takes some. */
void clock_wait(struct shim *shim);
/* Stepping begins, by a write before which clock_sync() was called: what the host took since then passes, but not for a
 * timer that the write has started. */
void clock_begin_stepping(struct shim *shim);
/* Stepping has ended. */
void clock_restart(struct shim *shim);

/* step.c, boundary.c */

/* Whether the guest is to be stepped where it stands: sampling or counting, the handler of an NMI that interrupted it,
 * or a handler whose cost is counted. */
bool step_wanted(const struct shim *shim);
/* Whether it is being stepped, and not in a handler that is left alone. */
bool step_on(const struct shim *shim);
/* Lets a handler, once, be stepped or not. */
void step_set(struct shim *shim, bool on);
/* Asks the model whether it is armed; it may have changed with each write of a register. */
void step_rearm(struct shim *shim);

/* Installs or removes the stub, and sets or clears TF, according to the model. Host mode, at an instruction boundary.
 */
void step_sync(struct shim *shim);
/* Announces the boundary before the instruction at rip. Returns true when the host has something to do there. */
bool step_announce(struct shim *shim, uint64_t rip, const uint64_t gpr[16]);
/* The same where group_may_step() has been asked before. */
bool step_boundary(struct shim *shim, uint64_t rip, const uint64_t gpr[16]);
/* Ends stepping. */
void step_remove(struct shim *shim);
/* True when the instruction at rip is IRETQ. */
bool step_is_iretq(const struct shim *shim, uint64_t rip);
/* Where the guest's linear address can be read and written from here; 0 when it is not mapped. */
uint64_t step_guest_address(const struct shim *shim, uint64_t linear);
/* The model's page walk. */
unsigned step_translate(void *context, uint64_t linear, uint64_t *physical, uint64_t table_addresses[4],
                        unsigned *tables);

/* nmi.c */

/* Where the guest's gate for NMIs leads. */
uint64_t nmi_handler_address(const struct shim *shim);
/* What belongs to the beginning of an NMI's handler: it is in service, what waits is noted as its kind. */
void nmi_begin(struct shim *shim);
/* Host mode, the VMCB holding the state to interrupt: injects a pending NMI unless one is in service. */
void nmi_deliver(struct shim *shim);
/* Guest mode: the same done by the stub; frame is where it would have gone on, and becomes the handler's first
 * instruction. False when this one is to be injected. */
bool nmi_deliver_in_stub(struct shim *shim, struct interrupt_frame *frame);
/* The handler's first instruction is about to be fetched. */
void nmi_handler_entered(struct shim *shim);
/* The VMMCALL of the stub: goes back to the state that it interrupted. */
void nmi_leave_stub(struct shim *shim);
/* IRET while nothing is being stepped; exit before it executes. */
void exit_iret(struct shim *shim);
/* An IRETQ is about to execute or has executed: from its end on NMIs are open again. */
void nmi_iret(struct shim *shim);

/* native.c: the plugin's announcement (link.h). Not to be called by others. */
uint32_t native_boundary(uint32_t core, uint64_t rip, uint64_t gpr[16]);

#endif
