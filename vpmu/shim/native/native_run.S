/* SPDX-License-Identifier: BSD-2-Clause */
/* See native_check.h. */
#include "vpmu/shim/native/native_check.h"

#define RING_CHECK   2 * 16 * 1     /* bytes to the ring in plugin_rings: enum plugin_bell */
#define RING_CHECKED 2 * 16 * 2

    .text
    .globl native_check_run
    .hidden native_check_run
native_check_run:
    push %rbx
    push %rbp
    push %r12
    push %r13
    push %r14
    push %r15
    nopl plugin_rings+RING_CHECK(%rip)
    mov $NATIVE_CHECK_VALUE*1, %rax
    mov $NATIVE_CHECK_VALUE*2, %rcx
    mov $NATIVE_CHECK_VALUE*3, %rdx
    mov $NATIVE_CHECK_VALUE*4, %rbx
    mov $NATIVE_CHECK_VALUE*6, %rbp
    mov $NATIVE_CHECK_VALUE*7, %rsi
    mov $NATIVE_CHECK_VALUE*8, %rdi
    mov $NATIVE_CHECK_VALUE*9, %r8
    mov $NATIVE_CHECK_VALUE*10, %r9
    mov $NATIVE_CHECK_VALUE*11, %r10
    mov $NATIVE_CHECK_VALUE*12, %r11
    mov $NATIVE_CHECK_VALUE*13, %r12
    mov $NATIVE_CHECK_VALUE*14, %r13
    mov $NATIVE_CHECK_VALUE*15, %r14
    mov $NATIVE_CHECK_VALUE*16, %r15
    jmp native_check_first          /* ends the block: what follows is translated after the bell has rung */
    .globl native_check_first, native_check_second, native_check_stop, native_check_last
    .hidden native_check_first, native_check_second, native_check_stop, native_check_last
native_check_first:
    nop
native_check_second:
    add $1, %rax
native_check_stop:
    incq native_check_executed(%rip)
native_check_last:
    nop
    nopl plugin_rings+RING_CHECKED(%rip)
    pop %r15
    pop %r14
    pop %r13
    pop %r12
    pop %rbp
    pop %rbx
    ret

    .data
    .balign 8
    .globl native_check_executed
    .hidden native_check_executed
native_check_executed:
    .quad 0
