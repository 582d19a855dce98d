/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * real_call(): from long mode to real mode, INT n, and back (AMD APM vol. 2 sections 14.8 and 1.2). Code between
 * real_code and real_code_end runs as a copy at LOW_CODE, because real mode reaches 1 MB only.
 *
 * CR3 keeps its value while paging is off, and is written only when the BIOS has changed it: a hypervisor below would
 * walk the tables that such a write announces.
 */
#include "bios/low.h"

#define CR0_PE    0x00000001
#define CR0_PG    0x80000000
#define MSR_EFER  0xC0000080
#define EFER_LME  0x100
#define REG(name) LOW_REGISTERS + REAL_##name
#define AT(label) LOW_CODE + (label - real_code)

    .text
    .globl real_call
real_call:
    push %rbx
    push %rbp
    push %r12
    push %r13
    push %r14
    push %r15
    pushfq
    cli
    mov %rsp, saved_rsp
    sidt saved_idt
    sgdt saved_gdt
    mov %cr3, %rax
    mov %eax, saved_cr3               /* our tables are below 4 GB */
    mov %cr4, %rax
    mov %eax, saved_cr4
    mov %cr0, %rax
    mov %eax, saved_cr0
    mov %ds, %eax
    mov %eax, saved_ds
    mov %es, %eax
    mov %eax, saved_es
    mov %ss, %eax
    mov %eax, saved_ss
    mov %fs, %eax
    mov %eax, saved_fs
    mov %gs, %eax
    mov %eax, saved_gs
    mov %cs, %eax
    mov %eax, saved_cs
    lgdt gdt_pointer
    ljmp *.Lto_32(%rip)

.Lback_64:
    lgdt saved_gdt
    lidt saved_idt
    mov saved_ds, %eax
    mov %eax, %ds
    mov saved_es, %eax
    mov %eax, %es
    mov saved_ss, %eax
    mov %eax, %ss
    mov saved_fs, %eax
    mov %eax, %fs
    mov saved_gs, %eax
    mov %eax, %gs
    mov saved_rsp, %rsp
    mov saved_cs, %eax
    push %rax
    push $1f
    lretq
1:  popfq
    pop %r15
    pop %r14
    pop %r13
    pop %r12
    pop %rbp
    pop %rbx
    ret

    .section .rodata, "a", @progbits
    .globl real_code, real_code_end
    .balign 16
real_code:
    .code32
.Lleave:
    mov $GDT_DATA, %eax
    mov %eax, %ds
    mov %eax, %es
    mov %eax, %ss
    mov %cr0, %eax
    and $~CR0_PG, %eax
    mov %eax, %cr0                    /* out of long mode */
    mov $MSR_EFER, %ecx
    rdmsr
    and $~EFER_LME, %eax
    wrmsr
    mov real_cr4, %eax
    mov %eax, %cr4
    ljmp $GDT_CODE_16, $AT(.Lleave_16)
    .code16
.Lleave_16:
    mov $GDT_DATA_16, %ax
    mov %ax, %ds
    mov %ax, %es
    mov %ax, %ss
    mov %ax, %fs
    mov %ax, %gs
    lidtl AT(.Lreal_idt)
    mov %cr0, %eax
    and $~CR0_PE, %eax
    mov %eax, %cr0
    ljmp $0, $AT(.Lreal)
.Lreal:
    xor %ax, %ax
    mov %ax, %ds
    mov %ax, %ss
    mov %ax, %fs
    mov %ax, %gs
    mov $LOW_STACK_TOP, %esp
    mov REG(ES), %ax
    mov %ax, %es
    mov REG(NUMBER), %al
    mov %al, AT(.Lint) + 1
    jmp 1f                            /* the instruction was written to */
1:  mov REG(EAX), %eax
    mov REG(EBX), %ebx
    mov REG(ECX), %ecx
    mov REG(EDX), %edx
    mov REG(ESI), %esi
    mov REG(EDI), %edi
    mov REG(EBP), %ebp
    pushw REG(DS)
    popw %ds
    sti                               /* what has waited comes now */
    nop
.Lint:
    int $0
    cli
    cld
    pushfl
    pushw %ds
    pushw $0
    popw %ds
    popw REG(DS)
    popl REG(FLAGS)
    mov %eax, REG(EAX)
    mov %ebx, REG(EBX)
    mov %ecx, REG(ECX)
    mov %edx, REG(EDX)
    mov %esi, REG(ESI)
    mov %edi, REG(EDI)
    mov %ebp, REG(EBP)
    mov %es, REG(ES)
    lgdtl AT(.Lgdt_pointer)
    mov %cr0, %eax
    or $CR0_PE, %eax
    mov %eax, %cr0
    ljmpl $GDT_CODE_32, $AT(.Lreturn)
    .code32
.Lreturn:
    mov $GDT_DATA, %eax
    mov %eax, %ds
    mov %eax, %es
    mov %eax, %ss
    /* Address line 20 off: memory at 1 MB is that at 0. Some BIOSes leave it so; port 92h, bit 1, is its switch. */
    incl REG(A20)
    mov REG(A20), %eax
    cmp %eax, 0x100000 + REG(A20)
    jne 1f
    in $0x92, %al
    and $~1, %al                      /* bit 0 resets the machine */
    or $2, %al
    out %al, $0x92
1:  mov saved_cr4, %eax
    mov %eax, %cr4
    mov saved_cr3, %eax
    mov %cr3, %ecx
    cmp %eax, %ecx
    je 1f
    mov %eax, %cr3
1:  mov $MSR_EFER, %ecx
    rdmsr
    or $EFER_LME, %eax
    wrmsr
    mov saved_cr0, %eax
    mov %eax, %cr0
    ljmp $GDT_CODE_64, $.Lback_64
    .balign 8
.Lreal_idt:
    .short 0x3FF
    .long 0
    .balign 8
.Lgdt:                                /* as gdt in start.S */
    .quad 0, 0x00CF9B000000FFFF, 0x00CF93000000FFFF, 0x00AF9B000000FFFF
.Lgdt_pointer:
    .short . - .Lgdt - 1
    .long AT(.Lgdt)
real_code_end:

    .data
    .balign 8
.Lto_32:
    .long AT(.Lleave)
    .short GDT_CODE_32
    .balign 8
saved_rsp: .quad 0
saved_idt: .skip 16
saved_gdt: .skip 16
saved_cr0: .long 0
saved_cr3: .long 0
saved_cr4: .long 0
saved_cs: .long 0
saved_ds: .long 0
saved_es: .long 0
saved_ss: .long 0
saved_fs: .long 0
saved_gs: .long 0
