/* SPDX-License-Identifier: BSD-2-Clause */
/* Where a core begins that the guest has started: from real mode to the host's long mode at once. See startup.h. */
#include "vpmu/shim/startup.h"
#include "vpmu/shim/world.h"

#define CR0_PG_PE     0x80000001
#define CR0_CACHE_OFF 0x60000000
#define CR4_PAE       0x20
#define MSR_EFER_     0xC0000080
#define EFER_HOST     0x1900            /* LME NXE SVME */

    .section .rodata.startup, "a", @progbits
    .balign 16
    .globl startup_code, startup_code_bytes, startup_code_64
    .hidden startup_code, startup_code_bytes, startup_code_64
startup_code:
    .code16
    jmp .Lbegin
    .org startup_code + STARTUP_CODE
.Lbegin:
    cli
    cld
    mov %cs, %ax
    mov %ax, %ds
    mov STARTUP_BASE, %ebp
    mov $1, %eax
    cpuid
    shr $24, %ebx
    mov %ebx, %edi                  /* APIC ID */
    lgdtl STARTUP_GDTR
    mov $CR4_PAE, %eax
    mov %eax, %cr4
    mov STARTUP_CR3, %eax
    mov %eax, %cr3
    mov $MSR_EFER_, %ecx
    mov $EFER_HOST, %eax
    xor %edx, %edx
    wrmsr
    mov %cr0, %eax
    and $~CR0_CACHE_OFF, %eax
    or $CR0_PG_PE, %eax
    mov %eax, %cr0
    ljmpl *STARTUP_FAR

    .code64
.Lbegin_64:
    mov $HOST_DS, %eax
    mov %eax, %ss
    mov %eax, %ds
    mov %eax, %es
    mov %ebp, %ebp
    mov %edi, %edi
    mov STARTUP_WORLDS(%rbp,%rdi,8), %rdi
    mov WORLD_HOST_STACK(%rdi), %rsp
    call *STARTUP_ENTRY(%rbp)
    ud2
.Lend:
    .balign 4
startup_code_64:
    .long .Lbegin_64 - startup_code
startup_code_bytes:
    .long .Lend - startup_code
