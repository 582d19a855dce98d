/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The instructions that check the plugin (native_run.S).
 */
#ifndef VPMU_SHIM_NATIVE_CHECK_H
#define VPMU_SHIM_NATIVE_CHECK_H

/* Register n (in the order of encoding, without RSP) has n + 1 times this value. */
#define NATIVE_CHECK_VALUE 0x0101010101010101

#ifndef __ASSEMBLER__
#include <stdint.h>

/* Sets all registers, rings BELL_CHECK before and BELL_CHECKED after the instructions below. */
void native_check_run(void);
/* Two instructions that execute, one to be skipped (it would increment native_check_executed), and one more. */
extern const char native_check_first[], native_check_second[], native_check_stop[], native_check_last[];
extern uint64_t native_check_executed;
#endif

#endif
