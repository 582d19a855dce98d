/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A loop written by hand: each step waits for the multiplication before it. The number of its instructions does not
 * depend on a compiler, so the note states it: 3 a step, and 4 more: two before, and two after.
 */
    .intel_syntax noprefix
    .text
    .globl run
    .type run, @function
    .balign 64
run:
    mov ecx, [rsi]              /* the first parameter */
    mov eax, 1
1:
    imul rax, rax, 3
    sub ecx, 1
    jnz 1b
    mov [rdi], rax              /* the arena */
    ret
    .size run, . - run

/* bool check(arena, parameters, result): three to that power, by another way: squares. */
    .globl check
    .type check, @function
check:
    mov ecx, [rsi]
    mov eax, 1
    mov r8d, 3
2:
    test ecx, 1
    jz 3f
    imul rax, r8
3:
    imul r8, r8
    shr ecx, 1
    jnz 2b
    mov [rdx], rax              /* expected */
    mov rcx, [rdi]
    mov [rdx + 8], rcx          /* got */
    cmp rax, rcx
    sete al
    ret
    .size check, . - check

/* A note as IBSBOOT_CODE() of ibsboot.h makes it. */
    .macro text string, room
9:  .ascii "\string"
    .fill \room - (. - 9b), 1, 0
    .endm
    .section .note.ibsboot, "a", @note
    .balign 4
    .long 8, note_end - note, 1
    .asciz "ibsboot"
note:
    text "hand", 32
    text "multiplications by 3, one after the other", 80
    text "steps", 24
    .quad 8                     /* bytes of the arena */
    .long 3, 0                  /* macro-ops of a step; flags */
    text "steps", 16
    text "multiplications", 48
    .long 1, 100000000, 1000000, 0, 0, 1 /* least, most, initial, step, arena for each, multiplies the work */
    .fill 3 * 88, 1, 0          /* no more parameters */
    .short 0x0C0, 0             /* retired instructions: */
    .long 3, 0, 4               /* 3 a unit, 0 a pass, 4 once */
    .fill 7 * 16, 1, 0
note_end:
