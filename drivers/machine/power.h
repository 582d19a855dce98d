/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sets up the running core as the user wants it during a session: a P-state, a level of CPPC, core performance boost,
 * and the remedy for erratum 721. Registers: coreboot src/vendorcode/amd/agesa, cpuF10PowerMgmt.h; Linux
 * arch/x86/include/asm/msr-index.h (MSR_K7_HWCR_CPB_DIS_BIT), drivers/cpufreq/acpi-cpufreq.c (MSR_AMD_PERF_CTL, on all
 * with CPUID 8000_0007 EDX[7]). With CPPC enabled (C001_02B1) a requested P-state may not be reached. CPPC is not
 * enabled here: no document says that it could be disabled again before a reset.
 */
#ifndef DRIVERS_POWER_H
#define DRIVERS_POWER_H

#include "drivers/machine/machine.h"
#include "drivers/machine/restore.h"
#include "drivers/cpu/session_error.h"

enum power_boost { POWER_BOOST_AS_IS, POWER_BOOST_OFF, POWER_BOOST_ON };

struct power_plan {
    bool pin;         /* the P-state is set: */
    uint8_t pstate;   /* 0: the fastest that is not boosted */
    uint8_t boost;    /* enum power_boost */
    uint8_t cppc;     /* the least, most and desired performance; 0: as it is */
    bool erratum_721; /* DE_CFG[0] is set */
};

/* Checks the plan without access to the machine. Returns SESSION_OK, SESSION_NO_PSTATES, SESSION_NO_BOOST,
 * SESSION_NO_ERRATUM_721, SESSION_NO_CPPC or SESSION_CPPC_LEVEL. */
enum session_error power_check(const struct power_plan *plan, const struct machine *machine);

/* Sets all on the calling core, and waits until the P-state is in force. The log has the registers before they change,
 * and undoes them. SESSION_PSTATE: there is no such P-state, or it was not reached within a millisecond; SESSION_CPPC:
 * the level is not kept; *detail: the register that says so. */
enum session_error power_set_up(const struct power_plan *plan, const struct machine *machine, struct restore_log *log,
                                uint64_t *detail);

#endif
