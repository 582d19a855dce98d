/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An operating system as the guest. Its programs and its kernel cannot be stepped by a stub inside the guest, so while
 * sampling or counting is enabled the host steps them by #DB exits.
 *
 * The guest never sees TF, and stepping does not end at kernel entries and exits ("doors"), because the instructions
 * and events that save, load or clear RFLAGS do not execute: the host emulates them (os_doors.c). Interrupts and
 * exceptions exit and are delivered by the host; SYSCALL, SYSRET, IRET, PUSHF, POPF, INT n, HLT are emulated at the
 * boundary before them.
 *
 *   os_step.c    when the guest is stepped, and what happens at each boundary
 *   os_doors.c   interrupts, exceptions and the instructions above
 *   os_timer.c   the APIC timer while time advances by the model's cycles
 *   os_code.c    which of the guest's instructions are the map's
 *   os_report.c  what a program in the guest can request: truth, handler costs, speed
 *
 * One core. While nothing is enabled the guest runs freely, apart from the exits of exits.c.
 */
#ifndef VPMU_SHIM_OS_H
#define VPMU_SHIM_OS_H

#include "core/base/out.h"
#include "vpmu/shim/shim.h"

/* The functions below need settings.os. */

/* Host mode, at an instruction boundary: begins or ends stepping as the model requires, announces the boundary,
 * delivers NMIs, and emulates doors up to an instruction that must execute. Leaves the VMCB ready. */
void os_boundary(struct shim *shim);
/* Announces the instruction at rip natively, for the plugin, and returns an enum plugin_action. */
uint32_t os_native_boundary(struct shim *shim, uint64_t rip, uint64_t gpr[16]);
/* Exits that only happen while stepping. */
void os_exit_db(struct shim *shim);
void os_exit_interrupt(struct shim *shim);
void os_exit_exception(struct shim *shim);
/* Takes an IRET while the handler of an NMI is not stepped. */
void os_exit_iret(struct shim *shim);
/* Raises an exception instead of the instruction at rip. */
void os_raise(struct shim *shim, unsigned vector, uint32_t error);

/* ---------------------------------------------------------------- os_doors.c */

enum door_kind { DOOR_INTERRUPT, DOOR_FAULT, DOOR_SOFTWARE };

/* Delivers through the guest's IDT: pushes the frame, without the shim's TF, and stops before the handler's first
 * instruction. */
void door_enter(struct shim *shim, unsigned vector, enum door_kind kind, uint32_t error);
/* Emulates the instruction at rip if it is a door; code has its first 4 bytes. Returns false if it is none, or its
 * stack is not mapped, so that the access itself must fault. */
bool door_pass(struct shim *shim, const uint8_t code[4]);
/* Returns whether door_pass() must emulate it even without TF: it changes the privilege level or the page tables, or
 * ends the handler of an NMI. */
bool door_leads_elsewhere(const uint8_t code[4]);
bool door_is_iretq(const uint8_t code[4]);
bool door_is_halt(const uint8_t code[4]);
bool door_is_invlpg(const uint8_t code[4]);
/* Clears TF in the image at rsp, after a PUSHF that could not be emulated. */
void door_clean_image(struct shim *shim);

/* ---------------------------------------------------------------- os_timer.c */

/* Begin and end time by the model's cycles: the rest of the timer's count runs in the other time. */
void os_timer_begin(struct shim *shim);
void os_timer_end(struct shim *shim);
/* Called before an access to a register of the real APIC. */
void os_timer_watch(struct shim *shim, unsigned offset);
/* Requests the timer's interrupt, if due, from the real APIC, which delivers it like any other. */
void os_timer_check(struct shim *shim);
/* Returns whether it is due. */
bool os_timer_due(const struct shim *shim);
/* Advances time to the end of the count. Returns false if the timer is not counting. */
bool os_timer_skip(struct shim *shim);
/* Access registers 320h, 380h, 390h, 3E0h while the timer is the shim's. Return false if it is not, or for another
 * register. */
bool os_timer_read(struct shim *shim, unsigned offset, uint32_t *value);
bool os_timer_write(struct shim *shim, unsigned offset, uint32_t value);

/* ---------------------------------------------------------------- os_code.c */

enum { OS_CODE_PAGES = 256 };
struct os_code {
    const struct codemap *map;
    const uint8_t *copy;
    uint32_t first[OS_CODE_PAGES];    /* index of the first instruction that ends in the page or after it */
    uint64_t physical[OS_CODE_PAGES]; /* of the compared page; 1: its instructions differ */
};

/* Keeps a copy of the image's code, in pages at 'copy'. */
void os_code_init(const struct codemap *map, const void *text, void *copy);
/* Returns enum vpmu_place of the instruction at rip, whose first byte is at the physical address. */
unsigned os_code_place(const struct shim *shim, uint64_t rip, uint64_t physical);
void os_code_forget(void);

/* ---------------------------------------------------------------- os_report.c */

/* CPUID leaf 4000_0012h, from any program of the guest. ECX 0: does the leaf exist? 1: writes truth.csv and handler
 * costs to the debug port; 2: resets the exact counts, refused while armed. EAX then: 1 done, 0 not. */
enum { OS_LEAF = 0x40000012, OS_ASK = 0, OS_REPORT = 1, OS_RESET = 2 };
bool os_command(struct shim *shim, uint32_t command);

#endif
