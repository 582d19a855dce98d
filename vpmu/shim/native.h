/*
 * Stepping by the QEMU plugin (vpmu/plugin): it announces each instruction of the guest natively, in QEMU's own
 * process, where this code and the model run as they are. Nothing is changed in the guest for it: no gate, no TF.
 *
 *   native.c        an announcement; what stepping by TF gets from the processor and this way has to do by itself
 *   native_check.c  connecting, and the self-check that must hold before the plugin is trusted
 *
 * What runs natively must use no privileged instruction, no RDTSC, and no memory but RAM above 1 MB: QEMU would crash.
 */
#ifndef VPMU_SHIM_NATIVE_H
#define VPMU_SHIM_NATIVE_H

#include "vpmu/plugin/link.h"
#include "vpmu/shim/shim.h"

extern struct plugin_link plugin_link;
extern const struct plugin_ring plugin_rings[BELLS];

/* BELL must be a constant: the plugin knows the bell by its address. */
#define PLUGIN_RING(BELL) __asm__ volatile("nopl plugin_rings+32*%c0(%%rip)" : : "i"(BELL) : "memory")

/* Firmware's hands, boot core. Looks for the plugin and checks it. False: there is none that can be trusted, and why is
 * in native_problem(). */
bool native_connect(uint64_t low, uint64_t high);
const char *native_problem(void);
/* From a successful native_connect() on: whether it is the plugin that steps. */
extern bool native_stepping;

/* Stepping of this core begins, ends: host mode. */
void native_arm(struct shim *shim);
void native_disarm(struct shim *shim);
/* What exits now that the guest is, or is not, being stepped. */
void native_step(struct shim *shim, bool on);

/* An exception or interrupt is about to be injected into what is stepped: its handler is not stepped, until its IRETQ.
 * repeats: the instruction at rip has been announced, and goes on (or is left out) without being announced again. */
void native_suspend(struct shim *shim, bool repeats);
/* That IRETQ is about to execute. False: it is another's. */
bool native_resume(struct shim *shim);
void native_resumed(struct shim *shim);

/* Exits that only this way of stepping has. */
void exit_native(struct shim *shim);
void exit_native_exception(struct shim *shim);
void exit_native_interrupt(struct shim *shim);
void exit_native_software(struct shim *shim);

#endif
