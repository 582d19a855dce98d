/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Checks what the way to long mode takes for granted (start.S): memory under the whole image, address line
 * 20, and a processor that has long mode. What is missing is a line on the screen and the serial port, and the end.
 */
#include "core/platform/uart_regs.h"

#define EFLAGS_ID     0x200000         /* can be changed where there is CPUID (AMD APM vol. 3, CPUID) */
#define CPUID_MSR_PAE 0x60             /* leaf 1, EDX: bits 5 and 6 */
#define CPUID_FXSR_SSE 0x3000000       /* bits 24 and 25 */
#define CPUID_LM      0x20000000       /* leaf 8000_0001h, EDX: bit 29 */
#define PATTERN       0x5AA5C33C
#define SCREEN        0xB8000
#define SCREEN_CELLS  80 * 25
#define GREY_BLANK    0x0720
#define WHITE_ON_RED  0x4F
#define POLLS         200000

    .section .boot, "ax"
    .code32
    .globl check_machine

/* Returns to the address in EBP, with EAX and EBX as they were; the stack is not used before it is known to be there. */
check_machine:
    mov %eax, %edi
    movl $PATTERN, image_end - 4
    movl $~PATTERN, image_end - 8
    mov $.Lno_memory, %esi
    cmpl $PATTERN, image_end - 4
    jne refuse
    movl $0, image_end - 4
    movl $0, image_end - 8
    mov $stack_top, %esp

    /* Off: memory at 1 MB is that at 0. */
    mov $.Lno_a20, %esi
    movl $PATTERN, boot_magic
    cmpl $PATTERN, boot_magic - 0x100000
    jne 1f
    movl $~PATTERN, boot_magic
    cmpl $~PATTERN, boot_magic - 0x100000
    je refuse

1:  mov $.Lno_cpuid, %esi
    pushfl
    pop %ecx
    xorl $EFLAGS_ID, %ecx
    push %ecx
    popfl
    pushfl
    pop %eax
    xor %ecx, %eax
    test $EFLAGS_ID, %eax
    jnz refuse

    push %ebx
    mov $.Lno_long_mode, %esi
    mov $0x80000000, %eax
    cpuid
    cmp $0x80000001, %eax
    jb refuse
    mov $0x80000001, %eax
    cpuid
    test $CPUID_LM, %edx
    jz refuse
    mov $.Lno_pae, %esi
    mov $1, %eax
    cpuid
    and $CPUID_MSR_PAE | CPUID_FXSR_SSE, %edx
    cmp $CPUID_MSR_PAE | CPUID_FXSR_SSE, %edx
    jne refuse
    pop %ebx
    mov %edi, %eax
    jmp *%ebp

/* Shows the text in ESI, and stops. There may be no stack. */
refuse:
    mov %esi, %ebx
    mov $SCREEN, %edi
    mov $SCREEN_CELLS, %ecx
    mov $GREY_BLANK, %ax
    rep stosw
    mov $SCREEN, %edi
    mov $WHITE_ON_RED, %ah
1:  lodsb
    test %al, %al
    jz .Lserial
    stosw
    jmp 1b

/* Tells a port as drivers/trace/uart.c does: one that keeps a byte in its scratch register. */
.Lserial:
    mov $UART_SCRATCH, %dx
    mov $0x5A, %al
    out %al, %dx
    in %dx, %al
    cmp $0x5A, %al
    jne .Lstop
    mov $UART_LINE, %dx
    mov $UART_LINE_DIVISOR, %al
    out %al, %dx
    mov $UART_DATA, %dx
    mov $1, %al                       /* 115200 baud */
    out %al, %dx
    inc %dx
    xor %al, %al
    out %al, %dx
    mov $UART_LINE, %dx
    mov $UART_LINE_8N1, %al           /* 8 bits, no parity, one stop bit */
    out %al, %dx
    inc %dx
    out %al, %dx                      /* DTR, RTS */
    mov %ebx, %esi
1:  mov $POLLS, %ecx
    mov $UART_STATUS, %dx
2:  in %dx, %al
    test $UART_STATUS_READY, %al
    jnz 3f
    loop 2b
    jmp .Lstop
3:  mov $UART_DATA, %dx
    lodsb
    test %al, %al
    jz .Lstop
    out %al, %dx
    jmp 1b
.Lstop:
    cli
    hlt
    jmp .Lstop

.Lno_memory:
    .asciz "ibsbios: there is too little memory: 3 MB are needed to begin. Stopped.\r\n"
.Lno_a20:
    .asciz "ibsbios: address line 20 is off, so 1 MB is 0: the boot loader is wrong. Stopped.\r\n"
.Lno_cpuid:
    .asciz "ibsbios: this processor has no CPUID, so no 64 bits (long mode). Stopped.\r\n"
.Lno_long_mode:
    .asciz "ibsbios: this processor has no 64 bits (long mode). Stopped.\r\n"
.Lno_pae:
    .asciz "ibsbios: this processor's CPUID denies PAE, MSRs, FXSR or SSE. Stopped.\r\n"
