/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The settings of the virtual PMU, given to QEMU with -fw_cfg name=opt/ibsboot/<name>,string=<value>, so that one build
 * serves every revision.
 *
 *   revision       B, C or E of Family 10h, or a later processor (vpmu/model/pmu/later.c)   (C)
 *   late-nmi       1: one more NMI after each disable                          (0)
 *   hostile        names of switches with '+' between (vpmu/model/hostile.h)          (none)
 *   lose-stalled   1: cycle mode loses tags that expire in a stall (model.h)  (0)
 *   free           words of causes with ',' between, whose time is not taken (vpmu/model/free.h)   (none)
 *   disturb        an NMI from elsewhere, this number of TSC ticks after counters began (0: none; model.h)
 *   seed           of the hardware's pseudo-random bits, decimal or 0x         (1)
 *   options        load options handed to ibsboot                              (none)
 *   image          the image to start, on the volume vpmu.efi came from        (\ibsboot\ibsboot.efi)
 *   count-handler  1: step NMI handlers too and count their instructions       (0)
 *   nodes          number of nodes among which cores and memory are divided    (1)
 *   without-mp     1: the guest finds no MP Services                           (0)
 *   dead-core      this core never starts a procedure; 0: none                 (0)
 *   x2apic         1: the local APIC is in x2APIC mode (x2apic.c); not with os  (0)
 *   os             1: the image is an operating system's (os.h)                (0)
 *   code           with os: where the code of \ibsboot\ibsboot.efi's map is in its processes; 0: nowhere   (0)
 *   step-handlers  with os, 1: step NMI handlers even while nothing counts in them                           (0)
 */
#ifndef VPMU_SHIM_SETTINGS_H
#define VPMU_SHIM_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "vpmu/model/model.h"

struct shim_settings {
    enum vpmu_revision revision;
    bool late_nmi;
    uint64_t hostile;
    uint32_t free;
    bool lose_stalled;
    bool count_handler;
    bool without_mp;
    bool x2apic;
    uint64_t dead_core;
    uint64_t nodes;
    bool os, step_handlers;
    uint64_t code;
    uint64_t seed;
    uint64_t disturb;
    char options[1024];
    char image[256];
};

/* Fills in defaults, then the values from fw_cfg. Names an invalid value, or one longer than its field, on the serial
 * line, and returns false; without fw_cfg (not QEMU) the defaults apply. */
bool settings_read(struct shim_settings *settings);

#endif
