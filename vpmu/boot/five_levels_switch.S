/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * void five_levels_switch(uint32_t root): CR4.LA57 can be changed only outside of long mode (AMD APM vol. 2 section
 * 5.3.1), so through 32-bit code with paging off and back.
 */
#define CR0_PG   0x80000000
#define CR4_LA57 0x1000
#define CODE_32  0x08
#define DATA     0x10
#define CODE_64  0x18

    .data
    .balign 16
own_gdt:
    .quad 0, 0x00cf9b000000ffff, 0x00cf93000000ffff, 0x00af9b000000ffff
own_table:
    .short . - own_gdt - 1
own_base:
    .quad 0

    .text
    .globl five_levels_switch
    .type five_levels_switch, @function
five_levels_switch:
    push %rbx
    push %rbp
    pushfq
    cli
    sub $16, %rsp
    sgdt (%rsp)
    mov %cs, %eax
    push %rax
    mov %ss, %eax
    push %rax
    lea own_gdt(%rip), %rax
    mov %rax, own_base(%rip)
    lgdt own_table(%rip)
    mov %esp, %ebp
    lea .Lback(%rip), %rbx
    push $CODE_32
    lea .Lout(%rip), %rax
    push %rax
    lretq

    .code32
.Lout:
    mov $DATA, %eax
    mov %eax, %ss
    mov %eax, %ds
    mov %eax, %es
    mov %cr0, %eax
    and $~CR0_PG, %eax
    mov %eax, %cr0
    mov %cr4, %eax
    or $CR4_LA57, %eax
    mov %eax, %cr4
    mov %edi, %cr3
    mov %cr0, %eax
    or $CR0_PG, %eax
    mov %eax, %cr0
    push $CODE_64
    push %ebx
    lret

    .code64
.Lback:
    mov %ebp, %esp                  /* clears the upper half, which is undefined */
    lgdt 16(%rsp)
    pop %rax
    mov %eax, %ss
    mov %eax, %ds
    mov %eax, %es
    pop %rax
    lea .Lown_code(%rip), %rcx
    push %rax
    push %rcx
    lretq
.Lown_code:
    add $16, %rsp
    popfq
    pop %rbp
    pop %rbx
    ret
    .section .note.GNU-stack, "", @progbits
