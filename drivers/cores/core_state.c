/* SPDX-License-Identifier: BSD-2-Clause */
#include "drivers/cores/core_state.h"

#include <stddef.h>

#include "core/base/mem.h"
#include "drivers/cpu/apic.h"

enum { FXSAVE_MXCSR = 24 }; /* AMD APM vol. 2 section 11.4.4; FCW comes first */

/* AMD APM vol. 2 section 3.1.1: with EM or TS an x87 or SSE instruction is an exception; NE: x87's own are #MF, not an
 * interrupt by way of the chipset. Section 3.1.3: without OSFXSR SSE is #UD, without OSXMMEXCPT its exceptions are. */
#define CR0_MP         0x02ull
#define CR0_EM         0x04ull
#define CR0_TS         0x08ull
#define CR0_NE         0x20ull
#define CR0_WP         0x10000ull
#define CR4_OSFXSR     0x200ull
#define CR4_OSXMMEXCPT 0x400ull

/* Switches the APIC on. While it is off, all entries of the local vector table are masked and writes to unmask them
 * are ignored (AMD APM vol. 2 section 16.4.6). INIT switches it off; firmware need not switch it on on cores without a
 * use. */
static bool switch_apic_on(uint64_t apic_msr, struct restore_log *log)
{
    uint64_t apic, svr;
    if (apic_find(apic_msr, &apic) || apic_read(apic + APIC_SPURIOUS) & APIC_SOFTWARE_ENABLE)
        return true; /* no APIC: whatever needs one reports it */
    if (restore_save(log, RESTORE_MMIO, apic + APIC_SPURIOUS, 0, ~0ull, "APIC 0F0h spurious interrupt", &svr))
        return false;
    apic_write(apic + APIC_SPURIOUS, (uint32_t)svr | APIC_SOFTWARE_ENABLE);
    return true;
}

static bool make_fpu_usable(struct restore_log *log)
{
    uint64_t cr0 = cpu_read_cr0(), cr4 = cpu_read_cr4();
    uint64_t new_cr0 = (cr0 & ~(CR0_EM | CR0_TS)) | CR0_MP | CR0_NE;
    uint64_t new_cr4 = cr4 | CR4_OSFXSR | CR4_OSXMMEXCPT;
    if (new_cr0 != cr0) {
        if (restore_save(log, RESTORE_CR0, 0, 0, ~0ull, "CR0", NULL))
            return false;
        cpu_write_cr0(new_cr0);
    }
    if (new_cr4 != cr4) {
        if (restore_save(log, RESTORE_CR4, 0, 0, ~0ull, "CR4", NULL))
            return false;
        cpu_write_cr4(new_cr4);
    }
    return true;
}

bool core_state_take(struct core_state *was, struct cpu_fpu *fpu, uint64_t apic_msr, struct restore_log *log)
{
    was->cr0 = cpu_read_cr0();
    was->cr4 = cpu_read_cr4();
    if (!switch_apic_on(apic_msr, log) || !make_fpu_usable(log))
        return false;
    cpu_fpu_save(fpu);
    memcpy(&was->fcw, fpu->bytes, sizeof(was->fcw));
    memcpy(&was->mxcsr, fpu->bytes + FXSAVE_MXCSR, sizeof(was->mxcsr));
    cpu_fpu_init();
    return true;
}

bool core_state_protect(struct restore_log *log)
{
    uint64_t cr0 = cpu_read_cr0();

    if (cr0 & CR0_WP)
        return true;
    if (restore_save(log, RESTORE_CR0, 0, 0, ~0ull, "CR0", NULL))
        return false;
    cpu_write_cr0(cr0 | CR0_WP);
    return true;
}
