/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where a boot loader jumps to: multiboot 1 (specification 0.6.96, sections 3.1 and 3.2) or multiboot 2 (specification
 * 2.0, sections 3.1 and 3.3), in protected mode without paging. From here to long mode, with the first 4 GB mapped one
 * to one in pages of 2 MB, the lowest of 4 KB; memory.c maps what is above.
 */
#include "bios/low.h"

#define CR0_PE        0x00000001
#define CR0_MP        0x00000002
#define CR0_EM        0x00000004
#define CR0_NE        0x00000020
#define CR0_WP        0x00010000
#define CR0_CACHE_OFF 0x60000000
#define CR0_PG        0x80000000
#define CR4_DE        0x008
#define CR4_PAE       0x020
#define CR4_MCE       0x040           /* without, a machine check shuts the machine down and says nothing */
#define CR4_OSFXSR    0x200
#define CR4_OSXMMEX   0x400
#define MSR_EFER      0xC0000080
#define EFER_LME      0x100
#define EFER_NXE      0x800
#define CPUID_NX      0x100000        /* leaf 8000_0001h, EDX: bit 20 */
#define PAGE_TABLE    0x03            /* present, writable */
#define PAGE_2_MB     0x83            /* the same, 2 MB */

#define MB1_MAGIC     0x1BADB002
#define MB1_FLAGS     0x3             /* modules on pages of their own, memory map */
#define MB2_MAGIC     0xE85250D6

    .section .boot.header, "ax"
    .balign 8
    .long MB1_MAGIC, MB1_FLAGS, -(MB1_MAGIC + MB1_FLAGS)
    .balign 8
.Lmb2:
    .long MB2_MAGIC, 0, .Lmb2_end - .Lmb2, -(MB2_MAGIC + (.Lmb2_end - .Lmb2))
    .short 6, 0                       /* modules on pages of their own */
    .long 8
    .short 0, 0
    .long 8
.Lmb2_end:

    .section .boot, "ax"
    .code32
    .globl _start
_start:
    cli
    cld
    mov $1f, %ebp
    jmp check_machine
1:  mov %eax, boot_magic
    mov %ebx, boot_information
    mov %cr4, %eax
    mov %eax, real_cr4                /* as the BIOS left it: its code runs with that again */

    mov $page_root, %edi
    mov $(page_end - page_root) / 4, %ecx
    xor %eax, %eax
    rep stosl
    movl $page_directories + PAGE_TABLE, page_root
    mov $page_first_4_gb + PAGE_TABLE, %eax
    mov $page_directories, %edi
    mov $4, %ecx
1:  mov %eax, (%edi)
    add $4096, %eax
    add $8, %edi
    loop 1b
    mov $PAGE_2_MB, %eax
    mov $page_first_4_gb, %edi
    mov $4 * 512, %ecx
1:  mov %eax, (%edi)
    add $0x200000, %eax
    add $8, %edi
    loop 1b
    movl $page_first_2_mb + PAGE_TABLE, page_first_4_gb
    mov $PAGE_TABLE, %eax
    mov $page_first_2_mb, %edi
    mov $512, %ecx
1:  mov %eax, (%edi)
    add $4096, %eax
    add $8, %edi
    loop 1b

    mov $page_root, %eax
    mov %eax, %cr3
    mov %cr4, %eax
    or $CR4_DE | CR4_PAE | CR4_MCE | CR4_OSFXSR | CR4_OSXMMEX, %eax
    mov %eax, %cr4
    mov $0x80000001, %eax
    cpuid
    mov %edx, %ebx
    mov $MSR_EFER, %ecx
    rdmsr
    or $EFER_LME, %eax
    test $CPUID_NX, %ebx
    jz 1f
    or $EFER_NXE, %eax
1:  wrmsr
    mov %cr0, %eax
    and $~(CR0_CACHE_OFF | CR0_EM), %eax
    or $CR0_PG | CR0_WP | CR0_NE | CR0_MP | CR0_PE, %eax
    mov %eax, %cr0
    lgdt gdt_pointer
    ljmp $GDT_CODE_64, $1f

    .code64
1:  mov $GDT_DATA, %eax
    mov %eax, %ds
    mov %eax, %es
    mov %eax, %ss
    xor %eax, %eax
    mov %eax, %fs
    mov %eax, %gs
    mov $stack_top, %rsp
    xor %ebp, %ebp
    call bios_main
1:  cli
    hlt
    jmp 1b

/* Exceptions and interrupts: vector, error code, then what the processor pushes. */
    .text
    .globl exception_stubs
    .balign 16
exception_stubs:
    .set vector, 0
    .rept 256
    .balign 16
    .if !((vector == 8) || (vector >= 10 && vector <= 14) || (vector == 17) || (vector == 21) || (vector >= 29 && vector <= 30))
    push $0
    .endif
    push $vector
    jmp exception_common
    .set vector, vector + 1
    .endr
exception_common:
    push %rax
    push %rcx
    push %rdx
    push %rsi
    push %rdi
    push %r8
    push %r9
    push %r10
    push %r11
    push %rbp
    mov %rsp, %rbp
    lea 80(%rsp), %rdi                /* struct exception */
    and $-16, %rsp
    cld
    call exception                    /* returns from interrupts; others end the program */
    mov %rbp, %rsp
    pop %rbp
    pop %r11
    pop %r10
    pop %r9
    pop %r8
    pop %rdi
    pop %rsi
    pop %rdx
    pop %rcx
    pop %rax
    add $16, %rsp
    iretq

    .data
    .balign 8
    .globl gdt, gdt_pointer, gdt_end
gdt:
    .quad 0
    .quad 0x00CF9B000000FFFF          /* flat code, 32 bits (AMD APM vol. 2 section 4.7) */
    .quad 0x00CF93000000FFFF          /* flat data */
    .quad 0x00AF9B000000FFFF          /* code, 64 bits */
    .quad 0x00009B000000FFFF          /* code and data for the way to real mode: 16 bits, 64 KB */
    .quad 0x000093000000FFFF
    .quad 0, 0                        /* the task state segment (exceptions.c) */
gdt_end:
gdt_pointer:
    .short gdt_end - gdt - 1
    .quad gdt
    .globl boot_magic, boot_information, real_cr4
    .balign 4
boot_magic: .long 0
boot_information: .long 0
real_cr4: .long 0

    .bss
    .balign 4096
    .globl page_root, page_directories, page_first_2_mb
page_root: .skip 4096
page_directories: .skip 4096
page_first_4_gb: .skip 4 * 4096
page_first_2_mb: .skip 4096           /* in pages of 4 KB, so that the first can be taken away (main.c) */
page_end:
    .globl stack, stack_top
stack: .skip 256 * 1024               /* ibsboot takes 90 KB; UEFI promises 128 (2.10, section 2.3.4) */
stack_top:
