/* SPDX-License-Identifier: BSD-2-Clause */
/* Our memory below 1 MB: the BIOS's code in real mode reaches no other. Also for assembly. */
#ifndef BIOS_LOW_H
#define BIOS_LOW_H

#define LOW_STACK_TOP 0x7C00  /* stack of BIOS calls: 8 KB, of which SeaBIOS used 3 */
#define LOW_CODE      0x8000  /* a copy of the code that leaves long mode and comes back (real_call.S) */
#define LOW_REGISTERS 0x9000  /* struct real_registers */
#define LOW_PACKET    0x9100  /* packet of a disk's read or write (disk.c) */
#define LOW_PXE_CODE  0x9200  /* code between an interrupt and the network card's code (net/pxe.c) */
#define LOW_PXE_CALL  0x9300  /* arguments of such a call: 64 bytes */
#define LOW_PXE_DATA  0xA000  /* a datagram or a DHCP packet: 2 KB */
#define LOW_BOUNCE    0x10000 /* 32 KB without a 64 KB border, which DMA of old disks must not cross */
#define LOW_END       0x18000 /* allocations begin here */

#ifndef __ASSEMBLER__
#include <stdint.h>

/* Begins at address 0, by the linker; an array in tests. */
extern uint8_t low_memory[];
#endif

/* Offsets in struct real_registers (real.h). */
#define REAL_EAX    0x00
#define REAL_EBX    0x04
#define REAL_ECX    0x08
#define REAL_EDX    0x0C
#define REAL_ESI    0x10
#define REAL_EDI    0x14
#define REAL_EBP    0x18
#define REAL_FLAGS  0x1C
#define REAL_DS     0x20
#define REAL_ES     0x22
#define REAL_NUMBER 0x24
#define REAL_A20    0x28

/* Selectors of the descriptor table (start.S). */
#define GDT_CODE_32 0x08
#define GDT_DATA    0x10
#define GDT_CODE_64 0x18
#define GDT_CODE_16 0x20
#define GDT_DATA_16 0x28
#define GDT_TASK    0x30

#endif
