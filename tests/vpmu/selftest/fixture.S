/* SPDX-License-Identifier: BSD-2-Clause */
/* See fixture.h. */
#define FIXTURE_ASSEMBLER
#include "tests/vpmu/selftest/fixture.h"
    .text
    .macro function name
    .balign 16
    .globl \name
    .hidden \name
\name:
    .endm

    function fixture_nmi_entry
    push %rax
    push %rcx
    push %rdx
    push %rsi
    push %rdi
    push %r8
    push %r9
    push %r10
    push %r11
    push %rbx
    lea 80(%rsp), %rdi
    mov %rsp, %rbx
    and $-16, %rsp
    cld
    call fixture_nmi
    mov %rbx, %rsp
    pop %rbx
    pop %r11
    pop %r10
    pop %r9
    pop %r8
    pop %rdi
    pop %rsi
    pop %rdx
    pop %rcx
    pop %rax
    iretq

    function fixture_gp_entry
    add $8, %rsp                    /* the error code */
    function fixture_ud_entry
    push %rax
    incq fixture_faults(%rip)
    mov fixture_fault_skip(%rip), %rax
    add %rax, 8(%rsp)
    cmpq $0, fixture_fault_stops(%rip)
    je 1f
    push %rcx
    push %rdx
    xor %eax, %eax
    xor %edx, %edx
    mov $0xc0011033, %ecx
    wrmsr
    pop %rdx
    pop %rcx
1:  pop %rax
    iretq

    function fixture_loop
    push %rbx
    push %rbp
    push %r12
    push %r13
    push %r14
    push %r15
    mov $1, %eax
    mov $2, %ecx
    mov $3, %edx
    mov $4, %ebx
    mov $5, %ebp
    mov $6, %esi
    mov $8, %r8d
    mov $9, %r9d
    mov $10, %r10d
    mov $11, %r11d
    mov $12, %r12d
    mov $13, %r13d
    mov $14, %r14d
    mov $15, %r15d
    .globl fixture_loop_begin
    .hidden fixture_loop_begin
fixture_loop_begin:
    lea (%rax,%rcx,2), %rax
    rol $7, %rcx
    xor %rdx, %rcx
    add %rbx, %rdx
    rol $11, %rbx
    xor %rbp, %rbx
    add %rsi, %rbp
    rol $13, %rsi
    xor %r8, %rsi
    add %r9, %r8
    xor %r10, %r9
    rol $17, %r10
    add %r11, %r10
    xor %r12, %r11
    push %rax
    add (%rsp), %r12
    pop %rax
    xor %r13, %r12
    rol $19, %r13
    add %r14, %r13
    xor %r15, %r14
    add %rax, %r15
    dec %rdi
    jnz fixture_loop_begin
    .globl fixture_loop_end
    .hidden fixture_loop_end
fixture_loop_end:
    add %rcx, %rax
    add %rdx, %rax
    add %rbx, %rax
    add %rbp, %rax
    add %rsi, %rax
    add %r8, %rax
    add %r9, %rax
    add %r10, %rax
    add %r11, %rax
    add %r12, %rax
    add %r13, %rax
    add %r14, %rax
    add %r15, %rax
    pop %r15
    pop %r14
    pop %r13
    pop %r12
    pop %rbp
    pop %rbx
    ret

    function fixture_flags_loop
    xor %eax, %eax
1:  pushfq
    or (%rsp), %rax
    popfq
    dec %rdi
    jnz 1b
    ret

    function fixture_pauses_loop
1:  pause
    nop
    dec %rdi
    jnz 1b
    ret

    function fixture_rep
    mov %rdi, %rcx
    lea fixture_bytes(%rip), %rdi
    xor %eax, %eax
    rep stosb
    ret

    function fixture_cpuid_loop
    push %rbx
1:  cpuid
    dec %rdi
    jnz 1b
    pop %rbx
    ret

    function fixture_trap_entry
    push %rax
    mov 24(%rsp), %rax              /* RFLAGS of the frame, and those here */
    or %rax, fixture_trap_flags(%rip)
    pushfq
    pop %rax
    or %rax, fixture_trap_flags(%rip)
    incq fixture_traps(%rip)
    pop %rax
    iretq

    function fixture_traps_loop
1:  int3
    int $FIXTURE_VECTOR
    dec %rdi
    jnz 1b
    ret

    function fixture_syscall
    mov %ss, %r8d
    syscall                         /* SFMASK takes IF away */
    .globl fixture_syscall_behind
    .hidden fixture_syscall_behind
fixture_syscall_behind:
    shl $32, %rax
    or %r9, %rax
    ret
    function fixture_syscall_entry
    mov %r8d, %ss                   /* STAR gave another */
    pushfq
    pop %rax
    mov %r11, %r9
    cmp $0, %rdi
    jne 1f
    push %r11
    popfq
    jmp *%rcx
1:  mov %rcx, %rax                  /* or: where it would have gone on */
    push %r11
    popfq
    ret

    function fixture_halt
    sti
    hlt
    cli
    ret

    function fixture_vmrun
    mov %rdi, %rax
    vmrun %rax
    ret

    function fixture_vmmcall
    vmmcall
    ret

    function fixture_or_memory
    or %esi, (%rdi)
    ret

    .bss
    .balign 8
fixture_bytes:
    .skip 64
    .globl fixture_faults, fixture_fault_skip, fixture_fault_stops, fixture_traps, fixture_trap_flags
    .hidden fixture_faults, fixture_fault_skip, fixture_fault_stops, fixture_traps, fixture_trap_flags
fixture_traps:
    .skip 8
fixture_trap_flags:
    .skip 8
fixture_faults:
    .skip 8
fixture_fault_skip:
    .skip 8
fixture_fault_stops:
    .skip 8
