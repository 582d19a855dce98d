/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/ibsprof/made_linux.h"

#include <stdlib.h>
#include <string.h>

#include "core/perfdata/perfdata_format.h"
#include "tests/unit/ibsprof/files.h"
#include "tests/unit/put.h"

enum { EVENTS_MAX = 16, ATTR = 112, FIRST_ID = 100, DATA_AT = 40, FEATURES_AT = 72 };

static uint8_t room[1 << 20];
static struct put_file file = {room, sizeof(room), 0};
static size_t begin;
static struct linux_event events[EVENTS_MAX];
static unsigned event_count;

/* Writes a text with its NUL, filled up to a multiple of 8. */
static void put_text(const char *text)
{
    static const char zeros[8];
    size_t length = strlen(text);

    put(text, length);
    put(zeros, 8 - length % 8);
}

uint64_t linux_id(unsigned event)
{
    return FIRST_ID + event;
}

static void put_attr(const struct linux_event *event)
{
    size_t at = file.size;

    put32(event->type);
    put32(ATTR);
    put64(event->config);
    put64(event->period);
    put64((event->flags & LINUX_NO_CPU ? LINUX_FIELDS & ~(uint64_t)PERFDATA_SAMPLE_CPU : LINUX_FIELDS) | event->more);
    put64(0); /* read_format */
    put64(PERFDATA_ATTR_SAMPLE_ID_ALL | (event->flags & LINUX_EVERYONE ? 0 : PERFDATA_ATTR_ENABLE_ON_EXEC) |
          (event->flags & ~(LINUX_EVERYONE | LINUX_NO_CPU)));
    file.size = at + ATTR;
}

void linux_begin(const struct linux_event *from, unsigned count)
{
    size_t ids = PERFDATA_HEADER_SIZE;

    if (count > EVENTS_MAX)
        abort();
    put_nothing();
    memcpy(events, from, count * sizeof(*from));
    event_count = count;
    begin = ids + count * (8 + ATTR + 16);
    put64(PERFDATA_MAGIC);
    put64(PERFDATA_HEADER_SIZE);
    put64(ATTR + 16);
    put64(ids + 8 * (size_t)count);
    put64(count * (ATTR + 16));
    put64(begin);
    file.size = ids;
    for (unsigned i = 0; i < count; i++)
        put64(linux_id(i));
    for (unsigned i = 0; i < count; i++) {
        put_attr(&from[i]);
        put64(ids + 8 * (size_t)i);
        put64(8);
    }
}

/* ---------------------------------------------------------------- records */

/* Writes TID, TIME, CPU and IDENTIFIER. */
static void put_identity(uint32_t pid, uint64_t time)
{
    put32(pid);
    put32(pid);
    put64(time);
    if (!(events[0].flags & LINUX_NO_CPU))
        put64(0);
    put64(linux_id(0));
}

void linux_sample(struct linux_sample sample)
{
    uint64_t more = events[sample.event].more;
    size_t at = put_record(PERFDATA_RECORD_SAMPLE, sample.misc);

    put64(linux_id(sample.event));
    put64(sample.ip);
    put32(sample.pid);
    put32(sample.tid);
    put64(sample.time);
    if (more & PERFDATA_SAMPLE_ADDR)
        put64(sample.addr);
    if (!(events[sample.event].flags & LINUX_NO_CPU))
        put64(sample.cpu);
    put64(sample.period);
    if (more & PERFDATA_SAMPLE_CALLCHAIN) {
        put64(sample.chain_count);
        put(sample.chain, 8 * sample.chain_count);
    }
    if (more & PERFDATA_SAMPLE_RAW) {
        put32(4 + 8 * sample.register_count); /* together with its own size a multiple of 8 */
        put32(sample.caps);
        put(sample.registers, 8 * (size_t)sample.register_count);
    }
    if (more & PERFDATA_SAMPLE_BRANCH_STACK) {
        put64(sample.branch_count);
        put(sample.branches, 24 * sample.branch_count);
    }
    if (more & PERFDATA_SAMPLE_WEIGHT)
        put64(sample.weight);
    if (more & PERFDATA_SAMPLE_DATA_SRC)
        put64(sample.data_src);
    if (more & PERFDATA_SAMPLE_PHYS_ADDR)
        put64(sample.phys_addr);
    put_record_end(at);
}

void linux_map(uint32_t pid, uint64_t start, uint64_t length, uint64_t page_offset, const char *name, uint16_t misc)
{
    size_t at = put_record(PERFDATA_RECORD_MMAP, misc);

    put32(pid);
    put32(pid);
    put64(start);
    put64(length);
    put64(page_offset);
    put_text(name);
    put_identity(pid, 0);
    put_record_end(at);
}

void linux_map2(uint32_t pid, uint64_t start, uint64_t length, uint64_t page_offset, const char *name, uint16_t misc,
                uint32_t protection, const uint8_t *id, uint8_t id_size)
{
    size_t at = put_record(PERFDATA_RECORD_MMAP2, misc | PERFDATA_MISC_MMAP_BUILD_ID);
    uint8_t which[24] = {id_size};

    memcpy(which + 4, id, id_size);
    put32(pid);
    put32(pid);
    put64(start);
    put64(length);
    put64(page_offset);
    put(which, sizeof(which));
    put32(protection);
    put32(2); /* flags: private */
    put_text(name);
    put_identity(pid, 0);
    put_record_end(at);
}

void linux_comm(uint32_t pid, const char *name, uint16_t misc, uint64_t time)
{
    size_t at = put_record(PERFDATA_RECORD_COMM, misc);

    put32(pid);
    put32(pid);
    put_text(name);
    put_identity(pid, time);
    put_record_end(at);
}

void linux_task(uint32_t type, uint32_t pid, uint32_t parent, uint16_t misc, uint64_t time)
{
    size_t at = put_record(type, misc);

    put32(pid);
    put32(parent);
    put32(pid);
    put32(parent);
    put64(time);
    put_identity(pid, time);
    put_record_end(at);
}

void linux_record(uint32_t type, uint16_t misc, const uint64_t *words, unsigned count, uint64_t time)
{
    size_t at = put_record(type, misc);

    put(words, 8 * (size_t)count);
    if (type < PERFDATA_RECORD_USER)
        put_identity(0, time);
    put_record_end(at);
}

/* ---------------------------------------------------------------- features */

static size_t table; /* place for the entry of the next feature */

static void begin_feature(unsigned bit)
{
    file.bytes[FEATURES_AT + bit / 8] |= (uint8_t)(1u << bit % 8);
    set64(table, file.size);
}

static void end_feature(void)
{
    uint64_t at;

    memcpy(&at, file.bytes + table, 8);
    set64(table + 8, file.size - at);
    table += 16;
}

static void put_string(const char *text)
{
    put32((uint32_t)(strlen(text) / 64 + 1) * 64);
    put(text, strlen(text));
    file.size += 64 - strlen(text) % 64;
}

static void text_feature(unsigned bit, const char *text)
{
    if (text == NULL)
        return;
    begin_feature(bit);
    put_string(text);
    end_feature();
}

static void event_names(void)
{
    begin_feature(PERFDATA_FEATURE_EVENT_DESC);
    put32(event_count);
    put32(ATTR);
    for (unsigned i = 0; i < event_count; i++) {
        put_attr(&events[i]);
        put32(1);
        put_string(events[i].name ? events[i].name : "");
        put64(linux_id(i));
    }
    end_feature();
}

static void nodes(const struct linux_facts *facts)
{
    if (facts->node_count == 0)
        return;
    begin_feature(PERFDATA_FEATURE_NUMA_TOPOLOGY);
    put32(facts->node_count);
    for (unsigned i = 0; i < facts->node_count; i++) {
        put32(i);
        put64(1 << 20);
        put64(1 << 19);
        put_string(facts->nodes[i]);
    }
    end_feature();
}

static void command(const struct linux_facts *facts)
{
    uint32_t count = 0;

    if (facts->command == NULL)
        return;
    while (facts->command[count] != NULL)
        count++;
    begin_feature(PERFDATA_FEATURE_CMDLINE);
    put32(count);
    for (uint32_t i = 0; i < count; i++)
        put_string(facts->command[i]);
    end_feature();
}

static void pmus(void)
{
    static const struct {
        uint32_t type;
        const char *name;
    } rows[] = {
        {LINUX_SOFTWARE, "software"}, {LINUX_CPU, "cpu"}, {LINUX_IBS_FETCH, "ibs_fetch"}, {LINUX_IBS_OP, "ibs_op"}};

    begin_feature(PERFDATA_FEATURE_PMU_MAPPINGS);
    put32(4);
    for (unsigned i = 0; i < 4; i++) {
        put32(rows[i].type);
        put_string(rows[i].name);
    }
    end_feature();
}

const char *linux_write(const char *name, const struct linux_facts *facts)
{
    size_t end = file.size;
    const char *path;

    set64(DATA_AT + 8, file.size - begin);
    table = file.size;
    file.size += 16 * 10;
    text_feature(PERFDATA_FEATURE_HOSTNAME, facts->hostname);
    text_feature(PERFDATA_FEATURE_OSRELEASE, facts->release);
    text_feature(PERFDATA_FEATURE_VERSION, facts->version);
    text_feature(PERFDATA_FEATURE_ARCH, facts->arch);
    text_feature(PERFDATA_FEATURE_CPUDESC, facts->cpu_name);
    text_feature(PERFDATA_FEATURE_CPUID, facts->cpuid);
    command(facts);
    event_names();
    nodes(facts);
    pmus();
    path = files_write(name, file.bytes, file.size);
    memset(file.bytes + end, 0, file.size - end);
    memset(file.bytes + FEATURES_AT, 0, 32);
    file.size = end; /* more records may follow */
    return path;
}
