/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The first serial port of a PC, a 16550 or what looks like one: ports and bits, for C and assembly. National
 * Semiconductor PC16550D data sheet, table II; Linux include/uapi/linux/serial_reg.h.
 */
#ifndef CORE_UART_REGS_H
#define CORE_UART_REGS_H

#define UART_DATA       0x3F8 /* divisor's low byte while LCR bit 7 is set */
#define UART_INTERRUPTS 0x3F9 /* divisor's high byte */
#define UART_FIFO       0x3FA /* read: interrupt identification */
#define UART_LINE       0x3FB
#define UART_MODEM      0x3FC
#define UART_STATUS     0x3FD
#define UART_SCRATCH    0x3FF

#define UART_LINE_DIVISOR 0x80
#define UART_LINE_8N1     3
#define UART_MODEM_READY  3    /* DTR, RTS */
#define UART_STATUS_DATA  1    /* a byte has come */
#define UART_STATUS_READY 0x20 /* a byte may be written */
#define UART_STATUS_IDLE  0x40 /* the last bit has left */

#endif
