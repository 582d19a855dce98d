/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The shim's messages: lines on COM1, written to the port. The firmware's console uses the same port, but the shim must
 * be able to print when the firmware cannot be called (from a #VMEXIT), so it never uses the firmware's console.
 */
#ifndef VPMU_SHIM_SERIAL_H
#define VPMU_SHIM_SERIAL_H

#include "core/base/out.h"

/* Formats as out_printf does; '\n' is sent as CR LF. Usable in host and guest mode alike. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
