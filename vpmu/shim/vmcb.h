/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The virtual machine control block and its constants: AMD APM vol. 2, appendix B (layout) and appendix C (exit codes).
 */
#ifndef VPMU_SHIM_VMCB_H
#define VPMU_SHIM_VMCB_H

#include <stddef.h>
#include <stdint.h>

struct vmcb_segment {
    uint16_t selector;
    uint16_t attributes; /* descriptor bits 55:52 and 47:40 */
    uint32_t limit;
    uint64_t base;
};

struct vmcb {
    uint16_t intercept_cr_read, intercept_cr_write;
    uint16_t intercept_dr_read, intercept_dr_write;
    uint32_t intercept_exceptions;
    uint32_t intercept_misc1;
    uint32_t intercept_misc2;
    uint8_t reserved_014[0x40 - 0x14];
    uint64_t iopm_base;
    uint64_t msrpm_base;
    uint64_t tsc_offset;
    uint32_t asid;
    uint32_t tlb_control;
    uint64_t virtual_interrupt;
    uint64_t interrupt_shadow;
    uint64_t exit_code;
    uint64_t exit_info1;
    uint64_t exit_info2;
    uint64_t exit_int_info;
    uint64_t nested_control;
    uint8_t reserved_098[0xa8 - 0x98];
    uint64_t event_injection;
    uint64_t nested_cr3;
    uint64_t lbr_control;
    uint8_t reserved_0c0[0x400 - 0xc0];

    struct vmcb_segment es, cs, ss, ds, fs, gs, gdtr, ldtr, idtr, tr;
    uint8_t reserved_4a0[0x4cb - 0x4a0];
    uint8_t cpl;
    uint32_t reserved_4cc;
    uint64_t efer;
    uint8_t reserved_4d8[0x548 - 0x4d8];
    uint64_t cr4, cr3, cr0, dr7, dr6, rflags, rip;
    uint8_t reserved_580[0x5d8 - 0x580];
    uint64_t rsp;
    uint8_t reserved_5e0[0x5f8 - 0x5e0];
    uint64_t rax;
    uint64_t star, lstar, cstar, sfmask, kernel_gs_base, sysenter_cs, sysenter_esp, sysenter_eip;
    uint64_t cr2;
    uint8_t reserved_648[0x668 - 0x648];
    uint64_t guest_pat;
    uint8_t reserved_670[0x1000 - 0x670];
};
_Static_assert(offsetof(struct vmcb, iopm_base) == 0x40, "vmcb");
_Static_assert(offsetof(struct vmcb, asid) == 0x58, "vmcb");
_Static_assert(offsetof(struct vmcb, exit_code) == 0x70, "vmcb");
_Static_assert(offsetof(struct vmcb, nested_control) == 0x90, "vmcb");
_Static_assert(offsetof(struct vmcb, event_injection) == 0xa8, "vmcb");
_Static_assert(offsetof(struct vmcb, es) == 0x400, "vmcb");
_Static_assert(offsetof(struct vmcb, cpl) == 0x4cb, "vmcb");
_Static_assert(offsetof(struct vmcb, efer) == 0x4d0, "vmcb");
_Static_assert(offsetof(struct vmcb, rflags) == 0x570, "vmcb");
_Static_assert(offsetof(struct vmcb, rsp) == 0x5d8, "vmcb");
_Static_assert(offsetof(struct vmcb, rax) == 0x5f8, "vmcb");
_Static_assert(offsetof(struct vmcb, cr2) == 0x640, "vmcb");
_Static_assert(offsetof(struct vmcb, guest_pat) == 0x668, "vmcb");
_Static_assert(sizeof(struct vmcb) == 0x1000, "vmcb");

/* intercept_misc1 */
#define INTERCEPT_INTR       (1u << 0)
#define INTERCEPT_IDTR_WRITE (1u << 10)
#define INTERCEPT_RDTSC      (1u << 14)
#define INTERCEPT_RDPMC      (1u << 15)
#define INTERCEPT_CPUID      (1u << 18)
#define INTERCEPT_IRET       (1u << 20)
#define INTERCEPT_SWINT      (1u << 21) /* INT n, INT3 */
#define INTERCEPT_PAUSE      (1u << 23)
#define INTERCEPT_HLT        (1u << 24)
#define INTERCEPT_IOIO       (1u << 27)
#define INTERCEPT_MSR        (1u << 28)
#define INTERCEPT_SHUTDOWN   (1u << 31)
/* intercept_misc2: VMRUN VMMCALL VMLOAD VMSAVE STGI CLGI SKINIT, bits 0 to 6 */
#define INTERCEPT_SVM_INSTRUCTIONS 0x7fu
#define INTERCEPT_RDTSCP           (1u << 7)

#define INTERCEPT_CR3 8u        /* intercept_cr_write */
#define INTERCEPT_DB  (1u << 1) /* intercept_exceptions: vector 1 */

/* exit_code */
#define EXIT_CR3_WRITE  0x13
#define EXIT_EXCEPTION  0x40 /* and the vector */
#define EXIT_DB         0x41
#define EXIT_INTR       0x60
#define EXIT_IDTR_WRITE 0x6a
#define EXIT_RDTSC      0x6e
#define EXIT_RDPMC      0x6f
#define EXIT_CPUID      0x72
#define EXIT_IRET       0x74
#define EXIT_SWINT      0x75
#define EXIT_PAUSE      0x77
#define EXIT_HLT        0x78
#define EXIT_IOIO       0x7b
#define EXIT_MSR        0x7c
#define EXIT_SHUTDOWN   0x7f
#define EXIT_VMRUN      0x80
#define EXIT_VMMCALL    0x81
#define EXIT_SKINIT     0x86
#define EXIT_RDTSCP     0x87
#define EXIT_NPF        0x400
/* The QEMU plugin's, not a processor's (vpmu/plugin). */
#define EXIT_PLUGIN 0x3ff

/* exit_info1 of EXIT_NPF: a page-fault error code */
#define NPF_WRITE 2u
#define NPF_FETCH 16u

/* exit_info1 of EXIT_IOIO (APM vol. 2 section 15.10.2) */
#define IOIO_IN     1u
#define IOIO_STRING 4u
#define IOIO_SIZE8  16u
#define IOIO_SIZE16 32u

/* event_injection (APM vol. 2 section 15.20) */
#define EVENT_VALID     (1ull << 31)
#define EVENT_NMI       (EVENT_VALID | 2ull << 8 | 2)
#define EVENT_EXCEPTION (EVENT_VALID | 3ull << 8)
#define EVENT_SOFTWARE  (EVENT_VALID | 4ull << 8)
#define EVENT_HAS_ERROR (1ull << 11)

#define NESTED_PAGING 1u
#define TLB_FLUSH_ALL 1u

#endif
