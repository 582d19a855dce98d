/*
 * The instructions with which the plugin is checked (native_run.S).
 */
#ifndef VPMU_SHIM_NATIVE_CHECK_H
#define VPMU_SHIM_NATIVE_CHECK_H

/* Register n (in the order of their encoding, but RSP) has n + 1 times this value. */
#define NATIVE_CHECK_VALUE 0x0101010101010101

#ifndef __ASSEMBLER__
#include <stdint.h>

/* Sets all registers, rings BELL_CHECK before and BELL_CHECKED after the instructions below. */
void native_check_run(void);
/* Two that execute, one that is to be left out (it would count native_check_executed up), and one more. */
extern const char native_check_first[], native_check_second[], native_check_stop[], native_check_last[];
extern uint64_t native_check_executed;
#endif

#endif
