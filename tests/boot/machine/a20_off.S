/* SPDX-License-Identifier: BSD-2-Clause */
/* A wrong boot loader, for bios.sh: it starts its first module, ibsbios, with address line 20 off. Multiboot 1. */
#define MAGIC     0x1BADB002
#define MODULES   24                   /* in the multiboot information: address of the list (section 3.3) */
#define SEGMENTS  28                   /* in the ELF header: e_phoff */
#define A20_PORT  0x92                 /* bit 1 */

    .text
    .balign 4
    .long MAGIC, 0, -MAGIC
    .code32
    .globl _start
_start:
    cli
    cld
    mov MODULES(%ebx), %esi
    mov (%esi), %esi                   /* the module's first byte */
    mov 24(%esi), %ebp                 /* e_entry */
    mov SEGMENTS(%esi), %edx
    add %esi, %edx
    in $A20_PORT, %al
    and $~3, %al
    out %al, $A20_PORT
    add 4(%edx), %esi                  /* p_offset, p_vaddr, p_filesz */
    mov 8(%edx), %edi
    mov 16(%edx), %ecx
    rep movsb
    mov $0x2BADB002, %eax
    jmp *%ebp
