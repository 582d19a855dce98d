/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Numbers of the perf.data file format that the writer and the reader share.
 *
 * Sources: Linux include/uapi/linux/perf_event.h (records, sample types, attributes, data source) and
 * tools/perf/Documentation/perf.data-file-format.txt with tools/perf/util/header.h (file header, features).
 * All integers are little-endian.
 */
#ifndef CORE_PERFDATA_FORMAT_H
#define CORE_PERFDATA_FORMAT_H

#include <stdint.h>

#define PERFDATA_MAGIC 0x32454C4946524550ull /* "PERFILE2" */

enum {
    PERFDATA_HEADER_SIZE = 104,
    PERFDATA_ATTR_SIZE = 112, /* up to sig_data excluded: known to perf since 4.1; perf 6.1 refuses more than 128 */
    PERFDATA_FEATURES = 256,  /* bits in the header */
    PERFDATA_BUILD_ID_SIZE = 20,
};

/* Types of events that are perf's own, and the config of its clocks. */
enum {
    PERFDATA_TYPE_SOFTWARE = 1,
    PERFDATA_TYPE_RAW = 4, /* config is the processor's: on AMD the bits of PERF_CTL that select the event */
    PERFDATA_SOFTWARE_CPU_CLOCK = 0,
    PERFDATA_SOFTWARE_TASK_CLOCK = 1,
};

/* Record types. */
enum {
    PERFDATA_RECORD_MMAP = 1,
    PERFDATA_RECORD_LOST = 2,
    PERFDATA_RECORD_COMM = 3,
    PERFDATA_RECORD_EXIT = 4,
    PERFDATA_RECORD_THROTTLE = 5,
    PERFDATA_RECORD_UNTHROTTLE = 6,
    PERFDATA_RECORD_FORK = 7,
    PERFDATA_RECORD_SAMPLE = 9,
    PERFDATA_RECORD_MMAP2 = 10,
    PERFDATA_RECORD_LOST_SAMPLES = 13,
    PERFDATA_RECORD_USER = 64,     /* from here on perf's own, without an identity at the end */
    PERFDATA_RECORD_BUILD_ID = 67, /* in the feature of that name */
    PERFDATA_RECORD_FINISHED_ROUND = 68,
    PERFDATA_RECORD_AUXTRACE = 71, /* followed by bytes that its size does not count */
    PERFDATA_RECORD_COMPRESSED = 81,
    PERFDATA_RECORD_COMPRESSED2 = 83,
};

/* Words of a call chain that are no addresses: those after it are of this mode (enum perf_callchain_context). */
#define PERFDATA_CONTEXT_HYPERVISOR   ((uint64_t)-32)
#define PERFDATA_CONTEXT_KERNEL       ((uint64_t)-128)
#define PERFDATA_CONTEXT_USER         ((uint64_t)-512)
#define PERFDATA_CONTEXT_GUEST_KERNEL ((uint64_t)-2176)
#define PERFDATA_CONTEXT_GUEST_USER   ((uint64_t)-2560)
#define PERFDATA_CONTEXT_MAX          ((uint64_t)-4095) /* from here on all are */

/* misc of a record. */
enum {
    PERFDATA_MISC_CPUMODE = 7, /* mask */
    PERFDATA_MISC_USER = 2,
    PERFDATA_MISC_MMAP_DATA = 1 << 13, /* MMAP, MMAP2: not executable */
    PERFDATA_MISC_COMM_EXEC = 1 << 13,
    PERFDATA_MISC_FORK_EXEC = 1 << 13,     /* FORK: perf's own, of a process that was there before it */
    PERFDATA_MISC_EXACT_IP = 1 << 14,      /* samples */
    PERFDATA_MISC_MMAP_BUILD_ID = 1 << 14, /* MMAP2 */
    PERFDATA_MISC_BUILD_ID_SIZE = 1 << 15, /* build-id feature: the size byte is there */
};

/* sample_type, in the order of the fields in a sample, IDENTIFIER first. */
enum {
    PERFDATA_SAMPLE_IDENTIFIER = 1 << 16,
    PERFDATA_SAMPLE_IP = 1 << 0,
    PERFDATA_SAMPLE_TID = 1 << 1,
    PERFDATA_SAMPLE_TIME = 1 << 2,
    PERFDATA_SAMPLE_ADDR = 1 << 3,
    PERFDATA_SAMPLE_ID = 1 << 6,
    PERFDATA_SAMPLE_STREAM_ID = 1 << 9,
    PERFDATA_SAMPLE_CPU = 1 << 7,
    PERFDATA_SAMPLE_PERIOD = 1 << 8,
    PERFDATA_SAMPLE_READ = 1 << 4,
    PERFDATA_SAMPLE_CALLCHAIN = 1 << 5,
    PERFDATA_SAMPLE_RAW = 1 << 10,
    PERFDATA_SAMPLE_BRANCH_STACK = 1 << 11,
    PERFDATA_SAMPLE_REGS_USER = 1 << 12,
    PERFDATA_SAMPLE_STACK_USER = 1 << 13,
    PERFDATA_SAMPLE_WEIGHT = 1 << 14, /* this or WEIGHT_STRUCT, at the same place */
    PERFDATA_SAMPLE_WEIGHT_STRUCT = 1 << 24,
    PERFDATA_SAMPLE_DATA_SRC = 1 << 15,
    PERFDATA_SAMPLE_TRANSACTION = 1 << 17,
    PERFDATA_SAMPLE_REGS_INTR = 1 << 18,
    PERFDATA_SAMPLE_PHYS_ADDR = 1 << 19,
    PERFDATA_SAMPLE_CGROUP = 1 << 21,
    PERFDATA_SAMPLE_DATA_PAGE_SIZE = 1 << 22,
    PERFDATA_SAMPLE_CODE_PAGE_SIZE = 1 << 23,
    PERFDATA_SAMPLE_AUX = 1 << 20,
    PERFDATA_SAMPLE_KNOWN = (1 << 25) - 1, /* newer bits would add fields at places that we do not know */
};

/* read_format: which numbers READ has. */
enum {
    PERFDATA_READ_TIME_ENABLED = 1 << 0,
    PERFDATA_READ_TIME_RUNNING = 1 << 1,
    PERFDATA_READ_ID = 1 << 2,
    PERFDATA_READ_GROUP = 1 << 3,
    PERFDATA_READ_LOST = 1 << 4,
    PERFDATA_READ_KNOWN = (1 << 5) - 1,
};

/* branch_sample_type: whose branches and which, and what adds fields to BRANCH_STACK. */
enum {
    PERFDATA_BRANCH_USER = 1 << 0,
    PERFDATA_BRANCH_ANY = 1 << 3,
    PERFDATA_BRANCH_HW_INDEX = 1 << 17, /* a number before the entries */
    PERFDATA_BRANCH_COUNTERS = 1 << 19, /* a number an entry after them; Linux 6.8 */
};

/* The third word of an entry of BRANCH_STACK: struct perf_branch_entry. */
enum {
    PERFDATA_BRANCH_MISPREDICTED = 1 << 0,
    PERFDATA_BRANCH_PREDICTED = 1 << 1,
    PERFDATA_BRANCH_SPEC = 24, /* two bits from here on: enum branch_how */
};

/* Flags of perf_event_attr, bits of its sixth 64-bit word. */
enum {
    PERFDATA_ATTR_INHERIT = 1 << 1,
    PERFDATA_ATTR_EXCLUDE_KERNEL = 1 << 5,
    PERFDATA_ATTR_MMAP = 1 << 8,
    PERFDATA_ATTR_COMM = 1 << 9,
    PERFDATA_ATTR_FREQ = 1 << 10, /* sample_period is a frequency */
    PERFDATA_ATTR_ENABLE_ON_EXEC = 1 << 12,
    PERFDATA_ATTR_SAMPLE_ID_ALL = 1 << 18,
    PERFDATA_ATTR_MMAP2 = 1 << 23,
    PERFDATA_ATTR_COMM_EXEC = 1 << 24,
};

/* Bits in the header: features. */
enum {
    PERFDATA_FEATURE_BUILD_ID = 2,
    PERFDATA_FEATURE_HOSTNAME = 3,
    PERFDATA_FEATURE_OSRELEASE = 4,
    PERFDATA_FEATURE_VERSION = 5,
    PERFDATA_FEATURE_ARCH = 6,
    PERFDATA_FEATURE_NRCPUS = 7,
    PERFDATA_FEATURE_CPUDESC = 8,
    PERFDATA_FEATURE_CPUID = 9,
    PERFDATA_FEATURE_CMDLINE = 11,
    PERFDATA_FEATURE_EVENT_DESC = 12,
    PERFDATA_FEATURE_NUMA_TOPOLOGY = 14,
    PERFDATA_FEATURE_BRANCH_STACK = 15,
    PERFDATA_FEATURE_PMU_MAPPINGS = 16,
    PERFDATA_FEATURE_SAMPLE_TIME = 21,
    PERFDATA_FEATURE_COMPRESSED = 27,
    PERFDATA_FEATURE_PMU_CAPS = 31,
};

/* perf_mem_data_src: values of the fields and where they start. */
enum {
    PERFDATA_MEM_OP = 0,
    PERFDATA_MEM_OP_NA = 0x01,
    PERFDATA_MEM_OP_LOAD = 0x02,
    PERFDATA_MEM_OP_STORE = 0x04,

    PERFDATA_MEM_LVL = 5,
    PERFDATA_MEM_LVL_NA = 0x01,
    PERFDATA_MEM_LVL_HIT = 0x02,
    PERFDATA_MEM_LVL_MISS = 0x04,
    PERFDATA_MEM_LVL_L1 = 0x08,
    PERFDATA_MEM_LVL_LFB = 0x10,
    PERFDATA_MEM_LVL_L2 = 0x20,
    PERFDATA_MEM_LVL_L3 = 0x40,
    PERFDATA_MEM_LVL_LOC_RAM = 0x80,
    PERFDATA_MEM_LVL_REM_RAM1 = 0x100,
    PERFDATA_MEM_LVL_REM_RAM2 = 0x200,
    PERFDATA_MEM_LVL_REM_CCE1 = 0x400,
    PERFDATA_MEM_LVL_REM_CCE2 = 0x800,
    PERFDATA_MEM_LVL_IO = 0x1000,
    PERFDATA_MEM_LVL_UNC = 0x2000,

    PERFDATA_MEM_SNOOP = 19,
    PERFDATA_MEM_SNOOP_NA = 0x01,
    PERFDATA_MEM_SNOOP_HIT = 0x04,
    PERFDATA_MEM_SNOOP_HITM = 0x10,

    PERFDATA_MEM_LOCK = 24,
    PERFDATA_MEM_LOCK_NA = 0x01,
    PERFDATA_MEM_LOCK_LOCKED = 0x02,

    PERFDATA_MEM_TLB = 26,
    PERFDATA_MEM_TLB_NA = 0x01,
    PERFDATA_MEM_TLB_HIT = 0x02,
    PERFDATA_MEM_TLB_MISS = 0x04,
    PERFDATA_MEM_TLB_L1 = 0x08,
    PERFDATA_MEM_TLB_L2 = 0x10,

    PERFDATA_MEM_LVLNUM = 33,
    PERFDATA_MEM_LVLNUM_L1 = 0x01,
    PERFDATA_MEM_LVLNUM_L2 = 0x02,
    PERFDATA_MEM_LVLNUM_L3 = 0x03,
    PERFDATA_MEM_LVLNUM_UNC = 0x08,
    PERFDATA_MEM_LVLNUM_CXL = 0x09,
    PERFDATA_MEM_LVLNUM_IO = 0x0a,
    PERFDATA_MEM_LVLNUM_ANY_CACHE = 0x0b,
    PERFDATA_MEM_LVLNUM_LFB = 0x0c,
    PERFDATA_MEM_LVLNUM_RAM = 0x0d,
    PERFDATA_MEM_LVLNUM_PMEM = 0x0e,
    PERFDATA_MEM_LVLNUM_NA = 0x0f,

    PERFDATA_MEM_REMOTE = 37, /* one bit */

    PERFDATA_MEM_BLK = 40,
    PERFDATA_MEM_BLK_DATA = 0x02,
    PERFDATA_MEM_BLK_ADDR = 0x04,

    PERFDATA_MEM_HOPS = 43,
    PERFDATA_MEM_HOPS_0 = 0x01, /* another core of the same node */
    PERFDATA_MEM_HOPS_1 = 0x02, /* another node of the same socket, or more: the sample does not say */
};

#endif
