/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Registers that software has written, each with its value before: a profiler has to put them back. A core has a list,
 * and a node one of the registers that its cores share.
 */
#ifndef VPMU_TOUCHED_H
#define VPMU_TOUCHED_H

#include <stdbool.h>
#include <stdint.h>

enum touched_kind { TOUCHED_MSR, TOUCHED_APIC, TOUCHED_PCI };

enum { TOUCHED_MAX = 72 }; /* six counters, 46 outside of the cores, IBS, branch records, power, switches of Zen */

struct touched {
    bool over;   /* there were more */
    bool paused; /* INIT is writing to the local APIC */
    uint32_t count;
    struct touched_register {
        uint32_t at;
        uint8_t kind; /* enum touched_kind */
        bool since;   /* written since vpmu_forget() */
        uint64_t before;
    } row[TOUCHED_MAX];
};

struct vpmu;

/* Note a register before it is written. */
void touched_msr(struct vpmu *vpmu, uint32_t msr);
void touched_apic(struct vpmu *vpmu, unsigned offset);
/* Notes a register of function 3 before it is written. */
void touched_pci(struct touched *touched, unsigned offset, uint32_t before);
/* Ends a part of the program: from now on names are of later writes. */
void touched_forget(struct vpmu *vpmu);

#endif
