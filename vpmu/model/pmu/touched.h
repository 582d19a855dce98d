/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Registers that software has written, each with what it held before: what a profiler has to put back. A core has a
 * list, and a node one of the registers that its cores share.
 */
#ifndef VPMU_TOUCHED_H
#define VPMU_TOUCHED_H

#include <stdbool.h>
#include <stdint.h>

enum touched_kind { TOUCHED_MSR, TOUCHED_APIC, TOUCHED_PCI };

enum { TOUCHED_MAX = 72 }; /* six counters, 46 outside of the cores, IBS, branch records, power, switches of Zen */

struct touched {
    bool over;   /* there were more */
    bool paused; /* what is written to the local APIC is INIT's doing */
    uint32_t count;
    struct touched_register {
        uint32_t at;
        uint8_t kind; /* enum touched_kind */
        bool since;   /* written since vpmu_forget() */
        uint64_t before;
    } row[TOUCHED_MAX];
};

struct vpmu;

/* Is told of a write that is to come. */
void touched_msr(struct vpmu *vpmu, uint32_t msr);
void touched_apic(struct vpmu *vpmu, unsigned offset);
/* Is told of a write of function 3. */
void touched_pci(struct touched *touched, unsigned offset, uint32_t before);
/* Ends a part of the program: names are of what is written from now on. */
void touched_forget(struct vpmu *vpmu);

#endif
