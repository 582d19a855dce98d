/* The perf.data writer: header, attributes, records. The contract is in perfdata.h, the numbers in perfdata_format.h.
 */
#include "core/perfdata.h"

#include "core/ibs_regs.h"
#include "core/perfdata_format.h"
#include "core/perfdata_put.h"

enum {
    OP_REGS_IN_FILE = IBS_OP_REGS + 1, /* one zero register more than there are: see perfdata.h */
    FETCH_REGS_IN_FILE = IBS_FETCH_REGS + 1,
    PROT_READ_EXECUTE = 5,
    MAP_PRIVATE = 2,
};

/* IDENTIFIER must be in both: perf refuses two events whose ids are not at the same place. */
#define COMMON_FIELDS                                                                                                  \
    (PERFDATA_SAMPLE_IDENTIFIER | PERFDATA_SAMPLE_IP | PERFDATA_SAMPLE_TID | PERFDATA_SAMPLE_TIME |                    \
     PERFDATA_SAMPLE_CPU | PERFDATA_SAMPLE_PERIOD | PERFDATA_SAMPLE_RAW)

const struct perfdata_pmu perfdata_pmus[PERFDATA_PMUS] = {
    {IBS_KIND_OP, 11, "ibs_op", "ibs_op//", 1,
     COMMON_FIELDS | PERFDATA_SAMPLE_ADDR | PERFDATA_SAMPLE_WEIGHT_STRUCT | PERFDATA_SAMPLE_DATA_SRC, IBS_OP_CNT_CTL},
    {IBS_KIND_FETCH, 10, "ibs_fetch", "ibs_fetch//", 2, COMMON_FIELDS, IBS_FETCH_RAND_EN},
};

uint64_t perfdata_time(const struct perfdata_info *info, uint64_t tsc)
{
    uint64_t ticks = tsc > info->tsc0 ? tsc - info->tsc0 : 0;
    uint64_t khz = info->tsc_khz != 0 ? info->tsc_khz : 1000000;
    /* In two parts, so that the product does not overflow. */
    return ticks / khz * 1000000 + ticks % khz * 1000000 / khz;
}

void perfdata_put_attr(struct perfdata_sink *sink, const struct perfdata_info *info, const struct perfdata_pmu *pmu)
{
    const struct perfdata_event *event = &info->event[pmu->kind];
    perfdata_put32(sink, pmu->type);
    perfdata_put32(sink, PERFDATA_ATTR_SIZE);
    perfdata_put64(sink, event->variant ? pmu->variant_config : 0);
    perfdata_put64(sink, event->period);
    perfdata_put64(sink, pmu->sample_type);
    perfdata_put64(sink, 0); /* read_format */
    /* No kernel: samples are of "user" mode, else perf looks their addresses up in the kernel of the machine it runs
     * on. */
    perfdata_put64(sink, PERFDATA_ATTR_EXCLUDE_KERNEL | PERFDATA_ATTR_MMAP | PERFDATA_ATTR_COMM |
                             PERFDATA_ATTR_SAMPLE_ID_ALL | PERFDATA_ATTR_MMAP2 | PERFDATA_ATTR_COMM_EXEC);
    perfdata_put_zeros(sink, PERFDATA_ATTR_SIZE - 48);
}

static void put_record_header(struct perfdata_sink *sink, uint32_t type, uint16_t misc, size_t size)
{
    perfdata_put32(sink, type);
    perfdata_put16(sink, misc);
    perfdata_put16(sink, (uint16_t)size);
}

/* What ends every record that is not a sample (sample_id_all): the fields that both events have. */
enum { TRAILER_SIZE = 32 };

static void put_trailer(struct perfdata_sink *sink, uint64_t time, uint64_t id)
{
    perfdata_put32(sink, PERFDATA_PID);
    perfdata_put32(sink, PERFDATA_PID);
    perfdata_put64(sink, time);
    perfdata_put32(sink, 0); /* core */
    perfdata_put32(sink, 0);
    perfdata_put64(sink, id);
}

/* The process and its code, at time 0: perf must know the mapping before the first sample in it. */
static void put_program(struct perfdata_sink *sink, const struct perfdata_info *info)
{
    bool has_id = info->build_id != NULL;
    uint64_t id = perfdata_pmus[0].id;
    char comm[16] = {0}; /* Linux: TASK_COMM_LEN */
    size_t length = strlen(info->comm);

    memcpy(comm, info->comm, length < sizeof(comm) ? length : sizeof(comm) - 1);
    put_record_header(sink, PERFDATA_RECORD_COMM, PERFDATA_MISC_USER | PERFDATA_MISC_COMM_EXEC,
                      16 + perfdata_padded(comm, 8) + TRAILER_SIZE);
    perfdata_put32(sink, PERFDATA_PID);
    perfdata_put32(sink, PERFDATA_PID);
    perfdata_put_text(sink, comm, 8);
    put_trailer(sink, 0, id);

    put_record_header(sink, PERFDATA_RECORD_MMAP2, PERFDATA_MISC_USER | (has_id ? PERFDATA_MISC_MMAP_BUILD_ID : 0),
                      72 + perfdata_padded(info->elf_name, 8) + TRAILER_SIZE);
    perfdata_put32(sink, PERFDATA_PID);
    perfdata_put32(sink, PERFDATA_PID);
    perfdata_put64(sink, info->image_base + info->text_rva);
    perfdata_put64(sink, info->text_size);
    perfdata_put64(sink, info->text_offset);
    if (has_id) {
        perfdata_put32(sink, PERFDATA_BUILD_ID_SIZE); /* u8 size, 3 reserved */
        perfdata_put(sink, info->build_id, PERFDATA_BUILD_ID_SIZE);
    } else {
        perfdata_put_zeros(sink, 24); /* device and inode */
    }
    perfdata_put32(sink, PROT_READ_EXECUTE);
    perfdata_put32(sink, MAP_PRIVATE);
    perfdata_put_text(sink, info->elf_name, 8);
    put_trailer(sink, 0, id);
}

static void put_registers(struct perfdata_sink *sink, const struct perfdata_info *info, const struct ibs_record *record,
                          size_t there, size_t in_file)
{
    perfdata_put32(sink, (uint32_t)(4 + 8 * in_file));
    perfdata_put32(sink, info->caps);
    perfdata_put(sink, record->reg, 8 * there);
    perfdata_put_zeros(sink, 8 * (in_file - there));
}

static void put_sample(struct perfdata_sink *sink, const struct perfdata_info *info, const struct perfdata_pmu *pmu,
                       const struct ibs_record *record)
{
    bool op = pmu->kind == IBS_KIND_OP;
    size_t in_file = op ? OP_REGS_IN_FILE : FETCH_REGS_IN_FILE;
    uint64_t data3 = record->reg[IBS_OP_DATA3]; /* of ops */
    uint64_t nominal = info->event[pmu->kind].period;
    uint32_t max_cnt = op ? ibs_op_max_cnt(record->reg[IBS_OP_CTL]) : ibs_fetch_max_cnt(record->reg[IBS_FETCH_CTL]);

    put_record_header(sink, PERFDATA_RECORD_SAMPLE, PERFDATA_MISC_USER | PERFDATA_MISC_EXACT_IP,
                      8 + 48 + 8 + 8 * in_file + (op ? 24 : 0));
    perfdata_put64(sink, pmu->id);
    perfdata_put64(sink, op ? record->reg[IBS_OP_RIP] : ibs_canonical(record->reg[IBS_FETCH_LINAD]));
    perfdata_put32(sink, PERFDATA_PID);
    perfdata_put32(sink, PERFDATA_PID);
    perfdata_put64(sink, perfdata_time(info, record->tsc));
    if (op) {
        perfdata_put64(sink, ibs_dc_lin_addr_valid(data3) ? record->reg[IBS_OP_DCLINAD] : 0);
    }
    perfdata_put32(sink, record->cpu);
    perfdata_put32(sink, 0);
    perfdata_put64(sink, nominal != 0 ? nominal : ibs_period(max_cnt));
    put_registers(sink, info, record, op ? IBS_OP_REGS : IBS_FETCH_REGS, in_file);
    if (op) {
        /* WEIGHT_STRUCT: u32 latency of the access, u16 of the whole op, as Linux fills them; u16 not used. */
        perfdata_put32(sink, ibs_ld_op(data3) && ibs_dc_miss(data3) ? ibs_dc_miss_lat(data3) : 0);
        perfdata_put16(sink, (uint16_t)ibs_op_tag_to_ret(record->reg[IBS_OP_DATA]));
        perfdata_put16(sink, 0);
        perfdata_put64(sink, perfdata_data_src(record));
    }
}

/* The event that a record belongs to, NULL when it has none in this file. */
static const struct perfdata_pmu *pmu_of(const struct perfdata_info *info, const struct ibs_record *record)
{
    for (size_t i = 0; i < PERFDATA_PMUS; i++) {
        if (record->kind == perfdata_pmus[i].kind && info->event[record->kind].sampled) {
            return &perfdata_pmus[i];
        }
    }
    return NULL;
}

static void put_lost(struct perfdata_sink *sink, const struct perfdata_info *info, uint64_t time)
{
    for (size_t i = 0; i < PERFDATA_PMUS; i++) {
        const struct perfdata_event *event = &info->event[perfdata_pmus[i].kind];
        if (event->sampled && event->lost > 0) {
            put_record_header(sink, PERFDATA_RECORD_LOST, PERFDATA_MISC_USER, 24 + TRAILER_SIZE);
            perfdata_put64(sink, perfdata_pmus[i].id);
            perfdata_put64(sink, event->lost);
            put_trailer(sink, time, perfdata_pmus[i].id);
        }
    }
}

static void put_data(struct perfdata_sink *sink, const struct perfdata_info *info, const struct ibs_record *records,
                     size_t count, const struct perfdata_span *span)
{
    put_program(sink, info);
    for (size_t i = 0; i < count && sink->error == 0; i++) {
        const struct perfdata_pmu *pmu = pmu_of(info, &records[i]);
        if (pmu != NULL) {
            put_sample(sink, info, pmu, &records[i]);
        }
    }
    put_lost(sink, info, span->last);
}

static struct perfdata_span span_of(const struct perfdata_info *info, const struct ibs_record *records, size_t count)
{
    struct perfdata_span span = {0};
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        uint64_t time = perfdata_time(info, records[i].tsc);
        if (pmu_of(info, &records[i]) != NULL) {
            span.first = any && span.first < time ? span.first : time;
            span.last = any && span.last > time ? span.last : time;
            any = true;
        }
    }
    return span;
}

static void put_header(struct perfdata_sink *sink, const struct perfdata_info *info, uint64_t data_size)
{
    uint64_t bits[4];
    uint64_t events = 0;
    for (size_t i = 0; i < PERFDATA_PMUS; i++) {
        events += info->event[perfdata_pmus[i].kind].sampled;
    }
    uint64_t ids = PERFDATA_HEADER_SIZE, attrs = ids + 8 * events, data = attrs + (PERFDATA_ATTR_SIZE + 16) * events;

    perfdata_put64(sink, PERFDATA_MAGIC);
    perfdata_put64(sink, PERFDATA_HEADER_SIZE);
    perfdata_put64(sink, PERFDATA_ATTR_SIZE + 16);
    perfdata_put64(sink, attrs);
    perfdata_put64(sink, (PERFDATA_ATTR_SIZE + 16) * events);
    perfdata_put64(sink, data);
    perfdata_put64(sink, data_size);
    perfdata_put64(sink, 0); /* event types: not used any more */
    perfdata_put64(sink, 0);
    perfdata_feature_bits(info, bits);
    perfdata_put(sink, bits, sizeof(bits));
    for (size_t i = 0; i < PERFDATA_PMUS; i++) {
        if (info->event[perfdata_pmus[i].kind].sampled) {
            perfdata_put64(sink, perfdata_pmus[i].id);
        }
    }
    for (size_t i = 0; i < PERFDATA_PMUS; i++) {
        if (info->event[perfdata_pmus[i].kind].sampled) {
            perfdata_put_attr(sink, info, &perfdata_pmus[i]);
            perfdata_put64(sink, ids);
            perfdata_put64(sink, 8);
            ids += 8;
        }
    }
}

int perfdata_write(const struct perfdata_info *info, const struct ibs_record *records, size_t count,
                   perfdata_write_fn *write, void *context)
{
    uint8_t piece[PERFDATA_PIECE];
    struct perfdata_sink counted = {0};
    struct perfdata_sink sink = {.write = write, .context = context, .piece = piece};
    struct perfdata_span span = span_of(info, records, count);

    /* The header comes first and holds the size of the data: a first pass only counts. */
    put_data(&counted, info, records, count, &span);
    put_header(&sink, info, counted.offset);
    put_data(&sink, info, records, count, &span);
    perfdata_put_features(&sink, info, &span);
    perfdata_flush(&sink);
    return sink.error;
}
