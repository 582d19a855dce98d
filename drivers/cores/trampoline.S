/* SPDX-License-Identifier: BSD-2-Clause */
/* See trampoline.h. In .rodata: it is data to the image, and runs only as a copy. */
#include "drivers/cores/trampoline.h"

#define CR0_PE        0x00000001
#define CR0_PG        0x80000000
#define CR0_CACHE_OFF 0x60000000      /* CD and NW, which reset sets */
#define CR4_PAE       0x20
#define CR4_LA57      0x1000          /* cannot be changed in long mode */
#define MSR_EFER      0xC0000080

    .section .rodata.trampoline, "a", @progbits
    .balign 16
    .globl trampoline_code, trampoline_places
    .hidden trampoline_code, trampoline_places
trampoline_code:
    .code16
    jmp .Lbegin                     /* CS is the page's segment, IP 0 */
    .org trampoline_code + TRAMPOLINE_CODE
.Lbegin:
    cli
    cld
    mov %cs, %ax
    mov %ax, %ds
    mov TRAMPOLINE_BASE, %ebx
    lgdtl TRAMPOLINE_TABLE
    mov %cr0, %eax
    and $~CR0_CACHE_OFF, %eax
    or $CR0_PE, %eax
    mov %eax, %cr0
    ljmpl *TRAMPOLINE_TO_32

    .code32
.Lbegin_32:
    mov $TRAMPOLINE_DATA, %eax
    mov %eax, %ds
    mov %eax, %es
    mov %eax, %ss
    mov TRAMPOLINE_CR4(%ebx), %eax
    and $CR4_LA57, %eax
    or $CR4_PAE, %eax
    mov %eax, %cr4
    mov TRAMPOLINE_CR3(%ebx), %eax
    mov %eax, %cr3
    mov $MSR_EFER, %ecx
    mov TRAMPOLINE_EFER(%ebx), %eax
    mov TRAMPOLINE_EFER+4(%ebx), %edx
    wrmsr
    mov TRAMPOLINE_CR0(%ebx), %eax
    or $CR0_PG | CR0_PE, %eax
    mov %eax, %cr0
    ljmpl *TRAMPOLINE_TO_64(%ebx)

    .code64
.Lbegin_64:
    mov %ebx, %ebx                  /* the upper half is undefined after a change of mode */
    mov TRAMPOLINE_CR4(%rbx), %rax
    mov %rax, %cr4
    mov TRAMPOLINE_ROOT(%rbx), %rax
    mov %rax, %cr3
    lgdt TRAMPOLINE_GDT(%rbx)
    lidt TRAMPOLINE_IDT(%rbx)
    mov TRAMPOLINE_SS(%rbx), %eax
    mov %eax, %ss
    mov %eax, %ds
    mov %eax, %es
    mov %eax, %fs
    mov %eax, %gs
    mov TRAMPOLINE_STACK(%rbx), %rsp
    mov TRAMPOLINE_CS(%rbx), %eax
    push %rax
    lea .Lown_cs(%rip), %rax
    push %rax
    lretq
.Lown_cs:
    mov TRAMPOLINE_VALUE(%rbx), %rdi
    xor %ebp, %ebp                  /* ends a chain of frame pointers */
    call *TRAMPOLINE_ENTRY(%rbx)    /* the page is not read any more */
.Lnever:
    cli
    hlt
    jmp .Lnever
.Lend:
    .balign 4
trampoline_places:
    .long .Lbegin_32 - trampoline_code, .Lbegin_64 - trampoline_code, .Lend - trampoline_code
