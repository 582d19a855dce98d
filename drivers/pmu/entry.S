/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Entries from the interrupt table, the call that an exception can leave, and MSR accesses with a fixup.
 * Position-independent: rip-relative addresses and differences only.
 */
    .text

    .macro function name
    .balign 16
    .globl \name
    .hidden \name
    .type \name, @function
\name:
    .endm

/* ------------------------------------------------------------------ MSR accesses that may raise an exception
 * fault_dispatch() resumes at the fixup with the vector in eax. */

/* uint32_t cpu_rdmsr_safe(uint32_t msr, uint64_t *value) */
function cpu_rdmsr_safe
    mov %edi, %ecx
.Lrdmsr:
    rdmsr
    shl $32, %rdx
    or %rdx, %rax
    mov %rax, (%rsi)
    xor %eax, %eax
    ret
.Lrdmsr_fixup:
    movq $0, (%rsi)
    ret

/* uint32_t cpu_wrmsr_safe(uint32_t msr, uint64_t value) */
function cpu_wrmsr_safe
    mov %edi, %ecx
    mov %esi, %eax
    mov %rsi, %rdx
    shr $32, %rdx
.Lwrmsr:
    wrmsr
    xor %eax, %eax
.Lwrmsr_fixup:
    ret

/* The exception table: where it may fault, where to go on; each relative to its own place. Ends with 0. */
    .section .rodata.cpu_fixups, "a", @progbits
    .balign 4
    .globl cpu_fixups
    .hidden cpu_fixups
cpu_fixups:
    .long .Lrdmsr - ., .Lrdmsr_fixup - .
    .long .Lwrmsr - ., .Lwrmsr_fixup - .
    .long 0, 0
    .text

/* ------------------------------------------------------------------ the guarded call
 * uint32_t cpu_guarded_call(struct cpu_recovery *recovery, uint64_t stack_top, void (*function)(void *, uint64_t),
 *                           void *argument, uint64_t value)
 * What the function leaves in the callee-saved registers does not matter: they come from *recovery on both ways out. */
function cpu_guarded_call
    lea .Lrecovered(%rip), %rax
    mov %rax, (%rdi)
    mov %rsp, 8(%rdi)
    mov %rbx, 16(%rdi)
    mov %rbp, 24(%rdi)
    mov %r12, 32(%rdi)
    mov %r13, 40(%rdi)
    mov %r14, 48(%rdi)
    mov %r15, 56(%rdi)
    test %rsi, %rsi
    jnz .Lnew_stack
    mov %rsp, %rsi
    and $-16, %rsi
.Lnew_stack:
    lea -16(%rsi), %rsp
    mov %rdi, (%rsp)
    mov %rdx, %rax
    mov %rcx, %rdi
    mov %r8, %rsi
    xor %ebp, %ebp /* ends a chain of frame pointers */
    call *%rax
    mov (%rsp), %rdi
    xor %eax, %eax
    jmp .Lleave
.Lrecovered: /* from fault_dispatch(), rdi = recovery */
    mov $1, %eax
.Lleave:
    cld
    mov 8(%rdi), %rsp
    mov 16(%rdi), %rbx
    mov 24(%rdi), %rbp
    mov 32(%rdi), %r12
    mov 40(%rdi), %r13
    mov 48(%rdi), %r14
    mov 56(%rdi), %r15
    ret

/* ------------------------------------------------------------------ NMI
 * On its own stack, whose top holds the handler's context. rsp there is 16-byte aligned; the processor pushes 40 bytes,
 * we 72. In the handler's section: nmi_text.h. */
    .macro nmi_save
    push %rax
    push %rcx
    push %rdx
    push %rsi
    push %rdi
    push %r8
    push %r9
    push %r10
    push %r11
    cld
    mov 112(%rsp), %rdi
    .endm

    .macro nmi_return
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
    .endm

    .section .text.nmi, "ax", @progbits
function cpu_nmi_entry
    nmi_save
    call nmi_handler
    nmi_return
    .size cpu_nmi_entry, . - cpu_nmi_entry

/* With call stacks: a gate of its own, so that a run without them does not pay for asking. */
function cpu_nmi_entry_stacks
    nmi_save
    mov %rbp, %rsi
    call nmi_handler_stacks
    nmi_return
    .size cpu_nmi_entry_stacks, . - cpu_nmi_entry_stacks

/* Serves processors whose intervals come in steps (nmi.linger). */
function cpu_nmi_entry_lingers
    nmi_save
    mov %rbp, %rsi
    call nmi_handler_lingers
    nmi_return
    .size cpu_nmi_entry_lingers, . - cpu_nmi_entry_lingers

function cpu_nmi_entry_later
    nmi_save
    mov %rbp, %rsi
    call nmi_handler_later
    nmi_return
    .size cpu_nmi_entry_later, . - cpu_nmi_entry_later

/* Writes nmi.branches.off or .on, unless .msr is 0. No branch before the first and after the second write is taken, but
 * for IRETQ, which is not recorded. */
    .macro nmi_branches value
    mov 440(%rdi), %ecx /* nmi.branches.msr */
    jecxz 1f
    mov \value(%rdi), %eax
    mov \value + 4(%rdi), %edx
    wrmsr
1:
    .endm

function cpu_nmi_entry_branches
    nmi_save
    nmi_branches 424
    mov %rbp, %rsi
    call nmi_handler_branches
    mov 112(%rsp), %rdi
    nmi_branches 432
    nmi_return
    .size cpu_nmi_entry_branches, . - cpu_nmi_entry_branches

/* Keeps in nmi.branches.found how far recording came. */
function cpu_nmi_entry_branch_sampling
    nmi_save
    mov 440(%rdi), %ecx
    jecxz 2f
    rdmsr
    mov %eax, 456(%rdi)
2:
    nmi_branches 424
    mov %rbp, %rsi
    call nmi_handler_branch_sampling
    mov 112(%rsp), %rdi
    nmi_branches 432
    nmi_return
    .size cpu_nmi_entry_branch_sampling, . - cpu_nmi_entry_branch_sampling
    .text

/* ------------------------------------------------------------------ exceptions and stray interrupts
 * One 16-byte stub per vector: a zero where the processor pushes no error code (AMD APM vol. 2 section 8.2), the vector. */
    .balign 16
    .globl cpu_trap_stubs
    .hidden cpu_trap_stubs
cpu_trap_stubs:
    .set vector, 0
    .rept 256
    .org cpu_trap_stubs + 16 * vector, 0xcc /* refuses a stub that is longer */
    .if (vector == 8) || ((vector >= 10) && (vector <= 14)) || (vector == 17) || (vector == 21) || (vector == 29) || (vector == 30)
    .else
    pushq $0
    .endif
    pushq $vector
    jmp .Ltrap
    .set vector, vector + 1
    .endr

    .balign 16
.Ltrap: /* builds struct cpu_trap_frame; the context is immediately above it */
    push %r15
    push %r14
    push %r13
    push %r12
    push %r11
    push %r10
    push %r9
    push %r8
    push %rdi
    push %rsi
    push %rbp
    push %rsp
    push %rbx
    push %rdx
    push %rcx
    push %rax
    cld
    mov %rsp, %rdi
    mov 184(%rsp), %rsi
    sub $8, %rsp
    call fault_dispatch
    add $8, %rsp
.Lload_frame:
    pop %rax
    pop %rcx
    pop %rdx
    pop %rbx
    add $8, %rsp
    pop %rbp
    pop %rsi
    pop %rdi
    pop %r8
    pop %r9
    pop %r10
    pop %r11
    pop %r12
    pop %r13
    pop %r14
    pop %r15
    add $16, %rsp /* vector, error code */
    iretq

/* void cpu_call_frame(struct cpu_trap_frame *frame): the frame's rsp is at 168. */
function cpu_call_frame
    lea cpu_step_end(%rip), %rax
    subq $8, 168(%rdi)
    mov 168(%rdi), %rcx
    mov %rax, (%rcx)

/* void cpu_enter_frame(const struct cpu_trap_frame *frame): the frame is the stack until iretq. */
function cpu_enter_frame
    mov %rdi, %rsp
    jmp .Lload_frame

/* Code that was entered so returns here. */
function cpu_step_end
    int3

    .section .note.GNU-stack, "", @progbits
