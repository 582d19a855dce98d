/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The boot file of a network card with a BIOS (PXE specification 2.1, section 4.4.5): the card's code loads it to
 * 0:7C00h and calls it in real mode. It has all of ibsbios behind it, takes that to 1 MB, and starts it as a multiboot
 * loader does (start.S), with the BIOS's map of memory. The card's code stays in memory, and is what net/pxe.c calls.
 *
 * ibsbios comes without its first 16 bytes, the header of multiboot 1: iPXE would take this file for such a kernel, and
 * end the network before it starts it.
 */
#define CR0_PE      1
#define MAGIC       0x2BADB002         /* what a loader of multiboot 1 leaves in EAX */
#define FLAGS       0x240              /* a map of memory; a loader's name */
#define INFORMATION 0x1000             /* and, from here on, the map: 24 bytes a range, which begin with the size of the rest */
#define MAP         0x1100
#define RANGES      128                /* as BOOT_INFO_RANGES */
#define MAP_BYTES   44
#define MAP_AT      48
#define LOADER_AT   64
#define INFORMATION_BYTES 68
#define SMAP        0x534D4150
#define HEADER      16
#define IBSBIOS     (0x100000 + HEADER)

    .text
    .code16
    .globl boot
boot:
    ljmp $0, $1f
1:  cli
    xor %ax, %ax
    mov %ax, %ds
    mov %ax, %es
    mov %ax, %ss
    mov $boot, %esp
    sti
    cld
    mov $INFORMATION, %di
    mov $INFORMATION_BYTES / 2, %cx
    rep stosw
    movl $FLAGS, INFORMATION
    movl $MAP, INFORMATION + MAP_AT
    movl $name, INFORMATION + LOADER_AT

    /* INT 15h, E820h (ACPI 6.5, section 15.1). */
    mov $MAP, %di
    xor %ebx, %ebx
1:  mov $0xE820, %eax
    mov $20, %ecx
    mov $SMAP, %edx
    push %di
    add $4, %di
    int $0x15
    pop %di
    jc 2f
    cmp $SMAP, %eax
    jne 2f
    movl $20, (%di)
    add $24, %di
    test %ebx, %ebx
    jz 2f
    cmp $MAP + RANGES * 24, %di
    jb 1b
2:  sub $MAP, %di
    mov %di, INFORMATION + MAP_BYTES

    /* Address line 20 on: by the BIOS, and by port 92h, whose bit 0 resets the machine. start.S looks whether it is. */
    mov $0x2401, %ax
    int $0x15
    in $0x92, %al
    and $~1, %al
    or $2, %al
    out %al, $0x92

    cli
    lgdtl gdt_pointer
    mov %cr0, %eax
    or $CR0_PE, %al
    mov %eax, %cr0
    ljmpl $8, $1f
    .code32
1:  mov $16, %eax
    mov %eax, %ds
    mov %eax, %es
    mov %eax, %ss
    mov $ibsbios, %esi
    mov $IBSBIOS, %edi
    mov $ibsbios_end - ibsbios, %ecx
    rep movsb
    mov $image_end, %ecx               /* memory that begins as zeros */
    sub %edi, %ecx
    xor %eax, %eax
    rep stosb
    mov $MAGIC, %eax
    mov $INFORMATION, %ebx
    mov $_start, %edx
    jmp *%edx

name:
    .asciz "PXE"
    .balign 8
gdt:
    .quad 0
    .quad 0x00CF9B000000FFFF           /* as in start.S */
    .quad 0x00CF93000000FFFF
gdt_pointer:
    .short . - gdt - 1
    .long gdt
    .balign 4
ibsbios:
    .incbin "build/ibsbios.bin", HEADER
ibsbios_end:
