/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The interface between the shim (a program in the guest) and the QEMU plugin (a library in QEMU).
 *
 * The plugin has the guest's memory mapped at the guest's own physical addresses, and the firmware maps memory 1:1. So
 * both sides see the structures below at the same addresses, and the plugin calls functions of the shim directly.
 *
 * The shim calls the plugin by ringing a bell: a long NOP whose operand is the bell. The plugin finds these NOPs when
 * QEMU translates them; without the plugin they do nothing.
 *
 *   BELL_CONNECT    the plugin maps the guest's memory, compares versions, and fills in the answers
 *   BELL_CHECK      instructions between check_low and check_high are announced to check()
 *   BELL_CHECKED    ends BELL_CHECK
 *   BELL_ARM        from the next VMRUN on, each instruction of this core outside the shim is announced to boundary()
 *   BELL_DISARM     ends BELL_ARM
 *   BELL_WORK       work() is called, natively and at once
 */
#ifndef VPMU_PLUGIN_LINK_H
#define VPMU_PLUGIN_LINK_H

#include <stddef.h>
#include <stdint.h>

#define PLUGIN_MAGIC 0x6b6e696c756d7076ull /* "vpmulink" */
enum { PLUGIN_VERSION = 2, PLUGIN_PROBLEM = 120 };

enum plugin_bell { BELL_CONNECT, BELL_CHECK, BELL_CHECKED, BELL_ARM, BELL_DISARM, BELL_WORK, BELLS };

/* Says what the plugin does at an announced instruction, before that executes; the registers are the guest's own and
 * may be changed. */
enum plugin_action {
    PLUGIN_GO_ON,     /* the instruction executes */
    PLUGIN_LEAVE,     /* #VMEXIT before the instruction, with EXIT_PLUGIN */
    PLUGIN_NMI,       /* an NMI interrupts before the instruction, through the guest's own gate */
    PLUGIN_YIELD,     /* other cores first; then the instruction is announced again */
    PLUGIN_SKIP = 16, /* and its length: the instruction has been carried out */
};

typedef uint32_t plugin_function(uint32_t core, uint64_t rip, uint64_t gpr[16]);

struct plugin_link {
    uint64_t magic;
    uint32_t version;
    uint32_t size; /* of this structure */

    /* The shim's. */
    plugin_function *boundary, *check, *work;
    uint64_t low, high; /* the shim's own code, which is not announced */
    uint64_t check_low, check_high;
    uint64_t question;

    /* The plugin's answers. */
    uint64_t answer;              /* ~question: the plugin is there, and memory is mapped */
    uint64_t ram_end;             /* all physical addresses from 1 MB up to here are memory that both sides see */
    char problem[PLUGIN_PROBLEM]; /* why there is no answer; "": unknown */
};

/* A ring for each call, whose address tells the plugin which one, without a register. */
struct plugin_ring {
    uint64_t magic;
    uint32_t bell;
    uint32_t unused;
    struct plugin_link *link;
    uint64_t unused2;
};
_Static_assert(sizeof(struct plugin_ring) == 32, "plugin_bell() in the shim's native.h");

#endif
