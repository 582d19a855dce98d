/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Stepping by the QEMU plugin (vpmu/plugin): it announces each instruction of the guest natively, in QEMU's own
 * process, where this code and the model run unchanged. The guest is not modified: no gate, no TF.
 *
 *   native.c        announcements; what the processor does for stepping by TF and software must do here
 *   native_check.c  connecting, and the self-check that must hold before the plugin is trusted
 *
 * Code that runs natively must use no privileged instruction, no RDTSC, and no memory but RAM above 1 MB: QEMU would
 * crash.
 */
#ifndef VPMU_SHIM_NATIVE_H
#define VPMU_SHIM_NATIVE_H

#include "vpmu/plugin/link.h"
#include "vpmu/shim/shim.h"

struct native {
    bool stepping; /* the plugin steps: from a successful native_connect() on */
    struct plugin_link link;
    /* The self-check: */
    unsigned announced;
    bool rip_wrong, registers_wrong;
    const char *problem;
};
extern const struct plugin_ring plugin_rings[BELLS];

/* BELL must be a constant: the plugin knows the bell by its address. */
#define PLUGIN_RING(BELL) __asm__ volatile("nopl plugin_rings+32*%c0(%%rip)" : : "i"(BELL) : "memory")

/* Looks for the plugin and checks it. Called by firmware on the boot core. Returns false if there is none that can be
 * trusted; native_problem() has the reason. */
bool native_connect(uint64_t low, uint64_t high);
const char *native_problem(void);

/* Begin and end stepping of this core, in host mode. */
void native_arm(struct shim *shim);
void native_disarm(struct shim *shim);
/* Sets the exits that stepping needs, or removes them. */
void native_step(struct shim *shim, bool on);

/* Suspends stepping for a handler, until its IRETQ: an exception or interrupt is about to be injected into stepped
 * code. repeats: the instruction at rip has been announced, and executes (or is skipped) without another announcement.
 */
void native_suspend(struct shim *shim, bool repeats);
/* Takes an IRETQ that is about to execute. Returns false if it is not that of the suspended handler. */
bool native_resume(struct shim *shim);
void native_resumed(struct shim *shim);

/* Exits that only this way of stepping has. */
void exit_native(struct shim *shim);
void exit_native_exception(struct shim *shim);
void exit_native_interrupt(struct shim *shim);
void exit_native_software(struct shim *shim);

#endif
