/* SPDX-License-Identifier: BSD-2-Clause */
/* The doors between host and guest: see world.h. */
#include "vpmu/shim/world.h"

    .text

/* ---------------------------------------------------------------- the host loop
 * void world_enter_guest(struct world *world) */
    .globl world_start_guest
    .hidden world_start_guest
world_start_guest:
    mov %rdi, %rbx
    jmp enter_host

    .globl world_enter_guest
    .hidden world_enter_guest
world_enter_guest:
    pushfq
    cli
    push %rbx
    push %rbp
    push %r12
    push %r13
    push %r14
    push %r15
    mov %rdi, %rbx
    mov WORLD_VMCB(%rbx), %rax
    mov %rsp, 0x5d8(%rax)           /* vmcb.rsp */
    lea guest_continues(%rip), %rcx
    mov %rcx, 0x578(%rax)           /* vmcb.rip */
    movq $2, 0x570(%rax)            /* vmcb.rflags: interrupts off until the popfq below */

enter_host:
    clgi
    lgdt WORLD_GDTR(%rbx)
    lidt WORLD_IDTR(%rbx)
    mov WORLD_HOST_CR3(%rbx), %rax
    mov %rax, %cr3
    mov $HOST_DS, %eax
    mov %eax, %ss
    mov %eax, %ds
    mov %eax, %es
    mov WORLD_HOST_STACK(%rbx), %rsp
    push $HOST_CS
    lea host_continues(%rip), %rax
    push %rax
    lretq
host_continues:
    push %rbx                       /* (%rsp) is the world from here on; keeps the stack 16-byte aligned for the call */
    push %rbx

host_loop:
    mov WORLD_VMCB(%rbx), %rax
    mov WORLD_GPR+8*1(%rbx), %rcx
    mov WORLD_GPR+8*2(%rbx), %rdx
    mov WORLD_GPR+8*5(%rbx), %rbp
    mov WORLD_GPR+8*6(%rbx), %rsi
    mov WORLD_GPR+8*7(%rbx), %rdi
    mov WORLD_GPR+8*8(%rbx), %r8
    mov WORLD_GPR+8*9(%rbx), %r9
    mov WORLD_GPR+8*10(%rbx), %r10
    mov WORLD_GPR+8*11(%rbx), %r11
    mov WORLD_GPR+8*12(%rbx), %r12
    mov WORLD_GPR+8*13(%rbx), %r13
    mov WORLD_GPR+8*14(%rbx), %r14
    mov WORLD_GPR+8*15(%rbx), %r15
    mov WORLD_GPR+8*3(%rbx), %rbx
    vmrun %rax                      /* after it rax and rsp are the host's again */
    mov %rbx, 8(%rsp)
    mov (%rsp), %rbx
    mov %rcx, WORLD_GPR+8*1(%rbx)
    mov 8(%rsp), %rcx
    mov %rcx, WORLD_GPR+8*3(%rbx)
    mov %rdx, WORLD_GPR+8*2(%rbx)
    mov %rbp, WORLD_GPR+8*5(%rbx)
    mov %rsi, WORLD_GPR+8*6(%rbx)
    mov %rdi, WORLD_GPR+8*7(%rbx)
    mov %r8, WORLD_GPR+8*8(%rbx)
    mov %r9, WORLD_GPR+8*9(%rbx)
    mov %r10, WORLD_GPR+8*10(%rbx)
    mov %r11, WORLD_GPR+8*11(%rbx)
    mov %r12, WORLD_GPR+8*12(%rbx)
    mov %r13, WORLD_GPR+8*13(%rbx)
    mov %r14, WORLD_GPR+8*14(%rbx)
    mov %r15, WORLD_GPR+8*15(%rbx)
    mov 0x5f8(%rax), %rcx           /* vmcb.rax */
    mov %rcx, WORLD_GPR+8*0(%rbx)
    mov 0x5d8(%rax), %rcx           /* vmcb.rsp */
    mov %rcx, WORLD_GPR+8*4(%rbx)
    cld
    mov %rbx, %rdi
    call world_exit
    mov WORLD_VMCB(%rbx), %rax
    mov WORLD_GPR+8*0(%rbx), %rcx
    mov %rcx, 0x5f8(%rax)
    mov WORLD_GPR+8*4(%rbx), %rcx
    mov %rcx, 0x5d8(%rax)
    jmp host_loop

guest_continues:
    pop %r15
    pop %r14
    pop %r13
    pop %r12
    pop %rbp
    pop %rbx
    popfq
    ret

/* ---------------------------------------------------------------- host exceptions: fatal, nothing is saved */
    .balign HOST_STUB
    .globl host_vectors
    .hidden host_vectors
host_vectors:
    .set vector, 0
    .rept HOST_VECTORS
    .balign HOST_STUB
    .if (vector == 8) || (vector >= 10 && vector <= 14) || (vector == 17)
    .else
    push $0
    .endif
    push $vector
    jmp host_exception
    .set vector, vector + 1
    .endr
host_exception:
    mov %rsp, %rdi
    and $-16, %rsp
    cld
    call world_host_exception
    ud2

/* Interrupts: only the vector of the last one is noted. */
    .balign HOST_STUB
    .globl host_interrupts
    .hidden host_interrupts
host_interrupts:
    .set vector, HOST_VECTORS
    .rept HOST_GATES - HOST_VECTORS
    .balign HOST_STUB
    push $vector
    jmp host_interrupt
    .set vector, vector + 1
    .endr
host_interrupt:
    push %rax
    mov 8(%rsp), %eax
    mov %eax, world_interrupt(%rip)
    andl $~0x200, 32(%rsp)          /* IF of the interrupted host */
    pop %rax
    add $8, %rsp
    iretq

/* ---------------------------------------------------------------- the single-step stubs: run in the guest, on vector 1
 * An interrupt gate without IST: the frame lies on the interrupted stack, all else on the stub's own stack. One stub
 * for each core: only the address of the code can identify the core without using a register. */
    .balign WORLD_STUB
    .globl world_step_stubs
    .hidden world_step_stubs
world_step_stubs:
    .set core, 0
    .rept WORLD_CORES
    .org world_step_stubs + WORLD_STUB * core, 0xcc /* refuses a stub that is longer */
    .set data, WORLD_STEP * core
    mov %rax, world_step_data+data+8*0(%rip)
    mov %rcx, world_step_data+data+8*1(%rip)
    mov %rdx, world_step_data+data+8*2(%rip)
    mov %rbx, world_step_data+data+8*3(%rip)
    mov 24(%rsp), %rax
    mov %rax, world_step_data+data+8*4(%rip)
    mov %rbp, world_step_data+data+8*5(%rip)
    mov %rsi, world_step_data+data+8*6(%rip)
    mov %rdi, world_step_data+data+8*7(%rip)
    mov %r8, world_step_data+data+8*8(%rip)
    mov %r9, world_step_data+data+8*9(%rip)
    mov %r10, world_step_data+data+8*10(%rip)
    mov %r11, world_step_data+data+8*11(%rip)
    mov %r12, world_step_data+data+8*12(%rip)
    mov %r13, world_step_data+data+8*13(%rip)
    mov %r14, world_step_data+data+8*14(%rip)
    mov %r15, world_step_data+data+8*15(%rip)
    mov %rsp, %rbx
    mov %rsp, %rdi
    mov $core, %esi
    lea world_step_data+data+128+16384(%rip), %rsp
    cld
    call world_step
    test %rax, %rax
    jz world_step_vmmcall
    mov %rax, %rsp
    mov world_step_data+data+8*0(%rip), %rax
    mov world_step_data+data+8*1(%rip), %rcx
    mov world_step_data+data+8*2(%rip), %rdx
    mov world_step_data+data+8*3(%rip), %rbx
    mov world_step_data+data+8*6(%rip), %rsi
    mov world_step_data+data+8*7(%rip), %rdi
    mov world_step_data+data+8*8(%rip), %r8
    mov world_step_data+data+8*9(%rip), %r9
    mov world_step_data+data+8*10(%rip), %r10
    mov world_step_data+data+8*11(%rip), %r11 /* rbp and r12 to r15 are as they were: the C code keeps them */
    iretq
    .set core, core + 1
    .endr

    .globl world_step_vmmcall
    .hidden world_step_vmmcall
world_step_vmmcall:
    vmmcall
    ud2

    .bss
    .balign 64
    .globl world_interrupt
    .hidden world_interrupt
world_interrupt:
    .skip 64
    .globl world_step_data
    .hidden world_step_data
world_step_data:
    .skip WORLD_STEP * WORLD_CORES
