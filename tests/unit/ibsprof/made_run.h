/* SPDX-License-Identifier: BSD-2-Clause */
/* Run folders like ibsboot's, with samples in the program of program.s, loaded MADE_BASE above its addresses. */
#ifndef TESTS_UNIT_IBSPROF_MADE_RUN_H
#define TESTS_UNIT_IBSPROF_MADE_RUN_H

#include "core/family/ibs_regs.h"
#include "core/perfdata/perfdata.h"

enum { MADE_BASE = 0x10000000, MADE_RECORDS = 150000 };

/* Registers of a sample; 'at' is the address in the program; 'tsc' 0 means 1000 ticks after the preceding sample. */
struct made_op {
    uint64_t at, data, data2, data3, address, physical, tsc;
    uint32_t cpu;
};
struct made_fetch {
    uint64_t at, ctl, tsc;
    uint32_t cpu;
};

/* Other facts of the file. made_run_begin() sets them, and tests may change them before writing: both kinds sampled,
 * ops counted, periods of 1000, one core, 1 GHz, time 0 at tick 0, program.elf with its build-id. */
extern struct perfdata_info made_info;

void made_run_begin(void);
void made_run_op(unsigned times, struct made_op op);
void made_run_fetch(unsigned times, struct made_fetch fetch);
void made_run_record(struct sample_record record); /* Adds a record of any kind. */

/* Writes perf.data and run.ini in this folder below the tests' folder, and returns the folder's path. ini NULL: no
 * run.ini. */
const char *made_run_write(const char *folder, const char *ini);

/* Converts a perf.data into one of an operating system: a release of Linux replaces "no operating system". */
void made_run_as_linux(const char *perfdata);

#endif
