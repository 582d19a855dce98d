/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Own code for tests/boot/machine/x2apic.sh: 40,000 additions of one to the four parts of a register of AVX, which nothing else
 * holds. Where exact counts are made in parts, the register must come back after each.
 */
    .intel_syntax noprefix
    .text
    .globl run
    .type run, @function
run:
    mov ecx, 40000
    mov eax, 1
    vmovq xmm0, rax
    vpbroadcastq ymm0, xmm0
    vpxor ymm1, ymm1, ymm1
1:
    vpaddq ymm1, ymm1, ymm0
    sub ecx, 1
    jnz 1b
    vmovdqu [rdi], ymm1         /* the arena */
    ret
    .size run, . - run

/* bool check(arena, parameters, result) */
    .globl check
    .type check, @function
check:
    mov ecx, 4
    mov eax, 1
    mov qword ptr [rdx], 40000  /* expected */
2:
    mov r8, [rdi + rcx * 8 - 8]
    mov [rdx + 8], r8           /* got */
    cmp r8, 40000
    jne 3f
    sub ecx, 1
    jnz 2b
    ret
3:
    xor eax, eax
    ret
    .size check, . - check
    .section .note.GNU-stack, "", @progbits
