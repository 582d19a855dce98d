/* SPDX-License-Identifier: BSD-2-Clause */
/* The events of a perf.data file: IBS op and fetch, counters, the timer. Numbers of types and the layout of config:
 * Linux include/uapi/linux/perf_event.h, arch/x86/events/amd/core.c (format attributes). */
#include "core/family/ibs_regs.h"
#include "core/family/pmc_regs.h"
#include "core/perfdata/perfdata_format.h"
#include "core/perfdata/perfdata_put.h"

/* IDENTIFIER must be in all: perf refuses two events whose ids are not at the same place. */
#define COMMON_FIELDS                                                                                                  \
    (PERFDATA_SAMPLE_IDENTIFIER | PERFDATA_SAMPLE_IP | PERFDATA_SAMPLE_TID | PERFDATA_SAMPLE_TIME |                    \
     PERFDATA_SAMPLE_CPU | PERFDATA_SAMPLE_PERIOD)

enum { PMU_IBS_OP = 11, PMU_IBS_FETCH = 10, ID_IBS_OP = 1, ID_IBS_FETCH = 2, ID_TIMER = 3, ID_COUNTERS = 16 };
enum { BRANCH_SAMPLE_TYPE = 72 /* its place in perf_event_attr */ };
enum { PLACE_OP, PLACE_FETCH, PLACE_TIMER, PLACE_COUNTERS };

const struct perfdata_pmu perfdata_pmus[PERFDATA_PMUS] = {
    {PMU_IBS_OP, "ibs_op"},
    {PMU_IBS_FETCH, "ibs_fetch"},
};

/* Returns the fields of all samples of a run that recorded more than registers. */
static uint64_t beside(const struct perfdata_info *info)
{
    return (info->stacks != NULL ? PERFDATA_SAMPLE_CALLCHAIN : 0) |
           (info->branches != NULL ? PERFDATA_SAMPLE_BRANCH_STACK : 0);
}

static bool ibs_source(const struct perfdata_info *info, enum sample_kind kind, struct perfdata_source *source)
{
    const struct perfdata_event *event = &info->event[kind];
    bool op = kind == SAMPLE_OP;

    *source = (struct perfdata_source){
        .kind = kind,
        .place = op ? PLACE_OP : PLACE_FETCH,
        .type = op ? PMU_IBS_OP : PMU_IBS_FETCH,
        .name = op ? "ibs_op//" : "ibs_fetch//",
        .id = op ? ID_IBS_OP : ID_IBS_FETCH,
        .sample_type = COMMON_FIELDS | PERFDATA_SAMPLE_RAW,
        .period = event->period,
        .lost = event->lost,
    };
    if (op)
        source->sample_type |= PERFDATA_SAMPLE_ADDR | PERFDATA_SAMPLE_WEIGHT_STRUCT | PERFDATA_SAMPLE_DATA_SRC;
    source->sample_type |= beside(info);
    if (event->variant)
        source->config = op ? IBS_OP_CNT_CTL : IBS_FETCH_RAND_EN;
    return event->sampled;
}

static bool counter_source(const struct perfdata_info *info, const struct perfdata_counter *counter,
                           enum sample_kind kind, uint32_t index, struct perfdata_source *source)
{
    bool timer = kind == SAMPLE_TIMER;

    *source = (struct perfdata_source){
        .kind = kind,
        .place = timer ? PLACE_TIMER : PLACE_COUNTERS + index,
        .type = timer ? PERFDATA_TYPE_SOFTWARE : PERFDATA_TYPE_RAW,
        .name = counter->name,
        .id = timer ? ID_TIMER : ID_COUNTERS + (uint64_t)index,
        .sample_type = COMMON_FIELDS | beside(info),
        /* perf has the privilege levels in flags of their own. */
        .config = timer ? PERFDATA_SOFTWARE_CPU_CLOCK
                        : counter->config & (PMC_CTL_SELECT_LOW | PMC_CTL_UNIT_MASK | PMC_CTL_EDGE | PMC_CTL_INV |
                                             PMC_CTL_COUNT_MASK | PMC_CTL_SELECT_HIGH),
        .period = counter->period,
        .samples = counter->samples,
        .total = counter->total,
        .lost = counter->lost,
    };
    return counter->sampled;
}

static uint32_t counters_in_file(const struct perfdata_info *info)
{
    return info->counter_count < PERFDATA_COUNTERS ? info->counter_count : PERFDATA_COUNTERS;
}

/* Returns false if there is no such event in the file. */
static bool source_in(const struct perfdata_info *info, uint64_t place, struct perfdata_source *source)
{
    switch (place) {
    case PLACE_OP:
        return ibs_source(info, SAMPLE_OP, source);
    case PLACE_FETCH:
        return ibs_source(info, SAMPLE_FETCH, source);
    case PLACE_TIMER:
        return info->timer != NULL && counter_source(info, info->timer, SAMPLE_TIMER, 0, source);
    default:
        if (place - PLACE_COUNTERS >= counters_in_file(info))
            return false;
        return counter_source(info, &info->counters[place - PLACE_COUNTERS], SAMPLE_PMC,
                              (uint32_t)place - PLACE_COUNTERS, source);
    }
}

bool perfdata_source_of(const struct perfdata_info *info, const struct sample_record *record,
                        struct perfdata_source *source)
{
    switch (record->kind) {
    case SAMPLE_OP:
        return source_in(info, PLACE_OP, source);
    case SAMPLE_FETCH:
        return source_in(info, PLACE_FETCH, source);
    case SAMPLE_TIMER:
        return source_in(info, PLACE_TIMER, source);
    case SAMPLE_PMC:
        return record->reg[PMC_EVENT] < PERFDATA_COUNTERS &&
               source_in(info, PLACE_COUNTERS + record->reg[PMC_EVENT], source);
    default:
        return false;
    }
}

bool perfdata_source_at(const struct perfdata_info *info, uint32_t index, struct perfdata_source *source)
{
    for (uint32_t place = 0; place < PLACE_COUNTERS + counters_in_file(info); place++)
        if (source_in(info, place, source) && index-- == 0)
            return true;
    return false;
}

uint32_t perfdata_source_count(const struct perfdata_info *info)
{
    struct perfdata_source source;
    uint32_t count = 0;

    while (perfdata_source_at(info, count, &source))
        count++;
    return count;
}

void perfdata_put_attr(struct perfdata_sink *sink, const struct perfdata_source *source)
{
    perfdata_put32(sink, source->type);
    perfdata_put32(sink, PERFDATA_ATTR_SIZE);
    perfdata_put64(sink, source->config);
    perfdata_put64(sink, source->period);
    perfdata_put64(sink, source->sample_type);
    perfdata_put64(sink, 0); /* read_format */
    /* No kernel: samples are of "user" mode, else perf looks their addresses up in the kernel of the machine it runs
     * on. */
    perfdata_put64(sink, PERFDATA_ATTR_EXCLUDE_KERNEL | PERFDATA_ATTR_MMAP | PERFDATA_ATTR_COMM |
                             PERFDATA_ATTR_SAMPLE_ID_ALL | PERFDATA_ATTR_MMAP2 | PERFDATA_ATTR_COMM_EXEC);
    perfdata_put_zeros(sink, BRANCH_SAMPLE_TYPE - 48);
    perfdata_put64(sink,
                   source->sample_type & PERFDATA_SAMPLE_BRANCH_STACK ? PERFDATA_BRANCH_USER | PERFDATA_BRANCH_ANY : 0);
    perfdata_put_zeros(sink, PERFDATA_ATTR_SIZE - BRANCH_SAMPLE_TYPE - 8);
}
