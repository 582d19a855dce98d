/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The first serial port of a PC (3F8h, a 16550 or what looks like one), polled: for words at a time when no firmware
 * may be called (registers: core/platform/uart_regs.h).
 */
#ifndef DRIVERS_UART_H
#define DRIVERS_UART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns whether a UART answers: a port without a UART reads FFh, and has no scratch register that keeps a byte. */
bool uart_found(void);

/* Baud; 8 bits, no parity, 1 stop bit. The order is that of the setting 'serial_rate'. */
enum uart_rate { UART_115200, UART_57600, UART_38400, UART_19200, UART_9600, UART_RATES };

/* Sends text, "\n" as CR and LF, and waits until the last bit has left. Then rate, interrupts and modem lines are as
 * before, so that the firmware's own console goes on there. Each byte is waited for a bounded number of reads (a second
 * or less): false when one did not go. Interrupts must be off: the firmware's tick may poll the same port. The FIFO is
 * used if the firmware has switched it on. */
bool uart_send(enum uart_rate rate, const char *text, size_t length);

/* Sends with interrupts on or off: off meanwhile, so that the text should be short (at 9600 baud, 1 ms a byte). */
bool uart_send_now(enum uart_rate rate, const char *text, size_t length);

/* A port in use: its registers as they were before. */
struct uart {
    uint8_t line, interrupts, modem, low, high;
    bool fifo;
    unsigned room; /* bytes that may be written unchecked */
};

/* Waits until all bytes have left; returns false if they do not. */
bool uart_idle(void);

/* Sets rate and format, and switches the port's interrupts off, until uart_give_back(). When uart_idle(). */
void uart_take(struct uart *uart, enum uart_rate rate);
void uart_give_back(const struct uart *uart);

/* Switches the FIFOs on or off, which loses what is in them; uart_give_back() restores them. */
void uart_use_fifo(bool on);

/* Writes a byte when there is room; returns false if there was none for a second or less. */
bool uart_put(struct uart *uart, uint8_t byte);

/* Reads a byte that has come; returns false if none has. */
bool uart_get(uint8_t *ret_byte);

#endif
