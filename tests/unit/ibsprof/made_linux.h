/* SPDX-License-Identifier: BSD-2-Clause */
/* perf.data files as Linux' perf writes them, put together by hand: events of any kind, samples with any field, and
 * records around them. Except for the numbers of perfdata_format.h, nothing here is from ibsprof or core. */
#ifndef TESTS_UNIT_IBSPROF_MADE_LINUX_H
#define TESTS_UNIT_IBSPROF_MADE_LINUX_H

#include <stdint.h>

/* Types of events in all files made here (PMU_MAPPINGS). */
enum { LINUX_HARDWARE = 0, LINUX_SOFTWARE = 1, LINUX_CPU = 4, LINUX_IBS_FETCH = 10, LINUX_IBS_OP = 11 };

/* Bits of 'flags': the event covers all processes (perf record -a), not a program that perf starts; samples do not name
 * their core. */
#define LINUX_EVERYONE (1ull << 62)
#define LINUX_NO_CPU   (1ull << 63)

struct linux_event {
    uint32_t type;
    uint64_t config, period;
    uint64_t more;    /* bits of sample_type, besides LINUX_FIELDS */
    uint64_t flags;   /* besides SAMPLE_ID_ALL and ENABLE_ON_EXEC; also LINUX_EVERYONE and LINUX_NO_CPU */
    const char *name; /* NULL: not in the file */
};

#define LINUX_FIELDS                                                                                                   \
    (PERFDATA_SAMPLE_IDENTIFIER | PERFDATA_SAMPLE_IP | PERFDATA_SAMPLE_TID | PERFDATA_SAMPLE_TIME |                    \
     PERFDATA_SAMPLE_CPU | PERFDATA_SAMPLE_PERIOD)

struct linux_sample {
    uint32_t event, pid, tid, cpu;
    uint64_t ip, time, period;
    uint16_t misc; /* mode and EXACT_IP */
    uint64_t addr, phys_addr, weight, data_src;
    const uint64_t *chain;
    uint64_t chain_count;
    const uint64_t *registers; /* raw data: caps, then these */
    uint32_t caps, register_count;
    const uint64_t *branches; /* from, to, flags of each */
    uint64_t branch_count;
};

/* Contents of the features; NULL: no such feature. */
struct linux_facts {
    const char *hostname, *release, *version, *arch, *cpu_name, *cpuid;
    const char *const *command; /* ends with NULL */
    unsigned node_count;
    const char *const *nodes; /* their cores; numbers from 0 */
};

void linux_begin(const struct linux_event *events, unsigned count);
void linux_sample(struct linux_sample sample);
void linux_map(uint32_t pid, uint64_t start, uint64_t length, uint64_t page_offset, const char *name, uint16_t misc);
/* Adds MMAP2 with a build-id; the map is executable if protection says so (4). */
void linux_map2(uint32_t pid, uint64_t start, uint64_t length, uint64_t page_offset, const char *name, uint16_t misc,
                uint32_t protection, const uint8_t *id, uint8_t id_size);
void linux_comm(uint32_t pid, const char *name, uint16_t misc, uint64_t time);
/* Adds FORK or EXIT. */
void linux_task(uint32_t type, uint32_t pid, uint32_t parent, uint16_t misc, uint64_t time);
/* Adds any other record of 64-bit words, with an identity at its end if its type is below 64. */
void linux_record(uint32_t type, uint16_t misc, const uint64_t *words, unsigned count, uint64_t time);

/* Returns the ID of an event. */
uint64_t linux_id(unsigned event);

/* Writes a file of the tests' folder, and returns its path. */
const char *linux_write(const char *name, const struct linux_facts *facts);

#endif
