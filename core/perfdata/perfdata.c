/* SPDX-License-Identifier: BSD-2-Clause */
/* The perf.data writer: header, attributes, records. The contract is in perfdata.h, the numbers in perfdata_format.h.
 */
#include "core/perfdata/perfdata.h"

#include "core/family/ibs_regs.h"
#include "core/perfdata/perfdata_format.h"
#include "core/perfdata/perfdata_put.h"

enum {
    OP_REGS_IN_FILE = IBS_OP_BRTARGET + 1, /* kept where the last does not exist, too: see perfdata.h */
    FETCH_REGS_IN_FILE = IBS_FETCH_EXTD + 1,
    PROT_READ_EXECUTE = 5,
    MAP_PRIVATE = 2,
};

uint64_t perfdata_time(const struct perfdata_info *info, uint64_t tsc)
{
    uint64_t ticks = tsc > info->tsc0 ? tsc - info->tsc0 : 0;
    uint64_t khz = info->tsc_khz != 0 ? info->tsc_khz : 1000000;
    /* In two parts, so that the product does not overflow. */
    return ticks / khz * 1000000 + ticks % khz * 1000000 / khz;
}

static void put_record_header(struct perfdata_sink *sink, uint32_t type, uint16_t misc, size_t size)
{
    perfdata_put32(sink, type);
    perfdata_put16(sink, misc);
    perfdata_put16(sink, (uint16_t)size);
}

/* The end of every record that is not a sample (sample_id_all): the fields that both events have. */
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

/* Puts a mapping; build_id NULL: there is none. */
static void put_mapping(struct perfdata_sink *sink, const struct perfdata_code *code, uint64_t id)
{
    bool has_id = code->build_id != NULL;

    put_record_header(sink, PERFDATA_RECORD_MMAP2, PERFDATA_MISC_USER | (has_id ? PERFDATA_MISC_MMAP_BUILD_ID : 0),
                      72 + perfdata_padded(code->elf_name, 8) + TRAILER_SIZE);
    perfdata_put32(sink, PERFDATA_PID);
    perfdata_put32(sink, PERFDATA_PID);
    perfdata_put64(sink, code->address);
    perfdata_put64(sink, code->size);
    perfdata_put64(sink, code->offset);
    if (has_id) {
        perfdata_put32(sink, PERFDATA_BUILD_ID_SIZE); /* u8 size, 3 reserved */
        perfdata_put(sink, code->build_id, PERFDATA_BUILD_ID_SIZE);
    } else {
        perfdata_put_zeros(sink, 24); /* device and inode */
    }
    perfdata_put32(sink, PROT_READ_EXECUTE);
    perfdata_put32(sink, MAP_PRIVATE);
    perfdata_put_text(sink, code->elf_name, 8);
    put_trailer(sink, 0, id);
}

/* Puts the process and its code, at time 0: perf must know the mapping before the first sample in it. */
static void put_program(struct perfdata_sink *sink, const struct perfdata_info *info)
{
    struct perfdata_source first = {0}; /* any event of the file: perf reads all of them the same way */
    (void)perfdata_source_at(info, 0, &first);
    uint64_t id = first.id;
    char comm[16] = {0}; /* Linux: TASK_COMM_LEN */
    size_t length = strlen(info->comm);

    memcpy(comm, info->comm, length < sizeof(comm) ? length : sizeof(comm) - 1);
    put_record_header(sink, PERFDATA_RECORD_COMM, PERFDATA_MISC_USER | PERFDATA_MISC_COMM_EXEC,
                      16 + perfdata_padded(comm, 8) + TRAILER_SIZE);
    perfdata_put32(sink, PERFDATA_PID);
    perfdata_put32(sink, PERFDATA_PID);
    perfdata_put_text(sink, comm, 8);
    put_trailer(sink, 0, id);

    put_mapping(sink,
                &(struct perfdata_code){info->elf_name, info->build_id, info->image_base + info->text_rva,
                                        info->text_size, info->text_offset},
                id);
    for (uint32_t i = 0; i < info->code_count; i++)
        put_mapping(sink, &info->code[i], id);
}

static void put_registers(struct perfdata_sink *sink, const struct perfdata_info *info,
                          const struct sample_record *record, size_t count)
{
    perfdata_put32(sink, (uint32_t)(4 + 8 * count));
    perfdata_put32(sink, info->caps & ~IBS_CAP_OPDATA4);
    perfdata_put(sink, record->reg, 8 * count);
}

/* Returns the address of a fetch, for which an erratum may ask for the sign extension. */
static uint64_t fetch_address(const struct ibs_machine *machine, const struct sample_record *record)
{
    uint64_t address = record->reg[IBS_FETCH_LINAD];

    return machine->row && !(machine->row->errata & IBS_E_FETCH_LINAD) ? address : ibs_canonical(address);
}

/* Puts the fields with which all samples begin, up to the raw data. */
static void put_fields(struct perfdata_sink *sink, const struct perfdata_info *info,
                       const struct perfdata_source *source, const struct sample_record *record, uint64_t ip,
                       uint64_t period)
{
    perfdata_put64(sink, source->id);
    perfdata_put64(sink, ip);
    perfdata_put32(sink, PERFDATA_PID);
    perfdata_put32(sink, PERFDATA_PID);
    perfdata_put64(sink, perfdata_time(info, record->tsc));
    if (source->sample_type & PERFDATA_SAMPLE_ADDR) {
        uint64_t data3 = record->reg[IBS_OP_DATA3];
        perfdata_put64(sink, ibs_dc_lin_addr_valid(data3) ? record->reg[IBS_OP_DCLINAD] : 0);
    }
    perfdata_put32(sink, record->cpu);
    perfdata_put32(sink, 0);
    perfdata_put64(sink, period);
}

/* Holds a sample's data besides registers; NULL: the file has none. */
struct beside {
    const struct sample_stack *stack;
    const struct sample_branches *branches;
};

static size_t beside_size(const struct beside *beside)
{
    struct branch_record found[SAMPLE_BRANCHES_MAX];

    return (beside->stack != NULL ? 8 * (3 + (size_t)beside->stack->depth) : 0) +
           (beside->branches != NULL ? 8 + 24 * (size_t)branches_decode(beside->branches, found) : 0);
}

static void put_chain(struct perfdata_sink *sink, const struct sample_stack *stack)
{
    if (stack == NULL)
        return;
    perfdata_put64(sink, 2 + (uint64_t)stack->depth);
    perfdata_put64(sink, PERFDATA_CONTEXT_USER);
    perfdata_put64(sink, stack->rip);
    perfdata_put(sink, stack->address, 8 * (size_t)stack->depth);
}

static void put_branches(struct perfdata_sink *sink, const struct perfdata_info *info,
                         const struct sample_branches *branches)
{
    struct branch_record found[SAMPLE_BRANCHES_MAX];
    unsigned count = branches != NULL ? branches_decode(branches, found) : 0;

    if (branches != NULL)
        perfdata_put64(sink, count);
    for (unsigned i = 0; i < count; i++) {
        perfdata_put64(sink, found[i].from);
        perfdata_put64(sink, found[i].to);
        perfdata_put64(sink, info->branches_bare
                                 ? 0
                                 : (found[i].mispredicted ? PERFDATA_BRANCH_MISPREDICTED : PERFDATA_BRANCH_PREDICTED) |
                                       (uint64_t)found[i].how << PERFDATA_BRANCH_SPEC);
    }
}

static void put_ibs_sample(struct perfdata_sink *sink, const struct perfdata_info *info,
                           const struct ibs_machine *machine, const struct perfdata_source *source,
                           const struct sample_record *record, const struct beside *beside)
{
    bool op = source->kind == SAMPLE_OP;
    size_t in_file = op ? OP_REGS_IN_FILE : FETCH_REGS_IN_FILE;
    uint64_t data3 = record->reg[IBS_OP_DATA3]; /* of ops */
    bool invalid = op && info->caps & IBS_CAP_RIPINVALID && record->reg[IBS_OP_DATA] & IBS_OP_RIP_INVALID;
    uint32_t period = op ? ibs_op_period(record->reg[IBS_OP_CTL], info->caps)
                         : ibs_period(ibs_fetch_max_cnt(record->reg[IBS_FETCH_CTL]));

    _Static_assert(8 + 48 + 8 + 8 * OP_REGS_IN_FILE + 24 == PERFDATA_SAMPLE_MAX, "as the header says");
    put_record_header(sink, PERFDATA_RECORD_SAMPLE, PERFDATA_MISC_USER | (invalid ? 0 : PERFDATA_MISC_EXACT_IP),
                      8 + 48 + beside_size(beside) + 8 + 8 * in_file + (op ? 24 : 0));
    put_fields(sink, info, source, record, op ? record->reg[IBS_OP_RIP] : fetch_address(machine, record),
               source->period != 0 ? source->period : period);
    put_chain(sink, beside->stack);
    put_registers(sink, info, record, in_file);
    put_branches(sink, info, beside->branches);
    if (op) {
        /* WEIGHT_STRUCT: u32 latency of the access, u16 of the whole op, as Linux fills them; u16 unused. */
        perfdata_put32(sink, ibs_ld_op(data3) && ibs_dc_miss(data3) ? ibs_dc_miss_lat(data3) : 0);
        perfdata_put16(sink, (uint16_t)ibs_op_tag_to_ret(record->reg[IBS_OP_DATA]));
        perfdata_put16(sink, 0);
        perfdata_put64(sink, perfdata_data_src(machine, record));
    }
}

/* Returns the events for which the first n samples of an event stand, rounded down. */
static uint64_t stands_for(const struct perfdata_source *source, uint64_t samples)
{
    /* In two parts, so that the product does not overflow: there are fewer than 2^32 samples. */
    return source->samples == 0 ? samples * source->period
                                : samples * (source->total / source->samples) +
                                      samples * (source->total % source->samples) / source->samples;
}

/* Puts a sample without EXACT_IP: the address is where retirement stood. before: samples of this event before this
 * one. */
static void put_interrupt_sample(struct perfdata_sink *sink, const struct perfdata_info *info,
                                 const struct perfdata_source *source, const struct sample_record *record,
                                 const struct beside *beside, uint64_t before)
{
    put_record_header(sink, PERFDATA_RECORD_SAMPLE, PERFDATA_MISC_USER, 8 + 48 + beside_size(beside));
    put_fields(sink, info, source, record, record->reg[source->kind == SAMPLE_PMC ? (int)PMC_RIP : (int)TIMER_RIP],
               stands_for(source, before + 1) - stands_for(source, before));
    put_chain(sink, beside->stack);
    put_branches(sink, info, beside->branches);
}

/* Puts a sample. put: how many samples of each event are in the file already. */
static void put_sample(struct perfdata_sink *sink, const struct perfdata_info *info, const struct ibs_machine *machine,
                       const struct sample_record *record, const struct beside *beside, uint64_t put[PERFDATA_PLACES])
{
    struct perfdata_source source;
    if (!perfdata_source_of(info, record, &source))
        return;
    if (source.kind == SAMPLE_OP || source.kind == SAMPLE_FETCH)
        put_ibs_sample(sink, info, machine, &source, record, beside);
    else
        put_interrupt_sample(sink, info, &source, record, beside, put[source.place]);
    put[source.place]++;
}

static void put_lost(struct perfdata_sink *sink, const struct perfdata_info *info, uint64_t time)
{
    struct perfdata_source source;
    for (uint32_t i = 0; perfdata_source_at(info, i, &source); i++) {
        if (source.lost > 0) {
            put_record_header(sink, PERFDATA_RECORD_LOST, PERFDATA_MISC_USER, 24 + TRAILER_SIZE);
            perfdata_put64(sink, source.id);
            perfdata_put64(sink, source.lost);
            put_trailer(sink, time, source.id);
        }
    }
}

static void put_data(struct perfdata_sink *sink, const struct perfdata_info *info, const struct sample_record *records,
                     size_t count, const struct perfdata_span *span)
{
    const struct ibs_machine machine = ibs_machine_of(info->family, info->model, info->caps);
    uint64_t put[PERFDATA_PLACES] = {0};
    put_program(sink, info);
    for (size_t i = 0; i < count && sink->error == 0; i++) {
        const struct beside beside = {info->stacks != NULL ? &info->stacks[i] : NULL,
                                      info->branches != NULL ? &info->branches[i] : NULL};
        put_sample(sink, info, &machine, &records[i], &beside, put);
    }
    put_lost(sink, info, span->last);
}

static struct perfdata_span span_of(const struct perfdata_info *info, const struct sample_record *records, size_t count)
{
    struct perfdata_span span = {0};
    struct perfdata_source source;
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        uint64_t time = perfdata_time(info, records[i].tsc);
        if (perfdata_source_of(info, &records[i], &source)) {
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
    uint64_t events = perfdata_source_count(info);
    struct perfdata_source source;
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
    for (uint32_t i = 0; perfdata_source_at(info, i, &source); i++)
        perfdata_put64(sink, source.id);
    for (uint32_t i = 0; perfdata_source_at(info, i, &source); i++) {
        perfdata_put_attr(sink, &source);
        perfdata_put64(sink, ids);
        perfdata_put64(sink, 8);
        ids += 8;
    }
}

int perfdata_write(const struct perfdata_info *info, const struct sample_record *records, size_t count,
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
