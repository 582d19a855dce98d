/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writes a perf.data file: the raw registers of every sample, in the form in which Linux' perf stores IBS samples, so
 * that perf report, perf script, perf annotate and perf mem open a run that was taken without an operating system.
 * Samples of counters and of the timer are there as perf's own raw events and CPU clock.
 *
 * Layout of a sample's raw data (Linux arch/x86/events/amd/ibs.c): u32 caps (CPUID Fn8000_001B EAX, or the default 7h),
 * then the registers in MSR order: op samples have 8 (68 bytes), the last the branch target, fetch samples 4 (36
 * bytes), the last the extended fetch control, each 0 on processors without it. That is one departure: Linux writes 7
 * and 3 there. perf (tools/perf/util/amd-sample-raw.c) reads these two whether caps has them or not, and would print
 * bytes of the next record. caps stays true, so a reader that relies on caps is not misled; but for IbsOpData4 (Family
 * 15h models 60h on), which samples do not have: its bit is written 0.
 *
 * PERIOD of a sample is the mean period of the run (perfdata_event.period), not what MaxCnt says: with randomised
 * periods MaxCnt is only one part of the sample's own period (the preset of CurCnt is not reported), and weighting with
 * the mean keeps sums unbiased. Without a mean period (0) it is MaxCnt << 4.
 *
 * PERIOD of a counter's sample is the number of events it represents in one run of the workload, so that perf's event
 * counts are those of our own tables, whatever share of the time and in how many runs the event was counted. That is a
 * fraction (perfdata_counter: total / samples); samples have the whole number below or above it, such that they add up
 * to the total.
 *
 * ADDR, DATA_SRC and WEIGHT are for perf mem. DATA_SRC is decoded by the family's rules (perfdata_data_src); Linux' own
 * decoder would call every miss on Family 10h an L2 hit, because it looks at IbsOpData3[20], which is reserved there.
 *
 * A sample whose RIP the processor calls invalid (IbsOpData[38]) has no EXACT_IP, as with Linux.
 *
 * With stacks each sample has a CALLCHAIN: PERF_CONTEXT_USER, where the interrupt came, and the return addresses.
 *
 * With branches each sample has a BRANCH_STACK, the latest branch first, as Linux writes it of AMD's records
 * (arch/x86/events/amd/lbr.c), but for branches of types that Linux tells by reading the code.
 *
 * Nothing is allocated; the file is written front to back through a callback, in pieces of up to PERFDATA_PIECE bytes.
 */
#ifndef CORE_PERFDATA_H
#define CORE_PERFDATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/ibs/ibs_field.h"
#include "core/ibs/record.h"
#include "core/ibs/sample_branches.h"
#include "core/ibs/sample_stack.h"

enum { PERFDATA_PIECE = 4096, PERFDATA_SAMPLE_MAX = 152 /* bytes of a sample without call chain and branches */ };

/* Takes the next bytes of the file. Returns 0, or an error code that ends the writing. */
typedef int perfdata_write_fn(void *context, const void *data, size_t size);

struct perfdata_event {
    bool sampled;    /* this kind was sampled; else the file has no such event */
    bool variant;    /* ops: dispatched ops were counted, not cycles. fetch: IbsRandEn was set */
    uint64_t period; /* mean period in cycles, ops or fetches; 0 = take each sample's MaxCnt */
    uint64_t lost;   /* samples that found no room */
};

/* An event of counter or timer samples. */
struct perfdata_counter {
    bool sampled;
    const char *name; /* as perf shows it */
    uint64_t config;  /* PERF_CTL; only what selects the event is used. The timer: not used */
    uint64_t period;  /* mean number of events, or nanoseconds, between two samples */
    uint64_t samples; /* its records; 0: not known, each represents one period */
    uint64_t total;   /* events, or nanoseconds, that all samples stand for */
    uint64_t lost;
};

enum { PERFDATA_COUNTERS = 159 }; /* the file, and its reader, have no place for more */

struct perfdata_node {
    uint32_t number;
    uint64_t memory_kb;
    const char *cores; /* "0-1,4"; "" when none was sampled */
};

/* Code outside of the image: own code. */
struct perfdata_code {
    const char *elf_name;
    const uint8_t *build_id;        /* PERFDATA_BUILD_ID_SIZE bytes */
    uint64_t address, size, offset; /* where it is, bytes, and where in the ELF file */
};

struct perfdata_info {
    /* the machine */
    const char *vendor;   /* CPUID vendor string, "AuthenticAMD"; perf decodes IBS registers only for it */
    const char *cpu_name; /* CPUID processor name, may be empty */
    uint32_t family;      /* as a number: 16 for Family 10h */
    uint32_t model;
    uint32_t stepping;
    uint32_t caps; /* IBS capabilities in force (ibs_caps()) */
    uint32_t cores;
    const struct perfdata_node *nodes; /* perf c2c wants them */
    uint32_t node_count;
    uint32_t tsc_khz; /* 0 = not known: then a tick counts as a nanosecond */
    uint64_t tsc0;    /* time 0 of the file; earlier samples get time 0 */
    /* the program */
    uint64_t image_base;                     /* run-time address of RVA 0 */
    uint32_t text_rva;                       /* section .text of the ELF file: */
    uint32_t text_size;                      /* bytes */
    uint32_t text_offset;                    /* place in the ELF file */
    const uint8_t *build_id;                 /* PERFDATA_BUILD_ID_SIZE bytes of the ELF file, or NULL */
    const char *elf_name;                    /* "ibsboot.elf": where perf looks when it does not know the build-id */
    const struct perfdata_code *code;        /* more code, pieces of one file in sequence */
    uint32_t code_count;                     /* 0: none */
    const char *version;                     /* of this program */
    const char *command;                     /* the settings of the run, one line */
    const char *comm;                        /* the workload, shown as the process name (perf shows 15 bytes) */
    struct perfdata_event event[2];          /* by enum sample_kind */
    const struct perfdata_counter *counters; /* by PMC_EVENT of records */
    uint32_t counter_count;                  /* those beyond PERFDATA_COUNTERS are left out */
    const struct perfdata_counter *timer;    /* NULL: no time-based samples */
    const struct sample_stack *stacks;       /* one per record; NULL: no call chains */
    const struct sample_branches *branches;  /* likewise; NULL: no branch stacks */
    bool branches_bare;                      /* branches have addresses alone, as Linux writes Zen 3's (brs.c) */
};

/* Writes the whole file. Records may come in any order of time (perf sorts them); those of an unknown kind, or of a
 * kind that was not sampled, are left out. Returns 0 or what the callback returned. */
int perfdata_write(const struct perfdata_info *info, const struct sample_record *records, size_t count,
                   perfdata_write_fn *write, void *context);

/* Returns perf_mem_data_src of an op sample of that processor. */
uint64_t perfdata_data_src(const struct ibs_machine *machine, const struct sample_record *op);

/* Returns nanoseconds since info->tsc0, rounded down; 0 for earlier times. */
uint64_t perfdata_time(const struct perfdata_info *info, uint64_t tsc);

#endif
