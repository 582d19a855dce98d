/* SPDX-License-Identifier: BSD-2-Clause */
/* All that the shim keeps. Its doors (doors.S, begin.S) and the plugin's calls have only a core's number. */
#ifndef VPMU_SHIM_HYPERVISOR_H
#define VPMU_SHIM_HYPERVISOR_H

#include "vpmu/shim/native/native.h"
#include "vpmu/shim/os/os.h"
#include "vpmu/shim/native/own_code.h"
#include "vpmu/shim/shim.h"
#include "vpmu/shim/startup.h"

/* MSR permission map (APM vol. 2 section 15.11): 2 KB each for MSRs 0.., C000_0000.. and C001_0000.., two bits per MSR
 * (read, write). I/O permission map (section 15.10.1): one bit per port, 12 KB with the slack beyond the last port. */
enum { MSRPM_BYTES = 8192, IOPM_BYTES = 12288 };

/* svm.c */
struct svm {
    uint8_t msr_map[MSRPM_BYTES] __attribute__((aligned(4096)));
    uint8_t io_map[IOPM_BYTES] __attribute__((aligned(4096)));
    struct identity_map host_map;
    uint64_t full_table[PAGE_ENTRIES] __attribute__((aligned(4096))); /* HOSTILE_PML4_FULL */
    struct gate gate[HOST_GATES];
};

struct hypervisor {
    struct svm svm;
    struct shim shim[WORLD_CORES];
    uint32_t cores; /* as many of them exist */
    struct group group;
    struct native native;
    struct startup startup;
    struct own_code own_code;
    struct os_code os_code;
};

extern struct hypervisor hypervisor;

#endif
